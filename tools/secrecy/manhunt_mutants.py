"""Planted leaks in Manhunt: each discloses the fugitive's place by one small fault, and the twin
run must catch it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest import MonkeyPatch

from companion.core.capabilities import Suggestion
from companion.core.game import Action, Message, View
from companion.games.manhunt import paper_play, rules
from companion.games.manhunt.actions import AnnounceWay
from companion.games.manhunt.options import F
from companion.games.manhunt.suggestions import FugitiveHints
from tests.helpers.ramdisk import in_memory
from tools.secrecy.http import Difference
from tools.secrecy.http_cards import CardPair, CardRun
from tools.secrecy.http_manhunt import ManhuntSide, is_lost, make_pair
from tools.secrecy.mutants import add_to_snapshot, publish_secret_submissions

PLAYERS = 3


def count_exits(patch: MonkeyPatch) -> None:
    """The public snapshot has the number of the fugitive's legal steps."""

    def snapshot_fields(table: Any) -> dict[str, Any]:
        state = table.run.state
        own = state.private.get(F) if table.run.game else None
        steps = state.public.board.steps["fugitive"] if own else {}
        return {"exits": len(steps[own.cell]) if own and own.cell else 0}

    add_to_snapshot(patch, snapshot_fields)


def publish_when_moved(patch: MonkeyPatch) -> None:
    """A secret turn publishes an update without a change."""
    publish_secret_submissions(patch)


def follow_fugitive(patch: MonkeyPatch) -> list[Any]:
    """Return a list whose only item is the fugitive's last known place in any folded state."""
    last_cell: list[Any] = [None]
    evolve = rules.Manhunt.evolve

    def evolved(game: Any, state: Any, event: Any) -> Any:
        after = evolve(game, state, event)
        if after.private:
            last_cell[0] = after.private[F].cell or last_cell[0]
        return after

    patch.setattr(rules.Manhunt, "evolve", evolved)
    return last_cell


def sort_walks_by_distance(patch: MonkeyPatch) -> None:
    """A hunter's steps are sorted by their distance to the fugitive."""
    last_cell = follow_fugitive(patch)

    def sorted_actions(game: Any, view: View) -> Sequence[Action]:
        legal = list(legal_actions(game, view))
        board, place = view.public.board, last_cell[0]
        if view.seat == F or place not in board.index:
            return legal
        return sorted(legal, key=lambda each: board.distance(getattr(each, "to", place), place))

    legal_actions = rules.Manhunt.legal_actions
    patch.setattr(rules.Manhunt, "legal_actions", sorted_actions)


def double_odds_of_place(patch: MonkeyPatch) -> None:
    """The hints double the odds of the fugitive's place."""
    last_cell = follow_fugitive(patch)
    odds = FugitiveHints.odds

    def biased_odds(hints: FugitiveHints) -> Any:
        all_odds = dict(odds(hints))
        return all_odds | (
            {last_cell[0]: 2 * all_odds[last_cell[0]]} if last_cell[0] in all_odds else {}
        )

    patch.setattr(FugitiveHints, "odds", biased_odds)


def suggest_by_place(patch: MonkeyPatch) -> None:
    """The reason of a suggestion names the fugitive's place."""
    last_cell = follow_fugitive(patch)
    suggest = FugitiveHints.suggest

    def biased_suggest(hints: FugitiveHints) -> Any:
        found = suggest(hints)
        if found is None:
            return None
        return Suggestion(found.action, Message(found.reason.code, {"cell": str(last_cell[0])}))

    patch.setattr(FugitiveHints, "suggest", biased_suggest)


def offer_ways_of_place(patch: MonkeyPatch) -> None:
    """On paper the fugitive is offered the ways from the last place on its phone."""
    last_cell = follow_fugitive(patch)
    announced_actions = paper_play.announced_actions

    def biased_actions(public: Any) -> Sequence[Action]:
        board, place = public.board, last_cell[0]
        if place not in board.index:
            return announced_actions(public)
        ways = {board.label(place, each) for each in board.steps["fugitive"][place]}
        return [
            action
            for action in announced_actions(public)
            if not isinstance(action, AnnounceWay) or action.way in ways
        ]

    patch.setattr(paper_play, "announced_actions", biased_actions)


LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        count_exits, publish_when_moved, sort_walks_by_distance,
        double_odds_of_place, suggest_by_place, offer_ways_of_place,
    )
}  # fmt: skip
ON_PAPER = {offer_ways_of_place.__name__}
"""Leaks of a game that continues on paper."""


@lru_cache(maxsize=2)
def hunted_pair(*, on_paper: bool = False) -> CardPair:
    """Return a pair whose paths end on places with different numbers of ways; on paper, on a map
    that announces ways.
    """
    for seed in range(2, 1000):
        pair = make_pair(seed, PLAYERS, 8, 1_000_000)
        announce = pair.twins.setup.content.rules.announce
        fits = announce in ("kind", "direction") if on_paper else announce != "nothing"
        if pair.twins.unlike and fits and is_lost(pair) == on_paper:
            return pair
    raise AssertionError("no such pair")


def caught(name: str) -> Difference | None:
    """Return the difference that the twin run reports of a planted leak, or None."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        LEAKS[name](patch)
        pair = hunted_pair(on_paper=name in ON_PAPER)
        return CardRun(Path(folder), PLAYERS, stack, ManhuntSide).play(pair)[1]


def unplanted_difference(name: str) -> Difference | None:
    """Return the difference of the same pair without a leak."""
    with in_memory() as folder, ExitStack() as stack:
        pair = hunted_pair(on_paper=name in ON_PAPER)
        return CardRun(Path(folder), PLAYERS, stack, ManhuntSide).play(pair)[1]
