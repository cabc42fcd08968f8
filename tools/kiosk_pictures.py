"""What a machine's own screen shows at its first start: `make kiosk-pictures`, or `python -m
tools.kiosk_pictures`.

In a root of Debian that is switched on, with the package and what a screen needs (installed there,
not here), `companion-kiosk.service` runs its own command: cage, and Chromium in it. In the place of
a screen and a finger are Xvfb and xdotool, and a network card that leads nowhere gives the machine
an address. Leaves the pictures of both sizes in tests/browser/shots: the three buttons of the
language, then the codes to scan. A real screen has never been there. Needs root and Debian's
archive.
"""

from __future__ import annotations

import struct
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image

from hardware.deb.__main__ import build
from tests.installer.booted import Booted
from tests.installer.card import Card
from tests.installer.debian import TIMEOUT, Debian

SHOTS = Path(__file__).resolve().parents[1] / "tests/browser/shots"
SIZES = ("800x480", "1920x1080")
STAYS = 10
"""Seconds after which a browser is taken for one that stays."""
NEEDED = "cage xwayland xvfb xdotool"
SCREEN = "/run/screen/Xvfb_screen0"
NO_CONSOLE = """\
[Unit]
ConditionPathExists=

[Service]
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
StandardInput=null
Environment=DISPLAY=:9 WLR_BACKENDS=x11 WLR_RENDERER=pixman
"""
"""Environment of the unit with Xvfb as the screen, and without a console."""
LAN = (
    "ip link add lan type veth peer name nowhere; ip addr add 192.168.178.20/24 dev lan;"
    " ip link set nowhere up; ip link set lan up"
)
DROP_IN = "/etc/systemd/system/companion-kiosk.service.d"
HAND = "env DISPLAY=:9 xdotool"
SETTINGS = '[wifi]\nname = "Our home"\npassword = "seven bats at dusk"\n'


def picture(machine: Booted) -> Image.Image:
    """Return the screen, from the file that Xvfb draws into (its header is that of xwd)."""
    raw = machine.read(SCREEN)
    fields = struct.unpack(">25I", raw[:100])
    size, begin = (fields[4], fields[5]), fields[0] + 12 * fields[19]
    return Image.frombytes("RGB", size, raw[begin:], "raw", "BGRX", fields[12])


def settled(machine: Booted, unlike: Image.Image | None = None) -> Image.Image:
    """Return the screen as soon as it shows another picture, and has come to rest."""
    end = time.monotonic() + TIMEOUT
    last, since = picture(machine), time.monotonic()
    while True:
        time.sleep(0.5)
        current = picture(machine)
        if current.tobytes() != last.tobytes():
            last, since = current, time.monotonic()
        drawn = len(current.getcolors(1 << 24) or ()) > 16 and (
            unlike is None or current.tobytes() != unlike.tobytes()
        )
        if drawn and time.monotonic() - since > 5:
            return current
        assert time.monotonic() < end, machine.run(
            "systemctl status companion-kiosk --no-pager -l || true"
        )


def pictures(machine: Booted, size: str, card: Card) -> tuple[Image.Image, Image.Image]:
    """Install with a screen of this size; return the first picture, and that after English was
    pressed.
    """
    width, height = map(int, size.split("x"))
    machine.run(f"{LAN}; mkdir -p /etc/companion {DROP_IN} /run/screen")
    machine.run(
        f"printf '{SETTINGS}' > /etc/companion/table.toml; printf '{NO_CONSOLE}' > "
        f"{DROP_IN}/xvfb.conf"
    )
    machine.run(
        f"systemd-run --unit xvfb Xvfb :9 -screen 0 {size}x24 -fbdir /run/screen -nolisten unix "
        f"-listen local"
    )
    under_mouse = f"{HAND} getmouselocation --shell | sed -n s/WINDOW=//p"
    empty = machine.run(
        f"until test -e /tmp/.X9-lock && {HAND} getmouselocation; do sleep 0.2; done; {under_mouse}"
    ).splitlines()[-1]
    machine.run(f"companion install --kiosk --data-partition {card.image.stem}")
    # The unit starts the browser by another protocol if it ends soon; the window is another one.
    end = time.monotonic() + TIMEOUT
    running = f"systemctl show -P MainPID companion-kiosk; {under_mouse}"
    last, since = "", time.monotonic()
    while time.monotonic() - since < STAYS or last.endswith(f"\n{empty}\n"):
        assert time.monotonic() < end
        time.sleep(0.5)
        if (current := machine.run(running)) != last:
            last, since = current, time.monotonic()
    window = last.split()[-1]
    # No window manager gives the compositor all of the screen; the arrow goes once the mouse was
    # moved.
    fullscreen = f"windowmove {window} 0 0 windowsize {window} {width} {height}"
    machine.run(f"{HAND} {fullscreen} mousemove {width - 2} {height - 2}")
    first = settled(machine)
    machine.run(f"{HAND} mousemove {width // 2} {height * 3 // 10} click 1")
    return first, settled(machine, first)


def main() -> int:
    SHOTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        debian = Debian(folder / "debian")
        package = build(folder / "out", folder / "work", ("-Znone",))
        package.rename(debian.upper / "it.deb")
        debian.run(
            f"apt-get -qq update && apt-get -qq install -y --no-install-recommends {NEEDED}; "
            f"dpkg -i /it.deb"
        )
        for size in SIZES:
            with (
                Card(folder, f"kiosk-{size}") as card,
                Booted(Debian(folder / size, debian), card) as machine,
            ):
                first, codes = pictures(machine, size, card)
            first.save(SHOTS / f"kiosk-language-{size}.png")
            codes.save(SHOTS / f"kiosk-codes-{size}.png")
    print(*sorted(path.name for path in SHOTS.glob("kiosk-*")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
