"""The host's side of the protocol, rule by rule, in simulated time with the virtual board."""

from collections import Counter
from itertools import pairwise
from math import inf

import pytest
from companion.sensors.rfid.geometries import HEXAGONAL, SQUARE
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.frames import Frame, FrameDecoder, encode_frame
from companion.sensors.serial.messages import (
    ALL_LOOPS,
    FOLLOWED_LOOPS,
    PAWN_TAGS,
    TILE_TAGS,
    UNFINISHED_LOOPS,
    BoardFault,
    Boot,
    Caps,
    CellEvent,
    Hello,
    HelloReply,
    Presence,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    WireMessage,
    parse_message,
)
from companion.sensors.serial.poller import TagPoller, records_crc
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.placement import Cell, Pawn
from companion.sensors.debounce import EARLY_SHARE
from companion.sensors.link import Timing, firmware_name
from companion.sensors.observation import Observation, Tile
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.session import NOTICE_TIME, Session
from companion.sim.faults import Mask
from companion.sim.table_model import World, uid_of
from tests.helpers.repetitions import soak
from tests.sensors.serial.connection import STEP, Connection


def cells(*names: str) -> frozenset[Cell]:
    """Return a set of cells."""
    return frozenset(Cell(name) for name in names)


def pawns_by_cell(observation: Observation) -> dict[str, set[str]]:
    """Return the pawns by cell, as plain strings."""
    assert observation.pawns is not None
    return {str(cell): set(map(str, pawns)) for cell, pawns in observation.pawns.items()}


def requests(written: bytes) -> list[object]:
    """Return the requests in the host's bytes."""
    decoder = FrameDecoder()
    decoder.receive(written)
    messages: list[object] = []
    while (frame := decoder.next_frame()) is not None:
        messages.append(parse_message(frame))
    return messages


def test_presence_is_observed() -> None:
    """A presence board's occupied cells are observed, and nothing else."""
    connection = Connection()
    connection.run(1.0)
    last = connection.observations[-1]

    assert Observation("serial", last.at, occupied=cells("A1", "F1")) == last
    assert "up" == connection.host.link.state


def test_a_move_is_seen_at_once() -> None:
    """A change is observed within two exchanges, not at the next regular snapshot."""
    connection = Connection()
    connection.run(1.0)
    connection.world.put(Pawn("H1a"), Cell("B2"))
    connection.run(0.04)

    assert cells("B2", "F1") == connection.observations[-1].occupied


@pytest.mark.slow
def test_identity_is_observed() -> None:
    """An identity board's pawns are observed by name, any number on a cell, with tokens and turned
    tiles.
    """
    connection = Connection("identity", {"H1a": "A1", "H2a": "A1", "H1b": "C4"})
    connection.world.put_token(Cell("D3"), "bullet")
    connection.world.put_tile(Cell("E5"), Tile(17, 270))
    connection.run(2.0)
    last = connection.observations[-1]

    assert {"A1": {"H1a", "H2a"}, "C4": {"H1b"}} == pawns_by_cell(last)
    assert ({"D3": Counter(bullet=1)}, {"E5": Tile(17, 270)}) == (last.tokens, last.tiles)
    assert (None, frozenset()) == (last.occupied, last.unknown)


def test_hand_over_the_board() -> None:
    """A pawn missed in two scans is still there, in three it is gone."""
    connection = Connection("identity")
    connection.run(2.0)
    connection.world.lift(Pawn("H1a"))
    count = len(connection.observations)
    connection.run(1.0)
    pawns = [observation.pawns or {} for observation in connection.observations[count:]]
    kept = [each for each in pawns if "A1" in each]

    assert 2 <= len(kept) < len(pawns) and "A1" not in pawns[-1]


def test_unfinished_scans_say_nothing() -> None:
    """A board that follows pawns may end any number of scans unfinished: they give no observation
    before the first whole scan and between two that agree, and no pawn is missed by them.
    """
    board = FollowingBoard("H1a", "A1")
    observed = [{"A1": {"H1a"}}]
    assert [[]] * 5 == [board.end(UNFINISHED_LOOPS) for _ in range(5)]
    assert [[], []] == [board.end(FOLLOWED_LOOPS, "H1a"), board.end(UNFINISHED_LOOPS)]
    assert observed == board.end(FOLLOWED_LOOPS, "H1a")

    assert [observed] * 2 == [board.end(FOLLOWED_LOOPS) for _ in range(2)]
    assert [[]] * 5 == [board.end(UNFINISHED_LOOPS) for _ in range(5)]
    assert [{}] == board.end(FOLLOWED_LOOPS)


