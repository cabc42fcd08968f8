"""Choose actions at two levels of play: any one, or the one that promises most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.game import Action, Seat, View
from companion.games.vwars import legal as offers
from companion.games.vwars.actions import (
    Answer,
    Assassinate,
    Awaken,
    Control,
    Deploy,
    Discard,
    Done,
    Elect,
    End,
    Investigate,
    Martial,
    Move,
    NoEvent,
    PickCity,
    Place,
    Put,
    Refilled,
    Reveal,
    Sympathy,
    Troops,
)
from companion.games.vwars.content import AddTroops, Side, city_of, side_of, value_of
from companion.games.vwars.evolve import other
from companion.games.vwars.options import FACTIONS
from companion.games.vwars.state import Hand, Public

LEVELS = ("random", "greedy")
CHEAP = 4
"""Sympathy that the Vampire is ready to halve by going public."""
GUESS = 0.02
"""How often a human guesses who the Vampire is."""


def choose_action(view: View, level: str, rng: Random) -> Action:
    """Return the next action of the bot at the view's seat, which is to move."""
    public: Public = view.public
    own: Hand | None = view.own
    assert view.seat is not None
    legal = allowed(offers.legal(public, view.seat, own))
    if level == "random":
        return rng.choice(legal)
    promised = [
        _Weighing(public, view.seat, own, rng).worth(action) + rng.random() / 2 for action in legal
    ]
    return legal[promised.index(max(promised))]


def choose_role(roles: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
    """Return the id of the role that a bot chooses: any, or one with most effects.

    roles: entries of `Game.choices`
    """
    does = [
        sum(effect["do"] != "note" for effect in [*role["human_effects"], *role["vampire_effects"]])
        for role in roles
    ]
    best = (
        roles
        if level == "random"
        else [role for role, count in zip(roles, does, strict=True) if count == max(does)]
    )
    return str(rng.choice(best)["id"])


def serves(public: Public, seat: Seat, own: Hand | None) -> Side:
    """Return the side whose victory a seat wants now."""
    is_hidden = own is not None and own.faction == "vampire"
    return "vampire" if is_hidden or public.players[seat].vampire else "human"


def allowed(legal: Sequence[Action]) -> Sequence[Action]:
    """Return the legal actions that report nothing of real cards and change nothing by agreement:
    a bot can do neither.
    """
    return [action for action in legal if not _is_of_people(action)] or legal


def _is_of_people(action: Action) -> bool:
    return isinstance(
        action, NoEvent | Control | Martial | Troops | Sympathy | Answer
    ) or action == Refilled(False)


class _Weighing:
    """The worth of actions to one bot.

    A hidden Vampire wants what the vampires want, in the guise of a human.
    """

    def __init__(self, public: Public, seat: Seat, own: Hand | None, rng: Random) -> None:
        self.public, self.seat, self.rng = public, seat, rng
        self.cards = own.cards if own else ()
        self.me = public.players[seat]
        self.wants = serves(public, seat, own)
        self.is_hidden = self.wants == "vampire" and not self.me.vampire

    def worth(self, action: Action) -> float:
        """Return the worth of an action; ending the turn is worth nothing."""
        match action:
            case Reveal():
                return 9 if self.public.step == "rally" or self.public.sympathy <= CHEAP else -1
            case Awaken():
                return 8 if self._has_unknown_fellow() else -1
            case Investigate():
                return 5 if self.rng.random() < GUESS else -1
            case Assassinate():
                return -1 if self.is_hidden else 4
            case Deploy() | Place() | Move():
                return self._worth_of_going(action)
            case Put(card=card):
                return self._worth_of_giving(card)
            case Discard(card=card):
                return value_of(card) * (1 if side_of(card) != self.wants else -1)
            case Elect(side=side):
                return 1 if side == self.wants else 0
            case PickCity(city=city):
                return self._worth_of_city(city)
            case End() | Done():
                return 0
        return 0.1

    def _has_unknown_fellow(self) -> bool:
        """Return whether somebody may still be awakened: not all Infected are public."""
        factions = FACTIONS[len(self.public.players)]
        return len(self.public.vampires()) < len(factions) - factions.count("human")

    def _heat(self, city: str) -> float:
        """Return how much a city matters: more near a riot, or if the enemy holds it."""
        found = 2.0 * (self.public.riot_now is not None and city_of(self.public.riot_now) == city)
        found += 1.0 * (
            self.public.riot_soon is not None and city_of(self.public.riot_soon) == city
        )
        return found + (self.public.cities[city].control != self.wants)

    def _worth_of_going(self, action: Any) -> float:
        cities = self.public.cities
        match action:
            case Deploy(city=city):
                if self.is_hidden:
                    return 0.3 - 0.1 * self._heat(city)
                return 1 + self._heat(city) - 0.2 * cities[city].troops(self.wants)
            case Place(to="pool"):
                return 0.6
            case Place():
                riot = self.public.riot_now
                is_here = (
                    riot is not None and cities[city_of(riot)].region == cities[self.me.city].region
                )
                return 2.5 if is_here and self._best_card() > 0 else 0.4
            case Move(city=city):
                enemies = min(cities[city].troops(other(self.wants)), 2)
                friends = (
                    sum(each.city == city for each in self.public.players.values())
                    if self.me.vampire
                    else 0
                )
                return (
                    0.8 * (enemies + self._heat(city) + 2 * friends)
                    - 0.8 * self._heat(self.me.city)
                    - 0.5
                )
        return 0

    def _best_card(self) -> int:
        return max(
            (value_of(card) for card in self.cards if side_of(card) == self.wants), default=0
        )

    def _worth_of_giving(self, card: str) -> float:
        """Return the worth of giving a card: what serves goes into a pile, what serves the enemy to
        the discards.
        """
        sign = 1 if side_of(card) == self.wants else -1
        due = self.public.due
        return sign * value_of(card) * (-1 if due is not None and due.to is None else 1)

    def _worth_of_city(self, city: str) -> float:
        effect = self.public.effects[0] if self.public.effects else None
        if not isinstance(effect, AddTroops):
            return 0
        full = self.public.cities[city].troops(effect.side) / 6
        return full if effect.side == self.wants else -full
