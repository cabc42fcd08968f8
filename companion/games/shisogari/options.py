"""Options and set-up of a game, and what the rulebook fixes.

Seats `P1` to `P5`, clockwise; items `crucifix`, `holy_water`, `dagger` (white), `stake`, `bible`,
`garlic` (black); further cards `white_bloodsucking`, `black_bloodsucking`, `white_blank`,
`black_blank`; roles `vampire`, `hunter`, `kin`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.game import Seat

SEATS: tuple[Seat, ...] = tuple(Seat(f"P{number}") for number in range(1, 6))
HAND = {4: 5, 5: 4}
"""Cards in each hand at the start, by the number of players: 20 in all."""
NEEDED = {4: 5, 5: 6}
"""Real pairs and remaining Hunters that the Hunters need, by the number of players."""
Way = Literal["take", "give"]
Step = Literal["last_card", "turn", "name", "pick", "place", "report", "count", "over"]
"""The next decision: choose the colour of the last dealt card; choose what to do, name an item,
pick a back, place the picked card; with real cards, report the laid pair, and at the end the count.
"""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rules are silent, with its default; docs/games/shisogari.md gives the
    reasons.

    `hands`: the cards are on the phones, or real ones are dealt and the companion keeps turns and
    pairs. `start`: who begins. `last_card`: with four players each chooses the colour of the fifth
    card, or it is dealt. `dealt_pairs`: two equal items in a dealt hand stay there, or the cards
    are dealt again. `pick_colour`: the picker must hold the picked colour, or may pick any.
    `declare_equals_pick`: the named item must have the colour that is picked. `count_pairs`: an
    accusation counts laid pairs only, or two equal items in a hand as well. `place_seconds`: the
    fixed time of placing a picked card.
    """

    hands: Literal["phones", "cards"] = "phones"
    start: Literal["random", "first"] = "random"
    last_card: Literal["chosen", "dealt"] = "chosen"
    dealt_pairs: Literal["kept", "redealt"] = "kept"
    pick_colour: Literal["own", "free"] = "own"
    declare_equals_pick: bool = False
    count_pairs: Literal["laid", "all"] = "laid"
    place_seconds: Annotated[int, Meta(ge=5, le=60)] = 5


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """Everybody's role and hand. Secret to the end.

    last: the four cards that seats choose by colour, each the first of its colour
    """

    roles: dict[str, Literal["vampire", "hunter"]]
    hands: dict[str, tuple[str, ...]]
    last: tuple[str, ...] = ()


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game; `deal` and `first` are drawn unless given."""

    options: Options = Options()
    deal: Deal | None = None
    first: Seat | None = None
