"""Choose actions at the second level: by the seat's cards and the probable vampires."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Action, Event, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.vampire_empire import actions, turns
from companion.games.vampire_empire.cards import (
    CHARACTERS,
    HUMAN,
    VAMPIRE,
    CancelCard,
    Mark,
    SwapCastle,
    other,
)
from companion.games.vampire_empire.events import HolyWaterAnswered
from companion.games.vampire_empire.options import HAND, ROUNDS, VAMPIRES
from companion.games.vampire_empire.state import Combat, Own, Public

STRONG = 4
"""The minimum value of a new attack, in excess of the defence marker."""
WORTH = {"vampire": 2, "holy": 2}
"""The additional worth of a red or a holy border when a card is discarded."""
RESERVE = 4
"""The number of cards to keep when playing a support in the other player's turn, where it often
costs more.
"""


class Greedy:
    """One decision of the second level."""

    def __init__(self, view: View, history: Sequence[Event], budget: SearchBudget) -> None:
        assert view.seat is not None
        self.public: Public = view.public
        self.seat: Seat = view.seat
        self.own: Own = view.own
        self.history, self.budget, self.rng = history, budget, budget.rng
        self.odds = self._vampire_odds()

    def _vampire_odds(self) -> Mapping[str, float]:
        """Return for each living character the probability that it is a vampire, from this seat's
        view.
        """
        return vampire_odds(self.public, self.seat, self.own, self.history)

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
        """Return the worth of keeping a card: its value, more if it fits the castle."""
        kind = self.public.cards[card]
        if kind.kind == "support":
            return 1.5
        fits = any(CHARACTERS[name] in kind.borders for name in self.public.castle)
        return kind.value + (1.5 if fits else 0) + WORTH.get(kind.kind, 0)

    def _discard(self, legal: Sequence[Action]) -> Action:
        poor = sorted(
            (action for action in legal if isinstance(action, actions.Discard)),
            key=lambda one: self._worth(one.card),
        )
        spare = [action for action in poor if self._worth(action.card) < 2]
        if actions.DRAW not in legal:
            spare = spare or poor
        elif len(self.own.hand) <= HAND - 3:
            spare = []
        cellar = [action for action in spare if action.pile == "cellar"]
        if actions.DRAW in legal and not cellar:
            return actions.DRAW
        return (cellar or spare)[0]

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
        if may and (len(inside) == VAMPIRES or (red >= 2 * STRONG and not revealed)):
            return self.rng.choice(may)
        return actions.PROCEED

    def _act(self, legal: Sequence[Action]) -> Action:
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
        """Return the worth of a fight: the seat's lead times the probability that the target is an
        enemy, 0 if either is low.
        """
        enemy = self._enemy_odds(fight.target)
        value = self._lead(fight)
        least = 0.3 if self.seat == HUMAN else 0.5
        return value * enemy if enemy > least and value >= STRONG else 0

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
        fight = self.public.fight
        assert fight is not None
        attack, defence = turns.sums(self.public, fight)
        mine, theirs = (attack, defence) if self.seat == fight.by else (defence, attack)
        lays = sorted(
            (action for action in legal if isinstance(action, actions.Lay)),
            key=lambda one: self._value(one),
        )
        held = sum(
            self._value(actions.Lay(card)) for card in self.own.hand if actions.Lay(card) in lays
        )
        cancels = [action for action in legal if isinstance(action, actions.PlaySupport)]
        if actions.DONE not in legal:
            return lays[-1] if lays else legal[0]
        target = self._target_sum(fight, theirs)
        if mine >= target or mine + held < theirs + (self.seat == fight.by):
            return (
                cancels[0]
                if cancels and 0 <= target - mine - held <= 2 and mine < target
                else actions.DONE
            )
        enough = [action for action in lays if mine + self._value(action) >= target]
        return enough[0] if enough else lays[-1] if lays else actions.DONE

    def _target_sum(self, fight: Combat, theirs: int) -> int:
        """Return the target sum of the seat's side: a lead for an attacker, a tie for a
        defender.
        """
        if self.seat == fight.by:
            return theirs + (STRONG if fight.round == 1 else 1)
        own_side = 1 - self._enemy_odds(fight.target)
        return theirs if own_side > 0.4 else 0

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


def vampire_odds(
    public: Public, seat: Seat, own: Own, history: Sequence[Event]
) -> Mapping[str, float]:
    """Return for each living character the probability that it is a vampire, from this seat's
    view.
    """
    if seat == VAMPIRE:
        return {name: float(name in own.characters) for name in public.living}
    cleared = {
        event.character
        for event in history
        if isinstance(event, HolyWaterAnswered) and not event.vampire
    }
    human = cleared | set(own.characters)
    left = VAMPIRES - len(public.revealed) - sum(dead.vampire for dead in public.dead)
    open_ = [name for name in public.living if name not in human and name not in public.revealed]
    chance = left / len(open_) if open_ else 0.0
    return {
        name: 1.0 if name in public.revealed else chance if name in open_ else 0.0
        for name in public.living
    }
