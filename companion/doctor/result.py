"""What a look at this machine found, one thing at a time, and what to do about it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.game import Message

Severity = Literal["ok", "note", "warning", "failure"]


class CheckResult(Struct, frozen=True):
    """One thing that was looked at: what was found, and what to do where there is something to
    do.
    """

    level: Severity
    said: Message
    advice: Message | None = None


def ok(code: str, **params: str | int) -> CheckResult:
    """Return that something is as it should be."""
    return CheckResult("ok", Message(code, params))


def bad(level: Severity, code: str, **params: str | int) -> CheckResult:
    """Return that something is not, with the advice that belongs to it."""
    return CheckResult(level, Message(code, params), Message(f"{code}_advice", params))
