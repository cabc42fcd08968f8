"""Turn a seat's actions into log items: open actions, or one whole secret turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any

from companion.core.codec import encode_action, encode_actions, encode_events
from companion.core.game import (
    Action,
    Event,
    Game,
    IllegalAction,
    Message,
    PrivateEvent,
    Seat,
    State,
    View,
)
from companion.core.view import view
from companion.table.entries import Dealt, Item, Submission
from companion.table.errors import Refused
from companion.table.fairness import commitment
from companion.table.fairness.shuffle import LazyRandom
from companion.table.state import TableState

GameView = tuple[Game, View]
BlockingReason = Callable[[Action, GameView], Message | None]
"""Returns why an action may not be answered in this public view, None if it may."""


def blocked_by_board(
    actions: Sequence[Action], blocking_reason: BlockingReason, running: GameView
) -> Message | None:
    """Return why the first disclosing one of `actions` may not be answered, or None.

    `blocking_reason` judges each action by the position after the actions before it.
    """
    game, seen = running
    for action in actions:
        if type(action).discloses:
            if reason := blocking_reason(action, (game, seen)):
                return reason
            continue
        try:
            seen = game.preview(seen, action)
        except IllegalAction:
            # The board does not block it, or the rules will refuse it.
            return None
    return None


def _random_source(table: TableState, rng: Random, drawn: int = 0) -> LazyRandom:
    """Return the generator of a submission: the game's fair shuffle, else `rng`.

    drawn: the number of draws since the last stored one
    """
    if table.run.shuffle is None:
        return LazyRandom(lambda: f"{rng.getrandbits(128):032x}")
    return LazyRandom(partial(table.run.shuffle.draw, table.run.draws + drawn))


def open_turn(
    table: TableState, seat: Seat, actions: Sequence[Action], rng: Random
) -> tuple[list[Item], State]:
    """Return an item for each action, automatic ones at the end, and the state after them.

    Raises `IllegalAction`, and `Refused` ("drawn_before") for an action after a draw: the rules'
    answer might reveal the draw, and nothing would be stored.
    """
    game, state = table.run.running(), table.run.state
    items: list[Submission] = []

    def act(action: Action, automatic: bool) -> State:
        chance = _random_source(table, rng, sum(bool(item.chance) for item in items))
        draft = game.decide(state, seat, action, chance)
        taken, events = [encode_action(action)], encode_events(draft.events)
        items.append(Submission(seat, taken, events, automatic=automatic, chance=chance.drawn))
        return draft.state

    for action in actions:
        if items and items[-1].chance:
            raise Refused("drawn_before")
        state = act(action, automatic=False)
    if table.settings.auto_pick_up and game.to_move(state.public) == seat:
        for action in game.follow_ups(view(state, seat)):
            state = act(action, automatic=True)
    return [*items], state


def deal(key: str, game: Game, events: Sequence[Event], state: State, nonce: bytes) -> Dealt:
    """Return the item of a set-up that leads to `state`; sealed if it gives a seat a secret."""
    dealt = encode_events(events)
    if not any(isinstance(event, PrivateEvent) and event.seats for event in events):
        return Dealt(dealt)
    return Dealt(dealt, commitment.deal_line(game=key, start=game.to_setup(state), nonce=nonce))


def secret_turn(
    table: TableState,
    seat: Seat,
    actions: Sequence[Action],
    rng: Random,
    nonce: bytes,
    *,
    automatic: bool = False,
) -> Submission:
    """Return the item of a whole secret turn with its sealed line.

    automatic: the table takes the turn for the seat
    Raises `IllegalAction`, and `Refused` ("night_unfinished") unless the last action ends the turn.
    """
    game, state = table.run.running(), table.run.state
    events: list[dict[str, Any]] = []
    chance = _random_source(table, rng)
    for action in actions:
        draft = game.decide(state, seat, action, chance)
        state = draft.state
        events += encode_events(draft.events)
    if game.secret_seat(state.public) == seat and game.outcome(state.public) is None:
        raise Refused("night_unfinished")
    fixed = game.sealed(view(table.run.state, seat), actions)
    line = commitment.turn_line(
        game=table.run.key,
        kind=fixed.kind,
        seat=seat,
        number=table.run.next_number,
        actions=encode_actions(actions),
        path=fixed.path,
        prev=table.run.last_seal.seal if table.run.last_seal else commitment.ZERO_HASH,
        nonce=nonce,
    )
    return Submission(
        seat, encode_actions(actions), events, automatic=automatic, line=line, chance=chance.drawn
    )
