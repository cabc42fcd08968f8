"""Set up a partition for the games and a read-only system.

Debian's overlayroot makes it read-only, as raspi-config does: everything that Debian writes still
works. A root mounted `ro` needs a list of exceptions for each release, and systemd's volatile=
needs systemd in the initramfs, which Debian lacks.
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from companion.accounts import Account, run_as
from companion.installer.manifest import GAMES_FOLDER, UNIT_FOLDER, FileGroup, InstalledFile
from companion.installer.target import CannotInstall, TargetSystem
from companion.mounts import Mount, every_mount, mount_of

NO_PARTITION = "none"
"""The value instead of a partition's name that moves the games back to the system's partition."""
MOUNT = f"{UNIT_FOLDER}/var-lib-companion.mount"
OVERLAYROOT_CONFIG = "etc/overlayroot.local.conf"
OVERLAYROOT_SCRIPT = "usr/share/initramfs-tools/scripts/init-bottom/overlayroot"
SWAP = "dphys-swapfile.service"
"""The unit by which Raspberry Pi OS 12 swaps to a file."""
STAGING = "moving"
NOT_GAMES = {"lost+found", STAGING}
"""Names on a partition that are not games."""
JOURNAL_FILES = FileGroup(
    (InstalledFile("journald.conf", "etc/systemd/journald.conf.d/companion.conf"),),
    (),
    "The system's log is kept in memory; the card is for games.",
)
READ_ONLY_FILES = FileGroup(
    (InstalledFile("overlayroot.conf", OVERLAYROOT_CONFIG),),
    (),
    "From the next start on the system is read-only: what is written to it, but for the games, "
    "is gone at power-off."
    " `sudo overlayroot-chroot companion install --no-read-only-root` and a restart open it again.",
)
NO_SWAP_FILE = InstalledFile("swapless.conf", f"{UNIT_FOLDER}/{SWAP}.d/companion-swapless.conf")


class Partition(Struct, frozen=True):
    """A partition with ext4: its UUID, which never changes, and its present device."""

    uuid: str
    device: str = ""
    """The path of its device."""

    @property
    def number(self) -> str:
        """The device's number, "major:minor", which lists of mounts have for every partition."""
        device = os.stat(self.device).st_rdev
        return f"{os.major(device)}:{os.minor(device)}"

    def unit(self) -> str:
        """Return the text of the unit that mounts it."""
        text = InstalledFile("var-lib-companion.mount", MOUNT).text(0)
        # A unit's name has \x2d for a dash in the device's path.
        return text.replace("@uuid@", self.uuid).replace(
            "@escaped@", self.uuid.replace("-", r"\x2d")
        )


def find_partition(root: TargetSystem, name: str) -> Partition:
    """Return the partition of a label, a UUID or a device; raise `CannotInstall`."""
    value = re.sub("^(LABEL|UUID|PARTUUID)=", "", name)
    kinds = ("LABEL", "UUID") if value == name else (name.partition("=")[0],)
    ways = [[name]] if name.startswith("/") else [["-t", f"{kind}={value}"] for kind in kinds]
    devices = [
        facts
        for way in ways
        for facts in _known(root.output_of("blkid", "-c", "/dev/null", "-o", "export", *way))
    ]
    partitions = list({facts["DEVNAME"]: facts for facts in devices}.values())
    if not partitions and Path(name).is_block_device():
        partitions = [{"DEVNAME": name}]
    if not partitions:
        raise CannotInstall(f"there is no partition {name}; `lsblk -f` lists those that there are")
    if len(partitions) > 1:
        raise CannotInstall(
            f"more than one partition is called {name}: say its UUID, which `lsblk -f` lists"
        )
    device, kind = partitions[0]["DEVNAME"], partitions[0].get("TYPE", "no file system")
    if kind != "ext4":
        raise CannotInstall(
            f"{device} holds {kind} and not ext4; `sudo mkfs.ext4 {device}` makes one, and "
            f"deletes all that is on it"
        )
    return Partition(partitions[0]["UUID"], device)


def _known(text: str) -> list[dict[str, str]]:
    blocks = [
        dict(line.split("=", 1) for line in block.splitlines() if "=" in line)
        for block in text.split("\n\n")
    ]
    return [block for block in blocks if "DEVNAME" in block]


def check_partition(root: TargetSystem, partition: Partition) -> None:
    """Raise `CannotInstall` if mounting a partition over the games would hide or mix games."""
    over = _over_games(root)
    if over and over.number != partition.number:
        raise CannotInstall(
            f"{over.source} is mounted at /{GAMES_FOLDER} already; "
            f"`sudo umount /{GAMES_FOLDER}` comes first"
        )
    if over:
        return
    elsewhere = [
        mount.point for mount in every_mount(root.mounts()) if mount.number == partition.number
    ]
    if elsewhere:
        raise CannotInstall(
            f"{partition.device} is mounted at {elsewhere[0]}; `sudo umount {elsewhere[0]}` "
            f"comes first"
        )
    games = root.at(GAMES_FOLDER)
    if _entries(games):
        with (
            _mounted(root, partition, "ro") as disk,
            _folders(games, disk) as (account, source, target),
        ):
            _raise_if(run_as(account, lambda: _error_text(lambda: _check_others(source, target))))


