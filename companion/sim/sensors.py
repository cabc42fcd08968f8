"""Sensor readings of the simulated table: contacts, and tags on loops."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.sensors.presence import presence_bits
from companion.sensors.serial.messages import (
    ALL_TAGS,
    CELL_LOOPS,
    PAWN_TAGS,
    TOKEN_TAGS,
    Calibrate,
    Caps,
    Scan,
    TagRecord,
    Watch,
)
from companion.sim.faults import Faults
from companion.sim.rf_model import RfModel
from companion.sim.table_model import World

BoardKind = Literal["presence", "identity"]
ScanRequest = Scan | Calibrate | Watch
_CAPS: dict[BoardKind, Caps] = {
    "presence": Caps.PRESENCE,
    "identity": Caps.UID | Caps.RSSI | Caps.ROTATION,
}
_SCAN_SECONDS = {PAWN_TAGS: 0.34, TOKEN_TAGS: 0.85}
_SCAN_ALL_SECONDS = 2.5
_SCAN_LOOP_SECONDS = 0.03


class SensorModel(Struct):
    """The sensors of one kind of board over a table with faults.

    `pace`: scan time, 1.0 as measured in an emulator, 0.0 at once.
    """

    kind: BoardKind
    world: World
    faults: Faults
    field: RfModel
    pace: float = 1.0

    @property
    def caps(self) -> Caps:
        """The capabilities now; none for tags without the reader."""
        caps = _CAPS[self.kind]
        return caps & ~(Caps.UID | Caps.RSSI | Caps.ROTATION) if self.faults.reader_silent else caps

    def contacts(self, now: float) -> bytes:
        """Return the presence bytes."""
        return presence_bits(self.faults.contacts(self.world.occupied(), now))

    def listen(self, request: ScanRequest) -> tuple[TagRecord, ...]:
        """Return the tags read on at least one of the requested loops."""
        afi = ALL_TAGS if isinstance(request, Calibrate) else request.afi
        on = self._loops(request) - self.faults.broken_loops
        records = []
        for tag in self.world.tags():
            if afi not in (ALL_TAGS, tag.afi) or self.faults.misses():
                continue
            strengths = self.field.strengths(tag.x, tag.y)
            record = TagRecord(
                tag.uid, tuple(s if loop in on else 0 for loop, s in enumerate(strengths))
            )
            if any(record.strengths):
                records.append(record)
        return tuple(records)

    def seconds(self, request: ScanRequest) -> float:
        """Return how long a scan takes."""
        if isinstance(request, Calibrate):
            return _SCAN_LOOP_SECONDS * self.pace
        return _SCAN_SECONDS.get(request.afi, _SCAN_ALL_SECONDS) * self.pace

    def _loops(self, request: ScanRequest) -> set[int]:
        if isinstance(request, Calibrate):
            return {request.loop}
        geometry = self.world.geometry
        return set(geometry.centred) if request.loops == CELL_LOOPS else set(range(geometry.loops))
