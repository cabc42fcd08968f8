"""Pass turns and end the game."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import PublicEvent
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.events import GameOver, TurnStarted
from companion.games.vampireradar.options import Options, V
from companion.games.vampireradar.state import Public


def next_turn(public: Public) -> list[PublicEvent]:
    """Return the event that begins the next turn, or the draw of a stalled game.

    Next is the first of the round's queue still in the game, otherwise the next round's first.
    """
    if 0 < public.options.stalled_after <= public.quiet_rounds and public.to_move == V:
        return [GameOver("draw", "stalled")]
    for seat in public.queue:
        if seat not in public.out:
            break
    return [TurnStarted(seat, None if seat == V else turn_points(public))]


def turn_points(public: Public) -> int:
    """Return a human's points a turn: 3 in the 2-player game, else 2, of which `rotating` takes 1
    at a time.
    """
    if len(public.humans) == 1:
        return 3
    return 1 if public.options.turn_order == "rotating" else 2


def ending_now(public: Public) -> list[PublicEvent]:
    bullets = sum(public.bullets.values()) + len(public.bullet_tokens)
    return ending(public.options, public.hp, public.pawns, bullets)


def ending(
    options: Options, hp: int, pawns: Mapping[Pawn, Cell], bullets: int
) -> list[PublicEvent]:
    """Return the end of the game, checked after every action in this order.

    bullets: in living hands and on tiles
    """
    if hp <= 0:
        return [GameOver("humans", "vampire_dead")]
    if not pawns:
        return [GameOver("vampire", "humans_dead")]
    if bullets < (hp if options.exhaustion == "hopeless" else 1):
        return [GameOver("vampire", "bullets_spent")]
    return []
