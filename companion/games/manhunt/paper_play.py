"""Play the fugitive on paper: it announces what the rules make public, and people enter it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.game import Action, IllegalAction, PublicEvent
from companion.games.manhunt import actions, events
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import COMPASS, FAR
from companion.games.manhunt.fugitive import announced_turn, announces_ways, may_double, steps
from companion.games.manhunt.hunters import arrest_events, turn_end_events
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.state import Hidden, Public

Answer = (
    events.FugitiveMoved
    | events.FugitiveShown
    | events.TargetReached
    | events.HideoutReached
    | events.QuestionAnswered
    | events.ArrestMissed
    | events.NothingFound
    | events.FugitiveCaught
)
"""Events that reveal something about the fugitive's place."""


def announced_actions(public: Public) -> list[Action]:
    """Return every announcement that the fugitive may make now, true or not."""
    board = public.board
    match public.question:
        case events.QuestionAsked(question="which_of", cell=cell):
            yes = [actions.AnswerQuestion(True, place) for place in board.beside(cell)]
            return [actions.AnswerQuestion(False), *yes]
        case events.QuestionAsked():
            return [actions.AnswerQuestion(True), actions.AnswerQuestion(False)]
        case events.ArrestAsked(cells=cells):
            return [actions.AnswerArrest(), *(actions.AnswerArrest(cell) for cell in cells)]
    if not public.placed:
        return [actions.WRITE_START]
    return [*_ways(public), *_distances(public), *_places(public), *_endings(public)]


def _ways(public: Public) -> list[actions.AnnounceWay]:
    rules, announced = public.board.rules, public.turn_announced
    if (
        not announces_ways(public)
        or len(announced.ways) >= rules.fugitive_moves
        or announced.cell is not None
    ):
        return []
    labels = COMPASS if rules.announce == "direction" else public.board.content.kinds
    left = {**public.fugitive_tickets, UNSEEN: public.unseen}
    return [
        actions.AnnounceWay(way)
        for way in (*labels, UNSEEN)
        if way not in left or left[way] > announced.ways.count(way)
    ]


def _distances(public: Public) -> list[actions.AnnounceDistance]:
    if public.board.rules.announce != "distance" or public.turn_announced.distance is not None:
        return []
    board, pawns = public.board, set(public.pawns.values())
    possible = {
        min((board.distance(pawn, cell) for pawn in pawns), default=FAR)
        for cell in board.cells
        if cell not in pawns
    }
    return [actions.AnnounceDistance(distance) for distance in sorted(possible)]


def _places(public: Public) -> list[actions.AnnouncePlace]:
    board = public.board
    if public.turn_announced.cell is not None or not _has_moved(public):
        return []
    ends = board.hideouts | (board.targets - set(public.visited))
    taken = set(public.pawns.values())
    return [
        actions.AnnouncePlace(cell)
        for cell in board.cells
        if cell not in taken and (public.round in board.rules.shows or cell in ends)
    ]


def _has_moved(public: Public) -> bool:
    """Return whether all ways of a turn were announced, if the card announces them."""
    may_stay = "fugitive" in public.board.rules.may_stay
    return may_stay or not announces_ways(public) or bool(public.turn_announced.ways)


def _endings(public: Public) -> list[Action]:
    rules, announced = public.board.rules, public.turn_announced
    gives_up = announced == events.TurnAnnounced() and "fugitive" not in rules.may_stay
    is_whole = (
        _has_moved(public)
        and (rules.announce != "distance" or announced.distance is not None)
        and (public.round not in rules.shows or announced.cell is not None)
    )
    return [
        *([actions.END] if is_whole else []),
        *([actions.AGAIN] if is_whole and may_double(public) else []),
        *([actions.SURRENDER] if gives_up else []),
    ]


def decide_announced(public: Public, action: Action) -> list[PublicEvent]:
    """Return the events of an announcement, and a contradiction if no place fits them all."""
    if action not in announced_actions(public):
        raise IllegalAction(_reason(public, action))
    decided = _events_of(public, action)
    return _with_contradiction(decided) if _contradicts(public, decided) else decided


def _reason(public: Public, action: Action) -> str:
    if public.question is not None:
        return "fugitive_answers_first"
    return (
        "announce_all_first"
        if isinstance(action, actions.End | actions.Again)
        else "not_announced_now"
    )


def _events_of(public: Public, action: Action) -> list[PublicEvent]:
    announced = public.turn_announced
    match public.question, action:
        case events.QuestionAsked(pawn, question, cell), actions.AnswerQuestion(yes, place):
            return [events.QuestionAnswered(pawn, question, cell, yes, place)]
        case events.ArrestAsked(cells=(asked, *_), pawn=str(pawn)), actions.AnswerArrest(cell):
            return arrest_events(public, pawn, asked, caught=cell is not None)
        case events.ArrestAsked(), actions.AnswerArrest(cell):
            assert public.to_move is not None
            return turn_end_events(public, public.to_move, cell)
    match action:
        case actions.AnnounceWay(way=way):
            return [replace(announced, ways=(*announced.ways, way))]
        case actions.AnnounceDistance(distance=distance):
            return [replace(announced, distance=distance)]
        case actions.AnnouncePlace(cell=cell):
            return [replace(announced, cell=cell)]
        case actions.WriteStart():
            return [events.FugitivePlaced(), events.TurnStarted(public.hunters[0])]
        case actions.Surrender():
            return [events.GameOver("hunters", "trapped")]
    moved = events.FugitiveMoved(
        announced.ways if announces_ways(public) else None, announced.distance
    )
    return announced_turn(public, moved, announced.cell, again=isinstance(action, actions.Again))


def _contradicts(public: Public, decided: Sequence[PublicEvent]) -> bool:
    assert public.belief is not None
    belief = public.belief.copy()
    if events.GameOver("hunters", "trapped") in decided:
        return not any(not steps(public, Hidden(cell)) for cell in belief.cells)
    for event in decided:
        belief.observe(event)
    return belief.contradictions > public.belief.contradictions


def _with_contradiction(decided: Sequence[PublicEvent]) -> list[PublicEvent]:
    """Return the events with a contradiction after the last answer, before its consequences."""
    last = max(
        (number for number, event in enumerate(decided) if isinstance(event, Answer)), default=-1
    )
    return [*decided[: last + 1], events.AnswersContradict(), *decided[last + 1 :]]


def belief_after(before: Public, event: PublicEvent) -> Belief:
    """Return the fugitive's possible places after an event of a game on paper."""
    if before.belief is None and not isinstance(event, events.GameSetUp):
        # The answers of its phone were right; only later announcements may contradict.
        belief = Belief.from_now_on(before)
    else:
        belief = Belief() if before.belief is None else before.belief.copy()
    belief.observe(event)
    return belief
