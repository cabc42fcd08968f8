"""A game is one place: nothing in the package outside its folder knows its name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion

PACKAGE = Path(companion.__path__[0])
GAMES = sorted(path.parent.name for path in (PACKAGE / "games").glob("*/rules.py"))
SYNONYMS = (
    r"vampire[ -]?rade?r",
    r"vampire empire",
    r"v-wars",
    r"castles?",
    r"courts?",
    r"wars",
    r"hexes",
    r"hunts?",
    r"vw",
    r'"V"',
    r"'V'",
)
"""Other words for one game or for a seat of one."""
NAME = re.compile(
    "|".join([*GAMES, *(rf"(?<![\w-]){word}(?![\w-])" for word in SYNONYMS)]), re.IGNORECASE
)
ALLOWED = {
    "i18n.py": "one list of parameters that are words, as in web/core/i18n.js",
}
"""Where a game is named nevertheless, and why."""
VERSION = re.compile(r'"v"')
"""A key of sealed lines, which is no seat."""
FILES = sorted(
    path
    for path in (each.relative_to(PACKAGE).as_posix() for each in PACKAGE.rglob("*.py"))
    if not path.startswith("games/")
)


def named(source: str) -> Iterator[str]:
    """Yield the names of games, and synonyms, in a source."""
    yield from NAME.findall(VERSION.sub("", source))


@pytest.mark.parametrize("path", FILES)
def test_no_game_is_named(path: str) -> None:
    """A file outside the games' folders names no game, not even in a text; exceptions are listed
    with a reason.
    """
    if not path.startswith(tuple(ALLOWED)):
        assert [] == list(named((PACKAGE / path).read_text(encoding="utf-8")))


@pytest.mark.parametrize("allowed", ALLOWED)
def test_each_exception_is_needed(allowed: str) -> None:
    """A listed file names a game indeed."""
    sources = [
        (PACKAGE / path).read_text(encoding="utf-8") for path in FILES if path.startswith(allowed)
    ]
    assert any(list(named(source)) for source in sources)


@pytest.mark.parametrize(
    "source",
    [
        'if game.name == "vampireradar":',
        "from companion.games.nosferatu.bots import LEVELS",
        "from companion.games import shisogari",
        'CASTLE = "x"',
        'if seat == "V":',
        '"side": "vw.side"',
        '"""A game of V-Wars."""',
    ],
)
def test_a_planted_name_is_found(source: str) -> None:
    """Each way of naming a game is found."""
    assert [] != list(named(source))


def test_each_game_is_looked_for() -> None:
    """The names are those of all games there are."""
    assert ["nosferatu", "shisogari", "vampire_empire", "vampireradar", "vwars"] == GAMES
