"""The addresses of this machine, best first for a phone in the room."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.server.http.network import (
    Interface,
    default_routes,
    own_addresses,
    read_interfaces,
    resolve_interfaces,
    sort_addresses,
)

LOOPBACK = Interface("lo", "127.0.0.1")
DOCKER = Interface("docker0", "172.17.0.1", ("veth1",))
VETH = Interface("veth1")
TUNNEL = Interface("wg0", "10.6.0.2", is_tunnel=True)
CARD = Interface("eth0", None, is_device=True)
ROUTES = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
eth0\t00000000\t0101A8C0\t0003\t0\t0\t300\t00000000\t0\t0\t0
tun0\t00000000\t01000A0A\t0003\t0\t0\t0\t00000080\t0\t0\t0
eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
"""
NAMESPACE = """\
set -e
ip link set lo up
ip link add docker0 type bridge
ip address add 172.17.0.1/16 dev docker0
ip link add veth1 type veth peer name veth2
ip link set veth1 master docker0
ip link add br0 type bridge
ip address add 192.168.178.30/24 dev br0
ip tuntap add tun0 mode tun
ip address add 10.6.0.2/24 dev tun0
ip tuntap add tap0 mode tap
ip address add 10.7.0.2/24 dev tap0
for each in docker0 veth1 veth2 br0 tun0 tap0; do ip link set $each up; done
ip route add default via 192.168.178.1 dev br0
mount -t sysfs none /sys
exec "$@"
"""
"""Makes a home server's interfaces, of which none is a network card, in a network namespace."""


@pytest.mark.parametrize(
    ("interfaces", "expected"),
    [
        pytest.param(
            [CARD, Interface("br0", "192.168.178.30", ("eth0",), metric=0)],
            "192.168.178.30",
            id="bridge",
        ),
        pytest.param(
            [CARD, Interface("br0", "192.168.178.30", ("eth0",))],
            "192.168.178.30",
            id="bridge without a router",
        ),
        pytest.param(
            [CARD, Interface("bond0", None, ("eth0",)), Interface("bond0.10", "192.168.10.3",
            ("bond0",))],
            "192.168.10.3",
            id="VLAN over a bond",
        ),
        pytest.param(
            [Interface("eth0", "192.168.9.9", is_device=True), Interface("wlan0", "192.168.1.4",
            is_device=True, metric=600)],
            "192.168.1.4",
            id="two cards, one with a router",
        ),
        pytest.param(
            [Interface("eth0", "192.168.9.9", is_device=True, metric=100), Interface("wlan0",
            "192.168.1.4", is_device=True, metric=600)],
            "192.168.9.9",
            id="two routers",
        ),
        pytest.param(
            [Interface("wlan0", "192.168.1.4", is_device=True), Interface("tun0", "10.8.0.2",
            is_tunnel=True, metric=0)],
            "192.168.1.4",
            id="all traffic in a tunnel",
        ),
        pytest.param(
            [Interface("wlan0", "10.42.0.1", is_device=True), Interface("wwan0", "100.70.1.2",
            is_device=True, is_tunnel=True, metric=700)],
            "10.42.0.1",
            id="own Wi-Fi beside a modem",
        ),
        pytest.param(
            [Interface("eth0", "169.254.7.7", is_device=True), Interface("wlan0", "192.168.1.4",
            is_device=True)],
            "192.168.1.4",
            id="cable without a router",
        ),
    ],
)  # fmt: skip
def test_a_phone_in_the_room_reaches_the_first_address(
    interfaces: list[Interface], expected: str
) -> None:
    """The first address is that of the home's network, whatever device has it; containers follow,
    then tunnels, and loopback is none.
    """
    addresses = sort_addresses([TUNNEL, DOCKER, VETH, LOOPBACK, *interfaces])

    assert expected == addresses[0]
    assert "127.0.0.1" not in addresses
    assert addresses.index("172.17.0.1") < addresses.index("10.6.0.2")


def test_a_container_s_or_tunnel_s_address_is_better_than_none() -> None:
    """Without another address, that of a container is named, and at last that of a tunnel."""
    assert ["172.17.0.1", "10.6.0.2"] == sort_addresses([TUNNEL, DOCKER, VETH, LOOPBACK, CARD])


def test_the_kernel_s_table_of_routes() -> None:
    """Each interface has its lowest metric; a route to a part of the internet is no default."""
    assert {"wlan0": 600, "eth0": 100} == default_routes(ROUTES)
    assert {} == default_routes("")


def test_this_machine_s_own_interfaces() -> None:
    """Loopback is an interface, and its address none of the machine's."""
    assert "lo" in [each.name for each in read_interfaces()]
    assert all(re.fullmatch(r"[\d.]+", each) for each in own_addresses())
    assert not [each for each in own_addresses() if each.startswith("127.")]


@pytest.mark.slow
def test_a_real_bridge_beside_a_container_and_tunnels(tmp_path: Path) -> None:
    """In a network namespace with real interfaces, the bridge of the home's network is the first,
    docker's comes next and the tunnels last.
    """
    read = "from companion.server.http.network import own_addresses; print(*own_addresses())"
    command = ["unshare", "-rnm", "sh", "-c", NAMESPACE, "sh", sys.executable, "-c", read]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if "unshare" in ended.stderr or "Operation not permitted" in ended.stderr:
        pytest.skip(f"no network namespace here: {ended.stderr}")

    assert "192.168.178.30 172.17.0.1 10.6.0.2 10.7.0.2\n" == ended.stdout, ended.stderr


def test_without_sysfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where sysfs cannot be read, the addresses are those that any system tells."""
    monkeypatch.setattr("companion.server.http.network.INTERFACES", tmp_path / "net")

    assert sort_addresses(resolve_interfaces()) == own_addresses()
