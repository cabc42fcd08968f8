"""Manhunt on paper at a table: the path is typed after the end, stored, decided again and proved by
the browser's program.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.games.manhunt import Manhunt
from companion.games.manhunt.actions import AnswerQuestion, Ask
from companion.games.manhunt.options import F
from companion.replay.build import replay_json
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.games.manhunt.on_paper import PaperGame, random_game
from tests.games.manhunt.small_map import small
from tests.helpers.repetitions import soak
from tests.table.fairness import forged
from tests.table.lost_fugitive import LostFugitive
from tests.table.play import Play

GAMES = [Manhunt()]
CARDS: list[dict[str, Any]] = [
    {},
    {"announce": "distance", "fugitive_moves": 2, "shows": [], "nights": 2},
    {"announce": "direction", "fugitive_moves": 3, "may_stay": ["fugitive"], "shows": [1]},
]
PROVE = Path(__file__).parents[1] / "web" / "prove.mjs"


@pytest.fixture(scope="module", params=range(3))
def game(request: pytest.FixtureRequest) -> PaperGame:
    """A random game for two to four."""
    seed: int = request.param
    return random_game(small(**CARDS[seed]), 2 + seed, seed)


def record(play: Play) -> str:
    return "\n".join(export_record(read_bodies(play.folder), GAMES))


def proved(*records: str) -> list[dict[str, Any]]:
    """Return the browser's program's proofs of records."""
    lines = "\n".join(json.dumps([each, {}]) for each in records)
    result = subprocess.run(
        ["node", str(PROVE)], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.slow
def test_a_game_on_paper(game: PaperGame, tmp_path: Path) -> None:
    """Without a seal the typed path answers for all announcements, after a crash too; the replay
    has the typed path. The browser's program finds that nothing was sealed.
    """
    table = LostFugitive(tmp_path / "data", game, None)
    play = table.play
    play.table.enter_paper_path(table.pages)
    play.crash()
    report = verify_record(record(play).splitlines(), GAMES)

    assert (True, 0, len(table.pages)) == (report.ok, report.seals, report.pages), report.wrong
    assert () == play.table.state.run.paper.wrong  # type: ignore[union-attr]
    moments = replay_json(record(play))["moments"]
    truths = [moment["truth"] for moment in moments if moment.get("truth")]
    assert [page[-1] for page in table.pages if page][-1] == truths[-1]
    assert ["proof.nothing"] == [proof["wrong"] for proof in proved(record(play))]


@pytest.mark.parametrize("share", [30, *soak(0, 70)])
@pytest.mark.slow
def test_a_phone_that_is_lost(game: PaperGame, share: int, tmp_path: Path) -> None:
    """Seals and typed path together answer for all announcements, for `companion verify` and in the
    browser; without a typed path only the sealed part is proved; another path is found by both.
    """
    table = LostFugitive(tmp_path / "data", game, share)
    before = record(table.play)
    table.play.table.enter_paper_path(table.pages)
    typed = record(table.play)
    report = verify_record(typed.splitlines(), GAMES)
    pages = json.dumps(table.pages, separators=(",", ":"))
    others = [changed(table.pages, number) for number in range(len(table.pages))]
    records = [typed.replace(f'"pages":{pages}', f'"pages":{json.dumps(each)}') for each in others]
    untyped, correct, *wrong = proved(before, typed, *records)

    assert report.ok, report.wrong
    assert (None, None) == (untyped["wrong"], untyped["paper"]["pages"])
    assert (None, table.pages) == (correct["wrong"], correct["paper"]["pages"])
    assert correct["answers"] == report.paper.answers  # type: ignore[union-attr]
    audits = [
        GAMES[0].paper.audit(table.play.table.state.run.full_history(), each).wrong
        for each in others
    ]
    assert [bool(proof) for proof in audits] == [proof["wrong"] == "proof.paper" for proof in wrong]
    assert sum(map(bool, audits)) * 2 > len(audits)


@pytest.mark.slow
def test_a_secret_turn_under_a_hunters_name_is_refused(game: PaperGame, tmp_path: Path) -> None:
    """A fugitive's turn that a record gives to a hunter would need no seal: it is no hunter's."""
    table = LostFugitive(tmp_path / "data", game, 70)
    lines = forged.last_not_sealed(record(table.play).splitlines())
    last = max(number for number, line in enumerate(lines) if '"seat": "F", "public"' in line)
    lines[last] = lines[last].replace('"seat": "F", "public"', '"seat": "H1", "public"')

    assert ["proof.path"] == [proof["wrong"] for proof in proved("\n".join(lines))]


def changed(pages: list[list[str]], number: int) -> list[list[str]]:
    """Return the pages with the last place of one moved."""
    page = pages[number]
    other = "6" if page[-1:] != ["6"] else "9"
    return [*pages[:number], [*page[:-1], other], *pages[number + 1 :]]


@pytest.mark.slow
def test_a_wrong_answer_is_found(game: PaperGame, tmp_path: Path) -> None:
    """One answer on paper entered wrongly is named at the table, and found in the browser."""
    acts = game.acts
    index = next(
        index
        for index, (_, action) in enumerate(acts)
        if isinstance(action, AnswerQuestion)
        and action.found is None
        and (question := acts[index - 1][1])
        and isinstance(question, Ask)
        and question.question != "which_of"
    )
    action = acts[index][1]
    assert isinstance(action, AnswerQuestion)
    lie = [*acts[:index], (F, AnswerQuestion(not action.yes)), *acts[index + 1 :]]
    table = LostFugitive(tmp_path / "data", game, 0, lie)
    table.play.table.enter_paper_path(table.pages)

    (wrong,) = table.play.table.snapshot()["paper"]["typed"]["wrong"]
    assert wrong["message"]["code"].startswith("audit.")
    assert ["proof.paper"] == [proof["wrong"] for proof in proved(record(table.play))]
