"""From frame results to observations: covered cells are unknown, and a missing pawn is not a lifted
one.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.grid import parse_cell
from companion.core.placement import Cell, Pawn, Placement, Tile
from companion.games.vampireradar.actions import Walk
from companion.sensors.diff import differing_cells
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.reconcile import InSync, Lifted, Matched, Result, reconcile
from companion.sensors.vision.field import FIELD_CELLS
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.homography import Point
from companion.sensors.vision.tracker import MAX_MISSED_FRAMES, CameraTracker
from tests.sensors.fakes import GAME, record


def frame_result(
    pawns: Mapping[str, str | Point],
    covered: str = "",
    tiles: Mapping[Cell, Tile] | None = None,
    bullets: tuple[Point, ...] = (),
) -> FrameResult:
    """Return the result of a picture with these pawns and tokens, some cells covered."""
    at = {
        Pawn(pawn): where if isinstance(where, tuple) else parse_cell(Cell(where))
        for pawn, where in pawns.items()
    }
    stood_on = {cell for where in at.values() for cell in FIELD_CELLS if parse_cell(cell) == where}
    clear = frozenset(FIELD_CELLS) - stood_on - {Cell(cell) for cell in covered.split()}
    tokens = tuple(("bullet", where) for where in bullets)
    return FrameResult(tiles=tiles or {}, pawns=at, tokens=tokens, clear=clear)


def observe_frames(*frames: FrameResult) -> Observation:
    """Return the last observation after these frames."""
    tracker = CameraTracker("camera")
    return [tracker.update(frame, float(now)) for now, frame in enumerate(frames)][-1]


STANDING = Placement(
    pawns={Cell("A1"): frozenset({Pawn("H1a"), Pawn("H1b")}), Cell("F1"): frozenset({Pawn("H1c")})}
)


def test_a_covered_pawn_is_neither_there_nor_gone() -> None:
    """A hand over a pawn's cell is no difference, however long it stays."""
    here = frame_result({"H1a": "A1", "H1b": "A1", "H1c": "F1"})
    for pictures in (1, MAX_MISSED_FRAMES, 2 * MAX_MISSED_FRAMES):
        observation = observe_frames(here, *[frame_result({}, covered="A1 F1")] * pictures)

        assert frozenset() == differing_cells(STANDING, observation)


def test_a_pawn_is_gone_when_its_cell_is_seen_empty() -> None:
    """A pawn is missing at once when its tile is clear."""
    observation = observe_frames(
        frame_result({"H1a": "A1", "H1b": "A1", "H1c": "F1"}),
        frame_result({"H1a": "A1", "H1b": "A1"}),
    )

    assert {"F1"} == differing_cells(STANDING, observation)


def test_a_pawn_beside_the_code_is_not_gone() -> None:
    """A pawn at a tile's edge leaves the code visible: under a finger its tile is unknown, not
    empty, until the pawn is found elsewhere.
    """
    edge = frame_result({"H1a": (0.37, 0.0), "H1b": "A1", "H1c": "F1"})
    finger = FrameResult(
        pawns={Pawn("H1b"): (0.0, 0.0), Pawn("H1c"): (5.0, 0.0)}, clear=frozenset(FIELD_CELLS)
    )
    for pictures in (1, MAX_MISSED_FRAMES, 2 * MAX_MISSED_FRAMES):
        assert frozenset() == differing_cells(STANDING, observe_frames(edge, *[finger] * pictures))

    away = observe_frames(
        edge, *[finger] * 5, frame_result({"H1a": "D4", "H1b": "A1", "H1c": "F1"})
    )
    assert {"D4"} == differing_cells(STANDING, away)


def test_a_pawn_may_be_hidden_beside_another() -> None:
    """On a partly visible cell the visible pawns are there; another expected one may be."""
    observation = observe_frames(*[frame_result({"H1a": "A1", "H1c": "F1"})] * MAX_MISSED_FRAMES)
    stranger = observe_frames(
        *[frame_result({"H1a": "A1", "H2a": "A1", "H1c": "F1"})] * MAX_MISSED_FRAMES
    )

    assert {"A1", "F1"} == observation.partly
    assert not differing_cells(STANDING, observation)
    assert {"A1"} == differing_cells(STANDING, stranger)


def test_a_mark_that_flickers_stands_still() -> None:
    """A mark that is unread in one picture is still reported, so that the table comes to rest."""
    here = frame_result({"H1a": "A1"})

    assert observe_frames(here).pawns == observe_frames(here, frame_result({}, covered="A1")).pawns
    assert {} == observe_frames(here, *[frame_result({}, covered="A1")] * MAX_MISSED_FRAMES).pawns


