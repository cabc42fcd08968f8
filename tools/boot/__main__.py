"""The image is switched on in QEMU: `make boot [ARCH=arm64]`; `make image` builds it.

Prints a line for each check, with the seconds since power-on where that matters. Ends with 1 if one
does not hold. Pictures of the machine's screen are left in build/boot/ARCH. A processor that KVM
cannot run is imitated: then seconds mean little, and the ratio to the bare system's start more.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPException
from pathlib import Path
from random import Random

from playwright.sync_api import Error, Page

from hardware.checkout import CHECKOUT
from hardware.deb.__main__ import MACHINES
from hardware.image.builder import BUILD
from hardware.image.emulated import emulation, native
from hardware.image.root import DebianRoot
from tests.browser.conftest import HANDHELD, Screens
from tests.browser.phones.test_resume import lasting
from tests.helpers.chromium import chromium
from tests.helpers.ports import free_port
from tools.bench.played_table import Caller, GameTable, invitation
from tools.boot.machine import Machine, accelerator
from tools.boot.modules import build_gpio_sim
from tools.boot.peripherals import (
    BOARD_TIME,
    join_wifi,
    plug_board,
    press_panel,
    wifi_password,
)
from tools.boot.pi3 import start_pi3
from tools.boot.screen import shows_page

GOAL = 45
"""Seconds from power-on to a usable table on a Pi."""
GUEST = Path(__file__).parent / "guest"
DATA = "/var/lib/companion"
DISPLAY = 600
"""Seconds for a browser on an imitated processor to show the page."""
NO_DISPLAY = "systemd.mask=companion-kiosk.service"
"""The kernel's word for no display: an imitated processor is busy with drawing the game, and the
devices that are checked after it wait.
"""
BARE = f"systemd.mask=companion.service {NO_DISPLAY}"
"""The kernel's words for the same system without the table."""


class Report:
    """Prints a line for each check; `kept`: whether all held."""

    def __init__(self) -> None:
        self.kept = True

    def line(self, description: str, kept: bool, figure: str) -> None:
        """Print a check's line."""
        self.kept &= kept
        print(f"{'ok  ' if kept else 'NOT '} {description:<52} {figure}", flush=True)

    def check(self, description: str, run: Callable[[], tuple[bool, str]]) -> None:
        """Run a check and print its line, whatever its result."""
        try:
            self.line(description, *run())
        except (
            OSError,
            RuntimeError,
            AssertionError,
            ValueError,
            StopIteration,
            Error,
            HTTPException,
        ) as failed:
            self.line(description, False, f"{type(failed).__name__}: {str(failed)[:200]}")


def tools(arch: str, folder: Path) -> Path:
    """Make the folder that the machine gets as its second disk."""
    target = folder / "tools"
    shutil.copytree(GUEST, target)
    with emulation(arch) as words:
        root = DebianRoot(BUILD / arch / "builder", arch, words)
        shutil.copy(build_gpio_sim(root), target)
    return target


def start_bare(card: Machine, words: list[str]) -> tuple[float, str]:
    """Start another card of the image without the table; return the seconds until its start is
    complete, and the password of its own Wi-Fi.
    """
    started = card.power_on(words, BARE)
    card.wait_for_shell()
    card.run("systemctl is-system-running --wait")
    seconds = time.monotonic() - started
    password = wifi_password(card)
    card.pull_plug()
    return seconds, password


def wait_for_page(machine: Machine, started: float) -> tuple[bool, str]:
    """Wait until the table answers; return the seconds since power-on."""
    machine.until(lambda: machine.get("/healthz"), "the table's page")
    return True, f"after {time.monotonic() - started:.0f} s; goal on a Pi {GOAL} s"


def wait_for_display(machine: Machine, started: float) -> tuple[bool, str]:
    """Wait until the machine's own screen shows the table's page, and keep its picture."""
    picture = machine.folder / "display.png"
    machine.until(
        lambda: shows_page(machine.screenshot(picture)), "the display", 2, timeout=DISPLAY
    )
    return True, f"after {time.monotonic() - started:.0f} s; goal on a Pi {GOAL} s: {picture.name}"


def sit_down(machine: Machine, screens: Screens) -> tuple[GameTable, Page]:
    """Let a phone's page take a seat over the network, and begin a game."""
    machine.wait_for_shell()
    (machine.folder / "display-code").write_text(machine.run(f"cat {DATA}/display-code"))
    phone = screens.page(HANDHELD, is_phone=True)

    def join(display: Caller) -> None:
        phone.goto(f"http://127.0.0.1:{machine.port}/join#{invitation(display)}")
        phone.locator('[data-action="seat"][data-arg="H1"]').tap()
        phone.locator('[data-action="sit"]').tap()
        phone.wait_for_url("**/seat")

    game_table = GameTable(machine.port, machine.folder, 2, Random(1), join)
    return game_table, phone


