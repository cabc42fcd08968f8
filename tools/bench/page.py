"""The page with the figures, `docs/benchmarks.md`: a table for each part of the bench."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tools.bench.figure import Figure

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/benchmarks.md"
HEAD = """# Benchmarks

`make bench` writes this page. Each part can be run alone: `.venv/bin/python -m tools.bench PART`
writes its table again. The parts are
{parts}.

No figure is a test. *Before* is what the page said until then, *released* what it said in the last
release ({release}), each with the change since then. *Best peer* is the fastest of the programs
that others wrote and that ran in the same run. A load above the number of cores says that other
work ran on the machine.
"""
COLUMNS = ("", "figure", "measured", "budget", "best peer", "before", "released")
NONE = "–"


def machine() -> str:
    """Return the processor's name, cores, system and Python."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return (
        f"{names[0] if names else platform.machine()}, {len(names)} cores; {system}; Python "
        f"{platform.python_version()}"
    )


def load_average() -> str:
    """Return the load average of the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"


def last_release() -> str | None:
    """Return the tag of the last release, None without one."""
    tag = _git("describe", "--tags", "--abbrev=0", "--match", "v*")
    return tag.strip() if tag else None


def released_page() -> str:
    """Return this page as of the last release; "" without one."""
    release = last_release()
    return (release and _git("show", f"{release}:{PAGE.relative_to(ROOT)}")) or ""


def measured_on(page: str) -> dict[str, str]:
    """Return each figure's measured text on a page."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    return {row[1]: row[2] for row in rows if len(row) == len(COLUMNS) and row[1] != COLUMNS[1]}


def change(measured: str, before: str | None) -> str:
    """Return an earlier figure with the change since then, in per cent of its first number ("p50"
    is none).
    """
    if before is None:
        return NONE
    new, old = (re.search(r"(?<![a-z\d])\d[\d,.]*", text) for text in (measured, before))
    if not new or not old or not (old_number := float(old[0].replace(",", ""))):
        return before
    return f"{before} ({100 * (float(new[0].replace(',', '')) / old_number - 1):+.0f} %)"


class Page:
    """The current page, and the tables that are rewritten."""

    def __init__(self) -> None:
        text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        self._before = measured_on(text)
        self._released = measured_on(released_page())
        _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
        self._sections = {
            name: body for name, _, body in (section.partition("\n") for section in sections)
        }

    def earlier(self, figure: Figure) -> Sequence[str]:
        """Return the figure before and in the last release, each with the change."""
        return [
            change(figure.measured, figures.get(figure.name.strip()))
            for figures in (self._before, self._released)
        ]

    def write(self, part: str, figures: Iterable[Figure], order: Mapping[str, object]) -> None:
        """Write a part's table, the parts in `order`."""
        rows = [
            (
                "" if figure.keeps else "**over**",
                figure.name.strip(),
                figure.measured,
                figure.budget,
                figure.peer or NONE,
                *self.earlier(figure),
            )
            for figure in figures
        ]
        table = [COLUMNS, ["---"] * len(COLUMNS), *rows]
        lines = "\n".join(f"| {' | '.join(row)} |" for row in table)
        day = datetime.now(UTC).date().isoformat()
        self._sections[part] = f"\n{machine()}; {load_average()} at the end; {day}.\n\n{lines}\n"
        sections = {name: self._sections[name] for name in order if name in self._sections}
        parts = [f"## {name}\n{body.rstrip()}\n" for name, body in sections.items()]
        head = HEAD.format(
            release=last_release() or "nothing has been released",
            parts=textwrap.fill(", ".join(f"`{name}`" for name in order), 99),
        )
        PAGE.write_text("\n".join([head, *parts]), encoding="utf-8")


def _git(*args: str) -> str | None:
    process = subprocess.run(
        ["git", "-C", ROOT, *args], capture_output=True, encoding="utf-8", check=False
    )
    return process.stdout if process.returncode == 0 else None
