"""The probe against a virtual board: it prints the readings of the assembly guide."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from companion.flash.board_client import BoardClient, BoardError
from companion.sensors.link import Timing
from companion.sensors.serial.ports import open_port
from companion.sim.run import default_world
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from hardware.probe import COMMANDS, main, show_cells


@pytest.fixture
def identity(tmp_path: Path) -> Iterator[BoardClient]:
    yield from on_the_bench("identity", tmp_path)


@pytest.fixture
def presence(tmp_path: Path) -> Iterator[BoardClient]:
    yield from on_the_bench("presence", tmp_path)


def on_the_bench(kind: Literal["presence", "identity"], folder: Path) -> Iterator[BoardClient]:
    board = VirtualBoard(kind, default_world())
    with PseudoTerminal(board, time.monotonic, folder / "board"):
        port = open_port(str(folder / "board"), Timing())
        yield BoardClient(port, time.monotonic)
        port.close()


def test_hello_names_the_board(identity: BoardClient) -> None:
    """Kind, firmware, abilities and loops are on the first two lines, and a healthy board has no
    further ones.
    """
    lines = list(COMMANDS["hello"](identity))

    assert 2 == len(lines)
    assert lines[0].startswith("square board")
    assert "rssi" in lines[1] and "26 loops" in lines[1]


def test_pings_come_back(presence: BoardClient) -> None:
    """All of 200 pings come back with their own bytes."""
    (line,) = COMMANDS["pings"](presence)

    assert line.startswith("200 of 200 came back right")


def test_the_cells_of_the_start_are_the_four_corners(presence: BoardClient) -> None:
    """With the virtual table's pawns on their corners the four corner cells are taken."""
    (line,) = show_cells(presence, once=True)

    assert "4 taken: A1 F1 A6 F6" == line


def test_every_tag_is_listed_with_its_strengths(identity: BoardClient) -> None:
    """A scan lists each tag with 26 strengths, then how many there were."""
    *tags, end = COMMANDS["tags"](identity)

    assert f"{len(tags)} tags in" in end and tags
    assert {26} == {len(tag.split("  ")[1].split()) for tag in tags}


def test_each_loop_is_read_alone(identity: BoardClient) -> None:
    """Each of the 26 loops has its line, and none is reported open."""
    *loops, opened = COMMANDS["loops"](identity)

    assert [f"loop {n:2d}" for n in range(26)] == [line[:7] for line in loops]
    assert "open: none reported" == opened


def test_a_refused_request_is_an_error_in_words(presence: BoardClient) -> None:
    """A board without a reader refuses to scan, and the program prints that."""
    presence.hello()

    with pytest.raises(BoardError, match="refuses Scan: code"):
        list(COMMANDS["tags"](presence))


def test_wrong_words_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """An unknown command or port ends with a sentence and a status, not with a traceback."""
    assert 2 == main(["/dev/null", "dance"])
    assert "loops" in capsys.readouterr().err
    assert 1 == main(["/dev/no-such-board", "hello"])
    assert capsys.readouterr().err
