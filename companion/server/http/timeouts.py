"""Close idle, slow and surplus connections; let the server's loop rest while workers send.

waitress measures idle time by the wall clock and waits without limit for the end of a slow
request. Here the table's monotonic clock measures both.
"""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import TcpWSGIServer  # type: ignore[import-untyped]

from companion.server.http.limits import LOCAL_CONNECTIONS, MAX_PER_ADDRESS
from companion.server.http.network import is_local

HEADER_TIMEOUT = 5.0
"""Seconds for the head of a request, from the connection's start or the request's first byte."""
BODY_TIMEOUT = 20.0
"""Seconds for a whole request."""
IDLE_TIMEOUT = 20.0
"""Seconds for which a connection stays open between two requests."""
ACCEPTED_AT_ONCE = 16
"""Connections that are accepted before others are answered."""
CHECK_INTERVAL = 1.0
"""Seconds between two checks of the connections."""


class TimeoutChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that measures how long it has waited for the client."""

    def __init__(self, server: TimeoutServer, *arguments: Any, **named: Any) -> None:
        self._now = server.monotonic
        self._since = server.monotonic()
        self._has_sent = False
        self._sending = False
        super().__init__(server, *arguments, **named)

    def received(self, data: bytes) -> bool:
        """Take received bytes; the time begins again when a request begins or ends."""
        before = self.request
        taken = bool(super().received(data))
        if self.request is None or before is None:
            self._since, self._has_sent = self._now(), self._has_sent or self.request is None
        return taken

    def write_soon(self, data: Any) -> int:
        """Send an answer from its worker; the server's loop sends what the socket does not take."""
        self._sending = True
        try:
            return int(super().write_soon(data))
        finally:
            self._sending = False
            if self.total_outbufs_len:
                self.server.pull_trigger()
            else:
                # A full buffer is replaced; this one would keep all that was sent until it is full.
                self.current_outbuf_count = self.adj.outbuf_high_watermark

    def writable(self) -> bool:
        """Return whether the server's loop has to write.

        While a worker sends, the socket takes bytes and the loop may not send any: it would turn
        round and round and keep the worker from running. A worker with too many bytes waits for it.
        """
        if self._sending and self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return bool(self.will_close or self.close_when_flushed)
        return bool(super().writable())

    @property
    def is_answering(self) -> bool:
        """Whether an answer runs, or waits to be sent."""
        return bool(self.requests or self.total_outbufs_len)

    @property
    def waiting_since(self) -> float:
        """The monotonic time since which it waits for the client."""
        return self._since

    def is_slow(self) -> bool:
        """Whether it has waited too long; a connection with a running answer is never slow."""
        if self.is_answering:
            self._since = self._now()
            return False
        return bool(self._now() - self._since > self._time_limit())

    def _time_limit(self) -> float:
        if self.request is None:
            return IDLE_TIMEOUT if self._has_sent else HEADER_TIMEOUT
        return BODY_TIMEOUT if self.request.headers_finished else HEADER_TIMEOUT


class TimeoutServer(TcpWSGIServer):  # type: ignore[misc]
    """A server that closes slow connections, by a monotonic clock, and makes room for new ones.

    Connections that wait for their clients make room, those of the address with most of them first.
    """

    channel_class = TimeoutChannel

    def __init__(self, *arguments: Any, monotonic: Callable[[], float], **named: Any) -> None:
        self.monotonic = monotonic
        self._next_round = monotonic()
        super().__init__(*arguments, **named)

    def readable(self) -> bool:
        """Close slow connections at each turn of the loop; return whether to poll the socket.

        waitress would check here by the wall clock, which may jump by years, and would let new
        connections wait while there are too many.
        """
        if self.monotonic() >= self._next_round:
            self._next_round = self.monotonic() + CHECK_INTERVAL
            for channel in self.active_channels.values():
                if channel.is_slow():
                    channel.will_close = True
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Accept the connections that wait, some in each turn of the loop."""
        accepted: list[tuple[socket.socket, Any]] = []
        with suppress(OSError):
            # A client has disconnected, or no descriptor is free.
            while len(accepted) < ACCEPTED_AT_ONCE and (one := self.accept()) is not None:
                self.set_socket_options(one[0])
                accepted.append(one)
        # Only then: a closed connection's descriptor still has events in this turn, which are not
        # for a new connection.
        for connection, address in accepted:
            local = is_local(address[0], connection.getsockname()[0])
            if self._make_room(address[0], local):
                self.channel_class(self, connection, address, self.adj, map=self._map)
            else:
                connection.close()

    def _make_room(self, address: str, local: bool) -> bool:
        """Return whether a further connection from an address has room; close another one for it
        if necessary. `local`: it comes from this machine.
        """
        channels = list(self.active_channels.values())
        if not local:
            own = [channel for channel in channels if channel.addr[0] == address]
            if len(own) >= MAX_PER_ADDRESS:
                return _close_one(own)
        reserved = 0 if local else LOCAL_CONNECTIONS
        return len(self._map) < self.adj.connection_limit - reserved or _close_one(channels)


def _close_one(channels: list[TimeoutChannel]) -> bool:
    """Close the connection that waits longest for its client, of the address with most such
    connections; return False if there is none.
    """
    waiting = [channel for channel in channels if not channel.is_answering]
    counts = Counter(channel.addr[0] for channel in waiting)
    longest = min(
        waiting, key=lambda each: (-counts[each.addr[0]], each.waiting_since), default=None
    )
    if longest is not None:
        longest.handle_close()
    return longest is not None
