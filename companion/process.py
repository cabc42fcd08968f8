"""Start processes with a minimal environment, name this program's command, limit its memory."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from companion.platforms import CHILD_FLAGS, ON_LINUX, join_command

PASSED_VARIABLES = (
    *("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "HOME"),
    *("SYSTEMROOT", "USERPROFILE", "TEMP"),
)
"""Environment variables that child processes get: the paths of modules and of the owner's files.
The last three are Windows's; without the first of them it opens no socket.
"""
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8
MAPPED_BYTES = 1024 * 1024
"""Bytes of a block that is given back to the kernel when it is freed."""


def minimal_env() -> dict[str, str]:
    """Return the environment of a process that the table starts."""
    return {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}


def start_worker(
    module: str, variables: Mapping[str, str] | None = None
) -> subprocess.Popen[bytes]:
    """Start a module of this program that reads stdin and writes stdout. It has the minimal
    environment and `variables`, and ends by itself when its stdin does.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd="/",
        env=minimal_env() | dict(variables or {}),
        start_new_session=True,  # Ctrl+C in the table's terminal is not for it.
        creationflags=CHILD_FLAGS,
    )


def configure_malloc() -> None:
    """Let the threads that start from now on allocate from one arena, and large blocks outside it.

    glibc has sixteen arenas on two cores, and each keeps what was freed in it: megabytes with a
    server's threads. After the first large block, such as the 16 MB of a PIN's hash, it would keep
    further ones too. Other C libraries have neither.
    """
    if not ON_LINUX:
        return
    with suppress(AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(M_ARENA_MAX, 1)
        libc.mallopt(M_MMAP_THRESHOLD, MAPPED_BYTES)


def own_command(*words: str) -> str:
    """Return the shell command that runs this program with `words` from the present folder."""
    return join_command([*_own_program(Path(sys.argv[0])), *words])


def _own_program(started: Path) -> list[str]:
    """Return the shortest words that start the program at the path `started`."""
    if started.name == "__main__.py":
        return [sys.executable, "-m", "companion"]
    # The account to which root switched may not have access to the folder of the start.
    if started.stem != "companion" or not os.path.exists(started):
        return ["companion"]
    on_path = shutil.which("companion")
    if on_path and Path(on_path).samefile(started):
        return ["companion"]
    folder = Path.cwd()
    return [str(started.relative_to(folder) if started.is_relative_to(folder) else started)]
