"""The virtual board keeps the board's side of the protocol."""

from __future__ import annotations

import zlib

from companion.sensors.serial.frames import FrameDecoder, encode_frame
from companion.sensors.serial.messages import (
    Boot,
    Calibrate,
    Configure,
    Done,
    GetPresence,
    Heartbeat,
    Hello,
    HelloReply,
    Nak,
    Ping,
    Pong,
    Presence,
    Reset,
    Scan,
    ScanEnd,
    TagPart,
    Watch,
    WireMessage,
    parse_message,
)
from companion.sensors.serial.poller import records_crc
from companion.sim.sensors import BoardKind

from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sim.table_model import World, default_pawns
from companion.sim.virtual_board import VirtualBoard


class Probe:
    """Sends a virtual board one request at a time."""

    def __init__(self, kind: BoardKind, pace: float = 0.0) -> None:
        self.world = World()
        for pawn, cell in default_pawns().items():
            self.world.put(pawn, cell)
        self.board = VirtualBoard(kind, self.world, pace=pace)
        self.now = 0.0
        self.receive()

    def receive(self, data: bytes = b"") -> list[tuple[int, WireMessage]]:
        """Step the board; return its messages with the numbers."""
        decoder, received = FrameDecoder(), []
        decoder.receive(self.board.step(self.now, data))
        while (frame := decoder.next_frame()) is not None:
            received.append((frame.seq, parse_message(frame)))
        return received

    def ask(self, request: WireMessage, seq: int = 1) -> list[WireMessage]:
        """Send a request and return the answers under the same number."""
        return [
            message
            for number, message in self.receive(encode_frame(request.frame(seq)))
            if number == seq
        ]


def test_boot_comes_first() -> None:
    """A board sends BOOT first, under number 0, with a boot number that rises at each start."""
    board = VirtualBoard("presence", World())
    decoder = FrameDecoder()
    decoder.receive(board.step(0.0))
    board.reset(1.0)
    decoder.receive(board.step(1.0))
    boots = [decoder.next_frame(), decoder.next_frame()]

    assert [(0, Boot(1, 1, FIRMWARE)), (0, Boot(2, 2, FIRMWARE))] == [
        (frame.seq, parse_message(frame)) for frame in boots if frame
    ]


def test_hello_and_ping() -> None:
    """HELLO is answered with the board's description, PING with its bytes."""
    probe = Probe("presence")
    (reply,) = probe.ask(Hello())

    assert isinstance(reply, HelloReply)
    assert (1, 0, 6, 6, 0) == (
        reply.protocol,
        reply.geometry,
        reply.rows,
        reply.columns,
        reply.loops,
    )
    assert [Pong(b"\x00a")] == probe.ask(Ping(b"\x00a"), 2)


def test_presence() -> None:
    """The four corners are the bits 0, 5, 30 and 35."""
    assert [Presence(1, bytes.fromhex("8400000210"))] == Probe("presence").ask(GetPresence())


def test_repeated_request_is_not_acted_upon_twice() -> None:
    """The same request under the same number gets the same answer, though the table has changed; a
    new one is fresh.
    """
    probe = Probe("presence")
    first = probe.ask(GetPresence(), 5)
    probe.world.lift(Pawn("H1a"))
    probe.world.lift(Pawn("H2d"))

    assert first == probe.ask(GetPresence(), 5)
    assert first != probe.ask(GetPresence(), 6)


def test_scan() -> None:
    """A scan is sent in parts of nine tags with a sum over all records; repeated, it is sent from
    the table.
    """
    probe = Probe("identity")
    for row in "123456":
        probe.world.put_token(Cell(f"B{row}"), "bullet")
    *parts, end = probe.ask(Scan(), 9)
    records = tuple(
        record for part in parts if isinstance(part, TagPart) for record in part.records
    )

    assert isinstance(end, ScanEnd)
    assert (2, 14, records_crc(records)) == (end.parts, end.count, end.scan_crc)
    assert [*parts, end] == probe.ask(Scan(), 9)


