"""Evaluate positions by the distance of both sides from victory, and riots by their expected
change.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.games.vwars.content import SIDES, AddTroops, RemoveTroops, Side, city_of, side_of
from companion.games.vwars.legal import riot_bonus
from companion.games.vwars.options import MARTIAL, TRACK, TROOPS
from companion.games.vwars.state import Public

WIN_AT, MASSACRE_AT = 6, 8
"""Strengths of the usual table of riots, which a bot expects of every content."""
EIGHTHS = 8
"""The resolution of the share of human cards, low so that there are few cases to compute."""
MOST_CARDS = 12
"""Cards of a region beyond which a riot ends in about the same way."""
CARD_CHANCES = ((1, 0.29), (2, 0.33), (3, 0.24), (4, 0.14))
"""The frequency of each player card number in the sample."""


class RiotOdds(NamedTuple):
    """The chances of a riot's results: a victory of each side without and with a massacre."""

    human: float = 0.0
    human_massacre: float = 0.0
    vampire: float = 0.0
    vampire_massacre: float = 0.0


@lru_cache(maxsize=1 << 14)
def riot_odds(
    human: int, vampire: int, human_up: int, vampire_up: int, cards: int, eighths: int
) -> RiotOdds:
    """Return the chances of a riot's results.

    human, vampire: troops in the city
    human_up, vampire_up: strength added by face-up cards, laws and roles
    cards: number of cards still face down; `eighths` of eight are human
    """
    if cards == 0:
        return RiotOdds()
    sums = [0.0, 0.0, 0.0, 0.0]
    for value, chance in CARD_CHANCES:
        for share, side in ((eighths, "human"), (EIGHTHS - eighths, "vampire")):
            if share:
                weight = chance * share / EIGHTHS
                odds = _odds_after_card(
                    (human, vampire, human_up, vampire_up), cards - 1, eighths, side, value
                )
                for index, each in enumerate(odds):
                    sums[index] += weight * each
    return RiotOdds(*sums)


def _odds_after_card(
    now: tuple[int, int, int, int], cards: int, eighths: int, side: Side | str, value: int
) -> RiotOdds:
    """Return the chances after a card of a side is turned, with `cards` left."""
    human, vampire, human_up, vampire_up = now
    if side == "human":
        if vampire:
            return riot_odds(human, max(vampire - value, 0), human_up, vampire_up, cards, eighths)
        strength = human + human_up + value
        if strength >= WIN_AT:
            return RiotOdds(human_massacre=1.0) if strength >= MASSACRE_AT else RiotOdds(human=1.0)
        return riot_odds(human, vampire, human_up + value, vampire_up, cards, eighths)
    if human:
        return riot_odds(max(human - value, 0), vampire, human_up, vampire_up, cards, eighths)
    strength = vampire + vampire_up + value
    if strength >= WIN_AT:
        return RiotOdds(vampire_massacre=1.0) if strength >= MASSACRE_AT else RiotOdds(vampire=1.0)
    return riot_odds(human, vampire, human_up, vampire_up + value, cards, eighths)


DECIDED = 12.0
"""The worth of a game that the humans have won."""
SOON = 0.5
"""The weight of the next riot in the worth of a position: the next player acts before it."""
LATER = 0.03
"""The weight of a possible later riot in any city."""

Troops = tuple[int, int]
"""Human and vampire troops of a city."""


def standing(sympathy: int, controlled: int, martial: int) -> float:
    """Return the worth to the humans of the victory track and of the cities under martial law."""
    to_vampires = TRACK - sympathy - controlled
    if sympathy <= 0 or martial >= MARTIAL:
        return DECIDED
    if to_vampires <= 0:
        return -DECIDED
    to_humans = 1 / (1 / (MARTIAL - martial) + 2 / sympathy)
    return 3 * (math.log2(to_vampires + 0.5) - math.log2(to_humans + 0.5))


