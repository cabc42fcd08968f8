"""Damage a board's lines in every way that a serial line does.

`python -m tests.sensors.serial.fuzz --lines N --seed S`. Counts exceptions and states that counted
though no board ever sent them. Boards with and without checksum, with and without a greeting;
noise, stolen bytes, half lines, boot messages, another speed, floods.
"""

from __future__ import annotations

import argparse
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from companion.core.placement import Cell
from companion.sensors.board_field import parse_field
from companion.sensors.observation import Observation
from companion.sensors.serial.lines import MAX_LINE, with_checksum
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry

BOOT = b"\xff\x00rst:0x1 (POWERON_RESET),boot:0x13\r\nload:0x3fff0030,len:1184\r\n"
FIELD = parse_field("6x6")
LINES_OF_A_STATE = 8


@dataclass
class Report:
    """The results of a run."""

    lines: int = 0
    counted: int = 0
    wrong: int = 0
    crash: int = 0
    largest: int = 0

    @property
    def good(self) -> bool:
        """Whether there was no fault."""
        return not (self.crash or self.wrong) and self.largest <= MAX_LINE

    def __str__(self) -> str:
        return (
            f"lines={self.lines} counted={self.counted} wrong={self.wrong} crash={self.crash} "
            f"largest={self.largest}"
        )


def flipped(line: bytes, rng: Random) -> bytes:
    """Flip one to four bits."""
    raw = bytearray(line)
    for _ in range(rng.randint(1, 4)):
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    return bytes(raw)


def stolen(line: bytes, rng: Random) -> bytes:
    """Lose some bytes to a second reader, in one piece or several."""
    raw = bytearray(line)
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(raw) + 1)
        del raw[start : start + rng.randint(1, 8)]
    return bytes(raw)


def halved(line: bytes, rng: Random) -> bytes:
    """Cut the line, with its end or without."""
    return line[: rng.randrange(len(line))] + rng.choice((b"", b"\n", b"\r"))


def faster(line: bytes, rng: Random) -> bytes:
    """Arrive at another speed: other bytes, here and there a line end."""
    return bytes(rng.choice((rng.randrange(128, 256), 0, 13, 10)) for _ in line)


def flooded(line: bytes, rng: Random) -> bytes:
    """Come behind more bytes than a line may have."""
    return rng.randbytes(1).replace(b"\n", b"x").replace(b"\r", b"x") * (2 * MAX_LINE) + line


def booted(line: bytes, rng: Random) -> bytes:
    """Come behind a boot message."""
    return BOOT[rng.randrange(len(BOOT)) :] + line


DAMAGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    flipped, stolen, halved, faster, booted, flooded,
)  # fmt: skip


def run(lines: int, seed: int) -> Report:
    """Send at least this many lines and return what happened."""
    report, rng = Report(), Random(seed)
    while report.lines < lines:
        try:
            _play(report, rng)
        except Exception:
            traceback.print_exc()
            report.crash += 1
    return report


def _play(report: Report, rng: Random) -> None:
    """Send a board's lines, a third of them damaged.

    Without a checksum two equal damages in a row could be a state, which no host can tell apart:
    such a board's states are repeated less often than damage strikes.
    """
    assert FIELD is not None
    is_checked, now = rng.random() < 0.7, 0.0
    host = Session("serial", TagRegistry())
    host.port_opened("/dev/x", now)
    host.advance(now, b"#board 1 6x6\n" if rng.random() < 0.5 else BOOT)
    sent: set[frozenset[Cell]] = set()
    for _ in range(20):
        cells = frozenset(rng.sample(FIELD.cells, rng.randint(0, 12)))
        sent.add(cells)
        body = " ".join(sorted(cells)) or "-"
        line = with_checksum(body) if is_checked else body.encode() + rng.choice((b"\n", b"\r\n"))
        damaged = rng.randrange(LINES_OF_A_STATE)
        for number in range(LINES_OF_A_STATE):
            now += rng.choice((0.005, 0.3))
            is_damaged = rng.random() < 0.3 if is_checked else number == damaged
            host.advance(now, rng.choice(DAMAGES)(line, rng) if is_damaged else line)
            report.lines += 1
            report.largest = max(report.largest, len(host._decoder._begun))
            for event in host.events():
                if isinstance(event, Observation) and event.occupied is not None:
                    report.counted += 1
                    report.wrong += not any(
                        state - event.unknown == event.occupied for state in sent
                    )


def main() -> int:
    """Run the command; exit with 1 on a fault."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.sensors.serial.fuzz", description=__doc__
    )
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    report = run(args.lines, args.seed)
    print(report)
    return 0 if report.good else 1


if __name__ == "__main__":
    raise SystemExit(main())
