"""The map file: what is read, and each fault with its line and field."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from msgspec import structs

from companion.content.loader import LoadedContent, load_bytes
from companion.games.manhunt.map_file import FORMAT, MapFile, Place, Rules, Way
from companion.games.nosferatu import Nosferatu
from tests.games.manhunt.small_map import SMALL, small


class _Maps(Nosferatu):
    name = "manhunt"
    content = FORMAT


def read(text: str) -> LoadedContent:
    return load_bytes("map.toml", text.encode(), [_Maps()])


def test_a_sound_map_is_read_whole() -> None:
    """The small map has no fault and no doubt; a field that is left out gets its default."""
    reading = read(SMALL)
    content = reading.content

    assert () == (*reading.errors, *reading.warnings)
    assert isinstance(content, MapFile)
    assert not reading.is_board
    assert small() == content
    assert ("street", "tram", "tunnel") == content.kinds
    assert ("hunter",) == content.rules.may_stay
    assert (7, 11) == content.ways[18].ends


FAULTS = [
    ("number = 12\nname", "number = 11\nname", "places[12].number", "content.map.number_twice"),
    ('"Gate"', '"Mill"', "places[12].name", "content.name_twice"),
    ("x = 350\ny = 250", "x = 401\ny = 250", "places[12].x", "content.at_most"),
    ("hideout = true", "hideaway = true", "places[12].hideaway", "content.unknown"),
    ("between = [1, 2]", "between = [1, 20]", "ways[1].between", "content.map.no_place"),
    ("between = [1, 2]", "between = [1]", "ways[1].between", "content.too_few"),
    ("between = [1, 2]", "between = [1, 1]", "ways[1].between", "content.map.way_to_itself"),
    ("between = [2, 3]", "between = [2, 1]", "ways[2]", "content.map.way_twice"),
    ("from = 7\nto = 11", "from = 7", "ways[19]", "content.map.way_ends"),
    ("from = 7\nto = 11", "from = 7\nto = 70", "ways[19].to", "content.map.no_place"),
    ("rounds = 8", "rounds = 5", "rules.shows[2]", "content.at_most"),
    ('announce = "kind"', 'announce = "kin"', "rules.announce", "content.choice_close"),
    (
        'announce = "kind"',
        'announce = "distance"',
        "rules.announce",
        "content.map.tickets_announced",
    ),
    ("[rules]\n", '[rules]\nends = ["targets"]\ntargets = 3\n', "rules.targets", "content.at_most"),
    ("[rules]\n", '[rules]\nends = ["caught"]\n', "rules.ends", "content.map.no_escape"),
    ("hunter]\ntram", "hunter]\nferry", "rules.tickets.hunter.ferry", "content.choice"),
]


@pytest.mark.parametrize(("old", "new", "field", "code"), FAULTS)
def test_each_fault_is_named_by_line_and_field(old: str, new: str, field: str, code: str) -> None:
    """A change that contradicts the rest is an error at its own line and field."""
    text = SMALL.replace(old, new, 1)
    reading = read(text)
    line = SMALL[: SMALL.index(old)].count("\n") + 1

    lines = {(each.field, each.message.code): each.line for each in reading.errors}
    assert (field, code) in lines
    assert abs((lines[field, code] or 0) - line) <= 3


def test_a_place_out_of_reach_is_a_fault() -> None:
    """Without its ways a place is out of reach, and no way leads on from it."""
    text = SMALL.replace("between = [11, 12]", "from = 11\nto = 8", 1).replace(
        "between = [8, 12]", "from = 11\nto = 4", 1
    )

    assert [
        ("places[12]", "content.map.unreached"),
        ("places[12]", "content.map.no_way_out"),
    ] == [(each.field, each.message.code) for each in read(text).errors]


def test_unusual_maps_have_warnings() -> None:
    """A start beside a hunter's, and a card that announces nothing, can be played."""
    near = read(SMALL.replace("y = 150\n\n", 'y = 150\nstarts = ["fugitive"]\n\n', 1))
    silent = read(
        SMALL.replace('announce = "kind"', 'announce = "nothing"')
        .replace("shows = [3, 6]\n", "")
        .replace('questions = ["was_here", "is_here", "within", "which_of"]\n', "")
        .partition("[rules.tickets.fugitive]")[0]
    )

    assert [("places[5].starts", "content.map.near_start")] == [
        (each.field, each.message.code) for each in near.warnings
    ]
    assert [("rules", "content.map.nothing_announced")] == [
        (each.field, each.message.code) for each in silent.warnings
    ]


def test_the_rule_card_is_documented() -> None:
    """docs/own-map.md has each field of the rule card, of a place and of a way, and each default of
    the rule card.
    """
    page = (Path(__file__).parents[3] / "docs/own-map.md").read_text(encoding="utf-8")
    cells = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    rows = {
        name: default
        for names, defaults, *_ in cells
        for name, default in zip(
            re.findall(r"`(\w+)`", names), re.findall(r"`([^`]+)`", defaults) or [""], strict=True
        )
    }
    fields = {field.encode_name for kind in (Place, Way) for field in structs.fields(kind)}

    assert {
        field.name: "" if field.name == "tickets" else json.dumps(field.default)
        for field in structs.fields(Rules)
    } == rows
    assert set() == {name for name in fields if f"`{name}`" not in page}
