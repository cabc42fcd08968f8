"""Nosferatu's engine against the rules, and the levels that play with it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from companion.bots.runner import THINK_SECONDS
from companion.core.game import State
from companion.core.search_budget import SearchBudget
from companion.core.view import view
from companion.games.nosferatu.actions import PASS
from companion.games.nosferatu.bots import LEVELS, actions_of, choose_turn
from companion.games.nosferatu.bots.engine import Position, position_of, turns
from companion.games.nosferatu.bots.search import WON, Search
from companion.games.nosferatu.options import VAMPIRES, Options, Setup
from tests.games.nosferatu.test_rules import NO_SAFE_CELL, act, at, example, legal, start

POSITIONS = {
    "start": (start(Setup()), [72, 2_154]),
    "example": (example(), [25, 407, 8_082]),
    "entering": (at("w d4 f4 s a1 x g7", "xx ww"), [6, 135, 3_936]),
    "captures": (at("s d1 x b2 c5 f6 w e4 c3 e6 g5 a4 f3", "x w"), [126, 1_108]),
    "late": (at("s c4 x e5 f4 w a2 b5 d6 e3 g6", "", "villagers"), [1, 21, 211, 2_949]),
}
"""Positions and how many lines of 1, 2, … whole turns there are from each."""


def count(now: Position, depth: int) -> int:
    """Return the number of lines of `depth` whole turns (perft); lines that end earlier do not
    count.
    """
    if depth == 0:
        return 1
    possible = turns(now)
    return len(possible) if depth == 1 else sum(count(turn.after, depth - 1) for turn in possible)


def by_rules(state: State, depth: int) -> int:
    """Count the lines of whole turns by the rules alone, jump by jump."""
    if depth == 0:
        return 1
    mover, count = state.public.to_move, 0
    for action in legal(state) if mover else []:
        after = act(state, action)
        count += by_rules(after, depth if after.public.to_move == mover else depth - 1)
    return count


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.slow
def test_perft(name: str) -> None:
    """Engine and rules, written independently, count the same lines from each position, and the
    pinned numbers.
    """
    state, numbers = POSITIONS[name]
    depths = range(1, len(numbers) + 1)

    assert numbers == [count(position_of(state.public), depth) for depth in depths]
    assert numbers == [by_rules(state, depth) for depth in depths]


def within_a_capture() -> State:
    """Return a state of a random game in which a capture must go on."""
    rng, state = Random(1), start(Setup())
    while not state.public.chain:
        state = act(state, rng.choice(legal(state))) if state.public.to_move else start(Setup())
    return state


@pytest.mark.parametrize("level", LEVELS)
def test_a_capture_that_somebody_began_goes_on(level: str) -> None:
    """After an undo, or a jump by a person's hand, a bot makes the capture's next jump."""
    state = within_a_capture()

    actions = choose_turn(state.public, level, budget(Random(1), lambda: 0.0))

    assert 1 == len(actions)
    assert actions[0] in legal(state)


@pytest.mark.parametrize("seed", range(6))
def test_engine_and_rules_in_a_game(seed: int) -> None:
    """In a whole random game the engine has exactly the rules' turns, and their positions agree."""
    rng, state = Random(seed), start(Setup())
    while state.public.to_move is not None:
        engine_turns = turns(position_of(state.public))
        assert {actions_of(state.public, turn)[0] for turn in engine_turns} == set(legal(state))
        turn = rng.choice(engine_turns)
        for action in actions_of(state.public, turn):
            assert action in legal(state)
            state = act(state, action)
        if state.public.to_move is not None:
            assert turn.after == position_of(state.public)
        else:
            assert (
                state.public.outcome.reason == "repetition"
                or turn.after.winner
                or turn.after.passes == 2
            )


def test_sees_a_forced_win() -> None:
    """A capture of Nosferatu is found, and it is worth a won game."""
    state = example()
    search = Search()
    position = position_of(state.public)
    turn = search.best(turns(position), 1, Random(1))

    assert "move" == turn.kind
    assert ["d3", "c2"] == _cells(state, turn)
    assert search._worth(turn.after, 0, -2 * WON, 2 * WON) <= -WON


def budget(rng: Random, monotonic: Callable[[], float]) -> SearchBudget:
    """Return the search budget that a bot has at a table."""
    return SearchBudget(rng, THINK_SECONDS, monotonic)


def _cells(state: State, turn: object) -> list[str]:
    action = actions_of(state.public, turn)[0]  # type: ignore[arg-type]
    return [state.public.pieces[action.pawn], action.to]  # type: ignore[attr-defined]


@pytest.mark.parametrize("level", LEVELS)
def test_levels_play_legal_turns(level: str) -> None:
    """Every level plays whole legal turns, from the view alone, and games end."""
    rng, state = Random(level), start(Setup())
    ticks = iter(range(10**9))
    while state.public.to_move is not None and state.public.turns < 40:
        seat = state.public.to_move
        own_level = level if seat == VAMPIRES else "random"
        for action in choose_turn(
            view(state, seat).public, own_level, budget(rng, lambda: next(ticks) / 4)
        ):
            assert action in legal(state)
            state = act(state, action)
    assert state.public.turns > 10


@pytest.mark.parametrize("level", LEVELS)
def test_levels_follow_the_options(level: str) -> None:
    """With other options than the defaults every level still plays legal turns only."""
    options = Options(entry_safe="chain", no_safe_cell="pass", stalemate="loss", draws=False)
    rng, state = Random(level), start(Setup(options=options))
    ticks = iter(range(10**9))
    while state.public.to_move is not None and state.public.turns < 40:
        seat = state.public.to_move
        for action in choose_turn(
            state.public,
            level if seat == VAMPIRES else "random",
            budget(rng, lambda: next(ticks) / 4),
        ):
            assert action in legal(state)
            state = act(state, action)


def test_a_bot_passes_where_the_options_say_so() -> None:
    """With pieces in hand, no safe cell and `no_safe_cell = "pass"` every level passes."""
    state = at(NO_SAFE_CELL, "w", "villagers", no_safe_cell="pass")

    assert [[PASS]] * len(LEVELS) == [
        choose_turn(state.public, level, budget(Random(0), lambda: 0.0)) for level in LEVELS
    ]


@pytest.mark.slow
def test_a_level_beats_the_one_below() -> None:
    """The greedy level beats random play as either side in most of ten games."""
    won = 0
    for seed in range(10):
        rng, state = Random(seed), start(Setup())
        side = VAMPIRES if seed % 2 else "villagers"
        while state.public.to_move is not None and state.public.turns < 200:
            level = "heuristic" if state.public.to_move == side else "random"
            for action in choose_turn(state.public, level, budget(rng, lambda: 0.0)):
                state = act(state, action)
        won += state.public.outcome is not None and state.public.outcome.winner == side
    assert won >= 8


def test_not_in_the_middle_of_a_capture() -> None:
    """A position is one at the beginning of a turn."""
    state = at("x a1 w b2 d4 s g7")
    with pytest.raises(ValueError, match="under way"):
        position_of(act(state, legal(state)[0]).public)


def test_position_is_that_of_the_view() -> None:
    """The bots' position has masks, hands and who is to move."""
    position = position_of(at("s a4 x g4 w d7", "xx w").public)

    assert Position(1 << 60, 12, 1 << 39, 0, 2, 1, True, True, 0) == position
