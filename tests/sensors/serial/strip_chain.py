"""A chain of 74HC165 with the faults of its cables, behind the two SPI devices of a Pi or before an
emulated Nano.
"""

from __future__ import annotations

from pathlib import Path

from companion.sensors.board_field import parse_field

CELLS_OF_HEXAGON = (4, 5, 6, 7, 6, 5, 4)


class StripChain:
    """Strips, the nearest one first, whose contacts a test closes by `put` and `take`.

    `plugged`: strips that are reached; the data input behind the last one has a pull-up. `idle`:
    what is read without any strip. `slip`: clocks that the strips get too many (or, negative, too
    few) in each transfer, at the bit `slip_at`, from 1. `dead_clock`: a strip, from 1, that gets no
    clock. `error`: raised by each transfer.
    """

    def __init__(self, field: str = "6x6") -> None:
        named = parse_field(field)
        assert named is not None
        sizes = CELLS_OF_HEXAGON if field == "hex4" else (6,) * 6
        cells = iter(named.cells)
        self._rows = [[next(cells) for _ in range(size)] for size in sizes]
        self.strips = len(sizes)
        self.occupied: set[str] = set()
        self.plugged = self.strips
        self.idle = 0
        self.slip, self.slip_at = 0, 1
        self.dead_clock = 0
        self.error: OSError | None = None
        self.transfers = 0
        self._registers = [0xFF] * len(sizes)

    def device(self, path: Path) -> StripDevice:
        """Return the device of this name: CE0 is wired to LOAD, CE1 to nothing."""
        return StripDevice(self, is_load={"spidev0.0": True, "spidev0.1": False}[path.name])

    def put(self, *cells: str) -> None:
        """Close the contacts of these cells alone."""
        self.occupied = set(cells)

    def load(self) -> None:
        """Take the inputs: what LOAD does while it is low."""
        for strip, row in enumerate(self._rows):
            open_cells = sum(0x80 >> at for at, cell in enumerate(row) if cell not in self.occupied)
            unused = 0b10 if len(row) < 7 else 0
            gap = sum(0x80 >> at for at in range(len(row), 6))
            self._registers[strip] = open_cells | gap | unused

    def shift(self, count: int) -> bytes:
        """Clock `count` bytes out."""
        bits = self._bits(8 * count + max(0, self.slip))
        at = self.slip_at
        if self.slip > 0:
            del bits[at - 1 : at - 1 + self.slip]
        elif self.slip < 0:
            bits[at:at] = bits[at - 1 : at] * -self.slip
        bits = bits[: 8 * count]
        return int("".join(map(str, bits)), 2).to_bytes(count, "big")

    def _bits(self, count: int) -> list[int]:
        if self.dead_clock:
            return [bit for _ in range(count) for bit in self._clock_once()]
        before = "".join(f"{register:08b}" for register in self._registers[: self.plugged])
        line = before + "1" * count
        after = line[count:]
        for strip in range(self.plugged):
            self._registers[strip] = int(after[8 * strip : 8 * strip + 8], 2)
        return [int(bit) for bit in line[:count]] if self.plugged else [self.idle] * count

    def _clock_once(self) -> list[int]:
        outputs = [register >> 7 for register in self._registers]
        for strip, data in enumerate([*outputs[1:], 1]):
            if strip + 1 != self.dead_clock:
                self._registers[strip] = (self._registers[strip] << 1 | data) & 0xFF
        return outputs[:1]


class StripDevice:
    """One of the two devices. LOAD is low during a transfer of the first one."""

    def __init__(self, chain: StripChain, is_load: bool) -> None:
        self._chain, self._is_load = chain, is_load
        self.closed = False

    def write(self, data: bytes) -> None:
        self.read(len(data))

    def read(self, count: int) -> bytes:
        assert not self.closed
        if self._chain.error is not None:
            raise self._chain.error
        self._chain.transfers += 1
        if self._is_load:
            self._chain.load()
            return bytes(count)
        return self._chain.shift(count)

    def close(self) -> None:
        self.closed = True
