"""The herald: hears what every display hears, and tells the club as much of it as the broker is
ready to take.

He holds nobody up: he is one more listener of the public stream, in a thread of his own. Of
bulletins only the newest counts, so however slow a broker is, one bulletin waits for it; when it
comes back it is told everything anew.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from companion.config import ClubSettings
from companion.core.status import StatusWords
from companion.i18n import Catalog
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.identity import TableIdentity
from companion.mqtt.status import announcements, encode_json, table_status
from companion.mqtt.topics import Topics, discovery_message
from companion.table.broadcast import Subscription, Update

STREAM_POLL = 0.1
"""Seconds between two looks at the table's stream."""
MAX_QUEUED = 32
"""Announcements that may wait for the broker; of more the oldest are left out.

The bulletin has the last ones.
"""


class Publisher:
    """What is to be told of one table. `told` takes updates in, `due` says what a broker is to be
    told next; `reference` is what may be looked up of the table's game, `words` returns a game's
    own words by its name.
    """

    def __init__(
        self,
        settings: ClubSettings,
        sign: TableIdentity,
        sentences: Catalog,
        reference: Callable[[], Mapping[str, Any]],
        words: Callable[[str], StatusWords],
    ) -> None:
        self.topics = Topics(settings.topic, sign.id)
        self._settings, self._sign, self._sentences, self._reference = (
            settings,
            sign,
            sentences,
            reference,
        )
        self._words = words
        self._seen: int | None = None
        self._bulletin = b""
        self._said: deque[bytes] = deque(maxlen=MAX_QUEUED)

    def told(self, update: Update) -> None:
        """Take in one public update.

        Events that were told before, and those before the first update, are history.
        """
        picture, translations = update.snapshot, self._reference().get("translations", {})
        words = self._words(picture["game"])
        self._bulletin = encode_json(
            table_status(picture, self._sign, self._sentences, translations, words)
        )
        fresh = [
            one for one in update.events if self._seen is not None and one["position"] > self._seen
        ]
        self._seen = picture["position"]
        self._said.extend(
            map(
                encode_json,
                announcements(fresh, picture, self._sign, self._sentences, translations, words),
            )
        )

    def greeting(self) -> list[MqttMessage]:
        """Return what a broker is told that knows nothing of the table.

        What was said before is no news for it.
        """
        self._said.clear()
        found = []
        if self._settings.discovery:
            found.append(
                discovery_message(
                    self._settings.discovery, self.topics, self._sign, self._sentences
                )
            )
        return [*found, self.topics.is_now("online")]

    def farewell(self) -> list[MqttMessage]:
        """Return what a broker is told when the table is put away."""
        return [self.topics.forget(), self.topics.is_now("closed")]

    def due(self, last: bytes) -> list[MqttMessage]:
        """Return what is to be told now, where `last` was the bulletin told before; announcements
        are told once.
        """
        said = [MqttMessage(self.topics.said, one) for one in self._said]
        self._said.clear()
        news = (
            [MqttMessage(self.topics.bulletin, self._bulletin, retained=True)]
            if self._bulletin != last
            else []
        )
        return [*said, *news]


class PublisherLoop:
    """A herald between his table and a broker: he hears the one and tells the other, as far as it
    is there.
    """

    def __init__(
        self, herald: Publisher, line: MqttClient, subscribe: Callable[[], Subscription]
    ) -> None:
        self._herald, self._line, self._subscribe = herald, line, subscribe
        self._subscription = subscribe()
        self._ups = 0
        self._last = b""

    def step(self, timeout: float) -> None:
        """Hear and tell what there is; where there is nothing, wait for the broker for `timeout`
        seconds.
        """
        self._line.step(timeout)
        # Dropped as too slow, while a broker was waited for: he listens anew.
        if self._subscription.closed:
            self._subscription = self._subscribe()
        while (update := self._subscription.get(0)) is not None:
            self._herald.told(update)
        if self._line.up and self._ups != self._line.ups:
            self._ups, self._last = self._line.ups, b""
            for message in self._herald.greeting():
                self._line.send(message)
        if self._line.free:
            for message in self._herald.due(self._last):
                self._line.send(message)
                if message.topic == self._herald.topics.bulletin:
                    self._last = message.payload

    def end(self) -> None:
        """Say that the table was put away, where there is somebody to hear it."""
        self._subscription.close()
        self._line.close(self._herald.farewell())


def run_publisher(errand: PublisherLoop, stopped: Callable[[], bool]) -> None:
    """Run errands until `stopped`, in a thread of their own."""
    while not stopped():
        errand.step(STREAM_POLL)
    errand.end()
