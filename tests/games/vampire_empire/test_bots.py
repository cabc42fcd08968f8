"""Vampire Empire's bots: whole games from their own views alone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.arena.match import Contest, play
from companion.bots.runner import ANSWER_DELAY, MOVE_DELAY
from companion.core.codec import to_builtins
from companion.core.game import Action, Event, State
from companion.core.search_budget import SearchBudget
from companion.core.view import view
from companion.games import GAMES
from companion.games.vampire_empire.actions import DECLINE, DECLINE_TURN, Fight, PlaySupport
from companion.games.vampire_empire.bots import LEVELS, choose_action
from companion.games.vampire_empire.bots.belief import Belief
from companion.games.vampire_empire.bots.playout import NAMES, NUMBERS, Playout, playout_cards
from companion.games.vampire_empire.cards import (
    CHARACTERS,
    HUMAN,
    SEATS,
    VAMPIRE,
    CancelCard,
    Card,
    Decks,
    Mark,
)
from companion.games.vampire_empire.events import CardLaid, FightBegun, GameSetUp, HolyWaterAnswered
from companion.games.vampire_empire.options import Options
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vampire_empire.state import Combat, Laid, Own, Window
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.games.vampire_empire.builders import card_of, scene
from tests.helpers.bot_table import bot_table, play_out
from tests.table.play import start_with_all

pytestmark = pytest.mark.slow

GAME = VampireEmpire()
MOST = 2000


def budget(seed: int) -> SearchBudget:
    """Return a budget with a clock that stands still."""
    return SearchBudget(Random(seed), 1.0, lambda: 0.0)


@pytest.mark.parametrize(
    ("vampire", "human", "games"),
    [
        *((one, two, 15) for one in LEVELS[:2] for two in LEVELS[:2]),
        ("search", "heuristic", 1),
        *(
            pytest.param(one, two, 60, marks=pytest.mark.soak)
            for one in LEVELS[:2]
            for two in LEVELS[:2]
        ),
        pytest.param("search", "search", 5, marks=pytest.mark.soak),
    ],
)
def test_whole_games(vampire: str, human: str, games: int) -> None:
    """Every game of bots ends, nobody declines for a whole turn, and equal levels win a fifth or
    more with either side.
    """
    ends: Counter[str] = Counter()
    for seed in range(games):
        played = play(Contest(GAME.name, 2, {"vampire": vampire, "human": human}, seed, 1.0))
        ends[played.result.winner] += 1
        assert "unfinished" != played.result.reason
        assert DECLINE_TURN not in [action for _, actions in played.line for action in actions]

    if vampire == human:
        assert min(ends["vampire"], ends["human"]) >= games / 5, ends


CUT = Card(
    "h-cut",
    "Cut",
    "human",
    "support",
    cost_day=1,
    cost_night=1,
    when="both",
    effects=(CancelCard(),),
)
GUARD = Card("h-guard", "Guard", "human", "support", cost_night=1, effects=(Mark("noble"),))


@pytest.mark.parametrize(
    ("defence", "expected"), [((1, 3), PlaySupport("h-cut")), ((3, 3), DECLINE), ((1, 1), DECLINE)]
)
def test_a_bot_saves_an_attack(defence: tuple[int, int], expected: Action) -> None:
    """After the defence the attacker takes a card away only if that turns the last round."""
    laid = tuple(Laid(f"v{value}s", value) for value in defence)
    fight = Combat(HUMAN, "monk", "maid", 2, HUMAN, (Laid("h3c", 3),), laid, opened=True)
    support_window = Window("end_of_round", HUMAN)
    state = scene(
        human="h-cut h1n",
        turn=HUMAN,
        step="fight",
        supports=[CUT],
        fight=fight,
        window=support_window,
    )

    assert expected == choose_action(view(state, HUMAN), [], "heuristic", budget(1))


@pytest.mark.parametrize(
    ("castle", "more", "expected"),
    [
        ("officer monk maid", " h1n h1n h1n h1n h1n", PlaySupport("h-guard")),
        ("lady monk maid", " h1n h1n h1n h1n h1n", DECLINE),
        ("officer monk maid", " h1n h1n", DECLINE),
    ],
    ids=["a friend", "nobody known", "too dear"],
)
def test_a_bot_guards_a_friend(castle: str, more: str, expected: Action) -> None:
    """Before the other player's action a known friend gets a marker, unless that costs too much of
    the hand.
    """
    state = scene(
        human="h-guard" + more,
        castle=castle,
        supports=[GUARD],
        window=Window("before_action", HUMAN),
    )

    assert expected == choose_action(view(state, HUMAN), [], "heuristic", budget(1))


def test_a_bot_uses_its_own_view_alone() -> None:
    """The opponent's hand and the identities do not change a bot's choices, in its turn or
    between.
    """
    rng = Random(3)
    state = GAME.initial()
    for event in GAME.setup(SEATS, GAME.setup_type(), rng):
        state = GAME.evolve(state, event)
    own = state.private
    blind = State(
        state.public,
        {**own, HUMAN: replace(own[HUMAN], characters=("maid",), hand=own[HUMAN].hand[::-1])},
    )

    for level in LEVELS:
        chosen = [
            choose_action(view(each, VAMPIRE), [], level, budget(9)) for each in (state, blind)
        ]
        assert chosen[0] == chosen[1]
    support_window = Window("before_action", VAMPIRE)
    guarding = scene(
        vampire="h-guard v1n v1n v1n v1n v1n",
        human="h1n",
        supports=[GUARD],
        turn=HUMAN,
        window=support_window,
    )
    hidden_changed = State(
        guarding.public, {**guarding.private, HUMAN: Own(("maid", "cook"), ("h1n",))}, None
    )
    played = [
        choose_action(view(each, VAMPIRE), [], "heuristic", budget(9))
        for each in (guarding, hidden_changed)
    ]
    assert [PlaySupport("h-guard")] * 2 == played


def began(events: Sequence[Event]) -> list[Event]:
    """Return these events of a game whose castle is the scene's."""
    castle = ("lady", "monk", "maid")
    return [GameSetUp(2, Options(), "Scene", True, castle, 6, {}, {}), *events]


