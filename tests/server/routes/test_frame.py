"""The camera phone: one phone, paired by a code, sends pictures that are not kept."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest
from waitress import buffers  # type: ignore[import-untyped]

from companion.core.game import Message
from companion.core.placement import Pawn
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.frames.phone_source import (
    MAX_FRAME_BYTES,
    MIN_FRAME_INTERVAL,
    CameraRefused,
    PhoneSource,
)
from companion.server.http.server import make_server
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import BOXED, GameTable, Phone

CODE_SECONDS = 301


def offered(phone: Phone) -> str:
    """Return the code of a new offer."""
    url: str = phone.request("camera_code")["camera"]["url"]
    assert url.startswith("http://192.168.1.20:8080/camera#")
    return url.partition("#")[2][43:]


def paired(game_table: GameTable, by: Phone | None = None) -> Phone:
    """Return the camera phone."""
    camera = game_table.phone("192.168.1.60")
    answer = camera.request("pair_camera", code=offered(by or game_table.display()))
    assert (True, "guest") == (answer["ok"], answer["role"])
    return camera


def send(game_table: GameTable, image: bytes, ticket: str, path: str = "/frame") -> int:
    """Send a picture; return the status."""
    headers = {"X-Ticket": ticket}
    client = game_table.app.test_client()
    return client.post(path, data=image, content_type=BOXED, headers=headers).status_code


def newest(game_table: GameTable) -> Any:
    return game_table.context.camera.frames.newest()


@pytest.mark.slow
def test_one_phone_by_one_code(game_table: GameTable) -> None:
    """A code pairs one phone, within its time; a later code ends the one before, and the phone that
    it pairs replaces the first.
    """
    assert isinstance(game_table.clock, SimulatedClock)
    display, first, second = (
        game_table.display(),
        game_table.phone(),
        game_table.phone("192.168.1.61"),
    )
    old, code = offered(display), offered(display)

    assert "wrong_code" == first.request("pair_camera", code=old)["code"]
    assert first.request("pair_camera", code=code)["ok"]
    assert "wrong_code" == second.request("pair_camera", code=code)["code"]
    assert first.request("pair_camera", code=code)["ok"]
    late = offered(display)
    game_table.clock.advance(CODE_SECONDS)
    assert "wrong_code" == second.request("pair_camera", code=late)["code"]
    assert "wrong_code" == second.request("pair_camera", code="")["code"]
    game_table.clock.advance(CODE_SECONDS)
    assert second.request("pair_camera", code=offered(display))["ok"]
    assert [True, False] == [
        phone.request("watch", changed=False)["ok"] for phone in (second, first)
    ]


def test_a_stranger_gets_and_sends_nothing(game_table: GameTable) -> None:
    """A guest gets no code. Neither guest, player nor display may watch; a photo's ticket, a
    made-up one and a used one take no frame, and a frame's ticket no photo.
    """
    camera, (player,), guest = paired(game_table), game_table.seated("H1"), game_table.phone()
    assert "not_seated" == guest.request("camera_code")["code"]
    for phone in (guest, player, game_table.display()):
        refused = phone.request("watch", changed=True)
        assert ("not_seated", False) == (refused["code"], "ticket" in refused)
    ticket = camera.request("watch", changed=True)["ticket"]

    assert 403 == send(game_table, b"x", ticket, "/photo")
    assert 403 == send(game_table, b"x", player.request("photo")["ticket"])
    assert [403, 403] == [send(game_table, b"x", other) for other in ("", "0" * 32)]
    assert newest(game_table) is None
    assert [200, 403] == [send(game_table, b"mine", ticket) for _ in range(2)]
    assert b"mine" == newest(game_table)


def test_the_camera_is_no_player(game_table: GameTable) -> None:
    """The camera may watch, and do nothing else that a guest may not."""
    camera = paired(game_table)

    for request in ("camera_code", "photo", "screen", "start"):
        assert "not_seated" == camera.request(request)["code"]
    assert "guest" == camera.request("hello")["role"]


def test_frames_in_a_row(game_table: GameTable) -> None:
    """Two frames have a least time between them, the newest replaces one that was not read yet, and
    while one waits no other is requested.
    """
    assert isinstance(game_table.clock, SimulatedClock)
    camera = paired(game_table)
    first = camera.request("watch", changed=True)["ticket"]
    assert camera.request("watch", changed=True)["ticket"] is None
    game_table.clock.advance(MIN_FRAME_INTERVAL)
    second = camera.request("watch", changed=True)["ticket"]

    assert [200, 200] == [
        send(game_table, name, by) for name, by in ((b"1", first), (b"2", second))
    ]
    game_table.clock.advance(MIN_FRAME_INTERVAL)
    assert camera.request("watch", changed=True)["ticket"] is None
    assert [b"2", None] == [newest(game_table), newest(game_table)]
    assert camera.request("watch", changed=True)["ticket"]


def test_a_frame_has_a_size(game_table: GameTable) -> None:
    """A frame of more bytes is refused."""
    assert isinstance(game_table.clock, SimulatedClock)
    camera = paired(game_table)
    statuses = []
    for size in (MAX_FRAME_BYTES, MAX_FRAME_BYTES + 1):
        statuses.append(
            send(game_table, b"x" * size, camera.request("watch", changed=True)["ticket"])
        )
        newest(game_table)
        game_table.clock.advance(1)

    assert [200, 413] == statuses


def test_the_camera_after_a_restart_and_in_the_next_game(tmp_path: Path) -> None:
    """The phone stays the camera when the table starts again, and gets the key of the next game."""
    game_table = GameTable(tmp_path)
    vampire, human = game_table.placed()
    camera = paired(game_table, human)
    game_table.close()
    game_table = GameTable(tmp_path)
    for phone in (camera, vampire, human):
        phone.app = game_table.app
    assert camera.request("watch", changed=False)["ok"]

    vampire.request("surrender")
    assert human.request("next_game", by=0)["ok"]
    assert camera.request("watch", changed=False)["ok"]
    assert 2 == len(game_table.context.access.secrets)
    assert vampire.request("blank")["ok"]
    assert 1 == len(game_table.context.access.secrets)
    assert camera.request("watch", changed=False)["ok"]
    game_table.close()


def test_beside_another_source_no_phone_watches() -> None:
    """While another source sees the pawns, the reason is sent and no frame is requested."""
    wanted: list[Message | None] = [Message("camera.other_source"), None]
    source = PhoneSource(monotonic=lambda: 0.0, refusal=lambda: wanted[0])
    with pytest.raises(CameraRefused) as refused:
        source.check()
    wanted.pop(0)
    source.check()

    assert Message("camera.other_source") == refused.value.message


@pytest.mark.slow
def test_no_frame_is_kept_or_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over a real connection: while a frame waits, no file of the data folder and no answer of any
    route holds a part of it, and it never waits in a temporary file. A photo of that size does.
    """
    files: list[int] = []
    on_disk = buffers.TempfileBasedBuffer.__init__

    def watched(self: Any, from_buffer: Any = None) -> None:
        files.append(1)
        on_disk(self, from_buffer)

    monkeypatch.setattr(buffers.TempfileBasedBuffer, "__init__", watched)
    game_table = GameTable(tmp_path)
    server = make_server(game_table.app, "127.0.0.1", 0)
    Thread(target=server.run, daemon=True).start()
    camera, image = paired(game_table), Random(5).randbytes(2_000_000)
    ticket = camera.request("watch", changed=True)["ticket"]
    parts = [image[at : at + 16] for at in range(0, len(image), 100_000)]

    answers = {"/frame": post(server.effective_port, "/frame", ticket, image)}
    assert b" 200 " in answers["/frame"].splitlines()[0]
    assert [] == files
    for rule in game_table.app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.rule != "/events":
            path = rule.rule.replace("<path:name>", "core/base.css")
            answers[rule.rule] = game_table.app.test_client().get(path).data
    answers["watch"] = repr(camera.request("watch", changed=False)).encode()
    kept = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert 20 < len(answers)
    assert kept
    assert not any(part in held for part in parts for held in [*answers.values(), *kept])
    assert image == newest(game_table)

    photo = game_table.context.tickets.issue()
    post(server.effective_port, "/photo", photo, image)
    server.close()
    game_table.close()
    assert files


