"""Updates by real bundles under systemd: `python -m tools.acceptance.release`, as root.

In a root of Debian that is switched on, with the package and `companion install`, a game is in
play. Three bundles are laid before the table: one that dies after 4 s, one that never starts, one
that is well. Then the machine is switched on with this one on trial, as a power cut leaves it.
Prints after how many seconds each update was over, and whether the game is the same after each;
ends with 1 unless the first two are taken back, the third serves, is taken back at power-on, and
the game is whole.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import msgspec

from companion.games import GAMES
from hardware.deb.__main__ import build, sign
from tests.browser.phones.test_resume import lasting
from tests.installer.booted import Booted
from tests.installer.debian import Debian
from tests.table.play import Play

DATA = "var/lib/companion"
FIRST = "    disable_core_dumps()\n"
BUNDLES = {
    "9.1": f"    import os, threading\n    threading.Timer(4, os._exit, [3]).start()\n{FIRST}",
    "9.2": f"    raise SystemExit(1)\n{FIRST}",
    "9.3": FIRST,
}
"""Releases, and what their table does first when it is to serve."""
PICTURE = "curl -s --retry 60 --retry-connrefused --retry-delay 1 http://127.0.0.1:8080/snapshot"


def bundled(source: Path, target: Path, version: str, begins: str) -> None:
    """Make another release of a bundle."""
    shutil.copytree(source, target)
    (target / "VERSION").write_text(f"{version}\n")
    (wheel,) = (target / "wheels").glob("table_companion-*.whl")
    before = hashlib.sha256(wheel.read_bytes()).hexdigest()
    with zipfile.ZipFile(wheel) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    text = files["companion/cli/serve.py"].decode()
    assert FIRST in text
    files["companion/cli/serve.py"] = text.replace(FIRST, begins).encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    lock = target / "run.txt"
    lock.write_text(
        lock.read_text().replace(before, hashlib.sha256(wheel.read_bytes()).hexdigest())
    )


def game(machine: Booted) -> object:
    """Return the part of the snapshot of the running game that must not change."""
    return lasting(msgspec.json.decode(machine.run(PICTURE)))


def main() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        package = build(folder / "out", folder / "work", ("-Znone",))
        debian = Debian(folder / "debian")
        root = debian.upper / "root"
        root.mkdir(mode=0o700)
        shutil.copy(package, root / "it.deb")
        for version, begins in BUNDLES.items():
            bundled(folder / "work/bundle", folder / version, version, begins)
            sign(folder / version, root / f"{version}.tar", folder / "work/release.key")
        play = Play(folder / "games", GAMES[0])
        play.start("V")
        play.table.close()
        shutil.copytree(play.folder, root / "games")
        with Booted(debian) as machine:
            machine.run(
                "dpkg --force-unsafe-io -i /root/it.deb; companion install --no-kiosk; systemctl "
                "stop companion"
            )
            machine.run(
                f"cp -a /root/games/. /{DATA}; chown -R companion: /{DATA}; systemctl start "
                f"companion"
            )
            before = game(machine)
            machine.run("/opt/companion/companion-update install /root/9.3.tar", status=75)
            figures, same = [], True
            for version, wanted in (("9.1", 1), ("9.2", 1), ("9.3", 0)):
                started = time.monotonic()
                machine.run(
                    f"/opt/companion/companion-update --now install /root/{version}.tar",
                    status=wanted,
                )
                figures.append(f"{version}_s={time.monotonic() - started:.0f}")
                runs = Path(machine.run("readlink /opt/companion/current").strip()).name
                same &= before == game(machine) and runs == ("packaged" if wanted else version)
            machine.run(
                "systemctl stop companion; cd /opt/companion; mkdir -m 0700 trial; "
                f"echo packaged > trial/release; companion backup --data /{DATA} trial/data.backup"
            )
        started = time.monotonic()
        with Booted(debian) as machine:
            figures.append(f"settled_s={time.monotonic() - started:.0f}")
            runs = Path(machine.run("readlink /opt/companion/current").strip()).name
            same &= before == game(machine) and runs == "packaged"
    print(*figures, f"same_game={same}")
    return int(not same)


if __name__ == "__main__":
    sys.exit(main())