def odds(*events: Event) -> dict[str, float]:
    """Return the odds of a vampire after these events, for a human player who trusts officer and
    butler.
    """
    state = scene()
    return dict(Belief(state.public, HUMAN, state.private[HUMAN], began(events)).odds)


def test_before_the_first_fight_all_unknown_are_equally_likely() -> None:
    """Three of the seven whom the human player does not know are vampires."""
    assert {
        name: 0.0 if name in ("officer", "butler") else pytest.approx(3 / 7) for name in CHARACTERS
    } == odds()


def test_whom_the_vampire_player_attacks_is_human() -> None:
    """Its target is hardly a vampire, and the others in the castle are likelier ones."""
    found = odds(FightBegun(VAMPIRE, "lady", "monk"))

    assert found["monk"] < 0.05
    assert found["lady"] == pytest.approx(found["maid"])
    assert found["maid"] > found["nun"] > 3 / 7


def test_whom_the_vampire_player_defends_is_a_vampire() -> None:
    """A card for the human player's target betrays it, a card of the human player's does not."""
    begun = FightBegun(HUMAN, "lady", "monk")

    assert odds(begun, CardLaid(VAMPIRE, "defence", "v1c", 1))["monk"] > 0.8
    assert odds(begun, CardLaid(HUMAN, "attack", "h1n", 1)) == odds()


def test_what_is_known_is_certain() -> None:
    """Revealed vampires, the dead and whom holy water cleared are no guess, and they count for the
    odds of the others.
    """
    state = scene(revealed="lady", dead="cook")
    events = began([HolyWaterAnswered("monk", False)])
    found = Belief(state.public, HUMAN, state.private[HUMAN], events).odds

    assert {"lady": 1.0, "monk": 0.0} == {name: found[name] for name in ("lady", "monk")}
    assert pytest.approx(1 / 4) == found["maid"]
    assert "cook" not in found


def test_possible_hands_lack_the_cards_that_lay_open() -> None:
    """A card of the opponent that lay open is in no possible hand."""
    state = scene(human="h1s h2c h3n")
    belief = Belief(
        state.public, VAMPIRE, state.private[VAMPIRE], [CardLaid(HUMAN, "defence", "h3n", 3)]
    )

    drawn = {card for hand in belief.hands(50, Random(1)) for card in hand}
    assert {"h1s", "h2c", "h1n"} == drawn


@pytest.mark.parametrize("level", ["heuristic", "search"])
def test_a_better_bot_attacks_whom_it_surely_kills(level: str) -> None:
    """With strong cards and a revealed vampire in the castle the human player attacks it."""
    state = scene(
        human="h3n h3n h3h h2h h2s",
        vampire="v1c",
        turn=HUMAN,
        castle="officer lady monk",
        revealed="lady",
    )
    action = choose_action(view(state, HUMAN), [], level, budget(2))

    assert Fight("officer", "lady") == action


def world(castle: str, revealed: str, human: str) -> Playout:
    """Return a world in which lady, nun and cook are vampires, nobody is in the city and only the
    human player holds cards.
    """
    inside = [NUMBERS[name] for name in castle.split()]
    cards = playout_cards({name: card_of(name) for name in human.split()})
    return Playout(
        inside,
        [],
        [name in ("lady", "nun", "cook") for name in NAMES],
        [name in revealed.split() for name in NAMES],
        [1.0 if name in revealed.split() else 0.5 for name in NAMES],
        [(0, 0)] * len(NAMES),
        [[], [cards[name] for name in human.split()]],
        [[], []],
        [[], []],
        [True, True],
        Random(1),
    )


