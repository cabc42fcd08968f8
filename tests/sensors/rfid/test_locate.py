"""From strengths to cells, with an independent field model: right or undecided, never wrong."""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin, sqrt
from random import Random
from typing import Literal

import pytest

from companion.core.placement import Cell
from companion.sensors.rfid.calibration import calibrated_locator
from companion.sensors.rfid.geometries import GEOMETRIES, HEXAGONAL, SQUARE
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.rfid.locate import (
    IMPLAUSIBLE_LOG,
    PAWN_SPOTS,
    TILE_SPOTS,
    TOKEN_SPOTS,
    Locator,
    TagPlace,
    TagReading,
)
from companion.sensors.rfid.registry import TileTag
from companion.sensors.rfid.signal_model import DESIGNED, TAG_RESPONSES, TagResponse, signal_db
from companion.sensors.rfid.tiles import assign_tiles
from companion.sensors.serial.messages import Uid
from companion.sim.rf_model import RfModel
from tests.helpers.repetitions import soak
from tests.sensors.rfid.field_model import (
    AS_DESIGNED,
    PHYSICS,
    BoardModel,
    Physics,
    decibels,
    flux,
)

pytestmark = pytest.mark.slow

Verdicts = Counter[str]
TURNS = (0, 90, 180, 270)
PLAIN = BoardModel(SQUARE, [0.0] * 26, Random(0))
"""A board as designed, every loop alike."""


def verdict(actual: object, expected: object) -> str:
    """Return whether the located place is right."""
    return "undecided" if actual is None else "right" if actual == expected else "wrong"


def pawn_offset(rng: Random) -> tuple[float, float]:
    """Return a random place of a pawn: within the ridges, 19 mm around the centre."""
    radius, angle = 19 * sqrt(rng.random()), 2 * pi * rng.random()
    return radius * cos(angle), radius * sin(angle)


