"""Deck files of Vampire Empire: each defect is named, and `companion content check` lists them
all.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path

import pytest

from companion.content.loader import load_bytes
from companion.core.game import Message
from companion.games import GAMES
from companion.i18n import Catalog

HEAD = (
    'format = 1\ngame = "vampire_empire"\ntitle = "Ours"\nlanguage = "nl"\nsample = '
    "false\ncard = [\n"
)
GOOD = (
    '  { id = "v", deck = "vampire", kind = "combat", name = "V", value = 1, borders = '
    '["noble"], copies = 40 },\n'
    '  { id = "h", deck = "human", kind = "combat", name = "H", value = 1, borders = ["noble"], '
    "copies = 40 },\n"
)
SAMPLE = resources.files("companion.games.vampire_empire") / "sample.toml"


def companion(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a subcommand to its end."""
    command = [sys.executable, "-m", "companion", *words]
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=60, env=dict(os.environ)
    )


HC, HS = 'deck = "human", kind = "combat"', 'deck = "human", kind = "support"'


@pytest.mark.parametrize(
    ("card", "field", "code"),
    [
        (f'{HC}, value = 1, borders = ["vampire"]', "borders", "deck.red_human"),
        (
            'deck = "human", kind = "vampire", value = 1, borders = ["noble"]',
            "kind",
            "deck.red_human",
        ),
        (
            'deck = "vampire", kind = "combat", value = 1, borders = ["holy"]',
            "borders",
            "deck.holy_vampire",
        ),
        (
            'deck = "vampire", kind = "vampire", value = 1, borders = ["noble"]',
            "borders",
            "deck.kind_border",
        ),
        (
            'deck = "human", kind = "holy", value = 1, borders = ["clergy"]',
            "borders",
            "deck.kind_border",
        ),
        (
            'deck = "vampire", kind = "combat", value = 1, borders = ["vampire"]',
            "borders",
            "deck.combat_border",
        ),
        (f'{HC}, value = 0, borders = ["noble"]', "value", "deck.no_value"),
        (f"{HC}, value = 1", "borders", "deck.borders"),
        (f'{HC}, value = 1, borders = ["noble"], cost_day = 1', "cost_day", "deck.only_support"),
        (f"{HS}", "effects", "deck.no_effects"),
        (f'{HS}, value = 1, effects = [{{ do = "cancel_card" }}]', "value", "deck.support_plain"),
        (f'{HS}, effects = [{{ do = "explode" }}]', "effects[1].do", "content.choice"),
        (f'{HS}, effects = [{{ do = "draw" }}]', "effects[1].count", "content.missing"),
        (
            f'{HS}, wen = "fight", effects = [{{ do = "cancel_card" }}]',
            "wen",
            "content.unknown_close",
        ),
        (f'{HC}, value = 1, borders = ["noble", "holy", "clergy"]', "borders", "content.too_many"),
        (f'{HC}, value = 1, borders = ["garlic"]', "borders[1]", "content.choice"),
    ],
)
def test_each_defect_is_refused_by_name(card: str, field: str, code: str) -> None:
    """An impossible card is named by its line and field."""
    text = f'{HEAD}{GOOD}  {{ id = "x", name = "X", {card} }},\n]\n'
    errors = [
        (finding.line, finding.field, finding.message.code)
        for finding in load_bytes("deck.toml", text.encode(), GAMES).errors
    ]

    assert (9, f"card[3].{field}", code) in errors
    assert {9} == {line for line, _, _ in errors}


def test_the_rest_of_a_deck_file() -> None:
    """A repeated id and a side without cards are refused; a deck unlike the box's is a doubt."""
    twice = load_bytes("deck.toml", f"{HEAD}{GOOD}{GOOD}]\n".encode(), GAMES)
    alone = load_bytes("deck.toml", f"{HEAD}{GOOD.splitlines()[0]}\n]\n".encode(), GAMES)
    small = load_bytes(
        "deck.toml", f"{HEAD}{GOOD.replace('copies = 40', 'copies = 39')}]\n".encode(), GAMES
    )

    assert ["content.twice", "content.twice"] == [finding.message.code for finding in twice.errors]
    assert ["deck.none.human"] == [finding.message.code for finding in alone.errors]
    assert ["deck.count.vampire", "deck.count.human"] == [
        finding.message.code for finding in small.warnings
    ]
    assert small.content is not None


