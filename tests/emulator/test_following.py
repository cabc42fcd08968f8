"""The identity board's real firmware tracks pawns that mostly rest, in its emulator."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from companion.sensors.rfid.geometries import HEXAGONAL, SQUARE
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.serial.messages import (
    CELL_LOOPS,
    FOLLOWED_LOOPS,
    PAWN_TAGS,
    Scan,
    TagRecord,
    Uid,
)

from companion.core.placement import Cell, Pawn
from companion.sim.table_model import World, uid_of
from tests.emulator.firmware_wire import PAWNS, WireFactory, awake, end_of, records
from tests.emulator.scan_time import air
from tests.emulator.scans import LONGEST, SETTLING, SIXTEEN, Times, any_tags, laid_table, look, play


@pytest.mark.parametrize(
    "pawns",
    [
        pytest.param(any_tags(16), id="sixteen_any_tags"),
        pytest.param(PAWNS, id="sorted", marks=pytest.mark.soak),
        pytest.param(SIXTEEN, id="sixteen", marks=pytest.mark.soak),
        pytest.param(any_tags(12), id="any_tags", marks=pytest.mark.soak),
    ],
)
def test_pawns_are_followed(make_board: WireFactory, pawns: Sequence[str]) -> None:
    """No scan exceeds its limit, whatever tags the pawns have, while finding or while following.

    Following takes less time than finding, and soon after a walk its report equals a scan of all
    loops.
    """
    times = Times()
    for moved in (1, 2):
        rng = Random(moved)
        play(awake(make_board, **laid_table(rng, pawns)), rng, pawns, moved, times)

    assert LONGEST >= times.longest
    assert max(map(sum, times.followed)) < max(map(sum, times.all_loops))


def test_a_whole_scan_takes_little_more_than_the_air_needs(make_board: WireFactory) -> None:
    """If no two tags share a slot the first scan takes the time of requests, slots and answers,
    and at most 2 ms a loop more.
    """
    table = laid_table(Random(3), PAWNS)
    least = air(**table)
    assert least < sum(look(awake(make_board, **table), FOLLOWED_LOOPS)[0]) < least + 12 * 2


@pytest.mark.parametrize("geometry", [SQUARE, HEXAGONAL], ids=lambda geometry: geometry.name)
def test_what_is_taken_away_and_comes_is_followed(
    make_board: WireFactory, geometry: Geometry
) -> None:
    """A removed pawn is gone with the next turn of its loops, an added one is there; on three
    axes too.
    """
    world = World(geometry=geometry)
    for name, start in zip(("H1a", "H1b", "H2a"), geometry.cells[8:], strict=False):
        world.put(Pawn(name), start)
    board = awake(make_board, world=world)
    steps: list[tuple[str, Cell | None]] = [
        ("H1a", None),
        ("H2b", geometry.cells[-1]),
        ("H2a", geometry.cells[0]),
    ]
    for name, cell in steps:
        scans = [look(board, FOLLOWED_LOOPS)[1] for _ in range(4)]
        assert scans[-1] == look(board, CELL_LOOPS)[1]
        board.put(name, cell)

    scans = [look(board, FOLLOWED_LOOPS)[1] for _ in range(4)]
    assert {uid_of(name) for name in ("H1b", "H2a", "H2b")} == scans[-1].keys()


def test_what_has_moved_is_read_twice(make_board: WireFactory) -> None:
    """Two equal scans are two readings: a moved pawn is read on all loops in that scan and the
    next; a resting one costs one round on one axis's number of loops.
    """
    board = awake(make_board, pawns={"H1a": "A1"})
    rounds = []
    for move in (None, "C4"):
        if move:
            board.put("H1a", move)
        rounds += [end_of(board.ask(Scan(PAWN_TAGS, FOLLOWED_LOOPS), 500)).rounds for _ in range(5)]

    assert [12, 12, 6, 6, 6] * 2 == rounds


def test_a_step_is_no_move_and_half_a_tag_is_no_missing_one(make_board: WireFactory) -> None:
    """A tag that differs by one step rests, by two steps it may have moved; one that no row loop
    reads is searched on the columns.
    """
    board = awake(make_board, world=World())
    tag, rounds = Uid("E004015000000001"), []
    for row, column in ((8, 8), (7, 8), (5, 7), (0, 7)):
        strengths = tuple({0: row, 13: column}.get(loop, 0) for loop in range(26))
        board.emulator.put_tags([(tag, PAWN_TAGS, strengths)])
        answers = [board.ask(Scan(PAWN_TAGS, FOLLOWED_LOOPS), 500) for _ in range(4)]
        rounds.append([end_of(answer).rounds for answer in answers])
        assert [strengths] * 2 == [records(answer)[tag].strengths for answer in answers[2:]]

    assert [[12, 12, 6, 6], [6] * 4, [6, 12, 12, 6]] == rounds[:3]


def test_what_there_is_no_time_to_search_for_is_sent_as_it_was(make_board: WireFactory) -> None:
    """Eight of sixteen pawns that share slots move at the same time: the scan stays within its
    limit and reports no half of the change; the full report follows soon.
    """
    pawns = any_tags(16)
    board = awake(make_board, **laid_table(Random(5), pawns))
    before = [look(board, FOLLOWED_LOOPS) for _ in range(4)][-1][1]
    for pawn in pawns[:8]:
        board.put(pawn, "F6")

    durations, read = look(board, FOLLOWED_LOOPS)
    later = [look(board, FOLLOWED_LOOPS) for _ in range(SETTLING)][-1][1]

    assert before == read
    assert LONGEST >= max(durations)
    assert look(board, CELL_LOOPS)[1] == later != before


def test_a_crowd_that_never_rests_starves_nobody(make_board: WireFactory) -> None:
    """Six of sixteen pawns move before each scan, which takes all search time: their loops still
    take turns, and a new pawn is found.
    """
    pawns, added = any_tags(16), uid_of("H1a")
    board = awake(make_board, **laid_table(Random(16), pawns))
    read: dict[Uid, TagRecord] = {}
    for n in range(40):
        for pawn in pawns[:6]:
            board.put(pawn, ("C3", "D4")[n % 2])
        if n == 3:
            board.put("H1a", "C4")
        _, read = look(board, FOLLOWED_LOOPS)
        if added in read:
            break

    assert added in read


def test_more_pawns_than_can_be_followed(make_board: WireFactory) -> None:
    """More tags than the board can track are searched on all loops each time; none is missed,
    and no scan exceeds its limit.
    """
    world = World()
    for n in range(30):
        world.put(Pawn(f"p{n}"), world.geometry.cells[n])
    board = awake(make_board, world=world)
    looks = [look(board, FOLLOWED_LOOPS) for _ in range(3)]

    assert [30] * 3 == [len(read) for _, read in looks]
    assert LONGEST >= max(ms for durations, _ in looks for ms in durations)
