"""`make bench`: measure figures on this machine, each with its budget, the best peer and the
earlier figures, and write them to `docs/benchmarks.md`. No figure is a test.

`python -m tools.bench lighthouse_scores throttled` measures these parts alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable

from tools.bench import (
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
from tools.bench.figure import Figure
from tools.bench.page import Page, last_release, load_average, machine


def main() -> None:
    """Print one line for each figure, the quiet parts first."""
    parts: dict[str, Callable[[], Iterable[Figure]]] = {
        part.__name__.rpartition(".")[2]: part.figures
        for part in (
            components, map_belief, firmware, latency, photos, rendered, camera, club, map_drawing,
            lighthouse_scores, throttled, slow_machine,
        )
    }  # fmt: skip
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description="Measure figures.")
    names = ", ".join(parts)
    parser.add_argument("part", nargs="*", help=f"these alone, of: {names}")
    chosen: list[str] = parser.parse_args().part
    if unknown := [name for name in chosen if name not in parts]:
        # argparse's own `choices` refuse an empty list in Python 3.11.
        parser.error(f"there is no part {unknown[0]}; there are: {names}")
    page = Page()
    print(f"{machine()}; {load_average()}; released: {last_release() or 'nothing yet'}", flush=True)
    for name in chosen or parts:
        figures = []
        for figure in parts[name]():
            figures.append(figure)
            before, released = page.earlier(figure)
            print(f"{figure.line()}   before {before}   released {released}", flush=True)
        page.write(name, figures, parts)


if __name__ == "__main__":
    main()
