"""Vampire Radar: the field, its placement rules and the generator (case 56)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import InvalidSetup
from companion.games.vampireradar.layout import HOUSE_FIELD, broken_rules, lay, random_layout
from companion.games.vampireradar.options import Layout, Options

LEGAL = Options()


def broken(
    tiles: dict[str, str] | None = None,
    walls: tuple[str, ...] | None = None,
    options: Options = LEGAL,
) -> set[str]:
    """Return the codes of the rules that the house field breaks with some tiles and the walls
    replaced.
    """
    rows = [list(row) for row in HOUSE_FIELD.tiles]
    for cell, tile in (tiles or {}).items():
        rows[int(cell[1]) - 1]["ABCDEF".index(cell[0])] = tile
    layout = Layout(
        tuple("".join(row) for row in rows), HOUSE_FIELD.walls if walls is None else walls
    )
    return {message.code for message in broken_rules(layout, options)}


def test_house_field_keeps_every_rule() -> None:
    """The house field keeps every placement rule, diagonals counted too, and no two of its walls
    are joined.
    """
    assert () == broken_rules(HOUSE_FIELD, Options(adjacency="with_diagonals", max_joined_walls=1))


def test_tile_counts() -> None:
    """4 bat, 4 radar, 8 bullet, 7 wall and 13 blank tiles lie on the field."""
    assert {"field.count"} == broken({"B1": "o"})


def test_seven_walls() -> None:
    """There are seven walls."""
    assert {"field.wall_count"} == broken(walls=HOUSE_FIELD.walls[:6])


def test_blank_corners() -> None:
    """Corners are blank."""
    assert "field.corner" in broken({"A1": "o", "C2": "."})


def test_no_bat_next_to_a_bat() -> None:
    """No bat is next to a bat."""
    assert "field.bats_touch" in broken({"D1": "b", "A4": "."})


def test_no_radar_next_to_a_radar() -> None:
    """No radar is next to a radar."""
    assert "field.radars_touch" in broken({"C6": "b", "D6": "r", "D5": "r"})


def test_no_radar_next_to_a_corner() -> None:
    """No radar is next to a corner (radar on B1)."""
    assert "field.radar_by_corner" in broken({"B1": "r", "A3": "."})


def test_walls_stand_between_two_tiles() -> None:
    """A wall on the west edge of column A stands outside; it is reported and has no effect."""
    walls = (*HOUSE_FIELD.walls[:6], "@1-A1")

    assert "field.wall_outside" in broken(walls=walls)
    assert 6 == len(lay(Layout(HOUSE_FIELD.tiles, walls)).grid.walls)


def test_not_three_walls_joined() -> None:
    """No three walls are joined end to end; `max_joined_walls` is the limit."""
    straight = ("A4-A5", "B4-B5", "C4-C5")

    assert "field.walls_joined" in broken(walls=straight)
    assert "field.walls_joined" not in broken(walls=straight[:2])
    assert "field.walls_joined" in broken(walls=straight[:2], options=Options(max_joined_walls=1))


def test_all_tiles_are_connected() -> None:
    """A1 shut in by A1-B1 and A1-A2 is reported: two walls alone can cut off a corner."""
    layout = Layout(HOUSE_FIELD.tiles, ("A1-B1", "A1-A2"))

    assert [{"cells": "A1"}] == [
        message.params for message in broken_rules(layout, LEGAL) if message.code == "field.shut_in"
    ]


def test_each_wall_belongs_to_a_wall_tile() -> None:
    """One segment on one edge of each wall tile: walls and wall tiles pair off."""
    assert "field.wall_without_tile" in broken(walls=(*HOUSE_FIELD.walls[:6], "C2-D2"))


def test_diagonals_count_as_an_option() -> None:
    """ "Next to" is orthogonal; `with_diagonals` counts the diagonals too."""
    tiles = {"B2": "b", "A4": "."}

    assert "field.bats_touch" not in broken({**tiles, "C1": "b"})
    assert "field.bats_touch" in broken(
        {**tiles, "C1": "b"}, options=Options(adjacency="with_diagonals")
    )


@given(st.integers(), st.sampled_from(["orthogonal", "with_diagonals"]), st.integers(1, 3))
@settings(max_examples=300, deadline=None)
@pytest.mark.slow
def test_random_fields_are_legal(seed: int, adjacency: str, most: int) -> None:
    """A generated field keeps every placement rule of its options."""
    options = Options(adjacency=adjacency, max_joined_walls=most)  # type: ignore[arg-type]

    assert () == broken_rules(random_layout(Random(seed), options), options)


def test_random_fields_differ() -> None:
    """The same seed gives the same field, another seed another field."""
    fields = [random_layout(Random(seed), LEGAL) for seed in (1, 1, 2)]

    assert (True, False) == (fields[0] == fields[1], fields[0] == fields[2])


@pytest.mark.parametrize(
    ("layout", "reason"),
    [
        (Layout(("......",) * 5, ()), "field_not_6x6"),
        (Layout((".....",) * 6, ()), "field_not_6x6"),
        (Layout(("?.....", *("......",) * 5), ()), "unknown_tile"),
        (Layout(("......",) * 6, ("A1A2",)), "unreadable_wall"),
    ],
)
def test_unreadable_fields_are_refused(layout: Layout, reason: str) -> None:
    """A value that is no field is refused with a sentence."""
    with pytest.raises(InvalidSetup, match=reason):
        lay(layout)
