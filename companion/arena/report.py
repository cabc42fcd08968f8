"""Write results: a table, the figures as JSON and a plot, each with commit, seed and machine."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.arena.statistics import Row, table

PLOT_MARKS = (("#1f6fd0", "^"), ("#b87800", "s"), ("#444444", "o"), ("#8a2be2", "D"))
"""Colour and mark in a plot for each number of players, the least first."""


class NoPlot(Exception):
    """Error raised when a plot cannot be drawn because the extra `arena` is missing."""


class Origin(Struct, frozen=True):
    """The origin of figures."""

    commit: str
    seed: int
    machine: str
    command: str

    def text(self) -> str:
        """Return the origin as a line below a table."""
        return f"Commit {self.commit}, seed {self.seed}, {self.machine}. `{self.command}`\n"


def provenance(seed: int, command: str) -> Origin:
    """Return the origin of figures that are measured now, here."""
    return Origin(_commit(), seed, _machine(), command)


def write(folder: Path, name: str, rows: Sequence[Row], source: Origin, note: str = "") -> None:
    """Write NAME.md, NAME.json and NAME.svg into a folder, which is made if it is missing.

    Raises `NoPlot` after the first two.
    """
    parts = [table(rows), note, source.text()]
    write_figures(folder, name, "\n".join(part for part in parts if part), rows, source)
    plot(folder / f"{name}.svg", rows, source)


def write_figures(
    folder: Path, name: str, text: str, rows: Sequence[Struct], source: Origin
) -> None:
    """Write a text as NAME.md and its rows as NAME.json into a folder, made where missing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text, encoding="utf-8")
    whole = {"origin": source, "rows": rows}
    (folder / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(whole)) + b"\n")


def plot(path: Path, rows: Sequence[Row], source: Origin) -> None:
    """Draw the win rates with their intervals, a colour for each player count; raise `NoPlot`."""
    try:
        from matplotlib.backends.backend_svg import FigureCanvasSVG
        from matplotlib.figure import Figure
    except ImportError as missing:
        raise NoPlot("a plot needs .venv/bin/pip install -e '.[arena]'") from missing
    names = list(dict.fromkeys(row.name for row in rows))
    figure = Figure(figsize=(9, 1.6 + 0.45 * len(names)), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.add_subplot()
    counts = sorted({row.players for row in rows})
    for number, players in enumerate(counts):
        chosen = [row for row in rows if row.players == players]
        colour, mark = PLOT_MARKS[number % len(PLOT_MARKS)]
        shift = 0.2 * ((len(counts) - 1) / 2 - number)
        axes.errorbar(
            [100 * row.wins.share for row in chosen],
            [len(names) - 1 - names.index(row.name) + shift for row in chosen],
            xerr=[
                [100 * max(0.0, row.wins.share - row.wins.low) for row in chosen],
                [100 * max(0.0, row.wins.high - row.wins.share) for row in chosen],
            ],
            fmt=mark,
            color=colour,
            capsize=3,
            label=f"{players} players",
            linestyle="",
        )
    axes.set_yticks(range(len(names)), reversed(names))
    axes.set_xlim(-2, 102)
    axes.set_xlabel(f"wins of the side {rows[0].side}, in %, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="best")
    axes.set_title(
        f"{rows[0].games} games each · commit {source.commit} · seed {source.seed}", fontsize=9
    )
    figure.savefig(path, metadata={"Date": None})


def _commit() -> str:
    """Return the commit of this checkout, with + if it was changed; "unknown" without one."""
    here = Path(__file__).parent
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
            cwd=here,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def _machine() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return (
        f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}"
    )
