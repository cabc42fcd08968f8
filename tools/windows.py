"""Run the zip for Windows under Wine: `make windows-test`.

Pages: an evening, an undo, a photo, a replay and a plug pulled in the middle of a turn, with phones
in Chromium. Then what a double click starts, other commands, a table on https in a club, the tests
that Windows's Python can run, and the wheel, which pip installs in a Python of its own.
`python -m tools.windows PART …` runs some of these alone.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from companion import __version__
from companion.core.game import Seat
from companion.core.placement import Cell
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import Place
from companion.server.http.certificate import CERTIFICATE_FILE, make_certificate
from hardware.windows.lock import LOCK, PYTHON
from tests.browser.windows import Windows, windows_path
from tests.helpers.ports import free_port
from tests.mqtt.broker import Mosquitto, broker_of, recording, until
from tests.table.play import Play
from tools.released import PLAY

CHECKOUT = Path(__file__).resolve().parents[1]
PAGES = (
    "games/test_whole_game.py::test_an_evening_of_two",
    "games/test_undo_at_night.py::test_the_last_end_is_taken_back_by_night",
    "games/test_tiles.py::test_a_field_is_photographed",
    "phones/test_resume.py::test_plug_pulled_in_the_night",
    "screens/test_replay.py::test_at_the_table_it_comes_after_the_end",
)
REPETITIONS = ("phones/test_resume.py::test_plug_pulled_in_the_middle_of_a_turn",)
"""Of tests/browser; the second are marked `soak`."""
LIBRARIES = (
    "colorama", "hypothesis", "iniconfig", "packaging", "pluggy", "pygments", "pytest",
    "sortedcontainers",
)  # fmt: skip
"""What the tests need beside the program, from locks/dev.txt."""
FOLDERS = (
    "tests/core", "tests/content", "tests/replay", "tests/table/storage", "tests/test_platforms.py",
)  # fmt: skip
"""The tests that run. Those of settings expect paths of Linux, many of the table leave files open
in a folder that is then removed, and those of servers, boards and programs start what they need by
a fork or on a pseudo-terminal.
"""
STORAGE = "tests/table/storage"
MODES, FREE_SPACE = "no modes of files", "this SQLite leaves old rows in a page's free space"
EXCLUDED = {
    "tests/content/test_reading.py::test_a_pipe_is_no_content_file": "makes a named pipe",
    f"{STORAGE}/test_backup.py::test_there_and_back": MODES,
    f"{STORAGE}/test_backup.py::test_what_was_there_is_kept": MODES,
    f"{STORAGE}/test_log.py::test_readable_by_the_owner_alone": MODES,
    f"{STORAGE}/test_rotation.py::test_a_ring_of_three": MODES,
    f"{STORAGE}/test_log.py::test_killed_while_recovering": FREE_SPACE,
    f"{STORAGE}/test_rotation.py::test_a_damaged_log_goes_on_from_a_copy": FREE_SPACE,
    f"{STORAGE}/test_rotation.py::test_after_years_a_turn_writes_little": "counts bytes by /proc",
    f"{STORAGE}/test_rotation.py::test_the_reserve_is_laid_and_given_up": "counts a disk's blocks",
    f"{STORAGE}/test_rotation.py::test_everything_is_deleted": "compares paths with slashes",
}
"""Tests that cannot pass there, each with the reason."""
PYTEST = """\
import _winapi, sys
del _winapi.CopyFile2  # Wine has the name alone
sys.path[:0] = sys.argv[1:3]
import pytest
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not slow", *sys.argv[3:]]))
"""
PIP = "pip==26.3 --hash=sha256:f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13\n"
"""What installs the wheel: python.org's embeddable Python has none."""
STARTS = 5
TIMEOUT = 1800.0
CLUB = """
tls = true
club.broker = "{broker}"
bot_program.mine = '{program}'
"""


def main() -> None:
    """Run everything; exit with a sentence at the first that fails. The last line has figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of: pages, {', '.join(PARTS)}")
    chosen = parser.parse_args().parts or ["pages", *PARTS]
    if unknown := sorted(set(chosen) - {"pages", *PARTS}):
        parser.error(f"there is no part {unknown[0]}")
    packed = CHECKOUT / f"dist/table-companion-{__version__}-windows.zip"
    figures = [f"{packed.stat().st_size / 1e6:.1f} MB"]
    if "pages" in chosen:
        play_pages(packed)
        figures.append(f"{len(PAGES + REPETITIONS)} tests of pages")
    with TemporaryDirectory(prefix="windows-") as folder:
        windows = Windows(packed, Path(folder))
        for name, run_part in PARTS.items():
            if name in chosen:
                figures.append(run_part(windows, Path(folder)))
                print(f"{name}: {figures[-1]}", flush=True)
    print("; ".join(figures))


def play_pages(packed: Path) -> None:
    """Run the pages' tests on the zip."""
    for mark, names in (("not soak", PAGES), ("soak", REPETITIONS)):
        tests = [f"tests/browser/{name}" for name in names]
        command = [sys.executable, "-m", "pytest", "-q", "-m", mark, "--windows-zip", str(packed)]
        if subprocess.run([*command, *tests], cwd=CHECKOUT, check=False).returncode:
            sys.exit("make windows-test: a page's test failed")


