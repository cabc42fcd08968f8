"""A table behind another program on the same machine that forwards requests, as nginx does."""

from __future__ import annotations

import http.client
import json
import re
import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.server.http.addresses import OwnNames
from companion.server.http.server import make_server
from tests.helpers.ended import end_server
from tests.server.client import BOXED, GameTable, Phone

SECONDS = 60
NAME, NUMBER = "table.example:18990", "192.168.1.20:18990"
"""Name, number and port under which browsers open the proxy."""
HOSTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "proxy_pass alone": (NAME, lambda port: f"127.0.0.1:{port}"),
    "$host": (NAME, lambda port: "table.example"),
    "$http_host": (NAME, lambda port: NAME),
    "$host of a number": (NUMBER, lambda port: "192.168.1.20"),
}
"""Where browsers open the proxy, and what nginx sends as Host, by its setting and the table's port.
"""


class Proxy(socketserver.ThreadingTCPServer):
    """Forward each request with another Host, over HTTP/1.0, without a header that tells it."""

    daemon_threads = True

    def __init__(self, port: int, host: str) -> None:
        super().__init__(("127.0.0.1", 0), Forward)
        self.table_port, self.host = port, host


class Forward(socketserver.StreamRequestHandler):
    """One request."""

    server: Proxy

    def handle(self) -> None:
        method, path, _ = self.rfile.readline().split(b" ")
        headers = http.client.parse_headers(self.rfile)
        body = self.rfile.read(int(headers.get("Content-Length", 0)))
        headers.replace_header("Host", self.server.host)
        headers["Connection"] = "close"
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        upstream = socket.create_connection(("127.0.0.1", self.server.table_port), SECONDS)
        with closing(upstream):
            upstream.sendall(b"%b %b HTTP/1.0\r\n%b\r\n" % (method, path, head.encode()) + body)
            while piece := upstream.recv(65536):
                self.wfile.write(piece)


class ProxiedTable:
    """A table on 127.0.0.1, and the port of a proxy in front."""

    def __init__(self, folder: Path, public: str, host: Callable[[int], str]) -> None:
        self.public = public
        self.clock = SystemClock()
        names = OwnNames(["table.example"], lambda: "pi")
        self.game_table = GameTable(folder, self.clock, names=names)
        self._server = make_server(self.game_table.app, "127.0.0.1", 0, threads=8)
        port = int(self._server.effective_port)
        self._proxy = Proxy(port, host(port))
        self._threads = [
            threading.Thread(target=each, daemon=True)
            for each in (self._server.run, self._proxy.serve_forever)
        ]
        for thread in self._threads:
            thread.start()

    def request(self, path: str, body: bytes | None = None, origin: str = "") -> tuple[int, bytes]:
        """Send a browser's request through the proxy; return status and body."""
        port = self._proxy.server_address[1]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        headers = {
            "Host": self.public,
            "Origin": origin or f"http://{self.public}",
            "Content-Type": BOXED,
        }
        with closing(connection):
            connection.request("GET" if body is None else "POST", path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()

    def close(self) -> None:
        self._proxy.shutdown()
        self._proxy.server_close()
        self.game_table.close()
        self._server.task_dispatcher.shutdown()
        end_server(self._server, self._threads[0], SECONDS)
        self.clock.close()
        self.game_table.context.executor.close()


@pytest.fixture(params=HOSTS, name="table")
def proxied_table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[ProxiedTable]:
    table = ProxiedTable(tmp_path, *HOSTS[request.param])
    yield table
    table.close()


def test_a_stranger_behind_a_proxy_gets_no_code(table: ProxiedTable) -> None:
    """The requests that a proxy forwards come from this machine and give nobody key or code."""
    invitation = json.loads(table.request("/join.json")[1])

    assert (None, invitation["address"]) == (invitation["code"], invitation["url"])
    assert not re.search(rb"#[\w-]{43}", table.request("/join.json")[1])


def test_a_page_behind_a_proxy_plays(table: ProxiedTable) -> None:
    """A page that the proxy serves may send requests; a foreign page may not."""
    phone: Phone = table.game_table.phone()
    message, _ = phone.seal({"id": phone.new_id(), "do": "hello"})

    status, reply = table.request("/channel", message)

    assert 200 == status
    assert phone.open(reply)["ok"]
    assert 403 == table.request("/channel", message, origin="http://evil.example")[0]
    assert 403 == table.request("/channel", message, origin="http://192.168.1.21:18990")[0]
