"""Turn detected QR codes into a field: which tile is in which cell, and its rotation. Pure.

Nothing is guessed: unreadable cells stay unread, and contradictions are problems in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import atan2, degrees, dist
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from companion.core.game import GameError, Message
from companion.core.grid import cell_name, parse_cell
from companion.core.placement import Cell, Tile
from companion.sensors.vision.homography import Degenerate, Homography, Point, project
from companion.sensors.vision.lattice import (
    HALF_CODE,
    Detection,
    Lattice,
    Place,
    find_lattice,
    fit_lattice,
    place_all,
    rotate_quarters,
)

FIELD_SIDE = 6
FIELD_CELLS = tuple(
    cell_name(column, row) for row in range(FIELD_SIDE) for column in range(FIELD_SIDE)
)
CARD_NUMBER = 0
"""The corner card's number; it lies beside A1."""
EFFORTS = 3
"""Preprocessing steps for the whole picture, from the quickest on."""
MAX_SKEW = 33.0
"""Degrees between the photo's top and the field's side up to which the direction is clear."""
MIN_FIELD_SHARE = 0.6
"""Share of the picture's width that the field should fill to be readable."""
TILE_RADIUS, CARD_RADIUS = 0.42, 0.8
"""Search radius in tiles for a cell's code, and for the corner card."""
LOOKS = 2
"""Times that a gap is looked at: codes found meanwhile tell better where it is."""
MIN_AGREEING = 3
"""Tiles that must agree with a known field before it gives the direction."""

North = Literal["card", "photo", "known"]
"""The source of the direction: the corner card, the photo's top, or the known field."""


class FieldScan(Struct, frozen=True):
    """The reading of a photo.

    `tiles` are certain, `unread` are the cells without one; both are empty if the picture is
    unusable. `places`: the cells' middles in thousandths of the picture's width and height.
    """

    tiles: Mapping[Cell, Tile] = {}
    unread: tuple[Cell, ...] = ()
    problems: tuple[Message, ...] = ()
    north: North | None = None
    places: Mapping[Cell, tuple[int, int]] = {}

    @property
    def is_field(self) -> bool:
        """Whether all 36 cells are read and nothing is doubtful."""
        return len(self.tiles) == FIELD_SIDE * FIELD_SIDE and not self.problems


class DetectedCodes(NamedTuple):
    """The codes detected in a whole picture; `mirrored` if they are seen as in a mirror."""

    sightings: Sequence[Detection]
    mirrored: bool = False


