"""Turn a record into moments: each event, in order, with the whole state after it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from companion.core.game import Game
from companion.core.moment import Moment
from companion.table.errors import Refused
from companion.table.fairness.replay import Replayer, read_record_line


class ReplayedGame(Struct, frozen=True):
    """A game's moments without those that were taken back, which were `rewound` steps."""

    game: Game
    moments: list[Moment]
    rewound: int


def replay_game(lines: Iterable[str], games: Sequence[Game]) -> ReplayedGame:
    """Return the moments of a record, with every line decided again.

    Raises `GameError` for a record that differs, and `Refused` ("not_over") before the game's end.
    """
    replayer, rewound = Replayer({game.name: game for game in games}), 0
    for line in lines:
        if not line.strip():
            continue
        value = read_record_line(line)
        if not replayer.decide(value):
            raise Refused("not_over")
        rewound += value.get("rewound", {}).get("steps", 0)
    game = replayer.running()
    state, moments = game.initial(), []
    happened = replayer.full_history()
    if game.paper.pages(replayer.public_history()):
        happened = game.paper.retrace(
            happened, replayer.paper.pages if replayer.paper else ()
        ).phone_events
    for event in happened:
        state = game.evolve(state, event)
        moments.append(Moment(event, state))
    return ReplayedGame(game, moments, rewound)
