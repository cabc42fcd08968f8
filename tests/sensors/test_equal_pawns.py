"""What hands do with pawns that look alike, and over a radar that has answered."""

from __future__ import annotations

import itertools

import pytest

from companion.core.placement import Pawn
from companion.games.vampireradar.actions import CallRadar
from companion.games.vampireradar.events import RadarCalled
from tests.sensors.fakes import record
from tests.sensors.test_reader import BOTH, RADAR, Table, walk

CORNERS = ("A1", "B1", "A2", "B2")


@pytest.mark.parametrize("pawns", [2, 3, 4])
def test_swap_equal_pawns(pawns: int) -> None:
    """Pawns of one colour that are set back on each other's tiles: who sees their names asks, and
    walks none; to who sees only that something stands there, everything is as it was.
    """
    names = [f"H1{letter}" for letter in "abcd"[:pawns]]
    start = dict(zip(names, CORNERS, strict=False))
    for cells in itertools.permutations(start.values()):
        swapped = dict(zip(names, cells, strict=True))
        if swapped == start:
            continue
        for named in (True, False):
            table = Table(record(start), named=named)
            table.hands(dict.fromkeys(names))
            table.hands(swapped)
            table.rest(4)

            assert [] == table.walks
            assert ("in_sync" != table.reader.status()["state"]) == named


@BOTH
def test_radar_flicker(named: bool) -> None:
    """A pawn that is lifted off a radar that answered and set back on it, again and again, draws no
    second answer.
    """
    table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR), named=named)
    table.hands({"H1a": "B1"})
    table.play(CallRadar(Pawn("H1a")))

    for _ in range(20):
        table.hands({"H1a": None})
        table.hands({"H1a": "B1"})

    assert [walk("H1a", "B1"), CallRadar(Pawn("H1a"))] == table.walks
    assert 1 == sum(isinstance(event, RadarCalled) for event in table.game.told)
    assert CallRadar(Pawn("H1a")) not in table.game.legal()
