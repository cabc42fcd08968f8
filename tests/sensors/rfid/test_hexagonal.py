"""A hexagonal field under sensors: entered, moved and jumping pieces are read; another field is
ignored.
"""

from __future__ import annotations

import pytest

from companion.clock import SimulatedClock
from companion.core.game import Action, Game, Seat, State, View
from companion.core.placement import Cell, Pawn
from companion.core.view import view as view_of
from companion.games.nosferatu.actions import Enter, Jump, Move
from companion.games.nosferatu.options import Setup
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.rfid.geometries import HEXAGONAL, SQUARE
from tests.games.nosferatu.test_rules import GAME, act, at, start


class HexTable:
    """A game on a hexagonal board, by presence or by name, and its reader."""

    def __init__(
        self, state: State, *, named: bool, cells: tuple[Cell, ...] = HEXAGONAL.cells
    ) -> None:
        self.state = state
        self.named = named
        self.played: list[Action] = []
        self.clock = SimulatedClock()
        self.reader = BoardReader(self.view, self.submit, self.clock)
        self.reader.link_changed(Link("up", generation=1, cells=frozenset(cells)))
        self.pieces = dict(state.public.pieces)
        self.rest()

    def view(self) -> tuple[Game, View]:
        return GAME, view_of(self.state, self.state.public.to_move)

    def submit(self, seat: Seat, actions: list[Action]) -> None:
        for action in actions:
            self.state = act(self.state, action)
        self.played += actions

    def rest(self, seconds: float = 1.0) -> None:
        for _ in range(round(seconds / 0.25) + 1):
            pawns: dict[Cell, frozenset[Pawn]] = {
                cell: frozenset({pawn}) for pawn, cell in self.pieces.items()
            }
            now = self.clock.monotonic()
            if self.named:
                self.reader.observe(Observation("serial", now, pawns=pawns))
            else:
                self.reader.observe(Observation("serial", now, occupied=frozenset(pawns)))
            self.clock.advance(0.25)

    def move_pieces(self, **moves: str | None) -> None:
        """Place or remove pieces, and wait until the table rests."""
        for pawn, cell in moves.items():
            self.pieces.pop(Pawn(pawn), None)
            if cell:
                self.pieces[Pawn(pawn)] = Cell(cell)
        self.rest()

    @property
    def board_state(self) -> str:
        state: str = self.reader.status()["state"]
        return state


BOTH = pytest.mark.parametrize("named", [False, True], ids=["by_presence", "by_name"])


@BOTH
def test_a_move_is_read(named: bool) -> None:
    """A moved piece is moved in the record, without a tap."""
    table = HexTable(at("s a1 x a4 w g7"), named=named)
    table.move_pieces(v1="a3")

    assert [Move(Pawn("v1"), Cell("a3"))] == table.played
    assert "in_sync" == table.board_state


@BOTH
def test_a_lifted_piece_is_reported(named: bool) -> None:
    """A lifted piece's cell is reported, so that a page can show its possible targets."""
    table = HexTable(at("s a1 x a4 w g7"), named=named)
    table.move_pieces(v1=None)

    assert ("lifted", ["a4"]) == (table.board_state, table.reader.status()["lifted"])
    assert [] == table.played


@BOTH
def test_a_capture_is_read(named: bool) -> None:
    """A jump with the captured piece removed is read as a whole."""
    table = HexTable(at("x a1 w b2 g7 s d1"), named=named)
    table.move_pieces(v1="c3", m1=None)

    assert [Jump(Pawn("v1"), Cell("c3"))] == table.played
    assert "in_sync" == table.board_state


def test_an_entering_is_read_by_name() -> None:
    """Any vampire of the box may enter; the sensors identify it."""
    table = HexTable(start(Setup()), named=True)
    table.move_pieces(v4="b2")

    assert [Enter(Pawn("v4"), Cell("b2"))] == table.played


def test_who_enters_is_asked_where_it_is_not_seen() -> None:
    """A board that only senses presence asks whether the piece is Nosferatu or a vampire."""
    table = HexTable(start(Setup()), named=False)
    table.move_pieces(v1="b2")

    assert "ambiguous" == table.board_state
    kinds = {
        action["pawn"][0] for reading in table.reader.status()["readings"] for action in reading
    }
    assert {"n", "v"} == kinds


@BOTH
def test_a_board_with_another_field_is_ignored(named: bool) -> None:
    """A square board under a hexagonal game is not compared: the game is played by taps, and the
    status names the reason.
    """
    table = HexTable(at("s a1 x a4 w g7"), named=named, cells=SQUARE.cells)
    table.pieces = {Pawn("v1"): Cell("A1")}
    table.rest(6)

    assert [] == table.played
    status = table.reader.status()
    assert ("off", "board_other_field", []) == (
        status["state"],
        status["message"]["code"],
        status["differences"],
    )
