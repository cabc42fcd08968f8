"""A table: submissions, secret turns, undo, consent, the lobby, and public snapshots."""

from __future__ import annotations

import json
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Action, IllegalAction, Message, Seat
from companion.table.broadcast import Subscription, Update
from companion.table.errors import Refused
from companion.table.fairness import commitment
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from companion.table.table import Table
from tests.helpers.texts import found_in
from tests.table.play import KEYS, Play
from tests.table.toy_game import (
    A,
    Ask,
    B,
    DrawLot,
    End,
    Flip,
    QuietGame,
    S,
    Shout,
    Step,
    Wait,
    Win,
)

END = End()


@pytest.fixture
def play(tmp_path: Path) -> Play:
    return Play(tmp_path / "data")


@pytest.fixture
def day(play: Play) -> Play:
    """The first secret turn is published; A is to move."""
    play.start("S", "A", "B")
    play.night("S", Step(3), END)
    return play


def refusal(table: Table, name: str, *arguments: Any, **named: Any) -> str:
    with pytest.raises((Refused, IllegalAction)) as refused:
        attrgetter(name)(table)(*arguments, **named)
    return refused.value.message.code


def submitted(play: Play, seat: str, *actions: Action) -> str:
    return refusal(play.table, "submit", Seat(seat), list(actions), id="refused")


class TestSubmit:
    def test_all_or_nothing(self, day: Play) -> None:
        """A list whose second action is illegal changes nothing and publishes nothing."""
        before = day.table.snapshot()

        assert "not_by_day" == submitted(day, "A", Wait(), Shout())
        assert before is day.table.snapshot()
        assert before["position"] == day.submit("A", Wait())

    def test_same_id(self, day: Play) -> None:
        """A repeated request is answered as before and played once, even after a crash."""
        first = day.submit("A", Wait(), id="one")
        second = day.submit("A", Wait(), id="one")
        day.crash()

        assert [first, first] == [second, day.submit("A", Wait(), id="one")]
        assert 1 == day.table.snapshot()["view"]["waits"]

    def test_id_reused(self, day: Play) -> None:
        """The same id with another body is refused."""
        day.submit("A", Wait(), id="one")

        assert "id_reused" == refusal(day.table, "submit", A, [END], id="one")

    def test_stale(self, day: Play) -> None:
        """An action decided before the game's last public change is refused; pencil marks make
        nothing stale.
        """
        position = day.table.snapshot()["position"]
        day.table.mark(A, "C3", "?")
        day.table.submit(A, [Wait()], id="1", expect=position)

        assert "stale" == refusal(day.table, "submit", A, [Wait()], id="2", expect=position)
        assert "stale" == refusal(day.table, "submit", A, [Wait()], id="3", expect=10_000)

    def test_automatic(self, day: Play) -> None:
        """The table picks up for the player in the same entry, but not when the setting is off."""
        day.submit("A", Wait())
        day.table.change_settings({"auto_pick_up": False})
        day.submit("A", Wait())

        assert ["waited", "bonus_taken", "settings_changed", "waited"] == day.events()[-4:]

    def test_holdup(self, day: Play) -> None:
        """While table and record differ, an action that would disclose a secret is held up, others
        are not.
        """
        differs = Message("board_differs", {"cell": "C3"})
        day.table.connect_board(dict, lambda action, running: differs)
        day.submit("A", Wait())

        assert "board_differs" == submitted(day, "A", Ask())

    def test_paused(self, day: Play) -> None:
        """While play is paused no action is accepted."""
        day.table.pause(True)

        assert "paused" == submitted(day, "A", Wait())
        day.table.pause(False)
        day.submit("A", Wait())

    def test_full_disk(self, day: Play) -> None:
        """When the disk is full the action is refused, memory does not run ahead, and the same turn
        goes on later.
        """
        (pages,) = day.log.connection.execute("PRAGMA page_count").fetchone()
        day.log.connection.execute(f"PRAGMA max_page_count={pages}")
        waits = 0
        with pytest.raises(Refused, match="disk_full"):
            while True:
                day.submit("A", Wait())
                waits += 1

        assert waits == day.table.snapshot()["view"]["waits"]
        day.log.connection.execute("PRAGMA max_page_count=100000")
        day.submit("A", Wait())
        day.crash()
        assert waits + 1 == day.table.snapshot()["view"]["waits"]