def start(windows: Windows, folder: Path) -> str:
    """Start what a double click starts, first as after unpacking, then again when Python has
    compiled it; return how long the first took until the table answered, and the fastest of the
    others, which other programs on the processor disturbed least.
    """
    took = []
    for _ in range(1 + STARTS):
        port = free_port()
        program = windows.program / "program"
        begun, busy = time.monotonic(), processor_time()
        process = windows.start(
            [
                *(str(program / "python/python.exe"), windows_path(program / "start.py")),
                *("--port", str(port), "--data", windows_path(folder / "Spiele für Ältere")),
            ]
        )
        try:
            while not answers(port):
                if process.poll() is not None or time.monotonic() > begun + TIMEOUT:
                    sys.exit("make windows-test: Table Companion does not start")
                time.sleep(0.05)
            seconds = time.monotonic() - begun
        finally:
            process.kill()
            output, _ = process.communicate()
        took.append((seconds, processor_time() - busy))
        for sentence in ("Windows asks whether Python may be reached", "The table is ready"):
            if sentence not in output.decode("cp1252", "replace"):
                sys.exit(f"make windows-test: not said at the start: {sentence}")
    (first, first_busy), *others = took
    seconds, busy = (min(each) for each in zip(*others, strict=True))
    return (
        f"started under Wine in {first:.1f} s ({first_busy:.1f} s of the processor), then in "
        f"{seconds:.1f} s ({busy:.1f} s)"
    )


def processor_time() -> float:
    """Return the seconds of the processor that ended programs of this one have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_commands(windows: Windows, folder: Path) -> str:
    """Run the commands that need no table that serves; return how many."""
    data, other = folder / "Spiele für Jörg", folder / "other"
    record, backup = windows_path(folder / "Nacht.jsonl"), windows_path(folder / "Sicherung.tcb")
    content, kit = windows_path(folder / "Städte.toml"), windows_path(folder / "Bögen.pdf")
    keep_finished_game(data)
    steps = (
        (0, "survives power-off", ("doctor", "--data", windows_path(data))),
        (0, "", ("backup", "--data", windows_path(data), backup)),
        (0, "", ("restore", "--data", windows_path(other), backup)),
        (0, "", ("export", "--data", windows_path(other), record)),
        (0, "1 seals opened", ("verify", record)),
        (0, "", ("replay", record)),
        (0, "", ("content", "new", "manhunt", content)),
        (1, 'Städte.toml:1: places: "places" is missing.', ("content", "check", content)),
        (0, "print it at 100 %", ("print", "nosferatu", "--language", "ja", "-o", kit)),
        (
            0,
            "random vampires",
            (
                *("arena", "nosferatu", "--side", f"villagers=program:{bot_command(windows)}"),
                *("--side", "vampires=random", "--games", "1", "--seconds", "60"),
            ),
        ),
    )
    for status, sentence, words in steps:
        ended, output = windows.result(*windows.companion(*words))
        # A bot program that fails loses its game, and the arena says so.
        if (status, True, False) != (ended, sentence in output, "ended because" in output):
            sys.exit(f"make windows-test: companion {words[0]} ended with {ended}:\n{output}")
    if not (folder / "Bögen.pdf").read_bytes().startswith(b"%PDF"):
        sys.exit("make windows-test: companion print wrote no PDF")
    return f"{len(steps)} commands"


def keep_finished_game(data: Path) -> None:
    """Play a short game with a sealed night; its log is in a new folder."""
    play = Play(data, VampireRadar(), night_floor=0)
    play.start("V")
    play.submit("V", Place(Cell("C3")))
    play.clock.advance(60)
    play.table.surrender(Seat("V"))
    play.table.close()


def bot_command(windows: Windows) -> str:
    """Return the command line, for Windows, of the tests' example bot."""
    python = windows_path(windows.program / "program/python/python.exe")
    return f'"{python}" "{windows_path(CHECKOUT / "tests/bots/example_bot.py")}"'


def open_in_a_club(windows: Windows, folder: Path) -> str:
    """Serve a table with `--tls`, a bot program and a club's broker until each answers; return so
    in words.
    """
    (home := folder / "club").mkdir()
    broker = Mosquitto(folder / "broker")
    broker.start()
    more = CLUB.format(broker=broker.address(), program=bot_command(windows))
    table = windows.server(home, None, more)
    table.data.mkdir()
    certificate = table.data / CERTIFICATE_FILE
    # Wine 8 lacks a library of Windows without which the certificate cannot be made there.
    certificate.write_bytes(make_certificate(["127.0.0.1"]))
    try:
        with recording(broker_of(broker.address())) as recorder:
            table.open()
            trusting = ssl.create_default_context(cafile=str(certificate))
            address = f"https://127.0.0.1:{table.port}/healthz"
            urllib.request.urlopen(address, timeout=TIMEOUT, context=trusting).close()
            until(lambda: recorder.last("/availability") == b"online", "the table in its club")
        if table.snapshot["programs"] != ["mine"]:
            sys.exit("make windows-test: the table has no bot program")
    finally:
        table.close()
        broker.stop()
    return "a table on https in a club"


