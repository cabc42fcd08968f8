"""A table and a real broker: the table publishes its status, and also runs without the broker."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from random import Random

import msgspec
import pytest
from flask.testing import FlaskClient
from jinja2 import Environment

import companion.mqtt.client as client_module
from companion.app import Application
from companion.config import ClubSettings
from companion.core.game import Message
from companion.doctor.system import System
from companion.mqtt.broker_status import BrokerStatus
from companion.mqtt.client import MqttClient, MqttMessage
from companion.mqtt.status import TableStatus
from companion.server.http.certificate import make_certificate
from tests.mqtt.broker import TIMEOUT, Mosquitto, Recorder, broker_of, recording, until
from tests.mqtt.conftest import Opens
from tests.table.play import entropy_of

WILL_AND_RETAIN = 0x24
"""The flags of a CONNECT packet with a retained last will."""
CONNACK = b"\x20\x02\x00\x00"
NONSENSE = 100
"""Connections to a broker that talks nonsense."""


def last_status(recorder: Recorder) -> TableStatus | None:
    """Return the last status, None if there is none."""
    payload = recorder.last("/state")
    return msgspec.json.decode(payload, type=TableStatus) if payload else None


def displayed(recorder: Recorder, fact: str) -> str | None:
    """Return what Home Assistant would show for a fact from the broker's messages, None without
    discovery and state.
    """
    config, payload = recorder.last("/config"), recorder.last("/state")
    if not config or not payload:
        return None
    template = json.loads(config)["components"][fact]["value_template"]
    return Environment().from_string(template).render(value_json=json.loads(payload))


def sits(recorder: Recorder, name: str) -> bool:
    """Return whether the last state has a player of this name."""
    last = last_status(recorder)
    return last is not None and name in [player.name for player in last.players]


def connect(line: MqttClient) -> None:
    """Wait until the connection is up."""
    while not line.connected:
        line.step(TIMEOUT)


def sit(table: Application, seat: str, name: str) -> None:
    """Let a player sit down."""
    table.table.seats.claim(seat, name, entropy_of(sum(name.encode()))(32).hex())  # type: ignore[arg-type]


def test_a_table_is_published_from_its_beginning_to_its_end(
    mosquitto: Mosquitto, open_table: Opens
) -> None:
    """A table publishes discovery, availability, status, sample mark and announcements, and at
    last that it closed.
    """
    with recording(broker_of(mosquitto.address())) as recorder:
        table = open_table(mosquitto.address())
        until(lambda: displayed(recorder, "sample") == "OFF", "a game without content")
        table.table.lobby.propose({"game": "vampire_empire", "players": 2})
        until(lambda: displayed(recorder, "sample") == "ON", "sample decks")
        table.table.lobby.propose({"game": "vampireradar", "players": 2})
        until(lambda: displayed(recorder, "sample") == "OFF", "the first game")
        sit(table, "H1", "Ben")
        until(lambda: sits(recorder, "Ben") and recorder.last("/announcements") is not None, "news")
        table.close()
        until(lambda: recorder.last("/availability") == b"closed", "the end")
        topics = [each.topic.partition("/")[2].partition("/")[2] for each in recorder.messages]

        assert {"companion_" + (Path(table.settings.data) / "club-id").read_text() + "/config"} == {
            topic for topic in topics if topic.endswith("config")
        }
        assert b"" == recorder.last("/state")
        assert b'"text":"Ben: the seat is taken."' in (recorder.last("/announcements") or b"")


def test_a_broker_that_comes_back_gets_everything_again(
    mosquitto: Mosquitto, open_table: Opens
) -> None:
    """A killed broker receives everything again after a restart, without user action.

    Earlier announcements are not repeated.
    """
    table = open_table(mosquitto.address())
    with recording(broker_of(mosquitto.address())) as recorder:
        until(lambda: last_status(recorder) is not None, "a state")
        mosquitto.stop()
        sit(table, "V", "Ana")
        recorder.messages.clear()
        mosquitto.start()
        until(
            lambda: sits(recorder, "Ana") and recorder.last("/availability") == b"online",
            "the table",
        )

        assert "Ana" in [each["name"] for each in table.table.snapshot()["seats"]]


def test_a_table_that_is_gone_is_published_by_its_last_will(mosquitto: Mosquitto) -> None:
    """A table that disconnects without a message is lost by its last will; its status stays."""
    will = MqttMessage("companion/ab/availability", b"lost", retained=True)
    line = MqttClient(broker_of(mosquitto.address()), "table", time.monotonic, will=will)
    connect(line)
    with recording(broker_of(mosquitto.address())) as recorder:
        # The connection breaks: the client sends nothing more, and its descriptor ends.
        line._client = None
        until(lambda: recorder.last("/availability") == b"lost", "the last will")
    line.close()


@pytest.mark.parametrize("kind", ["absent", "silent", "refusing"])
def test_a_table_needs_no_broker(kind: str, tmp_path: Path, open_table: Opens) -> None:
    """Play goes on if the broker is missing, silent or refuses the name; no thread or file is
    leaked.
    """
    files = len(os.listdir("/proc/self/fd"))
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        refusing = Mosquitto(tmp_path / "refusing", "allow_anonymous false\n")
        if kind == "refusing":
            refusing.start()
        address = {
            "absent": "mqtt://127.0.0.1:1",
            "silent": f"mqtt://127.0.0.1:{silent.getsockname()[1]}",
            "refusing": f"mqtt://ana:wrong@127.0.0.1:{refusing.port or 1}",
        }[kind]
        table = open_table(address)
        for seat, name in (("V", "Ana"), ("H1", "Ben")):
            sit(table, seat, name)
        table.table.lobby.propose({"players": 2})
        table.table.start()
        table.close()
        refusing.stop()

    assert "play" == table.table.snapshot()["phase"]
    assert [] == [thread for thread in threading.enumerate() if thread.name == "club"]
    assert len(os.listdir("/proc/self/fd")) <= files


def test_a_name_and_a_password_over_tls(tmp_path: Path, open_table: Opens) -> None:
    """A broker with a password over TLS is used; without the password, or with an untrusted
    certificate, the doctor has the reason.
    """
    folder = tmp_path / "tls"
    folder.mkdir()
    key, certificate, passwords = (folder / name for name in ("key.pem", "cert.pem", "passwords"))
    pem = make_certificate(["localhost"])
    key.write_bytes(pem)
    certificate.write_bytes(pem[pem.index(b"-----BEGIN CERTIFICATE") :])
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", passwords, "table", "p@ss/word"],
        check=True,
        capture_output=True,
    )
    passwords.chmod(0o600)
    access = f"allow_anonymous false\npassword_file {passwords}\n"
    mosquitto = Mosquitto(folder / "broker", access, f"certfile {certificate}\nkeyfile {key}\n")
    mosquitto.start()
    address = mosquitto.address("table:p%40ss%2Fword@")
    try:
        with recording(broker_of(address, str(certificate))) as recorder:
            open_table(address, ca=str(certificate))
            until(lambda: last_status(recorder) is not None, "a state")

            assert None is problem_of(address, str(certificate))
            assert "certificate verify failed" in str(problem_of(address))
            assert "authorized" in str(problem_of(mosquitto.address(), str(certificate))).lower()
    finally:
        mosquitto.stop()


def problem_of(address: str, ca: str = "") -> Message | None:
    """Return the doctor's finding about a broker."""
    return System().broker_problem(ClubSettings(address, ca=ca), broker_of(address, ca))


