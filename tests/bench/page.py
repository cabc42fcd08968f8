"""The page that keeps the figures, `docs/benchmarks.md`: a table for each part of the bench."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.bench.figure import Figure

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/benchmarks.md"
HEAD = """# Benchmarks

`make bench` writes this page; `python -m tests.bench PART` writes one table again. No figure is a
test. *Before* is what the page said until then, *released* what it said in the last release
({release}), each with the change since then. *Best peer* is the fastest of the
programs that others wrote and that ran in the same run. A load above the number of cores says that
other work ran on the machine.
"""
COLUMNS = ("", "figure", "measured", "budget", "best peer", "before", "released")
NONE = "–"


def machine() -> str:
    """Return the name of the processor, cores, system and Python, which the figures carry."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    return (
        f"{names[0] if names else platform.machine()}, {len(names)} cores; {system}; Python "
        f"{platform.python_version()}"
    )


def busy() -> str:
    """Return how many processes wanted a processor during the last minute."""
    return f"load {os.getloadavg()[0]:.1f}"


def last_release() -> str | None:
    """Return the tag of the last release, None while nothing has been released."""
    told = _git("describe", "--tags", "--abbrev=0", "--match", "v*")
    return told.strip() if told else None


def released_page() -> str:
    """Return this page as it was in the last release; "" without one."""
    release = last_release()
    return (release and _git("show", f"{release}:{PAGE.relative_to(ROOT)}")) or ""


def measured_on(page: str) -> dict[str, str]:
    """Return what a page says of each figure."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    return {row[1]: row[2] for row in rows if len(row) == len(COLUMNS) and row[1] != COLUMNS[1]}


def change(measured: str, before: str | None) -> str:
    """Return an earlier figure with the change since then, in per cent of its first number."""
    if before is None:
        return NONE
    new, old = (re.search(r"\d[\d,.]*", text) for text in (measured, before))
    if not new or not old or not (was := float(old[0].replace(",", ""))):
        return before
    return f"{before} ({100 * (float(new[0].replace(',', '')) / was - 1):+.0f} %)"


class Page:
    """The page as it stands, and the tables that are written again."""

    def __init__(self) -> None:
        text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        self._before = measured_on(text)
        self._released = measured_on(released_page())
        _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
        self._sections = {name: body for name, _, body in (s.partition("\n") for s in sections)}

    def earlier(self, figure: Figure) -> Sequence[str]:
        """Return what the figure was before and in the last release, each with the change."""
        return [
            change(figure.measured, known.get(figure.what.strip()))
            for known in (self._before, self._released)
        ]

    def write(self, part: str, figures: Iterable[Figure], order: Mapping[str, object]) -> None:
        """Write a part's table, the parts in `order`."""
        rows = [
            (
                "" if figure.keeps else "**over**",
                figure.what.strip(),
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
        self._sections[part] = f"\n{machine()}; {busy()} at the end; {day}.\n\n{lines}\n"
        known = {name: self._sections[name] for name in order if name in self._sections}
        parts = [f"## {name}\n{body.rstrip()}\n" for name, body in known.items()]
        head = HEAD.format(release=last_release() or "nothing has been released")
        PAGE.write_text("\n".join([head, *parts]), encoding="utf-8")


def _git(*arguments: str) -> str | None:
    done = subprocess.run(
        ["git", "-C", ROOT, *arguments], capture_output=True, encoding="utf-8", check=False
    )
    return done.stdout if done.returncode == 0 else None
