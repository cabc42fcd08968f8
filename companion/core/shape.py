"""Check that values have their declared shape; report every error, not only the first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
from msgspec import inspect

from companion.core.content import (
    ContentCheck,
    ContentError,
    Path,
    field_name,
    ids_of,
    unknown_name_error,
)
from companion.core.game import GameError, InvalidSetup, Message
from companion.core.text import is_printable, shorten

MAX_ERRORS = 100
"""Errors of one value to report at most."""
MAX_INTEGER = 2**63 - 1
"""The largest integer of TOML; the smallest is one further from 0."""
SECRET = {"secret": True}
"""The `extra` of a `Meta` whose value no error repeats."""
NOT_REPEATED = "…"


def convert(value: Any, kind: Any, error: type[GameError], reason: str) -> Any:
    """Return JSON as a `kind`; raise `error(reason)` with the errors of its shape as `details`."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as wrong:
        refusal = error(reason)
        refusal.details = error_details(
            islice(shape_errors(inspect.type_info(kind), value), MAX_ERRORS)
        )
        raise refusal from wrong


def error_details(errors: Iterable[ContentError]) -> tuple[tuple[str, Message], ...]:
    """Return errors as the `details` of a `GameError`: the field's name before each message."""
    return tuple(
        (
            f"{name}: " if (name := field_name(error.path)) else "",
            Message(error.code, {**error.params}),
        )
        for error in errors
    )


def check_content(content: msgspec.Struct, faults: ContentCheck, reason: str) -> None:
    """Raise `InvalidSetup(reason)`, whose `details` are the content's faults, if it has any."""
    if details := error_details(faults(content, ids_of(msgspec.to_builtins(content)))):
        refusal = InvalidSetup(reason)
        refusal.details = details
        raise refusal


def unfit_values(value: Any, path: Path = ()) -> Iterator[ContentError]:
    """Yield errors for values that no text or TOML has: bad characters, integers beyond 64 bits."""
    match value:
        case str() if not is_printable(value):
            yield ContentError(path, "content.bad_text")
        case int() if not -MAX_INTEGER - 1 <= value <= MAX_INTEGER:
            yield ContentError(path, "content.big_number")
        case dict():
            for key, each in value.items():
                if is_printable(key):
                    yield from unfit_values(each, (*path, key))
                else:
                    yield ContentError(path, "content.bad_text")
        case list():
            for index, each in enumerate(value):
                yield from unfit_values(each, (*path, index))


def shape_errors(kind: inspect.Type, value: Any, path: Path = ()) -> Iterator[ContentError]:
    """Yield where `value` differs from the type `kind` (`msgspec.inspect`), field by field."""
    match kind:
        case inspect.Metadata(type=inner, extra=extra):
            errors = shape_errors(inner, value, path)
            yield from (_described(error, path, extra) if extra else error for error in errors)
        case inspect.StructType():
            yield from _table(kind, value, path)
        case inspect.UnionType(types=kinds):
            yield from _one_of(kinds, value, path)
        case inspect.VarTupleType(item_type=item, min_length=least, max_length=most):
            yield from _list(item, least, most, value, path)
        case inspect.DictType(value_type=item):
            yield from _named(item, value, path)
        case _:
            yield from _plain(kind, value, path)


def _described(error: ContentError, path: Path, extra: Mapping[str, Any]) -> ContentError:
    """Return an error of the value at `path` as its declaration wants: without a secret, and with
    the code `extra["form"]` if the text does not match its pattern.
    """
    if error.path != path:
        return error
    code = extra.get("form", error.code) if error.code == "content.form" else error.code
    hidden = {"found": NOT_REPEATED} if "secret" in extra and "found" in error.params else {}
    return ContentError(path, code, {**error.params, **hidden})


def _table(kind: inspect.StructType, value: Any, path: Path) -> Iterator[ContentError]:
    if not isinstance(value, dict):
        yield ContentError(path, "content.table", {"found": shorten(value)})
        return
    fields = {field.encode_name: field for field in kind.fields}
    for key in value:
        if key not in fields and key != kind.tag_field:
            yield _unknown((*path, shorten(key)), key, [*fields])
    for name, field in fields.items():
        if name in value:
            yield from shape_errors(field.type, value[name], (*path, name))
        elif field.required:
            yield ContentError((*path, name), "content.missing", {"key": name})


def _unknown(path: Path, key: str, known: list[str]) -> ContentError:
    return unknown_name_error(
        path, "content.unknown", {"key": shorten(key), "allowed": ", ".join(known)}, key, known
    )


