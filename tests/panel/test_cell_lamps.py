"""The lamps under a board's cells beside a real table: what is lit, and that it tells nothing
secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.codec import decode_actions
from companion.core.game import Game, Seat
from companion.core.placement import Cell
from companion.games import GAMES, find_game
from companion.games.nosferatu import Nosferatu
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import END, Place
from companion.games.vampireradar.layout import HOUSE_FIELD, radar_ring
from companion.panel.cell_lamps import CellLamps
from companion.table.broadcast import Update
from tests.table.play import Play
from tools.secrecy.paired_vampireradar import Turn, twins

STEP = 0.1
NIGHT = 40.0
"""Seconds within which every night is announced."""
THINKING = 5.0
"""Seconds after which a slow vampire submits: within the shortest time of a night."""


class Beside:
    """A table for two humans with lamps beside it, on one simulated clock. `lines` has each new
    line of lamps with its moment.
    """

    def __init__(self, folder: Path, game: Game) -> None:
        self.game = game
        self.play = Play(folder, game, seed=5)
        self.table, self.clock = self.play.table, self.play.clock
        self.lamps = CellLamps(lambda name: find_game(name).lamps)
        self.updates = self.table.journal.subscribe()
        self.lines: list[tuple[float, str]] = []

    def run(self, seconds: float = STEP) -> Beside:
        """Let time pass."""
        for _ in range(round(seconds / STEP)):
            while (update := self.updates.get(0)) is not None:
                self.show(update)
            self.clock.advance(STEP)
        return self

    def show(self, update: Update) -> None:
        """Handle an update as the thread does."""
        line = self.lamps.update(update)
        if line != self.line:
            self.lines.append((round(self.clock.monotonic(), 1), line))

    @property
    def line(self) -> str:
        """The line that is shown."""
        return self.lines[-1][1] if self.lines else ""

    def lift(self, *cells: str) -> Beside:
        """Let the board show lifted pawns."""
        self.table.journal.show_board({"lifted": list(cells)})
        return self.run()

    def act(self, action: dict[str, Any]) -> str:
        """Let the seat to move act; return the line after it."""
        (decoded,) = decode_actions(self.game, [action])
        self.play.submit(self.table.snapshot()["to_move"], decoded)
        return self.run().line

    def legal(self, kind: str) -> list[dict[str, Any]]:
        """Return the public legal actions of a type."""
        return [one for one in self.table.snapshot()["legal"] if one["type"] == kind]

    def begin(self, cell: str) -> Beside:
        """Start a game for two humans in which the vampire hides on `cell`, up to the first day."""
        self.table.lobby.propose({"field": msgspec.to_builtins(HOUSE_FIELD)})
        self.play.start("V", "H1", "H2")
        self.run()
        self.play.submit("V", Place(Cell(cell)))
        return self.run(NIGHT)


def test_a_board_with_another_field_is_dark(tmp_path: Path) -> None:
    """While the board's field is not the game's nothing is lit, since cells of the same name are
    other places; a board that fits shows the last move again.
    """
    beside = Beside(tmp_path, VampireRadar()).begin("C3")
    white = beside.act(beside.legal("walk")[0])
    assert white.startswith("white ")
    beside.table.journal.show_board({"state": "other_field"})
    assert "" == beside.run().line

    beside.table.journal.show_board({"state": "in_sync"})
    assert white == beside.run().line


def test_the_last_move_and_the_reach_of_a_lifted_pawn(tmp_path: Path) -> None:
    """A walk lights its two cells in white; a lifted pawn the cells that it may go to in gold; an
    undo darkens them.
    """
    beside = Beside(tmp_path, VampireRadar()).begin("C3")
    assert "" == beside.line
    walks = beside.legal("walk")
    pawn = walks[0]["pawn"]
    start = beside.table.snapshot()["view"]["pawns"][pawn]
    reach = sorted(walk["to"] for walk in walks if walk["pawn"] == pawn)
    assert f"gold {' '.join(reach)}" == beside.lift(start).line
    assert "" == beside.lift().line
    assert f"white {' '.join(sorted([start, reach[0]]))}" == beside.act(
        {"type": "walk", "pawn": pawn, "to": reach[0]}
    )
    beside.table.votes.undo(Seat("H1"))

    assert "" == beside.run().line


def test_a_radar_lights_its_ring_until_the_next_event(tmp_path: Path) -> None:
    """The ring has every tile at the answered distance, and hides no cell of the vampire; the next
    public event ends it. By night a lifted pawn lights nothing.
    """
    beside = Beside(tmp_path, VampireRadar()).begin("C3")
    draw = Random(1)
    while not beside.legal("call_radar"):
        if not (walks := beside.legal("walk")) and beside.table.snapshot()["to_move"] == "V":
            assert (
                "gold" not in beside.lift(*beside.table.snapshot()["view"]["pawns"].values()).line
            )
            beside.lift()
            beside.play.submit("V", END)
            beside.run(NIGHT)
        else:
            beside.act(draw.choice(walks or beside.legal("end")))
    white = beside.line
    line = beside.act(beside.legal("call_radar")[0])
    answer = beside.table.snapshot()["answer"]["event"]
    ring = set(radar_ring(answer))
    assert {"C3"} <= ring
    assert f"teal {' '.join(sorted(ring))}" in line
    assert set(line.split()) - {"white", "teal"} == ring | set(white.split()) - {"white"}

    assert "teal" not in beside.act(beside.legal("end")[0])


def test_nosferatu_lights_its_moves(tmp_path: Path) -> None:
    """An entered piece lights its cell; one that moves or jumps where it was and is."""
    beside = Beside(tmp_path, Nosferatu())
    beside.table.lobby.propose({"game": "nosferatu", "players": 2})
    for key, seat in enumerate(beside.game.seat_names(2), 1):
        beside.table.seats.claim(seat, seat, f"{key:064x}")
    beside.table.start()
    draw, kinds = Random(0), set()
    while legal := beside.table.snapshot()["legal"]:
        action = draw.choice(legal)
        start = beside.table.snapshot()["view"]["pawns"].get(action["pawn"])
        kinds.add(action["type"])
        assert f"white {' '.join(sorted({start or action['to'], action['to']}))}" == beside.act(
            action
        )
    assert {"enter", "move", "jump"} == kinds


@pytest.mark.parametrize("game", [game for game in GAMES if game.lamps is None])
def test_other_games_light_nothing(tmp_path: Path, game: Game) -> None:
    """A game without cells lights nothing, whatever the board says."""
    snapshot = {
        "game": game.name,
        "position": 1,
        "log": [{"position": 1, "event": {"event": "pawn_walked", "from": "A1", "to": "A2"}}],
        "view": {"pawns": {"X": "A1"}},
        "board": {"lifted": ["A1"]},
        "legal": [{"pawn": "X", "to": "B1"}],
    }
    assert "" == CellLamps(lambda name: find_game(name).lamps).update(Update(snapshot, []))


# Secrecy: pairs of games that differ in the vampire's nights alone


def played(
    folder: Path, turns: Sequence[Turn], setup: Any, slow: bool, leak: bool = False
) -> Beside:
    """Play these turns, the vampire's at once or after thinking; `leak` lights its cell too."""
    beside = Beside(folder, VampireRadar())
    beside.table.change_settings({"auto_pick_up": False})
    beside.table.lobby.propose(msgspec.to_builtins(setup))
    if leak:
        beside.lamps = LeakyLamps(beside)
    beside.play.start("V", "H1", "H2")
    beside.run()
    for turn in turns:
        if turn.seat == "V":
            thinking = THINKING if slow else 0.0
            beside.run(thinking)
            beside.play.submit("V", *turn.actions)
            beside.run(NIGHT - thinking)
            continue
        pawns = beside.table.snapshot()["view"]["pawns"]
        beside.lift(pawns.get(getattr(turn.actions[0], "pawn", ""), ""))
        beside.lift()
        beside.play.submit(turn.seat, *turn.actions)
        beside.run()
    return beside