def test_scan_by_class_and_loops() -> None:
    """A scan for pawns by 12 loops finds pawns alone and reads nothing on the border loops."""
    probe = Probe("identity")
    probe.world.put_token(Cell("B2"), "bat")
    part, _ = probe.ask(Scan(0x72, 1))

    assert isinstance(part, TagPart)
    assert 8 == len(part.records)
    assert not any(
        record.strengths[loop]
        for record in part.records
        for loop in (*range(6, 13), *range(19, 26))
    )


def test_scan_takes_its_time() -> None:
    """A scan is answered when it is finished; until then another scan is refused as busy."""
    probe = Probe("identity", pace=1.0)

    assert [] == probe.ask(Scan(0x72, 1), 3)
    assert [Nak(Nak.BUSY, 0x10)] == probe.ask(Scan(), 4)
    probe.now = probe.board.due()

    assert [TagPart, ScanEnd] == [
        type(message) for number, message in probe.receive() if number == 3
    ]


def test_what_the_board_has_not() -> None:
    """A board answers NAK to requests that it has no sensors for."""
    assert [Nak(Nak.UNKNOWN, 0x03)] == Probe("identity").ask(GetPresence(), 5)
    assert [Nak(Nak.UNKNOWN, 0x10)] == Probe("presence").ask(Scan(), 5)


def test_watch_sends_changes_only() -> None:
    """WATCH sends a scan under its number when the table has changed, and not otherwise."""
    probe = Probe("identity")

    assert [Done()] == probe.ask(Watch(100, 0x72, 1), 7)
    counts = []
    for second in (1.0, 2.0, 3.0, 4.0):
        probe.now = second
        if second == 3.0:
            probe.world.lift(Pawn("H1a"))
        counts.append(
            sum(number == 7 and isinstance(message, ScanEnd) for number, message in probe.receive())
        )

    assert [1, 0, 1, 0] == counts


def test_calibrate() -> None:
    """CAL scans one loop alone."""
    part, _ = Probe("identity").ask(Calibrate(0))

    assert isinstance(part, TagPart)
    assert {0} == {loop for record in part.records for loop, s in enumerate(record.strengths) if s}


def test_reset_of_this_life_only() -> None:
    """RESET with an earlier start count is refused; with the current one the board restarts."""
    probe = Probe("presence")

    assert [Nak(Nak.ARGUMENTS)] == probe.ask(Reset(99), 2)
    assert [Boot(2, 2, FIRMWARE)] == [
        message for _, message in probe.receive(encode_frame(Reset(1).frame(3)))
    ]


def test_damaged_frame() -> None:
    """A damaged frame gets one NAK under number 0 and is not executed."""
    probe = Probe("presence")
    wire = bytearray(encode_frame(Configure(b"TABLE-09", 0).frame(4)))
    wire[4] ^= 0x10

    assert [(0, Nak(Nak.CRC))] == probe.receive(bytes(wire))
    (reply,) = probe.ask(Hello())
    assert isinstance(reply, HelloReply) and b"TABLE-09" != reply.board_id


def test_heartbeat() -> None:
    """A heartbeat every second has the checksum of the board's readings."""
    probe = Probe("presence")
    probe.now = 1.0
    ((number, beat),) = probe.receive()

    assert Heartbeat(1, 1000, 0, zlib.crc32(bytes.fromhex("8400000210")), 0, 0) == beat
    assert 1 == number


def test_laid_as_a_game_expects() -> None:
    """A table can be laid from a game's placement."""
    placement = Placement({Cell("A1"): frozenset({Pawn("H1a")})}, {Cell("D3"): "bat"})
    world = World.from_placement(placement)

    assert ("A1", "bat") == (world.pawns[Pawn("H1a")], world.token_kind(Cell("D3")))
