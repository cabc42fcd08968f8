"""A game on paper at a table: nothing is sealed, the path is typed after the end, kept, and decided anew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.game import GameError, InvalidAction, Seat
from companion.games import GAMES
from companion.games.vampireradar.model import END, HIDE, AnswerShot, V
from companion.games.vampireradar.rules import VampireRadar
from companion.hindsight.story import story
from companion.table.errors import Refused
from companion.table.log import read_bodies
from companion.table.proof import verify
from companion.table.record import export
from tests.games.scene import attack, shoot
from tests.table.play import Play

GAME = VampireRadar()
FIRST = {"tiles": ["..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."], "walls": ["D1-E1"]}
TRUE = [["B2"], ["B1", "A1"]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Two people without a vampire's phone have played until the vampire, hidden on B2, told of an attack on A1."""
    play = Play(tmp_path / "data", GAME)
    play.table.propose({"players": 3, "options": {"path": "paper"}, "field": FIRST})
    play.start("H1", "H2")
    play.submit("V", HIDE)
    play.submit("H1", shoot("H1a", "S"))
    play.submit("V", AnswerShot(False))
    play.submit("H1", END)
    play.submit("H2", END)
    return play


def over(play: Play) -> Play:
    play.submit("V", attack("A1"))
    play.submit("V", END)
    play.table.agree_draw(Seat("H1"))
    play.table.consent(Seat("H2"), True)
    return play


def record(play: Play) -> list[str]:
    return list(export(read_bodies(play.folder), [GAME]))


def paper(play: Play) -> dict[str, Any]:
    return dict(play.table.picture()["paper"])


def refusal(call: Any, *args: Any) -> str:
    with pytest.raises(GameError) as refused:
        call(*args)
    return refused.value.said.code


def test_the_path_is_typed_when_the_game_is_over(play: Play) -> None:
    """Before the end nothing is asked for and nothing taken; then the picture says what was told in each night, and as
    many pages are wanted."""
    assert "paper" not in play.table.picture()
    assert "not_over" == refusal(play.table.tell_paper, TRUE)
    over(play)

    assert [[], ["said.pawns_killed"]] == [[said["code"] for said in page] for page in paper(play)["told"]]
    assert None is paper(play)["typed"]
    with pytest.raises(InvalidAction):
        play.table.tell_paper(TRUE[:1])


def test_a_slip_of_typing_is_named_and_corrected(play: Play) -> None:
    """What does not fit is told to everybody by night; typed anew, all is right; both are kept through a crash."""
    over(play)
    play.table.tell_paper([["C2"], ["B1", "A1"]])
    (wrong,) = paper(play)["typed"]["wrong"]
    play.table.tell_paper(TRUE)
    play.crash()

    assert (1, "not_neighbours") == (wrong["page"], wrong["said"]["code"])
    assert (1, []) == (paper(play)["typed"]["answers"], paper(play)["typed"]["wrong"])


def test_a_record_on_paper(play: Play, tmp_path: Path) -> None:
    """The record decides anew, path and audit too, and says that nothing was sealed; another path or verdict in it is
    refused; told again it shows the typed path."""
    over(play)
    untyped = verify(record(play), GAMES)
    play.table.tell_paper(TRUE)
    lines = record(play)
    proof = verify(lines, GAMES, {play.table.picture()["position"]: play.table.picture()["head"]})

    assert (True, 2, None) == (untyped.ok, untyped.pages, untyped.paper)
    assert (True, 0, 2) == (proof.ok, proof.seals, proof.pages), proof.wrong
    assert not verify([line.replace('"B1","A1"', '"C1","A1"') for line in lines], GAMES).ok
    assert not verify([line.replace('"answers":1', '"answers":2') for line in lines], GAMES).ok
    truths = [moment["truth"] for moment in story("\n".join(lines))["moments"] if "truth" in moment]
    assert ["B2", "B1", "A1"] == [truth for truth in truths if truth]

    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    said = CliRunner().invoke(main, ["verify", str(path)]).output
    assert "no seal was given" in said
    assert "every answer is right (1)" in said


def test_verify_names_what_does_not_fit(play: Play, tmp_path: Path) -> None:
    """`companion verify` names each thing that does not fit in a sentence, and ends with 1."""
    over(play)
    path = tmp_path / "game.jsonl"
    play.table.tell_paper([["A1"], ["B1", "A1"]])
    path.write_text("\n".join(record(play)), encoding="utf-8")
    done = CliRunner().invoke(main, ["verify", str(path)])

    assert 1 == done.exit_code
    assert "page 0: A1 is not one of the 16 centre tiles B2 to E5." in done.output


def test_a_question_is_taken_back_by_who_asked(play: Play) -> None:
    """A shot to which nothing was said yet is taken back at once; an answer only by everybody's consent."""
    play.submit("V", END)
    play.submit("H1", shoot("H1a", "S"))
    play.table.undo(Seat("H1"))
    assert "H1" == play.table.picture()["to_move"]

    play.submit("H1", shoot("H1a", "S"))
    play.submit("V", AnswerShot(True))
    play.table.undo(Seat("H1"))
    assert "undo" == play.table.picture()["undo"]["asked"]["what"]


def test_no_bot_plays_on_paper(play: Play, tmp_path: Path) -> None:
    """No bot is given the seat whose place stands on paper, in a game or before it."""
    play.table.bot_levels = {GAME.name: ("greedy",)}
    assert "seat_of_person" == refusal(play.table.give, V, "greedy")

    other = Play(tmp_path / "other", GAME)
    other.table.bot_levels = play.table.bot_levels
    other.table.propose({"players": 2, "options": {"path": "paper"}})
    other.table.give(V, "greedy")
    with pytest.raises(Refused, match="seat_of_person"):
        other.table.start()


def test_a_game_with_a_phone_keeps_no_paper(tmp_path: Path) -> None:
    """A game with seals has no page to type, and its record names no such option."""
    play = Play(tmp_path / "data", GAME)
    play.start("V", "H1", "H2")
    play.table.forfeit(V)

    assert "no_paper" == refusal(play.table.tell_paper, [["C2"]])
    assert "path" not in json.loads(record(play)[0])["new"]["options"]
