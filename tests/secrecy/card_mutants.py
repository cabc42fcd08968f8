"""Planted leaks in games of cards: each discloses a secret by one small fault, and the twin run
must see it.
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
from tests.secrecy import http_vampire_empire, paired_vampire_empire
from tests.secrecy.http import Difference
from tests.secrecy.http_cards import CardPair, CardRun, VWarsSide, make_pair
from tests.secrecy.http_vampire_empire import VampireEmpireSide
from tests.secrecy.mutants import (
    a_wrong_code_that_tells,
    add_to_snapshot,
    publish_secret_submissions,
)
from tests.secrecy.paired_cards import CardTwins
from tests.secrecy.paired_vwars import VWarsPairSide, VWarsTwins

PLAYERS = 4


def told_when_it_is_placed(patch: MonkeyPatch) -> None:
    """A placed card is published as soon as it is there, so that a choice shows by its delay."""
    watch: Any = RevealScheduler.watch

    def hasty(reveals: Any) -> None:
        watch(reveals)
        if (
            reveals._span is not None
            and reveals.state.run.pending_reveal
            and not reveals.state.run.revealing
        ):
            reveals._end_span(reveals._plan)

    patch.setattr(RevealScheduler, "watch", hasty)


def an_update_when_it_is_placed(patch: MonkeyPatch) -> None:
    """A placed card publishes an update, though nothing in it changed."""
    publish_secret_submissions(patch)


def the_bitten_are_counted(patch: MonkeyPatch) -> None:
    """The public snapshot has how many have turned."""

    def counted(table: Any) -> dict[str, Any]:
        hands = table.run.state.private.values()
        return {"kin": sum(getattr(hand, "role", "") == "kin" for hand in hands)}

    add_to_snapshot(patch, counted)


def a_wrong_code_tells_the_role(patch: MonkeyPatch) -> None:
    """The reply to a wrong code for a seat depends on what its owner holds."""
    a_wrong_code_that_tells(patch)


LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        told_when_it_is_placed,
        an_update_when_it_is_placed,
        the_bitten_are_counted,
        a_wrong_code_tells_the_role,
    )
}


@lru_cache(maxsize=1)
def biting_pair() -> CardPair:
    """A short pair in which somebody is bitten in one game and not in the other."""
    for seed in range(2, 1000):
        pair = make_pair(seed, PLAYERS, 6, 1_000_000)
        assert isinstance(pair.twins, CardTwins)
        turned = [
            sum(placed.turned for placed in side.placed)
            for side in (pair.twins.one, pair.twins.two)
        ]
        if turned[0] != turned[1]:
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
        pair = biting_pair()
        # Codes are tried where every door is.
        pair = CardPair(
            pair.seed, pair.twins, thorough=name == a_wrong_code_tells_the_role.__name__
        )
        return CardRun(Path(folder), PLAYERS, stack).plays(pair)[1]


VWARS_PLAYERS = 4


def a_pile_s_colours_are_counted(patch: MonkeyPatch) -> None:
    """The public snapshot has how many of a deck's cards are vampire ones."""

    def counted(table: Any) -> dict[str, Any]:
        deck = getattr(getattr(table.run.state.hidden, "piles", None), "deck", ())
        return {"red": sum("-v" in card for card in deck[:9])}

    add_to_snapshot(patch, counted)


def who_may_reveal_is_shown(patch: MonkeyPatch) -> None:
    """The public snapshot has the seats that are offered something that others are not."""

    def shown(table: Any) -> dict[str, Any]:
        return {
            "may": [
                seat for seat, own in table.run.state.private.items() if own.faction == "vampire"
            ]
        }

    add_to_snapshot(patch, shown)


def what_is_put_stands_in_the_record(patch: MonkeyPatch) -> None:
    """The record has in mid-game which card was given face down."""
    patch.setattr(Put, "is_private_action", False)


def a_wrong_code_tells_the_faction(patch: MonkeyPatch) -> None:
    """The reply to wrong words for a seat depends on what its owner holds."""
    a_wrong_code_that_tells(patch)


VWARS_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        a_pile_s_colours_are_counted, who_may_reveal_is_shown, what_is_put_stands_in_the_record,
        a_wrong_code_tells_the_faction,
    )
}  # fmt: skip


@lru_cache(maxsize=1)
def war_pair() -> CardPair:
    """A short pair, looked through at every door, with other factions and other cards given face
    down.
    """
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


def caught_in_war(name: str) -> Difference | None:
    """Return what the twin run of V-Wars sees of a planted leak, None if it goes unseen."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        VWARS_LEAKS[name](patch)
        return CardRun(Path(folder), VWARS_PLAYERS, stack, VWarsSide).plays(war_pair())[1]


def what_is_laid_stands_in_the_record(patch: MonkeyPatch) -> None:
    """The record has in mid-game which cards were laid face down."""
    for kind in (Discard, Pay):
        patch.setattr(kind, "is_private_action", False)


def a_wrong_code_tells_the_cards(patch: MonkeyPatch) -> None:
    """The reply to a wrong code for a side depends on what its owner holds."""
    a_wrong_code_that_tells(patch)


def who_could_play_a_support_is_shown(patch: MonkeyPatch) -> None:
    """The public snapshot has whether the seat that is asked for a support card holds one that it
    may play.
    """

    def shown(table: Any) -> dict[str, Any]:
        public = table.run.published.public
        window = getattr(public, "window", None)
        legal = (
            table.run.game.legal_actions(view(table.run.published, window.asked)) if window else []
        )
        return {"could": any(isinstance(action, PlaySupport) for action in legal)}

    add_to_snapshot(patch, shown)


VAMPIRE_EMPIRE_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak for leak in (
        what_is_laid_stands_in_the_record, a_wrong_code_tells_the_cards,
        who_could_play_a_support_is_shown,
    )
}  # fmt: skip


@lru_cache(maxsize=1)
def asked_pair() -> CardPair:
    """A short pair in which the seat that is not alike has to answer with a support card in hand in
    one game alone.
    """
    for seed in range(2, 1000):
        pair = http_vampire_empire.make_pair(seed, 2, 8, 1_000_000)
        one, two = (
            paired_vampire_empire.supports_at_questions(side, pair.twins.alike)
            for side in _evenings(pair)
        )
        if one != two:
            return pair
    raise AssertionError("no such pair")


def _evenings(
    pair: CardPair,
) -> tuple[paired_vampire_empire.EmpirePairSide, paired_vampire_empire.EmpirePairSide]:
    assert isinstance(pair.twins, paired_vampire_empire.VampireEmpireTwins)
    return pair.twins.one, pair.twins.two


def caught_in_vampire_empire(name: str) -> Difference | None:
    """Return what the twin run of Vampire Empire sees of a planted leak, None if it goes unseen."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        VAMPIRE_EMPIRE_LEAKS[name](patch)
        is_about_supports = name == who_could_play_a_support_is_shown.__name__
        pair = asked_pair() if is_about_supports else http_vampire_empire.make_pair(1, 2, 8, 40)
        return CardRun(Path(folder), 2, stack, VampireEmpireSide).plays(pair)[1]


def differs_where_supports_are_asked_for() -> Difference | None:
    """Return what the twin run sees where nothing is planted and a question meets a support card in
    one game.
    """
    with in_memory() as folder, ExitStack() as stack:
        return CardRun(Path(folder), 2, stack, VampireEmpireSide).plays(asked_pair())[1]
