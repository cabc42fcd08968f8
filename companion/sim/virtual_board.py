"""A simulated sensor board: bytes in, bytes out, time passed in; no I/O, no threads.

It implements the board's side of protocol 1 (firmware/README.md) for both kinds of board.
"""

from __future__ import annotations

from msgspec import Struct

from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.frames import Frame, FrameDecoder, encode_frame
from companion.sensors.serial.messages import (
    ALL_TAGS,
    MAX_RECORDS,
    PROTOCOL_VERSION,
    BoardFault,
    Boot,
    Calibrate,
    Caps,
    CellEvent,
    Configure,
    Done,
    GetPresence,
    Heartbeat,
    Hello,
    HelloReply,
    MessageError,
    Nak,
    Ping,
    Pong,
    Presence,
    Reset,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    TagWriteAfi,
    Watch,
    WireMessage,
    parse_message,
)
from companion.sensors.serial.poller import records_crc
from companion.sim.faults import Faults
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind, ScanRequest, SensorModel
from companion.sim.table_model import World

BOARD_ID = b"virtual\x01"
"""Number of a board with built-in tags."""
NEW_BOX_ID = b"virtual\x02"
"""Number of a board with new tags."""
POWER, EXTERNAL = 1, 2
_HEARTBEAT = 1.0


class ScanJob(Struct, frozen=True):
    """A scan under way: its frame's number, its request, and when it ends."""

    seq: int
    request: ScanRequest
    ends: float


