"""The humans' ways to hit in a round, as the vampire's search lists them, beside the rules."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import CELLS
from companion.games.vampireradar.bots.hiding import Shots
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.state import Public
from tests.games.vampireradar.builders import GAME, H1, H2, scene
from tools.exploitability import HumansRound


def random_places(rng: Random) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(rng.sample(CELLS, 12))}


def random_chances(rng: Random) -> dict[int, float]:
    return {number: rng.random() for number in range(12)}


def public_of(pawns: dict[str, Cell], bullets: dict[str, int], players: int) -> Public:
    """Return the beginning of a round without tokens in which a hit wins."""
    public: Public = scene(
        pawns={pawn: str(cell) for pawn, cell in pawns.items()},
        players=players,
        bullets=bullets,
        bullet_tokens=(),
        bat_tokens=(),
        hp=1,
    ).public
    return public


def compared(
    public: Public, places: dict[Cell, int], chances: dict[int, float]
) -> tuple[float, float]:
    """Return the chance of a hit by the rules, and by the list."""
    shots = Shots(Position(public), {CELLS.index(cell): at for cell, at in places.items()})
    by_rules, _ = HumansRound(GAME, public, places).best_answer(chances)
    by_list, hit = shots.best_answer(chances)
    assert pytest.approx(by_list) == sum(chances[place] for place in set(hit))
    return by_rules, by_list


@pytest.mark.parametrize("seed", range(20))
def test_a_pawn_with_a_bullet_has_all_its_ways(seed: int) -> None:
    """On a field without adjacent radars the list has every way of one pawn with one bullet."""
    rng = Random(seed)
    public = public_of({"H1a": rng.choice(CELLS)}, {"H1": 1}, 2)
    by_rules, by_list = compared(public, random_places(rng), random_chances(rng))

    assert pytest.approx(by_rules) == by_list


@pytest.mark.parametrize("seed", range(10))
def test_every_way_is_legal(seed: int) -> None:
    """Two pawns with two bullets hit no more by the list than by the rules."""
    rng = Random(seed)
    pawns = {pawn: rng.choice(CELLS) for pawn in ("H1a", "H1b")}
    by_rules, by_list = compared(
        public_of(pawns, {"H1": 2}, 2), random_places(rng), random_chances(rng)
    )

    assert 0 < by_list <= by_rules + 1e-9


def test_a_radar_helps_those_who_come_after() -> None:
    """H1, without a bullet, calls the radar of A3. It tells B2 from D2, which are on no line of
    H2's pawn on C1 but those from B1 and from D1, a step away.
    """
    pawns = {"H1a": Cell("A2"), "H2a": Cell("C1")}
    places = {Cell("B2"): 0, Cell("D2"): 1}
    public = public_of(pawns, {H1: 0, H2: 1}, 3)

    assert (1, 1) == compared(public, places, {0: 0.5, 1: 0.5})
