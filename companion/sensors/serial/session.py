"""Protocol 1 on the host's side, without I/O: bytes in; bytes and events out.

It implements firmware/README.md, "What the host does". An opened port receives only HELLO until a
board of ours has answered.
"""

from __future__ import annotations

import math
from collections import Counter, deque

from msgspec.structs import replace

from companion.core.game import Message
from companion.sensors.link import (
    Counters,
    Link,
    LinkState,
    Timing,
    Trace,
    cap_names,
    firmware_name,
)
from companion.sensors.observation import Observation
from companion.sensors.presence import FlickerFilter
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.frames import Frame, FrameDecoder
from companion.sensors.serial.messages import (
    LOOPS,
    PROTOCOL_VERSION,
    UNSOLICITED,
    BoardFault,
    Boot,
    CellEvent,
    Heartbeat,
    Hello,
    HelloReply,
    MessageError,
    Nak,
    OtherProtocol,
    WireMessage,
    message_name,
    parse_message,
)
from companion.sensors.serial.poller import (
    Poller,
    PollerDeps,
    TagPoller,
    cells_of,
    is_supported,
    make_poller,
)
from companion.sensors.serial.procedure import Procedure
from companion.sensors.serial.transaction import RequestTracker, to_wire

NOTICE_TIME = 10.0
"""Seconds that a passing notice (a restart, a supply dip) stays on the link."""
_CAUSES = {Boot.BROWN_OUT: "link.brown_out", Boot.WATCHDOG: "link.watchdog"}
_FAULTS = {BoardFault.SUPPLY: "link.supply", BoardFault.TABLE_FULL: "link.table_full"}


SessionEvent = Observation | Link


