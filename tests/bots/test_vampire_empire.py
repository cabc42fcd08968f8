"""Vampire Empire's bots: whole games from their own views alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.bot_programs import SeatPrograms
from companion.bot_seats import BotSeats
from companion.bots.vampire_empire import LEVELS, choose_action, interrupt
from companion.clock import SimulatedClock
from companion.core.codec import json_value
from companion.core.game import PublicEvent, State
from companion.core.view import view
from companion.games import GAMES
from companion.games.vampire_empire.actions import PlaySupport
from companion.games.vampire_empire.cards import HUMAN, SEATS, VAMPIRE, CancelCard, Card, Mark
from companion.games.vampire_empire.decks import Decks
from companion.games.vampire_empire.model import Combat, Laid, Own
from companion.games.vampire_empire.rules import VampireEmpire
from companion.table.errors import Refused
from companion.table.log import Log, read_bodies
from companion.table.proof import verify
from companion.table.record import export
from companion.table.table import Table
from tests.games.empire_scene import scene

GAME = VampireEmpire()
MOST = 2000


def game(seed: int, vampire: str, human: str) -> str:
    """Play a game of bots of these levels; return who won."""
    rng = Random(seed)
    state = GAME.initial()
    story: list[PublicEvent] = []
    events = GAME.setup(SEATS, GAME.setup_type(), rng)
    for _ in range(MOST):
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                story.append(event)
        if outcome := GAME.outcome(state.public):
            return outcome.winner
        levels = {VAMPIRE: vampire, HUMAN: human}
        mover = GAME.to_move(state.public)
        assert mover is not None
        cut = {seat: interrupt(view(state, seat), story, levels[seat], rng) for seat in SEATS}
        assert cut[mover] is None
        seat, action = next(((seat, action) for seat, action in cut.items() if action), (mover, None))
        action = action or choose_action(view(state, seat), story, levels[seat], rng)
        assert action in GAME.legal_actions(view(state, seat))
        events = list(GAME.decide(state, seat, action, rng))
    raise AssertionError("no end")


@pytest.mark.parametrize(("vampire", "human"), [(one, two) for one in LEVELS for two in LEVELS])
def test_whole_games(vampire: str, human: str) -> None:
    """Every game of bots ends; simple ones against each other win a fifth or more with either side."""
    ends = Counter(game(seed, vampire, human) for seed in range(60))

    if vampire == human:
        assert min(ends["vampire"], ends["human"]) >= 12, ends


CUT = Card("h-cut", "Cut", "human", "support", cost_day=1, cost_night=1, when="both", effects=(CancelCard(),))
GUARD = Card("h-guard", "Guard", "human", "support", cost_night=1, effects=(Mark("noble"),))


@pytest.mark.parametrize(("defence", "expected"), [((1, 3), PlaySupport("h-cut")), ((3, 3), None), ((1, 1), None)])
def test_a_bot_saves_an_attack(defence: tuple[int, int], expected: PlaySupport | None) -> None:
    """While the defence lays cards, the attacker lets one go if that turns the last round, and only then."""
    fight = Combat(
        HUMAN, "monk", "maid", 2, VAMPIRE, (Laid("h3c", 3),), tuple(Laid(f"v{value}s", value) for value in defence)
    )
    state = scene(human="h-cut h1n", turn=HUMAN, step="fight", supports=[CUT], fight=fight)

    assert expected == interrupt(view(state, HUMAN), [], "greedy", Random(1))
    assert interrupt(view(state, VAMPIRE), [], "greedy", Random(1)) is None


@pytest.mark.parametrize(
    ("castle", "more", "expected"),
    [
        ("officer monk maid", " h1n h1n h1n h1n h1n", PlaySupport("h-guard")),
        ("lady monk maid", " h1n h1n h1n h1n h1n", None),
        ("officer monk maid", " h1n h1n", None),
    ],
    ids=["a friend", "nobody known", "too dear"],
)
def test_a_bot_guards_a_friend(castle: str, more: str, expected: PlaySupport | None) -> None:
    """Before the other player's action a known friend gets a marker, unless that would cost too much of the hand."""
    state = scene(human="h-guard" + more, castle=castle, supports=[GUARD])

    assert expected == interrupt(view(state, HUMAN), [], "greedy", Random(1))


