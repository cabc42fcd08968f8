"""Annotate and count a finished game: the vampire's true place beside the odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.core.capabilities import Annotations, Moment, ReplayFormat
from companion.core.game import Event, Message
from companion.games.vampireradar.events import GameSetUp, TurnEnded
from companion.games.vampireradar.options import V
from companion.games.vampireradar.statistics import (
    HuntStatistics,
    MissedShot,
    NearCall,
    RadarCut,
    compute_statistics,
    replay_steps,
)
from companion.games.vampireradar.suggestions import odds


def annotate(moments: Sequence[Moment]) -> Annotations:
    """Return the vampire's cell ("truth") and the humans' odds (cell to thousandths)."""
    return [
        {"truth": step.cell, "odds": odds(step.weights)}
        if number == 0 or _is_moment(step.event)
        else None
        for number, step in enumerate(replay_steps(moments))
    ]


def _is_moment(event: Event) -> bool:
    """Return whether the replay shows an event alone; otherwise the next moment includes it."""
    return event == TurnEnded(V) or not isinstance(event, TurnEnded | GameSetUp)


def statistics(moments: Sequence[Moment]) -> list[Message]:
    """Return the statistics of the game, the most important first."""
    return _sentences(compute_statistics(replay_steps(moments)))


def _sentences(figures: HuntStatistics) -> list[Message]:
    """Return a message for each figure that is not zero."""
    return [
        *_closest(figures.closest),
        *_missed_shot_figure(figures.missed, figures.chances),
        *_radars(figures.radars),
        *_shots(figures),
        *(
            [Message("figure.fewest", {"n": figures.fewest[0], "round": figures.fewest[1]})]
            if figures.fewest
            else []
        ),
        *(
            [Message("figure.nights", {"n": figures.nights, "steps": figures.steps})]
            if figures.nights
            else []
        ),
        *([Message("figure.still", {"n": figures.still})] if figures.still > 1 else []),
        *(
            [Message("figure.prey", {"kills": figures.pawns, "bats": figures.bats})]
            if figures.pawns or figures.bats
            else []
        ),
    ]


def _closest(call: NearCall | None) -> Iterator[Message]:
    if call is not None:
        where: dict[str, str | int] = {"pawn": call.pawn, "round": call.round}
        yield (
            Message("figure.closest.same", where)
            if not call.steps
            else Message("figure.closest", {**where, "n": call.steps})
        )


def _missed_shot_figure(shot: MissedShot | None, chances: int) -> Iterator[Message]:
    if shot is not None:
        yield Message(
            "figure.missed",
            {
                "pawn": shot.pawn,
                "cell": shot.cell,
                "direction": shot.direction,
                "round": shot.round,
                "on": shot.on,
                "n": shot.possible,
            },
        )
        yield Message("figure.chances", {"n": chances})


def _radars(cuts: list[RadarCut]) -> Iterator[Message]:
    if cuts:
        best = max(cuts, key=lambda cut: cut.before - cut.after)
        ruled_out = sum(cut.before - cut.after for cut in cuts)
        yield Message("figure.radars", {"n": len(cuts), "out": ruled_out})
        yield Message(
            "figure.radar_best", {**msgspec.structs.asdict(best), "out": best.before - best.after}
        )


def _shots(figures: HuntStatistics) -> Iterator[Message]:
    if figures.shots:
        yield Message("figure.shots", {"n": figures.shots, "hits": figures.hits})
    if figures.late:
        yield Message("figure.late", {"n": figures.late})


REPLAY = ReplayFormat(annotate, statistics)
