"""A game on paper at a table: nothing is sealed, the path is typed after the end, kept, and decided
again.

The same where a phone is lost in mid-game: what was sealed before is opened at the end.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.game import GameError, InvalidAction, Seat
from companion.core.placement import Cell
from companion.games import GAMES
from companion.games.nosferatu.rules import Nosferatu
from companion.games.vampireradar.actions import END, HIDE, AnswerShot, Place
from companion.games.vampireradar.events import RadarCalled, ShotFired
from companion.games.vampireradar.options import V
from companion.games.vampireradar.rules import VampireRadar
from companion.replay.build import replay_json
from companion.table.errors import Refused
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.games.vampireradar.builders import attack, night_walk, shoot
from tests.games.vampireradar.on_paper import GAMES as RECORDED
from tests.table.lost_phone import LostPhone
from tests.table.play import Play

GAME = VampireRadar()
FIRST = {"tiles": ["..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."], "walls": ["D1-E1"]}
TRUE = [["B2"], ["B1", "A1"]]


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Two people without a vampire's phone have played until the vampire, hidden on B2, announced
    an attack on A1.
    """
    play = Play(tmp_path / "data", GAME)
    play.table.lobby.propose({"players": 3, "options": {"path": "paper"}, "field": FIRST})
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
    play.table.votes.draw(Seat("H1"))
    play.table.votes.cast(Seat("H2"), True)
    return play


def record(play: Play) -> list[str]:
    return list(export_record(read_bodies(play.folder), [GAME]))


def paper(play: Play) -> dict[str, Any]:
    return dict(play.table.snapshot()["paper"])


def refusal(call: Any, *args: Any) -> str:
    with pytest.raises(GameError) as refused:
        call(*args)
    return refused.value.message.code


def test_the_path_is_typed_when_the_game_is_over(play: Play) -> None:
    """Before the end no page is requested and none accepted; then the snapshot has each night's
    disclosures, and requests a page a night.
    """
    assert "paper" not in play.table.snapshot()
    assert "not_over" == refusal(play.table.enter_paper_path, TRUE)
    over(play)

    assert [[], ["event.pawns_killed"]] == [
        [message["code"] for message in page] for page in paper(play)["announced"]
    ]
    assert None is paper(play)["typed"]
    with pytest.raises(InvalidAction):
        play.table.enter_paper_path(TRUE[:1])


def test_a_slip_of_typing_is_named_and_corrected(play: Play) -> None:
    """Contradictions are shown to everybody by night; typed again, all is right; both are kept
    through a crash.
    """
    over(play)
    play.table.enter_paper_path([["C2"], ["B1", "A1"]])
    (wrong,) = paper(play)["typed"]["wrong"]
    play.table.enter_paper_path(TRUE)
    play.crash()

    assert (1, "not_neighbours") == (wrong["page"], wrong["message"]["code"])
    assert (1, []) == (paper(play)["typed"]["answers"], paper(play)["typed"]["wrong"])


def test_a_record_on_paper(play: Play, tmp_path: Path) -> None:
    """The record is decided again, path and audit too, without a seal; another path or verdict in
    it is refused; its replay shows the typed path.
    """
    over(play)
    untyped = verify_record(record(play), GAMES)
    play.table.enter_paper_path(TRUE)
    lines = record(play)
    proof = verify_record(
        lines, GAMES, {play.table.snapshot()["position"]: play.table.snapshot()["head"]}
    )

    assert (True, 2, None) == (untyped.ok, untyped.pages, untyped.paper)
    assert (True, 0, 2) == (proof.ok, proof.seals, proof.pages), proof.wrong
    assert not verify_record([line.replace('"B1","A1"', '"C1","A1"') for line in lines], GAMES).ok
    assert not verify_record(
        [line.replace('"answers":1', '"answers":2') for line in lines], GAMES
    ).ok
    truths = [
        moment["truth"] for moment in replay_json("\n".join(lines))["moments"] if "truth" in moment
    ]
    assert ["B2", "B1", "A1"] == [truth for truth in truths if truth]

    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    output = CliRunner().invoke(main, ["verify", str(path)]).output
    assert "no seal was given" in output
    assert "every answer is right (1)" in output


def test_verify_names_what_does_not_fit(play: Play, tmp_path: Path) -> None:
    """`companion verify` names each contradiction in a sentence, and ends with 1."""
    over(play)
    path = tmp_path / "game.jsonl"
    play.table.enter_paper_path([["A1"], ["B1", "A1"]])
    path.write_text("\n".join(record(play)), encoding="utf-8")
    result = CliRunner().invoke(main, ["verify", str(path)])

    assert 1 == result.exit_code
    assert "page 0: A1 is not one of the 16 centre tiles B2 to E5." in result.output


def test_a_vote_is_withdrawn_by_who_began_it(play: Play) -> None:
    """A shot without an answer yet is taken back at once; an answer only by everybody's consent."""
    play.submit("V", END)
    play.submit("H1", shoot("H1a", "S"))
    play.table.votes.undo(Seat("H1"))
    assert "H1" == play.table.snapshot()["to_move"]

    play.submit("H1", shoot("H1a", "S"))
    play.submit("V", AnswerShot(True))
    play.table.votes.undo(Seat("H1"))
    assert "undo" == play.table.snapshot()["vote"]["what"]


