"""A picked card is placed in a constant time, and the evening can be proved afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.game import Action, Seat
from companion.games.shisogari.actions import Accuse, Name, Pick, Take
from companion.games.shisogari.rules import Shisogari
from companion.table.errors import Refused
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.table.play import KEYS, Play

GAME = Shisogari()
SEATS = ("P1", "P2", "P3", "P4")
KEYS |= {f"P{number}": f"{number + 32:064x}" for number in range(1, 6)}


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Four players, and a floor for nights that is irrelevant here."""
    return Play(tmp_path / "data", GAME, night_floor=20)


def begun(play: Play, **options: int) -> Play:
    play.table.lobby.propose({"first": "P1", "options": {"last_card": "dealt", **options}})
    play.start(*SEATS, players=4)
    return play


def pick(play: Play) -> Seat:
    """Play the present turn to the pick; return the seat that has to place the card."""
    mover = Seat(play.table.snapshot()["to_move"])
    partner = Seat("P1" if mover != "P1" else "P2")
    item = next(iter(_legal(play, mover, Take(partner))))
    play.submit(mover, Name(item["item"]))
    back = play.table.seat_snapshot(mover)["legal"][0]["back"]
    play.submit(mover, Pick(back))
    assert play.table.snapshot()["secret"]
    return mover


def _legal(play: Play, seat: Seat, action: Action) -> list[dict[str, Any]]:
    play.submit(seat, action)
    return list(play.table.seat_snapshot(seat)["legal"])


def place(play: Play, seat: Seat) -> None:
    play.submit(seat, *play.table.decode(play.table.seat_snapshot(seat)["legal"][:1]))


def seconds_until_published(play: Play, commit: float | None) -> float:
    """Return the seconds from the pick to its outcome, placed after `commit` or by the table."""
    seat, started = pick(play), play.clock.monotonic()
    updates = play.table.journal.subscribe()
    updates.get(0)
    while play.clock.monotonic() < started + 30:
        if commit is not None and play.clock.monotonic() - started == commit:
            place(play, seat)
            assert updates.get(0) is None
        play.clock.advance(0.25)
        if (update := updates.get(0)) is not None:
            assert "night_sealed" == update.events[0]["event"]["event"]
            assert "turn_started" == update.events[-1]["event"]["event"]
            return play.clock.monotonic() - started
    raise AssertionError("never published")


@pytest.mark.parametrize("commit", [0.0, 1.5, 4.75, None])
def test_placing_takes_its_time(play: Play, commit: float | None) -> None:
    """Placed at once, late or never: all is stored five seconds after the pick, and published in
    one update a second later.
    """
    assert 6.0 == seconds_until_published(begun(play), commit)


def test_more_time_can_be_agreed(play: Play) -> None:
    """Players who need longer choose another time; it is one for all."""
    assert 21.0 == seconds_until_published(begun(play, place_seconds=20), None)


@pytest.mark.parametrize("is_placed", [True, False])
def test_a_pause_stops_the_time(play: Play, is_placed: bool) -> None:
    """In a pause nothing is revealed, placed or not; afterwards the time restarts."""
    seat = pick(begun(play))
    if is_placed:
        place(play, seat)
    play.clock.advance(3)
    play.table.pause(True)
    play.clock.advance(60)
    assert play.table.snapshot()["secret"]
    play.table.pause(False)
    play.clock.advance(5.75)
    assert play.table.snapshot()["secret"]
    play.clock.advance(0.25)
    assert not play.table.snapshot()["secret"]


@pytest.mark.parametrize("is_placed", [True, False])
def test_a_cut_off_placing_goes_on(play: Play, is_placed: bool) -> None:
    """After a crash the time restarts, and a card whose placing was stored counts."""
    pick(begun(play))
    if is_placed:
        play.clock.advance(5.5)
    play.crash()
    play.clock.advance(5.75)
    assert play.table.snapshot()["secret"]
    play.clock.advance(0.25)
    assert not play.table.snapshot()["secret"]


def test_every_seat_must_be_taken(play: Play) -> None:
    """If everybody has a hand, no seat may be empty."""
    with pytest.raises(Refused, match="seat_open"):
        play.start("P1", "P2", "P3", players=4)


