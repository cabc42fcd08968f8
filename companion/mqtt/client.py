"""Keep one connection to an MQTT broker open, and reconnect whenever it is lost.

Everything runs in the thread that calls `step`; nothing here waits for the broker.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable
from threading import Event

from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from companion.config import Broker
from companion.mqtt.broker_status import Problem

RECONNECT_DELAYS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds before each further attempt to connect; the last value repeats. Paho's own delays begin
again at each connection that a broker accepts, also one that it ends at once.
"""
UNREACHABLE_DELAYS = 3
"""The number of these for a broker that cannot be reached: one that starts is found soon. One that
refuses a table is left in peace.
"""
CONNECT_SECONDS = 3.0
"""Seconds for a broker to accept a connection, and for each step of its TLS."""
KEEPALIVE = 5
"""Seconds of silence before a ping. After 1.5 times as many the broker sends the last will."""
LASTING_KEEPALIVES = 2.2
"""A connection has lasted after so many times the seconds before a ping: one without an answer to
its ping is closed after two.
"""
CLOSE_SECONDS = 2.0
"""Seconds to send the last messages before the connection is closed."""


class MqttMessage(Struct, frozen=True):
    """One MQTT message. The broker keeps a `retained` one; an empty one deletes the kept one."""

    topic: str
    payload: bytes
    retained: bool = False


class TlsSocket(ssl.SSLSocket):
    """A TLS connection that is closed if its handshake fails. Paho would leave it open."""

    def do_handshake(self, block: bool = False) -> None:
        """Shake hands; close the connection on failure."""
        try:
            super().do_handshake(block)
        except (OSError, ValueError):
            self.close()
            raise


class MqttClient:
    """A connection that reconnects as long as `step` is called.

    It waits longer after each failure until a connection has lasted. `connections` counts the
    connects; `has_lasted` is whether the present one has lasted. `keepalive`: seconds of silence
    before a ping. `name` must be unique at the broker: of two clients with one
    name the later one wins. `on_connect` is called before any message of a connection.
    """

    def __init__(
        self,
        broker: Broker,
        name: str,
        monotonic: Callable[[], float],
        *,
        will: MqttMessage | None = None,
        topics: Iterable[str] = (),
        on_connect: Callable[[], None] = lambda: None,
        on_message: Callable[[MqttMessage], None] = lambda message: None,
        keepalive: int = KEEPALIVE,
    ) -> None:
        self.connections = 0
        self.connected = self.has_lasted = False
        self.problem: Problem | None = None
        """Why no connection lasts; None again when one has lasted."""
        self.error = ""
        """The reason for `problem`, as the system or the broker reports it."""
        self._broker, self._name, self._now = broker, name, monotonic
        self._will, self._topics = will, tuple(topics)
        self._connected, self._on_message = on_connect, on_message
        self._client: Client | None = None
        self._next = monotonic()
        self._since = self._next
        self._failures = 0
        self._refusal = ""
        self._keepalive = keepalive
        self._nothing = Event()

    @property
    def idle(self) -> bool:
        """Whether it is connected and has written everything to the socket."""
        return self.connected and self._client is not None and not self._client.want_write()

    def send(self, message: MqttMessage) -> None:
        """Send a message if connected; otherwise drop it."""
        if self.connected and self._client is not None:
            self._client.publish(message.topic, message.payload, qos=0, retain=message.retained)

    def step(self, timeout: float) -> None:
        """Handle a message, output and reconnects; wait up to `timeout` seconds for one of them.

        An attempt to connect may take longer.
        """
        if self._client is None:
            wait = self._next - self._now()
            if wait > 0:
                self._nothing.wait(min(wait, timeout))
            else:
                self._open()
        else:
            self._exchange(self._client, timeout)

    def close(self, farewell: Iterable[MqttMessage] = ()) -> None:
        """Send the last messages if connected, and disconnect; the broker then drops the will."""
        for message in farewell:
            self.send(message)
        until = self._now() + CLOSE_SECONDS
        while self._client is not None and self.connected and not self.idle and self._now() < until:
            self._exchange(self._client, 0.1)
        if self._client is not None:
            self._client.disconnect()
            self._client, self.connected = None, False

    def _open(self) -> None:
        self._refusal = ""
        client = Client(CallbackAPIVersion.VERSION2, client_id=self._name)
        client.connect_timeout = CONNECT_SECONDS
        client.on_connect = lambda client, data, flags, reason, properties: self._on_connect(
            client, reason.is_failure, str(reason)
        )
        client.on_message = lambda client, data, message: self._receive(message)
        if self._broker.user:
            client.username_pw_set(self._broker.user, self._broker.password or None)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, qos=0, retain=self._will.retained)
        try:
            if self._broker.tls:
                context = ssl.create_default_context(cafile=self._broker.ca or None)
                context.sslsocket_class = TlsSocket
                client.tls_set_context(context)
            client.connect(self._broker.host, self._broker.port, self._keepalive)
            self._client = client
        except (OSError, ValueError) as failed:
            self._drop("unreachable", str(failed))

    def _on_connect(self, client: Client, refused: bool, reason: str) -> None:
        if refused:
            self._refusal = reason
            return
        # Before a message of this connection can come.
        self._connected()
        for topic in self._topics:
            client.subscribe(topic, 0)
        self.connected, self.has_lasted, self._since = True, False, self._now()
        self.connections += 1

    def _receive(self, message: MQTTMessage) -> None:
        try:
            topic = message.topic
        except UnicodeDecodeError:
            # No broker may forward such a topic, but some do.
            return
        self._on_message(MqttMessage(topic, bytes(message.payload), message.retain))

    def _exchange(self, client: Client, timeout: float) -> None:
        client.loop(timeout)
        if client.socket() is not None:
            if self.connected and self._now() - self._since >= LASTING_KEEPALIVES * self._keepalive:
                self.has_lasted, self.problem, self.error, self._failures = True, None, "", 0
        elif self._refusal:
            self._drop("refused", self._refusal)
        elif self.has_lasted:
            self._drop(None, "")
        else:
            self._drop("closed", "the broker ended the connection")

    def _drop(self, problem: Problem | None, why: str) -> None:
        self.connected, self.has_lasted, self._client = False, False, None
        self.problem, self.error = problem, why
        is_there = problem in ("refused", "closed")
        delays = RECONNECT_DELAYS if is_there else RECONNECT_DELAYS[:UNREACHABLE_DELAYS]
        self._next = self._now() + delays[min(self._failures, len(delays) - 1)]
        self._failures += 1
