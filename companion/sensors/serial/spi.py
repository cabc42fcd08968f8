"""Strips at a Raspberry Pi's own SPI pins: a port that sends the lines of a board.

The strips' LOAD is on CE0: a byte sent on /dev/spidev0.0 pulls it low and so loads the contacts'
levels. On /dev/spidev0.1, with CE1 as its select, LOAD stays high while the chain is read.

The kernel's interface needs no library: each `read` of the device is a transfer, after two calls of
ioctl (linux/spi/spidev.h).
"""

from __future__ import annotations

import os
import select
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from companion.clock import real_monotonic
from companion.platforms import Waker
from companion.sensors.serial.strips import MAX_STRIPS, StripBoard

SPI = "spi"
"""The address of the strips."""
LOAD_DEVICE, CHAIN_DEVICE = Path("/dev/spidev0.0"), Path("/dev/spidev0.1")
READ_EVERY, CONFIRM_AFTER = 1 / 16, 0.02
"""Seconds to the next read of a chain at rest, and after a change: contacts bounce for less, so two
reads that agree are beyond it.
"""
HERTZ = 500_000
"""Half of what the strips' cables bear."""
_SET_MODE, _SET_HERTZ = 0x4001_6B01, 0x4004_6B04
"""SPI_IOC_WR_MODE, SPI_IOC_WR_MAX_SPEED_HZ."""


class Device(Protocol):
    """An SPI device with a chip select of its own. Every method may raise OSError."""

    def write(self, data: bytes) -> None: ...
    def read(self, count: int) -> bytes: ...
    def close(self) -> None: ...


class SpiDevice:
    """A device of the kernel's driver spidev in mode 0, for this program alone."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR)
        try:
            import fcntl  # Linux alone has such a device.

            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            fcntl.ioctl(self._descriptor, _SET_MODE, b"\0")
            fcntl.ioctl(self._descriptor, _SET_HERTZ, struct.pack("=I", HERTZ))
        except OSError:
            os.close(self._descriptor)
            raise

    def write(self, data: bytes) -> None:
        os.write(self._descriptor, data)

    def read(self, count: int) -> bytes:
        return os.read(self._descriptor, count)

    def close(self) -> None:
        os.close(self._descriptor)


class SpiPort:
    """The strips as a port: `receive` reads the chain and returns the lines of its board."""

    def __init__(
        self, load: Device, chain: Device, monotonic: Callable[[], float] = real_monotonic
    ) -> None:
        self._load, self._chain = load, chain
        self._monotonic = monotonic
        self._board = StripBoard()
        self._read_at = monotonic()

    def write(self, data: bytes) -> None:
        """Take bytes of the host."""
        self._board.receive(data)

    def receive(self, wait: float, waker: Waker | None) -> bytes:
        """Return lines, b"" after `wait` seconds or once `waker` ends the wait; raise OSError."""
        until = self._monotonic() + wait
        while True:
            now = self._monotonic()
            if now >= self._read_at:
                self._load.write(b"\0")
                lines = self._board.step(self._chain.read(MAX_STRIPS), now)
                self._read_at = now + (READ_EVERY if self._board.is_at_rest else CONFIRM_AFTER)
                if lines:
                    return lines
            pause = max(0.0, min(until, self._read_at) - now)
            for woken in select.select([] if waker is None else [waker], [], [], pause)[0]:
                woken.clear()
                return b""
            if now >= until:
                return b""

    def close(self) -> None:
        """Give the devices free."""
        self._load.close()
        self._chain.close()


def open_spi() -> SpiPort:
    """Open the strips; raise OSError, whose `filename` is the device."""
    load = SpiDevice(LOAD_DEVICE)
    try:
        chain = SpiDevice(CHAIN_DEVICE)
    except OSError:
        load.close()
        raise
    return SpiPort(load, chain)
