"""The board's real thread over a real pseudo-terminal, against the virtual board and each of its
faults.

Nothing is timed: tests wait for the result, with a timeout for a slow machine.
"""

from __future__ import annotations

import gc
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from threading import Condition

import pytest
import serial
from msgspec.structs import replace

from companion.core.placement import Cell, Pawn
from companion.sensors import sensor_source
from companion.sensors.link import Link, Timing
from companion.sensors.observation import Observation
from companion.sensors.serial.board import MAX_TRIES, SerialBoard
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.ports import ConfirmedDevices, Port, open_port, programs_with
from companion.sensors.tags.registry import TagRegistry
from companion.sim.commands import run_command
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import BoardKind, VirtualBoard
from tests.helpers.repetitions import soak
from tests.helpers.usb import PRINTER, know_usb

TIMEOUT = 60.0
QUICK = Timing(ask_every=0.05, ask_for=1.2, silent=3.0, reopen_first=0.02, reopen_most=0.1)


@dataclass
class Callbacks:
    """The board's callbacks, with a way to wait for more."""

    observations: list[Observation] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    changed: Condition = field(default_factory=Condition)

    def observe(self, observation: Observation) -> None:
        with self.changed:
            self.observations.append(observation)
            self.changed.notify_all()

    def link(self, link: Link) -> None:
        with self.changed:
            self.links.append(link)
            self.changed.notify_all()

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds; fail on a timeout."""
        with self.changed:
            assert self.changed.wait_for(condition, TIMEOUT), (
                self.links[-3:],
                self.observations[-2:],
            )

    def until_state(self, state: str) -> None:
        """Wait until the link's last state is this one."""
        self.until(lambda: bool(self.links) and self.links[-1].state == state)

    def until_pawns_on(self, *cells: str) -> None:
        """Wait until exactly these cells are seen with pawns, named or not."""

        def cells_of(observation: Observation) -> set[str]:
            return {cell for cell, pawns in (observation.pawns or {}).items() if pawns} or set(
                observation.occupied or ()
            )

        self.until(
            lambda: bool(self.observations) and cells_of(self.observations[-1]) == set(cells)
        )

    def until_occupied(self, *cells: str) -> None:
        """Wait until exactly these cells are seen occupied."""
        self.until(
            lambda: (
                bool(self.observations)
                and self.observations[-1].occupied == frozenset(map(Cell, cells))
            )
        )

    def until_message(self, code: str) -> None:
        """Wait until the link has this message."""
        self.until(
            lambda: any(
                link.message is not None and link.message.code == code for link in self.links
            )
        )


class HostTime:
    """Real time, until `hold`; from then a tenth of its speed, so that the board of a loaded
    machine answers within the host's timeouts.
    """

    def __init__(self) -> None:
        self._held: float | None = None

    def hold(self) -> None:
        self._held = time.monotonic()

    def __call__(self) -> float:
        now = time.monotonic()
        return now if self._held is None else self._held + (now - self._held) / 10


class Bench:
    """A virtual board on a pseudo-terminal, and a serial board that opens it."""

    def __init__(self, folder: Path, kind: BoardKind = "presence", timing: Timing = QUICK) -> None:
        self.world = World()
        for pawn, cell in (("H1a", "A1"), ("H1b", "F1")):
            self.world.put(Pawn(pawn), Cell(cell))
        self.callbacks = Callbacks()
        self._kind, self._path, self._timing = kind, folder / "board", timing

    @cached_property
    def terminal(self) -> PseudoTerminal:
        """The virtual board's port, which a test opens and closes."""
        return PseudoTerminal(VirtualBoard(self._kind, self.world), time.monotonic, self._path)

    @cached_property
    def board(self) -> SerialBoard:
        """The board at the virtual one's port, which a test starts and closes."""
        return self.listen(str(self._path), self._timing)

    def listen(
        self,
        address: str,
        timing: Timing = QUICK,
        devices: Path = Path("/dev"),
        monotonic: Callable[[], float] = time.monotonic,
        confirmed: ConfirmedDevices | None = None,
    ) -> SerialBoard:
        """Start a serial board with this bench's callbacks."""
        return SerialBoard(
            address,
            monotonic=monotonic,
            on_observation=self.callbacks.observe,
            on_link=self.callbacks.link,
            registry=TagRegistry(built_in=lambda board: self.world.registry()),
            timing=timing,
            devices=devices,
            confirmed=confirmed,
        )

    def do(self, *lines: str) -> None:
        """Run commands on the virtual table."""
        for line in lines:
            assert "ok" == run_command(self.terminal, line)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def until(condition: Callable[[], object]) -> None:
    """Wait until a condition without a callback holds."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def running(stack: ExitStack, bench: Bench) -> Bench:
    """Start both ends; both are closed when the test ends."""
    stack.enter_context(bench.terminal)
    bench.board.start()
    stack.callback(bench.board.close)
    return bench


def test_presence_over_the_wire(stack: ExitStack, tmp_path: Path) -> None:
    """A change on the virtual table is observed through the real port."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_occupied("A1", "F1")
    bench.do("move H1a B2")
    bench.callbacks.until_occupied("B2", "F1")
    link = bench.board.link

    assert ("up", str(tmp_path / "board"), FIRMWARE, 1) == (
        link.state,
        link.port,
        link.firmware,
        link.generation,
    )
    assert {"presence"} == link.caps


