"""What root's commands meet where other accounts write: links, pipes and folders in the place of
files.

The table's account owns its games, the kiosk's its page. Nothing that lies elsewhere may be read,
written, given away or deleted by a command of root's because of what these accounts put there.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from companion.table.storage.backup import SIDE_FILES
from tests.helpers.repetitions import soak
from tests.helpers.texts import found_in
from tests.installer.debian import Debian
from tests.table.play import Play
from tests.table.storage.backups import backup

GAMES = "/var/lib/companion"
PYTHON = "/usr/lib/table-companion/bin/python3 -Ps"
MARK = "nobody but root reads this"
VICTIM = (
    "mkdir -p /victim/folder; cd /victim; for file in file folder/inside; do echo"
    f" '{MARK}' > $file; chmod 600 $file; touch -d 2001-01-01 $file; done; chmod 711 . folder"
)
"""Files of root's own, in folders through which every account comes."""
STATE = (
    r"find /victim -printf '%p %y %m %U %G %s %TY\n' | sort; sha256sum /victim/file "
    r"/victim/folder/inside"
)
KINDS = {
    "link to a file": "ln -s /victim/file",
    "link to a folder": "ln -s /victim/folder",
    "link to what is not there": "ln -s /victim/made",
    "hard link": "ln /victim/file",
    "pipe": "mkfifo",
    "folder": "mkdir",
}
REPEATED = ("link to a file", "link to what is not there", "hard link", "folder")
LOG = "table.sqlite"
HELD = (
    *(
        name
        for part in (LOG, "table.head", *SIDE_FILES, "display-code", "port")
        for name in (part, f"{part}.new")
    ),
    *(
        f"{LOG}{ending}"
        for ending in ("-wal", "-shm", "-journal", ".building", ".good", ".corrupt-1")
    ),
    *(
        "copies",
        "copies.new",
        "reserve",
        "club-id",
        "table.lock",
        "restoring",
        "moving",
        "before-1",
        "lost+found",
    ),
)
"""Names that something of the table's reads, writes or deletes in its folder."""
COMMANDS = (
    f"backup --data {GAMES} /root/new",
    f"restore --data {GAMES} /root/good",
    f"purge --all --data {GAMES}",
    f"pair --data {GAMES}",
    "doctor",
    "uninstall --purge",
)
RUN = """\
import os, signal, subprocess, sys
from companion.cli import main

lay, *commands = sys.argv[1:]
for command in commands:
    subprocess.run(["sh", "-ec", lay], check=True)
    child = os.fork()
    if not child:
        os.setsid()
        sys.argv = ["companion", *command.split()]
        main()
        sys.exit()
    signal.signal(signal.SIGALRM, lambda *_: os.killpg(child, signal.SIGKILL))
    signal.alarm(100)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    signal.alarm(0)
    print(f"companion {command}: {status}", flush=True)
"""
"""Lays the link of its first word and runs a command, for each command: the program is started once
for all.
"""
KIOSK = "/var/page"
"""The folder with the kiosk's page, on a file system with root's files, so that hard links to them
can lie there.
"""
HOME = "/var/lib/companion-kiosk"
"""The kiosk's home, and the folder in which its unit runs."""
AS_ITS_UNIT = (
    f"install -d -o companion-kiosk {KIOSK} {HOME}; cd {HOME};"
    f" export HOME={HOME} RUNTIME_DIRECTORY={KIOSK} STATE_DIRECTORY={HOME}"
)
PLANTED = (
    *("urllib.py", "socket.py", "sitecustomize.py", "usercustomize.py", "companion.py",
    "companion.pth", "pyvenv.cfg"),
    *(f".local/lib/python{v.major}.{v.minor}/site-packages/{name}" for v in [sys.version_info]
      for name in ("planted.pth", "usercustomize.py", "companion.py")),
)  # fmt: skip
PLANT = "import os; open(f'/planted/{os.getuid()}', 'w')"
"""A line of Python, or of a .pth file, that leaves the number of the account that ran it."""


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory, packaged: Debian) -> Debian:
    """A root in which the table is installed, with files of root's own and a backup."""
    debian = Debian(tmp_path_factory.mktemp("prepared"), packaged)
    play = Play(tmp_path_factory.mktemp("play") / "games")
    play.start("S", "A", "B")
    play.table.close()
    (debian.upper / "root").mkdir(mode=0o700, exist_ok=True)
    backup(play.folder, debian.upper / "root/good")
    (debian.upper / "run.py").write_text(RUN)
    debian.run(
        f"for name in cage Xwayland; do touch /usr/bin/$name; done; {VICTIM}; companion install "
        f"--kiosk"
    )
    return debian


@pytest.fixture
def debian(tmp_path: Path, prepared: Debian) -> Debian:
    """A copy of the root."""
    return Debian(tmp_path, prepared)


def laid(folder: str, account: str, names: tuple[str, ...], kind: str) -> str:
    """Return the commands that put a file of a kind at each name of a folder that an account owns,
    all others removed from it.
    """
    return (
        f"rm -rf {folder}; install -d -m 700 -o {account} -g {account} {folder}; cd {folder};"
        f" for name in {' '.join(names)}; do test -e $name || {KINDS[kind]} $name; done;"
        f" test '{kind}' = 'hard link' || chown -h {account}: *; cd /"
    )


