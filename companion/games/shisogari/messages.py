"""Describe events as messages, and the view as JSON.

The language catalogues have the sentences by code.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.game import Message, PublicEvent, View
from companion.games.shisogari.events import (
    Accused,
    CardKept,
    CardPicked,
    CardsShown,
    ColourChosen,
    GameOver,
    GameSetUp,
    ItemNamed,
    LastCardsOffered,
    PairLaid,
    PairsCounted,
    PartnerChosen,
    Passed,
    TurnStarted,
)
from companion.games.shisogari.options import NEEDED
from companion.games.shisogari.state import Public


def describe(event: PublicEvent) -> Message:
    """Return the code and parameters of an event's message."""
    match event:
        case GameSetUp(players=players):
            return Message("event.cards_dealt", {"n": players})
        case LastCardsOffered(seat=seat):
            return Message("event.last_cards_offered", {"seat": seat})
        case ColourChosen(seat=seat, colour=colour):
            return Message("event.colour_chosen", {"seat": seat, "colour": colour})
        case TurnStarted(seat=seat):
            return Message("event.player_to_move", {"seat": seat})
        case PartnerChosen(seat=seat, way="take", partner=partner):
            return Message("event.takes_from", {"seat": seat, "by": partner})
        case PartnerChosen(seat=seat, partner=partner):
            return Message("event.gives_to", {"seat": seat, "by": partner})
        case ItemNamed(seat=seat, item=item):
            return Message("event.item_named", {"seat": seat, "item": item})
        case CardPicked(picker=picker, giver=giver, colour=colour):
            return Message("event.card_picked", {"seat": picker, "by": giver, "colour": colour})
        case CardKept(seat=seat):
            return Message("event.card_kept", {"seat": seat})
        case PairLaid(seat=seat, item=str(item)):
            return Message("event.pair_up", {"seat": seat, "item": item})
        case PairLaid(seat=seat, colour=colour):
            return Message("event.pair_down", {"seat": seat, "colour": colour})
        case Passed(seat=seat):
            return Message("event.player_passed", {"seat": seat})
        case Accused(seat=seat, suspect=suspect):
            return Message("event.accused", {"seat": seat, "by": suspect})
        case CardsShown():
            return Message("event.cards_shown")
        case PairsCounted(pairs=pairs, hunters=hunters, needed=needed):
            return Message(
                "event.pairs_counted",
                {"pairs": pairs, "hunters": hunters, "sum": pairs + hunters, "of": needed},
            )
        case GameOver(winner="vampire", reason=reason):
            return Message("event.vampires_side_wins", {"reason": reason})
        case GameOver(winner=winner, reason=reason):
            return Message(f"event.game_over.{winner}", {"reason": reason})
    raise TypeError(f"not a public event of this game: {type(event).__name__}")


def encode_view(view: View) -> dict[str, Any]:
    """Return the view as JSON-ready values."""
    public: Public = view.public
    shown = ("turn", "step", "transfer", "turns", "accused", "shown", "counted", "outcome")
    return {
        "options": msgspec.to_builtins(public.options),
        "players": public.players,
        "needed": NEEDED.get(public.players),
        "backs": dict(public.backs),
        "last": public.last,
        "pairs": msgspec.to_builtins(public.pairs),
        **{name: msgspec.to_builtins(getattr(public, name)) for name in shown},
        "own": None if view.own is None else msgspec.to_builtins(view.own),
    }
