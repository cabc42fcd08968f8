"""The virtual table's command language, and the program around it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.board_sim import default_world, run_board_sim
from companion.core.placement import Cell, Pawn
from companion.sensors.board_field import parse_field
from companion.sim.commands import HELP, run_command
from companion.sim.page import listen
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[PseudoTerminal]:
    board = VirtualBoard("tags", default_world())
    with PseudoTerminal(board, time.monotonic, tmp_path / "board") as plugged:
        yield plugged


def test_pawns_and_tokens(terminal: PseudoTerminal) -> None:
    """Pawns are moved, lifted and put, tokens laid and taken, and `show` prints it."""
    for line in (
        "move H1a B2",
        "lift H1b",
        "put H1c e4",
        "token D3 bullet",
        "token D4 bat",
        "token D4 off",
    ):
        assert "ok" == run_command(terminal, line)

    assert (
        "   A       B       C       D       E       F\n"
        "1  H2d     .       .       .       .       H2a\n"
        "2  .       H1a     .       .       .       .\n"
        "3  .       .       .       (bul)   .       .\n"
        "4  .       .       .       .       H1c     .\n"
        "5  .       .       .       .       .       .\n"
        "6  H2b     .       .       .       .       H1d,H2c\n"
        "off: H1b"
    ) == run_command(terminal, "show")


@pytest.mark.parametrize(
    "line",
    ["dance", "move H1a", "move H1a Z9", "lift H9", "token A1 gold", "tile A1 99", "fault noise 2",
    "fault",
     "fault x on", "press 300", "press x", "fault mask clown", "move ../x A1", "reset now",
     "unplug x"],
)  # fmt: skip
def test_wrong_lines_change_nothing(terminal: PseudoTerminal, line: str) -> None:
    """An unknown line is answered with a sentence and changes nothing."""
    before = run_command(terminal, "show")

    assert run_command(terminal, line).startswith(("no: ", "not understood: "))
    assert before == run_command(terminal, "show")


def test_every_command_of_the_help(terminal: PseudoTerminal) -> None:
    """Every example line of the help is valid."""
    lines = [line[:20].strip() for line in HELP.splitlines()]
    examples = [
        word.strip() for line in lines for word in line.split(",") if word.strip() != "quit"
    ]
    examples = [line.replace(" [n]", "") for line in examples]

    assert ["ok"] * (len(examples) - 1) == [
        run_command(terminal, line) for line in examples if line != "show"
    ]
    assert "show" in examples and HELP == run_command(terminal, "help")


def test_faults_are_switches(terminal: PseudoTerminal) -> None:
    """Faults are switched on, by rate or by cell, and all off at once."""
    for line in (
        "fault noise 0.05",
        "fault stuck C3 on",
        "fault flicker D4 on",
        "fault silence on",
        "fault protocol 2",
    ):
        assert "ok" == run_command(terminal, line)
    faults = terminal.do(lambda board, now: board.faults)

    assert (0.05, {Cell("C3"): True}, True, 2) == (
        faults.noise, faults.stuck, faults.silence, faults.protocol,
    )  # fmt: skip
    run_command(terminal, "fault off")

    assert (0.0, {}, set(), False, None) == (
        faults.noise, faults.stuck, faults.flicker, faults.silence, faults.protocol,
    )  # fmt: skip


def test_program(tmp_path: Path) -> None:
    """The program prints its port and its page, answers each line, and ends at "quit"; its port
    goes with it.
    """
    received: list[str] = []
    world = default_world()
    path = tmp_path / "board"
    lines = ["move H1a C3", "unplug", "unplug", "replug", "quit", "lift H1a"]
    board = VirtualBoard("presence", world)
    with PseudoTerminal(board, time.monotonic, path) as terminal:
        run_board_sim(terminal, lines, received.append, listen(0))

    assert [f"PORT {path}", "ok", "ok", "ok", "ok"] == [received[0], *received[2:]]
    assert received[1].startswith("PAGE http://127.0.0.1:")
    assert "C3" == world.pawns[Pawn("H1a")] and not path.is_symlink()


def test_a_hexagonal_table(tmp_path: Path) -> None:
    """On hexagons the cells are named a1 to g7, and shown so."""
    field = parse_field("hex4")
    assert field is not None
    board = VirtualBoard("presence", World(field=field))
    with PseudoTerminal(board, time.monotonic, tmp_path / "board") as plugged:
        assert "ok" == run_command(plugged, "put X d4")
        assert "no: a5 is not a cell from a1 to g7" == run_command(plugged, "put X a5")
        assert "4  .    .    .    X    .    .    ." == run_command(plugged, "show").splitlines()[4]
