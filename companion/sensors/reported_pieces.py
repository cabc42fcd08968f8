"""What a board says stands where, as observations: pure, for every kind of board.

A state counts once two successive ones agree. An equal one is repeated when a change has rested, so
that the reader can act on it at that moment and need not wait for the board's next report.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.core.placement import Cell, Pawn, Tile
from companion.sensors.debounce import EARLY_SHARE
from companion.sensors.link import Timing
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.tags.registry import TaggedItem, Uid

MAX_CHANGES = 6
CHANGE_WINDOW = 10.0
CALM_TIME = 60.0
"""Seconds without a change after which a flickering cell is trusted again."""

Piece = tuple[Cell, Uid]
"""A piece on a cell, with its tag's number, "" without one."""
Tags = Callable[[], Mapping[Uid, TaggedItem]]


class FlickerFilter:
    """Counts the changes of each cell, and names the cells to ignore."""

    def __init__(self) -> None:
        self._occupied: frozenset[Cell] | None = None
        self._changes: dict[Cell, deque[float]] = {}
        self._flickering: set[Cell] = set()

    def record(self, occupied: Iterable[Cell], now: float) -> None:
        """Record the occupied cells; a cell with more than 6 changes within 10 s flickers."""
        before, self._occupied = self._occupied, frozenset(occupied)
        for cell in frozenset() if before is None else before ^ self._occupied:
            changes = self._changes.setdefault(cell, deque(maxlen=MAX_CHANGES + 1))
            changes.append(now)
            if len(changes) > MAX_CHANGES and now - changes[0] <= CHANGE_WINDOW:
                self._flickering.add(cell)

    def cells(self, now: float) -> frozenset[Cell]:
        """Return the cells to ignore at `now`."""
        self._flickering = {
            cell for cell in self._flickering if now - self._changes[cell][-1] < CALM_TIME
        }
        return frozenset(self._flickering)


class ReportedPieces:
    """The state of one board; `tags` returns the registered pieces by tag.

    Pieces have names once the board has read a tag and a pawn is registered; until then the board
    tells only which cells are occupied.
    """

    def __init__(self, source: str, tags: Tags, timing: Timing) -> None:
        self.reads_tags = False
        self.flicker = FlickerFilter()
        self._source, self._tags, self._timing = source, tags, timing
        self._pieces: tuple[Piece, ...] | None = None
        self.forget()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces of the state that counts, () before the first."""
        return self._pieces or ()

    def forget(self) -> None:
        """Count nothing said so far: the board was opened, has restarted, or was at fault."""
        self._last: tuple[Piece, ...] | None = None
        self._pieces = None
        self._changed = -math.inf
        self._sent = -math.inf
        self._said_since = 0

    def say(self, pieces: Sequence[Piece], now: float) -> Observation | None:
        """Take a state; return the observation if it counts and is news, or is due again."""
        self.reads_tags = self.reads_tags or any(uid for _, uid in pieces)
        self.flicker.record((cell for cell, _ in pieces), now)
        doubtful = self.flicker.cells(now)
        last, self._last = self._last, tuple(sorted(pieces))
        trusted = _without(self._last, doubtful)
        if last is None or _without(last, doubtful) != trusted:
            return None
        if self._pieces is None or _without(self._pieces, doubtful) != trusted:
            self._changed, self._said_since = now, 0
            self._pieces = self._last
            return self._observe(now)
        self._said_since += 1
        self._pieces = self._last
        return self._observe(now) if now >= self._repeats_from(now) else None

    def due(self) -> float:
        """Return when `repeat` has an observation without a further state."""
        points = [self._changed + share * self._timing.rest for share in self._shares()]
        return min((point for point in points if self._sent < point), default=math.inf)

    def repeat(self, now: float) -> Observation | None:
        """Return the observation again if one is due."""
        return self._observe(now) if self._pieces is not None and now >= self.due() else None

    def observe(self, now: float) -> Observation | None:
        """Return the present observation, for instance with new tags; None before the first."""
        return None if self._pieces is None else self._observe(now)

    def _shares(self) -> tuple[float, ...]:
        """Return the shares of the rest time at which an equal observation is due.

        The last one waits for a state since the change: a board that fell silent confirms nothing.
        """
        early = () if self._names_pawns() else (EARLY_SHARE,)
        return (*early, 1.0) if self._said_since else early

    def _repeats_from(self, now: float) -> float:
        """Return when a further state is passed on: a named one only once it has rested."""
        rested = self._changed + self._timing.rest
        if now < rested and self._names_pawns():
            return rested
        return self._sent + self._timing.repeat

    def _names_pawns(self) -> bool:
        return self.reads_tags and any(thing.startswith("pawn:") for thing in self._tags().values())

    def _observe(self, now: float) -> Observation:
        self._sent = now
        doubtful = self.flicker.cells(now)
        return _observation(
            self._source, now, _without(self.pieces, doubtful), doubtful, self._tags(),
            self._names_pawns(),
        )  # fmt: skip


def _without(pieces: Sequence[Piece], cells: frozenset[Cell]) -> tuple[Piece, ...]:
    return tuple(piece for piece in pieces if piece[0] not in cells) if cells else tuple(pieces)


def _observation(
    source: str,
    now: float,
    pieces: Sequence[Piece],
    doubtful: frozenset[Cell],
    tags: Mapping[Uid, TaggedItem],
    names_pawns: bool,
) -> Observation:
    """Return the observation of named pieces; kinds without a registered tag are not reported."""
    pawns: dict[Pawn, set[Cell]] = {}
    tokens: dict[Cell, Counter[str]] = {}
    tiles: dict[Cell, list[int]] = {}
    strangers: set[Cell] = set()
    for cell, uid in pieces:
        kind, _, name = tags.get(uid, "").partition(":")
        match kind:
            case "pawn":
                pawns.setdefault(Pawn(name), set()).add(cell)
            case "token":
                tokens.setdefault(cell, Counter())[name] += 1
            case "tile":
                tiles.setdefault(cell, []).append(int(name))
            case _:
                strangers.add(cell)
    kinds = {thing.partition(":")[0] for thing in tags.values()} if names_pawns else set()
    ambiguities = [
        *(Ambiguity("pawn", pawn, tuple(sorted(on))) for pawn, on in pawns.items() if len(on) > 1),
        *(Ambiguity("tile", "", (cell,), "crowd") for cell, on in tiles.items() if len(on) > 1),
        *(Ambiguity("piece", "", (cell,)) for cell in sorted(strangers) if names_pawns),
    ]
    open_cells = {
        cell for ambiguity in ambiguities if ambiguity.what != "tile" for cell in ambiguity.cells
    }
    named: dict[Cell, frozenset[Pawn]] = {}
    for pawn, on in pawns.items():
        for cell in on - open_cells:
            named[cell] = named.get(cell, frozenset()) | {pawn}
    occupied = frozenset(strangers) | {cell for on in pawns.values() for cell in on}
    return Observation(
        source,
        now,
        pawns=named if names_pawns else None,
        occupied=None if names_pawns else occupied,
        tiles={cell: Tile(on[0]) for cell, on in tiles.items() if len(on) == 1}
        if "tile" in kinds
        else None,
        tokens=tokens if "token" in kinds else None,
        unknown=doubtful | open_cells if names_pawns else doubtful,
        tokens_unknown=frozenset(strangers),
        ambiguities=tuple(ambiguities) if names_pawns else (),
    )
