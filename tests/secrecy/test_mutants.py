"""The twin runs catch leaks that are planted."""

from __future__ import annotations

import pytest

from tests.secrecy import card_mutants, manhunt_mutants, mutants


@pytest.mark.parametrize("leak", mutants.LEAKS)
def test_planted_leaks_are_seen(leak: str) -> None:
    """Each planted leak alone makes the twins differ: the contract can fail."""
    assert None is not mutants.caught(leak)


def test_an_evening_without_a_leak_looks_alike() -> None:
    """Without a leak the twins are equal, even an error's id."""
    for pair in (mutants.unlike_pair(mutants.EARLY), mutants.west_walk_pair()):
        assert None is mutants.planted(mutants.no_leak, pair)


@pytest.mark.parametrize("leak", card_mutants.LEAKS)
def test_planted_leaks_of_cards_are_seen(leak: str) -> None:
    """In a game in which every seat has a secret, each planted leak alone makes the twins
    differ.
    """
    assert None is not card_mutants.caught(leak)


@pytest.mark.parametrize("leak", card_mutants.VWARS_LEAKS)
def test_planted_leaks_of_factions_are_seen(leak: str) -> None:
    """In a game of secret factions, each planted leak alone makes the twins differ."""
    assert None is not card_mutants.caught_in_vwars(leak)


@pytest.mark.parametrize("leak", card_mutants.VAMPIRE_EMPIRE_LEAKS)
def test_planted_leaks_of_characters_are_seen(leak: str) -> None:
    """In a game of secret characters and cards laid face down, each planted leak alone makes the
    twins differ.
    """
    assert None is not card_mutants.caught_in_vampire_empire(leak)


@pytest.mark.parametrize("leak", manhunt_mutants.LEAKS)
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
