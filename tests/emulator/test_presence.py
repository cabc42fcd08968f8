"""The presence board's real firmware in its emulator, frame by frame and through the host's
session.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from itertools import pairwise

import pytest
from companion.sensors.rfid.geometries import SQUARE
from companion.sensors.serial.frames import Frame, encode_frame
from companion.sensors.serial.messages import (
    BoardFault,
    Boot,
    Caps,
    CellEvent,
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
)

from companion.core.placement import Cell
from companion.sensors.presence import occupied_cells
from companion.sensors.serial.firmware_version import FIRMWARE
from tests.emulator.firmware_wire import FirmwareWire

WireFactory = Callable[..., FirmwareWire]
CAPS = Caps.PRESENCE


def test_hello_names_the_board(make_board: WireFactory) -> None:
    """After power-on it sends BOOT once, and answers HELLO by its EEPROM and pins.toml."""
    board = make_board(eeprom={0: b"TABLE-01"})

    assert [Boot(1, 1, FIRMWARE)] == board.received()
    (reply,) = board.ask(Hello())
    assert isinstance(reply, HelloReply)
    assert (1, 1, 0, 6, 6, 0, CAPS, b"TABLE-01", FIRMWARE) == (
        reply.boot, reply.protocol, reply.geometry, reply.rows, reply.columns, reply.loops,
        reply.caps, reply.board_id, reply.firmware,
    )  # fmt: skip


def test_a_byte_makes_it_hexagonal(make_board: WireFactory) -> None:
    """The same firmware has 37 cells by its EEPROM; the last one is seen, and no input behind
    it.
    """
    board = make_board(eeprom={8: b"\x01"})
    board.received()

    (reply,) = board.ask(Hello())
    assert isinstance(reply, HelloReply)
    assert (1, 7, 7) == (reply.geometry, reply.rows, reply.columns)
    board.emulator.ask(f"cells {(1 << 40) - 1}")
    board.received()
    (presence,) = board.ask(GetPresence())
    assert isinstance(presence, Presence)
    assert frozenset(range(37)) == occupied_cells(presence.bits)


def test_every_cell_is_seen_as_itself(make_board: WireFactory) -> None:
    """A pawn moved over all 36 cells sends two events at each step, and snapshots name its cell."""
    board = make_board(pawns={"H1a": "F6"})
    board.received()
    last = 35
    for i, cell in enumerate(SQUARE.cells):
        board.put("H1a", cell)
        changes = {
            (event.cell, event.on) for event in board.received(30) if isinstance(event, CellEvent)
        }
        assert {(last, 0), (i, 1)} == changes
        (presence,) = board.ask(GetPresence())
        assert isinstance(presence, Presence)
        assert {i} == occupied_cells(presence.bits)
        last = i


def test_contacts_are_debounced(make_board: WireFactory) -> None:
    """A contact closed for less than four samples of 5 ms is ignored; a lasting one is sent
    once.
    """
    board = make_board(pawns={"H1a": "A1"})
    board.received()

    for _ in range(5):
        board.put("H1a", "B2")
        bounced = board.received(8)
        board.put("H1a", "A1")
        bounced += board.received(12)
        assert [] == [event for event in bounced if isinstance(event, CellEvent)]
    board.put("H1a", "B2")
    events = [event for event in board.received(60) if isinstance(event, CellEvent)]
    assert [(0, 0), (7, 1)] == [(event.cell, event.on) for event in events]


def test_heartbeat_has_the_state(make_board: WireFactory) -> None:
    """A heartbeat comes once a second, with the hash of the present contacts and the count of
    damaged frames.
    """
    board = make_board(pawns={"H1a": "C3"})
    board.received(900)
    board.emulator.send(b"\x05rubbish\x00")

    beats = [message for message in board.received(3000) if isinstance(message, Heartbeat)]

    (presence,) = board.ask(GetPresence())
    assert isinstance(presence, Presence)
    assert [zlib.crc32(presence.bits)] * 3 == [beat.state_crc for beat in beats]
    assert [1, 1, 1] == [beat.crc_errors for beat in beats]
    assert [1000, 1000] == [b.uptime_ms - a.uptime_ms for a, b in pairwise(beats)]


def test_a_repeated_request_is_answered_and_not_obeyed_twice(make_board: WireFactory) -> None:
    """Under the same seq the last answer comes again: an old snapshot.

    Another seq is new.
    """
    board = make_board(pawns={"H1a": "A1"})
    board.received()
    first = board.ask(GetPresence(), seq=7)
    board.put("H1a", "B1")
    board.received(60)

    assert first == board.ask(GetPresence(), seq=7)
    assert first != board.ask(GetPresence(), seq=8)


@pytest.mark.parametrize(
    ("request_", "refusal"),
    [
        (Scan(), Nak.UNKNOWN),
        (Frame(0x7E, 0), Nak.UNKNOWN),
        (Frame(Hello.TYPE, 0), Nak.ARGUMENTS),
        (Frame(Ping.TYPE, 0, bytes(17)), Nak.ARGUMENTS),
        (Frame(GetPresence.TYPE, 0, b"\1"), Nak.ARGUMENTS),
        (Configure(b"TABLE-02", 2), Nak.ARGUMENTS),
        (Frame(Configure.TYPE, 0, bytes(8)), Nak.ARGUMENTS),
        (Reset(2), Nak.ARGUMENTS),
        (Reset(1, b"root"), Nak.ARGUMENTS),
    ],
)
def test_what_cannot_be_done_is_refused(
    make_board: WireFactory, request_: Frame, refusal: int
) -> None:
    """An unknown type, a wrong length or a value out of range is answered by a NAK that names the
    type.
    """
    board = make_board()
    board.received()
    frame = request_ if isinstance(request_, Frame) else request_.frame(5)

    assert [Nak(refusal, frame.type)] == board.ask(Frame(frame.type, 5, frame.payload), seq=5)
    assert [Pong(b"still here")] == board.ask(Ping(b"still here"))


def test_damage_is_refused_once(make_board: WireFactory) -> None:
    """A damaged frame gets one NAK under seq 0, silence is kept to emptiness, and the next frame is
    understood.
    """
    board = make_board()
    board.received()

    board.emulator.send(b"\0\0\0\0")
    assert [] == board.listen(20)
    board.emulator.send(b"\x03\x02\x02\x04broken\x00")
    assert [(0, Nak(Nak.CRC))] == board.listen(20)
    ping = bytearray(encode_frame(Ping(b"whole").frame(7)))
    ping[4] ^= 1
    board.emulator.send(bytes(ping))
    assert [(0, Nak(Nak.CRC))] == board.listen(20)
    board.emulator.send(bytes(range(1, 256)) * 3 + b"\0")
    assert [(0, Nak(Nak.CRC))] == board.listen(60)
    assert [Pong()] == board.ask(Ping())


def test_a_board_keeps_the_name_that_it_is_given(make_board: WireFactory) -> None:
    """CONFIGURE writes name and geometry to the EEPROM; the geometry counts from the next start."""
    board = make_board()
    board.received()

    assert [Done()] == board.ask(Configure(b"TABLE-02", 1))
    (reply,) = board.ask(Hello())
    assert isinstance(reply, HelloReply)
    assert (b"TABLE-02", 0) == (reply.board_id, reply.geometry)
    board.give(Reset(1), 9)
    board.received(200)
    (reply,) = board.ask(Hello())
    assert isinstance(reply, HelloReply)
    assert (b"TABLE-02", 1, 2) == (reply.board_id, reply.geometry, reply.boot)


def test_reset_is_confirmed_by_boot(make_board: WireFactory) -> None:
    """A RESET for the present start count restarts the board once, and counts as no fault; repeated
    it is refused.
    """
    board = make_board()
    board.received()

    board.give(Reset(1), 9)
    assert [Boot(2, 2, FIRMWARE)] == board.received(200)
    assert [Nak(Nak.ARGUMENTS, Reset.TYPE)] == board.ask(Reset(1), seq=9)


@pytest.mark.parametrize("cause", [1, 2, 4, 8, 0])
def test_the_cause_of_a_start_is_reported(make_board: WireFactory, cause: int) -> None:
    """Power, the reset pin, a brown-out, the watchdog or a bootloader that hid it: each is reported
    as in the controller's flags.
    """
    board = make_board()
    board.received()

    board.board.reset(0, cause)

    assert [Boot(2, cause, FIRMWARE)] == board.received()


def test_the_watchdog_bites_a_hung_program(make_board: WireFactory) -> None:
    """A program that hangs is restarted within nine seconds and reports the cause."""
    board = make_board()
    board.received()
    board.emulator.ask("hang")

    assert [] == board.received(7000)
    assert [Boot(2, Boot.WATCHDOG, FIRMWARE)] == board.received(2000)[:1]


def test_no_two_lives_have_one_number(make_board: WireFactory) -> None:
    """However early a start is cut short, the next start has another number than the one before."""
    board = make_board()
    boots = [boot.boot for boot in board.received() if isinstance(boot, Boot)]
    for tenths in range(0, 400, 7):
        board.board.reset(0, 4)
        board.received(tenths / 10)
    for _ in range(3):
        board.board.reset(0, 2)
        boots += [boot.boot for boot in board.received() if isinstance(boot, Boot)]

    assert len(set(boots)) == len(boots) == 4
    assert sorted(boots) == boots


@pytest.mark.parametrize(
    ("slots", "boot"), [((65535, None), 1), ((65535, 1), 2), ((None, 300), 301), ((41, 40), 42)]
)
def test_the_count_survives_a_torn_slot(
    make_board: WireFactory, slots: tuple[int | None, int | None], boot: int
) -> None:
    """The newer of two whole slots counts, over the end of 16 bits too; a torn one counts as
    empty.
    """
    eeprom = {16 + 8 * i: slot_bytes(count) for i, count in enumerate(slots)}

    assert [Boot(boot, 1, FIRMWARE)] == make_board(eeprom=eeprom).received()


def test_the_count_is_written_in_turn(make_board: WireFactory) -> None:
    """Each start writes the other slot, so a power failure during the write loses nothing."""
    board = make_board()
    board.received()
    for boot in (2, 3, 4):
        board.board.reset(0, 1)
        board.received()
        slots = {board.emulator.ask(f"read-eeprom {address} 3") for address in (16, 24)}
        assert {slot_bytes(boot).hex(), slot_bytes(boot - 1).hex()} == slots


def slot_bytes(count: int | None) -> bytes:
    """Return a slot of the EEPROM with this count, or one that was torn while it was written."""
    if count is None:
        return b"\x34\x12\x00"
    low, high = count.to_bytes(2, "little")
    return bytes((low, high, low ^ high ^ 0x5A))


def test_a_dip_of_the_supply_is_reported_once(make_board: WireFactory) -> None:
    """A supply that sags by a tenth is FAULT 3, once; when it has recovered it may be reported
    again.
    """
    board = make_board()
    board.received(1500)

    board.emulator.ask("supply 4500")
    faults = [message for message in board.received(3000) if isinstance(message, BoardFault)]
    assert [(BoardFault.SUPPLY, 10)] == [(fault.code, fault.detail) for fault in faults]
    board.emulator.ask("supply 5000")
    board.received(1500)
    board.emulator.ask("supply 4500")
    assert 1 == sum(isinstance(message, BoardFault) for message in board.received(3000))


# --- Through the host's conversation
# ---------------------------------------------------------------------------------


def test_the_host_sees_what_stands(make_board: WireFactory) -> None:
    """HELLO, two snapshots, an event, a settled change: the host sees the table as it is."""
    board = make_board(pawns={"H1a": "A1", "H1b": "F6"})
    board.converse(1.5)
    assert ("up", "1.3") == (board.links[-1].state, board.links[-1].firmware)
    assert frozenset({"A1", "F6"}) == board.observations[-1].occupied

    board.put("H1a", "C4")
    board.converse(1.5)

    assert frozenset({"C4", "F6"}) == board.observations[-1].occupied
    assert 0 == board.host.link.counters.unanswered + board.host.link.counters.rejected


def test_a_brown_out_is_shown_and_nothing_accepted_before_two_snapshots(
    make_board: WireFactory,
) -> None:
    """After a supply dip the board restarts: the host names it and waits for two snapshots."""
    board = make_board()
    board.converse(1.5)
    generation = board.host.link.generation

    board.board.reset(0, Boot.BROWN_OUT)
    board.converse(1.5)

    assert "link.brown_out" in board.codes
    assert ("up", generation + 1) == (board.host.link.state, board.host.link.generation)
    assert frozenset({"A1", "F1"}) == board.observations[-1].occupied


def test_a_stuck_and_a_flickering_cell_spoil_no_other(make_board: WireFactory) -> None:
    """A chattering contact is set aside for as long as it chatters, a stuck one claims a pawn; the
    rest is right.
    """
    board = make_board()
    board.converse(1.5)
    board.board.faults.flicker.add(SQUARE.cells.index(Cell("D4")))
    board.board.faults.stuck[SQUARE.cells.index(Cell("E5"))] = True
    board.board.sync()
    board.converse(20)
    before = len(board.observations)

    board.put("H1a", "B2")
    board.converse(40)

    settled = [
        observation for observation in board.observations[before:] if observation.unknown == {"D4"}
    ]
    assert settled
    assert frozenset({"B2", "F1", "E5"}) == board.observations[-1].occupied
    assert {
        frozenset({"A1", "F1", "E5"}),
        frozenset({"F1", "E5"}),
        frozenset({"B2", "F1", "E5"}),
    } >= {observation.occupied for observation in board.observations[before:]}
