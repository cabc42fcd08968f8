"""Publish a table's public state to an MQTT broker.

Never blocks the table: it is one more subscriber of the public stream, in a thread of its own.
Only the newest status is kept, so a slow broker delays one status at most. After a reconnect
everything is sent again.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.config import Broker, ClubSettings
from companion.core.game import Message, StatusWords
from companion.files import atomic_write
from companion.i18n import Catalog
from companion.mqtt.broker_status import Problem, describe_problem
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.status import TableIdentity, announcements, table_status
from companion.mqtt.topics import Topics, discovery_message, discovery_topic
from companion.table.broadcast import Subscription, Update

STREAM_POLL = 0.1
"""Seconds between two reads of the table's stream."""
MAX_QUEUED = 32
"""Announcements queued for the broker; beyond that the oldest are dropped."""


IDENTITY_FILE = "club-id"
TABLE_ID = re.compile(r"[0-9a-f]{12}", re.ASCII)


def read_table_id(folder: Path, entropy: Callable[[int], bytes]) -> str:
    """Return the table's id, stored in the data folder and drawn at random the first time.

    It identifies no machine, and keeps the topics of two tables with one name apart.
    """
    path = folder / IDENTITY_FILE
    identity = path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""
    if not TABLE_ID.fullmatch(identity):
        identity = entropy(6).hex()
        # A folder that takes no writes gets another one at the next start.
        with suppress(OSError):
            atomic_write(path, identity.encode())
    return identity


class Publisher:
    """Queue the messages about one table for a broker.

    `update` receives public updates, `pending_messages` returns what to send next. `reference`
    returns the reference data of the table's game.
    """

    def __init__(
        self,
        settings: ClubSettings,
        identity: TableIdentity,
        sentences: Callable[[str | None], Catalog],
        reference: Callable[[], Mapping[str, Any]],
        words: Callable[[str], StatusWords],
    ) -> None:
        self.topics = Topics(settings.topic, identity.id)
        self._settings, self._sign, self._sentences, self._reference = (
            settings,
            identity,
            sentences,
            reference,
        )
        self._words = words
        self._seen: int | None = None
        self._state = b""
        self._announcements: deque[bytes] = deque(maxlen=MAX_QUEUED)

    def update(self, update: Update) -> None:
        """Queue an update's announcements, without events seen before or older than the first."""
        snapshot, translations = update.snapshot, self._reference().get("translations", {})
        words, sentences = self._words(snapshot["game"]), self._sentences(snapshot["game"])
        self._state = msgspec.json.encode(
            table_status(snapshot, self._sign, sentences, translations, words)
        )
        fresh = [
            one for one in update.events if self._seen is not None and one["position"] > self._seen
        ]
        self._seen = snapshot["position"]
        self._announcements.extend(
            map(
                msgspec.json.encode,
                announcements(fresh, snapshot, self._sign, sentences, translations, words),
            )
        )

    def connect_messages(self) -> list[MqttMessage]:
        """Return the messages to send on (re)connect; drop queued announcements."""
        self._announcements.clear()
        messages = []
        if self._settings.discovery:
            messages.append(
                discovery_message(
                    self._settings.discovery, self.topics, self._sign, self._sentences(None)
                )
            )
        return [*messages, self.topics.availability_message("online")]

    def disconnect_messages(self) -> list[MqttMessage]:
        """Return the messages to send before a disconnect."""
        return [self.topics.deletion_message(), self.topics.availability_message("closed")]

    def pending_messages(self, last: bytes) -> list[MqttMessage]:
        """Return the queued announcements, once, and the status if it is not `last`."""
        announcements = [MqttMessage(self.topics.announcements, one) for one in self._announcements]
        self._announcements.clear()
        news = (
            [MqttMessage(self.topics.state, self._state, retained=True)]
            if self._state != last
            else []
        )
        return [*announcements, *news]


class PublisherLoop:
    """Forward a table's updates to a broker while it is connected.

    report: gets the reason why the broker does not serve the table, None when it does again; called
    at each change
    """

    def __init__(
        self,
        publisher: Publisher,
        line: MqttClient,
        subscribe: Callable[[], Subscription],
        report: Callable[[Problem | None, str], None] = lambda problem, why: None,
    ) -> None:
        self._publisher, self._line, self._subscribe = publisher, line, subscribe
        self._report = report
        self._reported: tuple[Problem | None, str] = (None, "")
        self._subscription = subscribe()
        self._ups = 0
        self._last = b""

    def step(self, timeout: float) -> None:
        """Handle pending updates and messages; wait up to `timeout` seconds for the broker."""
        self._line.step(timeout)
        if (state := (self._line.problem, self._line.error)) != self._reported:
            self._reported = state
            self._report(*state)
        # The subscription was closed as too slow during the wait for the broker.
        if self._subscription.closed:
            self._subscription = self._subscribe()
        while (update := self._subscription.get(0)) is not None:
            self._publisher.update(update)
        if self._line.connected and self._ups != self._line.connections:
            self._ups, self._last = self._line.connections, b""
            for message in self._publisher.connect_messages():
                self._line.send(message)
        if self._line.idle:
            for message in self._publisher.pending_messages(self._last):
                self._line.send(message)
                if message.topic == self._publisher.topics.state:
                    self._last = message.payload

    def close(self) -> None:
        """Send the last messages, if connected, and disconnect."""
        self._subscription.close()
        self._line.close(self._publisher.disconnect_messages())


def run_publisher(loop: PublisherLoop, stopped: Callable[[], bool]) -> None:
    """Run the loop until `stopped()`; meant for a thread of its own."""
    while not stopped():
        loop.step(STREAM_POLL)
    loop.close()


PROBE_KEEPALIVE = 1
"""Seconds before a ping: its answer shows that the broker took what was sent before."""
PROBE_SECONDS = 8.0
PROBE_POLL = 0.1


def probe_broker(
    settings: ClubSettings, broker: Broker, name: str, monotonic: Callable[[], float]
) -> Message | None:
    """Return why the broker does not serve a table, None if it does.

    Connects under `name` with a last will, sends discovery, availability and state, retained as a
    table's are, and waits for the answer to a ping. All its messages are empty, so that nothing
    stays at the broker and no dashboard shows a table.
    """
    topics = Topics(settings.topic, name)
    sent = [topics.availability, topics.state]
    if settings.discovery:
        sent.append(discovery_topic(settings.discovery, name))
    messages = [MqttMessage(topic, b"", retained=True) for topic in sent]
    client = MqttClient(broker, name, monotonic, will=messages[0], keepalive=PROBE_KEEPALIVE)
    until, connections = monotonic() + PROBE_SECONDS, 0
    while monotonic() < until and client.problem is None and not client.has_lasted:
        client.step(PROBE_POLL)
        if client.connected and connections != client.connections:
            connections = client.connections
            for message in messages:
                client.send(message)
    is_served = client.has_lasted
    client.close()
    if is_served:
        return None
    return describe_problem(client.problem or "closed", client.error or "no answer", broker)
