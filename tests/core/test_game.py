"""The kinds of actions and events of a module."""

from __future__ import annotations

from companion.core.game import DisclosingEvent, Event, PublicEvent, tagged_types


class Base(PublicEvent, frozen=True):
    """An event that others extend."""


class Walked(Base, frozen=True, tag="walked"):
    """An event."""


class Answered(DisclosingEvent, frozen=True, tag="answered"):
    """Another one, of an imported kind."""


def test_a_modules_events_are_those_with_a_tag() -> None:
    """Neither an imported event nor one without a name in JSON is an event of the module."""
    assert (Walked, Answered) == tagged_types(Event, globals())
