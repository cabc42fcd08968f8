"""The identity board's real firmware in its emulator: loops, reader, tags, and their faults."""

from __future__ import annotations

import zlib
from collections import Counter
from math import log10
from random import Random

import pytest
from companion.sensors.rfid.calibration import Calibration, LoopGains
from companion.sensors.rfid.geometries import HEXAGONAL, SQUARE
from companion.sensors.rfid.locate import Locator
from companion.sensors.serial.messages import (
    PAWN_TAGS,
    TILE_TAGS,
    BoardFault,
    Calibrate,
    Caps,
    Done,
    Heartbeat,
    Hello,
    HelloReply,
    Nak,
    Ping,
    Pong,
    Scan,
    ScanEnd,
    TagPart,
    TagWriteAfi,
    Uid,
    Watch,
    WireMessage,
)
from companion.sim.rf_model import RfModel

from companion.core.placement import Cell, Pawn
from companion.sensors.observation import Tile
from companion.sim.table_model import World, uid_of
from tests.emulator.firmware_wire import (
    FirmwareWire,
    WireFactory,
    awake,
    end_of,
    full_table,
    records,
    spread_tags,
)
from tests.emulator.scans import LONGEST
from tests.emulator.whole_tables import LONGEST_SCAN, places_of, truth
from tests.helpers.repetitions import soak

ALL_CAPS = Caps.UID | Caps.RSSI | Caps.ROTATION | Caps.FOLLOW
READER_OK, READER_DEAD, IRQ_LOW, IRQ_HIGH = range(4)


def test_hello_names_the_board(make_board: WireFactory) -> None:
    """By its EEPROM it is square with 26 loops, or hexagonal with 21 and no rotation."""
    for world, description in (
        (World(geometry=SQUARE), (0, 6, 6, 26, ALL_CAPS)),
        (World(geometry=HEXAGONAL), (1, 7, 7, 21, ALL_CAPS & ~Caps.ROTATION)),
    ):
        board = make_board("identity", world=world)
        board.received(200)
        (reply,) = board.ask(Hello(), 60)
        assert isinstance(reply, HelloReply)
        assert description == (reply.geometry, reply.rows, reply.columns, reply.loops, reply.caps)


@pytest.mark.parametrize("seed", [0, *soak(*range(1, 4))])
def test_sixty_tags_lie_where_they_lie(make_board: WireFactory, seed: int) -> None:
    """All 60 tags are located, each tile with its turn.

    Loops differ by 12 % and tags by 20 %. Four pawns share a cell; scans lose no tag and stay
    within their limit.
    """
    rng = Random(seed)
    world = full_table(rng)
    board = awake(
        make_board,
        world=world,
        field=RfModel.with_spread(rng, 0.12),
        sensitivities=spread_tags(world, rng, 0.2),
    )

    pawn_scan = end_of(board.ask(Scan(PAWN_TAGS, 1), 500))
    answer = board.ask(Scan(), LONGEST_SCAN)
    end, read = end_of(answer), records(answer)

    assert (60, 60, 7, 0) == (end.count, len(read), end.parts, end.timeouts)
    assert (12, 0) == (pawn_scan.count, pawn_scan.timeouts)
    assert LONGEST >= pawn_scan.ms
    assert {tag.uid: truth(world, tag) for tag in world.tags()} == places_of(world, read.values())


def test_hexagonal_cells(make_board: WireFactory) -> None:
    """A pawn on each of the 37 cells of the hexagonal board is located through three axes of
    loops.
    """
    world = World(geometry=HEXAGONAL)
    for i, cell in enumerate(HEXAGONAL.cells):
        world.put(Pawn(f"p{i}"), cell)
    board = awake(make_board, world=world)

    answer = board.ask(Scan(), 3000)
    read = records(answer)

    assert 37 == end_of(answer).count
    assert {tag.uid: truth(world, tag) for tag in world.tags()} == places_of(world, read.values())


