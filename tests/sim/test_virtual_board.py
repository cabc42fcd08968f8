"""The virtual board's side of the wire."""

from __future__ import annotations

import math

import pytest

from companion.cli.board_sim import default_world
from companion.core.placement import Cell, Pawn
from companion.sensors.serial.lines import Fault, Greeting, Line, LineDecoder, StateLine
from companion.sensors.tags.registry import Uid
from companion.sim.table_model import uid_of
from companion.sim.virtual_board import AGAIN, BEAT, BoardKind, VirtualBoard


def sent(board: VirtualBoard, now: float, data: bytes = b"") -> list[Line]:
    """Return the lines that a board sends now."""
    return list(LineDecoder().receive(board.step(now, data)))


def on(*cells: str) -> StateLine:
    """Return the state with pieces without tags on these cells."""
    return StateLine(tuple((Cell(cell), Uid("")) for cell in cells), True)


def test_it_greets_and_says_what_stands_where() -> None:
    """It greets at its start and when asked; a change is sent at once and again 5 ms later, the
    unchanged state after each beat.
    """
    board = VirtualBoard("presence", default_world())
    greeting, state = sent(board, 0.0)
    assert isinstance(greeting, Greeting) and "6x6" == greeting.field
    assert on("A1", "A6", "F1", "F6") == state
    assert [on("A1", "A6", "F1", "F6")] == sent(board, AGAIN)
    assert [greeting] == sent(board, 0.1, b"?\n")
    assert [on("A1", "A6", "F1", "F6")] == sent(board, AGAIN + BEAT)

    board.world.put(Pawn("H1a"), Cell("B1"))

    assert [on("A1", "A6", "B1", "F1", "F6")] == sent(board, 0.3)
    assert 0.3 + AGAIN == board.due()


def test_a_board_with_a_reader_says_what_each_piece_is() -> None:
    """Each piece on a cell is one thing of the line, with its tag."""
    board = VirtualBoard("tags", default_world())
    board.world.put_token(Cell("D3"), "bullet")
    _, state = sent(board, 0.0)

    assert isinstance(state, StateLine)
    assert {(Cell("A1"), uid_of("H1a")), (Cell("A1"), uid_of("H2d"))} < set(state.pieces)
    assert (Cell("D3"), uid_of("bullet-1")) in state.pieces


def test_lamps_and_faults() -> None:
    """It keeps the host's lamps until it restarts, and reports faults."""
    board = VirtualBoard("presence", default_world())
    sent(board, 0.0, b"*A1 gold B3 C4\r\n")
    assert {"A1": "white", "B3": "gold", "C4": "gold"} == board.lamps()
    board.faults.reported.add("strip 3")

    assert Fault("strip 3") in sent(board, 0.5)
    board.reset(1.0)
    assert {} == board.lamps()


@pytest.mark.parametrize("kind", ["presence", "tags"])
def test_faults_of_the_wire(kind: BoardKind) -> None:
    """A silent board sends nothing, one at another speed no line, a restart cuts its line short,
    and another device in its place never wakes by itself.
    """
    board = VirtualBoard(kind, default_world())
    board.step(0.0)
    board.faults.silence = True
    assert b"" == board.step(1.0)
    board.faults.silence, board.faults.baud = False, True
    assert board.step(2.0) and [] == sent(board, 3.0)
    board.faults.baud, board.faults.reset_after = False, 5
    assert board.step(4.0).startswith(board.state().encode()[:5]) and 2 == board.starts
    board.faults.mask = "echo"
    assert (b"?", math.inf) == (board.step(5.0, b"?"), board.due())
