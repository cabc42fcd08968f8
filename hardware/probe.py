"""Test a board on the workbench: `.venv/bin/python -m hardware.probe /dev/ttyUSB0 hello`.

- hello: the board's identity, and the causes of its faults for two seconds
- pings: 200 pings; the number answered, and the median time
- cells: the field of a presence board, every second; Ctrl+C ends it
- tags: every tag that answers, and its strength on each loop
- loops: each loop alone: tags that answer, their strengths, the time; open loops
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator

from companion.flash.board_client import BoardClient, BoardError
from companion.sensors.link import Timing, cap_names
from companion.sensors.rfid.geometries import GEOMETRIES
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.serial.messages import (
    BoardFault,
    Calibrate,
    GetPresence,
    HelloReply,
    Ping,
    Pong,
    Presence,
    Scan,
    ScanEnd,
    TagPart,
    TagRecord,
    WireMessage,
)
from companion.sensors.serial.ports import open_port

SCAN = 10.0
"""Seconds to wait for a scan."""


def say_hello(probe: BoardClient) -> Iterator[str]:
    """Yield the board's identity and faults in words."""
    board = probe.hello()
    for _ in probe.receive(2.0):
        pass
    firmware = f"{board.firmware >> 8}.{board.firmware & 255}"
    yield f"{geometry_of(board).name} board {board.board_id.hex()}, firmware {firmware}"
    caps = ", ".join(sorted(cap_names(board.caps))) or "nothing"
    yield f"can: {caps}; {board.loops} loops; started {board.boot} times"
    yield from (f"fault {fault.code}, detail {fault.detail}" for fault in probe.faults)


def geometry_of(board: HelloReply) -> Geometry:
    """Return the board's field."""
    return next(geometry for geometry in GEOMETRIES if geometry.code == board.geometry)


def time_pings(probe: BoardClient) -> Iterator[str]:
    """Yield the results of 200 pings."""
    times = []
    for n in range(200):
        began = time.monotonic()
        answer = probe.ask(Ping(n.to_bytes(2, "little")))[-1]
        if isinstance(answer, Pong) and answer.data == n.to_bytes(2, "little"):
            times.append(time.monotonic() - began)
    yield f"{len(times)} of 200 came back right, median {1000 * statistics.median(times):.1f} ms"


def show_cells(probe: BoardClient, once: bool = False) -> Iterator[str]:
    """Yield the field every second, `#` for an occupied cell."""
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


def _scanned(answers: list[WireMessage]) -> tuple[list[TagRecord], ScanEnd]:
    records = [record for part in answers if isinstance(part, TagPart) for record in part.records]
    end = answers[-1]
    if not isinstance(end, ScanEnd):
        raise BoardError("a scan without an end")
    return records, end


def show_tags(probe: BoardClient) -> Iterator[str]:
    """Yield every tag with its strengths, loop by loop."""
    probe.hello()
    records, end = _scanned(probe.ask(Scan(), SCAN))
    for record in records:
        yield f"{record.uid}  {' '.join(str(strength or '.') for strength in record.strengths)}"
    yield (
        f"{end.count} tags in {end.ms} ms, {end.rounds} rounds, {end.collisions} collisions, "
        f"{end.timeouts} time-outs"
    )


def show_loops(probe: BoardClient) -> Iterator[str]:
    """Yield each loop's tags, measured alone, and the loops that the board found open."""
    board = probe.hello()
    for loop in range(board.loops):
        records, end = _scanned(probe.ask(Calibrate(loop), SCAN))
        heard = " ".join(f"{record.uid[-4:]}:{record.strengths[loop]}" for record in records)
        yield f"loop {loop:2d}: {end.count} tags in {end.ms} ms  {heard}".rstrip()
    opened = [str(fault.detail) for fault in probe.faults if fault.code == BoardFault.LOOP_OPEN]
    yield f"open: {', '.join(opened) or 'none reported'}"


COMMANDS: dict[str, Callable[[BoardClient], Iterator[str]]] = {
    "hello": say_hello,
    "pings": time_pings,
    "cells": show_cells,
    "tags": show_tags,
    "loops": show_loops,
}


def main(arguments: list[str]) -> int:
    """Run one command; return 0, or 1 with an error message on standard error."""
    if len(arguments) != 2 or arguments[1] not in COMMANDS:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        port = open_port(arguments[0], Timing())
        try:
            for line in COMMANDS[arguments[1]](BoardClient(port, time.monotonic)):
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
