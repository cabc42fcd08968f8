"""Random games of V-Wars beside a second referee; `make soak` plays more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from companion.games.vwars import legal, riots, turns, victory
from tests.games.lockstep import Difference
from tests.games.planted import plant
from tests.games.vwars.referee import play
from tests.helpers.repetitions import soak

FAULTS = {  # the first seed that finds it, where it is, and its text
    "an election by cities that ties goes to the vampires": (
        2, turns._election_winner, "2 * vampires > len(here)", "2 * vampires >= len(here)"),
    "an election by troops that ties goes to the vampires": (
        0, turns._election_winner, "> sum(city.human", ">= sum(city.human"),
    "six vampire troops take a city": (
        5, turns.add_troops, 'side == "vampire" and now + count > TROOPS',
        'side == "vampire" and now + count >= TROOPS'),
    "a voluntary reveal costs half of the sympathy, rounded up": (
        54, turns.reveal, "sympathy // 2", "sympathy - public_of(draft).sympathy // 2"),
    "a wrong investigation is free": (
        0, turns.investigate, "-half if right else half", "-half if right else 0"),
    "the last cards of deck and discards do not refill a hand": (
        50, turns._refill, "missing > len(", "missing >= len("),
    "eight is no massacre": (
        0, riots.end_riot, "strength >= table.massacre_at", "strength > table.massacre_at"),
    "a card that meets few enemies stays up": (
        0, riots.turn_card, "if enemies:", "if enemies >= value:"),
    "after a vampire rally the seats are asked from P1 on": (
        2, riots._asked_to_rally, "public.order()", "public.players"),
    "the vampires need one more than 16": (0, victory.check, ">= TRACK", "> TRACK"),
    "a hidden vampire may not enter martial law": (
        0, legal._reachable, "(player.vampire and city.martial)", "city.martial"),
    "the vampires' laws move humans too": (0, legal.lasting, "law.side == player.side", "law.side"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(24), *soak(range(24, 624))])
def test_random_games_have_no_difference(seeds: range) -> None:
    """After each action of random games, rules and referee have the same table, hands and legal
    actions; the games have every decision of play without the box and ends of both sides.
    """
    counts = sum((play(seed) for seed in seeds), Counter[str]())

    decisions = {"assassinate", "deploy", "discard", "elect", "end", "investigate", "move", "put"}
    assert decisions | {"done", "pick_city", "place", "riot", "stay"} <= set(counts)
    assert {"humans", "vampires"} <= {end.split(":")[0] for end in counts}


@pytest.mark.slow
@pytest.mark.parametrize(("first", "function", "old", "new"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, first: int, function: Callable[..., Any], old: str, new: str
) -> None:
    """The referee finds the fault in a random game."""
    plant(monkeypatch, function, old, new)

    with pytest.raises(Difference):
        for seed in range(first, first + 400):
            play(seed)
