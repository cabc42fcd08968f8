"""Find the machine's own addresses and names, for the join code and the host check."""

from __future__ import annotations

import fcntl
import ipaddress
import socket
import struct
from collections.abc import Iterable
from pathlib import Path

INTERFACES = Path("/sys/class/net")
SIOCGIFADDR = 0x8915
LOOPBACK = ("127.0.0.1", "localhost")


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine without loopback.

    Addresses of physical devices come first, among them those of a home network. Others are a
    container's or a tunnel's, which no phone reaches.
    """
    found = {address: _is_device(name) for name in _interfaces() if (address := _address_of(name))}
    outside = [address for address in found if not _ip(address).is_loopback]
    return sorted(outside, key=lambda a: (not found[a], not _ip(a).is_private, _ip(a)))


def reachable_addresses(host: str) -> list[str]:
    """Return the addresses at which other machines reach a server that listens on `host`."""
    if host in LOOPBACK:
        return []
    return own_addresses() if host == "0.0.0.0" else [host]


def host_name() -> str:
    """Return this machine's name without its domain."""
    return socket.gethostname().partition(".")[0].lower()


def trusted_hosts(addresses: Iterable[str], name: str, more: Iterable[str] = ()) -> list[str]:
    """Return the allowed host names of requests; any other (DNS rebinding) gets 400."""
    return list(dict.fromkeys([*LOOPBACK, *addresses, name, f"{name}.local", *more]))


def is_local(address: str) -> bool:
    """Return whether a request from `address` came from this machine."""
    return address in ("127.0.0.1", "::1")


def _interfaces() -> list[str]:
    """Return the names of the network interfaces.

    The standard library queries them by netlink, which the hardened service may not open.
    """
    if INTERFACES.is_dir():
        return sorted(path.name for path in INTERFACES.iterdir())
    return [name for _, name in socket.if_nameindex()]


def _is_device(interface: str) -> bool:
    return (INTERFACES / interface / "device").exists()


def _address_of(interface: str) -> str | None:
    request = struct.pack("256s", interface.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            return socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, request)[20:24])
        except OSError:
            # An interface without an IPv4 address, such as a cable that is not plugged in.
            return None


def _ip(address: str) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(address)
