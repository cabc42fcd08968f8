"""A human bot receives the public stream and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.game import Action, Event, PublicEvent, State
from companion.core.search_budget import SearchBudget
from companion.games.vampireradar.bots import HUMAN_LEVELS
from companion.games.vampireradar.bots.base import HumanBot
from companion.games.vampireradar.options import V
from companion.games.vampireradar.rules import VampireRadar
from tools.secrecy.paired_vampireradar import Turn, Twins, twins

GAME = VampireRadar()


class Ticking:
    """A clock that advances at each reading, so that equal searches end alike on a busy machine
    too.
    """

    def __init__(self) -> None:
        self._now = 0.0

    def __call__(self) -> float:
        self._now += 0.0002
        return self._now


def memory_and_choices(
    pair: Twins, turns: tuple[Turn, ...], bot: HumanBot, most: int
) -> list[Action]:
    """Play a twin's turns; return the bot's choice at each human turn, its memory being the public
    events.
    """
    state: State = GAME.initial()
    chosen: list[Action] = []

    def publish(events: list[Event]) -> None:
        nonlocal state
        for event in events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                bot.observe(event)

    publish(GAME.setup(GAME.seat_names(pair.players), pair.setup, Random(0)))
    for turn in turns[:most]:
        if turn.seat != V:
            chosen.append(bot.act(turn.seat))
        for action in turn.actions:
            publish(list(GAME.decide(state, turn.seat, action, Random(0)).events))
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize("level", HUMAN_LEVELS)
def test_twins_are_played_alike(level: str) -> None:
    """A human bot of each level plays two games alike that differ in the vampire's path alone."""
    pair = twins(Random(5), 3)
    first_bot, second_bot = (
        HUMAN_LEVELS[level](SearchBudget(Random(1), 0.01, Ticking())) for _ in range(2)
    )

    first = memory_and_choices(pair, pair.one, first_bot, 60)

    assert len(first) > 20
    assert first == memory_and_choices(pair, pair.two, second_bot, 60)


@pytest.mark.parametrize("level", HUMAN_LEVELS)
def test_no_private_event_can_be_handed_in(level: str) -> None:
    """Each level refuses, in play, every event that is not public; it gets a seat's name and
    nothing more.
    """
    bot = HUMAN_LEVELS[level](SearchBudget(Random(1), 0.01, Ticking()))
    pair = twins(Random(6), 2)
    state: State = GAME.initial()
    refused = 0
    for event in GAME.setup(GAME.seat_names(2), pair.setup, Random(0)):
        state = GAME.evolve(state, event)
    for event in GAME.decide(state, V, pair.one[0].actions[0], Random(0)).events:
        if not isinstance(event, PublicEvent):
            with pytest.raises(TypeError, match="public events only"):
                bot.observe(event)  # type: ignore[arg-type]
            refused += 1

    assert 1 == refused
