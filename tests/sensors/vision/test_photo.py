"""Reading photos with a known field: every tile's number, cell and turn, and never a wrong one."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageOps

from companion.core.placement import Cell, Tile
from companion.sensors.vision.field import FieldScan, NoField, scan_field
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo
from tests.helpers.repetitions import soak
from tools.photos.printed import code
from tools.photos.scene import CELLS, Laid, Scene, random_laid
from tools.photos.views import SIZES, VIEWS, View, jpeg, photo, seen, taken

pytestmark = pytest.mark.slow

TRUTH = random_laid(Random(4))
PLAIN = View(tilt=12)
SIDES = (0, 90, 180, 270)


def scan(picture: bytes, tiles: dict[Cell, Tile] | None = None) -> FieldScan:
    return scan_field(ZxingReader(open_photo(picture)), tiles)


def wrong(result: FieldScan, truth: Laid) -> dict[str, Tile]:
    """Return the tiles that differ from the field."""
    return {
        cell: tile for cell, tile in result.tiles.items() if truth[cell] != (tile.number, tile.turn)
    }


def laid_tiles(truth: Laid) -> dict[Cell, Tile]:
    return {Cell(cell): Tile(number, turn) for cell, (number, turn) in truth.items()}


def codes(result: FieldScan) -> list[str]:
    return [problem.code for problem in result.problems]


def rotated_field(truth: Laid, quarters: int) -> Laid:
    """Return the field as named from a photo taken after a number of quarter turns clockwise around
    the table, its top as row 1.
    """
    for _ in range(quarters):
        # The former west side is the new top: a step to the east there is a step down here.
        truth = {
            f"{'ABCDEF'[6 - int(cell[1])]}{'ABCDEF'.index(cell[0]) + 1}": (
                number,
                (turn + 90) % 360,
            )
            for cell, (number, turn) in truth.items()
        }
    return truth


@cache
def overhead() -> Image.Image:
    return seen(Scene(laid=TRUTH, card="west", seed=7), VIEWS["overhead"], 2)


@pytest.mark.parametrize(
    ("view", "megapixels"),
    [
        pytest.param(view, size, marks=() if first % len(SIZES) == second else pytest.mark.soak)
        for first, view in enumerate(VIEWS)
        for second, size in enumerate(SIZES)
    ],
)
def test_all_tiles_in_every_view(view: str, megapixels: int) -> None:
    """36 of 36, and at 60 degrees at least 34, in each view, light and size; none wrong.

    `make test` takes each view in one of the sizes, `make trust` in the others.
    """
    picture = seen(Scene(laid=TRUTH, card="west", seed=7), VIEWS[view], megapixels)
    result = scan(taken(picture, VIEWS[view], megapixels, seed=megapixels))

    assert {} == wrong(result, TRUTH)
    assert len(result.tiles) >= (34 if view == "60" else 36)
    assert ("card", ()) == (result.north, result.problems)
    assert (len(result.tiles) == 36) == result.is_field


@pytest.mark.parametrize(
    ("where", "side"),
    [
        ("north", 90),
        pytest.param("west", 0, marks=pytest.mark.soak),
        pytest.param("west", 180, marks=pytest.mark.soak),
        pytest.param("north", 270, marks=pytest.mark.soak),
    ],
)
def test_the_corner_card_gives_the_direction(where: str, side: int) -> None:
    """From every side, with the card beside A1 to the west or the north, A1 is found."""
    result = scan(photo(Scene(laid=TRUTH, card=where), View(tilt=25, azimuth=side + 9)))

    assert ({}, True, "card") == (wrong(result, TRUTH), result.is_field, result.north)


@pytest.mark.parametrize("side", [SIDES[0], *soak(*SIDES[1:])])
def test_without_a_card_the_photos_top_is_row_1(side: int) -> None:
    """Without a corner card the photographer's side is row 6, and the result says so."""
    result = scan(photo(Scene(laid=TRUTH), View(tilt=25, azimuth=side - 12)))

    assert {} == wrong(result, rotated_field(TRUTH, side // 90))
    assert (True, "photo") == (result.is_field, result.north)


@pytest.mark.parametrize("orientation", [6, *soak(1, 3, 8)])
def test_a_photo_is_turned_by_its_orientation_tag(orientation: int) -> None:
    """The EXIF orientation is applied: the result does not depend on how the phone was held."""
    result = scan(taken(overhead(), View(orientation=orientation), 2))

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


def test_over_a_corner_needs_the_card() -> None:
    """From over a corner no side is the photo's top: it is refused without the corner card."""
    view = View(tilt=30, azimuth=44)
    result = scan(photo(Scene(laid=TRUTH, card="west"), view))

    assert ["scan.askew"] == codes(scan(photo(Scene(laid=TRUTH), view)))
    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


def test_covered_tiles_are_asked_for() -> None:
    """With pawns and tokens on the codes, covered tiles are unread, each reading is right, and only
    these tiles are missing.
    """
    rng = Random(5)
    cells = rng.sample(CELLS, 14)
    scene = Scene(
        laid=TRUTH,
        card="west",
        pawns=tuple((cell, rng.uniform(-3, 3), rng.uniform(-3, 3)) for cell in cells),
        tokens=tuple((cell, 12.0, 12.0) for cell in cells[:7]),
    )
    result = scan(photo(scene, View(tilt=10)))

    assert {} == wrong(result, TRUTH)
    assert set(result.unread) <= set(cells)
    assert len(result.unread) >= 7
    assert {TRUTH[cell][0] for cell in result.unread} <= set(
        set(range(1, 39)) - {tile.number for tile in result.tiles.values()}
    )
    assert not result.is_field


def test_a_known_field_gives_the_direction() -> None:
    """In the middle of a game the numbers give the direction of north, even if pawns cover two
    whole rows and the photo is taken from another side.
    """
    covered = [cell for cell in CELLS if cell[1] in "16"]
    scene = Scene(
        laid=TRUTH, pawns=tuple((cell, dx, 0.0) for cell in covered for dx in (-8.0, 8.0))
    )
    picture = photo(scene, View(tilt=8, azimuth=180))
    result = scan(picture, laid_tiles(TRUTH))

    assert ["scan.not_whole"] == codes(scan(picture))
    assert ({}, "known", []) == (wrong(result, TRUTH), result.north, codes(result))
    assert set(covered) == set(result.unread)


def test_another_field_does_not_bend_what_is_seen() -> None:
    """A known field that is not on the table is ignored."""
    other = random_laid(Random(99))
    result = scan(photo(Scene(laid=TRUTH), PLAIN), laid_tiles(other))

    assert ({}, "photo") == (wrong(result, TRUTH), result.north)


def test_a_turned_tile_is_seen_in_a_known_field() -> None:
    """Two exchanged tiles and a turned one are read as they are now."""
    moved = TRUTH | {
        "B2": TRUTH["E5"],
        "E5": TRUTH["B2"],
        "C4": (TRUTH["C4"][0], (TRUTH["C4"][1] + 90) % 360),
    }
    result = scan(photo(Scene(laid=moved), PLAIN), laid_tiles(TRUTH))

    assert ({}, "known", True) == (wrong(result, moved), result.north, result.is_field)


def test_a_mirrored_photo_is_refused() -> None:
    """A front camera's mirrored photo would exchange east and west: it is refused."""
    picture = ImageOps.mirror(open_photo(photo(Scene(laid=TRUTH), PLAIN)))

    assert ["scan.mirrored"] == codes(scan(jpeg(picture)))


def test_a_number_seen_twice_is_refused() -> None:
    """Of two tiles with one number neither is read; the others are."""
    doubled = TRUTH | {"D3": (TRUTH["A6"][0], 0)}
    result = scan(photo(Scene(laid=doubled), PLAIN))

    assert ["scan.twice"] == codes(result)
    assert {"number": TRUTH["A6"][0]} == result.problems[0].params
    assert ("D3", "A6") == result.unread
    assert ({}, False) == (wrong(result, doubled), result.is_field)


def test_a_seventh_column_is_refused() -> None:
    """A spare tile in a seventh column makes the field too large: it is refused."""
    spare = next(number for number in range(1, 39) if number not in {n for n, _ in TRUTH.values()})
    scene = Scene(laid={**TRUTH, "G2": (spare, 0)})

    assert ["scan.too_large"] == codes(scan(photo(scene, PLAIN)))


def test_spare_tiles_beside_the_field_do_no_harm() -> None:
    """The two spare tiles may lie beside the field's places."""
    spares = [number for number in range(1, 39) if number not in {n for n, _ in TRUTH.values()}]
    scene = Scene(laid=TRUTH, spares=((245.0, 40.0, spares[0]), (250.0, -120.0, spares[1])))
    result = scan(photo(scene, View(tilt=5)))

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


def test_a_tile_between_two_places_is_reported() -> None:
    """A tile that lies half over its neighbour's place is in neither, and is named."""
    laid = {cell: tile for cell, tile in TRUTH.items() if cell not in ("C3", "D3")}
    scene = Scene(laid=laid, spares=((0.0, -30.4, TRUTH["C3"][0]),))
    result = scan(photo(scene, PLAIN))

    assert ["scan.between"] == codes(result)
    assert {"number": TRUTH["C3"][0]} == result.problems[0].params
    assert {"C3", "D3"} == set(result.unread)


def test_the_corner_card_on_the_field_is_refused() -> None:
    """A corner card in a cell, or far from every corner, is ignored."""
    laid = {cell: tile for cell, tile in TRUTH.items() if cell != "C3"}
    field = open_photo(photo(Scene(laid=laid), View(tilt=0)))
    with_card = field.copy()
    card = Image.new("L", (170, 170), 250)
    card.paste(code("VRC00", 120), (25, 25))
    result = scan(photo(Scene(laid=laid), View(tilt=0)))
    x, y = (
        part * size // 1000
        for part, size in zip(result.places[Cell("C3")], field.size, strict=True)
    )
    with_card.paste(card, (x - 85, y - 85))

    assert ["scan.card_nowhere"] == codes(scan(jpeg(with_card)))


def test_other_codes_are_nothing_to_us() -> None:
    """A QR code with another text, and a number that was never printed, are no tiles."""
    picture = open_photo(photo(Scene(laid=TRUTH), PLAIN))
    for text, at in (("HELLO", (20, 20)), ("VRT39", (20, 700)), ("VRT00", (20, 1200))):
        card = Image.new("L", (200, 200), 250)
        card.paste(code(text, 140), (30, 30))
        picture.paste(card, at)
    result = scan(jpeg(picture))

    assert ({}, True) == (wrong(result, TRUTH), result.is_field)


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ((), "scan.no_tiles"),
        (("C3",), "scan.no_tiles"),
        (("A1", "F6"), "scan.no_lattice"),
        (CELLS[:24], "scan.not_whole"),
    ],
)
def test_too_little_is_refused(cells: tuple[str, ...], problem: str) -> None:
    """No tile, one, two apart, or four rows: another photo is needed, and nothing is read."""
    result = scan(photo(Scene(laid={cell: TRUTH[cell] for cell in cells}), PLAIN))

    assert ([problem], {}, ()) == (codes(result), result.tiles, result.unread)


