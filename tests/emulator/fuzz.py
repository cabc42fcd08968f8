"""Send damaged frames to the real firmware.

`python -m tests.emulator.fuzz --frames N --seed S --board presence`. After each damaged frame two
whole requests follow. Counts answers to frames that were not sent whole, restarts, and pairs
without an answer to the second request.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from random import Random

from companion.sensors.serial.frames import (
    Frame,
    FrameDecoder,
    FrameError,
    decode_frame,
    encode_frame,
)
from companion.sensors.serial.messages import Configure, GetPresence, Hello, Nak, Ping, Scan
from companion.sim.sensors import BoardKind

from companion.sim.emulator import Emulator
from tests.sensors.serial.fuzz import MUTATIONS

_REQUESTS = (
    Hello(),
    Ping(b"abc"),
    GetPresence(),
    Configure(b"TABLE-01", 0),
    Scan(0x72, 1),
)
_BATCH = 8
"""Damaged frames in one batch: their answers fit into the board's ring of 256 bytes."""
_BYTE_MS = 0.04
_QUIET_MS = 15.0
_PONG, _NAK, _HEARTBEAT = 0x82, Nak.TYPE, 0x93


@dataclass
class Report:
    """The results of a run."""

    frames: int = 0
    refused: int = 0
    wrong_accepted: int = 0
    out_of_step: int = 0
    violations: str = ""

    @property
    def good(self) -> bool:
        """Return whether there was no fault."""
        return not (self.wrong_accepted or self.out_of_step or self.violations)

    def __str__(self) -> str:
        return (
            f"frames={self.frames} refused={self.refused} out_of_step={self.out_of_step} "
            f"wrong_accepted={self.wrong_accepted} violations={self.violations or 'none'}"
        )


def damaged(rng: Random) -> bytes:
    """Return a request's bytes, damaged so that no whole frame is left."""
    while True:
        raw = rng.choice(MUTATIONS)(
            encode_frame(rng.choice(_REQUESTS).frame(rng.randrange(1, 256))), rng
        )
        if not any(is_whole(piece) for piece in (raw + b"\0").split(b"\0") if piece):
            return raw


def is_whole(piece: bytes) -> bool:
    """Return whether these bytes are a frame."""
    try:
        decode_frame(piece)
    except FrameError:
        return False
    return True


def fuzz(kind: BoardKind, frames: int, seed: int) -> Report:
    """Send `frames` damaged frames to one kind of board and return the results."""
    rng, report, decoder = Random(seed), Report(), FrameDecoder()
    with Emulator(kind) as board:
        decoder.receive(board.run(300))
        while decoder.next_frame() is not None:
            continue
        while report.frames < frames:
            _batch(board, decoder, rng, report)
        report.violations = board.violations()
    return report


def _batch(board: Emulator, decoder: FrameDecoder, rng: Random, report: Report) -> None:
    """Send damaged frames, each followed by two whole pings; the second must be answered."""
    wire = b"".join(
        damaged(rng) + b"".join(encode_frame(Ping().frame(2 * i + k)) for k in (1, 2))
        for i in range(_BATCH)
    )
    board.send(wire)
    decoder.receive(board.run(len(wire) * _BYTE_MS + _QUIET_MS))
    replied = set()
    while (frame := decoder.next_frame()) is not None:
        if frame == Frame(_PONG, frame.seq) and 1 <= frame.seq <= 2 * _BATCH:
            replied.add(frame.seq)
        elif frame == Nak(Nak.CRC).frame(0):
            report.refused += 1
        elif frame.type != _HEARTBEAT:
            report.wrong_accepted += 1
    report.frames += _BATCH
    report.out_of_step += sum(2 * i + 2 not in replied for i in range(_BATCH))


def main() -> int:
    """Run the command; exit with 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--board", choices=["presence", "identity"], default="presence")
    args = parser.parse_args()
    report = fuzz(args.board, args.frames, args.seed)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