class FollowingBoard:
    """A board that follows one pawn, and ends its scans with a given status."""

    def __init__(self, pawn: str, cell: str) -> None:
        world = World()
        world.put(Pawn(pawn), Cell(cell))
        registry = world.registry()
        self._pawn = TagRecord(uid_of(pawn), RfModel().strengths(*SQUARE.centres[Cell(cell)]))
        self._host = Session("serial", TagRegistry(given=lambda board: registry))
        self._now = 0.0
        self._scan = 0
        self._request = self._host.port_opened("/dev/ttyACM0", self._now)
        self._respond(
            HelloReply(
                1, 1, SQUARE.code, 6, 6, 26, int(Caps.UID | Caps.FOLLOW), bytes(8), 0x0101, 0
            )
        )

    def end(self, loops: int, *pawns: str) -> list[dict[str, set[str]]]:
        """End the next scan that follows pawns, with the pawn if one is given; return the host's
        observations. Every other scan finds nothing.
        """
        while (request := self._next()) != Scan(PAWN_TAGS, FOLLOWED_LOOPS):
            assert isinstance(request, Scan)
            self._end(request.afi, request.loops, ())
        return self._end(PAWN_TAGS, loops, (self._pawn,) if pawns else ())

    def _next(self) -> object:
        while not self._request:
            self._now += STEP
            self._request = self._host.advance(self._now)
        (request,) = requests(self._request)
        return request

    def _end(
        self, afi: int, loops: int, records: tuple[TagRecord, ...]
    ) -> list[dict[str, set[str]]]:
        self._scan += 1
        parts = [TagPart(1, self._scan, 0, records)] if records else []
        count = len(records)
        end = ScanEnd(1, self._scan, count, count, afi, loops, 390, 20, 0, 0, records_crc(records))
        return self._respond(*parts, end)

    def _respond(self, *messages: WireMessage) -> list[dict[str, set[str]]]:
        decoder = FrameDecoder()
        decoder.receive(self._request)
        request = decoder.next_frame()
        assert request is not None
        response = b"".join(encode_frame(message.frame(request.seq)) for message in messages)
        self._request = self._host.advance(self._now, response)
        return [
            pawns_by_cell(item) for item in self._host.events() if isinstance(item, Observation)
        ]


@pytest.mark.slow
def test_strangers_are_reported() -> None:
    """An unregistered tag is no pawn; the link names it, and its likeliest cell is the one where it
    lies, so that it can be registered.
    """
    connection = Connection("identity")
    connection.world.put(Pawn("X9"), Cell("B1"))
    connection.run(1.0)

    [unknown] = connection.host.link.unknown_tags
    poller = connection.host.poller
    assert isinstance(poller, TagPoller)
    places = {uid: place for uid, _, _, place in poller.decoder.sightings()}
    assert "B1" == places[unknown].near[0]
    assert "B1" not in (connection.observations[-1].pawns or {})


def test_nothing_before_two_snapshots_agree() -> None:
    """One snapshot alone is not accepted, neither after opening nor after a restart."""
    connection = Connection()
    connection.run(0.02)
    snapshots = [
        Presence(connection.board.boot, bytes((bits, 0, 0, 0, 0))) for bits in (128, 64, 64)
    ]
    observed = []
    for snapshot in snapshots:
        connection.feed(encode_frame(snapshot.frame(connection.host._tracker.seq)))
        observed.append(len(connection.observations))

    assert [0, 0, 1] == observed


@pytest.mark.parametrize("mask", ["mute", "echo", "modem"])
def test_not_our_board(mask: Mask) -> None:
    """A device that does not answer HELLO within 3 s is refused, and receives nothing but HELLO."""
    connection = Connection()
    connection.board.faults.mask = mask
    connection.run(4.0)

    assert ("refused", ["link.not_our_board"]) == (connection.host.link.state, connection.codes)
    assert {Hello(1)} == set(requests(b"".join(connection.written)))
    assert connection.host.over


@pytest.mark.parametrize(("firmware", "is_named"), [(FIRMWARE - 1, True), (FIRMWARE, False)])
def test_an_older_firmware_is_named_with_both_versions(firmware: int, is_named: bool) -> None:
    """A board of older firmware is used, and for a while the link's message names the command that
    updates it.
    """
    connection = Connection()
    connection.board.faults.firmware = firmware
    connection.run(1.0)

    assert "up" == connection.host.link.state
    assert is_named == ("link.older_firmware" in connection.codes)
    if connection.host.link.message is not None:
        versions = {"theirs": firmware_name(firmware), "ours": firmware_name(FIRMWARE)}
        assert versions == connection.host.link.message.params


