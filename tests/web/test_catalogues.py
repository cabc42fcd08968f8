"""The language catalogues agree: same keys, same placeholders, nothing empty, short enough."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import get_args

import pytest

import companion
from companion.config import Language
from companion.core.codec import decode_event, tag_names
from companion.core.game import Game, Message
from companion.games import GAMES
from companion.i18n import PLACEHOLDER, languages, read_catalogue, web_root
from tools.secrecy.random_games import random_play

TELLERS = {"Message", "GameError"}
"""The functions and errors that take a message's code; errors that derive from these are found in
the sources.
"""
LANGUAGES: tuple[str, ...] = get_args(Language)
SHORT = 14
"""Half-width cells up to which an English text is a button's and not a sentence."""
ROOM_SHORT, ROOM_SENTENCE = 2.5, 1.5
"""How much wider than in English a button's text and a sentence may be."""
SLACK = 8
"""Half-width cells that any text may have on top: one long word more."""


TITLE = re.compile(r"{% block title %}([\w.]+){% endblock %}")
"""The catalogue's key of a page's title."""

APART = ("print", "proof")
"""What is in files of their own: paper, and the page that proves a record."""


def cells(text: str) -> int:
    """Return the width of a text in half-width cells: Han and kana are two wide, combining marks
    none.
    """
    wide = sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)
    return wide - sum(1 for letter in text if unicodedata.combining(letter))


def meanings(catalogue: dict[str, str]) -> set[str]:
    """Return the codes of a catalogue, plural forms counted as one."""
    return {key.removesuffix(".one").removesuffix(".other") for key in catalogue}


def placeholders(catalogue: dict[str, str], meaning: str) -> dict[str, set[str]]:
    """Return the placeholders in each form of a meaning."""
    forms = (meaning, f"{meaning}.one", f"{meaning}.other")
    return {key: set(PLACEHOLDER.findall(catalogue[key])) for key in forms if key in catalogue}


@cache
def all_words(language: str) -> dict[str, str]:
    """Return all sentences of a language; a game's key has its name before it."""
    shared: dict[str, str] = {}
    for path in catalogue_paths(web_root() / "i18n", language):
        shared |= json.loads(path.read_text(encoding="utf-8"))
    return shared | {
        f"{game.name} {key}": text
        for game in GAMES
        for path in catalogue_paths(web_root() / "games" / game.name / "i18n", language)
        for key, text in json.loads(path.read_text(encoding="utf-8")).items()
    }


def catalogue_paths(folder: Path, language: str) -> list[Path]:
    """Return the catalogues of a language under a folder, without those of files of their own."""
    paths = sorted(folder.rglob(f"{language}.json"))
    return [path for path in paths if path.parent.name not in APART]


def difference(language: str) -> list[str]:
    """Return the faults of a language's placeholders, compared with the English ones."""
    english, other = all_words("en"), all_words(language)
    errors = []
    for meaning in sorted(meanings(english) & meanings(other)):
        expected = set().union(*placeholders(english, meaning).values())
        for key, names in placeholders(other, meaning).items():
            if names - expected or (expected - names) - (
                {"n", "count"} if key.endswith(".one") else set()
            ):
                errors.append(f"{key}: {sorted(names)} instead of {sorted(expected)}")
    return errors


