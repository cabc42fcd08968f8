"""The wheel: pages, languages and all, as it is installed on a Pi."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.helpers.ports import free_port
from tests.test_cli import PATIENCE

pytestmark = pytest.mark.slow

CHECKOUT = Path(__file__).resolve().parent.parent


def test_a_table_runs_from_the_wheel_alone(tmp_path: Path) -> None:
    """The wheel holds templates, static files and languages; a table started from it serves a page
    and its script.
    """
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
        timeout=4 * PATIENCE,
    )
    wheel = next(tmp_path.glob("*.whl"))
    assert wheel.name in built.stdout + built.stderr
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "companion",
        "serve",
        "--data",
        str(tmp_path / "data"),
        "--port",
        str(port),
    ]
    with subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--board", "none"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
        for page in (
            "/table",
            "/static/screens/table/main.js",
            "/i18n/nl.json",
            "/kit/nosferatu/A4-ja.pdf",
        ):
            assert (
                200
                == urllib.request.urlopen(f"http://127.0.0.1:{port}{page}", timeout=PATIENCE).status
            )
        process.send_signal(signal.SIGTERM)
        process.wait(PATIENCE)

    assert (tmp_path / "installed" / "companion" / "web" / "templates" / "table.html").exists()