def test_no_bot_plays_on_paper(play: Play, tmp_path: Path) -> None:
    """No bot is given a seat whose place stands on paper, in a game or before it."""
    play.table.lobby.bot_levels = {GAME.name: ("greedy",)}
    assert "seat_of_person" == refusal(play.table.seats.give, V, "greedy")

    other = Play(tmp_path / "other", GAME)
    other.table.lobby.bot_levels = play.table.lobby.bot_levels
    other.table.lobby.propose({"players": 2, "options": {"path": "paper"}})
    assert "wrong_seat" not in other.table.snapshot()["lobby"]
    other.table.seats.give(V, "greedy")
    assert "seat_of_person" == other.table.snapshot()["lobby"]["wrong_seat"]["code"]
    with pytest.raises(Refused, match="seat_of_person"):
        other.table.start()


def test_a_game_with_a_phone_keeps_no_paper(tmp_path: Path) -> None:
    """A game with seals has no page to type, and its record names no such option."""
    play = Play(tmp_path / "data", GAME)
    play.start("V", "H1", "H2")
    play.table.surrender(V)

    assert "no_paper" == refusal(play.table.enter_paper_path, [["C2"]])
    assert "path" not in json.loads(record(play)[0])["new"]["options"]


@pytest.fixture
def sealed(tmp_path: Path) -> Play:
    """Three people with phones have played until the vampire, hidden on B2, walked to B1 in its
    first night.
    """
    play = Play(tmp_path / "data", GAME)
    play.table.lobby.propose({"players": 3, "field": FIRST})
    play.start("V", "H1", "H2")
    play.night("V", Place(Cell("B2")))
    play.submit("H1", shoot("H1a", "S"))
    play.submit("H1", END)
    play.submit("H2", END)
    play.night("V", night_walk("B1"), END)
    return play


def agree(play: Play, *seats: str) -> None:
    for seat in seats:
        play.table.votes.cast(Seat(seat), True)


def lose_phone(play: Play) -> None:
    """H1 asks to go on on paper, H2 agrees, and the vampire's phone is silent."""
    play.table.votes.switch_to_paper(Seat("H1"))
    agree(play, "H2")
    play.clock.advance(60)


def lose_phone_at_once(play: Play) -> None:
    play.table.votes.switch_to_paper(Seat("H1"))
    agree(play, "H2", "V")


def end_on_paper(play: Play) -> None:
    """The vampire goes from B1 to A1 and attacks there; then all agree on a draw."""
    play.submit("H1", END)
    play.submit("H2", END)
    play.submit("V", attack("A1"))
    play.submit("V", END)
    draw(play)


def draw(play: Play) -> None:
    play.table.votes.draw(Seat("H1"))
    agree(play, "H2", "V")


WRITTEN = [["B1"], ["A1"]]


def test_a_lost_phone_is_waited_for(sealed: Play) -> None:
    """A connected phone may refuse. One that is silent for a minute counts as lost, once all others
    agreed, through a crash too; while another is silent the vote lapses. The seat that began
    may withdraw.
    """
    sealed.table.votes.switch_to_paper(Seat("H1"))
    assert ["V", "H1", "H2"] == sealed.table.snapshot()["vote"]["needed"]
    sealed.table.votes.cast(V, False)
    assert "vote_refused" == sealed.events()[-1]
    sealed.table.votes.switch_to_paper(Seat("H1"))
    sealed.clock.advance(60)
    assert "vote_lapsed" == sealed.events()[-1]
    sealed.table.votes.switch_to_paper(Seat("H1"))
    sealed.table.votes.cast(Seat("H1"), False)
    assert "vote_refused" == sealed.events()[-1]

    sealed.table.votes.switch_to_paper(Seat("H1"))
    agree(sealed, "H2")
    sealed.clock.advance(59)
    assert "vote_agreed" == sealed.events()[-1]
    sealed.crash()
    sealed.clock.advance(60)
    assert "switched_to_paper" == sealed.events()[-1]
    assert "on_paper_already" == refusal(sealed.table.votes.switch_to_paper, Seat("H1"))


def test_a_phone_that_agrees_is_not_waited_for(sealed: Play) -> None:
    """With the vampire's own consent, or at its own request, the game goes on at once; the human's
    half-finished turn stands as it was, and the vampire's place is on its own page alone.
    """
    before = sealed.table.snapshot()
    sealed.table.votes.switch_to_paper(V)
    agree(sealed, "H1", "H2")
    after = sealed.table.snapshot()

    assert "switched_to_paper" == sealed.events()[-1]
    assert (before["to_move"], before["legal"], before["seal"]) == (
        after["to_move"],
        after["legal"],
        after["seal"],
    )
    assert None is sealed.table.seat_snapshot(V)["own"]
    moved = [event for note in sealed.table.seat_snapshot(V)["notes"] for event in note["events"]]
    assert ["B2", "B1"] == [event.get("cell", event.get("to")) for event in moved]


