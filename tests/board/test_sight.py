"""What an identity board is asked next."""

from __future__ import annotations

from companion.board.answers import ScanEnd
from companion.board.geometries import SQUARE
from companion.board.link import Timing
from companion.board.locate import Locator
from companion.board.message import TILE_TAGS
from companion.board.requests import Scan
from companion.board.sight import TagSight
from companion.board.tag_picture import TagPicture


def test_a_look_at_the_tiles_during_a_scan_of_them_is_not_lost() -> None:
    """Tiles are scanned once at the beginning; asked for again while that scan is under way, they are scanned again."""
    sight = TagSight(TagPicture("serial", {}, Locator(SQUARE)), Timing(), 0.0)
    asked = []
    for scan in range(12):
        wanted = sight.wanted(0.0)
        assert isinstance(wanted, Scan)
        asked.append(wanted)
        if asked.count(Scan(TILE_TAGS)) == 1 and wanted.afi == TILE_TAGS:
            sight.look_at_tiles()
        sight.take(ScanEnd(1, scan, 0, 0, wanted.afi, wanted.loops, 0, 0, 0, 0, 0), 0.0)

    assert 2 == asked.count(Scan(TILE_TAGS))
