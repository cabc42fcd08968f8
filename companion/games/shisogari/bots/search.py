"""Search for the Vampire's side: try each action in likely worlds, and play these to the end by
simple heuristics.

The players of a playout use only their own hands. One number is the Hunters' knowledge: the chance
that an accusation names the Vampire. It rises with the public events.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

from companion.core.game import Action, Seat
from companion.core.search_budget import Deadline, best_action
from companion.games.shisogari.actions import Give, Lay, Pick, Take
from companion.games.shisogari.bots.belief import Belief, Particle
from companion.games.shisogari.cards import BITES, CARDS, ITEMS, LETTERS
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Hand, Public

CODES = {card: code for code, card in enumerate(CARDS)}
IS_WHITE = [CARDS[card] == "white" for card in CARDS]
IS_ITEM = [card in ITEMS for card in CARDS]
IS_BITE = [card in BITES for card in CARDS]
HUNTER, KIN, VAMPIRE = range(3)
ROLES = {"hunter": HUNTER, "kin": KIN, "vampire": VAMPIRE}
MOST_TURNS = 40
UNFINISHED = 0.3
"""The worth of a playout that does not end."""
LEARNT_PER_TURN = 0.03
LEARNT_OF_GIVING = 0.06
LEARNT_OF_FACE_DOWN = 0.08
"""The rise of the chance that an accusation is right: for each turn, for a gift by the Vampire,
and for a face-down pair of the Vampire.
"""
MOST_KNOWN = 0.92
ACCUSE_KNOWN = 0.75
"""The chance from which Hunters of a playout accuse even if no hand is short."""
GIVE_SHARE = 0.6
FAKE_SHARE = 0.8


class Playout:
    """A world in play; seats are numbers in the order of the table.

    known: the chance that an accusation names the Vampire
    worth: the probability that the Hunters win, None before the end
    """

    def __init__(self, world: Particle, turn: Seat, known: float, needed: int, rng: Random) -> None:
        self.seats = list(world.hands)
        self.hands = [[CODES[card] for card in hand] for hand in world.hands.values()]
        self.roles = [ROLES[world.role(seat)] for seat in self.seats]
        self.sum = world.sum
        self.turn = self.seats.index(turn)
        self.known = known
        self.needed = needed
        self.worth: float | None = None
        self._rng = rng

    def run(self) -> float:
        """Play from the beginning of a turn to the end; return the probability that the Hunters
        win.
        """
        for _ in range(MOST_TURNS):
            if self.worth is not None:
                return self.worth
            self._play_turn()
            self.next_turn()
        return UNFINISHED if self.worth is None else self.worth

    def next_turn(self) -> None:
        self.turn = (self.turn + 1) % len(self.hands)
        self._learn(LEARNT_PER_TURN)

    def _learn(self, more: float) -> None:
        self.known = min(MOST_KNOWN, self.known + more)

    def _play_turn(self) -> None:
        me, random = self.turn, self._rng.random
        partners = [
            seat for seat in range(len(self.hands)) if seat != me and self._shared_colours(me, seat)
        ]
        lengths = [len(hand) for hand in self.hands]
        if self.roles[me] == HUNTER:
            if self.sum >= self.needed and (
                not partners or self.known >= ACCUSE_KNOWN or min(lengths) < 2 or random() < 0.3
            ):
                self.worth = self.known
                return
            trusted = [
                seat
                for seat in partners
                if lengths[seat] > 1 and (self.roles[seat] != VAMPIRE or random() > self.known)
            ] or partners
            if trusted:
                self.transfer(me, self._longer(trusted, lengths))
            return
        if not partners:
            return
        shortest = min(partners, key=lambda seat: lengths[seat])
        is_giving = lengths[me] > 1 and lengths[shortest] > 1 and random() < GIVE_SHARE
        if is_giving:
            self.give(me, partners[int(random() * len(partners))])
        else:
            self.transfer(me, shortest)

    def give(self, giver: int, picker: int) -> None:
        if self.roles[giver] == VAMPIRE:
            self._learn(LEARNT_OF_GIVING)
        self.transfer(picker, giver)

    def _longer(self, seats: list[int], lengths: list[int]) -> int:
        """Draw two seats at random; return the one with the longer hand."""
        one, two = (seats[int(self._rng.random() * len(seats))] for _ in range(2))
        return one if lengths[one] >= lengths[two] else two

    def _shared_colours(self, one: int, two: int) -> list[bool]:
        ours = {IS_WHITE[card] for card in self.hands[one]}
        return [white for white in (True, False) if white in ours and self._has(two, white=white)]

    def _has(self, seat: int, *, white: bool) -> bool:
        return any(IS_WHITE[card] == white for card in self.hands[seat])

    def transfer(self, picker: int, giver: int, *, white: bool | None = None) -> None:
        """Let one seat pick a card of another, of a colour or of any shared colour, and place
        it.
        """
        allowed = self._shared_colours(picker, giver) if white is None else [white]
        stock = [card for card in self.hands[giver] if IS_WHITE[card] in allowed]
        card = stock[int(self._rng.random() * len(stock))]
        self.hands[giver].remove(card)
        self.place(picker, giver, card, self._beside(picker, card))

    def _beside(self, picker: int, card: int) -> int | None:
        hand = self.hands[picker]
        alike = [one for one in hand if IS_WHITE[one] == IS_WHITE[card]]
        if IS_BITE[card]:
            return alike[int(self._rng.random() * len(alike))] if alike else None
        if IS_ITEM[card] and card in hand:
            return card
        if self.roles[picker] != VAMPIRE or self._rng.random() > FAKE_SHARE:
            return None
        return next((one for one in alike if IS_ITEM[one] != IS_ITEM[card]), None)

    def place(self, picker: int, giver: int, card: int, beside: int | None) -> None:
        """Place a card that has left the giver's hand."""
        hand = self.hands[picker]
        if beside is None:
            hand.append(card)
        else:
            hand.remove(beside)
            if card == beside and IS_ITEM[card]:
                self.sum += 1
            elif VAMPIRE in (self.roles[picker], self.roles[giver]):
                self._learn(LEARNT_OF_FACE_DOWN)
        if IS_BITE[card] and self.roles[picker] == HUNTER:
            self.roles[picker] = KIN
            self.sum -= 1
        if not hand or not self.hands[giver]:
            self.worth = 0.0


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
