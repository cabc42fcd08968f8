"""Collect the events of one action, each decided on the state after the ones before it."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.game import Event, State


class Draft:
    """The events of one decision so far, and the state after them."""

    def __init__(self, evolve: Callable[[State, Event], State], state: State) -> None:
        self._evolve = evolve
        self.state = state
        self.events: list[Event] = []

    def emit(self, *events: Event) -> None:
        """Add events, each applied to the state."""
        for event in events:
            self.state = self._evolve(self.state, event)
            self.events.append(event)
