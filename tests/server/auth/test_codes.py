"""Codes that people type: every letter is equally likely."""

from __future__ import annotations

from collections import Counter

from companion.server.auth.codes import ALPHABET, draw_code


def test_no_letter_is_more_likely() -> None:
    """Each letter is made by equally many bytes; the other bytes make none."""
    count = 256 - 256 % len(ALPHABET)
    drawn = iter([bytes(range(count, 256)) * count, bytes(range(count))])

    code = draw_code(count, lambda _: next(drawn))

    assert dict.fromkeys(ALPHABET, count // len(ALPHABET)) == Counter(code)