class TestNight:
    def test_whole(self, play: Play) -> None:
        """A secret turn without its end is refused and leaves nothing."""
        play.start("S")

        assert "night_unfinished" == submitted(play, "S", Step(1))
        assert {"own": {"number": 0}, "submitted": False}.items() <= play.table.seat_snapshot(
            S
        ).items()

    def test_nothing_shows(self, play: Play) -> None:
        """When a secret turn is handed in, nobody receives anything before dawn, and the snapshot
        stays the same object.
        """
        table = play.start("S", "A")
        listener = table.journal.subscribe()
        listener.get(0)
        before = table.snapshot()
        play.submit("S", Step(1), Shout(), END)
        play.clock.advance(11.99)

        assert before is table.snapshot()
        assert listener.get(0) is None

    def test_shown_again(self, play: Play) -> None:
        """A snapshot, a page of another seat, a preview and a new stream are the same while a turn
        waits for dawn as before it.
        """
        table = play.start("S", "A")
        table.journal.show_board({"state": "off"})
        before = [
            table.snapshot(),
            table.seat_snapshot(A),
            table.seat_snapshot(B),
            refusal(table, "preview", A, [Wait()]),
        ]
        play.submit("S", Step(1), Shout(), END)
        table.journal.show_board({"state": "off"})

        assert before == [
            table.snapshot(),
            table.seat_snapshot(A),
            table.seat_snapshot(B),
            refusal(table, "preview", A, [Wait()]),
        ]
        assert Update(table.snapshot(), []) == table.journal.subscribe().get(0)

    def test_seal_first(self, play: Play) -> None:
        """At dawn the seal is published, then every 2.5 seconds an event, and only then others may
        act.
        """
        table = play.start("S", "A")
        listener = table.journal.subscribe()
        play.submit("S", Step(1), Shout(), Step(1), Shout(), END)
        published = []
        for _ in range(80):
            play.clock.advance(0.25)
            while (update := listener.get(0)) is not None:
                published += [
                    (play.clock.monotonic(), line["event"]["event"]) for line in update.events
                ]
                if update.snapshot["revealing"]:
                    assert [] == update.snapshot["legal"]
                    assert "night_not_over" == submitted(play, "A", Wait())
                    assert "night_not_over" == refusal(table, "votes.undo", A)

        assert [
            (12.0, "night_sealed"),
            (14.5, "shouted"),
            (17.0, "shouted"),
            (17.0, "turn_ended"),
        ] == published
        play.submit("A", Wait())

    def test_others_wait(self, play: Play) -> None:
        """In the night others are refused alike, before and after the turn is handed in."""
        play.start("S", "A")
        before = submitted(play, "A", Wait())
        play.submit("S", END)

        assert "night_not_over" == before == submitted(play, "A", Wait())

    def test_once(self, play: Play) -> None:
        """A turn that was handed in cannot be changed."""
        play.start("S")
        play.submit("S", END)

        assert "already_submitted" == submitted(play, "S", Step(1), END)
        assert "already_submitted" == refusal(play.table, "preview", S, [Step(1)])
        assert play.table.seat_snapshot(S)["submitted"]

    def test_slow_night(self, play: Play) -> None:
        """A turn that takes longer than the floor is published on a whole second, 1.5 s or more
        after it was handed in.
        """
        play.start("S")
        play.clock.advance(30.2)
        play.submit("S", END)
        play.clock.advance(1.79)

        assert "night_fell" == play.events()[-1]
        play.clock.advance(0.02)
        assert "night_sealed" == play.events()[-1]

    def test_floor_of_the_night(self, play: Play) -> None:
        """A change of the floor in the night holds from the next one on: it would show whether the
        turn was handed in.
        """
        play.start("S")
        play.table.change_settings({"night_floor": 0})
        play.submit("S", END)
        play.clock.advance(11.9)

        assert "settings_changed" == play.events()[-1]

    def test_restart_in_the_night(self, play: Play) -> None:
        """A restart after a night was stored restarts the reveal with the same events at the same
        positions.
        """
        table = play.start("S", "A")
        play.submit("S", Step(2), Shout(), END)
        play.clock.advance(11.5)
        before = table.snapshot()
        play.crash()

        assert before == play.table.snapshot()
        play.clock.advance(11.9)
        assert before == play.table.snapshot()
        play.table.mark(A, "B2", "x")
        play.clock.advance(60)
        assert list(range(1, 11)) == [line["position"] for line in play.table.snapshot()["log"]]
        assert ["marked", "night_sealed", "shouted", "turn_ended"] == play.events()[-4:]

    def test_restart_in_the_dawn(self, play: Play) -> None:
        """Events published before a restart stay; the rest follow once."""
        play.start("S", "A")
        play.submit("S", Shout(), Shout(), END)
        play.clock.advance(14.6)
        before = play.table.snapshot()
        play.crash()

        assert before == play.table.snapshot()
        assert before["revealing"]
        play.clock.advance(2.6)
        assert ["night_sealed", "shouted", "shouted", "turn_ended"] == play.events()[-4:]

    def test_full_disk_at_dawn(self, play: Play) -> None:
        """A dawn that cannot be stored waits for room and then goes on."""
        play.start("S")
        play.submit("S", END)
        play.log.connection.execute("PRAGMA query_only=ON")
        play.clock.advance(30)

        assert "night_fell" == play.events()[-1]
        play.log.connection.execute("PRAGMA query_only=OFF")
        play.clock.advance(6)
        assert ["night_sealed", "turn_ended"] == play.events()[-2:]

    @pytest.mark.parametrize("restart", [False, True])
    def test_silent_steps(self, tmp_path: Path, restart: bool) -> None:
        """Nights of 0, 1 and 2 silent steps, with or without drafts, give the same bytes at the
        same moments but for the hex of their seals.
        """
        received = []
        for steps in range(3):
            play = Play(tmp_path / f"{steps}")
            play.start("S", "A")
            play.clock.advance(1 + 3 * steps)
            for draft in range(steps):
                play.table.preview(S, [Step(draft)])
            play.submit("S", *[Step(1)] * steps, END)
            if restart:
                play.crash()
            received.append(hear(play, play.table.journal.subscribe()))

        assert received[0] == received[1] == received[2]


