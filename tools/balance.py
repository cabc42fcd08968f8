"""Measure how options and fields of Vampire Radar change the win rates.

`python -m tools.balance [OPTION]... [--side SIDE=LEVEL]... [--players N]... [--games N]`

Each value of each named option (of all options, if none is named) is played by the same bots.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from companion.arena.match import bots_of
from companion.arena.statistics import paired_gain
from companion.cli.arena import Run, levels_of, play_and_print, shared_options
from companion.core.codec import to_builtins
from companion.games.vampireradar.layout import HOUSE_FIELD

GAME = "vampireradar"
VALUES: Mapping[str, tuple[Any, ...]] = {
    "adjacency": ("orthogonal", "with_diagonals"),
    "announce": ("immediate", "turn_end"),
    "bullets_each": (None, 1, 2, 3, 4, 6),
    "exhaustion": ("strict", "hopeless"),
    "lazy_landing": (False, True),
    "max_joined_walls": (2, 1, 4, 7),
    "pawns_block_shots": (False, True),
    "pawns_each": (None, 2, 3, 4),
    "pawns_per_turn": (3, 2, 1),
    "turn_order": ("fixed", "rotating"),
    "vampire_may_share": (True, False),
}
"""The values of each option, the usual one first.

`adjacency` and `max_joined_walls` are rules for laying a random field.
"""

VARIATIONS: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    **{
        name: {
            "usual" if value is None else str(value).lower(): {"options": {name: value}}
            for value in values
        }
        for name, values in VALUES.items()
    },
    "field": {"random": {}, "house": {"field": to_builtins(HOUSE_FIELD)}},
}


@click.command()
@click.argument("names", nargs=-1, metavar="[OPTION]...")
@shared_options
def main(names: Sequence[str], **arguments: Any) -> None:
    """Play each value of each named option, or of all options, by the same bots."""
    run = Run(**arguments)
    for name in names:
        if name not in VARIATIONS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(sorted(VARIATIONS))}")
    pair = {side: levels[0] for side, levels in levels_of(bots_of(GAME), run.chosen).items()}
    kinds = [
        (f"{name} {value}", run.contests(GAME, count, pair, setup))
        for name in names or sorted(VARIATIONS)
        for value, setup in VARIATIONS[name].items()
        for count in run.player_counts(GAME)
    ]
    play_and_print("balance", "python -m tools.balance", run, kinds, compare_with_usual)


def compare_with_usual(scores: Mapping[tuple[str, int], Sequence[float]]) -> str:
    """Return, as lines of Markdown, the difference of the score from that of the default game.

    scores: by "OPTION VALUE" and players, paired by seed, the default value of each option first
    """
    lines = []
    for players in sorted({players for _, players in scores}):
        usual: dict[str, Sequence[float]] = {}
        for name, some in (
            (name, some) for (name, count), some in scores.items() if count == players
        ):
            option = name.partition(" ")[0]
            if option in usual:
                gain = paired_gain(some, usual[option])
                apart = " **apart**" if gain.low > 0 or gain.high < 0 else ""
                lines.append(
                    f"- {players} players, {name}: {gain.share:+.3f} [{gain.low:+.3f}, "
                    f"{gain.high:+.3f}]{apart}"
                )
            usual.setdefault(option, some)
    head = "The score beside that of the usual game, from equal seeds, with 95 % intervals:"
    return "\n".join([head, "", *lines, ""]) if lines else ""


if __name__ == "__main__":
    main()
