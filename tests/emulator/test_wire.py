"""The real firmware on a real serial line: damaged frames, pulled plugs, another version."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import serial
from companion.sensors.serial.frames import Frame, FrameDecoder
from companion.sensors.serial.messages import Ping
from companion.sensors.serial.transaction import to_wire
from companion.sim.sensors import BoardKind

from companion.core.placement import Cell, Pawn
from companion.sensors.serial.board import SerialBoard
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.emulator import BUILD
from companion.sim.table_model import World
from tests.emulator.conftest import sound
from tests.emulator.fuzz import fuzz
from tests.emulator.replugs import replug
from tests.helpers.repetitions import soak
from tests.sensors.serial.test_board import QUICK, TIMEOUT, Callbacks


@pytest.mark.parametrize(
    ("kind", "frames"),
    [
        ("presence", 1_100),
        ("identity", 600),
        pytest.param("presence", 4_400, marks=pytest.mark.soak),
        pytest.param("identity", 2_400, marks=pytest.mark.soak),
    ],
)
def test_damaged_frames(built: Path, kind: BoardKind, frames: int) -> None:
    """Of 1,700 damaged frames, and of 6,800 more, none is executed, none stops the board, and the
    second whole one after each is answered.
    """
    report = fuzz(kind, frames, seed=1)

    assert report.good, report
    assert report.refused > frames / 2


@pytest.mark.parametrize("times", [3, *soak(8)])
@pytest.mark.parametrize("kind", ["presence", "identity"])
def test_replugs(built: Path, tmp_path: Path, kind: BoardKind, times: int) -> None:
    """Unplugged at any byte and plugged in again, the board is read correctly each time, and no
    descriptor or thread is leaked.
    """
    report = replug(kind, times, tmp_path)

    assert report.good, report


def test_pyserial_speaks_to_the_firmware(built: Path, tmp_path: Path) -> None:
    """Through a pseudo-terminal and pyserial each of a hundred pings comes back with its own
    bytes.
    """
    with (
        EmulatedTerminal(EmulatedBoard("presence", World()), tmp_path / "board") as terminal,
        serial.Serial(str(terminal.path), 250_000, timeout=0.05) as port,
    ):
        end = time.monotonic() + TIMEOUT
        while terminal.board.boot == 0 and time.monotonic() < end:
            time.sleep(0.01)
        for n in range(1, 101):
            port.write(to_wire(Ping(bytes((n, 0, n))).frame(n)))
            assert Frame(0x82, n, bytes((n, 0, n))) == first(port, n)
        sound(terminal.board.emulator, "presence")


def first(port: serial.Serial, seq: int) -> Frame | None:
    """Return the first frame under a request's seq that is no event."""
    decoder, end = FrameDecoder(), time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        decoder.receive(port.read(64))
        while (frame := decoder.next_frame()) is not None:
            if frame.seq == seq and frame.type == 0x82:
                return frame
    return None


@pytest.fixture
def connect(tmp_path: Path) -> Iterator[Callable[..., Callbacks]]:
    """Listen to an emulated board with the real serial board."""
    with ExitStack() as stack:

        def listen(board: EmulatedBoard) -> Callbacks:
            callbacks = Callbacks()
            terminal = stack.enter_context(EmulatedTerminal(board, tmp_path / "board", 4.0))
            serial_board = SerialBoard(
                str(terminal.path),
                monotonic=time.monotonic,
                on_observation=callbacks.observe,
                on_link=callbacks.link,
                timing=QUICK,
            )
            serial_board.start()
            stack.callback(serial_board.close)
            return callbacks

        yield listen


def test_a_noisy_wire_only_takes_longer(built: Path, connect: Callable[..., Callbacks]) -> None:
    """With bits flipped, bytes lost and added in both directions the host sees the table as it is,
    and never otherwise.
    """
    world = World()
    world.put(Pawn("H1a"), Cell("A1"))
    board = EmulatedBoard("presence", world)
    board.emulator.ask("noise-in 2000 1000 1000")
    board.emulator.ask("noise-out 2000 1000 1000")
    callbacks = connect(board)
    callbacks.until_occupied("A1")

    for cell in ("B1", "C1", "C2", "D2"):
        world.put(Pawn("H1a"), Cell(cell))
        board.sync()
        callbacks.until_occupied(cell)

    places = [
        observation.occupied for observation in callbacks.observations if observation.occupied
    ]
    assert {frozenset({cell}) for cell in ("A1", "B1", "C1", "C2", "D2")} == set(places)


@pytest.mark.parametrize(
    ("old", "new", "state", "expected"),
    [
        ("#define PROTOCOL 1", "#define PROTOCOL 2", "refused", "link.other_protocol"),
        ("#define FIRMWARE 0x0103", "#define FIRMWARE 0x0207", "up", "2.7"),
    ],
)
def test_another_version(
    built: Path,
    tmp_path: Path,
    connect: Callable[..., Callbacks],
    old: str,
    new: str,
    state: str,
    expected: str,
) -> None:
    """A firmware of another protocol is refused with both numbers; one of another version is shown
    and used.
    """
    copy = tmp_path / "firmware"
    shutil.copytree(BUILD.parent, copy, ignore=shutil.ignore_patterns("build"))
    text = (copy / "common" / "pins.h").read_text()
    assert old in text
    (copy / "common" / "pins.h").write_text(text.replace(old, new))
    subprocess.run(
        ["make", "--silent", "-C", copy, "build/presence.elf"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copy(BUILD / "presence-emulator", copy / "build")

    callbacks = connect(EmulatedBoard("presence", World(), build=copy / "build"))
    callbacks.until_state(state)

    message = callbacks.links[-1].message
    assert expected in (callbacks.links[-1].firmware, None if message is None else message.code)
