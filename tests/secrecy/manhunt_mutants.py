"""Planted leaks in Manhunt: each discloses the fugitive's place by one small fault, and the twin
run must see it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest import MonkeyPatch

from companion.core.game import Action, View
from companion.games.manhunt import paper_play, rules
from companion.games.manhunt.actions import AnnounceWay
from companion.games.manhunt.hints import PlaceHints
from companion.games.manhunt.options import F
from tests.helpers.ramdisk import in_memory
from tests.secrecy.http import Difference
from tests.secrecy.http_cards import CardPair, CardRun
from tests.secrecy.http_manhunt import ManhuntSide, is_lost, make_pair
from tests.secrecy.mutants import add_to_snapshot, publish_secret_submissions

PLAYERS = 3


def the_exits_are_counted(patch: MonkeyPatch) -> None:
    """The public snapshot has how many steps the fugitive may take."""

    def shown(table: Any) -> dict[str, Any]:
        state = table.run.state
        own = state.private.get(F) if table.run.game else None
        steps = state.public.board.steps["fugitive"] if own else {}
        return {"exits": len(steps[own.cell]) if own and own.cell else 0}

    add_to_snapshot(patch, shown)


def an_update_when_it_has_moved(patch: MonkeyPatch) -> None:
    """A secret turn publishes an update when it is taken, though nothing in it changed."""
    publish_secret_submissions(patch)


def walks_that_know_where_it_is(patch: MonkeyPatch) -> None:
    """A hunter is offered its steps in the order of their distance to the fugitive."""
    known: list[Any] = [None]
    evolve = rules.Manhunt.evolve

    def evolved(game: Any, state: Any, event: Any) -> Any:
        after = evolve(game, state, event)
        if after.private:
            known[0] = after.private[F].cell or known[0]
        return after

    def sorted_actions(game: Any, view: View) -> Sequence[Action]:
        legal = list(offered(game, view))
        board, place = view.public.board, known[0]
        if view.seat == F or place not in board.index:
            return legal
        return sorted(legal, key=lambda each: board.distance(getattr(each, "to", place), place))

    offered = rules.Manhunt.legal_actions
    patch.setattr(rules.Manhunt, "evolve", evolved)
    patch.setattr(rules.Manhunt, "legal_actions", sorted_actions)


def odds_of_the_true_place(patch: MonkeyPatch) -> None:
    """The hints give the true place twice the odds of the others."""
    known: list[Any] = [None]
    evolve = rules.Manhunt.evolve
    odds = PlaceHints.odds

    def evolved(game: Any, state: Any, event: Any) -> Any:
        after = evolve(game, state, event)
        if after.private:
            known[0] = after.private[F].cell
        return after

    def told(hints: PlaceHints) -> Any:
        found = dict(odds(hints))
        return found | ({known[0]: 2 * found[known[0]]} if known[0] in found else {})

    patch.setattr(rules.Manhunt, "evolve", evolved)
    patch.setattr(PlaceHints, "odds", told)


def ways_of_the_true_place(patch: MonkeyPatch) -> None:
    """On paper the fugitive is offered the ways that lead from where its phone last had it."""
    known: list[Any] = [None]
    evolve = rules.Manhunt.evolve
    announced_actions = paper_play.announced_actions

    def evolved(game: Any, state: Any, event: Any) -> Any:
        after = evolve(game, state, event)
        if after.private:
            known[0] = after.private[F].cell or known[0]
        return after

    def offered(public: Any) -> Sequence[Action]:
        board, place = public.board, known[0]
        if place not in board.index:
            return announced_actions(public)
        ways = {board.label(place, each) for each in board.steps["fugitive"][place]}
        return [
            action
            for action in announced_actions(public)
            if not isinstance(action, AnnounceWay) or action.way in ways
        ]

    patch.setattr(rules.Manhunt, "evolve", evolved)
    patch.setattr(paper_play, "announced_actions", offered)


LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        the_exits_are_counted, an_update_when_it_has_moved, walks_that_know_where_it_is,
        odds_of_the_true_place, ways_of_the_true_place,
    )
}  # fmt: skip
ON_PAPER = {ways_of_the_true_place.__name__}
"""Leaks of a game that goes on on paper."""


@lru_cache(maxsize=2)
def hunted_pair(*, on_paper: bool = False) -> CardPair:
    """A pair whose paths end on places with other numbers of ways; on paper, a map that tells
    ways.
    """
    for seed in range(2, 1000):
        pair = make_pair(seed, PLAYERS, 8, 1_000_000)
        announce = pair.twins.setup.content.rules.announce
        fits = announce in ("kind", "direction") if on_paper else announce != "nothing"
        if pair.twins.unlike and fits and is_lost(pair) == on_paper:
            return pair
    raise AssertionError("no such pair")


def caught(name: str) -> Difference | None:
    """Return what the twin run sees of a planted leak, None if it goes unseen."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        LEAKS[name](patch)
        pair = hunted_pair(on_paper=name in ON_PAPER)
        return CardRun(Path(folder), PLAYERS, stack, ManhuntSide).plays(pair)[1]


def without_a_leak(name: str) -> Difference | None:
    """Return what the twin run sees of the same pair where nothing is planted."""
    with in_memory() as folder, ExitStack() as stack:
        pair = hunted_pair(on_paper=name in ON_PAPER)
        return CardRun(Path(folder), PLAYERS, stack, ManhuntSide).plays(pair)[1]
