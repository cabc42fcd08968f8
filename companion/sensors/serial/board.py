"""Serial board: the thread that opens a port and carries bytes to and from the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from companion.core.game import Message
from companion.core.placement import Cell
from companion.locks import Level, make_lock
from companion.sensors.link import Link, Timing, Trace
from companion.sensors.observation import Observation
from companion.sensors.rfid.calibration import find_laid_tags, gain_drift
from companion.sensors.rfid.locate import Locator, TagPlace
from companion.sensors.rfid.registry import TaggedItem, TagRegistry, item_name
from companion.sensors.serial.messages import ScanEnd, Uid
from companion.sensors.serial.poller import PresencePoller, TagPoller
from companion.sensors.serial.ports import (
    AUTO,
    Port,
    PortId,
    connection_lost,
    find_ports,
    open_failure,
    open_port,
    transfer,
)
from companion.sensors.serial.procedure import Procedure
from companion.sensors.serial.session import Session

MAX_SILENT_TRIES = 5
"""Times "auto" opens a silent device, which may still be starting.

A device that sends something else than a board is opened once.
"""
SCAN_FIELDS = ("ms", "count", "rounds", "collisions", "timeouts")
"""Fields of a scan's end on the diagnostics page."""

_T = TypeVar("_T")


class TagDiagnosis(Struct, frozen=True):
    """A tag for the diagnostics page.

    `thing`: its item, None if unknown. `strengths`: by loop of the last scan. `misses`: scans
    since.
    """

    uid: Uid
    thing: TaggedItem | None
    place: TagPlace
    strengths: Mapping[int, int]
    misses: int

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values for the diagnostics page."""
        return {
            "uid": self.uid,
            "thing": None if self.thing is None else item_name(self.thing),
            "cell": self.place.cell,
            "near": list(self.place.near),
            "turn": self.place.turn,
            "odds": self.place.odds,
            "strengths": self.strengths,
            "misses": self.misses,
        }


class LoopDiagnosis(Struct, frozen=True):
    """A loop for the diagnostics page.

    `strongest`: strongest tag, `tags`: number of tags. `gain`: dB, None if uncalibrated.
    `gain_drift`: dB since the calibration, None without a tile over the loop.
    """

    loop: int
    axis: str
    strongest: int
    tags: int
    gain: float | None
    gain_drift: float | None
    is_broken: bool


class Diagnosis(Struct, frozen=True):
    """Raw board data for diagnostics.

    `age`: seconds since the last whole snapshot. `scan`: the end of the last scan. `cells`: in the
    board's order. `beside`: other devices that may be boards.
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

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values for the diagnostics page."""
        link, scan = self.link, self.scan
        return {
            "link": link.state,
            "port": link.port,
            "firmware": link.firmware,
            "board_id": link.board_id,
            "caps": sorted(link.caps),
            "counters": asdict(link.counters),
            "age": None if self.age is None else round(self.age, 2),
            "cells": list(self.cells),
            "occupied": dict(self.occupied),
            "scan": None if scan is None else {name: getattr(scan, name) for name in SCAN_FIELDS},
            "tags": [tag.to_json() for tag in self.tags],
            "loops": [asdict(loop) for loop in self.loops],
            "traces": [asdict(trace) for trace in self.traces],
            "beside": list(self.beside),
        }


class SerialBoard:
    """A sensor board on a serial port, searched for again whenever it is lost.

    `address`: a device, a pyserial URL or "auto", which skips the device `taken`. Callbacks run on
    the board's thread; nothing is read while one runs.
    """

    def __init__(
        self,
        address: str,
        *,
        monotonic: Callable[[], float],
        on_observation: Callable[[Observation], None],
        on_link: Callable[[Link], None],
        registry: TagRegistry | None = None,
        timing: Timing | None = None,
        source: str = "serial",
        devices: Path = Path("/dev"),
        taken: str = "",
    ) -> None:
        self._address = address
        self._monotonic = monotonic
        self._on_observation, self._on_link = on_observation, on_link
        self._timing = timing or Timing()
        self._devices, self._taken = devices, taken
        self._lock = make_lock(Level.SERIAL_BOARD)
        self._session = Session(source, registry or TagRegistry(), self._timing)
        self._rejected_ports: set[PortId] = set()
        self._silent_ports: Counter[PortId] = Counter()
        self._known_ports: set[PortId] = set()
        self._round_inodes: set[int] = set()
        self._next_look = 0.0
        self._found_new_port = False
        self._is_answered = False
        self._chosen = ""
        self._switch_requested = Event()
        self._closing = Event()
        self._thread = Thread(target=self._run, name="serial-board", daemon=True)

    def __repr__(self) -> str:
        return f"SerialBoard({self._address!r}, {self.link.state})"

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Stop; returns when the port is closed. Not to be called from a callback."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    @property
    def link(self) -> Link:
        """The connection now, with its counters."""
        with self._lock:
            return self._session.link

    def rescan(self) -> None:
        """Scan pawns and tokens again soon."""
        with self._lock:
            if isinstance(self._session.poller, TagPoller):
                self._session.poller.rescan()

    def rescan_tiles(self) -> None:
        """Scan the tiles again, which takes seconds without pawn scans."""
        with self._lock:
            if isinstance(self._session.poller, TagPoller):
                self._session.poller.rescan_tiles()

    def start_procedure(self, plan: Callable[[Locator, str], Procedure]) -> bool:
        """Start a procedure that `plan` makes for the board's locator and number.

        Return False if no identity board is connected.
        """
        with self._lock:
            poller, link = self._session.poller, self._session.link
            if not isinstance(poller, TagPoller) or link.board_id is None:
                return False
            return self._session.start_procedure(plan(poller.decoder.locator, link.board_id))

    def with_procedure(self, action: Callable[[Procedure | None], _T]) -> _T:
        """Return `action` of the current procedure, None if there is none, under the lock."""
        with self._lock:
            return action(self._session.procedure)

    def reload_registry(self) -> None:
        """Use the registry's current items and gains."""
        with self._lock:
            self._session.reload_registry()

    def set_aside(self, cells: frozenset[int]) -> None:
        """Ignore these cells (by index) of a presence board, and no others."""
        with self._lock:
            self._session.flicker_filter.set_aside(cells)

    def choose(self, port: str) -> bool:
        """Switch to another device that "auto" found; return False if it is none of them.

        If that is not a board, the former one is used again.
        """
        with self._lock:
            if port not in self._others(self._session.port):
                return False
            self._chosen = port
            self._switch_requested.set()
            return True

    def diagnosis(self) -> Diagnosis:
        """Return raw board data."""
        with self._lock:
            poller, link = self._session.poller, self._session.link
            age = None if poller is None else self._monotonic() - poller.fresh
            traces = tuple(self._session.traces)
            diagnosis = Diagnosis(link, age, (), {}, [], [], None, traces)
            if link.state == "up":
                diagnosis = replace(diagnosis, beside=self._others(self._session.port))
            match poller:
                case PresencePoller():
                    return replace(
                        diagnosis, cells=poller.decoder.cells, occupied=poller.decoder.raw()
                    )
                case TagPoller():
                    cells, tags = poller.decoder.locator.geometry.cells, tag_diagnoses(poller)
                    return replace(
                        diagnosis,
                        cells=cells,
                        tags=tags,
                        loops=loop_diagnoses(poller),
                        scan=poller.last_end,
                    )
            return diagnosis

    def _others(self, port: str) -> list[str]:
        """Return the other devices that may be boards."""
        if self._address != AUTO:
            return []
        asked = self._rejected_ports | self._silent_ports.keys()
        return [
            port_id[0]
            for port_id in self._find_ports()
            if port_id not in asked and port_id[0] != port
        ]

    def _find_ports(self) -> list[PortId]:
        """Return the plugged-in ports, best first, silent ones last."""
        ports = find_ports(self._address, self._devices, self._taken)
        return sorted(
            ports, key=lambda port_id: (port_id[0] != self._chosen, port_id in self._silent_ports)
        )

    def _run(self) -> None:
        try:
            self._keep_open()
        finally:
            # A callback raised: the board must not appear connected.
            if not self._closing.is_set():
                self._report_lost(Message("link.stopped"))

    def _keep_open(self) -> None:
        pause = self._timing.reopen_first
        while not self._closing.is_set():
            self._switch_requested.clear()
            ports = self._find_ports()
            if self._found_new_port:
                ports.sort(key=lambda port_id: port_id[1] in self._round_inodes)
            has_answered = self._try_ports(ports)
            if self._found_new_port:
                continue
            if has_answered or any(
                port_id not in self._rejected_ports for port_id in self._silent_ports
            ):
                pause = self._timing.reopen_first
            is_changed = self._wait_before_retry(pause, ports)
            pause = (
                self._timing.reopen_first
                if is_changed
                else min(2 * pause, self._timing.reopen_most)
            )

    def _try_ports(self, ports: list[PortId]) -> bool:
        """Run a session on the first board until it is lost; return whether there was one.

        A device that is plugged in during a handshake ends the round, and the next round tries it
        first.
        """
        self._found_new_port = False
        self._round_inodes = {inode for _, inode in ports}
        self._rejected_ports &= set(ports)
        self._known_ports &= set(ports)
        self._silent_ports = Counter(
            {port_id: many for port_id, many in self._silent_ports.items() if port_id in ports}
        )
        if not ports:
            self._report_lost(Message("link.no_board"))
        for port_id in ports:
            if (
                not self._closing.is_set()
                and not self._found_new_port
                and port_id not in self._rejected_ports
                and self._try_port(port_id)
            ):
                return True
        return False

    def _wait_before_retry(self, pause: float, ports: list[PortId]) -> bool:
        """Wait; return True as soon as the plugged-in ports change."""
        until = self._monotonic() + pause
        while self._monotonic() < until and not self._closing.wait(
            min(pause, self._timing.reopen_first)
        ):
            if self._find_ports() != ports:
                return True
        return False

    def _try_port(self, port_id: PortId) -> bool:
        address = port_id[0]
        try:
            port = open_port(address, self._timing)
        except (OSError, ValueError) as wrong:
            self._report_lost(open_failure(address, wrong))
            return False
        try:
            message = self._run_session(port, address)
        finally:
            port.close()
        self._report_lost(message)
        self._classify_port(port_id)
        return self._session.handshake_done

    def _classify_port(self, port_id: PortId) -> None:
        """Count silent tries and reject ports that are no board.

        Opening a port resets many devices, such as 3D printers.
        """
        if self._session.handshake_done:
            self._known_ports.add(port_id)
        elif (
            self._address == AUTO
            and port_id not in self._known_ports
            and not self._switch_requested.is_set()
            and not self._found_new_port
        ):
            self._silent_ports[port_id] += 1
            if self._is_answered or self._silent_ports[port_id] >= MAX_SILENT_TRIES:
                self._rejected_ports.add(port_id)

    def _run_session(self, port: Port, address: str) -> Message | None:
        """Carry bytes until the session is over; return why the port failed, if it did."""
        self._is_answered = False
        with self._lock:
            out = self._session.port_opened(
                address, self._monotonic(), beside=bool(self._others(address))
            )
            due = self._session.due()
        while not (self._closing.is_set() or self._switch_requested.is_set() or self._session.over):
            if self._looks_for_new_port():
                break
            try:
                data = transfer(port, out, min(self._timing.read, due - self._monotonic()))
            except OSError as wrong:
                return connection_lost(address, wrong)
            self._is_answered = self._is_answered or bool(data)
            with self._lock:
                out = self._session.advance(self._monotonic(), data)
                due = self._session.due()
            self._dispatch_events()
        return None

    def _looks_for_new_port(self) -> bool:
        """Return whether a device was plugged in since this round began, before a board answered.

        Inodes are compared: udev gives a device its second name a moment later.
        """
        now = self._monotonic()
        if self._address == AUTO and not self._session.handshake_done and now >= self._next_look:
            self._next_look = now + self._timing.reopen_first
            self._found_new_port = any(
                inode not in self._round_inodes for _, inode in self._find_ports()
            )
        return self._found_new_port

    def _report_lost(self, message: Message | None) -> None:
        with self._lock:
            self._session.port_closed(message)
        self._dispatch_events()

    def _dispatch_events(self) -> None:
        with self._lock:
            events = self._session.events()
        for item in events:
            match item:
                case Observation():
                    self._on_observation(item)
                case Link():
                    self._on_link(item)


