"""A vampire that is a bot: nothing that others receive depends on its place, its path or how it
decided. Bots of V-Wars and Vampire Empire decide by what their seat knows.
"""

from __future__ import annotations

import json
import random
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

import companion.bots.runner as bot_seats
from companion.core.codec import encode_actions
from companion.core.game import Action, Event
from companion.core.search_budget import SearchBudget
from companion.core.view import may_see, view
from companion.games.vampire_empire.bots import LEVELS
from companion.games.vampire_empire.bots.belief import Belief
from companion.games.vampire_empire.events import CardsGot
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vampireradar.bots import VAMPIRE_LEVELS
from companion.games.vampireradar.bots.base import Chances, VampireBot
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Vampire
from companion.games.vwars.rules import VWars
from companion.table.results import AUTO_LEVEL
from tests.helpers.repetitions import soak
from tests.helpers.texts import found_in
from tools.secrecy import paired_vampire_empire, paired_vwars
from tools.secrecy.http import (
    BEAT,
    LOOKS,
    NIGHT,
    Behaviour,
    Difference,
    Pair,
    Side,
    difference,
    make_pair,
)
from tools.secrecy.paired_vampireradar import Turn

TIMEOUT = 60.0
V_WARS_LEVELS = ["deep", *soak("heuristic")]
EMPIRE_LEVELS = ["heuristic", *soak(*(level for level in LEVELS if level != "heuristic"))]
TURNS = 8


class ScriptedVampire(VampireBot):
    """A vampire that plays one twin's nights, each after a random thinking time."""

    nights: ClassVar[Iterator[Turn]]
    private: ClassVar[random.Random]

    def chances(self, vampire: Vampire) -> Chances:
        for _ in range(self.private.randrange(20_000)):
            self.budget.rng.random()
        return [(1.0, list(next(self.nights).actions))]


class BotSide(Side):
    """A side with a built-in bot as the vampire; the phone that had the seat before watches like a
    stranger's.
    """

    def __init__(self, folder: Path, players: int, stack: ExitStack) -> None:
        super().__init__(folder, players, stack)
        self.table.seats.give(V, "greedy", by=V)

    def play(self, pair: Pair, turns: tuple[Turn, ...], private: int) -> list[tuple[str, str]]:
        ScriptedVampire.nights = iter([turn for turn in turns if turn.seat == V])
        ScriptedVampire.private = random.Random(private)
        return self.game(pair, turns, Behaviour("", 0))

    def take_back_end(self, seat: str, private: Behaviour, next_turn: Turn) -> None:
        """Undo nothing: the bot's nights are played in their order, each once."""

    def vampire(self, turn: Turn, private: Behaviour, restless: bool) -> None:
        for beat in range(NIGHT):
            self.clock.advance(BEAT)
            self.note_updates(f"night {beat}", to_mark=beat % LOOKS == 0)
            if not (self.table.snapshot()["secret"] or self.table.snapshot()["revealing"]):
                break

    def continue_on_paper(self, draw: random.Random, private: Behaviour, next_turn: Turn) -> None:
        """Ask for paper, which bots cannot use: the request is refused."""
        for client in ("paired", "H1"):
            self.request(client, "switch_to_paper")
        self.note_updates("no paper")

    def _end_game(self) -> None:
        if self.table.snapshot()["phase"] == "play":
            self.table.surrender(V)
        self.table.open_next_game(by=0)
        self.listen("again")


class EvenSide(BotSide):
    """A side with a built-in bot as the vampire, whose level the table chooses."""

    def __init__(self, folder: Path, players: int, stack: ExitStack) -> None:
        super().__init__(folder, players, stack)
        self.table.seats.give(V, AUTO_LEVEL)

    def play(self, pair: Pair, turns: tuple[Turn, ...], private: int) -> list[tuple[str, str]]:
        received = super().play(pair, turns, private)
        assert any("level_chosen" in text for _, text in received)
        return received


PROGRAM = """
import json, random, sys, time
with open(sys.argv[1]) as file:
    rng, *nights = map(json.loads, file)
chance = random.Random(rng)
for number, line in enumerate(sys.stdin):
    time.sleep(chance.random() / 5)
    print("it goes to", nights[number], file=sys.stderr, flush=True)
    print(json.dumps({"actions": nights[number]}), flush=True)
"""


