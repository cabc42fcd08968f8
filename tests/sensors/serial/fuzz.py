"""Damage frames in every way that a serial line does.

`python -m tests.sensors.serial.fuzz --frames N --seed S`. Counts exceptions, accepted frames that
were never sent, and undamaged frames lost after another undamaged one.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.sensors.serial.frames import MAX_PAYLOAD, Frame, FrameDecoder, encode_frame
from companion.sensors.serial.messages import REQUESTS, RESPONSES, MessageError, parse_message

TYPES = [message.TYPE for message in REQUESTS + RESPONSES]


@dataclass
class Report:
    """The results of a run."""

    frames: int = 0
    accepted: int = 0
    crash: int = 0
    wrong_accepted: int = 0
    out_of_step: int = 0

    @property
    def good(self) -> bool:
        """Whether there was no fault."""
        return not (self.crash or self.wrong_accepted or self.out_of_step)

    def __str__(self) -> str:
        return (
            f"frames={self.frames} accepted={self.accepted} out_of_step={self.out_of_step} "
            f"crash={self.crash} wrong_accepted={self.wrong_accepted}"
        )


def flipped(encoded: bytes, rng: Random) -> bytes:
    """Flip one to four bits."""
    raw = bytearray(encoded)
    for _ in range(rng.randint(1, 4)):
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    return bytes(raw)


def shortened(encoded: bytes, rng: Random) -> bytes:
    """Lose one to three bytes."""
    raw = bytearray(encoded)
    for _ in range(min(len(raw), rng.randint(1, 3))):
        del raw[rng.randrange(len(raw))]
    return bytes(raw)


def lengthened(encoded: bytes, rng: Random) -> bytes:
    """Add one to three bytes."""
    raw = bytearray(encoded)
    for _ in range(rng.randint(1, 3)):
        raw.insert(rng.randrange(len(raw) + 1), rng.randrange(256))
    return bytes(raw)


def torn(encoded: bytes, rng: Random) -> bytes:
    """Cut the frame, with or without its rest later."""
    return encoded[: rng.randrange(len(encoded))] + rng.choice((b"", b"\x00"))


def swapped(encoded: bytes, rng: Random) -> bytes:
    """Swap two bytes."""
    raw = bytearray(encoded)
    a, b = rng.randrange(len(raw)), rng.randrange(len(raw))
    raw[a], raw[b] = raw[b], raw[a]
    return bytes(raw)


def overwritten(encoded: bytes, rng: Random) -> bytes:
    """Overwrite a part with noise."""
    at, length = rng.randrange(len(encoded)), rng.randint(1, 12)
    return encoded[:at] + rng.randbytes(length) + encoded[at + length :]


def replaced(encoded: bytes, rng: Random) -> bytes:
    """Send nothing but noise, at times much."""
    return rng.randbytes(rng.choice((1, 7, 60, 300)))


def doubled(encoded: bytes, rng: Random) -> bytes:
    """Send it twice."""
    return encoded + encoded


MUTATIONS: tuple[Callable[[bytes, Random], bytes], ...] = (
    flipped, flipped, shortened, lengthened, torn, swapped, overwritten, replaced, doubled,
)  # fmt: skip


def fuzz(frames: int, seed: int) -> Report:
    """Damage `frames` frames, each followed by two undamaged ones, and report; the seed fixes
    all.
    """
    rng, report, decoder = Random(seed), Report(frames=frames), FrameDecoder()
    for _ in range(frames):
        sent = _random_frame(rng)
        damaged = rng.choice(MUTATIONS)(encode_frame(sent), rng)
        after = [_random_frame(rng), _random_frame(rng)]
        try:
            accepted = _receive(decoder, damaged + b"".join(map(encode_frame, after)), rng)
        except Exception:  # the fuzzer counts every exception
            traceback.print_exc()
            report.crash += 1
            decoder = FrameDecoder()
            continue
        report.accepted += len(accepted)
        report.wrong_accepted += sum(frame not in (sent, *after) for frame in accepted)
        report.out_of_step += after[-1:] != accepted[-1:]
    return report


def _random_frame(rng: Random) -> Frame:
    type_ = rng.choice(TYPES) if rng.random() < 0.9 else rng.randrange(256)
    length = rng.choice((0, 1, 3, 5, 7, 15, 24, 47, 194, MAX_PAYLOAD))
    payload = (
        rng.randbytes(length) if rng.random() < 0.5 else bytes(rng.choices((0, 1, 255), k=length))
    )
    return Frame(type_, rng.randrange(256), payload)


def _receive(decoder: FrameDecoder, stream: bytes, rng: Random) -> list[Frame]:
    """Return the frames that a decoder accepts from a stream in random pieces; read each as a
    message.
    """
    accepted = []
    while stream:
        length = rng.choice((1, 5, 64, 512))
        decoder.receive(stream[:length])
        stream = stream[length:]
        while (frame := decoder.next_frame()) is not None:
            accepted.append(frame)
            _read(frame)
    return accepted


def _read(frame: Frame) -> None:
    try:
        message = parse_message(frame)
    except MessageError:
        return
    repr(message)


def main() -> int:
    """Run as a program; return 0 without a fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    report = fuzz(args.frames, args.seed)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    sys.exit(main())