def tile_offset(rng: Random, turn: int) -> tuple[float, float]:
    """Return a random place of a tile's tag, to about a millimetre."""
    spot = TILE_SPOTS[turn // 90]
    return spot.x + rng.gauss(0, 1), spot.y + rng.gauss(0, 1)


def token_offset(rng: Random) -> tuple[float, float]:
    """Return a random place of a token: on its corner of the tile in any turn, to about 3 mm."""
    spot = rng.choice(TILE_SPOTS[:4])
    return spot.x + rng.gauss(0, 3), spot.y + rng.gauss(0, 3)


Calibrated = Literal["not", "by_tiles", "by_hand"]
"""Source of a board's gains: none, the first scan of a whole field's tiles, or a calibration."""


class Tally:
    """Places pieces on boards of many builds and counts the verdicts."""

    def __init__(
        self,
        seed: int,
        geometry: Geometry = SQUARE,
        calibrated: Calibrated = "not",
        spread: float = 0.12,
        physics: Physics = AS_DESIGNED,
    ) -> None:
        self.rng = Random(seed)
        self.geometry = geometry
        self.cells, self.turns = Verdicts(), Verdicts()
        self._calibrated, self._spread, self._physics = calibrated, spread, physics
        self._default_locator = Locator(geometry)
        self.build()

    def build(self) -> None:
        """Build another board; the gains of a calibrated one are right to about 0.6 dB."""
        self.board_model = BoardModel.built(self.geometry, self.rng, self._spread, self._physics)
        gains = [loop + self.rng.gauss(0, 0.6) for loop in self.board_model.loops]
        self.initial_locator = (
            Locator(self.geometry, gains)
            if self._calibrated == "by_hand"
            else self._default_locator
        )
        self.locator = self.initial_locator

    def pawn(self, cell: Cell) -> TagPlace:
        """Locate a pawn as in play: by the loops over the cells, and if that is undecided by
        all.
        """
        tag = self.board_model.tag("pawn", *self._at(cell, pawn_offset(self.rng)))
        readings = [tag.read(self.geometry.centred, missed=0.002) for _ in range(2)]
        place = self.locator.locate(readings, PAWN_SPOTS)
        if place.cell is None:
            place = self.locator.locate([*readings, tag.read()], PAWN_SPOTS)
        self.cells[verdict(place.cell, cell)] += 1
        return place

    def token(self, cell: Cell) -> TagPlace:
        """Locate a token by two scans of all loops."""
        tag = self.board_model.tag("token", *self._at(cell, token_offset(self.rng)))
        place = self.locator.locate([tag.read(missed=0.002), tag.read()], TOKEN_SPOTS)
        self.cells[verdict(place.cell, cell)] += 1
        return place

    def tile(self, cell: Cell, turn: int) -> TagPlace:
        """Locate a tile by two scans of all loops."""
        return self.locator.locate(self._tile(cell, turn), TILE_SPOTS)

    def field(self) -> None:
        """Locate all tiles of a field, each on a cell of its own."""
        numbers = self.rng.sample(range(1, 39), len(self.geometry.cells))
        truth = {
            number: (cell, self.rng.choice(TURNS))
            for number, cell in zip(numbers, self.geometry.cells, strict=True)
        }
        scans_by_tile = {number: self._tile(*where) for number, where in truth.items()}
        if self._calibrated != "not":
            registered = {Uid(str(number)): TileTag(number) for number in scans_by_tile}
            strengths = {
                Uid(str(number)): scans[0].strengths for number, scans in scans_by_tile.items()
            }
            all_loops = frozenset(range(self.geometry.loops))
            self.locator = calibrated_locator(
                self.initial_locator, registered, strengths, all_loops
            )
        tiles, _ = assign_tiles(
            {
                number: self.locator.locate(scans, TILE_SPOTS)
                for number, scans in scans_by_tile.items()
            }
        )
        located = {tile.number: (cell, tile.turn) for cell, tile in tiles.items()}
        for number, (cell, turn) in truth.items():
            at, turn_located = located.get(number, (None, None))
            self.cells[verdict(at, cell)] += 1
            self.turns[verdict(turn_located, turn)] += 1

    def _tile(self, cell: Cell, turn: int) -> list[TagReading]:
        tag = self.board_model.tag("tile", *self._at(cell, tile_offset(self.rng, turn)))
        return [tag.read(missed=0.002), tag.read()]

    def _at(self, cell: Cell, offset: tuple[float, float]) -> tuple[float, float]:
        x, y = self.geometry.centres[cell]
        return x + offset[0], y + offset[1]


def whole_boards(tally: Tally, boards: int, pawns: int = 12) -> int:
    """Place 36 tiles, the pawns (4 on one cell) and 12 tokens on each board; return on how many
    boards all are right.
    """
    right = 0
    for _ in range(boards):
        tally.build()
        before = tally.cells["right"], tally.turns["right"]
        tally.field()
        shared, *others = tally.rng.sample(tally.geometry.cells, pawns - 3)
        for cell in [shared] * 4 + others:
            tally.pawn(cell)
        for cell in tally.rng.sample(tally.geometry.cells, 12):
            tally.token(cell)
        right += (48 + pawns, 36) == (
            tally.cells["right"] - before[0],
            tally.turns["right"] - before[1],
        )
    return right


def test_the_field_is_another_one() -> None:
    """The two-wire field agrees with the decoder's table within a loop's spread."""
    for offset in (0, 15, 20, 36, 40, 45, 60, 90):
        assert pytest.approx(signal_db(offset), abs=2.0) == decibels(flux(offset))


@pytest.mark.parametrize(
    ("calibrated", "boards", "cells", "turns"),
    [
        ("not", 100, 0.75, 0.75),
        ("by_hand", 20, 0.92, 0.93),
        pytest.param("not", 500, 0.75, 0.7, marks=pytest.mark.soak),
        pytest.param("by_hand", 100, 0.92, 0.93, marks=pytest.mark.soak),
    ],
)
def test_no_wrong_cell_on_hundreds_of_boards(
    calibrated: Calibrated, boards: int, cells: float, turns: float
) -> None:
    """On boards as they are built (loops 12 % apart, tags 20 %) and on calibrated ones, without a
    response learned from tiles, nothing is located on a wrong cell and no tile in a wrong turn; at
    most a quarter is undecided, eight in a hundred on calibrated ones.
    """
    tally = Tally(seed=7, calibrated=calibrated)
    for _ in range(boards):
        tally.build()
        cell, turn = tally.rng.choice(SQUARE.cells), tally.rng.choice(TURNS)
        tally.pawn(tally.rng.choice(SQUARE.cells))
        tally.token(tally.rng.choice(SQUARE.cells))
        place = tally.tile(cell, turn)
        tally.cells[verdict(place.cell, cell)] += 1
        tally.turns[verdict(place.turn, turn)] += 1

    assert (0, 0) == (tally.cells["wrong"], tally.turns["wrong"])
    assert tally.cells["right"] >= cells * 3 * boards
    assert tally.turns["right"] >= turns * boards


@pytest.mark.parametrize("boards", [3, *soak(15)])
@pytest.mark.parametrize(("calibrated", "pawns"), [("by_tiles", 12), ("by_hand", 16)])
def test_whole_boards(calibrated: Calibrated, pawns: int, boards: int) -> None:
    """Of 36 tiles, 12 tokens and all pawns of a game everything is right on most boards, calibrated
    or with gains from the tiles on them; on the others a few are undecided; nothing is wrong.
    """
    tally = Tally(seed=2, calibrated=calibrated)
    right = whole_boards(tally, boards, pawns)

    assert (0, 0) == (tally.cells["wrong"], tally.turns["wrong"])
    assert right >= int(0.7 * boards)
    assert tally.cells["undecided"] + tally.turns["undecided"] <= 0.4 * boards


@pytest.mark.parametrize(
    ("name", "calibrated"),
    [
        pytest.param(name, calibrated, marks=() if (number + other) % 2 else pytest.mark.soak)
        for number, name in enumerate(PHYSICS)
        for other, calibrated in enumerate(("not", "by_tiles"))
    ],
)
def test_unknown_properties_of_tags_lead_to_questions_not_guesses(
    name: str, calibrated: Calibrated
) -> None:
    """Nothing is located wrongly, by whatever law tags answer, at whatever field they wake and with
    a tenth of the current in the neighbours, before and after the tiles are scanned.
    """
    tally = Tally(seed=11, calibrated=calibrated, physics=PHYSICS[name])
    whole_boards(tally, 1)

    assert (0, 0) == (tally.cells["wrong"], tally.turns["wrong"])


@pytest.mark.parametrize(
    ("name", "response"),
    [
        ("as designed", DESIGNED),
        ("30 dB a decade", TagResponse(decade=30.0)),
        ("20 dB a decade", TagResponse(decade=20.0)),
        ("wakes at half of the centre's flux", TagResponse(wake=-12.0)),
        ("wakes at 0.8 of the centre's flux", TagResponse(wake=-4.0)),
        ("wakes at the centre's flux", TagResponse(wake=0.0)),
        ("neighbours carry 10 %", TagResponse(leak=0.1)),
    ],
)
def test_a_field_of_tiles_tells_how_tags_respond(name: str, response: TagResponse) -> None:
    """After 36 tiles the true response of the tags is among the plausible ones, and the far ones
    are dropped.
    """
    tally = Tally(seed=3, calibrated="by_tiles", physics=PHYSICS[name])
    tally.field()

    assert tally.locator.responses[response] > -IMPLAUSIBLE_LOG
    assert len(tally.locator.responses) < len(TAG_RESPONSES)


@pytest.mark.parametrize("boards", [4, *soak(20)])
def test_tuned_loops_decide_everything(boards: int) -> None:
    """With loops only 5 % apart, as trimmed, nearly everything is decided without calibration."""
    tally = Tally(seed=5, spread=0.05, calibrated="by_tiles")

    assert whole_boards(tally, boards) >= int(0.85 * boards)
    assert tally.cells["undecided"] + tally.turns["undecided"] <= 0.3 * boards
    assert (0, 0) == (tally.cells["wrong"], tally.turns["wrong"])


@pytest.mark.parametrize("boards", [60, *soak(400)])
@pytest.mark.parametrize(("calibrated", "right"), [("not", 0.74), ("by_hand", 0.89)])
def test_hexagons(calibrated: Calibrated, right: float, boards: int) -> None:
    """On three axes without border loops pawns are right or undecided; none is wrong."""
    tally = Tally(seed=3, geometry=HEXAGONAL, calibrated=calibrated)
    for _ in range(boards):
        tally.build()
        tally.pawn(tally.rng.choice(HEXAGONAL.cells))

    assert 0 == tally.cells["wrong"]
    assert tally.cells["right"] >= right * boards


@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_every_cell_and_turn(geometry: Geometry) -> None:
    """On a board as designed each piece is on its cell, and on the square each tile in its
    clockwise turn.
    """
    locator, field = Locator(geometry), RfModel(geometry=geometry)
    for cell, (x, y) in geometry.centres.items():
        assert (cell,) == locator.locate(
            [TagReading(field.strengths(x, y), geometry.centred)], PAWN_SPOTS
        ).near
        for number, spot in enumerate(TILE_SPOTS[:4] if geometry is SQUARE else ()):
            place = locator.locate(
                [TagReading(field.strengths(x + spot.x, y + spot.y), frozenset(range(26)))],
                TILE_SPOTS,
            )
            assert (cell, TURNS[number]) == (place.cell, place.turn)


def test_between_cells() -> None:
    """A pawn just over the wire between two cells is undecided, near those two alone."""
    x, y = SQUARE.centres[Cell("A1")]
    place = Locator(SQUARE).locate([PLAIN.tag("pawn", x + 30, y).read()], PAWN_SPOTS)

    assert (None, {"A1", "B1"}) == (place.cell, set(place.near))


def test_between_turns() -> None:
    """A tile askew by 45° has its cell, and either of two turns."""
    x, y = SQUARE.centres[Cell("C3")]
    place = Locator(SQUARE).locate([PLAIN.tag("tile", x, y - 21).read()], TILE_SPOTS)

    assert ("C3", None, (0, 90)) == (place.cell, place.turn, place.turns)


def test_a_tag_that_no_loop_reads_on_an_axis_may_be_anywhere_along_it() -> None:
    """A tag read by the columns only is in one column, and in no particular row."""
    strengths = RfModel().strengths(*SQUARE.centres[Cell("C3")])
    place = Locator(SQUARE).locate(
        [TagReading((*[0] * 13, *strengths[13:]), frozenset(range(13, 26)))], PAWN_SPOTS
    )

    assert {Cell(f"C{row}") for row in range(1, 7)} == set(place.near)


def test_a_missed_loop_is_no_wrong_cell() -> None:
    """If the loop over a pawn misses it in a scan, it is undecided; the next scan and one of all
    loops decide.
    """
    x, y = SQUARE.centres[Cell("C3")]
    complete = TagReading(RfModel().strengths(x, y + 15), SQUARE.centred)
    partial = TagReading(
        tuple(0 if loop == 2 else strength for loop, strength in enumerate(complete.strengths)),
        SQUARE.centred,
    )
    all_loops = TagReading(complete.strengths, frozenset(range(SQUARE.loops)))

    assert Locator(SQUARE).locate([partial], PAWN_SPOTS).cell in (None, "C3")
    assert "C3" == Locator(SQUARE).locate([partial, complete, all_loops], PAWN_SPOTS).cell


def test_gains_are_counted() -> None:
    """A pawn beside a loop weakened by 12 dB is undecided, and decided once the board is
    calibrated.
    """
    gains = [-12.0 if loop == 14 else 0.0 for loop in range(26)]
    x, y = SQUARE.centres[Cell("B1")]
    readings = [BoardModel(SQUARE, gains, Random(0)).tag("pawn", x + 18, y).read(SQUARE.centred)]

    assert None is Locator(SQUARE).locate(readings, PAWN_SPOTS).cell
    assert "B1" == Locator(SQUARE, gains).locate(readings, PAWN_SPOTS).cell


def test_a_loop_without_a_reading_changes_nothing() -> None:
    """Loops that were not switched on do not count as silent: the pawn is located by the others."""
    strengths = RfModel().strengths(*SQUARE.centres[Cell("E5")])
    centred = tuple(
        strength if loop in SQUARE.centred else 0 for loop, strength in enumerate(strengths)
    )

    assert "E5" == Locator(SQUARE).locate([TagReading(centred, SQUARE.centred)], PAWN_SPOTS).cell


@pytest.mark.parametrize("times", [8, *soak(25)])
@pytest.mark.parametrize("geometry", GEOMETRIES, ids=lambda geometry: geometry.name)
def test_any_strengths_have_a_place_or_none(geometry: Geometry, times: int) -> None:
    """Random, contradictory strengths stay undecided."""
    rng, locator, decided = Random(9), Locator(geometry), 0
    for _ in range(times):
        strengths = tuple(
            rng.choice((0, 0, 1, 4, 8)) if loop < geometry.loops else 0 for loop in range(26)
        )
        loops = frozenset(rng.sample(range(geometry.loops), rng.randint(0, geometry.loops)))
        place = locator.locate(
            [TagReading(strengths, loops)], rng.choice((PAWN_SPOTS, TOKEN_SPOTS, TILE_SPOTS))
        )
        decided += place.cell is not None
        assert place.near

    assert 0 == decided
