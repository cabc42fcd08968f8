"""Talk to a board on the workbench: `.venv/bin/python -m hardware.probe /dev/ttyUSB0 hello`.

hello      what the board is, and the causes of its faults for two seconds pings      200 pings: how
many came back, and the median time cells      the field of a presence board, every second; Ctrl+C
ends it buttons    what the buttons do, for ten seconds tags       every tag that answers, and how
strongly each loop hears it loops      each loop alone: how many tags answer, how strongly, how long
it took; and which loops are open lamps      one lamp after the other; beep: a tone of half a second
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle

from companion.board.answers import (
    Button,
    Done,
    Fault,
    HelloReply,
    Nak,
    Pong,
    Presence,
    ScanEnd,
    TagPart,
)
from companion.board.frames import DELIMITER, FrameDecoder, FrameError, encode_frame
from companion.board.geometries import GEOMETRIES
from companion.board.geometry import Geometry
from companion.board.link import Timing, cap_names
from companion.board.message import Message, TagRecord
from companion.board.messages import parse_message
from companion.board.ports import Port, exchange, open_port
from companion.board.requests import Beep, Calibrate, GetPresence, Hello, Led, Ping, Scan

ANSWER, SCAN = 1.0, 10.0
"""Seconds that an answer and a scan may take."""


class ProbeError(OSError):
    """Error raised when the board does not answer, or refuses."""


class Probe:
    """A board on an open port, asked one thing at a time."""

    def __init__(self, port: Port, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._port, self._now = port, monotonic
        self._decoder = FrameDecoder()
        self._numbers = cycle(range(1, 256))
        self.faults: list[Fault] = []

    def hear(self, seconds: float) -> Iterator[tuple[int, Message]]:
        """Yield (seq, message) of what the board says for so long; damaged frames are left out."""
        until = self._now() + seconds
        while (left := until - self._now()) > 0:
            self._decoder.receive(exchange(self._port, b"", min(left, 0.05)))
            yield from self._whole()

    def _whole(self) -> Iterator[tuple[int, Message]]:
        while True:
            try:
                frame = self._decoder.next_frame()
                if frame is None:
                    return
                message = parse_message(frame)
            except FrameError:
                continue
            if isinstance(message, Fault):
                self.faults.append(message)
            yield frame.seq, message

    def ask(self, request: Message, seconds: float = ANSWER) -> list[Message]:
        """Return the answer, for a scan all its parts and its end; raise `ProbeError` if none comes
        in time.
        """
        number = next(self._numbers)
        self._port.write(DELIMITER + encode_frame(request.frame(number)))
        answers: list[Message] = []
        for seq, message in self.hear(seconds):
            if isinstance(message, Nak):
                raise ProbeError(f"the board refuses {type(request).__name__}: code {message.code}")
            if seq == number and isinstance(
                message, HelloReply | Pong | Presence | Done | TagPart | ScanEnd
            ):
                answers.append(message)
                if not isinstance(message, TagPart):
                    return answers
        raise ProbeError(f"no answer to {type(request).__name__} within {seconds:g} s")

    def hello(self) -> HelloReply:
        """Return what the board is; a module may need some seconds after its port is opened."""
        for _ in range(5):
            try:
                answer = self.ask(Hello())[-1]
            except ProbeError:
                continue
            if isinstance(answer, HelloReply):
                return answer
        raise ProbeError(
            "no board answers here: is the firmware flashed, and is it the right port?"
        )


def say_hello(probe: Probe) -> Iterator[str]:
    """Yield what the board is in words."""
    board = probe.hello()
    for _ in probe.hear(2.0):
        pass
    firmware = f"{board.firmware >> 8}.{board.firmware & 255}"
    yield f"{geometry_of(board).name} board {board.board_id.hex()}, firmware {firmware}"
    caps = ", ".join(sorted(cap_names(board.caps)))
    yield f"can: {caps}; {board.loops} loops; started {board.boot} times"
    yield from (f"fault {fault.code}, detail {fault.detail}" for fault in probe.faults)


def geometry_of(board: HelloReply) -> Geometry:
    """Return the field that the board is built for."""
    return next(geometry for geometry in GEOMETRIES if geometry.code == board.geometry)


def time_pings(probe: Probe) -> Iterator[str]:
    """Yield how 200 pings fared."""
    times = []
    for n in range(200):
        began = time.monotonic()
        answer = probe.ask(Ping(n.to_bytes(2, "little")))[-1]
        if isinstance(answer, Pong) and answer.data == n.to_bytes(2, "little"):
            times.append(time.monotonic() - began)
    yield f"{len(times)} of 200 came back right, median {1000 * statistics.median(times):.1f} ms"


def show_cells(probe: Probe, once: bool = False) -> Iterator[str]:
    """Yield the field every second, `#` where something stands."""
    geometry = geometry_of(probe.hello())
    while True:
        answer = probe.ask(GetPresence())[-1]
        if isinstance(answer, Presence):
            taken = [
                cell
                for n, cell in enumerate(geometry.cells)
                if answer.bits[n // 8] >> 7 - n % 8 & 1
            ]
            yield f"{len(taken)} taken: {' '.join(map(str, taken)) or 'none'}"
        if once:
            return
        time.sleep(1)


def show_buttons(probe: Probe) -> Iterator[str]:
    """Yield each button's presses for ten seconds."""
    probe.hello()
    for _, message in probe.hear(10):
        if isinstance(message, Button):
            yield f"button {message.n} {'down' if message.down else 'up'}"


