"""Convert actions and events to JSON and back, and to the canonical form that is hashed."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from functools import cache, reduce
from operator import or_
from typing import Any

import msgspec
from msgspec import inspect

from companion.core.game import Action, Event, Game, InvalidAction
from companion.core.text import LONGEST_WHY, shown

PLACE = re.compile(r" - at `\$([^`]*)`$")
"""The place of an error in a message of msgspec."""
PLACE_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
UNKNOWN_KEY = re.compile(r"unknown field `([^`]*)`")


@cache
def _union(types: tuple[type[msgspec.Struct], ...]) -> Any:
    return reduce(or_, types)


def describe_mismatch(wrong: Exception, value: Any, kind: Any) -> str:
    """Return one line that says why msgspec could not convert a JSON value to `kind`.

    It has msgspec's message, the value at that place, shortened, and the nearest known name.
    """
    text = str(wrong)
    expected: inspect.Type | None = inspect.type_info(kind)
    for key, index in PLACE_STEP.findall(found[1]) if (found := PLACE.search(text)) else ():
        expected = _inside(expected, value, key)
        try:
            value = value[key] if key else value[int(index)]
        except (LookupError, TypeError):
            return shown(text, LONGEST_WHY)
    unknown = UNKNOWN_KEY.search(text)
    known = _names(expected, value, of_fields=unknown is not None)
    name = unknown[1] if unknown else str(value)
    text = text if unknown or repr(value) in text else f'{text}, not "{shown(value)}"'
    near = difflib.get_close_matches(name, known, n=1)
    return shown(text, LONGEST_WHY) + (f'; is "{near[0]}" meant?' if near else "")


def _inside(kind: inspect.Type | None, value: Any, key: str) -> inspect.Type | None:
    fields = {
        each.encode_name: each.type for struct in _structs(kind, value) for each in struct.fields
    }
    return fields.get(key)


def _structs(kind: inspect.Type | None, value: Any) -> list[inspect.StructType]:
    """Return the structs that a value may be; the tag decides between several."""
    match kind:
        case inspect.Metadata(type=inner):
            return _structs(inner, value)
        case inspect.StructType():
            return [kind]
        case inspect.UnionType(types=kinds):
            structs = [each for each in kinds if isinstance(each, inspect.StructType)]
            fields = value if isinstance(value, dict) else {}
            return [
                each for each in structs if fields.get(str(each.tag_field)) == each.tag
            ] or structs
    return []


def _names(kind: inspect.Type | None, value: Any, *, of_fields: bool) -> list[str]:
    """Return the possible names at a place: keys, or a choice's values."""
    if of_fields:
        return [each.encode_name for struct in _structs(kind, value) for each in struct.fields]
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    return [
        str(one) for each in kinds if isinstance(each, inspect.LiteralType) for one in each.values
    ]


def decode_action(game: Game, value: object) -> Action:
    """Return the game's action of a JSON value; raise `InvalidAction` with the reason."""
    try:
        action: Action = msgspec.convert(value, _union(game.actions))
    except msgspec.ValidationError as wrong:
        raise InvalidAction("unreadable_action", why=shown(wrong, LONGEST_WHY)) from wrong
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


def event_name(event: Event) -> str:
    """Return the name of an event in records."""
    return str(event.__struct_config__.tag)


def to_builtins(struct: msgspec.Struct) -> dict[str, Any]:
    """Return a struct as parsed JSON: objects, lists, strings and numbers, no tuples."""
    value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(struct))
    return value


def decode_event(types: tuple[type[Event], ...], value: object) -> Event:
    """Return the event, one of `types`, of a JSON value; raise ValueError."""
    event: Event = msgspec.convert(value, _union(types))
    return event


def tag_names(types: tuple[type[Event], ...] | tuple[type[Action], ...]) -> frozenset[str]:
    """Return the names under "event" or "type" of these kinds of event or action."""
    return frozenset(str(kind.__struct_config__.tag) for kind in types)


def canonical_json(value: object) -> str:
    """Return a JSON value as ASCII for hashing: keys sorted by code point, no spaces, other letters
    escaped.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
