"""The next request to an identity board."""

from __future__ import annotations

import pytest

from companion.core.placement import Cell
from companion.sensors.link import Timing
from companion.sensors.presence import FlickerFilter
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.rfid.tracker import TagTracker
from companion.sensors.serial.board import tag_diagnoses
from companion.sensors.serial.messages import (
    CELL_LOOPS,
    FOLLOWED_LOOPS,
    PAWN_TAGS,
    TILE_TAGS,
    TOKEN_TAGS,
    UNFINISHED_LOOPS,
    Caps,
    HelloReply,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    Uid,
)
from companion.sensors.serial.poller import PollerDeps, TagPoller, make_poller, records_crc
from companion.sim.rf_model import RfModel

FOLLOWED_PAWNS = Scan(PAWN_TAGS, FOLLOWED_LOOPS)


def test_a_look_at_the_tiles_during_a_scan_of_them_is_not_lost() -> None:
    """Tiles are scanned once at the start; a request during that scan causes another one."""
    sight = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0)
    asked = []
    for scan in range(12):
        wanted = sight.wanted(0.0)
        assert isinstance(wanted, Scan)
        asked.append(wanted)
        if asked.count(Scan(TILE_TAGS)) == 1 and wanted.afi == TILE_TAGS:
            sight.rescan_tiles()
        sight.take(ScanEnd(1, scan, 0, 0, wanted.afi, wanted.loops, 0, 0, 0, 0, 0), 0.0)

    assert 2 == asked.count(Scan(TILE_TAGS))


@pytest.mark.parametrize(
    ("can", "loops"), [(Caps.UID, CELL_LOOPS), (Caps.UID | Caps.FOLLOW, FOLLOWED_LOOPS)]
)
def test_a_board_that_can_follows_the_pawns(can: Caps, loops: int) -> None:
    """Pawns are scanned on all loops over the cells, on a board that can follow by what moves; each
    reading comes from these loops and from no other.
    """
    reply = HelloReply(1, 1, SQUARE.code, 6, 6, 26, int(can), bytes(8), 0x0100, 0)
    sight = make_poller(reply, PollerDeps("serial", TagRegistry(), FlickerFilter()), Timing(), 0.0)
    assert isinstance(sight, TagPoller)
    pawn = TagRecord(Uid("E004015000000001"), RfModel().strengths(*SQUARE.centres[Cell("C3")]))

    assert Scan(PAWN_TAGS, loops) == sight.wanted(0.0)
    sight.take(TagPart(1, 1, 0, (pawn,)), 0.0)
    sight.take(ScanEnd(1, 1, 1, 1, PAWN_TAGS, loops, 0, 0, 0, 0, records_crc((pawn,))), 0.0)

    (heard,) = tag_diagnoses(sight)
    assert SQUARE.centred == heard.strengths.keys()


def test_hands_have_their_time() -> None:
    """A board that follows pawns is faster than hands: two equal scans are as far apart as whole
    ones.
    """
    sight = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0, follows=True)
    assert Scan(PAWN_TAGS, FOLLOWED_LOOPS) == sight.wanted(0.0)
    sight.take(ScanEnd(1, 1, 0, 0, PAWN_TAGS, FOLLOWED_LOOPS, 0, 0, 0, 0, 0), 0.2)

    assert (None, 0.3) == (sight.wanted(0.2), sight.due())
    assert Scan(PAWN_TAGS, FOLLOWED_LOOPS) == sight.wanted(0.3)


def test_an_unfinished_scan_is_gone_on_with_at_once() -> None:
    """After a scan that ended unfinished the board is asked for the pawns at once, also where
    tokens and tiles are due; after the last one hands have the time that is left of theirs since
    the first. A board that never finishes counts as silent since its last whole scan.
    """
    sight = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0, follows=True)
    for scan in range(2):
        ask_and_end(sight, scan, FOLLOWED_LOOPS, 1.0 + scan)
    assert sight.decoder.resting

    ask_and_end(sight, 2, FOLLOWED_LOOPS, 3.0, was=Scan(TOKEN_TAGS))
    ask_and_end(sight, 3, UNFINISHED_LOOPS, 4.0)
    assert 4.0 == sight.due()
    ask_and_end(sight, 4, UNFINISHED_LOOPS, 4.125)
    assert sight.stale(3.0 + Timing().scan_stale)
    ask_and_end(sight, 5, FOLLOWED_LOOPS, 4.25)

    assert (None, 4.3) == (sight.wanted(4.25), sight.due())
    assert sight.wanted(4.3) == Scan(TILE_TAGS)


def ask_and_end(
    sight: TagPoller, scan: int, loops: int, now: float, was: Scan = FOLLOWED_PAWNS
) -> None:
    """Take the poller's request, which must be this one, and answer it without tags."""
    wanted = sight.wanted(now)
    assert was == wanted
    progress, _ = sight.take(ScanEnd(1, scan, 0, 0, was.afi, loops, 0, 0, 0, 0, 0), now)
    assert "done" == progress
