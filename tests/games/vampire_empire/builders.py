"""Written-out states of Vampire Empire: cards of a value and borders, places of characters, laid
cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Action, Event, IllegalAction, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.vampire_empire.cards import CHARACTERS, HUMAN, VAMPIRE, Card, Decks
from companion.games.vampire_empire.options import Deal, Options
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vampire_empire.state import Dead, Hidden, Own, Piles, Public

GAME = VampireEmpire()
OPTIONS = Options()
SHORT = {"n": "noble", "s": "servant", "c": "clergy", "r": "vampire", "h": "holy"}


def card_of(name: str) -> Card:
    """Return the card of a short name: "v2n" is of the vampire deck, worth 2, with a noble border;
    "h1hc" is holy and clergy.
    """
    borders: Any = tuple(SHORT[letter] for letter in name[2:])
    kind: Any = next((border for border in borders if border in ("vampire", "holy")), "combat")
    return Card(
        name,
        name,
        "vampire" if name[0] == "v" else "human",
        kind,
        value=int(name[1]),
        borders=borders,
    )


def scene(
    *,
    vampire: str = "",
    human: str = "",
    turn: Seat = VAMPIRE,
    step: str = "action",
    castle: str = "lady monk maid",
    vampires: str = "lady nun cook",
    revealed: str = "",
    dead: str = "",
    decks: tuple[int, int] = (9, 9),
    supports: Sequence[Card] = (),
    options: Options = OPTIONS,
    **public: Any,
) -> State:
    """Return a state: hands as short names or ids of `supports`, the castle, and the numbers of
    cards in the two decks.
    """
    hands = {VAMPIRE: tuple(vampire.split()), HUMAN: tuple(human.split())}
    filling = {VAMPIRE: "v1n", HUMAN: "h1n"}
    by_id = {card.id: card for card in supports}
    names = {*hands[VAMPIRE], *hands[HUMAN], *filling.values()} - set(by_id)
    cards = {name: card_of(name) for name in sorted(names)} | by_id
    inside, dead_characters = tuple(castle.split()), dead.split()
    city = tuple(name for name in CHARACTERS if name not in inside and name not in dead_characters)
    stock = {
        seat: (filling[seat],) * many for seat, many in zip((VAMPIRE, HUMAN), decks, strict=True)
    }
    piles = {seat: Piles(len(hands[seat]), len(stock[seat])) for seat in (VAMPIRE, HUMAN)}
    deal = Deal(tuple(vampires.split()), ("officer", "butler"))
    default = Public(
        options, "Scene", True, cards, inside, len(city), tuple(Dead(name,
        name in deal.vampires) for name in dead_characters),
        tuple(revealed.split()), piles=piles, turn=turn, turns=1, step=step,  # type: ignore[arg-type]
    )  # fmt: skip
    empty: dict[Seat, tuple[str, ...]] = {VAMPIRE: (), HUMAN: ()}
    file = Decks(
        game="vampire_empire", title="Scene", language="en", sample=True, card=tuple(cards.values())
    )
    hidden = Hidden(deal, file, city, stock, empty, empty)
    own = {VAMPIRE: Own(deal.vampires, hands[VAMPIRE]), HUMAN: Own(deal.trusted, hands[HUMAN])}
    return State(replace(default, **public), own, hidden)


def act(state: State, seat: Seat, *actions: Action) -> tuple[State, list[Event]]:
    """Take actions; return the state after them and all events."""
    new_events: list[Event] = []
    for action in actions:
        assert action in GAME.legal_actions(view(state, seat)), action
        events = GAME.decide(state, seat, action, Random(1)).events
        for event in events:
            state = GAME.evolve(state, event)
        new_events += events
    return state, new_events


def events_of(events: Sequence[Event], kind: type[PublicEvent]) -> list[Any]:
    """Return the events of a kind."""
    return [event for event in events if isinstance(event, kind)]


def refused(state: State, seat: Seat, action: Action) -> str:
    """Return why an action is refused; it changes nothing and is not offered."""
    assert action not in GAME.legal_actions(view(state, seat))
    with pytest.raises(IllegalAction) as error:
        GAME.decide(state, seat, action, Random(1))
    return error.value.message.code
