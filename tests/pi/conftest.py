"""A root of Debian to install in must be mounted. A machine that lets nobody do so (a container without that right, an
account that is not root's) cannot run what is checked in one: the last lines of a run then say what was left out."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.pi.debian import Debian

IN_A_ROOT = {"debian", "packaged"}
"""The fixtures that mount one."""


@cache
def can_mount() -> bool:
    """Return whether this account may have a root of Debian here."""
    if os.geteuid() != 0:
        return False
    with TemporaryDirectory() as folder:
        try:
            return "here" in Debian(Path(folder)).run("echo here")
        except (AssertionError, OSError, subprocess.SubprocessError):
            return False


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests among `items` that cannot run here."""
    found = [item for item in items if IN_A_ROOT & set(getattr(item, "fixturenames", ()))]
    return [] if not found or can_mount() else found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unable = left_out(items)
    if unable:
        items[:] = [item for item in items if item not in unable]
        config.hook.pytest_deselected(items=unable)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not can_mount():
        terminalreporter.section("NOT CHECKED HERE", red=True)
        terminalreporter.line(
            "Installing in a root of Debian (tests/pi): this account may mount nothing on this machine."
        )
