"""The wheel and the source archive: pages, languages and all, as pip installs them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.helpers.ports import free_port
from tests.helpers.repetitions import soak
from tests.test_cli import TIMEOUT

pytestmark = pytest.mark.slow

OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation", "--disable-pip-version-check")
CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize("kind", ["wheel", *soak("sdist")])
def test_a_table_runs_from_the_package_alone(kind: str, tmp_path: Path) -> None:
    """The wheel and the source archive hold templates, static files and languages; a table that pip
    installed from either serves a page and its script, by its own command.
    """
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(tmp_path / "dist")],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
        timeout=4 * TIMEOUT,
    )
    (package,) = (tmp_path / "dist").iterdir()
    assert package.name in built.stdout + built.stderr
    target = tmp_path / "installed"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", *OFFLINE, "--target", target, package],
        cwd=tmp_path,
        check=True,
        timeout=4 * TIMEOUT,
    )
    port = free_port()
    with subprocess.Popen(
        [
            *(sys.executable, target / "bin/companion", "serve", "--host", "127.0.0.1"),
            *("--data", tmp_path / "data", "--port", str(port), "--board", "none"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(target)},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
        for page in (
            "/table",
            "/static/screens/table/main.js",
            "/static/i18n/nl.json",
            "/static/games/vwars/i18n/nl.json",
            "/kit/nosferatu/A4-ja.pdf",
        ):
            assert (
                200
                == urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=TIMEOUT).status
            )
        process.send_signal(signal.SIGTERM)
        process.wait(TIMEOUT)

    assert (target / "companion" / "web" / "templates" / "table.html").exists()
