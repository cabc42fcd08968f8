"""A corner of this machine in which a test may mount what it likes: `unshare`, no root needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.table.storage.disk import ROOT


def in_own_mounts(module: str, *words: str) -> str:
    """Run `python -m module words` where it is root over mounts of its own; return what it prints.

    Raises RuntimeError with what it complained of. Where the kernel allows no user namespaces it
    must be run as root.
    """
    for ways in (["-Urm"], ["-m"]):
        done = _run(["unshare", *ways, sys.executable, "-m", module, *words])
        if done.returncode == 0:
            return done.stdout
        if "unshare failed" not in done.stderr:
            break
    raise RuntimeError(done.stderr or done.stdout)


def mount(*words: str) -> None:
    """Mount something; raise RuntimeError."""
    done = _run(["mount", *words])
    if done.returncode:
        raise RuntimeError(done.stderr)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False
    )