def why_not_read_only(root: TargetSystem, apart: bool) -> str | None:
    """Return why a system, with the games `apart` or not, cannot be read-only; None if it can."""
    over = _over_games(root)
    if not apart and over is None:
        return (
            "a read-only system forgets its games: say on which partition they are to lie, "
            "with --data-partition"
        )
    if not root.at(OVERLAYROOT_SCRIPT).exists():
        return "a read-only system needs `sudo apt install overlayroot`, then install again"
    laid = root.at(OVERLAYROOT_CONFIG)
    if laid.exists() and laid.read_text(encoding="utf-8") != READ_ONLY_FILES.parts[0].text(0):
        return f"there is a /{OVERLAYROOT_CONFIG} that is not ours; what it says comes first"
    return None


def move_games_to(root: TargetSystem, partition: Partition) -> bool:
    """Move the games, which nothing may use, to a partition; return whether there were any."""
    games = root.at(GAMES_FOLDER)
    if _over_games(root) or not _entries(games):
        return False
    with _mounted(root, partition, "rw") as disk:
        _move(games, disk)
    return True


def move_games_from(root: TargetSystem, partition: Partition) -> bool:
    """Move the games back to the system's own partition; return whether there were any."""
    with _mounted(root, partition, "rw") as disk:
        return bool(_entries(disk)) and _move(disk, root.at(GAMES_FOLDER))


def _move(source: Path, target: Path) -> bool:
    """Move the content of a folder to another file system, as the account that owns it.

    Nothing is deleted before everything is written, so an interrupted move can be repeated.
    """
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _folders(source, target) as (account, here, there):
        descriptor = os.open(target, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            os.fchown(descriptor, *account)
            os.fchmod(descriptor, 0o700)
        finally:
            os.close(descriptor)
        _raise_if(run_as(account, lambda: _error_text(lambda: _copy_and_delete(here, there))))
    return True


def _copy_and_delete(source: Path, target: Path) -> None:
    _check_others(source, target)
    aside = target / STAGING
    shutil.rmtree(aside, ignore_errors=True)
    try:
        shutil.copytree(source, aside, symlinks=True, ignore=lambda _, names: NOT_GAMES & {*names})
    except OSError:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    os.sync()
    for path in _entries(aside):
        _delete(target / path.name)
        path.rename(target / path.name)
    aside.rmdir()
    os.sync()
    for path in _entries(source):
        _delete(path)


@contextmanager
def _folders(source: Path, target: Path) -> Iterator[tuple[Account, Path, Path]]:
    """Yield the owner of `source`, and both folders by paths that this account may use."""
    descriptors = [
        os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW) for path in (source, target)
    ]
    try:
        owner = os.fstat(descriptors[0])
        here, there = (Path(f"/proc/self/fd/{descriptor}") for descriptor in descriptors)
        yield Account(owner.st_uid, owner.st_gid), here, there
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _error_text(work: Callable[[], None]) -> str:
    """Return why something failed, "" if it did not."""
    try:
        work()
    except CannotInstall as refused:
        return str(refused)
    except OSError as wrong:
        return f"the games could not be moved: {wrong}"
    return ""


def _raise_if(why: str) -> None:
    if why:
        raise CannotInstall(why)


def _delete(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)


def _over_games(root: TargetSystem) -> Mount | None:
    """Return the mount over the games, None without one."""
    mount = mount_of(root.at(GAMES_FOLDER), root.mounts())
    return mount if mount and mount.point == root.at(GAMES_FOLDER) else None


def _entries(folder: Path) -> list[Path]:
    return (
        sorted(path for path in folder.iterdir() if path.name not in NOT_GAMES)
        if folder.is_dir()
        else []
    )


def _check_others(source: Path, target: Path) -> None:
    """Raise `CannotInstall` if the target holds anything but copies of the source, which an
    interrupted move leaves, or if the source holds anything but files and folders.
    """
    if strange := _special_file(source):
        raise CannotInstall(
            f"/{GAMES_FOLDER} holds {strange}, which is neither a file nor a folder: "
            "delete it first"
        )
    if _holds_others(source, target):
        raise CannotInstall(
            f"there are games in /{GAMES_FOLDER} and others on the partition, and one would "
            "hide the other: move one of them elsewhere first"
        )


def _holds_others(source: Path, target: Path) -> bool:
    for path in _entries(target):
        same = source / path.name
        if stat.S_ISDIR(path.lstat().st_mode):
            if _holds_others(same, path):
                return True
        elif not (_is_file(path) and _is_file(same) and filecmp.cmp(same, path, shallow=False)):
            return True
    return False


def _is_file(path: Path) -> bool:
    return os.path.lexists(path) and stat.S_ISREG(path.lstat().st_mode)


def _special_file(folder: Path) -> str | None:
    """Return the name of anything in a folder that is neither a file nor a folder, else None."""
    for path in _entries(folder):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            if within := _special_file(path):
                return within
        elif not stat.S_ISREG(mode):
            return path.name
    return None


@contextmanager
def _mounted(root: TargetSystem, partition: Partition, access: str) -> Iterator[Path]:
    # Nobody but root can enter root's own folder, even if another account owns the partition.
    private = Path(tempfile.mkdtemp(prefix="companion-"))
    point = private / "partition"
    point.mkdir()
    try:
        root.run(
            "mount",
            "-t",
            "ext4",
            "-o",
            f"{access},nodev,nosuid,noexec",
            partition.device,
            str(point),
        )
        try:
            yield point
        finally:
            root.run("umount", str(point))
    finally:
        # Delete only an empty folder: it holds the games if unmounting failed.
        with suppress(OSError):
            point.rmdir()
            private.rmdir()