class ProgramSide(BotSide):
    """A side with an external bot as the vampire, which waits and writes to its output."""

    def __init__(self, folder: Path, players: int, stack: ExitStack) -> None:
        self._nights = folder.with_name(f"{folder.name}-nights")
        program = folder.with_name(f"{folder.name}-program.py")
        program.write_text(PROGRAM)
        self.programs = {"mine": shlex.join([sys.executable, str(program), str(self._nights)])}
        super().__init__(folder, players, stack)
        # On a loaded machine the bot must not lose its seat.
        self.companion._programs._seconds = TIMEOUT
        self.table.seats.give(V, "mine", by=V)

    def play(self, pair: Pair, turns: tuple[Turn, ...], private: int) -> list[tuple[str, str]]:
        nights = [encode_actions(turn.actions) for turn in turns if turn.seat == V]
        self._nights.write_text("\n".join(json.dumps(line) for line in (private, *nights)))
        received = self.game(pair, turns, Behaviour("", 0))
        seats = {seat["seat"]: seat for seat in self.table.snapshot()["seats"]}
        assert "mine" == seats[V]["bot"]
        return received


def compare(folder: Path, pair: Pair, kind: type[BotSide] = BotSide) -> Difference | None:
    """Play both sides of a pair and return the first difference."""
    with ExitStack() as stack:
        players = pair.twins.players
        first = kind(folder / "one", players, stack).play(pair, pair.twins.one, private=1)
        second = kind(folder / "two", players, stack).play(pair, pair.twins.two, private=2)
    assert len(first) > 100
    return difference(first, second)


@pytest.fixture(autouse=True)
def scripted_vampire(monkeypatch: pytest.MonkeyPatch) -> None:
    for level in ("greedy", "heuristic"):
        monkeypatch.setitem(VAMPIRE_LEVELS, level, ScriptedVampire)


@pytest.mark.parametrize("seed", [1, *soak(2, 3, 4)])
def test_twins_of_a_bot_look_alike(tmp_path: Path, seed: int) -> None:
    """Pairs of games with a vampire bot that differ only in its path and its thinking give all
    clients the same over real sockets: replies, headers, sizes, streams, times, the box and the
    log.
    """
    assert None is compare(tmp_path, make_pair("vampireradar", seed, 2 + seed % 3, TURNS, 1000))


def test_twins_of_a_bot_at_even_odds_look_alike(tmp_path: Path) -> None:
    """The same holds where the table chooses the bot's level."""
    assert None is compare(tmp_path, make_pair("vampireradar", 3, 3, TURNS, 1000), EvenSide)