def hear(play: Play, listener: Subscription) -> list[tuple[float, str]]:
    """Return the bytes of all updates, seals masked, each with its moment; the first is the present
    snapshot.
    """
    received: list[tuple[float, str]] = []
    for _ in range(80):
        while (update := listener.get(0)) is not None:
            moment = play.clock.monotonic() if received else 0.0
            received.append((moment, masked(update)))
        play.clock.advance(0.5)
    return received


def masked(update: Update) -> str:
    """Return an update as JSON without the digits of the seal, its words and the head that follows
    from it.
    """
    snapshot = update.snapshot
    text = json.dumps([snapshot, update.events]).replace(snapshot["head"], "head")
    sealed = snapshot["seal"]
    return (
        text.replace(sealed["seal"], "seal").replace(sealed["words"], "words") if sealed else text
    )


class TestPreview:
    def test_draft(self, play: Play) -> None:
        """A preview shows the state after the draft; nothing is stored, published or changed."""
        table = play.start("S")
        before, entries = table.snapshot(), len(play.log)
        preview = table.preview(S, [Step(3), Step(4)])

        assert {"number": 7} == preview["view"]["own"]
        assert preview["legal"]
        assert before is table.snapshot()
        assert (entries, {"number": 0}) == (len(play.log), table.seat_snapshot(S)["own"])

    @pytest.mark.parametrize("action", [Ask(), Flip(), DrawLot()])
    def test_no_oracle(self, day: Play, action: Action) -> None:
        """A draft that needs another seat's part, the hidden part or chance is refused, always
        alike.
        """
        with pytest.raises(Refused) as refused:
            day.table.preview(A, [action])

        assert Message("preview_refused") == refused.value.message
        with pytest.raises(Refused) as second:
            day.table.preview(A, [Wait(), Wait(), action])
        assert refused.value.message == second.value.message

    def test_of_others(self, day: Play) -> None:
        """A seat's preview has no part of another seat."""
        assert day.table.preview(A, [Wait()])["view"]["own"] is None


