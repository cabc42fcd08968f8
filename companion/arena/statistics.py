"""Summarise many games: rates with intervals, times, and a game's own figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean

from msgspec import Struct

from companion.arena.match import DRAW, GameResult, bots_of

Z = 1.96
"""Standard deviations to either side of a 95 % interval."""


class Rate(Struct, frozen=True):
    """A share with its 95 % interval (Wilson's, so that 0 and 1 have one too)."""

    share: float
    low: float
    high: float

    def text(self) -> str:
        """Return the rate in percent with its interval."""
        return f"{100 * self.share:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


class Milliseconds(Struct, frozen=True):
    """The times of decisions in milliseconds: the median and the 99th percentile."""

    p50: float
    p99: float


class Row(Struct, frozen=True):
    """One line of the table.

    side: the one whose wins and score are given
    undecided: the share of draws
    figures: the mean of each of `GameResult.figures`
    times: for each side
    """

    name: str
    players: int
    games: int
    side: str
    wins: Rate
    undecided: Rate
    score: Rate
    figures: Mapping[str, float]
    times: Mapping[str, Milliseconds]


def rate(values: Sequence[float]) -> Rate:
    """Return the mean of values between 0 and 1 as a rate; the interval of none is [0, 1]."""
    count = len(values)
    if not count:
        return Rate(0.0, 0.0, 1.0)
    share = fmean(values)
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count)) / (1 + Z * Z / count)
    return Rate(share, max(0.0, middle - half), min(1.0, middle + half))


def paired_gain(better: Sequence[float], worse: Sequence[float]) -> Rate:
    """Return the mean difference of two lists of scores, paired by seed, with its 95 % interval."""
    differences = [one - other for one, other in zip(better, worse, strict=True)]
    mean = fmean(differences)
    spread = sqrt(
        sum((one - mean) ** 2 for one in differences)
        / max(1, len(differences) - 1)
        / len(differences)
    )
    return Rate(mean, mean - Z * spread, mean + Z * spread)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that `share` of the values lie below, 0 for no values."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def tally(name: str, results: Sequence[GameResult]) -> Row:
    """Return the line of games of one kind."""
    contest = results[0].contest
    side, _ = sides = bots_of(contest.game).sides
    return Row(
        name=name,
        players=contest.players,
        games=len(results),
        side=side,
        wins=rate([float(result.winner == side) for result in results]),
        undecided=rate([float(result.winner == DRAW) for result in results]),
        score=rate([result.score(side) for result in results]),
        figures={
            figure: fmean(result.figures[figure] for result in results)
            for figure in results[0].figures
        },
        times={each: _milliseconds(each, results) for each in sides},
    )


def _milliseconds(side: str, results: Sequence[GameResult]) -> Milliseconds:
    times = [1000 * one for result in results for one in result.times[side]]
    return Milliseconds(percentile(times, 0.5), percentile(times, 0.99))


def table(rows: Sequence[Row]) -> str:
    """Return the lines, all of one game, as a Markdown table."""
    side, figures, sides = rows[0].side, rows[0].figures, rows[0].times
    head = [
        *("games", "players", "n", f"{side} win, 95 %", "undecided", f"{side}: score"),
        *(*figures, *(f"{each} ms p50 / p99" for each in sides)),
    ]
    cells = [head, ["---"] * len(head), *map(_cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells) + "\n"


def _cells(row: Row) -> list[str]:
    return [
        *(row.name, str(row.players), str(row.games), row.wins.text()),
        *(f"{100 * row.undecided.share:.1f} %", f"{row.score.share:.3f}"),
        *(f"{figure:.1f}" for figure in row.figures.values()),
        *(f"{each.p50:.1f} / {each.p99:.1f}" for each in row.times.values()),
    ]


def compare_steps(scores: Mapping[tuple[str, int], Sequence[float]]) -> str:
    """Return as Markdown the change of the score from each kind of game to the next, by players.

    scores: by name and players, paired by seed
    """
    lines = []
    for players in sorted({players for _, players in scores}):
        names = [name for name, count in scores if count == players]
        for before, after in pairwise(names):
            gain = paired_gain(scores[after, players], scores[before, players])
            lines.append(
                f"- {players} players, from {before} to {after}: score "
                f"{gain.share:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
            )
    return "\n".join(["From equal seeds, with 95 % intervals:", "", *lines, ""]) if lines else ""
