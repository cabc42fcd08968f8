"""The plug pulled on a read-only system: `make build/overlayroot`, then `python -m
tools.acceptance.powercycle`, as root.

In a root of Debian that is switched on, with the package, a game is in play. `companion install`
moves it to a partition of its own (a file with ext4 on a loop device) and lays the system
read-only; Debian's overlayroot, by its own script, makes it so at the next start. Somebody moves a
pawn, something else is written, the plug is pulled: every process is killed, and the layer above
the system is thrown away. (What the kernel had not written to the partition yet is not lost here;
`tests.table.storage.powercut` is about that.) Then the game and the move must be there, the
something not, and nothing of the system may have changed. Updates and packages must be refused with
what to do, doing that must open the system, and uninstalling must bring the games back; without the
partition no table may start. Prints what held; ends with 1 unless everything did.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from hardware.deb.__main__ import CHECKOUT, build
from tests.installer.booted import Booted
from tests.installer.card import Card
from tests.installer.debian import Debian, state
from tools.acceptance.release import DATA, game
from tools.bench.played_table import Caller, GameTable

OVERLAYROOT = CHECKOUT / "build/overlayroot"
SAID = "an update says what to do", "so does a package", "so does installing"


def begin(folder: Path) -> None:
    """Play at the table on port 8080 until a human is to move."""
    game_table = GameTable(8080, folder, 2, Random(1))
    game_table.to_humans()
    game_table.close()


def move(folder: Path) -> None:
    """Pair another display, and take the first legal action of the human whose turn it is on it."""
    code = (folder / "display-code").read_text(encoding="ascii")
    display = Caller(8080, code[:43])
    display.request("pair", code=code[43:])
    snapshot = display.get("/snapshot")
    display.request("submit", actions=snapshot["legal"][:1], seat=snapshot["to_move"])
    display.close()


def by_somebody(machine: Booted, act: str) -> object:
    """Run one of these at the table of a machine; return the game's state then."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "display-code").write_text(machine.run(f"cat /{DATA}/display-code").strip())
        machine.beside(sys.executable, "-m", "tools.acceptance.powercycle", act, folder)
    return game(machine)


def listing(folder: Path) -> dict[str, object]:
    """Return the files of a folder."""
    return {str(path.relative_to(folder)): state(path) for path in folder.rglob("*")}


def game_tables(debian: Debian, card: Card) -> dict[str, bool]:
    """Install, play, pull the plug, open the system and uninstall; return the facts that held."""
    checks = {}
    with Booted(debian, card) as machine:
        machine.run("dpkg --force-unsafe-io -i /root/it.deb; companion install --no-kiosk")
        game(machine)
        before = by_somebody(machine, "begin")
        machine.run(f"companion install --data-partition {card.image.stem} --read-only-root")
        checks["moved while it ran"] = before == game(machine) and card.device in machine.run(
            f"findmnt /{DATA}"
        )
    files_before = listing(debian.upper)
    with Booted(debian, card, sealed=True) as machine:
        checks["same game on a read-only system"] = before == game(machine)
        doctor = machine.run("companion doctor")
        apart = f"on a partition of their own, {card.device} (commit=1, errors=remount-ro, noatime,"
        checks["the doctor says so"] = "The system is read-only" in doctor and apart in doctor
        checks["no log on the card"] = "log is kept in memory" in doctor
        refused = (
            machine.run("/opt/companion/companion-update install /root", status=75),
            machine.run("dpkg -i /root/it.deb", status=1),
            machine.run("companion install", status=1),
        )
        checks |= {
            instruction: "overlayroot-chroot companion install" in output
            for instruction, output in zip(SAID, refused, strict=True)
        }
        checks["the table goes on"] = before == game(machine)
        machine.run("echo x > /etc/forgotten")
        moved = by_somebody(machine, "move")
        checks["somebody moved"] = before != moved
    checks["nothing else was written"] = files_before == listing(debian.upper)
    with Booted(debian, sealed=True) as machine:
        state_of = "systemctl is-active companion.service || true"
        checks["no table without the partition"] = (
            machine.run(f"{state_of}; ls /{DATA}") == "inactive\n"
        )
    with Booted(debian, card, sealed=True) as machine:
        checks["the game is kept"] = moved == game(machine)
        machine.run(
            "test ! -e /etc/forgotten; overlayroot-chroot companion install --no-read-only-root"
        )
    with Booted(debian, card, sealed=True) as machine:
        checks["opened"] = moved == game(machine) and "can be written to" in machine.run(
            "companion doctor"
        )
        machine.run(
            f"companion uninstall; test ! -e /etc/systemd/system/{DATA.replace('/', '-')}.mount"
        )
        checks["the games are back"] = "table.sqlite" in machine.run(
            f"! findmnt /{DATA}; ls /{DATA}"
        )
    return checks


def main() -> int:
    if sys.argv[1:]:
        {"begin": begin, "move": move}[sys.argv[1]](Path(sys.argv[2]))
        return 0
    with tempfile.TemporaryDirectory() as name, Card(Path(name), "companion") as card:
        folder = Path(name)
        debian = Debian(folder / "debian")
        root = debian.upper / "root"
        root.mkdir(mode=0o700)
        shutil.copy(build(folder / "out", folder / "work", ("-Znone",)), root / "it.deb")
        subprocess.run(["cp", "-a", f"{OVERLAYROOT}/.", debian.upper], check=True)
        checks = game_tables(debian, card)
    print("; ".join(f"{fact}: {'yes' if well else 'NO'}" for fact, well in checks.items()))
    return int(not all(checks.values()))


if __name__ == "__main__":
    sys.exit(main())
