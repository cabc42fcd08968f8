"""Compute the exact set of the fugitive's possible places, as masks, from public events alone.

The belief keeps all announcements of a night as operations. A later answer about the night's path
(`was_here`) changes earlier operations; the belief then computes the night again. A place that the
path must visit splits the possible paths: some have visited it, some have not yet.

On paper an answer may be wrong. If an answer contradicts the earlier announcements, the belief
drops them and keeps the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games.manhunt import events
from companion.games.manhunt.board import FAR, Board
from companion.games.manhunt.fugitive import free_starts
from companion.games.manhunt.state import Public

Possible = Mapping[int, int]
"""Masks of possible places by the set of visited required places, which has one bit for each."""


class Operation(Struct):
    """The announcements of one moment of a night.

    moves: whether the fugitive moved, by the announced `ways`
    blocked: where it could not go
    keep: where it can be afterwards
    forbidden: places it did not visit, as later answers show
    required: the number of a place that its path has visited, None for none
    """

    moves: bool = False
    ways: tuple[str, ...] | None = None
    blocked: int = 0
    keep: int = -1
    forbidden: int = 0
    required: int | None = None


class Belief:
    """The fugitive's possible places by the public events.

    contradictions: the number of announcements that did not fit the earlier ones
    """

    def __init__(self) -> None:
        self.public: Public = events.empty_public()
        self.contradictions = 0
        self._is_whole = True
        self._operations: list[Operation] = []
        self._required: list[int] = []
        self._possible: Possible = {}
        self._before: Possible = {}

    @classmethod
    def from_now_on(cls, public: Public) -> Belief:
        """Return a belief without the announcements so far."""
        belief = cls()
        belief.public = replace(public, belief=None)
        belief.board.prepare()
        if public.placed:
            belief._is_whole = False
            belief._add(Operation())
        return belief

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Belief) and (
            self.public,
            self._operations,
            self._possible,
        ) == (other.public, other._operations, other._possible)

    __hash__ = None  # type: ignore[assignment]

    @property
    def board(self) -> Board:
        """The game's map."""
        return self.public.board

    @property
    def places(self) -> int:
        """The mask of possible places; 0 before the fugitive has hidden."""
        return reduce(int.__or__, self._possible.values(), 0)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The possible places, in the order of the file."""
        return self.board.members(self.places)

    def copy(self) -> Belief:
        """Return an independent copy."""
        twin = Belief()
        twin.public, twin._possible, twin._before = self.public, self._possible, self._before
        twin.contradictions, twin._is_whole = self.contradictions, self._is_whole
        twin._required = [*self._required]
        twin._operations = [
            Operation(each.moves, each.ways, each.blocked, each.keep, each.forbidden, each.required)
            for each in self._operations
        ]
        return twin

    def observe(self, event: PublicEvent) -> None:
        """Update by the game's next public event."""
        before = self.public
        self.public = event.apply(before)
        if not isinstance(event, events.TargetReached | events.HideoutReached):
            self._settle()
        self._take(before, event)
        # A turn on a target or hideout is announced in full only with the events after it.
        if not isinstance(event, events.FugitiveMoved):
            self._settle()

    def _settle(self) -> None:
        """If no place fits all announcements, restart with the last one."""
        if not self._operations or self._possible:
            return
        last = self._operations[-1]
        keep = last.keep & ~last.blocked & ~last.forbidden
        self.contradictions += 1
        self._is_whole, self._required = False, []
        self._operations = [Operation(keep=keep if keep & self.board.every else -1)]
        self._possible = self._at_start(self._operations[0])

    def _take(self, before: Public, event: PublicEvent) -> None:
        match event:
            case events.GameSetUp() | events.NightStarted():
                self._operations, self._required, self._possible = [], [], {}
                self._is_whole = True
                self.board.prepare()
            case events.FugitivePlaced():
                self._add(Operation(keep=self.board.mask(free_starts(before))))
            case events.FugitiveMoved():
                self._move(before, event)
            case events.TargetReached(cell=cell) | events.HideoutReached(cell=cell):
                self._operations[-1].keep = 1 << self.board.index[cell]
                self._possible = self._after(self._before, self._operations[-1])
            case events.FugitiveShown(cell=cell) | events.FugitiveCaught(cell=cell):
                self._add(Operation(keep=1 << self.board.index[cell]))
            case events.ArrestMissed(cell=cell):
                self._add(Operation(keep=~(1 << self.board.index[cell])))
            case events.NothingFound(cells=cells):
                self._add(Operation(keep=~self.board.mask(cells)))
            case events.QuestionAnswered(question="was_here"):
                self._observe_was_here(event)
            case events.QuestionAnswered():
                self._add(Operation(keep=places_that_fit(self.board, event)))

    def _move(self, before: Public, event: events.FugitiveMoved) -> None:
        board = before.board
        keep = ~board.mask(board.hideouts | (board.targets - set(before.visited)))
        if event.distance is not None:
            keep &= at_distance(before, event.distance)
        blocked = board.mask(before.pawns.values())
        self._add(Operation(moves=True, ways=event.ways, blocked=blocked, keep=keep))

    def _observe_was_here(self, event: events.QuestionAnswered) -> None:
        bit = 1 << self.board.index[event.cell]
        if event.yes:
            if not self._is_whole:
                return
            if bit not in self._required:
                self._required.append(bit)
            self._operations.append(Operation(required=self._required.index(bit)))
        else:
            for operation in self._operations:
                operation.forbidden |= bit
        self._possible = {}
        for number, operation in enumerate(self._operations):
            self._possible = (
                self._after(self._possible, operation) if number else self._at_start(operation)
            )

    def _add(self, operation: Operation) -> None:
        self._before = self._possible
        self._possible = (
            self._after(self._possible, operation)
            if self._operations
            else self._at_start(operation)
        )
        self._operations.append(operation)

    def _at_start(self, operation: Operation) -> Possible:
        possible: dict[int, int] = {}
        self._divide(possible, 0, operation.keep & self.board.every & ~operation.forbidden)
        return possible

    def _after(self, possible: Possible, operation: Operation) -> Possible:
        if operation.moves:
            possible = self._after_move(possible, operation)
        remaining = {seen: places & operation.keep for seen, places in possible.items()}
        return {
            seen: places
            for seen, places in remaining.items()
            if places and (operation.required is None or seen >> operation.required & 1)
        }

    def _after_move(self, possible: Possible, operation: Operation) -> Possible:
        if operation.ways is not None:
            for way in operation.ways:
                possible = self._after_step(possible, operation, way)
            return possible
        rules = self.board.rules
        after = dict(possible) if "fugitive" in rules.may_stay else {}
        for _ in range(rules.fugitive_moves):
            possible = self._after_step(possible, operation, None)
            for seen, places in possible.items():
                after[seen] = after.get(seen, 0) | places
        return after

    def _after_step(self, possible: Possible, operation: Operation, way: str | None) -> Possible:
        barred = operation.blocked | operation.forbidden
        after: dict[int, int] = {}
        for seen, places in possible.items():
            self._divide(after, seen, self.board.spread(places, way) & ~barred)
        return after

    def _divide(self, possible: dict[int, int], seen: int, places: int) -> None:
        """Add newly visited places, grouped by the required places that were visited."""
        for number, bit in enumerate(self._required):
            if places & bit and not seen >> number & 1:
                further = seen | 1 << number
                possible[further] = possible.get(further, 0) | bit
                places &= ~bit
        if places:
            possible[seen] = possible.get(seen, 0) | places


def at_distance(public: Public, distance: int) -> int:
    """Return the mask of the places at this distance, in ways, from the nearest pawn."""
    board = public.board
    cells = set(public.pawns.values())
    nearer = reduce(int.__or__, (board.within(cell, distance - 1) for cell in cells), 0)
    if distance == FAR:
        return board.every & ~nearer
    return reduce(int.__or__, (board.within(cell, distance) for cell in cells), 0) & ~nearer


def places_that_fit(board: Board, event: events.QuestionAnswered) -> int:
    """Return the mask of the places that fit an answer about the present place."""
    match event.question:
        case "within":
            asked = board.within(event.cell, board.rules.within)
        case "which_of" if event.found is not None:
            return 1 << board.index[event.found]
        case "which_of":
            asked = board.mask(board.beside(event.cell))
        case _:
            asked = 1 << board.index[event.cell]
    return asked if event.yes else board.every & ~asked
