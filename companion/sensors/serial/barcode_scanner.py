"""A barcode scanner on a serial port: a code ends at a control sign or after a short silence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Message
from companion.sensors.link import Link, Timing
from companion.sensors.sensor_source import SensorSource
from companion.sensors.serial.ports import Port, find_ports, open_failure, open_port, transfer
from companion.sensors.vision.codes import parse_scanned

SCANNER_BAUD = 9600
"""Usual rate of scanners on a serial line; those on USB (CDC) accept any."""
LATEST_COUNT = 40
"""Scans that are shown: more than a field has tiles, so a phone that slept misses none."""
MAX_CODE = 64
"""Bytes of a code; a longer one is not a tile's."""
SILENCE = 0.1
"""Seconds without a byte that end a code; at 9600 baud the five letters of one take 5 ms."""
CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
"""What ends a code, or stands before it: line ends, TAB, STX and ETX, GS, NUL."""


class ScanHistory(Struct, frozen=True):
    """The latest scans for the public snapshot: tile numbers, 0 for any other code.

    `run`: identifies this run of the program. `count`: scans in it, `beeps` the latest. `message`:
    the connection's state.
    """

    run: str
    message: Message
    count: int = 0
    beeps: tuple[int, ...] = ()

    def with_scan(self, number: int | None) -> ScanHistory:
        """Return the history with one more scan."""
        beeps = (*self.beeps, number or 0)[-LATEST_COUNT:]
        return replace(self, count=self.count + 1, beeps=beeps)


class ScanSplitter:
    """Splits a scanner's bytes into codes; holds at most one byte more than a code may have."""

    def __init__(self) -> None:
        self._begun = b""

    def receive(self, data: bytes) -> Iterator[int | None]:
        """Yield the tile number of each code that ends in `data`, None for any other code."""
        *ended, begun = CONTROL.split(self._begun + data)
        for code in ended:
            self._begun = code
            yield from self.end()
        self._begun = begun[: MAX_CODE + 1]

    def end(self) -> Iterator[int | None]:
        """Yield the code that began, if any: the scanner is silent."""
        code, self._begun = self._begun, b""
        if code.strip():
            yield None if len(code) > MAX_CODE else parse_scanned(code.decode(errors="replace"))


class BarcodeScanner(SensorSource):
    """A scanner on a serial port, reopened until this is closed.

    `address`: a device or a pyserial URL. `on_scan` gets each tile number, None for any other code.
    """

    failed = "scanner.failed"

    def __init__(
        self,
        address: str,
        *,
        monotonic: Callable[[], float],
        on_scan: Callable[[int | None], None],
        on_link: Callable[[Link], None],
        timing: Timing | None = None,
    ) -> None:
        super().__init__(address, monotonic=monotonic, on_link=on_link, source="scanner")
        self._on_scan = on_scan
        self._timing = timing or Timing()

    def _read(self) -> None:
        look = partial(find_ports, self._address, Path("/dev"))
        while not self._closing.is_set():
            devices = look()
            try:
                port = open_port(self._address, self._timing, SCANNER_BAUD)
            except (OSError, ValueError) as wrong:
                self._change_link("silent", self._loss(wrong))
            else:
                with closing(port):
                    self._change_link("up", Message("scanner.up"))
                    self._listen(port)
            timing = self._timing
            self._wait_for_change(timing.reopen_most, timing.reopen_first, look, devices)

    def _listen(self, port: Port) -> None:
        codes = ScanSplitter()
        while not self._closing.is_set():
            try:
                data = transfer(port, b"", SILENCE)
            except OSError as wrong:
                return self._change_link("silent", self._loss(wrong))
            for number in codes.receive(data) if data else codes.end():
                self._on_scan(number)

    def _loss(self, wrong: OSError | ValueError) -> Message:
        message = open_failure(self._address, wrong)
        is_gone = self._link.state == "up" or message.code == "link.absent"
        return Message("scanner.absent", {"port": self._address}) if is_gone else message
