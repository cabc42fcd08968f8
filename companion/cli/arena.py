"""`companion arena`: measure bots and rules by playing."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import click
import msgspec
from msgspec import Struct

from companion.arena.match import (
    ArenaError,
    Contest,
    GameResult,
    bots_of,
    on_cores,
)
from companion.arena.report import NoPlot, provenance, write
from companion.arena.statistics import (
    Row,
    compare_steps,
    table,
    tally,
)
from companion.bots.external import PREFIX
from companion.core.capabilities import Bots
from companion.core.game import InvalidSetup
from companion.games import GAMES, find_game

F = TypeVar("F", bound=Callable[..., Any])
Scores = Mapping[tuple[str, int], Sequence[float]]

seed_option = click.option(
    "--seed", type=click.IntRange(0), default=1, show_default=True, help="The first game's seed."
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder for table, figures and plot.",
)
side_option = click.option(
    "--side",
    "chosen",
    metavar="SIDE=LEVEL",
    multiple=True,
    help=f"The level of a side, or {PREFIX}COMMAND; other sides play the second level.",
)
SHARED_OPTIONS = (
    side_option,
    click.option(
        "--players",
        type=click.IntRange(2, 6),
        multiple=True,
        help="May be given again; every number of players by default.",
    ),
    click.option(
        "--games",
        type=click.IntRange(1),
        default=100,
        show_default=True,
        help="Games of each kind.",
    ),
    seed_option,
    click.option(
        "--seconds",
        type=click.FloatRange(0.001, 60),
        default=0.01,
        show_default=True,
        help="Seconds for a decision.",
    ),
    click.option(
        "--workers",
        type=click.IntRange(1),
        default=lambda: os.cpu_count() or 1,
        help="Processes; all cores by default.",
    ),
    out_option,
)


def shared_options(command: F) -> F:
    """Add the options of which a `Run` consists."""
    return reduce(lambda wrapped, option: option(wrapped), reversed(SHARED_OPTIONS), command)


class Run(Struct, frozen=True):
    """The shared options of programs that let bots play.

    chosen: "SIDE=LEVEL" of each side that does not play at its default level
    players: empty for every number of players
    """

    chosen: Sequence[str]
    players: Sequence[int]
    games: int
    seed: int
    seconds: float
    workers: int
    out: Path | None

    def contests(
        self,
        game: str,
        players: int,
        levels: Mapping[str, str],
        setup: Mapping[str, Any],
    ) -> list[Contest]:
        """Return the games of one kind, each with a seed of its own."""
        return [
            Contest(game, players, levels, self.seed + number, self.seconds, setup)
            for number in range(self.games)
        ]

    def player_counts(self, game: str) -> Sequence[int]:
        """Return the numbers of players; raise `BadParameter` for one that the game lacks."""
        try:
            return [find_game(game).check_players(count) for count in self.players] or list(
                find_game(game).seats
            )
        except InvalidSetup as wrong:
            known = ", ".join(map(str, find_game(game).seats))
            raise click.BadParameter(f"{game} is for {known} players") from wrong


def levels_of(bots: Bots, chosen: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Return the levels of each side by words like "SIDE=LEVEL"; raise `BadParameter`."""
    levels_by_side: dict[str, list[str]] = {side: [] for side in bots.sides}
    for word in chosen:
        side, _, level = word.partition("=")
        if side not in levels_by_side:
            raise click.BadParameter(f"{side!r} is none of {', '.join(levels_by_side)}")
        if level not in bots.levels and not level.startswith(PREFIX):
            known = ", ".join(bots.levels)
            raise click.BadParameter(f"{level!r} is none of {known}, and no {PREFIX}COMMAND")
        levels_by_side[side].append(level)
    return {side: levels or [bots.levels[1]] for side, levels in levels_by_side.items()}


def setup_of(game: str, chosen: Iterable[str]) -> Mapping[str, Any]:
    """Return the set-up with options by "NAME=VALUE" (JSON or text); raise `BadParameter`."""
    options: dict[str, Any] = {}
    for word in chosen:
        name, _, value = word.partition("=")
        try:
            options[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            options[name] = value
    setup = {"options": options} if options else {}
    rules = find_game(game)
    try:
        rules.setup(
            rules.seat_names(rules.seats[0]), msgspec.convert(setup, rules.setup_type), Random(0)
        )
    except (msgspec.ValidationError, InvalidSetup) as wrong:
        raise click.BadParameter(f"{' '.join(chosen)}: {wrong}") from wrong
    return setup


@click.command()
@click.argument("game", type=click.Choice([game.name for game in GAMES if game.bots]))
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="An option of the game, as in settings; may be given again.",
)
@shared_options
def arena(game: str, options: Sequence[str], **arguments: Any) -> None:
    """Let bots play bots and measure who wins.

    Each pair of levels plays at each number of players. LEVEL is a name, or program:COMMAND for an
    external bot (docs/protocol.md). The same seed plays the same games; an illegal action ends the
    run with an error.
    """
    run, setup = Run(**arguments), setup_of(game, options)
    levels = levels_of(bots_of(game), run.chosen)
    pairs = [dict(zip(levels, pair, strict=True)) for pair in product(*levels.values())]
    kinds = [
        (
            ", ".join(f"{level} {side}" for side, level in pair.items()),
            run.contests(game, count, pair, setup),
        )
        for pair, count in product(pairs, run.player_counts(game))
    ]
    play_and_print("arena", "companion", run, kinds, compare_steps)


def play_and_print(
    name: str,
    program: str,
    run: Run,
    kinds: list[tuple[str, list[Contest]]],
    compare: Callable[[Scores], str],
) -> None:
    """Play the games of each kind; print the table and what `compare` says of the scores.

    name: of the files of `out`
    program: the words before the command's options, as in the origin of the figures
    """
    contests = [contest for _, some in kinds for contest in some]
    results: list[GameResult] = []
    try:
        with click.progressbar(
            length=len(contests), label=f"{len(contests)} games", file=sys.stderr
        ) as bar:
            for result in on_cores(contests, run.workers):
                results.append(result)
                bar.update(1)
    except ArenaError as wrong:
        click.echo(f"companion: {wrong}", err=True)
        sys.exit(1)
    for reason, count in Counter(one.reason for one in results if " " in one.reason).most_common():
        # The reason for a lost seat is a sentence; every other reason is a code without a space.
        click.echo(f"companion: {count} games ended because {reason}", err=True)
    rows: list[Row] = []
    scores: dict[tuple[str, int], list[float]] = {}
    for label, some in kinds:
        rows.append(tally(label, results[: len(some)]))
        scores[label, some[0].players] = [
            result.score(rows[-1].side) for result in results[: len(some)]
        ]
        del results[: len(some)]
    source = provenance(run.seed, " ".join([program, *sys.argv[1:]]))
    note = compare(scores)
    click.echo("\n".join(part for part in (table(rows), note, source.text()) if part), nl=False)
    if run.out is not None:
        try:
            write(run.out, name, rows, source, note)
        except NoPlot as missing:
            click.echo(f"companion: {missing}; the table is written", err=True)
            sys.exit(1)
