"""A loose contact during a game."""

from __future__ import annotations

import pytest

from companion.core.placement import Cell
from companion.sensors.reported_pieces import FlickerFilter
from tests.helpers.repetitions import soak
from tests.sensors.flicker import LooseContact


@pytest.mark.parametrize("seed", [1, *soak(2)])
@pytest.mark.slow
def test_a_loose_contact_plays_no_part(seed: int) -> None:
    """While a contact flickers its cell is set aside; walks on the other cells are read, and no
    other action is played.
    """
    report = LooseContact(seed).play(hours=0.2)

    assert report.good, report
    assert report.set_aside > 0.99


@pytest.mark.parametrize(("changes", "flickers"), [(6, False), (7, True)])
def test_the_seventh_change_within_ten_seconds_is_a_flicker(changes: int, flickers: bool) -> None:
    """Six changes in ten seconds are a hand, seven a bad contact; the window's end counts."""
    contact = FlickerFilter()
    contact.record((), 0.0)
    for number in range(changes):
        contact.record([Cell("C3")] if number % 2 == 0 else [], number * 10.0 / (changes - 1))

    assert flickers == bool(contact.cells(10.0))