class LeakyLamps(CellLamps):
    """Lamps that light the vampire's cell in red."""

    def __init__(self, beside: Beside) -> None:
        super().__init__(lambda name: find_game(name).lamps)
        self._table = beside.table

    def update(self, update: Update) -> str:
        private = self._table.state.run.state.private.get(Seat("V"))
        return f"{super().update(update)} red {private.cell if private else ''}"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_vampires_nights_change_no_lamp(tmp_path: Path, seed: int) -> None:
    """Games that differ in the secret and in the moment of the secret acts alone have the same
    lines at the same moments, with moves, rings and reach among them.
    """
    pair = twins(Random(seed), 3, 80)
    one = played(tmp_path / "one", pair.one, pair.setup, slow=False)
    two = played(tmp_path / "two", pair.two, pair.setup, slow=True)

    assert one.lines == two.lines
    lit = " ".join(line for _, line in one.lines)
    assert all(word in lit for word in ("white", "teal", "gold"))


def test_a_lamp_at_the_vampires_cell_is_caught(tmp_path: Path) -> None:
    """The comparison can fail: a planted lamp makes the lines differ."""
    pair = twins(Random(1), 3, 24)
    one = played(tmp_path / "one", pair.one, pair.setup, slow=False, leak=True)
    two = played(tmp_path / "two", pair.two, pair.setup, slow=True, leak=True)

    assert one.lines != two.lines
