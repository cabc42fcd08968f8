"""Looks for pawns that take the real firmware longer than one scan may: the scan ends unfinished,
and the next goes on.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from random import Random

import pytest
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.serial.frames import Frame
from companion.sensors.serial.messages import (
    CELL_LOOPS,
    FOLLOWED_LOOPS,
    LOOPS,
    PAWN_TAGS,
    TOKEN_TAGS,
    UNFINISHED_LOOPS,
    Calibrate,
    Done,
    Heartbeat,
    Hello,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    Uid,
    Watch,
    WireMessage,
    parse_message,
)

from companion.core.placement import Cell, Pawn
from companion.sim.table_model import World
from tests.emulator.firmware_wire import FirmwareWire, WireFactory, awake, end_of, records
from tests.emulator.scans import LONGEST, any_tags, laid_table, look
from tests.helpers.repetitions import soak

CROWD = any_tags(16)
SEED = 1
"""Of a table whose pawns are not found within one scan."""
PAWN_SCAN = Scan(PAWN_TAGS, FOLLOWED_LOOPS)


def crowded(make_board: WireFactory) -> FirmwareWire:
    """Return a board that is awake, with sixteen pawns whose tags are unsorted."""
    return awake(make_board, **laid_table(Random(SEED), CROWD))


def test_an_unfinished_scan_sends_nothing_else(make_board: WireFactory) -> None:
    """A scan that runs out of time ends with 3 in place of its loops and without a tag; repeated it
    is the same, and the heartbeat names it and its empty sum. The next scan has all pawns, as
    strong as in a whole scan.
    """
    board = crowded(make_board)
    first = board.ask(PAWN_SCAN, 500, seq=9)
    end = end_of(first)
    repeated = board.ask(PAWN_SCAN, 20, seq=9)
    beats = [message for message in board.received(1200) if isinstance(message, Heartbeat)]
    second = board.ask_scan(PAWN_SCAN, 500)

    assert ([end], UNFINISHED_LOOPS, 0, 0, 0) == (
        first,
        end.loops,
        end.parts,
        end.count,
        end.scan_crc,
    )
    assert first == repeated
    assert (end.scan, 0) == (beats[-1].scan, beats[-1].state_crc)
    assert (FOLLOWED_LOOPS, 16, end.scan + 1) == (
        end_of(second).loops,
        end_of(second).count,
        end_of(second).scan,
    )
    assert records(second) == look(board, CELL_LOOPS)[1]


@pytest.mark.parametrize(
    "message",
    [Calibrate(0), Scan(PAWN_TAGS, CELL_LOOPS), Hello()],
    ids=["one loop", "all loops over cells", "another host"],
)
def test_what_comes_between_restarts_it(make_board: WireFactory, message: WireMessage) -> None:
    """If anything else was scanned in between, or a host restarted, no earlier reading is sent: the
    look takes as many scans as without, and reads a pawn where it was set between them.
    """
    board = crowded(make_board)
    assert UNFINISHED_LOOPS == end_of(board.ask_scan(PAWN_SCAN, 500)).loops
    board.ask(message, 800)
    board.put(CROWD[5], "F6")

    durations, read = look(board, FOLLOWED_LOOPS)

    assert 2 == len(durations)
    assert read == look(board, CELL_LOOPS)[1]


def test_another_class_is_another_look(make_board: WireFactory) -> None:
    """Tokens scanned after an unfinished scan of pawns are reported alone, then all pawns again."""
    board = crowded(make_board)
    assert UNFINISHED_LOOPS == end_of(board.ask_scan(PAWN_SCAN, 500)).loops

    assert look(board, FOLLOWED_LOOPS, TOKEN_TAGS)[1] == look(board, CELL_LOOPS, TOKEN_TAGS)[1]
    assert look(board, FOLLOWED_LOOPS)[1] == look(board, CELL_LOOPS)[1]


def test_a_watch_goes_on_by_itself(make_board: WireFactory) -> None:
    """WATCH sends nothing of an unfinished scan: it first sends all pawns, and then the changes."""
    board = crowded(make_board)
    assert [Done()] == board.ask(Watch(300, PAWN_TAGS, FOLLOWED_LOOPS), 20, seq=40)
    first = [message for seq, message in board.listen(3000) if seq == 40]
    ends = [message for message in first if isinstance(message, ScanEnd)]
    board.put(CROWD[5], "F6")
    later = [message for seq, message in board.listen(2500) if seq == 40]

    assert {(FOLLOWED_LOOPS, 16)} == {(end.loops, end.count) for end in ends}
    assert 1 == len(ends)
    assert any(isinstance(message, TagPart) for message in later)
    assert records(later) == look(board, CELL_LOOPS)[1]


def test_a_loop_that_takes_longer_than_a_scan_is_read_to_its_end(make_board: WireFactory) -> None:
    """Eighty tags on two loops, each of which alone takes longer than a scan may: no scan exceeds
    its limit, and together they read all tags.
    """
    board = awake(make_board, world=World())
    tags = loud_tags(board, [f"{n:04X}" for n in Random(7).sample(range(0x10000), 80)], (0, 13))

    durations, read = look(board, FOLLOWED_LOOPS)

    assert LONGEST >= max(durations)
    assert sum(durations) > 3 * LONGEST
    assert tags == read


def test_a_round_in_which_everybody_answers_is_broken_off(make_board: WireFactory) -> None:
    """Fourteen tags on every loop, each in its own slot, so that one round of slots takes longer
    than the rest of a scan: no scan exceeds its limit, and together they read all.
    """
    board = awake(make_board, world=World())
    tags = loud_tags(board, [f"000{n:X}" for n in range(14)], SQUARE.centred)

    durations, read = look(board, FOLLOWED_LOOPS)

    assert LONGEST >= max(durations)
    assert tags == read


def test_a_search_that_takes_longer_than_a_scan_comes_to_its_end(make_board: WireFactory) -> None:
    """Of twenty-two tags on every loop ten change at once: calling each of them on each loop takes
    longer than a scan may, no scan exceeds its limit, and soon all are reported correctly.
    """
    board = awake(make_board, world=World())
    names = [f"{n:04X}" for n in Random(8).sample(range(0x10000), 22)]
    loud_tags(board, names, SQUARE.centred)
    for _ in range(4):
        look(board, FOLLOWED_LOOPS)
    tags = loud_tags(board, names, SQUARE.centred, quiet=10)

    looks = [look(board, FOLLOWED_LOOPS) for _ in range(4)]

    assert LONGEST >= max(ms for durations, _ in looks for ms in durations)
    assert max(len(durations) for durations, _ in looks) > 1
    assert tags == looks[-1][1]


def loud_tags(
    board: FirmwareWire, ends: Sequence[str], loops: Container[int], quiet: int = 0
) -> dict[Uid, TagRecord]:
    """Lay pawns' tags with these last digits, each read on these loops, on the first of them with
    less strength; return them.
    """
    tags = {}
    for n, end in enumerate(ends):
        tag = Uid(f"E00401500000{end}")
        tags[tag] = TagRecord(
            tag, tuple((4 if n < quiet else 8) if loop in loops else 0 for loop in range(LOOPS))
        )
    board.emulator.put_tags((tag, PAWN_TAGS, record.strengths) for tag, record in tags.items())
    return tags


@pytest.mark.parametrize(
    "pawn",
    [
        CROWD[9],
        *soak(CROWD[4], CROWD[15]),
    ],
)
def test_a_pawn_set_elsewhere_in_the_midst_of_a_look(make_board: WireFactory, pawn: str) -> None:
    """The host reports a pawn that was set elsewhere between two scans of the first look only at
    its last place, though that look read rows here and columns there. A pawn that is not decided
    before the tiles are read is reported nowhere.
    """
    board = make_board("identity", **laid_table(Random(SEED), CROWD))
    assert board.converse_until(lambda: unfinished(board) == 1, 5)
    assert [] == board.observations
    stood = board.world.pawns[Pawn(pawn)]
    assert stood is not None
    board.put(pawn, opposite(stood))

    assert board.converse_until(lambda: len(board.observations) > 8, 10)

    truth: dict[Cell | None, frozenset[Pawn]] = {}
    for name, cell in board.world.pawns.items():
        truth[cell] = truth.get(cell, frozenset()) | {name}
    for observation in board.observations:
        undecided = {Pawn(doubt.name) for doubt in observation.doubts}
        assert {
            cell: certain for cell, pawns in truth.items() if (certain := pawns - undecided)
        } == observation.pawns
    assert truth == board.observations[-1].pawns


def opposite(cell: Cell) -> str:
    """Return the cell that shares neither row nor column with another, on the field's far side."""
    return f"{'DEFABC'['ABCDEF'.index(cell[0])]}{(int(cell[1]) + 2) % 6 + 1}"


def unfinished(board: FirmwareWire) -> int:
    """Return how many of the host's recent scans ended unfinished."""
    frames = [
        Frame(ScanEnd.TYPE, 0, bytes.fromhex(trace.payload))
        for trace in board.host.traces
        if trace.name == "ScanEnd"
    ]
    ends = map(parse_message, frames)
    return sum(isinstance(end, ScanEnd) and end.loops == UNFINISHED_LOOPS for end in ends)