def test_other_protocol() -> None:
    """A board of another protocol is refused, with both versions in the message."""
    connection = Connection()
    connection.board.faults.protocol = 2
    connection.run(1.0)
    message = connection.host.link.message

    assert message is not None
    assert ("refused", "link.other_protocol", {"ours": 1, "theirs": 2}) == (
        connection.host.link.state,
        message.code,
        message.params,
    )


def test_boot_is_not_waited_for() -> None:
    """A board that never sends BOOT is up as soon as it answers HELLO, even if it receives only the
    last one.
    """
    connection = Connection()
    connection.board.faults.silence = True
    connection.run(2.4)
    connection.board.faults.silence = False
    connection.run(0.3)

    assert "up" == connection.host.link.state


def test_one_request_at_a_time() -> None:
    """A request goes out again after 250 ms under the same number, three times in all, then a new
    one.
    """
    connection = Connection()
    connection.run(0.5)
    connection.board.faults.lost = 1.0
    start = len(connection.written)
    connection.run(1.2)
    decoder, seqs = FrameDecoder(), []
    decoder.receive(b"".join(connection.written[start:]))
    while (frame := decoder.next_frame()) is not None:
        seqs.append(frame.seq)

    assert [3, 3] == list(Counter(seqs).values())[:2] or 3 == Counter(seqs).most_common(1)[0][1]
    assert 2 <= connection.host.link.counters.retries


def test_silence() -> None:
    """A board that is silent for 3 s is reported as silent, and the port is closed to be
    reopened.
    """
    connection = Connection()
    connection.run(1.0)
    connection.board.faults.silence = True
    connection.run(2.7)
    before = connection.host.link.state
    connection.run(0.6)

    assert ("up", "silent") == (before, connection.host.link.state)
    assert ["link.silent"] == connection.codes[-1:] and connection.host.over


def test_known_board_stays_ours() -> None:
    """A board that answered before and is silent after reopening is not foreign; when it answers it
    is up again.
    """
    connection = Connection()
    connection.run(1.0)
    connection.board.faults.silence = True
    connection.reopen()
    connection.run(3.5)
    silent = connection.host.link
    connection.board.faults.silence = False
    connection.reopen()
    connection.run(0.5)

    assert ("silent", 1, "up", 2) == (
        silent.state,
        silent.generation,
        connection.host.link.state,
        connection.host.link.generation,
    )


@pytest.mark.parametrize(
    "cause, code", [(1, "link.reset"), (4, "link.brown_out"), (8, "link.watchdog")]
)
def test_restart(cause: int, code: str) -> None:
    """A restart is shown with its cause, begins a new generation, and is no longer shown after a
    while.
    """
    connection = Connection()
    connection.run(1.0)
    connection.board.reset(connection.now, cause)
    connection.run(0.5)
    restarted = connection.host.link
    connection.run(NOTICE_TIME)

    assert restarted.message is not None
    assert ("up", 2, code) == (restarted.state, restarted.generation, restarted.message.code)
    assert None is connection.host.link.message


CUTS = given(after=st.integers(0, 12), pace=st.sampled_from([0.0, 0.5]), wait=st.integers(0, 40))


@pytest.mark.slow
@CUTS
@settings(max_examples=5)
def test_reset_in_mid_frame(after: int, pace: float, wait: int) -> None:
    """At whatever byte a restart cuts a frame, the part is dropped and the board is observed
    correctly.
    """
    restart_in_frame(after, pace, wait)


@pytest.mark.soak
@CUTS
@settings(max_examples=60)
def test_more_resets_in_mid_frame(after: int, pace: float, wait: int) -> None:
    """The same holds for twelve times as many restarts."""
    restart_in_frame(after, pace, wait)


def restart_in_frame(after: int, pace: float, wait: int) -> None:
    """Restart a board after some bytes of a frame, and check the next observation."""
    connection = Connection("identity", {"H1a": "A1", "H1b": "C4"}, pace=pace)
    connection.run(1.0 + wait / 100)
    connection.board.faults.reset_after = after
    connection.world.put(Pawn("H1a"), Cell("D2"))
    connection.run(3.0)

    assert {"D2": {"H1a"}, "C4": {"H1b"}} == pawns_by_cell(connection.observations[-1])
    assert (2, 1) == (connection.host.link.generation, connection.host.link.counters.resets)


