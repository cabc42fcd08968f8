"""The root of Debian 13 that compiles what neither Debian nor PyPI has: the pins' library."""

from __future__ import annotations

from hardware.checkout import CHECKOUT
from hardware.image.root import DebianRoot

BUILD = CHECKOUT / "build/image"
PACKAGES = ("ca-certificates", "gcc", "libc6-dev", "python3-dev", "python3-venv", "swig")
PINS = ("lgpio==0.2.2.0", "rpi-lgpio==0.6")
WHEELS = "/srv/wheels"


def make_builder(root: DebianRoot) -> DebianRoot:
    """Make the root that compiles, unless it is there; return it, with the wheels of the pins."""
    if not (root.path / "srv/ready").exists():
        root.make(PACKAGES)
        root.borrow_network()
        root.run(
            f"python3 -m venv /srv/pins; PYPI=1 /srv/pins/bin/pip wheel -q -w {WHEELS} "
            f"--no-deps {' '.join(PINS)}; touch /srv/ready"
        )
    return root
