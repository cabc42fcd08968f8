"""Describe events as messages, and the view as JSON.

The language catalogues have the sentences by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.game import Message, PublicEvent, View
from companion.games.vwars.content import SIDES, city_of
from companion.games.vwars.events import (
    Assassinated,
    Awakened,
    BoxAsked,
    CardAsked,
    CardDrawn,
    CardGiven,
    CardsLie,
    ChoiceAsked,
    CityOverflowed,
    CityTyped,
    ControlChanged,
    DeckRemade,
    ElectionHeld,
    EventResolved,
    EventSettled,
    EventsSlid,
    GameOver,
    GameSetUp,
    HandRefilled,
    Investigated,
    LawShown,
    MartialLaw,
    MartialLawEnded,
    Moved,
    Picked,
    PlayerAsked,
    RallyAsked,
    RiotBegan,
    RiotCardTurned,
    RiotCleared,
    RiotEnded,
    RiotsSlid,
    RoleTaken,
    Stayed,
    StrengthTyped,
    SwingAsked,
    SympathyChanged,
    ToType,
    TroopsChanged,
    TurnedPublic,
    TurnStarted,
)  # fmt: skip
from companion.games.vwars.options import POOL
from companion.games.vwars.riots import strength_of
from companion.games.vwars.state import Public


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message. It has the ids of cities and regions;
    the page inserts their names.
    """
    code, params = _describe(event)
    return Message(f"event.vwars.{code}", params)


def _describe(event: PublicEvent) -> tuple[str, dict[str, str | int]]:
    match event:
        case GameSetUp(players=players):
            return "set_up", {"n": players}
        case RoleTaken(seat=seat, role=role, city=city):
            return "role", {"seat": seat, "name": role.name, "city": city}
        case LawShown(side=side, law=law):
            return (
                ("law_shown", {"side": side, "name": law.name})
                if law
                else ("no_law_left", {"side": side})
            )
        case ToType():
            return "to_type", {}
        case CityTyped(ask=ask, city=city):
            return f"typed.{ask.what}", {"city": city, "seat": ask.seat or ""}
        case TurnStarted(seat=seat):
            return "turn", {"seat": seat}
        case TurnedPublic(seat=seat):
            return "public", {"seat": seat}
        case SympathyChanged(sympathy=sympathy, change=change):
            return "sympathy.up" if change > 0 else "sympathy.down", {
                "n": abs(change),
                "now": sympathy,
            }
        case TroopsChanged(city=city, side=side, troops=troops, change=change):
            return ("troops.up" if change > 0 else "troops.down"), {
                "n": abs(change), "side": side, "city": city, "now": troops,
            }  # fmt: skip
        case ControlChanged(city=city, side=side):
            return f"control.{side}", {"city": city}
        case MartialLaw(city=city):
            return "martial", {"city": city}
        case MartialLawEnded(city=city):
            return "martial.ended", {"city": city}
        case GameOver(winner=winner, reason=reason):
            return f"over.{winner}", {"reason": reason}
        case LawShown() | EventsSlid() | RiotsSlid() | DeckRemade() | HandRefilled() | BoxAsked():
            return _describe_cards(event)
    return _describe_turn(event)


def _describe_turn(event: PublicEvent) -> tuple[str, dict[str, str | int]]:
    match event:
        case Moved(seat=seat, city=city):
            return "moved", {"seat": seat, "city": city}
        case CardAsked(seat=seat, city=str(city)):
            return "deploys", {"seat": seat, "city": city}
        case CardAsked(seat=seat, seats=(_, partner), to=to):
            return ("places.pool" if to == POOL else "places.region"), {
                "seat": seat,
                "by": partner,
                "region": to or "",
            }
        case CardAsked(seat=seat, to=to):
            return ("places.pool.alone" if to == POOL else "places.region.alone"), {
                "seat": seat,
                "region": to or "",
            }
        case CardGiven(seat=seat):
            return "card_given", {"seat": seat}
        case Assassinated(seat=seat, city=city, side=side):
            return "assassinated", {"seat": seat, "city": city, "side": side}
        case PlayerAsked(seat=seat, target=target, what=what):
            return f"asked.{what}", {"seat": seat, "by": target}
        case Investigated(seat=seat, target=target, right=right):
            return ("right" if right else "wrong"), {"seat": seat, "by": target}
        case Awakened(seat=seat, target=target, joins=joins):
            return ("awakened" if joins else "not_awakened"), {"seat": seat, "by": target}
        case EventResolved(card=card):
            return (
                ("event", {"name": card.name, "words": card.text}) if card else ("event.real", {})
            )
        case ChoiceAsked(seat=seat):
            return "choice", {"seat": seat}
        case Picked(city=city, region=region):
            return (
                ("picked", {"city": city}) if city else ("picked.region", {"region": region or ""})
            )
        case CityOverflowed(city=city):
            return "overflowed", {"city": city}
        case CardDrawn(card=card):
            return "drawn", {"city": city_of(card)}
        case ElectionHeld(region=region, side=side, law=law):
            named = {"name": law.name} if law else {}
            return f"election.{side}" if law else f"election.{side}.real", {
                "region": region,
                **named,
            }
        case EventSettled(city=city):
            return ("riot_next", {"city": city}) if city else ("no_riot", {})
    return _describe_riot(event)


def _describe_riot(event: PublicEvent) -> tuple[str, dict[str, str | int]]:
    match event:
        case RiotBegan(city=city):
            return "riot", {"city": city}
        case RiotCardTurned(side=side, value=value, removed=0, strength=strength):
            return f"card.{side}", {"value": value, "now": strength}
        case RiotCardTurned(side=side, value=value, removed=removed):
            return f"removes.{side}", {"value": value, "n": removed}
        case StrengthTyped(side=side, change=change):
            return f"strength.{side}", {"value": f"{change:+d}"}
        case RiotEnded(city=city, result="sputter"):
            return "sputter", {"city": city}
        case RiotEnded(city=city, result=result, winner=winner, strength=strength):
            named = "victory" if result == "control" else result
            return f"{named}.{winner}", {"city": city, "now": strength}
        case RallyAsked():
            return "rally_asked", {}
        case Stayed(seat=seat):
            return "stayed", {"seat": seat}
        case SwingAsked(city=city):
            return "swing_asked", {"city": city}
        case CardsLie(seat=seat):
            return "discards", {"seat": seat}
        case RiotCleared(region=region):
            return "cleared", {"region": region}
    raise TypeError(f"not a public event of this game: {type(event).__name__}")


def _describe_cards(event: PublicEvent) -> tuple[str, dict[str, str | int]]:
    match event:
        case EventsSlid(now=now):
            return ("event_now", {"name": now.name}) if now else ("event_last", {})
        case RiotsSlid(now=str(now)):
            return "riot_now", {"city": city_of(now)}
        case RiotsSlid():
            return "riot_none", {}
        case DeckRemade():
            return "remade", {}
        case HandRefilled(seat=seat):
            return "refilled", {"seat": seat}
        case BoxAsked(what=what):
            return f"box.{what}", {}
    raise TypeError(f"not an event of new cards: {type(event).__name__}")


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values."""
    public: Public = view.public
    shown: dict[str, Any] = msgspec.to_builtins(public)
    own = None if view.own is None else msgspec.to_builtins(view.own)
    # The current strengths: actions after the riot's turn change the troops that they count.
    strengths = {side: strength_of(public, side) for side in SIDES} if public.riot else None
    return {
        **shown,
        "controlled": public.controlled,
        "martial": public.martial,
        "strengths": strengths,
        "own": own,
    }
