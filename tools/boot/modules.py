"""The kernel's module gpio-sim, which Debian does not build, for Debian's kernel of an image.

Its source is Debian's own package of that kernel; `irq_sim.c`, which Debian's kernel lacks too,
becomes part of the module.
"""

from __future__ import annotations

from pathlib import Path

from hardware.image.root import DebianRoot

NEEDS = ("gcc", "make", "xz-utils", "kmod", "linux-source-6.12", "linux-headers-{arch}")
SOURCES = (
    "drivers/gpio/gpio-sim.c",
    "drivers/gpio/gpiolib.h",
    "kernel/irq/irq_sim.c",
)
MAKEFILE = "obj-m := gpio-simulated.o\ngpio-simulated-y := gpio-sim.o irq_sim.o\n"
NOT_EXPORTED = "s/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/"
"""What no module may call, and what it may call instead."""
FOLDER = "/srv/gpio-sim"
BUILD = f"""
mkdir -p {FOLDER}; cd {FOLDER}
tar xf /usr/src/linux-source-6.12.tar.xz --strip-components=1 --wildcards {{sources}}
find . -mindepth 2 -name '*.[ch]' -exec mv {{{{}}}} . ';'
sed -i '{NOT_EXPORTED}' irq_sim.c
for headers in /usr/src/linux-headers-*-{{arch}}; do make -s -C $headers M=$PWD modules; done
"""


def build_gpio_sim(root: DebianRoot) -> Path:
    """Build the module in a builder's root; return its path."""
    module = root.path / FOLDER[1:] / "gpio-simulated.ko"
    if not module.exists():
        root.borrow_network()
        needs = " ".join(NEEDS).format(arch=root.arch)
        root.run(f"apt-get -qq update; apt-get -qq install -y --no-install-recommends {needs}")
        module.parent.mkdir(exist_ok=True)
        (module.parent / "Makefile").write_text(MAKEFILE, encoding="ascii")
        sources = " ".join(f"'*/{name}'" for name in SOURCES)
        root.run(BUILD.format(sources=sources, arch=root.arch))
    return module
