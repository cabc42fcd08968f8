"""The Debian package for another kind of machine: `make deb ARCH=arm64`, as root.

It is built from this checkout's last commit in a root of Debian 13, by emulation where the
processor is another one, into dist/ARCH/.
"""

from __future__ import annotations

import argparse
import shutil
import time
from pathlib import Path

from hardware.deb.__main__ import make_key, release_key
from hardware.image.emulated import emulation, run
from hardware.image.root import DebianRoot

CHECKOUT = Path(__file__).resolve().parents[2]
BUILD = CHECKOUT / "build/image"
ARCHITECTURES = ("amd64", "arm64")
PACKAGES = ("ca-certificates", "git", "make", "openssl", "python3-venv")
LGPIO = ("gcc", "libc6-dev", "python3-dev", "swig")
"""What builds lgpio: Debian 13 has no package of it, and PyPI no wheel for Python 3.13."""
PINS = ("lgpio==0.2.2.0", "rpi-lgpio==0.6")
WHEELS = "/srv/wheels"


def build_package(arch: str) -> Path:
    """Build the package for `arch` in its root; return its path in dist/ARCH."""
    with emulation(arch) as words:
        root = builder(DebianRoot(BUILD / arch / "builder", arch, words))
        checkout = root.path / "srv/checkout"
        former = checkout / ".venv"
        kept = root.path / "srv/venv"
        if former.exists():
            former.rename(kept)
        shutil.rmtree(checkout, ignore_errors=True)
        run(["git", "clone", "-q", "--depth", "1", f"file://{CHECKOUT}", str(checkout)])
        if kept.exists():
            kept.rename(former)
        target = root.path / "root/.config/companion/release.key"
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_key(release_key())
        shutil.copy(release_key(), target)
        root.run("cd /srv/checkout; make setup; .venv/bin/python -m hardware.deb")
    target = CHECKOUT / "dist" / arch
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(checkout / "dist", target)
    (package,) = target.glob(f"*_{arch}.deb")
    return package


def builder(root: DebianRoot) -> DebianRoot:
    """Make the root that builds, unless it is there; with the libraries of the panel's pins."""
    if not (root.path / "srv/ready").exists():
        root.make((*PACKAGES, *LGPIO))
        root.borrow_network()
        root.run(
            f"python3 -m venv /srv/pins; PYPI=1 /srv/pins/bin/pip wheel -q -w {WHEELS} "
            f"--no-deps {' '.join(PINS)}; touch /srv/ready"
        )
    root.borrow_network()
    return root


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arch", choices=ARCHITECTURES)
    begun = time.monotonic()
    package = build_package(parser.parse_args().arch)
    print(
        f"{package.relative_to(CHECKOUT)}: {package.stat().st_size // 1_000_000} MB, in "
        f"{time.monotonic() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
