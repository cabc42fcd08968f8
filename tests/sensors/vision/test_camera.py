"""A camera from its pictures to the record: a folder of rendered photos, decoded by a real
process.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any, Protocol
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import Playwright

from companion.app import Application
from companion.config import CameraSettings, Settings, load
from companion.core.game import GameError, Message, Seat
from companion.core.placement import Cell, Tile
from companion.games import GAMES
from companion.process import minimal_env
from companion.sensors.vision.camera_client import STARTUP_TIME, CameraDecoder, FrameRequest
from companion.sensors.vision.frame import FrameContext
from companion.sensors.vision.frames.device_source import DeviceSource
from companion.sensors.vision.frames.folder_source import FolderSource, PiCamera
from companion.server.http.server import make_server
from companion.table.fairness.replay import replay_record
from tests.helpers.ports import free_port
from tests.helpers.repetitions import soak
from tests.sensors.vision.test_http_source import STREAM, Sender, jpeg_response
from tests.sensors.vision.test_multipart import body
from tests.server.routes.test_photo import FIELD, HOUSE
from tools.bench.camera import phone
from tools.bench.played_table import Caller
from tools.photos.frame_sequence import Capture, FrameSequence, show
from tools.photos.views import VIEWS

pytestmark = pytest.mark.slow

Condition = Callable[[dict[str, Any]], object]
"""A condition on the public snapshot."""
TIMEOUT = 120.0
"""Seconds that a picture may take on a loaded machine; no assertion depends on time."""
WATCH = FrameContext({Cell(cell): Tile(number, turn) for cell, (number, turn) in HOUSE.items()})


@pytest.fixture(scope="module")
def film() -> FrameSequence:
    """Return a camera nearly straight above the house field."""
    return FrameSequence(HOUSE, VIEWS["overhead"])


class Feed(Protocol):
    """A source of pictures: `source` is its setting."""

    source: str

    def connect(self, companion: Application) -> None:
        """Connect to the application, which has started."""

    def show(self, image: bytes) -> None:
        """Send this picture from now on."""

    def close(self) -> None:
        """Stop sending."""


class FolderFeed:
    """A program that writes pictures into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "pictures"
        self._folder.mkdir()
        self.source = str(self._folder)

    def connect(self, companion: Application) -> None:
        """Do nothing: the application reads the folder."""

    def show(self, image: bytes) -> None:
        show(self._folder, image)

    def close(self) -> None:
        """Do nothing."""


class PiFeed:
    """The Pi's camera: a stand-in for its program copies the picture repeatedly."""

    source = "pi"

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "pictures"
        self._folder.mkdir()
        program = folder / "rpicam-still"
        program.write_text(COPYING.format(folder=self._folder), encoding="ascii")
        program.chmod(0o755)
        self._patch = pytest.MonkeyPatch()
        self._patch.setenv("PATH", str(folder), prepend=":")

    def connect(self, companion: Application) -> None:
        """Do nothing: the application starts the program."""

    def show(self, picture: bytes) -> None:
        show(self._folder, picture)

    def close(self) -> None:
        self._patch.undo()


COPYING = """\
#!/bin/sh
while [ "$1" != -o ]; do shift; done
number=0
while sleep 0.2; do
  [ -e {folder}/picture.jpg ] || continue
  number=$((number + 1))
  cp {folder}/picture.jpg "$(printf "$2" "$number")"
done
"""


class DeviceFeed:
    """A webcam: a stand-in for the process that opens it."""

    source = "/dev/video0"

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "pictures"
        self._folder.mkdir()
        self._patch = pytest.MonkeyPatch()
        program = str(Path(__file__).with_name("drawn_device.py"))
        command = [sys.executable, program, str(self._folder / "picture.jpg"), "0.2"]
        self._patch.setattr(DeviceSource, "_command", lambda source: command)

    def connect(self, companion: Application) -> None:
        """Do nothing: the application starts the process."""

    def show(self, picture: bytes) -> None:
        show(self._folder, picture)

    def close(self) -> None:
        self._patch.undo()


