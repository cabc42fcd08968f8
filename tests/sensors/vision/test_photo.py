"""Reading photos with a true field: every tile's number, cell and turn, and never a wrong one."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageOps

from companion.core.placement import Cell, Tile
from companion.sensors.vision.field import FieldScan, NoField, missing, scan_field
from companion.sensors.vision.zxing_reader import ZxingReader, open_photo
from tests.photos.printed import code
from tests.photos.scene import CELLS, Laid, Scene, random_laid
from tests.photos.views import SIZES, VIEWS, View, jpeg, photo, seen, taken

pytestmark = pytest.mark.slow

TRUTH = random_laid(Random(4))
PLAIN = View(tilt=12)
SIDES = (0, 90, 180, 270)


def read(picture: bytes, known: dict[Cell, Tile] | None = None) -> FieldScan:
    return scan_field(ZxingReader(open_photo(picture)), known)


def wrong(found: FieldScan, truth: Laid) -> dict[str, Tile]:
    """Return the tiles that are not what lies there."""
    return {
        cell: tile for cell, tile in found.tiles.items() if truth[cell] != (tile.number, tile.turn)
    }


def known(truth: Laid) -> dict[Cell, Tile]:
    return {Cell(cell): Tile(number, turn) for cell, (number, turn) in truth.items()}


def codes(found: FieldScan) -> list[str]:
    return [problem.code for problem in found.problems]


def seen_from(truth: Laid, quarters: int) -> Laid:
    """Return the field as it is called by who takes the photo's top for row 1, having walked so
    many quarters clockwise around the table.
    """
    for _ in range(quarters):
        # The west side of before is the new top: a step to the east there is a step down here.
        truth = {
            f"{'ABCDEF'[6 - int(cell[1])]}{'ABCDEF'.index(cell[0]) + 1}": (
                number,
                (turn + 90) % 360,
            )
            for cell, (number, turn) in truth.items()
        }
    return truth


@cache
def table(view: str) -> Image.Image:
    return seen(Scene(laid=TRUTH, card="west", seed=7), VIEWS[view])


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
    found = read(taken(table(view), VIEWS[view], megapixels, seed=megapixels))

    assert {} == wrong(found, TRUTH)
    assert len(found.tiles) >= (34 if view == "60" else 36)
    assert ("card", ()) == (found.north, found.problems)
    assert (len(found.tiles) == 36) == found.is_field


@pytest.mark.parametrize(
    ("where", "side"), [("west", 0), ("north", 90), ("west", 180), ("north", 270)]
)
def test_the_corner_card_gives_the_direction(where: str, side: int) -> None:
    """From whichever side the photo is taken, the card lying beside A1 to the west or the north, A1
    is A1.
    """
    found = read(photo(Scene(laid=TRUTH, card=where), View(tilt=25, azimuth=side + 9)))

    assert ({}, True, "card") == (wrong(found, TRUTH), found.is_field, found.north)


@pytest.mark.parametrize("side", SIDES)
def test_without_a_card_the_photos_top_is_row_1(side: int) -> None:
    """Without a corner card the photographer's side is row 6, wherever he stands, and the result
    has that.
    """
    found = read(photo(Scene(laid=TRUTH), View(tilt=25, azimuth=side - 12)))

    assert {} == wrong(found, seen_from(TRUTH, side // 90))
    assert (True, "photo") == (found.is_field, found.north)


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_photo_is_turned_by_its_orientation_tag(orientation: int) -> None:
    """The EXIF orientation is obeyed: the same photo however the phone was held."""
    found = read(taken(table("overhead"), View(orientation=orientation), 2))

    assert ({}, True) == (wrong(found, TRUTH), found.is_field)


def test_over_a_corner_needs_the_card() -> None:
    """From over a corner no side is the photo's top: it is refused, unless the corner card lies
    there.
    """
    view = View(tilt=30, azimuth=44)
    found = read(photo(Scene(laid=TRUTH, card="west"), view))

    assert ["scan.askew"] == codes(read(photo(Scene(laid=TRUTH), view)))
    assert ({}, True) == (wrong(found, TRUTH), found.is_field)


def test_covered_tiles_are_asked_for() -> None:
    """Pawns and tokens on the codes: what is covered is unread, each reading is right, and people
    are asked about nothing else.
    """
    rng = Random(5)
    cells = rng.sample(CELLS, 14)
    scene = Scene(
        laid=TRUTH,
        card="west",
        pawns=tuple((cell, rng.uniform(-3, 3), rng.uniform(-3, 3)) for cell in cells),
        tokens=tuple((cell, 12.0, 12.0) for cell in cells[:7]),
    )
    found = read(photo(scene, View(tilt=10)))

    assert {} == wrong(found, TRUTH)
    assert set(found.unread) <= set(cells)
    assert len(found.unread) >= 7
    assert {TRUTH[cell][0] for cell in found.unread} <= set(
        missing(found.tiles.values(), range(1, 39))
    )
    assert not found.is_field


def test_a_known_field_gives_the_direction() -> None:
    """In the middle of a game the numbers give the direction of north, even where pawns cover two
    whole rows and the photo is taken from another side.
    """
    covered = [cell for cell in CELLS if cell[1] in "16"]
    scene = Scene(
        laid=TRUTH, pawns=tuple((cell, dx, 0.0) for cell in covered for dx in (-8.0, 8.0))
    )
    picture = photo(scene, View(tilt=8, azimuth=180))
    found = read(picture, known(TRUTH))

    assert ["scan.not_whole"] == codes(read(picture))
    assert ({}, "known", []) == (wrong(found, TRUTH), found.north, codes(found))
    assert set(covered) == set(found.unread)


def test_another_field_does_not_bend_what_is_seen() -> None:
    """A known field that is not the one on the table does not count: what is seen does."""
    other = random_laid(Random(99))
    found = read(photo(Scene(laid=TRUTH), PLAIN), known(other))

    assert ({}, "photo") == (wrong(found, TRUTH), found.north)


def test_a_turned_tile_is_seen_in_a_known_field() -> None:
    """Two tiles that were exchanged and one that was turned since are read as they lie now."""
    moved = TRUTH | {
        "B2": TRUTH["E5"],
        "E5": TRUTH["B2"],
        "C4": (TRUTH["C4"][0], (TRUTH["C4"][1] + 90) % 360),
    }
    found = read(photo(Scene(laid=moved), PLAIN), known(TRUTH))

    assert ({}, "known", True) == (wrong(found, moved), found.north, found.is_field)


def test_a_mirrored_photo_is_refused() -> None:
    """A front camera's mirrored photo would turn east into west: it is refused in words."""
    picture = ImageOps.mirror(open_photo(photo(Scene(laid=TRUTH), PLAIN)))

    assert ["scan.mirrored"] == codes(read(jpeg(picture)))


