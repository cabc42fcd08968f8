"""`make bench`: what this machine measures, each figure beside its budget. No figure is a test."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from pathlib import Path

from tests.bench import (
    camera,
    club,
    firmware,
    judged,
    pages,
    photos,
    pieces,
    slow_machine,
    throttled,
)
from tests.bench.figure import Figure


def machine() -> str:
    """Return the processor, cores and versions that the figures carry."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (
        f"{names[0] if names else platform.machine()}, {len(names)} cores, Python "
        f"{platform.python_version()}"
    )


def figures() -> Iterable[Figure]:
    """Measure everything, the quiet pieces first."""
    yield from pieces.figures()
    yield from firmware.figures()
    yield from pages.figures()
    yield from photos.figures()
    yield from camera.figures()
    yield from club.figures()
    yield from judged.figures()
    yield from throttled.figures()
    yield from slow_machine.figures()


def main() -> None:
    """Print a line a figure as it comes."""
    print(machine(), flush=True)
    for figure in figures():
        print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
