"""The speed of other engines' rules in random play, one process and core, called like ours: list
the legal actions, take one.

Run by the Python of `.venv/peers` (locks/peers.txt), so that their packages are not installed
beside the table's own. Prints the actions a second of each as JSON.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random

SECONDS = 3.0
OPEN_SPIEL = (
    "tic_tac_toe", "kuhn_poker", "phantom_ttt", "checkers", "dark_chess", "chess", "battleship",
    "python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker",
)  # fmt: skip


def actions_per_second(game: Callable[[Random], int]) -> float:
    """Return the actions a second of one core of whole games; `game` plays one and returns the
    number of its actions.
    """
    rng, count = Random(1), 0
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        count += game(rng)
    return count / (time.process_time() - began)


def open_spiel(name: str) -> Callable[[Random], int]:
    """Return random play of one of open_spiel's games; "python_…" are written in Python, the others
    in C++.
    """
    import open_spiel.python.games
    import pyspiel

    assert open_spiel.python.games
    rules = pyspiel.load_game(name)

    def play(rng: Random) -> int:
        state, count = rules.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
                count += 1
            state.apply_action(actions[int(rng.random() * len(actions))])
        return count

    return play


def chess_game(rng: Random) -> int:
    """Play one game of python-chess, 300 half-moves at most."""
    import chess

    board, count = chess.Board(), 0
    while not board.is_game_over() and count < 300:
        moves = list(board.legal_moves)
        board.push(moves[int(rng.random() * len(moves))])
        count += 1
    return count


def pettingzoo() -> Callable[[Random], int]:
    """Return random play of pettingzoo's noughts and crosses."""
    from pettingzoo.classic import tictactoe_v3

    table = tictactoe_v3.env()

    def play(rng: Random) -> int:
        table.reset()
        count = 0
        for _ in table.agent_iter():
            observation, _, terminated, truncated, _ = table.last()
            if terminated or truncated:
                table.step(None)
                continue
            legal = [action for action, allowed in enumerate(observation["action_mask"]) if allowed]
            table.step(legal[int(rng.random() * len(legal))])
            count += 1
        return count

    return play


def main() -> None:
    """Measure each and print the figures."""
    games = {
        **{f"open_spiel, {name}": open_spiel(name) for name in OPEN_SPIEL},
        "python-chess": chess_game,
        "pettingzoo, tictactoe_v3": pettingzoo(),
    }
    print(json.dumps({name: actions_per_second(game) for name, game in games.items()}))


if __name__ == "__main__":
    main()
