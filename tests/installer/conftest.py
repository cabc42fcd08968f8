"""A root of Debian to install in must be mounted, and a file stand for a card's partition. A
machine that lets nobody do so (a container without that right, an account that is not root's)
cannot run what is checked in one: the last lines of a run then list what was left out.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

import pytest

from hardware.deb.__main__ import build
from tests.installer.card import Card
from tests.installer.debian import MANUALS, Debian, ended

IN_A_ROOT = {"debian", "packaged"}
"""The fixtures that mount one."""
ON_A_PARTITION = {"partition"}
"""The fixtures that attach one."""


@cache
def can_mount() -> bool:
    """Return whether this account may mount a root of Debian."""
    if os.geteuid() != 0:
        return False
    with TemporaryDirectory() as folder:
        try:
            return "here" in Debian(Path(folder)).run("echo here")
        except (AssertionError, OSError, subprocess.SubprocessError):
            return False


@cache
def can_attach() -> bool:
    """Return whether a file may be attached as a partition."""
    if not can_mount():
        return False
    # One after the other, so that all workers of a run get the same answer if there are few
    # devices.
    with (
        (Path(gettempdir()) / "companion-loop.lock").open("w") as lock,
        TemporaryDirectory() as folder,
    ):
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            with Card(Path(folder), "companion") as card:
                return (
                    "ext4"
                    in ended(
                        ["unshare", "-m", "sh", "-ec", f"mount {card.device} /mnt; findmnt /mnt"]
                    ).stdout
                )
        except (AssertionError, OSError, subprocess.SubprocessError):
            return False


def left_out(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests among `items` that cannot run here."""

    def using(fixtures: set[str]) -> list[pytest.Item]:
        return [item for item in items if fixtures & set(getattr(item, "fixturenames", ()))]

    rooted, attached = using(IN_A_ROOT), using(ON_A_PARTITION)
    return [
        *(rooted if rooted and not can_mount() else []),
        *(attached if attached and not can_attach() else []),
    ]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unable = left_out(items)
    if unable:
        items[:] = [item for item in items if item not in unable]
        config.hook.pytest_deselected(items=unable)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not can_mount():
        terminalreporter.section("NOT CHECKED HERE", red=True)
        terminalreporter.line(
            "Installing in a root of Debian (tests/installer): "
            "this account may mount nothing on this machine."
        )
    elif not can_attach():
        terminalreporter.section("NOT CHECKED HERE", red=True)
        terminalreporter.line(
            "A partition for the games (tests/installer/test_disk.py): "
            "this machine has no loop devices."
        )


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built from this checkout once for all workers; not compressed, because it is
    only unpacked again.
    """
    run = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    folder = run / "package"
    with (run / "package.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built := list(folder.glob("*.deb"))):
            folder.mkdir()
            built = [build(folder, folder / "work", ("-Znone",))]
    return built[0]


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Debian:
    """A root of Debian with the package in it, as apt leaves it."""
    debian = Debian(tmp_path_factory.mktemp("debian"))
    shutil.copy(package, debian.upper / "tmp.deb")
    debian.run(f"rm -f /{MANUALS}; dpkg --force-unsafe-io -i /tmp.deb; rm /tmp.deb")
    return debian


@pytest.fixture
def debian(tmp_path: Path, packaged: Debian) -> Debian:
    """A copy of the root with stubs for the kiosk compositor's dependencies."""
    debian = Debian(tmp_path, packaged)
    debian.run("for name in cage Xwayland; do test -e /usr/bin/$name || touch /usr/bin/$name; done")
    return debian


@pytest.fixture(autouse=True)
def check_mounts() -> Iterator[None]:
    """The roots are mounted in namespaces of their own, which end with their commands."""
    yield
    assert "upperdir=/tmp/pytest" not in Path("/proc/mounts").read_text(encoding="utf-8")
