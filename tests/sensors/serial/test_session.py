"""The host's side of the protocol, rule by rule, in simulated time against the virtual board."""

from collections import Counter
from itertools import pairwise
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.placement import Cell, Pawn
from companion.sensors.debounce import EARLY_SHARE
from companion.sensors.link import Timing, firmware_name
from companion.sensors.observation import Observation, Tile
from companion.sensors.rfid.geometries import HEXAGONAL, SQUARE
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.firmware_version import FIRMWARE
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
from companion.sensors.serial.session import NOTICE_TIME, Session
from companion.sim.faults import Mask
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind
from companion.sim.table_model import World, uid_of
from tests.sensors.serial.wire_driver import STEP, Wire


def cells(*names: str) -> frozenset[Cell]:
    """Return a set of cells."""
    return frozenset(Cell(name) for name in names)


def standing(observation: Observation) -> dict[str, set[str]]:
    """Return the pawns by cell, as plain strings."""
    assert observation.pawns is not None
    return {str(cell): set(map(str, pawns)) for cell, pawns in observation.pawns.items()}


def requests(written: bytes) -> list[object]:
    """Return the requests in the host's bytes."""
    decoder = FrameDecoder()
    decoder.receive(written)
    found: list[object] = []
    while (frame := decoder.next_frame()) is not None:
        found.append(parse_message(frame))
    return found


def test_presence_is_observed() -> None:
    """A presence board's occupied cells are observed, and nothing else."""
    wire = Wire()
    wire.run(1.0)
    last = wire.seen[-1]

    assert Observation("serial", last.at, occupied=cells("A1", "F1")) == last
    assert "up" == wire.host.link.state


def test_a_move_is_seen_at_once() -> None:
    """A change is observed within two exchanges, not at the next regular snapshot."""
    wire = Wire()
    wire.run(1.0)
    wire.world.put(Pawn("H1a"), Cell("B2"))
    wire.run(0.04)

    assert cells("B2", "F1") == wire.seen[-1].occupied


def test_identity_is_observed() -> None:
    """An identity board's pawns are observed by name, any number on a cell, with tokens and turned
    tiles.
    """
    wire = Wire("identity", {"H1a": "A1", "H2a": "A1", "H1b": "C4"})
    wire.world.put_token(Cell("D3"), "bullet")
    wire.world.put_tile(Cell("E5"), Tile(17, 270))
    wire.run(2.0)
    last = wire.seen[-1]

    assert {"A1": {"H1a", "H2a"}, "C4": {"H1b"}} == standing(last)
    assert ({"D3": Counter(bullet=1)}, {"E5": Tile(17, 270)}) == (last.tokens, last.tiles)
    assert (None, frozenset()) == (last.occupied, last.unknown)


def test_hand_over_the_board() -> None:
    """A pawn missed in two scans is still there, in three it is gone."""
    wire = Wire("identity")
    wire.run(2.0)
    wire.world.lift(Pawn("H1a"))
    seen = len(wire.seen)
    wire.run(1.0)
    since = [observation.pawns or {} for observation in wire.seen[seen:]]
    kept = [pawns for pawns in since if "A1" in pawns]

    assert 2 <= len(kept) < len(since) and "A1" not in since[-1]


def test_unfinished_scans_say_nothing() -> None:
    """A board that follows pawns may end scans unfinished, as many as it likes: before the first
    whole one and between two that agree nothing is seen of them, and no pawn is missed by them.
    """
    board = FollowingBoard("H1a", "A1")
    standing_there = [{"A1": {"H1a"}}]
    assert [[]] * 5 == [board.end(UNFINISHED_LOOPS) for _ in range(5)]
    assert [[], []] == [board.end(FOLLOWED_LOOPS, "H1a"), board.end(UNFINISHED_LOOPS)]
    assert standing_there == board.end(FOLLOWED_LOOPS, "H1a")

    assert [standing_there] * 2 == [board.end(FOLLOWED_LOOPS) for _ in range(2)]
    assert [[]] * 5 == [board.end(UNFINISHED_LOOPS) for _ in range(5)]
    assert [{}] == board.end(FOLLOWED_LOOPS)


