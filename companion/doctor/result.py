"""What a look at this machine found, one thing at a time, and what to do about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.game import Message

Level = Literal["ok", "note", "warning", "failure"]


class Finding(Struct, frozen=True):
    """One thing that was looked at: what was found, and what to do where there is something to
    do.
    """

    level: Level
    said: Message
    advice: Message | None = None


def ok(code: str, **params: str | int) -> Finding:
    """Return that something is as it should be."""
    return Finding("ok", Message(code, params))


def bad(level: Level, code: str, **params: str | int) -> Finding:
    """Return that something is not, with the advice that belongs to it."""
    return Finding(level, Message(code, params), Message(f"{code}_advice", params))
