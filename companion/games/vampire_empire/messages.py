"""Describe events as messages, and the view as JSON.

The language catalogues have the sentences by code.
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
    StepReached: "event.vampire_empire.step",
    LayingEnded: "event.vampire_empire.laid",
    SupportAsked: "event.vampire_empire.asked",
    SupportDeclined: "event.vampire_empire.declined",
    SupportEnded: "event.vampire_empire.support_over",
    CardsListed: "event.vampire_empire.cards",
    IdentitiesShown: "event.vampire_empire.shown",
}


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case GameSetUp(title=""):
            return Message("event.vampire_empire.set_up_box")
        case GameSetUp(title=title):
            return Message("event.vampire_empire.set_up", {"title": title})
        case TurnStarted(seat=seat):
            return Message(f"event.vampire_empire.turn.{seat}")
        case LayingEnded(seat=seat) | SupportAsked(seat=seat) | SupportDeclined(seat=seat):
            return Message(_PLAIN[type(event)], {"seat": seat})
        case StepReached() | SupportEnded() | CardsListed() | IdentitiesShown():
            return Message(_PLAIN[type(event)])
        case CardDiscarded(seat=seat, pile=pile):
            return Message(f"event.vampire_empire.discard.{pile}", {"seat": seat})
        case CardsDrawn(seat=seat, count=count):
            return Message("event.vampire_empire.drawn", {"seat": seat, "n": count})
        case DeckRemade(seat=seat):
            return Message("event.vampire_empire.remade", {"seat": seat})
        case VampireRevealed(character=character):
            return Message("event.vampire_empire.revealed", {"character": character})
        case ActionBegun(seat=seat, what=what, character=character):
            return Message(
                f"event.vampire_empire.{what}",
                {"seat": seat, **({"character": character} if character else {})},
            )
        case CardPaid(seat=seat):
            return Message("event.vampire_empire.paid", {"seat": seat})
        case CharacterHidden(character=character):
            return Message("event.vampire_empire.hidden", {"character": character})
        case CharacterEntered(character=character):
            return Message("event.vampire_empire.entered", {"character": character})
        case HolyWaterAnswered(character=character, vampire=vampire):
            return Message(
                f"event.vampire_empire.water.{'yes' if vampire else 'no'}", {"character": character}
            )
    return _describe_fight(event)


def _describe_fight(event: PublicEvent) -> Message:
    match event:
        case FightBegun(attacker=attacker, target=target):
            return Message("event.vampire_empire.fight", {"character": attacker, "target": target})
        case CardLaid(side=side, value=value):
            return Message(f"event.vampire_empire.card.{side}", {"value": value})
        case RoundCounted(round=number, attack=attack, defence=defence):
            return Message(
                "event.vampire_empire.round",
                {"round": number, "attack": attack, "defence": defence},
            )
        case FightEnded(killed=killed):
            return Message(
                "event.vampire_empire.fight_over" if killed else "event.vampire_empire.both_live"
            )
        case CharacterDied(character=character, vampire=vampire):
            return Message(
                f"event.vampire_empire.died.{'vampire' if vampire else 'human'}",
                {"character": character},
            )
        case SupportPlayed(seat=seat):
            return Message("event.vampire_empire.support", {"seat": seat})
        case MarkerPut(character=character, side=side):
            return Message(f"event.vampire_empire.marker.{side}", {"character": character})
        case CardCancelled():
            return Message("event.vampire_empire.cancelled")
        case CityLooked(seat=seat, count=count):
            return Message("event.vampire_empire.looked", {"seat": seat, "n": count})
        case PileSearched(seat=seat, pile=pile):
            return Message(f"event.vampire_empire.search.{pile}", {"seat": seat})
        case CardFound(seat=seat):
            return Message("event.vampire_empire.found", {"seat": seat})
        case TextAsked(text=text):
            return Message("event.vampire_empire.text", {"text": text})
        case PlayerOut(seat=seat):
            return Message("event.vampire_empire.out", {"seat": seat})
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.vampire_empire.over.{winner}", {"reason": reason})
    raise TypeError(f"not a public event of this game: {type(event).__name__}")


def encode_view(view: View) -> dict[str, Any]:
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
