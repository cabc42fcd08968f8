"""Define the state of a game: the public part and the fugitive's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import to_builtins
from companion.core.game import Outcome, Seat, View
from companion.core.placement import Cell, Pawn
from companion.games.manhunt.board import Board
from companion.games.manhunt.options import F, Options

if TYPE_CHECKING:
    from companion.games.manhunt.belief import Belief
    from companion.games.manhunt.events import ArrestAsked, QuestionAsked, TurnAnnounced


class RoundAnnouncement(Struct, frozen=True, omit_defaults=True):
    """The announcements of one turn of the fugitive.

    cell: where it showed itself or reached a target or hideout
    """

    night: int
    round: int
    ways: tuple[str, ...] | None = None
    distance: int | None = None
    cell: Cell | None = None


class Answer(Struct, frozen=True, omit_defaults=True):
    """An answer of the present night, or the places where nothing was found (`looked`,
    `arrest`).
    """

    round: int
    question: str
    cell: Cell
    yes: bool
    found: Cell | None = None


class Public(Struct, frozen=True):
    """The public state. Mappings are never changed in place.

    tickets: each pawn's, by kind; a kind that is absent costs nothing
    fugitive_tickets, doubles, unseen: what the fugitive has left this night
    again: whether the fugitive's turn is the second one of a double move
    walked: the steps of each pawn this turn
    asked: the pawns that asked or announced an arrest this turn
    entered: the places that pawns entered this turn
    visited: the targets that the fugitive visited this night
    question: on paper, what the fugitive has to answer
    turn_announced: on paper, its announcements of the present turn
    belief: on paper, its possible places by all announcements; never changed in place
    """

    board: Board
    options: Options
    hunters: tuple[Seat, ...]
    start: Mapping[Pawn, Cell]
    pawns: Mapping[Pawn, Cell]
    tickets: Mapping[Pawn, Mapping[str, int]]
    fugitive_tickets: Mapping[str, int]
    turn_announced: TurnAnnounced
    doubles: int = 0
    unseen: int = 0
    to_move: Seat | None = F
    placed: bool = False
    night: int = 1
    round: int = 0
    again: bool = False
    walked: Mapping[Pawn, int] = {}
    asked: tuple[Pawn, ...] = ()
    entered: tuple[Cell, ...] = ()
    visited: tuple[Cell, ...] = ()
    announced: tuple[RoundAnnouncement, ...] = ()
    answers: tuple[Answer, ...] = ()
    outcome: Outcome | None = None
    question: QuestionAsked | ArrestAsked | None = None
    belief: Belief | None = None

    def pawns_of(self, seat: Seat) -> tuple[Pawn, ...]:
        """Return the pawns of a hunter's seat."""
        return tuple(pawn for pawn in self.pawns if owner(pawn) == seat)


def owner(pawn: Pawn) -> Seat:
    """Return the hunter's seat of a pawn: "H1a" is H1's."""
    return Seat(pawn[:2])


class Hidden(Struct, frozen=True):
    """The fugitive's own part: its place, this turn's path with each step's announcement, and every
    place of this night.
    """

    cell: Cell | None = None
    path: tuple[Cell, ...] = ()
    kinds: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    trail: tuple[Cell, ...] = ()


def new_turn(own: Hidden) -> Hidden:
    """Return the fugitive's own part at the beginning of its turn."""
    return replace(own, path=() if own.cell is None else (own.cell,), kinds=(), ways=())


PUBLIC_FIELDS = (
    "hunters", "pawns", "tickets", "fugitive_tickets", "doubles", "unseen", "to_move", "placed",
    "night", "round", "again", "walked", "asked", "entered", "visited", "announced", "answers",
    "options", "outcome",
)  # fmt: skip
"""The fields of the public state that a view has."""


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; the fugitive's own part is under "own".

    The map and its rule card, which never change in a game, are in `Game.reference`.
    """
    public: Public = view.public
    rules = public.board.rules
    on_paper = ("question", "turn_announced") if public.options.on_paper else ()
    return to_builtins(
        {
            **{name: getattr(public, name) for name in (*PUBLIC_FIELDS, *on_paper)},
            "title": public.board.content.title,
            "map": public.board.digest,
            "nights": rules.nights,
            "rounds": rules.rounds,
            "shows": rules.shows,
            "own": view.own,
        }
    )