class Session:
    """The protocol's state on one wire, across reopened ports and board restarts.

    Call `opened`, then `advance` with each read until `over`, then `closed`. The first two return
    bytes to write; `events` returns what happened. `handshake_done`: a board has answered since the
    port was opened.
    """

    def __init__(self, source: str, registry: TagRegistry, timing: Timing | None = None) -> None:
        self.over = True
        self.handshake_done = False
        self.port = ""
        self.poller: Poller | None = None
        self.traces: deque[Trace] = deque(maxlen=32)
        self.flicker_filter = FlickerFilter()
        self._registry = registry
        self._procedure: Procedure | None = None
        self._deps = PollerDeps(source, registry, self.flicker_filter)
        self._timing = timing or Timing()
        self._tracker = RequestTracker(self._timing)
        self._decoder = FrameDecoder()
        self._events: list[SessionEvent] = []
        self._link = Link("searching", source=source)
        self._count: Counter[str] = Counter()
        self._rejected = 0
        self._boot: int | None = None
        self._was_ours = False
        self._ordered = False
        self._asking_since: float | None = None
        self._hello_at = 0.0
        self._received_at = 0.0
        self._last_seq: int | None = None
        self._notice_until: float | None = None
        self._has_others = False
        self._restart = Message("link.reset")

    @property
    def link(self) -> Link:
        """The connection now, with its counters."""
        counters = Counters(
            rejected=self._rejected + self._decoder.rejected,
            retries=self._tracker.retries,
            unanswered=self._tracker.unanswered,
            **self._count,
        )
        return replace(self._link, counters=counters)

    def events(self) -> list[SessionEvent]:
        """Return the events since the last call, in order."""
        events, self._events = self._events, []
        return events

    def port_opened(self, port: str, now: float, beside: bool = False) -> bytes:
        """Start on an opened port; `beside`: other possible boards are plugged in."""
        self._rejected += self._decoder.rejected
        self._decoder = FrameDecoder()
        self._was_ours = self._was_ours and port == self.port
        self.port, self._has_others = port, beside
        self._boot, self.over, self.handshake_done = None, False, False
        return self._start_handshake(now)

    def port_closed(self, message: Message | None) -> None:
        """End: the port was lost or could not be opened."""
        self.over, self._asking_since = True, None
        self._tracker.complete()
        if self._link.state == "up" or message is not None:
            self._set_link(
                replace(
                    self._link,
                    state="silent" if self._link.generation else "searching",
                    message=message,
                )
            )

    @property
    def procedure(self) -> Procedure | None:
        """The current procedure."""
        return self._procedure

    def start_procedure(self, procedure: Procedure) -> bool:
        """Replace the current procedure; it survives restarts.

        Return False if no identity board is connected.
        """
        if not isinstance(self.poller, TagPoller) or self._link.state != "up":
            return False
        self._procedure = self.poller.procedure = procedure
        return True

    def reload_registry(self) -> None:
        """Use the registry's current items and gains."""
        if isinstance(self.poller, TagPoller) and self._link.board_id is not None:
            self.poller.reload_registry(self._registry, self._link.board_id)

    def advance(self, now: float, data: bytes = b"") -> bytes:
        """Take bytes read; return bytes to write. Call every few hundredths of a second."""
        self._decoder.receive(data)
        out = bytearray()
        while not self.over and (frame := self._decoder.next_frame()) is not None:
            out += self._on_frame(frame, now)
        if not self.over:
            out += self._run_timers(now)
        return bytes(out)

    def due(self) -> float:
        """Return when `advance` has something to send without input."""
        if (
            self.poller is None
            or self._asking_since is not None
            or self._tracker.request is not None
        ):
            return math.inf
        return self.poller.due()

    def _run_timers(self, now: float) -> bytes:
        if self._procedure is not None and self._procedure.over:
            self._end_procedure()
        if self._notice_until is not None and now >= self._notice_until:
            self._notice_until = None
            self._set_link(replace(self._link, message=self._lasting_message()))
        if self._asking_since is not None:
            return self._retry_hello(now)
        if now - self._received_at >= self._timing.silent or (
            self.poller is not None and self.poller.stale(now)
        ):
            return self._disconnect("silent", Message("link.silent"))
        return self._send_next(now)

    def _start_handshake(self, now: float) -> bytes:
        self._tracker.complete()
        self._asking_since = self._hello_at = now
        return self._retry_hello(now)

    def _retry_hello(self, now: float) -> bytes:
        assert self._asking_since is not None
        if now - self._asking_since >= self._timing.hello_for:
            return self._on_no_hello()
        if now < self._hello_at:
            return b""
        self._hello_at = now + self._timing.hello_every
        self._tracker.complete()
        return self._write(self._tracker.send(Hello(), now), now)

    def _on_no_hello(self) -> bytes:
        """Give up a port without a board.

        A foreign device is reported only while our own board was never seen.
        """
        if self._was_ours:
            return self._disconnect("silent", Message("link.silent"))
        if not self._link.generation:
            return self._disconnect("refused", Message("link.not_our_board", {"port": self.port}))
        self.over = True
        return b""

    def _send_next(self, now: float) -> bytes:
        vain = self._tracker.unanswered
        retry = self._tracker.retry(now)
        if retry is not None:
            return self._write(retry, now)
        if self._tracker.unanswered > vain and self.poller is not None:
            self.poller.request_refused()
        if self._tracker.request is not None:
            return b""
        if self.poller is None:
            return self._start_handshake(now) if now >= self._hello_at else b""
        wanted = self.poller.next_request(now)
        return b"" if wanted is None else self._write(self._tracker.send(wanted, now), now)

    def _on_frame(self, frame: Frame, now: float) -> bytes:
        self._count["frames"] += 1
        self._trace("in", frame, now)
        try:
            message = parse_message(frame)
        except MessageError:
            self._count["unknown"] += 1
            return b""
        if isinstance(message, HelloReply | OtherProtocol):
            self._on_hello(message, now)
            return b""
        if self._asking_since is not None:
            return b""
        if getattr(message, "boot", self._boot) != self._boot:
            return self._on_restart(message, now)
        self._received_at = now
        if isinstance(message, UNSOLICITED):
            return self._on_unsolicited(message, frame.seq, now)
        self._on_response(message, frame, now)
        return b""

    def _on_hello(self, reply: HelloReply | OtherProtocol, now: float) -> None:
        if self._asking_since is None:
            return
        if isinstance(reply, OtherProtocol):
            self._disconnect(
                "refused",
                Message(
                    "link.other_protocol", {"ours": PROTOCOL_VERSION, "theirs": reply.protocol}
                ),
            )
        elif not is_supported(reply):
            self._disconnect("refused", Message("link.other_geometry"))
        else:
            self._on_handshake(reply, now)

    def _on_handshake(self, reply: HelloReply, now: float) -> None:
        """Start a new generation: nothing earlier counts."""
        restarted = self._boot is not None and reply.boot != self._boot
        moved = self._link.board_id not in (None, reply.board_id.hex())
        self._boot, self._asking_since, self._last_seq = reply.boot, None, None
        self._received_at, self._was_ours, self.handshake_done = now, True, True
        self._tracker.complete()
        self.poller = make_poller(reply, self._deps, self._timing, now)
        if moved:
            # It would store one board's loops or tags as another one's.
            self._procedure = None
        if isinstance(self.poller, TagPoller):
            self.poller.procedure = self._procedure
        self._hello_at = now + self._timing.blind_every
        message = Message("link.other_board") if moved else self._restart if restarted else None
        if message is None and self._has_others:
            message = Message("link.several")
        if message is None and reply.firmware < FIRMWARE:
            message = Message(
                "link.older_firmware",
                {"theirs": firmware_name(reply.firmware), "ours": firmware_name(FIRMWARE)},
            )
        if self.poller is None:
            message = Message("link.reader_silent")
        self._notice_until = (
            now + NOTICE_TIME if message is not None and self.poller is not None else None
        )
        self._set_link(
            replace(
                self._link,
                state="silent" if self.poller is None else "up",
                firmware=firmware_name(reply.firmware),
                board_id=reply.board_id.hex(),
                caps=cap_names(reply.caps),
                cells=frozenset(cells_of(reply) or ()),
                port=self.port,
                generation=self._link.generation + (self.poller is not None),
                message=message,
                unknown_tags={},
            )
        )

    def _on_restart(self, message: WireMessage, now: float) -> bytes:
        """Shake hands again after a restart."""
        self._count["resets"] += 1
        code = (
            _CAUSES.get(message.cause, "link.reset") if isinstance(message, Boot) else "link.reset"
        )
        self._restart = Message(code)
        self._set_link(replace(self._link, message=self._restart))
        return self._start_handshake(now)

    def _on_unsolicited(self, message: WireMessage, seq: int, now: float) -> bytes:
        ahead = 1 if self._last_seq is None else (seq - self._last_seq) % 256
        if ahead == 0 or ahead >= 128:
            return b""  # a repeated frame, or one that arrived late
        self._last_seq = seq
        if ahead > 1:
            self._count["gaps"] += 1
            self._poll_now(now)
        match message:
            case CellEvent() if self.poller is not None:
                self.poller.take_cell_event(message, now)
            case Heartbeat():
                self._on_heartbeat(message, now)
            case BoardFault():
                return self._on_fault(message, now)
        return b""

    def _on_heartbeat(self, heartbeat: Heartbeat, now: float) -> None:
        self._count["board_crc_errors"] = heartbeat.crc_errors
        self._count["board_overruns"] = heartbeat.overruns
        if self.poller is not None and self.poller.differs(heartbeat):
            self._poll_now(now)

    def _on_fault(self, fault: BoardFault, now: float) -> bytes:
        if fault.code == BoardFault.READER_SILENT:
            return self._start_handshake(now)
        if (
            fault.code == BoardFault.LOOP_OPEN
            and isinstance(self.poller, TagPoller)
            and fault.detail < LOOPS
        ):
            self.poller.decoder.broken_loops.add(fault.detail)
            self._notice_until = None
            self._set_link(replace(self._link, message=self._lasting_message()))
        elif fault.code in _FAULTS:
            self._notice_until = now + NOTICE_TIME
            self._set_link(replace(self._link, message=Message(_FAULTS[fault.code])))
        return b""

    def _lasting_message(self) -> Message | None:
        """Return the message that stays after a notice: a loop that is broken."""
        broken = self.poller.decoder.broken_loops if isinstance(self.poller, TagPoller) else ()
        return Message("link.loop_open", {"loop": max(broken)}) if broken else None

    def _on_response(self, message: WireMessage, frame: Frame, now: float) -> None:
        if isinstance(message, Nak):
            self._count["naks"] += 1
            if self._tracker.request is None:
                return
            if self._tracker.expects(frame) or message.code == Nak.CRC:
                self._tracker.handle_nak(message, now)
                if self._tracker.request is None and self.poller is not None:
                    self.poller.request_refused()
            return
        if not self._tracker.expects(frame):
            return
        if self.poller is None:
            self._tracker.complete()
            return
        progress, seen = self.poller.take(message, now)
        if progress == "done":
            self._tracker.complete()
        elif progress == "again":
            self._tracker.retry_now(now)
        if seen is not None:
            self._events.append(seen)
            self._update_unknown_tags()

    def _end_procedure(self) -> None:
        self._procedure = None
        if isinstance(self.poller, TagPoller):
            self.poller.procedure = None
            self.reload_registry()

    def _update_unknown_tags(self) -> None:
        if isinstance(self.poller, TagPoller):
            unknown_tags = self.poller.decoder.unknown_tags()
            if unknown_tags != self._link.unknown_tags:
                self._set_link(replace(self._link, unknown_tags=unknown_tags))

    def _poll_now(self, now: float) -> None:
        if self.poller is not None:
            self.poller.poll_now(now)

    def _disconnect(self, state: LinkState, message: Message) -> bytes:
        self.over, self._asking_since = True, None
        self._tracker.complete()
        self._count["silences"] += state == "silent"
        self._set_link(replace(self._link, state=state, port=self.port, message=message))
        return b""

    def _set_link(self, link: Link) -> None:
        if link != self._link:
            self._link = link
            self._events.append(self.link)

    def _write(self, frame: Frame, now: float) -> bytes:
        self._trace("out", frame, now)
        return to_wire(frame)

    def _trace(self, way: str, frame: Frame, now: float) -> None:
        self.traces.append(
            Trace(now, way, frame.seq, message_name(frame.type), frame.payload.hex())
        )