class AddressFeed:
    """An IP camera: one picture for each connection, or with `is_stream` a stream."""

    def __init__(self, is_stream: bool) -> None:
        self._image = b""
        self._is_stream = is_stream
        self._sender = Sender(self._answer)
        self.source = self._sender.address

    def connect(self, companion: Application) -> None:
        """Do nothing: the application requests the pictures."""

    def show(self, image: bytes) -> None:
        self._image = image

    def close(self) -> None:
        self._sender.close()

    def _answer(self, connection: socket.socket, number: int) -> None:
        if not self._is_stream:
            connection.sendall(jpeg_response(self._image))
            return
        connection.sendall(STREAM)
        for _ in range(100):
            connection.sendall(body([self._image], lengths=True))
            time.sleep(0.1)


class PhoneFeed:
    """A spare phone's page in Chromium, with the pictures as its capture device."""

    source = ""

    def __init__(self, folder: Path, playwright: Playwright) -> None:
        self._folder = folder
        self._playwright = playwright
        self._capture = Capture(folder / "table.y4m", HOUSE)
        self._open = ExitStack()

    def connect(self, companion: Application) -> None:
        """Serve the table to the phone, and pair the phone as the camera."""
        port = free_port()
        server = make_server(companion.app, "127.0.0.1", port)
        serving = Thread(target=server.run)
        serving.start()
        self._open.callback(serving.join)
        self._open.callback(server.close)
        code = (self._folder / "data" / "display-code").read_text(encoding="ascii").strip()
        display = Caller(port, code[:43])
        self._open.callback(display.close)
        display.request("pair", code=code[43:])
        self._page = self._open.enter_context(phone(self._capture, self._playwright))
        offer = urlsplit(display.request("camera_code")["camera"]["url"])
        self._page.goto(f"http://127.0.0.1:{port}/camera#{offer.fragment}")

    def show(self, image: bytes) -> None:
        self._capture.show_picture(image)
        self._page.wait_for_timeout(200)

    def close(self) -> None:
        self._open.close()


class CameraTable:
    """An application with the feed as its camera."""

    def __init__(self, folder: Path, film: FrameSequence, feed: Feed) -> None:
        camera = CameraSettings(source=feed.source, every=0.2, timeout=600)
        settings = Settings(
            data=str(folder / "data"), board="none", night_floor=0, tls=False, camera=camera
        )
        self.companion = Application(settings)
        self.table = self.companion.table
        self._film, self._feed = film, feed
        self._ids = 0

    def picture_count(self) -> int:
        """Return how many pictures were decoded so far."""
        source = self.companion.reader.diagnostics()["source"]
        counters: dict[str, int] = {} if source is None else source["counters"]
        return counters.get("pictures", 0)

    def show_until(
        self,
        pawns: Mapping[str, str],
        condition: Condition,
        hand: tuple[float, float] | None = None,
    ) -> None:
        """Send a picture of the same table repeatedly until a condition on the public snapshot
        holds.
        """
        image = self._film.picture(pawns, hand)
        end = time.monotonic() + TIMEOUT
        while not condition(self.table.snapshot()):
            count = self.picture_count()
            self._feed.show(image)
            while self.picture_count() == count and not condition(self.table.snapshot()):
                assert time.monotonic() < end, (
                    self.table.snapshot()["board"],
                    self.companion.reader.diagnostics(),
                )
                time.sleep(0.02)

    def submit(self, seat: str, *actions: dict[str, Any]) -> None:
        """Submit like a phone."""
        self._ids += 1
        self.table.submit(Seat(seat), self.table.decode(list(actions)), id=str(self._ids))

    def until(self, condition: Condition) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + TIMEOUT
        while not condition(self.table.snapshot()):
            assert time.monotonic() < end
            time.sleep(0.02)

    def night(self, *actions: dict[str, Any]) -> None:
        """Play the vampire's night, and wait until it is published."""
        self.submit("V", *actions)
        self.until(
            lambda snapshot: (
                snapshot["outcome"] or (snapshot["to_move"] == "H1" and not snapshot["revealing"])
            )
        )


