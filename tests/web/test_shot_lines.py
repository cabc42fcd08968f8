"""The line that a screen draws for a shot is the rules' line."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random

import pytest

from companion.core.game import State, View
from companion.core.grid import DIRECTIONS
from companion.games.vampireradar.humans import shot_line
from companion.games.vampireradar.options import Options, Setup
from companion.games.vampireradar.state import Public
from tests.games.vampireradar.builders import GAME

POSITIONS = 40


def position(seed: int, options: Options) -> Public:
    """Return a position on a random field after some random play."""
    rng = Random(seed)
    state: State = GAME.initial()
    events = GAME.setup(GAME.seat_names(3), Setup(options), rng)
    for _ in range(60):
        for event in events:
            state = GAME.evolve(state, event)
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        own = state.private.get(seat)
        events = list(
            GAME.decide(
                state,
                seat,
                rng.choice(list(GAME.legal_actions(View(seat, state.public, own)))),
                rng,
            ).events
        )
    public: Public = state.public
    return public


@pytest.mark.slow
def test_a_drawn_line_is_the_rules_line() -> None:
    """For every pawn and direction, whether or not pawns stop shots, screens cover the same tiles
    as the rules.
    """
    requests, computed = [], []
    for seed in range(POSITIONS):
        public = position(seed, Options(pawns_block_shots=seed % 2 == 0))
        shots = [
            (pawn, cell, direction)
            for pawn, cell in public.pawns.items()
            for direction in DIRECTIONS
        ]
        view = GAME.encode_view(View(None, public))
        requests.append(
            json.dumps({"view": view, "shots": [[cell, direction] for _, cell, direction in shots]})
        )
        computed.append(
            [list(shot_line(public, pawn, cell, direction)) for pawn, cell, direction in shots]
        )
    script = Path(__file__).with_name("shot_lines.mjs")
    result = subprocess.run(
        ["node", script], input="\n".join(requests), capture_output=True, text=True, timeout=300
    )

    assert (0, "") == (result.returncode, result.stderr)
    assert computed == [json.loads(line) for line in result.stdout.splitlines()]