class TestUndo:
    def test_free(self, day: Play) -> None:
        """An action without a disclosure is taken back by its player alone, the automatic action
        before it, which is not repeated.
        """
        day.submit("A", Wait())
        day.table.votes.undo(A)

        assert {"kind": "free", "seat": "A"} == day.table.snapshot()["undo"]
        assert "rewound" == day.events()[-1]
        day.table.votes.undo(A)
        assert 0 == day.table.snapshot()["view"]["waits"]

    def test_after_an_answer(self, day: Play) -> None:
        """After an answer everybody must agree, the seat in secret too; everybody reads what was
        disclosed.
        """
        day.submit("A", Ask())
        day.table.votes.undo(A)
        vote = day.table.snapshot()["vote"]

        assert ("undo", ["A"], ["S", "A", "B"]) == (
            vote["what"],
            vote["agreed"],
            vote["needed"],
        )
        assert [{"code": "event.answered", "params": {}}] == vote["disclosed"]
        day.table.votes.cast(B, True)
        assert [True] == day.table.snapshot()["view"]["answers"]
        day.table.votes.cast(S, True)
        assert [] == day.table.snapshot()["view"]["answers"]
        assert [{"event": "rewound", "to": 1, "steps": 1, "by": "A"}] == [
            line["event"]
            for line in day.table.snapshot()["log"]
            if line["event"]["event"] == "rewound"
        ]

    def test_refused(self, day: Play) -> None:
        """One refusal closes the vote."""
        day.submit("A", Ask())
        day.table.votes.undo(A)
        day.table.votes.cast(B, False)

        assert "no_vote" == refusal(day.table, "votes.cast", S, True)
        assert [True] == day.table.snapshot()["view"]["answers"]

    def test_lapse(self, day: Play) -> None:
        """A vote lapses after 60 seconds; a repeated one renews it."""
        day.submit("A", Ask())
        day.table.votes.undo(A)
        day.clock.advance(50)
        day.table.votes.undo(A)
        day.clock.advance(59)
        assert day.table.snapshot()["vote"]
        day.clock.advance(2)

        assert "vote_lapsed" == day.events()[-1]
        assert day.table.snapshot()["vote"] is None

    def test_lapse_without_room(self, day: Play) -> None:
        """A vote whose time ends while the disk is full lapses when there is room again."""
        day.submit("A", Ask())
        day.table.votes.undo(A)
        day.log.connection.execute("PRAGMA query_only=ON")
        day.clock.advance(61)
        assert day.table.snapshot()["vote"]
        day.log.connection.execute("PRAGMA query_only=OFF")
        day.clock.advance(5)

        assert day.table.snapshot()["vote"] is None

    def test_asked_by_two(self, day: Play) -> None:
        """A second seat that asks for the same undo agrees to it; the time of the vote goes on,
        and with the last agreement the action is taken back.
        """
        day.submit("A", Ask())
        day.table.votes.undo(A)
        day.clock.advance(50)
        day.table.votes.undo(B)
        assert ["A", "B"] == day.table.snapshot()["vote"]["agreed"]
        day.table.votes.undo(B)
        day.clock.advance(11)
        assert "vote_lapsed" == day.events()[-1]
        for seat in (B, S, A):
            day.table.votes.undo(seat)

        assert [] == day.table.snapshot()["view"]["answers"]

    def test_closed_by_play(self, day: Play) -> None:
        """The next action closes the vote."""
        day.submit("A", Ask())
        day.table.votes.undo(A)
        day.submit("A", Wait())

        assert day.table.snapshot()["vote"] is None

    def test_other_seat(self, day: Play) -> None:
        """Another seat than its player needs everybody's consent even for an action without a
        disclosure.
        """
        day.submit("A", Wait())
        day.table.votes.undo(B)

        assert "undo" == day.table.snapshot()["vote"]["what"]

    def test_night(self, day: Play) -> None:
        """A published night falls again by consent; its seal stays in the chain and the next has
        the next number.
        """
        first = day.table.snapshot()["seal"]
        day.table.votes.undo(A)
        day.table.votes.cast(S, True)
        day.table.votes.cast(B, True)

        assert {"number": 2} == day.table.snapshot()["night"]
        assert {"number": 0} == day.table.seat_snapshot(S)["own"]
        day.night("S", Step(1), END)
        day.submit("A", Win())
        lines = [commitment.parse_line(line["opened"]) for line in day.table.opened_commitments()]
        assert [1, 2] == [line["number"] for line in lines]
        assert first["seal"] == lines[1]["prev"]

    @pytest.mark.parametrize("taken", [False, True])
    def test_end_taken_back_in_the_night(self, day: Play, taken: bool) -> None:
        """An `end` is taken back in the night alike, before and after the secret turn is handed in;
        the withdrawn turn leaves no gap in the numbers.
        """
        day.submit("A", END)
        day.submit("B", END)
        if taken:
            day.submit("S", Step(5), END)
        day.table.votes.undo(B)

        assert "B" == day.table.snapshot()["to_move"]
        assert "rewound" == day.events()[-1]
        assert {"number": 3} == day.table.seat_snapshot(S)["own"]
        day.clock.advance(60)
        assert "rewound" == day.events()[-1]
        day.crash()
        day.submit("B", END)
        day.night("S", END)
        assert 2 == day.table.snapshot()["seal"]["number"]

    def test_alone(self, play: Play) -> None:
        """If only the seat that asks is taken, no other consent is needed."""
        play.start("S")
        play.night("S", END)
        play.table.votes.undo(S)

        assert "night_fell" == play.events()[-1]

    def test_nothing(self, play: Play) -> None:
        """Before the first submission there is nothing to take back."""
        play.start("S")

        assert "nothing_to_undo" == refusal(play.table, "votes.undo", S)