def test_tags_over_the_wire(stack: ExitStack, tmp_path: Path) -> None:
    """Pawns, tokens and tiles are observed by name through the real port."""
    bench = running(stack, Bench(tmp_path, "tags"))
    bench.callbacks.until(lambda: bool(bench.callbacks.observations))
    bench.do("token D3 bullet", "tile C3 17", "move H1a F1")
    bench.callbacks.until(
        lambda: (
            bool(bench.callbacks.observations)
            and str(bench.callbacks.observations[-1].tokens) == "{'D3': Counter({'bullet': 1})}"
            and str(bench.callbacks.observations[-1].tiles) == "{'C3': Tile(number=17, turn=None)}"
            and bench.callbacks.observations[-1].pawns
            == {Cell("F1"): frozenset({Pawn("H1a"), Pawn("H1b")})}
        )
    )


def test_diagnosis(stack: ExitStack, tmp_path: Path) -> None:
    """The diagnosis shows the board's raw data."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_occupied("A1", "F1")
    diagnosis = bench.board.diagnosis()

    assert [("A1", ""), ("F1", "")] == list(diagnosis.pieces) and 36 == len(diagnosis.cells)
    assert diagnosis.traces and "up" == diagnosis.link.state


@pytest.mark.parametrize("fault", ["noise 0.005", "stolen 0.01", "duplicated on", "torn on"])
def test_bad_wire(stack: ExitStack, tmp_path: Path, fault: str) -> None:
    """On a bad line a move is still observed in the end, and nothing false is."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_occupied("A1", "F1")
    bench.do(f"fault {fault}", "move H1a B2")
    bench.callbacks.until_occupied("B2", "F1")
    expected = {frozenset(map(Cell, cells)) for cells in (("A1", "F1"), ("B2", "F1"))}

    assert expected == {observation.occupied for observation in bench.callbacks.observations}


@pytest.mark.slow
def test_silence(stack: ExitStack, tmp_path: Path) -> None:
    """A silent board is reported as silent, and is back once it sends again."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_state("up")
    bench.do("fault silence on")
    bench.callbacks.until_message("link.silent")
    bench.do("fault silence off")
    bench.callbacks.until_state("up")

    assert "silent" in [link.state for link in bench.callbacks.links]
    assert 2 <= bench.board.link.generation


def test_lamps_over_the_wire(stack: ExitStack, tmp_path: Path) -> None:
    """A line of lamps reaches the board, and again after it restarted."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_occupied("A1", "F1")
    bench.board.show_lamps("white A1 teal B3")
    until(
        lambda: bench.terminal.do(lambda board, now: board.lamps()) == {"A1": "white", "B3": "teal"}
    )
    bench.do("reset")
    until(
        lambda: bench.terminal.do(lambda board, now: board.lamps()) == {"A1": "white", "B3": "teal"}
    )


def test_wrong_protocol_then_updated(stack: ExitStack, tmp_path: Path) -> None:
    """A board with another protocol is refused; after an update it is used."""
    bench = Bench(tmp_path)
    stack.enter_context(bench.terminal)
    bench.do("fault protocol 9")
    bench.board.start()
    stack.callback(bench.board.close)
    bench.callbacks.until_message("link.other_protocol")
    bench.do("fault protocol off")
    bench.callbacks.until_occupied("A1", "F1")


def test_no_such_port(stack: ExitStack, tmp_path: Path) -> None:
    """A missing port is searched for, and used when it appears."""
    bench = Bench(tmp_path)
    bench.board.start()
    stack.callback(bench.board.close)
    bench.callbacks.until_message("link.absent")
    stack.enter_context(bench.terminal)
    bench.callbacks.until_occupied("A1", "F1")


