"""https: a real TLS connection from the network, with the table's own certificate, and the caller's
address.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import socket
import ssl
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.clock import SystemClock
from companion.server.http import tls_proxy as tls_proxy_module
from companion.server.http.certificate import Certificate, CertificateUnreadable
from companion.server.http.limits import LOCAL_CONNECTIONS
from companion.server.http.server import make_server
from tests.helpers.ended import end_server
from tests.server.client import BOXED, GameTable, Json, Phone

SECONDS = 60.0
HOSTS = ("127.0.0.1", "localhost", "192.168.1.20", "pi.local")
NEIGHBOUR = "127.0.0.7"
"""A loopback address from which connections come that the table does not take for its own
machine's.
"""
FOLLOW = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Reply:
    """A whole answer."""

    def __init__(self, answer: http.client.HTTPResponse) -> None:
        self.status, self.head, self.body = answer.status, dict(answer.getheaders()), answer.read()

    @property
    def json(self) -> Json:
        value: Json = json.loads(self.body)
        return value


class TlsTable:
    """A table behind its TLS proxy, on a free port."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        folder.mkdir()
        self.host = host
        self.certificate = Certificate(folder, HOSTS)
        self.trusting = ssl.create_default_context(cafile=str(folder / "tls.pem"))
        """The trust of a browser whose owner compared the fingerprint: this certificate and no
        other.
        """
        self.game_table = GameTable(folder, SystemClock(), fingerprint=self.certificate.fingerprint)
        self.server = make_server(
            self.game_table.app, host, 0, threads=24, certificate=self.certificate
        )
        self._thread = threading.Thread(target=self.server.run, daemon=True)
        self._thread.start()

    def connect(self, source: str = NEIGHBOUR, tls: bool = True) -> socket.socket:
        """Return a connection from an address."""
        raw = socket.create_connection(
            (self.host, self.server.port), SECONDS, source_address=(source, 0)
        )
        return self.trusting.wrap_socket(raw, server_hostname="127.0.0.1") if tls else raw

    def request(
        self,
        path: str,
        body: bytes | None = None,
        source: str = NEIGHBOUR,
        tls: bool = True,
        head: dict[str, str] | None = None,
    ) -> Reply:
        """Request a path, or post a body there."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.port)) as connection:
            connection.sock = self.connect(source, tls)
            kind = {} if body is None else {"Content-Type": BOXED}
            connection.request("GET" if body is None else "POST", path, body, kind | (head or {}))
            return Reply(connection.getresponse())

    def request_as(self, phone: Phone, source: str, do: str, **arguments: object) -> Json:
        """Request in a phone's box."""
        message, _ = phone.seal({"id": phone.new_id(), "do": do, **arguments})
        return phone.open(self.request("/channel", message, source).body)

    def close(self) -> None:
        """End the streams, then the server and all of its threads."""
        self.game_table.table.journal.broadcaster.close()
        self.server.task_dispatcher.shutdown()
        end_server(self.server, self._thread, SECONDS)
        self.game_table.close()


@pytest.fixture
def tls_table(tmp_path: Path) -> Iterator[TlsTable]:
    tls_table = TlsTable(tmp_path / "data")
    yield tls_table
    tls_table.close()


def until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds."""
    limit = time.monotonic() + SECONDS
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.02)


def is_empty(tls_table: TlsTable) -> bool:
    """Publish an event; return whether no subscriber is left."""
    tls_table.game_table.table.lobby.propose({"players": 3})
    return len(tls_table.game_table.context.stream_slots) == 0


def test_the_network_is_answered_on_https(tls_table: TlsTable) -> None:
    """The network is answered with TLS 1.2 or newer, and by the certificate that the display
    names.
    """
    join = tls_table.request("/join.json").json

    assert (tls_table.certificate.fingerprint, "https://192.168.1.20:8080/join") == (
        join["fingerprint"],
        join["address"],
    )
    with closing(tls_table.connect()) as connection:
        assert isinstance(connection, ssl.SSLSocket)
        assert connection.version() in ("TLSv1.2", "TLSv1.3")
        der = connection.getpeercert(binary_form=True)
        assert der is not None
        assert hashlib.sha256(der).digest().hex(":").upper() == join["fingerprint"]


def test_openssl_reads_the_certificate_alike(tls_table: TlsTable) -> None:
    """OpenSSL prints the same fingerprint, a curve of 256 bits, the dates and the names."""
    words = [
        "openssl",
        "x509",
        "-in",
        str(tls_table.game_table.folder / "tls.pem"),
        "-noout",
        "-text",
        "-fingerprint",
    ]
    printed = subprocess.run([*words, "-sha256"], check=True, capture_output=True, text=True).stdout

    assert f"={tls_table.certificate.fingerprint}\n" in printed
    for part in (
        "prime256v1",
        "Jun 30 00:00:00 2019 GMT",
        "Dec 31 23:59:59 2049 GMT",
        "DNS:pi.local",
        "CA:FALSE",
    ):
        assert part in printed
    assert "IP Address:192.168.1.20" in printed
    assert "TLS Web Server Authentication" in printed


def test_plain_http_from_the_network_is_shown_the_way(tls_table: TlsTable) -> None:
    """Plain http is only redirected to the same page over https; for a foreign name not even
    that.
    """
    response = tls_table.request("/join?x=1", tls=False, head={"Host": "192.168.1.20:8080"})

    assert (308, "https://192.168.1.20:8080/join?x=1", b"") == (
        response.status,
        response.head["Location"],
        response.body,
    )
    assert 400 == tls_table.request("/", tls=False, head={"Host": "evil.example"}).status


@pytest.mark.parametrize("tls", [False, True])
def test_this_machine_may_speak_plainly(tls_table: TlsTable, tls: bool) -> None:
    """This machine's display has no warning to click away, and may use TLS too."""
    assert 200 == tls_table.request("/healthz", source="127.0.0.1", tls=tls).status


