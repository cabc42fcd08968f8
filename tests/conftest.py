"""For all tests: locks check their order, also in the servers that tests start; an SQLite
connection that nobody closes is an error; in CI a skip is a failure, so that a missing program
cannot hide a check.
"""

from __future__ import annotations

import gc
import os
import sqlite3
import sys
import warnings
from collections.abc import Generator, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

SHELL, WHOLE = "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"
CHROMIUM = os.environ.get("CHROMIUM") or (SHELL if Path(SHELL).exists() else WHOLE)
"""Debian's Chromium without windows, whose pages cost a fifth of the processor's time; else the
whole one.
"""
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    # A process of its own for it, without hardware to talk to, takes a tenth of the time.
    "--in-process-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # A name that is not this machine's own: pages get the same over it as phones over plain http.
    "--host-resolver-rules=MAP table.test 127.0.0.1",
]

os.environ["COMPANION_CHECK_LOCKS"] = "1"
# A test run starts some hundred servers, and half of each start would be spent on compiling.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

settings.register_profile("random", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("companion", settings.get_profile("random"), derandomize=True)
# What is red once is red again. `make trust` draws new examples, by `--hypothesis-profile random`.
settings.load_profile("companion")


SLOW_FOLDERS = (
    "engines", "secrecy", "browser", "installer", "emulator", "mqtt", "flash", "hardware",
    "firmware",
)  # fmt: skip
"""Whose tests play long games against each other, or start browsers, boards, roots or programs."""
HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "look at pages in every size and language, and while they move, as `make soak` does"
    parser.addoption("--exhaustive", action="store_true", help=words)
    words = "save a screenshot of each screen in tests/browser/shots, not only of what fails"
    parser.addoption("--screenshots", action="store_true", help=words)
    words = "let this zip for Windows serve the tables of the pages' tests, under Wine"
    parser.addoption("--windows-zip", metavar="FILE", help=words)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import the slow folders and modules if no slow test is selected."""
    if config.option.markexpr != "not slow":
        return None
    return is_slow(collection_path) or None


def is_slow(path: Path) -> bool:
    """Return whether all tests of a folder or module are slow."""
    is_module = path.name.startswith("test_") and path.suffix == ".py"
    return _folder(path) in SLOW_FOLDERS or (
        is_module and b"\npytestmark = pytest.mark.slow\n" in path.read_bytes()
    )


def is_repetition(item: pytest.Item) -> bool:
    """Return whether a test is left to `make trust` and `make soak`."""
    return item.get_closest_marker("soak") is not None


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Return a short id for paths and for texts of lines: an id from a log works elsewhere."""
    if isinstance(val, Path):
        return val.name
    text = val.decode("latin-1") if isinstance(val, bytes) else val
    is_short = not isinstance(text, str) or (
        "\n" not in text and r"\n" not in text and not text.startswith(f"{HERE.parent}")
    )
    return None if is_short else argname


@cache
def _folder(path: Path) -> str:
    """Return the folder of the tests that a path is in, the file's own name outside of one."""
    return "" if path == HERE or HERE not in path.parents else path.relative_to(HERE).parts[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark slow tests, and begin with their files: a long one that begins last runs on alone. Leave
    out the repetitions that are marked `soak`, unless these are selected or the run is exhaustive.
    """
    if config.option.markexpr != "soak" and not config.option.exhaustive:
        config.hook.pytest_deselected(items=[item for item in items if is_repetition(item)])
        items[:] = [item for item in items if not is_repetition(item)]

    with_paths = [item.nodeid for item in items if "\\n" in item.nodeid or f"{HERE}" in item.nodeid]
    assert [] == with_paths, "`ids` of these should be names"
    for item in items:
        if _folder(item.path) in SLOW_FOLDERS or "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("slow")
    slow = {item.path for item in items if item.get_closest_marker("slow")}

    def turn(item: pytest.Item) -> int:
        folder = _folder(item.path)
        if folder in SLOW_FOLDERS:
            return SLOW_FOLDERS.index(folder)
        return len(SLOW_FOLDERS) + (item.path not in slow)

    items.sort(key=turn)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Switch the garbage collector off while tests are collected, where it takes two fifths of the
    time; later it ignores the objects made then.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The test's own folder, in memory: waiting for a disk is a third of a quick test. The slow
    folders, which may test the disk, have pytest's.
    """
    if _folder(request.path) in SLOW_FOLDERS:
        yield request.getfixturevalue("tmp_path")
        return
    from tests.helpers.ramdisk import in_memory

    with in_memory() as folder:
        yield Path(folder)


@pytest.fixture(scope="session", autouse=True)
def quick_pins() -> Iterator[None]:
    """Replace the hash of PINs by a quick one."""
    # Modules that import the locks come after the environment above, which they read at once.
    from companion.server.auth import codes
    from tests.helpers.pins import QUICK_PINS

    with patch.object(codes, "PIN_COST", QUICK_PINS):
        yield


class WatchedConnection(sqlite3.Connection):
    """A connection that warns if nobody closed it, as Python 3.13 does, and names the test that
    opened it: garbage may be collected in a later one.
    """

    is_closed = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.test = os.environ.get("PYTEST_CURRENT_TEST", "no test")

    def close(self) -> None:
        super().close()
        self.is_closed = True

    def __del__(self) -> None:
        if not self.is_closed:
            message = f"unclosed database in {self!r}, opened in {self.test}"
            warnings.warn(message, ResourceWarning, source=self, stacklevel=1)


if sys.version_info < (3, 13):
    sqlite3.connect = partial(sqlite3.connect, factory=WatchedConnection)  # type: ignore[assignment]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if os.environ.get("CI") and report.skipped:
        report.outcome = "failed"
        report.longrepr = (
            f"{item.nodeid} was skipped, which CI counts as a failure: {report.longrepr}"
        )
    return report


@pytest.fixture(scope="session")
def is_exhaustive(pytestconfig: pytest.Config) -> bool:
    """Return whether every screen is checked in every size and language, and while it moves."""
    return bool(pytestconfig.getoption("exhaustive"))


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Playwright, which runs once in a process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium, one for all tests of a process."""
    if not Path(CHROMIUM).exists():
        pytest.fail(
            f"These tests need Chromium at {CHROMIUM}: `apt-get install chromium-headless-shell`, "
            f"or name another in $CHROMIUM."
        )
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    yield browser
    browser.close()