@contextmanager
def hanging_up(heard: list[bytes] | None = None) -> Iterator[str]:
    """Listen as a broker that accepts each client and closes the connection at once; `heard` gets
    what they send before.
    """
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        first = connection.recv(1024)
                        if heard is not None:
                            heard.append(first)
                        connection.sendall(CONNACK)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"mqtt://127.0.0.1:{listening.getsockname()[1]}"
        listening.shutdown(socket.SHUT_RDWR)
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("access", "code"),
    [
        ("allow_anonymous true\nretain_available false\n", "broker_closed"),
        ("allow_anonymous false\n", "broker_refused"),
        ("allow_anonymous true\n", None),
    ],
)
def test_the_doctor_and_the_table_find_the_same(
    access: str,
    code: str | None,
    tmp_path: Path,
    open_table: Opens,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The doctor tries what the table does, and leaves nothing at the broker; the table tells the
    same reason to everybody, and logs it once.
    """  # fmt: skip
    mosquitto = Mosquitto(tmp_path / "choosy", access)
    mosquitto.start()
    try:
        problem = problem_of(mosquitto.address())
        client = open_table(mosquitto.address()).app.test_client()
        if code:
            until(lambda: broker_in(client) is not None, "a reason")
        shown = broker_in(client)
        logged = [each for each in caplog.messages if "does not serve this table" in each]
    finally:
        mosquitto.stop()

    assert (code, code) == (problem and problem.code, shown and shown["code"])
    assert len(logged) == (1 if code else 0)


def test_the_doctor_leaves_nothing_at_a_broker(mosquitto: Mosquitto) -> None:
    """The doctor sends on the topics of a table of its own, as a table does; its messages are
    empty, so a broker keeps none.
    """
    with recording(broker_of(mosquitto.address())) as recorder:
        assert None is problem_of(mosquitto.address())
        messages = [*recorder.messages]

    assert {b""} == {each.payload for each in messages}
    assert [
        "companion/companion-doctor-?/availability",
        "companion/companion-doctor-?/state",
        "homeassistant/device/companion_companion-doctor-?/config",
    ] == [each.topic.replace(str(os.getpid()), "?") for each in messages]


def test_the_doctor_has_a_last_will() -> None:
    """The doctor connects with a retained last will, as a table does."""
    heard: list[bytes] = []
    with hanging_up(heard) as address:
        assert "broker_closed" == getattr(problem_of(address), "code", None)
    flags = heard[0][heard[0].index(b"MQTT") + 5]

    assert WILL_AND_RETAIN == flags & WILL_AND_RETAIN


def broker_in(client: FlaskClient) -> dict[str, object] | None:
    """Return the broker's problem in the diagnostics."""
    answer = client.get("/diagnostics").get_json()
    problem: dict[str, object] | None = answer["broker"]
    return problem


def test_each_reason_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    """A reason is logged once, however often it comes, and again after the broker served."""
    status = BrokerStatus(broker_of("mqtt://ana:secret@broker.local"))
    for problem, why in (
        ("refused", "Not authorized"), ("closed", "gone"), ("refused", "Not authorized"),
        (None, ""), ("refused", "Not authorized"),
    ):  # fmt: skip
        status.set(problem, why)  # type: ignore[arg-type]

    assert "broker_refused" == (status.problem and status.problem.code)
    assert ["refused", "closed", "again", "refused"] == [
        next(word for word in ("again", "refused", "closed") if word in line)
        for line in caplog.messages
    ]
    assert "secret" not in caplog.text and "broker.local, port 1883" in caplog.text


@pytest.mark.parametrize(
    ("kind", "delays"),
    [
        ("absent", [0.5, 1.0, 2.0, 2.0, 2.0]),
        ("hanging up", [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]),
    ],
)
def test_a_broker_that_serves_no_table_is_tried_less_and_less(
    kind: str, delays: list[float]
) -> None:
    """The wait grows until a connection has lasted, although the broker accepts each; one that is
    not there is tried often, so that its start is noticed.
    """
    now, attempts = 0.0, [0.0]
    with hanging_up() as there:
        line = MqttClient(
            broker_of(there if kind == "hanging up" else "mqtt://127.0.0.1:1"), "t", lambda: now
        )
        for _ in delays:
            while line.problem is None or line._client is not None or now >= line._next:
                line.step(0.02)
            now = line._next
            attempts.append(now)
            line.problem = None
        line.close()

    assert delays == [after - before for before, after in pairwise(attempts)]


def test_a_connection_that_lasts_ends_the_wait(mosquitto: Mosquitto) -> None:
    """After a connection has lasted there is no problem, and a lost one is tried again at once."""
    now = 0.0
    line = MqttClient(broker_of(mosquitto.address()), "t", lambda: now)
    line._failures, line.problem, line.error = 5, "closed", "the broker ended the connection"
    problems: list[str | None] = []
    connect(line)
    for passed in (0.0, 10.9, 0.2):
        now += passed
        line.step(0)
        problems.append(line.problem)
    mosquitto.stop()
    while line.connected:
        line.step(TIMEOUT)
    problems.append(line.problem)
    wait = line._next - now
    line.close()

    assert ["closed", "closed", None, None] == problems
    assert 0.5 == pytest.approx(wait)


def test_a_broker_that_talks_nonsense(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any packets of a broker, with any bytes and invalid topics, leave the client working."""
    monkeypatch.setattr(client_module, "RECONNECT_DELAYS", (0.0,))
    draw, connections = Random(7), 0
    listening = socket.create_server(("127.0.0.1", 0))
    listening.settimeout(TIMEOUT)
    line = MqttClient(
        broker_of(f"mqtt://127.0.0.1:{listening.getsockname()[1]}"),
        "table",
        time.monotonic,
        topics=["#"],
    )
    while line.connections < NONSENSE:
        line.step(0.001)
        connection, _ = listening.accept()
        with connection:
            connection.sendall(b"\x20\x02\x00\x00")
            connect(line)
            connection.sendall(
                b"\x30\x05\x00\x02\xff\xfe!" if line.connections % 10 == 0 else nonsense(draw)
            )
        while line.connected:
            line.step(TIMEOUT)
            connections += 1
    listening.close()
    line.close()

    assert NONSENSE == line.connections
    assert connections >= NONSENSE


def nonsense(draw: Random) -> bytes:
    """Return random packets, valid or not."""
    bodies = [draw.randbytes(draw.randrange(40)) for _ in range(3)]
    return b"".join(
        bytes([draw.randrange(256), len(body)]) + body for body in bodies
    ) + draw.randbytes(5)


def test_a_slow_broker_holds_one_message_up() -> None:
    """While a broker does not read, the client sends nothing more, so that nothing piles up."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    line = MqttClient(
        broker_of(f"mqtt://127.0.0.1:{listening.getsockname()[1]}"), "table", time.monotonic
    )
    line.step(0.1)
    connection, _ = listening.accept()
    connection.sendall(b"\x20\x02\x00\x00")
    connect(line)
    sent = 0
    while line.idle and sent < 2000:
        line.send(MqttMessage("companion/ab/state", bytes(65536)))
        sent += 1

    assert not line.idle
    connection.close()
    listening.close()
    line.close()