def tag_diagnoses(poller: TagPoller) -> list[TagDiagnosis]:
    """Return the tags of the last scans."""
    return [
        TagDiagnosis(
            uid,
            thing,
            place,
            {n: track.latest.strengths[n] for n in sorted(track.latest.loops)},
            track.misses,
        )
        for uid, track, thing, place in poller.decoder.sightings()
    ]


def loop_diagnoses(poller: TagPoller) -> list[LoopDiagnosis]:
    """Return each loop's tags, gain and drift."""
    decoder, geometry = poller.decoder, poller.decoder.locator.geometry
    gains = decoder.locator.gains
    tags = tag_diagnoses(poller)
    whole = {
        tag.uid: tuple(tag.strengths.values())
        for tag in tags
        if len(tag.strengths) == geometry.loops
    }
    known = {tag.uid: tag.thing for tag in tags if tag.thing is not None}
    laid = find_laid_tags(decoder.locator, known, whole) if gains else []
    drifted = gain_drift(geometry, gains, laid) if laid else {}
    strengths = {
        n: [tag.strengths[n] for tag in tags if tag.strengths.get(n)] for n in range(geometry.loops)
    }
    return [
        LoopDiagnosis(
            n,
            axis.name,
            max(strengths[n], default=0),
            len(strengths[n]),
            gains[n] if gains else None,
            drifted.get(n),
            n in decoder.broken_loops,
        )
        for axis in geometry.axes
        for n in axis.lines()
    ]
