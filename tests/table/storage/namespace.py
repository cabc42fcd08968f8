"""A mount namespace of its own for a test: `unshare`, no root needed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

from tests.table.storage.disk import ROOT


def in_own_mounts(module: str, *words: str) -> str:
    """Run `python -m module words` as root over mounts of its own; return its output.

    Raises RuntimeError with its error output. If the kernel allows no user namespaces it must be
    run as root.
    """
    for ways in (["-Urm"], ["-m"]):
        result = _run(["unshare", *ways, sys.executable, "-m", module, *words])
        if result.returncode == 0:
            return result.stdout
        if "unshare failed" not in result.stderr:
            break
    raise RuntimeError(result.stderr or result.stdout)


def mount(*words: str) -> None:
    """Mount a file system; raise RuntimeError."""
    result = _run(["mount", *words])
    if result.returncode:
        raise RuntimeError(result.stderr)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False
    )
