"""Actions of a seat."""

from __future__ import annotations

from companion.core.game import Action, DisclosingAction, tagged_types
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.map_file import Question


class Hide(Action, frozen=True, tag="hide"):
    """The fugitive chooses where a night begins."""

    cell: Cell


class Step(Action, frozen=True, tag="step", omit_defaults=True):
    """One step of the fugitive; an `unseen` step's way is not announced."""

    to: Cell
    kind: str
    unseen: bool = False


class End(Action, frozen=True, tag="end"):
    """End the fugitive's turn; always explicit."""


class Again(Action, frozen=True, tag="again"):
    """End the fugitive's turn with a double move: the next one begins in the same submission."""


class Surrender(Action, frozen=True, tag="surrender"):
    """The fugitive has no step left and may not stay."""


class Walk(Action, frozen=True, tag="walk"):
    """One step of a hunter's pawn."""

    pawn: Pawn
    to: Cell
    kind: str


class Ask(DisclosingAction, frozen=True, tag="ask"):
    """Ask the fugitive a question of the rule card, from the pawn's place."""

    pawn: Pawn
    question: Question


class Arrest(DisclosingAction, frozen=True, tag="arrest"):
    """Announce an arrest on the pawn's place or one beside it, instead of a question."""

    pawn: Pawn
    cell: Cell


class Look(DisclosingAction, frozen=True, tag="look"):
    """End a hunter's turn; if entering catches, search the places that its pawns entered.

    Before the first round of a night it only starts the fugitive's turn.
    """


class WriteStart(Action, frozen=True, tag="write_start"):
    """On paper: the fugitive has written down where a night begins."""


class AnnounceWay(Action, frozen=True, tag="announce_way"):
    """On paper: announce the turn's next step by its kind or direction, or as "unseen"."""

    way: str


class AnnounceDistance(Action, frozen=True, tag="announce_distance"):
    """On paper: announce the distance to the nearest pawn, in ways."""

    distance: int


class AnnouncePlace(Action, frozen=True, tag="announce_place"):
    """On paper: announce the turn's end: a hideout, a target, or any place in a round that shows
    it.
    """

    cell: Cell


class AnswerQuestion(DisclosingAction, frozen=True, tag="answer_question", omit_defaults=True):
    """On paper: answer a question.

    found: the place beside the pawn, for the question `which_of`
    """

    yes: bool
    found: Cell | None = None


class AnswerArrest(DisclosingAction, frozen=True, tag="answer_arrest", omit_defaults=True):
    """On paper: announce which of the searched places the fugitive is on, None for none."""

    cell: Cell | None = None


END, AGAIN, SURRENDER, LOOK = End(), Again(), Surrender(), Look()
WRITE_START = WriteStart()

ACTIONS = tagged_types(Action, globals())
