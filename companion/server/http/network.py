"""Find this machine's own addresses and names."""

from __future__ import annotations

import ipaddress
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from companion.platforms import ON_LINUX

INTERFACES = Path("/sys/class/net")
ROUTES = Path("/proc/net/route")
LOOPBACK = "127.0.0.1"
SIOCGIFADDR = 0x8915
POINT_TO_POINT = 0x10
"""The flag of an interface with a single other end (IFF_POINTOPOINT): a tunnel or a modem."""
ANYWHERE = "00000000"
"""Destination and mask of a default route in /proc/net/route."""
OUTSIDE = ("192.0.2.1", 9)
"""An address that no machine has (RFC 5737). No packet is sent to it."""


class Interface(Struct, frozen=True):
    """A network interface.

    address: its IPv4 address, None without one
    lower: the interfaces under it: a bridge's members, a VLAN's cable
    is_device: whether it is a network card
    is_tunnel: whether its other end is one machine or one program, never the room's network
    metric: that of its default route, None without one; the kernel takes the lowest
    """

    name: str
    address: str | None = None
    lower: tuple[str, ...] = ()
    is_device: bool = False
    is_tunnel: bool = False
    metric: int | None = None


def own_addresses() -> list[str]:
    """Return the IPv4 addresses of this machine without loopback, the room's network first."""
    # Some containers have no sysfs, and Android lets no program read it.
    readable = ON_LINUX and os.access(INTERFACES, os.R_OK)
    return sort_addresses(read_interfaces() if readable else resolve_interfaces())


def sort_addresses(interfaces: list[Interface]) -> list[str]:
    """Return the addresses of interfaces without loopback, in this order:

    that of the default route; those of network cards, and of bridges, bonds and VLANs over one;
    those of containers, which have no card under them; those of tunnels.
    """
    by_name = {each.name: each for each in interfaces}

    def has_device(interface: Interface) -> bool:
        return interface.is_device or any(
            has_device(by_name[name]) for name in interface.lower if name in by_name
        )

    def order(interface: Interface) -> tuple[bool | int | ipaddress.IPv4Address, ...]:
        ip = ipaddress.IPv4Address(interface.address or "0.0.0.0")
        return (
            interface.is_tunnel,
            interface.metric is None,
            interface.metric or 0,
            not has_device(interface),
            ip.is_link_local,
            not ip.is_private,
            ip,
        )

    return [
        each.address
        for each in sorted(interfaces, key=order)
        if each.address is not None and not ipaddress.IPv4Address(each.address).is_loopback
    ]


def read_interfaces() -> list[Interface]:
    """Return the network interfaces of this machine; raise OSError without a free descriptor.

    Linux alone has what this reads. The standard library queries the names by netlink, which the
    hardened service may not open.
    """
    routes = default_routes(_read(ROUTES))
    return [
        Interface(
            path.name,
            _address_of(path.name),
            tuple(below.name.removeprefix("lower_") for below in path.glob("lower_*")),
            (path / "device").exists(),
            (path / "tun_flags").exists()
            or bool(int(_read(path / "flags") or "0", 16) & POINT_TO_POINT),
            routes.get(path.name),
        )
        for path in sorted(INTERFACES.iterdir())
    ]


def resolve_interfaces() -> list[Interface]:
    """Return an interface for each address of this machine that any system tells: the one from
    which it would reach the internet, and those of its own name.
    """
    addresses: dict[str, int | None] = {}
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(OUTSIDE)
        addresses[probe.getsockname()[0]] = 0
    with suppress(OSError):
        for address in socket.gethostbyname_ex(socket.gethostname())[2]:
            addresses.setdefault(address, None)
    return [
        Interface(address, address, is_device=True, metric=metric)
        for address, metric in addresses.items()
    ]


def default_routes(table: str) -> dict[str, int]:
    """Return the lowest metric of each interface's default route, from /proc/net/route."""
    routes: dict[str, int] = {}
    for line in table.splitlines()[1:]:
        name, destination, _, _, _, _, metric, mask, *_ = line.split()
        if destination == mask == ANYWHERE:
            routes[name] = min(int(metric), routes.get(name, int(metric)))
    return routes


def host_name() -> str:
    """Return this machine's name without its domain."""
    return socket.gethostname().partition(".")[0].lower()


def is_local(address: str, reached: str) -> bool:
    """Return whether a client at `address`, which reached `reached`, is on this machine.

    A program that connects to one of the machine's addresses comes from the same one. From outside
    the kernel takes no packet that claims to come from an address of its own.
    """
    return address in (LOOPBACK, reached)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        # An interface may vanish at any moment.
        return ""


def _address_of(interface: str) -> str | None:
    import fcntl

    request = struct.pack("256s", interface.encode()[:15])
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            return socket.inet_ntoa(fcntl.ioctl(probe, SIOCGIFADDR, request)[20:24])
        except OSError:
            # An interface without an IPv4 address, such as a cable that is not plugged in.
            return None