class FollowingBoard:
    """A board that follows one pawn, and ends its scans with a given status."""

    def __init__(self, pawn: str, cell: str) -> None:
        world = World()
        world.put(Pawn(pawn), Cell(cell))
        known = world.registry()
        self._pawn = TagRecord(uid_of(pawn), RfModel().strengths(*SQUARE.centres[Cell(cell)]))
        self._host = Session("serial", TagRegistry(given=lambda board: known))
        self._now = 0.0
        self._scan = 0
        self._asked = self._host.opened("/dev/ttyACM0", self._now)
        self._say(
            HelloReply(
                1, 1, SQUARE.code, 6, 6, 26, int(Caps.UID | Caps.FOLLOW), bytes(8), 0x0101, 0
            )
        )

    def end(self, loops: int, *heard: str) -> list[dict[str, set[str]]]:
        """End the next scan that follows pawns, with the pawn if it is read; return where the host
        sees it then. Every other scan of the host finds nothing.
        """
        while (asked := self._next()) != Scan(PAWN_TAGS, FOLLOWED_LOOPS):
            assert isinstance(asked, Scan)
            self._end(asked.afi, asked.loops, ())
        return self._end(PAWN_TAGS, loops, (self._pawn,) if heard else ())

    def _next(self) -> object:
        while not self._asked:
            self._now += STEP
            self._asked = self._host.advance(self._now)
        (asked,) = requests(self._asked)
        return asked

    def _end(
        self, afi: int, loops: int, records: tuple[TagRecord, ...]
    ) -> list[dict[str, set[str]]]:
        self._scan += 1
        parts = [TagPart(1, self._scan, 0, records)] if records else []
        count = len(records)
        end = ScanEnd(1, self._scan, count, count, afi, loops, 390, 20, 0, 0, records_crc(records))
        return self._say(*parts, end)

    def _say(self, *messages: WireMessage) -> list[dict[str, set[str]]]:
        decoder = FrameDecoder()
        decoder.receive(self._asked)
        request = decoder.next_frame()
        assert request is not None
        response = b"".join(encode_frame(message.frame(request.seq)) for message in messages)
        self._asked = self._host.advance(self._now, response)
        return [standing(item) for item in self._host.events() if isinstance(item, Observation)]


def test_strangers_are_reported() -> None:
    """A tag that nobody registered is no pawn; the link names it, and its likeliest cell is the one
    where it lies, so that it can be registered.
    """
    wire = Wire("identity")
    wire.world.put(Pawn("X9"), Cell("B1"))
    wire.run(1.0)

    [stranger] = wire.host.link.unknown_tags
    poller = wire.host.poller
    assert isinstance(poller, TagPoller)
    places = {uid: place for uid, _, _, place in poller.decoder.sightings()}
    assert "B1" == places[stranger].near[0]
    assert "B1" not in (wire.seen[-1].pawns or {})


def test_nothing_before_two_snapshots_agree() -> None:
    """One snapshot alone is believed neither after opening nor after a restart."""
    wire = Wire()
    wire.run(0.02)
    snapshots = [Presence(wire.board.boot, bytes((bits, 0, 0, 0, 0))) for bits in (128, 64, 64)]
    observed = []
    for snapshot in snapshots:
        wire.feed(encode_frame(snapshot.frame(wire.host._tracker.seq)))
        observed.append(len(wire.seen))

    assert [0, 0, 1] == observed


@pytest.mark.parametrize("mask", ["mute", "echo", "modem"])
def test_not_our_board(mask: Mask) -> None:
    """A device that does not answer HELLO within 3 s is refused, and nothing but HELLO is ever
    written to it.
    """
    wire = Wire()
    wire.board.faults.mask = mask
    wire.run(4.0)

    assert ("refused", ["link.not_our_board"]) == (wire.host.link.state, wire.codes)
    assert {Hello(1)} == set(requests(b"".join(wire.written)))
    assert wire.host.over


@pytest.mark.parametrize(("firmware", "is_named"), [(FIRMWARE - 1, True), (FIRMWARE, False)])
def test_an_older_firmware_is_named_with_both_versions(firmware: int, is_named: bool) -> None:
    """A board of older firmware is used, and for a while the link names the command that updates
    it.
    """
    wire = Wire()
    wire.board.faults.firmware = firmware
    wire.run(1.0)

    assert "up" == wire.host.link.state
    assert is_named == ("link.older_firmware" in wire.codes)
    if wire.host.link.message is not None:
        versions = {"theirs": firmware_name(firmware), "ours": firmware_name(FIRMWARE)}
        assert versions == wire.host.link.message.params


