"""The messages of protocol 1: a payload and its value convert into each other."""

from typing import Any

import pytest
from companion.sensors.serial.frames import Frame
from companion.sensors.serial.messages import (
    FOLLOWED_LOOPS,
    LOOPS,
    PAWN_TAGS,
    REQUESTS,
    RESPONSES,
    UNFINISHED_LOOPS,
    BoardFault,
    Boot,
    Calibrate,
    CellEvent,
    Configure,
    Done,
    GetPresence,
    Heartbeat,
    Hello,
    HelloReply,
    MessageError,
    Nak,
    OtherProtocol,
    Ping,
    Pong,
    Presence,
    Reset,
    Scan,
    ScanEnd,
    TagEvent,
    TagPart,
    TagRecord,
    TagWriteAfi,
    Uid,
    UnknownType,
    Watch,
    WireMessage,
    message_name,
    parse_message,
    parse_uid,
    uid_name,
)  # fmt: skip
from companion.sensors.serial.poller import records_crc
from hypothesis import given
from hypothesis import strategies as st

from companion.core.grid import cell_name
from companion.sensors.presence import occupied_cells, presence_bits
from tests.sensors.serial.wire_vectors import NAMES, VECTORS

U8, U16, U32 = st.integers(0, 255), st.integers(0, 0xFFFF), st.integers(0, 0xFFFFFFFF)
UIDS = st.binary(min_size=8, max_size=8).map(uid_name)
RECORDS = st.builds(TagRecord, UIDS, st.tuples(*[st.integers(0, 8)] * LOOPS))
MESSAGES: st.SearchStrategy[WireMessage] = st.one_of(
    st.builds(Hello, U8),
    st.builds(Ping, st.binary(max_size=16)),
    st.just(GetPresence()),
    st.builds(Scan, U8, U8),
    st.builds(Watch, U16, U8, U8),
    st.builds(Calibrate, U8),
    st.builds(TagWriteAfi, UIDS, U8),
    st.builds(Configure, st.binary(min_size=8, max_size=8), U8),
    st.builds(Reset, U16),
    st.builds(Boot, U16, U8, U16),
    st.builds(
        HelloReply,
        U16,
        st.just(1),
        U8,
        U8,
        U8,
        U8,
        U16,
        st.binary(min_size=8, max_size=8),
        U16,
        U32,
    ),
    st.builds(Pong, st.binary(max_size=16)),
    st.builds(Presence, U16, st.binary(min_size=5, max_size=5)),
    st.builds(CellEvent, U16, U8, U8, U16),
    st.builds(TagEvent, U16, U8, RECORDS),
    st.just(Done()),
    st.builds(TagPart, U16, U16, U8, st.lists(RECORDS, max_size=9).map(tuple)),
    st.builds(ScanEnd, U16, U16, U8, U8, U8, U8, U16, U16, U16, U8, U32),
    st.builds(Heartbeat, U16, U32, U16, U32, U8, U8),
    st.builds(Nak, U8, U8),
    st.builds(BoardFault, U16, U8, U8),
)
VALUES: dict[str, WireMessage] = {
    "HELLO": Hello(1),
    "PING": Ping(b"\x00abc\x00"),
    "GET_PRESENCE": GetPresence(),
    "PRESENCE": Presence(7, bytes.fromhex("8421084210")),
    "BOOT": Boot(7, Boot.BROWN_OUT, 0x0102),
    "CELL_EVENT": CellEvent(7, 13, 1, 1234),
    "SCAN": Scan(PAWN_TAGS, FOLLOWED_LOOPS),
    "SCAN_END": ScanEnd(7, 3, 0, 0, PAWN_TAGS, UNFINISHED_LOOPS, 391, 21, 5, 0, records_crc(())),
    "CONFIGURE": Configure(b"TABLE-01", 1),
    "NAK": Nak(Nak.CRC, 0),
}


@pytest.mark.slow
@given(MESSAGES, U8)
def test_round_trip(message: WireMessage, seq: int) -> None:
    """A packed message is read as the same message, in at most 200 bytes."""
    frame = message.frame(seq)

    assert message == parse_message(frame)
    assert (seq, True) == (frame.seq, len(frame.payload) <= 200)


@pytest.mark.parametrize("vector", VECTORS, ids=NAMES)
def test_vectors(vector: dict[str, Any]) -> None:
    """Each vector of the protocol decodes to the message of its name."""
    frame = Frame(vector["type"], vector["seq"], bytes.fromhex(vector["payload"]))

    assert VALUES[vector["name"]] == parse_message(frame)


def test_presence_bits_of_the_vector() -> None:
    """Bit 7 of the first presence byte is A1, and cells follow row by row."""
    vector = next(vector for vector in VECTORS if vector["name"] == "PRESENCE")
    bits = bytes.fromhex(vector["payload"])[2:]
    cells = {cell_name(cell % 6, cell // 6) for cell in occupied_cells(bits)}

    assert set(vector["fields"]["occupied"]) == cells
    assert bits == presence_bits(occupied_cells(bits))


@given(U8, st.binary(max_size=200))
def test_any_payload(type_: int, payload: bytes) -> None:
    """Any payload of any type is a message or a `MessageError`, never another exception."""
    try:
        message = parse_message(Frame(type_, 0, payload))
    except MessageError:
        return
    assert isinstance(message, OtherProtocol) or payload == message.payload()


def test_every_type_has_one_meaning() -> None:
    """No two messages share a type; requests are below 0x80, messages of the board above."""
    types = [message.TYPE for message in REQUESTS + RESPONSES]

    assert len(types) == len(set(types))
    assert all(message.TYPE < 0x80 for message in REQUESTS) and all(
        message.TYPE >= 0x80 for message in RESPONSES
    )


def test_unknown_type() -> None:
    """An unknown type is another error than a damaged payload."""
    with pytest.raises(UnknownType):
        parse_message(Frame(0x7E, 1))

    assert ("7e", "Hello") == (message_name(0x7E), message_name(1))


def test_other_protocol() -> None:
    """A HELLO reply of another version is read up to its version, whatever follows."""
    assert OtherProtocol(2) == parse_message(Frame(HelloReply.TYPE, 1, bytes((7, 0, 2, 99))))


def test_uid_is_printed_backwards() -> None:
    """A tag's number is received least significant byte first and printed most significant
    first.
    """
    raw = bytes.fromhex("0807060504 0104E0".replace(" ", ""))

    assert "E004010405060708" == uid_name(raw)
    assert raw == parse_uid(Uid("E004010405060708"))


def test_too_strong() -> None:
    """A record with a strength above 8 is refused."""
    with pytest.raises(MessageError):
        TagRecord.unpack(bytes(8) + b"\x09" + bytes(12))
