"""Firefox and WebKitGTK, one of each for all tests; a missing one is skipped, which CI fails."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.conftest import FAILED, pytest_runtest_makereport
from tests.browser.screenshots import SHOTS
from tests.browser.server import PHONE_HOST, TableServer
from tests.engines.webdriver import FIREFOX, WEBKIT_DRIVER, Engine, Firefox, WebKit
from tests.engines.windows import Window

__all__ = ["pytest_runtest_makereport"]
DISPLAY_HOST, VAMPIRE_HOST, HUMAN_HOST = (
    f"{name}.{PHONE_HOST}" for name in ("display", "vampire", "human")
)

Open = Callable[[str, tuple[int, int]], Window]


@pytest.fixture(params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, server: TableServer, tmp_path: Path) -> Iterator[Engine]:
    """An engine that reaches the server by names that are no secure context."""
    folder = tmp_path / "engine"
    folder.mkdir()
    is_firefox = request.param == "firefox"
    for program in [FIREFOX] if is_firefox else [WEBKIT_DRIVER, "Xvfb"]:
        if shutil.which(program) is None:
            pytest.skip(f"{program} IS MISSING: `make check-tools` installs it.")
    hosts = [DISPLAY_HOST, VAMPIRE_HOST, HUMAN_HOST]
    engine = Firefox(folder, hosts) if is_firefox else WebKit(folder, f"127.0.0.1:{server.port}")
    yield engine
    engine.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[TableServer]:
    """A table without a board."""
    folder = tmp_path / "table"
    folder.mkdir()
    server = TableServer(folder, None)
    server.open()
    yield server
    server.close()
    assert "Traceback" not in server.log, server.log


@pytest.fixture
def window(engine: Engine, server: TableServer, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Open a window for a host name; a failed test leaves a picture of each."""
    opened: list[Window] = []

    def opening(host: str, size: tuple[int, int]) -> Window:
        opened.append(Window(engine, server, host, size))
        return opened[-1]

    yield opening
    if request.node.stash.get(FAILED, False):
        for each in opened:
            each.shot(SHOTS / f"failed-{request.node.name}-{each.host}.png")
