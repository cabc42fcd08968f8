"""A spare phone as the camera: a real process reads its frames."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from nacl.public import PrivateKey

from companion.app import Application
from companion.config import CameraSettings, Settings
from companion.core.placement import Cell, Pawn
from companion.sim.table_model import World
from companion.sim.terminal import PseudoTerminal
from companion.sim.virtual_board import VirtualBoard
from tests.helpers.usb import know_usb
from tests.server.client import BOXED, Json, Phone
from tests.server.routes.test_photo import HOUSE
from tests.table.play import entropy_of
from tools.photos.frame_sequence import FrameSequence
from tools.photos.views import VIEWS

pytestmark = pytest.mark.slow

NO_DEVICES = Path("/nonexistent")
TIMEOUT = 120.0
"""Seconds; no assertion depends on time."""


@pytest.fixture(scope="module")
def film() -> FrameSequence:
    """Return a camera nearly straight above the house field."""
    return FrameSequence(HOUSE, VIEWS["overhead"])


class PhoneTable:
    """A table and its camera phone."""

    def __init__(self, folder: Path, devices: Path = NO_DEVICES, **settings: object) -> None:
        self.companion = Application(
            Settings(data=str(folder / "data"), night_floor=0, **settings),  # type: ignore[arg-type]
            devices=devices,
        )
        self._secrets = iter(range(100))
        code = (folder / "data" / "display-code").read_text(encoding="ascii").strip()
        self.display = self._phone(code[:43])
        assert self.display.request("pair", code=code[43:])["ok"]
        self.camera = self._phone(code[:43])

    def _phone(self, key: str) -> Phone:
        secret = PrivateKey(entropy_of(next(self._secrets))(32))
        return Phone(self.companion.app, key, secret, "127.0.0.1")

    def pair(self) -> Json:
        """Pair the camera phone; return the reply to the display."""
        offer = self.display.request("camera_code")
        if offer["ok"]:
            code = offer["camera"]["url"].partition("#")[2][43:]
            assert self.camera.request("pair_camera", code=code)["ok"]
        return offer

    def reading(self) -> Json | None:
        """Return the table's last reading, as the phone receives it."""
        answer = self.camera.request("watch", changed=False)
        assert answer["ok"], answer
        reading: Json | None = answer["reading"]
        return reading

    def send(self, image: bytes) -> Json:
        """Send a frame, and return the table's reading."""
        before = self.reading()
        end = time.monotonic() + TIMEOUT
        while (ticket := self.camera.request("watch", changed=True)["ticket"]) is None:
            assert time.monotonic() < end
            time.sleep(0.05)
        answer = self.companion.app.test_client().post(
            "/frame", data=image, content_type=BOXED, headers={"X-Ticket": ticket}
        )
        assert 200 == answer.status_code
        while (reading := self.reading()) == before:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert reading is not None
        return reading

    def cell(self, cell: str) -> Json:
        """Return the diagnostics of a cell."""
        diagnostics: Json = self.companion.reader.diagnostics()["cells"].get(cell, {})
        return diagnostics

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, self.source()
            time.sleep(0.05)

    def source(self) -> tuple[str, str]:
        """Return the source of the pawns, and the state of its link."""
        board = self.companion.table.snapshot()["board"]
        return board.get("source", "none"), board.get("link", "none")


@pytest.fixture
def phone_table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[PhoneTable]:
    """Yield a table on which at most a virtual board reports the pawns."""
    phone_table = PhoneTable(tmp_path, board=request.param)
    if request.param == "sim":
        phone_table.companion.sources.simulate(None)
    phone_table.companion.start()
    if request.param == "sim":
        phone_table.until(lambda: phone_table.source() == ("sim", "up"))
    yield phone_table
    phone_table.companion.close()


@pytest.mark.parametrize("phone_table", ["none", "sim"], indirect=True)
def test_a_phone_sees_the_table(phone_table: PhoneTable, film: FrameSequence) -> None:
    """Its pictures are read like any camera's, and it receives the readings. It replaces a virtual
    board with the first picture that shows the field, and not before.
    """
    phone_table.pair()
    before = phone_table.source()
    bad = phone_table.send(b"no picture")
    assert (1, 0, "scan.no_picture", before) == (
        bad["count"],
        bad["tiles"],
        bad["problem"]["code"],
        phone_table.source(),
    )
    bare = phone_table.send(film.picture({}))
    assert (2, 36, [], None) == (bare["count"], bare["tiles"], bare["pawns"], bare["problem"])
    # Noise hides a corner of a code now and then.
    assert len(bare["covered"]) <= 4
    assert ("camera", "up") == phone_table.source()

    reading = phone_table.send(film.picture({"H1a": "D2", "H2b": "C4"}, hand=(-150.0, -165.0)))
    assert ["H1a", "H2b"] == reading["pawns"]
    assert "A1" in reading["covered"]
    assert [] == [path for path in phone_table.companion.settings.folder.rglob("*.jp*g")]


def test_a_board_beside_a_phone(tmp_path: Path, film: FrameSequence) -> None:
    """A board that is plugged in after a phone is used without a restart. It reports which cells
    are occupied, and the phone which pawns; when it is unplugged the phone continues alone.
    """
    (tmp_path / "dev").mkdir()
    phone_table = PhoneTable(tmp_path, devices=tmp_path / "dev")
    phone_table.companion.sources.simulate(None)
    phone_table.companion.start()
    phone_table.pair()
    picture = film.picture({"H1a": "D2"})
    phone_table.send(picture)
    assert ("camera", "up") == phone_table.source()

    world = World()
    world.put(Pawn("H1a"), Cell("D2"))
    board = VirtualBoard("presence", world)
    with PseudoTerminal(board, time.monotonic, know_usb(tmp_path / "dev", "ttyACM0")):
        phone_table.until(lambda: phone_table.source() == ("serial", "up"))
        phone_table.send(picture)
        phone_table.send(picture)
        phone_table.until(lambda: phone_table.cell("D2").get("pawns") == ["H1a"])
    phone_table.until(lambda: phone_table.source() == ("camera", "up"))
    phone_table.companion.close()


def test_beside_another_camera(tmp_path: Path) -> None:
    """With another camera in the settings, no phone can be paired as one, and the reason is
    shown.
    """
    pictures = CameraSettings(source=str(tmp_path))
    phone_table = PhoneTable(tmp_path, board="none", camera=pictures)
    refused = phone_table.pair()
    phone_table.companion.close()

    assert (False, "camera.other_source") == (refused["ok"], refused["message"]["code"])
