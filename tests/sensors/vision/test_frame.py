"""Reading one picture of a table: rendered photos with printed caps and their true placement."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from companion.core.placement import Cell, Tile
from companion.printing.codes import PAWN_MARKS, TOKEN_MARKS
from companion.sensors.vision import camera_worker
from companion.sensors.vision.camera_client import FrameRequest
from companion.sensors.vision.camera_worker import read_frame
from companion.sensors.vision.codes import MARKED_PAWNS, marker_pawn, marker_token
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.tracker import cells_near
from tests.helpers.repetitions import soak
from tests.sensors.vision.covered_scenes import count_scenes
from tools.photos.frame_sequence import FrameSequence
from tools.photos.scene import CELLS, Scene, random_laid
from tools.photos.views import VIEWS

pytestmark = pytest.mark.slow

LAID = random_laid(Random(4))
WATCH = FrameContext({Cell(cell): Tile(number, turn) for cell, (number, turn) in LAID.items()})
LEAST_RIGHT = {"bare": 0.8, "die": 0.6, "cup": 0.6, "sleeve": 0.4, "hand": 0.4, "knock": 0.8}
"""Share of the cells that is read under each kind of cover; the rest is unknown."""
PAWNS = {
    "H1a": "A1", "H1b": "F1", "H1c": "A6", "H1d": "F6", "H2a": "C3", "H2b": "C3", "H2c": "D3",
    "H2d": "B5", "H3a": "E2", "H3b": "E2", "H3c": "E2", "H3d": "E2",
}  # fmt: skip


def read_picture(picture: bytes, watch: FrameContext = WATCH) -> FrameResult:
    """Read a picture like the decoder process."""
    return read_frame(picture, FrameRequest(len(picture), watch))


@pytest.mark.parametrize("name", ["30", *soak("overhead", "shadow")])
def test_pawns_by_their_caps(name: str) -> None:
    """Every pawn that is found is on its true cell; no cell with a pawn is called clear, and most
    others are.
    """
    result = read_picture(FrameSequence(LAID, VIEWS[name]).picture(PAWNS))

    assert result.problem is None
    assert {pawn: (PAWNS[pawn],) for pawn in result.pawns} == {
        pawn: cells_near(at) for pawn, at in result.pawns.items()
    }
    assert len(result.pawns) >= 11
    assert not result.clear & set(PAWNS.values())
    assert len(result.clear) >= 22


def test_a_hand_hides_and_empties_nothing() -> None:
    """A hand hides pawns and empty cells; cells beside it are still read."""
    film = FrameSequence(LAID, VIEWS["overhead"])
    result = read_picture(film.picture(PAWNS, hand=(-30.0, 20.0)))

    under = {Cell(cell) for cell in ("C4", "C5", "C6")}
    assert result.problem is None
    assert not under & result.clear
    assert (("A1",), ("F1",)) == (
        cells_near(result.pawns[MARKED_PAWNS[0]]),
        cells_near(result.pawns[MARKED_PAWNS[1]]),
    )
    assert {"B1", "C1", "D1", "F5"} <= result.clear


def test_scenes_under_cover() -> None:
    """Under hands, sleeves, cups and dice, and after a knock: no pawn is named on a wrong cell, and
    no tile with a pawn is called clear. After a knock as much is read as before, and cells without
    cover are read.
    """
    counts = count_scenes(seed=1, count=5)

    assert {"wrong": 0} == {"wrong": sum(count["wrong"] for count in counts.values())}
    for name, least in LEAST_RIGHT.items():
        for kind in ("", "token "):
            right, unknown = (counts[name][f"{kind}{verdict}"] for verdict in ("right", "unknown"))
            # More of the tokens are covered: pawns stand on them.
            assert right >= (least - 0.2 * bool(kind)) * (right + unknown), (name, counts[name])


def test_a_picture_of_no_table_has_no_reading() -> None:
    """A file that is no picture, or a picture without a field, gives a problem, no pawn and no
    clear cell.
    """
    for picture in (b"GIF89a", FrameSequence({}, VIEWS["overhead"]).picture(PAWNS)):
        result = read_picture(picture)

        assert result.problem is not None
        assert ({}, {}, frozenset()) == (result.tiles, result.pawns, result.clear)


@pytest.mark.parametrize("name", ["30", *soak("overhead", "shadow")])
def test_tokens_by_their_marks(name: str) -> None:
    """Tokens and the pawns between them are read on their cells, though no two neighbouring tiles
    are completely visible; a tile with only a token is clear, one with a pawn is not.
    """
    rng = Random(4)
    tokens = {
        cell: (rng.uniform(-18, 18), rng.uniform(-18, 18), TOKEN_MARKS[index % 2])
        for index, cell in enumerate(CELLS[::2])
    }
    caps = tuple((cell, 4.0, -6.0, PAWN_MARKS[index]) for index, cell in enumerate(CELLS[3::4]))
    scene = Scene(
        laid=LAID,
        caps=caps,
        marked_tokens=tuple((cell, *token) for cell, token in tokens.items()),
    )
    watch = replace(WATCH, tokens=("bullet", "bat"))
    result = read_picture(FrameSequence(LAID, VIEWS[name]).scene_picture(scene), watch)
    kinds = {near: kind for kind, at in result.tokens for near in cells_near(at)}

    assert result.problem is None
    assert len(result.tokens) >= 17
    assert (
        kinds.items()
        <= {
            cell: watch.tokens[TOKEN_MARKS.index(mark)] for cell, (_, _, mark) in tokens.items()
        }.items()
    )
    assert len(caps) == len(result.pawns)
    assert not result.clear & {cell for cell, *_ in caps}
    assert len(result.clear & tokens.keys()) >= 8


def test_a_closer_look_reads_marks_that_the_whole_frame_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a frame in which no marker is detected, a look at each covered cell reads the caps, each
    once and on its cell.
    """
    monkeypatch.setattr(camera_worker, "detect_markers", lambda _picture: [])
    result = read_picture(FrameSequence(LAID, VIEWS["overhead"]).picture(PAWNS))

    assert len(result.pawns) >= 11
    assert {pawn: (PAWNS[pawn],) for pawn in result.pawns} == {
        pawn: cells_near(at) for pawn, at in result.pawns.items()
    }


def test_the_marks_are_those_that_are_printed() -> None:
    """The marks of the printed caps, in their order, are read as these pawns, and those of the
    tokens as their kinds.
    """
    kinds = ["bullet", "bat"]
    assert kinds == [marker_token(mark, kinds) for mark in TOKEN_MARKS]
    assert (None, None) == (marker_token(PAWN_MARKS[-1], kinds), marker_token(52, kinds))
    assert list(MARKED_PAWNS) == [marker_pawn(mark) for mark in PAWN_MARKS]
    assert (None, None) == (marker_pawn(PAWN_MARKS[0] - 1), marker_pawn(PAWN_MARKS[-1] + 1))
    assert set(PAWNS) == set(MARKED_PAWNS) and set(PAWNS.values()) <= set(CELLS)
