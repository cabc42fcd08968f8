"""Decide the vampire's night: secret walks, attacks and meals."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Draft, IllegalAction, PublicEvent
from companion.core.grid import parse_cell
from companion.core.placement import Cell
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


def take_night_action(draft: Draft, action: Action) -> None:
    """Take an action of the vampire on its phone; raise `IllegalAction`."""
    public: Public = draft.state.public
    own: Vampire = draft.state.private[V]
    if type(action) is Place:
        _place(draft, own, action.cell)
    elif own.cell is None:
        raise IllegalAction("place_first")
    elif type(action) is End:
        end_night(draft, own)
    elif own.actions_left < 1:
        raise IllegalAction("no_actions_left")
    elif type(action) is Walk and action.pawn is None:
        draft.emit(_walked(public, own, own.cell, action.to))
    elif type(action) is Attack:
        _attack(draft, own, own.cell, action.to)
    elif type(action) is Heal:
        _heal(draft, own, own.cell, action.to)
    else:
        raise IllegalAction("not_the_vampires_action")


def _place(draft: Draft, own: Vampire, cell: Cell) -> None:
    public: Public = draft.state.public
    if own.cell is not None:
        raise IllegalAction("already_placed")
    if cell not in STARTS:
        raise IllegalAction("not_a_centre_tile", cell=cell)
    draft.emit(VampireHid(cell), VampirePlaced(), next_turn(public, public.queue))


def _check_step(public: Public, cell: Cell, to: Cell) -> None:
    if to not in public.field.ways[cell].near:
        raise no_step(public, cell, to)


def _walked(public: Public, own: Vampire, cell: Cell, to: Cell) -> VampireMoved:
    _check_step(public, cell, to)
    if not public.options.vampire_may_share and to in _standing(public, own):
        raise IllegalAction("may_not_share", cell=to)
    return VampireMoved(cell, to, own.actions_left - 1)


def _stand(draft: Draft, own: Vampire, cell: Cell, to: Cell) -> None:
    """Add the step of an attack or a meal, which costs no action point of its own."""
    if cell != to:
        draft.emit(VampireMoved(cell, to, own.actions_left))


def _attack(draft: Draft, own: Vampire, cell: Cell, to: Cell) -> None:
    public: Public = draft.state.public
    if cell != to:
        _check_step(public, cell, to)
    if to not in _standing(public, own):
        raise IllegalAction("no_pawn_there", cell=to)
    _stand(draft, own, cell, to)
    killed = kill(public, to)
    if public.options.announce == "turn_end":
        draft.emit(VampireStruck(to, killed.pawns))
    else:
        attack(draft, killed)


def kill(public: Public, cell: Cell) -> PawnsKilled:
    """Return the death of all pawns of a tile."""
    return PawnsKilled(cell, tuple(pawn for pawn, at in public.pawns.items() if at == cell))


def attack(draft: Draft, killed: PawnsKilled, *doubts: PublicEvent) -> None:
    """Add an attack with its doubts, the humans that it eliminates, and the end that it causes."""
    _eliminate(draft, killed, *doubts)
    draft.emit(*ending_now(draft.state.public))


def _eliminate(draft: Draft, killed: PawnsKilled, *doubts: PublicEvent) -> None:
    """Add a kill, its doubts, and the humans that it eliminates in seat order."""
    draft.emit(killed, *doubts)
    public: Public = draft.state.public
    alive = {OWNERS[pawn] for pawn in public.pawns}
    gone = [seat for seat in public.humans if seat not in alive and seat not in public.out]
    draft.emit(*(HumanEliminated(seat, public.bullets[seat]) for seat in gone))


def _heal(draft: Draft, own: Vampire, cell: Cell, to: Cell) -> None:
    public: Public = draft.state.public
    if cell != to:
        _check_step(public, cell, to)
    if to not in _bats(public, own):
        raise IllegalAction("no_bat_there", cell=to)
    _stand(draft, own, cell, to)
    if public.options.announce == "turn_end":
        draft.emit(VampireFed(to))
    else:
        eat(draft, meal(public, to))


def meal(public: Public, cell: Cell) -> BatEaten:
    """Return the meal on a tile with a bat token."""
    gains = len(public.humans) > 1 and public.hp < public.max_hp
    return BatEaten(cell, public.hp + gains)


def eat(draft: Draft, eaten: BatEaten, *doubts: PublicEvent) -> None:
    """Add a meal with its doubts, and the end that it causes."""
    draft.emit(eaten, *doubts)
    draft.emit(*ending_now(draft.state.public))


def end_night(draft: Draft, own: Vampire) -> None:
    """Add the end of a night, after the attacks and meals that are announced together."""
    if own.struck or own.fed:
        _announce(draft, own)
        if draft.state.public.outcome is not None:
            return
    draft.emit(TurnEnded(V), next_round(draft.state.public))


def _announce(draft: Draft, own: Vampire) -> None:
    """Add the attacks and meals of a night, in board order."""
    happenings: list[VampireStruck | VampireFed] = [*own.struck, *own.fed]
    for happening in sorted(happenings, key=lambda event: parse_cell(event.cell)[::-1]):
        if isinstance(happening, VampireStruck):
            _eliminate(draft, PawnsKilled(happening.cell, happening.pawns))
        else:
            draft.emit(meal(draft.state.public, happening.cell))
    draft.emit(*ending_now(draft.state.public))
