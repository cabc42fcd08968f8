"""Choose actions by the odds of a kill and the probable vampires, and spend few cards.

It infers the vampires from the opponent's attacks and defences, and evaluates fights against
possible hands of the opponent.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from companion.core.game import Action, Event, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire import actions, turns
from companion.games.vampire_empire.bots.belief import KILL, Belief
from companion.games.vampire_empire.cards import (
    CHARACTERS,
    HUMAN,
    VAMPIRE,
    CancelCard,
    Mark,
    SwapCastle,
    is_valid,
    other,
)
from companion.games.vampire_empire.options import ROUNDS, VAMPIRES
from companion.games.vampire_empire.state import Combat, Own, Public

HANDS = 40
"""The number of possible hands of the opponent for evaluating fights."""
FITS = 2
"""The additional worth of a card that can be laid now."""
KEEP_WORTH = 4
"""The minimum worth of a card to keep it when filling the hand."""
LEAST_ODDS = 0.2
"""The probability of a kill from which the second round is worth its cards."""
REVEAL_VALUE = 8
"""The total value of the red cards in a hand from which a vampire is worth revealing."""
RESERVE = 4
"""The number of cards to keep when playing a support in the other player's turn, where it often
costs more.
"""


class Heuristic:
    """One decision of the second level."""

    def __init__(self, view: View, history: Sequence[Event], budget: SearchBudget) -> None:
        assert view.seat is not None
        self.public: Public = view.public
        self.seat: Seat = view.seat
        self.own: Own = view.own
        self.history, self.budget, self.rng = history, budget, budget.rng
        self.belief = Belief(self.public, self.seat, self.own, history)
        self.odds = self.belief.odds

    @cached_property
    def _hands(self) -> list[list[str]]:
        """Possible hands of the opponent."""
        return self.belief.hands(HANDS, self.rng)

    def choose(self, legal: Sequence[Action]) -> Action:
        public = self.public
        if public.payment is not None:
            return min(
                legal,
                key=lambda action: (
                    self._worth(action.card) if isinstance(action, actions.Pay) else 0
                ),
            )
        if public.support is not None:
            return self._effect(legal)
        if public.window is not None:
            return self._answer(
                [action for action in legal if isinstance(action, actions.PlaySupport)]
            )
        match public.step:
            case "discard":
                return self._discard(legal)
            case "reveal":
                return self._reveal(legal)
            case "fight":
                return self._lay(legal)
        return self._act(legal)

    def _worth(self, card: str) -> float:
        """Return the worth of keeping a card: its value, more if it can be laid now. Holy water can
        always be used.
        """
        public, kind = self.public, self.public.cards[card]
        if kind.kind == "support":
            return 1.5
        fits = any(CHARACTERS[name] in kind.borders for name in public.castle)
        is_special = "vampire" in kind.borders or "holy" in kind.borders
        may_count = self.seat == HUMAN or any(name in public.revealed for name in public.castle)
        return kind.value + FITS * fits + FITS * (is_special and may_count)

    def _discard(self, legal: Sequence[Action]) -> Action:
        """Exchange all poor cards while the cellar can still become the deck; discard the poorest
        one of too many.
        """
        discards = [action for action in legal if isinstance(action, actions.Discard)]
        cellar = [action for action in discards if action.pile == "cellar"]
        if actions.DRAW in legal:
            poor = (action for action in cellar if self._worth(action.card) < KEEP_WORTH)
            return next(poor, actions.DRAW)
        return min(cellar or discards, key=lambda action: self._worth(action.card))

    def _reveal(self, legal: Sequence[Action]) -> Action:
        """Reveal a vampire of the castle to use strong red cards, or if all vampires are there."""
        revealed = [name for name in self.public.castle if name in self.public.revealed]
        inside = [name for name in self.own.characters if name in self.public.castle]
        red = sum(
            self.public.cards[card].value
            for card in self.own.hand
            if "vampire" in self.public.cards[card].borders
        )
        may = [
            action
            for action in legal
            if isinstance(action, actions.Reveal) and action.character in self.public.castle
        ]
        if may and (len(inside) == VAMPIRES or (red >= REVEAL_VALUE and not revealed)):
            return self.rng.choice(may)
        return actions.PROCEED

    def _act(self, legal: Sequence[Action]) -> Action:
        """Play every support that costs nothing, then act."""
        for action in legal:
            if isinstance(action, actions.PlaySupport) and not turns.cost(self.public, action.card):
                return action
        fights = [
            (self._fight_worth(action), action)
            for action in legal
            if isinstance(action, actions.Fight)
        ]
        best = max(fights, key=lambda pair: pair[0], default=None)
        if best is not None and (best[0] > 0 or actions.PROCEED in legal):
            return best[1]
        water = [
            action
            for action in legal
            if isinstance(action, actions.HolyWater) and 0 < self.odds[action.character] < 1
        ]
        if water:
            inside = [action for action in water if action.character in self.public.castle]
            return max(inside or water, key=lambda action: self.odds[action.character])
        supports = [action for action in legal if isinstance(action, actions.PlaySupport)]
        if supports and self.rng.random() < 0.5:
            return self.rng.choice(supports)
        hide = [
            action
            for action in legal
            if isinstance(action, actions.Hide) and action.character in self.public.revealed
        ]
        if hide and self.rng.random() < 0.3:
            return self.rng.choice(hide)
        return actions.PASS if actions.PASS in legal else actions.PROCEED

    def _answer(self, supports: Sequence[actions.PlaySupport]) -> Action:
        """Return the cheapest support that helps now. It saves an attack that the defence has just
        stopped, or a friend in danger. A bot never declines for a whole turn, which would reveal
        something about its hand.
        """
        useful = [action for action in supports if self._helps(action.card)]
        return min(
            useful, key=lambda action: turns.cost(self.public, action.card), default=actions.DECLINE
        )

    def _helps(self, card: str) -> bool:
        fight, effect = self.public.fight, self.public.cards[card].effects[0]
        if fight is not None:
            return isinstance(effect, CancelCard) and self._turns(fight)
        if len(self.own.hand) - 1 - turns.cost(self.public, card) < RESERVE:
            return False
        match effect:
            case Mark(profession=profession):
                return any(CHARACTERS[name] == profession for name in self._undefended_friends())
            case SwapCastle():
                return self.seat == VAMPIRE and any(
                    name in self.public.revealed for name in self.public.castle
                )
        return False

    def _turns(self, fight: Combat) -> bool:
        """Return whether the seat's attack fails, would kill without the best card of the defence,
        and is the last one: no card can follow.
        """
        if self.seat != fight.by or not fight.defence:
            return False
        attack, defence = turns.sums(self.public, fight)
        spare = turns.valid_cards(self.public, self.own, self.seat, fight.attacker, fight.target)
        is_last = fight.round == ROUNDS or not spare
        return (
            is_last
            and attack <= defence
            and attack > defence - max(laid.value for laid in fight.defence)
        )

    def _undefended_friends(self) -> list[str]:
        """Return the castle characters that are certainly friends and have no defence marker."""
        friends = [name for name in self.public.castle if self._enemy_odds(name) == 0]
        return [name for name in friends if not turns.marker_value(self.public, name, "defence")]

    def _fight_worth(self, fight: actions.Fight) -> float:
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

    def _lead(self, fight: actions.Fight) -> int:
        """Return the total value of the seat's cards for a fight, with the markers of both
        sides.
        """
        public = self.public
        counted = turns.lower_water(public) if public.step == "chance" else 0
        marked = turns.marker_value(public, fight.attacker, "attack") - turns.marker_value(
            public, fight.target, "defence"
        )
        return counted + self._held(fight.attacker, fight.target) + marked

    def _held(self, supported: str, against: str) -> int:
        """Return the total value of the hand for one character against another."""
        cards = turns.valid_cards(self.public, self.own, self.seat, supported, against)
        return sum(self.public.cards[card].value for card in self.own.hand if card in cards)

    def _enemy_odds(self, character: str) -> float:
        """Return the probability that a character is on the other side."""
        return self.odds[character] if self.seat == HUMAN else 1 - self.odds[character]

    def _lay(self, legal: Sequence[Action]) -> Action:
        fight = self.public.running_fight
        lays = sorted(
            (action for action in legal if isinstance(action, actions.Lay)), key=self._value
        )
        if self.seat == fight.by:
            return self._attack(fight, lays, may_end=actions.DONE in legal)
        return self._defend(fight, lays, legal)

    def _defend(
        self, fight: Combat, lays: Sequence[actions.Lay], legal: Sequence[Action]
    ) -> Action:
        """Return the next card of a defence: up to a tie, unless the target is an enemy or the hand
        is too weak.
        """
        attack, defence = turns.sums(self.public, fight)
        held = sum(
            self._value(actions.Lay(card)) for card in self.own.hand if actions.Lay(card) in lays
        )
        target = attack if self._enemy_odds(fight.target) < 0.6 else 0
        if defence >= target or defence + held < attack:
            cancels = [action for action in legal if isinstance(action, actions.PlaySupport)]
            helps = cancels and 0 <= target - defence - held <= 2 and defence < target
            return cancels[0] if helps else actions.DONE
        enough = [action for action in lays if defence + self._value(action) >= target]
        return enough[0] if enough else lays[-1]

    def _attack(self, fight: Combat, lays: Sequence[actions.Lay], *, may_end: bool) -> Action:
        """Return the next card of an attack. The first round uses low cards, unless a marker
        counts, to see whether the opponent defends. The second round uses all cards if they may
        kill.
        """
        public = self.public
        attack, defence = turns.sums(public, fight)
        if not lays:
            return actions.DONE
        if fight.round < ROUNDS:
            if may_end and turns.marker_value(public, fight.attacker, "attack"):
                return lays[-1]
            enough = [one for one in lays if attack + self._value(one) > defence]
            return actions.DONE if may_end and attack > defence else (enough or lays[::-1])[0]
        lead = attack - defence + self._held(fight.attacker, fight.target)
        is_worth_it = self._kill_odds(fight.attacker, fight.target, lead) > LEAST_ODDS
        return lays[-1] if fight.laid_now or is_worth_it else actions.DONE

    def _value(self, action: actions.Lay | actions.LayValue) -> int:
        return (
            self.public.cards[action.card].value
            if isinstance(action, actions.Lay)
            else action.value
        )

    def _effect(self, legal: Sequence[Action]) -> Action:
        marks = [action for action in legal if isinstance(action, actions.PutMarker)]
        if marks:
            friends = [one for one in marks if self._enemy_odds(one.character) < 0.5]
            return self.rng.choice(
                [one for one in friends if one.side == "defence"] or friends or marks
            )
        takes = [action for action in legal if isinstance(action, actions.Take)]
        if takes:
            return max(takes, key=lambda action: self._worth(action.card))
        swaps = [action for action in legal if isinstance(action, actions.Swap)]
        if swaps:
            return min(
                swaps,
                key=lambda one: (
                    self._enemy_odds(one.character),
                    one.character not in self.public.revealed,
                ),
            )
        cancels = [action for action in legal if isinstance(action, actions.Cancel)]
        if cancels and self.public.fight is not None:
            laid = getattr(self.public.fight, turns.side_of(self.public.fight, other(self.seat)))
            return max(cancels, key=lambda action: laid[action.number - 1].value)
        return self.rng.choice(legal)
