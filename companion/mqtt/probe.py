"""Try whether a broker serves a table: connect and send as a table does."""

from __future__ import annotations

from collections.abc import Callable

from companion.config import Broker, ClubSettings
from companion.core.game import Message
from companion.mqtt.broker_status import describe_problem
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.topics import Topics, discovery_topic

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