def test_other_protocol() -> None:
    """A board of another protocol is refused, with both versions in the message."""
    wire = Wire()
    wire.board.faults.protocol = 2
    wire.run(1.0)
    message = wire.host.link.message

    assert message is not None
    assert ("refused", "link.other_protocol", {"ours": 1, "theirs": 2}) == (
        wire.host.link.state,
        message.code,
        message.params,
    )


def test_boot_is_not_waited_for() -> None:
    """A board that never sends BOOT is up as soon as it answers HELLO, even if it receives only the
    last one.
    """
    wire = Wire()
    wire.board.faults.silence = True
    wire.run(2.4)
    wire.board.faults.silence = False
    wire.run(0.3)

    assert "up" == wire.host.link.state


def test_one_request_at_a_time() -> None:
    """A request goes out again after 250 ms under the same number, three times in all, then a new
    one.
    """
    wire = Wire()
    wire.run(0.5)
    wire.board.faults.lost = 1.0
    start = len(wire.written)
    wire.run(1.2)
    decoder, seqs = FrameDecoder(), []
    decoder.receive(b"".join(wire.written[start:]))
    while (frame := decoder.next_frame()) is not None:
        seqs.append(frame.seq)

    assert [3, 3] == list(Counter(seqs).values())[:2] or 3 == Counter(seqs).most_common(1)[0][1]
    assert 2 <= wire.host.link.counters.retries


def test_silence() -> None:
    """A board that is silent for 3 s is called silent, and the port is given up so as to be opened
    again.
    """
    wire = Wire()
    wire.run(1.0)
    wire.board.faults.silence = True
    wire.run(2.7)
    before = wire.host.link.state
    wire.run(0.6)

    assert ("up", "silent") == (before, wire.host.link.state)
    assert ["link.silent"] == wire.codes[-1:] and wire.host.over


def test_known_board_stays_ours() -> None:
    """A board that answered before and is silent after reopening is not foreign; back, it is up
    again.
    """
    wire = Wire()
    wire.run(1.0)
    wire.board.faults.silence = True
    wire.reopen()
    wire.run(3.5)
    silent = wire.host.link
    wire.board.faults.silence = False
    wire.reopen()
    wire.run(0.5)

    assert ("silent", 1, "up", 2) == (
        silent.state,
        silent.generation,
        wire.host.link.state,
        wire.host.link.generation,
    )


@pytest.mark.parametrize(
    "cause, code", [(1, "link.reset"), (4, "link.brown_out"), (8, "link.watchdog")]
)
def test_restart(cause: int, code: str) -> None:
    """A restart is shown with its cause, begins a new generation, and is no longer shown after a
    while.
    """
    wire = Wire()
    wire.run(1.0)
    wire.board.reset(wire.now, cause)
    wire.run(0.5)
    restarted = wire.host.link
    wire.run(NOTICE_TIME)

    assert restarted.message is not None
    assert ("up", 2, code) == (restarted.state, restarted.generation, restarted.message.code)
    assert None is wire.host.link.message


CUTS = given(after=st.integers(0, 12), pace=st.sampled_from([0.0, 0.5]), wait=st.integers(0, 40))


@pytest.mark.slow
@CUTS
@settings(max_examples=15)
def test_reset_in_mid_frame(after: int, pace: float, wait: int) -> None:
    """Whatever byte a restart cuts a frame at, the part is dropped and the board is observed again,
    truly.
    """
    cut(after, pace, wait)


@pytest.mark.soak
@CUTS
@settings(max_examples=60)
def test_more_resets_in_mid_frame(after: int, pace: float, wait: int) -> None:
    """The same holds for four times as many restarts."""
    cut(after, pace, wait)


