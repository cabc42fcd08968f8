"""Pass turns and end the game."""

from __future__ import annotations

from collections.abc import Collection

from companion.core.game import PublicEvent, Seat
from companion.core.placement import Pawn
from companion.games.vampireradar.events import GameOver, TurnStarted
from companion.games.vampireradar.options import Options, V
from companion.games.vampireradar.state import Public, round_queue


def next_round(public: Public) -> PublicEvent:
    """Return the event that begins the next round, or the draw of a stalled game."""
    if 0 < public.options.stalled_after <= public.round - public.active_round:
        return GameOver("draw", "stalled")
    return next_turn(public, round_queue(public.humans, public.round + 1, public.options))


def next_turn(public: Public, queue: tuple[Seat, ...]) -> TurnStarted:
    """Return the event that begins the turn of the queue's first seat still in the game."""
    for seat in queue:
        if seat not in public.out:
            break
    return TurnStarted(seat, None if seat == V else turn_points(public))


def turn_points(public: Public) -> int:
    """Return a human's points a turn: 3 in the 2-player game, else 2, of which `rotating` takes 1
    at a time.
    """
    if len(public.humans) == 1:
        return 3
    return 1 if public.options.turn_order == "rotating" else 2


def bullets_left(public: Public) -> int:
    """Return the number of bullets in living hands and on tiles."""
    return sum(public.bullets.values()) + len(public.bullet_tokens)


def ending_now(public: Public) -> list[PublicEvent]:
    return ending(public.options, public.hp, public.pawns, bullets_left(public))


def ending(options: Options, hp: int, pawns: Collection[Pawn], bullets: int) -> list[PublicEvent]:
    """Return the end of the game, checked after every action in this order.

    pawns: the living ones
    bullets: see `bullets_left`
    """
    if hp <= 0:
        return [GameOver("humans", "vampire_dead")]
    if not pawns:
        return [GameOver("vampire", "humans_dead")]
    if bullets < (hp if options.exhaustion == "hopeless" else 1):
        return [GameOver("vampire", "bullets_spent")]
    return []
