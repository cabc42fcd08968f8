"""Content files of V-Wars: the sample is complete; contradictions are refused by line and field."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.content.loader import ContentRefused, add_content, load_bytes
from companion.core.content import SAMPLE_LABEL
from companion.games.vwars import VWars, rules
from companion.games.vwars.content import (
    AddTroops,
    Ask,
    Board,
    Cards,
    ChangeSympathy,
    Election,
    RemoveTroops,
    cards,
)
from companion.games.vwars.rules import sample_cards

GAMES = [VWars()]
SAMPLE = (Path(rules.__file__).parent / "sample.toml").read_text(encoding="utf-8")


def wrong(text: str) -> set[tuple[str, str]]:
    """Return field and code of a file's errors; each has its line."""
    errors = load_bytes("own.toml", text.encode(), GAMES).errors
    assert all(error.line for error in errors)
    return {(error.field, error.message.code) for error in errors}


def test_the_sample_is_sound_and_labelled() -> None:
    """The sample is read without errors and warnings, and its title contains that it is a
    sample.
    """
    reading = load_bytes("sample.toml", SAMPLE.encode(), GAMES)

    assert ((), ()) == (reading.errors, reading.warnings)
    assert (SAMPLE_LABEL.lower(), True) == (sample_cards().title.lower(), sample_cards().sample)


def test_a_player_card_needs_no_id() -> None:
    """Nothing refers to a player card by its id: a file may leave it out, and plays alike."""
    text = re.sub(r'(\[\[player_card\]\]\n)id = "[^"]*"\n', r"\1", SAMPLE)
    reading = load_bytes("own.toml", text.encode(), GAMES)

    assert text != SAMPLE
    assert ((), ()) == (reading.errors, reading.warnings)
    assert isinstance(reading.content, Cards)
    assert cards(sample_cards()) == cards(reading.content)


def test_the_sample_s_map_and_cards() -> None:
    """Eight regions in a ring with two chords; 28 cities, four regions of four and four of three;
    84 cards, three a city in both colours, 42 of each with the required values.
    """
    cities = Counter(city.region for city in sample_cards().city)
    assert Counter({4: 4, 3: 4}) == Counter(cities.values())
    assert 2 * (8 + 2) == sum(len(region.adjacent) for region in sample_cards().region)
    assert {3} == set(Counter(card.city for card in sample_cards().player_card).values())
    both = {(card.city, card.side) for card in sample_cards().player_card}
    assert 2 * 28 == len(both)
    for side in ("human", "vampire"):
        values = Counter(card.value for card in sample_cards().player_card if card.side == side)
        assert {1: 12, 2: 14, 3: 10, 4: 6} == values


def test_the_sample_s_events_laws_and_roles() -> None:
    """14 events add vampire troops, one of them six; 4 are about human troops; 8 elections, one a
    region, by all ways; 3 of sympathy and one that asks. 12 laws a side have every effect; roles
    start in eight regions.
    """
    kinds = Counter(
        (type(event.effects[0]), getattr(event.effects[0], "side", ""))
        for event in sample_cards().event
    )
    assert 14 == kinds[AddTroops, "vampire"]
    assert 4 == kinds[AddTroops, "human"] + kinds[RemoveTroops, "human"]
    assert (3, 1) == (kinds[ChangeSympathy, ""], kinds[Ask, ""])
    effects = [effect for event in sample_cards().event for effect in event.effects]
    assert any(isinstance(effect, AddTroops) and effect.count == 6 for effect in effects)
    elections = [effect for effect in effects if isinstance(effect, Election)]
    assert (8, {"cities", "troops", "ask"}) == (
        len({election.region for election in elections}),
        {election.by for election in elections},
    )
    for side in ("human", "vampire"):
        laws = [law for law in sample_cards().law if law.side == side]
        named = {type(effect).__name__ for law in laws for effect in law.effects}
        assert (12, {"RiotStrength", "DeployCount", "Forbid", "ExtraMove", "Note"}) == (
            len(laws),
            named,
        )
    home = {city.id: city.region for city in sample_cards().city}
    assert 8 == len({home[role.start] for role in sample_cards().role})


