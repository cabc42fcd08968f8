"""Play the fugitive on paper: it announces what the rules make public, and people enter it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.game import Action, IllegalAction, PublicEvent
from companion.games.manhunt.actions import (
    AGAIN,
    END,
    SURRENDER,
    WRITE_START,
    Again,
    AnnounceDistance,
    AnnouncePlace,
    AnnounceWay,
    AnswerArrest,
    AnswerQuestion,
    End,
    Surrender,
    WriteStart,
)
from companion.games.manhunt.belief import Belief
from companion.games.manhunt.board import COMPASS, FAR
from companion.games.manhunt.events import (
    AnswersContradict,
    ArrestAsked,
    ArrestMissed,
    FugitiveCaught,
    FugitiveMoved,
    FugitivePlaced,
    FugitiveShown,
    GameOver,
    GameSetUp,
    HideoutReached,
    NothingFound,
    QuestionAnswered,
    QuestionAsked,
    TargetReached,
    TurnAnnounced,
    TurnStarted,
)
from companion.games.manhunt.fugitive import announced_turn, announces_ways, may_double, steps
from companion.games.manhunt.hunters import arrest_events, turn_end_events
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.state import Hidden, Public

Answer = (
    FugitiveMoved
    | FugitiveShown
    | TargetReached
    | HideoutReached
    | QuestionAnswered
    | ArrestMissed
    | NothingFound
    | FugitiveCaught
)
"""Events that reveal something about the fugitive's place."""


def announced_actions(public: Public) -> list[Action]:
    """Return every announcement that the fugitive may make now, true or not."""
    board = public.board
    match public.question:
        case QuestionAsked(question="which_of", cell=cell):
            yes = [AnswerQuestion(True, place) for place in board.beside(cell)]
            return [AnswerQuestion(False), *yes]
        case QuestionAsked():
            return [AnswerQuestion(True), AnswerQuestion(False)]
        case ArrestAsked(cells=cells):
            return [AnswerArrest(), *(AnswerArrest(cell) for cell in cells)]
    if not public.placed:
        return [WRITE_START]
    return [*_ways(public), *_distances(public), *_places(public), *_endings(public)]


def _ways(public: Public) -> list[AnnounceWay]:
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
        AnnounceWay(way)
        for way in (*labels, UNSEEN)
        if way not in left or left[way] > announced.ways.count(way)
    ]


def _distances(public: Public) -> list[AnnounceDistance]:
    if public.board.rules.announce != "distance" or public.turn_announced.distance is not None:
        return []
    board, pawns = public.board, set(public.pawns.values())
    possible = {
        min((board.distance(pawn, cell) for pawn in pawns), default=FAR)
        for cell in board.cells
        if cell not in pawns
    }
    return [AnnounceDistance(distance) for distance in sorted(possible)]


def _places(public: Public) -> list[AnnouncePlace]:
    board = public.board
    if public.turn_announced.cell is not None or not _has_moved(public):
        return []
    ends = board.hideouts | (board.targets - set(public.visited))
    taken = set(public.pawns.values())
    return [
        AnnouncePlace(cell)
        for cell in board.cells
        if cell not in taken and (public.round in board.rules.shows or cell in ends)
    ]


def _has_moved(public: Public) -> bool:
    """Return whether all ways of a turn were announced, if the card announces them."""
    may_stay = "fugitive" in public.board.rules.may_stay
    return may_stay or not announces_ways(public) or bool(public.turn_announced.ways)


def _endings(public: Public) -> list[Action]:
    rules, announced = public.board.rules, public.turn_announced
    gives_up = announced == TurnAnnounced() and "fugitive" not in rules.may_stay
    is_whole = (
        _has_moved(public)
        and (rules.announce != "distance" or announced.distance is not None)
        and (public.round not in rules.shows or announced.cell is not None)
    )
    return [
        *([END] if is_whole else []),
        *([AGAIN] if is_whole and may_double(public) else []),
        *([SURRENDER] if gives_up else []),
    ]


def decide_announced(public: Public, action: Action) -> list[PublicEvent]:
    """Return the events of an announcement, and a contradiction if no place fits them all."""
    if action not in announced_actions(public):
        raise IllegalAction(_reason(public, action))
    events = _events_of(public, action)
    return _with_contradiction(events) if _contradicts(public, events) else events


def _reason(public: Public, action: Action) -> str:
    if public.question is not None:
        return "fugitive_answers_first"
    return "announce_all_first" if isinstance(action, End | Again) else "not_announced_now"


def _events_of(public: Public, action: Action) -> list[PublicEvent]:
    announced = public.turn_announced
    match public.question, action:
        case QuestionAsked(pawn=pawn, question=question, cell=cell), AnswerQuestion(yes, place):
            return [QuestionAnswered(pawn, question, cell, yes, place)]
        case ArrestAsked(cells=(asked, *_), pawn=str(pawn)), AnswerArrest(cell):
            return arrest_events(public, pawn, asked, caught=cell is not None)
        case ArrestAsked(), AnswerArrest(cell):
            assert public.to_move is not None
            return turn_end_events(public, public.to_move, cell)
    match action:
        case AnnounceWay(way=way):
            return [replace(announced, ways=(*announced.ways, way))]
        case AnnounceDistance(distance=distance):
            return [replace(announced, distance=distance)]
        case AnnouncePlace(cell=cell):
            return [replace(announced, cell=cell)]
        case WriteStart():
            return [FugitivePlaced(), TurnStarted(public.hunters[0])]
        case Surrender():
            return [GameOver("hunters", "trapped")]
    moved = FugitiveMoved(announced.ways if announces_ways(public) else None, announced.distance)
    return announced_turn(public, moved, announced.cell, again=isinstance(action, Again))


def _contradicts(public: Public, events: Sequence[PublicEvent]) -> bool:
    assert public.belief is not None
    belief = public.belief.copy()
    if GameOver("hunters", "trapped") in events:
        return not any(not steps(public, Hidden(cell)) for cell in belief.cells)
    for event in events:
        belief.observe(event)
    return belief.contradictions > public.belief.contradictions


def _with_contradiction(events: Sequence[PublicEvent]) -> list[PublicEvent]:
    """Return the events with a contradiction after the last answer, before its consequences."""
    last = max(
        (number for number, event in enumerate(events) if isinstance(event, Answer)), default=-1
    )
    return [*events[: last + 1], AnswersContradict(), *events[last + 1 :]]


def belief_after(before: Public, event: PublicEvent) -> Belief:
    """Return the fugitive's possible places after an event of a game on paper."""
    if before.belief is None and not isinstance(event, GameSetUp):
        # The answers of its phone were right; only later announcements may contradict.
        belief = Belief.from_now_on(before)
    else:
        belief = Belief() if before.belief is None else before.belief.copy()
    belief.observe(event)
    return belief
