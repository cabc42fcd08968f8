"""Actions of a seat."""

from __future__ import annotations

from companion.core.game import Action
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.map_file import Question


class Hide(Action, frozen=True, tag="hide"):
    """The fugitive chooses where a night begins."""

    cell: Cell


class Step(Action, frozen=True, tag="step", omit_defaults=True):
    """One step of the fugitive; the way of an `unseen` one is not announced."""

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


class Ask(Action, frozen=True, tag="ask"):
    """Ask the fugitive a question of the rule card, from the pawn's place."""

    discloses = True

    pawn: Pawn
    question: Question


class Arrest(Action, frozen=True, tag="arrest"):
    """Announce an arrest on the pawn's place or one beside it, instead of a question."""

    discloses = True

    pawn: Pawn
    cell: Cell


class Look(Action, frozen=True, tag="look"):
    """End a hunter's turn; where entering catches, look at the places that its pawns entered.

    Before the first round of a night it only lets the fugitive go on.
    """

    discloses = True


END, AGAIN, SURRENDER, LOOK = End(), Again(), Surrender(), Look()

ACTIONS: tuple[type[Action], ...] = (Hide, Step, End, Again, Surrender, Walk, Ask, Arrest, Look)