def _choice(path: Path, value: Any, allowed: list[str]) -> ContentError:
    params = {"found": shorten(value), "allowed": ", ".join(allowed)}
    return unknown_name_error(
        path, "content.choice", params, value if isinstance(value, str) else "", allowed
    )


def _one_of(kinds: tuple[inspect.Type, ...], value: Any, path: Path) -> Iterator[ContentError]:
    """Check a value that may be absent, or a table of one of several kinds, selected by its tag."""
    if value is None and any(isinstance(kind, inspect.NoneType) for kind in kinds):
        return
    others = [kind for kind in kinds if not isinstance(kind, inspect.NoneType)]
    if len(others) == 1:
        yield from shape_errors(others[0], value, path)
        return
    tables = {kind.tag: kind for kind in others if isinstance(kind, inspect.StructType)}
    tag = next(str(kind.tag_field) for kind in tables.values())
    if not isinstance(value, dict):
        yield ContentError(path, "content.table", {"found": shorten(value)})
    elif tag not in value:
        yield ContentError((*path, tag), "content.missing", {"key": tag})
    elif not isinstance(value[tag], str) or value[tag] not in tables:
        yield _choice((*path, tag), value[tag], [str(name) for name in tables])
    else:
        yield from _table(tables[value[tag]], value, path)


def _list(
    item: inspect.Type, least: int | None, most: int | None, value: Any, path: Path
) -> Iterator[ContentError]:
    if not isinstance(value, list | tuple):
        yield ContentError(path, "content.list", {"found": shorten(value)})
        return
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    params: dict[str, str | int] = {"key": shorten(key), "found": len(value)}
    if len(value) < (least or 0):
        yield ContentError(path, "content.too_few", params | {"least": least or 0})
    if most is not None and len(value) > most:
        yield ContentError(path, "content.too_many", params | {"most": most})
    for index, element in enumerate(value):
        yield from shape_errors(item, element, (*path, index))


def _named(item: inspect.Type, value: Any, path: Path) -> Iterator[ContentError]:
    """Check a table with arbitrary keys."""
    if not isinstance(value, dict):
        yield ContentError(path, "content.table", {"found": shorten(value)})
        return
    for key, each in value.items():
        yield from shape_errors(item, each, (*path, key))


def _plain(kind: inspect.Type, value: Any, path: Path) -> Iterator[ContentError]:
    match kind:
        case inspect.LiteralType(values=allowed):
            if not any(type(value) is type(one) and value == one for one in allowed):
                yield _choice(path, value, [str(one) for one in allowed])
        case inspect.StrType(min_length=least, max_length=most, pattern=pattern):
            if not isinstance(value, str):
                yield ContentError(path, "content.text", {"found": shorten(value)})
            elif len(value) < (least or 0) or (least and not value.strip()):
                yield ContentError(path, "content.empty")
            elif most is not None and len(value) > most:
                yield ContentError(path, "content.too_long", {"most": most})
            elif pattern is not None and not re.search(pattern, value):
                yield ContentError(path, "content.form")
        case inspect.BoolType():
            if not isinstance(value, bool):
                yield ContentError(path, "content.yes_no", {"found": _quoted(value)})
        case inspect.IntType() | inspect.FloatType():
            yield from _number(kind, value, path)
        case _:
            raise TypeError(f"a content file cannot be declared to hold {kind}")


def _number(
    kind: inspect.IntType | inspect.FloatType, value: Any, path: Path
) -> Iterator[ContentError]:
    is_whole = isinstance(kind, inspect.IntType)
    if type(value) is not int and (is_whole or type(value) is not float):
        code = "content.number" if is_whole else "content.decimal"
        yield ContentError(path, code, {"found": _quoted(value)})
    # No bound holds for what is not a number (nan).
    elif kind.ge is not None and not value >= kind.ge:
        yield _out_of_bounds(path, "content.at_least", value, {"least": kind.ge})
    elif kind.le is not None and not value <= kind.le:
        yield _out_of_bounds(path, "content.at_most", value, {"most": kind.le})


def _out_of_bounds(path: Path, code: str, value: float, bound: Mapping[str, float]) -> ContentError:
    numbers = {"found": value, **bound}
    return ContentError(
        path,
        code,
        {
            key: number if isinstance(number, int) else str(number)
            for key, number in numbers.items()
        },
    )


def _quoted(value: Any) -> str:
    """Return a refused value; a text is in quotes, or it would look like what was asked for."""
    return f'"{shorten(value)}"' if isinstance(value, str) else shorten(value)
