"""Actions of a seat."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.core.game import Action, DisclosingAction, tagged_types
from companion.games.vampire_empire.cards import Border, Few
from companion.games.vampire_empire.options import Side


class Discard(Action, frozen=True, tag="discard"):
    """Lay a card face down onto one's own pile, before drawing."""

    is_private_action: ClassVar[bool] = True

    card: str
    pile: Literal["cellar", "moat"]


class Draw(Action, frozen=True, tag="draw"):
    """Fill the hand."""


class DrawNone(Action, frozen=True, tag="draw_none"):
    """Go on without drawing."""


class Reveal(Action, frozen=True, tag="reveal"):
    """Show one vampire (the vampire player)."""

    character: str


class Proceed(Action, frozen=True, tag="proceed"):
    """Show no vampire; go on after the answer of holy water; or do not attack the vampire it
    showed.
    """


class Hide(Action, frozen=True, tag="hide"):
    """Send a castle character under the city for three vampire cards (the vampire player)."""

    character: str


class HolyWater(DisclosingAction, frozen=True, tag="holy_water"):
    """Ask for two holy water cards whether a character is a vampire (the human player)."""

    character: str


class Pay(DisclosingAction, frozen=True, tag="pay"):
    """Pay one card of the price of an action or a support."""

    is_private_action: ClassVar[bool] = True

    card: str


class PayValue(DisclosingAction, frozen=True, tag="pay_value"):
    """With real cards: report the value of a holy water card."""

    value: Few


class Fight(Action, frozen=True, tag="fight"):
    """Let one castle character attack another."""

    attacker: str
    target: str


class Lay(Action, frozen=True, tag="lay"):
    """Lay a card for one's own side of the fight."""

    card: str


class LayValue(Action, frozen=True, tag="lay_value"):
    """With real cards: report a card for one's own side: its value and the border that counts."""

    value: Few
    border: Border


class Done(DisclosingAction, frozen=True, tag="done"):
    """Lay no more cards in this round of the fight."""


class Pass(Action, frozen=True, tag="pass"):
    """Put two cards into the moat and do nothing else."""


class PlaySupport(Action, frozen=True, tag="support"):
    """Play a support card, in either player's turn."""

    card: str


class Decline(DisclosingAction, frozen=True, tag="decline"):
    """Play no support card now; with `rest_of_turn` none until the turn ends."""

    rest_of_turn: bool = False


class PutMarker(Action, frozen=True, tag="put_marker"):
    """Choose where a marker lies and when it counts."""

    character: str
    side: Side


class Cancel(Action, frozen=True, tag="cancel"):
    """Remove a card, counted from 1, from a side of the fight."""

    side: Side
    number: Annotated[int, Meta(ge=1, le=40)]


class Take(Action, frozen=True, tag="take"):
    """Take a card out of the searched pile."""

    is_private_action: ClassVar[bool] = True

    card: str


class Swap(Action, frozen=True, tag="swap"):
    """Send a castle character under the city; with real cards by a card's text."""

    character: str


class Remake(Action, frozen=True, tag="remake"):
    """With real cards: report that the empty deck was remade from the cellar; happens once."""


class Enter(Action, frozen=True, tag="enter"):
    """With real cards: report who came from the city."""

    character: str


class NoCards(Action, frozen=True, tag="no_cards"):
    """With real cards: report that no cards are left."""


DRAW, DRAW_NONE, PROCEED, DONE, PASS, NO_CARDS, REMAKE = (
    Draw(), DrawNone(), Proceed(), Done(), Pass(), NoCards(), Remake(),
)  # fmt: skip
DECLINE, DECLINE_TURN = Decline(), Decline(rest_of_turn=True)


ACTIONS = tagged_types(Action, globals())
