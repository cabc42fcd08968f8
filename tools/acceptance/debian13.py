"""The product on Debian 13: `python -m tools.acceptance.debian13 [--all]`, as root, with a mirror.

debootstrap builds a root in a temporary folder, and this checkout's last commit is cloned into it.
There run `make setup`, the tests that start no program (`--all`: `make test` instead), `make deb`,
the package's installation, `companion install`, a table until it answers, `companion uninstall`
and the package's removal. Prints the seconds of each step and the version of Python; ends with 1
where a step fails, with what the step printed, or where a file of the product is left.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.installer.debian import ended
from tools.acceptance.check import ROOT

SUITE, MIRROR = "trixie", "http://deb.debian.org/debian"
PACKAGES = "ca-certificates,curl,git,make,python3-venv,sudo"
AUTHORITIES = Path("etc/ssl/certs/ca-certificates.crt")
"""A network may have a certificate authority of its own, which this machine knows."""
TIMEOUT = 7200
"""Seconds for a step: the tests may run on a loaded machine."""
QUICK = ".venv/bin/python -m pytest -q -n 2 --dist loadfile -m 'not slow'"
STEPS = (
    ("setup", "make setup"),
    ("tests", "make .venv/ready-dev node_modules/.ready check-tools; {tests}"),
    ("package", "make deb"),
    ("install", "apt-get install -y --no-install-recommends ./dist/table-companion_*.deb"),
    ("service", "companion install --no-kiosk; companion doctor --help"),
    (
        "table",
        "companion serve --data /tmp/data --port 18080 & "
        "curl -sS --fail --retry 60 --retry-connrefused --retry-delay 1 "
        "http://127.0.0.1:18080/healthz; kill $!",
    ),
    ("uninstall", "companion uninstall; apt-get purge -y table-companion"),
    ("left", "! find /etc /opt /usr/bin /usr/lib /var/lib -name '*companion*' | grep ."),
)
"""Each step's name and its shell commands in the checkout."""


def checkout_in_debian(root: Path, more: str = "", suite: str = SUITE) -> None:
    """Build a Debian release with some packages (`more`: further ones) in an empty folder, and
    clone this checkout's last commit to /srv/checkout there.
    """
    packages = f"{PACKAGES},{more}".rstrip(",")
    words = ["debootstrap", "--variant=minbase", f"--include={packages}", suite, str(root), MIRROR]
    # debootstrap knows the steps of all releases by now, but not each one's name.
    run([*words, SUITE])
    (root / AUTHORITIES).write_bytes((Path("/") / AUTHORITIES).read_bytes())
    run(["git", "clone", "-q", str(ROOT), str(root / "srv/checkout")])


def mounted(root: Path, command: str) -> list[str]:
    """Return the command line that runs a shell command in the checkout in a root."""
    inside = (
        f"cd {shlex.quote(str(root))}; mount --bind . .; cd {shlex.quote(str(root))}; "
        "mount -t proc proc proc; mount --rbind /sys sys; mount --rbind /dev dev; "
        "mount -t tmpfs run run; "
        f"exec chroot . sh -ec {shlex.quote(f'cd /srv/checkout; {command}')}"
    )
    return ["unshare", "-mpf", "--kill-child", "sh", "-ec", inside]


def environment() -> dict[str, str]:
    """Return the environment of a command in the root."""
    certificates = f"/{AUTHORITIES}"
    return {
        "PATH": os.defpath + ":/usr/local/bin:/usr/sbin:/sbin",
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
        "PIP_CERT": certificates,
        "NODE_EXTRA_CA_CERTS": certificates,
    }


def run(words: list[str], named: Mapping[str, str] = os.environ) -> str:
    """Run a command and return its output; raise `SystemExit` with that if it fails."""
    result = ended(words, named, TIMEOUT)
    if result.returncode:
        raise SystemExit(result.stdout[-30_000:])
    return result.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="run `make test` there")
    tests = "make test" if parser.parse_args().all else QUICK
    figures = []
    with tempfile.TemporaryDirectory(prefix="debian13-") as name:
        # Not the temporary folder itself, in which root alone may look.
        root = Path(name) / "root"
        root.mkdir(mode=0o755)
        checkout_in_debian(root)
        for step, command in STEPS:
            started = time.monotonic()
            output = run(mounted(root, command.format(tests=tests)), environment())
            figures.append(f"{step}_s={time.monotonic() - started:.0f}")
            if step == "tests":
                figures.append(output.strip().splitlines()[-1].strip("= ").replace(" ", "_"))
        python = run(mounted(root, "python3 --version"), environment()).strip()
    print(python.replace(" ", "="), *figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
