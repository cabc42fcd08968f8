"""The probe with the real firmware: the readings after each stage of hardware/assembly.md."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.flash.board_client import BoardClient
from companion.sensors.link import Timing
from companion.sensors.serial.messages import Uid
from companion.sensors.serial.ports import open_port
from companion.sim.emulator import Emulator
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind
from hardware.probe import COMMANDS, show_cells

PAWN = 0x72
MIDDLE_OF_A1, MIDDLE_OF_F6 = (-150.0, -150.0), (150.0, 150.0)

OnProbe = Callable[[BoardKind], tuple[BoardClient, Emulator]]


@pytest.fixture
def board(built: Path) -> Iterator[OnProbe]:
    """Make a board with the real firmware that runs in real time, and the client that reads it."""
    with ExitStack() as closing:

        def make(kind: BoardKind) -> tuple[BoardClient, Emulator]:
            emulator = closing.enter_context(Emulator(kind, built))
            device = emulator.ask("plug")
            emulator.pace(1.0)
            port = open_port(device, Timing())
            closing.callback(port.close)
            return BoardClient(port, time.monotonic), emulator

        yield make


def test_the_presence_board_after_its_inputs(board: OnProbe) -> None:
    """It lists its functions, no cell is occupied, and an input joined to ground is its cell and no
    other.
    """
    probe, emulator = board("presence")
    lines = list(COMMANDS["hello"](probe))
    assert lines[0].endswith("firmware 1.3")
    assert lines[1].startswith("can: presence;")
    assert 2 == len(lines), "no fault"

    assert ["0 taken: none"] == list(show_cells(probe, once=True))
    emulator.ask(f"cells {1 << 35}")
    emulator.run(100)
    assert ["1 taken: F6"] == list(show_cells(probe, once=True))
    assert ["200 of 200 came back right"] == [
        line.split(",")[0] for line in COMMANDS["pings"](probe)
    ]


def test_the_identity_board_with_two_pawns(board: OnProbe) -> None:
    """A pawn in the middle of A1 is read with 5 on loops 0 and 13 and on no other, one in F6 on 5
    and 18.
    """
    probe, emulator = board("identity")
    names = (Uid("E004015000000001"), Uid("E004015000000002"))
    field = RfModel()
    spots = zip(names, (MIDDLE_OF_A1, MIDDLE_OF_F6), strict=True)
    emulator.put_tags((name, PAWN, field.strengths(*spot)) for name, spot in spots)

    tags = {
        line.split("  ")[0]: line.split("  ")[1].split()
        for line in list(COMMANDS["tags"](probe))[:-1]
    }
    levels = {
        name: {n: mark for n, mark in enumerate(marks) if mark != "."}
        for name, marks in tags.items()
    }
    assert {names[0]: {0: "5", 13: "5"}, names[1]: {5: "5", 18: "5"}} == levels
    *_, opened = COMMANDS["loops"](probe)
    assert "open: none reported" == opened


def test_an_open_loop_is_named(board: OnProbe) -> None:
    """The self-test after a hello reports the number of the loop that is open."""
    probe, emulator = board("identity")
    emulator.ask(f"open-loops {1 << 3}")

    assert "fault 2, detail 3" in list(COMMANDS["hello"](probe))
