"""Merge a sensor board and a camera: the board reports where pieces are, the camera which."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from companion.core.placement import Cell, Pawn
from companion.locks import LockRank, make_lock
from companion.sensors.debounce import AGREEING_SCANS, REST_TIME, Debouncer
from companion.sensors.diff import seen_pawn_cells
from companion.sensors.link import Link
from companion.sensors.observation import Ambiguity, Observation

CAPTURE_LAG = 1.0
"""Seconds by which a picture may be older than its arrival, or a board slower than the camera."""
CONFLICT_TIME = 3.0
"""Seconds after which people are asked about a contradiction."""

Names = frozenset[Pawn]


class SensorFusion:
    """Sends one observation and one link for a board and a camera. Thread-safe.

    Passes either one alone on unchanged. Both are merged once the camera has named a pawn:

    - A cell that the board reports empty is empty, also under a hand.
    - A cell that a presence board reports occupied holds the pawns that the camera names there. A
      single one stays named while the cell is covered and the board reports no change. A cell
      without a name is unknown.
    - Contradictions are unknown, and asked once they last for `CONFLICT_TIME`.
    """

    def __init__(
        self,
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        rest: float = REST_TIME,
        scans: int = AGREEING_SCANS,
    ) -> None:
        self._on_observation, self._on_link = on_observation, on_link
        self._lock = make_lock(LockRank.SENSOR_FUSION)
        self._board, self._camera = Link(), Link()
        self._sent = Link()
        self._is_merged = False
        self._switches = 0
        self._rest, self._scans = rest, scans
        self._names_pawns = False
        self._board_view = BoardView(Debouncer(rest, scans))
        self._camera_view = CameraView(Debouncer(rest, scans))
        self._merger = Merger()

    def board_linked(self, link: Link) -> None:
        """Take the board's link."""
        with self._lock:
            if (link.state, link.generation) != (self._board.state, self._board.generation):
                self._board_view = BoardView(Debouncer(self._rest, self._scans))
            self._board = link
            self._switch()

    def camera_linked(self, link: Link) -> None:
        """Take the camera's link."""
        with self._lock:
            if (link.state, link.generation) != (self._camera.state, self._camera.generation):
                self._camera_view = CameraView(Debouncer(self._rest, self._scans))
            self._camera = link
            self._switch()

    def board_observed(self, observation: Observation) -> None:
        """Take the board's observation."""
        with self._lock:
            self._board_view.update(observation)
            self._switch()
            if self._is_merged:
                self._send_merged(observation.at)
            else:
                self._on_observation(observation)

    def camera_observed(self, observation: Observation) -> None:
        """Take the camera's observation; `at` is when its picture arrived."""
        with self._lock:
            self._camera_view.update(observation)
            self._names_pawns = self._names_pawns or bool(observation.pawns)
            self._switch()
            if self._is_merged:
                self._send_merged(observation.at)
            elif self._board.state == "up":
                # Its tiles alone: with anything to compare it would be another source of pawns.
                if self._board_view.latest is None or self._board_view.latest.tiles is None:
                    self._on_observation(
                        Observation(observation.source, observation.at, tiles=observation.tiles)
                    )
            else:
                self._on_observation(observation)

    def camera_confirmed(self, at: float) -> None:
        """Record that at `at` the camera's last result still holds."""
        with self._lock:
            self._camera_view.confirm(at)
            if self._is_merged:
                self._send_merged(at)

    def _switch(self) -> None:
        """Update whether both are merged, and send the link if it changed."""
        is_merged = (
            self._board.state == self._camera.state == "up"
            and self._names_pawns
            and self._board_view.settled is not None
            and self._camera_view.settled is not None
        )
        if is_merged != self._is_merged:
            self._is_merged = is_merged
            self._switches += 1
            self._merger = Merger()
        link = self._link()
        if link != self._sent:
            self._sent = link
            self._on_link(link)

    def _link(self) -> Link:
        """Return the link of the source that is used, with the other one's message."""
        board, camera = self._board, self._camera
        uses_camera = board.state != "up" and (
            camera.state == "up" or (camera.state != "none" and not board.generation)
        )
        used, other = (camera, board) if uses_camera else (board, camera)
        message = used.message or (
            other.message if other.generation and other.state != "up" else None
        )
        return replace(used, message=message, generation=used.generation + self._switches)

    def _send_merged(self, now: float) -> None:
        self._on_observation(self._merger.merge(self._board_view, self._camera_view, now))


