"""The herald: hears what every display hears, and tells the club as much of it as the broker is ready to take.

He holds nobody up: he is one more listener of the public stream, in a thread of his own. Of bulletins only the newest
counts, so however slow a broker is, one bulletin waits for it; when it comes back it is told everything anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from companion.club.bulletin import announcements, bulletin, encoded
from companion.club.line import Line, Message
from companion.club.sign import Sign
from companion.club.topics import Topics, discovery
from companion.config import ClubSettings
from companion.sentences import Sentences
from companion.table.streams import Subscription, Update

POLL = 0.1
"""Seconds between two looks at the table's stream."""
WAITING = 32
"""Announcements that may wait for the broker; of more the oldest are left out. The bulletin has the last ones."""


class Herald:
    """What is to be told of one table. `told` takes updates in, `due` says what a broker is to be told next."""

    def __init__(self, settings: ClubSettings, sign: Sign, sentences: Sentences) -> None:
        self.topics = Topics(settings.topic, sign.id)
        self._settings, self._sign, self._sentences = settings, sign, sentences
        self._seen: int | None = None
        self._bulletin = b""
        self._said: deque[bytes] = deque(maxlen=WAITING)

    def told(self, update: Update) -> None:
        """Take in one public update. Events that were told before, and those before the first update, are history."""
        picture = update.picture
        self._bulletin = encoded(bulletin(picture, self._sign, self._sentences))
        fresh = [one for one in update.events if self._seen is not None and one["position"] > self._seen]
        self._seen = picture["position"]
        self._said.extend(map(encoded, announcements(fresh, picture, self._sign, self._sentences)))

    def greeting(self) -> list[Message]:
        """Return what a broker is told that knows nothing of the table. What was said before is no news for it."""
        self._said.clear()
        found = []
        if self._settings.discovery:
            found.append(discovery(self._settings.discovery, self.topics, self._sign, self._sentences))
        return [*found, self.topics.is_now("online")]

    def farewell(self) -> list[Message]:
        """Return what a broker is told when the table is put away."""
        return [self.topics.forget(), self.topics.is_now("closed")]

    def due(self, last: bytes) -> list[Message]:
        """Return what is to be told now, where `last` was the bulletin told before; announcements are told once."""
        said = [Message(self.topics.said, one) for one in self._said]
        self._said.clear()
        news = [Message(self.topics.bulletin, self._bulletin, retained=True)] if self._bulletin != last else []
        return [*said, *news]


def proclaim(herald: Herald, line: Line, subscribe: Callable[[], Subscription], stopped: Callable[[], bool]) -> None:
    """Let the herald tell what the table tells until `stopped`, in a thread of his own."""
    subscription, ups, last = subscribe(), 0, b""
    try:
        while not stopped():
            line.step(POLL)
            # Dropped as too slow, while a broker was waited for: he listens anew.
            if subscription.closed:
                subscription = subscribe()
            while (update := subscription.get(0)) is not None:
                herald.told(update)
            if line.up and ups != line.ups:
                ups, last = line.ups, b""
                for message in herald.greeting():
                    line.send(message)
            if line.free:
                for message in herald.due(last):
                    line.send(message)
                    last = message.payload if message.topic == herald.topics.bulletin else last
        line.close(herald.farewell())
    finally:
        subscription.close()
