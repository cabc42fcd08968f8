"""The games on a partition of their own, and a system that is read-only: a real file system on a
loop device, a system whose files lie in a folder. Under systemd, and with the power cut: `python -m
tools.acceptance.powercycle`.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.installer.disk import OVERLAYROOT_SCRIPT, Partition, check_partition, find_partition
from companion.installer.manifest import GAMES_FOLDER, PROGRAM_FOLDER, UNIT_FOLDER
from companion.installer.target import CannotInstall, TargetSystem
from companion.table.storage.log import LOCK_FILE
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import inspect_log
from tests.helpers.ramdisk import in_memory
from tests.installer.card import Card, among_own_mounts
from tests.table.play import Play

DEB = Path(__file__).resolve().parents[2] / "hardware/deb"
MOUNT = f"{UNIT_FOLDER}/var-lib-companion.mount"
SEALED = "etc/overlayroot.local.conf"


@pytest.fixture
def partition() -> Iterator[Card]:
    """A partition with a unique label."""
    with in_memory() as folder, Card(Path(folder), f"games-{os.getpid()}") as card:
        yield card


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """The files of a system with the program, overlayroot and a played game."""
    root = tmp_path / "system"
    for name in (f"{PROGRAM_FOLDER}/bin/companion", "usr/bin/systemctl", OVERLAYROOT_SCRIPT):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    (root / "etc").mkdir()
    for name in ("os-release", "passwd", "group", "shadow", "gshadow"):
        shutil.copy(f"/etc/{name}", root / "etc" / name)
    games = root / GAMES_FOLDER
    (games / "copies").mkdir(parents=True)
    games.chmod(0o700)
    for name in ("table.sqlite", "copies/1"):
        (games / name).write_text(name)
        os.chown(games / name, 1234, 1234)
    for folder in (games, games / "copies"):
        os.chown(folder, 1234, 1234)
    return root


def kept(system: Path) -> dict[str, tuple[str, int]]:
    """Return the games on the system's own partition, and their owners."""
    files = (path for path in (system / GAMES_FOLDER).rglob("*") if path.is_file())
    return {
        str(path.relative_to(system / GAMES_FOLDER)): (path.read_text(), path.stat().st_uid)
        for path in files
    }


def access(system: Path) -> tuple[int, int]:
    """Return the owner and the permissions of the folder with the games."""
    status = (system / GAMES_FOLDER).stat()
    return status.st_uid, stat.S_IMODE(status.st_mode)


def test_games_move_to_a_partition_and_back(system: Path, partition: Card) -> None:
    """The games lie on the partition, whole and with their owner, and no file below the mount; the
    unit is enabled and names it by its number; a second run changes nothing; after an
    uninstallation the games are back in their place.
    """
    before = kept(system)
    install = f"companion install --root {system} --no-kiosk"
    disk = f"mount {partition.device} /mnt; cd /mnt"
    (_, output), *first, (_, second_run) = among_own_mounts(
        f"{install} --data-partition {partition.image.stem} --read-only-root",
        f"{disk}; stat -c '%a %u' .; find . -type f -exec stat -c '%n %u' {{}} + | sort",
        f"cat {system}/{MOUNT}",
        f"cat {system}/{SEALED}",
        f"umount /mnt; find {system}/{GAMES_FOLDER} -type f",
        install,
    )
    (_, opened), (is_open, _), (_, moved_back), (_, remaining) = among_own_mounts(
        f"{install} --no-read-only-root",
        f"test ! -e {system}/{SEALED}",
        f"companion uninstall --root {system}",
        f"{disk}; ls",
    )
    on_disk, unit, sealed, below = (text for _, text in first)

    assert f"The games that were there are on {partition.device} now." in output
    assert (
        "From the next start on the system is read-only" in output
        and "overlayroot-chroot companion install" in output
    )
    assert "" == below
    assert "700 1234 ./copies/1 1234 ./table.sqlite 1234" == on_disk
    assert f"What=/dev/disk/by-uuid/{partition.uuid} Where=/var/lib/companion Type=ext4 " in unit
    assert {"noatime", "nodev", "nosuid", "noexec", "commit=1", "errors=remount-ro"} == set(
        re.findall(r"Options=(\S+)", unit)[0].split(",")
    )
    assert 'overlayroot="tmpfs:recurse=0"' in sealed
    assert "Everything was in its place already." == second_run
    assert "From the next start on the system can be written to." in opened and 0 == is_open
    assert "The games lie on the system's own partition again." in moved_back
    assert "lost+found" == remaining
    # Only root has access if the service's user is gone.
    assert before == kept(system) and (0, 0o700) == access(system)
    assert [] == [
        path
        for path in system.rglob("*")
        if "companion" in path.name
        and str(path)
        not in (
            str(system / GAMES_FOLDER),
            f"{system}/{PROGRAM_FOLDER}",
            f"{system}/{PROGRAM_FOLDER}/bin/companion",
        )
    ]


