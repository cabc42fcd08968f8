"""From glimpses to observations: what is covered stays unsaid, and a pawn unseen is not a pawn
lifted.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.grid import parse_cell
from companion.core.placement import Cell, Pawn, Placement, Tile
from companion.games.vampireradar.actions import Walk
from companion.sensors.diff import differing_cells
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.reconcile import InSync, Lifted, Matched, Result, reconcile
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.homography import Point
from companion.sensors.vision.tracker import FIELD_CELLS, MAX_MISSED_FRAMES, CameraTracker
from tests.sensors.fakes import GAME, record


def glimpse(
    pawns: Mapping[str, str | Point],
    covered: str = "",
    tiles: Mapping[Cell, Tile] | None = None,
    bullets: tuple[Point, ...] = (),
) -> FrameResult:
    """Return what a picture shows with these pawns and tokens in it, some cells covered."""
    at = {
        Pawn(pawn): where if isinstance(where, tuple) else parse_cell(Cell(where))
        for pawn, where in pawns.items()
    }
    stood_on = {cell for where in at.values() for cell in FIELD_CELLS if parse_cell(cell) == where}
    clear = frozenset(FIELD_CELLS) - stood_on - {Cell(cell) for cell in covered.split()}
    tokens = tuple(("bullet", where) for where in bullets)
    return FrameResult(tiles=tiles or {}, pawns=at, tokens=tokens, clear=clear)


def last(*glimpses: FrameResult) -> Observation:
    """Return what is seen after a row of pictures."""
    tracker = CameraTracker("camera")
    return [tracker.update(each, float(now)) for now, each in enumerate(glimpses)][-1]


STANDING = Placement(
    pawns={Cell("A1"): frozenset({Pawn("H1a"), Pawn("H1b")}), Cell("F1"): frozenset({Pawn("H1c")})}
)


def test_a_covered_pawn_is_neither_there_nor_gone() -> None:
    """A hand over a pawn's cell is no difference, however long it stays."""
    here = glimpse({"H1a": "A1", "H1b": "A1", "H1c": "F1"})
    for pictures in (1, MAX_MISSED_FRAMES, 2 * MAX_MISSED_FRAMES):
        seen = last(here, *[glimpse({}, covered="A1 F1")] * pictures)

        assert frozenset() == differing_cells(STANDING, seen)


def test_a_pawn_is_gone_when_its_cell_is_seen_empty() -> None:
    """At once: there is nothing on the tile."""
    seen = last(
        glimpse({"H1a": "A1", "H1b": "A1", "H1c": "F1"}), glimpse({"H1a": "A1", "H1b": "A1"})
    )

    assert {"F1"} == differing_cells(STANDING, seen)


def test_a_pawn_beside_the_code_is_not_gone() -> None:
    """A pawn at a tile's edge leaves the code open: under a finger its tile is seen, and is
    unknown, not empty, until the pawn is seen elsewhere.
    """
    edge = glimpse({"H1a": (0.37, 0.0), "H1b": "A1", "H1c": "F1"})
    finger = FrameResult(
        pawns={Pawn("H1b"): (0.0, 0.0), Pawn("H1c"): (5.0, 0.0)}, clear=frozenset(FIELD_CELLS)
    )
    for pictures in (1, MAX_MISSED_FRAMES, 2 * MAX_MISSED_FRAMES):
        assert frozenset() == differing_cells(STANDING, last(edge, *[finger] * pictures))

    away = last(edge, *[finger] * 5, glimpse({"H1a": "D4", "H1b": "A1", "H1c": "F1"}))
    assert {"D4"} == differing_cells(STANDING, away)


def test_a_pawn_may_be_hidden_beside_another() -> None:
    """Of a cell that is seen in part the pawns seen are there; one that should be there too may
    be.
    """
    seen = last(*[glimpse({"H1a": "A1", "H1c": "F1"})] * MAX_MISSED_FRAMES)
    stranger = last(*[glimpse({"H1a": "A1", "H2a": "A1", "H1c": "F1"})] * MAX_MISSED_FRAMES)

    assert {"A1", "F1"} == seen.partly
    assert not differing_cells(STANDING, seen)
    assert {"A1"} == differing_cells(STANDING, stranger)


def test_a_mark_that_flickers_stands_still() -> None:
    """A mark unread in one picture is still named, so that the table comes to rest."""
    here = glimpse({"H1a": "A1"})

    assert last(here).pawns == last(here, glimpse({}, covered="A1")).pawns
    assert {} == last(here, *[glimpse({}, covered="A1")] * MAX_MISSED_FRAMES).pawns