def test_nobody_else_places(play: Play) -> None:
    """While a card is being placed all others are refused alike, and the giver's view has the given
    card.
    """
    seat = pick(begun(play))
    for other in SEATS:
        if other != seat:
            with pytest.raises(Refused, match="night_not_over"):
                play.submit(other, Take(seat))
    published = [
        event for page in play.table.seat_snapshot(Seat("P2"))["notes"] for event in page["events"]
    ]
    assert ["dealt", "card_passed"] == [event["event"] for event in published]


def game_table(play: Play, turns: int) -> list[str]:
    """Play `turns` turns, half of them placed by the table, then accuse; return the record."""
    begun(play)
    for number in range(turns):
        seat = pick(play)
        if number % 2:
            place(play, seat)
        play.clock.advance(10)
    return list(export_record(read_bodies(play.folder), [GAME]))


def test_a_record_has_no_secret_before_the_end(play: Play) -> None:
    """While the game runs its record has no deal, no chance and no placed card, and is marked as
    sealed.
    """
    lines = [json.loads(line) for line in game_table(play, 3)]

    assert {"game": "shisogari", "players": 4} == lines[0]["new"]
    assert all("chance" not in line and "secret" not in line for line in lines)
    assert 1 == replay_record(map(json.dumps, lines), [GAME]).sealed_at
    assert {"sealed"} == {
        key for line in lines if "sealed" in line and "seat" in line for key in line
    } & {"sealed", "actions"}


def test_an_evening_is_decided_again(play: Play) -> None:
    """At the end everything is in the record: deal, picks by chance, placings by hand or table;
    deciding it again gives the same, seals included; a changed draw is found.
    """
    game_table(play, 4)
    hunter = next(seat for seat in SEATS if _role(play, seat) == "hunter" and _moves_to(play, seat))
    suspect = next(Seat(seat) for seat in SEATS if seat != hunter)
    play.submit(hunter, Accuse(suspect))
    record = list(export_record(read_bodies(play.folder), [GAME]))

    assert replay_record(record, [GAME]).ok
    report = verify_record(record, [GAME])
    assert report.ok, report.wrong
    assert report.seals >= 4
    [first, *_] = [number for number, line in enumerate(record) if '"chance"' in line]
    for seed in range(20):
        changed = json.loads(record[first]) | {"chance": str(seed)}
        others = [*record[:first], json.dumps(changed), *record[first + 1 :]]
        if not replay_record(others, [GAME]).ok:
            return
    raise AssertionError("no other chance was found out")


def _role(play: Play, seat: str) -> str:
    return str(play.table.seat_snapshot(Seat(seat))["own"]["role"])


def _moves_to(play: Play, seat: str) -> bool:
    """Play on until it is this seat's turn."""
    while play.table.snapshot()["to_move"] != seat:
        pick(play)
        play.clock.advance(10)
    return bool(play.table.snapshot()["phase"] == "play")


def test_a_taken_back_pick_is_another_chance(play: Play) -> None:
    """When all agree to take a pick back, it is drawn again; the record still verifies."""
    begun(play)
    seat = pick(play)
    play.table.votes.undo(seat)
    for other in SEATS:
        if play.table.snapshot()["vote"]:
            play.table.votes.cast(Seat(other), True)
    assert "pick" == play.table.snapshot()["view"]["step"]
    play.submit(seat, Pick(play.table.seat_snapshot(seat)["legal"][0]["back"]))
    play.clock.advance(10)
    play.table.votes.draw(Seat("P1"))
    for other in SEATS[1:]:
        play.table.votes.draw(Seat(other))
    record = list(export_record(read_bodies(play.folder), [GAME]))

    assert "draw" == play.table.snapshot()["outcome"]["winner"]
    assert verify_record(record, [GAME]).ok


def test_dealing_is_chance(tmp_path: Path) -> None:
    """Another seed gives another deal."""
    deals = set()
    for seed in range(8):
        events = GAME.setup(GAME.seat_names(4), GAME.setup_type(), Random(seed))
        deals.add(str(events))
    assert 8 == len(deals)
