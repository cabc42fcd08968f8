"""List the steps of a finished game: the vampire's true place and the possible tiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.core.capabilities import Moment
from companion.core.game import Event, PublicEvent
from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import INDEX, Bitboard
from companion.games.vampireradar.bots.posterior import PosteriorBelief, Weights
from companion.games.vampireradar.events import BatEaten, PawnsKilled
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public


class ReplayStep(NamedTuple):
    """One event.

    earlier, public: the state before and after it
    tile: the vampire's tile after it; None before it hid, and on paper if it was not typed
    before, tiles, weights: the possible tiles before and after it, from public events. A secret
    event changes nothing here, so within a night the vampire's tile may be missing.
    """

    event: Event
    earlier: Public
    public: Public
    cell: Cell | None
    before: int
    tiles: int
    weights: Weights
    ground: Bitboard


def replay_steps(moments: Iterable[Moment]) -> list[ReplayStep]:
    """Return a step for each moment of a game."""
    posterior, steps = PosteriorBelief(), []
    tiles, weights = 0, posterior.weights
    for moment in moments:
        event, before, earlier = moment.event, tiles, posterior.belief.public
        if isinstance(event, PublicEvent):
            posterior.observe(event)
            tiles, weights = posterior.belief.tiles, posterior.weights
        public: Public = moment.state.public
        if isinstance(event, PawnsKilled | BatEaten) and public.options.announce == "immediate":
            # The tile is public now; the belief is updated only at the end of the night.
            tiles, weights = 1 << INDEX[event.cell], {INDEX[event.cell]: 1.0}
        own = moment.state.private.get(V)
        cell = None if own is None else own.cell
        steps.append(
            ReplayStep(
                event, earlier, public, cell, before, tiles, weights, posterior.belief.ground
            )
        )
    return steps
