"""Another release in place of the present one, and back: the real script, a stand-in for
systemctl.
"""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from companion.games import GAMES
from companion.table.storage.store import SCHEMA_VERSION, connect, inspect_log
from hardware.deb.__main__ import public_key
from tests.helpers.ports import free_port
from tests.helpers.repetitions import soak
from tests.installer.debian import TIMEOUT
from tests.table.play import Play

SCRIPT = Path(__file__).resolve().parents[2] / "hardware/pi/companion-update"
WELL = f"""#!/bin/sh
exec {sys.executable} -m companion "$@"
"""
DIES = f"""#!/bin/sh
[ "$1" != serve ] || exec timeout --foreground 1.5 {sys.executable} -m companion "$@"
exec {sys.executable} -m companion "$@"
"""
NEVER_STARTS = """#!/bin/sh
exit 1
"""
NAMES_ITS_ADDRESS = """#!/bin/sh
[ "$1" = pair ] && echo "http://127.0.0.1:$PORT/table#code"
"""
SYSTEMCTL = """#!/bin/sh
# Starts and stops the one service, as systemd would.
pid="$COMPANION_ROOT/service.pid"
# By its command line: the number of a service that has ended may be another program's.
is_running() { [ -e "$pid" ] && grep -qsF "$COMPANION_DATA" "/proc/$(cat "$pid")/cmdline"; }
case "$1" in
start)
    echo "$*" > "$COMPANION_ROOT/service.start"
    "$COMPANION_ROOT/current/bin/companion" serve --data "$COMPANION_DATA" --port "$PORT" \\
        --host "$HOST" --board none >/dev/null 2>&1 9<&- &
    echo $! > "$pid"
    # As with Type=notify: it has started when it says so, or it has failed when it ends
    # without a word.
    until bash -c ": </dev/tcp/$HOST/$PORT" 2>/dev/null; do
        kill -0 "$(cat "$pid")" 2>/dev/null || exit 1
        sleep 0.05
    done
    ;;
is-active)
    is_running || { echo inactive; exit 3; }
    echo active
    ;;
stop)
    [ -e "$pid" ] || exit 0
    process="/proc/$(cat "$pid")"
    ! is_running || kill "${process#/proc/}"
    # It loses its command line before its files are closed, and is gone after that.
    while [ -e "$process" ]; do
        case "$(tr -d '\\0' < "$process/cmdline" 2>/dev/null)" in
        "" | *"$COMPANION_DATA"*) sleep 0.05 ;;
        *) break ;;
        esac
    done
    ;;
esac
"""

SERVES = f"""import os, sys
import companion.cli
if __name__ == "__main__":
    os.execv({sys.executable!r}, [{sys.executable!r}, "-m", "companion", *sys.argv[1:]])
"""
"""The program of a bundle that is well: the one of this checkout."""

VENV = """#!/bin/sh
# Copies a virtual environment in place of making another one, which takes ten times as long.
case "$*" in
"-I -m venv "*) exec cp -a {made} "$4" ;;
*) exec {python} "$@" ;;
esac
"""


