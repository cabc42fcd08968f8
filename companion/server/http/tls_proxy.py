"""Terminate TLS for `serve --tls`: accept TLS from the network and forward plain HTTP to waitress.

A header could be forged by any client, so none carries the client's address: each connection to
waitress has its own port, and the proxy keeps the client of each port.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from threading import Thread
from typing import Any

from msgspec import Struct

from companion.server.http.addresses import OwnNames
from companion.server.http.limits import LOCAL_CONNECTIONS, MAX_PER_ADDRESS
from companion.server.http.network import LOOPBACK, is_local
from companion.server.http.server import HTTP_START_BYTES, is_http

CONNECT_TIMEOUT = 5.0
"""Seconds for a connection's first byte, and for its handshake."""
BUFFER_BYTES = 64 * 1024
TLS_HANDSHAKE = b"\x16"
"""The first byte of a TLS connection."""
MAX_HEADER_BYTES = 8 * 1024

Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Client(Struct, frozen=True):
    """The client for whom a connection to waitress was opened."""

    address: str
    secure: bool


class TlsProxy:
    """Accept connections on `listening` and forward each to waitress.

    connections: the most connections at a time
    names: the names to which a request over plain HTTP may be redirected
    From the network only TLS is accepted; plain HTTP is redirected to https. The machine itself may
    use plain HTTP: nobody can intercept its display's connection, and it shows no certificate
    warning.
    """

    def __init__(
        self,
        listening: socket.socket,
        context: ssl.SSLContext,
        names: OwnNames,
        connections: int,
    ) -> None:
        self._listening = listening
        self._connections = connections
        self._context = context
        self._names = names
        self._backend = (LOOPBACK, 0)
        self._callers: dict[int, Client] = {}
        self._open: Counter[str] = Counter()
        self._unfinished: dict[asyncio.Task[None], str] = {}
        # Windows's usual loop has no readers.
        self._loop = asyncio.SelectorEventLoop()
        self._thread = Thread(target=self._run, name="tls", daemon=True)

    def wrap(self, app: Wsgi) -> Wsgi:
        """Return the application with the address and the scheme of the proxy's clients."""

        def app_for_client(
            environ: dict[str, Any], start_response: Callable[..., Any]
        ) -> Iterable[bytes]:
            caller = self._callers.get(int(environ["REMOTE_PORT"]))
            if caller is None:
                # The client has disconnected, or another program found the port; neither may count
                # as the machine itself.
                start_response("403 Forbidden", [("Content-Length", "0")])
                return []
            environ["REMOTE_ADDR"] = environ["REMOTE_HOST"] = caller.address
            environ["wsgi.url_scheme"] = "https" if caller.secure else "http"
            return app(environ, start_response)

        return app_for_client

    @property
    def port(self) -> int:
        """The port for the network."""
        return int(self._listening.getsockname()[1])

    def start(self, port: int) -> None:
        """Begin to accept connections for waitress at this port of loopback."""
        self._backend = (LOOPBACK, port)
        self._thread.start()

    def close(self) -> None:
        """Close all connections."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._listening.close()

    def _run(self) -> None:
        self._listening.setblocking(False)
        accepting = self._loop.create_task(self._accept())
        self._loop.run_forever()
        tasks = {accepting, *asyncio.all_tasks(self._loop)}
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        # Aborted connections close their sockets in the next turns of the loop.
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _accept(self) -> None:
        tasks: set[asyncio.Task[None]] = set()
        while True:
            try:
                connection, (address, *_) = await self._loop.sock_accept(self._listening)
            except OSError:
                # No descriptor is free, or the client has disconnected.
                await asyncio.sleep(0.1)
                continue
            if not self._make_room(address, is_local(address, connection.getsockname()[0])):
                connection.close()
                continue
            self._open[address] += 1
            task = self._loop.create_task(self._serve(connection, address))
            self._unfinished[task] = address
            task.add_done_callback(partial(self._release, connection, address))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
            # Connections that wait already would be accepted without a turn of the loop.
            await asyncio.sleep(0)

    def _release(self, connection: socket.socket, address: str, task: asyncio.Task[None]) -> None:
        self._unfinished.pop(task, None)
        connection.close()
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def _make_room(self, address: str, local: bool) -> bool:
        """Return whether a further connection from an address has room; end an unfinished handshake
        for it if necessary, the oldest one of the address with most connections. `local`: it comes
        from this machine.
        """
        if not local and self._open[address] >= MAX_PER_ADDRESS:
            return self._end_handshake([address])
        reserved = 0 if local else LOCAL_CONNECTIONS
        if self._open.total() < self._connections - reserved:
            return True
        return self._end_handshake([each for each, _ in self._open.most_common()])

    def _end_handshake(self, addresses: Iterable[str]) -> bool:
        for address in addresses:
            for task, of_address in self._unfinished.items():
                if of_address == address:
                    del self._unfinished[task]
                    task.cancel()
                    return True
        return False

    async def _serve(self, connection: socket.socket, address: str) -> None:
        connection.setblocking(False)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                first = await self._peek(connection)
            if first == TLS_HANDSHAKE:
                await self._pipe(*await self._start_tls(connection), Client(address, True))
            elif first and is_local(address, connection.getsockname()[0]):
                streams = await asyncio.open_connection(sock=connection)
                await self._pipe(*streams, Client(address, False))
            elif first:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    await self._redirect_to_https(connection)
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            # Disconnected, too slow, or no common TLS version: nobody receives an answer.
            pass

    async def _peek(self, connection: socket.socket) -> bytes:
        """Return the first byte without taking it."""
        readable = asyncio.Event()
        self._loop.add_reader(connection, readable.set)
        try:
            await readable.wait()
            return connection.recv(1, socket.MSG_PEEK)
        finally:
            self._loop.remove_reader(connection)

    async def _start_tls(
        self, connection: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader = asyncio.StreamReader(limit=BUFFER_BYTES, loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        transport, _ = await self._loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=self._context,
            ssl_handshake_timeout=CONNECT_TIMEOUT,
            ssl_shutdown_timeout=1.0,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, self._loop)

    async def _pipe(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, caller: Client
    ) -> None:
        if (task := asyncio.current_task()) is not None:
            self._unfinished.pop(task, None)
        inner = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        inner.setblocking(False)
        # Data that a slow client does not read must wait in waitress, which drops slow clients, and
        # not in this socket.
        inner.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER_BYTES)
        inner.bind((LOOPBACK, 0))
        port = inner.getsockname()[1]
        self._callers[port] = caller
        try:
            try:
                await self._loop.sock_connect(inner, self._backend)
                inner.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                upstream = await asyncio.open_connection(sock=inner)
            except BaseException:
                writer.transport.abort()
                raise
            await self._both_ways((reader, writer), upstream)
        finally:
            del self._callers[port]
            inner.close()

    async def _both_ways(
        self,
        outside: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        inside: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        """Copy bytes both ways until one of them ends; HTTP needs no half-closed connection."""
        ways = [
            self._loop.create_task(_copy(outside[0], inside[1])),
            self._loop.create_task(_copy(inside[0], outside[1])),
        ]
        writers = outside[1], inside[1]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            for writer in writers:
                writer.close()
            for writer in writers:
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
        except BaseException:
            # The proxy closes: wait for nothing. A transport that was closed twice has lost its
            # connection (Python 3.11) and cannot be aborted.
            for way in ways:
                way.cancel()
            for writer in writers:
                with contextlib.suppress(AttributeError):
                    writer.transport.abort()
            raise

    async def _redirect_to_https(self, connection: socket.socket) -> None:
        """Redirect a plain HTTP request from the network to the same page on https."""
        head = b""
        while b"\r\n\r\n" not in head and len(head) < MAX_HEADER_BYTES:
            more = await self._loop.sock_recv(connection, BUFFER_BYTES)
            head += more
            if not more or not is_http(head[:HTTP_START_BYTES]):
                return
        await self._loop.sock_sendall(connection, self._redirection(head))

    def _redirection(self, head: bytes) -> bytes:
        request, *lines = head.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        named = [
            line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")
        ]
        words = request.split(" ")
        path = words[1] if len(words) == 3 and words[1].startswith("/") else "/"
        if len(named) != 1 or named[0] not in self._names:
            return _empty_response("400 Bad Request")
        # Across a redirect a browser keeps the part after #, which has the join code.
        return _empty_response("308 Permanent Redirect", f"Location: https://{named[0]}{path}\r\n")


def _empty_response(status: str, more: str = "") -> bytes:
    head = f"HTTP/1.1 {status}\r\n{more}Cache-Control: no-store\r\n"
    return f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes in one direction until their end, or until one side is gone."""
    with contextlib.suppress(OSError):
        while piece := await reader.read(BUFFER_BYTES):
            writer.write(piece)
            await writer.drain()
