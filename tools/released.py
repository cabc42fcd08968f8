"""Install and play what `make release` built, from its folder alone: `python -m tools.released`.

The folder is checked by its own SHA256SUMS first. Then the wheel and the source archive are
installed into folders of their own, the zip for Windows is unpacked and run under Wine, and apt
installs each Debian package in a fresh root of Debian 13, as root, where `companion serve` has to
answer: in each of them bots play the first night and the turn after it. The disk images are looked
into, the kits' pages are counted, the firmware is compared with the wheel's, and the list of what
is inside has each file. Prints a line for each; ends with 1 at the first that fails. With `--twice`
parts, or all, are built twice into folders of their own first, which have to be equal.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion import __version__
from companion.installer.manifest import GAMES_FOLDER, UNIT_FOLDER
from companion.installer.wifi import KEYFILE, SERVICE_FILE
from companion.server.auth.access import DISPLAY_FILE
from companion.table.storage.recovery import LOG_FILE
from hardware.release import CHECKOUT, FOLDER, LIST, PARTS, SUMS, digest
from tests.helpers.ports import free_port

PLAY = """\
import sys, tempfile, time
from pathlib import Path
import companion
from companion.app import Application
from companion.config import Settings
from companion.core.game import Seat

place = Path(companion.__file__).resolve()
assert Path(sys.argv[1]).resolve() in place.parents, place
assert companion.__version__ == sys.argv[2]
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
    running = Application(Settings(data=folder, host="127.0.0.1", board="none"))
    running.start()
    table = running.table
    table.lobby.propose({"players": 2})
    for seat in ("V", "H1"):
        table.seats.give(Seat(seat), "greedy")
    table.start()
    end = time.monotonic() + 3600
    for seat in ("H1", "V", "H1"):
        while table.snapshot()["to_move"] != seat:
            assert time.monotonic() < end, seat
            time.sleep(0.05)
    position = table.snapshot()["position"]
    running.close()
print("played", position)
"""
"""Where the program has to lie, and its version, are the arguments."""
OF_ONE_MACHINE = (
    *(KEYFILE, SERVICE_FILE, f"{GAMES_FOLDER}/{LOG_FILE}", f"{GAMES_FOLDER}/{DISPLAY_FILE}"),
    *("var/lib/systemd/random-seed", "var/lib/NetworkManager/secret_key", "root/.config"),
    "etc/resolv.conf",
)
"""What no two machines may have alike, and the name servers of the machine that builds."""
SERVE = """\
companion serve --data /tmp/data --board none --port {port} > /dev/null 2>&1 &
until python3 -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=60)' \
  http://127.0.0.1:{port}/healthz 2> /dev/null; do kill -0 $!; sleep 1; done
kill $!
"""
"""Serves a table until it answers."""
BUILD_PARTS = """\
import sys
from pathlib import Path
from hardware.release import build
build(Path(sys.argv[1]), sys.argv[2:])
"""


def build_twice(place: Path, parts: Sequence[str]) -> Path:
    """Build parts twice, with other orders of Python's sets; exit unless both are equal. Return the
    first's folder.
    """
    folders = [place / f"build-{number}" for number in range(2)]
    for number, folder in enumerate(folders):
        run(
            [sys.executable, "-c", BUILD_PARTS, str(folder), *parts],
            str(CHECKOUT),
            PYTHONHASHSEED=str(number),
        )
    first, second = ({path.name: digest(path) for path in each.iterdir()} for each in folders)
    if first != second:
        differing = sorted(name for name, _ in first.items() ^ second.items())
        sys.exit(f"built twice, these differ: {', '.join(dict.fromkeys(differing))}")
    return folders[0]


def check_sums(folder: Path) -> str:
    """Compare each file with the folder's own sums."""
    lines = [line.split("  ") for line in (folder / SUMS).read_text("ascii").splitlines()]
    names = {path.name for path in folder.iterdir()} - {SUMS}
    if names != {name for _, name in lines}:
        sys.exit(f"{SUMS} does not name what is in {folder}")
    for sum_, name in lines:
        if digest(folder / name) != sum_:
            sys.exit(f"{name} is not as {SUMS} says")
    return f"{len(lines)} files are as their sums say"


