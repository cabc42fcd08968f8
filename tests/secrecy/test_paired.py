"""Nobody but the vampire receives anything that depends on the secret, until a public event tells
it.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.games import GAMES
from tests.secrecy.http import MAKERS, compare_all
from tests.secrecy.plays import begin

PAIRS = 20
"""`make trust` plays 200 of each game, `make soak` 10,000."""
JOBS = 2


def test_every_game_has_a_maker_of_pairs() -> None:
    """The secrecy contract applies unasked to every game in which a seat knows something alone."""
    secret = {game.name for game in GAMES if begin(game, game.seats[0], Random(0))[0].private}

    assert set(MAKERS) == secret


@pytest.mark.parametrize("game", MAKERS)
def test_twins_look_alike(game: str) -> None:
    """Pairs of evenings that differ only in what is secret (a path; hands, roles, picks and bites;
    factions, decks and piles), in drafts, tries, reconnects and thinking time give everybody else
    the same, over real sockets; in most of them another number or another kind of things was done
    in secret.
    """
    found = compare_all(game, range(1, PAIRS + 1), turns=8, whole_every=20, jobs=JOBS)

    assert () == found.differences
    assert found.unlike >= PAIRS / 2
