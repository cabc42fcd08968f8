"""Apply events to the state: the public fold, and the fugitive's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.core.game import Outcome, PublicEvent
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.board import Board, Passage, board_of
from companion.games.manhunt.events import (
    AnswerDoubted,
    ArrestAsked,
    ArrestMissed,
    DoubleMoved,
    FugitiveCaught,
    FugitiveEvent,
    FugitiveHid,
    FugitiveMoved,
    FugitivePlaced,
    FugitiveShown,
    FugitiveStepped,
    GameOver,
    GameSetUp,
    HideoutReached,
    NightOver,
    NightStarted,
    NothingFound,
    PaperTakenUp,
    PawnSet,
    PawnWalked,
    QuestionAnswered,
    QuestionAsked,
    TargetReached,
    TurnAnnounced,
    TurnStarted,
)
from companion.games.manhunt.map_file import UNSEEN, MapFile
from companion.games.manhunt.options import HUNTERS, F, Options
from companion.games.manhunt.state import Answer, Hidden, Public, RoundAnnouncement

NO_BOARD = Board(
    MapFile(game="manhunt", title="–", language="en", sample=False, places=(), ways=())
)


def empty_public() -> Public:
    """Return the public part before the set-up: a map without places."""
    return Public(NO_BOARD, Options(), (), {}, {}, {}, {})


def fold_public(public: Public, event: PublicEvent) -> Public:
    """Return the public part after a public event."""
    return _PUBLIC[type(event)](public, event)


def fold_hidden(public: Public, own: Hidden, event: FugitiveEvent) -> Hidden:
    """Return the fugitive's own part after one of its events."""
    match event:
        case FugitiveHid(cell=cell):
            return Hidden(cell, (cell,), trail=(cell,))
        case FugitiveStepped(origin=origin, to=to, kind=kind, unseen=unseen):
            label = UNSEEN if unseen else public.board.label(origin, Passage(to, kind))
            return replace(
                own,
                cell=to,
                path=(*own.path, to),
                kinds=(*own.kinds, UNSEEN if unseen else kind),
                ways=(*own.ways, label),
                trail=(*own.trail, to),
            )
    raise TypeError(f"not an event of this game: {type(event).__name__}")


def new_turn(own: Hidden) -> Hidden:
    """Return the fugitive's own part at the beginning of its turn."""
    return replace(own, path=() if own.cell is None else (own.cell,), kinds=(), ways=())


def _set_up(public: Public, event: GameSetUp) -> Public:
    start = {Pawn(pawn): Cell(cell) for pawn, cell in event.start.items()}
    empty = Public(
        board_of(event.map),
        event.options,
        HUNTERS[: event.players - 1],
        start,
        start,
        {},
        {},
    )
    return _night_begun(empty, 1)


def _night_begun(public: Public, night: int) -> Public:
    rules = public.board.rules
    return replace(
        public,
        night=night,
        pawns=public.start,
        tickets={pawn: dict(rules.tickets.hunter) for pawn in public.start},
        fugitive_tickets=dict(rules.tickets.fugitive),
        doubles=rules.double_moves,
        unseen=rules.unseen_moves,
        to_move=F,
        placed=False,
        round=0,
        again=False,
        walked={},
        asked=(),
        entered=(),
        visited=(),
        answers=(),
    )


def _night_started(public: Public, event: NightStarted) -> Public:
    # A hunter sets out the pawns: the fugitive's turn that ended a night is over.
    return replace(_night_begun(public, event.night), to_move=public.hunters[0])


def _placed(public: Public, event: FugitivePlaced) -> Public:
    return replace(public, placed=True)


def _turn_started(public: Public, event: TurnStarted) -> Public:
    is_round = event.seat == F and public.placed
    return replace(
        public,
        to_move=event.seat,
        round=public.round + is_round,
        again=public.again and is_round,
        walked={},
        asked=(),
        entered=(),
    )


