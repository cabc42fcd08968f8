"""Vampire Radar: the catalogue of printed tiles, the field that laid tiles make, and the tiles that
make a field.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import InvalidSetup
from companion.core.placement import Cell, Tile
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.layout import HOUSE_FIELD, random_layout
from companion.games.vampireradar.options import Layout, Options, Setup
from companion.games.vampireradar.tiles import (
    CATALOGUE,
    TURNS,
    CatalogueError,
    layout_of_tiles,
    read_catalogue,
    tiles_of_layout,
)

GAME = VampireRadar()
CELLS = [Cell(f"{column}{row}") for row in range(1, 7) for column in "ABCDEF"]
WALL_TILES = [number for number, tile in CATALOGUE.items() if tile.kind == "wall"]
BLANK_TILES = [number for number, tile in CATALOGUE.items() if tile.kind == "blank"]

shuffled = st.permutations(sorted(CATALOGUE)).map(lambda numbers: numbers[:36])
turns = st.lists(st.sampled_from(TURNS), min_size=36, max_size=36)


def field_with(cell: str, tile: Tile) -> Layout:
    """Return a field with that tile on that cell and any others around it."""
    others = sorted(
        set(CATALOGUE) - {tile.number}, key=lambda number: (number in WALL_TILES, number)
    )
    around = [each for each in CELLS if each != cell]
    return layout_of_tiles(
        {Cell(cell): tile} | {c: Tile(n, 0) for c, n in zip(around, others, strict=False)}
    )


def test_the_box_holds_38_tiles() -> None:
    """The box holds 4 bat, 4 radar, 8 bullet, 7 wall and 15 blank tiles, printed VRT01 to VRT38."""
    assert {"bat": 4, "radar": 4, "bullet": 8, "wall": 7, "blank": 15} == Counter(
        t.kind for t in CATALOGUE.values()
    )
    assert [f"VRT{number:02}" for number in range(1, 39)] == [
        tile.code for tile in CATALOGUE.values()
    ]


@pytest.mark.parametrize(
    ("turn", "wall"), [(0, "C2-C3"), (90, "C3-D3"), (180, "C3-C4"), (270, "B3-C3")]
)
def test_a_wall_turns_clockwise_with_its_tile(turn: int, wall: str) -> None:
    """A tile's turn is the clockwise angle from upright: the wall goes from the north by the east
    to the west.
    """
    assert "N" == CATALOGUE[WALL_TILES[0]].wall

    assert wall in field_with("C3", Tile(WALL_TILES[0], turn)).walls


@pytest.mark.parametrize(
    ("cell", "turn", "wall"),
    [("C1", 0, "C0-C1"), ("F3", 90, "F3-G3"), ("C6", 180, "C6-C7"), ("A3", 270, "@3-A3")],
)
def test_a_wall_that_looks_out_of_the_field_is_named(cell: str, turn: int, wall: str) -> None:
    """A wall on the border is part of the laid field, so that the placement rules can name it."""
    field = field_with(cell, Tile(WALL_TILES[0], turn))
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(3), Setup(field=field), Random(0)):
        state = GAME.evolve(state, event)

    assert wall in field.walls
    assert wall in [
        doubt.params.get("wall")
        for doubt in GAME.setup_warnings(state.public)
        if doubt.code == "field.wall_outside"
    ]


def test_the_house_field_laid_with_tiles() -> None:
    """The house field is made of printed tiles and read back from them; the wall D1-E1 is E1's
    western edge.
    """
    tiles = GAME.tiles.for_setup(Setup(field=HOUSE_FIELD), {})

    assert CELLS == list(tiles)
    assert 270 == tiles[Cell("E1")].turn
    assert 36 == len({tile.number for tile in tiles.values()})
    assert {
        "field": {"tiles": HOUSE_FIELD.tiles, "walls": HOUSE_FIELD.walls}
    } == GAME.tiles.to_setup(tiles)


@given(st.integers(0, 10**9))
@settings(max_examples=30, deadline=None)
def test_a_field_made_of_tiles_is_read_back(seed: int) -> None:
    """Any field of the generator can be laid with the printed tiles, and reading those gives the
    field.
    """
    layout = random_layout(Random(seed), Options())

    assert layout == layout_of_tiles(tiles_of_layout(layout, {}))


@pytest.mark.slow
@given(shuffled, turns)
@settings(max_examples=60, deadline=None)
def test_laid_tiles_serve_where_they_lie(numbers: list[int], angles: list[int]) -> None:
    """Any laid field, a doubtful one too, is its own instruction sheet: nothing is to be moved."""
    tiles = {
        cell: Tile(number, turn) for cell, number, turn in zip(CELLS, numbers, angles, strict=True)
    }

    assert tiles == tiles_of_layout(layout_of_tiles(tiles), tiles)


def test_another_tile_of_the_kind_serves_too() -> None:
    """Only kind and wall count: a blank with another number keeps its place and its turn, a wrong
    kind does not.
    """
    planned = tiles_of_layout(HOUSE_FIELD, {})
    spare = next(
        number for number in BLANK_TILES if number not in {tile.number for tile in planned.values()}
    )
    laid = {
        Cell("A1"): Tile(spare, 180),
        Cell("B1"): planned[Cell("D1")],
        Cell("E1"): Tile(WALL_TILES[3], 0),
    }

    sheet = tiles_of_layout(HOUSE_FIELD, laid)

    assert Tile(spare, 180) == sheet[Cell("A1")]
    assert Tile(WALL_TILES[3], 270) == sheet[Cell("E1")]
    assert sheet[Cell("B1")].number in BLANK_TILES
    assert 36 == len({tile.number for tile in sheet.values()})


def test_a_laid_wall_tile_gives_way_to_a_wall_that_needs_it() -> None:
    """F2 lies with its wall to the west, where E2's could stand; but F2 alone can make F2-F3, so it
    is to be turned.
    """
    layout = Layout(
        ("..br..", "..ooww", *HOUSE_FIELD.tiles[2:]),
        ("E2-F2", *(w for w in HOUSE_FIELD.walls if w != "D1-E1")),
    )

    sheet = tiles_of_layout(layout, {Cell("F2"): Tile(WALL_TILES[0], 270)})

    assert Tile(WALL_TILES[0], 180) == sheet[Cell("F2")]
    assert 90 == sheet[Cell("E2")].turn


@pytest.mark.parametrize(
    ("change", "code", "params"),
    [
        ({"C3": None, "D3": None}, "tiles_missing", {"cells": "C3 D3"}),
        ({"C3": Tile(39, 0)}, "no_such_tile", {"number": 39, "cell": "C3"}),
        ({"G1": Tile(38, 0)}, "no_such_cell", {"cell": "G1"}),
        ({"C3": Tile(38, 45)}, "no_such_turn", {"number": 38, "cell": "C3", "turn": 45}),
        (
            {"E1": Tile(WALL_TILES[0], None)},
            "tile_turn_unknown",
            {"number": WALL_TILES[0], "cell": "E1"},
        ),
        (
            {"F6": Tile(BLANK_TILES[0], 0)},
            "tile_twice",
            {"number": BLANK_TILES[0], "a": "A1", "b": "F6"},
        ),
    ],
)
def test_tiles_that_make_no_field_are_named(
    change: dict[str, Tile | None], code: str, params: dict[str, str | int]
) -> None:
    """Tiles that make no field are refused with the wrong cell or number."""
    tiles: dict[Cell, Tile | None] = {**tiles_of_layout(HOUSE_FIELD, {})}
    tiles |= {Cell(cell): tile for cell, tile in change.items()}

    with pytest.raises(InvalidSetup) as refused:
        layout_of_tiles({cell: tile for cell, tile in tiles.items() if tile is not None})

    assert (code, params) == (refused.value.message.code, refused.value.message.params)


def test_an_unknown_turn_matters_to_walls_alone() -> None:
    """A hand scanner does not see turns; for a tile without a wall nobody has to enter them."""
    tiles = {
        c: Tile(t.number, t.turn if t.number in WALL_TILES else None)
        for c, t in tiles_of_layout(HOUSE_FIELD, {}).items()
    }

    assert HOUSE_FIELD == layout_of_tiles(tiles)


@pytest.mark.parametrize(
    ("layout", "code"),
    [
        (
            Layout(("..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".brb.."), HOUSE_FIELD.walls),
            "too_few_tiles",
        ),
        (Layout(HOUSE_FIELD.tiles, (*HOUSE_FIELD.walls, "A1-B1")), "field.wall_without_tile"),
        (Layout(HOUSE_FIELD.tiles, HOUSE_FIELD.walls[1:]), "tile_without_wall"),
    ],
)
def test_a_field_that_the_printed_tiles_cannot_make(layout: Layout, code: str) -> None:
    """A house field with five bats, a wall too many or a wall tile without its wall has no
    instruction sheet.
    """
    walls = tuple(wall for wall in layout.walls if code != "too_few_tiles" or wall != "B6-C6")

    with pytest.raises(InvalidSetup) as refused:
        tiles_of_layout(Layout(layout.tiles, walls), {})

    assert code == refused.value.message.code


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("tile = 3", "cannot be read"),
        ("[[tile]", "cannot be read"),
        ('[[tile]]\nnumber = 1\ncode = "A1"\nkind = "dragon"', "dragon"),
        ('[[tile]]\nnumber = 1\ncode = "A1"\nkind = "bat"\ncolour = 3', "colour"),
        ('[[tile]]\nnumber = 0\ncode = "A1"\nkind = "bat"', "numbers begin with 1"),
        ('[[tile]]\nnumber = 1\ncode = "a1"\nkind = "bat"', "capital letters"),
        ('[[tile]]\nnumber = 1\ncode = "A1"\nkind = "wall"', "names the edge"),
        ('[[tile]]\nnumber = 1\ncode = "A1"\nkind = "bat"\nwall = "N"', "names the edge"),
        ('[[tile]]\nnumber = 1\ncode = "A1"\nkind = "wall"\nwall = "NE"', "NE"),
        (
            '[[tile]]\nnumber = 1\ncode = "A1"\nkind = "bat"\n[[tile]]\nnumber = 1\ncode = '
            '"A2"\nkind = "bat"',
            "twice",
        ),
        (
            '[[tile]]\nnumber = 1\ncode = "A1"\nkind = "bat"\n[[tile]]\nnumber = 2\ncode = '
            '"A1"\nkind = "bat"',
            "same code",
        ),
        ("tile = []", "no tiles"),
    ],
)
def test_a_broken_catalogue_names_the_fault(text: str, why: str) -> None:
    """An unusable catalogue is refused with a sentence that names the tile or the word."""
    with pytest.raises(CatalogueError, match=why):
        read_catalogue(text)
