"""Choose actions at four levels of play, from one seat's view and what that seat received.

All levels lay every pair they can. The second one counts who gave the cards that went face down.
The third one keeps worlds that fit the events it received. The fourth one never gives, so that
giving betrays the Vampire's side. On that side it plays the worlds to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from companion.core.capabilities import Bot
from companion.core.game import Action, Event, PublicEvent, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games.shisogari import turns
from companion.games.shisogari.actions import Accuse, Give, Lay, Name, Take
from companion.games.shisogari.bots.belief import Belief
from companion.games.shisogari.bots.policy import Policy
from companion.games.shisogari.bots.search import Search
from companion.games.shisogari.cards import ITEMS, is_real
from companion.games.shisogari.events import CardPicked, PairLaid
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Hand, Public

LEVELS = ("random", "greedy", "heuristic", "search")
BITES = 2
"""Bloodsucking pairs and fakes that a Hunter assumes among the face-down pairs."""


class ShisogariBot(Bot):
    """A bot at one seat. Its worlds follow the events that the seat received."""

    def __init__(self, seat: Seat, level: str, budget: SearchBudget) -> None:
        self._level, self._budget = level, budget
        self._events: list[Event] = []
        self._unread = 0
        is_reading = level == "search"
        keeps_worlds = level in ("heuristic", "search")
        self._belief = Belief(seat, budget.rng, habits=is_reading) if keeps_worlds else None

    def observe(self, event: Event) -> None:
        self._events.append(event)

    def act(self, view: View) -> list[Action]:
        return [self._choose(view)]

    def _choose(self, view: View) -> Action:
        """Return the next action of the view's seat, which is to move."""
        public: Public = view.public
        own: Hand = view.own
        assert view.seat is not None
        rng = self._budget.rng
        legal = list(turns.legal(public, view.seat, own))
        if public.step == "last_card" or len(legal) == 1:
            return rng.choice(legal)
        if self._belief is None:
            return _by_rule(view.seat, public, own, self._events, legal, self._level, rng)
        deadline = self._budget.deadline()
        self._belief.observe(self._events[self._unread :])
        self._unread = len(self._events)
        if self._level == "search" and public.step == "turn":
            # Hunters never give, so giving would reveal the Vampire: it does not give either.
            legal = [action for action in legal if not isinstance(action, Give)] or legal
        if self._level == "search" and own.role != "hunter" and public.step != "name":
            return Search(self._belief, public, own, rng).choose(legal, deadline)
        return Policy(self._belief, public, own, rng).choose(legal)


def _by_rule(
    seat: Seat,
    public: Public,
    own: Hand,
    events: Sequence[Event],
    legal: Sequence[Action],
    level: str,
    rng: Random,
) -> Action:
    """Return the action of a level that keeps no worlds."""
    history = [event for event in events if isinstance(event, PublicEvent)]
    accusing = [action for action in legal if isinstance(action, Accuse)]
    others = [action for action in legal if action not in accusing]
    if accusing and (not others or _is_sure(public, seat, own, level)):
        suspect = _suspect(seat, public, history) if level == "greedy" else None
        return next(
            (action for action in accusing if action.suspect == suspect), rng.choice(accusing)
        )
    match public.step:
        case "turn":
            return (
                _choose_partner(public, own, others, rng)
                if level == "greedy"
                else rng.choice(others)
            )
        case "name":
            return _choose_item(own, others, rng)
        case "place":
            # A pair shortens a hand: Hunters want that, and so does a Vampire with a fake pair.
            return rng.choice([action for action in others if isinstance(action, Lay)] or others)
    return rng.choice(others)


def _is_sure(public: Public, seat: Seat, own: Hand, level: str) -> bool:
    """Return whether a Hunter assumes that there are enough pairs and Hunters.

    It counts open pairs, its own pairs, and all but a few of the others. Each of those few may have
    bitten a Hunter.
    """
    if level != "greedy":
        return sum(len(pairs) for pairs in public.pairs.values()) >= NEEDED[public.players]
    up = sum(pair.item is not None for pairs in public.pairs.values() for pair in pairs)
    down = sum(pair.item is None for pairs in public.pairs.values() for pair in pairs)
    own_up = sum(pair.item is not None for pair in public.pairs[seat])
    own_down = sum(is_real(pair) for pair in own.laid) - own_up
    unknown = down - own_down
    bitten = min(BITES, unknown)
    pairs = up + own_down + max(unknown - BITES, 0)
    return pairs + public.players - 1 - bitten >= NEEDED[public.players]


def _suspect(seat: Seat, public: Public, history: Sequence[PublicEvent]) -> Seat:
    """Return the seat that gave or laid most of the face-down cards: the Vampire bites and lays
    fake pairs.
    """
    weight = {other: 0.0 for other in public.backs if other != seat}
    giver: Seat | None = None
    for event in history:
        if isinstance(event, CardPicked):
            giver = event.giver
        elif isinstance(event, PairLaid) and giver is not None:
            for each, by in ((giver, 1.0), (event.seat, 0.8)):
                if each in weight:
                    weight[each] += by if event.item is None else -0.3
    return max(weight, key=lambda other: (weight[other], other))


def _choose_partner(public: Public, own: Hand, others: Sequence[Action], rng: Random) -> Action:
    """Return the partner to declare. Hunters choose long hands, so that no hand runs out; the
    Vampire gives, and the Kin takes from the shortest hand.
    """
    if own.role == "vampire":
        return rng.choice([action for action in others if isinstance(action, Give)] or others)
    takes: list[Action] = [action for action in others if isinstance(action, Take)] or list(others)
    lengths = [
        len(public.backs[action.partner]) if isinstance(action, Take | Give) else 0
        for action in takes
    ]
    best = min(lengths) if own.role == "kin" else max(lengths)
    return rng.choice(
        [action for action, length in zip(takes, lengths, strict=True) if length == best]
    )


def _choose_item(own: Hand, others: Sequence[Action], rng: Random) -> Action:
    """Return an item to name that the seat holds, so that a pair of it would lie face up."""
    held = [action for action in others if isinstance(action, Name) and action.item in own.cards]
    return rng.choice(held if held and set(own.cards) & set(ITEMS) else others)