def check_list(folder: Path) -> str:
    """Find each file in the list, with its sum; each name in a relationship is defined."""
    document = json.loads((folder / LIST).read_text("utf-8"))
    listed = {
        entry["fileName"].removeprefix("./"): entry["checksums"][1]["checksumValue"]
        for entry in document["files"]
    }
    here = {path.name: digest(path) for path in folder.iterdir() if path.name not in (LIST, SUMS)}
    defined = {"SPDXRef-DOCUMENT"} | {
        entry["SPDXID"] for kind in ("packages", "files") for entry in document[kind]
    }
    used = {
        entry[end]
        for entry in document["relationships"]
        for end in ("spdxElementId", "relatedSpdxElement")
    }
    if listed != here or not used <= defined:
        sys.exit(f"{LIST} does not list what is in {folder}")
    return f"{len(document['packages'])} packages, {len(listed)} files"


def play_python(package: Path) -> str:
    """Install a wheel or a source archive beside this environment's libraries, and play."""
    with TemporaryDirectory(prefix="released-") as place:
        target = Path(place) / "installed"
        options = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
        install = (sys.executable, "-m", "pip", "install", "-q", *options)
        run([*install, "--target", str(target), str(package)], place)
        # -I would leave the libraries out; -P leaves out the folder that this runs in.
        script = f"import sys; sys.path.insert(0, {str(target)!r})\n{PLAY}"
        return run([sys.executable, "-P", "-c", script, str(target), __version__], place)


def play_windows(package: Path) -> str:
    """Unpack the zip, and play on its Python under Wine."""
    from tests.browser.windows import Windows, windows_path

    with TemporaryDirectory(prefix="released-") as place:
        windows = Windows(package, Path(place))
        script = Path(place) / "play.py"
        script.write_text(PLAY, encoding="ascii")
        python = str(windows.program / "program/python/python.exe")
        status, output = windows.result(
            python, windows_path(script), windows_path(windows.program), __version__
        )
    if status:
        sys.exit(f"{package.name}: it does not play\n{output}")
    return output.strip().splitlines()[-1]


def play_deb(package: Path) -> str:
    """Let apt install a package in a fresh root, play, serve a table, and remove the package."""
    from hardware.image.builder import BUILD
    from hardware.image.emulated import emulation
    from hardware.image.root import DebianRoot

    arch = package.stem.rpartition("_")[2]
    with emulation(arch) as words:
        fresh = DebianRoot(BUILD / arch / "fresh", arch, words)
        if not (fresh.path / "var/ready").exists():
            fresh.make(())
            (fresh.path / "var/ready").touch()
        root = fresh.copy("released")
        root.borrow_network()
        shutil.copy(package, root.path / "root/table.deb")
        (root.path / "root/play.py").write_text(PLAY, encoding="ascii")
        home = "/usr/lib/table-companion"
        root.run(
            "apt-get -qq update; apt-get -qq -y --no-install-recommends install ./root/table.deb"
        )
        played = root.run(f"{home}/bin/python3 -Ps /root/play.py {home} {__version__}")
        root.run(SERVE.format(port=free_port()))
        left = root.run(
            "apt-get purge -y -qq table-companion >&2; "
            "find /etc /opt /usr /var/lib -path '*companion*' ! -path '/usr/share/doc/*'"
        )
        root.delete()
    if files := [line for line in left.splitlines() if line.startswith("/")]:
        sys.exit(f"{package.name} leaves after its removal: {', '.join(files)}")
    return next(line for line in played.splitlines() if line.startswith("played"))


