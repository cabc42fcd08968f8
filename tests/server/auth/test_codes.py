"""Codes that people type: every letter is equally likely, and guesses are counted."""

from __future__ import annotations

from collections import Counter

from companion.server.auth.codes import (
    ALPHABET,
    GUESS_PERIOD,
    MAX_GUESSES,
    RateLimiter,
    draw_code,
)


def test_no_letter_is_more_likely() -> None:
    """Each letter is made by equally many bytes; the other bytes make none."""
    count = 256 - 256 % len(ALPHABET)
    drawn = iter([bytes(range(count, 256)) * count, bytes(range(count))])

    code = draw_code(count, lambda _: next(drawn))

    assert dict.fromkeys(ALPHABET, count // len(ALPHABET)) == Counter(code)


def test_a_restart_restores_the_guesses_of_its_own_minute() -> None:
    """Guesses from before a restart count for a minute from it, whatever the clock reads then."""
    now = [5000.0]
    limiter = RateLimiter(lambda: now[0], {"10.0.0.7": MAX_GUESSES})

    assert 0 < limiter.count_guess("10.0.0.7")
    now[0] += GUESS_PERIOD
    assert 0 == limiter.count_guess("10.0.0.7")
