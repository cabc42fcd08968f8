"""Play possible worlds of Vampire Empire to the end by simple heuristics, fast enough for a search.

A playout has no supports, and its players use only their own hands. The human player's knowledge of
a character is one number: the probability that it is a vampire.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from random import Random
from typing import NamedTuple

from companion.games.vampire_empire.bots.belief import KILL
from companion.games.vampire_empire.cards import CHARACTERS, PROFESSIONS, SEATS, Card
from companion.games.vampire_empire.options import (
    CASTLE,
    HAND,
    HIDE_COST,
    PASS_COST,
    ROUNDS,
    VAMPIRES,
    WATER_COST,
)

NAMES = list(CHARACTERS)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
BITS = {border: 1 << at for at, border in enumerate((*PROFESSIONS, "vampire", "holy"))}
OWN_BITS = [BITS[profession] for profession in CHARACTERS.values()]
RED, HOLY = BITS["vampire"], BITS["holy"]
V, H = range(len(SEATS))
MOST_TURNS = 30
MEAN, MEAN_REVEALED = 0.4, 0.45
"""The mean value of a hidden card for a character, and the addition in a fight of a revealed
vampire.
"""
LEAST_ODDS = 0.2
"""The probability of a vampire from which the human player attacks."""
TRUST = 0.6
"""The probability of a vampire below which the human player defends."""
REVEAL = 8
"""The value of red cards from which the vampire player reveals a vampire."""
ALL_IN = 0.3
"""The value for each card of the opponent that the second round of an attack needs."""
KEEP_VALUE = 2
"""The minimum value of a card to keep it when filling the hand."""

PlayoutCard = tuple[int, int]
"""The bits of a card's borders, and its value."""


def playout_cards(cards: Mapping[str, Card]) -> dict[str, PlayoutCard]:
    """Return each card for a playout; supports fit no character."""
    return {
        name: (sum(BITS[border] for border in card.borders), card.value)
        for name, card in cards.items()
    }


ATTACK, DEFENCE, COUNT = range(3)
"""The parts of a round."""


class Stage(NamedTuple):
    """The state of a fight: the sums of its cards, its round, and the part that comes next.

    laid: whether the attacker laid a card in this round
    """

    attack: int = 0
    defence: int = 0
    round: int = 1
    part: int = ATTACK
    laid: bool = False


BEGUN = Stage()