def test_a_phone_is_lost_by_night(sealed: Play) -> None:
    """By night too it goes on on paper; a night that was handed in and not yet published is dropped
    without a trace.
    """
    sealed.submit("H1", END)
    sealed.submit("H2", END)
    sealed.submit("V", night_walk("C1"), END)
    lose_phone_at_once(sealed)
    sealed.clock.advance(60)

    assert ("V", False, None) == tuple(
        sealed.table.snapshot()[name] for name in ("to_move", "revealing", "night")
    )
    sealed.submit("V", attack("A1"))
    sealed.submit("V", END)
    assert "H1" == sealed.table.snapshot()["to_move"]
    draw(sealed)
    sealed.table.enter_paper_path(WRITTEN)
    assert (True, 2) == (
        verify_record(record(sealed), GAMES).ok,
        verify_record(record(sealed), GAMES).seals,
    )
    assert [] == paper(sealed)["typed"]["wrong"]


def test_nobody_is_asked_while_a_night_is_published(sealed: Play) -> None:
    """A night is published to its end first, and then the vote may begin."""
    sealed.submit("H1", END)
    sealed.submit("H2", END)
    sealed.submit("V", night_walk("C1"), END)
    while not sealed.table.snapshot()["revealing"]:
        sealed.clock.advance(1)

    assert "night_not_over" == refusal(sealed.table.votes.switch_to_paper, Seat("H1"))


def test_the_phone_is_found_again(sealed: Play) -> None:
    """If all agree, the vampire's phone among them, paper is taken back like an action; the next
    night is sealed.
    """
    lose_phone(sealed)
    sealed.table.votes.undo(Seat("H1"))
    agree(sealed, "H2", "V")
    assert "B1" == sealed.table.seat_snapshot(V)["own"]["cell"]

    sealed.submit("H1", END)
    sealed.submit("H2", END)
    sealed.night("V", night_walk("C1"), END)
    sealed.table.surrender(V)
    assert (True, 3, 0) == tuple(
        getattr(verify_record(record(sealed), GAMES), name) for name in ("ok", "seals", "pages")
    )


def test_no_bot_goes_on_on_paper(tmp_path: Path) -> None:
    """A vampire played by a bot needs no phone, and a game without a secret has no paper."""
    play = Play(tmp_path / "data", GAME)
    play.table.lobby.bot_levels = {GAME.name: ("greedy",)}
    play.table.lobby.propose({"players": 2})
    play.table.seats.give(V, "greedy")
    play.start("H1", players=2)

    assert "seat_of_person" == refusal(play.table.votes.switch_to_paper, Seat("H1"))
    assert "no_paper_here" == refusal(Nosferatu().paper.switch_to_paper, None)


@pytest.mark.parametrize(("name", "share"), [("01-3p", 30), ("02-4p", 50), ("03-2p", 70)])
@pytest.mark.slow
def test_a_recorded_game_goes_on_on_paper(name: str, share: int, tmp_path: Path) -> None:
    """A game whose phone is lost in the middle, by its true answers: the seals open, the written
    path fits, and both together prove every answer; one wrong answer, or one other step in the
    record, is named.
    """
    lost = LostPhone(tmp_path / "data", RECORDED / f"{name}.jsonl", share)
    lost.play.table.enter_paper_path(lost.pages)
    lines = record(lost.play)
    proof = verify_record(lines, GAMES)
    answers = sum(isinstance(event, RadarCalled | ShotFired) for event in lost.game.phone)

    assert (True, answers, ()) == (
        proof.ok,
        proof.paper and proof.paper.answers,
        proof.paper and proof.paper.wrong,
    )
    assert proof.seals > 1
    truths = [
        moment["truth"] for moment in replay_json("\n".join(lines))["moments"] if "truth" in moment
    ]
    assert lost.pages[-1][-1:] in ([], truths[-1:])

    lying = LostPhone(tmp_path / "lying", RECORDED / f"{name}.jsonl", share, lies=True)
    lying.play.table.enter_paper_path(lying.pages)
    assert ["audit.radar"] == [
        wrong["message"]["code"] for wrong in paper(lying.play)["typed"]["wrong"]
    ]


def test_seals_and_paper_are_distinguished(sealed: Play, tmp_path: Path) -> None:
    """`companion verify` prints how many seals were opened, and that the path after them was on
    paper; untyped, that this cannot be checked. A paper that begins elsewhere is named.
    """
    lose_phone(sealed)
    end_on_paper(sealed)
    path = tmp_path / "game.jsonl"

    def verify_output(*pages: list[str]) -> str:
        if pages:
            sealed.table.enter_paper_path(pages)
        path.write_text("\n".join(record(sealed)), encoding="utf-8")
        return CliRunner().invoke(main, ["verify", str(path)]).output

    untyped = verify_output()
    assert "2 seals opened" in untyped
    assert "After the seals the path was kept on paper: it was never typed, so" in untyped
    assert "every answer is right (1)" in verify_output(*WRITTEN)
    assert "page 0: The last sealed night ended on B1; C1 was typed." in verify_output(
        ["C1"], ["A1"]
    )
    assert 2 == sealed.table.snapshot()["view"]["paper_from"]
