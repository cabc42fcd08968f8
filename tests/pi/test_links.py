"""What root's commands meet where other accounts write: links, pipes and folders in the place of files.

The table's account owns its games. Nothing that lies elsewhere may be read, written, given away or deleted by a command
of root's because of what that account put there.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.table.backup import BESIDE
from tests.pi.debian import Debian
from tests.table.backups import backup
from tests.table.play import Play

GAMES = "/var/lib/companion"
MARK = "nobody but root reads this"
VICTIM = (
    "mkdir -p /victim/folder; cd /victim; for file in file folder/inside; do echo"
    f" '{MARK}' > $file; chmod 600 $file; touch -d 2001-01-01 $file; done; chmod 711 . folder"
)
"""Files of root's own, in folders through which every account comes."""
STATE = r"find /victim -printf '%p %y %m %U %G %s %TY\n' | sort; sha256sum /victim/file /victim/folder/inside"
KINDS = {
    "link to a file": "ln -s /victim/file",
    "link to a folder": "ln -s /victim/folder",
    "link to what is not there": "ln -s /victim/made",
    "hard link": "ln /victim/file",
    "pipe": "mkfifo",
    "folder": "mkdir",
}
LOG = "table.sqlite"
HELD = (
    *(name for part in (LOG, "table.head", *BESIDE, "display-code") for name in (part, f"{part}.new")),
    *(f"{LOG}{ending}" for ending in ("-wal", "-shm", "-journal", ".building", ".good", ".corrupt-1")),
    *("copies", "copies.new", "reserve", "club-id", "table.lock", "restoring", "moving", "before-1", "lost+found"),
)
"""Names that something of the table's reads, writes or deletes in its folder."""
COMMANDS = (
    f"companion backup --data {GAMES} /root/new",
    f"companion restore --data {GAMES} /root/good",
    f"companion purge --all --data {GAMES}",
    f"companion pair --data {GAMES}",
    "companion doctor",
    "companion uninstall --purge",
)


@pytest.fixture
def installed(debian: Debian, tmp_path: Path) -> Debian:
    """A root in which the table is installed, with files of root's own and a backup."""
    play = Play(tmp_path / "games")
    play.start("S", "A", "B")
    play.table.close()
    (debian.upper / "root").mkdir(mode=0o700, exist_ok=True)
    backup(play.folder, debian.upper / "root/good")
    debian.run(f"{VICTIM}; companion install --kiosk")
    return debian


def laid(folder: str, account: str, names: tuple[str, ...], kind: str) -> str:
    """Return the commands that lay something of a kind at each name of a folder that an account owns, all others
    gone from it."""
    return (
        f"rm -rf {folder}; install -d -m 700 -o {account} -g {account} {folder}; cd {folder};"
        f" for name in {' '.join(names)}; do test -e $name || {KINDS[kind]} $name; done;"
        f" test '{kind}' = 'hard link' || chown -h {account}: *; cd /"
    )


def told_elsewhere(debian: Debian) -> list[Path]:
    """Return the files outside of root's own that hold what those hold."""
    found = (path for path in debian.upper.rglob("*") if path.is_file() and not path.is_symlink())
    return [path for path in found if path.stat().st_nlink == 1 and MARK.encode() in path.read_bytes()
            and path.relative_to(debian.upper).parts[0] != "victim"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_root_follows_nothing_out_of_the_games(installed: Debian, kind: str) -> None:
    """Every command of root's ends, and leaves alone what is not the table's, whatever lies in place of the games."""
    place = laid(GAMES, "companion", HELD, kind)
    runs = "; ".join(f"{place}; timeout 60 {command} || test $? -lt 124" for command in COMMANDS)
    before = installed.run(STATE)
    said = installed.run(runs)

    assert before == installed.run(STATE)
    assert [] == told_elsewhere(installed)
    assert MARK not in said and "Traceback" not in said
