"""Nights with the same public events are published at the same times, whatever their secret actions
and whenever they were committed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Action
from companion.core.placement import Cell
from companion.games.vampireradar.actions import END, Attack, Place, Walk
from companion.games.vampireradar.rules import VampireRadar
from tests.table.play import Play

FIELD = {"tiles": [".oww..", ".b.wro", "o.bo.o", "wwwr..", "orbowb", "..r.o."], "walls": []}
START = {"H1a": "C3", "H1b": "D3", "H1c": "A1", "H1d": "F6"}
FLOOR = 12
Announce = list[tuple[float, list[dict[str, Any]]]]


def walk(cell: str) -> Walk:
    return Walk(to=Cell(cell))


def attack(cell: str) -> Attack:
    return Attack(Cell(cell))


def timed_events(folder: Path, night: Sequence[Action], seconds: float) -> Announce:
    """Return the public events of a night that is committed after some seconds, with their
    times.
    """
    play = Play(folder, VampireRadar(), night_floor=FLOOR)
    play.table.lobby.propose({"players": 2, "field": FIELD, "start": START})
    play.start("V", "H1", players=2)
    play.night("V", Place(Cell("C3")))
    play.submit("H1", END)
    updates, timed = play.table.journal.subscribe(), Announce()
    updates.get(0)
    nightfall = play.clock.monotonic()
    play.clock.advance(seconds)
    play.submit("V", *night)
    while play.clock.monotonic() < nightfall + 60:
        play.clock.advance(0.25)
        while (update := updates.get(0)) is not None:
            events = [
                {key: value for key, value in entry["event"].items() if key != "seal"}
                for entry in update.events
            ]
            timed.append((play.clock.monotonic() - nightfall, events))
    play.table.close()
    return timed


QUIET: list[list[Action]] = [
    [END],
    [walk("C2"), END],
    [walk("C2"), walk("C3"), END],
    [walk("B3"), walk("B2"), END],
]
ONE_KILL: list[list[Action]] = [
    [attack("C3"), END],
    [attack("C3"), walk("B3"), END],
    [attack("C3"), walk("B3"), walk("A3"), END],
]
TWO_KILLS: list[list[Action]] = [
    [attack("C3"), attack("D3"), END],
    [attack("C3"), attack("D3"), walk("E3"), walk("E2"), END],
]


@pytest.mark.parametrize(
    "alike", [QUIET, ONE_KILL, TWO_KILLS], ids=["no kill", "one kill", "two kills"]
)
def test_nights_of_other_lengths_are_published_alike(
    alike: Sequence[Sequence[Action]], tmp_path: Path
) -> None:
    """With no step, one or two, committed early or late under the floor: the same events at the
    same times.
    """
    nights = [
        timed_events(tmp_path / f"{number}-{seconds}", night, seconds)
        for number, night in enumerate(alike)
        for seconds in (0.5, 5.0, 10.0)
    ]

    assert [nights[0]] * len(nights) == nights
    assert FLOOR == nights[0][0][0]


def test_a_kill_is_a_beat_of_its_own(tmp_path: Path) -> None:
    """Nights differ by their public events alone: each kill adds one time, and nothing else
    does.
    """
    kinds: tuple[Sequence[Sequence[Action]], ...] = (QUIET, ONE_KILL, TWO_KILLS)
    moments = [
        [at for at, _ in timed_events(tmp_path / str(number), nights[0], 1.0)]
        for number, nights in enumerate(kinds)
    ]

    assert [2, 2, 3] == [len(times) for times in moments]
    assert moments[0] == moments[1] == moments[2][:2]
