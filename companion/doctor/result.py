"""Results of the checks of this machine."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.core.game import Message

Severity = Literal["ok", "note", "warning", "failure"]


class CheckResult(Struct, frozen=True):
    """One check's result: the finding, and advice if there is something to do."""

    level: Severity
    message: Message
    advice: Message | None = None


def ok(code: str, **params: str | int) -> CheckResult:
    """Return a passed check."""
    return CheckResult("ok", Message(code, params))


def bad(level: Severity, code: str, **params: str | int) -> CheckResult:
    """Return a failed check with advice."""
    return CheckResult(level, Message(code, params), Message(f"{code}_advice", params))
