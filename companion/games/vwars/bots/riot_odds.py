"""Compute the probabilities of a riot's results from the troops in its city and the cards of its
region.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.games.vwars.content import Side

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
