"""All phones together do not get the vampire's seat."""

from __future__ import annotations

import pytest

from tests.server.auth.brute_force import guess_codes

pytestmark = pytest.mark.slow


def test_of_hundreds_of_tries_ten_are_looked_at() -> None:
    """Over restarts and from many addresses at most ten codes are compared, and nobody gets in; a
    second claim and one after the start are refused.
    """
    tried = guess_codes(400, 20)

    assert (0, "seat_taken", "seats_closed") == (tried.got_in, tried.second, tried.late)
    assert 0 < tried.evaluated <= 10
    assert 400 == sum(tried.refusals.values())
