"""The events of a session, by kind."""

from __future__ import annotations

from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.serial.session import Session


class HostEvents:
    """The events of `host` so far: observations and states of the link."""

    host: Session

    def __init__(self) -> None:
        self.clear_events()

    def clear_events(self) -> None:
        """Drop all events, as for a new host."""
        self.observations: list[Observation] = []
        self.links: list[Link] = []

    def sort_events(self) -> None:
        """Append the host's new events."""
        for item in self.host.events():
            match item:
                case Observation():
                    self.observations.append(item)
                case Link():
                    self.links.append(item)

    @property
    def codes(self) -> list[str | None]:
        """The link's messages, in order."""
        return [link.message.code if link.message else None for link in self.links]
