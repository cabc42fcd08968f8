"""Codes that people type: every letter is equally likely."""

from __future__ import annotations

from collections import Counter

from companion.server.auth.codes import ALPHABET, draw_code


def test_no_letter_is_more_likely() -> None:
    """Of all bytes, each letter is made by equally many."""
    count = 256 - 256 % len(ALPHABET)

    code = draw_code(count, lambda _: bytes(reversed(range(256))))

    assert dict.fromkeys(ALPHABET, count // len(ALPHABET)) == Counter(code)
