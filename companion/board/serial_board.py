"""The thread at the wire: opens a board's port, carries bytes to and from the conversation, and tells its news."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread

from companion.board.conversation import Conversation, Order
from companion.board.link import Link, Press, Timing, Trace
from companion.board.message import Uid
from companion.board.observation import Observation
from companion.board.ports import AUTO, Port, Socket, cannot_open, exchange, lost, open_port, plugged
from companion.board.sight import PresenceSight, TagSight
from companion.board.tags import PawnTag, Thing, TileTag
from companion.core.game import Said
from companion.core.placement import Cell


@dataclass(frozen=True)
class TagSeen:
    """One tag for the diagnostics page: what it is, where, and how strongly each of the 26 loops hears it."""

    uid: Uid
    name: str
    cell: Cell | None
    strengths: tuple[int, ...]
    misses: int


@dataclass(frozen=True)
class Diagnosis:
    """What the board says, raw. `age` is how many seconds ago the last whole snapshot came."""

    link: Link
    age: float | None
    occupied: Mapping[Cell, bool]
    tags: Sequence[TagSeen]
    traces: Sequence[Trace]


class SerialBoard:
    """A sensor board on a serial port, found and found again for as long as this is not closed.

    `address` is a device, an address that pyserial knows (`socket://…`) or "auto". `registry` says which tag is
    which thing. The callbacks run on the one reader thread; while one runs, nothing is read.
    """

    def __init__(
        self,
        address: str,
        *,
        monotonic: Callable[[], float],
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        on_button: Callable[[int, bool], None] = lambda n, down: None,
        registry: Mapping[Uid, Thing] | None = None,
        gains: Sequence[float] = (),
        timing: Timing | None = None,
        source: str = "serial",
        devices: Path = Path("/dev"),
    ) -> None:
        self._address = address
        self._monotonic = monotonic
        self._on_observation, self._on_link, self._on_button = on_observation, on_link, on_button
        self._timing = timing or Timing()
        self._devices = devices
        self._lock = Lock()
        self._conversation = Conversation(source, registry or {}, self._timing, gains)
        self._strangers: set[Socket] = set()
        self._friends: set[Socket] = set()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="serial-board", daemon=True)

    def __repr__(self) -> str:
        return f"SerialBoard({self._address!r}, {self.link.state})"

    def start(self) -> None:
        """Begin to look for the board."""
        self._thread.start()

    def close(self) -> None:
        """Stop; returns when the port is closed. Not to be called from a callback."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def link(self) -> Link:
        """The wire as it is now, with its counters."""
        with self._lock:
            return self._conversation.link

    def order(self, order: Order) -> bool:
        """Have lamps lit, a tone sounded or a tag marked soon; return False if the board cannot."""
        with self._lock:
            return self._conversation.order(order)

    def look_at_tiles(self) -> None:
        """Have the tiles scanned once more, which takes seconds in which pawns are not seen."""
        with self._lock:
            if isinstance(self._conversation.sight, TagSight):
                self._conversation.sight.look_at_tiles()

    def set_aside(self, cells: frozenset[int]) -> None:
        """Believe these cells of a presence board (by index, row by row) no more, and all others again."""
        with self._lock:
            self._conversation.quarantine.set_aside(cells)

    def diagnosis(self) -> Diagnosis:
        """Return what the board says, raw."""
        with self._lock:
            sight = self._conversation.sight
            age = None if sight is None else self._monotonic() - sight.fresh
            occupied = sight.picture.raw() if isinstance(sight, PresenceSight) else {}
            tags = _tags_seen(sight) if isinstance(sight, TagSight) else []
            return Diagnosis(self._conversation.link, age, occupied, tags, tuple(self._conversation.traces))

    def _run(self) -> None:
        try:
            self._keep_open()
        finally:
            # A callback raised: nobody may think that the board is still heard.
            if not self._closing.is_set():
                self._lose(Said("link.stopped"))

    def _keep_open(self) -> None:
        pause = self._timing.reopen_first
        while not self._closing.is_set():
            sockets = plugged(self._address, self._devices)
            if self._try(sockets):
                pause = self._timing.reopen_first
            self._rest(pause, sockets)
            pause = min(2 * pause, self._timing.reopen_most)

    def _try(self, sockets: list[Socket]) -> bool:
        """Talk to the first board among the sockets until it is lost; return whether there was one."""
        self._strangers &= set(sockets)
        self._friends &= set(sockets)
        if not sockets:
            self._lose(Said("link.no_board"))
        for socket in sockets:
            if not self._closing.is_set() and socket not in self._strangers and self._visit(socket):
                return True
        return False

    def _rest(self, pause: float, sockets: list[Socket]) -> None:
        """Wait before the next try, not longer than until something else is plugged in."""
        until = self._monotonic() + pause
        while self._monotonic() < until and not self._closing.wait(min(pause, self._timing.reopen_first)):
            if plugged(self._address, self._devices) != sockets:
                return

    def _visit(self, socket: Socket) -> bool:
        address = socket[0]
        try:
            port = open_port(address, self._timing)
        except (OSError, ValueError) as wrong:
            self._lose(cannot_open(address, wrong))
            return False
        try:
            said = self._talk(port, address)
        finally:
            port.close()
        self._lose(said)
        self._remember(socket)
        return self._conversation.met

    def _remember(self, socket: Socket) -> None:
        """Opening a port resets many a device, a 3D printer for one: a stranger found by "auto" is asked once."""
        if self._conversation.met:
            self._friends.add(socket)
        elif self._address == AUTO and socket not in self._friends:
            self._strangers.add(socket)

    def _talk(self, port: Port, address: str) -> Said | None:
        """Carry bytes until the conversation is over; return why the port failed, if it did."""
        with self._lock:
            out = self._conversation.opened(address, self._monotonic())
            due = self._conversation.due()
        while not self._closing.is_set() and not self._conversation.over:
            try:
                data = exchange(port, out, min(self._timing.read, due - self._monotonic()))
            except OSError as wrong:
                return lost(address, wrong)
            with self._lock:
                out = self._conversation.advance(self._monotonic(), data)
                due = self._conversation.due()
            self._tell()
        return None

    def _lose(self, said: Said | None) -> None:
        with self._lock:
            self._conversation.closed(said)
        self._tell()

    def _tell(self) -> None:
        with self._lock:
            news = self._conversation.news()
        for item in news:
            match item:
                case Observation():
                    self._on_observation(item)
                case Link():
                    self._on_link(item)
                case Press():
                    self._on_button(item.n, item.down)


def _tags_seen(sight: TagSight) -> list[TagSeen]:
    return [
        TagSeen(uid, _thing_name(thing), place.cell, track.latest, track.misses)
        for uid, track, thing, place in sight.picture.sightings()
    ]


def _thing_name(thing: Thing | None) -> str:
    match thing:
        case None:
            return "?"
        case PawnTag():
            return thing.pawn
        case TileTag():
            return f"tile {thing.number}"
    return thing.kind
