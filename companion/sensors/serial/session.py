"""The host's side of protocol 1, without I/O: bytes and moments in; bytes to write, and news, out.

The rules it keeps are those of firmware/README.md, "What the host does". A port that is opened is
asked HELLO and nothing else until our board has answered.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import replace

from companion.core.game import Message
from companion.sensors.link import (
    ButtonEvent,
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
    Beep,
    BoardFault,
    Boot,
    Button,
    CellEvent,
    Heartbeat,
    Hello,
    HelloReply,
    Led,
    MessageError,
    Nak,
    OtherProtocol,
    TagWriteAfi,
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
"""How many seconds a passing notice (a restart, a dip of the supply) stays on the link."""
_CAUSES = {Boot.BROWN_OUT: "link.brown_out", Boot.WATCHDOG: "link.watchdog"}
_NEEDED: Mapping[type[WireMessage], str] = {Led: "led", TagWriteAfi: "uid"}
_FAULTS = {BoardFault.SUPPLY: "link.supply", BoardFault.TABLE_FULL: "link.table_full"}


SessionEvent = Observation | Link | ButtonEvent
BoardCommand = Led | Beep | TagWriteAfi
"""What the program may tell a board to do. Functions of the public view alone, after the commit."""


class Session:
    """What has been said on one wire, across openings and the board's restarts.

    `opened` when a port was opened, then `advance` with whatever was read (or nothing, every so
    often) until `over`, and `closed` when the port is. The first two return the bytes to write,
    `news` what there is to tell. `met` says whether our board has answered since the port was
    opened. `book` says which tag is which thing.
    """

    def __init__(self, source: str, book: TagRegistry, timing: Timing | None = None) -> None:
        self.over = True
        self.met = False
        self.port = ""
        self.sight: Poller | None = None
        self.traces: deque[Trace] = deque(maxlen=32)
        self.quarantine = FlickerFilter()
        self._book = book
        self._study: Procedure | None = None
        self._pictures = PollerDeps(source, book, self.quarantine)
        self._timing = timing or Timing()
        self._courier = RequestTracker(self._timing)
        self._decoder = FrameDecoder()
        self._orders: deque[BoardCommand] = deque(maxlen=16)
        self._news: list[SessionEvent] = []
        self._link = Link("searching", source=source)
        self._count: Counter[str] = Counter()
        self._rejected = 0
        self._boot: int | None = None
        self._known = False
        self._ordered = False
        self._asking_since: float | None = None
        self._hello_at = 0.0
        self._alive = 0.0
        self._last_seq: int | None = None
        self._notice_until: float | None = None
        self._beside = False
        self._restart = Message("link.reset")

    @property
    def link(self) -> Link:
        """The wire as it is now, with its counters."""
        counters = Counters(
            rejected=self._rejected + self._decoder.rejected,
            retries=self._courier.retries,
            unanswered=self._courier.unanswered,
            **self._count,
        )
        return replace(self._link, counters=counters)

    def news(self) -> list[SessionEvent]:
        """Return what happened since the last call, in order."""
        news, self._news = self._news, []
        return news

    def opened(self, port: str, now: float, beside: bool = False) -> bytes:
        """A port was opened, with other devices `beside` it that may be boards: ask who is
        there.
        """
        self._rejected += self._decoder.rejected
        self._decoder = FrameDecoder()
        self._known = self._known and port == self.port
        self.port, self._beside = port, beside
        self._boot, self.over, self.met = None, False, False
        return self._ask(now)

    def closed(self, said: Message | None) -> None:
        """The port was lost or could not be opened: nothing is heard until it is opened again."""
        self.over, self._asking_since = True, None
        self._courier.done()
        self._orders.clear()
        if self._link.state == "up" or said is not None:
            self._set_link(
                replace(self._link, state="silent" if self._link.life else "searching", said=said)
            )

    def order(self, order: BoardCommand) -> bool:
        """Queue something for the board to do; return False if it is not there or cannot do it."""
        needed = _NEEDED.get(type(order))
        if self._link.state != "up" or (needed is not None and needed not in self._link.caps):
            return False
        self._orders.append(order)
        return True

    @property
    def study(self) -> Procedure | None:
        """What the board is asked in place of what lies on it."""
        return self._study

    def begin_study(self, study: Procedure) -> bool:
        """Ask the board this, in place of another study; it outlives restarts.

        Return False if it knows no tags.
        """
        if not isinstance(self.sight, TagPoller) or self._link.state != "up":
            return False
        self._study = self.sight.study = study
        return True

    def open_book(self) -> None:
        """The book may say something else of tags and loops: look at the table with it."""
        if isinstance(self.sight, TagPoller) and self._link.board_id is not None:
            self.sight.understand(self._book, self._link.board_id)

    def advance(self, now: float, data: bytes = b"") -> bytes:
        """Take what was read; return what to write.

        Call it at least every few hundredths of a second.
        """
        self._decoder.receive(data)
        out = bytearray()
        while not self.over and (frame := self._decoder.next_frame()) is not None:
            out += self._hear(frame, now)
        if not self.over:
            out += self._tick(now)
        return bytes(out)

    def due(self) -> float:
        """Return the moment at which `advance` has something to ask though nothing is read."""
        if (
            self.sight is None
            or self._asking_since is not None
            or self._courier.request is not None
        ):
            return math.inf
        return self.sight.due()

    def _tick(self, now: float) -> bytes:
        if self._study is not None and self._study.over:
            self._end_study()
        if self._notice_until is not None and now >= self._notice_until:
            self._notice_until = None
            self._set_link(replace(self._link, said=None))
        if self._asking_since is not None:
            return self._keep_asking(now)
        if now - self._alive >= self._timing.silent or (
            self.sight is not None and self.sight.stale(now)
        ):
            return self._give_up("silent", Message("link.silent"))
        return self._keep_looking(now)

    def _ask(self, now: float) -> bytes:
        self._courier.done()
        self._asking_since = self._hello_at = now
        return self._keep_asking(now)

    def _keep_asking(self, now: float) -> bytes:
        assert self._asking_since is not None
        if now - self._asking_since >= self._timing.hello_for:
            return self._unanswered()
        if now < self._hello_at:
            return b""
        self._hello_at = now + self._timing.hello_every
        self._courier.done()
        return self._write(self._courier.send(Hello(), now), now)

    def _unanswered(self) -> bytes:
        """Nobody has said who he is.

        A stranger is worth a word only while our own board was never seen.
        """
        if self._known:
            return self._give_up("silent", Message("link.silent"))
        if not self._link.life:
            return self._give_up("refused", Message("link.not_our_board", {"port": self.port}))
        self.over = True
        return b""

    def _keep_looking(self, now: float) -> bytes:
        vain = self._courier.unanswered
        again = self._courier.again(now)
        if again is not None:
            return self._write(again, now)
        if self._courier.unanswered > vain and self.sight is not None:
            self.sight.refused()
        if self._courier.request is not None:
            return b""
        self._ordered = bool(self._orders)
        if self._orders:
            return self._write(self._courier.send(self._orders.popleft(), now), now)
        if self.sight is None:
            return self._ask(now) if now >= self._hello_at else b""
        wanted = self.sight.wanted(now)
        return b"" if wanted is None else self._write(self._courier.send(wanted, now), now)

    def _hear(self, frame: Frame, now: float) -> bytes:
        self._count["frames"] += 1
        self._trace("in", frame, now)
        try:
            message = parse_message(frame)
        except MessageError:
            self._count["unknown"] += 1
            return b""
        if isinstance(message, HelloReply | OtherProtocol):
            self._hear_hello(message, now)
            return b""
        if self._asking_since is not None:
            return b""
        if getattr(message, "boot", self._boot) != self._boot:
            return self._hear_restart(message, now)
        self._alive = now
        if isinstance(message, UNSOLICITED):
            return self._hear_unsolicited(message, frame.seq, now)
        self._hear_answer(message, frame, now)
        return b""

    def _hear_hello(self, reply: HelloReply | OtherProtocol, now: float) -> None:
        if self._asking_since is None:
            return
        if isinstance(reply, OtherProtocol):
            self._give_up(
                "refused",
                Message(
                    "link.other_protocol", {"ours": PROTOCOL_VERSION, "theirs": reply.protocol}
                ),
            )
        elif not is_supported(reply):
            self._give_up("refused", Message("link.other_geometry"))
        else:
            self._meet(reply, now)

    def _meet(self, reply: HelloReply, now: float) -> None:
        """Our board has answered: begin a new life, in which nothing is believed yet."""
        restarted = self._boot is not None and reply.boot != self._boot
        moved = self._link.board_id not in (None, reply.board_id.hex())
        self._boot, self._asking_since, self._last_seq = reply.boot, None, None
        self._alive, self._known, self.met = now, True, True
        self._courier.done()
        self.sight = make_poller(reply, self._pictures, self._timing, now)
        if isinstance(self.sight, TagPoller):
            self.sight.study = self._study
        self._hello_at = now + self._timing.blind_every
        said = Message("link.other_board") if moved else self._restart if restarted else None
        if said is None and self._beside:
            said = Message("link.several")
        if said is None and reply.firmware < FIRMWARE:
            said = Message(
                "link.older_firmware",
                {"theirs": firmware_name(reply.firmware), "ours": firmware_name(FIRMWARE)},
            )
        if self.sight is None:
            said = Message("link.reader_silent")
        self._notice_until = (
            now + NOTICE_TIME if said is not None and self.sight is not None else None
        )
        self._set_link(
            replace(
                self._link,
                state="silent" if self.sight is None else "up",
                firmware=firmware_name(reply.firmware),
                board_id=reply.board_id.hex(),
                caps=cap_names(reply.caps),
                cells=frozenset(cells_of(reply) or ()),
                port=self.port,
                life=self._link.life + (self.sight is not None),
                said=said,
                strangers={},
            )
        )

    def _hear_restart(self, message: WireMessage, now: float) -> bytes:
        """Another boot number: what came before is of another life. Ask anew who is there."""
        self._count["resets"] += 1
        code = (
            _CAUSES.get(message.cause, "link.reset") if isinstance(message, Boot) else "link.reset"
        )
        self._restart = Message(code)
        self._set_link(replace(self._link, said=self._restart))
        return self._ask(now)

    def _hear_unsolicited(self, message: WireMessage, seq: int, now: float) -> bytes:
        ahead = 1 if self._last_seq is None else (seq - self._last_seq) % 256
        if ahead == 0 or ahead >= 128:
            return b""  # the same frame twice, or one that was overtaken
        self._last_seq = seq
        if ahead > 1:
            self._count["gaps"] += 1
            self._hurry(now)
        match message:
            case CellEvent() if self.sight is not None:
                self.sight.hint(message, now)
            case Button():
                self._news.append(ButtonEvent(message.n, bool(message.down)))
            case Heartbeat():
                self._hear_heartbeat(message, now)
            case BoardFault():
                return self._hear_fault(message, now)
        return b""

    def _hear_heartbeat(self, heartbeat: Heartbeat, now: float) -> None:
        self._count["board_crc_errors"] = heartbeat.crc_errors
        self._count["board_overruns"] = heartbeat.overruns
        if self.sight is not None and self.sight.differs(heartbeat):
            self._hurry(now)

    def _hear_fault(self, fault: BoardFault, now: float) -> bytes:
        if fault.code == BoardFault.READER_SILENT:
            return self._ask(now)
        if (
            fault.code == BoardFault.LOOP_OPEN
            and isinstance(self.sight, TagPoller)
            and fault.detail < LOOPS
        ):
            self.sight.picture.broken_loops.add(fault.detail)
            self._set_link(
                replace(self._link, said=Message("link.loop_open", {"loop": fault.detail}))
            )
        elif fault.code in _FAULTS:
            self._notice_until = now + NOTICE_TIME
            self._set_link(replace(self._link, said=Message(_FAULTS[fault.code])))
        return b""

    def _hear_answer(self, message: WireMessage, frame: Frame, now: float) -> None:
        if isinstance(message, Nak):
            self._count["naks"] += 1
            if self._courier.expects(frame) or message.code == Nak.CRC:
                self._courier.refused(message, now)
                if self._courier.request is None and self.sight is not None and not self._ordered:
                    self.sight.refused()
            return
        if not self._courier.expects(frame):
            return
        if self.sight is None or self._ordered:
            self._courier.done()
            return
        progress, seen = self.sight.take(message, now)
        if progress == "done":
            self._courier.done()
        elif progress == "again":
            self._courier.again_now(now)
        if seen is not None:
            self._news.append(seen)
            self._tell_strangers()

    def _end_study(self) -> None:
        self._study = None
        if isinstance(self.sight, TagPoller):
            self.sight.study = None
            self.open_book()

    def _tell_strangers(self) -> None:
        if isinstance(self.sight, TagPoller):
            strangers = self.sight.picture.strangers()
            if strangers != self._link.strangers:
                self._set_link(replace(self._link, strangers=strangers))

    def _hurry(self, now: float) -> None:
        if self.sight is not None:
            self.sight.hurry(now)

    def _give_up(self, state: LinkState, said: Message) -> bytes:
        self.over, self._asking_since = True, None
        self._courier.done()
        self._count["silences"] += state == "silent"
        self._set_link(replace(self._link, state=state, port=self.port, said=said))
        return b""

    def _set_link(self, link: Link) -> None:
        if link != self._link:
            self._link = link
            self._news.append(self.link)

    def _write(self, frame: Frame, now: float) -> bytes:
        self._trace("out", frame, now)
        return to_wire(frame)

    def _trace(self, way: str, frame: Frame, now: float) -> None:
        self.traces.append(
            Trace(now, way, frame.seq, message_name(frame.type), frame.payload.hex())
        )
