"""The vampire's search: many tiles at once give the results of each alone, and any time is
enough.
"""

from __future__ import annotations

from random import Random

import pytest

from companion.core.placement import Cell
from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.bitboard import ALL, INDEX, START, indices
from companion.games.vampireradar.bots.night_moves import nights
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import PLAIN, restrict_weights
from companion.games.vampireradar.bots.turn_search import play_round
from companion.games.vampireradar.bots.vampire_search import MAX_BRANCHES, Branch, NightSearch
from companion.games.vampireradar.state import Public
from tests.games.vampireradar.builders import scene

ENDLESS = 1e9


def endless() -> Deadline:
    return Deadline(ENDLESS, lambda: 0.0)


def steps(count: int) -> Deadline:
    """Return a deadline that is over at the reading of this number."""
    calls = [0]

    def now() -> float:
        calls[0] += 1
        return calls[0]

    return Deadline(count + 1.0, now)


def search(public: Public, deadline: Deadline, seed: int = 1) -> NightSearch:
    weights = restrict_weights({INDEX[Cell("C3")]: 0.5}, START)
    return NightSearch(public, weights, ((PLAIN, 1.0),), Random(seed), deadline)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_round_is_the_same_for_many_tiles_as_for_each_alone(players: int) -> None:
    """The actions of humans who do not know the tile are calculated once for all tiles that look
    alike to them, with the same result for each as if it were the only one.
    """
    for seed in range(6):
        position = Position(scene(players=players).public)
        rng = Random(seed)
        position.pawns = [rng.choice(list(indices(ALL & ~START))) for _ in position.pawns]
        position.new_round()
        weights = restrict_weights({tile: rng.random() for tile in indices(START)}, START)

        together = {
            tile: (after, known)
            for tile, after, known in play_round(position, weights, START, endless())
        }
        alone = {
            tile: (after, known)
            for index in indices(START)
            for tile, after, known in play_round(position, weights, 1 << index, endless())
        }

        assert alone.keys() == together.keys()
        for tile, (after, known) in alone.items():
            joint, weighed = together[tile]
            assert (after.pawns, after.bullets, after.hp) == (joint.pawns, joint.bullets, joint.hp)
            assert known == weighed
            assert tile in known


def test_each_night_is_weighed_once_and_the_best_often() -> None:
    """With one sample each night has a worth; with several only the nights whose disclosures
    promise most have one, and humans who misjudge change that worth.
    """
    public = scene("C3", {"H1a": "C4", "H1b": "B3", "H2a": "E2"}).public
    candidates = nights(public, Cell("C3"))

    one_round, many_rounds = (
        {
            (night.end, night.marks): worth
            for worth, night in search(public, endless()).weigh(INDEX[Cell("C3")], game_tables)
        }
        for game_tables in (1, 5)
    )

    assert {(night.end, night.marks) for night in candidates} == one_round.keys()
    assert MAX_BRANCHES == len({marks for _, marks in many_rounds})
    assert many_rounds.keys() <= one_round.keys()
    assert any(one_round[night] != worth for night, worth in many_rounds.items())


def test_the_mean_of_the_samples_counts() -> None:
    """A night's worth is the mean of its samples, and a branch's promise that of its best
    night.
    """
    public = scene("C3", {"H1a": "A1"}).public
    quiet = [night for night in nights(public, Cell("C3")) if not night.marks]
    branch = Branch(Position(public), restrict_weights({}, START), quiet)

    assert [] == branch.weighed()
    for worth in (1.0, 4.0):
        branch.outcomes[quiet[0].end].add(worth)
    branch.outcomes[quiet[1].end].add(2.0)

    assert [(2.5, quiet[0]), (2.0, quiet[1])] == branch.weighed()
    assert 2.5 == branch.promise()


@pytest.mark.parametrize("questions", [1, 5, 40, 400])
def test_what_was_seen_in_time_is_the_answer(questions: int) -> None:
    """However early the time is up, there is a night, and only nights that were examined have a
    weight.
    """
    public = scene("C3", {"H1a": "C4", "H1b": "B3", "H2a": "E2"}).public
    allowed = {(night.end, night.marks) for night in nights(public, Cell("C3"))}

    for game_tables in (1, 5):
        weighed = search(public, steps(questions)).weigh(INDEX[Cell("C3")], game_tables)
        assert weighed
        assert {(night.end, night.marks) for _, night in weighed} <= allowed
