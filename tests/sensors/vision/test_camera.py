"""A watching camera from its pictures to the record: a folder of rendered photos, a real process
that looks at them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.app import Application, build_application
from companion.config import CameraSettings, Settings, load
from companion.core.game import GameError, Message, Seat
from companion.core.placement import Cell, Tile
from companion.games import GAMES
from companion.process import minimal_env
from companion.sensors.vision.camera_client import STARTUP_TIME, CameraDecoder, FrameRequest
from companion.sensors.vision.folder_source import FolderSource, PiCamera
from companion.sensors.vision.frame import FrameContext
from companion.table.fairness.replay import replay_record
from tests.photos.film import Film, show
from tests.photos.views import VIEWS
from tests.server.routes.test_photo import FIELD, HOUSE

pytestmark = pytest.mark.slow

Condition = Callable[[dict[str, Any]], object]
"""Something about the picture that everybody sees."""
PATIENCE = 120.0
"""Seconds that a picture may take on a machine with much else to do; nothing is asserted about
time.
"""
WATCH = FrameContext({Cell(cell): Tile(number, turn) for cell, (number, turn) in HOUSE.items()})


@pytest.fixture(scope="module")
def film() -> Film:
    """A camera nearly straight above the laid house field."""
    return Film(HOUSE, VIEWS["overhead"])


class Watched:
    """A table under a camera."""

    def __init__(self, folder: Path, film: Film) -> None:
        self.pictures = folder / "pictures"
        self.pictures.mkdir()
        settings = Settings(
            data=str(folder / "data"),
            board="none",
            night_floor=0,
            camera=CameraSettings(source=str(self.pictures), patience=600),
        )
        self.companion: Application = build_application(settings)
        self.table = self.companion.table
        self._film = film
        self._ids = 0

    def looked(self) -> int:
        """How many pictures were looked at so far."""
        counters: dict[str, int] = self.companion.reader.diagnostics()["source"]["counters"]
        return counters["pictures"]

    def see(
        self,
        pawns: Mapping[str, str],
        condition: Condition,
        hand: tuple[float, float] | None = None,
    ) -> None:
        """Take picture after picture of the same table until a condition on what everybody sees
        holds.
        """
        picture = self._film.picture(pawns, hand)
        end = time.monotonic() + PATIENCE
        while not condition(self.table.snapshot()):
            before = self.looked()
            show(self.pictures, picture)
            while self.looked() == before:
                assert time.monotonic() < end, (
                    self.table.snapshot()["board"],
                    self.companion.reader.diagnostics(),
                )
                time.sleep(0.02)

    def submit(self, seat: str, *actions: dict[str, Any]) -> None:
        """Act as a phone does."""
        self._ids += 1
        self.table.submit(Seat(seat), self.table.decode(list(actions)), id=str(self._ids))

    def until(self, condition: Condition) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + PATIENCE
        while not condition(self.table.snapshot()):
            assert time.monotonic() < end
            time.sleep(0.02)

    def night(self, *actions: dict[str, Any]) -> None:
        """Play the vampire's night, and wait until it is published."""
        self.submit("V", *actions)
        self.until(
            lambda picture: (
                picture["outcome"] or (picture["to_move"] == "H1" and not picture["telling"])
            )
        )


@pytest.fixture
def watched(tmp_path: Path, film: Film) -> Iterator[Watched]:
    watched = Watched(tmp_path, film)
    watched.companion.start()
    yield watched
    watched.companion.close()


def test_a_whole_game_under_a_camera(watched: Watched) -> None:
    """The tiles in the pictures are the field, pawns are walked in them and by nothing else, a hand
    over the table takes nothing away, a pawn that is lifted holds the shot up, and the record is
    decided again, alike.
    """
    table = watched.table
    table.lobby.propose({"players": 2})
    watched.see({}, lambda picture: picture["lobby"]["sheet"]["seen"] == 36)
    table.lobby.propose_tiles()
    assert FIELD == table.snapshot()["lobby"]["field"]
    for seat, key in (("V", "11"), ("H1", "22")):
        table.seats.claim(Seat(seat), f"Person {seat}", key * 32)
    table.start()
    watched.night({"type": "place", "cell": "B2"})
    pawns: dict[str, str] = dict(table.snapshot()["view"]["pawns"])
    assert "A1" == pawns["H1a"]

    watched.see(pawns, lambda picture: picture["board"]["state"] == "in_sync")
    assert ("camera", "up") == (
        table.snapshot()["board"]["source"],
        table.snapshot()["board"]["link"],
    )
    before = table.snapshot()["position"]
    in_hand = {pawn: cell for pawn, cell in pawns.items() if pawn != "H1a"}
    seen = watched.looked() + 4
    watched.see(in_hand, lambda picture: watched.looked() >= seen, hand=(-150.0, -165.0))
    assert (before, "in_sync") == (table.snapshot()["position"], table.snapshot()["board"]["state"])
    watched.see(in_hand, lambda picture: picture["board"]["state"] == "lifted")
    with pytest.raises(GameError) as held:
        watched.submit("H1", {"type": "shoot", "pawn": "H1b", "direction": "S"})
    assert "board_holdup" == held.value.said.code

    pawns["H1a"] = "A2"
    watched.see(
        pawns,
        lambda picture: (
            picture["view"]["pawns"]["H1a"] == "A2" and picture["board"]["state"] == "in_sync"
        ),
    )
    watched.submit("H1", {"type": "shoot", "pawn": "H1a", "direction": "E"})
    watched.submit("H1", {"type": "end"})
    watched.night({"type": "end"})
    for shots in (2, 1):
        for _ in range(shots):
            watched.submit("H1", {"type": "shoot", "pawn": "H1a", "direction": "E"})
        if not table.snapshot()["outcome"]:
            watched.submit("H1", {"type": "end"})
            watched.night({"type": "end"})

    assert {"winner": "humans", "reason": "vampire_dead"} == table.snapshot()["outcome"]
    judged = replay_record(table.record(), GAMES)
    assert (None, True) == (judged.wrong, judged.decided >= 9)