class Evaluation:
    """The worth to the humans of positions near the one in a seat's view.

    known: for each region the share of human cards that the seat expects, in eighths
    """

    def __init__(self, public: Public, known: Mapping[str, int]) -> None:
        self._public, self._known = public, known
        self._now = standing(public.sympathy, public.controlled, public.martial)
        self.riot_now = city_of(public.riot_now) if public.riot_now else None
        self.riot_soon = city_of(public.riot_soon) if public.riot_soon else None
        self._gains: dict[str, tuple[float, float, float, float]] = {}

    def troops(self, city: str) -> Troops:
        """Return the troops that stand in a city now."""
        there = self._public.cities[city]
        return there.human, there.vampire

    def worth(self, changed: Mapping[str, Troops], placed: int = 0) -> float:
        """Return the worth of the position with other troops in some cities, compared with a
        position without riots.

        placed: more human cards (or, below 0, vampire cards) in the region of the first riot
        """
        worth = 0.0
        for city, weight in ((self.riot_now, 1.0), (self.riot_soon, SOON)):
            if city is not None:
                troops = changed.get(city, self.troops(city))
                worth += weight * self.riot(city, troops, weight < 1, placed if weight == 1 else 0)
        return worth

    def later(self, city: str, troops: Troops) -> float:
        """Return the worth of troops in a city where no riot is near."""
        return LATER * self.riot(city, troops, None)

    def riot(self, city: str, troops: Troops, is_soon: bool | None, placed: int = 0) -> float:
        """Return the worth to the humans of a riot in a city.

        is_soon: whether its card is Soon instead of Now, None for a later riot
        """
        odds = self._odds(city, troops, is_soon, placed)
        return sum(chance * gain for chance, gain in zip(odds, self._riot_gains(city), strict=True))

    def _odds(self, city: str, troops: Troops, is_soon: bool | None, placed: int) -> RiotOdds:
        public = self._public
        region = public.cities[city].region
        human, vampire = self._after_event(city, troops, is_soon)
        card = public.riot_soon if is_soon else public.riot_now if is_soon is False else None
        inside = public.piles.get(region, 0) + abs(placed)
        humans = self._known.get(region, EIGHTHS // 2) / EIGHTHS * public.piles.get(region, 0)
        humans += max(placed, 0)
        humans += 0.5 if card is None or public.has_real_cards else side_of(card) == "human"
        cards = min(inside + 1, MOST_CARDS)
        share = round(EIGHTHS * humans / (inside + 1))
        bonus = [riot_bonus(public, side, city) for side in SIDES]
        return riot_odds(human, vampire, bonus[0], bonus[1], cards, share)

    def _after_event(self, city: str, troops: Troops, is_soon: bool | None) -> Troops:
        """Return the troops of a city after the events that come before its riot."""
        human, vampire = troops
        public = self._public
        events = () if is_soon is None else (public.event, public.next_event)[: 1 + is_soon]
        if public.step not in ("turn", "card"):
            events = events[1:]
        for number, event in enumerate(events):
            for effect in event.effects if event else ():
                is_here = isinstance(effect, AddTroops | RemoveTroops) and (
                    effect.city == city or (effect.city == "riot" and number == len(events) - 1)
                )
                if is_here and isinstance(effect, AddTroops | RemoveTroops):
                    count = effect.count if isinstance(effect, AddTroops) else -effect.count
                    if effect.side == "human":
                        human = min(max(human + count, 0), max(human, TROOPS))
                    else:
                        vampire = min(max(vampire + count, 0), max(vampire, TROOPS))
        return human, vampire

    def _riot_gains(self, city: str) -> tuple[float, float, float, float]:
        """Return the gain of the humans from each result of a riot in a city."""
        if city not in self._gains:
            public = self._public
            sympathy, controlled, martial = public.sympathy, public.controlled, public.martial
            there = public.cities[city]
            if there.control == "vampire":
                human = standing(sympathy, controlled - 1, martial)
                vampire = standing(sympathy + 2, controlled, martial)
            else:
                human = (
                    standing(max(sympathy - 2, 0), controlled, martial)
                    if public.under_martial_law(there.region)
                    else standing(sympathy, controlled, martial + 1)
                )
                vampire = standing(sympathy, controlled + 1, martial - there.martial)
            worths = (
                human,
                standing(sympathy + 1, controlled, martial),
                vampire,
                standing(max(sympathy - 1, 0), controlled, martial),
            )
            gains = [each - self._now for each in worths]
            self._gains[city] = (gains[0], gains[1], gains[2], gains[3])
        return self._gains[city]
