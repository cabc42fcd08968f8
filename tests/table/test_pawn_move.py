"""The cost of a pawn's move, from the board's snapshot to the screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.codec import decode_action
from companion.core.game import Game, Seat, View
from companion.core.placement import Cell, Placement
from companion.games.vampireradar import VampireRadar
from companion.sensors.link import Link
from companion.sensors.reader import BoardReader
from companion.sensors.reconcile import Result, reconcile
from tests.sensors.fakes import by_presence, moved
from tests.table.play import Play


class Walker:
    """A table and a board reader, wired as the application wires them, and pawns on cardboard."""

    def __init__(self, folder: Path) -> None:
        self.play = Play(folder, VampireRadar(), auto_pick_up=False)
        self.play.start("V", "H1", "H2")
        self.play.night("V", decode_action(VampireRadar(), {"type": "place", "cell": "C4"}))
        table = self.play.table
        self.reader = BoardReader(
            table.board_view,
            self._submit,
            self.play.clock,
            view_at_start=table.view_at_start,
            on_change=table.journal.show_board,
        )
        table.connect_board(self.reader.next_status, self.reader.blocking_reason)
        self.cardboard = self.placement()
        self.reader.link_changed(Link("up", generation=1))
        self.rest()

    def placement(self) -> Placement:
        running = self.play.table.board_view()
        assert running is not None
        return running[0].placement(running[1])

    def look(self) -> None:
        self.play.clock.advance(0.25)
        self.reader.observe(by_presence(self.cardboard, self.play.clock.monotonic()))

    def rest(self) -> None:
        for _ in range(5):
            self.look()

    def walk(self) -> tuple[str, str]:
        """Return a pawn and a cell to which it may walk."""
        legal = self.play.table.snapshot()["legal"]
        walk = next(action for action in legal if action["type"] == "walk")
        return walk["pawn"], walk["to"]

    def _submit(self, seat: Seat, actions: list[Any]) -> bool:
        self.play.table.submit(seat, actions, id=f"board-{len(self.play.log)}")
        return bool(self.play.table.snapshot()["board"] == self.reader.next_status())


def test_it_costs_one_comparison_one_commit_and_one_publication(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the snapshot at rest, a pawn's move is compared once, stored once and published once,
    together with the board's new state; the publication of its own move causes no comparison.
    """
    walker = Walker(tmp_path / "data")
    assert "in_sync" == walker.reader.status()["state"]
    pawn, cell = walker.walk()
    walker.cardboard = moved(walker.cardboard, {pawn: cell})
    walker.look()
    listener = walker.play.table.journal.subscribe()
    listener.get(0)
    compared: list[View] = []

    def counted(game: Game, view: View, *observed: Any) -> Result:
        compared.append(view)
        return reconcile(game, view, *observed)

    monkeypatch.setattr("companion.sensors.reader.reconcile", counted)
    rows = len(walker.play.log)

    while len(walker.play.log) == rows:
        walker.look()
    walker.reader.game_changed()

    updates = []
    while (update := listener.get(0)) is not None:
        updates.append(update)
    assert (1, 1, 1) == (len(compared), len(walker.play.log) - rows, len(updates))
    assert "in_sync" == updates[0].snapshot["board"]["state"]
    assert pawn in {pawn for pawn in walker.placement().pawns[Cell(cell)]}


def test_a_refused_move_is_shown_as_refused(tmp_path: Path) -> None:
    """A walk that the table refuses leaves the board's state as sensed."""
    walker = Walker(tmp_path / "data")
    pawn, cell = walker.walk()
    walker.play.table.pause(on=True)

    walker.cardboard = moved(walker.cardboard, {pawn: cell})
    walker.rest()

    board = walker.play.table.snapshot()["board"]
    assert ("unexplained", "paused") == (board["state"], board["message"]["code"])
    assert board == walker.reader.status()
