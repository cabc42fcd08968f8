"""The package for arm64, built and run by emulation: `python -m tools.acceptance.arm64`.

As root. `make deb ARCH=arm64` is run unless `--built` says that dist/arm64 has the package. It is
installed in the root that built it, a table is served from it until it answers, and it is removed.
Prints the seconds of each step; ends with 1 where one fails.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time

from hardware.image.emulated import emulation
from hardware.image.package import BUILD, CHECKOUT, build_package
from hardware.image.root import DebianRoot
from tests.helpers.ports import free_port

ARCH = "arm64"
STEPS = (
    ("install", "dpkg --force-unsafe-io -i /root/table.deb; companion --version"),
    (
        "table",
        "companion serve --data /tmp/data --board none --port {port} & "
        "until python3 -c 'import sys, urllib.request as r; r.urlopen(sys.argv[1], timeout=60)' "
        "http://127.0.0.1:{port}/healthz 2> /dev/null; do kill -0 $!; sleep 1; done; kill $!",
    ),
    ("remove", "apt-get purge -y -qq table-companion; rm -rf /tmp/data /root/table.deb"),
)
"""Each step's name and its shell commands in the root."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", action="store_true")
    figures = []
    started = time.monotonic()
    if parser.parse_args().built:
        (package,) = (CHECKOUT / "dist" / ARCH).glob(f"*_{ARCH}.deb")
    else:
        package = build_package(ARCH)
        figures.append(f"package_s={time.monotonic() - started:.0f}")
    with emulation(ARCH) as words:
        root = DebianRoot(BUILD / ARCH / "builder", ARCH, words)
        shutil.copy(package, root.path / "root/table.deb")
        for name, command in STEPS:
            started = time.monotonic()
            root.run(command.format(port=free_port()))
            figures.append(f"{name}_s={time.monotonic() - started:.0f}")
        machine = root.run("uname -m; python3 --version").split()
    print(*machine, *figures, f"size={package.stat().st_size}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
