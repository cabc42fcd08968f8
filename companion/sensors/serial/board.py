"""Serial board: the thread that opens a port and carries bytes to and from the session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event

from companion.core.game import Message
from companion.locks import LockRank, make_lock
from companion.platforms import Waker
from companion.sensors.board_source import BoardSource, Diagnosis
from companion.sensors.link import Link, Timing
from companion.sensors.observation import Observation
from companion.sensors.serial.ports import (
    AUTO,
    ConfirmedDevices,
    PluggedDevices,
    Port,
    PortId,
    connection_lost,
    find_ports,
    is_pseudo_terminal,
    open_board,
    open_failure,
    programs_with,
    transfer,
    usb_id,
)
from companion.sensors.serial.session import Session
from companion.sensors.serial.spi import SpiPort
from companion.sensors.tags.registry import TagRegistry

MAX_TRIES = 5
"""Times "auto" opens a silent device, which may still be starting; opening a port resets many
devices. One that sends something else than a board is opened once.
"""


class SerialBoard(BoardSource):
    """A sensor board on a serial port, searched for again whenever it is lost.

    `address`: a device, a pyserial URL, "spi" for the strips at the Pi's own pins, or "auto", which
    opens the devices with a board's USB chip and those `confirmed`, and skips the device `taken`.
    Nothing is read while a callback runs.
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
        confirmed: ConfirmedDevices | None = None,
    ) -> None:
        super().__init__(address, monotonic=monotonic, on_link=on_link)
        self._on_observation = on_observation
        self._timing = timing or Timing()
        self._registry = registry = registry or TagRegistry()
        self._devices, self._taken = devices, taken
        self._confirmed = confirmed if confirmed is not None else ConfirmedDevices()
        self._lock = make_lock(LockRank.SERIAL_BOARD)
        self._session = Session(source, registry, self._timing, programs_with)
        self._unsent = b""
        self._tries: Counter[PortId] = Counter()
        self._known_ports: set[PortId] = set()
        self._listed_inodes: set[int] = set()
        self._next_look = 0.0
        self._has_new_port = False
        self._chosen = ""
        self._switch_requested = Event()
        self._waker = Waker()

    def close(self) -> None:
        """Stop; returns when the port is closed. Not to be called from a callback."""
        super().close()
        self._waker.close()

    @property
    def link(self) -> Link:
        """The connection now, with its counters."""
        with self._lock:
            return self._session.link

    def reload_registry(self) -> None:
        """Report the pieces under the registry's present names."""
        with self._lock:
            self._session.reload_registry(self._monotonic())
        self._interrupt()

    def show_lamps(self, line: str) -> None:
        """Light these lamps, "white A1 B3 teal C4"; "" is dark. Kept until the next call."""
        with self._lock:
            self._unsent = self._session.show_lamps(line)
        self._interrupt()

    def choose(self, port: str) -> bool:
        """Switch to another plugged-in device and remember that it is a board.

        Return False if it is none of them. If it does not answer, the former one is used again.
        Raises OSError if it cannot be remembered.
        """
        with self._lock:
            is_there = port in self._others(self._session.port)
        usb = usb_id(Path(port), self._devices.parent / "sys") if is_there else None
        if usb is None:
            return False
        self._confirmed.add(usb)
        self._chosen = port
        self._switch_requested.set()
        self._interrupt()
        return True

    def diagnosis(self) -> Diagnosis:
        """Return raw board data."""
        with self._lock:
            session, link = self._session, self._session.link
            return Diagnosis(
                link,
                session.cells,
                session.state.pieces,
                self._registry.tags(link.board_id or ""),
                tuple(session.traces),
                self._others(session.port if link.state == "up" else ""),
            )

    def _interrupt(self) -> None:
        """End the thread's wait for bytes."""
        self._waker.wake()

    def _others(self, port: str) -> list[str]:
        """Return the other devices that may be boards."""
        if self._address != AUTO:
            return []
        plugged = self._find_ports()
        untried = [port_id[0] for port_id in plugged.boards if not self._tries[port_id]]
        return [name for name in (*untried, *plugged.strangers) if name != port]

    def _find_ports(self) -> PluggedDevices:
        """Return the plugged-in devices, those to try best first and silent ones last."""
        plugged = find_ports(self._address, self._devices, self._taken, self._confirmed)
        plugged.boards.sort(key=lambda port_id: (port_id[0] != self._chosen, self._tries[port_id]))
        if self._chosen in plugged.strangers:
            plugged.boards.insert(0, (self._chosen, 0))
        return plugged

    def _read(self) -> None:
        pause = self._timing.reopen_first
        while not self._closing.is_set():
            self._switch_requested.clear()
            ports = self._find_ports().boards
            if self._has_new_port:
                ports.sort(key=lambda port_id: port_id[1] in self._listed_inodes)
            has_answered = self._try_ports(ports)
            if self._has_new_port:
                continue
            if has_answered:
                pause = self._timing.reopen_first
            step = min(pause, self._timing.reopen_first)
            if self._wait_for_change(pause, step, self._look, (False, frozenset(ports))):
                pause = self._timing.reopen_first
            else:
                pause = min(2 * pause, self._timing.reopen_most)

    def _look(self) -> tuple[bool, frozenset[PortId]]:
        return self._switch_requested.is_set(), frozenset(self._find_ports().boards)

    def _try_ports(self, ports: list[PortId]) -> bool:
        """Run a session on the first board until it is lost; return whether there was one.

        A device that is plugged in during a handshake ends the round, and the next round tries it
        first.
        """
        self._has_new_port = False
        self._listed_inodes = {inode for _, inode in ports}
        self._known_ports &= set(ports)
        self._tries = Counter({port_id: self._tries[port_id] for port_id in ports})
        if not ports:
            self._show_failure(Message("link.no_board"))
        return any(
            self._tries[port_id] < MAX_TRIES
            and not (self._closing.is_set() or self._has_new_port)
            and self._try_port(port_id)
            for port_id in ports
        )

    def _try_port(self, port_id: PortId) -> bool:
        """Run a session on a device until it is over; return whether it is a board."""
        address = port_id[0]
        if self._address == AUTO and not is_pseudo_terminal(address) and programs_with(address):
            # Opening it would disturb that program.
            self._show_failure(Message("link.busy", {"port": address}))
            return False
        try:
            port = open_board(address, self._timing)
        except (OSError, ValueError) as wrong:
            self._show_failure(open_failure(address, wrong))
            return False
        with closing(port):
            is_answered, message = self._run_session(port, address)
        self._show_failure(message)
        if self._session.is_board:
            self._known_ports.add(port_id)
        elif (
            self._address == AUTO
            and port_id not in self._known_ports
            and not (self._switch_requested.is_set() or self._has_new_port)
        ):
            self._tries[port_id] += MAX_TRIES if is_answered else 1
        return self._session.is_board

    def _run_session(self, port: Port | SpiPort, address: str) -> tuple[bool, Message | None]:
        """Carry bytes until the session ends; return whether any came, and why the port failed."""
        is_answered = False
        with self._lock:
            out = self._session.port_opened(
                address, self._monotonic(), beside=bool(self._others(address))
            )
        while not (
            self._closing.is_set()
            or self._switch_requested.is_set()
            or self._session.over
            or self._finds_new_port()
        ):
            with self._lock:
                wait = self._session.due() - self._monotonic()
            if self._is_searching:
                wait = min(wait, self._timing.reopen_first)
            try:
                data = transfer(port, out, wait, self._waker)
            except OSError as wrong:
                return is_answered, connection_lost(address, wrong)
            is_answered = is_answered or bool(data)
            with self._lock:
                out = self._session.advance(self._monotonic(), data) + self._unsent
                self._unsent = b""
            self._dispatch_events()
        return is_answered, None

    @property
    def _is_searching(self) -> bool:
        return self._address == AUTO and not self._session.is_board

    def _finds_new_port(self) -> bool:
        """Return whether a device was plugged in since this round began, before a board answered.

        Inodes are compared: udev gives a device its second name a moment later.
        """
        now = self._monotonic()
        if self._is_searching and now >= self._next_look:
            self._next_look = now + self._timing.reopen_first
            inodes = {inode for _, inode in self._find_ports().boards}
            self._has_new_port = not inodes <= self._listed_inodes
        return self._has_new_port

    def _show_failure(self, message: Message | None) -> None:
        with self._lock:
            self._session.port_closed(message)
        self._dispatch_events()

    def _dispatch_events(self) -> None:
        with self._lock:
            events = self._session.events()
        for item in events:
            if isinstance(item, Link):
                self._on_link(item)
            else:
                self._on_observation(item)