@pytest.mark.parametrize(
    ("old", "new", "field", "code"),
    [
        ("value = 1\n", "value = 1\ncolour = 3\n", r"player_card\[\d+\].colour", "content.unknown"),
        (
            'do = "sympathy", change = 1',
            'do = "sing", change = 1',
            r"event\[\d+\].effects\[1\].do",
            "content.choice",
        ),
        (
            'city = "riot", count = 2',
            'city = "x", count = 2',
            r"event\[1\].effects\[1\].city",
            "content.dangling",
        ),
        (
            '"election", region = "frost"',
            '"election", region = "x"',
            r"event\[19\].+region",
            "content.dangling",
        ),
        ('region = "frost"\n', 'region = "x"\n', r"city\[1\].region", "content.dangling"),
        ('start = "icehaven"', 'start = "x"', r"role\[1\].start", "content.dangling"),
        ('city = "icehaven"\n', 'city = "x"\n', r"player_card\[1\].city", "content.dangling"),
        (
            'city = "icehaven"\n',
            'city = "icehavn"\n',
            r"player_card\[1\].city",
            "content.dangling_close",
        ),
        (
            'adjacent = ["amber", "sun", "moss"]',
            'adjacent = ["sun"]',
            r"region\[8\].adjacent",
            "content.one_sided",
        ),
        (
            'adjacent = ["amber", "sun", "moss"]',
            'adjacent = ["frost"]',
            r"region\[1\].adjacent",
            "content.one_sided",
        ),
        ('id = "icehaven"\n', 'id = "riot"\n', r"city\[1\].id", "content.reserved"),
        ('id = "nordlight"\n', 'id = "icehaven"\n', r"city\[2\].id", "content.twice"),
        ("massacre_at = 8", "massacre_at = 5", r"riot.massacre_at", "content.massacre_first"),
    ],
)
def test_what_does_not_hang_together_is_refused(old: str, new: str, field: str, code: str) -> None:
    """Unknown keys and effects, unknown ids, one-sided adjacency and the like are refused."""
    assert old in SAMPLE
    errors = wrong(SAMPLE.replace(old, new, 1))

    assert any(re.fullmatch(field, place) and reported == code for place, reported in errors), (
        errors
    )


def test_a_map_in_two_parts_is_refused() -> None:
    """Regions that cannot be reached from the first one are refused."""
    apart = re.sub(r"adjacent = \[.*?\]", "adjacent = []", SAMPLE)

    assert {("region[2].adjacent", "content.disconnected")} == wrong(apart)


def without(text: str, table: str, count: int) -> str:
    """Return the file with the first entries of a table alone."""
    parts = re.split(rf"(?m)^(?=\[\[{table}\]\])", text)
    return "".join(parts[: count + 1]) + re.sub(
        rf"(?s)\A\[\[{table}\]\].*?(?=^\[\[(?!{table})|\Z)", "", parts[-1], flags=re.M
    )


@pytest.mark.parametrize(
    ("table", "count", "code"),
    [
        ("player_card", 27, "content.few_cities"),
        ("player_card", 50, "content.few_cards"),
        ("role", 4, "content.few_roles"),
    ],
)
def test_too_little_is_refused(table: str, count: int, code: str) -> None:
    """Cards of fewer than ten cities, too few cards and fewer roles than players are refused."""
    assert (table, code) in wrong(without(SAMPLE, table, count))


@pytest.mark.parametrize("table", ["event", "law", "role"])
def test_other_numbers_than_the_box_s_are_named(table: str) -> None:
    """A file with other numbers of cards than the box is playable, with a warning."""
    own = re.split(r"(?m)^\[translations", SAMPLE)[0]
    reading = load_bytes("own.toml", without(own, table, 7).encode(), GAMES)

    assert () == reading.errors
    assert reading.warnings and {table} == {warning.field for warning in reading.warnings}


MAP = re.sub(r"(?s)\[riot\].*?(?=\[\[)", "", re.split(r"(?m)^\[\[player_card", SAMPLE)[0])
"""The head, the regions and the cities of the sample: the map alone."""


def test_a_map_alone_is_enough_with_real_cards(tmp_path: Path) -> None:
    """Head, regions and cities alone are a sound file that lays the board with real cards; as
    content it is refused.
    """
    reading = load_bytes("map.toml", MAP.encode(), GAMES)

    assert ((), (), True) == (reading.errors, reading.warnings, reading.is_board)
    assert isinstance(reading.content, Board)
    laid = VWars().setup_of_board(reading.content)
    assert {region.id: region.name for region in sample_cards().region} == {
        id: entry["name"] for id, entry in laid["map"].items()
    }
    assert {city.id for city in sample_cards().city} == {
        city for entry in laid["map"].values() for city in entry["cities"]
    }
    assert laid == VWars().setup_of_board(sample_cards())
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    with pytest.raises(ContentRefused) as refused:
        add_content(GAMES, [tmp_path / "map.toml"])
    assert ["content.only_board"] == [error.message.code for error in refused.value.reading.errors]


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (r'name = "Nordlight"', 'name = "Icehaven"', {("city[2].name", "content.name_twice")}),
        (r'name = "Icehaven"', f'name = "{"x" * 41}"', {("city[1].name", "content.too_long")}),
        (r"adjacent = \[.*?\]", "adjacent = []", set()),
        (r'(?s)\[\[city\]\]\nid = "reedwick".*', "", {("city", "content.too_few")}),
    ],
    ids=["a name twice", "a long name", "no neighbours", "too few cities"],
)
def test_a_map_is_looked_through(old: str, new: str, wanted: set[tuple[str, str]]) -> None:
    """Names twice or too long, and too few cities, are refused in a map; neighbours may be left out
    altogether.
    """
    assert re.search(old, MAP)

    assert wanted == {(field, code) for field, code in wrong(re.sub(old, new, MAP))}
