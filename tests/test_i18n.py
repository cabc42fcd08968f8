"""Codes become sentences in the language asked for, and never become nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import i18n
from companion.core.game import Message
from companion.i18n import SEAT_PARAMS, WORD_KEYS, Catalog, languages, web_root

ENGLISH = {
    "hit": "A groan! Hit.",
    "left.one": "{n} action left",
    "left.other": "{n} actions left",
    "lost.one": "{place}: {count} entry of {all}",
    "lost.other": "{place}: {count} entries of {all}",
    "put": "{a} on {b}",
}
ENGLISH |= {"shot": "A shot {direction}", "direction.N": "north"}
JAPANESE = {"hit": "命中", "left.other": "残り{n}アクション"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A web folder with an English and a Japanese catalogue."""
    (tmp_path / "i18n").mkdir()
    for language, catalogue in (("en", ENGLISH), ("ja", JAPANESE)):
        (tmp_path / "i18n" / f"{language}.json").write_text(json.dumps(catalogue), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("language", "message", "expected"),
    [
        ("en", Message("hit"), "A groan! Hit."),
        ("ja", Message("hit"), "命中"),
        ("en", Message("shot", {"direction": "N"}), "A shot north"),
        ("en", Message("shot", {"direction": "up"}), "A shot up"),
        ("en", Message("put", {"a": "H1a", "b": "C4"}), "H1a on C4"),
        ("en", Message("left", {"n": 1}), "1 action left"),
        ("en", Message("left", {"n": 2}), "2 actions left"),
        ("en", Message("left", {"n": 0}), "0 actions left"),
        ("en", Message("lost", {"place": "C4", "count": 1, "all": 9}), "C4: 1 entry of 9"),
        ("en", Message("lost", {"place": "C4", "count": 2, "all": 1}), "C4: 2 entries of 1"),
        ("ja", Message("left", {"n": 2}), "残り2アクション"),
        ("ja", Message("left", {"n": 1}), "残り1アクション"),
    ],
)
def test_a_code_becomes_a_sentence_in_a_language(
    root: Path, language: str, message: Message, expected: str
) -> None:
    """A code becomes a sentence with its parameters, words among them translated, in the form its
    number asks for.
    """
    assert expected == Catalog.load(language, root=root).translate(message)


def test_what_a_language_lacks_is_shown_in_english(root: Path) -> None:
    """A sentence that a language lacks is shown in English."""
    assert "H1a on C4" == Catalog.load("ja", root=root).translate(
        Message("put", {"a": "H1a", "b": "C4"})
    )


def test_an_unknown_language_is_english(root: Path) -> None:
    """A language without a catalogue falls back to English."""
    assert "A groan! Hit." == Catalog.load("xx", root=root).translate(Message("hit"))


def test_an_unknown_code_stays_readable(root: Path) -> None:
    """A code without a sentence is shown as itself with its parameters."""
    assert "new_thing cell=C4 n=3" == Catalog.load("en", root=root).translate(
        Message("new_thing", {"cell": "C4", "n": 3})
    )


def test_without_catalogues_codes_are_shown(tmp_path: Path) -> None:
    """A companion without its web folder still speaks, in codes."""
    assert "hit" == Catalog.load("en", root=tmp_path).translate(Message("hit"))


def test_the_browser_translates_the_same_parameters() -> None:
    """Parameters that are words have the same keys in web/core/i18n.js, those that are seats the
    same names, and the sentences of a bot's fault have words for its level and its fault.
    """
    source = (web_root() / "core" / "i18n.js").read_text(encoding="utf-8")
    table = source.partition("const WORD_KEYS = {")[2].partition("};")[0]

    assert dict(WORD_KEYS) == dict(re.findall(r'(\w+): "([\w.]+)"', table))
    seats = source.partition("const SEAT_PARAMS = new Set([")[2].partition("]")[0]
    assert set(SEAT_PARAMS) == set(re.findall(r'"(\w+)"', seats))
    fault = Message("bot_evicted", {"seat": "V", "level": "heuristic", "fault": "late"})
    sentence = Catalog.load("en").translate(fault)
    assert "The bot at V (for regular players) was late: the seat is free." == sentence


def test_a_missing_parameter_stays_visible() -> None:
    """A placeholder that got no parameter is left as it is, so that the mistake can be seen."""
    assert "H1a on {b}" == Catalog(ENGLISH).translate(Message("put", {"a": "H1a"}))


@given(st.text(max_size=40))
def test_a_parameter_is_never_read_as_a_sentence(text: str) -> None:
    """Braces and format characters inside a parameter are shown unchanged."""
    assert f"{text} on C4" == Catalog(ENGLISH).translate(Message("put", {"a": text, "b": "C4"}))


def test_the_languages_there_are(root: Path) -> None:
    """The languages are those that have a catalogue."""
    assert ["en", "ja"] == languages(root)


def test_the_web_folder_of_a_checkout() -> None:
    """In a checkout the web folder lies beside the package."""
    assert Path(i18n.__file__).resolve().parent.parent / "web" == web_root()


def test_the_web_folder_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an installed package the web folder lies inside it."""
    (tmp_path / "companion" / "web").mkdir(parents=True)
    monkeypatch.setattr(i18n, "__file__", str(tmp_path / "companion" / "i18n.py"))

    assert tmp_path / "companion" / "web" == web_root()
