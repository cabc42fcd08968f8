"""Planted leaks in games of cards: each tells something by one small fault, and the twin run must see it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest import MonkeyPatch

import companion.table.desk as table_desk
from companion.games.vampire_empire.actions import Discard, Pay
from companion.games.vwars.model import Put
from companion.table.dusk import Dusk
from companion.table.table import Table
from tests.contract import wire_empire
from tests.contract.card_twins import CardTwins
from tests.contract.leaks import a_wrong_code_that_tells
from tests.contract.war_twins import WarEvening, WarTwins
from tests.contract.wire_cards import CardPair, CardRun, WarSide, make_pair
from tests.contract.wire_empire import CourtSide
from tests.contract.wire_twins import Difference

PLAYERS = 4


def told_when_it_is_placed(patch: MonkeyPatch) -> None:
    """What was placed is told as soon as it is there, so that a choice shows by its delay."""
    watch: Any = Dusk.watch

    def hasty(dusk: Any) -> None:
        watch(dusk)
        if dusk._span is not None and dusk._desk.course.untold and not dusk._desk.course.telling:
            dusk._end_span(dusk._plan)

    patch.setattr(Dusk, "watch", hasty)


def an_update_when_it_is_placed(patch: MonkeyPatch) -> None:
    """A placed card publishes an update, though nothing in it changed."""
    submit: Any = Table.submit

    def submitted(table: Any, *of: Any, **more: Any) -> Any:
        receipt = submit(table, *of, **more)
        if table._course.untold:
            table._desk._publish()
        return receipt

    patch.setattr(Table, "submit", submitted)


def the_bitten_are_counted(patch: MonkeyPatch) -> None:
    """The public picture says how many have turned."""
    paint: Any = vars(table_desk)["public_picture"]

    def counted(course: Any, *of: Any) -> Any:
        hands = course.state.private.values()
        return paint(course, *of) | {"kin": sum(getattr(hand, "role", "") == "kin" for hand in hands)}

    patch.setattr(table_desk, "public_picture", counted)


def a_wrong_code_tells_the_role(patch: MonkeyPatch) -> None:
    """Who tries to come back to a seat by a wrong code is told something of what its owner holds."""
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
    """A short pair in which somebody is bitten in one evening and not in the other."""
    for seed in range(2, 1000):
        pair = make_pair(seed, PLAYERS, 6, 1_000_000)
        assert isinstance(pair.twins, CardTwins)
        turned = [sum(placed.turned for placed in side.placed) for side in (pair.twins.one, pair.twins.two)]
        if turned[0] != turned[1]:
            return pair
    raise AssertionError("no such pair")


def caught(name: str) -> Difference | None:
    """Return what the twin run sees of a planted leak, None if it goes unseen."""
    with MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        LEAKS[name](patch)
        pair = biting_pair()
        # Codes are tried where every door is.
        pair = CardPair(pair.seed, pair.twins, thorough=name == a_wrong_code_tells_the_role.__name__)
        return CardRun(Path(folder), PLAYERS, stack).plays(pair)[1]


WAR_PLAYERS = 4


def _painted(patch: MonkeyPatch, more: Callable[[Any], dict[str, Any]]) -> None:
    paint: Any = vars(table_desk)["public_picture"]
    patch.setattr(table_desk, "public_picture", lambda course, *of: paint(course, *of) | more(course))


def a_pile_s_colours_are_counted(patch: MonkeyPatch) -> None:
    """The public picture says how many of a deck's cards are vampire ones."""

    def counted(course: Any) -> dict[str, Any]:
        deck = getattr(getattr(course.state.hidden, "piles", None), "deck", ())
        return {"red": sum("-v" in card for card in deck[:9])}

    _painted(patch, counted)


def who_may_reveal_is_shown(patch: MonkeyPatch) -> None:
    """The public picture says which seats are offered something that others are not."""

    def shown(course: Any) -> dict[str, Any]:
        return {"may": [seat for seat, own in course.state.private.items() if own.faction == "vampire"]}

    _painted(patch, shown)


def what_is_put_stands_in_the_record(patch: MonkeyPatch) -> None:
    """The record tells in mid-game which card was given face down."""
    patch.setattr(Put, "hushed", False)


def a_wrong_code_tells_the_faction(patch: MonkeyPatch) -> None:
    """Who tries to come back to a seat by wrong words is told something of what its owner holds."""
    a_wrong_code_that_tells(patch)


WAR_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak
    for leak in (
        a_pile_s_colours_are_counted, who_may_reveal_is_shown, what_is_put_stands_in_the_record,
        a_wrong_code_tells_the_faction,
    )
}  # fmt: skip


@lru_cache(maxsize=1)
def war_pair() -> CardPair:
    """A short pair, looked through at every door, with other factions and other cards given face down."""
    for seed in range(1, 1000, 2):
        pair = make_pair(seed, WAR_PLAYERS, 6, 2, "vwars")
        vampires = {
            next(seat for seat, each in side.deal.factions.items() if each == "vampire") for side in _sides(pair)
        }
        if pair.twins.unlike and len(vampires) == 2:
            return pair
    raise AssertionError("no such pair")


def _sides(pair: CardPair) -> tuple[WarEvening, WarEvening]:
    assert isinstance(pair.twins, WarTwins)
    return pair.twins.one, pair.twins.two


def caught_in_war(name: str) -> Difference | None:
    """Return what the twin run of V-Wars sees of a planted leak, None if it goes unseen."""
    with MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        WAR_LEAKS[name](patch)
        return CardRun(Path(folder), WAR_PLAYERS, stack, WarSide).plays(war_pair())[1]


def what_is_laid_stands_in_the_record(patch: MonkeyPatch) -> None:
    """The record tells in mid-game which cards were laid face down."""
    for kind in (Discard, Pay):
        patch.setattr(kind, "hushed", False)


def a_wrong_code_tells_the_cards(patch: MonkeyPatch) -> None:
    """Who tries to come back to a side by a wrong code is told something of what its owner holds."""
    a_wrong_code_that_tells(patch)


COURT_LEAKS: dict[str, Callable[[MonkeyPatch], None]] = {
    leak.__name__: leak for leak in (what_is_laid_stands_in_the_record, a_wrong_code_tells_the_cards)
}


def caught_at_court(name: str) -> Difference | None:
    """Return what the twin run of Vampire Empire sees of a planted leak, None if it goes unseen."""
    with MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        COURT_LEAKS[name](patch)
        return CardRun(Path(folder), 2, stack, CourtSide).plays(wire_empire.make_pair(1, 2, 8, 40))[1]
