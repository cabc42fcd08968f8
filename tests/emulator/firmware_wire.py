"""A deterministic conversation with the emulated firmware in the board's own time: no thread, no
port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.frames import Frame, FrameDecoder
from companion.sensors.serial.messages import (
    UNSOLICITED,
    Hello,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    Uid,
    WireMessage,
    parse_message,
)
from companion.sensors.serial.transaction import to_wire
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind

from companion.core.placement import Cell, Pawn
from companion.sensors.link import Timing
from companion.sensors.observation import Tile
from companion.sensors.serial.session import Session
from companion.sim.emulated import EmulatedBoard
from companion.sim.table_model import World
from tests.sensors.serial.host_events import HostEvents

PAWNS = tuple(f"H{human}{letter}" for human in "123" for letter in "abcd")
STEP_MS = 10
BOOTING_MS = 100


class FirmwareWire(HostEvents):
    """An emulated board with a perfect cable.

    `ask` exchanges single frames, `converse` lets the host do it. `sent` counts the bytes that the
    board has sent to the host.
    """

    def __init__(
        self,
        kind: BoardKind = "presence",
        pawns: dict[str, str] | None = None,
        *,
        world: World | None = None,
        field: RfModel | None = None,
        sensitivities: dict[Uid, float] | None = None,
        eeprom: dict[int, bytes] | None = None,
        timing: Timing | None = None,
    ) -> None:
        self.world = world or World()
        if world is None:
            for pawn, cell in (pawns or {"H1a": "A1", "H1b": "F1"}).items():
                self.world.put(Pawn(pawn), Cell(cell))
        self.board = EmulatedBoard(kind, self.world, field=field, sensitivities=sensitivities)
        self.emulator = self.board.emulator
        for address, content in (eeprom or {}).items():
            self.emulator.ask(f"eeprom {address} {content.hex()}")
        self.board.sync()
        self.decoder = FrameDecoder()
        self.now = 0.0
        self.sent = 0
        self._timing = timing
        self._seq = 0
        self.meet()

    def meet(self) -> None:
        """Let a new host open the port; it has the box's tags and has received nothing."""
        registry = self.world.registry()
        self.host = Session("serial", TagRegistry(given=lambda board: registry), self._timing)
        self.clear_events()
        self._to_board = self.host.port_opened("/dev/ttyACM0", self.now)

    def close(self) -> None:
        """Switch the emulator off."""
        self.emulator.close()

    # Frame by frame.

    def listen(self, ms: float) -> list[tuple[int, WireMessage]]:
        """Let time pass; return the board's messages, each with its seq."""
        self.decoder.receive(self.emulator.run(ms))
        messages = []
        while (frame := self.decoder.next_frame()) is not None:
            messages.append((frame.seq, parse_message(frame)))
        return messages

    def received(self, ms: float = BOOTING_MS) -> list[WireMessage]:
        """Let time pass; return the messages that the board sends by itself."""
        return [message for _, message in self.listen(ms) if isinstance(message, UNSOLICITED)]

    def give(self, request: WireMessage | Frame, seq: int | None = None) -> int:
        """Send a request, under the next seq unless one is given; return the seq."""
        self._seq = self._seq % 255 + 1 if seq is None else seq
        frame = request if isinstance(request, Frame) else request.frame(self._seq)
        self.emulator.send(to_wire(frame))
        return frame.seq

    def ask(
        self, request: WireMessage | Frame, ms: float = 20, seq: int | None = None
    ) -> list[WireMessage]:
        """Send a request and return the messages with its seq within `ms` milliseconds."""
        seq = self.give(request, seq)
        return [
            message
            for its, message in self.listen(ms)
            if its == seq and not isinstance(message, UNSOLICITED)
        ]

    def ask_scan(self, request: Scan, most: float) -> list[WireMessage]:
        """Request a scan and return its answer, which must end within `most` milliseconds."""
        seq = self.give(request)
        answer: list[WireMessage] = []
        for _ in range(round(most / STEP_MS)):
            answer += [
                message
                for its, message in self.listen(STEP_MS)
                if its == seq and not isinstance(message, UNSOLICITED)
            ]
            if answer and isinstance(answer[-1], ScanEnd):
                return answer
        raise AssertionError(f"no scan ended within {most} ms")

    # As the host does it.

    def converse(self, seconds: float) -> None:
        """Let the host talk to the board for this long."""
        for _ in range(round(seconds * 1000 / STEP_MS)):
            self._step()

    def converse_until(self, condition: Callable[[], bool], most: float) -> bool:
        """Run host and board until the condition holds; return False after the time limit."""
        for _ in range(round(most * 1000 / STEP_MS)):
            if condition():
                return True
            self._step()
        return condition()

    def _step(self) -> None:
        if self._to_board:
            self.emulator.send(self._to_board)
        self.now += STEP_MS / 1000
        data = self.emulator.run(STEP_MS)
        self.sent += len(data)
        self._to_board = self.host.advance(self.now, data)
        self.sort_events()

    def put(self, pawn: str, cell: str | None) -> None:
        """Set a pawn on a cell, or take it off."""
        self.world.put(Pawn(pawn), None if cell is None else Cell(cell))
        self.board.sync()


WireFactory = Callable[..., FirmwareWire]


def awake(make_board: WireFactory, **options: object) -> FirmwareWire:
    """Return a wire to a board that has started, was greeted and has tested its loops."""
    board = make_board("identity", **options)
    board.received(200)
    board.ask(Hello(), 300)
    return board


def end_of(answer: Sequence[WireMessage]) -> ScanEnd:
    """Return the end of a scan's answer; there must be exactly one, and it must be the last."""
    ends = [message for message in answer if isinstance(message, ScanEnd)]
    assert ends == [answer[-1]]
    return ends[0]


def records(answer: list[WireMessage]) -> dict[Uid, TagRecord]:
    """Return the tags of a scan's answer."""
    return {
        record.uid: record
        for part in answer
        if isinstance(part, TagPart)
        for record in part.records
    }


def spread_tags(world: World, rng: Random, spread: float) -> dict[Uid, float]:
    """Return sensitivities for all tags on a table that differ by a standard deviation of
    `spread`.
    """
    return {
        tag.uid: max(1 - 2 * spread, min(1 + 2 * spread, rng.gauss(1.0, spread)))
        for tag in world.tags()
    }


def full_table(rng: Random, pawns: Iterable[str] = PAWNS) -> World:
    """Return a table with 36 tiles in random turns, 12 tokens, and pawns of which four stand on
    C3.
    """
    world = World()
    for i, pawn in enumerate(pawns):
        world.put(Pawn(pawn), Cell("C3") if i < 4 else rng.choice(world.geometry.cells))
    numbers = rng.sample(range(1, 39), 36)
    for cell, number in zip(world.geometry.cells, numbers, strict=True):
        world.put_tile(cell, Tile(number, rng.choice((0, 90, 180, 270))))
    for i, cell in enumerate(rng.sample(world.geometry.cells, 12)):
        world.put_token(cell, "bat" if i < 5 else "bullet")
    return world
