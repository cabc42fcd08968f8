"""A slow reference for the belief: it tries every night of the vampire on the rules themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from companion.core.game import Action, PublicEvent, State
from companion.core.placement import Cell
from companion.core.view import view
from companion.games.vampireradar.actions import End, Place
from companion.games.vampireradar.events import BatEaten, PawnsKilled
from companion.games.vampireradar.options import V
from companion.games.vampireradar.rules import VampireRadar
from companion.games.vampireradar.state import Public, Vampire

GAME = VampireRadar()


def candidates_after(
    before: Public,
    candidates: set[Cell | None],
    actions: Sequence[Action],
    observed: list[PublicEvent],
) -> set[Cell | None]:
    """Return where the vampire can be after one submission, from all places where it could be
    before.

    `actions` are a human's; the vampire's are secret (an empty list), so that every night is tried.
    `observed` are the public events.
    """
    after: set[Cell | None] = set()
    for cell in candidates:
        if actions:
            state = State(before, {V: Vampire(cell)})
            seat = before.to_move
            assert seat is not None
            events = [
                event
                for action in actions
                for event in GAME.decide(state, seat, action, Random(0)).events
            ]
            if events == observed:
                after.add(cell)
        else:
            after |= _nights(before, cell, observed)
    return after


def _nights(before: Public, cell: Cell | None, observed: list[PublicEvent]) -> set[Cell | None]:
    """Try every night from `cell`; return the ends of those with exactly the public events
    `observed`.
    """
    ends: set[Cell | None] = set()
    first = State(before, {V: Vampire(cell, 2 if cell else 0, ())})
    edge: list[tuple[State, list[PublicEvent]]] = [(first, [])]
    visited: set[tuple[Cell | None, int, int, tuple[object, ...]]] = set()
    while edge:
        state, so_far = edge.pop()
        own: Vampire = state.private[V]
        key = (own.cell, own.actions_left, len(so_far), (frozenset(own.struck), frozenset(own.fed)))
        if key in visited:
            continue
        visited.add(key)
        for action in GAME.legal_actions(view(state, V)):
            next_state, more = state, list(so_far)
            for event in GAME.decide(state, V, action, Random(0)).events:
                next_state = GAME.evolve(next_state, event)
                if isinstance(event, PublicEvent):
                    more.append(event)
            ended = isinstance(action, End | Place) or next_state.public.outcome is not None
            if ended and more == observed:
                ends.add(next_state.private[V].cell)
            elif not ended and _may_lead_to(next_state, more, observed):
                edge.append((next_state, more))
    return ends


def _may_lead_to(state: State, so_far: list[PublicEvent], observed: list[PublicEvent]) -> bool:
    """Return whether a night's events so far could still become the published ones."""
    own: Vampire = state.private[V]
    struck = Counter([*(blow.cell for blow in own.struck), *(meal.cell for meal in own.fed)])
    public = Counter(event.cell for event in observed if isinstance(event, PawnsKilled | BatEaten))
    kinds = {
        (type(event), event.cell) for event in observed if isinstance(event, PawnsKilled | BatEaten)
    }
    hidden = [
        *((PawnsKilled, blow.cell) for blow in own.struck),
        *((BatEaten, meal.cell) for meal in own.fed),
    ]
    return so_far == observed[: len(so_far)] and struck <= public and set(hidden) <= kinds
