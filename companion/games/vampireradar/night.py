"""Decide the vampire's night: secret walks, attacks and meals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from companion.core.game import Action, Event, IllegalAction, PublicEvent
from companion.core.grid import parse_cell
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.actions import END, PLACES, Attack, End, Heal, Place, Walk
from companion.games.vampireradar.events import (
    BatEaten,
    HumanEliminated,
    PawnsKilled,
    TurnEnded,
    VampireFed,
    VampireHid,
    VampireMoved,
    VampirePlaced,
    VampireStruck,
)
from companion.games.vampireradar.evolve import fold_public
from companion.games.vampireradar.humans import no_step
from companion.games.vampireradar.options import STARTS, V
from companion.games.vampireradar.state import OWNERS, Public, Vampire
from companion.games.vampireradar.turn_order import ending_now, next_round, next_turn


def night_actions(public: Public, own: Vampire) -> Sequence[Action]:
    cell = own.cell
    if cell is None:
        return PLACES
    if own.actions_left < 1:
        return (END,)
    ways = public.field.ways[cell]
    pawns = () if ways.reach.isdisjoint(public.pawns.values()) else _standing(public, own)
    bats = () if ways.reach.isdisjoint(public.bat_tokens) else _bats(public, own)
    if not pawns and not bats:
        return ways.night
    return (
        *(
            ways.walks[None]
            if public.options.vampire_may_share
            else [walk for walk in ways.walks[None] if walk.to not in pawns]
        ),
        *(Attack(to) for to in (cell, *ways.near) if to in pawns),
        *(Heal(to) for to in (cell, *ways.near) if to in bats),
        END,
    )


def _standing(public: Public, own: Vampire) -> set[Cell]:
    """Return the cells of pawns that this night has not attacked yet."""
    cells = set(public.pawns.values())
    return cells - {blow.cell for blow in own.struck} if own.struck else cells


def _bats(public: Public, own: Vampire) -> set[Cell]:
    cells = set(public.bat_tokens)
    return cells - {meal.cell for meal in own.fed} if own.fed else cells


def decide_night(public: Public, own: Vampire, action: Action) -> Sequence[Event]:
    if type(action) is Place:
        return _place(public, own, action.cell)
    if own.cell is None:
        raise IllegalAction("place_first")
    if type(action) is End:
        return end_night(public, own)
    if own.actions_left < 1:
        raise IllegalAction("no_actions_left")
    if type(action) is Walk and action.pawn is None:
        return _walk(public, own, own.cell, action.to)
    if type(action) is Attack:
        return _attack(public, own, own.cell, action.to)
    if type(action) is Heal:
        return _heal(public, own, own.cell, action.to)
    raise IllegalAction("not_the_vampires_action")


def _place(public: Public, own: Vampire, cell: Cell) -> list[Event]:
    if own.cell is not None:
        raise IllegalAction("already_placed")
    if cell not in STARTS:
        raise IllegalAction("not_a_centre_tile", cell=cell)
    return [VampireHid(cell), VampirePlaced(), next_turn(public, public.queue)]


def _check_step(public: Public, cell: Cell, to: Cell) -> None:
    if to not in public.field.ways[cell].near:
        raise no_step(public, cell, to)


def _walk(public: Public, own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    _check_step(public, cell, to)
    if not public.options.vampire_may_share and to in _standing(public, own):
        raise IllegalAction("may_not_share", cell=to)
    return [VampireMoved(cell, to, own.actions_left - 1)]


def _stand(own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    """Return the step of an attack or a meal, which costs no action point of its own."""
    return [] if cell == to else [VampireMoved(cell, to, own.actions_left)]


def _attack(public: Public, own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    if cell != to:
        _check_step(public, cell, to)
    if to not in _standing(public, own):
        raise IllegalAction("no_pawn_there", cell=to)
    if public.options.announce == "turn_end":
        return [*_stand(own, cell, to), VampireStruck(to, _pawns_on(public, to))]
    return [*_stand(own, cell, to), *attack_events(public, to)]


def attack_events(public: Public, cell: Cell) -> list[PublicEvent]:
    """Return the events of an attack on a tile with pawns."""
    return _with_game_end(public, _kill_events(public, PawnsKilled(cell, _pawns_on(public, cell))))


def _pawns_on(public: Public, cell: Cell) -> tuple[Pawn, ...]:
    return tuple(pawn for pawn, at in public.pawns.items() if at == cell)


def _kill_events(public: Public, killed: PawnsKilled) -> list[PublicEvent]:
    """Return the kill, and the humans that it eliminates in seat order."""
    left = [pawn for pawn in public.pawns if pawn not in killed.pawns]
    alive = {OWNERS[pawn] for pawn in left}
    gone = [seat for seat in public.humans if seat not in alive and seat not in public.out]
    return [killed, *(HumanEliminated(seat, public.bullets[seat]) for seat in gone)]


def _with_game_end(public: Public, events: Sequence[PublicEvent]) -> list[PublicEvent]:
    """Return the events, with the end of the game if they cause it."""
    return [*events, *ending_now(_after(public, events))]


def _after(public: Public, events: Sequence[PublicEvent]) -> Public:
    return reduce(fold_public, events, public)


def _heal(public: Public, own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    if cell != to:
        _check_step(public, cell, to)
    if to not in _bats(public, own):
        raise IllegalAction("no_bat_there", cell=to)
    if public.options.announce == "turn_end":
        return [*_stand(own, cell, to), VampireFed(to)]
    return [*_stand(own, cell, to), *meal_events(public, to)]


def meal_events(public: Public, cell: Cell) -> list[PublicEvent]:
    """Return the events of a meal on a tile with a bat token."""
    return _with_game_end(public, [_eat(public, cell)])


def _eat(public: Public, cell: Cell) -> BatEaten:
    gains = len(public.humans) > 1 and public.hp < public.max_hp
    return BatEaten(cell, public.hp + gains)


def end_night(public: Public, own: Vampire) -> list[PublicEvent]:
    """Return the events at the end of a night, including those delayed until then."""
    happenings: list[VampireStruck | VampireFed] = [*own.struck, *own.fed]
    events: list[PublicEvent] = []
    if happenings:
        events = _delayed_events(public, happenings)
        public = _after(public, events)
        if public.outcome is not None:
            return events
    return [*events, TurnEnded(V), next_round(public)]


def _delayed_events(
    public: Public, happenings: Iterable[VampireStruck | VampireFed]
) -> list[PublicEvent]:
    """Return the events of attacks and meals that become public together, in board order."""
    events: list[PublicEvent] = []
    for happening in sorted(happenings, key=lambda event: parse_cell(event.cell)[::-1]):
        table = _after(public, events)
        if isinstance(happening, VampireStruck):
            events.extend(_kill_events(table, PawnsKilled(happening.cell, happening.pawns)))
        else:
            events.append(_eat(table, happening.cell))
    return _with_game_end(public, events)
