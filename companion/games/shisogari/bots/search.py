"""Search for the Vampire's side: try each action in likely worlds and play them to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from companion.core.game import Action, Seat
from companion.core.search_budget import Deadline, best_action
from companion.games.shisogari.actions import Give, Lay, Pick, Take
from companion.games.shisogari.bots.belief import Belief, Particle
from companion.games.shisogari.bots.playout import CODES, IS_WHITE, Playout
from companion.games.shisogari.cards import LETTERS
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Hand, Public

MOST_WORLDS = 600
"""The maximum number of worlds; more change little."""
SAMPLE = 60
"""The number of worlds in each draw."""
UNKNOWN_START, KNOWN_PER_PAIR = 0.35, 0.08
"""The assumed chance that an accusation names the Vampire: at the start, and its rise for each
face-down pair.
"""


class Search:
    """One decision of one seat."""

    def __init__(self, belief: Belief, public: Public, own: Hand, rng: Random) -> None:
        self._belief, self._public, self._own, self._rng = belief, public, own, rng
        self._needed = NEEDED[public.players]

    def choose(self, legal: Sequence[Action], deadline: Deadline) -> Action:
        """Return the action after which the side wins most playouts."""
        tried = self._alike(legal)
        self._rng.shuffle(tried)
        return best_action(tried, islice(self._worlds(), MOST_WORLDS), self._value, deadline)

    def _alike(self, actions: Sequence[Action]) -> list[Action]:
        """Return the actions with only one pick of each colour."""
        distinct = {self._colour(one) if isinstance(one, Pick) else one: one for one in actions}
        return list(distinct.values())

    def _worlds(self) -> Iterator[Particle]:
        """Yield random worlds in proportion to their probability."""
        while True:
            worlds = self._belief.sample(SAMPLE)
            self._rng.shuffle(worlds)
            yield from worlds

    def _value(self, world: Particle, action: Action) -> float:
        """Return the probability that the seat's side wins a playout after an action."""
        turn = self._public.turn
        assert turn is not None, "somebody is to move"
        playout = Playout(world, turn, self._known(), self._needed, self._rng)
        number = playout.seats.index
        me = number(self._belief.seat)
        match action:
            case Take(partner=partner):
                playout.transfer(me, number(partner))
            case Give(partner=partner):
                playout.give(me, number(partner))
            case Pick():
                giver = self._giver()
                playout.transfer(me, number(giver), white=self._colour(action) == "white")
            case _:
                self._place(playout, number(self._giver()), action)
        playout.next_turn()
        return 1 - playout.run()

    def _place(self, playout: Playout, giver: int, action: Action) -> None:
        """Place the picked card, even if it is in another hand in this world."""
        card = CODES[str(self._own.picked)]
        hand = playout.hands[giver]
        hand.remove(card if card in hand else _alike(hand, card))
        beside = CODES[action.card] if isinstance(action, Lay) else None
        playout.place(playout.seats.index(self._belief.seat), giver, card, beside)

    def _giver(self) -> Seat:
        assert self._public.transfer is not None, "a turn is under way"
        return self._public.transfer.giver

    def _colour(self, pick: Pick) -> str:
        return LETTERS[self._public.backs[self._giver()][pick.back - 1]]

    def _known(self) -> float:
        """Return the chance that an accusation names the Vampire now."""
        down = sum(pair.item is None for pairs in self._public.pairs.values() for pair in pairs)
        return min(0.8, UNKNOWN_START + KNOWN_PER_PAIR * down)


def _alike(hand: list[int], card: int) -> int:
    return next(one for one in hand if IS_WHITE[one] == IS_WHITE[card])
