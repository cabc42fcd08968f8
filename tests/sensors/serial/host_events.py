"""What a session sends to the table, sorted by kind."""

from __future__ import annotations

from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.serial.session import Session


class HostEvents:
    """The events of `host` until now: observations and states of the link."""

    host: Session

    def __init__(self) -> None:
        self.clear_events()

    def clear_events(self) -> None:
        """Forget all events, as for a new host."""
        self.seen: list[Observation] = []
        self.links: list[Link] = []

    def sort_events(self) -> None:
        """Take the host's new events."""
        for item in self.host.events():
            match item:
                case Observation():
                    self.seen.append(item)
                case Link():
                    self.links.append(item)

    @property
    def codes(self) -> list[str | None]:
        """The link's messages, in order."""
        return [link.message.code if link.message else None for link in self.links]
