"""A disk image: a FAT partition that firmware reads, and an ext4 partition with the system."""

from __future__ import annotations

import os
from pathlib import Path

from hardware.checkout import source_date_epoch
from hardware.image.emulated import run
from hardware.image.root import DebianRoot

MIB = 1024 * 1024
SIZE = 4096 * MIB
"""A power of two, which QEMU's SD cards must have; it lies on a card of 8 GB."""
FIRMWARE_AT, FIRMWARE_SIZE = 4 * MIB, 508 * MIB
SYSTEM_AT = FIRMWARE_AT + FIRMWARE_SIZE
DISK = "7461626c"
"""The number of the disk and of its first partition; the second has it in its UUID."""
SYSTEM_UUID = f"{DISK}-0000-4000-8000-000000000001"
KINDS = {"amd64": "ef", "arm64": "c"}
"""Types of the first partition: UEFI's, and the one that a Pi's firmware reads."""
GRUB_MODULES = "part_msdos fat ext2 search search_label linux normal all_video efi_gop"
GRUB = (
    "search --label --set=root root\n"
    "linux /vmlinuz root=LABEL=root rw quiet\n"
    "initrd /initrd.img\n"
    "boot\n"
)


def write_disk(root: DebianRoot, tools: DebianRoot, image: Path) -> None:
    """Write a disk image with what lies in the root; `root`/boot/firmware fills the first
    partition. Two images of the same files have the same bytes; no file is younger than the commit.

    tools: a root with Debian 13's mkfs.ext4; Debian 12's writes the time of day
    """
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(SIZE)
    table = (
        f"label: dos\nlabel-id: 0x{DISK}\n"
        f"start={FIRMWARE_AT // 512}, size={FIRMWARE_SIZE // 512}, "
        f"type={KINDS[root.arch]}, bootable\nstart={SYSTEM_AT // 512}, type=83\n"
    )
    run(["sh", "-ec", f'printf %s "$1" | sfdisk -q {image}', "sh", table])
    firmware = root.path / "boot/firmware"
    write_firmware(firmware, image)
    set_access_times(root.path)
    # The directory stays empty: the first partition is mounted over it.
    aside = root.path.parent / "firmware"
    firmware.rename(aside)
    firmware.mkdir()
    extended = f"offset={SYSTEM_AT},root_owner=0:0,hash_seed={SYSTEM_UUID}"
    tools.run(
        f"mkfs.ext4 -q -F -L root -U {SYSTEM_UUID} -E {extended} -d /run/system "
        f"/run/images/{image.name} {(SIZE - SYSTEM_AT) // 1024}k",
        system=root.path,
        images=image.parent,
    )
    firmware.rmdir()
    aside.rename(firmware)


def set_access_times(system: Path) -> None:
    """Set the time of each file's last access to the commit's: mkfs keeps an older one, and the
    first build from a base changes the times that the second one copies.
    """
    accessed = source_date_epoch() * 1_000_000_000
    for path in system.rglob("*"):
        modified = path.lstat().st_mtime_ns
        os.utime(path, ns=(accessed, modified), follow_symlinks=False)


def write_firmware(folder: Path, image: Path) -> None:
    """Make the first partition and copy a folder's files into it, in the order of their names."""
    sectors, kilobytes = str(FIRMWARE_AT // 512), str(FIRMWARE_SIZE // 1024)
    epoch = source_date_epoch()
    made = ["mkfs.vfat", "--invariant", "-i", DISK, "-F32", "-n", "FIRMWARE", "--offset", sectors]
    run([*made, str(image), kilobytes])
    at = f"{image}@@{FIRMWARE_AT}"
    for path in sorted(folder.rglob("*")):
        target = f"::{path.relative_to(folder)}"
        if path.is_dir():
            run(["mmd", "-i", at, target], SOURCE_DATE_EPOCH=str(epoch))
        else:
            os.utime(path, (epoch, epoch))
            run(["mcopy", "-m", "-i", at, str(path), target], SOURCE_DATE_EPOCH=str(epoch))


def lay_grub(root: DebianRoot) -> None:
    """Lay what UEFI starts, which starts the kernel that Debian's links name."""
    target = root.path / "boot/firmware/EFI/BOOT/BOOTX64.EFI"
    target.parent.mkdir(parents=True, exist_ok=True)
    (root.path / "boot/early.cfg").write_text(GRUB, encoding="ascii")
    root.run(
        "grub-mkimage -O x86_64-efi -p /boot/grub -c /boot/early.cfg "
        f"-o /{target.relative_to(root.path)} {GRUB_MODULES}"
    )
