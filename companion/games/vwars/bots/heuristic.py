"""Plan the rest of the turn for the coming riots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from companion.core.game import Action, Seat
from companion.games.vwars import actions
from companion.games.vwars.bots.evaluate import Evaluation, Troops, standing
from companion.games.vwars.bots.memory import DEPLOYED, IDLE, KILLED, Memory
from companion.games.vwars.content import (
    AddTroops,
    RemoveTroops,
    SetMartialLaw,
    Side,
    TakeControl,
    city_of,
    other,
    side_of,
    value_of,
)
from companion.games.vwars.legal import has_free_move, is_forbidden, troops_per_deployment
from companion.games.vwars.options import POOL, TROOPS
from companion.games.vwars.state import Hand, Public

CARD = 0.002
"""The worth of a card in hand, so that no plan uses more of them than it needs."""
FELLOW = 2.0
"""The worth of awakening an Infected."""
HIDDEN = 1.0
"""The worth to the vampires of a Vampire who is not public."""
POOL_FULL = 3
"""Cards in the pool below which the humans add to it: without riots the vampires win in the end."""
POOL_WORTH = 0.15
MASK = 1.0
"""The worth to a hidden Vampire of what its actions reveal to the humans, per unit of log odds."""
GOES_PUBLIC = 3
"""Sympathy up to which the Vampire goes public in its own turn."""


def serves(public: Public, seat: Seat, own: Hand | None) -> Side:
    """Return the side with which a seat wins now."""
    is_hidden = own is not None and own.faction == "vampire"
    return "vampire" if is_hidden or public.players[seat].vampire else "human"


class Heuristic:
    """One decision of a seat that sees `public`, holds `own` and remembers `memory`."""

    def __init__(
        self,
        public: Public,
        seat: Seat,
        own: Hand | None,
        memory: Memory,
        rng: Random,
    ) -> None:
        self.public, self.seat, self.rng = public, seat, rng
        self.cards = own.cards if own else ()
        self.me = public.players[seat]
        self.wants: Side = serves(public, seat, own)
        self.sign = 1 if self.wants == "human" else -1
        self.is_hidden = self.wants == "vampire" and not self.me.vampire
        self.memory = memory
        self.evaluation = Evaluation(public, self.memory.shares())

    def choose(self, legal: Sequence[Action]) -> Action:
        """Return one of the legal actions."""
        if len(legal) == 1:
            return legal[0]
        if self.public.step == "turn":
            return self._turn(legal)
        worth = [self._worth(action) + self.rng.random() / 1000 for action in legal]
        return legal[worth.index(max(worth))]

    # ---- the turn

    def _turn(self, legal: Sequence[Action]) -> Action:
        special = self._special(legal)
        if special is not None:
            return special
        allowed = set(legal)
        rated = [
            (worth + self.rng.random() / 1000, action)
            for worth, action in self._plans(legal)
            if action in allowed
        ]
        return max(rated, key=lambda each: each[0])[1]

    def _special(self, legal: Sequence[Action]) -> Action | None:
        """Return a disclosure that is worth its risk, None if there is none."""
        public = self.public
        now = standing(public.sympathy, public.controlled, public.martial)
        half = public.sympathy // 2
        for action in legal:
            if isinstance(action, actions.Reveal) and public.sympathy <= GOES_PUBLIC:
                return action
            if isinstance(action, actions.Awaken) and action.target in self.memory.fellows():
                return action
        named = [action for action in legal if isinstance(action, actions.Investigate)]
        if self.wants == "human" and named:
            odds = self.memory.suspicion()
            best = max(named, key=lambda action: odds.get(action.target, 0.0))
            right = standing(public.sympathy - half, public.controlled, public.martial) - HIDDEN
            wrong = standing(public.sympathy + half, public.controlled, public.martial)
            chance = odds.get(best.target, 0.0)
            gain = chance * (right - now) + (1 - chance) * (wrong - now)
            if half and gain > 0 and chance >= self.memory.sure:
                return best
        return None

    def _plans(self, legal: Sequence[Action]) -> Iterator[tuple[float, Action]]:
        """Yield the expected worth of the rest of the turn for each first action."""
        public, evaluation = self.public, self.evaluation
        left, cards = public.actions_left, len(self.cards)
        base = self.sign * evaluation.worth({})
        yield base - (MASK * IDLE * left if self.is_hidden else 0.0), actions.End()
        free = has_free_move(public, self.seat)
        goals = [city for city in (evaluation.riot_now, evaluation.riot_soon) if city]
        yield from self._here(self.me.city, left, cards, None)
        moves = [action for action in legal if isinstance(action, actions.Move)]
        for move in moves:
            there = public.cities[move.city].region
            near = [
                goal
                for goal in goals
                if move.city == goal
                or (public.cities[goal].region == there != public.cities[self.me.city].region)
            ]
            if near:
                yield from self._here(move.city, left - (not free), cards, move)
        if self.me.vampire:
            fellows = self.memory.fellows()
            for move in moves:
                if left > 1 and any(public.players[one].city == move.city for one in fellows):
                    yield base + FELLOW / max(len(fellows), 1), move
        yield from self._beside(legal, base)

    def _here(
        self, city: str, left: int, cards: int, move: actions.Move | None
    ) -> Iterator[tuple[float, Action]]:
        """Yield plans that use all actions in and around a city: their worth and first action."""
        public, evaluation, side = self.public, self.evaluation, self.me.side
        region = public.cities[city].region
        may_deploy = not is_forbidden(public, self.seat, "deploy")
        goals = [goal for goal in (evaluation.riot_now, evaluation.riot_soon) if goal]
        near = list(dict.fromkeys(g for g in goals if public.cities[g].region == region))
        each = troops_per_deployment(public, self.seat)
        enemies = public.cities[city].troops(other(side)) if city in goals else 0
        may_kill = not is_forbidden(public, self.seat, "assassinate")
        for kills in range(min(left, enemies) * may_kill + 1):
            for first in range((min(left - kills, cards) if near and may_deploy else 0) + 1):
                rest = min(left - kills - first, cards - first)
                for second in range((rest if len(near) > 1 and may_deploy else 0) + 1):
                    changed: dict[str, Troops] = {}
                    if kills:
                        changed[city] = self.more(city, other(side), -kills)
                    for goal, count in zip(near, (first, second), strict=False):
                        if count:
                            changed[goal] = self.more(goal, side, count * each, changed.get(goal))
                    worth = self.sign * evaluation.worth(changed) - CARD * (first + second)
                    worth += self._disguise(kills, first if near[:1] == goals[:1] else 0)
                    if not changed:
                        continue
                    if move is not None:
                        yield worth - CARD, move
                    elif kills:
                        yield worth, actions.Assassinate()
                    else:
                        yield worth, actions.Deploy(near[0] if first else near[1])

    def _disguise(self, kills: int, troops: int) -> float:
        """Return the gain of a hidden Vampire from acting like a human."""
        return -MASK * (KILLED * kills + DEPLOYED * troops) if self.is_hidden else 0.0

    def more(self, city: str, side: Side, change: int, troops: Troops | None = None) -> Troops:
        """Return the troops of a city (`troops`, those there now by default) after a change."""
        human, vampire = troops or self.evaluation.troops(city)
        if side == "human":
            return max(min(human + change, max(human, TROOPS)), 0), vampire
        return human, max(min(vampire + change, max(vampire, TROOPS)), 0)

    def _beside(self, legal: Sequence[Action], base: float) -> Iterator[tuple[float, Action]]:
        """Yield actions with later use: troops elsewhere, cards in the pool and in regions."""
        public, evaluation = self.public, self.evaluation
        riot = evaluation.riot_now
        for action in legal:
            match action:
                case actions.Deploy(city=city) if city not in (riot, evaluation.riot_soon):
                    now = evaluation.later(city, evaluation.troops(city))
                    more = self.more(city, self.me.side, troops_per_deployment(public, self.seat))
                    gain = self.sign * (evaluation.later(city, more) - now)
                    yield base + gain - CARD, action
                case actions.Assassinate() if self.me.city not in (riot, evaluation.riot_soon):
                    city = self.me.city
                    now = evaluation.later(city, evaluation.troops(city))
                    less = self.more(city, other(self.me.side), -1)
                    yield base + self.sign * (evaluation.later(city, less) - now), action
                case actions.Place(to="pool"):
                    is_low = public.piles.get(POOL, 0) < POOL_FULL
                    has_own = any(side_of(card) == self.wants for card in self.cards)
                    yield (
                        base + (self.sign * POOL_WORTH if is_low and has_own else -0.05),
                        action,
                    )
                case actions.Place(partner=partner) if riot is not None:
                    is_here = public.cities[riot].region == public.cities[self.me.city].region
                    own = max(
                        (value_of(card) for card in self.cards if side_of(card) == self.wants),
                        default=0,
                    )
                    if is_here and own:
                        trust = 0.0 if partner is None else 1 - self.distrust(partner)
                        cards = self.sign * (1 + round(trust))
                        placed = self.sign * evaluation.worth({}, cards)
                        yield placed - 2 * CARD, action

    def distrust(self, partner: Seat) -> float:
        """Return the chance that a partner puts down a card of the other side."""
        if self.wants == "human" and not self.public.vampires():
            return self.memory.suspicion().get(partner, 0.0)
        return 1.0 if self.is_hidden else 0.2

    # ---- the other questions

    def _worth(self, action: Action) -> float:
        match action:
            case actions.Reveal():
                return 2.0
            case actions.Awaken(target=target):
                return 3.0 if target in self.memory.fellows() else -1.0
            case actions.Done():
                return 2.0
            case actions.Stay():
                return 0.0
            case actions.NoMore() if self.public.step == "soon":
                # Without riots a game with real cards would not end.
                return -0.1
            case actions.Put(card=card):
                return self._worth_of_giving(card)
            case actions.Discard(card=card):
                return value_of(card) * (1.0 if side_of(card) != self.wants else -1.0)
            case actions.Elect(side=side):
                return 1.0 if side == self.wants else 0.0
            case actions.PickCity(city=city):
                return self._worth_of_city(city)
        return 0.1

    def _worth_of_giving(self, card: str) -> float:
        sign = 1.0 if side_of(card) == self.wants else -1.0
        due = self.public.due
        if due is not None and due.to is None:
            return -sign * value_of(card)
        if due is not None and due.to == POOL:
            return sign * 10 + self.sign * self.evaluation.riot(
                city_of(card), self.evaluation.troops(city_of(card)), None
            )
        return sign * value_of(card)

    def _worth_of_city(self, city: str) -> float:
        """Return the worth of a city that the active player names for an event."""
        public, evaluation = self.public, self.evaluation
        effect = public.effects[0] if public.effects else None
        match effect:
            case AddTroops(side=side, count=count) | RemoveTroops(side=side, count=count):
                change = count if isinstance(effect, AddTroops) else -count
                changed = {city: self.more(city, side, change)}
                goals = (evaluation.riot_now, evaluation.riot_soon)
                if city in goals:
                    gain = evaluation.worth(changed) - evaluation.worth({})
                else:
                    before = evaluation.later(city, evaluation.troops(city))
                    gain = evaluation.later(city, changed[city]) - before
                overflow = public.cities[city].vampire + change - TROOPS
                if side == "vampire" and overflow > 0:
                    gain -= 1.0
                return self.sign * gain
            case TakeControl(side=side):
                is_new = public.cities[city].control != side
                return float(is_new) * (1.0 if side == self.wants else -1.0)
            case SetMartialLaw(holds=holds):
                return self.sign * (1.0 if holds else -1.0) * (public.cities[city].martial != holds)
        return 0.0
