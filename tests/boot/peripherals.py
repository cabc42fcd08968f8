"""Devices of a machine that are imitated inside it: a board, radios, and the panel's pins."""

from __future__ import annotations

import re
import time

from tests.bench.evening import Evening
from tests.boot.machine import Machine

BOARD_TIME = 3
BUTTON, LAMP, PIEZO = 17, 27, 18
TRACE = "/sys/kernel/tracing"


def plug_board(machine: Machine) -> tuple[bool, str]:
    """Plug a board in beside two silent devices; return whether it was used in time."""
    said = machine.run("sh /run/tools/board.sh").splitlines()
    found = re.fullmatch(r"(\d+) ms (\w+) (\S+)", said[-1] if said else "")
    kept = bool(found and found[2] == "up" and int(found[1]) <= 1000 * BOARD_TIME)
    return kept, " ".join(said[-3:])


def join_wifi(machine: Machine) -> tuple[bool, str]:
    """Let a station join the machine's own Wi-Fi; return whether it got an address and a page."""
    said = machine.run("sh /run/tools/wifi.sh")
    return "lease 10.7.7." in said and "answer 200" in said, " ".join(said.splitlines()[-3:])


def press_panel(machine: Machine, evening: Evening) -> tuple[bool, str]:
    """Press the button, read the lamp, and count the edges that a shot makes on the piezo."""
    lines = machine.run("sh /run/tools/panel.sh").splitlines()[-1]
    if not lines.startswith("/sys/devices/"):
        return False, lines
    machine.until(lambda: machine.get("/healthz"), "the table with its panel")
    machine.until(lambda: machine.run(f"cat {lines}/sim_gpio{LAMP}/value") == "1", "the lamp", 1)
    shooter = evening.to_humans()
    edges = shoot(machine, evening, lines)
    before = evening.to_humans()
    machine.run(
        f"echo pull-down > {lines}/sim_gpio{BUTTON}/pull; sleep 0.5; "
        f"echo pull-up > {lines}/sim_gpio{BUTTON}/pull"
    )
    machine.until(lambda: evening.picture()["to_move"] != before["to_move"], "the button's turn", 1)
    pressed = evening.picture()["to_move"]
    figure = f"lamp 1, {edges} edges at the piezo, the button ends {before['to_move']}'s turn"
    return edges > 0 and pressed != shooter, figure


def shoot(machine: Machine, evening: Evening, lines: str) -> int:
    """Let a human shoot; return how often the piezo's line changed in the seconds after."""
    picture = evening.to_humans()
    while "shoot" not in {action["type"] for action in picture["legal"]}:
        evening.step(picture)
        picture = evening.to_humans()
    shot = next(action for action in picture["legal"] if action["type"] == "shoot")
    machine.run(f"echo > {TRACE}/trace; echo 1 > {TRACE}/events/gpio/gpio_value/enable")
    evening.display.ask("submit", actions=[shot], seat=picture["to_move"])
    time.sleep(10)
    return int(machine.run(f"grep -c 'set' {TRACE}/trace"))