def post(port: int, path: str, ticket: str, body: bytes) -> bytes:
    """Send a body over its own connection; return the answer."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Ticket: {ticket}\r\n"
        f"Content-Type: {BOXED}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as wire:
        wire.sendall(head.encode() + body)
        while piece := wire.recv(65536):
            answer += piece
    return answer


def camera_answers(folder: Path, cell: str) -> tuple[list[Any], set[tuple[int, int]]]:
    """Play a night with the vampire's place at `cell`; return what the camera phone receives in it,
    and the sizes of its messages.
    """
    game_table = GameTable(folder)
    assert isinstance(game_table.clock, SimulatedClock)
    vampire, human = game_table.placed(cell=cell)
    camera = paired(game_table, human)
    answers: list[Any] = []
    for step in ("walk", "night", "dawn"):
        for changed in (True, False):
            answers.append(camera.request("watch", changed=changed))
        answers.append(send(game_table, b"the same picture", answers[-2]["ticket"]))
        source = game_table.context.camera.frames
        assert b"the same picture" == source.newest()
        source.show(FrameResult(pawns={Pawn("H1a"): (0.0, 0.0)}), frozenset())
        if step == "walk":
            assert human.request("submit", actions=[{"type": "end"}])["ok"]
        elif step == "night":
            assert vampire.request("submit", actions=[{"type": "end"}])["ok"]
            game_table.pass_night()
        game_table.clock.advance(1)
    answers.append(camera.request("hello"))
    game_table.close()
    return answers, camera.sizes


def test_the_camera_gets_nothing_of_the_vampire(tmp_path: Path) -> None:
    """In two games that differ in the vampire's place alone the camera gets the same answers, of
    the same size, by day, at night and at dawn.
    """
    first, second = camera_answers(tmp_path / "one", "C3"), camera_answers(tmp_path / "two", "E5")

    assert first[1] == second[1]
    assert [masked(each) for each in first[0]] == [masked(each) for each in second[0]]


def masked(answer: Any) -> Any:
    """Return an answer without the hashes that cover a seal."""
    return json.loads(re.sub(r'"[0-9a-f]{64}"', '"-"', json.dumps(answer)))
