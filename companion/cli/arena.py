"""`companion arena`, `companion balance` and `companion probe`: bots play, people read the
figures.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path

import click

from companion.arena.executor import NoCluster, on_cluster, on_cores
from companion.arena.experiments import VARIATIONS, contests_of
from companion.arena.exploitability import endgame, habits_of, reading
from companion.arena.match import Contest, Faulty, Result
from companion.arena.report import NoPlot, provenance, write, write_figures
from companion.arena.statistics import (
    Row,
    against_usual,
    readable,
    readable_table,
    steps,
    table,
    tally,
)
from companion.bots.external import PREFIX
from companion.games.vampireradar.bots.levels import HUMAN_LEVELS, LEVELS, VAMPIRE_LEVELS

players_option = click.option(
    "--players",
    type=click.IntRange(2, 4),
    multiple=True,
    default=(2, 3, 4),
    help="2, 3 or 4; may be given again.",
)
games_option = click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Games of each kind."
)
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The first game's seed."
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1),
    default=lambda: os.cpu_count() or 1,
    help="Processes; all cores by default.",
)
scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="A Dask scheduler, as tcp://HOST:8786."
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for table, figures and plot.",
)
seconds_option = click.option(
    "--seconds",
    type=click.FloatRange(0.001, 60),
    default=0.01,
    show_default=True,
    help="What a decision may take.",
)


class _Level(click.ParamType[str]):
    """A level's name, or "program:COMMAND"."""

    name = "level"

    def __init__(self, levels: Mapping[str, object]) -> None:
        self._levels = ", ".join(levels)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value in self._levels.split(", ") or value.startswith(PREFIX):
            return value
        self.fail(f"{value!r} is none of {self._levels}, and no {PREFIX}COMMAND", param, ctx)


@click.command()
@click.option(
    "--humans", type=_Level(HUMAN_LEVELS), multiple=True, default=("heuristic",), show_default=True
)
@click.option(
    "--vampire", type=_Level(VAMPIRE_LEVELS), multiple=True, default=("greedy",), show_default=True
)
@players_option
@games_option
@seed_option
@seconds_option
@workers_option
@scheduler_option
@out_option
def arena(
    humans: Sequence[str],
    vampire: Sequence[str],
    players: Sequence[int],
    games: int,
    seed: int,
    seconds: float,
    workers: int,
    scheduler: str | None,
    out: Path | None,
) -> None:
    """Let bots play bots and measure who wins.

    Each pair of levels plays at each number of players. LEVEL is a name, or program:COMMAND for an
    external bot (docs/protocol.md). The same seed plays the same games; an illegal action ends the
    run with an error.
    """
    kinds = [
        (
            f"{human} humans, {hunter} vampire",
            [
                Contest(count, human, hunter, seed + number, seconds, seconds)
                for number in range(games)
            ],
        )
        for human, hunter, count in product(humans, vampire, players)
    ]
    _play_and_tell("arena", kinds, steps, seed, workers, scheduler, out)


@click.command()
@click.argument(
    "names", nargs=-1, type=click.Choice(sorted(VARIATIONS)), metavar="[OPTION|field]..."
)
@click.option(
    "--humans", type=click.Choice(list(HUMAN_LEVELS)), default="heuristic", show_default=True
)
@click.option(
    "--vampire", type=click.Choice(list(VAMPIRE_LEVELS)), default="heuristic", show_default=True
)
@players_option
@games_option
@seed_option
@seconds_option
@workers_option
@scheduler_option
@out_option
def balance(
    names: Sequence[str],
    humans: str,
    vampire: str,
    players: Sequence[int],
    games: int,
    seed: int,
    seconds: float,
    workers: int,
    scheduler: str | None,
    out: Path | None,
) -> None:
    """Measure how options and fields change the win rates.

    Each value of each named option (of all options, if none is named) is played by the same bots.
    """
    kinds = [
        (
            label,
            [
                Contest(count, humans, vampire, seed + number, seconds, seconds, options, field)
                for number in range(games)
            ],
        )
        for label, options, field in contests_of(names or sorted(VARIATIONS))
        for count in players
    ]
    _play_and_tell("balance", kinds, against_usual, seed, workers, scheduler, out)


@click.command()
@click.option(
    "--vampire",
    type=click.Choice(list(VAMPIRE_LEVELS)),
    multiple=True,
    default=LEVELS,
    show_default=True,
)
@click.option(
    "--endgames",
    type=click.IntRange(2),
    default=40,
    show_default=True,
    help="Endgames for each level.",
)
@click.option(
    "--rounds",
    type=click.IntRange(1, 2),
    default=1,
    show_default=True,
    help="Nights before the count.",
)
@click.option(
    "--pawns", type=click.IntRange(1, 3), default=1, show_default=True, help="Pawns of the human."
)
@click.option(
    "--bullets",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="Bullets of the human.",
)
@seed_option
@out_option
def probe(
    vampire: Sequence[str],
    endgames: int,
    rounds: int,
    pawns: int,
    bullets: int,
    seed: int,
    out: Path | None,
) -> None:
    """Measure how predictable each level of the vampire is.

    In small endgames: how often exact best answers win that know its habits, beside those that
    know the rules alone. The vampire has one life left, so a hit wins. Two rounds, more pawns and
    more bullets take much longer.
    """
    rows = []
    with click.progressbar(
        length=len(vampire) * endgames, label="endgames", file=sys.stderr
    ) as bar:
        for level in vampire:
            readings = []
            for number in range(endgames):
                readings.append(
                    reading(endgame(seed + number, pawns, bullets), habits_of(level), rounds)
                )
                bar.update(1)
            rows.append(readable(level, readings))
    source = provenance(seed, " ".join(["companion", *sys.argv[1:]]))
    text = f"{readable_table(rows)}\n{source.text()}"
    click.echo(text, nl=False)
    if out is not None:
        write_figures(out, "probe", text, rows, source)


def _play_and_tell(
    name: str,
    kinds: list[tuple[str, list[Contest]]],
    compare: Callable[[Mapping[tuple[str, int], Sequence[float]]], str],
    seed: int,
    workers: int,
    scheduler: str | None,
    out: Path | None,
) -> None:
    contests = [contest for _, some in kinds for contest in some]
    results: list[Result] = []
    try:
        played = on_cluster(contests, scheduler) if scheduler else on_cores(contests, workers)
        with click.progressbar(
            length=len(contests), label=f"{len(contests)} games", file=sys.stderr
        ) as bar:
            for result in played:
                results.append(result)
                bar.update(1)
    except (Faulty, NoCluster) as wrong:
        click.echo(f"companion: {wrong}", err=True)
        sys.exit(1)
    for reason, count in Counter(one.reason for one in results if " " in one.reason).most_common():
        # A seat that was lost is told in words; every other reason is a code without a space.
        click.echo(f"companion: {count} games ended because {reason}", err=True)
    rows: list[Row] = []
    scores: dict[tuple[str, int], list[float]] = {}
    for label, some in kinds:
        rows.append(tally(label, results[: len(some)]))
        scores[label, some[0].players] = [result.score for result in results[: len(some)]]
        del results[: len(some)]
    source = provenance(seed, " ".join(["companion", *sys.argv[1:]]))
    note = compare(scores)
    click.echo("\n".join(part for part in (table(rows), note, source.text()) if part), nl=False)
    if out is not None:
        try:
            write(out, name, rows, source, note)
        except NoPlot as missing:
            click.echo(f"companion: {missing}; the table is written", err=True)
            sys.exit(1)