class VirtualBoard:
    """One board. Call `step` with bytes or at `due`; it returns what it sends.

    `pace`: scan time, 1.0 as the emulated firmware measured it, 0.0 at once.
    """

    def __init__(
        self,
        kind: BoardKind,
        world: World,
        *,
        faults: Faults | None = None,
        field: RfModel | None = None,
        pace: float = 1.0,
        board_id: bytes | None = None,
        now: float = 0.0,
    ) -> None:
        self.kind: BoardKind = kind
        self.world = world
        self.faults = faults or Faults()
        self.boot = 0
        self._senses = SensorModel(
            kind, world, self.faults, field or RfModel(geometry=world.geometry), pace
        )
        self._board_id = board_id or (NEW_BOX_ID if world.box else BOARD_ID)
        self._out = bytearray()
        self._decoder = FrameDecoder()
        self._start(now, POWER)

    def __repr__(self) -> str:
        return f"VirtualBoard({self.kind!r}, boot={self.boot})"

    def due(self) -> float:
        """Return when `step` is needed without bytes."""
        jobs = [job.ends for job in (self._job, self._watch_job) if job is not None]
        return min([self._heartbeat_at, self.faults.due(), *jobs])

    def reset(self, now: float, cause: int = EXTERNAL) -> None:
        """Restart with the next boot number; unsent bytes are lost. `cause` as in `Boot`."""
        self._start(now, cause)

    def fail(self, code: int, detail: int = 0) -> None:
        """Report a fault (codes as in `BoardFault`)."""
        if code == BoardFault.LOOP_OPEN:
            self.faults.broken_loops.add(detail)
        if code == BoardFault.READER_SILENT:
            self.faults.reader_silent = True
        self._send_unsolicited(BoardFault(self.boot, code, detail))

    def step(self, now: float, data: bytes = b"") -> bytes:
        """Take bytes and the time; return the bytes to send."""
        if self.faults.mask:
            return self._masked(data)
        self._now = now
        self._decoder.receive(self.faults.noisy(data))
        self._send_naks()
        while (frame := self._decoder.next_frame()) is not None:
            self._handle_request(frame)
        self._send_input_events()
        self._finish_job()
        out, self._out = bytes(self._out), bytearray()
        return out

    def _start(self, now: float, cause: int) -> None:
        self.boot = self.boot % 0xFFFF + 1
        self._now = self._started = now
        self._out = bytearray(b"\x00")  # end the frame that the restart cut short
        self._decoder = FrameDecoder()
        self._reported_rejects = 0
        self._counter = 0
        self._last: tuple[Frame, list[Frame]] | None = None
        self._job: ScanJob | None = None
        self._watch_job: ScanJob | None = None
        self._scan = 0
        self._scan_records: tuple[TagRecord, ...] = ()
        self._bits = self._senses.contacts(self._now)
        self._heartbeat_at = now + _HEARTBEAT
        self._send_unsolicited(Boot(self.boot, cause, self._firmware))

    @property
    def _firmware(self) -> int:
        return FIRMWARE if self.faults.firmware is None else self.faults.firmware

    def _masked(self, data: bytes) -> bytes:
        match self.faults.mask:
            case "echo":
                return data
            case "modem":
                return b"\r\nERROR\r\n" if data else b""
        return b""

    def _send_naks(self) -> None:
        """Send one NAK for each batch of damaged frames."""
        if self._decoder.rejected > self._reported_rejects:
            self._reported_rejects = self._decoder.rejected
            self._send(Nak(Nak.CRC).frame(0))

    def _handle_request(self, frame: Frame) -> None:
        if self._last is not None and self._last[0] == frame and frame.type != Hello.TYPE:
            self._send_all(self._last[1])
            return
        try:
            request = parse_message(frame)
        except MessageError:
            self._send(Nak(Nak.UNKNOWN, frame.type).frame(frame.seq))
            return
        if isinstance(request, Scan | Calibrate):
            self._begin(frame, request)
            return
        replies = [reply.frame(frame.seq) for reply in self._reply(frame, request)]
        if replies:
            self._last = (frame, replies)
        self._send_all(replies)

    def _begin(self, frame: Frame, request: Scan | Calibrate) -> None:
        if Caps.UID not in self._senses.caps:
            self._send(Nak(Nak.UNKNOWN, frame.type).frame(frame.seq))
        elif self._job is None:
            self._job = ScanJob(frame.seq, request, self._now + self._senses.seconds(request))
        elif (self._job.seq, self._job.request) != (frame.seq, request):
            self._send(Nak(Nak.BUSY, frame.type).frame(frame.seq))

    def _reply(self, frame: Frame, request: WireMessage) -> list[WireMessage]:
        match request:
            case Hello():
                self._job = self._watch_job = None
                return [self._hello_reply()]
            case Ping():
                return [Pong(request.data)]
            case GetPresence() if Caps.PRESENCE in self._senses.caps:
                self._bits = self._senses.contacts(self._now)
                return [Presence(self.boot, self._bits)]
            case Watch() if Caps.UID in self._senses.caps:
                ends = self._now + max(self._senses.seconds(request), request.period_ms / 1000)
                self._watch_job = ScanJob(frame.seq, request, ends) if request.period_ms else None
                return [Done()]
            case TagWriteAfi() if Caps.UID in self._senses.caps:
                return [
                    Done()
                    if self.world.write_class(request.uid, request.afi)
                    else Nak(Nak.ARGUMENTS)
                ]
            case Configure() if request.geometry == self.world.geometry.code:
                self._board_id = request.board_id
                return [Done()]
            case Configure():
                return [Nak(Nak.ARGUMENTS, frame.type)]
            case Reset() if request == Reset(self.boot):
                self._start(self._now, EXTERNAL)
                return []
            case Reset():
                return [Nak(Nak.ARGUMENTS)]
        return [Nak(Nak.UNKNOWN, frame.type)]

    def _hello_reply(self) -> HelloReply:
        return HelloReply(
            boot=self.boot,
            protocol=PROTOCOL_VERSION if self.faults.protocol is None else self.faults.protocol,
            geometry=self.world.geometry.code,
            rows=self.world.geometry.rows,
            columns=self.world.geometry.columns,
            loops=self.world.geometry.loops if self.kind == "identity" else 0,
            caps=int(self._senses.caps),
            board_id=self._board_id,
            firmware=self._firmware,
            uptime_ms=self._uptime(),
        )

    def _send_input_events(self) -> None:
        if Caps.PRESENCE not in self._senses.caps:
            return
        before, self._bits = self._bits, self._senses.contacts(self._now)
        changed = int.from_bytes(before, "big") ^ int.from_bytes(self._bits, "big")
        for cell in range(len(self.world.geometry.cells)):
            mask = 1 << (39 - cell)
            if changed & mask:
                on = bool(int.from_bytes(self._bits, "big") & mask)
                self._send_unsolicited(CellEvent(self.boot, cell, int(on), self._uptime() & 0xFFFF))

    def _finish_job(self) -> None:
        if self._job is not None and self._now >= self._job.ends:
            job, self._job = self._job, None
            self._last = (job.request.frame(job.seq), self._answer_scan(job))
            self._send_all(self._last[1])
        if self._job is None and self._watch_job is not None and self._now >= self._watch_job.ends:
            self._start_watch(self._watch_job)
        if self._now >= self._heartbeat_at:
            self._heartbeat_at = self._now + _HEARTBEAT
            bits = self._bits if Caps.PRESENCE in self._senses.caps else b""
            crc = records_crc(self._scan_records, bits)
            self._send_unsolicited(
                Heartbeat(
                    self.boot, self._uptime(), self._scan, crc, self._decoder.rejected & 255, 0
                )
            )

    def _start_watch(self, job: ScanJob) -> None:
        assert isinstance(job.request, Watch)
        seconds = max(self._senses.seconds(job.request), job.request.period_ms / 1000)
        self._watch_job = ScanJob(job.seq, job.request, self._now + seconds)
        if self._senses.listen(job.request) != self._scan_records:
            self._send_all(self._answer_scan(job))

    def _answer_scan(self, job: ScanJob) -> list[Frame]:
        records = self._senses.listen(job.request)
        self._scan, self._scan_records = self._scan + 1 & 0xFFFF, records
        groups = [
            records[start : start + MAX_RECORDS] for start in range(0, len(records), MAX_RECORDS)
        ]
        parts = [
            TagPart(self.boot, self._scan, number, group) for number, group in enumerate(groups)
        ]
        afi, loops = (
            (ALL_TAGS, 0)
            if isinstance(job.request, Calibrate)
            else (job.request.afi, job.request.loops)
        )
        ms = round(1000 * self._senses.seconds(job.request))
        end = ScanEnd(
            self.boot,
            self._scan,
            len(parts),
            len(records),
            afi,
            loops,
            ms,
            len(records),
            0,
            0,
            records_crc(records),
        )
        return [message.frame(job.seq) for message in (*parts, end)]

    def _uptime(self) -> int:
        return round(1000 * (self._now - self._started)) & 0xFFFFFFFF

    def _send_unsolicited(self, message: WireMessage) -> None:
        """Send an unrequested message, under the board's own counter."""
        self._send(message.frame(self._counter))
        self._counter = (self._counter + 1) % 256

    def _send_all(self, frames: list[Frame]) -> None:
        boot = self.boot
        for frame in frames:
            if self.boot == boot:
                self._send(frame)

    def _send(self, frame: Frame) -> None:
        raw = encode_frame(frame)
        if self.faults.reset_after is not None:
            cut, self.faults.reset_after = raw[: self.faults.reset_after], None
            sent = bytes(self._out) + cut
            self._start(self._now, EXTERNAL)
            self._out[:0] = sent
            return
        self._out += self.faults.sent(raw)