def look_into_image(package: Path) -> str:
    """Unpack a disk image; its system has the program, and nothing that is one machine's own."""
    from hardware.image.__main__ import FIRST_START
    from hardware.image.disk import SYSTEM_AT

    with TemporaryDirectory(prefix="released-", dir=CHECKOUT / "build") as place:
        image = Path(place) / "companion.img"
        with image.open("wb") as file:
            subprocess.run(["xz", "-dc", str(package)], stdout=file, check=True)
        system = f"{image}?offset={SYSTEM_AT}"

        def status(path: str) -> str:
            return run(["/sbin/debugfs", "-R", f"stat {path}", system], place)

        for path in ("usr/bin/companion", f"{UNIT_FOLDER}/multi-user.target.wants/{FIRST_START}"):
            if "Inode:" not in status(path):
                sys.exit(f"{package.name} has no {path}")
        for path in OF_ONE_MACHINE:
            if "Inode:" in status(path):
                sys.exit(f"{package.name} has a file of one machine: {path}")
        if " Size: 0\n" not in status("etc/machine-id"):
            sys.exit(f"{package.name} has one machine's number")
    return "has the program, and no machine's own files"


def count_pages(package: Path) -> str:
    """Count a kit's pages."""
    lines = run(["pdfinfo", str(package)], ".").splitlines()
    pages, size = (next(line for line in lines if line.startswith(f"{key}")) for key in
                   ("Pages", "Page size"))  # fmt: skip
    if int(pages.split()[1]) < 1 or "A4" not in size:
        sys.exit(f"{package.name}: {pages}, {size}")
    return f"{pages.split()[1]} pages of A4"


def compare_firmware(package: Path) -> str:
    """Compare the firmware with the one that the wheel's `companion flash` writes, if it is here;
    check the sum of each of its lines.
    """
    for line in package.read_text("ascii").split():
        if sum(bytes.fromhex(line.removeprefix(":"))) % 256:
            sys.exit(f"{package.name}: the line {line} has another sum")
    for wheel in package.parent.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            if packed.read("companion/flash/presence.hex") != package.read_bytes():
                sys.exit(f"{package.name} is not the firmware of {wheel.name}")
    return "each line's sum is right"


def count_layers(package: Path) -> str:
    """Count the layers of the Gerber files."""
    with zipfile.ZipFile(package) as packed:
        if packed.testzip():
            sys.exit(f"{package.name} is damaged")
        return f"{len(packed.namelist())} layers and drill files"


CHECKS: dict[str, Callable[[Path], str]] = {
    "*.whl": play_python,
    "*.tar.gz": play_python,
    "*-windows.zip": play_windows,
    "*.deb": play_deb,
    "*.img.xz": look_into_image,
    "*.pdf": count_pages,
    "*.hex": compare_firmware,
    "gerbers.zip": count_layers,
}
"""What is done with the files of each name; `make boot` switches a disk image on."""


def check_release(folder: Path) -> list[str]:
    """Check all files of a folder; return a line for each."""
    lines = [f"{SUMS}: {check_sums(folder)}", f"{LIST}: {check_list(folder)}"]
    for pattern, check in CHECKS.items():
        for path in sorted(folder.glob(pattern)):
            lines.append(f"{path.name}: {check(path)}")
            print(lines[-1], flush=True)
    return lines


def run(command: list[str], folder: str, **environment: str) -> str:
    """Run a command in a folder; return its output without the last line's end, or exit."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)[:200]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--twice", nargs="*", choices=list(PARTS), metavar="PART")
    given = parser.parse_args()
    with TemporaryDirectory(prefix="released-") as place:
        parts = given.twice if given.twice is None else given.twice or list(PARTS)
        folder = build_twice(Path(place), parts) if parts else given.folder
        lines = check_release(folder)
    print(*lines[:2], f"{len(lines)} checks", sep="\n")


if __name__ == "__main__":
    main()