def _scanned(answers: list[Message]) -> tuple[list[TagRecord], ScanEnd]:
    records = [record for part in answers if isinstance(part, TagPart) for record in part.records]
    end = answers[-1]
    if not isinstance(end, ScanEnd):
        raise ProbeError("a scan without an end")
    return records, end


def show_tags(probe: Probe) -> Iterator[str]:
    """Yield every tag with its strengths, loop by loop."""
    probe.hello()
    records, end = _scanned(probe.ask(Scan(), SCAN))
    for record in records:
        yield f"{record.uid}  {' '.join(str(strength or '.') for strength in record.strengths)}"
    yield (
        f"{end.count} tags in {end.ms} ms, {end.rounds} rounds, {end.collisions} collisions, "
        f"{end.timeouts} time-outs"
    )


def show_loops(probe: Probe) -> Iterator[str]:
    """Yield what each loop hears alone, and the loops that the board's self-test found open."""
    board = probe.hello()
    for loop in range(board.loops):
        records, end = _scanned(probe.ask(Calibrate(loop), SCAN))
        heard = " ".join(f"{record.uid[-4:]}:{record.strengths[loop]}" for record in records)
        yield f"loop {loop:2d}: {end.count} tags in {end.ms} ms  {heard}".rstrip()
    opened = [str(fault.detail) for fault in probe.faults if fault.code == Fault.LOOP_OPEN]
    yield f"open: {', '.join(opened) or 'none reported'}"


def light_lamps(probe: Probe) -> Iterator[str]:
    """Light one lamp after the other, faintly."""
    geometry = geometry_of(probe.hello())
    dark = ((0, 0, 0),)
    for n, cell in enumerate(geometry.cells):
        probe.ask(Led(n, ((16, 16, 16),)))
        yield f"lamp {n}: {cell}"
        time.sleep(0.2)
        probe.ask(Led(n, dark))


def sound(probe: Probe) -> Iterator[str]:
    """Sound the beeper."""
    probe.hello()
    probe.ask(Beep(880, 500))
    yield "880 hertz for half a second"


COMMANDS: dict[str, Callable[[Probe], Iterator[str]]] = {
    "hello": say_hello,
    "pings": time_pings,
    "cells": show_cells,
    "buttons": show_buttons,
    "tags": show_tags,
    "loops": show_loops,
    "lamps": light_lamps,
    "beep": sound,
}


def main(arguments: list[str]) -> int:
    """Run one command; return 0, or 1 with a sentence on standard error."""
    if len(arguments) != 2 or arguments[1] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        port = open_port(arguments[0], Timing())
        try:
            for line in COMMANDS[arguments[1]](Probe(port)):
                print(line, flush=True)
        finally:
            port.close()
    except (OSError, ValueError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