def cut(after: int, pace: float, wait: int) -> None:
    """Let a board restart after some bytes of a frame, and look at the table that is seen then."""
    wire = Wire("identity", {"H1a": "A1", "H1b": "C4"}, pace=pace)
    wire.run(1.0 + wait / 100)
    wire.board.faults.reset_after = after
    wire.world.put(Pawn("H1a"), Cell("D2"))
    wire.run(3.0)

    assert {"D2": {"H1a"}, "C4": {"H1b"}} == standing(wire.seen[-1])
    assert (2, 1) == (wire.host.link.generation, wire.host.link.counters.resets)


def test_restart_without_its_boot() -> None:
    """A restart whose BOOT was lost is noticed by the boot number of whatever comes next."""
    wire = Wire()
    wire.run(1.0)
    wire.board.reset(wire.now, 1)
    wire.board._out.clear()
    wire.run(0.6)

    assert 2 == wire.host.link.generation and "link.reset" in wire.codes


def test_another_board() -> None:
    """A board with another number than before is shown as another."""
    wire = Wire()
    wire.run(1.0)
    wire.board._board_id = b"another1"
    wire.reopen()
    wire.run(0.5)

    assert "link.other_board" == wire.codes[-1]


def test_an_overtaken_frame_is_ignored() -> None:
    """A fault that comes after a later frame of the board's own is not believed, nor one twice."""
    wire = Wire()
    wire.run(1.0)
    dip = BoardFault(wire.board.boot, BoardFault.SUPPLY, 9)
    wire.feed(encode_frame(CellEvent(wire.board.boot, 0, 1, 0).frame(60)))
    wire.feed(encode_frame(dip.frame(59)))
    assert "link.supply" not in wire.codes

    for _ in range(2):
        wire.feed(encode_frame(dip.frame(61)))
    assert 1 == wire.codes.count("link.supply")


def test_flicker_is_set_aside() -> None:
    """A cell that flickers is named unknown, is neither on nor off, and the other cells still
    work.
    """
    wire = Wire()
    wire.board.faults.flicker.add(SQUARE.cells.index(Cell("C3")))
    wire.run(15.0)
    wire.world.put(Pawn("H1a"), Cell("B2"))
    wire.run(0.2)
    last = wire.seen[-1]

    assert (cells("B2", "F1"), cells("C3")) == (last.occupied, last.unknown)


def test_flicker_that_ends() -> None:
    """A cell that has been calm for a minute is believed again."""
    wire = Wire()
    wire.board.faults.flicker.add(0)
    wire.run(15.0)
    wire.board.faults.flicker.clear()
    wire.run(61.0)

    assert (cells("A1", "F1"), cells()) == (wire.seen[-1].occupied, wire.seen[-1].unknown)


def test_set_aside_by_a_person() -> None:
    """A stuck cell that a person names is unknown until he takes it back."""
    wire = Wire()
    wire.board.faults.stuck[SQUARE.cells.index(Cell("E4"))] = True
    wire.host.flicker_filter.set_aside(frozenset({SQUARE.cells.index(Cell("E4"))}))
    wire.run(1.0)

    assert (cells("A1", "F1"), cells("E4")) == (wire.seen[-1].occupied, wire.seen[-1].unknown)


def test_broken_loop() -> None:
    """A broken row loop makes its row unknown and is shown."""
    wire = Wire("identity", {"H1a": "A1", "H1b": "C4"})
    wire.run(2.0)
    wire.board.fail(BoardFault.LOOP_OPEN, 0)
    wire.run(2.0)

    assert "link.loop_open" == wire.codes[-1]
    assert cells("A1", "B1", "C1", "D1", "E1", "F1") <= wire.seen[-1].unknown
    assert "C4" in (wire.seen[-1].pawns or {})


def test_silent_reader() -> None:
    """A board whose reader has failed is silent with its reason, stays open, and is up again once
    it is mended.
    """
    wire = Wire("identity")
    wire.run(2.0)
    wire.board.fail(BoardFault.READER_SILENT)
    wire.run(2.0)
    blind = wire.host.link
    wire.board.faults.reader_silent = False
    wire.run(6.0)

    assert blind.message is not None
    assert ("silent", "link.reader_silent", False) == (
        blind.state,
        blind.message.code,
        wire.host.over,
    )
    assert ("up", None) == (wire.host.link.state, wire.host.link.message)