def test_twins_of_a_program_look_alike(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The same holds for an external bot as the vampire, and its output is not published."""
    assert None is compare(tmp_path, make_pair("vampireradar", 2, 3, TURNS, 1000), ProgramSide)
    assert "" == found_in("".join(capfd.readouterr()), "it goes to")


def test_a_bot_that_hands_in_by_its_steps_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a night that is submitted at a time that depends on its steps is caught."""
    decided = bot_seats.BotRunner._decided
    delayed: set[int] = set()

    def submit_by_steps(self: Any, plan: int, turn: Any, result: Any) -> None:
        if not turn.secret or id(result) in delayed:
            decided(self, plan, turn, result)
            return
        delayed.add(id(result))
        pause = 6.0 * len(result.result())
        self._clock.call_at(
            self._clock.monotonic() + pause, lambda: submit_by_steps(self, plan, turn, result)
        )

    monkeypatch.setattr(bot_seats.BotRunner, "_decided", submit_by_steps)

    assert None is not compare(tmp_path, make_pair("vampireradar", 1, 2, TURNS, 1000))


def test_a_bot_whose_thinking_shows_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: an aim that shows the vampire's plan is caught."""
    act = bot_seats.BotRunner._act

    def act_with_aim(self: Any, plan: int, turn: Any, actions: Any) -> None:
        if turn.secret:
            self._table.journal.show_aim({"type": "night", "steps": len(actions)})
        act(self, plan, turn, actions)

    monkeypatch.setattr(bot_seats.BotRunner, "_act", act_with_aim)

    assert None is not compare(tmp_path, make_pair("vampireradar", 1, 2, TURNS, 1000))


def decisions(
    game: VWars | VampireEmpire, pair: Any, side: Any, level: str, *, may_see_all: bool = False
) -> list[Action]:
    """Return what a bot at the seat that both sides know alike would do at each of its turns.

    pair, side: of the game's `twins`
    may_see_all: planted: it receives what no seat may see
    """
    found: list[Action] = []
    state = game.initial()
    budget = SearchBudget(random.Random(0), 1.0, lambda: 0.0)
    bot = game.bots.make(pair.alike, level, budget)
    setup = msgspec.structs.replace(pair.setup, deal=side.deal)
    events: Sequence[Event] = game.setup(game.seat_names(pair.players), setup, random.Random(0))
    for turn in (None, *side.turns):
        if turn is not None:
            if turn.seat == pair.alike:
                found += bot.act(view(state, pair.alike))
            events = game.decide(state, turn.seat, turn.action, random.Random(turn.chance)).events
        for event in events:
            state = game.evolve(state, event)
            if may_see_all or may_see(event, pair.alike):
                bot.observe(event)
    return found


def v_wars_decisions(
    pair: paired_vwars.VWarsTwins,
    side: paired_vwars.VWarsPairSide,
    level: str,
    *,
    may_see_all: bool = False,
) -> list[Action]:
    return decisions(paired_vwars.GAME, pair, side, level, may_see_all=may_see_all)


def v_wars_pairs() -> Iterator[paired_vwars.VWarsTwins]:
    for seed in range(12):
        yield paired_vwars.twins(random.Random(seed), 3 + seed % 3, 150)


@pytest.mark.parametrize("level", V_WARS_LEVELS)
def test_a_bot_of_v_wars_decides_by_what_its_seat_knows(level: str) -> None:
    """Where other factions and unseen cards differ alone, a bot decides the same."""
    count = 0
    for pair in v_wars_pairs():
        one, two = (v_wars_decisions(pair, side, level) for side in (pair.one, pair.two))
        assert one == two
        count += len(one)
    assert count > 200


@pytest.mark.parametrize("level", V_WARS_LEVELS)
def test_a_bot_of_v_wars_that_sees_all_cards_is_found(level: str) -> None:
    """Planted: a bot that remembers the cards of every seat decides otherwise in some pair."""
    assert any(
        v_wars_decisions(pair, pair.one, level, may_see_all=True)
        != v_wars_decisions(pair, pair.two, level, may_see_all=True)
        for pair in v_wars_pairs()
    )


def empire_decisions(
    pair: paired_vampire_empire.VampireEmpireTwins,
    side: paired_vampire_empire.EmpirePairSide,
    level: str,
    *,
    may_see_all: bool = False,
) -> list[Action]:
    return decisions(paired_vampire_empire.GAME, pair, side, level, may_see_all=may_see_all)


def empire_pairs() -> Iterator[paired_vampire_empire.VampireEmpireTwins]:
    for seed in range(12):
        yield paired_vampire_empire.twins(random.Random(seed), 2, 60)


@pytest.mark.parametrize("level", EMPIRE_LEVELS)
def test_a_bot_of_vampire_empire_decides_by_what_its_seat_knows(level: str) -> None:
    """Where identities, trusted characters and unseen cards differ alone, a bot decides the same;
    the slow `search` does in one pair.
    """
    count, (pairs, least) = 0, (1, 20) if level == "search" else (12, 200)
    for pair in islice(empire_pairs(), pairs):
        one, two = (empire_decisions(pair, side, level) for side in (pair.one, pair.two))
        assert one == two
        count += len(one)
    assert count > least


@pytest.mark.parametrize("level", ["heuristic", *soak("search")])
def test_a_bot_of_vampire_empire_that_sees_all_cards_is_found(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Planted: a bot that deals the opponent the cards that this drew decides otherwise in some
    pair.
    """
    believe = Belief.__init__

    def see_all(self: Any, public: Any, seat: Any, own: Any, history: Any) -> None:
        believe(self, public, seat, own, history)
        got = [event for event in history if isinstance(event, CardsGot) and event.seat != seat]
        self._rivals = [card for event in got for card in event.cards]

    monkeypatch.setattr(Belief, "__init__", see_all)

    assert any(
        empire_decisions(pair, pair.one, level, may_see_all=True)
        != empire_decisions(pair, pair.two, level, may_see_all=True)
        for pair in empire_pairs()
    )