def play_night(game_table: GameTable) -> tuple[bool, str]:
    """Play a night and half of a human's turn."""
    snapshot = game_table.to_humans()
    walk = next(action for action in snapshot["legal"] if action["type"] == "walk")
    game_table.display.request("submit", actions=[walk], seat=snapshot["to_move"])
    return True, f"{snapshot['to_move']} has walked, position {game_table.snapshot()['position']}"


def cut_power(
    machine: Machine, words: list[str], game_table: GameTable, phone: Page
) -> tuple[bool, str]:
    """Pull the plug in mid-turn and start again; return whether it is the same turn."""
    before = game_table.snapshot()
    machine.screenshot(machine.folder / "turn.png")
    machine.pull_plug()
    started = machine.power_on(words, NO_DISPLAY)
    _, figure = wait_for_page(machine, started)
    same = lasting(before) == lasting(machine.get("/snapshot"))
    phone.locator("#wait").wait_for(state="hidden")
    return same, f"position {before['position']}, {figure}"


def go_on(game_table: GameTable) -> tuple[bool, str]:
    """End the interrupted turn, and play the next night."""
    game_table.close()  # what it was connected to is gone; the next request connects again
    before = game_table.snapshot()
    game_table.display.request("submit", actions=[{"type": "end"}], seat=before["to_move"])
    after = game_table.to_humans()
    return after["position"] > before["position"], f"position {after['position']}"


def run_checks(machine: Machine, other: Machine, words: list[str], report: Report) -> None:
    """Run all checks on a machine that is off; `other` is one with another card of the image."""
    started = machine.power_on(words)
    report.check("power-on to the table's page", lambda: wait_for_page(machine, started))
    answers = time.monotonic() - started
    # Before anybody else uses the one code that pairs a display.
    report.check("the kiosk's display", lambda: wait_for_display(machine, started))
    with chromium() as browser, ExitStack() as stack:
        screens = Screens(browser)
        screens.may_lose_link = True
        stack.callback(screens.close)
        game_table, phone = sit_down(machine, screens)
        passwords = [wifi_password(machine)]
        stack.callback(game_table.close)
        report.line("a phone's page from outside takes a seat", True, phone.url)
        report.check("a night is played", lambda: play_night(game_table))
        report.check(
            "power cut in mid-turn: the same turn",
            lambda: cut_power(machine, words, game_table, phone),
        )
        report.check("the game goes on", lambda: go_on(game_table))
        machine.wait_for_shell()
        passwords.append(wifi_password(machine))
        machine.run("mkdir -p /run/tools; mount -o ro LABEL=tools /run/tools")
        report.check(
            "the own Wi-Fi is joined, with DHCP", lambda: join_wifi(machine, game_table.display)
        )
        report.check("button, lamp and piezo by lgpio", lambda: press_panel(machine, game_table))
        report.check(
            f"a board plugged in late is used within {BOARD_TIME} s", lambda: plug_board(machine)
        )
    machine.pull_plug()
    bare, password = start_bare(other, words)
    report.line(
        "each card draws a Wi-Fi's password at its first start",
        "" != passwords[0] == passwords[1] != password != "",
        f"{len(passwords[0])} characters; the same after the power cut, others on another card",
    )
    ratio = f"{answers:.0f} s / {bare:.0f} s = {answers / bare:.2f}, {words[1]}"
    report.line("the table's page beside the bare system's start", True, ratio)
    if machine.arch == "arm64":
        image = BUILD / machine.arch / "companion.img"
        report.check(
            "a Pi 3B, imitated: power-on to the table's page",
            lambda: start_pi3(image, machine.folder, machine.port),
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arch", choices=list(MACHINES), nargs="?", default=native())
    arch = parser.parse_args().arch
    image = BUILD / arch / "companion.img"
    if not image.exists():
        parser.error(f"there is no {image}: `make image ARCH={arch}`")
    folder = CHECKOUT / "build/boot" / arch
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # Ended by a signal, it ends the machine too.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    machine = Machine(image, arch, folder, free_port(), tools(arch, folder))
    (folder / "other").mkdir()
    other = Machine(image, arch, folder / "other", free_port())
    report = Report()
    try:
        run_checks(machine, other, accelerator(image, arch), report)
    finally:
        machine.pull_plug()
        other.pull_plug()
    return int(not report.kept)


if __name__ == "__main__":
    sys.exit(main())
