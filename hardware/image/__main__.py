"""A disk image of Debian 13 with the table installed: `make image [ARCH=arm64]`, as root.

Writes build/image/ARCH/companion.img, and beside it the kernel and the initramfs for QEMU. For
arm64 the first partition has Debian's Pi firmware. No user can log in: set a password on the card
(`chroot`, `passwd`) before its first start if you want to. The base, build/image/ARCH/base, is
the system as Debian had it when that was made.
"""

from __future__ import annotations

import argparse
import shutil
import time
import zipfile
from pathlib import Path

from companion.installer.wifi import KEYFILE, SERVICE_FILE
from hardware.checkout import CHECKOUT
from hardware.deb.__main__ import MACHINES, build_for
from hardware.image.builder import BUILD, WHEELS, make_builder
from hardware.image.disk import lay_grub, write_disk
from hardware.image.emulated import emulation, native
from hardware.image.root import DebianRoot

PACKAGES = (
    *("systemd-sysv", "udev", "dbus", "dbus-user-session", "libpam-systemd", "polkitd", "kmod"),
    *("initramfs-tools", "zstd", "systemd-timesyncd", "sudo", "ca-certificates", "curl"),
    *("network-manager", "wpasupplicant", "iw", "dnsmasq-base", "nftables", "iproute2"),
    *("cage", "xwayland", "chromium", "fonts-ipafont-gothic", "avahi-daemon"),
    *("python3-venv", "avrdude", "openssl", "busybox", "e2fsprogs"),
)
"""The system, what a Wi-Fi of its own needs, and what the table's package recommends."""
KERNELS = {
    "amd64": ("linux-image-amd64", "grub-efi-amd64-bin", "grub-common"),
    "arm64": ("linux-image-arm64", "raspi-firmware", "firmware-brcm80211"),
}
FIRST_START = "companion-first-start.service"
FIRST_START_UNIT = f"""\
[Unit]
Description=Choose the name and password of this machine's own Wi-Fi
Before=companion.service NetworkManager.service

[Service]
Type=oneshot
# As on a card of another machine: nothing that runs is stopped.
BindPaths=/:/run/system:norbind
ExecStart=/usr/bin/companion install --root /run/system
# Once: after `companion uninstall` the next start must not install the table again.
ExecStart=/usr/bin/systemctl --root=/run/system disable {FIRST_START}

[Install]
WantedBy=multi-user.target
"""
MODULES = "usr/local/lib/python3.13/dist-packages"
FILES = {
    "etc/hostname": "companion\n",
    "etc/hosts": "127.0.0.1 localhost\n127.0.1.1 companion\n::1 localhost\n",
    "etc/fstab": (
        "LABEL=root / ext4 defaults,noatime 0 1\n"
        "LABEL=FIRMWARE /boot/firmware vfat defaults,noatime,nofail 0 2\n"
    ),
    "etc/machine-id": "",
    f"etc/systemd/system/{FIRST_START}": FIRST_START_UNIT,
    "etc/default/raspi-firmware": 'ROOTPART=LABEL=root\nCONSOLES="auto"\n',
}

VARYING = (
    *("var/log/*.log", "var/log/apt/*", "var/lib/dpkg/*-old", "var/cache/ldconfig/aux-cache"),
    *("etc/*-", "var/cache/debconf/*-old", "var/lib/apt/lists/*"),
)
"""What has the moment of its making in it."""


def build_image(arch: str, package: Path) -> Path:
    """Build the disk image with a package in it; return its path."""
    folder = BUILD / arch
    with emulation(arch) as words:
        compiled = make_builder(DebianRoot(folder / "builder", arch, words)).path / WHEELS[1:]
        base = DebianRoot(folder / "base", arch, words)
        if not (base.path / "var/ready").exists():
            base.make((*PACKAGES, *KERNELS[arch]))
            (base.path / "var/ready").touch()
        root = base.copy("system")
        (root.path / "var/ready").unlink()
        install(root, package, compiled)
        (root.path / "boot/firmware").mkdir(exist_ok=True)
        if arch == "amd64":
            lay_grub(root)
        else:
            root.run(
                "cd /lib/modules; "
                "for kernel in *; do /etc/kernel/postinst.d/z50-raspi-firmware $kernel; done"
            )
        for name in ("vmlinuz", "initrd.img"):
            shutil.copy(root.path / name, folder / name)
        remove_logs(root.path)
        image = folder / "companion.img"
        write_disk(root, base, image)
    return image


def install(root: DebianRoot, package: Path, wheels: Path) -> None:
    """Install the table and the pins' libraries, and make the system its own."""
    shutil.copy(package, root.path / "root/table.deb")
    for name, text in FILES.items():
        (root.path / name).write_text(text, encoding="ascii")
    root.run(
        "dpkg --force-unsafe-io -i /root/table.deb; companion install --kiosk --wifi; "
        # Each machine draws its own at its first start.
        f"rm /{KEYFILE} /{SERVICE_FILE}; systemctl enable {FIRST_START}; "
        "rm /root/table.deb; apt-get clean; passwd -l root"
    )
    # mmdebstrap leaves this machine's name servers; the Pi gets its network's own.
    (root.path / "etc/resolv.conf").unlink(missing_ok=True)
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(root.path / MODULES)


def remove_logs(system: Path) -> None:
    """Remove from a system what no two builds have alike."""
    for pattern in VARYING:
        for path in system.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arch", choices=list(MACHINES), nargs="?", default=native())
    parser.add_argument("--package", type=Path, help="one that was built before")
    given = parser.parse_args()
    begun = time.monotonic()
    package = given.package or build_for(given.arch)
    built = time.monotonic()
    image = build_image(given.arch, package)
    print(
        f"{image.relative_to(CHECKOUT)}: {image.stat().st_blocks * 512 // 1_000_000} MB on the "
        f"disk; package {built - begun:.0f} s, image {time.monotonic() - built:.0f} s"
    )


if __name__ == "__main__":
    main()
