"""The image is switched on in QEMU: `make boot [ARCH=arm64]`; `make image` builds it.

Prints a line for each check, with the seconds since power-on where that matters. Ends with 1 if one
does not hold. Pictures of the machine's screen are left in build/boot/ARCH. A processor that KVM
cannot run is imitated: then seconds mean little, and the ratio to the bare system's start more.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from random import Random

from playwright.sync_api import sync_playwright

from hardware.image.emulated import emulation, native
from hardware.image.package import ARCHITECTURES, BUILD, CHECKOUT
from hardware.image.root import DebianRoot
from tests.bench.evening import Evening
from tests.boot.machine import Machine, accelerator
from tests.boot.modules import build_gpio_sim
from tests.boot.peripherals import BOARD_TIME, join_wifi, plug_board, press_panel
from tests.boot.screen import shows_page
from tests.browser.conftest import HANDHELD, Screens
from tests.browser.phones.test_resume import lasting
from tests.conftest import ARGUMENTS, CHROMIUM
from tests.helpers.ports import free_port

GOAL = 45
"""Seconds from power-on to a usable table on a Pi."""
GUEST = Path(__file__).parent / "guest"
DATA = "/var/lib/companion"
BARE = "systemd.mask=companion.service systemd.mask=companion-kiosk.service"
"""The kernel's words for the same system without the table."""


class Report:
    """Prints a line for each check; `kept`: whether all held."""

    def __init__(self) -> None:
        self.kept = True

    def line(self, what: str, kept: bool, figure: str) -> None:
        """Print a check's line."""
        self.kept &= kept
        print(f"{'ok  ' if kept else 'NOT '} {what:<52} {figure}", flush=True)

    def check(self, what: str, run: Callable[[], tuple[bool, str]]) -> None:
        """Run a check and print its line, whatever becomes of it."""
        try:
            self.line(what, *run())
        except (OSError, RuntimeError, AssertionError, ValueError) as failed:
            self.line(what, False, f"{type(failed).__name__}: {str(failed)[:200]}")


def tools(arch: str, folder: Path) -> Path:
    """Make the folder that the machine gets as its second disk."""
    target = folder / "tools"
    shutil.copytree(GUEST, target)
    with emulation(arch) as words:
        root = DebianRoot(BUILD / arch / "builder", arch, words)
        shutil.copy(build_gpio_sim(root), target)
    return target


def start_bare(machine: Machine, words: list[str]) -> float:
    """Start the system without the table; return the seconds until all that it starts has."""
    begun = machine.power_on(words, BARE)
    machine.wait_for_shell()
    machine.run("systemctl is-system-running --wait")
    seconds = time.monotonic() - begun
    machine.pull_plug()
    return seconds


def wait_for_page(machine: Machine, begun: float, bare: float, name: str) -> tuple[bool, str]:
    """Wait until the table answers and the machine's own screen shows its page."""
    machine.until(lambda: machine.get("/healthz"), "the table's page")
    answers = time.monotonic() - begun
    picture = machine.folder / f"{name}.png"
    machine.until(lambda: shows_page(machine.screenshot(picture)), "the display", 1)
    shown = time.monotonic() - begun
    ratio = f"{answers / bare:.2f} and {shown / bare:.2f} of the bare system's {bare:.0f} s"
    return (
        True,
        f"answers after {answers:.0f} s, display after {shown:.0f} s: {ratio}; goal {GOAL} s",
    )


def play_and_cut(
    machine: Machine, words: list[str], bare: float, screens: Screens, report: Report
) -> Evening:
    """Join, play a night, pull the plug in mid-turn, start again, and go on; return the evening."""
    machine.wait_for_shell()
    (machine.folder / "display-code").write_text(machine.run(f"cat {DATA}/display-code"))
    evening = Evening(machine.port, machine.folder, 2, Random(1))
    phone = screens.page(HANDHELD, is_phone=True)
    invitation = evening.display.get("/join.json")["url"].partition("#")[2]
    phone.goto(f"http://127.0.0.1:{machine.port}/join#{invitation}")
    phone.locator('[data-action="seat-H1"]').tap()
    phone.wait_for_url("**/seat")
    report.line("a phone's page from outside takes a seat", True, phone.url)
    picture = evening.to_humans()
    report.line("a night is played", True, f"{picture['to_move']} to move")
    walk = next(action for action in picture["legal"] if action["type"] == "walk")
    evening.display.ask("submit", actions=[walk], seat=picture["to_move"])
    before = evening.picture()
    evening.close()
    machine.pull_plug()
    begun = machine.power_on(words)
    report.check(
        "started again: the table and its display",
        lambda: wait_for_page(machine, begun, bare, "display-again"),
    )
    same = lasting(before) == lasting(machine.get("/picture"))
    report.line("power cut in mid-turn: the same turn", same, f"position {before['position']}")
    phone.locator("#wait").wait_for(state="hidden")
    machine.wait_for_shell()
    (machine.folder / "display-code").write_text(machine.run(f"cat {DATA}/display-code"))
    return evening


def go_on(evening: Evening) -> tuple[bool, str]:
    """End the turn that was cut, by the connections that were there before."""
    before = evening.picture()
    ending = next(action for action in before["legal"] if action["type"] == "end_turn")
    evening.display.ask("submit", actions=[ending], seat=before["to_move"])
    after = evening.picture()
    return after["position"] > before["position"], f"position {after['position']}"


def run_checks(machine: Machine, words: list[str], report: Report) -> None:
    """Run everything on a machine that is off."""
    machine.folder.joinpath("accelerator").write_text(" ".join(words))
    bare = start_bare(machine, words)
    report.line("the bare system starts", True, f"{bare:.0f} s, {words[1]}")
    begun = machine.power_on(words)
    report.check(
        "power-on to the table and its display",
        lambda: wait_for_page(machine, begun, bare, "display"),
    )
    with sync_playwright() as playwright, ExitStack() as stack:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        stack.callback(browser.close)
        screens = Screens(browser)
        screens.may_lose_link = True
        stack.callback(screens.close)
        evening = play_and_cut(machine, words, bare, screens, report)
        stack.callback(evening.close)
        report.check("the game goes on", lambda: go_on(evening))
        machine.run(
            "mkdir -p /run/tools; mount -o ro -L tools /run/tools || mount -o ro "
            "$(blkid -L tools) /run/tools"
        )
        report.check(
            f"a board is plugged in: used within {BOARD_TIME} s", lambda: plug_board(machine)
        )
        report.check("the own Wi-Fi is joined, with DHCP", lambda: join_wifi(machine))
        report.check("button, lamp and piezo by lgpio", lambda: press_panel(machine, evening))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arch", choices=ARCHITECTURES, nargs="?", default=native())
    arch = parser.parse_args().arch
    image = BUILD / arch / "companion.img"
    if not image.exists():
        parser.error(f"there is no {image}: `make image ARCH={arch}`")
    folder = CHECKOUT / "build/boot" / arch
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    machine = Machine(image, arch, folder, free_port(), tools(arch, folder))
    report = Report()
    try:
        run_checks(machine, accelerator(image, arch), report)
    finally:
        machine.pull_plug()
    return int(not report.kept)


if __name__ == "__main__":
    sys.exit(main())