def test_between_two_cells_it_is_asked() -> None:
    """A pawn on a border is on neither cell; the likelier one is named first.

    Beside the field it is no pawn at all.
    """
    seen = last(glimpse({"H1a": (0.46, 0.0), "H1b": (-1.2, 3.0)}))

    assert (Ambiguity("pawn", "H1a", (Cell("A1"), Cell("B1"))),) == seen.doubts
    assert not seen.pawns
    assert {"A1", "B1"} <= seen.unknown


def test_tiles_stay_under_pawns() -> None:
    """A tile on which a pawn was set since it was read lies there still; one that is merely not
    read is not claimed.
    """
    tiles = {Cell("A1"): Tile(7, 90), Cell("B1"): Tile(8, 0)}

    assert tiles == last(glimpse({}, tiles=tiles)).tiles
    assert {Cell("A1"): Tile(7, 90)} == last(glimpse({}, tiles=tiles), glimpse({"H1a": "A1"})).tiles


ON_A1, ON_B2, BETWEEN = (0.2, -0.3), (1.3, 1.1), (2.0, 2.5)
LYING = Placement(tokens={Cell("A1"): "bullet", Cell("B2"): "bullet"})


def test_tokens_lie_until_their_tile_is_seen_without() -> None:
    """A token that is covered, or under a pawn, is neither there nor gone; one that was taken is
    gone at once, but for one that lay beside the code, where a finger may hide it; between two
    tiles it lies on neither, and is missing on neither.
    """
    at_the_edge = glimpse({}, bullets=(ON_A1, (1.4, 1.1)))
    assert frozenset() == differing_cells(
        LYING, last(at_the_edge, *[glimpse({}, bullets=(ON_A1,))] * 2 * MAX_MISSED_FRAMES)
    )
    both = glimpse({}, bullets=(ON_A1, ON_B2))
    covered = [glimpse({}, covered="A1", bullets=(ON_B2,))] * 2 * MAX_MISSED_FRAMES
    under = [glimpse({"H1a": "A1"}, bullets=(ON_B2,))] * 2 * MAX_MISSED_FRAMES
    taken = glimpse({}, bullets=(ON_B2,))
    pushed = glimpse({}, covered="C3 C4", bullets=(ON_A1, ON_B2, BETWEEN))

    assert frozenset() == differing_cells(LYING, last(both))
    assert frozenset() == differing_cells(LYING, last(both, *covered))
    walked = Placement(pawns={Cell("A1"): frozenset({Pawn("H1a")})}, tokens=LYING.tokens)
    assert frozenset() == differing_cells(walked, last(both, *under))
    assert {"A1"} == differing_cells(LYING, last(both, taken))
    assert frozenset() == differing_cells(LYING, last(pushed))
    lies_on_c3 = Placement(tokens={**LYING.tokens, Cell("C3"): "bullet"})
    assert frozenset() == differing_cells(lies_on_c3, last(pushed))


def test_tokens_without_marks_are_not_missing() -> None:
    """Where no token has a mark, none is reported."""
    assert last(glimpse({})).tokens is None
    assert frozenset() == differing_cells(LYING, last(glimpse({}, covered="A1")))
    assert last(glimpse({}, bullets=(ON_A1,)), glimpse({})).tokens == {}


def test_reconciling_what_a_camera_sees() -> None:
    """A walk is matched though a hand covers what lies beside it and a pawn is hidden beside
    another; a lifted pawn is lifted only once its cell is seen empty.
    """
    game = record({"H1a": "A1", "H1b": "F1", "H1c": "F1", "H1d": "D6"})
    here = {"H1a": "A1", "H1b": "F1", "H1c": "F1", "H1d": "D6"}
    walked = {"H1a": "B1", "H1b": "F1", "H1d": "D6"}
    lifted = {pawn: cell for pawn, cell in here.items() if pawn != "H1a"}

    def result(*glimpses: FrameResult) -> Result:
        return reconcile(GAME, game.present, last(*glimpses))

    assert InSync() == result(glimpse(here))
    for covered in ("", "A1", "A1 A2 D6"):
        assert Matched((Walk(pawn=Pawn("H1a"), to=Cell("B1")),)) == result(
            glimpse(here), glimpse(walked, covered)
        )
    assert InSync() == result(glimpse(here), *[glimpse(lifted, "A1")] * MAX_MISSED_FRAMES)
    assert isinstance(result(glimpse(here), glimpse(lifted)), Lifted)