def test_calibration_by_the_board(make_board: WireFactory) -> None:
    """The host's calibration scans every loop alone (CAL) and estimates its gain within one step
    of 4 dB.
    """
    rng = Random(5)
    world = full_table(rng)
    field = RfModel.with_spread(rng, 0.12)
    board = make_board("identity", world=world, field=field)
    estimates: list[LoopGains | None] = []
    board.converse(2)
    assert board.host.start_procedure(
        Calibration(world.registry(), Locator(SQUARE), estimates.append)
    )

    board.converse(8)

    (estimate,) = estimates
    assert estimate is not None and min(estimate.tags) > 0
    true = [40 * log10(gain) for gain in field.gains]
    middle = sum(true) / len(true)
    mean_gain = sum(estimate.gains) / len(true)
    assert 4.0 > max(
        abs((gain - mean_gain) - (t - middle)) for gain, t in zip(estimate.gains, true, strict=True)
    )


def test_a_long_scan_keeps_nobody_waiting(make_board: WireFactory) -> None:
    """During a scan of 60 tags for 4 s heartbeats and pings go on, and another scan is refused as
    busy.
    """
    board = awake(make_board, world=full_table(Random(1)))
    seq = board.give(Scan())
    messages: list[tuple[int, WireMessage]] = []
    for _ in range(10):
        assert [Pong(b"hello")] == [message for message in board.ask(Ping(b"hello"), 30)]
    assert [Nak(Nak.BUSY, Scan.TYPE)] == board.ask(Scan(PAWN_TAGS), 30)

    messages = board.listen(5000)

    assert 60 == end_of([message for its, message in messages if its == seq]).count
    beats = [message.uptime_ms // 1000 for _, message in messages if isinstance(message, Heartbeat)]
    assert list(range(beats[0], beats[0] + len(beats))) == beats


def test_a_repeated_scan_comes_from_the_table(make_board: WireFactory) -> None:
    """A repeated scan brings the same answer at once, though the table has changed; while it
    runs it is answered once.
    """
    board = awake(make_board, pawns={"H1a": "A1"})
    first = board.ask(Scan(PAWN_TAGS, 1), 500, seq=9)
    board.put("H1a", "F6")

    assert first == board.ask(Scan(PAWN_TAGS, 1), 20, seq=9)
    seq = board.give(Scan(PAWN_TAGS, 1), 10)
    board.listen(50)
    board.give(Scan(PAWN_TAGS, 1), 10)
    assert 1 == sum(
        isinstance(message, ScanEnd) for its, message in board.listen(800) if its == seq
    )


def test_heartbeat_names_the_last_scan(make_board: WireFactory) -> None:
    """After a scan the heartbeat has its number and the CRC of its records, which are sorted."""
    board = awake(make_board, world=full_table(Random(2)))
    answer = board.ask(Scan(PAWN_TAGS, 1), 600)
    end = end_of(answer)
    packed = [
        record.pack() for part in answer if isinstance(part, TagPart) for record in part.records
    ]

    beats = [message for message in board.received(1200) if isinstance(message, Heartbeat)]

    assert sorted(packed) == packed
    assert zlib.crc32(b"".join(packed)) == end.scan_crc == beats[-1].state_crc
    assert end.scan == beats[-1].scan


def test_hello_ends_a_scan(make_board: WireFactory) -> None:
    """A restarted host is answered at once, and gets no scan that it requested before."""
    board = awake(make_board, world=full_table(Random(3)))
    board.give(Scan(), 7)
    board.listen(500)

    (reply,) = board.ask(Hello(), 30, seq=1)
    assert isinstance(reply, HelloReply)
    assert [] == [message for its, message in board.listen(5000) if its == 7]


def test_watch_sends_changes_only_and_a_scan_goes_first(make_board: WireFactory) -> None:
    """WATCH sends each scan that differs from the last one sent, until it is stopped.

    A scan during which a pawn moves may see half of the move.
    """
    board = awake(make_board, pawns={"H1a": "A1"})
    assert [Done()] == board.ask(Watch(300, PAWN_TAGS, 1), 20, seq=40)
    assert 1 == watched(board, 1500)
    assert 0 == watched(board, 1500)
    board.put("H1a", "B2")
    assert 1 <= watched(board, 1500) <= 2
    assert 0 == watched(board, 1500)

    seq = board.give(Scan(PAWN_TAGS, 1), 41)
    replies = [message for its, message in board.listen(400) if its == seq]
    assert 1 == end_of(replies).count
    board.put("H1a", "C3")
    assert 1 <= watched(board, 1500) <= 2
    assert [Done()] == board.ask(Watch(0, PAWN_TAGS, 1), 20, seq=42)
    board.put("H1a", "D4")
    assert 0 == watched(board, 1500)


def watched(board: FirmwareWire, ms: float) -> int:
    """Return the number of scans under the watch's seq."""
    return sum(isinstance(message, ScanEnd) for its, message in board.listen(ms) if its == 40)


def test_a_tag_is_given_its_class(make_board: WireFactory) -> None:
    """TAG_WRITE_AFI makes a new tag a pawn's, so that a scan for pawns finds it; an absent tag
    is refused.
    """
    world = World([Pawn("H1a")], box="new")
    world.put(Pawn("H1a"), Cell("D4"))
    board = awake(make_board, world=world)
    uid = uid_of("H1a", "new")
    assert 0 == end_of(board.ask(Scan(PAWN_TAGS), 900)).count

    assert [Done()] == board.ask(TagWriteAfi(uid, PAWN_TAGS), 250)

    assert {uid} == set(records(board.ask(Scan(PAWN_TAGS), 900)))
    assert [Nak(Nak.ARGUMENTS, TagWriteAfi.TYPE)] == board.ask(
        TagWriteAfi(uid_of("nobody"), TILE_TAGS), 600
    )


@pytest.mark.parametrize("request_", [Calibrate(26), Scan(0, 3), Watch(100, 0, 3)])
def test_what_cannot_be_scanned_is_refused(make_board: WireFactory, request_: WireMessage) -> None:
    """An unknown loop or choice of loops is NAK 4."""
    assert [Nak(Nak.ARGUMENTS, request_.TYPE)] == awake(make_board).ask(request_)


def test_an_answer_at_the_end_of_its_time_is_no_collision(make_board: WireFactory) -> None:
    """An answer that begins beside the interrupt "no response" (status 0x41) is received whole.

    A tag answers 320 µs after a request; "no response" comes after 529 µs. An answer that begins
    later leaves its slot empty.
    """
    world = World()
    world.put(Pawn("H1a"), Cell("A1"))
    board = awake(make_board, world=world)
    for late in range(200, 226):
        board.emulator.ask(f"late {late}")
        answer = board.ask(Scan(PAWN_TAGS, 1), 2000)
        end = end_of(answer)

        assert (0, 0) == (end.collisions, end.timeouts), late
        assert end.count == len(records(answer))
        assert late > 214 or {uid_of("H1a")} == set(records(answer)), late


@pytest.mark.parametrize("fault", [READER_DEAD, IRQ_LOW, IRQ_HIGH])
def test_a_silent_reader_is_reported_and_the_rest_works(
    make_board: WireFactory, fault: int
) -> None:
    """A reader that fails during a scan is FAULT 1 once; the board runs without it, and with it
    again after the next HELLO.
    """
    board = awake(make_board, world=full_table(Random(4)))
    board.give(Scan(), 50)
    board.listen(700)
    board.emulator.ask(f"reader {fault}")

    received = board.listen(3000)

    assert [BoardFault(1, BoardFault.READER_SILENT)] == [
        message for _, message in received if isinstance(message, BoardFault)
    ]
    assert [Nak(Nak.UNKNOWN, Scan.TYPE)] == [
        message for its, message in received if its == 50 and isinstance(message, Nak)
    ]
    assert 2 <= sum(isinstance(message, Heartbeat) for _, message in received)
    (reply,) = board.ask(Hello(), 100)
    assert isinstance(reply, HelloReply) and 0 == reply.caps
    assert [Nak(Nak.UNKNOWN, Scan.TYPE)] == board.ask(Scan())
    assert [Pong()] == board.ask(Ping())

    board.emulator.ask(f"reader {READER_OK}")
    (reply,) = board.ask(Hello(), 100)
    assert isinstance(reply, HelloReply) and ALL_CAPS == reply.caps
    assert 12 == end_of(board.ask(Scan(PAWN_TAGS), 1500)).count


def test_the_host_waits_for_a_silent_reader(make_board: WireFactory) -> None:
    """The host reports a silent reader and, after it recovers, sees the table without any user
    action.
    """
    board = make_board("identity", pawns={"H1a": "A1"})
    board.converse(4)
    assert pawns_on(A1="H1a") == board.observations[-1].pawns
    board.emulator.ask(f"reader {READER_DEAD}")
    board.converse(2)
    assert ("silent", "link.reader_silent") == (board.host.link.state, board.codes[-1])

    board.emulator.ask(f"reader {READER_OK}")
    board.put("H1a", "B2")
    board.converse(10)

    assert "up" == board.host.link.state
    assert pawns_on(B2="H1a") == board.observations[-1].pawns


def test_an_open_loop_is_named(make_board: WireFactory) -> None:
    """After a HELLO the board names each loop without its own carrier; the host ignores the
    cells over it.
    """
    board = make_board("identity", pawns={"H1a": "A1"})
    board.board.faults.broken_loops |= {2, 20}
    board.board.sync()
    board.converse(4)

    assert ["link.loop_open"] * 2 == [code for code in board.codes if code == "link.loop_open"]
    assert frozenset(f"{column}3" for column in "ABCDEF") <= board.observations[-1].unknown
    assert pawns_on(A1="H1a") == board.observations[-1].pawns


@pytest.mark.parametrize(
    ("missed", "capture"),
    [
        pytest.param(30_000, 2, id="lost and drowned answers"),
        pytest.param(30_000, 0, id="lost answers", marks=pytest.mark.soak),
        pytest.param(0, 2, id="drowned answers", marks=pytest.mark.soak),
    ],
)
def test_a_hand_over_the_board_is_no_removal(
    make_board: WireFactory, missed: int, capture: int
) -> None:
    """Answers that are lost or drowned by a stronger one in the same slot move and remove no pawn.

    Pawns whose tags' numbers end in different digits never share a slot.
    """
    board = make_board("identity", world=full_table(Random(6)))
    board.converse(4)
    standing = board.observations[-1].pawns
    assert standing is not None and 12 == sum(map(len, standing.values()))
    board.emulator.ask(f"missed {missed}")
    board.emulator.ask(f"capture {capture}")
    before = len(board.observations)

    board.converse(12)

    assert len(board.observations) > before + 10
    for observation in board.observations[before:]:
        assert observation.pawns is not None
        assert all(
            pawns <= standing.get(cell, frozenset()) for cell, pawns in observation.pawns.items()
        )


def test_more_tags_than_it_can_hold_are_reported(make_board: WireFactory) -> None:
    """Of a hundred tags ninety are sent and the rest is FAULT 4, once; the watchdog does not
    fire.
    """
    board = awake(make_board, world=World())
    rng = Random(7)
    loud = tuple([8] * 6 + [0] * 7 + [8] * 6 + [0] * 7)
    board.emulator.put_tags(
        (Uid(f"E0040150{rng.randrange(1 << 32):08X}"), PAWN_TAGS, loud) for _ in range(100)
    )

    messages = [message for _, message in board.listen(0)] + [m for _, m in scanned(board, 20_000)]

    assert 90 == next(message.count for message in messages if isinstance(message, ScanEnd))
    assert [BoardFault.TABLE_FULL] == [
        message.code for message in messages if isinstance(message, BoardFault)
    ]
    second_scan = [message for _, message in scanned(board, 20_000)]
    assert [] == [message for message in second_scan if isinstance(message, BoardFault)]


def scanned(board: FirmwareWire, ms: float) -> list[tuple[int, WireMessage]]:
    """Request the pawns and return all messages."""
    board.give(Scan(PAWN_TAGS, 1))
    return board.listen(ms)


def test_tiles_are_seen_by_the_host(make_board: WireFactory) -> None:
    """Through the host's own session pawns, tokens and tiles with their turns are located."""
    world = World()
    world.put(Pawn("H1a"), Cell("C3"))
    world.put(Pawn("H2a"), Cell("C3"))
    world.put_token(Cell("D4"), "bat")
    world.put_tile(Cell("E5"), Tile(17, 270))
    board = make_board("identity", world=world)

    board.converse(8)

    observation = board.observations[-1]
    assert pawns_on(C3="H1a H2a") == observation.pawns
    assert {Cell("E5"): Tile(17, 270)} == observation.tiles
    assert {Cell("D4"): Counter({"bat": 1})} == observation.tokens


def pawns_on(**cells: str) -> dict[Cell, frozenset[Pawn]]:
    """Return pawns by cell, from names in a row."""
    return {Cell(cell): frozenset(map(Pawn, pawns.split())) for cell, pawns in cells.items()}
