"""The host's side of the line protocol: bytes in, bytes and events out; no clock and no port."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.game import Message
from companion.core.placement import Cell
from companion.sensors.board_field import parse_field
from companion.sensors.link import Counters, Link, LinkState, Timing, Trace
from companion.sensors.observation import Observation
from companion.sensors.reported_pieces import Piece, ReportedPieces
from companion.sensors.serial.firmware_version import FIRMWARE, NANO
from companion.sensors.serial.lines import (
    WIRE_VERSION,
    Damaged,
    Fault,
    Foreign,
    Greeting,
    Line,
    LineDecoder,
    StateLine,
)
from companion.sensors.tags.registry import TagRegistry

NOTICE_TIME = 10.0
"""Seconds that a passing notice (a restart, damaged lines) stays on the link."""
TORN_LINES = 5
"""Damaged lines within `NOTICE_TIME` that are reported: a line or two is a plug's own noise."""
MAX_FAULTS = 8
"""Different faults that are kept; a board sends one for each strip at most."""
ASK = b"?\n"


class Session:
    """The state of one wire, across reopened ports and restarts of the board.

    Call `port_opened`, then `advance` with each read until `over`, then `port_closed`. The first
    two return bytes to write; `events` returns what happened. `is_board`: a board has answered
    since the port was opened. `programs_with` returns the other programs that read a port; it is
    called when lines are damaged.
    """

    def __init__(
        self,
        source: str,
        registry: TagRegistry,
        timing: Timing | None = None,
        programs_with: Callable[[str], Sequence[str]] = lambda port: (),
    ) -> None:
        self.over = True
        self.is_board = False
        self.port = ""
        self.traces: deque[Trace] = deque(maxlen=32)
        self._timing = timing or Timing()
        self._programs_with = programs_with
        self.state = ReportedPieces(
            source, lambda: registry.tags(self._link.board_id or ""), self._timing
        )
        self._decoder = LineDecoder()
        self._events: list[Observation | Link] = []
        self._link = Link("searching", source=source)
        self._count: Counter[str] = Counter()
        self._cells: dict[str, Cell] = {}
        self._lamps = b""
        self._has_others = False
        self._was_ours = False
        self._greeting: Greeting | None = None
        self._asked_at = 0.0
        self._asking_since: float | None = None
        self._ask_at = 0.0
        self._received_at = 0.0
        self._state_at = 0.0
        self._last: StateLine | None = None
        self._needs_checksum = False
        self._faults: dict[str, float] = {}
        self._damaged: deque[float] = deque(maxlen=TORN_LINES)
        self._notice: Message | None = None
        self._notice_until = 0.0
        self._out = bytearray()

    @property
    def link(self) -> Link:
        """The connection now, with its counters."""
        return replace(self._link, counters=Counters(**self._count))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The board's cells in its order, () if it does not tell them."""
        return tuple(self._cells.values())

    def events(self) -> list[Observation | Link]:
        """Return the events since the last call, in order."""
        events, self._events = self._events, []
        return events

    def port_opened(self, port: str, now: float, beside: bool = False) -> bytes:
        """Start on an opened port; `beside`: other possible boards are plugged in."""
        self._decoder = LineDecoder()
        self._was_ours = self._was_ours and port == self.port
        self.port, self._has_others = port, beside
        self.over = self.is_board = False
        self._greeting, self._needs_checksum = None, False
        self.state.reads_tags = False
        self._received_at = now
        self._restart()
        self._ask(now)
        return self._sent()

    def port_closed(self, message: Message | None) -> None:
        """End: the port was lost or could not be opened."""
        self.over, self._asking_since, self._notice = True, None, None
        if self._link.state == "up" or message is not None:
            self._lose("silent" if self._link.generation else "searching", message)

    def advance(self, now: float, data: bytes = b"") -> bytes:
        """Take bytes read; return bytes to write. Call at the latest at `due`."""
        if data:
            self._received_at = now
        for line in self._decoder.receive(data):
            if self.over:
                break
            self._on_line(line, now)
        if not self.over:
            self._run_timers(now)
        return self._sent()

    def due(self) -> float:
        """Return when `advance` has something to do without input."""
        if self._asking_since is not None:
            return min(self._ask_at, self._asking_since + self._timing.ask_for)
        return min(
            self._received_at + self._timing.silent,
            self._state_at + self._timing.unreadable,
            self.state.due(),
            self._notice_until if self._notice is not None else float("inf"),
            *(at + self._timing.fault for at in self._faults.values()),
        )

    def show_lamps(self, line: str) -> bytes:
        """Return the bytes that light this line of lamps, b"" for a device that has not greeted.

        Each greeting repeats them.
        """
        self._lamps = f"*{line}\n".encode()
        return b"" if self.over or self._greeting is None else self._lamps

    def reload_registry(self, now: float) -> None:
        """Report the pieces again under their present names."""
        seen = self.state.observe(now)
        if seen is not None and self._link.state == "up":
            self._events.append(seen)

    def _restart(self) -> None:
        self.state.forget()
        self._last = None
        self._faults.clear()
        self._damaged.clear()

    def _on_line(self, line: Line, now: float) -> None:
        if not isinstance(line, StateLine):
            self._trace("in", self._decoder.text, now)
        match line:
            case StateLine():
                self._on_state(line, now)
            case Greeting():
                self._on_greeting(line, now)
            case Fault():
                self._on_fault(line.text, now)
            case Damaged():
                self._on_damaged(now)
            case Foreign():
                self._count["foreign"] += 1

    def _on_state(self, state: StateLine, now: float) -> None:
        pieces = self._named(state.pieces)
        if pieces is None or (self._needs_checksum and not state.checked):
            self._trace("in", self._decoder.text, now)
            self._on_damaged(now)
            return
        state = StateLine(pieces, state.checked)
        self._count["states"] += 1
        self._state_at = now
        agreed = self._last is not None and self._last.pieces == state.pieces
        if not agreed:
            self._trace("in", self._decoder.text, now)
        if agreed and state.checked and self._last is not None and self._last.checked:
            self._needs_checksum = True
        self._last = state
        seen = None if self._faults else self.state.say(state.pieces, now)
        if self._link.state != "up" or self._asking_since is not None:
            if not agreed and seen is None:
                return
            self._come_up(now)
        self._change_link(caps=frozenset({"tags" if self.state.reads_tags else "presence"}))
        if seen is not None:
            self._events.append(seen)

    def _named(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...] | None:
        """Return the pieces on the board's cells, None if it has no such cell."""
        if not self._cells:
            return pieces
        if any(cell.upper() not in self._cells for cell, _ in pieces):
            return None
        return tuple(sorted((self._cells[cell.upper()], uid) for cell, uid in pieces))

    def _come_up(self, now: float) -> None:
        """Start a new generation: nothing earlier counts."""
        self._asking_since = None
        self.is_board = self._was_ours = True
        if self._has_others and self._notice is None:
            self._show_notice(Message("link.several"), now)
        generation = self._link.generation + 1
        self._change_link(
            state="up", port=self.port, generation=generation, message=self._message()
        )

    def _on_greeting(self, greeting: Greeting, now: float) -> None:
        if greeting.version != WIRE_VERSION:
            versions: dict[str, str | int] = {"ours": WIRE_VERSION, "theirs": greeting.version}
            self._disconnect("refused", Message("link.other_protocol", versions))
            return
        words, is_first = greeting.words, self._greeting is None
        self._greeting = greeting
        self.is_board = True
        self._state_at = now
        field = parse_field(greeting.field)
        self._cells = {} if field is None else {cell.upper(): cell for cell in field.cells}
        self.state.reads_tags = self.state.reads_tags or words.get("reads") == "tags"
        known, number = self._link.board_id, words.get("id")
        if not is_first and now - self._asked_at > self._timing.ask_for:
            self._count["resets"] += 1
            self._restart()
            self._ask(now, self._timing.ask_every)
            self._show_notice(Message("link.reset"), now)
        elif known is not None and number is not None and number != known:
            self._show_notice(Message("link.other_board"), now)
        elif words.get("kind") == NANO and _version(words.get("fw", "")) < _version(FIRMWARE):
            versions = {"theirs": words.get("fw", "?"), "ours": FIRMWARE}
            self._show_notice(Message("link.older_firmware", versions), now)
        self._change_link(
            firmware=words.get("fw"),
            board_id=number,
            name=words.get("name"),
            cells=frozenset(self.cells),
            message=self._message() if self._link.state == "up" else self._link.message,
        )
        self._out += self._lamps

    def _on_fault(self, text: str, now: float) -> None:
        if text in self._faults or len(self._faults) < MAX_FAULTS:
            self._faults[text] = now
        self._show_faults()

    def _show_faults(self) -> None:
        """Report the faults; what the board said before one or during it does not count."""
        faults = tuple(sorted(self._faults))
        if faults != self._link.faults:
            self.state.forget()
            self._link = replace(self._link, faults=faults)
            self._change_link(message=self._message())

    def _on_damaged(self, now: float) -> None:
        self._count["damaged"] += 1
        self._damaged.append(now)
        is_torn = len(self._damaged) == TORN_LINES and now - self._damaged[0] <= NOTICE_TIME
        if is_torn and self.is_board:
            self._damaged.clear()
            programs = ", ".join(self._programs_with(self.port))
            where: dict[str, str | int] = {"port": self.port}
            shared = Message("link.shared", where | {"program": programs})
            self._show_notice(shared if programs else Message("link.torn", where), now)

    def _run_timers(self, now: float) -> None:
        lost = [text for text, at in self._faults.items() if now - at >= self._timing.fault]
        for text in lost:
            del self._faults[text]
        self._show_faults()
        if self._notice is not None and now >= self._notice_until:
            self._notice = None
            self._change_link(message=self._message())
        if self._asking_since is not None:
            self._ask_again(now)
        elif now - self._received_at >= self._timing.silent:
            self._fall_silent(Message("link.silent"), now)
        elif now - self._state_at >= self._timing.unreadable:
            self._fall_silent(Message("link.unreadable", {"port": self.port}), now)
        elif not self._faults and (seen := self.state.repeat(now)) is not None:
            self._events.append(seen)

    def _ask(self, now: float, delay: float = 0.0) -> None:
        self._asking_since, self._ask_at = now, now + delay
        self._ask_again(now)

    def _ask_again(self, now: float) -> None:
        assert self._asking_since is not None
        if now - self._asking_since >= self._timing.ask_for:
            self._give_up()
        elif now >= self._ask_at:
            self._ask_at, self._asked_at = now + self._timing.ask_every, now
            self._trace("out", ASK.decode().strip(), now)
            self._out += ASK

    def _give_up(self) -> None:
        """Give up a port without a board; report a foreign device only before a board was seen."""
        if self._was_ours or self.is_board:
            self._disconnect("silent", self._link.message or Message("link.silent"))
        elif not self._link.generation:
            self._disconnect("refused", Message("link.not_our_board", {"port": self.port}))
        self.over = True

    def _fall_silent(self, message: Message, now: float) -> None:
        """Show that nothing readable arrives, and ask again on the open port."""
        self._count["silences"] += 1
        self._restart()
        self._lose("silent", message)
        self._ask(now)

    def _disconnect(self, state: LinkState, message: Message) -> None:
        self.over, self._asking_since = True, None
        self._lose(state, message, port=self.port)

    def _lose(self, state: LinkState, message: Message | None, **fields: Any) -> None:
        self._notice = None
        self._change_link(state=state, message=message, faults=(), **fields)

    def _show_notice(self, message: Message, now: float) -> None:
        self._notice, self._notice_until = message, now + NOTICE_TIME
        if self._link.state == "up":
            self._change_link(message=self._message())

    def _message(self) -> Message | None:
        """Return the message of a board that is up: its fault, or the notice."""
        if self._link.faults:
            return Message("link.fault", {"fault": ", ".join(self._link.faults)})
        return self._notice

    def _change_link(self, **fields: Any) -> None:
        if (link := replace(self._link, **fields)) != self._link:
            self._link = link
            self._events.append(self.link)

    def _sent(self) -> bytes:
        out, self._out = bytes(self._out), bytearray()
        return out

    def _trace(self, way: str, text: str, now: float) -> None:
        self.traces.append(Trace(now, way, text))


def _version(text: str) -> tuple[int, ...]:
    """Return a version's numbers, so that "1.10" is newer than "1.9"."""
    return tuple(int(part) for part in text.split(".") if part.isdecimal())