class CodeReader(Protocol):
    """Detects codes in one picture of `size` pixels."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def read_image(self, effort: int) -> DetectedCodes:
        """Return the codes in the whole picture after preprocessing step `effort`."""

    def read_cell(self, to_pixels: Homography, place: Point) -> Detection | None:
        """Return the tile within `TILE_RADIUS` of a place of the lattice, None if none is sure."""

    def find_card(self, to_pixels: Homography, around: Point, thorough: bool) -> Detection | None:
        """Return the corner card within `CARD_RADIUS` of a point of the lattice, None without one.

        `thorough` takes longer, and raises `NoField` for a code that may be the card but is
        unreadable.
        """


class NoField(GameError, LookupError):
    """Error raised when a picture shows nothing certain."""

    code = "no_field"


def scan_field(reader: CodeReader, known: Mapping[Cell, Tile] | None = None) -> FieldScan:
    """Return the field in a picture; its `problems` are the reasons why there is none.

    The numbers of a `known` field give the direction even if pawns cover whole rows.
    """
    try:
        return to_field_scan(reader, *find_field(reader, known or {}))
    except NoField as refusal:
        return FieldScan(problems=(refusal.message,))
    except Degenerate:
        return FieldScan(problems=(Message("scan.no_lattice"),))


def find_field(
    reader: CodeReader, known: Mapping[Cell, Tile], *, first_is_enough: bool = False
) -> tuple[Lattice, FieldAlignment]:
    """Return the tiles and their alignment to cells; raise `NoField` or `Degenerate`.

    `first_is_enough`: the first detection is enough if the known field gives the direction.
    """
    cards, detected = _detect_lattice(reader, known)
    if first_is_enough and (grid := _align_by_known(detected, known)) is not None:
        return detected, grid
    lattice = _fill_gaps(reader, detected)
    grid = _align_by_known(lattice, known)
    if grid is None:
        # If every tile was read at once, so was a card, unless it reflects.
        cards = cards or _find_card(
            reader, lattice, thorough=len(detected.laid) < len(lattice.laid)
        )
        grid = _align_by_box(lattice, cards)
    return lattice, grid


def _detect_lattice(
    reader: CodeReader, known: Mapping[Cell, Tile]
) -> tuple[list[Detection], Lattice]:
    """Return corner cards and lattice of the first preprocessing step that gives one."""
    seen: list[Detection] = []
    for effort in range(EFFORTS):
        detections = reader.read_image(effort)
        if detections.mirrored:
            raise NoField("scan.mirrored")
        tiles = [sighting for sighting in detections.sightings if sighting.number != CARD_NUMBER]
        seen = max(seen, tiles, key=len)
        if (lattice := _known_lattice(tiles, known) or find_lattice(tiles)) is not None:
            return [
                sighting for sighting in detections.sightings if sighting.number == CARD_NUMBER
            ], lattice
    if seen and _field_width(seen) < MIN_FIELD_SHARE * reader.size[0]:
        raise NoField("scan.too_far")
    raise NoField("scan.no_lattice" if len(seen) > 1 else "scan.no_tiles")


def _known_lattice(sightings: Sequence[Detection], known: Mapping[Cell, Tile]) -> Lattice | None:
    """Return the lattice of tiles that all lie where a known field has them, None without one.

    They need not be neighbours: between tokens and pawns few tiles are seen whole.
    """
    places = {
        tile.number: (parse_cell(cell), tile.turn // 90)
        for cell, tile in known.items()
        if tile.turn is not None
    }
    if len({sighting.number for sighting in sightings} & places.keys()) < len(sightings):
        return None
    at = [(*places[sighting.number], sighting) for sighting in sightings]
    return fit_lattice({place: (sighting, turn) for place, turn, sighting in at})


def _field_width(sightings: Sequence[Detection]) -> float:
    """Return the width in pixels of a field of tiles as large as the largest detected."""
    codes = (
        dist(*pair)
        for sighting in sightings
        for pair in pairwise((*sighting.corners, sighting.corners[0]))
    )
    return FIELD_SIDE * max(codes) / (2 * HALF_CODE)


def _fill_gaps(reader: CodeReader, lattice: Lattice) -> Lattice:
    """Return the lattice with further detections in its gaps and beside it."""
    for _ in range(LOOKS):
        size = len(lattice.laid)
        looked: set[Place] = set()
        while places := [place for place in _gaps(lattice) if place not in looked]:
            looked.update(places)
            cells = [reader.read_cell(lattice.to_pixels, place) for place in places]
            if detections := [cell for cell in cells if cell is not None]:
                seen = [laid.sighting for laid in lattice.laid.values()]
                lattice = _refit([*seen, *lattice.outliers, *detections], lattice)
        if len(lattice.laid) == size:
            break
    return lattice


def _refit(sightings: Sequence[Detection], before: Lattice) -> Lattice:
    """Return all detections in one lattice, in the frame of the earlier one."""
    distinct = _distinct(sightings)
    return place_all(distinct, place_all(distinct, before.to_pixels).refitted())


def _distinct(sightings: Sequence[Detection]) -> list[Detection]:
    """Return the detections without repeated ones: the same number in the same place."""
    distinct: list[Detection] = []
    for sighting in sightings:
        reach = dist(sighting.corners[0], sighting.corners[2]) / 2
        if not any(
            same.number == sighting.number and dist(same.middle, sighting.middle) < reach
            for same in distinct
        ):
            distinct.append(sighting)
    return distinct


def _gaps(lattice: Lattice) -> Iterator[Place]:
    """Yield places without a tile: inside first, then beside a lattice that is too small."""
    (left, top), (right, bottom) = lattice.box
    columns, rows = lattice.size
    if columns > FIELD_SIDE or rows > FIELD_SIDE:
        return
    inside = [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
    yield from (place for place in inside if place not in lattice.laid)
    if columns < FIELD_SIDE:
        yield from ((x, y) for x in (left - 1, right + 1) for y in range(top, bottom + 1))
    if rows < FIELD_SIDE:
        yield from ((x, y) for y in (top - 1, bottom + 1) for x in range(left, right + 1))


class FieldAlignment(NamedTuple):
    """The lattice place of A1, and the quarter turns clockwise that put row 1 on top."""

    corner: Place
    quarters: int
    north: North

    def cell(self, place: Place) -> Cell | None:
        """Return the cell at a place, None outside the field."""
        column, row = map(round, self.where(place))
        return (
            cell_name(column, row) if 0 <= column < FIELD_SIDE and 0 <= row < FIELD_SIDE else None
        )

    def where(self, point: Point) -> Point:
        """Return column and row of a lattice point, in fractions from the middle of A1."""
        return rotate_quarters(
            (point[0] - self.corner[0], point[1] - self.corner[1]), self.quarters
        )

    def place(self, cell: Cell) -> Place:
        """Return the place of a cell."""
        x, y = rotate_quarters(parse_cell(cell), -self.quarters)
        return self.corner[0] + round(x), self.corner[1] + round(y)


def to_field_scan(reader: CodeReader, lattice: Lattice, grid: FieldAlignment) -> FieldScan:
    """Return a lattice as a field scan; raise `NoField` if it is no field."""
    cells = {place: grid.cell(place) for place in lattice.laid}
    if None in cells.values():
        raise NoField("scan.too_large", columns=lattice.size[0], rows=lattice.size[1])
    twice = _duplicates(lattice)
    tiles = {
        cell: Tile(laid.sighting.number, 90 * ((laid.turn + grid.quarters) % 4))
        for place, laid in lattice.laid.items()
        if (cell := cells[place]) is not None and laid.sighting.number not in twice
    }
    problems = [Message("scan.twice", {"number": number}) for number in sorted(twice)]
    problems += [
        Message("scan.between", {"number": outlier.number})
        for outlier in _misplaced(lattice, grid)
        if not twice
    ]
    return FieldScan(
        tiles={cell: tiles[cell] for cell in FIELD_CELLS if cell in tiles},
        unread=tuple(cell for cell in FIELD_CELLS if cell not in tiles),
        problems=tuple(problems),
        north=grid.north,
        places={
            cell: _thousandths(project(lattice.to_pixels, grid.place(cell)), reader.size)
            for cell in FIELD_CELLS
        },
    )


def _duplicates(lattice: Lattice) -> set[int]:
    """Return the numbers that are detected in more than one place."""
    seen = [laid.sighting.number for laid in lattice.laid.values()] + [
        outlier.number for outlier in lattice.outliers
    ]
    return {number for number, count in Counter(seen).items() if count > 1}


def _misplaced(lattice: Lattice, grid: FieldAlignment) -> Iterator[Detection]:
    """Yield the tiles that lie on the field but in no cell."""
    for outlier in lattice.outliers:
        x, y = grid.where(lattice.where(outlier.middle))
        if -0.5 < x < FIELD_SIDE - 0.5 and -0.5 < y < FIELD_SIDE - 0.5:
            yield outlier


def _align_by_known(lattice: Lattice, known: Mapping[Cell, Tile]) -> FieldAlignment | None:
    """Return the alignment that most tiles agree on with the known field, None if too few."""
    cells = {tile.number: (cell, tile) for cell, tile in known.items()}
    votes: Counter[FieldAlignment] = Counter()
    for place, laid in lattice.laid.items():
        if laid.sighting.number not in cells:
            continue
        cell, tile = cells[laid.sighting.number]
        if tile.turn is None:
            continue
        quarters = (tile.turn // 90 - laid.turn) % 4
        x, y = rotate_quarters(parse_cell(cell), -quarters)
        votes[FieldAlignment((place[0] - round(x), place[1] - round(y)), quarters, "known")] += 1
    (grid, count), *_ = [*votes.most_common(1), (None, 0)]
    return grid if count >= MIN_AGREEING and 2 * count > len(lattice.laid) else None


def _align_by_box(lattice: Lattice, cards: Sequence[Detection]) -> FieldAlignment:
    """Return the alignment of a six by six lattice, by the corner card or the photo's top."""
    columns, rows = lattice.size
    if columns > FIELD_SIDE or rows > FIELD_SIDE:
        raise NoField("scan.too_large", columns=columns, rows=rows)
    if columns < FIELD_SIDE or rows < FIELD_SIDE:
        raise NoField("scan.not_whole", columns=columns, rows=rows)
    (left, top), (right, bottom) = lattice.box
    # The corner that becomes A1 when the photo is turned clockwise by `quarters`.
    corners = ((left, top), (left, bottom), (right, bottom), (right, top))
    if cards:
        return _align_by_card(lattice, cards, corners)
    quarters = _quarters_upright(lattice)
    return FieldAlignment(corners[quarters], quarters, "photo")


