"""Issue one-time tickets for uploads.

A photo is public and sent in clear; its ticket comes through the encrypted channel.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.locks import LockRank, make_lock

TICKET_SECONDS = 120.0
"""Seconds in which a ticket must be used."""
MAX_TICKETS = 8
"""Valid tickets; a further one invalidates the oldest."""


class Tickets:
    """The valid tickets. Thread-safe; `entropy` is the cryptographic one."""

    def __init__(self, entropy: Callable[[int], bytes], monotonic: Callable[[], float]) -> None:
        self._entropy = entropy
        self._monotonic = monotonic
        self._lock = make_lock(LockRank.TICKETS)
        self._out: dict[str, float] = {}

    def issue(self) -> str:
        """Return a new ticket: 32 hex digits."""
        ticket = self._entropy(16).hex()
        with self._lock:
            self._out[ticket] = self._monotonic() + TICKET_SECONDS
            while len(self._out) > MAX_TICKETS:
                del self._out[next(iter(self._out))]
        return ticket

    def is_good(self, ticket: str) -> bool:
        """Return whether a ticket is valid, and a larger request may be read."""
        return self._out.get(ticket, 0.0) > self._monotonic()

    def spend(self, ticket: str) -> bool:
        """Use up a ticket; return whether it was valid."""
        with self._lock:
            return self._out.pop(ticket, 0.0) > self._monotonic()
