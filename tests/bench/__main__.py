"""`make bench`: what this machine measures, each figure beside its budget. No figure is a test.

`python -m tests.bench lighthouse_scores throttled` measures these parts alone.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from tests.bench import (
    camera,
    club,
    components,
    firmware,
    latency,
    lighthouse_scores,
    map_belief,
    map_drawing,
    photos,
    rendered,
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


def main() -> None:
    """Print a line a figure as it comes, the quiet parts first."""
    parts: dict[str, Callable[[], Iterable[Figure]]] = {
        part.__name__.rpartition(".")[2]: part.figures
        for part in (
            components, map_belief, firmware, latency, photos, rendered, camera, club, map_drawing,
            lighthouse_scores, throttled, slow_machine,
        )
    }  # fmt: skip
    print(machine(), flush=True)
    for name in sys.argv[1:] or parts:
        for figure in parts[name]():
            print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
