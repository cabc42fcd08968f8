"""Define one step of a finished game, for its replay."""

from __future__ import annotations

from msgspec import Struct

from companion.core.game import Event, State


class Moment(Struct, frozen=True):
    """One event, public or private, and the state after it."""

    event: Event
    state: State