def test_what_the_process_gives_up() -> None:
    """It has a limit on memory, can open no file and start no process; given up or ended, the next
    picture is looked at by another one. A picture that cannot be read gives a message and ends
    nothing.
    """
    picture = Film(HOUSE, VIEWS["overhead"]).picture({})
    hurried = CameraDecoder(seconds=-STARTUP_TIME)
    assert Message("scan.too_slow") == hurried.decode(picture, WATCH).problem
    lookout = CameraDecoder(seconds=PATIENCE)
    try:
        assert Message("scan.broken_picture") == lookout.decode(picture[:5000], WATCH).problem
        assert lookout.process is not None
        limits = Path(f"/proc/{lookout.process.pid}/limits").read_text(encoding="ascii")
        assert 32 <= len(lookout.decode(picture, WATCH).clear)
        lookout.process.kill()
        lookout.process.wait()
        assert Message("scan.too_slow") == lookout.decode(picture, WATCH).problem
        assert 32 <= len(lookout.decode(picture, WATCH).clear)
    finally:
        lookout.close()
        hurried.close()

    hard = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()}
    assert ["0", "0"] == hard["Max open files"] == hard["Max processes"]
    assert "unlimited" not in hard["Max address space"]


def test_a_process_whose_table_was_killed_ends_in_silence() -> None:
    """It writes no traceback into the table's log when nobody takes its results any more."""
    module = "companion.sensors.vision.camera_worker"
    with subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=minimal_env() | {"OPENBLAS_NUM_THREADS": "1"},
    ) as orphan:
        assert orphan.stdin is not None and orphan.stdout is not None
        assert orphan.stderr is not None
        orphan.stdout.close()
        orphan.stdin.write(msgspec.json.encode(FrameRequest(1, WATCH)) + b"\nx")
        orphan.stdin.close()
        said = orphan.stderr.read()

    assert (b"", 0) == (said, orphan.returncode)


def test_the_newest_whole_picture_of_a_folder(tmp_path: Path) -> None:
    """A picture is taken once, when it is written to its end; the newest counts; a missing folder
    gives a message.
    """
    folder = FolderSource(tmp_path / "pictures")
    assert Message("camera.no_folder", {"path": str(tmp_path / "pictures")}) == folder.newest()
    (tmp_path / "pictures").mkdir()
    assert folder.newest() is None
    written = tmp_path / "pictures" / "1.jpg"
    written.write_bytes(b"half")
    assert folder.newest() is None
    written.write_bytes(b"half and half\xff\xd9")
    assert (b"half and half\xff\xd9", None) == (folder.newest(), folder.newest())
    (tmp_path / "pictures" / "notes.txt").write_bytes(b"\xff\xd9")
    os.utime(written, ns=(1, 1))
    (tmp_path / "pictures" / "2.JPG").write_bytes(b"two\xff\xd9")

    assert b"two\xff\xd9" == folder.newest()


def test_the_pi_cameras_program_writes_into_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its program is called as its manual has it, and its output is taken; without it there is a
    message. A stand-in writes here: the real program was never run.
    """
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = PiCamera(1.0)
    assert Message("camera.no_program") == missing.newest()
    missing.close()
    program = tmp_path / "rpicam-still"
    program.write_text(STAND_IN, encoding="ascii")
    program.chmod(0o755)
    camera = PiCamera(0.5)
    end = time.monotonic() + PATIENCE
    while not (picture := camera.newest()):
        assert time.monotonic() < end
        time.sleep(0.02)
    camera.close()

    assert b"--nopreview --timeout 0 --timelapse 500 --width 2304 --height 1728\xff\xd9" == picture


STAND_IN = """\
#!/bin/sh
while [ "$1" != -o ]; do words="$words${words:+ }$1"; shift; done
printf "%s\\377\\331" "$words" > "$(printf "$2" 0)"
exec /bin/sleep 600
"""


def test_a_camera_and_a_board(tmp_path: Path) -> None:
    """Both may be named. The command line names the pictures and keeps the camera's other settings
    of table.toml.
    """
    file = tmp_path / "table.toml"
    file.write_text(
        'board = "/dev/ttyUSB0"\n[camera]\nsource = "a"\npawn_height = 25\n', encoding="utf-8"
    )
    both = load(file, environment={})
    chosen = load(file, {"camera": {"source": "b"}}, environment={})

    assert ("/dev/ttyUSB0", "a") == (both.board, both.camera.source)
    assert CameraSettings(source="b", pawn_height=25) == chosen.camera