def test_exclusive(stack: ExitStack, tmp_path: Path) -> None:
    """A second program cannot open the port; its message is that the port is busy."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_state("up")
    with pytest.raises(serial.SerialException):
        serial.Serial(str(tmp_path / "board"), exclusive=True)
    other = bench.listen(str(tmp_path / "board"))
    other.start()
    stack.callback(other.close)
    bench.callbacks.until_message("link.busy")


@pytest.mark.slow
def test_auto_asks_strangers_once(stack: ExitStack, tmp_path: Path) -> None:
    """ "auto" finds the board among other devices by asking, stable names first."""
    bench, host_time = Bench(tmp_path), HostTime()
    devices = tmp_path / "dev"
    (devices / "serial" / "by-id").mkdir(parents=True)
    foreign = VirtualBoard("presence", World())
    foreign.faults.mask = "modem"
    stack.enter_context(PseudoTerminal(foreign, time.monotonic, know_usb(devices, "ttyACM0")))
    auto = bench.listen("auto", devices=devices, monotonic=host_time)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_message("link.not_our_board")
    # A device that does not answer in time is foreign, and the next one is asked.
    host_time.hold()
    stack.enter_context(bench.terminal)
    know_usb(devices, "usb-board")
    (devices / "serial" / "by-id" / "usb-board").symlink_to(tmp_path / "board")
    know_usb(devices, "ttyACM1").symlink_to(tmp_path / "board")
    bench.callbacks.until_occupied("A1", "F1")

    assert str(devices / "serial" / "by-id" / "usb-board") == auto.link.port


@pytest.mark.slow
def test_a_stranger_after_our_board_is_not_our_board(stack: ExitStack, tmp_path: Path) -> None:
    """A foreign device that "auto" opens after our board was unplugged is not reported as a silent
    board of ours.
    """
    bench = Bench(tmp_path)
    devices = tmp_path / "dev"
    devices.mkdir()
    stack.enter_context(bench.terminal)
    know_usb(devices, "ttyACM0").symlink_to(tmp_path / "board")
    auto = bench.listen("auto", devices=devices)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_occupied("A1", "F1")
    foreign = VirtualBoard("presence", World())
    foreign.faults.mask = "modem"
    (devices / "ttyACM0").unlink()
    bench.terminal.unplug()
    stack.enter_context(PseudoTerminal(foreign, time.monotonic, know_usb(devices, "ttyACM1")))
    until(lambda: max(auto._tries.values(), default=0) >= MAX_TRIES)

    assert (0, str(devices / "ttyACM0")) == (auto.link.counters.silences, auto.link.port)


@pytest.mark.slow
def test_auto_asks_a_silent_device_again(stack: ExitStack, tmp_path: Path) -> None:
    """A silent device may still be starting: "auto" finds it when it sends."""
    bench, host_time = Bench(tmp_path), HostTime()
    devices = tmp_path / "dev"
    devices.mkdir()
    stack.enter_context(bench.terminal)
    bench.do("fault mask mute")
    know_usb(devices, "ttyACM0").symlink_to(tmp_path / "board")
    auto = bench.listen("auto", devices=devices, monotonic=host_time)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_message("link.not_our_board")
    host_time.hold()

    bench.do("fault mask off")

    bench.callbacks.until_occupied("A1", "F1")


@pytest.mark.parametrize("mask", ["mute", "modem"])
def test_auto_finds_a_board_beside_devices_that_it_is_still_asking(
    stack: ExitStack, tmp_path: Path, mask: str
) -> None:
    """A board that is plugged in while other devices are asked is used at once, before they time
    out.
    """
    devices = tmp_path / "dev"
    devices.mkdir()
    for name in ("ttyACM0", "ttyUSB0"):
        silent = VirtualBoard("presence", World())
        silent.faults.mask = "mute" if mask == "mute" else "modem"
        stack.enter_context(PseudoTerminal(silent, time.monotonic, know_usb(devices, name)))
    auto = Bench(tmp_path).listen("auto", replace(QUICK, ask_for=1e6), devices)
    auto.start()
    stack.callback(auto.close)
    until(lambda: auto._session.port)

    ours = VirtualBoard("presence", World())
    stack.enter_context(PseudoTerminal(ours, time.monotonic, know_usb(devices, "ttyUSB1")))
    until(lambda: auto.link.state == "up")

    assert str(devices / "ttyUSB1") == auto.link.port


@pytest.mark.slow
@pytest.mark.parametrize(("mask", "times"), [("modem", 1), ("mute", MAX_TRIES)])
def test_auto_leaves_a_stranger_in_peace(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mask: str, times: int
) -> None:
    """Opening a port resets many devices: a foreign one is opened once, a silent one a few
    times.
    """
    devices = tmp_path / "dev"
    devices.mkdir()
    opened: list[str] = []

    def open_counted(address: str, timing: Timing) -> Port:
        opened.append(address)
        return open_port(address, timing)

    monkeypatch.setattr("companion.sensors.serial.board.open_board", open_counted)
    foreign, ours = VirtualBoard("presence", World()), VirtualBoard("presence", World())
    foreign.faults.mask = "mute" if mask == "mute" else "modem"
    stack.enter_context(PseudoTerminal(foreign, time.monotonic, know_usb(devices, "ttyACM0")))
    host_time = HostTime()
    auto = Bench(tmp_path).listen("auto", replace(QUICK, ask_for=0.1), devices, host_time)
    auto.start()
    stack.callback(auto.close)
    until(lambda: max(auto._tries.values(), default=0) >= MAX_TRIES)
    host_time.hold()
    second = PseudoTerminal(ours, time.monotonic, know_usb(devices, "ttyACM1"))
    stack.enter_context(second)
    until(lambda: auto.link.state == "up")
    second.unplug()
    until(lambda: auto.link.state == "silent")
    second.replug()
    until(lambda: auto.link.state == "up")

    assert times == opened.count(str(devices / "ttyACM0"))


def test_two_boards_at_once(stack: ExitStack, tmp_path: Path) -> None:
    """Of two boards one is used and the other named, until a person chooses the other.

    A foreign device cannot be chosen, and when the chosen board is unplugged the first one is used
    again.
    """
    bench = Bench(tmp_path)
    devices = tmp_path / "dev"
    devices.mkdir()
    first, second = str(devices / "ttyACM0"), str(devices / "ttyACM1")
    stack.enter_context(bench.terminal)
    know_usb(devices, "ttyACM0").symlink_to(tmp_path / "board")
    other = PseudoTerminal(
        VirtualBoard("tags", World()), time.monotonic, know_usb(devices, "ttyACM1")
    )
    stack.enter_context(other)
    auto = bench.listen("auto", devices=devices)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_occupied("A1", "F1")
    bench.callbacks.until_message("link.several")
    assert (first, [second]) == (auto.link.port, auto.diagnosis().beside)
    assert [False, False] == [auto.choose(first), auto.choose("/dev/null")]

    assert auto.choose(second)
    bench.callbacks.until(
        lambda: bench.callbacks.links[-1].state == "up" and bench.callbacks.links[-1].port == second
    )
    assert [first] == auto.diagnosis().beside

    other.unplug()
    bench.callbacks.until(
        lambda: bench.callbacks.links[-1].state == "up" and bench.callbacks.links[-1].port == first
    )


@pytest.mark.slow
def test_a_stranger_that_is_chosen(stack: ExitStack, tmp_path: Path) -> None:
    """If a chosen device is foreign, the former board is used again."""
    bench = Bench(tmp_path)
    devices = tmp_path / "dev"
    devices.mkdir()
    stack.enter_context(bench.terminal)
    know_usb(devices, "ttyACM0").symlink_to(tmp_path / "board")
    modem = VirtualBoard("presence", World())
    modem.faults.mask = "modem"
    stack.enter_context(PseudoTerminal(modem, time.monotonic, know_usb(devices, "ttyACM1")))
    auto = bench.listen("auto", devices=devices)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_occupied("A1", "F1")

    assert auto.choose(str(devices / "ttyACM1"))
    bench.callbacks.until(
        lambda: (
            bench.callbacks.links[-1].generation >= 2 and bench.callbacks.links[-1].state == "up"
        )
    )
    assert (str(devices / "ttyACM0"), []) == (auto.link.port, list(auto.diagnosis().beside))


def test_auto_opens_only_known_chips_until_confirmed(
    stack: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device with another USB chip, a 3D printer for instance, is never opened by itself. It is
    named; chosen once it is opened, and from then on by itself, also after a restart.
    """
    devices, data = tmp_path / "dev", tmp_path / "data"
    devices.mkdir()
    data.mkdir()
    opened: list[str] = []

    def open_counted(address: str, timing: Timing) -> Port:
        opened.append(address)
        return open_port(address, timing)

    monkeypatch.setattr("companion.sensors.serial.board.open_board", open_counted)
    bench = Bench(tmp_path)
    stack.enter_context(bench.terminal)
    printer = know_usb(devices, "ttyACM0", PRINTER, "CZPX1")
    printer.symlink_to(tmp_path / "board")
    (devices / "ttyUSB7").symlink_to("/dev/null")
    auto = bench.listen("auto", devices=devices, confirmed=ConfirmedDevices(data))
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_message("link.no_board")
    assert ([], [str(printer)]) == (opened, auto.diagnosis().beside)
    assert not auto.choose(str(devices / "ttyUSB7"))

    assert auto.choose(str(printer))
    bench.callbacks.until_occupied("A1", "F1")
    assert ([str(printer)], []) == (opened, auto.diagnosis().beside)
    auto.close()
    again = bench.listen("auto", devices=devices, confirmed=ConfirmedDevices(data))
    again.start()
    stack.callback(again.close)
    until(lambda: again.link.state == "up")


