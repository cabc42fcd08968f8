"""The checkout that is built: commands in it, and the time stamp of everything that is built, so
that two builds of one commit are equal.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
WITHOUT_GIT = 1767225600
"""1 January 2026, for a tree that is no checkout."""


def source_date_epoch() -> int:
    """Return the environment's SOURCE_DATE_EPOCH, else the time of the last commit, in seconds."""
    if chosen := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(chosen)
    done = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    return int(done.stdout) if done.returncode == 0 else WITHOUT_GIT


def run(*command: str, **environment: str) -> str:
    """Run a command in the checkout; return its output, or exit with its error message."""
    done = subprocess.run(
        command,
        cwd=CHECKOUT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} … failed:\n{done.stdout}{done.stderr}")
    return done.stdout
