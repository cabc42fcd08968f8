"""`tools.emulated_board`: the virtual board's commands over the real firmware."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from companion.cli.board_sim import default_world
from companion.sensors.board_field import parse_field
from companion.sim.commands import HELP, run_command
from companion.sim.page import create_page
from companion.sim.table_model import InvalidMove, World
from tests.firmware.line_reader import LineReader
from tools.emulated_board import EmulatedBoard, EmulatedTerminal
from tools.emulator import Emulator, EmulatorMissing

TIMEOUT = 30.0
VIRTUAL = ("noise", "baud", "protocol", "mask")
"""Faults in the help that only a virtual board has."""


@pytest.fixture
def terminal(built: Path, tmp_path: Path) -> Iterator[EmulatedTerminal]:
    with EmulatedTerminal(EmulatedBoard(default_world()), tmp_path / "board") as plugged:
        yield plugged


def test_lines_reach_the_firmware(built: Path, tmp_path: Path) -> None:
    """The program prints its port; the firmware itself sends the move of a pawn by a line."""
    command = [sys.executable, "-m", "tools.emulated_board", "--page-port", "0"]
    with subprocess.Popen(
        [*command, "--link", str(tmp_path / "board")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None and program.stdout is not None
        assert f"PORT {tmp_path / 'board'}" == program.stdout.readline().strip()
        assert "PAGE http://127.0.0.1:" in program.stdout.readline()
        with serial.Serial(str(tmp_path / "board"), 115_200, timeout=0.1) as port:
            program.stdin.write("move H1a C3\n")
            program.stdin.flush()
            assert "ok" == program.stdout.readline().strip()
            reader, end = LineReader(), time.monotonic() + TIMEOUT
            while not any("C3" in state for state in reader.agreed):
                assert time.monotonic() < end, reader.lines
                reader.read(port.read(64))
        program.stdin.write("quit\n")
        program.stdin.flush()
        assert 0 == program.wait(TIMEOUT)


def test_without_the_emulator_it_prints_what_to_do(tmp_path: Path) -> None:
    """Without a build one sentence names the command that builds it."""
    with pytest.raises(EmulatorMissing, match="run `make emulator`"):
        Emulator(tmp_path)


def test_every_command_of_the_help_is_for_the_firmware_too(terminal: EmulatedTerminal) -> None:
    """Each line of the help works, except for faults that only a virtual board has."""
    examples = (line[: line.index("  ")] for line in HELP.splitlines() if "  " in line)
    for example in (each.split(",")[0].replace("[n]", "").strip() for each in examples):
        answer = run_command(terminal, example)
        virtual = example.removeprefix("fault ").startswith(VIRTUAL)
        words = "no: only the virtual board" if virtual else ("ok", "   A")
        assert answer.startswith(words), (example, answer)


def test_a_field_that_the_nano_has_not_is_refused(built: Path) -> None:
    """The firmware's fields are 6x6 and hex4."""
    field = parse_field("8x8")
    assert field is not None
    with pytest.raises(InvalidMove, match="6x6 or hex4"):
        EmulatedBoard(World(field=field))


def test_a_closed_board_leaves_nothing(built: Path, tmp_path: Path) -> None:
    """After closing the link is gone and the emulator's process has ended."""
    terminal = EmulatedTerminal(EmulatedBoard(World()), tmp_path / "board")
    terminal.start()
    process = terminal.board.emulator._process

    terminal.close()

    assert (False, 0) == (terminal.path.is_symlink(), process.returncode)


def test_the_page_shows_the_lamps_that_the_firmware_lights(terminal: EmulatedTerminal) -> None:
    """What the host lights on the Nano's lamps is on the page, cell by cell."""
    page = create_page(terminal).test_client()
    lit = {"A1": "white", "F6": "gold", "C4": "teal"}
    assert {} == page.get("/state").get_json()["lamps"]
    with serial.Serial(str(terminal.path), 115_200) as port:
        port.write(b"*A1 gold F6 teal C4\n")
        end = time.monotonic() + TIMEOUT
        # The firmware sends its lamps one after the other.
        while (lamps := page.get("/state").get_json()["lamps"]) != lit and time.monotonic() < end:
            pass

    assert lit == lamps