FEEDS: dict[str, Callable[[Path], Feed]] = {
    "folder": FolderFeed,
    "pi": PiFeed,
    "device": DeviceFeed,
    "JPEG": lambda folder: AddressFeed(is_stream=False),
    "MJPEG": lambda folder: AddressFeed(is_stream=True),
}
REPEATED = [*(name for name in FEEDS if name != "folder"), "phone"]
"""Feeds without a difference in the game; their own code has tests of its own."""


@pytest.fixture(params=["folder", *soak(*REPEATED)])
def camera_table(
    tmp_path: Path, film: FrameSequence, request: pytest.FixtureRequest
) -> Iterator[CameraTable]:
    if request.param == "phone":
        feed: Feed = PhoneFeed(tmp_path, request.getfixturevalue("playwright"))
    else:
        feed = FEEDS[request.param](tmp_path)
    camera_table = CameraTable(tmp_path, film, feed)
    camera_table.companion.start()
    feed.connect(camera_table.companion)
    yield camera_table
    feed.close()
    camera_table.companion.close()


def test_a_whole_game_under_a_camera(camera_table: CameraTable) -> None:
    """The tiles in the pictures are the field, pawns are walked only by the pictures, a hand over
    the table removes nothing, a lifted pawn holds up a shot, and the record's replay is equal.
    """
    table = camera_table.table
    table.lobby.propose({"players": 2})
    camera_table.show_until({}, lambda snapshot: snapshot["lobby"]["sheet"]["seen"] == 36)
    table.lobby.propose_tiles()
    assert FIELD == table.snapshot()["lobby"]["field"]
    for seat, key in (("V", "11"), ("H1", "22")):
        table.seats.claim(Seat(seat), f"Person {seat}", key * 32)
    table.start()
    camera_table.night({"type": "place", "cell": "B2"})
    pawns: dict[str, str] = dict(table.snapshot()["view"]["pawns"])
    assert "A1" == pawns["H1a"]

    camera_table.show_until(pawns, lambda snapshot: snapshot["board"]["state"] == "in_sync")
    assert ("camera", "up") == (
        table.snapshot()["board"]["source"],
        table.snapshot()["board"]["link"],
    )
    before = table.snapshot()["position"]
    in_hand = {pawn: cell for pawn, cell in pawns.items() if pawn != "H1a"}
    # A phone sends three pictures of each change.
    enough_pictures = camera_table.picture_count() + 3
    camera_table.show_until(
        in_hand,
        lambda snapshot: (
            camera_table.picture_count() >= enough_pictures
            and snapshot["board"]["state"] == "in_sync"
        ),
        hand=(-150.0, -165.0),
    )
    assert before == table.snapshot()["position"]
    camera_table.show_until(in_hand, lambda snapshot: snapshot["board"]["state"] == "lifted")
    with pytest.raises(GameError) as refused:
        camera_table.submit("H1", {"type": "shoot", "pawn": "H1b", "direction": "S"})
    assert "board_holdup" == refused.value.message.code

    pawns["H1a"] = "A2"
    camera_table.show_until(
        pawns,
        lambda snapshot: (
            snapshot["view"]["pawns"]["H1a"] == "A2" and snapshot["board"]["state"] == "in_sync"
        ),
    )
    camera_table.submit("H1", {"type": "shoot", "pawn": "H1a", "direction": "E"})
    camera_table.submit("H1", {"type": "end"})
    camera_table.night({"type": "end"})
    for shots in (2, 1):
        for _ in range(shots):
            camera_table.submit("H1", {"type": "shoot", "pawn": "H1a", "direction": "E"})
        if not table.snapshot()["outcome"]:
            camera_table.submit("H1", {"type": "end"})
            camera_table.night({"type": "end"})

    assert {"winner": "humans", "reason": "vampire_dead"} == table.snapshot()["outcome"]
    report = replay_record(table.record(), GAMES)
    assert (None, True) == (report.wrong, report.decided >= 9)