def test_between_two_cells_it_is_asked() -> None:
    """A pawn on a border is on neither cell; the likelier one is named first.

    Beside the field it is ignored.
    """
    observation = observe_frames(frame_result({"H1a": (0.46, 0.0), "H1b": (-1.2, 3.0)}))

    assert (Ambiguity("pawn", "H1a", (Cell("A1"), Cell("B1"))),) == observation.ambiguities
    assert not observation.pawns
    assert {"A1", "B1"} <= observation.unknown


def test_tiles_stay_under_pawns() -> None:
    """A tile under a pawn that was placed since its last reading is still reported; one that is
    merely unread is not.
    """
    tiles = {Cell("A1"): Tile(7, 90), Cell("B1"): Tile(8, 0)}

    assert tiles == observe_frames(frame_result({}, tiles=tiles)).tiles
    assert {Cell("A1"): Tile(7, 90)} == observe_frames(
        frame_result({}, tiles=tiles), frame_result({"H1a": "A1"})
    ).tiles


ON_A1, ON_B2, BETWEEN = (0.2, -0.25), (1.25, 1.1), (2.0, 2.5)
LYING = Placement(tokens={Cell("A1"): "bullet", Cell("B2"): "bullet"})


def test_tokens_lie_until_their_tile_is_seen_without() -> None:
    """A covered token, or one under a pawn, is neither present nor missing; a removed one is
    missing at once, except beside the code, where a finger may hide it; between two tiles it is on
    neither, and missing from neither.
    """
    at_the_edge = frame_result({}, bullets=(ON_A1, (1.4, 1.1)))
    assert frozenset() == differing_cells(
        LYING,
        observe_frames(at_the_edge, *[frame_result({}, bullets=(ON_A1,))] * 2 * MAX_MISSED_FRAMES),
    )
    both = frame_result({}, bullets=(ON_A1, ON_B2))
    covered = [frame_result({}, covered="A1", bullets=(ON_B2,))] * 2 * MAX_MISSED_FRAMES
    under = [frame_result({"H1a": "A1"}, bullets=(ON_B2,))] * 2 * MAX_MISSED_FRAMES
    removed = frame_result({}, bullets=(ON_B2,))
    pushed = frame_result({}, covered="C3 C4", bullets=(ON_A1, ON_B2, BETWEEN))

    assert frozenset() == differing_cells(LYING, observe_frames(both))
    assert frozenset() == differing_cells(LYING, observe_frames(both, *covered))
    walked = Placement(pawns={Cell("A1"): frozenset({Pawn("H1a")})}, tokens=LYING.tokens)
    assert frozenset() == differing_cells(walked, observe_frames(both, *under))
    assert {"A1"} == differing_cells(LYING, observe_frames(both, removed))
    assert frozenset() == differing_cells(LYING, observe_frames(pushed))
    lies_on_c3 = Placement(tokens={**LYING.tokens, Cell("C3"): "bullet"})
    assert frozenset() == differing_cells(lies_on_c3, observe_frames(pushed))


def test_tokens_without_marks_are_not_missing() -> None:
    """If no token has a mark, none is reported."""
    assert observe_frames(frame_result({})).tokens is None
    assert frozenset() == differing_cells(LYING, observe_frames(frame_result({}, covered="A1")))
    assert observe_frames(frame_result({}, bullets=(ON_A1,)), frame_result({})).tokens == {}


def test_reconciling_what_a_camera_sees() -> None:
    """A walk is matched although a hand covers cells beside it and a pawn hides another; a pawn is
    lifted only once its cell is clear.
    """
    game = record({"H1a": "A1", "H1b": "F1", "H1c": "F1", "H1d": "D6"})
    here = {"H1a": "A1", "H1b": "F1", "H1c": "F1", "H1d": "D6"}
    walked = {"H1a": "B1", "H1b": "F1", "H1d": "D6"}
    lifted = {pawn: cell for pawn, cell in here.items() if pawn != "H1a"}

    def result(*frames: FrameResult) -> Result:
        return reconcile(GAME, game.present, observe_frames(*frames))

    assert InSync() == result(frame_result(here))
    for covered in ("", "A1", "A1 A2 D6"):
        assert Matched((Walk(pawn=Pawn("H1a"), to=Cell("B1")),)) == result(
            frame_result(here), frame_result(walked, covered)
        )
    assert InSync() == result(frame_result(here), *[frame_result(lifted, "A1")] * MAX_MISSED_FRAMES)
    assert isinstance(result(frame_result(here), frame_result(lifted)), Lifted)
