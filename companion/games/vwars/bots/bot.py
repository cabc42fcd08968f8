"""Define what all levels share: the side of a seat, its role, and the actions left to people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.core.game import Action, Seat
from companion.games.vwars import actions
from companion.games.vwars.content import Side
from companion.games.vwars.state import Hand, Public

LEVELS = ("random", "heuristic", "deep")


def choose_role(roles: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
    """Return the id of the role that a bot chooses: any, or one with most effects.

    roles: entries of `Game.choices`
    """
    does = [
        sum(effect["do"] != "note" for effect in [*role["human_effects"], *role["vampire_effects"]])
        for role in roles
    ]
    best = (
        roles
        if level == "random"
        else [role for role, count in zip(roles, does, strict=True) if count == max(does)]
    )
    return str(rng.choice(best)["id"])


def serves(public: Public, seat: Seat, own: Hand | None) -> Side:
    """Return the side with which a seat wins now."""
    is_hidden = own is not None and own.faction == "vampire"
    return "vampire" if is_hidden or public.players[seat].vampire else "human"


def bot_actions(legal: Sequence[Action]) -> Sequence[Action]:
    """Return the legal actions that report nothing of real cards and change nothing by agreement:
    a bot can do neither.
    """
    return [action for action in legal if not _is_of_people(action)] or legal


def _is_of_people(action: Action) -> bool:
    return isinstance(
        action,
        actions.NoEvent
        | actions.Control
        | actions.Martial
        | actions.Troops
        | actions.Sympathy
        | actions.Answer,
    ) or action == actions.Refilled(False)