def test_restart_without_its_boot() -> None:
    """A restart whose BOOT was lost is detected by the boot number of the next message."""
    connection = Connection()
    connection.run(1.0)
    connection.board.reset(connection.now, 1)
    connection.board._out.clear()
    connection.run(0.6)

    assert 2 == connection.host.link.generation and "link.reset" in connection.codes


def test_another_board() -> None:
    """A board with another id than before is reported as another."""
    connection = Connection()
    connection.run(1.0)
    connection.board._board_id = b"another1"
    connection.reopen()
    connection.run(0.5)

    assert "link.other_board" == connection.codes[-1]


def test_an_overtaken_frame_is_ignored() -> None:
    """A fault that arrives after a later frame of the board is ignored, and so is a duplicate."""
    connection = Connection()
    connection.run(1.0)
    dip = BoardFault(connection.board.boot, BoardFault.SUPPLY, 9)
    connection.feed(encode_frame(CellEvent(connection.board.boot, 0, 1, 0).frame(60)))
    connection.feed(encode_frame(dip.frame(59)))
    assert "link.supply" not in connection.codes

    for _ in range(2):
        connection.feed(encode_frame(dip.frame(61)))
    assert 1 == connection.codes.count("link.supply")


def test_flicker_is_set_aside() -> None:
    """A cell that flickers is unknown, neither on nor off, and the other cells still work."""
    connection = Connection()
    connection.board.faults.flicker.add(SQUARE.cells.index(Cell("C3")))
    connection.run(15.0)
    connection.world.put(Pawn("H1a"), Cell("B2"))
    connection.run(0.2)
    last = connection.observations[-1]

    assert (cells("B2", "F1"), cells("C3")) == (last.occupied, last.unknown)


def test_flicker_that_ends() -> None:
    """A cell that has been calm for a minute is used again."""
    connection = Connection()
    connection.board.faults.flicker.add(0)
    connection.run(15.0)
    connection.board.faults.flicker.clear()
    connection.run(61.0)

    assert (cells("A1", "F1"), cells()) == (
        connection.observations[-1].occupied,
        connection.observations[-1].unknown,
    )


def test_set_aside_by_a_person() -> None:
    """A stuck cell that a user sets aside is unknown."""
    connection = Connection()
    connection.board.faults.stuck[SQUARE.cells.index(Cell("E4"))] = True
    connection.host.flicker_filter.set_aside(frozenset({SQUARE.cells.index(Cell("E4"))}))
    connection.run(1.0)

    assert (cells("A1", "F1"), cells("E4")) == (
        connection.observations[-1].occupied,
        connection.observations[-1].unknown,
    )


@pytest.mark.slow
def test_broken_loop() -> None:
    """A broken row loop makes its row unknown and is shown."""
    connection = Connection("identity", {"H1a": "A1", "H1b": "C4"})
    connection.run(2.0)
    connection.board.fail(BoardFault.LOOP_OPEN, 0)
    connection.run(2.0)

    assert "link.loop_open" == connection.codes[-1]
    assert cells("A1", "B1", "C1", "D1", "E1", "F1") <= connection.observations[-1].unknown
    assert "C4" in (connection.observations[-1].pawns or {})


@pytest.mark.slow
def test_a_broken_loop_outlasts_a_notice() -> None:
    """A notice that ends, before or after a loop breaks, leaves the broken loop's message."""
    connection = Connection("identity", {"H1a": "A1"})
    connection.run(2.0)
    for faults in ((BoardFault.SUPPLY, BoardFault.LOOP_OPEN), (BoardFault.SUPPLY,)):
        for fault in faults:
            connection.board.fail(fault, 0)
            connection.run(1.0)
        connection.run(NOTICE_TIME + 1.0)

        assert connection.host.link.message is not None
        assert "link.loop_open" == connection.host.link.message.code


@pytest.mark.slow
def test_silent_reader() -> None:
    """A board whose reader has failed is silent with the reason, stays open, and is up again after
    the repair.
    """
    connection = Connection("identity")
    connection.run(2.0)
    connection.board.fail(BoardFault.READER_SILENT)
    connection.run(2.0)
    failed = connection.host.link
    connection.board.faults.reader_silent = False
    connection.run(6.0)

    assert failed.message is not None
    assert ("silent", "link.reader_silent", False) == (
        failed.state,
        failed.message.code,
        connection.host.over,
    )
    assert ("up", None) == (connection.host.link.state, connection.host.link.message)


