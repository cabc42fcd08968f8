"""Define numbers of the rulebook, options, set-up and deal."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.games.vampire_empire.cards import Decks

HAND = 8
CASTLE = 3
VAMPIRES, TRUSTED = 3, 2
"""The number of vampires, and of humans that the human player knows."""
HIDE_COST, WATER_COST, PASS_COST = 3, 2, 2
ROUNDS = 2
MARKERS = 12
"""Markers in the box."""
Step = Literal["enter", "discard", "reveal", "action", "answer", "chance", "fight", "end", "over"]
"""The step of a turn. "enter": with real cards people report the character that comes from the
city; "answer": the human player reads the answer of holy water; "chance": the human player may
attack the vampire that it showed; "end": the action is over and support cards may follow.
"""
Moment = Literal["before_action", "end_of_round", "after_action"]
"""The moments at which a player is asked for a support card."""
What = Literal["hide", "pass", "holy_water", "support"]
Side = Literal["attack", "defence"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rulebook is silent, with its default; docs/games/vampire-empire.md has
    the reasons.

    `content`: our sample, a household's deck file by its name, or "box": real cards lie on the
    table. `trim`: whether a player with over eight cards must discard. `marker_size`: the value of
    a marker with real cards. `notebook`: each seat's phone keeps the events that it received;
    otherwise players must remember them.
    """

    content: str = "sample"
    trim: bool = True
    marker_size: Annotated[int, Meta(ge=1, le=3)] = 1
    notebook: bool = False


class Deal(Struct, frozen=True, forbid_unknown_fields=True):
    """The secret set-up: the vampires, the trusted characters, the city from its top (the first
    three stand in the castle; empty with real cards), and the decks from their tops, with hands.
    """

    vampires: tuple[str, ...]
    trusted: tuple[str, ...]
    city: tuple[str, ...] = ()
    decks: dict[str, tuple[str, ...]] = {}


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of a game; `deal` is drawn, `content` the option's, unless given."""

    options: Options = Options()
    deal: Deal | None = None
    content: Decks | None = None
