"""The output of `make` on a machine that lacks a program."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
OLD = "#!/bin/sh\nexit 1\n"
"""A Python that is too old, or has no venv."""


def test_without_python_and_apt(tmp_path: Path) -> None:
    """On macOS or another Linux without Python 3.11, `make play` prints what is needed and what to
    do, and leaves nothing behind.
    """
    programs, checkout = tmp_path / "bin", tmp_path / "checkout"
    programs.mkdir()
    checkout.mkdir()
    for name in ("env", "id", "make", "nproc", "sh"):
        path = shutil.which(name)
        assert path is not None
        (programs / name).symlink_to(path)
    (programs / "python3").write_text(OLD)
    (programs / "python3").chmod(0o755)
    shutil.copy(CHECKOUT / "Makefile", checkout)
    result = subprocess.run(
        ["make", "play"],
        cwd=checkout,
        env={"PATH": str(programs), "PYTHON": "python3"},  # instead of this machine's
        capture_output=True,
        text=True,
        check=False,
    )
    output = (
        "This needs Python 3.11 or newer. Without apt: pipx install . (or uv tool install .), "
        "then companion serve"
    )
    assert output in result.stderr
    assert result.returncode != 0
    assert [checkout / "Makefile"] == list(checkout.iterdir())


@pytest.mark.slow
def test_the_first_python_that_is_good_is_taken(tmp_path: Path) -> None:
    """Of several Pythons the first one that is new enough and has venv makes the environment."""
    old, checkout = tmp_path / "old", tmp_path / "checkout"
    old.write_text(OLD)
    old.chmod(0o755)
    checkout.mkdir()
    shutil.copy(CHECKOUT / "Makefile", checkout)
    subprocess.run(
        ["make", ".venv/bin/python", f"PYTHON={old} {sys.executable} {tmp_path}"],
        cwd=checkout,
        check=True,
        capture_output=True,
    )

    assert Path(sys.executable).resolve() == (checkout / ".venv/bin/python").resolve()
