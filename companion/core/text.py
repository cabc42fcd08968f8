"""Check texts and JSON from outside, and shorten a refused value for a sentence."""

from __future__ import annotations

import json
import math
import re
import traceback
from typing import Any, NoReturn

DEEPEST = 50
"""The allowed depth of nested lists and objects."""
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters except tab and line ends, and surrogates, which UTF-8 cannot encode."""


def is_printable(text: str) -> bool:
    """Return whether a text can be stored and shown."""
    return UNPRINTABLE.search(text) is None


def all_text_is_printable(value: Any) -> bool:
    """Return whether every text and key in a JSON value can be stored and shown."""
    ahead = [value]
    while ahead:
        match ahead.pop():
            case str(text) if not is_printable(text):
                return False
            case dict(entries):
                ahead += entries.keys()
                ahead += entries.values()
            case list(elements):
                ahead += elements
    return True


def depth(value: Any) -> int:
    """Return the depth of nested lists and objects, at most `DEEPEST` + 1."""
    level, count = [value], -1
    while level and count <= DEEPEST:
        level = [each for one in level for each in _inside(one)]
        count += 1
    return count


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.values()] or [None]
    return (value or [None]) if isinstance(value, list) else []


def load_json(data: str | bytes) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises ValueError for invalid JSON, infinite numbers, and nesting deeper than `DEEPEST`.
    """
    text = data.decode() if isinstance(data, bytes) else data
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except RecursionError as wrong:
        raise ValueError("nested too deep") from wrong
    if depth(value) > DEEPEST:
        raise ValueError("nested too deep")
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(written: str) -> float:
    number = float(written)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number


def shorten(value: Any, most: int = 40) -> str:
    """Return a value as one line of at most `most` characters; JSON's words for JSON's values."""
    text = json.dumps(value) if value is None or isinstance(value, bool) else str(value)
    text = " ".join(text[: 4 * most].split())
    return text if len(text) <= most else text[: most - 1] + "…"


def describe_error(error: BaseException) -> str:
    """Return an error's name and traceback, never its text or values, which may hold a secret."""
    frames = (
        f"  {frame.filename}:{frame.lineno} {frame.name}\n"
        for frame in traceback.extract_tb(error.__traceback__)
    )
    return f"{type(error).__name__}\n{''.join(frames)}"
