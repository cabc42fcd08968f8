"""What a finished hunt came to, on games small enough to be worked out by hand on the house field:

   A B C D E F
1  . . b r w .      walls A4-A5, B3-B4, B6-C6, C4-C5, D1-E1, E3-E4, F2-F3
2  . . o o . w
3  r w o . o b
4  b o w o w r
5  w . o o . .
6  . w r b . .
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from companion.core.capabilities import Moment
from companion.core.game import Action, Event, Seat
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import END, Place
from companion.games.vampireradar.bots.bitboard import cells_of, mask
from companion.games.vampireradar.events import RadarCalled, ShotFired, TurnStarted
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.options import Setup, V
from companion.games.vampireradar.rules import VampireRadar, default_start
from companion.games.vampireradar.statistics import (
    HuntStatistics,
    MissedShot,
    NearCall,
    RadarCut,
    ReplayStep,
    compute_statistics,
    replay_steps,
)
from companion.replay.build import replay_json
from tests.games.vampireradar.builders import attack, night_walk, radar, shoot, walk

GAME = VampireRadar()
FIXTURES = Path(__file__).parents[2] / "fixtures" / "games"


def played(start: dict[str, str], *turns: tuple[str, list[Action]]) -> list[ReplayStep]:
    """Return the moments of a game of 3 players on the house field, the usual start changed by
    `start`.
    """
    usual = {str(pawn): str(cell) for pawn, cell in default_start(3, 4).items()}
    state, moments = GAME.initial(), []

    def happen(events: list[Event]) -> None:
        nonlocal state
        for event in events:
            state = GAME.evolve(state, event)
            moments.append(Moment(event, state))

    happen(GAME.setup(GAME.seat_names(3), Setup(field=HOUSE_FIELD, start=usual | start), Random(0)))
    for seat, actions in turns:
        for action in actions:
            happen(list(GAME.decide(state, Seat(seat), action, Random(0)).events))
    return replay_steps(moments)


FOUR_NIGHTS = played(
    {"H1a": "A2", "H2a": "D1"},
    (V, [Place(Cell("D4"))]),
    ("H1", [walk("H1a", "A3"), radar("H1a"), END]),
    ("H2", [shoot("H2a", "S"), END]),
    (V, [END]),
    ("H1", [walk("H1a", "A4"), END]),
    ("H2", [END]),
    (V, [night_walk("D5"), night_walk("E5"), END]),
    ("H1", [shoot("H1a", "E"), END]),
    ("H2", [END]),
    (V, [night_walk("E6"), night_walk("F6"), END]),
    ("H1", [END]),
    ("H2", [END]),
    (V, [attack("F6"), END]),
)


def test_the_figures_of_four_nights() -> None:
    """By hand:

    Nights: D4 stays, D5 E5, E6 F6, and F6 eats two pawns where it stands: 4 nights, 4 steps, 1
    still in a row. Radar: 16 tiles to start with; at distance 4 from A3 are C5, D2, D4, E3 of them:
    16 to 4. Shots: from D1 to the south D4 is hit; C5 and E3 are no longer possible, so 2 tiles
    are, the fewest. In round 3 row 4 is shot from A4: D4, where the vampire stood the evening
    before, lies on it, E5, where it is, does not: late. Walks: A2 to A3 ends 4 steps from D4, A3 to
    A4 ends 3 steps from it: the closest call is in round 2. Missed: round 1 none (in H2's turn D4
    was hit). In round 2 two steps from D2 or D4 lead to 20 tiles (12 and 13, of which D2, D3, D4,
    C3, E3 are the same). From A4 to the east 5 of these lie on row 4 (B4 to F4), from D1 to the
    south 6 of them (D1 to D6): a chance each for H1 and H2. In round 4 the vampire shares F6 with
    H1d and H2c, so that each of them would hit it in any direction: two more chances, on longer
    odds: of the 20 tiles and more that are possible by then no line from F6 covers more than 4.
    """
    statistics = compute_statistics(FOUR_NIGHTS)

    assert (
        HuntStatistics(
            nights=4,
            steps=4,
            still=1,
            shots=2,
            hits=1,
            late=1,
            pawns=2,
            bats=0,
            chances=4,
            missed=MissedShot(Pawn("H2a"), Cell("D1"), "S", 2, 6, 20),
            radars=[RadarCut(Pawn("H1a"), Cell("A3"), 1, 16, 4)],
            closest=NearCall(Pawn("H1a"), 3, 2),
            fewest=(2, 1),
        )
        == statistics
    )


def test_what_was_possible_beside_the_truth() -> None:
    """The tiles left by each answer, as worked out in the docstring above: C5, D2, D4, E3 by the
    radar, D2, D4 by the hit, 20 after the silent night; and at the moment of a kill its tile alone.
    """
    by_event = {type(look.event).__name__: look for look in reversed(FOUR_NIGHTS)}

    assert ("C5", "D2", "D4", "E3") == tuple(sorted(cells_of(by_event[RadarCalled.__name__].tiles)))
    assert ("D2", "D4") == cells_of(by_event[ShotFired.__name__].tiles)
    second = next(
        look
        for look in FOUR_NIGHTS
        if isinstance(look.event, TurnStarted) and look.public.round == 2
    )
    assert 20 == second.tiles.bit_count()
    assert mask([Cell("F6")]) == by_event["PawnsKilled"].tiles


def test_a_private_event_changes_nothing() -> None:
    """A step in the night moves the truth and leaves the possible tiles unchanged."""
    steps = [(before, look) for before, look in pairwise(FOUR_NIGHTS) if look.cell != before.cell]

    assert ["D4", "D5", "E5", "E6", "F6"] == [look.cell for _, look in steps]
    assert all(
        before.tiles == look.tiles and before.weights == look.weights for before, look in steps
    )


def test_a_pawn_on_the_vampires_own_tile() -> None:
    """H1a walks from C3 to C4, where the vampire is: no step is left between them. Staying there he
    could shoot in every direction. Of the 16 tiles B2 to E5 lie 3 on his line to the north (C4, C3,
    C2), 3 to the east (C4, D4, E4), 2 to the west (C4, B4), 1 to the south (C4, then a wall);
    before, from C3 to the south, 2 (C3, C4). The first of the likeliest is to the north.
    """
    looks = played(
        {"H1a": "C3"}, (V, [Place(Cell("C4"))]), ("H1", [walk("H1a", "C4"), END]), ("H2", [END])
    )
    statistics = compute_statistics(looks)

    assert NearCall(Pawn("H1a"), 0, 1) == statistics.closest
    assert (1, MissedShot(Pawn("H1a"), Cell("C4"), "N", 1, 3, 16)) == (
        statistics.chances,
        statistics.missed,
    )


def test_nights_in_a_row_without_a_step() -> None:
    """Still, still, one step, still: two in a row at most; a stroke on the own tile is no step."""
    idle: list[tuple[str, list[Action]]] = [("H1", [END]), ("H2", [END])]
    looks = played(
        {"H1a": "C4"},
        (V, [Place(Cell("C4"))]),
        *idle,
        (V, [END]),
        *idle,
        (V, [attack("C4"), END]),
        *idle,
        (V, [night_walk("C3"), END]),
        *idle,
        (V, [END]),
    )
    statistics = compute_statistics(looks)

    assert (4, 1, 2, 1) == (statistics.nights, statistics.steps, statistics.still, statistics.pawns)


def test_of_what_never_happened_nothing_is_counted() -> None:
    """A game that ends before any action has no shot, radar, call or chance."""
    statistics = compute_statistics(played({}, (V, [Place(Cell("C3"))])))

    assert (0, 0, 0, 0) == (
        statistics.nights,
        statistics.shots,
        statistics.still,
        statistics.chances,
    )
    assert ([], None, None) == (statistics.radars, statistics.missed, statistics.closest)


def test_answers_that_contradict_each_other_have_no_missed_shot() -> None:
    """Where no tile is possible, as after a wrong answer on paper, no shot has a likelihood."""
    impossible = [step._replace(tiles=0) for step in FOUR_NIGHTS]

    assert compute_statistics(FOUR_NIGHTS).missed is not None
    assert compute_statistics(impossible).missed is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.soak] if number % 4 else [], id=path.stem)
        for number, path in enumerate(sorted(FIXTURES.glob("*.jsonl")))
    ],
)
def test_the_truth_is_always_possible_by_day(path: Path) -> None:
    """In whole recorded games the vampire's tile is among the possible ones at every moment of the
    humans' turns, and the chances add up to 1 but for rounding.
    """
    odds: dict[str, int] = {}
    truth = None
    days = 0
    for moment in replay_json(path.read_text(encoding="utf-8"))["moments"]:
        odds, truth = moment.get("odds", odds), moment.get("truth", truth)
        if moment["seat"] not in (V, None):
            days += 1
            assert truth in odds
            assert abs(sum(odds.values()) - 1000) <= len(odds)
    assert days > 40
