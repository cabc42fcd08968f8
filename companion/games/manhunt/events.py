"""Define the events of a game: what each changes, and its message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.core.game import (
    DisclosingEvent,
    Event,
    Message,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    tagged_types,
)
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.board import Board, Passage, board_of
from companion.games.manhunt.map_file import UNSEEN, MapFile, Question
from companion.games.manhunt.options import HUNTERS, F, Options
from companion.games.manhunt.state import Answer, Hidden, Public, RoundAnnouncement, new_turn

Private = Mapping[Seat, Hidden]
Reason = Literal["rounds", "hideout", "targets"]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The hunters' pawns stand on their starts; a pawn is called by its seat and a letter."""

    players: int
    options: Options
    map: MapFile
    start: dict[str, str]

    def apply(self, public: Public) -> Public:
        start = {Pawn(pawn): Cell(cell) for pawn, cell in self.start.items()}
        hunters = HUNTERS[: self.players - 1]
        board = board_of(self.map)
        laid = Public(board, self.options, hunters, start, start, {}, {}, TurnAnnounced())
        return _night_begun(laid, 1)


class FugitivePlaced(DisclosingEvent, frozen=True, tag="fugitive_placed"):
    """The fugitive chose its start; the place is secret."""

    def apply(self, public: Public) -> Public:
        return replace(public, placed=True)


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat is to move; the fugitive's turn begins a round."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        is_round = self.seat == F and public.placed
        return replace(
            public,
            to_move=self.seat,
            round=public.round + is_round,
            again=public.again and is_round,
            walked={},
            asked=(),
            entered=(),
        )

    def apply_private(self, private: Private, public: Public) -> Private:
        return {F: new_turn(private[F])} if self.seat == F and private else private

    def message(self) -> Message:
        return self.message_named("fugitive_turn" if self.seat == F else "turn_started")


class FugitiveMoved(DisclosingEvent, frozen=True, tag="fugitive_moved", omit_defaults=True):
    """The fugitive ended its turn.

    ways: each step's announcement: its kind or direction, or "unseen"; None without announcements
    distance: the distance in ways to the nearest pawn, if it is announced
    """

    ways: tuple[str, ...] | None = None
    distance: int | None = None

    def apply(self, public: Public) -> Public:
        spent = Counter(self.ways or ())
        limited = {kind: count - spent[kind] for kind, count in public.fugitive_tickets.items()}
        turn = RoundAnnouncement(public.night, public.round, self.ways, self.distance)
        return replace(
            public,
            fugitive_tickets=limited,
            unseen=public.unseen - spent[UNSEEN],
            announced=(*public.announced, turn),
            turn_announced=TurnAnnounced(),
        )

    def message(self) -> Message:
        if self.ways:
            return Message("event.fugitive_ways", {"kinds": ", ".join(self.ways)})
        if self.ways is not None:
            return self.message_named("fugitive_stayed")
        return self.message_named("fugitive_moved" if self.distance is None else "fugitive_far")


class PlaceAnnounced(DisclosingEvent, frozen=True):
    """The fugitive announced its place at the end of its turn."""

    cell: Cell

    def apply(self, public: Public) -> Public:
        *earlier, last = public.announced
        return replace(public, announced=(*earlier, replace(last, cell=self.cell)))


class FugitiveShown(PlaceAnnounced, frozen=True, tag="fugitive_shown"):
    """The fugitive showed its place, because the rule card says so for this round."""


class TargetReached(PlaceAnnounced, frozen=True, tag="target_reached"):
    """The fugitive ended its turn on a target that it had not visited this night."""

    def apply(self, public: Public) -> Public:
        return replace(super().apply(public), visited=(*public.visited, self.cell))


class HideoutReached(PlaceAnnounced, frozen=True, tag="hideout_reached"):
    """The fugitive ended its turn on a hideout."""


class DoubleMoved(PublicEvent, frozen=True, tag="double_moved"):
    """The fugitive moves again at once."""

    def apply(self, public: Public) -> Public:
        return replace(public, doubles=public.doubles - 1, again=True)


class PawnWalked(PublicEvent, frozen=True, tag="pawn_walked"):
    """A pawn walked along a way."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell
    kind: str

    def apply(self, public: Public) -> Public:
        pawn, kind = self.pawn, self.kind
        tickets, fugitive = public.tickets, public.fugitive_tickets
        if kind in tickets[pawn]:
            tickets = {**tickets, pawn: {**tickets[pawn], kind: tickets[pawn][kind] - 1}}
            if public.board.rules.paid_to == "fugitive" and kind in fugitive:
                fugitive = {**fugitive, kind: fugitive[kind] + 1}
        return replace(
            public,
            pawns={**public.pawns, pawn: self.to},
            tickets=tickets,
            fugitive_tickets=fugitive,
            walked={**public.walked, pawn: public.walked.get(pawn, 0) + 1},
            entered=(*public.entered, self.to),
        )


class QuestionAnswered(DisclosingEvent, frozen=True, tag="question_answered", omit_defaults=True):
    """The answer to a question from a pawn's place.

    found: the place beside the pawn on which the fugitive is, for the question `which_of`
    """

    pawn: Pawn
    question: Question
    cell: Cell
    yes: bool
    found: Cell | None = None

    def apply(self, public: Public) -> Public:
        answer = Answer(public.round, self.question, self.cell, self.yes, self.found)
        return _answered(public, self.pawn, answer)

    def message(self) -> Message:
        return self.message_named(f"{self.question}.{'yes' if self.yes else 'no'}")


class ArrestMissed(DisclosingEvent, frozen=True, tag="arrest_missed"):
    """An arrest was announced, and the fugitive is not there."""

    pawn: Pawn
    cell: Cell

    def apply(self, public: Public) -> Public:
        return _answered(public, self.pawn, Answer(public.round, "arrest", self.cell, False))


class NothingFound(DisclosingEvent, frozen=True, tag="nothing_found"):
    """The fugitive is on none of the places that a hunter's pawns entered."""

    cells: tuple[Cell, ...]

    def apply(self, public: Public) -> Public:
        looked = tuple(Answer(public.round, "looked", cell, False) for cell in self.cells)
        return replace(public, entered=(), answers=(*public.answers, *looked), question=None)

    def message(self) -> Message:
        return Message("event.nothing_found", {"cells": ", ".join(self.cells)})


