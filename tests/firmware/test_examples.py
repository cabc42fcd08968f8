"""Each example runs, on the machine or in the language that it is for, and both readers of lines
see what stands on its field: the tests' own and the companion's.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

import pytest
import serial

from companion.sensors.observation import Observation
from companion.sensors.serial.lines import Damaged, Foreign, LineDecoder
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry
from tests.emulator.nano import SQUARE
from tests.firmware.conftest import CHECKOUT, FIRMWARE, build, needed
from tests.firmware.line_reader import LineReader
from tests.helpers.ports import free_port
from tools.emulator import BUILD, Emulator

EXAMPLES = FIRMWARE / "examples"
STAND_INS = Path(__file__).with_name("stand_ins")
RUNNER = Path(__file__).with_name("micropython.mjs")
MICROPYTHON = CHECKOUT / "tests/browser/node_modules/@micropython"
ARDUINO = Path("/usr/share/arduino/hardware/arduino/avr/cores/arduino")
STATES = ("", "A1", "A1 C3", " ".join(SQUARE), "F6", "")
ASKED = "?"
TIMEOUT = 60.0
SECONDS = 0.03
"""Between two lines, as the companion's session is told."""


def read_by_both(data: bytes) -> LineReader:
    """Return what the tests' reader reads; the companion must see the same."""
    reader, session, seen = LineReader(), Session("serial", TagRegistry()), list[str]()
    reader.read(data)
    session.port_opened("port", 0.0)
    for number, line in enumerate(data.splitlines(keepends=True)):
        session.advance(number * SECONDS, line)
        for event in session.events():
            if isinstance(event, Observation):
                seen.append(" ".join(sorted(event.occupied or ())))
    assert without_repeats(" ".join(state) for state in reader.agreed) == without_repeats(seen)
    assert (0, 0) == (session.link.counters.damaged, session.link.counters.foreign)
    assert [] == reader.others
    return reader


def without_repeats(states: Iterator[str] | list[str]) -> list[str]:
    return [state for state, _ in groupby(states)]


def sorted_cells(states: tuple[str, ...]) -> list[str]:
    return [" ".join(sorted(state.split())) for state in states]


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.*"), key=str), ids=lambda path: path.name)
def test_an_example_is_short(path: Path) -> None:
    """Under sixty lines, so that a maker reads all of it."""
    assert 60 > len(path.read_text(encoding="utf-8").splitlines())


def test_the_documented_lines_are_understood() -> None:
    """Each line in the table of the board's lines is one to both readers, its checksum too."""
    page = (CHECKOUT / "docs" / "your-own-board.md").read_text(encoding="utf-8")
    table = page.partition("From the board:")[2].partition("To the board")[0]
    cells = [row.split("|")[1] for row in table.splitlines() if row.startswith("| `")]
    lines = [line for cell in cells for line in re.findall("`([^`]*)`", cell)]
    lines += re.findall(r"as in NMEA 0183: `([^`]*)`", table)
    reader = LineReader()

    reader.read("\n".join([*lines, ""]).encode())

    read = list(LineDecoder().receive("\n".join([*lines, ""]).encode()))
    assert [] == [line for line in read if isinstance(line, Damaged | Foreign)]
    assert 6 == len(lines) and not {"A1 B3*21", "!strip 3", "-"} & set(reader.others)
    assert {"name": "my mat", "id": "7f3a", "fw": "1.0"}.items() <= reader.greetings[0].items()


def micropython(example: str, *steps: str) -> bytes:
    """Return what an example prints in the real MicroPython, with stand-ins for its pins."""
    needed("node")
    if not MICROPYTHON.exists():
        pytest.skip("MicroPython is not installed: `npm ci` in tests/browser")
    folders = [STAND_INS, STAND_INS / "micropython"]
    return subprocess.run(
        ["node", RUNNER, EXAMPLES / example, *folders, "--", *steps],
        check=True, stdout=subprocess.PIPE, timeout=TIMEOUT,
    ).stdout  # fmt: skip


