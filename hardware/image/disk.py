"""A disk image: a FAT partition that firmware reads, and an ext4 partition with the system."""

from __future__ import annotations

from pathlib import Path

from hardware.image.emulated import run
from hardware.image.root import DebianRoot

MIB = 1024 * 1024
SIZE = 4096 * MIB
"""A power of two, which QEMU's SD cards must have; it lies on a card of 8 GB."""
FIRMWARE_AT, FIRMWARE_SIZE = 4 * MIB, 508 * MIB
SYSTEM_AT = FIRMWARE_AT + FIRMWARE_SIZE
KINDS = {"amd64": "ef", "arm64": "c"}
"""Types of the first partition: UEFI's, and the one that a Pi's firmware reads."""
GRUB_MODULES = "part_msdos fat ext2 search search_label linux normal all_video efi_gop"
GRUB = (
    "search --label --set=root root\n"
    "linux /vmlinuz root=LABEL=root rw quiet\n"
    "initrd /initrd.img\n"
    "boot\n"
)


def write_disk(root: DebianRoot, image: Path) -> None:
    """Write a disk image with what lies in the root; `root`/boot/firmware fills the first
    partition.
    """
    image.unlink(missing_ok=True)
    with image.open("wb") as file:
        file.truncate(SIZE)
    table = (
        f"label: dos\nstart={FIRMWARE_AT // 512}, size={FIRMWARE_SIZE // 512}, "
        f"type={KINDS[root.arch]}, bootable\nstart={SYSTEM_AT // 512}, type=83\n"
    )
    run(["sh", "-ec", f'printf %s "$1" | sfdisk -q {image}', "sh", table])
    firmware = root.path / "boot/firmware"
    sectors, kilobytes = str(FIRMWARE_AT // 512), str(FIRMWARE_SIZE // 1024)
    run(["mkfs.vfat", "-F32", "-n", "FIRMWARE", "--offset", sectors, str(image), kilobytes])
    held = [str(path) for path in sorted(firmware.iterdir())]
    if held:
        run(["mcopy", "-s", "-i", f"{image}@@{FIRMWARE_AT}", *held, "::"])
    # The directory stays empty: the first partition is mounted over it.
    aside = root.path.parent / "firmware"
    firmware.rename(aside)
    firmware.mkdir()
    system = ["-L", "root", "-E", f"offset={SYSTEM_AT},root_owner=0:0", "-d", str(root.path)]
    run(["mkfs.ext4", "-q", "-F", *system, str(image), f"{(SIZE - SYSTEM_AT) // 1024}k"])
    firmware.rmdir()
    aside.rename(firmware)


def lay_grub(root: DebianRoot) -> None:
    """Lay what UEFI starts, which starts the kernel that Debian's links name."""
    target = root.path / "boot/firmware/EFI/BOOT/BOOTX64.EFI"
    target.parent.mkdir(parents=True, exist_ok=True)
    (root.path / "boot/early.cfg").write_text(GRUB, encoding="ascii")
    root.run(
        "grub-mkimage -O x86_64-efi -p /boot/grub -c /boot/early.cfg "
        f"-o /{target.relative_to(root.path)} {GRUB_MODULES}"
    )
