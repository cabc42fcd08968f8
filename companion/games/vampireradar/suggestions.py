"""Hints from public events alone: the odds of the vampire's tile, and a suggested action with its
reason for the human to move.

The search is that of the bots' level `search` with the odds that the display shows. Its limit is a
number of steps instead of a time, so that equal events give an equal suggestion.
"""

from __future__ import annotations

from itertools import count
from typing import Literal, NamedTuple

from companion.core.capabilities import Hints, Suggestion
from companion.core.game import Action, Message, PublicEvent
from companion.core.grid import DIRECTIONS
from companion.core.placement import Cell
from companion.core.search_budget import Deadline
from companion.games.vampireradar.actions import CallRadar, TakeBullet
from companion.games.vampireradar.bots.base import free_action
from companion.games.vampireradar.bots.bitboard import CELLS
from companion.games.vampireradar.bots.position import STOP, Position, Step
from companion.games.vampireradar.bots.posterior import PosteriorBelief, Weights
from companion.games.vampireradar.bots.turn_search import TurnSearch, answers, outcomes
from companion.games.vampireradar.humans import human_actions
from companion.games.vampireradar.options import MAX_BULLETS, V

MOST_WORK = 3000
"""The maximum number of steps that one search visits: less than 0.1 s on a Raspberry Pi 5."""
MUCH_SAFER = 10
"""The difference in percent from which safety is the first reason to walk to a tile."""


def suggest(posterior: PosteriorBelief) -> Suggestion | None:
    """Return a suggestion to the human to move; None by night, before the vampire has hidden, and
    if no tile fits the answers.
    """
    public, weights = posterior.belief.public, posterior.weights
    if public.to_move in (None, V) or not weights:
        return None
    legal = human_actions(public)
    now = Situation(Position(public), weights, public.options.pawns_block_shots)
    gift = free_action(legal)
    if gift is not None:
        return Suggestion(gift, _reason_of_gift(now, gift))
    allowed = set(legal)
    steps = [step for step in now.position.steps() if now.position.action(step) in allowed]
    step = now.best(steps)
    return Suggestion(now.position.action(step), _reason(now, step))


class Situation(NamedTuple):
    """A position with the odds of the vampire's tile.

    blocks: whether pawns end the line of a shot
    """

    position: Position
    weights: Weights
    blocks: bool

    def best(self, steps: list[Step]) -> Step:
        """Return the best of the steps, without shots that cannot hit."""
        search = TurnSearch(Deadline(MOST_WORK, count().__next__))
        useful = [step for step in steps if step.direction < 0 or self.percent(self.line(step))]
        horizon = self.position.turns[0][1]
        return search.weigh(self.position, self.weights, useful, horizon)[0][1]

    def after(self, step: Step) -> Situation:
        """Return the situation after a step that has one outcome."""
        ((_, position, weights),) = outcomes(self.position, self.weights, step)
        return Situation(position, weights, self.blocks)

    def line(self, shot: Step) -> int:
        """Return the tiles that a shot covers."""
        position = self.position
        blocking = position.standing() if self.blocks else 0
        return position.ground.line(position.pawns[shot.pawn], shot.direction, blocking)

    def percent(self, tiles: int) -> int:
        """Return the odds of a set of tiles in percent: 0 if none of them is possible, and 100 if
        no other is.
        """
        possible = sum(1 << tile for tile in self.weights)
        if not tiles & possible:
            return 0
        if not possible & ~tiles:
            return 100
        share = sum(weight for tile, weight in self.weights.items() if tiles >> tile & 1)
        return min(99, max(1, round(100 * share)))

    def takes_bullet(self, step: Step) -> bool:
        """Return whether the pawn takes a bullet where it walks."""
        position = self.position
        held = position.bullets[position.owners[step.pawn]]
        return bool(position.tokens >> step.to & 1) and held < MAX_BULLETS


