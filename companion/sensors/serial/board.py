"""The thread at the wire: opens a board's port, carries bytes to and from the conversation, and
tells its news.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import TypeVar

from companion.core.game import Message
from companion.core.placement import Cell
from companion.locks import Level, make_lock
from companion.sensors.link import ButtonEvent, Link, Timing, Trace
from companion.sensors.observation import Observation
from companion.sensors.rfid.calibration import find_laid_tags, gain_drift
from companion.sensors.rfid.locate import Locator, TagPlace
from companion.sensors.rfid.registry import TaggedItem, TagRegistry
from companion.sensors.serial.messages import ScanEnd, Uid
from companion.sensors.serial.poller import PresencePoller, TagPoller
from companion.sensors.serial.ports import (
    AUTO,
    Port,
    PortId,
    find_ports,
    loss,
    open_failure,
    open_port,
    transfer,
)
from companion.sensors.serial.procedure import Procedure
from companion.sensors.serial.session import BoardCommand, Session

MAX_SILENT_TRIES = 5
"""How often "auto" opens a device that says nothing: it may still be starting. One that says
something else than a board is opened once.
"""

_T = TypeVar("_T")


@dataclass(frozen=True)
class TagDiagnosis:
    """One tag for the diagnostics page: what it is (None for a stranger), where, how strongly each
    loop hears it (on the loops that listened last), and the scans that missed it since.
    """

    uid: Uid
    thing: TaggedItem | None
    place: TagPlace
    strengths: Mapping[int, int]
    misses: int


@dataclass(frozen=True)
class LoopDiagnosis:
    """One loop for the diagnostics page: its axis, the strongest and the number of the tags it
    hears, its gain in dB (None: not calibrated), by how many dB it differs from it now (None: no
    tile tells), and whether it is broken.
    """

    loop: int
    axis: str
    strongest: int
    tags: int
    gain: float | None
    gain_drift: float | None
    is_broken: bool


@dataclass(frozen=True)
class Diagnosis:
    """What the board says, raw. `age` is how many seconds ago the last whole snapshot came; `scan`
    is what the board said of its last scan, `cells` are its cells in its own order, row by row.
    `beside` are other devices that may be boards and are not listened to.
    """

    link: Link
    age: float | None
    cells: Sequence[Cell]
    occupied: Mapping[Cell, bool]
    tags: Sequence[TagDiagnosis]
    loops: Sequence[LoopDiagnosis]
    scan: ScanEnd | None
    traces: Sequence[Trace]
    beside: Sequence[str] = ()


class SerialBoard:
    """A sensor board on a serial port, found and found again for as long as this is not closed.

    `address` is a device, an address that pyserial knows (`socket://…`) or "auto", which leaves the
    device `taken` alone and hears one board at a time. `book` says which tag is which thing. The
    callbacks run on the one reader thread; while one runs, nothing is read.
    """

    def __init__(
        self,
        address: str,
        *,
        monotonic: Callable[[], float],
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        on_button: Callable[[int, bool], None] = lambda n, down: None,
        book: TagRegistry | None = None,
        timing: Timing | None = None,
        source: str = "serial",
        devices: Path = Path("/dev"),
        taken: str = "",
    ) -> None:
        self._address = address
        self._monotonic = monotonic
        self._on_observation, self._on_link, self._on_button = on_observation, on_link, on_button
        self._timing = timing or Timing()
        self._devices, self._taken = devices, taken
        self._lock = make_lock(Level.SERIAL_BOARD)
        self._conversation = Session(source, book or TagRegistry(), self._timing)
        self._strangers: set[PortId] = set()
        self._silent: Counter[PortId] = Counter()
        self._friends: set[PortId] = set()
        self._is_answered = False
        self._chosen = ""
        self._turn = Event()
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

    def order(self, order: BoardCommand) -> bool:
        """Have lamps lit, a tone sounded or a tag marked soon; return False if the board cannot."""
        with self._lock:
            return self._conversation.order(order)

    def look_again(self) -> None:
        """Have pawns and tokens scanned once more, sooner than it would be their turn."""
        with self._lock:
            if isinstance(self._conversation.sight, TagPoller):
                self._conversation.sight.look_again()

    def look_at_tiles(self) -> None:
        """Have the tiles scanned once more, which takes seconds in which pawns are not seen."""
        with self._lock:
            if isinstance(self._conversation.sight, TagPoller):
                self._conversation.sight.look_at_tiles()

    def study(self, plan: Callable[[Locator, str], Procedure]) -> bool:
        """Have the board asked something else than what lies on it: `plan` makes it for the board's
        loops and number.

        Return False if no board that knows tags is there.
        """
        with self._lock:
            sight, link = self._conversation.sight, self._conversation.link
            if not isinstance(sight, TagPoller) or link.board_id is None:
                return False
            return self._conversation.begin_study(plan(sight.picture.locator, link.board_id))

    def studying(self, action: Callable[[Procedure | None], _T]) -> _T:
        """Do something with the study that is under way, None if there is none; the wire waits
        meanwhile.
        """
        with self._lock:
            return action(self._conversation.study)

    def open_book(self) -> None:
        """The book says something else of tags or loops: see the table with it."""
        with self._lock:
            self._conversation.open_book()

    def set_aside(self, cells: frozenset[int]) -> None:
        """Believe these cells of a presence board (by index, row by row) no more, and all others
        again.
        """
        with self._lock:
            self._conversation.quarantine.set_aside(cells)

    def choose(self, port: str) -> bool:
        """Listen to this one of the devices that "auto" found, until it goes; return False if it is
        none of them.

        If it turns out to be none of our boards, the one that was heard is heard again.
        """
        with self._lock:
            if port not in self._others(self._conversation.port):
                return False
            self._chosen = port
            self._turn.set()
            return True

    def diagnosis(self) -> Diagnosis:
        """Return what the board says, raw."""
        with self._lock:
            sight, link = self._conversation.sight, self._conversation.link
            age = None if sight is None else self._monotonic() - sight.fresh
            traces = tuple(self._conversation.traces)
            told = Diagnosis(link, age, (), {}, [], [], None, traces)
            if link.state == "up":
                told = replace(told, beside=self._others(self._conversation.port))
            match sight:
                case PresencePoller():
                    return replace(told, cells=sight.picture.cells, occupied=sight.picture.raw())
                case TagPoller():
                    cells, tags = sight.picture.locator.geometry.cells, tag_diagnoses(sight)
                    return replace(
                        told,
                        cells=cells,
                        tags=tags,
                        loops=loop_diagnoses(sight),
                        scan=sight.last_end,
                    )
            return told

    def _others(self, port: str) -> list[str]:
        """The devices beside this one that may be boards too; strangers that were asked are
        none.
        """
        if self._address != AUTO:
            return []
        asked = self._strangers | self._silent.keys()
        return [
            socket[0] for socket in self._sockets() if socket not in asked and socket[0] != port
        ]

    def _sockets(self) -> list[PortId]:
        """What is plugged in, best first: what was silent comes last."""
        sockets = find_ports(self._address, self._devices, self._taken)
        return sorted(
            sockets, key=lambda socket: (socket[0] != self._chosen, socket in self._silent)
        )

    def _run(self) -> None:
        try:
            self._keep_open()
        finally:
            # A callback raised: nobody may think that the board is still heard.
            if not self._closing.is_set():
                self._lose(Message("link.stopped"))

    def _keep_open(self) -> None:
        pause = self._timing.reopen_first
        while not self._closing.is_set():
            self._turn.clear()
            sockets = self._sockets()
            was_heard = self._try(sockets)
            if was_heard or any(socket not in self._strangers for socket in self._silent):
                pause = self._timing.reopen_first
            is_changed = self._rest(pause, sockets)
            pause = (
                self._timing.reopen_first
                if is_changed
                else min(2 * pause, self._timing.reopen_most)
            )

    def _try(self, sockets: list[PortId]) -> bool:
        """Talk to the first board among the sockets until it is lost; return whether there was
        one.
        """
        self._strangers &= set(sockets)
        self._friends &= set(sockets)
        self._silent = Counter(
            {socket: many for socket, many in self._silent.items() if socket in sockets}
        )
        if not sockets:
            self._lose(Message("link.no_board"))
        for socket in sockets:
            if not self._closing.is_set() and socket not in self._strangers and self._visit(socket):
                return True
        return False

    def _rest(self, pause: float, sockets: list[PortId]) -> bool:
        """Wait before the next try, not longer than until something else is plugged in; return
        whether it is.
        """
        until = self._monotonic() + pause
        while self._monotonic() < until and not self._closing.wait(
            min(pause, self._timing.reopen_first)
        ):
            if self._sockets() != sockets:
                return True
        return False

    def _visit(self, socket: PortId) -> bool:
        address = socket[0]
        try:
            port = open_port(address, self._timing)
        except (OSError, ValueError) as wrong:
            self._lose(open_failure(address, wrong))
            return False
        try:
            said = self._talk(port, address)
        finally:
            port.close()
        self._lose(said)
        self._remember(socket)
        return self._conversation.met

    def _remember(self, socket: PortId) -> None:
        """Opening a port resets many a device, a 3D printer for one: "auto" opens one that is no
        board once, and one that says nothing `MAX_SILENT_TRIES` times.
        """
        if self._conversation.met:
            self._friends.add(socket)
        elif self._address == AUTO and socket not in self._friends and not self._turn.is_set():
            self._silent[socket] += 1
            if self._is_answered or self._silent[socket] >= MAX_SILENT_TRIES:
                self._strangers.add(socket)

    def _talk(self, port: Port, address: str) -> Message | None:
        """Carry bytes until the conversation is over; return why the port failed, if it did."""
        self._is_answered = False
        with self._lock:
            self._conversation.port = address
            out = self._conversation.opened(
                address, self._monotonic(), beside=bool(self._others(address))
            )
            due = self._conversation.due()
        while not (self._closing.is_set() or self._turn.is_set() or self._conversation.over):
            try:
                data = transfer(port, out, min(self._timing.read, due - self._monotonic()))
            except OSError as wrong:
                return loss(address, wrong)
            self._is_answered = self._is_answered or bool(data)
            with self._lock:
                out = self._conversation.advance(self._monotonic(), data)
                due = self._conversation.due()
            self._tell()
        return None

    def _lose(self, said: Message | None) -> None:
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
                case ButtonEvent():
                    self._on_button(item.n, item.down)


def tag_diagnoses(sight: TagPoller) -> list[TagDiagnosis]:
    """Return the tags that were heard lately."""
    return [
        TagDiagnosis(
            uid,
            thing,
            place,
            {n: track.latest.strengths[n] for n in sorted(track.latest.loops)},
            track.misses,
        )
        for uid, track, thing, place in sight.picture.sightings()
    ]


def loop_diagnoses(sight: TagPoller) -> list[LoopDiagnosis]:
    """Return how each loop hears the tags that lie there, and whether it does so as when it was
    calibrated.
    """
    picture, geometry = sight.picture, sight.picture.locator.geometry
    gains = picture.locator.gains
    tags = tag_diagnoses(sight)
    whole = {
        tag.uid: tuple(tag.strengths.values())
        for tag in tags
        if len(tag.strengths) == geometry.loops
    }
    known = {tag.uid: tag.thing for tag in tags if tag.thing is not None}
    laid = find_laid_tags(picture.locator, known, whole) if gains else []
    drifted = gain_drift(geometry, gains, laid) if laid else {}
    heard = {
        n: [tag.strengths[n] for tag in tags if tag.strengths.get(n)] for n in range(geometry.loops)
    }
    return [
        LoopDiagnosis(
            n,
            axis.name,
            max(heard[n], default=0),
            len(heard[n]),
            gains[n] if gains else None,
            drifted.get(n),
            n in picture.broken_loops,
        )
        for axis in geometry.axes
        for n in axis.lines()
    ]