class FugitiveCaught(DisclosingEvent, frozen=True, tag="fugitive_caught"):
    """The fugitive is caught."""

    cell: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, question=None)


class QuestionAsked(PublicEvent, frozen=True, tag="question_asked"):
    """On paper: a question from a pawn's place; the fugitive has to answer."""

    pawn: Pawn
    question: Question
    cell: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, question=self)

    def message(self) -> Message:
        return self.message_named(f"{self.question}.asked")


class ArrestAsked(PublicEvent, frozen=True, tag="arrest_asked", omit_defaults=True):
    """On paper: the fugitive has to answer whether it is on one of these places.

    pawn: the pawn that announced an arrest; None at the end of a hunter's turn, when `cells` are
    the places that its pawns entered
    """

    cells: tuple[Cell, ...]
    pawn: Pawn | None = None

    def apply(self, public: Public) -> Public:
        return replace(public, question=self)

    def message(self) -> Message:
        return Message("event.arrest_asked", {"cells": ", ".join(self.cells)})


class TurnAnnounced(PublicEvent, frozen=True, tag="turn_announced", omit_defaults=True):
    """On paper: the fugitive's announcements of its present turn so far."""

    ways: tuple[str, ...] = ()
    distance: int | None = None
    cell: Cell | None = None

    def apply(self, public: Public) -> Public:
        return replace(public, turn_announced=self)

    def message(self) -> Message:
        if self.cell is not None:
            return self.message_named("fugitive_shown")
        if self.distance is not None:
            return self.message_named("fugitive_far")
        return Message("event.fugitive_ways", {"kinds": ", ".join(self.ways)})


class AnswersContradict(PublicEvent, frozen=True, tag="answers_contradict"):
    """On paper: no place of the fugitive fits all its announcements so far.

    Something is wrong, perhaps an earlier answer.
    """


class SwitchedToPaper(PublicEvent, frozen=True, tag="switched_to_paper"):
    """The fugitive's phone is lost: from now on it plays on paper."""

    def apply(self, public: Public) -> Public:
        return replace(public, options=replace(public.options, path="paper"))


class NightOver(PublicEvent, frozen=True, tag="night_over"):
    """The fugitive escaped this night, and another night follows."""

    night: int
    reason: Reason


class NightStarted(PublicEvent, frozen=True, tag="night_started"):
    """Pawns, tickets and moves are as at the first start; the fugitive chooses a new start."""

    night: int

    def apply(self, public: Public) -> Public:
        # A hunter sets out the pawns: the fugitive's turn that ended a night is over.
        return replace(_night_begun(public, self.night), to_move=public.hunters[0])

    def apply_private(self, private: Private, public: Public) -> Private:
        return {F: Hidden()} if private else private


class PawnSet(PublicEvent, frozen=True, tag="pawn_set"):
    """A pawn was set on a place by hand, by agreement; this is no move."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, pawns={**public.pawns, self.pawn: self.to})


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["hunters", "fugitive", "draw"]
    reason: Literal["caught", "trapped", "rounds", "hideout", "targets", "agreed", "surrender"]

    def apply(self, public: Public) -> Public:
        return replace(public, to_move=None, outcome=Outcome(self.winner, self.reason))

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


class FugitiveEvent(PrivateEvent, frozen=True):
    """An event that the fugitive alone receives."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({F})


class FugitiveHid(FugitiveEvent, frozen=True, tag="fugitive_hid"):
    """The fugitive's start of this night."""

    cell: Cell

    def apply_private(self, private: Private, public: Public) -> Private:
        return {F: Hidden(self.cell, (self.cell,), trail=(self.cell,))}


class FugitiveStepped(FugitiveEvent, frozen=True, tag="fugitive_stepped", omit_defaults=True):
    """One step of the fugitive."""

    origin: Cell = msgspec.field(name="from")
    to: Cell
    kind: str
    unseen: bool = False

    def apply_private(self, private: Private, public: Public) -> Private:
        own, to, kind = private[F], self.to, UNSEEN if self.unseen else self.kind
        label = UNSEEN if self.unseen else public.board.label(self.origin, Passage(to, kind))
        after = replace(
            own,
            cell=to,
            path=(*own.path, to),
            kinds=(*own.kinds, kind),
            ways=(*own.ways, label),
            trail=(*own.trail, to),
        )
        return {F: after}


def empty_public() -> Public:
    """Return the public part before the set-up: a map without places."""
    return Public(_NO_BOARD, Options(), (), {}, {}, {}, {}, TurnAnnounced())


_NO_BOARD = Board(
    MapFile(game="manhunt", title="–", language="en", sample=False, places=(), ways=())
)


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


def _answered(public: Public, pawn: Pawn, answer: Answer) -> Public:
    answers = (*public.answers, answer)
    return replace(public, asked=(*public.asked, pawn), answers=answers, question=None)


EVENTS = tagged_types(Event, globals())
