"""Choose actions at the third level: try each action in likely worlds and play them to the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from companion.core.game import Action, PublicEvent
from companion.core.search_budget import best_action
from companion.games.vampire_empire import actions, turns
from companion.games.vampire_empire.bots.belief import Belief, World
from companion.games.vampire_empire.bots.heuristic import Heuristic
from companion.games.vampire_empire.bots.playout import (
    ATTACK,
    COUNT,
    DEFENCE,
    NAMES,
    NUMBERS,
    Playout,
    PlayoutCard,
    Stage,
    V,
    playout_cards,
)
from companion.games.vampire_empire.cards import HUMAN, SEATS, VAMPIRE, other
from companion.games.vampire_empire.options import TRUSTED
from companion.games.vampire_empire.state import Combat, Own

MOST_WORLDS = 80
"""The maximum number of worlds; more change little."""
SEARCHED = ("reveal", "action", "chance", "fight")
"""The steps of a turn whose actions the search tries."""


class Search(Heuristic):
    """One decision of the third level. It chooses discards and supports as the second one does."""

    def choose(self, legal: Sequence[Action]) -> Action:
        usual = super().choose(legal)
        public = self.public
        is_effect = public.payment is not None or public.support is not None
        if is_effect or public.window is not None or public.step not in SEARCHED:
            return usual
        tried = [] if isinstance(usual, actions.PlaySupport) else self._promising([usual, *legal])
        if len(tried) < 2:
            return usual
        return best_action(tried, self._playouts(), self._score, self.budget.deadline())

    def _promising(self, legal: Sequence[Action]) -> list[Action]:
        """Return the actions that may help, without duplicates; for cards of equal value only the
        first.
        """
        distinct: dict[Action | int, Action] = {}
        for action in legal:
            match action:
                case actions.PlaySupport():
                    pass
                case actions.Fight(target=target) if self._enemy_odds(target) == 0:
                    pass
                case actions.HolyWater(character=character) if self.odds[character] in (0, 1):
                    pass
                case actions.Lay():
                    distinct.setdefault(self._value(action), action)
                case _:
                    distinct[action] = action
        return list(distinct.values())

    @cached_property
    def _cards(self) -> Mapping[str, PlayoutCard]:
        return playout_cards(self.public.cards)

    @cached_property
    def _suspicion(self) -> Belief:
        """The possible beliefs of the human player, whose private cards and characters are
        unknown.
        """
        if self.seat == HUMAN:
            return self.belief
        public_events = [event for event in self.history if isinstance(event, PublicEvent)]
        return Belief(self.public, HUMAN, Own(), public_events)

    def _playouts(self) -> Iterator[Playout]:
        """Yield random worlds in proportion to their probability."""
        public = self.public
        markers = [
            (
                turns.marker_value(public, name, "attack"),
                turns.marker_value(public, name, "defence"),
            )
            for name in NAMES
        ]

        def by_seat(mine: Sequence[str], theirs: Sequence[str]) -> list[list[PlayoutCard]]:
            whose = {self.seat: mine, other(self.seat): theirs}
            return [[self._cards[card] for card in whose[seat]] for seat in SEATS]

        for world in self.belief.sample(MOST_WORLDS, self.rng):
            yield Playout(
                [NUMBERS[name] for name in public.castle],
                [NUMBERS[name] for name in world.city],
                [name in world.vampires for name in NAMES],
                [name in public.revealed for name in NAMES],
                self._suspicions(world),
                markers,
                by_seat(self.own.hand, world.hand),
                by_seat(world.own_deck, world.deck),
                by_seat(world.own_cellar, world.cellar),
                [public.piles[seat].remade for seat in SEATS],
                self.rng,
            )

    def _suspicions(self, world: World) -> list[float]:
        """Return for each character the human player's probability that it is a vampire. Draw the
        trusted characters at random if this seat does not know them.
        """
        odds = dict(self._suspicion.odds)
        if self.seat == VAMPIRE:
            humans = [name for name in odds if name not in world.vampires]
            odds |= dict.fromkeys(self.rng.sample(humans, min(TRUSTED, len(humans))), 0.0)
        return [odds.get(name, 0.0) for name in NAMES]

    def _score(self, world: Playout, action: Action) -> float:
        """Return the seat's score in a playout after an action."""
        turn = self.public.turn
        assert turn is not None, "somebody is to move"
        playout = world.copy()
        self._take(playout, action)
        score = playout.run(1 - SEATS.index(turn))
        return score if self.seat == VAMPIRE else 1 - score

    def _take(self, playout: Playout, action: Action) -> None:
        """Take an action and finish its turn."""
        public, me = self.public, SEATS.index(self.seat)
        match action:
            case actions.Fight(attacker=attacker, target=target):
                counted = turns.lower_water(public) if public.step == "chance" else 0
                playout.fight(me, NUMBERS[attacker], NUMBERS[target], Stage(counted))
            case actions.HolyWater(character=character):
                playout.ask(NUMBERS[character])
            case actions.Hide(character=character):
                playout.hide(NUMBERS[character])
            case actions.Reveal(character=character):
                playout.reveal(NUMBERS[character])
                if playout.worth is None:
                    playout.act(me)
            case _ if public.fight is not None:
                self._fight_on(playout, public.fight, action)
            case _ if action == actions.PASS:
                playout.skip(me)
            case _ if action == actions.PROCEED and public.step == "reveal":
                playout.act(V)

    def _fight_on(self, playout: Playout, fight: Combat, action: Action) -> None:
        """Lay a card, or stop laying, and play the rest of the fight."""
        attack, defence = (
            sum(laid.value for laid in side) for side in (fight.attack, fight.defence)
        )
        is_attack, laid = self.seat == fight.by, fight.laid_now
        if isinstance(action, actions.Lay):
            value = self._value(action)
            playout.hands[SEATS.index(self.seat)].remove(self._cards[action.card])
            part = ATTACK if is_attack else DEFENCE
            attack, defence = (attack + value, defence) if is_attack else (attack, defence + value)
            laid = laid or is_attack
        elif is_attack and fight.round > 1 and not laid:
            return
        else:
            part = DEFENCE if is_attack else COUNT
        playout.fight(
            SEATS.index(fight.by),
            NUMBERS[fight.attacker],
            NUMBERS[fight.target],
            Stage(attack, defence, fight.round, part, laid),
        )
