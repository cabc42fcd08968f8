"""The table's secrets stay in its memory: no core dump, nothing for the processes that it
starts.
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.bots.external import ExternalBot
from companion.core.game import Seat
from companion.games import GAMES
from companion.sensors.vision.photo_client import PhotoDecoder
from tests.browser.server import TIMEOUT, until
from tests.helpers.ports import free_port

pytestmark = pytest.mark.slow

STANDARD = {"0", "1", "2"}
PIECE = 1 << 20


@pytest.fixture
def canary(monkeypatch: pytest.MonkeyPatch) -> str:
    """A secret in this process's memory and, against all rules, in its environment."""
    word = secrets.token_hex(32)
    monkeypatch.setenv("TABLE_SECRET", word)
    return word


def children() -> set[int]:
    """Return the child processes of this one."""
    pids: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        # A thread may end while it is read.
        with suppress(OSError):
            pids |= {
                int(number) for number in (task / "children").read_text(encoding="ascii").split()
            }
    return pids


def holds(process: int | str, word: bytes) -> bool:
    """Return whether a process has this word in its writable memory."""
    maps = Path(f"/proc/{process}/maps").read_text(encoding="utf-8").splitlines()
    with Path(f"/proc/{process}/mem").open("rb", 0) as memory:
        for line in maps:
            if (region := re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)) and "[vvar" not in line:
                start, end = (int(place, 16) for place in region.groups())
                if any(word in part for part in parts(memory.fileno(), start, end)):
                    return True
    return False


def parts(memory: int, start: int, end: int) -> Iterator[bytes]:
    """Yield a memory region's content in overlapping pieces; skip parts freed in between."""
    for place in range(start, end, PIECE):
        try:
            yield os.pread(memory, min(PIECE + 64, end - place), place)
        except OSError:
            return


def inherited(process: int, word: str) -> list[str]:
    """Return secrets and descriptors that a process should not have."""
    # Files that it opens at its start, it closes.
    until(
        lambda: set(os.listdir(f"/proc/{process}/fd")) <= STANDARD,
        "nothing is open but three descriptors",
    )
    environment = Path(f"/proc/{process}/environ").read_bytes()
    wrong = ["a variable"] if word.encode() in environment or b"TABLE_" in environment else []
    return wrong + (["memory"] if holds(process, word.encode()) else [])


def test_the_search_sees_this_process(canary: str) -> None:
    """This process holds the secret, and the search finds it."""
    assert holds("self", canary.encode())


def test_the_process_that_reads_a_photo_inherits_nothing(canary: str) -> None:
    """While it waits for the photo it has three descriptors, and none of the table's secrets."""
    before, sent = children(), Event()

    def photo() -> Iterator[bytes]:
        sent.wait(TIMEOUT)
        yield b"no picture"

    thread = Thread(target=lambda: PhotoDecoder(TIMEOUT).decode(photo()))
    thread.start()
    try:
        until(lambda: bool(children() - before), "the process began")
        (process,) = children() - before
        command = Path(f"/proc/{process}/cmdline")
        until(
            lambda: b"companion.sensors.vision.photo_worker" in command.read_bytes(),
            "the process became itself",
        )
        assert [] == inherited(process, canary)
    finally:
        sent.set()
        thread.join()


def test_a_program_at_a_seat_inherits_nothing(canary: str, tmp_path: Path) -> None:
    """A bot's program gets its own view by one pipe and answers by another, and has nothing
    else.
    """
    script = tmp_path / "bot.py"
    script.write_text("for line in iter(input, None): print('{}', flush=True)")
    before = children()
    program = ExternalBot(
        GAMES[0], f"{shlex.quote(sys.executable)} {script}", Seat("H1"), 1.0, time.monotonic
    )
    try:
        (process,) = children() - before
        until(
            lambda: script.name.encode() in Path(f"/proc/{process}/cmdline").read_bytes(),
            "the program began",
        )
        assert [] == inherited(process, canary)
    finally:
        program.close()


def test_a_table_leaves_no_core_dump(tmp_path: Path) -> None:
    """`companion serve` forbids core dumps for itself and its children, and keeps other programs of
    its account out of its memory.
    """
    trace = tmp_path / "trace"
    traced = [
        "strace",
        "-f",
        "-e",
        "trace=prctl,prlimit64,setrlimit",
        "-o",
        str(trace),
        sys.executable,
        "-m",
    ]
    words = [
        "companion",
        "serve",
        "--data",
        str(tmp_path / "data"),
        "--port",
        f"{free_port()}",
        "--board",
        "none",
    ]
    with subprocess.Popen([*traced, *words], stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            assert "ready" in serving.stdout.readline()
            (process,) = (
                Path(f"/proc/{serving.pid}/task/{serving.pid}/children")
                .read_text(encoding="ascii")
                .split()
            )
            limits = Path(f"/proc/{process}/limits").read_text(encoding="ascii")
            os.kill(int(process), signal.SIGTERM)
            serving.wait(TIMEOUT)
        finally:
            serving.kill()

    assert re.search(r"^Max core file size +0 +0 ", limits, re.MULTILINE)
    assert "prctl(PR_SET_DUMPABLE, SUID_DUMP_DISABLE) = 0" in trace.read_text()
