"""Decide the hunters' turns: pawns, questions, arrests."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, IllegalAction, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.manhunt import events
from companion.games.manhunt.actions import LOOK, Arrest, Ask, Look, Walk
from companion.games.manhunt.fugitive import night_won
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public, owner


def hunter_actions(public: Public, seat: Seat) -> list[Action]:
    """Return what a hunter's seat may do."""
    pawns = public.pawns_of(seat)
    walks = [walk for pawn in pawns for walk in walks_of(public, pawn)]
    asks = [action for pawn in pawns for action in _asks(public, pawn)]
    return [*walks, *asks, *([LOOK] if _may_end(public, seat) else [])]


def walks_of(public: Public, pawn: Pawn) -> list[Walk]:
    """Return a pawn's steps: none once it has asked, and none before the first round."""
    if (
        not public.round
        or pawn in public.asked
        or public.walked.get(pawn, 0) >= public.board.rules.hunter_moves
    ):
        return []
    tickets = public.tickets[pawn]
    return [
        Walk(pawn, to, kind)
        for to, kind in public.board.steps["hunter"][public.pawns[pawn]]
        if tickets.get(kind, 1) > 0
    ]


def _asks(public: Public, pawn: Pawn) -> list[Action]:
    """Return a pawn's questions and arrests; it may take one a turn."""
    if not public.round or pawn in public.asked:
        return []
    rules, cell = public.board.rules, public.pawns[pawn]
    asks: list[Action] = [Ask(pawn, question) for question in rules.questions]
    if rules.arrest == "announce":
        asks += [Arrest(pawn, at) for at in (cell, *public.board.beside(cell))]
    return asks


def _may_end(public: Public, seat: Seat) -> bool:
    return "hunter" in public.board.rules.may_stay or all(
        public.walked.get(pawn) or not walks_of(public, pawn) for pawn in public.pawns_of(seat)
    )


def decide_walk(public: Public, seat: Seat, action: Walk) -> list[PublicEvent]:
    """Return the events of a pawn's step, which discloses nothing; raise `IllegalAction`."""
    check_own_pawn(public, seat, action.pawn)
    if action not in walks_of(public, action.pawn):
        raise IllegalAction("no_such_step")
    return [events.PawnWalked(action.pawn, public.pawns[action.pawn], action.to, action.kind)]


def check_own_pawn(public: Public, seat: Seat, pawn: Pawn) -> None:
    """Raise `IllegalAction` unless the pawn is in the game and belongs to the seat."""
    if pawn not in public.pawns or owner(pawn) != seat:
        raise IllegalAction("not_your_pawn", pawn=pawn)


def decide_hunter(
    public: Public, seat: Seat, action: Action, own: Hidden | None
) -> Sequence[PublicEvent]:
    """Return the events of a hunter's action; raise `IllegalAction`.

    own: the fugitive's part, for the answers; None on paper, where people ask the fugitive
    """
    match action:
        case Walk():
            return decide_walk(public, seat, action)
        case Ask(pawn=pawn) | Arrest(pawn=pawn):
            check_own_pawn(public, seat, pawn)
            if action not in _asks(public, pawn):
                raise IllegalAction("no_such_question", pawn=pawn)
            if isinstance(action, Ask):
                if own is None:
                    return [events.QuestionAsked(pawn, action.question, public.pawns[pawn])]
                return [true_answer(public, action, own)]
            if own is None:
                return [events.ArrestAsked((action.cell,), pawn)]
            return arrest_events(public, pawn, action.cell, caught=action.cell == own.cell)
        case Look():
            if not _may_end(public, seat):
                raise IllegalAction("must_move")
            cells = places_looked_at(public)
            if own is None and cells:
                return [events.ArrestAsked(cells)]
            return turn_end_events(public, seat, own.cell if own and own.cell in cells else None)
    raise IllegalAction("not_a_hunters_action")


def true_answer(
    public: Public, asked: Ask | events.QuestionAnswered, own: Hidden
) -> events.QuestionAnswered:
    """Return the true answer to a question."""
    cell = public.pawns[asked.pawn]
    place: Cell | None = None
    match asked.question:
        case "was_here":
            yes = cell in own.trail
        case "is_here":
            yes = cell == own.cell
        case "within":
            yes = (
                own.cell is not None
                and public.board.distance(cell, own.cell) <= public.board.rules.within
            )
        case "which_of":
            place = own.cell if own.cell in public.board.beside(cell) else None
            yes = place is not None
    return events.QuestionAnswered(asked.pawn, asked.question, cell, yes, place)


def arrest_events(public: Public, pawn: Pawn, cell: Cell, *, caught: bool) -> list[PublicEvent]:
    """Return the events of an arrest by a pawn."""
    if caught:
        return [events.FugitiveCaught(cell), events.GameOver("hunters", "caught")]
    return [events.ArrestMissed(pawn, cell)]


def places_looked_at(public: Public) -> tuple[Cell, ...]:
    """Return the places where entering would have caught the fugitive this turn."""
    return tuple(dict.fromkeys(public.entered)) if public.board.rules.arrest == "enter" else ()


def turn_end_events(public: Public, seat: Seat, caught: Cell | None) -> list[PublicEvent]:
    """Return the events at the end of a hunter's turn, or before the first round."""
    if not public.round:
        return [events.TurnStarted(F)]
    if caught is not None:
        return [events.FugitiveCaught(caught), events.GameOver("hunters", "caught")]
    cells = places_looked_at(public)
    return [*([events.NothingFound(cells)] if cells else []), *_next_turn(public, seat)]


def _next_turn(public: Public, seat: Seat) -> list[PublicEvent]:
    later = public.hunters[public.hunters.index(seat) + 1 :]
    if later:
        return [events.TurnStarted(later[0])]
    if public.round < public.board.rules.rounds:
        return [events.TurnStarted(F)]
    if "rounds" in public.board.rules.ends:
        return night_won(public, "rounds")
    return [events.GameOver("hunters", "rounds")]