class Pi:
    """A folder like /opt/companion with two releases, the first of which serves."""

    def __init__(self, folder: Path, second: str) -> None:
        self.root, self.data = folder / "opt", folder / "data"
        for name, program in (("1", WELL), ("2", second)):
            (self.root / "releases" / name / "bin").mkdir(parents=True)
            self.program(self.root / "releases" / name / "bin/companion", program)
        (folder / "bin").mkdir()
        self.program(folder / "bin/systemctl", SYSTEMCTL)
        (self.root / "current").symlink_to("releases/1")
        self.port = free_port()
        self.environment = os.environ | {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "COMPANION_ROOT": str(self.root),
            "COMPANION_DATA": str(self.data),
            "COMPANION_KEY": str(self.root / "release.pub"),
            "COMPANION_TRIAL": "1" if second == NEVER_STARTS else "4",
            "PORT": f"{self.port}",
            "HOST": "127.0.0.1",
        }
        play = Play(self.data, GAMES[0])
        play.start("V")
        play.table.close()

    @staticmethod
    def program(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def update(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SCRIPT, *words],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    def systemctl(self, verb: str) -> str:
        result = subprocess.run(
            ["systemctl", verb, "x"],
            env=self.environment,
            stdout=None if verb == "start" else subprocess.PIPE,
            text=True,
            check=verb != "is-active",
        )
        return result.stdout

    def snapshot(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/snapshot", timeout=60) as answer:
            return msgspec.json.decode(answer.read(), type=dict[str, Any])

    @property
    def current(self) -> str:
        return os.readlink(self.root / "current")

    def answers(self) -> bool:
        for _ in range(1200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=60).read()
                return True
            except OSError:
                time.sleep(0.05)
        return False


@contextmanager
def in_place_of_the_table(pi: Pi, answer: bytes | None) -> Iterator[None]:
    """Let the service be active, and a server give this answer at its address, or none."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_: object) -> None:
            pass

    pi.program(pi.root / "releases/1/bin/companion", NAMES_ITS_ADDRESS)
    # Another's child, so that no zombie of it stays when it is stopped.
    waits = f"timeout 600 tail -f {pi.data}/table.sqlite"
    subprocess.run(
        ["sh", "-c", f"{waits} > /dev/null & echo $! > {pi.root}/service.pid"], check=True
    )
    server = None if answer is None else HTTPServer(("127.0.0.1", pi.port), Handler)
    if server:
        Thread(target=server.serve_forever).start()
    try:
        yield
    finally:
        if server:
            server.shutdown()
            server.server_close()


@pytest.fixture
def pi(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pi]:
    pi = Pi(tmp_path, request.param)
    yield pi
    pi.systemctl("stop")


@pytest.fixture(scope="session")
def made_venv(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The stand-in for a `python3` whose virtual environments are all copies of one."""
    made = tmp_path_factory.mktemp("venv") / "made"
    python = shutil.which("python3")
    assert python is not None
    subprocess.run([python, "-I", "-m", "venv", made], check=True)
    return VENV.format(made=made, python=python)


@pytest.fixture
def copied_venv(pi: Pi, made_venv: str) -> None:
    """Let releases on this Pi be built in a copied virtual environment."""
    pi.program(pi.root.parent / "bin/python3", made_venv)


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_release_that_is_well_stays(pi: Pi) -> None:
    """A release that is well for the whole trial serves from then on, and no file of the trial is
    left.
    """
    pi.systemctl("start")
    assert pi.answers()
    result = pi.update("--now", "swap", "2")

    assert (0, "releases/2") == (result.returncode, pi.current), result.stderr
    assert pi.answers()
    assert not (pi.root / "trial").exists()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_not_during_a_game(pi: Pi) -> None:
    """During a game no release is swapped."""
    pi.systemctl("start")
    assert pi.answers()
    result = pi.update("swap", "2")

    assert (75, "releases/1") == (result.returncode, pi.current)
    assert pi.answers()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_not_during_a_game_at_another_address(pi: Pi) -> None:
    """The same on a table whose settings name the address that it listens on."""
    pi.environment["HOST"] = "127.0.0.2"
    pi.systemctl("start")
    result = pi.update("swap", "2")

    assert (75, "releases/1") == (result.returncode, pi.current)
    assert "active\n" == pi.systemctl("is-active")


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_table_that_does_not_say_that_nobody_plays(pi: Pi) -> None:
    """A table that is active counts as a game in play unless it clearly says otherwise: no answer
    (None), and any other answer, leave it running.
    """
    for answer in (None, b"", b"[]", b"{}", b'{"phase": "x"}', b'"lobby"'):
        with in_place_of_the_table(pi, answer):
            result = pi.update("swap", "2")

            assert (75, "releases/1") == (result.returncode, pi.current), (answer, result.stderr)
            assert "does not answer whether a game is being played" in result.stderr, answer
            assert "active\n" == pi.systemctl("is-active"), answer
        pi.systemctl("stop")


@pytest.mark.parametrize("pi", [WELL], indirect=True)
@pytest.mark.parametrize("phase", ["lobby", "over"])
def test_between_games_an_update_goes_on(pi: Pi, phase: str) -> None:
    """Before and after a game nothing is in its way but what is examined next: another trial."""
    (pi.root / "trial").mkdir()
    with in_place_of_the_table(pi, b'{"phase": "%s"}' % phase.encode()):
        assert "another release is on trial" in pi.update("swap", "2").stderr


@pytest.mark.parametrize("pi", [WELL], indirect=True)
@pytest.mark.parametrize("words", [("--now", "swap", "2"), ("install", "bundle")])
def test_not_where_it_would_be_forgotten(pi: Pi, words: tuple[str, ...]) -> None:
    """On a read-only system no release is installed, and one sentence tells the owner what to
    do.
    """
    pi.program(pi.root.parent / "bin/findmnt", "#!/bin/sh\necho overlayroot\n")
    result = pi.update(*words)

    assert (75, "releases/1") == (result.returncode, pi.current)
    assert "overlayroot-chroot companion install --no-read-only-root" in result.stderr


@pytest.mark.parametrize("pi", [NEVER_STARTS, *soak(DIES)], indirect=True)
def test_a_release_that_is_not_well_is_taken_back(pi: Pi) -> None:
    """A release that dies, or never starts, leaves the old one serving with its own data as it
    was.
    """
    result = pi.update("swap", "2")

    assert (1, "releases/1") == (result.returncode, pi.current), result.stderr
    assert "taking back 1" in result.stderr
    assert pi.answers()
    assert "" == inspect_log(pi.data / "table.sqlite").wrong
    assert not (pi.root / "trial").exists()


@pytest.mark.parametrize("pi", [DIES], indirect=True)
def test_the_plug_pulled_during_the_trial(pi: Pi) -> None:
    """When the power goes while a release is on trial, the next start takes it back before anything
    else.
    """
    script = subprocess.Popen(
        [SCRIPT, "swap", "2"], env=pi.environment, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while pi.current != "releases/2":
        assert script.poll() is None
        time.sleep(0.02)
    # Without power nothing is left running: neither the script nor the release that it has just
    # started.
    os.killpg(script.pid, signal.SIGKILL)
    script.wait()
    # The script's children are dead when its lock is free.
    with (pi.root / "update.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    result = pi.update("settle")

    assert (0, "releases/1") == (result.returncode, pi.current), result.stderr
    # The service waits for this program at power-on, so this program must not wait for it.
    assert "start --no-block companion.service\n" == (pi.root / "service.start").read_text()
    assert pi.answers()
    assert 0 == pi.update("settle").returncode


@pytest.mark.parametrize("pi", [WELL], indirect=True)
@pytest.mark.parametrize("is_newer", [False, True])
def test_what_was_played_during_the_trial(pi: Pi, is_newer: bool) -> None:
    """What was acknowledged on a release that is taken back stays. Only if the release before it
    cannot read it, the games of before come back, and the table says so and waits.
    """
    log = pi.data / "table.sqlite"
    before = inspect_log(log).end
    script = subprocess.Popen(
        [SCRIPT, "swap", "2"], env=pi.environment, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while "active\n" != pi.systemctl("is-active") or not pi.answers():
        assert script.poll() is None
    os.killpg(script.pid, signal.SIGKILL)
    script.wait()
    pi.systemctl("stop")
    play = Play(pi.data, GAMES[0])
    play.table.pause(True)
    play.table.close()
    played = inspect_log(log).end
    if is_newer:
        with closing(connect(log)) as database:
            database.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    result = pi.update("settle")

    assert (0, "releases/1") == (result.returncode, pi.current), result.stderr
    assert pi.answers()
    events = [entry["event"]["event"] for entry in pi.snapshot()["log"]]
    assert is_newer == ("history_rewound" in events)
    after = inspect_log(log)
    assert (before if is_newer else played)[1] in [row.hash for row in after.rows]
    assert pi.snapshot()["paused"]


def packed(members: dict[str, bytes], kind: bytes = tarfile.REGTYPE) -> bytes:
    """Return an archive of the members; those whose name ends with @ are of a kind, and lead to
    VERSION.
    """
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name.removesuffix("@"))
            if name.endswith("@"):
                member.type, member.linkname = (
                    kind,
                    "../VERSION" if kind == tarfile.SYMTYPE else "VERSION",
                )
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


def wheel(content: str = "def main(): pass\n") -> tuple[str, bytes, bytes]:
    """Return a wheel of a program like ours, its name, its bytes and the line of the lock that
    names it.
    """
    file = io.BytesIO()
    about = "companion-3.dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("companion/__init__.py", "")
        archive.writestr("companion/cli/__init__.py", content)
        archive.writestr("companion/__main__.py", SERVES)
        archive.writestr(
            f"{about}/METADATA", "Metadata-Version: 2.1\nName: companion\nVersion: 3\n"
        )
        archive.writestr(
            f"{about}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(f"{about}/RECORD", "")
    data = file.getvalue()
    return (
        "wheels/companion-3-py3-none-any.whl",
        data,
        f"companion==3 --hash=sha256:{sha256(data).hexdigest()}".encode(),
    )


def release(version: bytes = b"3\n", content: str = "def main(): pass\n") -> dict[str, bytes]:
    """Return the members of a bundle that is whole."""
    name, data, line = wheel(content)
    return {"VERSION": version, "run.txt": line, name: data}


def lay(pi: Pi, archive: bytes, name: str = "next.tar") -> Path:
    """Sign a bundle with the owner's key and lay it ready; return its path."""
    incoming = pi.root / "incoming"
    incoming.mkdir(exist_ok=True)
    bundle, key = incoming / name, pi.root / "release.key"
    bundle.write_bytes(archive)
    public_key(key, Path(pi.environment["COMPANION_KEY"]))
    words = [
        "openssl",
        "pkeyutl",
        "-sign",
        "-inkey",
        str(key),
        "-rawin",
        "-in",
        str(bundle),
        "-out",
        f"{bundle}.sig",
    ]
    subprocess.run(words, check=True)
    return bundle


def tree(pi: Pi) -> dict[str, object]:
    """Return every file beside the bundle, and outside of the folder up to the one above."""
    paths = (
        path
        for path in pi.root.parent.rglob("*")
        if "incoming" not in path.parts and path.suffix != ".lock"
    )
    return {
        str(path): path.read_bytes() if path.is_file() else os.path.islink(path) for path in paths
    }


REFUSED: dict[str, tuple[bytes, str]] = {
    "no version": (packed(release(b"")), "names no version"),
    "a blank version": (packed(release(b" \n")), "names no version"),
    "a way out": (packed(release(b"../../x\n")), "names no version"),
    "a folder": (packed(release(b"3/..\n")), "names no version"),
    "the package's": (packed(release(b"packaged\n")), "names no version"),
    "two lines": (packed(release(b"3\n4\n")), "names no version"),
    "the one that runs": (packed(release(b"1\n")), "1 is the release that runs"),
    "not whole": (packed({"VERSION": b"3\n", "run.txt": release()["run.txt"]}), "is not whole"),
    "does not start": (packed(release(content="raise SystemExit(1)")), "is not whole"),
    "a link": (packed(release() | {"wheels/a.whl@": b""}, tarfile.SYMTYPE), "something else"),
    "a hard link": (packed(release() | {"wheels/a.whl@": b""}, tarfile.LNKTYPE), "something else"),
    "a device": (packed(release() | {"wheels/a.whl@": b""}, tarfile.CHRTYPE), "something else"),
    "a dotted path": (packed(release() | {"wheels/../../x.whl": b""}), "something else"),
    "an absolute path": (packed(release() | {"/tmp/x.whl": b""}), "something else"),
    "a hidden file": (packed(release() | {"wheels/.whl": b""}), "something else"),
    "no archive": (b"no archive", "something else"),
}


ONE_OF_EACH = {*{why: name for name, (_, why) in REFUSED.items()}.values(), "a way out", "a link"}
"""A bundle for each reason, and two that lead out of its folder."""


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
@pytest.mark.parametrize(
    "names", [ONE_OF_EACH, *soak(REFUSED.keys() - ONE_OF_EACH)], ids=["one-of-each", "the-others"]
)
def test_a_bundle_that_is_no_release_changes_nothing(pi: Pi, names: set[str]) -> None:
    """Despite its signature: names are checked, and until a release is whole no file is made,
    replaced or deleted.
    """
    assert 16 == len(REFUSED)
    for wrong, (archive, why) in REFUSED.items():
        if wrong not in names:
            continue
        bundle = lay(pi, archive)
        before = tree(pi)
        result = pi.update("install", str(bundle))

        assert (1, True, False) == (
            result.returncode,
            why in result.stderr,
            "Traceback" in result.stderr,
        ), (wrong, result.stderr)
        assert before == tree(pi), wrong


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_only_the_owners_bundles_are_opened(pi: Pi) -> None:
    """One without a signature, with another key's, with a changed byte or under a link is
    refused.
    """
    bundle = lay(pi, packed(release()))
    before, output = tree(pi), []
    good, signature = bundle.read_bytes(), Path(f"{bundle}.sig")
    link = bundle.with_name("link.tar")
    link.symlink_to(bundle)
    shutil.copy(signature, f"{link}.sig")
    output.append(pi.update("install", str(link)))
    bundle.write_bytes(good[:600] + b"x" + good[601:])
    output.append(pi.update("install", str(bundle)))
    bundle.write_bytes(good)
    public_key(pi.root.parent / "another.key", pi.root.parent / "another.pub")
    pi.environment["COMPANION_KEY"] = str(pi.root.parent / "another.pub")
    output.append(pi.update("install", str(bundle)))
    for name in ("another.key", "another.pub"):
        (pi.root.parent / name).unlink()
    signature.unlink()
    output.append(pi.update("install", str(bundle)))

    assert [1] * 4 == [result.returncode for result in output]
    assert ["no bundle", "not signed", "not signed", "no signature"] == [
        next(
            why
            for why in ("not signed", "no bundle" if result is output[0] else "no signature")
            if why in result.stderr
        )
        for result in output
    ]
    assert before == tree(pi)


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_bundle_becomes_a_release(pi: Pi) -> None:
    """A signed, whole bundle becomes a release beside the others, and serves."""
    pi.environment["COMPANION_TRIAL"] = "1"
    result = pi.update("install", str(lay(pi, packed(release()))))

    assert (0, "releases/3") == (result.returncode, pi.current), result.stderr
    assert {"1", "2", "3"} == {path.name for path in (pi.root / "releases").iterdir()}
    assert (
        f"#!{pi.root}/releases/3/bin/python3 -Ps"
        == (pi.root / "releases/3/bin/companion").read_text().splitlines()[0]
    )
    assert pi.answers()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_only_names_of_releases_are_swapped_to(pi: Pi) -> None:
    """A name that is no release's is refused."""
    for name in ("", " ", "..", "../../x", "1/../2", ".", "x"):
        result = pi.update("swap", name)

        assert (1, "releases/1") == (result.returncode, pi.current), name
        assert "no such release" in result.stderr, name


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_one_update_at_a_time(pi: Pi) -> None:
    """While one update runs another changes nothing and reports that; only its owner may hold the
    lock.
    """
    bundle = lay(pi, packed(release()))
    lock = pi.root / "update.lock"
    assert 1 == pi.update("swap", "no such release").returncode
    assert 0o600 == stat.S_IMODE(lock.stat().st_mode)
    before = tree(pi)
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        output = [
            pi.update(*words)
            for words in (("install", str(bundle)), ("swap", "2"), ("waiting",), ("settle",))
        ]

    assert [75] * 4 == [result.returncode for result in output]
    assert all("another update is under way" in result.stderr for result in output)
    assert before == tree(pi) and bundle.exists()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_what_is_on_trial_is_not_forgotten(pi: Pi) -> None:
    """The files that undo an interrupted trial stay until it is undone, whatever is requested
    meanwhile.
    """
    (pi.root / "trial").mkdir()
    (pi.root / "trial/release").write_text("2\n")
    bundle = lay(pi, packed(release(b"2\n")))
    pi.update("swap", "no such release")
    before = tree(pi)
    output = [pi.update("install", str(bundle)), pi.update("swap", "2")]
    unchanged = tree(pi)
    back = pi.update("settle")

    assert [75, 75] == [result.returncode for result in output] and before == unchanged
    assert all("another release is on trial" in result.stderr for result in output)
    assert (0, "releases/2") == (back.returncode, pi.current)


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_what_was_laid_ready_waits_for_the_end_of_a_game(pi: Pi) -> None:
    """A bundle that its owner laid ready stays where it is during a game; a damaged one is not
    tried twice.
    """
    bundle = lay(pi, packed({"VERSION": b"3\n", "run.txt": release()["run.txt"]}))
    pi.systemctl("start")
    assert pi.answers()
    busy = pi.update("waiting")
    kept = bundle.exists()
    pi.systemctl("stop")
    damaged = pi.update("waiting")

    assert (75, True, "releases/1") == (busy.returncode, kept, pi.current), busy.stderr
    assert (False, "releases/1") == (damaged.returncode == 0, pi.current)
    assert [] == [*bundle.parent.iterdir()]
    assert 0 == pi.update("waiting").returncode


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_the_newest_of_the_waiting_bundles_is_taken(pi: Pi) -> None:
    """Of two bundles the newer version serves, whatever the files are called; both are gone."""
    pi.environment["COMPANION_TRIAL"] = "1"
    first = lay(pi, packed(release(b"1.10\n")), "a.tar")
    lay(pi, packed(release(b"1.9\n")), "b.tar")
    result = pi.update("waiting")

    assert (0, "releases/1.10") == (result.returncode, pi.current), result.stderr
    assert [] == [*first.parent.iterdir()]


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_bundle_that_is_not_well_leaves_the_older_one(pi: Pi) -> None:
    """The newest is tried once and goes; the older one waits for the next night."""
    newest = lay(pi, packed(release(b"1.10\n", content="raise SystemExit(1)")), "a.tar")
    older = lay(pi, packed(release(b"1.9\n")), "b.tar")
    result = pi.update("waiting")

    assert (1, "releases/1") == (result.returncode, pi.current), result.stderr
    assert (False, True) == (newest.exists(), older.exists())


@pytest.mark.usefixtures("copied_venv")
@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_bundle_that_is_being_copied_stays(pi: Pi) -> None:
    """A bundle of which a part is missing is reported and stays, also beside one that is taken;
    once it is complete it is taken too.
    """
    pi.environment["COMPANION_TRIAL"] = "1"
    bundle = lay(pi, packed(release(b"1.10\n")), "a.tar")
    signature = Path(f"{bundle}.sig")
    for part, is_there in ((bundle, True), (signature, True), (signature, False)):
        whole = part.read_bytes()
        part.write_bytes(whole[: len(whole) // 2])
        if not is_there:
            part.unlink()
        result = pi.update("waiting")

        assert (1, is_there) == (result.returncode, part.exists())
        assert str(bundle) in result.stderr and bundle.exists()
        if is_there:
            part.write_bytes(whole)
    lay(pi, packed(release(b"1.9\n")), "b.tar")

    assert (1, "releases/1.9") == (pi.update("waiting").returncode, pi.current)
    pi.systemctl("stop")
    signature.write_bytes(whole)
    assert (0, "releases/1.10") == (pi.update("waiting").returncode, pi.current)
    assert [] == [*bundle.parent.iterdir()]
