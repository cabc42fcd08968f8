"""Strips at a Pi's own SPI pins: a model of the chain, read as a board by the host's session."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.placement import Cell
from companion.sensors.board_field import parse_field
from companion.sensors.serial import spi
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.session import Session
from companion.sensors.serial.spi import CONFIRM_AFTER, SpiDevice
from companion.sensors.serial.strips import MAX_STRIPS, StripBoard
from companion.sensors.tags.registry import TagRegistry
from tests.sensors.serial.host_events import HostEvents
from tests.sensors.serial.strip_chain import StripChain, StripDevice
from tests.sensors.serial.test_board import QUICK, Callbacks

FIELDS = ("6x6", "hex4")


class Reading(HostEvents):
    """A host that reads the strips in simulated time."""

    def __init__(self, chain: StripChain) -> None:
        super().__init__()
        self.chain = chain
        self.load, self.read = chain.device(spi.LOAD_DEVICE), chain.device(spi.CHAIN_DEVICE)
        self.board = StripBoard()
        self.host = Session("serial", TagRegistry())
        self.now = 0.0
        self.board.receive(self.host.port_opened("spi", self.now))

    def run(self, seconds: float) -> Reading:
        """Read the chain for some seconds."""
        self.say(seconds)
        return self

    def say(self, seconds: float) -> set[str]:
        """Read the chain for some seconds; return the lines of the board, without checksums."""
        said = b""
        for _ in range(round(seconds / CONFIRM_AFTER)):
            self.now += CONFIRM_AFTER
            self.load.write(b"\0")
            lines = self.board.step(self.read.read(MAX_STRIPS), self.now)
            self.board.receive(self.host.advance(self.now, lines))
            self.sort_events()
            said += lines
        return {line.partition("*")[0] for line in said.decode().splitlines()}

    @property
    def occupied(self) -> set[str]:
        """The cells of the last observation."""
        return set(self.observations[-1].occupied or ())

    @property
    def faults(self) -> list[str]:
        """What the host shows as wrong."""
        return list(self.host.link.faults)


def reading(field: str = "6x6", *cells: str) -> Reading:
    """Return a host that has read these cells."""
    chain = StripChain(field)
    chain.put(*cells)
    return Reading(chain).run(1)


@pytest.mark.parametrize("field", FIELDS)
def test_every_cell_is_read_by_its_name(field: str) -> None:
    """The number of strips gives the field; each cell alone, all and none are read."""
    named = parse_field(field)
    assert named is not None
    host = reading(field)
    assert ("up", frozenset(named.cells)) == (host.host.link.state, host.host.link.cells)
    for cells in ([], named.cells, *([cell] for cell in named.cells)):
        host.chain.put(*cells)
        host.run(0.1)
        assert set(cells) == host.occupied
    assert ([], 0) == (host.faults, host.host.link.counters.damaged)


def test_a_seventh_strip_that_is_plugged_in_later_makes_a_hexagon() -> None:
    """The field of six squares becomes the hexagon, and the greeting says so."""
    chain = StripChain("hex4")
    chain.plugged = 6
    host = Reading(chain).run(1)
    assert 36 == len(host.host.link.cells)
    chain.plugged = 7
    host.run(4)

    assert (37, []) == (len(host.host.link.cells), host.faults)


@pytest.mark.parametrize("plugged", [1, 3, 5])
def test_the_strips_before_an_open_plug_are_read(plugged: int) -> None:
    """A maker who plugs in one strip after the other sees the cells of each at once; the fault
    names the next one.
    """
    chain = StripChain()
    chain.plugged = plugged
    host = Reading(chain).run(1)
    chain.put("A1", f"B{plugged}", f"C{plugged + 1}")

    lines = host.say(0.1)

    assert f"!strip {plugged + 1}" in lines
    assert f"A1 B{plugged}" in lines


def test_a_contact_that_chatters_stops_no_other() -> None:
    """C2 closes in every second read and is never seen; another pawn's move counts within three
    reads.
    """
    host = reading("6x6", "A1")
    for at in range(100):
        host.chain.put("A1" if at < 50 else "D4", *(["C2"] if at % 2 else []))
        host.run(CONFIRM_AFTER)
        if at >= 52:
            assert {"D4"} == host.occupied
    assert {frozenset({"A1"}), frozenset({"D4"})} == {seen.occupied for seen in host.observations}


def test_a_dropped_read_confirms_nothing() -> None:
    """A slipped clock shows B1's pawn on A1; a bounce of A1 in the next read does not make it
    true.
    """
    host = reading("6x6", "B1")
    host.chain.slip = 1
    host.run(CONFIRM_AFTER)
    host.chain.slip = 0
    host.chain.put("A1", "B1")
    host.run(CONFIRM_AFTER)
    host.chain.put("B1")
    host.run(2)

    assert {frozenset({"B1"})} == {seen.occupied for seen in host.observations}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("idle", [0, 1])
def test_a_fallen_plug_is_named_and_no_pawn_is_lost_or_made(field: str, idle: int) -> None:
    """Each plug in turn: the first strip that is silent is the fault within 0.1 s, and nothing is
    observed until 2 s after it is back.
    """
    host = reading(field, "A1" if field == "6x6" else "a1")
    whole = host.chain.plugged
    host.chain.idle = idle
    for left in range(whole):
        host.chain.plugged = left
        host.run(0.1)
        host.clear_events()
        assert [f"strip {left + 1}"] == host.faults
        host.run(3)
        assert ("up", []) == (host.host.link.state, host.observations)
        host.chain.plugged = whole
        host.run(1.5)
        assert [] == host.observations
        host.run(1.5)
        assert ([], {"A1" if field == "6x6" else "a1"}) == (host.faults, host.occupied)


@pytest.mark.parametrize("slip", [-8, -7, -2, -1, 1, 2, 7, 8])
@pytest.mark.parametrize("seed", range(3))
def test_a_clock_that_slips_makes_no_pawn(slip: int, seed: int) -> None:
    """Clocks too many or too few shift all bits: whatever stands there is a fault, not observed."""
    squares = [f"{column}{row}" for column in "ABCDEF" for row in "123456"]
    host = reading("6x6", *Random(seed).sample(squares, 8))
    host.run(1)
    host.clear_events()
    host.chain.slip = slip
    host.run(3)

    assert host.faults and [] == host.observations


def test_a_strip_without_its_clock_is_a_fault() -> None:
    """It repeats one bit, also where a pawn stands on its first cell."""
    for cells in ((), ("A3",), ("F3",)):
        host = reading("6x6", *cells)
        host.clear_events()
        host.chain.dead_clock = 3
        host.run(3)
        assert (["strip 3"], []) == (host.faults, host.observations)


def test_a_single_wrong_read_is_dropped() -> None:
    """One read in a second with a slipped clock is no fault and changes nothing."""
    host = reading("6x6", "B2")
    for _ in range(10):
        host.chain.slip = 3
        host.run(CONFIRM_AFTER)
        host.chain.slip = 0
        host.run(1)
    assert {frozenset({Cell("B2")})} == {seen.occupied for seen in host.observations}
    assert [] == host.faults


def test_an_unsteady_plug_is_a_fault_though_half_of_its_reads_are_right() -> None:
    """Every second read wrong is a fault, not a board that seems well."""
    host = reading("6x6", "B2")
    for at in range(50):
        host.chain.plugged = 6 if at % 2 else 3
        host.run(CONFIRM_AFTER)
    assert ["strip 4"] == host.faults


# The real thread and the kernel's interface


@pytest.fixture
def chain(monkeypatch: pytest.MonkeyPatch) -> StripChain:
    """A chain behind the devices that the program opens."""
    wired = StripChain()
    monkeypatch.setattr(spi, "SpiDevice", wired.device)
    return wired


@pytest.fixture
def seen() -> Callbacks:
    """What the board reports."""
    return Callbacks()


@pytest.fixture
def board(seen: Callbacks) -> Iterator[SerialBoard]:
    """A board on the strips, which a test starts."""
    serial_board = SerialBoard(
        "spi",
        monotonic=time.monotonic,
        on_observation=seen.observe,
        on_link=seen.link,
        timing=QUICK,
    )
    yield serial_board
    serial_board.close()


def test_the_boards_thread_reads_the_strips(
    chain: StripChain, seen: Callbacks, board: SerialBoard
) -> None:
    """Like any board: observations, a fault in words, a lost device; lamps disturb nothing."""
    chain.put("A1", "F6")
    board.start()
    seen.until_occupied("A1", "F6")
    board.show_lamps("white A1")
    chain.put("A1")
    seen.until_occupied("A1")
    chain.plugged = 2
    seen.until_message("link.fault")
    chain.error = OSError(5, "Input/output error")
    seen.until_message("link.unplugged")
    chain.error, chain.plugged = None, 6
    chain.put("C3")
    seen.until_occupied("C3")
    assert "spi" == board.link.port


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (FileNotFoundError(2, "No such file"), "link.no_spi"),
        (PermissionError(13, "Permission denied"), "link.forbidden"),
        (BlockingIOError(11, "Resource temporarily unavailable"), "link.busy"),
    ],
)
def test_strips_that_cannot_be_opened_say_why(
    monkeypatch: pytest.MonkeyPatch,
    seen: Callbacks,
    board: SerialBoard,
    wrong: OSError,
    code: str,
) -> None:
    """SPI is off, the user is not in its group, or another program has it."""

    def refuse(path: Path) -> SpiDevice:
        raise wrong

    monkeypatch.setattr(spi, "SpiDevice", refuse)
    board.start()
    seen.until_message(code)


def test_a_device_is_set_to_mode_0_and_belongs_to_one_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two calls of linux/spi/spidev.h are made; a second opening is refused, and a device that
    is none is closed again.
    """
    device = tmp_path / "spidev0.0"
    device.write_bytes(b"\xfe" * 7)
    with pytest.raises(OSError, match="ioctl"):
        SpiDevice(device)
    calls: list[object] = []
    monkeypatch.setattr("fcntl.ioctl", lambda _, *call: calls.append(call))
    first = SpiDevice(device)
    with pytest.raises(BlockingIOError):
        SpiDevice(device)

    assert [(0x40016B01, b"\0"), (0x40046B04, (500_000).to_bytes(4, "little"))] == calls
    assert b"\xfe" * 7 == first.read(7)
    first.close()
    SpiDevice(device).close()


