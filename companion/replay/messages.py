"""Figures as one sentence each: codes of the language catalogues, the most telling ones first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from companion.core.game import Event, Said
from companion.games.vampireradar.statistics import Figures, MissedShot, NearCall, RadarCut


def hunt_sentences(told: Figures) -> list[Said]:
    """Return what is said of a hunt; nothing is said of what never happened."""
    return [
        *_closest(told.closest),
        *_missed(told.missed, told.chances),
        *_radars(told.radars),
        *_shots(told),
        *(
            [Said("figure.fewest", {"n": told.fewest[0], "round": told.fewest[1]})]
            if told.fewest
            else []
        ),
        *([Said("figure.nights", {"n": told.nights, "steps": told.steps})] if told.nights else []),
        *([Said("figure.still", {"n": told.still})] if told.still > 1 else []),
        *(
            [Said("figure.prey", {"kills": told.pawns, "bats": told.bats})]
            if told.pawns or told.bats
            else []
        ),
    ]


def open_sentences(events: Iterable[Event], rounds: int) -> list[Said]:
    """Return what is said of a game in which nothing is hidden: how long it was, and what was
    taken.
    """
    told = Counter(event.__struct_config__.tag for event in events)
    turned = sum(getattr(event, "becomes", None) is not None for event in events)
    taken = told["piece_jumped"] - turned
    return [
        Said("figure.turns", {"n": rounds}),
        Said("figure.taken", {"n": taken}),
        *([Said("figure.turned", {"n": turned})] if turned else []),
    ]


def _closest(call: NearCall | None) -> Iterator[Said]:
    if call is not None:
        where: dict[str, str | int] = {"pawn": call.pawn, "round": call.round}
        yield (
            Said("figure.closest.same", where)
            if not call.steps
            else Said("figure.closest", {**where, "n": call.steps})
        )


def _missed(shot: MissedShot | None, chances: int) -> Iterator[Said]:
    if shot is not None:
        yield Said(
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
        yield Said("figure.chances", {"n": chances})


def _radars(cuts: list[RadarCut]) -> Iterator[Said]:
    if cuts:
        best = max(cuts, key=lambda cut: cut.before - cut.after)
        ruled_out = sum(cut.before - cut.after for cut in cuts)
        yield Said("figure.radars", {"n": len(cuts), "out": ruled_out})
        yield Said(
            "figure.radar_best", {**msgspec.structs.asdict(best), "out": best.before - best.after}
        )


def _shots(told: Figures) -> Iterator[Said]:
    if told.shots:
        yield Said("figure.shots", {"n": told.shots, "hits": told.hits})
    if told.late:
        yield Said("figure.late", {"n": told.late})