def test_a_bot_knows_its_own_view_alone() -> None:
    """What the other one holds and who is who change nothing of what a bot does, in its turn or in between."""
    rng = Random(3)
    state = GAME.initial()
    for event in GAME.setup(SEATS, GAME.setup_type(), rng):
        state = GAME.evolve(state, event)
    own = state.private
    blind = State(state.public, {**own, HUMAN: replace(own[HUMAN], characters=("maid",), hand=own[HUMAN].hand[::-1])})

    for level in LEVELS:
        chosen = [choose_action(view(one, VAMPIRE), [], level, Random(9)) for one in (state, blind)]
        assert chosen[0] == chosen[1]
    guarding = scene(vampire="h-guard v1n v1n v1n v1n v1n", human="h1n", supports=[GUARD], turn=HUMAN)
    other = State(guarding.public, {**guarding.private, HUMAN: Own(("maid", "cook"), ("h1n",))}, None)
    cut = [interrupt(view(one, VAMPIRE), [], "greedy", Random(9)) for one in (guarding, other)]
    assert [PlaySupport("h-guard")] * 2 == cut


def cut_ins(lines: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the supports of a record that somebody played while the other one was to act."""
    mover = None
    for line in map(json.loads, lines):
        if line.get("actions") and line["actions"][0]["type"] == "support" and line["seat"] != mover:
            yield line
        mover = line.get("to_move", mover)


def quick_decks() -> Decks:
    """Return decks in which one card of the vampire player stops every attack, and half of the human player's are
    supports that take such a card away for nothing."""
    borders: Any = (("noble", "servant"), ("clergy", "servant"), ("noble", "clergy"))
    sides: Any = (("human", 3), ("vampire", 9))
    cards = [
        Card(f"{deck}-{at}", "Card", deck, "combat", value=value, borders=two, copies=4)
        for deck, value in sides
        for at, two in enumerate(borders)
    ]
    cancel = Card("cancel", "Cancel", "human", "support", when="fight", effects=(CancelCard(),), copies=12)
    return Decks(game="vampire_empire", title="Quick", language="en", sample=True, card=(*cards, cancel))


def test_a_bot_is_heard_before_who_is_quick(tmp_path: Path) -> None:
    """A person who presses a tenth of a second after each change leaves the bot its supports in a fight: it cuts in
    before "no more cards" counts, and that press is refused as made too early."""
    clock, rng, refused = SimulatedClock(), Random(4), Counter[str]()
    with ThreadPoolExecutor(1) as executor:
        table = Table(GAMES, Log(tmp_path), clock, Random(1).randbytes, Random(2))
        bots = BotSeats(table, clock, Random(3).randbytes, executor, lambda: False, SeatPrograms({}, clock.monotonic))
        table.propose({"game": "vampire_empire", "players": 2, "content": json_value(quick_decks())})
        table.claim(VAMPIRE, "Ana", f"{7:064x}")
        table.give(HUMAN, "greedy")
        table.start()
        for turn in range(MOST):
            clock.advance(0.1)
            seen = table.picture()
            if seen["phase"] == "over" or refused["done"]:
                break
            if seen["to_move"] != VAMPIRE:
                continue
            legal = table.private(VAMPIRE)["legal"]
            kinds = sorted({one["type"] for one in legal})
            kind = "lay" if "lay" in kinds and not seen["view"]["fight"]["defence"] else rng.choice(kinds)
            action = rng.choice([one for one in legal if one["type"] == kind])
            try:
                table.submit(VAMPIRE, table.decode([action]), id=str(turn), expect=seen["position"])
            except Refused as wrong:
                assert "stale" == wrong.said.code
                refused[kind] += 1
        assert bots is not None
        assert "support_played" in [line["event"]["event"] for line in table.picture()["log"]]
        table.close()
    assert 1 == refused["done"]


def test_at_a_table(tmp_path: Path) -> None:
    """Two bots play a whole evening at a table, cut into each other's turns, and the record, which bears the sample's
    label, proves it."""
    clock = SimulatedClock()
    with ThreadPoolExecutor(1) as executor:
        table = Table(GAMES, Log(tmp_path), clock, Random(6).randbytes, Random(2))
        bots = BotSeats(table, clock, Random(3).randbytes, executor, lambda: False, SeatPrograms({}, clock.monotonic))
        table.propose({"game": "vampire_empire", "players": 2})
        for seat in SEATS:
            table.give(seat, "greedy")
        table.start()
        for _ in range(6000):
            if table.picture()["phase"] == "over":
                break
            clock.advance(0.5)
        assert "over" == table.picture()["phase"]
        assert bots is not None
        lines = list(export(read_bodies(tmp_path), GAMES))
        assert any('"label":"SAMPLE CONTENT, not from the box"' in line for line in lines)
        assert any(cut_ins(lines)), "nobody cut in"
        proof = verify(lines, GAMES)
        assert proof.ok, proof.wrong
        table.close()
