"""Hold the table's public events, chained by hashes."""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec

from companion.core.codec import encode_event
from companion.core.game import Message, PublicEvent
from companion.table.fairness import commitment

RECENT_EVENTS = 500
"""Public events that are kept for listeners who reconnect."""


class PublicLog:
    """The public events so far: their number, their head, and the last of them.

    A line is {"position", "event", "message"}, JSON-ready. `heads` are those of the present game's
    positions, `recent` the last lines, `unpublished` the lines since `drain`.
    """

    def __init__(self, position: int = 0, head: str = commitment.ZERO_HASH) -> None:
        self.position = position
        self.head = head
        self.heads = {position: head}
        self.recent: deque[dict[str, Any]] = deque(maxlen=RECENT_EVENTS)
        self.unpublished: list[dict[str, Any]] = []

    def add(self, event: PublicEvent, message: Message) -> dict[str, Any]:
        """Add an event with its message; return its line."""
        value = encode_event(event)
        self.position += 1
        self.head = self.heads[self.position] = commitment.next_head(self.head, value)
        line = {"position": self.position, "event": value, "message": msgspec.to_builtins(message)}
        self.recent.append(line)
        self.unpublished.append(line)
        return line

    def drain(self) -> list[dict[str, Any]]:
        """Return the lines added since the last call."""
        fresh, self.unpublished = self.unpublished, []
        return fresh

    def after(self, position: int) -> list[dict[str, Any]]:
        """Return the lines after a position; [] if that is unknown or too old."""
        known = self.position - len(self.recent) <= position <= self.position
        return [line for line in self.recent if known and line["position"] > position]

    def forget_heads(self) -> None:
        """Forget all heads but the present one."""
        self.heads = {self.position: self.head}