def _fugitive_moved(public: Public, event: FugitiveMoved) -> Public:
    spent = Counter(event.ways or ())
    limited = {kind: count - spent[kind] for kind, count in public.fugitive_tickets.items()}
    turn = RoundAnnouncement(public.night, public.round, event.ways, event.distance)
    return replace(
        public,
        fugitive_tickets=limited,
        unseen=public.unseen - spent[UNSEEN],
        announced=(*public.announced, turn),
        turn_announced=TurnAnnounced(),
    )


def _seen(public: Public, event: FugitiveShown | TargetReached | HideoutReached) -> Public:
    *earlier, last = public.announced
    visited = public.visited
    if isinstance(event, TargetReached):
        visited = (*visited, event.cell)
    return replace(public, announced=(*earlier, replace(last, cell=event.cell)), visited=visited)


def _double_moved(public: Public, event: DoubleMoved) -> Public:
    return replace(public, doubles=public.doubles - 1, again=True)


def _walked(public: Public, event: PawnWalked) -> Public:
    pawn, kind = event.pawn, event.kind
    tickets, fugitive = public.tickets, public.fugitive_tickets
    if kind in tickets[pawn]:
        tickets = {**tickets, pawn: {**tickets[pawn], kind: tickets[pawn][kind] - 1}}
        if public.board.rules.paid_to == "fugitive" and kind in fugitive:
            fugitive = {**fugitive, kind: fugitive[kind] + 1}
    return replace(
        public,
        pawns={**public.pawns, pawn: event.to},
        tickets=tickets,
        fugitive_tickets=fugitive,
        walked={**public.walked, pawn: public.walked.get(pawn, 0) + 1},
        entered=(*public.entered, event.to),
    )


def _answered(public: Public, event: QuestionAnswered) -> Public:
    answer = Answer(public.round, event.question, event.cell, event.yes, event.found)
    return _had_answer(public, event.pawn, answer)


def _had_answer(public: Public, pawn: Pawn, answer: Answer) -> Public:
    answers = (*public.answers, answer)
    return replace(public, asked=(*public.asked, pawn), answers=answers, question=None)


def _arrest_missed(public: Public, event: ArrestMissed) -> Public:
    return _had_answer(public, event.pawn, Answer(public.round, "arrest", event.cell, False))


def _nothing_found(public: Public, event: NothingFound) -> Public:
    looked = tuple(Answer(public.round, "looked", cell, False) for cell in event.cells)
    return replace(public, entered=(), answers=(*public.answers, *looked), question=None)


def _caught(public: Public, event: FugitiveCaught) -> Public:
    return replace(public, question=None)


def _unchanged(public: Public, event: NightOver | AnswerDoubted) -> Public:
    return public


def _question_asked(public: Public, event: QuestionAsked | ArrestAsked) -> Public:
    return replace(public, question=event)


def _turn_announced(public: Public, event: TurnAnnounced) -> Public:
    return replace(public, turn_announced=event)


def _paper_taken_up(public: Public, event: PaperTakenUp) -> Public:
    return replace(public, options=replace(public.options, path="paper"))


def _pawn_set(public: Public, event: PawnSet) -> Public:
    return replace(public, pawns={**public.pawns, event.pawn: event.to})


def _game_over(public: Public, event: GameOver) -> Public:
    return replace(public, to_move=None, outcome=Outcome(event.winner, event.reason))


_PUBLIC: dict[type[PublicEvent], Callable[[Public, Any], Public]] = {
    GameSetUp: _set_up,
    FugitivePlaced: _placed,
    TurnStarted: _turn_started,
    FugitiveMoved: _fugitive_moved,
    FugitiveShown: _seen,
    TargetReached: _seen,
    HideoutReached: _seen,
    DoubleMoved: _double_moved,
    PawnWalked: _walked,
    QuestionAnswered: _answered,
    ArrestMissed: _arrest_missed,
    NothingFound: _nothing_found,
    FugitiveCaught: _caught,
    QuestionAsked: _question_asked,
    ArrestAsked: _question_asked,
    TurnAnnounced: _turn_announced,
    AnswerDoubted: _unchanged,
    PaperTakenUp: _paper_taken_up,
    NightOver: _unchanged,
    NightStarted: _night_started,
    PawnSet: _pawn_set,
    GameOver: _game_over,
}