@pytest.mark.parametrize("share", [0.45])
def test_a_field_that_is_small_in_a_slanting_photo_wants_a_closer_one(share: float) -> None:
    """If the field fills under half of the picture's width and cannot be read, a closer photo is
    requested.
    """
    whole = Image.open(BytesIO(photo(Scene(laid=TRUTH, card="north"), VIEWS["60"], 2))).convert("L")
    small = whole.resize(
        (round(whole.width * share), round(whole.height * share)), Image.Resampling.LANCZOS
    )
    picture = Image.new("L", whole.size, 110)
    picture.paste(small, ((whole.width - small.width) // 2, (whole.height - small.height) // 2))

    assert ["scan.too_far"] == codes(scan(jpeg(picture)))


def test_a_missing_tile_is_unread() -> None:
    """An empty place is unread, and its neighbours are read."""
    result = scan(
        photo(
            Scene(laid={cell: tile for cell, tile in TRUTH.items() if cell not in ("A1", "D4")}),
            PLAIN,
        )
    )

    assert (("A1", "D4"), 34, {}) == (result.unread, len(result.tiles), wrong(result, TRUTH))


def test_places_are_where_the_tiles_are() -> None:
    """The places for the overlay are the middles of the tiles, in thousandths of the upright
    picture.
    """
    result = scan(photo(Scene(laid=TRUTH), View(orientation=6)))
    (a_x, a_y), (f_x, f_y) = result.places[Cell("A1")], result.places[Cell("F6")]

    assert 36 == len(result.places)
    assert 0 < a_x < 500 < f_x < 1000 and 0 < a_y < 500 < f_y < 1000


def test_a_card_that_cannot_be_read_is_no_silent_guess() -> None:
    """After template matching, an unreadable code beside A1 may be the corner card: the photo is
    refused, and the photographer's side is not used as row 6.
    """
    result = scan(photo(Scene(laid=TRUTH, card="west", card_says="VRC77"), View(tilt=50)))

    assert ["scan.card_unread"] == codes(result)


def test_no_field_is_an_error_in_words() -> None:
    """A refusal has its reason as a code of the catalogues."""
    with pytest.raises(NoField) as refused:
        open_photo(b"no picture at all")

    assert "scan.no_picture" == refused.value.message.code