def test_a_playout_ends_with_three_revealed_vampires_in_the_castle() -> None:
    """The third one decides it for the vampire player."""
    playout = world("lady nun cook", "lady nun", "h1n")
    assert None is playout.worth

    playout.reveal(NUMBERS["cook"])
    assert 1.0 == playout.worth


@pytest.mark.parametrize(("human", "expected"), [("h1n", 0.0), ("h1c", 1.0)])
def test_a_playout_goes_on_to_the_end(human: str, expected: float) -> None:
    """The last vampire dies of a card that its attacker can use, else a vampire outlives the only
    human.
    """
    assert expected == world("lady officer", "lady", human).run(1)


def test_the_fourth_level_does_not_kill_its_friends() -> None:
    """Where one human is left, a trusted one, the human player does not attack it."""
    state = scene(
        human="h3n h3n", turn=HUMAN, castle="lady officer nun", dead="lord monk bishop maid butler"
    )
    action = choose_action(view(state, HUMAN), [], "search", budget(2))

    assert not (isinstance(action, Fight) and action.target == "officer")


def supports(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the turn's player and the user for each support card of a record."""
    turn = ""
    for event in (event for line in map(json.loads, lines) for event in line.get("public", [])):
        if event["event"] == "turn_started":
            turn = event["seat"]
        if event["event"] == "support_played":
            yield turn, event["seat"]


def quick_decks() -> Decks:
    """Return decks in which one card of the vampire player stops every attack, and half of the
    human player's are supports that remove such a card at no cost.
    """
    borders: Any = (("noble", "servant"), ("clergy", "servant"), ("noble", "clergy"))
    sides: Any = (("human", 3), ("vampire", 9))
    cards = [
        Card(f"{deck}-{at}", "Card", deck, "combat", value=value, borders=two, copies=4)
        for deck, value in sides
        for at, two in enumerate(borders)
    ]
    cancel = Card(
        "cancel", "Cancel", "human", "support", when="fight", effects=(CancelCard(),), copies=12
    )
    return Decks(
        game="vampire_empire", title="Quick", language="en", sample=True, card=(*cards, cancel)
    )


def test_a_bot_answers_before_the_round_ends(tmp_path: Path) -> None:
    """A person who presses at once, each time, leaves the bot its supports in a fight: it is asked
    before the round is counted, and answers in half a second.
    """
    rng = Random(4)
    with bot_table(tmp_path) as (table, clock):
        table.lobby.propose(
            {"game": "vampire_empire", "players": 2, "content": to_builtins(quick_decks())}
        )
        table.seats.claim(VAMPIRE, "Ana", f"{7:064x}")
        table.seats.give(HUMAN, "random")
        start_with_all(table)
        for turn in range(MOST):
            snapshot = table.snapshot()
            if snapshot["phase"] == "over":
                break
            if snapshot["to_move"] != VAMPIRE:
                window = snapshot["view"]["window"]
                clock.advance(ANSWER_DELAY if window else MOVE_DELAY)
                assert table.snapshot()["position"] > snapshot["position"], "the bot is late"
                continue
            legal = table.seat_snapshot(VAMPIRE)["legal"]
            kinds = sorted({each["type"] for each in legal})
            kind = (
                "lay"
                if "lay" in kinds and not snapshot["view"]["fight"]["defence"]
                else rng.choice(kinds)
            )
            action = rng.choice([each for each in legal if each["type"] == kind])
            table.submit(VAMPIRE, table.decode([action]), id=str(turn), expect=snapshot["position"])
        lines = list(export_record(read_bodies(tmp_path), GAMES))
        assert HUMAN in {seat for _, seat in supports(lines)}


def test_at_a_table(tmp_path: Path) -> None:
    """Two bots play a whole evening at a table, with supports in each other's turns, and the
    record, labelled as the sample's, is proved.
    """
    with bot_table(tmp_path, seed=6) as (table, clock):
        table.lobby.propose({"game": "vampire_empire", "players": 2})
        for seat, level in zip(SEATS, ("search", "heuristic"), strict=True):
            table.seats.give(seat, level)
        table.start()
        play_out(table, clock)
        lines = list(export_record(read_bodies(tmp_path), GAMES))
        assert any('"label":"SAMPLE CONTENT, not from the box"' in line for line in lines)
        assert any(turn != seat for turn, seat in supports(lines)), (
            "nobody played a support card in the other one's turn"
        )
        proof = verify_record(lines, GAMES)
        assert proof.ok, proof.wrong
