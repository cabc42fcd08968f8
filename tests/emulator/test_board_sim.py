"""`companion board-sim --firmware`: the virtual board's commands over the real firmware."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from companion.sensors.serial.frames import FrameDecoder
from companion.sensors.serial.messages import CellEvent, Hello, WireMessage, parse_message
from companion.sensors.serial.transaction import to_wire

from companion.sim.commands import HELP, run_command
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.emulator import Emulator, EmulatorMissing
from companion.sim.run import default_world
from companion.sim.table_model import World

TIMEOUT = 30.0


@pytest.fixture
def terminal(built: Path, tmp_path: Path) -> Iterator[EmulatedTerminal]:
    with EmulatedTerminal(
        EmulatedBoard("presence", default_world()), tmp_path / "board"
    ) as plugged:
        yield plugged


def test_lines_reach_the_firmware(built: Path, tmp_path: Path) -> None:
    """The program prints its port; the firmware itself sends the move of a pawn by a line."""
    command = [
        sys.executable,
        "-m",
        "companion",
        "board-sim",
        "--firmware",
        "--kind",
        "presence",
        "--page-port",
        "0",
    ]
    with subprocess.Popen(
        [*command, "--link", str(tmp_path / "board")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None and program.stdout is not None
        assert f"PORT {tmp_path / 'board'}" == program.stdout.readline().strip()
        assert "PAGE http://127.0.0.1:" in program.stdout.readline()
        with serial.Serial(str(tmp_path / "board"), 250_000, timeout=0.1) as port:
            port.write(to_wire(Hello().frame(1)))
            program.stdin.write("move H1a C3\nquit\n")
            program.stdin.flush()
            assert "ok" == program.stdout.readline().strip()
            messages = heard_until(
                port, lambda message: isinstance(message, CellEvent) and message.cell == 14
            )
        assert any(isinstance(message, CellEvent) for message in messages)
        assert 0 == program.wait(TIMEOUT)


def test_without_the_emulator_it_prints_what_to_do(tmp_path: Path) -> None:
    """Without a build one sentence names the command that builds it."""
    with pytest.raises(EmulatorMissing, match="run `make emulator`"):
        Emulator("presence", tmp_path)


def test_every_command_of_the_help_is_for_the_firmware_too(terminal: EmulatedTerminal) -> None:
    """Each line of the help works, except for faults that only a virtual board has."""
    lines = [line for line in HELP.splitlines() if "  " in line]
    for example in (
        line[: line.index("  ")].split(",")[0].replace("[n]", "").strip() for line in lines
    ):
        answer = run_command(terminal, example)
        pretending = example.startswith(("fault protocol", "fault mask"))
        wanted = "no: the firmware is what it is" if pretending else ("ok", "   A")
        assert answer.startswith(wanted), (example, answer)


def test_replugged_it_is_another_life(terminal: EmulatedTerminal) -> None:
    """Unplugged there is no port; replugged the start count is one higher and the link works."""
    until_boot(terminal, 1)

    terminal.unplug()
    assert not terminal.path.exists()
    terminal.replug()

    until_boot(terminal, 2)
    with serial.Serial(str(terminal.path), 250_000, timeout=TIMEOUT) as port:
        assert port.read(1)


def test_a_closed_board_leaves_nothing(built: Path, tmp_path: Path) -> None:
    """After closing the link is gone and the emulator's process has ended."""
    terminal = EmulatedTerminal(EmulatedBoard("identity", World()), tmp_path / "board")
    terminal.start()
    process = terminal.board.emulator._process

    terminal.close()

    assert (False, 0) == (terminal.path.is_symlink(), process.returncode)


def until_boot(terminal: EmulatedTerminal, boot: int) -> None:
    """Wait until the firmware has counted `boot` starts."""
    end = time.monotonic() + TIMEOUT
    while terminal.board.boot != boot:
        assert time.monotonic() < end
        time.sleep(0.01)


def heard_until(port: serial.Serial, last: Callable[[WireMessage], bool]) -> list[WireMessage]:
    """Return the messages up to the first of which `last` is true."""

    decoder, messages, end = FrameDecoder(), list[WireMessage](), time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        decoder.receive(port.read(64))
        while (frame := decoder.next_frame()) is not None:
            messages.append(parse_message(frame))
            if last(messages[-1]):
                return messages
    return messages
