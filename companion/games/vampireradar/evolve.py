"""Apply events to the state: the public fold, and the vampire's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Outcome, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.events import (
    AnswerDoubted,
    BatEaten,
    BulletTaken,
    GameOver,
    GameSetUp,
    HumanEliminated,
    PaperTakenUp,
    PawnSet,
    PawnsKilled,
    PawnWalked,
    RadarAsked,
    RadarCalled,
    ShotAsked,
    ShotFired,
    TokenSet,
    TurnEnded,
    TurnStarted,
    VampireFed,
    VampireHid,
    VampireMoved,
    VampirePlaced,
    VampireStruck,
)
from companion.games.vampireradar.layout import HOUSE_FIELD, lay
from companion.games.vampireradar.options import HUMANS, Options, V
from companion.games.vampireradar.state import OWNERS, Public, Vampire
from companion.games.vampireradar.turn_order import quiet_rounds, round_queue


@cache
def empty_public() -> Public:
    """Return the public part before the set-up: the house field without a pawn."""
    return Public(lay(HOUSE_FIELD), Options(), (), {}, {}, {}, (), (), 4, 4)


def fold_public(public: Public, event: PublicEvent) -> Public:
    """Return the public part after a public event."""
    return PUBLIC_FOLDS[type(event)](public, event)


def fold_vampire(own: Vampire, event: Event) -> Vampire:
    """Return the vampire's own part after one of its events; raise `TypeError` for another."""
    fold = _VAMPIRE_FOLDS.get(type(event))
    if fold is None:
        raise TypeError(f"not an event of this game: {type(event).__name__}")
    return fold(own, event)


def _set_up(public: Public, event: GameSetUp) -> Public:
    field = lay(event.field)
    start = {Pawn(pawn): Cell(cell) for pawn, cell in event.start.items()}
    humans = HUMANS[: event.players - 1]
    return Public(
        field=field,
        options=event.options,
        humans=humans,
        start=start,
        pawns=start,
        bullets={Seat(seat): count for seat, count in event.bullets.items()},
        bullet_tokens=field.cells_of("o"),
        bat_tokens=field.cells_of("b"),
        hp=event.vampire_hp,
        max_hp=5 if event.players == 4 else 4,
        queue=round_queue(humans, 1, event.options),
    )


def _placed(public: Public, event: VampirePlaced) -> Public:
    return replace(public, placed=True)


def _turn_started(public: Public, event: TurnStarted) -> Public:
    later = public.queue[public.queue.index(event.seat) + 1 :]
    return replace(
        public,
        to_move=event.seat,
        queue=later,
        actions_left=event.actions_left or 0,
        rights=(),
        acted=(),
    )


def _turn_ended(public: Public, event: TurnEnded) -> Public:
    if event.seat != V:
        return replace(public, actions_left=0, rights=())
    number = public.round + 1
    return replace(
        public,
        round=number,
        queue=round_queue(public.humans, number, public.options),
        quiet_rounds=quiet_rounds(public),
        had_activity=False,
    )


def _walked(public: Public, event: PawnWalked) -> Public:
    pawn, to = event.pawn, event.to
    tile = public.field.tile[to]
    offers = tile == "r" or (tile == "o" and to in public.bullet_tokens)
    rights = _kept(public, pawn) if public.rights else ()
    return replace(
        public,
        pawns={**public.pawns, pawn: to},
        actions_left=public.actions_left - 1,
        rights=(*rights, pawn) if offers else rights,
        acted=public.acted if pawn in public.acted else (*public.acted, pawn),
    )


def _kept(public: Public, pawn: Pawn) -> tuple[Pawn, ...]:
    """Return the rights that outlive an action of `pawn`: none, or with `lazy_landing` those of the
    other pawns.
    """
    if not public.options.lazy_landing:
        return ()
    return tuple(other for other in public.rights if other != pawn)


def _bullet_taken(public: Public, event: BulletTaken) -> Public:
    return replace(
        public,
        bullets={**public.bullets, OWNERS[event.pawn]: event.bullets},
        bullet_tokens=tuple(cell for cell in public.bullet_tokens if cell != event.cell),
        rights=_kept(public, event.pawn),
        had_activity=True,
    )


