"""What a finished record proves, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.vampireradar.options import HUMANS, V
from companion.games.vampireradar.rules import VampireRadar
from companion.i18n import web_root
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import ON_TABLE_LINES, verify_record
from companion.table.storage.log import read_bodies
from tests.table.fairness import forged
from tests.table.play import Play
from tests.table.test_vampireradar import play_on

GAME = VampireRadar()


class Game:
    """A finished game: its record and the last head that everybody saw."""

    def __init__(self, folder: Path) -> None:
        self.play = Play(folder, GAME)
        self.play.start("V", "H1", "H2")
        play_on(self.play, Random(5), 30)
        self.play.table.votes.undo(V)
        for seat in HUMANS[:2]:
            if self.play.table.snapshot()["vote"]:
                self.play.table.votes.cast(seat, True)
        play_on(self.play, Random(6), 10)
        self.play.clock.advance(200)
        if self.play.table.snapshot()["phase"] == "play":
            self.play.table.surrender(V)
        self.snapshot = self.play.table.snapshot()
        self.lines = list(export_record(read_bodies(folder), [GAME]))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return Game(tmp_path_factory.mktemp("proof") / "data")


def test_true_record(game: Game) -> None:
    """A true record verifies, and its last head is the one that everybody saw."""
    kept = {game.snapshot["position"]: game.snapshot["head"]}
    report = verify_record(game.lines, [GAME], kept)

    assert (True, game.snapshot["head"]) == (report.ok, report.head), report.wrong
    assert report.seals >= 2
    assert any('"rewound"' in line for line in game.lines)


def test_other_history(game: Game) -> None:
    """A record that leads to another head than the kept one is refused."""
    report = verify_record(game.lines, [GAME], {game.snapshot["position"]: "ab" * 32})

    assert "head_differs" == str(report.wrong)


def test_moved_in_hindsight(game: Game) -> None:
    """A line and its seal replaced together do not fit the seal of the dawn."""
    number, line = next(
        (i, json.loads(line)) for i, line in enumerate(game.lines) if '"opened"' in line
    )
    line["opened"] = line["opened"].replace('"nonce":"', '"nonce":"00', 1)
    report = verify_record(
        [*game.lines[:number], json.dumps(line), *game.lines[number + 1 :]], [GAME]
    )

    assert (False, number + 1, "seal_does_not_open") == (report.ok, report.line, str(report.wrong))


@pytest.mark.parametrize("forge", forged.UNCOMPUTED, ids=lambda forge: forge.__name__)
def test_an_event_that_nobody_computes(game: Game, forge: forged.Forge) -> None:
    """An answer on a line that the rules do not compute again is refused there."""
    report = verify_record(forge(game.lines), [GAME])

    assert "record_unreadable" == str(report.wrong)


@pytest.mark.parametrize("forge", forged.UNSEALED, ids=lambda forge: forge.__name__)
def test_a_secret_turn_without_a_seal(game: Game, forge: forged.Forge) -> None:
    """A secret turn needs a seal from before its events."""
    report = verify_record(forge(game.lines), [GAME])

    assert "turn_not_sealed" == str(report.wrong)


@pytest.mark.parametrize("forge", forged.CLOSED, ids=lambda forge: forge.__name__)
def test_a_secret_turn_that_is_not_opened(game: Game, forge: forged.Forge) -> None:
    """Each secret turn is opened before the next action, and the last one too."""
    report = verify_record(forge(game.lines), [GAME])

    assert "record_still_sealed" == str(report.wrong)


@pytest.mark.parametrize("forge", forged.MISPLACED, ids=lambda forge: forge.__name__)
def test_an_event_out_of_its_place(game: Game, forge: forged.Forge) -> None:
    """The game's lines stand in the order of their events, each after the start."""
    report = verify_record(forge(game.lines), [GAME])

    assert "record_has_gap" == str(report.wrong)


def test_a_nonce_that_is_used_twice(game: Game) -> None:
    """Each secret turn is sealed with a nonce of its own."""
    report = verify_record(forged.one_nonce(game.lines), [GAME])

    assert "seal_chain_broken" == str(report.wrong)


def test_the_browser_accepts_the_same_events_of_the_table() -> None:
    script = (web_root() / "proof/table_events.js").read_text(encoding="utf-8")

    assert sorted(ON_TABLE_LINES) == sorted(re.findall(r'"(\w+)"', script))


@pytest.mark.slow
def test_every_changed_value(game: Game) -> None:
    """A record with any one value changed, or a line left out, is refused against the kept head."""
    kept = {game.snapshot["position"]: game.snapshot["head"]}
    for number, text in enumerate(game.lines):
        rest = [*game.lines[:number], *game.lines[number + 1 :]]
        assert not _ok(rest, kept), text
        for changed in _changes(json.loads(text)):
            lines = [*game.lines[:number], json.dumps(changed), *game.lines[number + 1 :]]
            assert not _ok(lines, kept), (text, changed)


def _ok(lines: list[str], kept: dict[int, str]) -> bool:
    report = verify_record(lines, [GAME], kept)
    return report.ok and [report.head] == list(kept.values())


def _changes(line: dict[str, Any]) -> list[dict[str, Any]]:
    """Return copies of a line, each with one of its values changed ("automatic" only says who
    pressed).
    """
    changed = []
    for key, value in line.items():
        if key not in ("automatic", "by"):
            changed.append({**line, key: _other(value)})
    return changed


def _other(value: Any) -> Any:
    match value:
        case str():
            return value + "x"
        case int():
            return value + 1
        case list():
            return [*value, value[-1] if value else 0]
        case dict():
            key = next(iter(value))
            return {**value, key: _other(value[key])}
    return 0


@pytest.mark.parametrize("written", [2, "1", None])
def test_a_record_of_another_format(game: Game, written: object) -> None:
    """A record names its format in its first line; one in another format is refused there."""
    first = json.loads(game.lines[0])
    other = json.dumps({**first, "format": written})
    report = verify_record([other, *game.lines[1:]], [GAME])

    assert 1 == first["format"]
    assert report.wrong is not None
    assert (1, "record_newer") == (report.line, report.wrong.code)
