"""The panel beside a real table: games equal in public and different in secret are lit and sounded
alike.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.codec import decode_actions
from companion.core.game import Action, Seat
from companion.core.placement import Cell
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import END, Place, Walk
from companion.panel.panel import BUTTON_POLL, Panel
from companion.table.broadcast import Update
from tests.helpers.fake_pins import FakePins
from tests.table.play import Play

FIELD = {"tiles": [".oww..", ".b.wro", "o.bo.o", "wwwr..", "orbowb", "..r.o."], "walls": []}


class Beside:
    """A table with a panel beside it, both on the table's clock."""

    def __init__(self, folder: Path) -> None:
        self.play = Play(folder, VampireRadar(), seed=5)
        self.table, self.clock = self.play.table, self.play.clock
        self.pins = FakePins(self.clock.monotonic, bounce=0.02)
        self.panel = Panel(self.pins, self.submit, self.table.votes.undo, self.clock.monotonic)
        self.updates = self.table.journal.subscribe()
        self.pressed = 0

    def submit(self, seat: Seat, actions: list[dict[str, Any]]) -> None:
        self.pressed += 1
        decoded = decode_actions(VampireRadar(), actions)
        self.table.submit(seat, decoded, id=f"panel-{self.pressed}")

    def run(self, seconds: float) -> None:
        """Run table and panel for a while."""
        for _ in range(round(seconds / BUTTON_POLL)):
            update = self.updates.get(0)
            if update is not None:
                self.panel.update(update)
            self.panel.poll()
            self.clock.advance(BUTTON_POLL)

    def begin(self, cell: str) -> None:
        """Start a game for two humans in which the vampire begins on `cell`."""
        self.table.lobby.propose({"field": FIELD})
        self.play.start("V", "H1", "H2")
        self.run(2)
        self.play.submit("V", Place(Cell(cell)))
        self.run(30)


def game_table(folder: Path, cell: str, thinking: float, night: list[Action]) -> Beside:
    """Play one round in which both humans end their turns by the button and the vampire spends this
    night.
    """
    beside = Beside(folder)
    beside.begin(cell)
    for _ in range(2):
        beside.pins.press(0.2)
        beside.run(2)
    beside.run(thinking)
    beside.pins.press(0.2)
    beside.play.submit("V", *night)
    beside.run(9 - thinking)
    beside.pins.hold(2)
    beside.run(30)
    return beside


@pytest.mark.parametrize(
    ("cell", "thinking", "night"),
    [
        ("C3", 3.0, [Walk(to=Cell("C4")), END]),
        ("C3", 3.0, [Walk(to=Cell("C4")), Walk(to=Cell("C5")), END]),
        ("D5", 3.0, [END]),
    ],
)
def test_a_silent_night_is_dark_and_still(
    tmp_path: Path, cell: str, thinking: float, night: list[Action]
) -> None:
    """The vampire's place and number of steps change nothing that the panel does, nor when."""
    silent = game_table(tmp_path / "a", "C3", 3.0, [END])
    active = game_table(tmp_path / "b", cell, thinking, night)

    assert 2 == silent.pressed == active.pressed
    assert silent.pins.record == active.pins.record


def test_the_moment_of_the_vampires_submission_is_not_seen(tmp_path: Path) -> None:
    """Between nightfall and dawn the lamp does not answer the vampire's phone."""
    records = []
    for name, thinking in (("a", 2.0), ("b", 6.0)):
        beside = Beside(tmp_path / name)
        beside.begin("C3")
        for _ in range(2):
            beside.pins.press(0.2)
            beside.run(2)
        beside.run(thinking)
        beside.play.submit("V", END)
        beside.run(20 - thinking)
        records.append(beside.pins.record)

    assert records[0] == records[1]


def test_a_planted_wink_is_caught(tmp_path: Path) -> None:
    """The comparison detects a panel that reacts to the vampire's submission: the records would
    differ.
    """
    records = []
    for name, thinking in (("a", 2.0), ("b", 6.0)):
        beside = Beside(tmp_path / name)
        beside.begin("C3")
        for _ in range(2):
            beside.pins.press(0.2)
            beside.run(2)
        beside.run(thinking)
        snapshot = beside.table.snapshot()
        leak = {
            "position": snapshot["position"] + 1,
            "event": {"event": "submitted"},
            "message": {},
        }
        beside.panel.update(Update(snapshot, [leak]))
        beside.run(20 - thinking)
        records.append(beside.pins.record)

    assert records[0] != records[1]