def _radar_called(public: Public, event: RadarCalled) -> Public:
    return replace(public, rights=_kept(public, event.pawn), asked=None)


def _shot_fired(public: Public, event: ShotFired) -> Public:
    pawn = event.pawn
    return replace(
        public,
        bullets={**public.bullets, OWNERS[pawn]: event.bullets},
        hp=event.vampire_hp,
        spent=public.spent + 1,
        actions_left=public.actions_left - 1,
        rights=public.rights if public.options.lazy_landing else (),
        acted=public.acted if pawn in public.acted else (*public.acted, pawn),
        had_activity=True,
        asked=None,
    )


def _asked(public: Public, event: RadarAsked | ShotAsked) -> Public:
    return replace(public, asked=event)


def _doubted(public: Public, event: AnswerDoubted) -> Public:
    return public


def _paper_taken_up(public: Public, event: PaperTakenUp) -> Public:
    options = replace(public.options, path="paper", announce="immediate")
    return replace(public, options=options, paper_from=public.round if public.placed else 0)


def _killed(public: Public, event: PawnsKilled) -> Public:
    pawns = {pawn: cell for pawn, cell in public.pawns.items() if pawn not in event.pawns}
    return replace(public, pawns=pawns, had_activity=True)


def _bat_eaten(public: Public, event: BatEaten) -> Public:
    return replace(
        public,
        bat_tokens=tuple(cell for cell in public.bat_tokens if cell != event.cell),
        boxed_bats=public.boxed_bats + (event.vampire_hp == public.hp),
        hp=event.vampire_hp,
        had_activity=True,
    )


def _eliminated(public: Public, event: HumanEliminated) -> Public:
    return replace(
        public,
        out=(*public.out, event.seat),
        bullets={**public.bullets, event.seat: 0},
        lost=public.lost + event.bullets_lost,
    )


def _pawn_set(public: Public, event: PawnSet) -> Public:
    rights = tuple(pawn for pawn in public.rights if pawn != event.pawn)
    return replace(public, pawns={**public.pawns, event.pawn: event.to}, rights=rights)


def _token_set(public: Public, event: TokenSet) -> Public:
    tokens = public.bullet_tokens if event.token == "bullet" else public.bat_tokens
    lying = {*tokens, event.cell} if event.lies else {*tokens} - {event.cell}
    in_order = tuple(cell for cell in public.field.grid.cells if cell in lying)
    if event.token == "bullet":
        rights = tuple(pawn for pawn in public.rights if public.pawns[pawn] != event.cell)
        return replace(public, bullet_tokens=in_order, rights=rights)
    return replace(public, bat_tokens=in_order)


def _game_over(public: Public, event: GameOver) -> Public:
    outcome = Outcome(event.winner, event.reason)
    return replace(public, to_move=None, actions_left=0, rights=(), outcome=outcome, asked=None)


def _hid(own: Vampire, event: VampireHid) -> Vampire:
    return Vampire(event.cell, 0, (event.cell,))


def _moved(own: Vampire, event: VampireMoved) -> Vampire:
    return Vampire(event.to, event.actions_left, (*own.trail, event.to), own.struck, own.fed)


def _struck(own: Vampire, event: VampireStruck) -> Vampire:
    return replace(own, struck=(*own.struck, event))


def _fed(own: Vampire, event: VampireFed) -> Vampire:
    return replace(own, fed=(*own.fed, event))


_VAMPIRE_FOLDS: dict[type[Event], Callable[[Vampire, Any], Vampire]] = {
    VampireHid: _hid,
    VampireMoved: _moved,
    VampireStruck: _struck,
    VampireFed: _fed,
}
PUBLIC_FOLDS: dict[type[Event], Callable[[Public, Any], Public]] = {
    GameSetUp: _set_up,
    VampirePlaced: _placed,
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    PawnWalked: _walked,
    BulletTaken: _bullet_taken,
    RadarCalled: _radar_called,
    ShotFired: _shot_fired,
    RadarAsked: _asked,
    ShotAsked: _asked,
    AnswerDoubted: _doubted,
    PaperTakenUp: _paper_taken_up,
    PawnsKilled: _killed,
    BatEaten: _bat_eaten,
    HumanEliminated: _eliminated,
    PawnSet: _pawn_set,
    TokenSet: _token_set,
    GameOver: _game_over,
}
