"""Summarise many games: rates with their intervals, times, sizes of the belief."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from statistics import fmean

from msgspec import Struct

from companion.arena.exploitability import Reading
from companion.arena.match import Result

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


class Row(Struct, frozen=True):
    """One line of the table.

    Times in milliseconds, `belief` the mean number of possible tiles at the humans' dawn.
    """

    name: str
    players: int
    games: int
    humans: Rate
    undecided: Rate
    score: Rate
    rounds: float
    human_p50: float
    human_p99: float
    vampire_p50: float
    vampire_p99: float
    belief: float


def rate(values: Sequence[float]) -> Rate:
    """Return the mean of values between 0 and 1 as a rate; no value is a rate about which nothing
    is known.
    """
    count = len(values)
    if not count:
        return Rate(0.0, 0.0, 1.0)
    share = fmean(values)
    middle = (share + Z * Z / (2 * count)) / (1 + Z * Z / count)
    half = Z * sqrt(share * (1 - share) / count + Z * Z / (4 * count * count)) / (1 + Z * Z / count)
    return Rate(share, max(0.0, middle - half), min(1.0, middle + half))


def gain(better: Sequence[float], worse: Sequence[float]) -> Rate:
    """Return how much higher the scores of the first are than those of the second, game by game
    from equal seeds, with the 95 % interval of the mean difference.
    """
    differences = [one - other for one, other in zip(better, worse, strict=True)]
    mean = fmean(differences)
    spread = sqrt(
        sum((one - mean) ** 2 for one in differences)
        / max(1, len(differences) - 1)
        / len(differences)
    )
    return Rate(mean, mean - Z * spread, mean + Z * spread)


class Readable(Struct, frozen=True):
    """How readable a level of the vampire is in small endgames: the mean chances of a hit, what
    knowing its habits wins and the most that it wins in one endgame.
    """

    name: str
    endgames: int
    rules: float
    habits: float
    gain: Rate
    most: float


def readable(name: str, readings: Sequence[Reading]) -> Readable:
    """Return how readable a vampire is by its readings."""
    rules, habits = [one.rules for one in readings], [one.habits for one in readings]
    most = max(knows - guesses for knows, guesses in zip(habits, rules, strict=True))
    return Readable(name, len(readings), fmean(rules), fmean(habits), gain(habits, rules), most)


READABLE_HEAD = (
    "| vampire | endgames | hit, knowing the rules | hit, knowing its habits | gain, 95 % | most "
    "|\n"
    "|---|---|---|---|---|---|"
)


def readable_table(rows: Iterable[Readable]) -> str:
    """Return the lines as a Markdown table."""
    return "\n".join([READABLE_HEAD, *map(_readable_line, rows)]) + "\n"


def _readable_line(row: Readable) -> str:
    found = row.gain
    share = f"{100 * found.share:+.1f} % [{100 * found.low:+.1f}, {100 * found.high:+.1f}]"
    means = f"{100 * row.rules:.1f} % | {100 * row.habits:.1f} %"
    return f"| {row.name} | {row.endgames} | {means} | {share} | {100 * row.most:+.1f} % |"


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie, by the nearest rank; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def tally(name: str, results: Sequence[Result]) -> Row:
    """Return the line of games that were played alike."""
    humans = [1000 * one for result in results for one in result.human_times]
    vampire = [1000 * one for result in results for one in result.vampire_times]
    beliefs = [size for result in results for size in result.beliefs]
    return Row(
        name=name,
        players=results[0].contest.players,
        games=len(results),
        humans=rate([float(result.winner == "humans") for result in results]),
        undecided=rate([float(result.winner == "draw") for result in results]),
        score=rate([result.score for result in results]),
        rounds=fmean(result.rounds for result in results),
        human_p50=percentile(humans, 0.5),
        human_p99=percentile(humans, 0.99),
        vampire_p50=percentile(vampire, 0.5),
        vampire_p99=percentile(vampire, 0.99),
        belief=fmean(beliefs) if beliefs else 0.0,
    )


HEAD = (
    "| games | players | n | humans win, 95 % | undecided | humans' score | rounds | human ms "
    "p50 / p99 | "
    "vampire ms p50 / p99 | belief |\n|---|---|---|---|---|---|---|---|---|---|"
)


def table(rows: Iterable[Row]) -> str:
    """Return the lines as a Markdown table."""
    lines = [
        f"| {row.name} | {row.players} | {row.games} | {row.humans.text()} | "
        f"{100 * row.undecided.share:.1f} % | "
        f"{row.score.share:.3f} | {row.rounds:.1f} | {row.human_p50:.1f} / {row.human_p99:.1f} | "
        f"{row.vampire_p50:.1f} / {row.vampire_p99:.1f} | {row.belief:.1f} |"
        for row in rows
    ]
    return "\n".join([HEAD, *lines]) + "\n"


def steps(scores: Mapping[tuple[str, int], Sequence[float]]) -> str:
    """Return, as lines of Markdown, how much the humans' score changes from each kind of game to
    the next with as many players; `scores` by name and players, game by game from equal seeds.
    """
    lines = []
    for players in sorted({players for _, players in scores}):
        names = [name for name, count in scores if count == players]
        for before, after in pairwise(names):
            found = gain(scores[after, players], scores[before, players])
            lines.append(
                f"- {players} players, from {before} to {after}: humans' score "
                f"{found.share:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
            )
    return "\n".join(["From equal seeds, with 95 % intervals:", "", *lines, ""]) if lines else ""


def against_usual(scores: Mapping[tuple[str, int], Sequence[float]]) -> str:
    """Return, as lines of Markdown, how much the humans' score differs from that of the usual game;
    `scores` by "OPTION VALUE" and players, game by game from equal seeds, the usual value of each
    option first.
    """
    lines = []
    for players in sorted({players for _, players in scores}):
        usual: dict[str, Sequence[float]] = {}
        for name, some in (
            (name, some) for (name, count), some in scores.items() if count == players
        ):
            option = name.partition(" ")[0]
            if option in usual:
                found = gain(some, usual[option])
                apart = " **apart**" if found.low > 0 or found.high < 0 else ""
                lines.append(
                    f"- {players} players, {name}: {found.share:+.3f} [{found.low:+.3f}, "
                    f"{found.high:+.3f}]{apart}"
                )
            usual.setdefault(option, some)
    head = "The humans' score beside that of the usual game, from equal seeds, with 95 % intervals:"
    return "\n".join([head, "", *lines, ""]) if lines else ""