def test_a_deck_whose_cards_cannot_be_read_is_not_judged() -> None:
    """If each card of a deck has a mistake, the mistakes are the only errors: nothing says that the
    deck has no card.
    """
    broken = load_bytes("deck.toml", f"{HEAD}{GOOD.replace('noble', 'garlic')}]\n".encode(), GAMES)

    assert ["content.choice", "content.choice"] == [
        finding.message.code for finding in broken.errors
    ]


@pytest.mark.parametrize(("language", "one"), [("en", "one card,"), ("nl", "één kaart,")])
def test_a_deck_of_one_card_is_counted_in_the_singular(language: str, one: str) -> None:
    """A deck of one card has "one card", not "1 cards"."""
    words = Catalog.load(language)
    for side in ("vampire", "human"):
        assert one in words.translate(Message(f"deck.count.{side}", {"n": 1}))


def test_the_sample_loads_without_a_warning() -> None:
    """Our own decks are checked like all others."""
    reading = load_bytes("sample.toml", SAMPLE.read_bytes(), GAMES)

    assert ((), ()) == (reading.errors, reading.warnings)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", '"x" is in the human deck, which has no vampire borders.'),
        ("nl", '"x" zit in het mensendeck, en dat heeft geen vampierranden.'),
        ("ja", "「x」は人間の山札で、吸血鬼の枠はありません。"),
    ],
)
@pytest.mark.slow
def test_check_prints_everything_in_three_languages(
    tmp_path: Path, language: str, words: str
) -> None:
    """`companion content check` names file, line and field of each fault and ends with 1."""
    deck = tmp_path / "deck.toml"
    red = (
        '  { id = "x", name = "X", deck = "human", kind = "combat", value = 1, borders = '
        '["vampire", "noble"] },\n'
    )
    deck.write_text(f"{HEAD}{GOOD}{red}  {{ }},\n]\n", encoding="utf-8")
    result = companion("content", "check", str(deck), "--language", language)

    assert 1 == result.returncode
    assert f"deck.toml:9: card[3].borders: {words}" in result.stderr.splitlines()
    assert "deck.toml:10: card[4].deck: " in result.stderr
    assert "Traceback" not in result.stderr


def lines(result: subprocess.CompletedProcess[str]) -> Sequence[dict[str, object]]:
    """Return the rules' answers."""
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.slow
def test_check_and_rules_take_a_sound_file(tmp_path: Path) -> None:
    """A sound file ends the check with 0, with its warnings printed; the rules play with it by its
    path, and refuse another.
    """
    deck = tmp_path / "deck.toml"
    deck.write_text(f"{HEAD}{GOOD.replace('copies = 40', 'copies = 20')}]\n", encoding="utf-8")
    result = companion("content", "check", str(deck))
    assert 0 == result.returncode
    assert 2 == result.stderr.count("deck.toml:6: card: warning: ")

    requests = [
        {"new": {"players": 2, "options": {"content": name}}}
        for name in (str(deck), "sample", "box", "none.toml")
    ]
    answers = lines(
        companion(
            "rules",
            "vampire_empire",
            stdin="".join(json.dumps(request) + "\n" for request in requests),
        )
    )
    assert [True, True, True, False] == [answer["ok"] for answer in answers]


@pytest.mark.slow
def test_serve_does_not_begin_with_a_broken_file(tmp_path: Path) -> None:
    """A table with an invalid file prints the errors and ends, with no game lost."""
    deck = tmp_path / "deck.toml"
    deck.write_text(f"{HEAD}]\n", encoding="utf-8")
    result = companion(
        "serve", "--data", str(tmp_path / "data"), "--board", "none", "--content", str(deck)
    )

    assert 2 == result.returncode
    assert 'deck.toml:6: card: at least 1 of "card" are needed, not 0.' in result.stderr
