"""Planted leaks in card games: each discloses a secret by one small fault, and the twin run must
catch it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest import MonkeyPatch

from companion.core.view import view
from companion.games.vampire_empire.actions import Discard, Pay, PlaySupport
from companion.games.vwars.actions import Put
from companion.table.reveal import RevealScheduler
from tests.helpers.ramdisk import in_memory
from tools.secrecy import http_vampire_empire, paired_vampire_empire
from tools.secrecy.http import Difference
from tools.secrecy.http_cards import CardPair, CardRun, VWarsSide, make_pair
from tools.secrecy.http_vampire_empire import VampireEmpireSide
from tools.secrecy.mutants import (
    add_to_snapshot,
    leak_in_wrong_code_reply,
    publish_secret_submissions,
)
from tools.secrecy.paired_cards import CardTwins
from tools.secrecy.paired_vwars import VWarsPairSide, VWarsTwins

PLAYERS = 4


def reveal_when_placed(patch: MonkeyPatch) -> None:
    """A placed card is published at once, so that its delay depends on the choice."""
    hold: Any = RevealScheduler.hold

    def hold_and_reveal(reveals: Any, turn: Any) -> None:
        hold(reveals, turn)
        reveals._store(reveals._plan)
        reveals._reveal(reveals._plan, 0.0)

    patch.setattr(RevealScheduler, "hold", hold_and_reveal)


def publish_when_placed(patch: MonkeyPatch) -> None:
    """A placed card publishes an update without a change."""
    publish_secret_submissions(patch)


def count_bitten(patch: MonkeyPatch) -> None:
    """The public snapshot has the number of bitten players."""

    def snapshot_fields(table: Any) -> dict[str, Any]:
        hands = table.run.state.private.values()
        return {"kin": sum(getattr(hand, "role", "") == "kin" for hand in hands)}

    add_to_snapshot(patch, snapshot_fields)


def wrong_code_leaks_role(patch: MonkeyPatch) -> None:
    """The reply to a wrong code for a seat depends on its owner's hand."""
    leak_in_wrong_code_reply(patch)


LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        reveal_when_placed,
        publish_when_placed,
        count_bitten,
        wrong_code_leaks_role,
    )
}


@lru_cache(maxsize=1)
def biting_pair() -> CardPair:
    """Return a short pair in which the numbers of bitten players differ."""
    for seed in range(2, 1000):
        pair = make_pair(seed, PLAYERS, 6, 1_000_000)
        assert isinstance(pair.twins, CardTwins)
        bite_counts = [
            sum(placed.turned for placed in side.placed)
            for side in (pair.twins.one, pair.twins.two)
        ]
        if bite_counts[0] != bite_counts[1]:
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
        pair = biting_pair()
        # Only a thorough pair tries wrong codes.
        pair = CardPair(pair.seed, pair.twins, thorough=name == wrong_code_leaks_role.__name__)
        return CardRun(Path(folder), PLAYERS, stack).play(pair)[1]


VWARS_PLAYERS = 4


def count_deck_colours(patch: MonkeyPatch) -> None:
    """The public snapshot has the number of a deck's vampire cards."""

    def snapshot_fields(table: Any) -> dict[str, Any]:
        deck = getattr(getattr(table.run.state.hidden, "piles", None), "deck", ())
        return {"red": sum("-v" in card for card in deck[:9])}

    add_to_snapshot(patch, snapshot_fields)


def show_who_may_reveal(patch: MonkeyPatch) -> None:
    """The public snapshot has the seats with an offer that others do not have."""

    def snapshot_fields(table: Any) -> dict[str, Any]:
        return {
            "may": [
                seat for seat, own in table.run.state.private.items() if own.faction == "vampire"
            ]
        }

    add_to_snapshot(patch, snapshot_fields)


def record_put_cards(patch: MonkeyPatch) -> None:
    """The record has in mid-game which card was given face down."""
    patch.setattr(Put, "is_private_action", False)


