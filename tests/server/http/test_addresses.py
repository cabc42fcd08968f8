"""The addresses of the pages, and the names under which they may be opened."""

from __future__ import annotations

import errno
import socket

import pytest

from companion.server.http.addresses import OwnNames, TableAddresses, listen_failure

HOME = ["192.168.1.20", "10.42.0.1"]


def place(host: str, port: int = 8080, tls: bool = False) -> TableAddresses:
    return TableAddresses(host, port, tls, lambda: HOME)


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize(
    ("host", "local", "phones"),
    [
        ("0.0.0.0", "127.0.0.1", HOME),
        ("127.0.0.1", "127.0.0.1", []),
        ("127.0.0.2", "127.0.0.2", []),
        ("localhost", "127.0.0.1", []),
        ("192.168.1.20", "192.168.1.20", ["192.168.1.20"]),
        ("games.lan", "games.lan", ["games.lan"]),
    ],
)
def test_every_host_has_an_address_for_each_reader(
    host: str, local: str, phones: list[str], tls: bool
) -> None:
    """This machine's own programs connect where the server listens, and use plain http even with
    TLS; phones get the addresses that reach it, and none if only this machine does.
    """
    addresses = place(host, tls=tls)
    scheme = "https" if tls else "http"

    assert f"http://{local}:8080" == addresses.local
    assert phones == addresses.for_phones()
    assert addresses.is_local_only == (not phones)
    assert f"{scheme}://{(phones or [local])[0]}:8080/join" == addresses.page("join")
    assert f"{scheme}://10.42.0.1:8080/tiles" == addresses.page("tiles", "10.42.0.1")


def test_the_usual_port_is_left_out() -> None:
    """Ports 80 and 443 are left out: short addresses make small codes."""
    assert "http://192.168.1.20/join" == place("0.0.0.0", 80).page("join")
    assert "https://192.168.1.20/join" == place("0.0.0.0", 443, tls=True).page("join")
    assert "https://192.168.1.20:80/join" == place("0.0.0.0", 80, tls=True).page("join")


OURS = [
    "127.0.0.1", "127.0.0.1:8080", "192.168.1.20:8080", "[::1]:8080", "[::1]", "localhost",
    "LOCALHOST:8080", "pi", "pi:8080", "PI.local.", "pi.local:8080", "pi-2.local", "Pi-14.local.",
    "pi.home.arpa", "pi.internal", "games.lan", "Games.LAN:80", "a.club.example",
    "xn--bcher-kva.de",
]  # fmt: skip
FOREIGN = [
    "", "evil.example", "pi.evil.example", "pi.fritz.box", "pi.lan", "pi.home", "pi.localdomain",
    "pi-2", "pi-2.fritz.box", "pi-x.local", "other.local", "pi.local.evil.example", "club.example",
    "evil-pi.local", "localhost.evil.example", "games.lan.evil.example", "127.0.0.1.evil.example",
    "[::1%evil.example]", "1.2.3.4.5", "pi.local..",
]  # fmt: skip


@pytest.mark.parametrize("host", OURS)
def test_own_names_are_recognized(host: str) -> None:
    """Numbers, the machine's names, Avahi's next ones and those of the settings are ours, in any
    letters and with a final dot.
    """
    assert host in OwnNames(["games.lan", ".club.example", "Bücher.de"], lambda: "pi")


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_a_stranger_may_own_is_foreign(host: str) -> None:
    """A name in a domain of the public DNS, now or some day, is not ours unless the settings say
    so: its owner could lead a guest's browser here by it.
    """
    assert host not in OwnNames(["games.lan", ".club.example"], lambda: "pi")


def test_the_certificate_has_the_names() -> None:
    """A certificate has numbers, the machine's names, and those of the settings."""
    names = OwnNames(["games.lan"], lambda: "pi").certified(["192.168.1.20"])

    assert ["127.0.0.1", "localhost", "192.168.1.20", "pi", "pi.local", "games.lan"] == names


@pytest.mark.parametrize(
    ("failed", "code"),
    [
        (OSError(errno.EADDRINUSE, "Address already in use"), "listen_taken"),
        (OSError(errno.EADDRNOTAVAIL, "Cannot assign"), "listen_not_ours"),
        (PermissionError(errno.EACCES, "Permission denied"), "listen_forbidden"),
        (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "listen_unknown_name"),
        (OSError(socket.EAI_NONAME, "Name or service not known"), "listen_unknown_name"),
        (OSError(errno.EMFILE, "Too many open files"), "listen_failed"),
    ],
)
def test_another_program_is_blamed_for_a_taken_port_alone(failed: OSError, code: str) -> None:
    """Each reason why a server cannot listen has its own sentence."""
    message = listen_failure("h", 80, failed, "--sim-port")

    assert (code, "h", 80, "--sim-port") == (
        message.code,
        message.params["host"],
        message.params["port"],
        message.params["option"],
    )
