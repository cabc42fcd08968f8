"""A game is one place: nothing in the package, or in what browsers run, has its name outside its
folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from companion.i18n import web_root

PACKAGE = Path(companion.__path__[0])
GAMES = sorted(path.parent.name for path in (PACKAGE / "games").glob("*/rules.py"))
SYNONYMS = (
    r"vampire[ -]?rade?r",
    r"vampire[ -]empire",
    r"v-wars",
    r"castles?",
    r"courts?",
    r"wars",
    r"hexes",
    r"hunts?",
    r"hunters?",
    r"vw",
    r'"V"',
    r"'V'",
)
"""Other words for one game or for a seat of one."""
NAME = re.compile(
    "|".join([*GAMES, *(rf"(?<![a-z0-9]){word}(?![a-z])" for word in SYNONYMS)]), re.IGNORECASE
)
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
"""Where the next word of a name begins, as in `castlePhone`."""
WEB = web_root()
WEB_ALLOWED = {
    "core/vendor/": "written by others",
    "core/base.css": "the colours of all seats",
    "i18n/speech/": "what one recording of all games says",
    "screens/table/speech/": "one recording of all games' sentences",
}
"""Where a game is named nevertheless below `web`, and why."""
SELECTOR = re.compile(r"\.V(?![\w-])")
"""The class of a game's seat in a style sheet."""
LISTED = re.compile(rf"(?:game|about)\.(?:{'|'.join(GAMES)})")
"""A key of the one list of games: each one's name and subject."""
SEAT = re.compile(r"(?<!\w)V(?!\w)")
"""A game's seat in a catalogue's key."""
TEXTS = {".js", ".ts", ".css", ".html", ".json"}
WEB_FILES = sorted(
    path
    for each in WEB.rglob("*")
    if each.suffix in TEXTS
    for path in [each.relative_to(WEB).as_posix()]
    if not path.startswith(("games/", "screenshots/"))
)
VERSION = re.compile(r'"v"')
"""A key of sealed lines, which is no seat."""
FILES = sorted(
    path
    for path in (
        each.relative_to(PACKAGE).as_posix()
        for each in PACKAGE.rglob("*")
        if each.suffix in {".py", ".toml"} | TEXTS
    )
    if not path.startswith("games/")
)
CHECKOUT = Path(__file__).resolve().parents[1]
HARDWARE = sorted(
    each.relative_to(CHECKOUT).as_posix()
    for folder in ("firmware", "hardware")
    for each in (CHECKOUT / folder).rglob("*")
    if each.suffix in {".c", ".h", ".py", ".toml", ".scad", ".service"}
)
"""What a board, its plans and a machine are made from."""


def named(source: str) -> Iterator[str]:
    """Yield the names of games, and synonyms, in a source."""
    yield from NAME.findall(HUMP.sub(" ", VERSION.sub("", source)))


def named_in_page(path: str, source: str) -> Iterator[str]:
    """Yield the names of games, and synonyms, in a file below `web` and in its own name: of a
    catalogue in its keys alone, for what people read may name a game.
    """
    yield from named(path)
    if path.endswith(".json"):
        for key in json.loads(source):
            if LISTED.fullmatch(key):
                continue
            yield from named(key.replace(".", " "))
            yield from SEAT.findall(key)
        return
    yield from named(source)
    if path.endswith(".css"):
        yield from SELECTOR.findall(source)


def test_no_game_is_named_in_a_page() -> None:
    """No file that browsers get, outside the games' folders, names a game: not in code, in a
    selector, in a catalogue's key or in its own name.
    """
    assert [] == [
        (path, name)
        for path in WEB_FILES
        if not path.startswith(tuple(WEB_ALLOWED))
        for name in named_in_page(path, (WEB / path).read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("allowed", WEB_ALLOWED)
def test_each_exception_in_a_page_is_needed(allowed: str) -> None:
    """Each listed file names a game, or is of another project."""
    paths = [path for path in WEB_FILES if path.startswith(allowed)]
    assert paths
    assert "vendor" in allowed or any(
        list(named_in_page(path, (WEB / path).read_text(encoding="utf-8"))) for path in paths
    )


def test_no_game_is_named() -> None:
    """No file outside the games' folders names a game, not even in a text."""
    assert [] == [
        (path, name)
        for path in FILES
        for name in named((PACKAGE / path).read_text(encoding="utf-8"))
    ]


def test_no_game_is_named_in_hardware() -> None:
    """Firmware, plans and units name no game."""
    words = re.compile("|".join([*GAMES, *SYNONYMS[:3]]), re.IGNORECASE)
    assert [] == [
        (path, name)
        for path in HARDWARE
        for name in words.findall((CHECKOUT / path).read_text(encoding="utf-8"))
    ]


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
        'import { edit } from "../games/vampireradar/table.js";',
        "const look = { className: 'castle' };",
        "const castlePhone = open();",
        "WAR_COURT = hunt_of(x)",
    ],
)
def test_a_planted_name_is_found(source: str) -> None:
    """Each form of a game's name is found."""
    assert [] != list(named(source))


def test_each_game_is_looked_for() -> None:
    """The names are those of all games."""
    expected = ["manhunt", "nosferatu", "shisogari", "vampire_empire", "vampireradar", "vwars"]
    assert expected == GAMES


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("screens/table/main.js", 'if (snapshot.game === "vwars") draw();'),
        ("core/base.css", ".play .V { color: red; }"),
        ("core/base.css", ".hexes .piece { fill: red; }"),
        ("i18n/en.json", '{"event.castle.died": "Somebody died."}'),
        ("i18n/en.json", '{"side.V": "Vampire"}'),
        ("i18n/games/nosferatu.en.json", "{}"),
        ("screens/hunt.js", ""),
    ],
)
def test_a_planted_name_is_found_in_a_page(path: str, source: str) -> None:
    """Code, a selector, a key and a file's name are checked."""
    assert [] != list(named_in_page(path, source))


def test_a_text_may_name_a_game() -> None:
    """The text of a catalogue may name games."""
    assert [] == list(named_in_page("i18n/en.json", '{"about": "V-Wars and Nosferatu"}'))
