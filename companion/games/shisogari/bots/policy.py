"""Choose actions by particles: Hunters make pairs with trusted seats, the Vampire's side empties
hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.game import Action, Seat
from companion.games.shisogari.actions import Accuse, Give, Lay, Name, Pick, Take
from companion.games.shisogari.bots.belief import Belief, Particle
from companion.games.shisogari.cards import BITES, CARDS, ITEMS, LETTERS, colours
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Hand, Public

SAMPLE = 40
"""The number of worlds in which a choice is evaluated."""
ACCUSE_FROM = {1: 0.25, 2: 0.55}
"""The chance from which a Hunter accuses, by the cards of the shortest hand. With longer hands
there is no hurry.
"""
CALM_PLAY = 0.7
EMPTY_HAND_WORTH = 6.0
"""The worth of an empty hand to the Vampire's side; a real pair is worth 1 to the Hunters."""
BITE_WORTH = 2.0
FAKE_RATE = 0.7
"""The probability that the Vampire lays a fake pair when possible."""
RANDOM_SHARE = 0.5
"""The share of random declarations by the Vampire's side, which hide the side."""


class Policy:
    """One decision of one seat."""

    def __init__(self, belief: Belief, public: Public, own: Hand, rng: Random) -> None:
        self._belief, self._public, self._own, self._rng = belief, public, own, rng
        self._worlds = belief.sample(SAMPLE)

    def choose(self, legal: Sequence[Action]) -> Action:
        """Return the best of the legal actions."""
        accusing = [action for action in legal if isinstance(action, Accuse)]
        others = [action for action in legal if action not in accusing]
        if accusing:
            best = max(accusing, key=lambda action: self._success(action.suspect))
            shortest = min(len(backs) for backs in self._public.backs.values())
            if not others or self._success(best.suspect) >= ACCUSE_FROM.get(shortest, CALM_PLAY):
                return best
        match self._public.step:
            case "turn":
                return max(others, key=self._partner_worth)
            case "name":
                return max(others, key=self._item_worth)
            case "pick":
                return max(others, key=self._pick_worth)
        laid = [action for action in others if isinstance(action, Lay)]
        keeps = len(laid) < len(others) and self._rng.random() > FAKE_RATE
        return self._rng.choice(
            [action for action in others if action not in laid] if keeps else laid or others
        )

    def _success(self, suspect: Seat) -> float:
        return self._belief.success(suspect, NEEDED[self._public.players])

    def _partner_worth(self, action: Action) -> float:
        me = self._belief.seat
        match action:
            case Take(partner=partner):
                return self._worth(me, partner)
            case Give(partner=partner):
                return self._worth(partner, me)
        return 0.0

    def _worth(self, picker: Seat, giver: Seat) -> float:
        """Return the worth of a pick to this seat's side, over the worlds."""
        is_hunter = self._own.role == "hunter"
        length = len(self._public.backs[giver])
        shared = colours(self._public.backs[picker]) & colours(self._public.backs[giver])
        worth = 0.0
        for world in self._worlds:
            stock = [card for card in world.hands[giver] if CARDS[card] in shared]
            worth += sum(self._card_worth(world, picker, card) for card in stock) / len(stock)
        worth /= len(self._worlds)
        # A hand of one card is empty after giving it; a short hand is close to empty.
        worth -= EMPTY_HAND_WORTH if length == 1 else 1 / length
        return worth if is_hunter else RANDOM_SHARE * self._rng.random() - worth

    def _card_worth(self, world: Particle, picker: Seat, card: str) -> float:
        """Return the worth of a pick to the Hunters."""
        hand = world.hands[picker]
        if card in BITES:
            return -BITE_WORTH if world.role(picker) == "hunter" else -1.0
        if card in ITEMS and card in hand:
            return 1.0 if len(hand) > 1 else -EMPTY_HAND_WORTH
        return -0.3 if world.role(picker) == "vampire" else 0.0

    def _item_worth(self, action: Action) -> float:
        assert isinstance(action, Name)
        held = action.item in self._own.cards
        transfer = self._public.transfer
        assert transfer is not None
        pairs = sum(action.item in world.hands[transfer.giver] for world in self._worlds) / len(
            self._worlds
        )
        return held + pairs + self._rng.random() / 10

    def _pick_worth(self, action: Action) -> float:
        transfer = self._public.transfer
        assert isinstance(action, Pick) and transfer is not None
        colour = LETTERS[self._public.backs[transfer.giver][action.back - 1]]
        worth = 0.0
        for world in self._worlds:
            stock = [card for card in world.hands[transfer.giver] if CARDS[card] == colour]
            worth += sum(self._card_worth(world, transfer.picker, card) for card in stock) / len(
                stock
            )
        sign = 1 if self._own.role == "hunter" else -1
        return sign * worth / len(self._worlds) + self._rng.random() / 10
