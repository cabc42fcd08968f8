"""Each game's page of rulings in docs/games has the options of its rules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from companion.games import GAMES, find_game

FOLDER = Path(__file__).parents[2] / "docs" / "games"
PAGES = {
    "manhunt": "manhunt.md",
    "nosferatu": "nosferatu.md",
    "shisogari": "shisogari.md",
    "vampire_empire": "vampire-empire.md",
    "vampireradar": "vampireradar.md",
    "vwars": "v-wars.md",
}
"""The page of each game."""
QUOTED = re.compile(r"`([^`]+)`")
Rows = list[list[str]]


def tables(page: str) -> dict[str, Rows]:
    """Return the rows of the table under each heading, heads included, as the text of their
    cells.
    """
    by_heading: dict[str, Rows] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        lines = [
            line
            for line in text.splitlines()
            if line.startswith("|") and not line.startswith("|---")
        ]
        by_heading[heading] = [
            [cell.strip() for cell in line.strip("|").split("|")] for line in lines
        ]
    return by_heading


def page_of(game: str) -> dict[str, Rows]:
    return tables((FOLDER / PAGES[game]).read_text(encoding="utf-8"))


def options_of(game: str) -> Any:
    """Return the type of a game's options."""
    return get_type_hints(find_game(game).setup_type)["options"]


def as_documented(value: object) -> str:
    """Return a value as the page and a settings file write it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def values_of(kind: Any) -> set[str]:
    """Return the values that a type names: all of a choice, the two ends of a range."""
    if kind is bool:
        return {"true", "false"}
    if get_origin(kind) is Literal:
        return {as_documented(value) for value in get_args(kind)}
    ends = [
        getattr(meta, name)
        for meta in get_args(kind)
        for name in ("ge", "le")
        if isinstance(meta, msgspec.Meta)
    ]
    parts = [values_of(part) for part in get_args(kind) if not isinstance(part, msgspec.Meta)]
    return {as_documented(end) for end in ends if end is not None}.union(*parts)


def test_every_game_has_its_page() -> None:
    """Each game has a page that is checked against its rules, and there is no other page."""
    assert {game.name for game in GAMES} == set(PAGES)
    assert sorted(PAGES.values()) == sorted(path.name for path in FOLDER.iterdir())


@pytest.mark.parametrize("game", PAGES)
def test_the_page_has_every_option(game: str) -> None:
    """The table of options has each option of the rules once, with its default and the values that
    its type names.
    """
    head, *rows = page_of(game)["Options"]
    assert ["Option", "Default", "Values"] == head
    options = options_of(game)
    kinds = get_type_hints(options, include_extras=True)
    assert sorted(options.__struct_fields__) == sorted(cell.strip("`") for cell, *_ in rows)
    for name, default, values in rows:
        default_value = getattr(options(), name.strip("`"))
        documented = set(QUOTED.findall(values))
        assert values_of(kinds[name.strip("`")]) <= documented, name
        if default_value is None or default_value is msgspec.UNSET:
            assert default, name
        else:
            assert [as_documented(default_value)] == QUOTED.findall(default), name
            assert as_documented(default_value) in documented or type(default_value) is int, name


@pytest.mark.parametrize("game", PAGES)
def test_every_ruling_names_its_option(game: str) -> None:
    """A ruling has the rulebook's words, ours, and an existing option or "none, because" with a
    reason; every option stands beside a ruling.
    """
    head, *rows = page_of(game)["Rulings"]
    assert ["Rulebook", "Here", "Option"] == head
    fields = set(options_of(game).__struct_fields__)
    named: set[str] = set()
    for row in rows:
        assert 3 == len(row) and all(row), row
        if not re.match(r"none, because \w", row[2]):
            chosen = set(QUOTED.findall(row[2]))
            assert chosen and chosen <= fields, row
            named |= chosen
    assert fields == named