def test_this_machine_comes_from_its_own_address(tmp_path: Path) -> None:
    """A table that listens on one address of the machine takes a program that comes from it for the
    machine's own, as the health check and the display do; others are redirected.
    """
    tls_table = TlsTable(tmp_path / "data", NEIGHBOUR)
    answers = [
        tls_table.request("/healthz", source=source, tls=False, head={"Host": "localhost"}).status
        for source in (NEIGHBOUR, "127.0.0.1", "127.0.0.8")
    ]
    tls_table.close()

    assert [200, 200, 308] == answers


def test_the_door_behind_the_front_is_shut(tls_table: TlsTable) -> None:
    """Waitress answers no connection that the proxy did not open."""
    with closing(
        http.client.HTTPConnection(
            "127.0.0.1", int(tls_table.server.effective_port), timeout=SECONDS
        )
    ) as behind:
        behind.request("GET", "/join.json")
        assert 403 == behind.getresponse().status


def test_guesses_are_counted_by_address(tls_table: TlsTable) -> None:
    """One caller's wrong codes delay no other caller, behind TLS too."""
    thief, friend = tls_table.game_table.phone(), tls_table.game_table.phone()
    wrong = "BBBB" if tls_table.game_table.code != "BBBB" else "CCCC"

    codes = [
        tls_table.request_as(thief, "127.0.0.66", "admit", code=wrong)["code"] for _ in range(6)
    ]

    assert (["wrong_code"] * 5, "too_many_codes") == (codes[:5], codes[5])
    code = tls_table.game_table.code
    assert tls_table.request_as(friend, "127.0.0.67", "admit", code=code)["ok"]


@pytest.mark.slow
def test_streams_are_counted_by_address(tls_table: TlsTable) -> None:
    """One address gets sixteen streams; another's are counted separately, and each is free again
    when its phone leaves.
    """
    limit = tls_table.game_table.settings.limits.per_address
    with ExitStack() as stack:
        heads = []
        for source in [NEIGHBOUR] * (limit + 1) + ["127.0.0.8"]:
            connection = stack.enter_context(closing(tls_table.connect(source)))
            connection.sendall(FOLLOW)
            heads.append(connection.recv(12))

    assert [b"HTTP/1.1 200"] * limit + [b"HTTP/1.1 503", b"HTTP/1.1 200"] == heads
    # A closed connection is noticed at the next write to it.
    until(lambda: is_empty(tls_table))


def test_a_stream_brings_what_happens(tls_table: TlsTable) -> None:
    """A listener receives an update without waiting for more."""
    with closing(tls_table.connect()) as connection:
        connection.sendall(FOLLOW)
        lines = connection.makefile("rb")
        while not lines.readline().startswith(b"data:"):
            pass
        tls_table.game_table.table.lobby.propose({"players": 4})
        while b'"players":4' not in lines.readline():
            pass


@pytest.mark.parametrize("origin", ["http://localhost", "https://evil.example", "null"])
def test_a_page_that_did_not_come_over_tls_may_ask_nothing(
    tls_table: TlsTable, origin: str
) -> None:
    """Over plain http the same name may belong to anybody; the table's own page over https may make
    requests.
    """
    message, _ = tls_table.game_table.phone().seal({"id": "0" * 32, "do": "hello"})

    assert (
        403
        == tls_table.request(
            "/channel", message, head={"Host": "localhost", "Origin": origin}
        ).status
    )
    assert (
        200
        == tls_table.request(
            "/channel", message, head={"Host": "localhost", "Origin": "https://localhost"}
        ).status
    )


