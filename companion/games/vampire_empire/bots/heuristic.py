"""Choose actions at the third level: attack by the odds of a kill, and spend few cards.

It infers the vampires from the opponent's attacks and defences, and evaluates fights against
possible hands of the opponent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from companion.core.game import Action
from companion.games.vampire_empire import turns
from companion.games.vampire_empire.actions import DONE, DRAW, Discard, Fight, Lay, PlaySupport
from companion.games.vampire_empire.bots.belief import KILL, Belief
from companion.games.vampire_empire.bots.greedy import Greedy
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, VAMPIRE, is_valid, other
from companion.games.vampire_empire.options import ROUNDS
from companion.games.vampire_empire.state import Combat

HANDS = 40
"""The number of possible hands of the opponent for evaluating fights."""
FITS = 2
"""The additional worth of a card that can be laid now."""
KEEP_WORTH = 4
"""The minimum worth of a card to keep it when filling the hand."""
LEAST_ODDS = 0.2
"""The probability of a kill from which the second round is worth its cards."""


class Heuristic(Greedy):
    """One decision of the third level."""

    @cached_property
    def belief(self) -> Belief:
        return Belief(self.public, self.seat, self.own, self.history)

    @cached_property
    def _hands(self) -> list[list[str]]:
        """Possible hands of the opponent."""
        return self.belief.hands(HANDS, self.rng)

    def _vampire_odds(self) -> Mapping[str, float]:
        return self.belief.odds

    def _worth(self, card: str) -> float:
        """Return the worth of keeping a card: its value, more if it can be laid now. Holy water can
        always be used.
        """
        public, kind = self.public, self.public.cards[card]
        if kind.kind == "support":
            return super()._worth(card)
        fits = any(CHARACTERS[name] in kind.borders for name in public.castle)
        is_special = "vampire" in kind.borders or "holy" in kind.borders
        may_count = self.seat == HUMAN or any(name in public.revealed for name in public.castle)
        return kind.value + FITS * fits + FITS * (is_special and may_count)

    def _discard(self, legal: Sequence[Action]) -> Action:
        """Exchange all poor cards while the cellar can still become the deck."""
        poor = [
            action
            for action in legal
            if isinstance(action, Discard)
            and action.pile == "cellar"
            and self._worth(action.card) < KEEP_WORTH
        ]
        if DRAW in legal:
            return poor[0] if poor else DRAW
        return super()._discard(legal)

    def _act(self, legal: Sequence[Action]) -> Action:
        """Play every support that costs nothing, then act."""
        for action in legal:
            if isinstance(action, PlaySupport) and not turns.cost(self.public, action.card):
                return action
        return super()._act(legal)

    def _fight_worth(self, fight: Fight) -> float:
        """Return the worth of a fight. An attack on a human by mistake kills it, since nobody
        defends it.
        """
        enemy = self._enemy_odds(fight.target)
        if enemy == 0:
            return 0
        kill = self._kill_odds(fight.attacker, fight.target, self._lead(fight))
        return enemy * kill if self.seat == VAMPIRE else enemy * KILL * kill - (1 - enemy)

    def _kill_odds(self, attacker: str, target: str, lead: int) -> float:
        """Return the probability that an attack with this lead kills the target when the opponent
        defends with the whole hand.
        """
        rival, public = other(self.seat), self.public
        values = {
            name: card.value
            for name, card in public.cards.items()
            if is_valid(card.borders, rival, target, attacker, public.revealed)
        }
        kills = sum(lead > sum(values.get(card, 0) for card in hand) for hand in self._hands)
        return kills / len(self._hands)

    def _lay(self, legal: Sequence[Action]) -> Action:
        fight = self.public.fight
        assert fight is not None
        if self.seat != fight.by:
            return super()._lay(legal)
        lays = sorted(
            (action for action in legal if isinstance(action, Lay)),
            key=lambda one: self._value(one),
        )
        return self._attack(fight, lays, may_end=DONE in legal)

    def _attack(self, fight: Combat, lays: Sequence[Lay], *, may_end: bool) -> Action:
        """Return the next card of an attack. The first round uses low cards, unless a marker
        counts, to see whether the opponent defends. The second round uses all cards if they may
        kill.
        """
        public = self.public
        attack, defence = turns.sums(public, fight)
        if not lays:
            return DONE
        if fight.round < ROUNDS:
            if may_end and turns.marker_value(public, fight.attacker, "attack"):
                return lays[-1]
            enough = [one for one in lays if attack + self._value(one) > defence]
            return DONE if may_end and attack > defence else (enough or lays[::-1])[0]
        lead = attack - defence + self._held(fight.attacker, fight.target)
        is_worth_it = self._kill_odds(fight.attacker, fight.target, lead) > LEAST_ODDS
        return lays[-1] if fight.laid_now or is_worth_it else DONE