@pytest.mark.parametrize("example", ["pico_reed_matrix.py", "esp32_strips.py"])
def test_micropython(example: str) -> None:
    """The board greets at its start and when it is asked, and each state is read."""
    steps = [step for state in STATES for step in [state] * 3]

    reader = read_by_both(micropython(example, *steps, ASKED))

    assert sorted_cells(STATES) == without_repeats(" ".join(state) for state in reader.agreed)
    assert 2 == len(reader.greetings)
    assert {("1", "6x6")} == {(each["version"], each["field"]) for each in reader.greetings}


def test_a_strip_without_its_plug_is_no_pawn() -> None:
    """The ESP32's strips name a plug that is out, and keep what was there."""
    reader = LineReader()

    reader.read(micropython("esp32_strips.py", *["A1 F6"] * 3, *["A1 F6 !3"] * 3, "", ""))

    assert ["strip 3"] * 3 == reader.faults
    assert {(), ("A1", "F6")} == set(reader.agreed)


def test_arduino() -> None:
    """The sketch is compiled with the Arduino core and runs on an emulated Nano with a matrix."""
    needed("avr-g++")
    if not ARDUINO.exists():
        pytest.skip("arduino-core-avr is not installed: `make check-tools`")
    build("emulator", "arduino")
    sent = b""
    with Emulator(BUILD, "arduino.elf") as emulator:
        for state in STATES:
            closed = sum(1 << SQUARE.index(cell) for cell in state.split())
            emulator.ask(f"matrix {1 << 36 | closed}")
            sent += emulator.run(100)
        emulator.send(b"?\n")
        sent += emulator.run(50)
        assert "" == emulator.violations()

    reader = read_by_both(sent[: sent.rindex(b"\n") + 1])

    assert sorted_cells(STATES) == without_repeats(" ".join(state) for state in reader.agreed)
    assert ["reed switches"] * 2 == [greeting["name"] for greeting in reader.greetings]


@contextmanager
def program(*command: str | Path, cwd: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run a program with its input and output at hand; end it afterwards."""
    with subprocess.Popen(
        command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        env=os.environ | environment,
    ) as process:  # fmt: skip
        try:
            yield process
        finally:
            process.kill()


def agreed_on(port: serial.Serial, state: str, data: bytes = b"") -> bytes:
    """Return what the port sends until two lines have agreed on a state."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        data += port.read(max(1, port.in_waiting))
        reader = LineReader()
        reader.read(data)
        if reader.agreed and " ".join(reader.agreed[-1]) == state:
            return data
    raise AssertionError(data)


def test_linux(tmp_path: Path) -> None:
    """The pseudo-terminal that the example names is a board; what is typed stands on it."""
    with program(sys.executable, EXAMPLES / "linux_board.py", cwd=tmp_path) as board:
        assert board.stdin is not None and board.stdout is not None
        with serial.Serial(board.stdout.readline().strip(), 115_200, timeout=0.05) as port:
            port.write(b"?\n")
            data = agreed_on(port, "")
            for state in sorted_cells(STATES)[1:]:
                board.stdin.write(state + "\n")
                data = agreed_on(port, state, data)

    reader = read_by_both(data[: data.rindex(b"\n") + 1])

    assert {"keyboard"} == {greeting["name"] for greeting in reader.greetings}


def test_wifi(tmp_path: Path) -> None:
    """The ESP32's example over its Wi-Fi, run by CPython with a real socket: a host connects,
    goes, and the next one is greeted.
    """
    cells, free = tmp_path / "cells", free_port()
    cells.write_text("B2")
    text = (EXAMPLES / "esp32_strips.py").read_text(encoding="utf-8")
    sketch = tmp_path / "sketch.py"
    sketch.write_text(
        text.replace("WIFI = None", 'WIFI = ("house", "secret")')
        .replace("7733", str(free))
        .replace("0.0.0.0", "127.0.0.1")
        .replace("server.listen(1)", "server.listen(1); print('listening', flush=True)")
    )
    with program(sys.executable, sketch, cwd=tmp_path, PYTHONPATH=str(STAND_INS)) as board:
        assert board.stdout is not None and "listening\n" == board.stdout.readline()
        for state in ("B2", "E5"):
            cells.write_text(state)
            with serial.serial_for_url(f"socket://127.0.0.1:{free}", timeout=0.05) as port:
                port.write(b"?\n")
                data = agreed_on(port, state)
            assert ["strips"] <= [each["name"] for each in read_by_both(data).greetings]