def test_foreign_names_and_headers_are_as_on_plain_http(tls_table: TlsTable) -> None:
    """Host check, policy and the rest do not depend on the transport."""
    assert 400 == tls_table.request("/join", head={"Host": "evil.example"}).status
    response = tls_table.request("/join")
    assert response.head["Content-Security-Policy"].startswith(
        "default-src 'none'; script-src 'self'"
    )
    assert ("no-referrer", "no-store") == (
        response.head["Referrer-Policy"],
        response.head["Cache-Control"],
    )


def test_a_silent_connection_is_closed(
    tls_table: TlsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silent connections are closed, before a byte or in a handshake; others are answered."""
    monkeypatch.setattr(tls_proxy_module, "CONNECT_TIMEOUT", 0.5)
    with (
        closing(tls_table.connect(tls=False)) as silent,
        closing(tls_table.connect(tls=False)) as stuck,
    ):
        stuck.sendall(b"\x16\x03\x01\x02\x00")
        assert b"" == silent.recv(1)
        assert b"" == stuck.recv(1)
    monkeypatch.undo()

    assert 200 == tls_table.request("/healthz").status


def test_one_address_cannot_take_all_connections(
    tls_table: TlsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond its number an address's connections are closed, unless one of them has no handshake
    yet, whose place they take; other addresses, and this machine, are served.
    """
    monkeypatch.setattr(tls_proxy_module, "MAX_PER_ADDRESS", 3)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(closing(tls_table.connect()))
        silent = stack.enter_context(closing(tls_table.connect(tls=False)))
        stack.enter_context(closing(tls_table.connect()))
        assert b"" == silent.recv(1)
        with closing(tls_table.connect(tls=False)) as fourth:
            assert b"" == fourth.recv(1)
        assert 200 == tls_table.request("/healthz", source="127.0.0.9").status
        for _ in range(4):
            stack.enter_context(closing(tls_table.connect("127.0.0.1", tls=False)))
        assert 200 == tls_table.request("/healthz", source="127.0.0.1", tls=False).status


def test_silent_connections_make_room(tls_table: TlsTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """When all connections are taken, a new one takes the place of the oldest one without a
    handshake.
    """
    monkeypatch.setattr(tls_table.server._front, "_connections", LOCAL_CONNECTIONS + 3)
    with ExitStack() as stack:
        silent = [
            stack.enter_context(closing(tls_table.connect(source, tls=False)))
            for source in ("127.0.0.8", NEIGHBOUR, NEIGHBOUR)
        ]
        assert 200 == tls_table.request("/healthz", source="127.0.0.9").status
        assert b"" == silent[1].recv(1)
        assert 200 == tls_table.request("/healthz", source="127.0.0.1").status


def test_another_protocol_gets_no_answer(
    tls_table: TlsTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is neither TLS nor HTTP is closed at once."""
    monkeypatch.setattr(tls_proxy_module, "CONNECT_TIMEOUT", 10 * SECONDS)
    with closing(tls_table.connect(tls=False)) as other:
        other.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
        assert b"" == other.recv(1)


def test_what_is_long_goes_through_whole(tls_table: TlsTable) -> None:
    """A script arrives over TLS as it does without; a body beyond the limit is refused as such."""
    script = tls_table.request("/static/core/vendor/nacl-box.min.js").body

    assert (
        script
        == tls_table.request(
            "/static/core/vendor/nacl-box.min.js", source="127.0.0.1", tls=False
        ).body
    )
    assert 400 == tls_table.request("/channel", b"x" * 60_000).status


def test_the_certificate_stays_and_is_private(tmp_path: Path) -> None:
    """Phones that accepted the certificate see the same one after a restart, also under new
    addresses.
    """
    first = Certificate(tmp_path, HOSTS)

    assert first.fingerprint == Certificate(tmp_path, ("10.0.0.7",)).fingerprint
    assert 0o600 == stat.S_IMODE((tmp_path / "tls.pem").stat().st_mode)


def test_a_broken_certificate_is_named_and_kept(tmp_path: Path) -> None:
    """A broken certificate is kept, and the sentence names the file."""
    (tmp_path / "tls.pem").write_text("nonsense")

    with pytest.raises(CertificateUnreadable, match=r"tls\.pem"):
        Certificate(tmp_path, HOSTS)
    assert "nonsense" == (tmp_path / "tls.pem").read_text()