def test_games_are_never_hidden_or_forgotten(system: Path, partition: Card) -> None:
    """One sentence refuses an unsuitable partition or a read-only system without one; nothing
    changes.
    """
    before = {*system.rglob("*")}
    install = f"companion install --root {system} --no-kiosk"
    ours = f"{install} --data-partition LABEL={partition.image.stem}"
    _, (_, others), _, (_, used), _, *rest = among_own_mounts(
        f"mount {partition.device} /mnt; echo other > /mnt/table.sqlite; umount /mnt",
        ours,
        f"mount {partition.device} /mnt; rm /mnt/table.sqlite",
        ours,
        "umount /mnt",
        f"{install} --data-partition no-such",
        f"{install} --read-only-root",
        f"rm {system}/{OVERLAYROOT_SCRIPT}",
        f"{ours} --read-only-root",
        f"mkswap -f {partition.device}",
        f"{install} --data-partition {partition.device}",
    )
    nowhere, forgets, _, program, _, strange = (text for _, text in rest)

    assert "and one would hide the other: move one of them elsewhere first" in others
    assert f"{partition.device} is mounted at /mnt; `sudo umount /mnt` comes first" in used
    assert "there is no partition no-such" in nowhere
    assert "forgets its games: say on which partition" in forgets
    assert "needs `sudo apt install overlayroot`" in program
    assert f"{partition.device} holds swap and not ext4" in strange
    assert before - {system / OVERLAYROOT_SCRIPT} == {*system.rglob("*")}


class TwoDisks(TargetSystem):
    """A system whose two disks have a partition of one label, the second one without ext4."""

    def output_of(self, *command: str) -> str:
        disks = ("sda1", "11-aa", "ext4"), ("sdb1", "22-bb", "vfat")
        return "\n\n".join(
            f"DEVNAME=/dev/{name}\nUUID={uuid}\nTYPE={kind}"
            for name, uuid, kind in disks
            if command[-1] in ("LABEL=games", f"UUID={uuid}")
        )


def test_a_partition_is_found_by_one_name_alone(tmp_path: Path) -> None:
    """Of two partitions of one label none is chosen; by its UUID one is, if it holds ext4."""
    root = TwoDisks(tmp_path)
    with pytest.raises(CannotInstall, match="more than one partition is called games"):
        find_partition(root, "games")
    with pytest.raises(CannotInstall, match="holds vfat and not ext4"):
        find_partition(root, "UUID=22-bb")

    assert ("11-aa", "/dev/sda1") == (
        find_partition(root, "UUID=11-aa").uuid,
        find_partition(root, "UUID=11-aa").device,
    )


def test_another_partition_over_the_games_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No partition is laid over games that lie on another one; the same one is left as it is."""
    root, ours = TwoDisks(tmp_path), Partition("11-aa", "/dev/null")
    games = root.at(GAMES_FOLDER)
    games.mkdir(parents=True)
    mounted = "36 35 {} / {} rw - ext4 /dev/sdc1 rw"
    monkeypatch.setattr(root, "mounts", lambda: mounted.format(ours.number, games))
    check_partition(root, ours)
    monkeypatch.setattr(root, "mounts", lambda: mounted.format("8:33", games))

    with pytest.raises(CannotInstall, match=r"/dev/sdc1 is mounted at .* already"):
        check_partition(root, ours)


def test_a_move_that_was_broken_off(system: Path, partition: Card) -> None:
    """After a power cut between writing the games to the partition and removing them here, the same
    command completes the move; partial files and renames are repeated.
    """
    games = system / GAMES_FOLDER
    install = f"companion install --root {system} --no-kiosk --data-partition {partition.uuid}"
    *_, (_, remaining) = among_own_mounts(
        f"mount {partition.device} /mnt; mkdir /mnt/moving; echo half > /mnt/moving/table.sqlite;"
        f" chown -R 1234:1234 /mnt; cp -a {games}/copies /mnt; umount /mnt",
        f"cp -a {games} {games}.same",
        install,
        f"cp -a {games}.same/. {games}",
        install,
        f"mount {partition.device} /mnt; cd /mnt; ls; cat table.sqlite",
    )

    assert {} == kept(system)
    assert "copies lost+found table.sqlite table.sqlite" == remaining


def test_a_backup_put_back_on_a_partition(tmp_path: Path, partition: Card) -> None:
    """In a data folder that is a partition of its own only the content changes places, and is kept
    beside it.
    """
    play = Play(tmp_path / "games")
    play.start("S", "A", "B")
    play.table.close()
    folder, restored = tmp_path / "data", tmp_path / "now"
    folder.mkdir()
    restore = f"companion restore --data {folder} {tmp_path}/b"
    _, _, _, (status, output), _ = among_own_mounts(
        f"mount {partition.device} {folder}; cp -a {tmp_path}/games/. {folder}; chmod 700 {folder}",
        f"companion backup --data {folder} {tmp_path}/b",
        restore,
        restore,
        f"cp -a {folder} {restored}",
    )

    assert 0 == status and f"{folder}/before-2" in output
    assert {"before-1", "before-2", "lost+found", LOCK_FILE, LOG_FILE} == {
        path.name for path in restored.iterdir()
    }
    assert [""] * 3 == [
        inspect_log(path / LOG_FILE).wrong
        for path in (restored, restored / "before-1", restored / "before-2")
    ]
    assert 0o700 == stat.S_IMODE((restored / "before-1").stat().st_mode)


@pytest.mark.parametrize(("source", "status"), [("overlayroot", 1), ("/dev/mmcblk0p2", 0)])
def test_no_package_goes_where_it_is_forgotten(tmp_path: Path, source: str, status: int) -> None:
    """On a read-only system a package is refused before unpacking, with advice."""
    findmnt, script = tmp_path / "findmnt", tmp_path / "preinst"
    findmnt.write_text(f"#!/bin/sh\necho {source}\n")
    findmnt.chmod(0o755)
    script.write_text(
        (DEB / "preinst").read_text().replace("@unsealed@", (DEB / "unsealed").read_text())
    )
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    words = ["sh", str(script), "upgrade", "0.1.0"]
    result = subprocess.run(
        words, env=environment, capture_output=True, text=True, timeout=60, check=False
    )

    assert (status, status) == (
        result.returncode,
        result.stderr.count("overlayroot-chroot companion install"),
    )
