"""Convert actions and events to JSON and back, and to the canonical form that is hashed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec

from companion.core.game import Action, Event, Game, InvalidAction
from companion.core.shape import convert


@cache
def _union(types: tuple[type[msgspec.Struct], ...]) -> Any:
    return reduce(or_, types)


def decode_action(game: Game, value: object) -> Action:
    """Return the game's action of a JSON value; raise `InvalidAction`, whose details say why."""
    action: Action = convert(value, _union(game.actions), InvalidAction, "unreadable_action")
    return action


def decode_actions(game: Game, values: object) -> list[Action]:
    """Return 1 to 100 actions of a JSON list; raise `InvalidAction`."""
    if not isinstance(values, list) or not 1 <= len(values) <= 100:
        raise InvalidAction("unreadable_actions")
    return [decode_action(game, value) for value in values]


def encode_action(action: Action) -> dict[str, Any]:
    """Return an action as JSON-ready values."""
    return to_builtins(action)


def encode_actions(actions: Sequence[Action]) -> list[dict[str, Any]]:
    """Return actions as JSON-ready values."""
    return [encode_action(action) for action in actions]


def encode_event(event: Event) -> dict[str, Any]:
    """Return an event as JSON-ready values; its name is under "event"."""
    return to_builtins(event)


def encode_events(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return events as JSON-ready values."""
    return [encode_event(event) for event in events]


def event_name(event: Event) -> str:
    """Return the name of an event in records."""
    return str(event.__struct_config__.tag)


def to_builtins(value: msgspec.Struct | dict[str, Any]) -> dict[str, Any]:
    """Return a value as parsed JSON: objects, lists, strings and numbers, no tuples."""
    parsed: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return parsed


def decode_event(types: tuple[type[Event], ...], value: object) -> Event:
    """Return the event, one of `types`, of a JSON value; raise ValueError."""
    event: Event = msgspec.convert(value, _union(types))
    return event


def tag_names(types: tuple[type[Event], ...] | tuple[type[Action], ...]) -> frozenset[str]:
    """Return the names under "event" or "type" of these kinds of event or action."""
    return frozenset(str(kind.__struct_config__.tag) for kind in types)


def canonical_json(value: object) -> str:
    """Return JSON in ASCII for hashing: keys sorted by code point, no spaces, letters escaped."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
