"""What differs between Linux, macOS and Windows, and the program without what only one has."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from companion import platforms
from companion.platforms import Waker, lock_file, name_new, open_new, split_command

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 300.0
LINUX_ONLY = re.compile(
    r"companion/(accounts|watchdog|installer/\w+|sensors/serial/(ports|spi)|server/http/network"
    r"|sim/terminal)\.py:"
)
"""Modules that call Linux where they have asked, or where only Linux calls them."""
REFUSED = "the service, the kiosk and the access point are Linux's"


@pytest.mark.slow
@pytest.mark.parametrize("system", ["windows", "macos"])
def test_the_program_without_what_another_system_lacks(system: str, tmp_path: Path) -> None:
    """Without the modules, functions and files of Linux every module can be loaded, bots play a
    night beside a virtual board, a backup is made and restored twice, and what only Linux has is
    refused in a sentence.
    """
    played = subprocess.run(
        [
            *(sys.executable, "-X", "warn_default_encoding"),
            *("-m", "tests.helpers.other_system", system, str(tmp_path / "data")),
        ],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )

    assert (0, ["played"]) == (played.returncode, played.stdout.splitlines()[-1:]), played.stderr
    assert 2 == played.stderr.count(REFUSED)


@pytest.mark.slow
def test_no_other_module_calls_what_windows_lacks() -> None:
    """What Windows's standard library lacks is used in no other module, in code that no test runs
    either.
    """
    checked = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--platform", "win32", "--no-error-summary"),
            *("--cache-dir", ".mypy_cache/windows", "companion", "hardware/windows"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )

    others = [line for line in checked.stdout.splitlines() if not LINUX_ONLY.match(line)]
    assert "" == "\n".join([checked.stderr, *others]).strip()


def test_a_name_is_never_taken_from_a_file(tmp_path: Path) -> None:
    """A new file's name is refused where there is a file, which stays."""
    (tmp_path / "new").write_bytes(b"new")
    (tmp_path / "old").write_bytes(b"old")
    with pytest.raises(FileExistsError):
        name_new(tmp_path / "new", tmp_path / "old")

    assert b"old" == (tmp_path / "old").read_bytes()


def test_one_lock(tmp_path: Path) -> None:
    """A second lock on a file is refused until the first descriptor is closed."""
    first = open_new(tmp_path / "lock")
    lock_file(first)
    second = os.open(tmp_path / "lock", os.O_RDWR)
    with pytest.raises(BlockingIOError):
        lock_file(second)
    os.close(first)
    lock_file(second)
    os.close(second)


def test_a_path_of_windows_is_one_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows a backslash is a part of a path, and quotes hold a path with spaces together."""
    monkeypatch.setattr(platforms, "ON_WINDOWS", True)

    assert [r"C:\My bots\a.exe", "-x", r"C:\b"] == split_command(r'"C:\My bots\a.exe" -x C:\b')


def test_a_wait_is_ended_from_another_thread() -> None:
    """`wake` makes the descriptor readable, however often, until `clear`; closed, it does
    nothing.
    """
    waker = Waker()
    for _ in range(2000):
        waker.wake()
    woken = select.select([waker], [], [], 0)[0]
    while select.select([waker], [], [], 0)[0]:
        waker.clear()
    waker.close()
    waker.wake()

    assert [waker] == woken