class TestEnd:
    def test_draw(self, day: Play) -> None:
        """A draw needs the agreement of every seated player."""
        day.table.votes.draw(A)
        day.table.votes.draw(S)
        assert "play" == day.table.snapshot()["phase"]
        day.table.votes.draw(B)

        assert {"winner": "draw", "reason": "agreed"} == day.table.snapshot()["outcome"]

    @pytest.mark.parametrize("taken", [False, True])
    def test_surrender_in_the_night(self, play: Play, taken: bool) -> None:
        """Only a seat with a secret may give up; in the night nobody learns whether its turn was
        handed in.
        """
        play.start("S", "A")
        if taken:
            play.submit("S", Step(5), END)

        assert "cannot_surrender" == refusal(play.table, "surrender", A)
        play.table.surrender(S)
        assert ["night_fell", "won"] == play.events()[-2:]
        assert [] == play.table.opened_commitments()

    def test_opened(self, day: Play) -> None:
        """Seals are opened after the end and not before; every line opens its published seal."""
        seal = day.table.snapshot()["seal"]["seal"]
        assert "not_over" == refusal(day.table, "opened_commitments")
        day.submit("A", Win())

        (line,) = day.table.opened_commitments()
        assert seal == line["seal"] == commitment.commit(line["opened"])

    def test_again_without_room(self, day: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        """The table is open for the next game, and publishes that, even if the disk can store no
        proposal of the household's own board any more.
        """

        def refuse(*_: object) -> None:
            raise Refused("disk_full")

        day.submit("A", Win())
        lobby = day.table.lobby
        lobby.custom_boards = {day.table.snapshot()["game"]: {}}
        monkeypatch.setattr(lobby, "has_real_cards", lambda: True)
        monkeypatch.setattr(lobby, "propose", refuse)
        day.table.open_next_game()

        assert "lobby" == day.table.snapshot()["phase"]

    def test_again(self, day: Play) -> None:
        """After the end the table opens again; everybody moves on by a seat, with the same
        phone.
        """
        day.submit("A", Win())
        day.table.open_next_game(by=1)

        assert "lobby" == day.table.snapshot()["phase"]
        assert ["Person A", "Person B", "Person S"] == [
            seat["name"] for seat in day.table.snapshot()["seats"]
        ]
        assert S == day.table.seats.seat_of(KEYS["A"])
        day.table.start()
        assert 1 == day.table.snapshot()["night"]["number"]

    @pytest.mark.parametrize("by", [0, 1, 2, 3])
    def test_again_with_a_bot(self, play: Play, by: int) -> None:
        """Everybody moves on by the given number of seats, people and bots; none is lost."""
        names = play.table.state.seat_names()
        play.table.lobby.bot_levels = {play.table.state.proposal.game: ["easy"]}
        play.table.seats.give(names[0], "easy")
        play.table.seats.claim(names[1], "Ana", KEYS[names[1]])
        play.table.start()
        play.table.surrender(S)
        play.table.open_next_game(by=by)

        seats = {seat["seat"]: seat for seat in play.table.snapshot()["seats"]}
        size = len(names)
        assert "easy" == seats[names[-by % size]]["bot"]
        assert names[(1 - by) % size] == play.table.seats.seat_of(KEYS[names[1]])
        assert 2 == sum(seat["taken"] for seat in seats.values())


class TestLobby:
    def test_first_claim_wins(self, play: Play) -> None:
        """A second claim is refused, and everybody sees the attempt."""
        play.table.seats.claim(S, "Ana", KEYS["S"])

        assert "seat_taken" == refusal(play.table, "seats.claim", S, "Eve", KEYS["A"])
        assert ["seat_claimed", "seat_tried"] == play.events()
        assert KEYS["S"] == play.table.seats.key_of(S)

    def test_keys_are_sent_to_nobody(self, play: Play) -> None:
        """No key is in the snapshot."""
        play.table.seats.claim(S, "Ana", KEYS["S"])

        assert "" == found_in(json.dumps(play.table.snapshot()), KEYS["S"])

    def test_rekey(self, day: Play) -> None:
        """A seat moves to a new phone; the old key holds nothing any more."""
        day.table.seats.rekey(S, "ab" * 32)

        assert S == day.table.seats.seat_of("ab" * 32)
        assert day.table.seats.seat_of(KEYS["S"]) is None
        assert "seat_moved" == day.events()[-1]

    @pytest.mark.parametrize(
        "name", ["  ", "x" * 25, "a\x00b", "\u200b", "\u3164", "\u2800", "a\u202eb", "\u2067a"]
    )
    def test_bad_name(self, play: Play, name: str) -> None:
        """A name has 1 to 24 visible characters, and turns no words around it."""
        assert "bad_name" == refusal(play.table, "seats.claim", S, name, KEYS["S"])

    @pytest.mark.parametrize("name", ["Ana", "<b>", "🧛🏽‍♀️", "عمر", "é" * 24])
    def test_good_name(self, play: Play, name: str) -> None:
        """Emoji, right-to-left and markup are names like any other."""
        play.table.seats.claim(S, name, KEYS["S"])

        assert name == play.table.snapshot()["seats"][0]["name"]

    def test_free(self, day: Play) -> None:
        """In a game all others free a seat; a seat with a secret never."""
        assert "seat_kept" == refusal(day.table, "seats.free", S)
        day.table.seats.free(B, by=A)
        assert [seat["taken"] for seat in day.table.snapshot()["seats"]] == [True, True, True]
        day.table.votes.cast(S, True)

        assert [seat["taken"] for seat in day.table.snapshot()["seats"]] == [True, True, False]

    def test_warnings(self, play: Play) -> None:
        """A proposal that cannot be started has a warning; one that cannot be read is refused and
        changes nothing.
        """
        play.table.lobby.propose({"start": -1})
        lobby = play.table.snapshot()["lobby"]

        assert (False, "start_negative") == (lobby["ready"], lobby["warnings"][0]["code"])
        assert "not_ready" == refusal(play.table, "start")
        assert "unreadable_setup" == refusal(play.table, "lobby.propose", {"start": "here"})
        assert "unreadable_setup" == refusal(play.table, "lobby.propose", {"colour": 1})
        assert "wrong_players" == refusal(play.table, "lobby.propose", {"players": 9})
        assert "unknown_game" == refusal(play.table, "lobby.propose", {"game": "chess"})
        play.table.lobby.propose({"start": None})
        assert play.table.snapshot()["lobby"]["ready"]

    def test_fewer_players(self, play: Play) -> None:
        """A player at a seat that the proposal no longer has gets up if no other seat is free."""
        for seat in (S, A, B):
            play.table.seats.claim(seat, f"Person {seat}", KEYS[seat])
        play.table.lobby.propose({"players": 2})

        assert play.table.seats.key_of(B) is None
        assert ["seat_freed", "proposed"] == play.events()[-2:]

    def test_secret_seat_open(self, play: Play) -> None:
        """A game does not begin while the seat that begins in secret is empty, and the lobby shows
        that before.
        """
        assert "seat_open" == refusal(play.table, "start")
        assert "seat_open" == play.table.snapshot()["lobby"]["wrong_seat"]["code"]

    def test_marks(self, day: Play) -> None:
        """Pencil marks are shared, and can be rubbed out and switched off."""
        day.table.mark(A, "C3", "?")
        day.table.mark(B, "D4", "x")
        day.table.mark(B, "C3", "")

        assert {"D4": "x"} == day.table.snapshot()["marks"]
        assert "bad_mark" == refusal(day.table, "mark", A, "c3", "?")
        assert "bad_mark" == refusal(day.table, "mark", A, "C3", "V was here")
        day.table.change_settings({"marks": False})
        assert "bad_mark" == refusal(day.table, "mark", A, "C3", "?")
        assert "bad_settings" == refusal(day.table, "change_settings", {"night_floor": 7})


class TestRestart:
    def test_same_picture(self, day: Play) -> None:
        """After a crash everything is unchanged, in the middle of a turn."""
        day.table.mark(A, "C3", "?")
        day.submit("A", Wait())
        day.table.votes.undo(A)
        before = [day.table.snapshot(), day.table.seat_snapshot(S), day.table.seat_snapshot(A)]
        day.crash()

        assert before == [
            day.table.snapshot(),
            day.table.seat_snapshot(S),
            day.table.seat_snapshot(A),
        ]

    def test_loss_is_shown(self, day: Play) -> None:
        """A table whose log lost entries shows how many, and is paused."""
        entries = len(day.log)
        day.table.close()
        (day.folder / "table.sqlite").unlink()
        day.open()

        assert [{"event": "entries_lost", "count": entries}] == [
            line["event"] for line in day.table.snapshot()["log"]
        ]
        assert day.table.snapshot()["paused"]


class TestRecord:
    def lines(self, play: Play) -> list[str]:
        return list(export_record(read_bodies(play.folder), [QuietGame()]))

    def test_unfinished(self, day: Play) -> None:
        """Before the end the record holds no secret action, no line, and nothing of an unpublished
        night.
        """
        day.submit("A", Wait())
        day.submit("A", END)
        day.submit("B", END)
        before = self.lines(day)
        day.submit("S", Step(4), END)
        text = "\n".join(self.lines(day))

        assert before == self.lines(day)
        assert "" == found_in(text, "step")
        assert "" == found_in(text, "nonce")
        report = replay_record(before, [QuietGame()])
        assert (True, 0) == (report.ok, report.decided)
        assert report.sealed_at

    def test_whole_game(self, day: Play) -> None:
        """A finished record is decided again to the same events, with undone turns and drawn lines
        in it.
        """
        day.submit("A", Wait())
        day.table.votes.undo(A)
        day.submit("A", Ask())
        day.submit("A", END)
        day.submit("B", END)
        day.submit("S", Step(1), END)
        day.table.votes.undo(B)
        day.submit("B", END)
        day.night("S", Step(1), Shout(), END)
        day.submit("A", Win())
        lines = self.lines(day)
        report = replay_record(lines, [QuietGame()])

        assert (True, None, 0) == (report.ok, report.wrong, report.sealed_at)
        assert 9 == report.decided
        assert 2 == sum("opened" in json.loads(line) for line in lines)

    def test_heads(self, day: Play) -> None:
        """The public events of a record, in the order of their positions, give the heads that
        phones keep.
        """
        day.submit("A", Win())
        lines = [json.loads(line) for line in self.lines(day)]
        published = {line["position"]: line["table"] for line in lines if "table" in line}
        for line in lines:
            published |= dict(zip(line.get("positions", []), line.get("public", []), strict=True))
        head = lines[0]["head"]
        for position in range(lines[0]["position"] + 1, max(published) + 1):
            head = commitment.next_head(head, published[position])

        assert day.table.snapshot()["head"] == head

    def test_changed_record(self, day: Play) -> None:
        """A record with a changed answer or action is refused at its line."""
        day.submit("A", Ask())
        day.submit("A", Win())
        lines = self.lines(day)
        (number,) = [index for index, line in enumerate(lines) if '"answered"' in line]
        changed = [*lines[:number], lines[number].replace("true", "false"), *lines[number + 1 :]]
        report = replay_record(changed, [QuietGame()])

        assert (False, number + 1, Message("record_differs")) == (
            report.ok,
            report.line,
            report.wrong,
        )
        assert "record_unreadable" == str(replay_record(["{"], [QuietGame()]).wrong)

    def test_other_games(self, day: Play) -> None:
        """Each game of a folder has its record; one that was never played has none."""
        day.submit("A", Win())
        day.table.open_next_game()
        day.table.start()
        bodies = read_bodies(day.folder)

        assert list(export_record(bodies, [QuietGame()], number=1)) != list(
            export_record(bodies, [QuietGame()])
        )
        assert replay_record(export_record(bodies, [QuietGame()], number=1), [QuietGame()]).ok
        assert [] == list(export_record(bodies, [QuietGame()], number=7))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("change_settings", [{}]),
        ("change_settings", [{"sound": True}]),
        ("mark", [A, "A1", ""]),
        ("mark", [A, "B2", "x"]),
        ("seats.rename", [A, " Person  A "]),
        ("pause", [False]),
        ("aim", [A, []]),
    ],
)
def test_a_request_that_changes_nothing(day: Play, name: str, arguments: list[Any]) -> None:
    """A request that changes nothing writes no entry and publishes nothing."""
    day.table.mark(A, "B2", "x")
    entries, before = len(day.log), day.table.snapshot()
    attrgetter(name)(day.table)(*arguments)

    assert (entries, True) == (len(day.log), before is day.table.snapshot())


@pytest.mark.parametrize("is_rewound", [True, False])
def test_the_next_game_is_not_paused(day: Play, is_rewound: bool) -> None:
    """A game that ends while the table is paused does not pause the next one."""
    if is_rewound:
        day.table.check_memory(3, "0" * 64)
    day.table.pause(True)
    for seat in ("S", "A", "B"):
        day.table.votes.draw(Seat(seat))
    assert day.table.snapshot()["paused"]
    day.table.open_next_game()
    day.table.start()

    assert not day.table.snapshot()["paused"]
    day.crash()
    assert not day.table.snapshot()["paused"]
