"""Written-out states of V-Wars: factions, places of troops, and the cards that the next riot turns
up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.vwars.events import DealKept, PileShuffled
from companion.games.vwars.options import FACTIONS, SEATS, Deal, Faction, Options, Setup
from companion.games.vwars.rules import VWars
from companion.games.vwars.state import Hand, Hidden, Public

GAME = VWars()
P1, P2, P3, P4, P5 = SEATS
CITY, REGION = "goldfield", "sun"
"""Where things happen in these tests; in its region are `harvest_cross`, `windmill_rise` and
`larkspur` too.
"""


class Straight(Random):
    """A random source that shuffles nothing, so that a pile keeps its order."""

    def shuffle(self, x: Any) -> None:
        return


def begun(
    players: int = 3, options: Options | None = None, factions: Sequence[Faction] | None = None
) -> State:
    """Return the state in which P1 begins; factions are in the order of the seats, the Vampire last
    by default.
    """
    options = options or Options()
    drawn = _drawn(players, options)
    order = factions or (*sorted(FACTIONS[players], key=["human", "infected", "vampire"].index),)
    deal = replace(drawn, first=P1, factions=dict(zip(SEATS, order, strict=False)))
    return after(GAME.initial(), GAME.setup(SEATS[:players], Setup(options, deal=deal), Random(0)))


def _drawn(players: int, options: Options) -> Deal:
    for event in GAME.setup(SEATS[:players], Setup(options), Random(1)):
        if isinstance(event, DealKept) and event.setup.deal:
            return event.setup.deal
    raise AssertionError("nothing was dealt")


def after(state: State, events: Sequence[Event]) -> State:
    for event in events:
        state = GAME.evolve(state, event)
    return state


def with_public(state: State, **change: Any) -> State:
    return replace(state, public=replace(state.public, **change))


def with_city(state: State, city: str = CITY, **change: Any) -> State:
    """Return the state with other troops, control or martial law in a city."""
    public: Public = state.public
    return with_public(
        state, cities={**public.cities, city: replace(public.cities[city], **change)}
    )


def with_player(state: State, seat: Seat, **change: Any) -> State:
    public: Public = state.public
    return with_public(
        state, players={**public.players, seat: replace(public.players[seat], **change)}
    )


def with_controlled(state: State, count: int) -> State:
    """Return the state in which vampires control `count` cities, none of them `CITY`."""
    public: Public = state.public
    others = [id for id in public.cities if id != CITY]
    cities = {
        id: replace(city, control="vampire" if id in others[-count:] and count else "human")
        for id, city in public.cities.items()
    }
    return with_public(state, cities=cities)


def quiet(state: State) -> State:
    """Return the state without anything on the board, in laws and in roles."""
    public: Public = state.public
    cities = {
        id: replace(city, human=0, vampire=0, control="human") for id, city in public.cities.items()
    }
    players = {seat: replace(player, role=None) for seat, player in public.players.items()}
    return with_public(state, cities=cities, players=players)


def at_riot(
    state: State, *pile: str, control: str = "human", human: int = 0, vampire: int = 0
) -> State:
    """Return the state in which P1 begins the riot in `CITY`, whose region's deck turns these cards
    ("V4") up in turn; the last of them is the Now card.
    """
    cards = [f"{CITY}-{card.lower()}" for card in pile]
    state = with_city(quiet(state), human=human, vampire=vampire, control=control)
    state = with_public(
        state, step="riot", riot_now=cards[-1], piles={**state.public.piles, REGION: len(cards) - 1}
    )
    return GAME.evolve(state, PileShuffled(REGION, tuple(cards[:-1])))


def take(state: State, seat: Seat, action: Action) -> tuple[State, list[PublicEvent]]:
    """Take an action, without any luck; return the state after it and the public events."""
    events = list(GAME.decide(state, seat, action, Straight()).events)
    return after(state, events), [event for event in events if isinstance(event, PublicEvent)]


def done(state: State, seat: Seat, action: Action) -> State:
    return take(state, seat, action)[0]


def offers(state: State, seat: Seat) -> list[Action]:
    return list(GAME.legal_actions(view(state, seat)))


def hands(state: State) -> Mapping[Seat, Hand]:
    return state.private


def hidden(state: State) -> Hidden:
    hidden_state: Hidden = state.hidden
    return hidden_state


def with_piles(state: State, **change: Any) -> State:
    """Return the state with other piles and their public counts."""
    piles = replace(hidden(state).piles, **change)
    counts = {
        **state.public.piles,
        **{name: len(pile) for name, pile in change.items() if name != "laws"},
    }
    return replace(with_public(state, piles=counts), hidden=replace(hidden(state), piles=piles))