def test_what_the_process_gives_up() -> None:
    """The process has a memory limit and can open no file and start no process; after a timeout or
    a kill another one decodes the next picture. A picture that cannot be read gives a message and
    does not end the process.
    """
    image = FrameSequence(HOUSE, VIEWS["overhead"]).picture({})
    hurried = CameraDecoder(seconds=-STARTUP_TIME)
    assert Message("scan.too_slow") == hurried.decode(image, WATCH).problem
    decoder = CameraDecoder(seconds=TIMEOUT)
    try:
        assert Message("scan.broken_picture") == decoder.decode(image[:5000], WATCH).problem
        assert decoder.process is not None
        limits = Path(f"/proc/{decoder.process.pid}/limits").read_text(encoding="ascii")
        assert 32 <= len(decoder.decode(image, WATCH).clear)
        decoder.process.kill()
        decoder.process.wait()
        assert Message("scan.too_slow") == decoder.decode(image, WATCH).problem
        assert 32 <= len(decoder.decode(image, WATCH).clear)
    finally:
        decoder.close()
        hurried.close()

    hard = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()}
    assert ["0", "0"] == hard["Max open files"] == hard["Max processes"]
    assert "unlimited" not in hard["Max address space"]


def test_a_process_whose_table_was_killed_ends_in_silence() -> None:
    """It writes no traceback to the table's log when its results are not read."""
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
        output = orphan.stderr.read()

    assert (b"", 0) == (output, orphan.returncode)


def test_the_newest_whole_picture_of_a_folder(tmp_path: Path) -> None:
    """Each picture is read once, when it is complete or no longer changes; the newest counts; a
    missing folder gives a message.
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
    (tmp_path / "pictures" / "3.jpg").write_bytes(b"three\xff\xd9 and a film")
    assert (None, b"three\xff\xd9 and a film", None) == tuple(folder.newest() for _ in range(3))


def test_the_pi_cameras_program_writes_into_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is called as its manual says, and its output is read; without the program there
    is a message. A stand-in writes here: the real program was never run.
    """
    monkeypatch.setenv("PATH", str(tmp_path))
    missing = PiCamera(every=1.0)
    assert Message("camera.no_program") == missing.newest()
    missing.close()
    program = tmp_path / "rpicam-still"
    program.write_text(STAND_IN, encoding="ascii")
    program.chmod(0o755)
    camera = PiCamera(every=0.5)
    end = time.monotonic() + TIMEOUT
    while not (image := camera.newest()):
        assert time.monotonic() < end
        time.sleep(0.02)
    camera.close()

    assert b"--nopreview --timeout 0 --timelapse 500 --width 2304 --height 1728\xff\xd9" == image


STAND_IN = """\
#!/bin/sh
while [ "$1" != -o ]; do words="$words${words:+ }$1"; shift; done
printf "%s\\377\\331" "$words" > "$(printf "$2" 0)"
exec /bin/sleep 600
"""


def test_a_camera_and_a_board(tmp_path: Path) -> None:
    """Both may be set. The command line sets the source and keeps the camera's other settings of
    table.toml.
    """
    file = tmp_path / "table.toml"
    file.write_text(
        'board = "/dev/ttyUSB0"\n[camera]\nsource = "a"\npawn_height = 25\n', encoding="utf-8"
    )
    both = load(file, environment={})
    chosen = load(file, {"camera": {"source": "b"}}, environment={})

    assert ("/dev/ttyUSB0", "a") == (both.board, both.camera.source)
    assert CameraSettings(source="b", pawn_height=25) == chosen.camera