def test_a_number_seen_twice_is_refused() -> None:
    """Of two tiles with one number neither is read; the others are."""
    doubled = TRUTH | {"D3": (TRUTH["A6"][0], 0)}
    found = read(photo(Scene(laid=doubled), PLAIN))

    assert ["scan.twice"] == codes(found)
    assert {"number": TRUTH["A6"][0]} == found.problems[0].params
    assert ("D3", "A6") == found.unread
    assert ({}, False) == (wrong(found, doubled), found.is_field)


def test_a_seventh_column_is_refused() -> None:
    """A spare tile laid as if the field went on makes it larger than it is: it is refused in
    words.
    """
    spare = next(number for number in range(1, 39) if number not in {n for n, _ in TRUTH.values()})
    scene = Scene(laid={**TRUTH, "G2": (spare, 0)})

    assert ["scan.too_large"] == codes(read(photo(scene, PLAIN)))


def test_spare_tiles_beside_the_field_do_no_harm() -> None:
    """The two spare tiles may lie on the table where no tile of the field would."""
    spares = [number for number in range(1, 39) if number not in {n for n, _ in TRUTH.values()}]
    scene = Scene(laid=TRUTH, spares=((245.0, 40.0, spares[0]), (250.0, -120.0, spares[1])))
    found = read(photo(scene, View(tilt=5)))

    assert ({}, True) == (wrong(found, TRUTH), found.is_field)