def answers(port: int) -> bool:
    """Return whether a table answers on a port of this machine."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def run_tests(windows: Windows, folder: Path) -> str:
    """Run tests on Windows's Python; return pytest's last line."""
    source, library = folder / "source", folder / "library"
    source.mkdir()
    archive = subprocess.run(
        ["git", "archive", "HEAD", "docs", "firmware", "hardware", "tests", "tools", "web"],
        cwd=CHECKOUT,
        capture_output=True,
        check=True,
    )
    subprocess.run(["tar", "-x", "-C", source], input=archive.stdout, check=True)
    install_libraries(library)
    (folder / "run.py").write_text(PYTEST, encoding="ascii")
    status, output = windows.result(
        str(windows.program / "program/python/python.exe"),
        *map(windows_path, (folder / "run.py", source, library)),
        *("--rootdir", windows_path(source)),
        *(f"--deselect={name}" for name in EXCLUDED),
        *(windows_path(source / each) for each in FOLDERS),
    )
    if status:
        sys.exit(f"make windows-test: tests failed on Windows's Python\n{output}")
    return f"on Windows's Python {output.strip().splitlines()[-1]}"


def install_wheel(windows: Windows, folder: Path) -> str:
    """Let pip install the wheel and its libraries in a Python of Windows, without a network; ask
    its command for its version, and let bots play a night.
    """
    wheels, python = folder / "Räder", folder / "Python für den Wagen"
    collect_wheels(wheels)
    shutil.copytree(windows.program / "program/python", python)
    (python / "python313._pth").write_text(
        "python313.zip\n.\nLib\\site-packages\nimport site\n", encoding="ascii"
    )
    (pip,) = wheels.glob("pip-*.whl")
    (program,) = wheels.glob("table_companion-*.whl")
    (folder / "play.py").write_text(PLAY, encoding="ascii")
    site = python / "Lib/site-packages"
    steps = (
        (
            "Successfully installed",
            (
                *(str(python / "python.exe"), windows_path(pip) + r"\pip", "--isolated"),
                *("install", "--no-index", "--only-binary=:all:", "--no-warn-script-location"),
                *("--find-links", windows_path(wheels)),
                windows_path(program),
            ),
        ),
        (f"companion, version {__version__}", (str(python / "Scripts/companion.exe"), "--version")),
        (
            "played",
            (
                *(str(python / "python.exe"), windows_path(folder / "play.py")),
                *(windows_path(site), __version__),
            ),
        ),
    )
    for sentence, words in steps:
        status, output = windows.result(*words)
        if status or sentence not in output:
            sys.exit(f"make windows-test: {' '.join(words[:3])} ended with {status}:\n{output}")
    return f"the wheel {output.strip()}"


def collect_wheels(target: Path) -> None:
    """Download pip and the libraries for Windows, by the hashes of the lock, and build the
    program's wheel.
    """
    target.mkdir()
    lock = LOCK.read_text(encoding="ascii").replace("\\\n", "").splitlines()
    (only := target.with_suffix(".txt")).write_text(
        "".join(f"{line}\n" for line in lock if "embed" not in line) + PIP, encoding="ascii"
    )
    pip = [sys.executable, "-m", "pip", "-q", "--disable-pip-version-check"]
    options = ["--no-deps", "--require-hashes", "--platform", "win_amd64"]
    wanted = ["--python-version", PYTHON, "-r", str(only), "-d", str(target)]
    subprocess.run([*pip, "download", *options, *wanted], check=True)
    for source in (*target.glob("*.tar.gz"), *target.glob("*.zip")):
        subprocess.run([*pip, "wheel", "--no-deps", str(source), "-w", str(target)], check=True)
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)]
    subprocess.run(built, cwd=CHECKOUT, check=True, stdout=subprocess.DEVNULL)


def install_libraries(target: Path) -> None:
    """Install what the tests need, by the hashes of the lock."""
    lock = (CHECKOUT / "locks/dev.txt").read_text(encoding="ascii")
    entries = re.findall(r"^[\w.-]+==(?:.*\\\n)+.*$", lock, re.MULTILINE)
    chosen = [
        re.sub(r" ;[^\\]*", " ", each) for each in entries if each.split("==")[0] in LIBRARIES
    ]
    only = target.with_suffix(".txt")
    only.write_text("\n".join(chosen), encoding="ascii")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"),
            *("--no-deps", "--no-compile", "--require-hashes", "--ignore-requires-python"),
            *("--platform", "win_amd64", "--python-version", PYTHON, "--target", str(target)),
            *("-r", str(only)),
        ],
        check=True,
    )


PARTS: dict[str, Callable[[Windows, Path], str]] = {
    "start": start,
    "commands": run_commands,
    "club": open_in_a_club,
    "tests": run_tests,
    "wheel": install_wheel,
}
"""What runs beside the pages, in this order."""


if __name__ == "__main__":
    main()
