"""Every way to the table: its Wi-Fi and each of its addresses, for the display alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import SettingsError, WifiSettings, load
from companion.server.join import qr_svg
from companion.server.ways import wifi_code
from tests.server.phone import Evening

WIFI = WifiSettings("Table; by the window", "amber-fox-17")


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """A table with a Wi-Fi and two addresses."""
    return Evening(tmp_path, addresses=lambda: ["192.168.1.20", "10.42.0.1"], wifi=WIFI)


def test_the_display_shows_each_way(evening: Evening) -> None:
    """The Wi-Fi comes first; each address has a code of its own, with what lets a phone in."""
    display = evening.display()
    told = [display.ask("way", index=index) for index in range(3)]
    key = evening.display_fragment[:43]

    shown = [
        {"wifi": WIFI.name, "password": WIFI.password},
        {"address": "http://192.168.1.20:8080/join"},
        {"address": "http://10.42.0.1:8080/join"},
    ]
    codes = [
        wifi_code(WIFI),
        f"http://192.168.1.20:8080/join#{key}{evening.code}",
        f"http://10.42.0.1:8080/join#{key}{evening.code}",
    ]
    assert 3 == display.ask("hello")["join"]["ways"]
    assert 3 * [shown] == [each["ways"] for each in told]
    assert [qr_svg(code) for code in codes] == [each["svg"] for each in told]
    assert 2 == display.ask("way", index=9)["index"]


def test_the_password_is_for_the_display_alone(evening: Evening) -> None:
    """Neither a guest nor who sits at the table is told it: he is on the network already."""
    guest, (player,) = evening.phone(), evening.seated("H1")

    assert ["not_seated", "display_only"] == [phone.ask("way")["code"] for phone in (guest, player)]
    assert [] == [phone for phone in (guest, player) if WIFI.password in str(phone.ask("hello"))]


@pytest.mark.parametrize(
    ("wifi", "code"),
    [
        (WifiSettings("home", "12345678"), "WIFI:T:WPA;S:home;P:12345678;;"),
        (WifiSettings("café", ""), "WIFI:T:nopass;S:café;;"),
        (WifiSettings('a;b,c:d"e\\', "p;assword"), 'WIFI:T:WPA;S:a\\;b\\,c\\:d\\"e\\\\;P:p\\;assword;;'),
    ],
)
def test_what_the_camera_reads(wifi: WifiSettings, code: str) -> None:
    """Signs that mean something in such a code are marked."""
    assert code == wifi_code(wifi)


@pytest.mark.parametrize("password", ["short", "x" * 64])
def test_a_password_that_none_can_be(tmp_path: Path, password: str) -> None:
    """WPA takes 8 to 63 characters; another length is refused with its place."""
    path = tmp_path / "table.toml"
    path.write_text(f'[wifi]\nname = "home"\npassword = "{password}"\n')

    with pytest.raises(SettingsError) as refused:
        load(path)
    assert ("settings_value", "wifi.password") == (refused.value.said.code, refused.value.said.params["key"])
