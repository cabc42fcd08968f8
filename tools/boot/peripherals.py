"""Simulated devices of a machine: a board, radios, and the panel's pins."""

from __future__ import annotations

import re
import time

from companion.installer.wifi import KEYFILE, SERVICE_FILE
from hardware.image.__main__ import FIRST_START
from tools.bench.played_table import Caller, GameTable
from tools.boot.machine import Machine

BOARD_TIME = 3
PLUGGED = r"(\d+) ms up \S+ instead of \S+, (\d+) tiles differ, position (\d+) and (\d+)"
"""What `guest/plugged.py` prints if the board is used."""
BUTTON, LAMP, PIEZO = 17, 27, 18
TRACE = "/sys/kernel/tracing"


def plug_board(machine: Machine) -> tuple[bool, str]:
    """Plug a board in beside two silent devices, in mid-game; return whether it was used in time,
    the differences are shown, and nothing was recorded.
    """
    figure = machine.run("sh /run/tools/board.sh").splitlines()[-1:]
    match = re.fullmatch(PLUGGED, figure[0]) if figure else None
    held = bool(
        match and int(match[1]) <= 1000 * BOARD_TIME and int(match[2]) and match[3] == match[4]
    )
    return held, " ".join(figure)


def wifi_password(machine: Machine) -> str:
    """Return the password of the machine's own Wi-Fi, "" unless NetworkManager reads the same one
    and the unit that drew it is disabled.
    """
    words = machine.run(
        f"systemctl show -P Result {FIRST_START}; systemctl is-enabled {FIRST_START}; "
        f"sed -n 's/^password = \"\\(.*\\)\"/\\1/p' /{SERVICE_FILE}; "
        f"sed -n 's/^psk=//p' /{KEYFILE}"
    ).split()
    password = words[-1:]
    return words[-1] if ["success", "disabled", *password, *password] == words else ""


def join_wifi(machine: Machine, display: Caller) -> tuple[bool, str]:
    """Let a station join the machine's own Wi-Fi; return whether it got an address and a page, and
    whether the display shows the password.
    """
    output = machine.run("sh /run/tools/wifi.sh")
    has_joined = "lease 10.7.7." in output and "answer 200" in output
    machine.until(lambda: displayed_password(display) == wifi_password(machine), "the display", 1)
    return has_joined, f"{' '.join(output.splitlines()[-3:])}, the display shows its password"


def displayed_password(display: Caller) -> str | None:
    """Return the Wi-Fi's password that the display shows beside its code to scan, None without."""
    password: str | None = display.request("way")["ways"][0].get("password")
    return password


def press_panel(machine: Machine, game_table: GameTable) -> tuple[bool, str]:
    """Press the button, read the lamp, and count the edges of the first tone on the piezo."""
    machine.run(f"echo 1 > {TRACE}/events/gpio/gpio_value/enable")
    lines = machine.run("sh /run/tools/panel.sh").splitlines()[-1]
    if not lines.startswith("/sys/devices/"):
        return False, lines
    machine.until(lambda: machine.get("/healthz"), "the table with its panel")
    machine.until(lambda: machine.run(f"cat {lines}/sim_gpio{LAMP}/value") == "1", "the lamp", 1)
    game_table.close()  # the table was restarted; the next request connects again
    edges = shoot(machine, game_table)
    before = game_table.snapshot()
    machine.run(
        f"echo pull-down > {lines}/sim_gpio{BUTTON}/pull; sleep 0.7; "
        f"echo pull-up > {lines}/sim_gpio{BUTTON}/pull"
    )
    time.sleep(5)
    after = game_table.snapshot()
    figure = (
        f"lamp lit, {edges} edges at the piezo after a shot, the button takes "
        f"{before['to_move']} to {after['to_move']}"
    )
    return edges > 0 and after["position"] > before["position"], figure


def shoot(machine: Machine, game_table: GameTable) -> int:
    """Let a human shoot; return how often the pins' outputs changed in the seconds after."""
    snapshot = game_table.to_humans()
    shot = next(action for action in snapshot["legal"] if action["type"] == "shoot")
    machine.run(f"echo > {TRACE}/trace")
    game_table.display.request("submit", actions=[shot], seat=snapshot["to_move"])
    time.sleep(10)
    return int(machine.run(f"grep -c gpio_value {TRACE}/trace"))
