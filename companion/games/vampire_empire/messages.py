"""Describe events as messages, and the view as JSON.

Sentences are in the language catalogues, by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.game import Message, PublicEvent, View
from companion.games.vampire_empire import turns
from companion.games.vampire_empire.events import (
    ActionBegun,
    CardCancelled,
    CardDiscarded,
    CardFound,
    CardLaid,
    CardPaid,
    CardsDrawn,
    CardsListed,
    CharacterDied,
    CharacterEntered,
    CharacterHidden,
    CityLooked,
    DeckRemade,
    FightBegun,
    FightEnded,
    GameOver,
    GameSetUp,
    HolyWaterAnswered,
    IdentitiesShown,
    LayingEnded,
    MarkerPut,
    PileSearched,
    PlayerOut,
    RoundCounted,
    StepReached,
    SupportAsked,
    SupportDeclined,
    SupportEnded,
    SupportPlayed,
    TextAsked,
    TurnStarted,
    VampireRevealed,
)
from companion.games.vampire_empire.state import Public

_PLAIN = {
    StepReached: "event.castle.step",
    LayingEnded: "event.castle.laid",
    SupportAsked: "event.castle.asked",
    SupportDeclined: "event.castle.declined",
    SupportEnded: "event.castle.support_over",
    CardsListed: "event.castle.cards",
    IdentitiesShown: "event.castle.shown",
}


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case GameSetUp(title=""):
            return Message("event.castle.set_up_box")
        case GameSetUp(title=title):
            return Message("event.castle.set_up", {"title": title})
        case TurnStarted(seat=seat):
            return Message(f"event.castle.turn.{seat}")
        case LayingEnded(seat=seat) | SupportAsked(seat=seat) | SupportDeclined(seat=seat):
            return Message(_PLAIN[type(event)], {"seat": seat})
        case StepReached() | SupportEnded() | CardsListed() | IdentitiesShown():
            return Message(_PLAIN[type(event)])
        case CardDiscarded(seat=seat, pile=pile):
            return Message(f"event.castle.discard.{pile}", {"seat": seat})
        case CardsDrawn(seat=seat, count=count):
            return Message("event.castle.drawn", {"seat": seat, "n": count})
        case DeckRemade(seat=seat):
            return Message("event.castle.remade", {"seat": seat})
        case VampireRevealed(character=character):
            return Message("event.castle.revealed", {"character": character})
        case ActionBegun(seat=seat, what=what, character=character):
            return Message(
                f"event.castle.{what}",
                {"seat": seat, **({"character": character} if character else {})},
            )
        case CardPaid(seat=seat):
            return Message("event.castle.paid", {"seat": seat})
        case CharacterHidden(character=character):
            return Message("event.castle.hidden", {"character": character})
        case CharacterEntered(character=character):
            return Message("event.castle.entered", {"character": character})
        case HolyWaterAnswered(character=character, vampire=vampire):
            return Message(
                f"event.castle.water.{'yes' if vampire else 'no'}", {"character": character}
            )
    return _describe_fight(event)


def _describe_fight(event: PublicEvent) -> Message:
    match event:
        case FightBegun(attacker=attacker, target=target):
            return Message("event.castle.fight", {"character": attacker, "target": target})
        case CardLaid(side=side, value=value):
            return Message(f"event.castle.card.{side}", {"value": value})
        case RoundCounted(round=number, attack=attack, defence=defence):
            return Message(
                "event.castle.round", {"round": number, "attack": attack, "defence": defence}
            )
        case FightEnded(killed=killed):
            return Message("event.castle.fight_over" if killed else "event.castle.both_live")
        case CharacterDied(character=character, vampire=vampire):
            return Message(
                f"event.castle.died.{'vampire' if vampire else 'human'}", {"character": character}
            )
        case SupportPlayed(seat=seat):
            return Message("event.castle.support", {"seat": seat})
        case MarkerPut(character=character, side=side):
            return Message(f"event.castle.marker.{side}", {"character": character})
        case CardCancelled():
            return Message("event.castle.cancelled")
        case CityLooked(seat=seat, count=count):
            return Message("event.castle.looked", {"seat": seat, "n": count})
        case PileSearched(seat=seat, pile=pile):
            return Message(f"event.castle.search.{pile}", {"seat": seat})
        case CardFound(seat=seat):
            return Message("event.castle.found", {"seat": seat})
        case TextAsked(text=text):
            return Message("event.castle.text", {"text": text})
        case PlayerOut(seat=seat):
            return Message("event.castle.out", {"seat": seat})
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.castle.over.{winner}", {"reason": reason})
    raise TypeError(f"not a public event of this game: {type(event).__name__}")


def show(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values; the cards themselves are the game's reference."""
    public: Public = view.public
    fields = {
        name: msgspec.to_builtins(getattr(public, name))
        for name in public.__struct_fields__
        if name not in ("cards", "outcome")
    }
    fight = public.fight
    arithmetic = {"sums": list(turns.sums(public, fight)) if fight else None}
    own = None if view.own is None else msgspec.to_builtins(view.own)
    return {
        **fields,
        **arithmetic,
        "is_box": public.is_box,
        "acting": turns.acting(public),
        "own": own,
    }
