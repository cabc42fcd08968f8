"""Every way to the table: its Wi-Fi and each of its addresses, for the display alone."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from companion.config import OWN_WIFI, SettingsError, WifiSettings, load
from companion.server.auth.join import qr_svg, wifi_code
from companion.server.sse import HEARTBEAT_SECONDS
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import GameTable

WIFI = WifiSettings("Table; by the window", "amber-fox-17")


@pytest.fixture
def game_table(tmp_path: Path) -> GameTable:
    """A table with a Wi-Fi and two addresses."""
    return GameTable(tmp_path, addresses=lambda: ["192.168.1.20", "10.42.0.1"], wifi=WIFI)


def test_the_display_shows_each_way(game_table: GameTable) -> None:
    """The Wi-Fi comes first; each address has its own code, with the key and letters that let a
    phone in.
    """
    display = game_table.display()
    replies = [display.request("way", index=index) for index in range(3)]
    key = game_table.display_fragment[:43]

    ways = [
        {"wifi": WIFI.name, "password": WIFI.password},
        {"address": "http://192.168.1.20:8080/join"},
        {"address": "http://10.42.0.1:8080/join"},
    ]
    codes = [
        wifi_code(WIFI),
        f"http://192.168.1.20:8080/join#{key}{game_table.code}",
        f"http://10.42.0.1:8080/join#{key}{game_table.code}",
    ]
    assert 3 == display.request("hello")["join"]["ways"]
    assert 3 * [ways] == [each["ways"] for each in replies]
    assert [qr_svg(code) for code in codes] == [each["svg"] for each in replies]
    assert 2 == display.request("way", index=9)["index"]


def test_the_password_is_for_the_display_alone(game_table: GameTable) -> None:
    """Guests and seated phones do not get the password: they are on the network already."""
    guest, (player,) = game_table.phone(), game_table.seated("H1")

    assert ["not_seated", "display_only"] == [
        phone.request("way")["code"] for phone in (guest, player)
    ]
    assert [] == [
        phone for phone in (guest, player) if WIFI.password in str(phone.request("hello"))
    ]


def test_the_machines_own_wifi_is_shown_while_it_is_open(tmp_path: Path) -> None:
    """The machine's own Wi-Fi is shown only while the machine has its address, which then comes
    before the others, and to the display alone.
    """
    own = WifiSettings("Table k7mq", "bcdfg-hjkmn-pqrst", "192.168.77.1")
    at_home, open_ = ["10.0.0.5"], ["10.0.0.5", "192.168.77.1"]
    links = at_home
    game_table = GameTable(tmp_path, addresses=lambda: links, wifi=own)
    display, (player,) = game_table.display(), game_table.seated("H1")
    closed = display.request("way"), display.request("hello")["join"]
    links = open_
    way, join = display.request("way"), display.request("hello")["join"]
    others = [
        str(phone.request(command))
        for phone in (game_table.phone(), player)
        for command in ("hello", "way")
    ]

    home, hotspot = ({"address": f"http://{address}:8080/join"} for address in open_)
    assert ([home], 1, home["address"]) == (
        closed[0]["ways"],
        closed[1]["ways"],
        closed[1]["address"],
    )
    assert own.password not in str(closed)
    assert [{"wifi": own.name, "password": own.password}, hotspot, home] == way["ways"]
    assert (3, hotspot["address"]) == (join["ways"], join["address"])
    assert [] == [text for text in others if own.password in text or own.name in text]


def test_a_network_that_comes_later_is_published(tmp_path: Path) -> None:
    """Within a heartbeat of a change of addresses, and once, screens fetch the joining address
    again; a look that fails is repeated with the next beat.
    """
    hosts: list[str] = []
    is_full = False

    def addresses() -> list[str]:
        if is_full:
            raise OSError(errno.EMFILE, "no descriptor is free")
        return hosts

    game_table = GameTable(tmp_path, addresses=addresses)
    display, version = game_table.display(), game_table.table.snapshot()["join_code_version"]
    assert isinstance(game_table.clock, SimulatedClock)
    alone = display.request("hello")["join"]["address"]
    game_table.clock.advance(HEARTBEAT_SECONDS)
    same = game_table.table.snapshot()["join_code_version"]
    hosts, is_full = ["192.168.1.20"], True
    game_table.clock.advance(HEARTBEAT_SECONDS)
    is_full = False
    game_table.clock.advance(HEARTBEAT_SECONDS)
    added = game_table.table.snapshot()["join_code_version"]
    game_table.clock.advance(2 * HEARTBEAT_SECONDS)

    present = game_table.table.snapshot()["join_code_version"]
    assert [version, version + 1, version + 1] == [same, added, present]
    assert ["http://127.0.0.1:8080/join", "http://192.168.1.20:8080/join"] == [
        alone,
        display.request("hello")["join"]["address"],
    ]


def test_a_households_wifi_goes_before_the_machines_own(tmp_path: Path) -> None:
    """The installation's own Wi-Fi counts if table.toml has none; a wrong word is named."""
    environment = {"CONFIGURATION_DIRECTORY": str(tmp_path), "HOME": str(tmp_path)}
    own, household = tmp_path / OWN_WIFI, tmp_path / "table.toml"
    own.write_text(
        '[wifi]\nname = "Table k7mq"\npassword = "bcdfg-hjkmn-pqrst"\naddress = "10.7.7.1"\n'
    )
    alone = load(environment=environment).wifi
    household.write_text('[wifi]\nname = "home"\n')
    both = load(environment=environment).wifi
    household.unlink()
    own.write_text('[wifi]\naddress = "here"\n')

    assert WifiSettings("Table k7mq", "bcdfg-hjkmn-pqrst", "10.7.7.1") == alone
    assert WifiSettings("home") == both
    with pytest.raises(SettingsError) as refused:
        load(environment=environment)
    assert f"{own}:2: wifi.address: " == refused.value.place


@pytest.mark.parametrize(
    ("wifi", "code"),
    [
        (WifiSettings("home", "12345678"), "WIFI:T:WPA;S:home;P:12345678;;"),
        (WifiSettings("café", ""), "WIFI:T:nopass;S:café;;"),
        (
            WifiSettings('a;b,c:d"e\\', "p;assword"),
            'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\;P:p\\;assword;;',
        ),
    ],
)
def test_what_the_camera_reads(wifi: WifiSettings, code: str) -> None:
    """Characters with a meaning in such a code are escaped."""
    assert code == wifi_code(wifi)


@pytest.mark.parametrize("password", ["short", "x" * 64])
def test_a_password_that_none_can_be(tmp_path: Path, password: str) -> None:
    """WPA takes 8 to 63 characters; another length is refused with its place."""
    path = tmp_path / "table.toml"
    path.write_text(f'[wifi]\nname = "home"\npassword = "{password}"\n')

    with pytest.raises(SettingsError) as refused:
        load(path)
    assert f"{path}:3: wifi.password: " == refused.value.place
    assert "settings_wifi_password" == refused.value.message.code
