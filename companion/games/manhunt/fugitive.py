"""Decide the fugitive's secret turns."""

from __future__ import annotations

from companion.core.game import Action, Event, IllegalAction, PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt import events
from companion.games.manhunt.actions import AGAIN, END, SURRENDER, Again, End, Hide, Step
from companion.games.manhunt.board import FAR
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public


def fugitive_actions(public: Public, own: Hidden) -> list[Action]:
    """Return what the fugitive may do."""
    if not public.placed:
        return [Hide(cell) for cell in free_starts(public)]
    return [*steps(public, own), *_endings(public, own)]


def free_starts(public: Public) -> list[Cell]:
    """Return the fugitive's starts on which no pawn stands."""
    taken = set(public.pawns.values())
    return [cell for cell in public.board.starts("fugitive") if cell not in taken]


def steps(public: Public, own: Hidden) -> list[Step]:
    """Return the fugitive's steps: never onto a place with a pawn."""
    if own.cell is None or len(own.kinds) >= public.board.rules.fugitive_moves:
        return []
    taken = set(public.pawns.values())
    hides = announces_ways(public) and public.unseen > own.kinds.count(UNSEEN)
    legal_steps = []
    for to, kind in public.board.steps["fugitive"][own.cell]:
        if to in taken:
            continue
        left = public.fugitive_tickets.get(kind)
        if left is None or left > own.kinds.count(kind):
            legal_steps.append(Step(to, kind))
        if hides:
            legal_steps.append(Step(to, kind, True))
    return legal_steps


def announces_ways(public: Public) -> bool:
    """Return whether each step is announced."""
    return public.board.rules.announce in ("kind", "direction")


def _endings(public: Public, own: Hidden) -> list[Action]:
    rules = public.board.rules
    if own.kinds or "fugitive" in rules.may_stay:
        return [END, AGAIN] if may_double(public) else [END]
    return [] if steps(public, own) else [SURRENDER]


def may_double(public: Public) -> bool:
    """Return whether the fugitive may move again at once after this turn."""
    in_time = public.round < public.board.rules.rounds
    return public.doubles > 0 and not public.again and in_time


def decide_fugitive(public: Public, own: Hidden, action: Action) -> list[Event]:
    """Return the events of one of the fugitive's actions; raise `IllegalAction`."""
    if action not in fugitive_actions(public, own):
        raise IllegalAction(_reason(public, own, action))
    match action:
        case Hide(cell=cell):
            return [
                events.FugitiveHid(cell),
                events.FugitivePlaced(),
                events.TurnStarted(public.hunters[0]),
            ]
        case Step(to=to, kind=kind, unseen=unseen):
            assert own.cell is not None
            return [events.FugitiveStepped(own.cell, to, kind, unseen)]
        case End() | Again():
            assert own.cell is not None
            moved = events.FugitiveMoved(
                own.ways if announces_ways(public) else None, announced_distance(public, own.cell)
            )
            return [*announced_turn(public, moved, own.cell, again=isinstance(action, Again))]
    return [events.GameOver("hunters", "trapped")]


def _reason(public: Public, own: Hidden, action: Action) -> str:
    match action:
        case Hide():
            return "already_hidden" if public.placed else "no_start_here"
        case _ if not public.placed:
            return "hide_first"
        case Step():
            return "no_such_step"
        case Again():
            return "no_double_move"
        case End():
            return "must_move"
    return "not_the_fugitives_action"


def announced_distance(public: Public, cell: Cell) -> int | None:
    """Return a place's distance in ways to the nearest pawn; None if it is not announced."""
    if public.board.rules.announce != "distance":
        return None
    board = public.board
    return min((board.distance(pawn, cell) for pawn in public.pawns.values()), default=FAR)


def announced_turn(
    public: Public, moved: events.FugitiveMoved, cell: Cell | None, *, again: bool
) -> list[PublicEvent]:
    """Return the public events of a turn that ended on `cell`.

    cell: None if the place is not announced
    """
    board, announced = public.board, list[PublicEvent]([moved])
    if cell is not None and cell in board.hideouts:
        return [*announced, events.HideoutReached(cell), *night_won(public, "hideout")]
    if cell is not None and cell in board.targets - set(public.visited):
        announced.append(events.TargetReached(cell))
        if len(public.visited) + 1 >= board.targets_needed:
            return [*announced, *night_won(public, "targets")]
    elif cell is not None and public.round in board.rules.shows:
        announced.append(events.FugitiveShown(cell))
    if again:
        return [*announced, events.DoubleMoved(), events.TurnStarted(F)]
    return [*announced, events.TurnStarted(public.hunters[0])]


def night_won(public: Public, reason: events.Reason) -> list[PublicEvent]:
    """Return the events of a night that the fugitive won."""
    if public.night < public.board.rules.nights:
        return [events.NightOver(public.night, reason), events.NightStarted(public.night + 1)]
    return [events.GameOver("fugitive", reason)]