def test_lost_event_costs_a_moment() -> None:
    """A change whose event was lost is seen at the next regular snapshot."""
    wire = Wire()
    wire.run(1.0)
    wire.board.faults.silence = True
    wire.world.put(Pawn("H1a"), Cell("B2"))
    wire.run(0.05)
    wire.board.faults.silence = False
    wire.run(0.8)

    assert cells("B2", "F1") == wire.seen[-1].occupied


def test_gap_is_counted() -> None:
    """A gap in the board's own counter is counted and leads to a snapshot."""
    wire = Wire()
    wire.run(1.5)
    wire.feed(encode_frame(CellEvent(wire.board.boot, 0, 1, 0).frame(90)))

    assert 1 == wire.host.link.counters.gaps


def test_unknown_type_is_counted() -> None:
    """A frame of a type that protocol 1 has not is counted and changes nothing."""
    wire = Wire()
    wire.run(1.0)
    links = len(wire.links)
    wire.feed(encode_frame(Frame(0xC0, 0, b"?")))

    assert (1, links) == (wire.host.link.counters.unknown, len(wire.links))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["presence", "identity"])
@pytest.mark.parametrize("fault", ["noise", "lost", "duplicated", "torn", "all"])
def test_bad_wire_lies_never(kind: str, fault: str) -> None:
    """On a bad wire the table is observed late or not at all, but never as it is not; then
    everything is seen.
    """
    wire = Wire(
        "identity" if kind == "identity" else "presence", {"H1a": "A1", "H1b": "C4"}, pace=0.0
    )
    faults = wire.board.faults
    for name in ("noise", "lost", "duplicated", "torn"):
        if fault in (name, "all"):
            setattr(faults, name, 0.005 if name == "noise" else 0.15)
    wire.run(30.0)
    seen = {(str(o.pawns), str(sorted(o.occupied or ()))) for o in wire.seen}
    faults.noise = faults.lost = faults.duplicated = faults.torn = 0.0
    if wire.host.over:
        wire.reopen()
    wire.run(8.0)

    assert len(seen) == 1
    assert "up" == wire.host.link.state


def test_what_is_scanned() -> None:
    """Pawns are scanned by 12 loops again and again; tokens and tiles by all, the tiles once."""
    wire = Wire("identity")
    wire.run(4.0)
    asked = Counter(
        request for request in requests(b"".join(wire.written)) if isinstance(request, Scan)
    )

    assert 1 == asked[Scan(0x71, 0)] and 1 == asked[Scan(0x73, 0)] and 50 < asked[Scan(0x72, 1)]


@given(st.lists(st.binary(max_size=80), max_size=20))
@settings(max_examples=200)
def test_any_bytes(chunks: list[bytes]) -> None:
    """Whatever a device sends, the host neither raises nor believes it to be our board."""
    wire = Wire()
    for chunk in chunks:
        wire.now += 0.2
        wire.feed(chunk)

    assert wire.host.link.state in ("searching", "refused")


@pytest.mark.slow
@given(
    st.lists(
        st.one_of(
            st.builds(Frame, st.integers(0x80, 255), st.integers(0, 255), st.binary(max_size=40))
        ),
        max_size=30,
    )
)
def test_any_frames(frames: list[Frame]) -> None:
    """Whatever well-formed frames a board that is up sends, the host does not raise."""
    wire = Wire("identity")
    wire.run(0.5)
    for frame in frames:
        wire.feed(encode_frame(frame))
    wire.feed(encode_frame(Boot(900, 1, 1).frame(0)))

    assert wire.host.link.counters.frames >= len(frames)


@pytest.mark.parametrize("rest", [0.1, 0.6, 0.75, 1.3])
def test_polled_when_a_change_has_rested(rest: float) -> None:
    """A presence board is polled as soon as a change has rested, early and long, not only in its
    turn, so that a pawn set down is accepted as early as possible; a table that rests is polled in
    its turn.
    """
    timing = Timing(rest=rest)
    wire = Wire(timing=timing)
    wire.run(2.0)
    wire.world.put(Pawn("H1a"), Cell("B1"))
    seen = len(wire.seen)
    wire.run(rest + 0.1)
    changed, *later = [
        observation.at for observation in wire.seen[seen:] if "B1" in (observation.occupied or ())
    ]
    for moment in (changed + EARLY_SHARE * rest, changed + rest):
        assert min(at for at in later if at >= moment) <= moment + 3 * STEP

    early = min(at for at in later if at >= changed + EARLY_SHARE * rest)
    gaps = [b - a for a, b in pairwise([at for at in later if early <= at < changed + rest])]
    assert all(gap >= timing.presence_every for gap in gaps)