def test_every_language_of_the_settings_has_a_catalogue() -> None:
    """A language that can be set can be read, and the other way round."""
    assert sorted(LANGUAGES) == languages()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_flat_text(language: str) -> None:
    """A catalogue maps codes to sentences, and none of them is empty or padded."""
    catalogue = all_words(language)

    assert [] == [
        key for key, text in catalogue.items() if not isinstance(text, str) or not text.strip()
    ]
    assert [] == [key for key, text in catalogue.items() if text != text.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_codes(language: str) -> None:
    """A sentence in one language is in all."""
    english, other = meanings(all_words("en")), meanings(all_words(language))

    assert (set(), set()) == (english - other, other - english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_whole(language: str) -> None:
    """A key with a form for one has the other forms, and no plain form beside them."""
    catalogue = all_words(language)
    singulars = {key.removesuffix(".one") for key in catalogue if key.endswith(".one")}

    assert set() == {
        meaning
        for meaning in singulars
        if f"{meaning}.other" not in catalogue or meaning in catalogue
    }


NUMBERS = {
    "after", "before", "columns", "controlled", "count", "found", "height", "least", "left", "lost",
    "mb", "minutes", "most", "n", "places", "players", "printed", "rows", "tiles", "troops",
    "wanted",
}  # fmt: skip
"""Parameters that count something."""
NEVER_ONE = {
    "about.numbers", "card.rounds.hunters", "content.few_cards", "content.few_cities",
    "content.few_roles", "content.long_key", "content.map.kinds", "content.map.near_start",
    "content.massacre_first", "content.too_big", "content.too_long", "deal_cities", "deal_hand",
    "deal_seats", "doctor_look_none", "edit.few.places", "edit.few.ways", "event.cards_dealt",
    "event.set_up", "field.walls_joined", "figure.radar_best", "hand_full",
    "line_too_long", "map_cities", "players.n", "position_rows", "register_two",
    "scan.not_whole", "scan.too_large", "scan.too_long_side", "scan.too_many_pixels",
    "suggest.ask", "suggest.radar_next", "suggest.radar_now", "too_few_tiles",
    "too_many_pawns_acting", "vampire_empire_trim", "wrong_player_count", "wrong_players",
    "zoom",
}  # fmt: skip
"""Sentences whose numbers are limits of the rules, of the program or of a picture, above 1, or are
followed by a word with one form.
"""
COUNTED = {
    "en": re.compile(r"\{(\w+)\} (?:[a-z]+ )?(?:[a-z]{3,}s|are|were)\b"),
    "nl": re.compile(r"\{(\w+)\} (?:[a-z]+ )?[a-z]{3,}(?:en|s)\b"),
}
"""A parameter and what looks like a plural."""


@pytest.mark.parametrize("language", COUNTED)
def test_a_number_that_can_be_one_has_a_singular(language: str) -> None:
    """A sentence that counts something has a form for one, or its number is never 1."""
    alone = {
        key.rpartition(" ")[2]
        for key, sentence in all_words(language).items()
        if not key.endswith((".one", ".other")) and {*COUNTED[language].findall(sentence)} & NUMBERS
    }

    assert set() == alone - NEVER_ONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_placeholders(language: str) -> None:
    """A sentence names the same parameters in every language; "one" need not name its number."""
    assert [] == difference(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_braces_are_placeholders(language: str) -> None:
    """Every brace belongs to a placeholder in small letters, so that no typing error reaches the
    screen.
    """
    left_over = {key: PLACEHOLDER.sub("", text) for key, text in all_words(language).items()}

    assert [] == [key for key, text in left_over.items() if "{" in text or "}" in text]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_fit(language: str) -> None:
    """A button's text is at most 2.5 times as wide as in English, a sentence 1.5 times, and one
    word more.
    """
    english, other = all_words("en"), all_words(language)
    too_wide = {
        key: (cells(english[key]), cells(other[key]))
        for key in sorted(english.keys() & other.keys())
        if cells(other[key])
        > SLACK
        + cells(english[key]) * (ROOM_SHORT if cells(english[key]) <= SHORT else ROOM_SENTENCE)
    }

    assert {} == too_wide


@pytest.mark.parametrize("language", LANGUAGES)
def test_different_buttons_have_different_words(language: str) -> None:
    """*Undo* takes an action back, *Back* leaves a page."""
    catalogue = all_words(language)

    assert catalogue["undo"] != catalogue["back"]


def test_width_is_counted_in_cells() -> None:
    """Han and kana take two cells, Latin letters one, combining marks none."""
    assert (4, 4, 1) == (cells("番を"), cells("Undo"), cells("e\N{COMBINING ACUTE ACCENT}"))


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_key_stands_in_one_catalogue(game: str) -> None:
    """Each key of a game's page is there once: no catalogue hides another's sentence, and no
    line one before it."""
    folders = (web_root() / "i18n", web_root() / "games" / game / "i18n")
    keys = [
        key
        for folder in folders
        for path in catalogue_paths(folder, "en")
        for key, _ in json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    ]

    assert [] == [key for key, count in Counter(keys).items() if count > 1]


PACKAGE = Path(companion.__path__[0])
PLAYTHROUGHS = Path(__file__).parents[1] / "playthroughs"


@cache
def source_of(folder: Path) -> str:
    """Return the modules of a folder as one text."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py")))


CLASS = re.compile(r"^ *class (\w+)\(([^)]*)\)", re.MULTILINE)
CALL = re.compile(r"""(?<![\w.])(\w+)\(\s*(?:"([^"]*)"|'([^']*)')""")


@cache
def message_classes(source: str) -> set[str]:
    """Return the names of `Message` and of every error with a message."""
    bases = {name: set(re.findall(r"\w+", named)) for name, named in CLASS.findall(source)}
    classes, found = set(TELLERS), set(TELLERS)
    while found:
        found = {name for name, named in bases.items() if named & classes} - classes
        classes |= found
    return classes


def message_codes(source: str, classes: set[str]) -> set[str]:
    """Return the codes written out in calls of `classes`."""
    return {one or other for name, one, other in CALL.findall(source) if name in classes}


def doctor_codes() -> set[str]:
    """Return the codes of the doctor's findings; all but the good ones have advice."""
    tree = ast.parse((PACKAGE / "doctor" / "checks.py").read_text(encoding="utf-8"))
    strings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    bad = [
        call.args[1] for call in calls if isinstance(call.func, ast.Name) and call.func.id == "_bad"
    ]
    advised = {
        f"{code.value!s}_advice"
        for code in bad
        if isinstance(code, ast.Constant) and isinstance(code.value, str)
    }
    return {string for string in strings if string.startswith("doctor_")} | advised


@pytest.mark.slow
def test_every_code_has_a_sentence() -> None:
    """Each code in the program has an English sentence."""
    source = source_of(PACKAGE)
    codes = message_codes(source, message_classes(source)) | doctor_codes()

    assert set() == codes - meanings(read_catalogue("en"))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_code_of_a_game_has_a_sentence_of_its_own(game: Game) -> None:
    """Each code in a game's folder, and each event of random play, has an English sentence in the
    shared catalogues or in the game's own: a page never loads those of another game.
    """
    words = {
        key: text
        for folder in (web_root() / "i18n", web_root() / "games" / game.name / "i18n")
        for path in catalogue_paths(folder, "en")
        for key, text in json.loads(path.read_text(encoding="utf-8")).items()
    }
    classes = message_classes(source_of(PACKAGE))
    codes = message_codes(source_of(PACKAGE / "games" / game.name), classes)
    codes |= {
        message.code for message in played_messages(game) if message.code.startswith("event.")
    }

    assert set() == codes - meanings(words)


@cache
def played_messages(game: Game) -> list[Message]:
    """Return the message of each event of random play and of the recorded playthroughs."""
    recorded = [
        decode_event(game.events, json.loads(line[2:]))
        for path in sorted(PLAYTHROUGHS.glob(f"{game.name}-*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("= ")
    ]
    played = random_play(game, game.seats[-1], Random(37))
    return [
        event.message() for event in (*recorded, *(each for step in played for each in step[3]))
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_message_fills_its_sentence(game: Game) -> None:
    """The placeholders of a sentence are parameters of each message with its code."""
    words = read_catalogue("en", game.name)
    messages = [
        message
        for message in played_messages(game)
        if {message.code, f"{message.code}.other"} & words.keys()
    ]

    assert len(messages) > 50
    assert [] == [
        (message, unfilled)
        for message in messages
        for names in placeholders(words, message.code).values()
        if (unfilled := names - message.params.keys())
    ]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_games_events_use_its_sentences(game: Game) -> None:
    """Each sentence `event.NAME` or `secret.NAME` in a game's own catalogues is the message of one
    of its events: NAME is the event's, or `events.py` has it.
    """
    source = (PACKAGE / "games" / game.name / "events.py").read_text(encoding="utf-8")
    names = tag_names(game.events) | set(LITERAL.findall(source))
    codes = [PLACE.split(template) for template in re.findall(r'f"([^"]+)"', source)]
    templates = re.compile("|".join(r"[\w.]+".join(map(re.escape, parts)) for parts in codes))
    folder = web_root() / "games" / game.name / "i18n"
    keys = {
        key.partition(".")
        for path in catalogue_paths(folder, "en")
        for key in meanings(json.loads(path.read_text(encoding="utf-8")))
        if key.startswith(("event.", "secret."))
    }

    assert len(keys) > 5
    assert [] == sorted(
        f"{kind}.{name}"
        for kind, _, name in keys
        if name not in names and f"{kind}.{name}" not in names and not templates.fullmatch(name)
    )


def test_codes_are_found_in_sources() -> None:
    """The search for codes finds messages, errors, and errors that derive from errors."""
    source = (
        "class Refused(GameError): pass\nclass Late(Refused): pass\n"
        "Message('a', {}); Refused('b'); Late('c', n=1); print('d'); Message(variable)"
    )

    assert {"a", "b", "c"} == message_codes(source, message_classes(source))


LITERAL = re.compile(r"""["'`]([A-Za-z_][\w.]*)["'`]""")
TEMPLATE = re.compile(r"""["'`]([\w.]{3,}(?:\$?\{[^{}"`\n]*\}[\w.]*)+)["'`]""")
PLACE = re.compile(r"\$?\{[^{}]*\}")
DERIVED = re.compile(r"(_advice|_close|\.why|\.one|\.other)$")
"""Ends of keys that sources add to a code."""
NAMED = re.compile(r"(colour|direction|fault|help|register|setting|taken)[._]\w+$")
"""Words among the parameters, names of settings, and of what a board may register."""


def test_every_key_is_used() -> None:
    """A source names each key of a catalogue, or makes it of a text with a placeholder."""
    sources = "\n".join(
        path.read_text(encoding="utf-8")
        for folder in (web_root(), PACKAGE)
        for path in sorted(folder.rglob("*"))
        if path.suffix in (".js", ".py", ".html") and not path.name.endswith(".min.js")
    )
    literals = {*LITERAL.findall(sources), *TITLE.findall(sources)}
    templates = re.compile(
        "|".join(
            r"[\w.]+".join(map(re.escape, PLACE.split(template)))
            for template in sorted(set(TEMPLATE.findall(sources)))
        )
    )

    assert [] == [
        key
        for key in (key.partition(" ")[2] or key for key in all_words("en"))
        if not literals & {key, DERIVED.sub("", key)}
        and not templates.fullmatch(DERIVED.sub("", key))
        and not NAMED.match(key)
    ]


def test_lookers_on_know_the_sentence_of_each_event() -> None:
    """An event's sentence stands in its game's own catalogue, which overlay and wall load, and in
    none of a room.
    """
    for game in GAMES:
        folder = web_root() / "games" / game.name / "i18n"
        rooms = [path for path in catalogue_paths(folder, "en") if path.parent != folder]
        keys = [key for path in rooms for key in json.loads(path.read_text(encoding="utf-8"))]
        assert [] == [key for key in keys if key.startswith("event.")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_a_title_of_its_own(language: str) -> None:
    """Each page names a key of its title, and no two pages have the same words."""
    root = web_root()
    pages = [
        path
        for folder in ("templates", "games/*")
        for path in root.glob(f"{folder}/*.html")
        if path.name != "page.html"
    ]
    keys = [TITLE.findall(path.read_text(encoding="utf-8")) for path in pages]
    words = read_catalogue(language)

    assert len(pages) >= 15
    assert [1] * len(pages) == [len(each) for each in keys]
    assert [1] * len(pages) == [*Counter(words[key] for (key,) in keys).values()]