def _find_card(reader: CodeReader, lattice: Lattice, thorough: bool) -> list[Detection]:
    """Return the corner card, looked for beside each corner of a whole lattice."""
    if lattice.size != (FIELD_SIDE, FIELD_SIDE):
        return []
    (left, top), (right, bottom) = lattice.box
    for x, out in ((left, -1.1), (right, 1.1)):
        for y, up in ((top, -1.1), (bottom, 1.1)):
            for around in ((x + out, y), (x, y + up)):
                if (card := reader.find_card(lattice.to_pixels, around, thorough)) is not None:
                    return [card]
    return []


def _align_by_card(
    lattice: Lattice, cards: Sequence[Detection], corners: Sequence[Place]
) -> FieldAlignment:
    """Return the alignment whose A1 is beside the card."""
    (left, top), (_, _), (right, bottom), _ = corners
    if len(_distinct(cards)) > 1:
        raise NoField("scan.two_cards")
    x, y = lattice.where(cards[0].middle)
    nearest, second = sorted(range(4), key=lambda quarters: dist((x, y), corners[quarters]))[:2]
    near, far = dist((x, y), corners[nearest]), dist((x, y), corners[second])
    on_it = left - 0.5 < x < right + 0.5 and top - 0.5 < y < bottom + 0.5
    if on_it or near > 2 or far - near < 1.5:
        raise NoField("scan.card_nowhere")
    return FieldAlignment(corners[nearest], nearest, "card")


def _quarters_upright(lattice: Lattice) -> int:
    """Return the quarter turns from the photo's top to row 1; `NoField` if taken over a corner."""
    (left, top), (right, bottom) = lattice.box
    middle = ((left + right) / 2, (top + bottom) / 2)
    x, y = project(lattice.to_pixels, middle)
    angles = []
    for along in ((1, 0), (0, 1)):
        to_x, to_y = project(
            lattice.to_pixels, (middle[0] + along[0] / 2, middle[1] + along[1] / 2)
        )
        angles.append(degrees(atan2(to_y - y, to_x - x)))
    # Perspective shears the axes, so use both; the second one is a quarter turn ahead.
    quarters = round(angles[0] / 90)
    skews = (angles[0] - 90 * quarters, (angles[1] - 90 - 90 * quarters + 180) % 360 - 180)
    if abs(sum(skews) / 2) > MAX_SKEW:
        raise NoField("scan.askew")
    return quarters % 4


def _thousandths(pixel: Point, size: tuple[int, int]) -> tuple[int, int]:
    return round(1000 * pixel[0] / size[0]), round(1000 * pixel[1] / size[1])
