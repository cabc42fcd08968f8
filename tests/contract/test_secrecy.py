"""Nobody but the vampire receives anything that depends on the secret, until a public event tells it."""

from __future__ import annotations

from random import Random

import pytest

from companion.games import GAMES
from tests.contract import card_leaks, leaks
from tests.contract.plays import begin
from tests.contract.wire_twins import MAKERS, compare_all

PAIRS = {"vampireradar": 200, "shisogari": 10, "vwars": 10, "vampire_empire": 6}
JOBS = 2


def test_every_game_has_a_maker_of_pairs() -> None:
    """The secrecy contract applies unasked to every game in which a seat knows something alone."""
    secret = {game.name for game in GAMES if begin(game, game.seats[0], Random(0))[0].private}

    assert set(MAKERS) == secret


@pytest.mark.parametrize("game", MAKERS)
def test_twins_look_alike(game: str) -> None:
    """Pairs of evenings that differ only in what is secret (a path; hands, roles, picks and bites; factions, decks and
    piles), in drafts, tries, reconnects and thinking time give everybody else the same, over real sockets; in most of
    them another number or another kind of things was done in secret."""
    found = compare_all(game, range(1, PAIRS[game] + 1), turns=8, whole_every=40, jobs=JOBS)

    assert () == found.differences
    assert found.unlike >= PAIRS[game] / 2


@pytest.mark.parametrize("leak", leaks.LEAKS)
def test_planted_leaks_are_seen(leak: str) -> None:
    """Each planted leak alone makes the twins differ: the contract can fail."""
    assert None is not leaks.caught(leak)


def test_an_evening_without_a_leak_looks_alike() -> None:
    """What finds the leaks finds none where nothing but the spy is planted, not even in an error's id."""
    assert None is leaks.planted(leaks.no_leak)


@pytest.mark.parametrize("leak", card_leaks.LEAKS)
def test_planted_leaks_of_cards_are_seen(leak: str) -> None:
    """Where every seat has a secret, each planted leak alone makes the twins differ too."""
    assert None is not card_leaks.caught(leak)


@pytest.mark.parametrize("leak", card_leaks.WAR_LEAKS)
def test_planted_leaks_of_factions_are_seen(leak: str) -> None:
    """In a game of secret factions each planted leak alone makes the twins differ too."""
    assert None is not card_leaks.caught_in_war(leak)


@pytest.mark.parametrize("leak", card_leaks.COURT_LEAKS)
def test_planted_leaks_of_characters_are_seen(leak: str) -> None:
    """In a game of secret characters and cards laid face down each planted leak alone makes the twins differ too."""
    assert None is not card_leaks.caught_at_court(leak)