class BoardView:
    """A board's settled observation, and when each cell last changed (monotonic s)."""

    def __init__(self, debouncer: Debouncer) -> None:
        self.settled: Observation | None = None
        self.latest: Observation | None = None
        self.changed: dict[Cell, float] = {}
        self._debouncer = debouncer

    def update(self, observation: Observation) -> None:
        """Take an observation."""
        if self.latest is not None:
            for cell in changed_pieces(self.latest, observation):
                self.changed[cell] = observation.at
        self.latest = observation
        self.settled = self._debouncer.update(observation, observation.at) or self.settled

    def moving(self) -> frozenset[Cell]:
        """Return the cells that changed and do not rest yet."""
        if self.latest is None or self.settled is None:
            return frozenset()
        return changed_pieces(self.latest, self.settled)


class CameraView:
    """A camera's settled observation, and since when each cell is unchanged."""

    def __init__(self, debouncer: Debouncer) -> None:
        self.settled: Observation | None = None
        self._debouncer = debouncer
        self._latest: Observation | None = None
        self._since: dict[Cell, float] = {}
        self._at = 0.0

    def update(self, observation: Observation) -> None:
        """Take an observation."""
        before, self._latest = self.settled, observation
        settled = self._debouncer.update(observation, observation.at)
        if settled is None:
            return
        self.settled, self._at = settled, settled.at
        if before is not None:
            for cell in _named_cells(before) | _named_cells(settled):
                if _names_at(before, cell) != _names_at(settled, cell):
                    self._since[cell] = settled.at

    def confirm(self, at: float) -> None:
        """Record that nothing changed up to `at`."""
        self._at = max(self._at, at)

    def names(self, cell: Cell, changed: float) -> Names | None:
        """Return the pawns seen on a cell, None if covered or perhaps older than the change."""
        if self.settled is None or self._latest is None:
            return None
        names = _names_at(self.settled, cell)
        is_stable = names is not None and names == _names_at(self._latest, cell)
        is_fresh = self._at >= changed + CAPTURE_LAG or (
            self._since.get(cell, float("-inf")) >= changed - CAPTURE_LAG
        )
        return names if is_stable and is_fresh else None

    def is_whole(self, cell: Cell) -> bool:
        """Return whether no more pawns than the named ones can stand on a cell."""
        return self.settled is not None and cell not in self.settled.partly


class Claims(Struct):
    """Merged reports: `pawns`, cells that are `unknown` or `partly` seen, and contradictions."""

    pawns: dict[Cell, Names] = field(default_factory=dict)
    unknown: set[Cell] = field(default_factory=set)
    partly: set[Cell] = field(default_factory=set)
    conflicts: set[Ambiguity] = field(default_factory=set)

    def conflict(self, *cells: Cell, pawn: Pawn | None = None) -> None:
        """Add a contradiction, about a pawn or about a piece without a name."""
        self.unknown |= set(cells)
        for cell in cells:
            self.pawns.pop(cell, None)
        self.conflicts.add(
            Ambiguity("piece", "", cells) if pawn is None else Ambiguity("pawn", pawn, cells)
        )