def test_a_tile_between_two_places_is_reported() -> None:
    """A tile that lies half over its neighbour's place is in neither, and is named."""
    laid = {cell: tile for cell, tile in TRUTH.items() if cell not in ("C3", "D3")}
    scene = Scene(laid=laid, spares=((0.0, -30.4, TRUTH["C3"][0]),))
    found = read(photo(scene, PLAIN))

    assert ["scan.between"] == codes(found)
    assert {"number": TRUTH["C3"][0]} == found.problems[0].params
    assert {"C3", "D3"} == set(found.unread)


def test_the_corner_card_on_the_field_is_refused() -> None:
    """A corner card in a cell, or far from every corner, is ignored."""
    laid = {cell: tile for cell, tile in TRUTH.items() if cell != "C3"}
    field = open_photo(photo(Scene(laid=laid), View(tilt=0)))
    on_it = field.copy()
    card = Image.new("L", (170, 170), 250)
    card.paste(code("VRC00", 120), (25, 25))
    found = read(photo(Scene(laid=laid), View(tilt=0)))
    x, y = (
        part * size // 1000 for part, size in zip(found.places[Cell("C3")], field.size, strict=True)
    )
    on_it.paste(card, (x - 85, y - 85))

    assert ["scan.card_nowhere"] == codes(read(jpeg(on_it)))


def test_other_codes_are_nothing_to_us() -> None:
    """A QR code with another text, and a number that was never printed, are no tiles."""
    picture = open_photo(photo(Scene(laid=TRUTH), PLAIN))
    for text, at in (("HELLO", (20, 20)), ("VRT39", (20, 700)), ("VRT00", (20, 1200))):
        card = Image.new("L", (200, 200), 250)
        card.paste(code(text, 140), (30, 30))
        picture.paste(card, at)
    found = read(jpeg(picture))

    assert ({}, True) == (wrong(found, TRUTH), found.is_field)


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
    found = read(photo(Scene(laid={cell: TRUTH[cell] for cell in cells}), PLAIN))

    assert ([problem], {}, ()) == (codes(found), found.tiles, found.unread)


@pytest.mark.parametrize("share", [0.5, 0.42])
def test_a_field_that_is_small_in_a_slanting_photo_wants_a_closer_one(share: float) -> None:
    """Where the field fills under half of the picture's width and cannot be read, a closer photo is
    asked for.
    """
    whole = Image.open(BytesIO(photo(Scene(laid=TRUTH, card="north"), VIEWS["60"], 2))).convert("L")
    small = whole.resize(
        (round(whole.width * share), round(whole.height * share)), Image.Resampling.LANCZOS
    )
    picture = Image.new("L", whole.size, 110)
    picture.paste(small, ((whole.width - small.width) // 2, (whole.height - small.height) // 2))

    assert ["scan.too_far"] == codes(read(jpeg(picture)))


def test_a_missing_tile_is_unread() -> None:
    """An empty place is a question, its neighbours are not touched by it."""
    found = read(
        photo(
            Scene(laid={cell: tile for cell, tile in TRUTH.items() if cell not in ("A1", "D4")}),
            PLAIN,
        )
    )

    assert (("A1", "D4"), 34, {}) == (found.unread, len(found.tiles), wrong(found, TRUTH))


def test_places_are_where_the_tiles_are() -> None:
    """The places for the overlay are the middles of the tiles, in thousandths of the upright
    picture.
    """
    found = read(photo(Scene(laid=TRUTH), View(orientation=6)))
    (a_x, a_y), (f_x, f_y) = found.places[Cell("A1")], found.places[Cell("F6")]

    assert 36 == len(found.places)
    assert 0 < a_x < 500 < f_x < 1000 and 0 < a_y < 500 < f_y < 1000


def test_a_card_that_cannot_be_read_is_no_silent_guess() -> None:
    """Where tiles needed template matching, an unreadable code beside A1 may be the corner card:
    the photo is refused, and the photographer's side is not taken for row 6.
    """
    found = read(photo(Scene(laid=TRUTH, card="west", card_says="VRC77"), View(tilt=50)))

    assert ["scan.card_unread"] == codes(found)


def test_no_field_is_an_error_in_words() -> None:
    """A refusal has its reason as a code of the catalogues."""
    with pytest.raises(NoField) as refused:
        open_photo(b"no picture at all")

    assert "scan.no_picture" == refused.value.message.code
