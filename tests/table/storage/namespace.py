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
        result = _run(["unshare", *ways, sys.executable, "-m", module, *words])
        if result.returncode == 0:
            return result.stdout
        if "unshare failed" not in result.stderr:
            break
    raise RuntimeError(result.stderr or result.stdout)


def mount(*words: str) -> None:
    """Mount something; raise RuntimeError."""
    result = _run(["mount", *words])
    if result.returncode:
        raise RuntimeError(result.stderr)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False
    )
