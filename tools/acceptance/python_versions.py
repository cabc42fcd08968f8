"""The quick tests on each version of Python.

`python -m tools.acceptance.python_versions [VERSION …]`
An interpreter is looked for among this machine's commands and pyenv's; where there is none, root
builds a root of the Debian release that has the version. Prints a version, where it was found, and
the end of pytest's output; a version that nobody here has is named. Ends with 1 where a test fails.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tests.installer.debian import ended
from tools.acceptance.check import ROOT
from tools.acceptance.debian13 import QUICK, checkout_in_debian, environment, mounted

SUITES = {"3.11": "bookworm", "3.12": None, "3.13": "trixie", "3.14": "forky"}
"""The versions, and the Debian release with each; no release had 3.12."""
PYENV = ".pyenv/versions"
PATIENCE = 3600
SETUP = "make .venv/ready-dev"


def find_interpreter(version: str) -> Path | None:
    """Return this machine's interpreter of a version, None if it has none."""
    command = shutil.which(f"python{version}")
    candidates = [Path(command)] if command else []
    candidates += sorted(Path.home().glob(f"{PYENV}/{version}.*/bin/python{version}"))
    return next((path.resolve() for path in candidates if has_venv(path)), None)


def has_venv(python: Path) -> bool:
    """Return whether an interpreter runs and can make an environment."""
    return (
        ended([str(python), "-c", "import ensurepip, venv"], os.environ, PATIENCE).returncode == 0
    )


def run_here(python: Path, folder: Path) -> tuple[int, str]:
    """Run the quick tests by an interpreter of this machine, in a clone of this checkout."""
    command = (
        f"git clone -q {ROOT} {folder}/checkout; cd {folder}/checkout; "
        f"{SETUP} PYTHON={python}; {QUICK}"
    )
    result = ended(["sh", "-ec", command], os.environ, PATIENCE)
    return result.returncode, result.stdout


def run_in_debian(suite: str, folder: Path) -> tuple[int, str]:
    """Run the quick tests in a root of a Debian release."""
    checkout_in_debian(folder, "nodejs", suite)
    result = ended(mounted(folder, f"{SETUP}; {QUICK}"), environment(), PATIENCE)
    return result.returncode, result.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("versions", nargs="*", metavar="VERSION")
    failed, lines = 0, []
    for version in parser.parse_args().versions or SUITES:
        started, suite = time.monotonic(), SUITES[version]
        with tempfile.TemporaryDirectory(prefix="python-") as name:
            if python := find_interpreter(version):
                origin, (status, output) = str(python), run_here(python, Path(name))
            elif suite and os.geteuid() == 0:
                origin, (status, output) = suite, run_in_debian(suite, Path(name))
            else:
                lines.append(f"{version}: no interpreter")
                continue
        if status:
            failed = 1
            print(output[-5000:], file=sys.stderr)
        end = output.strip().splitlines()[-1].strip("= ")
        lines.append(f"{version} ({origin}): {end}, {time.monotonic() - started:.0f} s")
        print(lines[-1], file=sys.stderr, flush=True)
    print("; ".join(lines))
    return failed


if __name__ == "__main__":
    sys.exit(main())