def _reason_of_gift(now: Situation, gift: Action) -> Message:
    """Return why to take an action that costs no point."""
    if isinstance(gift, TakeBullet):
        return Message("suggest.bullet_free")
    assert isinstance(gift, CallRadar)
    pawn = now.position.names.index(gift.pawn)
    radar = _radar(now, "suggest.radar_now", now.position.pawns[pawn])
    return radar or Message("suggest.free")


def _reason(now: Situation, step: Step) -> Message:
    if step == STOP:
        return Message("suggest.stay" if now.position.turns[0][1] > 0 else "suggest.spent")
    return _immediate_gain(now, step) or _later_gain(now, step) or _reason_of_place(now, step)


def _immediate_gain(
    now: Situation, step: Step, when: Literal["now", "next"] = "now"
) -> Message | None:
    """Return a step's immediate gain, None for none.

    when: the end of the message's code
    """
    if step.direction >= 0:
        params: dict[str, str | int] = {
            "cell": CELLS[now.position.pawns[step.pawn]],
            "direction": DIRECTIONS[step.direction],
            "percent": now.percent(now.line(step)),
        }
        return Message(f"suggest.hit_{when}", params)
    if now.takes_bullet(step):
        return Message(f"suggest.bullet_{when}", {"cell": CELLS[step.to]})
    if now.position.ground.radars >> step.to & 1:
        return _radar(now, f"suggest.radar_{when}", step.to)
    return None


def _radar(now: Situation, code: str, radar: int) -> Message | None:
    """Return the mean number of tiles that a radar leaves; None if its answer is known."""
    parts = answers(now.position, now.weights, radar)
    if len(parts) == 1:
        return None
    tiles = len(now.weights)
    left = round(sum(chance * len(part) for chance, part in parts))
    return Message(
        code, {"cell": CELLS[radar], "left": min(tiles - 1, max(1, left)), "tiles": tiles}
    )


def _later_gain(now: Situation, step: Step) -> Message | None:
    """Return the first gain of the same pawn's next steps this turn, None for none."""
    while step.to >= 0:
        now = now.after(step)
        ways = [each for each in now.position.steps() if each.pawn == step.pawn]
        if not ways:
            return None
        step = now.best([*ways, STOP])
        gain = None if step == STOP else _immediate_gain(now, step, "next")
        if gain is not None:
            return gain
    return None


def _reason_of_place(now: Situation, step: Step) -> Message:
    """Return the reason for the end of a walk: safer, nearer to a radar, or near the vampire."""
    ground, start = now.position.ground, now.position.pawns[step.pawn]
    cell = CELLS[step.to]
    here, there = now.percent(ground.ball[start]), now.percent(ground.ball[step.to])
    radar = ground.to_radar[step.to]
    is_nearer = 0 < radar < ground.to_radar[start]
    if there <= here - MUCH_SAFER or (there < here and not is_nearer):
        return Message(
            "suggest.safer",
            {"cell": cell, "percent": there, "other": CELLS[start], "before": here},
        )
    if is_nearer:
        return Message("suggest.near_radar", {"cell": cell, "n": radar})
    return Message("suggest.near", {"cell": cell, "percent": there})


WHOLE = 1000
"""The unit of shares."""


def odds(weights: Weights) -> dict[Cell, int]:
    """Return the share of each possible tile in thousandths, in board order, at least 1 each."""
    return {CELLS[tile]: max(1, round(WHOLE * weights[tile])) for tile in sorted(weights)}


class VampireHints(Hints):
    """Odds and suggestions from public events; none before the vampire has hidden."""

    def __init__(self) -> None:
        self._posterior = PosteriorBelief()

    def observe(self, event: PublicEvent) -> None:
        self._posterior.observe(event)

    def odds(self) -> dict[Cell, int]:
        return odds(self._posterior.weights)

    def suggest(self) -> Suggestion | None:
        return suggest(self._posterior)
