"""From strengths to cells: as sure as the field model says it can be."""

from collections import Counter
from collections.abc import Callable
from math import cos, pi, sin, sqrt
from random import Random

import pytest

from companion.board.tags import TagPlace, decode_strengths, loop_cells, place_of
from companion.core.grid import cell_name
from companion.core.placement import Cell
from companion.sim.field import PITCH, Field, flux

TRIALS = 4000
LOOP_SPREAD, TAG_SPREAD = 0.12, 0.20
CORNERS = {0: (-15.0, -15.0), 90: (15.0, -15.0), 180: (15.0, 15.0), 270: (-15.0, 15.0)}
NOMINAL = Field()


def at(cell_x: int, cell_y: int, dx: float = 0.0, dy: float = 0.0) -> tuple[int, ...]:
    """The strengths of an ordinary tag so many mm off the centre of a cell."""
    return NOMINAL.strengths(PITCH * (cell_x + 0.5) + dx, PITCH * (cell_y + 0.5) + dy)


def trials(
    spot: Callable[[Random], tuple[float, float, int | None]], spread: float
) -> tuple[Counter[str], Counter[str]]:
    """Decide tags on boards of many builds; count cells and turns as right, undecided or wrong."""
    rng, cells, turns = Random(7), Counter[str](), Counter[str]()
    for _ in range(TRIALS):
        field, column, row = Field.built(rng, spread), rng.randrange(6), rng.randrange(6)
        dx, dy, turn = spot(rng)
        x, y = PITCH * (column + 0.5) + dx, PITCH * (row + 0.5) + dy
        place = decode_strengths(field.strengths(x, y, max(0.2, rng.gauss(1.0, TAG_SPREAD))))
        cells[verdict(place.cell, cell_name(column, row))] += 1
        turns[verdict(place.turn, turn)] += 1
    return cells, turns


def verdict(found: object, true: object) -> str:
    """Whether what was found is true."""
    return "undecided" if found is None else "right" if found == true else "wrong"


def tile_spot(rng: Random) -> tuple[float, float, int | None]:
    """A tile lying in any turn."""
    turn = rng.choice(list(CORNERS))
    return *CORNERS[turn], turn


def pawn_spot(rng: Random) -> tuple[float, float, int | None]:
    """A pawn anywhere within the ridges: 19 mm around the centre."""
    r, a = 19 * sqrt(rng.random()), 2 * pi * rng.random()
    return r * cos(a), r * sin(a), None


def test_tiles_as_sure_as_calculated() -> None:
    """With loops 12 % and tags 20 % apart, 98.7 % of tiles have their cell and fewer than 1 in 1,000 a wrong one."""
    cells, turns = trials(tile_spot, LOOP_SPREAD)

    assert cells["right"] >= 0.987 * TRIALS and cells["wrong"] < 0.001 * TRIALS
    assert turns["right"] >= 0.975 * TRIALS and turns["wrong"] <= 0.002 * TRIALS


def test_pawns_as_sure_as_calculated() -> None:
    """With loops 12 % and tags 20 % apart, 99.5 % of pawns have their cell and fewer than 1 in 1,000 a wrong one."""
    cells, _ = trials(pawn_spot, LOOP_SPREAD)

    assert cells["right"] >= 0.995 * TRIALS and cells["wrong"] < 0.001 * TRIALS


def test_tuned_loops() -> None:
    """With loops only 5 % apart practically every tile has its cell and its turn."""
    cells, turns = trials(tile_spot, 0.05)

    assert cells["right"] >= 0.999 * TRIALS and turns["right"] >= 0.998 * TRIALS


@pytest.mark.parametrize("row", range(6))
@pytest.mark.parametrize("column", range(6))
@pytest.mark.parametrize("turn", CORNERS)
def test_every_cell_and_turn(column: int, row: int, turn: int) -> None:
    """On a board as designed each tile has its cell and its clockwise turn."""
    cell = cell_name(column, row)

    assert TagPlace(cell, frozenset({cell}), turn) == decode_strengths(at(column, row, *CORNERS[turn]))


def test_between_cells() -> None:
    """A pawn just over the wire between two cells is undecided, near both of them."""
    assert TagPlace(None, frozenset({Cell("A1"), Cell("B1")})) == decode_strengths(at(0, 0, 30.0))


def test_never_heard() -> None:
    """A tag that no centred loop of an axis hears may be anywhere along it."""
    strengths = (*[0] * 13, *at(2, 2)[13:])

    assert frozenset(cell_name(2, row) for row in range(6)) == decode_strengths(strengths).near


def test_moved_tag_is_where_it_is() -> None:
    """When the last two scans speak of different places, the later one counts."""
    assert "D4" == place_of(at(3, 3), at(0, 0)).cell


def test_two_scans_decide_together() -> None:
    """A tie of the latest scan is broken by the one before it."""
    assert "A1" == place_of(at(0, 0, 30.0), at(0, 0)).cell
    assert None is place_of(at(0, 0, 30.0), at(0, 0, 30.0)).cell


def test_gains_are_applied_first() -> None:
    """A loop known to be deaf is helped by its gain."""
    deaf = list(at(1, 0))
    deaf[14] = 1
    gains = [0.0] * 26
    gains[14] = 7.0

    assert "B1" == decode_strengths(deaf, gains).cell


def test_a_broken_loop_blinds_its_row() -> None:
    """A broken loop on a row or column makes its six cells unknown, one on a border none."""
    assert frozenset(cell_name(column, 3) for column in range(6)) == loop_cells(3)
    assert frozenset(cell_name(5, row) for row in range(6)) == loop_cells(18)
    assert frozenset() == loop_cells(6) == loop_cells(25)


def test_flux_is_the_table() -> None:
    """The field model passes through the calculated values, on both sides of a loop."""
    assert [1.0, 1.24, 0.27, -0.83, -0.31] == [pytest.approx(flux(x)) for x in (0, -15, 30, -40, 60)]