def wrong_code_leaks_faction(patch: MonkeyPatch) -> None:
    """The reply to wrong words for a seat depends on its owner's faction."""
    leak_in_wrong_code_reply(patch)


VWARS_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        count_deck_colours, show_who_may_reveal, record_put_cards,
        wrong_code_leaks_faction,
    )
}  # fmt: skip


@lru_cache(maxsize=1)
def vwars_pair() -> CardPair:
    """Return a short, thorough pair with different factions and different cards given face down."""
    for seed in range(1, 1000, 2):
        pair = make_pair(seed, VWARS_PLAYERS, 6, 2, "vwars")
        vampires = {
            next(seat for seat, each in side.deal.factions.items() if each == "vampire")
            for side in _sides(pair)
        }
        if pair.twins.unlike and len(vampires) == 2:
            return pair
    raise AssertionError("no such pair")


def _sides(pair: CardPair) -> tuple[VWarsPairSide, VWarsPairSide]:
    assert isinstance(pair.twins, VWarsTwins)
    return pair.twins.one, pair.twins.two


def caught_in_vwars(name: str) -> Difference | None:
    """Return the difference that the twin run of V-Wars reports of a planted leak, or None."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        VWARS_LEAKS[name](patch)
        return CardRun(Path(folder), VWARS_PLAYERS, stack, VWarsSide).play(vwars_pair())[1]


def record_laid_cards(patch: MonkeyPatch) -> None:
    """The record has in mid-game which cards were laid face down."""
    for kind in (Discard, Pay):
        patch.setattr(kind, "is_private_action", False)


def wrong_code_leaks_cards(patch: MonkeyPatch) -> None:
    """The reply to a wrong code for a side depends on its owner's cards."""
    leak_in_wrong_code_reply(patch)


def show_who_could_play_support(patch: MonkeyPatch) -> None:
    """The public snapshot has whether the seat that must answer holds a support card that it may
    play.
    """

    def snapshot_fields(table: Any) -> dict[str, Any]:
        public = table.run.published.public
        window = getattr(public, "window", None)
        legal = (
            table.run.game.legal_actions(view(table.run.published, window.asked)) if window else []
        )
        return {"could": any(isinstance(action, PlaySupport) for action in legal)}

    add_to_snapshot(patch, snapshot_fields)


VAMPIRE_EMPIRE_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak for leak in (
        record_laid_cards, wrong_code_leaks_cards,
        show_who_could_play_support,
    )
}  # fmt: skip


@lru_cache(maxsize=1)
def support_question_pair() -> CardPair:
    """Return a short pair in which the seat that differs must answer with a support card in hand in
    one game alone.
    """
    for seed in range(2, 1000):
        pair = http_vampire_empire.make_pair(seed, 2, 8, 1_000_000)
        first, second = (
            paired_vampire_empire.supports_at_questions(side, pair.twins.alike)
            for side in _empire_sides(pair)
        )
        if first != second:
            return pair
    raise AssertionError("no such pair")


def _empire_sides(
    pair: CardPair,
) -> tuple[paired_vampire_empire.EmpirePairSide, paired_vampire_empire.EmpirePairSide]:
    assert isinstance(pair.twins, paired_vampire_empire.VampireEmpireTwins)
    return pair.twins.one, pair.twins.two


def caught_in_vampire_empire(name: str) -> Difference | None:
    """Return the difference that Vampire Empire's twin run reports of a leak, or None."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        VAMPIRE_EMPIRE_LEAKS[name](patch)
        is_about_supports = name == show_who_could_play_support.__name__
        pair = (
            support_question_pair()
            if is_about_supports
            else http_vampire_empire.make_pair(1, 2, 8, 40)
        )
        return CardRun(Path(folder), 2, stack, VampireEmpireSide).play(pair)[1]


def support_question_difference() -> Difference | None:
    """Return the difference of that pair without a leak."""
    with in_memory() as folder, ExitStack() as stack:
        return CardRun(Path(folder), 2, stack, VampireEmpireSide).play(support_question_pair())[1]
