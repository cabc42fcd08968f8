"""A loose contact during a game."""

from __future__ import annotations

import pytest

from tests.sensors.flicker import LooseContact


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.slow
def test_a_loose_contact_plays_no_part(seed: int) -> None:
    """While a contact flickers its cell is set aside; walks on the other cells are read, and no
    other action is played.
    """
    report = LooseContact(seed).play(hours=0.2)

    assert report.good, report
    assert report.set_aside > 0.99