def copies_outside_root(debian: Debian) -> list[str]:
    """Return the files outside of root's own that hold what those hold."""
    words = ["grep", "-rlF", "--devices=skip", MARK, "."]
    names = subprocess.run(
        words, cwd=debian.upper, stdout=subprocess.PIPE, text=True, check=False
    ).stdout.split()
    return [
        name
        for name in names
        if not name.startswith("./victim/") and (debian.upper / name).stat().st_nlink == 1
    ]


@pytest.mark.parametrize("kind", ["link to a folder", "pipe", *soak(*REPEATED)])
def test_root_follows_nothing_out_of_the_games(debian: Debian, kind: str) -> None:
    """Every command of root's ends, and leaves foreign files alone, whatever lies in place of the
    games.
    """
    place = laid(GAMES, "companion", HELD, kind)
    words = " ".join(f"'{command}'" for command in COMMANDS)
    before = debian.run(STATE)
    output = debian.run(f'{PYTHON} /run.py "{place}" {words}'.replace("$", r"\$"))

    assert before == debian.run(STATE), output
    assert [] == copies_outside_root(debian)
    assert ("", "") == (found_in(output, MARK), found_in(output, "Traceback"))
    ends = [
        line.rpartition(": ")[2] for line in output.splitlines() if line.startswith("companion ")
    ]
    assert len(COMMANDS) == len(ends) and "0" == ends[-1] and {*ends} <= {"0", "1", "74"}, output


def test_a_backup_of_whole_games_takes_nothing_of_roots(debian: Debian) -> None:
    """Games whose keys are a link to root's file are not backed up: it would come back as the
    account's own.
    """
    keys = f"{GAMES}/keys.json"
    output = debian.run(
        f"install -d -m 700 -o companion {GAMES}; companion restore --data {GAMES} /root/good; "
        f"rm -f {keys};"
        f" ln -s /victim/file {keys}; companion backup --data {GAMES} /root/new || true; ls /root"
    )

    assert "Permission denied" in output or "neither a file nor a folder" in output
    assert "new" not in output.splitlines()


class Well(BaseHTTPRequestHandler):
    """Answers `/healthz` as the table does."""

    def do_GET(self) -> None:
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def port() -> Iterator[int]:
    """The port of a program that answers like a table."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Well) as server:
        threading.Thread(target=server.serve_forever).start()
        yield server.server_port
        server.shutdown()


def test_root_follows_nothing_out_of_the_kiosks_folder(debian: Debian, port: int) -> None:
    """Whatever the kiosk's user puts in place of its page, also while root prepares it, root writes
    nothing there: that user, who alone may read the page, writes it.
    """
    pair = f"#!/bin/sh\necho http://127.0.0.1:{port}/table#code\n"
    (debian.upper / "stub/current/bin").mkdir(parents=True)
    (debian.upper / "stub/current/bin/companion").write_text(pair)
    (debian.upper / "stub/current/bin/companion").chmod(0o755)
    as_kiosk = "setpriv --reuid companion-kiosk --regid companion-kiosk --clear-groups"
    prepare = "COMPANION_ROOT=/stub timeout 60 /opt/companion/companion-kiosk prepare"
    names = ("start.html", "start.html.new")
    before = debian.run(STATE)
    script = AS_ITS_UNIT
    for kind in KINDS:
        calm = laid(KIOSK, "companion-kiosk", names, kind)
        # A folder in place of the page harms only the user who put it there.
        script += f"; {calm}; {prepare} && stat -c '%F %U %a' {KIOSK}/start.html || test $? -lt 124"
    again = (
        f"while :; do ln -sfn /victim/made {KIOSK}/start.html.new; ln -sfn /victim/file "
        f"{KIOSK}/start.html; done"
    )
    script += f"; {calm}; {as_kiosk} sh -c '{again}' 2>/dev/null & racing=$!"
    script += (
        "; for try in 1 2 3; do " + prepare + " 2>/dev/null || test $? -lt 124; done; kill $racing"
    )
    pages = [line for line in debian.run(script).splitlines() if line.startswith("regular file")]

    assert before == debian.run(STATE)
    assert [] == copies_outside_root(debian)
    assert ["regular file companion-kiosk 400"] * (len(KINDS) - 1) == pages


CODE = "k" * 43 + "ABCDEFGHJKLM"
"""What makes a browser the display, in the shape that a table writes."""


def test_root_runs_nothing_of_the_kiosks(debian: Debian, port: int) -> None:
    """Modules and .pth files in the kiosk's home and in the folder that its unit starts in are not
    root's programs.
    """
    (debian.upper / "etc/companion").mkdir(exist_ok=True)
    (debian.upper / "etc/companion/table.toml").write_text(f"port = {port}\n")
    plant = "; ".join(f'mkdir -p "$(dirname {name})"; echo "{PLANT}" > {name}' for name in PLANTED)
    debian.run(
        f"install -d -m 1777 /planted; install -d -o companion {GAMES}; echo {CODE} > "
        f"{GAMES}/display-code; echo http://127.0.0.1:{port} > {GAMES}/address;"
        f" chown companion: {GAMES}/display-code {GAMES}/address; {AS_ITS_UNIT}; {plant};"
        f" chown -R companion-kiosk: .; timeout 100 /opt/companion/companion-kiosk prepare; grep "
        f"-q 'table?kiosk#{CODE}'"
        f" {KIOSK}/start.html"
    )

    assert [] == [path.name for path in (debian.upper / "planted").iterdir()]
