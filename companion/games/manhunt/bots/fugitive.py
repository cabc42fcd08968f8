"""Choose the fugitive's secret turns at three levels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from companion.core.game import Action, PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt import events
from companion.games.manhunt.actions import AGAIN, END, Again, Hide, Step
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import FAR
from companion.games.manhunt.bots.escape import covered, open_ways
from companion.games.manhunt.fugitive import decide_fugitive, fugitive_actions
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public, new_turn

TURNS = 60
"""The maximum number of whole turns to evaluate."""
RISK = 6.0
"""The cost of a certain arrest, where a doubling of the possible places is worth 1."""
NEAR = 1.0
"""The worth of a step farther from the nearest pawn."""
EXITS = 1.0
"""The worth of a doubling of the reachable places, in each turn ahead."""
SCARCE = 8.0
"""The price of the last ticket of a kind."""
GOAL = 0.5
"""The worth of a step towards a target or hideout."""
SAVED = 0.6
"""The worth of an unused double or unseen move."""

Turn = tuple[list[Action], Hidden]


def choose_fugitive(belief: Belief, own: Hidden, level: str, rng: Random) -> list[Action]:
    """Return a whole submission of the fugitive: its start, its turn, or both turns of a double
    move.
    """
    if not belief.public.placed:
        starts = fugitive_actions(belief.public, own)
        return [_start(belief, [each for each in starts if isinstance(each, Hide)], level, rng)]
    actions: list[Action] = []
    while True:
        turn, own = _turn(belief, own, level, rng)
        actions += turn
        if not isinstance(turn[-1], Again):
            return actions
        belief, own = _after(belief, _events(belief.public, own, turn[-1])), new_turn(own)
        if belief.public.to_move != F:
            return actions


def _after(belief: Belief, observed: Sequence[PublicEvent]) -> Belief:
    twin = belief.copy()
    for event in observed:
        twin.observe(event)
    return twin


def _turn(belief: Belief, own: Hidden, level: str, rng: Random) -> Turn:
    """Return one turn with the fugitive's part at its end."""
    public = belief.public
    if level == "random":
        return _random_turn(public, own, rng)
    turns = list(_turns(public, own, []))
    if len(turns) > TURNS:
        turns = rng.sample(turns, TURNS)
    value = _safety if level == "greedy" else _value
    return max(turns, key=lambda turn: value(belief, turn) + rng.random() / 10)


def _random_turn(public: Public, own: Hidden, rng: Random) -> Turn:
    actions: list[Action] = []
    while True:
        action = rng.choice(fugitive_actions(public, own))
        actions.append(action)
        if not isinstance(action, Step):
            return actions, own
        own = _after_step(public, own, action)


def _after_step(public: Public, own: Hidden, step: Step) -> Hidden:
    assert own.cell is not None
    stepped = events.FugitiveStepped(own.cell, step.to, step.kind, step.unseen)
    return stepped.apply_private({F: own}, public)[F]


def _turns(public: Public, own: Hidden, made: list[Action]) -> Iterator[Turn]:
    """Yield each whole turn with the fugitive's part at its end."""
    for action in fugitive_actions(public, own):
        if isinstance(action, Step):
            yield from _turns(public, _after_step(public, own, action), [*made, action])
        else:
            yield [*made, action], own


def _nearest(belief: Belief, cell: Cell) -> int:
    pawns = belief.public.pawns.values()
    return min((belief.board.distance(pawn, cell) for pawn in pawns), default=FAR)


def _start(belief: Belief, starts: Sequence[Hide], level: str, rng: Random) -> Hide:
    if level == "random":
        return rng.choice(starts)
    # One of the farther half: always taking the farthest would disclose the place.
    ranked = sorted(starts, key=lambda hide: -_nearest(belief, hide.cell))
    return rng.choice(ranked[: max(1, len(ranked) // 2)])


def _safety(belief: Belief, turn: Turn) -> float:
    actions, own = turn
    assert own.cell is not None
    wasted = sum(isinstance(action, Step) and action.unseen for action in actions)
    return min(_nearest(belief, own.cell), 5) - SAVED * (wasted + isinstance(actions[-1], Again))


def _value(belief: Belief, turn: Turn) -> float:
    """Return the worth of a turn: what the hunters know after it, their reach, the way to goals."""
    actions, own = turn
    if actions[-1] not in (END, AGAIN):
        return -math.inf
    public, cell = belief.public, own.cell
    assert cell is not None
    announced = _public_events(public, own, actions[-1])
    after = _after(belief, announced)
    if any(isinstance(event, events.HideoutReached) for event in announced):
        return math.inf
    possible = max(1, after.places.bit_count())
    worth = math.log2(possible) + NEAR * min(_nearest(belief, cell), 4)
    worth -= _tickets(public, own)
    worth += EXITS * open_ways(after.board, cell, covered(after.board, public.pawns.values()))
    if not isinstance(actions[-1], Again):
        worth -= RISK * _risk(after, cell)
    worth -= SAVED * isinstance(actions[-1], Again)
    worth -= SAVED * sum(isinstance(action, Step) and action.unseen for action in actions)
    worth += 4 * sum(isinstance(event, events.TargetReached) for event in announced)
    return worth - GOAL * _way_to_goal(after, cell)


def _tickets(public: Public, own: Hidden) -> float:
    """Return the price of the tickets that a turn costs; the fewer are left, the higher it is."""
    turns = public.board.rules.rounds - public.round
    left = [public.fugitive_tickets[kind] for kind in own.kinds if kind in public.fugitive_tickets]
    return sum(SCARCE / count for count in left if count <= turns)


def _public_events(public: Public, own: Hidden, last: Action) -> list[PublicEvent]:
    kinds = (events.FugitiveMoved, events.PlaceAnnounced, events.DoubleMoved)
    return [event for event in _events(public, own, last) if isinstance(event, kinds)]


def _events(public: Public, own: Hidden, last: Action) -> list[PublicEvent]:
    decided = decide_fugitive(public, own, last)
    return [event for event in decided if isinstance(event, PublicEvent)]


def _risk(after: Belief, cell: Cell) -> float:
    """Return the risk that hunters enter the place next: each pawn within reach enters one of the
    possible places in its reach.
    """
    reach = after.board.rules.hunter_moves
    board, pawns = after.board, after.public.pawns.values()
    if not any(board.distance(pawn, cell) <= reach for pawn in pawns):
        return 0.0
    risk = 0.0
    for pawn in pawns:
        near = board.within(pawn, reach)
        if near >> board.index[cell] & 1:
            risk += 1 / max(1, (near & after.places).bit_count())
    return min(1.0, risk)


def _way_to_goal(after: Belief, cell: Cell) -> float:
    board = after.board
    goals = board.hideouts | (board.targets - set(after.public.visited))
    if not goals:
        return 0.0
    return min(board.escape_distances(goal).get(cell, FAR) for goal in goals)
