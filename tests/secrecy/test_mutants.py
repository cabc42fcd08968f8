"""The twin runs catch leaks that are planted: here one for each of several ways out, in `make
trust` all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from tests.helpers.repetitions import soak
from tools.secrecy import card_mutants, manhunt_mutants, mutants
from tools.secrecy.http import Pair

WAYS_OUT = [
    "steps_in_stream_id", "dawn_without_floor", "store_when_submitted", "unpadded_reply",
    "byte_to_board", "lamp_at_vampire",
    *soak("log_place", "error_by_place", "lamp_by_steps", "late_walk_in_west", "ask_in_secret"),
]  # fmt: skip
"""A leak by a stream, the time of an update and of a write, the size of a reply, the board's wire
and its lamps; the log, an error, the panel's lamp, the time of a match, and a question read aloud.
"""


@pytest.mark.parametrize("leak", WAYS_OUT)
def test_planted_leaks_are_seen(leak: str) -> None:
    """Each planted leak alone makes the twins differ: the contract can fail."""
    assert None is not mutants.caught(leak)


@pytest.mark.parametrize(
    "make_pair", [partial(mutants.unlike_pair, mutants.EARLY), *soak(mutants.west_walk_pair)]
)
def test_an_evening_without_a_leak_looks_alike(make_pair: Callable[[], Pair]) -> None:
    """Without a leak the twins are equal, even an error's id."""
    assert None is mutants.planted(mutants.no_leak, make_pair())


@pytest.mark.parametrize("leak", ["count_bitten"])
def test_planted_leaks_of_cards_are_seen(leak: str) -> None:
    """In a game in which every seat has a secret, each planted leak alone makes the twins
    differ.
    """
    assert None is not card_mutants.caught(leak)


@pytest.mark.parametrize("leak", ["show_who_may_reveal"])
def test_planted_leaks_of_factions_are_seen(leak: str) -> None:
    """In a game of secret factions, each planted leak alone makes the twins differ."""
    assert None is not card_mutants.caught_in_vwars(leak)


@pytest.mark.parametrize("leak", ["record_laid_cards"])
def test_planted_leaks_of_characters_are_seen(leak: str) -> None:
    """In a game of secret characters and cards laid face down, each planted leak alone makes the
    twins differ.
    """
    assert None is not card_mutants.caught_in_vampire_empire(leak)


@pytest.mark.parametrize("leak", ["sort_walks_by_distance"])
def test_planted_leaks_of_the_fugitive_are_seen(leak: str) -> None:
    """On a map of places and ways, each planted leak alone makes the twins differ; the same pair
    without one is equal.
    """
    assert None is not manhunt_mutants.caught(leak)
    assert None is manhunt_mutants.unplanted_difference(leak)


def test_a_question_for_a_support_card_looks_alike() -> None:
    """When a seat is asked for a support card, others receive the same whether it holds one
    or not.
    """
    assert None is card_mutants.support_question_difference()
