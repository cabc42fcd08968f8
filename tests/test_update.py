"""Another release in the place of the present one, and back: the real script, a stand-in for systemctl."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.table.store import examine
from tests.ports import free_port
from tests.table.play import Play

SCRIPT = Path(__file__).resolve().parent.parent / "hardware/pi/companion-update"
WELL = f"""#!/bin/sh
exec {sys.executable} -m companion.cli "$@"
"""
DIES = f"""#!/bin/sh
[ "$1" != serve ] || exec timeout --foreground 1.5 {sys.executable} -m companion.cli "$@"
exec {sys.executable} -m companion.cli "$@"
"""
NEVER_STARTS = """#!/bin/sh
exit 1
"""
SYSTEMCTL = """#!/bin/sh
# Starts and stops the one service, as systemd would.
pid="$COMPANION_ROOT/service.pid"
case "$1" in
start)
    "$COMPANION_ROOT/current/bin/companion" serve --data "$COMPANION_DATA" --port "$PORT" --host 127.0.0.1 \\
        --board none >/dev/null 2>&1 &
    echo $! > "$pid"
    # As with Type=notify: it has started when it says so, or it has failed when it ends without a word.
    until python3 -c "import socket; socket.create_connection(('127.0.0.1', $PORT))" 2>/dev/null; do
        kill -0 "$(cat "$pid")" 2>/dev/null || exit 1
        sleep 0.05
    done
    ;;
stop)
    [ -e "$pid" ] || exit 0
    kill "$(cat "$pid")" 2>/dev/null
    while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.05; done
    ;;
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
            "COMPANION_HEALTH": f"http://127.0.0.1:{self.port}",
            "COMPANION_TRIAL": "1" if second == NEVER_STARTS else "4",
            "PORT": f"{self.port}",
        }
        play = Play(self.data, GAMES[0])
        play.start("V")
        play.table.close()

    @staticmethod
    def program(path: Path, text: str) -> None:
        path.write_text(text)
        path.chmod(0o755)

    def update(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [SCRIPT, *words],
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=300,
            check=False,
        )

    def systemctl(self, what: str) -> None:
        subprocess.run(["systemctl", what, "x"], env=self.environment, check=True)

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


@pytest.fixture
def pi(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pi]:
    pi = Pi(tmp_path, request.param)
    yield pi
    pi.systemctl("stop")


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_a_release_that_is_well_stays(pi: Pi) -> None:
    """What was well for the whole trial serves from now on, and nothing of the trial is left."""
    pi.systemctl("start")
    assert pi.answers()
    done = pi.update("--now", "swap", "2")

    assert (0, "releases/2") == (done.returncode, pi.current), done.stderr
    assert pi.answers()
    assert not (pi.root / "trial").exists()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_not_during_a_game(pi: Pi) -> None:
    """While a game is played nothing is swapped."""
    pi.systemctl("start")
    assert pi.answers()
    done = pi.update("swap", "2")

    assert (75, "releases/1") == (done.returncode, pi.current)
    assert pi.answers()


@pytest.mark.parametrize("pi", [WELL], indirect=True)
@pytest.mark.parametrize("words", [("--now", "swap", "2"), ("install", "bundle")])
def test_not_where_it_would_be_forgotten(pi: Pi, words: tuple[str, ...]) -> None:
    """On a system that is read-only no release is taken, and one sentence says what to do."""
    pi.program(pi.root.parent / "bin/findmnt", "#!/bin/sh\necho overlayroot\n")
    done = pi.update(*words)

    assert (75, "releases/1") == (done.returncode, pi.current)
    assert "overlayroot-chroot companion install --no-read-only-root" in done.stderr


@pytest.mark.parametrize("pi", [DIES, NEVER_STARTS], indirect=True)
def test_a_release_that_is_not_well_is_taken_back(pi: Pi) -> None:
    """A release that dies, or never starts, leaves the old one serving with its own data as it was."""
    done = pi.update("swap", "2")

    assert (1, "releases/1") == (done.returncode, pi.current), done.stderr
    assert "taking back 1" in done.stderr
    assert pi.answers()
    assert "" == examine(pi.data / "table.sqlite").wrong
    assert not (pi.root / "trial").exists()


@pytest.mark.parametrize("pi", [DIES], indirect=True)
def test_the_plug_pulled_during_the_trial(pi: Pi) -> None:
    """When the power goes while a release is on trial, the next start takes it back before anything else."""
    script = subprocess.Popen(
        [SCRIPT, "swap", "2"], env=pi.environment, stderr=subprocess.DEVNULL, start_new_session=True
    )
    while pi.current != "releases/2":
        assert script.poll() is None
        time.sleep(0.02)
    # Without power nothing is left running: neither the script nor the release that it has just started.
    os.killpg(script.pid, signal.SIGKILL)
    script.wait()
    done = pi.update("settle")

    assert (0, "releases/1") == (done.returncode, pi.current), done.stderr
    assert pi.answers()
    assert 0 == pi.update("settle").returncode


@pytest.mark.parametrize("pi", [WELL], indirect=True)
def test_what_was_laid_ready_waits_for_the_end_of_a_game(pi: Pi) -> None:
    """A bundle that its owner laid ready stays where it is during a game; a damaged one is not tried twice."""
    bundle = pi.root / "incoming/next"
    bundle.mkdir(parents=True)
    (bundle / "run.txt").touch()
    (bundle / "VERSION").write_text("2\n")
    pi.systemctl("start")
    assert pi.answers()
    busy = pi.update("waiting")
    kept = bundle.exists()
    (bundle / "run.txt").write_text("nothing-of-that-name==1 --hash=sha256:" + 64 * "0")
    pi.systemctl("stop")
    damaged = pi.update("waiting")

    assert (75, True, "releases/1") == (busy.returncode, kept, pi.current), busy.stderr
    assert (False, "releases/1") == (damaged.returncode == 0, pi.current)
    assert not bundle.exists()
    assert 0 == pi.update("waiting").returncode
