"""Define the events of a game."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.game import Event, PrivateEvent, PublicEvent, Seat
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.map_file import MapFile, Question
from companion.games.manhunt.options import F, Options

Reason = Literal["rounds", "hideout", "targets"]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The hunters' pawns stand on their starts; a pawn is called by its seat and a letter."""

    players: int
    options: Options
    map: MapFile
    start: dict[str, str]


class FugitivePlaced(PublicEvent, frozen=True, tag="fugitive_placed"):
    """The fugitive chose its start; the place is secret."""

    discloses = True


class TurnStarted(PublicEvent, frozen=True, tag="turn_started"):
    """A seat is to move; the fugitive's turn begins a round."""

    seat: Seat


class FugitiveMoved(PublicEvent, frozen=True, tag="fugitive_moved", omit_defaults=True):
    """The fugitive ended its turn.

    ways: each step's announcement: its kind or direction, or "unseen"; None without announcements
    distance: the distance in ways to the nearest pawn, if it is announced
    """

    discloses = True

    ways: tuple[str, ...] | None = None
    distance: int | None = None


class FugitiveShown(PublicEvent, frozen=True, tag="fugitive_shown"):
    """The fugitive showed its place, because the rule card says so for this round."""

    discloses = True

    cell: Cell


class TargetReached(PublicEvent, frozen=True, tag="target_reached"):
    """The fugitive ended its turn on a target that it had not visited this night."""

    discloses = True

    cell: Cell


class HideoutReached(PublicEvent, frozen=True, tag="hideout_reached"):
    """The fugitive ended its turn on a hideout."""

    discloses = True

    cell: Cell


class DoubleMoved(PublicEvent, frozen=True, tag="double_moved"):
    """The fugitive moves again at once."""


class PawnWalked(PublicEvent, frozen=True, tag="pawn_walked"):
    """A pawn walked along a way."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell
    kind: str


class QuestionAnswered(PublicEvent, frozen=True, tag="question_answered", omit_defaults=True):
    """The answer to a question from a pawn's place.

    found: the place beside the pawn on which the fugitive is, for the question `which_of`
    """

    discloses = True

    pawn: Pawn
    question: Question
    cell: Cell
    yes: bool
    found: Cell | None = None


class ArrestMissed(PublicEvent, frozen=True, tag="arrest_missed"):
    """An arrest was announced, and the fugitive is not there."""

    discloses = True

    pawn: Pawn
    cell: Cell


class NothingFound(PublicEvent, frozen=True, tag="nothing_found"):
    """The fugitive is on none of the places that a hunter's pawns entered."""

    discloses = True

    cells: tuple[Cell, ...]


class FugitiveCaught(PublicEvent, frozen=True, tag="fugitive_caught"):
    """The fugitive is caught."""

    discloses = True

    cell: Cell


class QuestionAsked(PublicEvent, frozen=True, tag="question_asked"):
    """On paper: a question from a pawn's place; the fugitive has to answer."""

    pawn: Pawn
    question: Question
    cell: Cell


class ArrestAsked(PublicEvent, frozen=True, tag="arrest_asked", omit_defaults=True):
    """On paper: the fugitive has to answer whether it is on one of these places.

    pawn: the pawn that announced an arrest; None at the end of a hunter's turn, when `cells` are
    the places that its pawns entered
    """

    cells: tuple[Cell, ...]
    pawn: Pawn | None = None


class TurnAnnounced(PublicEvent, frozen=True, tag="turn_announced", omit_defaults=True):
    """On paper: the fugitive's announcements of its present turn so far."""

    ways: tuple[str, ...] = ()
    distance: int | None = None
    cell: Cell | None = None


class AnswerDoubted(PublicEvent, frozen=True, tag="answer_doubted"):
    """On paper: no place of the fugitive fits all its announcements so far.

    Something is wrong, perhaps an earlier answer.
    """


class PaperTakenUp(PublicEvent, frozen=True, tag="paper_taken_up"):
    """The fugitive's phone is lost: from now on it plays on paper."""


class NightOver(PublicEvent, frozen=True, tag="night_over"):
    """The fugitive escaped this night, and another night follows."""

    night: int
    reason: Reason


class NightStarted(PublicEvent, frozen=True, tag="night_started"):
    """Pawns, tickets and moves are as at the first start; the fugitive chooses a new start."""

    night: int


class PawnSet(PublicEvent, frozen=True, tag="pawn_set"):
    """A pawn was set on a place by hand, by agreement; this is no move."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["hunters", "fugitive", "draw"]
    reason: Literal["caught", "trapped", "rounds", "hideout", "targets", "agreed", "surrender"]


class FugitiveEvent(PrivateEvent, frozen=True):
    """An event that the fugitive alone receives."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({F})


class FugitiveHid(FugitiveEvent, frozen=True, tag="fugitive_hid"):
    """The fugitive's start of this night."""

    cell: Cell


class FugitiveStepped(FugitiveEvent, frozen=True, tag="fugitive_stepped", omit_defaults=True):
    """One step of the fugitive."""

    origin: Cell = msgspec.field(name="from")
    to: Cell
    kind: str
    unseen: bool = False


EVENTS: tuple[type[Event], ...] = (
    GameSetUp,
    FugitivePlaced,
    TurnStarted,
    FugitiveMoved,
    FugitiveShown,
    TargetReached,
    HideoutReached,
    DoubleMoved,
    PawnWalked,
    QuestionAnswered,
    ArrestMissed,
    NothingFound,
    FugitiveCaught,
    QuestionAsked,
    ArrestAsked,
    TurnAnnounced,
    AnswerDoubted,
    PaperTakenUp,
    NightOver,
    NightStarted,
    PawnSet,
    GameOver,
    FugitiveHid,
    FugitiveStepped,
)
