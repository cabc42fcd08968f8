"""Pawns of one colour that are swapped, and a pawn that flickers on a radar."""

from __future__ import annotations

import itertools

import pytest

from companion.core.placement import Pawn
from companion.games.vampireradar.actions import CallRadar
from companion.games.vampireradar.events import RadarCalled
from tests.helpers.repetitions import soak
from tests.sensors.fakes import record
from tests.sensors.test_reader import BOTH, RADAR, Table, walk

CORNERS = ("A1", "B1", "A2", "B2")


@pytest.mark.slow
@pytest.mark.parametrize("pawns", [2, 3, *soak(4)])
def test_swap_equal_pawns(pawns: int) -> None:
    """Pawns of one colour swap their tiles: a source that identifies pawns asks and plays no walk;
    a presence source reports no change.
    """
    names = [f"H1{letter}" for letter in "abcd"[:pawns]]
    start = dict(zip(names, CORNERS, strict=False))
    for cells in itertools.permutations(start.values()):
        swapped = dict(zip(names, cells, strict=True))
        if swapped == start:
            continue
        for named in (True, False):
            table = Table(record(start), named=named)
            table.move_pawns(dict.fromkeys(names))
            table.move_pawns(swapped)
            table.rest(4)

            assert [] == table.walks
            assert ("in_sync" != table.reader.status()["state"]) == named


@BOTH
def test_radar_flicker(named: bool) -> None:
    """A pawn that is lifted off a radar that answered and set back, repeatedly, gets no second
    answer.
    """
    table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR), named=named)
    table.move_pawns({"H1a": "B1"})
    table.play(CallRadar(Pawn("H1a")))

    for _ in range(20):
        table.move_pawns({"H1a": None})
        table.move_pawns({"H1a": "B1"})

    assert [walk("H1a", "B1"), CallRadar(Pawn("H1a"))] == table.walks
    assert 1 == sum(isinstance(event, RadarCalled) for event in table.game.public_events)
    assert CallRadar(Pawn("H1a")) not in table.game.legal()
