"""Decide the vampire's night: secret walks, attacks and meals."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Event, IllegalAction, PublicEvent, fold_public
from companion.core.grid import parse_cell
from companion.core.placement import Cell
from companion.games.vampireradar import actions, events
from companion.games.vampireradar.humans import no_step
from companion.games.vampireradar.options import STARTS, V
from companion.games.vampireradar.state import OWNERS, Public, Vampire
from companion.games.vampireradar.turn_order import (
    bullets_left,
    ending,
    ending_now,
    next_round,
    next_turn,
)


def night_actions(public: Public, own: Vampire) -> Sequence[Action]:
    cell = own.cell
    if cell is None:
        return actions.PLACES
    if own.actions_left < 1:
        return actions.ONLY_END
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
        *(actions.Attack(to) for to in (cell, *ways.near) if to in pawns),
        *(actions.Heal(to) for to in (cell, *ways.near) if to in bats),
        actions.END,
    )


def _standing(public: Public, own: Vampire) -> set[Cell]:
    """Return the cells of pawns that this night has not attacked yet."""
    cells = set(public.pawns.values())
    return cells - {blow.cell for blow in own.struck} if own.struck else cells


def _bats(public: Public, own: Vampire) -> set[Cell]:
    cells = set(public.bat_tokens)
    return cells - {meal.cell for meal in own.fed} if own.fed else cells


def decide_night(public: Public, own: Vampire, action: Action) -> list[Event]:
    """Decide an action of the vampire on its phone; raise `IllegalAction`."""
    cell = own.cell
    if cell is None:
        return _place(public, action)
    if type(action) is actions.End:
        return end_night(public, own)
    if type(action) is actions.Place:
        raise IllegalAction("already_placed")
    if own.actions_left < 1:
        raise IllegalAction("no_actions_left")
    if type(action) is actions.Walk and action.pawn is None:
        return [_walked(public, own, cell, action.to)]
    if type(action) is actions.Attack:
        return _attack(public, own, cell, action.to)
    if type(action) is actions.Heal:
        return _heal(public, own, cell, action.to)
    raise IllegalAction("not_the_vampires_action")


def _place(public: Public, action: Action) -> list[Event]:
    if type(action) is not actions.Place:
        raise IllegalAction("place_first")
    if action.cell not in STARTS:
        raise IllegalAction("not_a_centre_tile", cell=action.cell)
    return [events.VampireHid(action.cell), events.VampirePlaced(), next_turn(public, public.queue)]


def _check_step(public: Public, cell: Cell, to: Cell) -> None:
    if to not in public.field.ways[cell].near:
        raise no_step(public, cell, to)


def _walked(public: Public, own: Vampire, cell: Cell, to: Cell) -> events.VampireMoved:
    _check_step(public, cell, to)
    if not public.options.vampire_may_share and to in _standing(public, own):
        raise IllegalAction("may_not_share", cell=to)
    return events.VampireMoved(cell, to, own.actions_left - 1)


def _step_to(own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    """Return the step of an attack or a meal, which costs no action point of its own."""
    return [] if cell == to else [events.VampireMoved(cell, to, own.actions_left)]


def _attack(public: Public, own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    if cell != to:
        _check_step(public, cell, to)
    if to not in _standing(public, own):
        raise IllegalAction("no_pawn_there", cell=to)
    killed = kill(public, to)
    if public.options.announce == "turn_end":
        return [*_step_to(own, cell, to), events.VampireStruck(to, killed.pawns)]
    return [*_step_to(own, cell, to), *attack(public, killed)]


def kill(public: Public, cell: Cell) -> events.PawnsKilled:
    """Return the death of all pawns of a tile."""
    return events.PawnsKilled(cell, tuple(pawn for pawn, at in public.pawns.items() if at == cell))


def attack(public: Public, killed: events.PawnsKilled, *doubts: PublicEvent) -> list[Event]:
    """Return an attack with its doubts, the humans that it eliminates, and the end that it
    causes.
    """
    eliminated = _eliminated(public, killed)
    lost = sum(human.bullets_lost for human in eliminated)
    pawns = public.pawns.keys() - killed.pawns
    over = ending(public.options, public.hp, pawns, bullets_left(public) - lost)
    return [killed, *doubts, *eliminated, *over]


def _eliminated(public: Public, killed: events.PawnsKilled) -> list[events.HumanEliminated]:
    """Return the humans that a kill eliminates, in seat order."""
    alive = {OWNERS[pawn] for pawn in public.pawns if pawn not in killed.pawns}
    gone = [seat for seat in public.humans if seat not in alive and seat not in public.out]
    return [events.HumanEliminated(seat, public.bullets[seat]) for seat in gone]


def _heal(public: Public, own: Vampire, cell: Cell, to: Cell) -> list[Event]:
    if cell != to:
        _check_step(public, cell, to)
    if to not in _bats(public, own):
        raise IllegalAction("no_bat_there", cell=to)
    if public.options.announce == "turn_end":
        return [*_step_to(own, cell, to), events.VampireFed(to)]
    return [*_step_to(own, cell, to), *eat(public, meal(public, to))]


def meal(public: Public, cell: Cell) -> events.BatEaten:
    """Return the meal on a tile with a bat token."""
    gains = len(public.humans) > 1 and public.hp < public.max_hp
    return events.BatEaten(cell, public.hp + gains)


def eat(public: Public, eaten: events.BatEaten, *doubts: PublicEvent) -> list[Event]:
    """Return a meal with its doubts, and the end that it causes."""
    over = ending(public.options, eaten.vampire_hp, public.pawns, bullets_left(public))
    return [eaten, *doubts, *over]


def end_night(public: Public, own: Vampire) -> list[Event]:
    """Return the end of a night, after the attacks and meals that are announced together."""
    if not (own.struck or own.fed):
        return [events.TurnEnded(V), next_round(public)]
    announced = _announced(public, own)
    after: Public = fold_public(announced, public)
    return [*announced, *(ending_now(after) or [events.TurnEnded(V), next_round(after)])]


def _announced(public: Public, own: Vampire) -> list[PublicEvent]:
    """Return the attacks and meals of a night, in board order."""
    happenings: list[events.VampireStruck | events.VampireFed] = [*own.struck, *own.fed]
    announced: list[PublicEvent] = []
    for happening in sorted(happenings, key=lambda event: parse_cell(event.cell)[::-1]):
        after: Public = fold_public(announced, public)
        if isinstance(happening, events.VampireStruck):
            killed = events.PawnsKilled(happening.cell, happening.pawns)
            announced += [killed, *_eliminated(after, killed)]
        else:
            announced.append(meal(after, happening.cell))
    return announced
