"""Random games of Vampire Empire beside a second referee; `make soak` plays more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from companion.games.vampire_empire import cards, rules, turns
from companion.games.vampire_empire.turn_flow import TurnFlow
from tests.games.lockstep import Difference
from tests.games.planted import plant
from tests.games.vampire_empire.referee import play
from tests.helpers.repetitions import soak

FAULTS = {  # the first seed that finds it, where it is, and its text
    "an attack that equals the defence kills": (
        0, TurnFlow.count_round, "attack > defence", "attack >= defence"),
    "a draw by points goes to the vampires": (
        1, TurnFlow._count, '"draw" if vampires == humans', '"vampire" if vampires == humans'),
    "two revealed vampires take the castle": (
        3, TurnFlow._look_at_castle, "public.castle) == len(", "public.castle) >= -1 + len("),
    "a cellar takes discards after it became the deck": (
        1, turns._discards, "if not public.piles[seat].remade:", "if True:"),
    "the higher holy water card counts": (32, rules._fight, "counted = min(", "counted = max("),
    "markers count in the second round": (2, turns.sums, "fight.round > 1", "fight.round > 2"),
    "a support costs the last card too": (
        0, turns._is_playable, "< public.piles[seat].hand", "<= public.piles[seat].hand"),
    "an attack may equal the marker of the defence": (
        0, turns.exceeds, '"attack") > marker_value', '"attack") >= marker_value'),
    "the vampire player may attack with anybody": (
        0, turns.attackers, "if seat == VAMPIRE and revealed:", "if False:"),
    "who has eight cards may draw none": (0, turns._discards, "< HAND\n", "<= HAND\n"),
    "holy water supports a revealed vampire": (
        0, cards.is_valid, "and against in revealed", "and supported in revealed"),
    "whom holy water finds in the city may be attacked": (
        0, rules._answer, "is_vampire and character in", "is_vampire or character in"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(12), *soak(range(12, 312))])
def test_random_games_have_no_difference(seeds: range) -> None:
    """After each action of random games, rules and referee have the same table, hands and legal
    actions; the games have every decision of play without the box and ends of both sides.
    """
    counts = sum((play(seed) for seed in seeds), Counter[str]())

    decisions = {"cancel", "decline", "discard", "done", "draw", "draw_none", "fight", "hide"}
    decisions |= {"holy_water", "lay", "pass", "pay", "proceed", "put_marker", "reveal"}
    assert decisions | {"support", "swap", "take"} <= set(counts)
    assert {"human", "vampire"} <= {end.split(":")[0] for end in counts}


@pytest.mark.slow
@pytest.mark.parametrize(("first", "function", "old", "new"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, first: int, function: Callable[..., Any], old: str, new: str
) -> None:
    """The referee finds the fault in a random game."""
    plant(monkeypatch, function, old, new)

    with pytest.raises(Difference):
        for seed in range(first, first + 100):
            play(seed)