def test_other_programs_with_the_port_are_named(stack: ExitStack, tmp_path: Path) -> None:
    """A second reader is named by its program."""
    bench = running(stack, Bench(tmp_path))
    bench.callbacks.until_state("up")
    path = str((tmp_path / "board").resolve())
    assert () == programs_with(path)
    with open(path, "rb", buffering=0) as port:
        other = stack.enter_context(subprocess.Popen(["sleep", "60"], stdin=port))
    stack.callback(other.kill)

    until(lambda: programs_with(path) == ("sleep",))


def test_auto_without_anything(stack: ExitStack, tmp_path: Path) -> None:
    """ "auto" without any device reports that."""
    bench = Bench(tmp_path)
    auto = bench.listen("auto", devices=tmp_path)
    auto.start()
    stack.callback(auto.close)
    bench.callbacks.until_message("link.no_board")


@pytest.mark.slow
def test_any_address(stack: ExitStack, tmp_path: Path) -> None:
    """Any pyserial address is accepted; a loop that echoes is no board."""
    bench = Bench(tmp_path)
    loop = bench.listen("loop://")
    loop.start()
    stack.callback(loop.close)
    bench.callbacks.until_message("link.not_our_board")


def test_nonsense_address(stack: ExitStack, tmp_path: Path) -> None:
    """An invalid address gives a message that it does not open."""
    bench = Bench(tmp_path)
    board = bench.listen("nonsense://board")
    board.start()
    stack.callback(board.close)
    bench.callbacks.until_message("link.cannot_open")


