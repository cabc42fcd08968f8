"""The language catalogues say the same things: same keys, same placeholders, nothing empty, short
enough.
"""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path
from typing import get_args

import pytest

import companion
from companion.config import Language
from companion.i18n import PLACEHOLDER, languages, read_catalogue

TELLERS = {"Message", "GameError"}
"""Whoever is called with a code to be said; the errors that derive from these are found in the
sources.
"""
LANGUAGES: tuple[str, ...] = get_args(Language)
SHORT = 14
"""Half-width cells up to which an English text is a button's and not a sentence."""
ROOM_SHORT, ROOM_SENTENCE = 2.5, 1.5
"""How much wider than in English a button's text and a sentence may be."""
SLACK = 8
"""Half-width cells that any text may have on top: one long word more."""


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


def difference(language: str) -> list[str]:
    """Return what is wrong with a language's placeholders, measured by the English ones."""
    english, other = read_catalogue("en"), read_catalogue(language)
    wrong = []
    for meaning in sorted(meanings(english) & meanings(other)):
        wanted = set().union(*placeholders(english, meaning).values())
        for key, got in placeholders(other, meaning).items():
            if got - wanted or (wanted - got) - ({"n"} if key.endswith(".one") else set()):
                wrong.append(f"{key}: {sorted(got)} instead of {sorted(wanted)}")
    return wrong


def test_every_language_of_the_settings_has_a_catalogue() -> None:
    """A language that can be set can be read, and the other way round."""
    assert sorted(LANGUAGES) == languages()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_flat_text(language: str) -> None:
    """A catalogue maps codes to sentences, and none of them is empty or padded."""
    catalogue = read_catalogue(language)

    assert [] == [
        key for key, text in catalogue.items() if not isinstance(text, str) or not text.strip()
    ]
    assert [] == [key for key, text in catalogue.items() if text != text.strip()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_codes(language: str) -> None:
    """What is said in one language is said in all."""
    english, other = meanings(read_catalogue("en")), meanings(read_catalogue(language))

    assert (set(), set()) == (english - other, other - english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_plurals_are_whole(language: str) -> None:
    """Whoever has a form for one has a form for the others, and no plain form beside them."""
    catalogue = read_catalogue(language)
    singulars = {key.removesuffix(".one") for key in catalogue if key.endswith(".one")}

    assert set() == {
        meaning
        for meaning in singulars
        if f"{meaning}.other" not in catalogue or meaning in catalogue
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_have_the_same_placeholders(language: str) -> None:
    """A sentence names the same parameters in every language; "one" need not name its number."""
    assert [] == difference(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_braces_are_placeholders(language: str) -> None:
    """Every brace belongs to a placeholder in small letters, so no typing slip reaches the
    screen.
    """
    left_over = {key: PLACEHOLDER.sub("", text) for key, text in read_catalogue(language).items()}

    assert [] == [key for key, text in left_over.items() if "{" in text or "}" in text]


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_translations_fit(language: str) -> None:
    """A button's text is at most 2.5 times as wide as in English, a sentence 1.5 times, and one
    word more.
    """
    english, other = read_catalogue("en"), read_catalogue(language)
    too_wide = {
        key: (cells(english[key]), cells(other[key]))
        for key in sorted(english.keys() & other.keys())
        if cells(other[key])
        > SLACK
        + cells(english[key]) * (ROOM_SHORT if cells(english[key]) <= SHORT else ROOM_SENTENCE)
    }

    assert {} == too_wide


def test_width_is_counted_in_cells() -> None:
    """Han and kana take two cells, Latin letters one, combining marks none."""
    assert (4, 4, 1) == (cells("番を"), cells("Undo"), cells("e\N{COMBINING ACUTE ACCENT}"))


def sources() -> list[ast.Module]:
    """Return the package's modules as trees."""
    return [
        ast.parse(path.read_text(encoding="utf-8"))
        for path in Path(companion.__path__[0]).rglob("*.py")
    ]


def codes_told(modules: list[ast.Module]) -> set[str]:
    """Return the codes written out in calls of `Message` and of every error with a message."""
    nodes = [node for module in modules for node in ast.walk(module)]
    tellers, before = set(TELLERS), 0
    while before < len(tellers):
        before = len(tellers)
        for node in nodes:
            if (
                isinstance(node, ast.ClassDef)
                and {base.id for base in node.bases if isinstance(base, ast.Name)} & tellers
            ):
                tellers.add(node.name)
    return {
        str(node.args[0].value)
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in tellers
        if node.args
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    }


def codes_found_by_the_doctor() -> set[str]:
    """Return the codes of the doctor's findings; all but the good ones have advice."""
    tree = ast.parse(
        (Path(companion.__path__[0]) / "doctor" / "checks.py").read_text(encoding="utf-8")
    )
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


def test_every_code_has_a_sentence() -> None:
    """Whatever the program says as a code is said in English as a sentence."""
    codes = codes_told(sources()) | codes_found_by_the_doctor()

    assert set() == codes - meanings(read_catalogue("en"))


def test_codes_are_found_in_sources() -> None:
    """The search for codes sees sayings, errors, and errors that derive from errors."""
    module = ast.parse(
        "class Refused(GameError): pass\nclass Late(Refused): pass\n"
        "Message('a', {}); Refused('b'); Late('c', n=1); print('d'); Message(variable)"
    )

    assert {"a", "b", "c"} == codes_told([module])