class Merger:
    """Merges settled observations, and remembers names and contradictions."""

    def __init__(self) -> None:
        self._known: dict[Cell, Names] = {}
        self._conflicts: dict[Ambiguity, float] = {}

    def merge(self, board: BoardView, camera: CameraView, now: float) -> Observation:
        """Return the merged observation; both views have settled."""
        seen, other = board.settled, camera.settled
        assert seen is not None and other is not None
        claims = Claims()
        if seen.pawns is None:
            self._name_pieces(claims, board, camera)
        else:
            _check_names(claims, board, camera)
        claims.unknown |= board.moving()
        self._conflicts = {each: self._conflicts.get(each, now) for each in claims.conflicts}
        asked = [each for each, at in self._conflicts.items() if now - at >= CONFLICT_TIME]
        unknown = frozenset(claims.unknown)
        return Observation(
            seen.source,
            now,
            pawns={cell: names for cell, names in claims.pawns.items() if cell not in unknown},
            tiles=other.tiles if seen.tiles is None else seen.tiles,
            tokens=other.tokens if seen.tokens is None else seen.tokens,
            tokens_unknown=other.tokens_unknown if seen.tokens is None else seen.tokens_unknown,
            unknown=unknown,
            partly=frozenset(claims.partly) - unknown,
            ambiguities=(
                *seen.ambiguities,
                *sorted(asked, key=lambda each: (each.name, each.cells)),
            ),
        )

    def _name_pieces(self, claims: Claims, board: BoardView, camera: CameraView) -> None:
        """Name the pieces of a presence board."""
        seen, other = board.settled, camera.settled
        assert seen is not None and other is not None
        occupied = seen.occupied or frozenset()
        claims.unknown |= seen.unknown
        for cell in sorted(occupied | _named_cells(other) | self._known.keys()):
            names = camera.names(cell, board.changed.get(cell, float("-inf")))
            if cell in seen.unknown or cell in board.moving():
                self._known.pop(cell, None)
            elif cell not in occupied:
                self._known.pop(cell, None)
                for pawn in names or ():
                    claims.conflict(cell, pawn=pawn)
            elif names:
                self._known[cell] = claims.pawns[cell] = names
                claims.partly |= set() if camera.is_whole(cell) else {cell}
            elif names is None:
                self._remember(claims, cell)
            else:
                claims.conflict(cell)
        _find_twins(claims)

    def _remember(self, claims: Claims, cell: Cell) -> None:
        """Keep a covered cell's only pawn: the board has reported no change since."""
        known = self._known.get(cell, frozenset())
        if len(known) == 1:
            claims.pawns[cell] = known
            claims.partly.add(cell)
        else:
            claims.unknown.add(cell)


def _find_twins(claims: Claims) -> None:
    """Make a contradiction of each pawn that is named on two cells."""
    at: dict[Pawn, list[Cell]] = {}
    for cell, names in sorted(claims.pawns.items()):
        for pawn in names:
            at.setdefault(pawn, []).append(cell)
    for pawn, cells in sorted(at.items()):
        if len(cells) > 1:
            claims.conflict(*cells[:2], pawn=pawn)
            claims.unknown |= set(cells)


def _check_names(claims: Claims, board: BoardView, camera: CameraView) -> None:
    """Compare the pawns of a board that reads tags with those of the camera."""
    seen, other = board.settled, camera.settled
    assert seen is not None and other is not None and seen.pawns is not None
    claims.pawns = dict(seen.pawns)
    claims.unknown |= seen.unknown
    claims.partly |= seen.partly
    at, ambiguous_pawns = seen_pawn_cells(seen), {each.name for each in seen.ambiguities}
    seen_by_camera = seen_pawn_cells(other)
    for pawn in sorted(at.keys() | seen_by_camera.keys()):
        here, there = at.get(pawn), seen_by_camera.get(pawn)
        cells = tuple(dict.fromkeys(cell for cell in (here, there) if cell is not None))
        if here == there or pawn in ambiguous_pawns or not seen.unknown.isdisjoint(cells):
            continue
        views = [camera.names(cell, board.changed.get(cell, float("-inf"))) for cell in cells]
        if there is None and (views[0] is None or not camera.is_whole(cells[0])):
            continue
        if None not in views:
            claims.conflict(*cells, pawn=pawn)
        elif there is not None:
            claims.unknown |= set(cells)


def changed_pieces(before: Observation, after: Observation) -> frozenset[Cell]:
    """Return the cells on which a board reports other pieces than before."""
    cells = _named_cells(before) | _named_cells(after)
    renamed = {cell for cell in cells if _names_at(before, cell) != _names_at(after, cell)}
    return (before.occupied or frozenset()) ^ (after.occupied or frozenset()) | renamed


def _named_cells(observation: Observation) -> frozenset[Cell]:
    pawns: Mapping[Cell, Names] = observation.pawns or {}
    return frozenset(pawns)


def _names_at(observation: Observation, cell: Cell) -> Names | None:
    """Return the pawns named on a cell, None if it is covered."""
    if cell in observation.unknown:
        return None
    return (observation.pawns or {}).get(cell, frozenset())
