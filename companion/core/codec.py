"""Between values and bytes: actions and events as JSON, and the canonical form that is hashed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from companion.core.game import Action, Event, Game, InvalidAction
from companion.core.text import LONGEST_WHY, shown


@cache
def _union(types: tuple[type[msgspec.Struct], ...]) -> Any:
    return reduce(or_, types)


def decode_action(game: Game, value: object) -> Action:
    """Return the action that a JSON value means in this game; raise `InvalidAction` saying what is wrong."""
    try:
        action: Action = msgspec.convert(value, _union(game.actions))
    except msgspec.ValidationError as wrong:
        raise InvalidAction("unreadable_action", why=shown(wrong, LONGEST_WHY)) from wrong
    return action


def decode_actions(game: Game, values: object) -> list[Action]:
    """Return a list of actions; raise `InvalidAction` unless it is a list of at least one and at most 100."""
    if not isinstance(values, list) or not 1 <= len(values) <= 100:
        raise InvalidAction("unreadable_actions")
    return [decode_action(game, value) for value in values]


def encode_action(action: Action) -> dict[str, Any]:
    """Return an action as JSON-ready values."""
    return json_value(action)


def encode_actions(actions: Sequence[Action]) -> list[dict[str, Any]]:
    """Return actions as JSON-ready values."""
    return [encode_action(action) for action in actions]


def encode_event(event: Event) -> dict[str, Any]:
    """Return an event as JSON-ready values; its name is under "event"."""
    return json_value(event)


def json_value(struct: msgspec.Struct) -> dict[str, Any]:
    """Return a struct as JSON reads it back: objects, lists, strings and numbers, no tuple."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(struct))
    return value


def decode_event(types: tuple[type[Event], ...], value: object) -> Event:
    """Return the event, of one of `types`, that a JSON value means; raise ValueError."""
    event: Event = msgspec.convert(value, _union(types))
    return event


def tag_names(types: tuple[type[Event], ...] | tuple[type[Action], ...]) -> frozenset[str]:
    """Return the names under "event" or "type" of these kinds of event or action."""
    return frozenset(str(kind.__struct_config__.tag) for kind in types)


def canonical(value: object) -> str:
    """Return the one ASCII form of a JSON value that is hashed: keys sorted, no spaces (a subset of RFC 8785)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