class Playout:
    """A world in play; characters are numbers in the order of the box, seats 0 and 1.

    suspicion: the human player's probability for each character that it is a vampire
    markers: for each character the value of its markers for attack and for defence
    worth: the vampire player's score, None before the end
    """

    def __init__(
        self,
        castle: list[int],
        city: list[int],
        vampires: Sequence[bool],
        revealed: list[bool],
        suspicion: list[float],
        markers: Sequence[tuple[int, int]],
        hands: Sequence[list[PlayoutCard]],
        decks: Sequence[list[PlayoutCard]],
        cellars: Sequence[list[PlayoutCard]],
        remade: list[bool],
        rng: Random,
    ) -> None:
        self.castle, self.city, self.vampires = castle, city, vampires
        self.revealed, self.suspicion, self.markers = revealed, suspicion, markers
        self.hands, self.decks, self.cellars, self.remade = hands, decks, cellars, remade
        vampires_left = sum(vampires[one] for one in castle + city)
        self.left = [vampires_left, len(castle) + len(city) - vampires_left]
        self.worth: float | None = None
        self._rng = rng

    def copy(self) -> Playout:
        return Playout(
            self.castle[:],
            self.city[:],
            self.vampires,
            self.revealed[:],
            self.suspicion[:],
            self.markers,
            [cards[:] for cards in self.hands],
            [cards[:] for cards in self.decks],
            [cards[:] for cards in self.cellars],
            self.remade[:],
            self._rng,
        )

    def run(self, turn: int) -> float:
        """Play from the beginning of a turn to the end; return the vampire player's score."""
        for _ in range(MOST_TURNS):
            if self.worth is not None:
                return self.worth
            if self._has_cards(turn):
                self._draw(turn)
                if turn == V:
                    self._reveal()
                if self.worth is None:
                    self.act(turn)
            elif not self._has_cards(1 - turn):
                break
            turn = 1 - turn
        if self.worth is not None:
            return self.worth
        vampires, humans = 2 * self.left[V], self.left[H]
        return 0.5 if vampires == humans else float(vampires > humans)

    def _has_cards(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.decks[seat] or self._may_remake(seat))

    def _may_remake(self, seat: int) -> bool:
        return not self.remade[seat] and bool(self.cellars[seat])

    def _draw(self, seat: int) -> None:
        """Exchange poor cards, and fill the hand."""
        useful = HOLY
        for one in self.castle:
            useful |= OWN_BITS[one] | self.revealed[one] * RED
        hand, deck = self.hands[seat], self.decks[seat]
        if deck and not self.remade[seat]:
            good = [card for card in hand if card[0] & useful and card[1] >= KEEP_VALUE]
            self.cellars[seat] += [card for card in hand if card not in good]
            hand[:] = good
        while len(hand) < HAND:
            if not deck:
                if not self._may_remake(seat):
                    return
                deck += self.cellars[seat]
                deck.sort(key=lambda _: self._rng.random())
                self.cellars[seat].clear()
                self.remade[seat] = True
            hand.append(deck.pop())

    def _reveal(self) -> None:
        """Reveal a vampire to use red cards, or if all vampires are in the castle."""
        inside = [one for one in self.castle if self.vampires[one]]
        hidden = [one for one in inside if not self.revealed[one]]
        red = sum([value for bits, value in self.hands[V] if bits & RED])
        is_first = len(hidden) == len(inside) and red >= REVEAL
        if hidden and (is_first or len(inside) == VAMPIRES):
            self.reveal(hidden[0])

    def reveal(self, character: int) -> None:
        """Show a vampire."""
        self.revealed[character] = True
        self._learn(character, 1.0)
        self._look_at_castle()

    def _look_at_castle(self) -> None:
        if sum([self.revealed[one] for one in self.castle]) == VAMPIRES:
            self.worth = 1.0

    def _learn(self, character: int, odds: float) -> None:
        """Set the human player's probability for a character, and update the others."""
        suspicion = self.suspicion
        if suspicion[character] == odds:
            return
        suspicion[character] = odds
        living = self.castle + self.city
        unknown = [one for one in living if 0 < suspicion[one] < 1]
        whole = sum([suspicion[one] for one in unknown])
        if whole:
            known = sum([suspicion[one] == 1 for one in living])
            share = max(0.0, self.left[V] - known) / whole
            for one in unknown:
                suspicion[one] = min(0.99, suspicion[one] * share)

    def act(self, seat: int) -> None:
        """Take the action of a turn: fight, use holy water, or pass."""
        best = self._best_fight(seat, self.castle, 0)
        if best is not None:
            self.fight(seat, *best)
            return
        unknown = [one for one in self.castle if 0 < self.suspicion[one] < 1]
        water = sum([bits & HOLY > 0 for bits, _ in self.hands[seat]])
        if unknown and seat == H and water >= WATER_COST:
            self.ask(max(unknown, key=self.suspicion.__getitem__))
        else:
            self.skip(seat)

    def _best_fight(
        self, seat: int, targets: Sequence[int], counted: int
    ) -> tuple[int, int] | None:
        """Return the most promising attacker and target, None for none.

        counted: the value of a holy water card already laid
        """
        best, best_pair = 0.0, None
        hand, held = self.hands[seat], len(self.hands[1 - seat])
        revealed, castle = self.revealed, self.castle
        revealed_here = [one for one in castle if revealed[one]]
        attackers = (
            revealed_here or castle
            if seat == V
            else [one for one in castle if one not in revealed_here]
        )
        sums: dict[int, int] = {}
        for attacker in attackers:
            for target in targets:
                odds = self.suspicion[target] if seat == H else float(not self.vampires[target])
                if attacker == target or odds < LEAST_ODDS:
                    continue
                borders = self._valid_borders(seat, attacker, target)
                if borders not in sums:
                    sums[borders] = counted + sum([value for bits, value in hand if bits & borders])
                lead = sums[borders] + self.markers[attacker][0] - self.markers[target][1]
                if lead <= 0 or not sums[borders]:
                    continue
                is_revealed = revealed[target if seat == H else attacker]
                kill = 1 / (1 + exp((MEAN + is_revealed * MEAN_REVEALED) * held - lead))
                worth = kill if seat == V else odds * KILL * kill - (1 - odds)
                if worth > best:
                    best, best_pair = worth, (attacker, target)
        return best_pair

    def _valid_borders(self, seat: int, one: int, against: int) -> int:
        """Return the borders of the cards that a seat may lay for one character against another."""
        revealed = self.revealed
        return OWN_BITS[one] | revealed[one] * RED | (seat == H and revealed[against]) * HOLY

    def ask(self, character: int) -> None:
        """Use holy water on a character, and attack a vampire that it shows in the castle."""
        paid = self._pay(H, WATER_COST, HOLY)
        if not self.vampires[character]:
            self._learn(character, 0.0)
            return
        self.reveal(character)
        if self.worth is None and character in self.castle:
            best = self._best_fight(H, [character], min(paid))
            if best is not None:
                self.fight(H, *best, Stage(attack=min(paid)))

    def hide(self, character: int) -> None:
        """Send a castle character under the city."""
        self._pay(V, HIDE_COST, RED)
        self.castle.remove(character)
        self.city.append(character)
        self._refill()

    def skip(self, seat: int) -> None:
        """Pass."""
        self._pay(seat, PASS_COST, 0)

    def _pay(self, seat: int, count: int, border: int) -> list[int]:
        """Pay the cheapest cards with a border (0 for any); return their values."""
        fit = [card for card in self.hands[seat] if card[0] & border or not border]
        paid = sorted(fit, key=_value)[:count]
        for card in paid:
            self.hands[seat].remove(card)
        return [value for _, value in paid]

    def _refill(self) -> None:
        if self.city and len(self.castle) < CASTLE:
            self.castle.append(self.city.pop(0))
            self._look_at_castle()

    def fight(self, seat: int, attacker: int, target: int, stage: Stage = BEGUN) -> None:
        """Play a fight from a stage to its end. The attacker lays low cards in the first round, all
        in the second.
        """
        attack, defence, number, part, laid = stage
        rival = 1 - seat
        if seat == V and self.suspicion[target] < 1:
            self._learn(target, 0.0)
        ours = self._fitting(seat, attacker, target)
        theirs = self._fitting(rival, target, attacker)
        is_friend = self.vampires[target] if rival == V else self.suspicion[target] < TRUST
        lead = self.markers[attacker][0] - self.markers[target][1] if number == 1 else 0
        while number <= ROUNDS:
            if part == ATTACK and number == 1:
                while ours and attack + lead <= defence:
                    attack += self._lay(seat, ours, 0)
            elif part == ATTACK:
                rest = sum([card[1] for card in ours])
                is_vain = attack + rest <= defence or rest < ALL_IN * len(self.hands[rival])
                if is_vain and not laid:
                    return
                while ours:
                    attack += self._lay(seat, ours, 0)
            need = attack + lead - defence
            if part < COUNT and is_friend and sum([card[1] for card in theirs]) >= need > 0:
                if rival == V:
                    self._learn(target, 1.0)
                while (need := attack + lead - defence) > 0:
                    defence += self._lay(rival, theirs, _least(theirs, need))
            if attack + lead > defence:
                self._kill(target)
                return
            number, part, laid, lead = number + 1, ATTACK, False, 0

    def _fitting(self, seat: int, one: int, against: int) -> list[PlayoutCard]:
        """Return a seat's cards for a character, the lowest first."""
        borders = self._valid_borders(seat, one, against)
        return sorted([card for card in self.hands[seat] if card[0] & borders], key=_value)

    def _lay(self, seat: int, cards: list[PlayoutCard], at: int) -> int:
        card = cards.pop(at)
        self.hands[seat].remove(card)
        return card[1]

    def _kill(self, character: int) -> None:
        self.castle.remove(character)
        side = V if self.vampires[character] else H
        self.left[side] -= 1
        self._learn(character, float(side == V))
        if self.left[side]:
            self._refill()
        else:
            self.worth = float(side == H)


def _value(card: PlayoutCard) -> int:
    return card[1]


def _least(cards: Sequence[PlayoutCard], need: int) -> int:
    """Return the index of the lowest card that is enough, or else of the highest."""
    return next((at for at, card in enumerate(cards) if card[1] >= need), len(cards) - 1)