def test_lost_event_costs_a_moment() -> None:
    """A change whose event was lost is observed at the next regular snapshot."""
    connection = Connection()
    connection.run(1.0)
    connection.board.faults.silence = True
    connection.world.put(Pawn("H1a"), Cell("B2"))
    connection.run(0.05)
    connection.board.faults.silence = False
    connection.run(0.8)

    assert cells("B2", "F1") == connection.observations[-1].occupied


def test_gap_is_counted() -> None:
    """A gap in the board's own counter is counted and leads to a snapshot."""
    connection = Connection()
    connection.run(1.5)
    connection.feed(encode_frame(CellEvent(connection.board.boot, 0, 1, 0).frame(90)))

    assert 1 == connection.host.link.counters.gaps


def test_unknown_type_is_counted() -> None:
    """A frame of a type that protocol 1 has not is counted and changes nothing."""
    connection = Connection()
    connection.run(1.0)
    links = len(connection.links)
    connection.feed(encode_frame(Frame(0xC0, 0, b"?")))

    assert (1, links) == (connection.host.link.counters.unknown, len(connection.links))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["presence", "identity"])
@pytest.mark.parametrize(
    "fault",
    [
        "all",
        *soak("noise", "lost", "duplicated", "torn"),
    ],
)
def test_bad_wire_lies_never(kind: str, fault: str) -> None:
    """On a bad line the table is observed late or not at all, but never wrongly; afterwards every
    change is observed.
    """
    connection = Connection(
        "identity" if kind == "identity" else "presence", {"H1a": "A1", "H1b": "C4"}, pace=0.0
    )
    faults = connection.board.faults
    for name in ("noise", "lost", "duplicated", "torn"):
        if fault in (name, "all"):
            setattr(faults, name, 0.005 if name == "noise" else 0.15)
    connection.run(30.0)
    observed = {
        (str(observation.pawns), str(sorted(observation.occupied or ())))
        for observation in connection.observations
    }
    faults.noise = faults.lost = faults.duplicated = faults.torn = 0.0
    if connection.host.over:
        connection.reopen()
    connection.run(8.0)

    assert len(observed) == 1
    assert "up" == connection.host.link.state


def test_what_is_scanned() -> None:
    """Pawns are scanned by 12 loops repeatedly; tokens and tiles by all, the tiles once."""
    connection = Connection("identity")
    connection.run(4.0)
    scans = Counter(
        request for request in requests(b"".join(connection.written)) if isinstance(request, Scan)
    )

    assert 1 == scans[Scan(0x71, 0)] and 1 == scans[Scan(0x73, 0)] and 50 < scans[Scan(0x72, 1)]


@pytest.mark.slow
@given(st.lists(st.binary(max_size=80), max_size=20))
@settings(max_examples=200)
def test_any_bytes(chunks: list[bytes]) -> None:
    """Whatever a device sends, the host neither raises nor accepts it as our board."""
    connection = Connection()
    for chunk in chunks:
        connection.now += 0.2
        connection.feed(chunk)

    assert connection.host.link.state in ("searching", "refused")


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(
            st.builds(Frame, st.integers(0x80, 255), st.integers(0, 255), st.binary(max_size=40))
        ),
        max_size=30,
    )
)
@settings(max_examples=30)
def test_any_frames(frames: list[Frame]) -> None:
    """Whatever well-formed frames a board that is up sends, the host does not raise."""
    connection = Connection("identity")
    connection.run(0.5)
    for frame in frames:
        connection.feed(encode_frame(frame))
    connection.feed(encode_frame(Boot(900, 1, 1).frame(0)))

    assert connection.host.link.counters.frames >= len(frames)


@pytest.mark.parametrize("rest", [0.1, 0.6, 0.75, 1.3])
def test_polled_when_a_change_has_rested(rest: float) -> None:
    """A presence board is polled as soon as a change has rested, early and long, in addition to the
    regular polls, so that a placed pawn is accepted as early as possible.
    """
    timing = Timing(rest=rest)
    connection = Connection(timing=timing)
    connection.run(2.0)
    connection.world.put(Pawn("H1a"), Cell("B1"))
    count = len(connection.observations)
    connection.run(rest + 0.1)
    changed, *later = [
        observation.at
        for observation in connection.observations[count:]
        if "B1" in (observation.occupied or ())
    ]
    for moment in (changed + EARLY_SHARE * rest, changed + rest):
        assert min(at for at in later if at >= moment) <= moment + 3 * STEP

    early = min(at for at in later if at >= changed + EARLY_SHARE * rest)
    gaps = [b - a for a, b in pairwise([at for at in later if early <= at < changed + rest])]
    assert all(gap >= timing.presence_every for gap in gaps)


