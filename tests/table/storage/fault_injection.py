"""Many games under one strace, each disturbed at another of its calls.

`strace … -e inject=CALL:…:when=LAST python -m tests.table.storage.fault_injection FOLDER SEED
SUBMISSIONS CALL LAST K …` plays one game in a child process for each K. Strace counts each process
by itself; a child that first makes LAST - K idle calls is disturbed at the K-th of its game. Its
data folder becomes FOLDER/K, its output FOLDER/K.output, and the status with which it ended
FOLDER/K.status.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

from tests.table.storage import writer

PLACE, IDLE = "data", "idle"


def idle(call: str, path: Path) -> Callable[[], object]:
    """Return a function that makes one such call on its own file and changes nothing."""
    handle = os.open(path, os.O_RDWR)
    return {
        "openat": lambda: os.close(os.open(path, os.O_RDONLY)),
        "write": lambda: os.write(handle, b"x"),
        "pwrite64": lambda: os.pwrite(handle, b"x", 0),
        "fdatasync": lambda: os.fdatasync(handle),
        "fsync": lambda: os.fsync(handle),
        "ftruncate": lambda: os.ftruncate(handle, 1),
        "rename": lambda: os.rename(path, path),
        "unlink": lambda: _link_and_unlink(path),
        "fallocate": lambda: os.posix_fallocate(handle, 0, 1),
    }[call]


def _link_and_unlink(path: Path) -> None:
    os.link(path, f"{path}+")
    os.unlink(f"{path}+")


def play(folder: Path, seed: int, submissions: int, call: str, idling: int) -> None:
    """Run the child: idle, then play to the end, with its output in a file."""
    act = idle(call, folder / IDLE)
    output = os.open(folder / "output", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600)
    for _ in range(idling):
        act()
    os.dup2(output, 1)
    sys.argv = [
        "writer",
        str(folder / PLACE),
        "--seed",
        f"{seed}",
        "--submissions",
        f"{submissions}",
    ]
    os._exit(writer.main())


def main() -> None:
    folder, call = Path(sys.argv[1]), sys.argv[4]
    seed, submissions, last, *points = map(int, [*sys.argv[2:4], *sys.argv[5:]])
    (folder / IDLE).touch()
    for k in points:
        child = os.fork()
        if not child:
            play(folder, seed, submissions, call, last - k)
        _, status = os.waitpid(child, 0)
        (folder / "output").rename(folder / f"{k}.output")
        (folder / f"{k}.status").write_text(f"{os.waitstatus_to_exitcode(status)}")
        if (folder / PLACE).exists():
            (folder / PLACE).rename(folder / f"{k}")


if __name__ == "__main__":
    main()