def test_both_devices_are_free_again_after_a_failure(
    chain: StripChain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the second device cannot be opened, the first is closed."""
    opened: list[StripDevice] = []

    def one(path: Path) -> StripDevice:
        if opened:
            raise FileNotFoundError(2, "No such file")
        opened.append(chain.device(path))
        return opened[0]

    monkeypatch.setattr(spi, "SpiDevice", one)
    with pytest.raises(FileNotFoundError):
        spi.open_spi()
    assert [True] == [device.closed for device in opened]


def test_board_test_reads_the_strips(chain: StripChain, monkeypatch: pytest.MonkeyPatch) -> None:
    """`companion board-test --port spi` passes all stages, each cell closed and opened."""
    monkeypatch.setattr("companion.doctor.board_test.FAULT_FREE_TIME", 0.1)
    cells = iter([f"{column}{row}" for row in "123456" for column in "ABCDEF"])
    load = chain.load

    def load_and_move() -> None:
        load()
        if chain.transfers > 20 and chain.transfers % 8 == 1:
            chain.put(*([] if chain.occupied else [next(cells, "")]))

    monkeypatch.setattr(chain, "load", load_and_move)
    for name in ("READ_EVERY", "CONFIRM_AFTER"):
        monkeypatch.setattr(spi, name, 0.001)
    result = CliRunner().invoke(main, ["board-test", "--port", "spi"])

    assert 0 == result.exit_code, result.output
    assert "3 done: all 36 cells" in result.output
