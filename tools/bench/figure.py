"""One measured figure and its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from msgspec import Struct


class Figure(Struct, frozen=True):
    """`budget` is the promised value; `keeps` whether the figure is within it; `peer` the best that
    another program reached in the same run.
    """

    name: str
    measured: str
    budget: str
    keeps: bool
    peer: str = ""

    def line(self) -> str:
        """Return the figure as a line of a table."""
        beside = f"   best peer {self.peer}" if self.peer else ""
        return (
            f"{'ok  ' if self.keeps else 'OVER'} {self.name:<62} {self.measured:>24}   budget "
            f"{self.budget}{beside}"
        )


def beside(name: str, value: float, unit: str) -> Figure:
    """Return the figure of another program, for comparison."""
    return Figure(name, f"{value:,.0f} {unit}", "none, for comparison", True)


def at_least(
    name: str, value: float, least: float, unit: str, peers: Mapping[str, float] | None = None
) -> Figure:
    """Return a figure of which more is better, with the best peer."""
    best = max(peers.items(), key=itemgetter(1)) if peers else None
    peer = f"{best[1]:,.0f} {unit} ({best[0]})" if best else ""
    return Figure(name, f"{value:,.0f} {unit}", f">= {least:,.0f} {unit}", value >= least, peer)


def at_most(name: str, value: float, most: float, unit: str) -> Figure:
    """Return a figure of which less is better."""
    return Figure(name, f"{value:.3g} {unit}", f"<= {most:g} {unit}", value <= most)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie, by the nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def spread(
    name: str,
    seconds: Sequence[float],
    p50: float | None,
    p99: float,
    peer: Mapping[str, Sequence[float]] | None = None,
) -> Figure:
    """Return a figure of many times in milliseconds, with budgets for the median and the slowest in
    a hundred, and the times of another program.
    """
    median, slow = _milliseconds(seconds)
    budget = f"p99 <= {p99:g} ms" if p50 is None else f"p50 <= {p50:g}, p99 <= {p99:g} ms"
    return Figure(
        name,
        f"p50 {median:.2f} p99 {slow:.2f} ms",
        budget,
        slow <= p99 and (p50 is None or median <= p50),
        ", ".join(
            f"p50 {median:.2f} p99 {slow:.2f} ms ({other})"
            for other, times in (peer or {}).items()
            for median, slow in [_milliseconds(times)]
        ),
    )


def _milliseconds(seconds: Sequence[float]) -> tuple[float, float]:
    """Return the median and the slowest in a hundred."""
    return 1000 * percentile(seconds, 0.5), 1000 * percentile(seconds, 0.99)