def test_due() -> None:
    """While an answer is awaited nothing is due; else a presence board is polled at the given
    moment.
    """
    wire = Wire()
    wire.run(2.0)
    for _ in range(100):
        due = wire.host.due()
        wire.run(STEP)
        asked = bool(requests(wire.written[-1]))

        assert asked == (due == inf)


def test_a_pawn_between_two_cells_is_asked_for() -> None:
    """A pawn over a border is on neither cell: both are unknown, and it is named; put right, it is
    where it stands.
    """
    wire = Wire("identity")
    wire.run(2.0)
    wire.world.nudge("H1a", 30, 0)
    wire.run(2.0)
    seen = wire.seen[-1]
    doubt = seen.doubts[0]

    assert ("pawn", "H1a", {"A1", "B1"}) == (doubt.what, doubt.name, set(doubt.cells))
    assert {Cell("A1"), Cell("B1")} <= seen.unknown and "A1" not in (seen.pawns or {})
    wire.world.put(Pawn("H1a"), Cell("B1"))
    wire.run(2.0)
    assert () == wire.seen[-1].doubts
    assert {"H1a"} == set((wire.seen[-1].pawns or {})[Cell("B1")])


@pytest.mark.parametrize(("weak", "found", "doubts"), [(0.9, {"A1"}, 0), (0.75, set(), 1)])
def test_all_loops_are_scanned_where_those_over_the_cells_do_not_decide(
    weak: float, found: set[str], doubts: int
) -> None:
    """A pawn that the loops over rows and columns leave open is scanned on every loop once, not
    again and again; what these leave open too is asked.
    """
    deaf = [weak if loop in (0, 13) else 1.0 for loop in range(26)]
    wire = Wire("identity", field=RfModel(deaf))
    wire.world.nudge("H1a", 18, 5)
    wire.run(4.0)
    seen = wire.seen[-1]
    scans = [asked for asked in wire.asked if asked == Scan(PAWN_TAGS, ALL_LOOPS)]

    assert found == {cell for cell, pawns in (seen.pawns or {}).items() if "H1a" in pawns}
    assert doubts == len(seen.doubts)
    assert 1 == len(scans)


@pytest.mark.parametrize("kind", ["identity", "presence"])
def test_a_hexagonal_board(kind: BoardKind) -> None:
    """A board with 37 hexagons is understood, its cells are a1 to g7, and pawns are found on each
    of them.
    """
    world = World(geometry=HEXAGONAL)
    for number, cell in enumerate(HEXAGONAL.cells):
        world.put(Pawn(f"P{number}"), cell)
    wire = Wire(kind, world=world)
    wire.run(3.0)
    seen = wire.seen[-1]

    assert ("up", None) == (wire.host.link.state, wire.host.link.message)
    if kind == "presence":
        assert frozenset(HEXAGONAL.cells) == seen.occupied
    else:
        assert {cell: {f"P{n}"} for n, cell in enumerate(HEXAGONAL.cells)} == dict(seen.pawns or {})


def test_a_tile_put_right_is_seen_again() -> None:
    """A tile between two turns is in doubt, and looked at again by itself until it lies straight;
    then no more.
    """
    wire = Wire("identity")
    wire.world.put_tile(Cell("B2"), Tile(17, 0))
    wire.world.nudge("B2", 15, -6)
    wire.run(3.0)
    assert [("tile", "17", "turn")] == [
        (doubt.what, doubt.name, doubt.why) for doubt in wire.seen[-1].doubts
    ]

    wire.world.put_tile(Cell("B2"), Tile(17, 90))
    wire.run(8.0)
    assert ((), Tile(17, 90)) == (wire.seen[-1].doubts, (wire.seen[-1].tiles or {})[Cell("B2")])
    scans = len([asked for asked in wire.asked if asked == Scan(TILE_TAGS)])
    wire.run(8.0)
    assert scans == len([asked for asked in wire.asked if asked == Scan(TILE_TAGS)])
