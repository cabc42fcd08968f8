"""The session on a perfect line in simulated time, then on bad ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.placement import Cell, Pawn
from companion.sensors.board_field import parse_field
from companion.sensors.debounce import EARLY_SHARE
from companion.sensors.link import Timing
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.session import TORN_LINES, Session
from companion.sensors.tags.registry import TagRegistry, Uid
from companion.sim.table_model import World
from companion.sim.virtual_board import BoardKind, Mask
from tests.sensors.serial.connection import Connection
from tests.sensors.serial.host_events import HostEvents


def cells(*names: str) -> frozenset[Cell]:
    """Return cells by name."""
    return frozenset(map(Cell, names))


def pawns(**by_cell: str) -> dict[Cell, frozenset[Pawn]]:
    """Return one pawn a cell: `A1="H1a"`."""
    return {Cell(cell): frozenset({Pawn(pawn)}) for cell, pawn in by_cell.items()}


class Wire(HostEvents):
    """A host that receives typed lines."""

    def __init__(
        self, *lines: str, timing: Timing | None = None, programs: tuple[str, ...] = ()
    ) -> None:
        super().__init__()
        self.host = Session("serial", TagRegistry(), timing, lambda port: programs)
        self.now = 0.0
        self.host.port_opened("/dev/ttyACM0", 0.0)
        self.say(*lines)

    def say(self, *lines: str, after: float = 0.1) -> bytes:
        """Send lines, each some time after the one before; return what the host wrote."""
        out = b""
        for line in lines:
            self.now += after
            out += self.host.advance(self.now, line.encode() + b"\n")
            self.sort_events()
        return out

    def wait(self, seconds: float) -> None:
        """Let time pass without a line, and wake the host whenever it is due."""
        until = self.now + seconds
        while (due := self.host.due()) <= until and not self.host.over:
            self.now = max(self.now, due)
            self.host.advance(self.now)
            self.sort_events()
        self.now = until
        self.host.advance(self.now)
        self.sort_events()

    @property
    def occupied(self) -> frozenset[Cell] | None:
        """The occupied cells of the last observation."""
        return self.observations[-1].occupied if self.observations else None


def test_a_move_is_seen_at_once() -> None:
    """A state counts as soon as two lines agree: 5 ms after a pawn moved."""
    connection = Connection()
    connection.run(1.0)
    assert ("up", "6x6", 36) == (
        connection.host.link.state,
        "6x6",
        len(connection.host.link.cells),
    )
    connection.world.put(Pawn("H1a"), Cell("B1"))
    connection.run(0.03)

    assert cells("B1", "F1") == connection.observations[-1].occupied


def test_one_line_alone_is_no_state() -> None:
    """A state that no second line confirms never counts, also not between two others."""
    wire = Wire("A1", "A1", "B1", "A1", "B1")
    assert cells("A1") == wire.occupied
    wire.say("B1")
    assert cells("B1") == wire.occupied


def test_a_board_that_never_greets_plays() -> None:
    """A loop of scan, print, wait is a board: it is up with its second line, and its cells are
    what it sends.
    """
    wire = Wire("d4 e5", "e5 d4")

    assert ("up", frozenset()) == (wire.host.link.state, wire.host.link.cells)
    assert cells("d4", "e5") == wire.occupied


def test_the_greetings_field_names_the_cells() -> None:
    """After a greeting the case of letters does not matter, and a cell beside the field is damage,
    not a pawn.
    """
    wire = Wire("#board 1 hex4", "D4", "D4")
    assert cells("d4") == wire.occupied
    wire.say("D4 H9", "D4 H9")

    assert cells("d4") == wire.occupied and 2 == wire.host.link.counters.damaged


@pytest.mark.parametrize("rest", [0.2, 0.75])
def test_a_change_is_reported_again_when_it_has_rested(rest: float) -> None:
    """An equal observation comes at the moment at which a move may count early, and once the
    change has rested and the board has said so since; between, none.
    """
    wire = Wire("A1", "A1", timing=Timing(rest=rest))
    wire.wait(0.05)
    wire.say("B1", "B1", after=0.005)
    changed = wire.now
    wire.clear_events()
    wire.wait(EARLY_SHARE * rest + 0.001)
    assert [changed + EARLY_SHARE * rest] == [pytest.approx(o.at) for o in wire.observations]
    wire.wait(0.8 - (wire.now - changed))
    assert 1 == len(wire.observations)
    wire.say("B1", after=0.0)

    assert 2 == len(wire.observations)


def test_a_quick_board_is_not_passed_on_line_by_line() -> None:
    """A board that sends a thousand lines a second makes a few observations of them."""
    wire = Wire("A1", "A1")
    wire.say(*["A1"] * 1000, after=0.001)

    assert 8 > len(wire.observations)


def test_pieces_have_names_by_their_tags() -> None:
    """Pawns, tokens and tiles are named by cell; a new tag makes its cell unknown and is asked
    about; a kind without a registered tag is not reported.
    """
    wire = Wire()
    registry = TagRegistry()
    for uid, thing in (("AA01", "pawn:H1a"), ("AA02", "token:bullet")):
        registry.register(Uid(uid), thing)
    wire.host = Session("serial", registry)
    wire.host.port_opened("/dev/x", 0.0)
    wire.say(*["A1=AA01 A1=AA02 B2=AA02 C3=AA03 D4"] * 2)
    seen = wire.observations[-1]

    assert (pawns(A1="H1a"), cells("C3", "D4"), None) == (seen.pawns, seen.unknown, seen.tiles)
    assert {"A1": {"bullet": 1}, "B2": {"bullet": 1}} == seen.tokens
    assert {("C3",), ("D4",)} == {ambiguity.cells for ambiguity in seen.ambiguities}

    registry.register(Uid("AA03"), "tile:17")
    wire.host.reload_registry(wire.now)
    wire.sort_events()
    assert wire.observations[-1].tiles is not None
    assert 17 == wire.observations[-1].tiles[Cell("C3")].number


def test_a_pawn_on_two_cells_is_asked_about() -> None:
    """One tag on two cells: neither has the pawn, and people are asked which."""
    connection = Connection("tags", {"H1a": "A1", "H1b": "F1"})
    connection.run(1.0)
    uid = next(uid for cell, uid in connection.world.tags() if cell == "A1")
    for _ in range(2):
        connection.feed(f"A1={uid} B1={uid}\n".encode())
    # The virtual board sends checksums: lines without one no longer count.
    assert pawns(A1="H1a", F1="H1b") == connection.observations[-1].pawns
    wire = Wire()
    registry = TagRegistry()
    registry.register(Uid("AA01"), "pawn:H1a")
    wire.host = Session("serial", registry)
    wire.host.port_opened("/dev/x", 0.0)
    wire.say(*["A1=AA01 B1=AA01"] * 2)

    assert (pawns(), cells("A1", "B1")) == (
        wire.observations[-1].pawns,
        wire.observations[-1].unknown,
    )
    assert "H1a" == wire.observations[-1].ambiguities[0].name


def test_a_tagged_piece_in_passing_is_not_there() -> None:
    """A named pawn's observation is repeated only when it has rested: a pawn that is pushed over
    a cell is not seen there twice.
    """
    connection = Connection("tags", {"H1a": "A1"})
    connection.run(2.0)
    connection.clear_events()
    for column in "BCDE":
        connection.world.put(Pawn("H1a"), Cell(f"{column}1"))
        connection.run(0.3)
    cells = [next(iter(seen.pawns or ())) for seen in connection.observations]
    assert ["B1", "C1", "D1", "E1"] == cells
    connection.run(1.0)
    assert ["E1", "E1"] == [next(iter(seen.pawns or ())) for seen in connection.observations[3:5]]


def test_a_board_with_checksums_is_held_to_them() -> None:
    """Once two states with a checksum agreed, one without is a torn line, not a state; a board
    that never sends one is believed.
    """
    wire = Wire("A1*70", "A1*70", "B1", "B1")
    assert (cells("A1"), 2) == (wire.occupied, wire.host.link.counters.damaged)
    wire.host.port_closed(None)
    wire.host.port_opened("/dev/ttyACM0", wire.now)
    wire.say("B1", "B1")

    assert cells("B1") == wire.occupied


def test_torn_lines_far_apart_are_a_plugs_noise() -> None:
    """As many damaged lines over more than ten seconds are no reason to look."""
    wire = Wire("A1*70", "A1*70")
    for number in range(TORN_LINES):
        wire.host.advance(wire.now + 3.0 * number, b"A1*71\nA1*70\n")

    assert wire.host.link.message is None


@pytest.mark.parametrize(("programs", "code"), [(("brltty",), "link.shared"), ((), "link.torn")])
def test_torn_lines_are_reported(programs: tuple[str, ...], code: str) -> None:
    """Several damaged lines in a row mean a bad cable or a second reader; the host looks, and
    people are told, with the program's name if it can be had.
    """
    wire = Wire("A1*70", "A1*70", programs=programs)
    for _ in range(TORN_LINES - 1):
        wire.host.advance(wire.now, b"A1*71\n")
    assert wire.host.link.message is None
    wire.host.advance(wire.now, b"A1*71\n")

    message = wire.host.link.message
    assert message is not None
    named = {"program": "brltty"} if programs else {}
    assert (code, {"port": "/dev/ttyACM0"} | named) == (message.code, message.params)


def test_a_fault_is_shown_and_nothing_is_read() -> None:
    """While a board reports a fault nothing that it says counts; 2 s without the fault end it,
    and then two lines must agree again.
    """
    wire = Wire("A1", "A1", "!strip 3", "B1", "B1", "B1")
    assert cells("A1") == wire.occupied
    assert wire.host.link.message is not None
    assert ("link.fault", ("strip 3",)) == (wire.host.link.message.code, wire.host.link.faults)
    wire.say(*["B1"] * 24)

    assert () == wire.host.link.faults and cells("B1") == wire.occupied
    assert wire.codes[-1] is None


def test_a_board_that_is_at_fault_from_the_start() -> None:
    """It is up and its fault is shown; nothing is observed."""
    wire = Wire(*["!strip 1", "-"] * 3)

    assert ("up", "link.fault", None) == (wire.host.link.state, wire.codes[-1], wire.occupied)


def test_lamps_are_sent_again_after_each_greeting() -> None:
    """The present line of lamps follows each greeting, so that a board that restarts has it; a
    device that has not greeted gets none.
    """
    wire = Wire("#board 1 6x6", "A1", "A1")
    assert b"*white A1\n" == wire.host.show_lamps("white A1")
    assert b"*white A1\n" == wire.say("#board 1 6x6")
    wire.host.port_closed(None)
    assert b"" == wire.host.show_lamps("teal B2")
    wire.host.port_opened("/dev/ttyACM0", wire.now)
    assert b"" == wire.host.show_lamps("teal B2")

    assert b"*teal B2\n" == wire.say("#board 1 6x6")


def test_silence_is_shown_within_a_second_and_ends() -> None:
    """A board that sends nothing is silent, is asked, and is used again with its next state; what
    it said before counts no more.
    """
    wire = Wire("#board 1 6x6", "A1", "A1")
    wire.wait(0.95)
    assert ("silent", "link.silent", 1) == (
        wire.host.link.state, wire.codes[-1], wire.host.link.counters.silences,
    )  # fmt: skip
    wire.say("A1")
    assert "silent" == wire.host.link.state
    wire.say("#board 1 6x6", "A1")

    assert ("up", 2, 0) == (
        wire.host.link.state, wire.host.link.generation, wire.host.link.counters.resets,
    )  # fmt: skip


def test_lines_that_say_nothing_are_not_a_board() -> None:
    """A line on which no state can be read is shown as such, though it is not silent."""
    wire = Wire("A1", "A1")
    wire.say(*["A1 B"] * 40)

    assert ("silent", "link.unreadable") == (wire.host.link.state, wire.codes[-1])


def test_a_restart_is_told_and_only_compared() -> None:
    """A greeting that was not asked for is a restart: people are told, and the generation says
    that nothing may be acted on before table and game agree. The notice passes.
    """
    wire = Wire("#board 1 6x6", "A1", "A1")
    wire.say(*["A1"] * 40)
    generation = wire.host.link.generation
    wire.say("#board 1 6x6", "A1", "A1")

    assert ("up", generation + 1, 1) == (
        wire.host.link.state, wire.host.link.generation, wire.host.link.counters.resets,
    )  # fmt: skip
    assert "link.reset" == wire.codes[-1]
    wire.say(*["A1"] * 110)
    assert wire.host.link.message is None


def test_another_board() -> None:
    """Another board than before is named as such."""
    wire = Wire("#board 1 6x6 id=1", "A1", "A1")
    wire.host.port_closed(None)
    wire.host.port_opened("/dev/ttyACM0", wire.now)
    wire.say("#board 1 6x6 id=2", "A1", "A1")

    assert "link.other_board" == wire.codes[-1]


def test_a_closed_ports_notice_is_not_the_next_boards() -> None:
    """What a greeting told ends with its port, also of a board that never came up."""
    wire = Wire("#board 1 6x6 id=1", "A1", "A1")
    wire.host.port_closed(None)
    wire.host.port_opened("/dev/ttyACM0", wire.now)
    wire.say("#board 1 6x6 id=2")
    wire.host.port_closed(None)
    wire.host.port_opened("/dev/ttyACM1", wire.now)
    wire.say("A1", "A1")

    assert ("up", None) == (wire.host.link.state, wire.host.link.message)


@pytest.mark.parametrize(
    "words, is_named",
    [("kind=companion-nano fw=1.9", True), (f"kind=companion-nano fw={FIRMWARE}", False),
     ("kind=companion-nano fw=2.10", False), ("kind=mat fw=0.1", False), ("fw=0.1", False)],
)  # fmt: skip
def test_only_our_own_firmware_is_compared(words: str, is_named: bool) -> None:
    """Our Nano's older firmware is named with both versions; another board's version is its own."""
    wire = Wire(f"#board 1 6x6 {words}", "A1", "A1")

    assert is_named == (wire.codes[-1] == "link.older_firmware")


def test_another_version_of_the_wire() -> None:
    """A board with another version of the wire is refused with both numbers."""
    wire = Wire("#board 2 6x6")
    message = wire.host.link.message

    assert message is not None and wire.host.over
    assert ("refused", "link.other_protocol", {"ours": 1, "theirs": 2}) == (
        wire.host.link.state, message.code, message.params,
    )  # fmt: skip


@pytest.mark.parametrize("mask", ["mute", "echo", "modem"])
def test_no_board(mask: Mask) -> None:
    """Silent devices, echoes and modems are no board; they are only ever asked."""
    connection = Connection()
    connection.board.faults.mask = mask
    connection.run(4.0)

    assert ("refused", "link.not_our_board") == (connection.host.link.state, connection.codes[-1])
    assert {b"", b"?\n"} == set(connection.written)


def test_another_speed() -> None:
    """A board at another speed is no board; one that changes its speed is unreadable, not
    silent, and is used again at the right one.
    """
    connection = Connection()
    connection.run(1.0)
    connection.board.faults.baud = True
    connection.run(3.5)
    assert ("silent", "link.unreadable") == (connection.host.link.state, connection.codes[-1])
    connection.board.faults.baud = False
    connection.run(1.0)

    assert "up" == connection.host.link.state


def test_a_known_board_stays_ours() -> None:
    """A board that was up is silent, not foreign, when it does not answer after replugging."""
    connection = Connection()
    connection.run(1.0)
    connection.board.faults.mask = "mute"
    connection.reopen()
    connection.run(4.0)

    assert ("silent", "link.silent") == (connection.host.link.state, connection.codes[-1])


def test_flicker_is_set_aside_and_trusted_again() -> None:
    """A flickering cell is unknown, the others are read on; after a calm minute it counts again."""
    connection = Connection()
    connection.board.faults.flicker = {Cell("C3")}
    connection.run(20.0)
    connection.world.put(Pawn("H1a"), Cell("B1"))
    connection.run(1.0)
    seen = connection.observations[-1]
    assert (cells("B1", "F1"), cells("C3")) == (seen.occupied, seen.unknown)
    connection.board.faults.flicker = set()
    connection.run(61.0)

    assert cells() == connection.observations[-1].unknown


@pytest.mark.parametrize("kind", ["presence", "tags"])
@pytest.mark.parametrize("fault", ["noise", "stolen", "lost", "duplicated", "torn"])
def test_a_bad_line_never_lies(kind: BoardKind, fault: str) -> None:
    """On a bad line nothing is reported that did not stand on the table, and play goes on."""
    connection = Connection(kind, {"H1a": "A1", "H1b": "F1"})
    setattr(connection.board.faults, fault, 0.02 if fault in ("noise", "stolen") else 0.1)
    stood: set[frozenset[Cell]] = {connection.world.occupied()}
    for cell in ("A2", "B2", "C2", "D2", "E2", "F2"):
        connection.world.put(Pawn("H1a"), Cell(cell))
        stood.add(connection.world.occupied())
        connection.run(3.0)

    assert connection.observations
    for seen in connection.observations:
        assert (seen.occupied if seen.pawns is None else frozenset(seen.pawns)) in stood


def test_a_hexagonal_board() -> None:
    """Hexagons are read like squares."""
    field = parse_field("hex4")
    assert field is not None
    connection = Connection(world=World([Pawn("X")], field=field))
    connection.world.put(Pawn("X"), Cell("g7"))
    connection.run(1.0)

    assert (cells("g7"), 37) == (
        connection.observations[-1].occupied,
        len(connection.host.link.cells),
    )


@given(st.lists(st.one_of(st.binary(max_size=200), st.sampled_from(
    [b"A1*70\n", b"A1\n", b"#board 1 6x6\n", b"!x\n", b"+b\n", b"#board 9\n", b"-\n"]
))))  # fmt: skip
def test_any_bytes(chunks: list[bytes]) -> None:
    """No bytes raise, and nothing grows."""
    wire = Wire()
    for chunk in chunks:
        wire.now += 0.05
        if wire.host.over:
            wire.host.port_opened("/dev/x", wire.now)
        wire.host.advance(wire.now, chunk)
        wire.host.events()
    assert len(wire.host.traces) <= 32