def test_due() -> None:
    """While a reply is awaited nothing is due; else a presence board is polled at the due time."""
    connection = Connection()
    connection.run(2.0)
    for _ in range(100):
        due = connection.host.due()
        connection.run(STEP)
        requested = bool(requests(connection.written[-1]))

        assert requested == (due == inf)


@pytest.mark.slow
def test_a_pawn_between_two_cells_is_asked_for() -> None:
    """A pawn over a border is on neither cell: both are unknown, and it is named; once moved it is
    on its cell.
    """
    connection = Connection("identity")
    connection.run(2.0)
    connection.world.nudge("H1a", 30, 0)
    connection.run(2.0)
    observation = connection.observations[-1]
    doubt = observation.doubts[0]

    assert ("pawn", "H1a", {"A1", "B1"}) == (doubt.what, doubt.name, set(doubt.cells))
    assert {Cell("A1"), Cell("B1")} <= observation.unknown and "A1" not in (observation.pawns or {})
    connection.world.put(Pawn("H1a"), Cell("B1"))
    connection.run(2.0)
    assert () == connection.observations[-1].doubts
    assert {"H1a"} == set((connection.observations[-1].pawns or {})[Cell("B1")])


@pytest.mark.slow
@pytest.mark.parametrize(("weak", "expected", "doubts"), [(0.9, {"A1"}, 0), (0.75, set(), 1)])
def test_all_loops_are_scanned_where_those_over_the_cells_do_not_decide(
    weak: float, expected: set[str], doubts: int
) -> None:
    """A pawn that the loops over rows and columns leave undecided is scanned on every loop once; if
    these leave it undecided too, it is asked.
    """
    gains = [weak if loop in (0, 13) else 1.0 for loop in range(26)]
    connection = Connection("identity", field=RfModel(gains))
    connection.world.nudge("H1a", 18, 5)
    connection.run(4.0)
    observation = connection.observations[-1]
    scans = [request for request in connection.requests if request == Scan(PAWN_TAGS, ALL_LOOPS)]

    assert expected == {cell for cell, pawns in (observation.pawns or {}).items() if "H1a" in pawns}
    assert doubts == len(observation.doubts)
    assert 1 == len(scans)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["identity", "presence"])
def test_a_hexagonal_board(kind: BoardKind) -> None:
    """A board with 37 hexagons is accepted, its cells are a1 to g7, and a pawn is found on each."""
    world = World(geometry=HEXAGONAL)
    for number, cell in enumerate(HEXAGONAL.cells):
        world.put(Pawn(f"P{number}"), cell)
    connection = Connection(kind, world=world)
    connection.run(3.0)
    observation = connection.observations[-1]

    assert ("up", None) == (connection.host.link.state, connection.host.link.message)
    if kind == "presence":
        assert frozenset(HEXAGONAL.cells) == observation.occupied
    else:
        assert {cell: {f"P{n}"} for n, cell in enumerate(HEXAGONAL.cells)} == dict(
            observation.pawns or {}
        )


@pytest.mark.slow
def test_a_tile_put_right_is_seen_again() -> None:
    """A tile between two turns is ambiguous, and scanned again until it lies straight; then no
    more.
    """
    connection = Connection("identity")
    connection.world.put_tile(Cell("B2"), Tile(17, 0))
    connection.world.nudge("B2", 15, -6)
    connection.run(3.0)
    assert [("tile", "17", "turn")] == [
        (doubt.what, doubt.name, doubt.why) for doubt in connection.observations[-1].doubts
    ]

    connection.world.put_tile(Cell("B2"), Tile(17, 90))
    connection.run(8.0)
    assert ((), Tile(17, 90)) == (
        connection.observations[-1].doubts,
        (connection.observations[-1].tiles or {})[Cell("B2")],
    )
    scans = len([request for request in connection.requests if request == Scan(TILE_TAGS)])
    connection.run(8.0)
    assert scans == len([request for request in connection.requests if request == Scan(TILE_TAGS)])
