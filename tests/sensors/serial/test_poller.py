"""The next request to an identity board."""

from __future__ import annotations

import pytest
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.rfid.tracker import TagTracker
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

from companion.core.placement import Cell
from companion.sensors.link import Timing
from companion.sensors.presence import FlickerFilter
from companion.sensors.serial.board import tag_diagnoses

FOLLOWED_PAWNS = Scan(PAWN_TAGS, FOLLOWED_LOOPS)


def test_a_look_at_the_tiles_during_a_scan_of_them_is_not_lost() -> None:
    """Tiles are scanned once at the start; a request during that scan causes another one."""
    poller = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0)
    requests = []
    for scan in range(12):
        request = poller.next_request(0.0)
        assert isinstance(request, Scan)
        requests.append(request)
        if requests.count(Scan(TILE_TAGS)) == 1 and request.afi == TILE_TAGS:
            poller.rescan_tiles()
        poller.take(ScanEnd(1, scan, 0, 0, request.afi, request.loops, 0, 0, 0, 0, 0), 0.0)

    assert 2 == requests.count(Scan(TILE_TAGS))


@pytest.mark.parametrize(
    ("caps", "loops"), [(Caps.UID, CELL_LOOPS), (Caps.UID | Caps.FOLLOW, FOLLOWED_LOOPS)]
)
def test_a_board_that_can_follows_the_pawns(caps: Caps, loops: int) -> None:
    """Pawns are scanned on all loops over the cells, or by following if the board can; each reading
    has the strengths of these loops only.
    """
    reply = HelloReply(1, 1, SQUARE.code, 6, 6, 26, int(caps), bytes(8), 0x0100, 0)
    poller = make_poller(reply, PollerDeps("serial", TagRegistry(), FlickerFilter()), Timing(), 0.0)
    assert isinstance(poller, TagPoller)
    pawn = TagRecord(Uid("E004015000000001"), RfModel().strengths(*SQUARE.centres[Cell("C3")]))

    assert Scan(PAWN_TAGS, loops) == poller.next_request(0.0)
    poller.take(TagPart(1, 1, 0, (pawn,)), 0.0)
    poller.take(ScanEnd(1, 1, 1, 1, PAWN_TAGS, loops, 0, 0, 0, 0, records_crc((pawn,))), 0.0)

    (diagnosis,) = tag_diagnoses(poller)
    assert SQUARE.centred == diagnosis.strengths.keys()


def test_hands_have_their_time() -> None:
    """A board that follows pawns is faster than hands: two equal scans are as far apart as whole
    ones.
    """
    poller = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0, follows=True)
    assert Scan(PAWN_TAGS, FOLLOWED_LOOPS) == poller.next_request(0.0)
    poller.take(ScanEnd(1, 1, 0, 0, PAWN_TAGS, FOLLOWED_LOOPS, 0, 0, 0, 0, 0), 0.2)

    assert (None, 0.3) == (poller.next_request(0.2), poller.due())
    assert Scan(PAWN_TAGS, FOLLOWED_LOOPS) == poller.next_request(0.3)


def test_an_unfinished_scan_is_gone_on_with_at_once() -> None:
    """After a scan that ended unfinished the pawns are scanned at once, before tokens and tiles
    that are due; after the last one the pause counts from the first. A board that never finishes
    counts as silent since its last whole scan.
    """
    poller = TagPoller(TagTracker("serial", {}, Locator(SQUARE)), Timing(), 0.0, follows=True)
    for scan in range(2):
        finish_scan(poller, scan, FOLLOWED_LOOPS, 1.0 + scan)
    assert poller.decoder.resting

    finish_scan(poller, 2, FOLLOWED_LOOPS, 3.0, expected=Scan(TOKEN_TAGS))
    finish_scan(poller, 3, UNFINISHED_LOOPS, 4.0)
    assert 4.0 == poller.due()
    finish_scan(poller, 4, UNFINISHED_LOOPS, 4.125)
    assert poller.stale(3.0 + Timing().scan_stale)
    finish_scan(poller, 5, FOLLOWED_LOOPS, 4.25)

    assert (None, 4.3) == (poller.next_request(4.25), poller.due())
    assert poller.next_request(4.3) == Scan(TILE_TAGS)


def finish_scan(
    poller: TagPoller, scan: int, loops: int, now: float, expected: Scan = FOLLOWED_PAWNS
) -> None:
    """Check the poller's next request, and answer it without tags."""
    request = poller.next_request(now)
    assert expected == request
    progress, _ = poller.take(ScanEnd(1, scan, 0, 0, expected.afi, loops, 0, 0, 0, 0, 0), now)
    assert "done" == progress