def test_callback_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a callback raises, the link is no longer up and says why; the port is closed and opened
    again, and what stands there is read.
    """
    monkeypatch.setattr(sensor_source, "RETRY_FIRST", 0.01)
    bench = Bench(tmp_path)
    failures = [LookupError("broken")]

    def observe(observation: Observation) -> None:
        if failures:
            raise failures.pop()
        bench.callbacks.observe(observation)

    bench.board._on_observation = observe
    with bench.terminal:
        bench.board.start()
        bench.callbacks.until_message("link.failed")
        bench.callbacks.until_occupied("A1", "F1")
        link = bench.board.link
        bench.board.close()

    assert ("up", None) == (link.state, link.message)


@pytest.mark.slow
@pytest.mark.parametrize("times", [12, *soak(50)])
@pytest.mark.parametrize("kind", ["presence", "tags"])
def test_many_unplugs(tmp_path: Path, kind: BoardKind, times: int) -> None:
    """Unplugged at a random byte and plugged in again, a dozen times or fifty, the board is back
    each time; nothing leaks.
    """
    rng = Random(3)
    # Objects of earlier tests must not be collected during this one.
    gc.collect()
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    bench = Bench(tmp_path, kind)
    with bench.terminal:
        bench.board.start()
        bench.callbacks.until_state("up")
        open_threads, open_files = threading.active_count(), len(os.listdir("/proc/self/fd"))
        for round_ in range(times):
            bench.terminal.unplug(rng.choice((None, *range(20))))
            bench.callbacks.until_state("silent")
            cell = f"{'ABCDEF'[round_ % 6]}{2 + round_ % 5}"
            bench.do(f"put H1a {cell}")
            bench.terminal.replug()
            bench.callbacks.until_pawns_on(cell, "F1")
        after_threads, after_files = threading.active_count(), len(os.listdir("/proc/self/fd"))
        bench.board.close()

    assert after_threads <= open_threads and after_files <= open_files
    assert threading.active_count() <= threads and len(os.listdir("/proc/self/fd")) <= files
    # On a loaded machine the board may seem silent: one generation more, never one less.
    assert times + 1 <= bench.board.link.generation
