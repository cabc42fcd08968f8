"""Mix the hiding places of a hidden side by regret matching; the other side searches for it.

The hidden side's start is drawn by chances that both know. From there it chooses a place to hide,
and loses 1 if the response finds it there. The other side plays the best response to the present
mixtures. Each start uses regret matching+; its average is weighted by the iteration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

Mixture = list[float]
"""The chance of each of a start's places."""
Answer = Callable[[Mapping[int, float]], tuple[float, Collection[int]]]
"""Returns the best response to the chances of the places: its chance to find, and the places where
it finds.
"""


class Start(Struct, frozen=True):
    """A start of the hidden side: its chance, and the places that it can reach."""

    chance: float
    places: Sequence[int]


class RegretMatching:
    """Mixtures that converge to the optimal ones."""

    def __init__(self, starts: Sequence[Start], answer: Answer) -> None:
        self._starts = starts
        self._answer = answer
        self._regrets = [[0.0] * len(start.places) for start in starts]
        self._totals = [[0.0] * len(start.places) for start in starts]
        self._sums = {place: 0.0 for start in starts for place in start.places}
        self._steps = 0

    def step(self) -> None:
        """Run one iteration: compute the best response and update the regrets."""
        self._steps += 1
        mixtures = [_shares(each) for each in self._regrets]
        places = set(self._answer(self._chances(mixtures))[1])
        for place in places:
            self._sums[place] += self._steps
        for start, mixture, regrets, totals in zip(
            self._starts, mixtures, self._regrets, self._totals, strict=True
        ):
            losses = [float(place in places) for place in start.places]
            mean = sum(share * loss for share, loss in zip(mixture, losses, strict=True))
            for number, (share, loss) in enumerate(zip(mixture, losses, strict=True)):
                regrets[number] = max(0.0, regrets[number] + mean - loss)
                totals[number] += self._steps * share

    def mixtures(self) -> list[Mixture]:
        """Return the mixture of each start."""
        return [_shares(totals) for totals in self._totals]

    def bounds(self) -> tuple[float, float]:
        """Return the lower and the upper bound of the game's value: the chance that the hidden side
        is found if both sides play optimally. The upper bound is the highest chance of finding its
        mixtures.
        """
        weight = self._steps * (self._steps + 1) / 2
        low = sum(
            start.chance * min(self._sums[place] for place in start.places) / weight
            for start in self._starts
        )
        return low, self._answer(self._chances(self.mixtures()))[0]

    def _chances(self, mixtures: Sequence[Mixture]) -> dict[int, float]:
        chances = dict.fromkeys(self._sums, 0.0)
        for start, mixture in zip(self._starts, mixtures, strict=True):
            for place, share in zip(start.places, mixture, strict=True):
                chances[place] += start.chance * share
        return chances


def separately(answers: Sequence[Answer]) -> Answer:
    """Return the response of a side that learns which of several parts contains the place.

    answers: the response to each part alone
    """

    def answer(chances: Mapping[int, float]) -> tuple[float, Collection[int]]:
        each = [one(chances) for one in answers]
        return sum(chance for chance, _ in each), [place for _, places in each for place in places]

    return answer


def _shares(weights: Sequence[float]) -> Mixture:
    """Return the weights scaled to the sum 1, even ones if all are 0."""
    whole = sum(weights)
    return [weight / whole if whole else 1 / len(weights) for weight in weights]
