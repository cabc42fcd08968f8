"""Name the addresses of a server's pages, and recognize the names under which it is asked.

The one place that knows them: the health check, the display, phones, `doctor` and the join code
take them from here.
"""

from __future__ import annotations

import errno
import http.client
import ipaddress
import re
import socket
from collections.abc import Callable, Iterable

from companion.config import EVERY_ADDRESS, Settings
from companion.core.game import Message
from companion.server.http.network import LOOPBACK, host_name, own_addresses

SAFE_SUFFIXES = ("local", "home.arpa", "internal")
"""Domains in which nobody can register a name in the public DNS (RFC 6762, RFC 8375, ICANN 2024).

Routers also use .fritz.box, .lan, .home and others. A stranger may own, or get, such a name, and
lead a guest's browser by it to this machine (DNS rebinding).
"""


class TableAddresses:
    """The addresses of the pages of a server that listens on `host`, a name or an IPv4 address.

    tls: whether browsers of other machines use https
    interfaces: returns the addresses of this machine, the room's network first
    """

    def __init__(
        self,
        host: str = EVERY_ADDRESS,
        port: int = 8080,
        tls: bool = False,
        interfaces: Callable[[], list[str]] = own_addresses,
    ) -> None:
        self.host, self.port, self.tls = host, port, tls
        self._interfaces = interfaces

    @classmethod
    def of(
        cls, settings: Settings, interfaces: Callable[[], list[str]] = own_addresses
    ) -> TableAddresses:
        """Return the addresses of the table with these settings."""
        return cls(settings.host, settings.port, settings.tls, interfaces)

    @property
    def local_host(self) -> str:
        """The address to which this machine's own programs connect, by plain http even with TLS."""
        return LOOPBACK if self.host in (EVERY_ADDRESS, "localhost") else self.host

    @property
    def local(self) -> str:
        """The beginning of the pages' addresses for this machine's own browser."""
        return f"http://{self.local_host}:{self.port}"

    @property
    def is_local_only(self) -> bool:
        """Whether no other machine reaches the pages."""
        return self.host != EVERY_ADDRESS and is_loopback(self.local_host)

    def for_phones(self) -> list[str]:
        """Return the addresses at which other machines reach this one, the best first."""
        if self.is_local_only:
            return []
        return self._interfaces() if self.host == EVERY_ADDRESS else [self.host]

    def page(self, page: str, address: str | None = None) -> str:
        """Return a page's address for phones: at `address`, else at the best one.

        By number, because some phones resolve no names.
        """
        host = address or next(iter(self.for_phones()), self.local_host)
        scheme, usual = ("https", 443) if self.tls else ("http", 80)
        return f"{scheme}://{host}{'' if self.port == usual else f':{self.port}'}/{page}"


def table_answers(addresses: TableAddresses, timeout: float) -> bool:
    """Return whether a table answers there within `timeout` seconds of silence."""
    connection = http.client.HTTPConnection(addresses.local_host, addresses.port, timeout=timeout)
    try:
        connection.request("GET", "/healthz", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class OwnNames:
    """The names under which browsers may ask for the pages.

    more: further names of the settings; one that begins with a dot allows all names below it

    Any number is allowed. A page of a stranger can reach this machine by its own name only, and
    that name would be in the request (DNS rebinding).
    """

    def __init__(self, more: Iterable[str] = (), name: Callable[[], str] = host_name) -> None:
        self._more = [_ascii(each) for each in more]
        self._name = name

    def __contains__(self, host: str) -> bool:
        """Return whether `host`, the value of a Host header, is one of the names."""
        name = without_port(host)
        return is_address(name) or self.has_name(name)

    def has_name(self, name: str) -> bool:
        """Return whether a name without a port is one of this machine's; a number is none."""
        if name == "localhost" or name in self._more:
            return True
        if any(name.endswith(each) for each in self._more if each.startswith(".")):
            return True
        # Avahi adds a number where the name is taken, also by its own earlier announcement.
        first, _, domain = name.partition(".")
        own = re.fullmatch(rf"{re.escape(self._name())}(-[0-9]+)?", first)
        return own is not None and (domain in SAFE_SUFFIXES or name == self._name())

    def certified(self, addresses: Iterable[str]) -> list[str]:
        """Return the names and addresses for a certificate."""
        name = self._name()
        return list(
            dict.fromkeys([LOOPBACK, "localhost", *addresses, name, f"{name}.local", *self._more])
        )


def without_port(host: str) -> str:
    """Return the name in a Host header: in small letters, without port, brackets and final dot."""
    name = host.lower()
    if not name.endswith("]"):
        name = re.sub(r":[0-9]*$", "", name)
    return name.removeprefix("[").removesuffix("]").removesuffix(".")


def is_address(name: str) -> bool:
    """Return whether `name` is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    # After the sign there may be any text, which names an interface.
    return "%" not in name


def listen_failure(host: str, port: int, failed: OSError, option: str = "--port") -> Message:
    """Return why a server cannot listen on a host and a port; its advice has the code
    CODE_advice.

    option: the option of the command line that chooses the port
    """
    places: dict[str, str | int] = {"host": host, "port": port, "option": option}
    # The resolver's numbers are negative; `create_server` raises them as plain errors.
    if isinstance(failed, socket.gaierror) or (failed.errno or 0) < 0:
        return Message("listen_unknown_name", places)
    codes = {
        errno.EADDRNOTAVAIL: "listen_not_ours",
        errno.EADDRINUSE: "listen_taken",
        errno.EACCES: "listen_forbidden",
        errno.EPERM: "listen_forbidden",
    }
    why = failed.strerror or str(failed)
    return Message(codes.get(failed.errno or 0, "listen_failed"), places | {"why": why})


def is_loopback(name: str) -> bool:
    """Return whether `name` is an address at which a machine reaches itself alone."""
    return is_address(name) and ipaddress.ip_address(name).is_loopback


def _ascii(name: str) -> str:
    """Return a name as browsers send it."""
    labels = name.lower().removesuffix(".").split(".")
    return ".".join(label.encode("idna").decode("ascii") if label else "" for label in labels)
