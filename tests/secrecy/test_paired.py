"""Only the vampire receives anything that depends on the secret, until a public event
discloses it.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.games import GAMES
from tools.secrecy.http import MAKERS, compare
from tools.secrecy.random_games import begin

PAIRS = {
    "vampireradar": (8, 13, 27, 41, 60),
    "shisogari": (6, 41),
    "vampire_empire": (6, 41),
    "vwars": (8, 27, 41),
    "manhunt": (6, 41),
}
"""The numbers of each game's pairs. Among VampireRadar's, 60 is a whole game with a board, 41 has a
camera phone, and there are all numbers of players, lost phones, turns taken back and streams that
break off; every request of a stranger is tried in 60 there, in 41 elsewhere. `make trust` plays 200
pairs of each game, `make soak` 10,000.
"""


def test_every_game_has_a_maker_of_pairs() -> None:
    """The secrecy contract applies without registration to every game in which a seat has a
    secret.
    """
    secret = {game.name for game in GAMES if begin(game, game.seats[0], Random(0))[0].private}

    assert set(MAKERS) == secret


@pytest.mark.parametrize("game", MAKERS)
def test_twins_look_alike(game: str) -> None:
    """Pairs of games that differ only in secrets (a path; hands, roles, picks and bites; factions,
    decks and piles), in drafts, tries, reconnects and thinking time give all other clients the same
    over real sockets; in most of them the secret actions differ in number or kind.
    """
    findings = compare(game, PAIRS[game], turns=8, whole_every=20)

    assert () == findings.differences
    assert findings.unlike >= len(PAIRS[game]) / 2
