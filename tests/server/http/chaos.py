"""A game over a bad network: `python -m tests.server.http.chaos [--turns N] [--seed N]`.

Every connection of the display, the vampire's phone and two listeners goes through a proxy on this
machine which cuts its data into pieces, delays pieces, closes one direction or both at any moment,
and sends a phone's request to the table again later. People repeat a request under the same number
until it is answered, and listeners return with the last position. At the end every acknowledged
request is in the log once, and each listener has received every public event once, in order, and
calculated the table's own head.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import http.client
import json
import secrets
import socket
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from nacl.public import Box, PrivateKey, PublicKey

from companion.core.codec import canonical_json
from companion.server.http.limits import StreamLimits
from companion.server.http.server import make_server
from companion.server.rpc.channel import REPLY_PLAIN, REQUEST_PLAIN, TO_PHONE, TO_TABLE, pad, unpad
from companion.table.fairness.commitment import ZERO_HASH
from companion.table.storage.store import inspect_log
from tests.server.client import BOXED, GameTable, Json
from tools.bench.served_table import FastClock

TIMEOUT = 60.0
"""Real seconds in which one question must be answered, however often it has to be asked."""
GIVEN_UP = 3.0
"""Seconds after which a client gives a connection up and reconnects."""
LONGEST_HOLD = 0.03


class Chaos:
    """The proxy. `did` counts its faults by kind."""

    def __init__(self, port: int, seed: int) -> None:
        self.did: Counter[str] = Counter()
        self._to = port
        self._seed = seed
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self._listening.getsockname()[1])
        self._closing = threading.Event()
        self._sockets: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """Close all connections."""
        # Closing a socket wakes no thread that waits for it; shutting it down does.
        self._closing.set()
        for end in (self._listening, *self._sockets):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(TIMEOUT)
        for end in (self._listening, *self._sockets):
            end.close()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                phone, _ = self._listening.accept()
                table = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                return
            number += 1
            self._sockets += [phone, table]
            rng = Random(f"{self._seed} {number}")
            # The number of bytes that this connection carries before it fails, if it does.
            ends = [rng.randrange(1, 60_000) if rng.random() < 0.4 else -1 for _ in range(2)]
            output = bytearray()
            for arguments in ((phone, table, ends[0], output), (table, phone, ends[1], None)):
                carrying = threading.Thread(
                    target=self._carry, args=(Random(rng.random()), *arguments), daemon=True
                )
                self._threads.append(carrying)
                carrying.start()

    def _carry(
        self,
        rng: Random,
        source: socket.socket,
        target: socket.socket,
        end: int,
        output: bytearray | None,
    ) -> None:
        """Carry one direction, piece by piece, until it ends or is cut after `end` bytes."""
        carried = 0
        try:
            while data := source.recv(1 << 16):
                for piece in _pieces(data, rng):
                    if rng.random() < 0.1:
                        self._count("held")
                        time.sleep(rng.random() * LONGEST_HOLD)
                    if 0 <= end < carried + len(piece):
                        target.sendall(piece[: end - carried])
                        self._count("cut")
                        self._cut(rng, source, target)
                        return
                    target.sendall(piece)
                    carried += len(piece)
                    if output is not None:
                        output += piece
            target.shutdown(socket.SHUT_WR)
            if output and rng.random() < 0.3 and not self._closing.is_set():
                self._say_again(bytes(output))
        except OSError:
            # The other direction is closed.
            return

    def _cut(self, rng: Random, source: socket.socket, target: socket.socket) -> None:
        if rng.random() < 0.3:
            self._count("half_closed")
            target.shutdown(socket.SHUT_WR)
            return
        for end in (source, target):
            end.shutdown(socket.SHUT_RDWR)

    def _say_again(self, output: bytes) -> None:
        """Send the table a phone's earlier request, as anybody might who has recorded it."""
        self._count("sent_again")
        with socket.create_connection(("127.0.0.1", self._to), GIVEN_UP) as table:
            table.sendall(output)
            table.shutdown(socket.SHUT_WR)
            while table.recv(1 << 16):
                pass

    def _count(self, kind: str) -> None:
        with self._lock:
            self.did[kind] += 1


def _pieces(data: bytes, rng: Random) -> list[bytes]:
    """Cut bytes somewhere, mostly nowhere, sometimes into single ones."""
    if rng.random() < 0.05:
        return [data[at : at + 1] for at in range(min(40, len(data)))] + [data[40:]]
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.choice((0, 0, 1, 3))))
    return [
        data[start:end]
        for start, end in zip([0, *cuts], [*cuts, len(data)], strict=True)
        if start < end
    ]


class Person:
    """Repeats each request until it is answered.

    `tries` counts the attempts.
    """

    def __init__(self, port: int, table_key: str) -> None:
        secret = PrivateKey.generate()
        self._key = bytes(secret.public_key)
        self._box = Box(secret, PublicKey(base64.urlsafe_b64decode(table_key + "=")))
        self._port = port
        self._connection: http.client.HTTPConnection | None = None
        self.tries = 0
        self.acknowledged: list[str] = []

    def request(self, do: str, **arguments: Any) -> Json:
        """Return the answer, whatever its content."""
        id = secrets.token_hex(16)
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            self.tries += 1
            answer = self._try({"id": id, "do": do, **arguments})
            if answer is not None and "pending" not in answer:
                if answer["ok"] and do == "submit":
                    self.acknowledged.append(id)
                return answer
        raise TimeoutError(do)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def _try(self, request: Json) -> Json | None:
        message = (
            b"\x01" + self._key + bytes(self._box.encrypt(pad(TO_TABLE, request, REQUEST_PLAIN)))
        )
        self._connection = self._connection or http.client.HTTPConnection(
            "127.0.0.1", self._port, timeout=GIVEN_UP
        )
        try:
            self._connection.request(
                "POST", "/channel", message, {"Content-Type": BOXED, "Host": "localhost"}
            )
            reply = self._connection.getresponse()
            body = reply.read()
            return (
                unpad(TO_PHONE, self._box.decrypt(body), REPLY_PLAIN)
                if reply.status == 200
                else None
            )
        except (OSError, http.client.HTTPException):
            self._connection.close()
            self._connection = None
            return None


class Listener:
    """A screen that follows the public stream and returns with its last position; keeps the head as
    phones do.
    """

    def __init__(self, port: int) -> None:
        self.positions: list[int] = []
        self.head = ZERO_HASH
        self.connections = 0
        self.last: Json = {}
        self._port = port
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    @property
    def position(self) -> int:
        """The position of the last event received."""
        return self.positions[-1] if self.positions else 0

    def close(self) -> None:
        """Stop listening."""
        self._closing.set()
        self._thread.join(TIMEOUT)

    def _follow(self) -> None:
        while not self._closing.is_set():
            self.connections += 1
            try:
                with socket.create_connection(("127.0.0.1", self._port), GIVEN_UP) as line:
                    line.sendall(
                        (
                            f"GET /events?after={self.position} HTTP/1.0\r\nHost: localhost\r\n\r\n"
                        ).encode()
                    )
                    self._listen(line)
            except OSError:
                continue

    def _listen(self, line: socket.socket) -> None:
        buffer = b""
        while not self._closing.is_set() and (part := line.recv(1 << 16)):
            buffer += part
            *messages, buffer = buffer.split(b"\n\n")
            for message in messages:
                payload = message.partition(b"data: ")[2]
                if payload:
                    self._take(json.loads(payload))

    def _take(self, update: Json) -> None:
        for entry in update["events"]:
            if entry["position"] > self.position:
                self.positions.append(entry["position"])
                self.head = hashlib.sha256(
                    (self.head + canonical_json(entry["event"])).encode("ascii")
                ).hexdigest()
        self.last = update["snapshot"]


def play(folder: Path, turns: int, seed: int) -> Counter[str]:
    """Play `turns` turns; return the events and the faults."""
    clock = FastClock(30)
    game_table = GameTable(
        folder, clock, limits=StreamLimits(streams=12, per_address=12, per_key=4), release=0.02
    )
    server: Any = make_server(game_table.app, "127.0.0.1", 0, threads=40)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    chaos = Chaos(int(server.effective_port), seed)
    code = game_table.display_fragment
    display, vampire = Person(chaos.port, code[:43]), Person(chaos.port, code[:43])
    listeners = [Listener(chaos.port) for _ in range(2)]
    try:
        display.request("pair", code=code[43:])
        display.request("propose", change={"players": 2})
        vampire.request("claim", seat="V", name="V", code=game_table.code, pin="1111")
        display.request("start")
        rng, turn_count = Random(seed), 0
        while turn_count < turns and game_table.table.snapshot()["phase"] == "play":
            turn_count += _turn(game_table, display, vampire, rng)
        # A night that is being published is published to its end first.
        while game_table.table.snapshot()["phase"] == "play":
            vampire.request("surrender")
        newest, until = game_table.table.snapshot(), time.monotonic() + TIMEOUT
        while (
            any(each.position < newest["position"] for each in listeners)
            and time.monotonic() < until
        ):
            time.sleep(0.02)
        behind = sum(each.position < newest["position"] for each in listeners)
    finally:
        for person in (display, vampire):
            person.close()
        for listener in listeners:
            listener.close()
        chaos.close()
        game_table.close()
        # The workers send their last messages first: they need the loop for that.
        server.task_dispatcher.shutdown()
        server.close()
        running.join(TIMEOUT)
        clock.close()
        game_table.context.executor.close()
    counts = Counter({"turns": turn_count, "tries": display.tries + vampire.tries}) + chaos.did
    counts["behind"] = behind
    counts["came_back"] = sum(listener.connections - 1 for listener in listeners)
    entered = Counter(row.id for row in inspect_log(folder / "table.sqlite").rows if row.id)
    acknowledged = display.acknowledged + vampire.acknowledged
    counts["acked_lost"] = sum(id not in entered for id in acknowledged)
    counts["applied_twice"] = sum(count - 1 for count in entered.values())
    # A repeated request may have been published while the listeners left.
    heads = game_table.table.state.public_log.heads
    for listener in listeners:
        counts["misheard"] += (
            listener.positions != list(range(1, listener.position + 1))
            or listener.head != heads[listener.position]
        )
    return counts


def _turn(game_table: GameTable, display: Person, vampire: Person, rng: Random) -> bool:
    """Let a seat act that may; return whether any did."""
    snapshot = game_table.table.snapshot()
    if snapshot["secret"]:
        private = vampire.request("hello")["private"]
        if not private or private["submitted"] or not private["legal"]:
            return False
        placing = private["legal"][0]["type"] == "place"
        action = rng.choice(private["legal"]) if placing else private["legal"][-1]
        return bool(vampire.request("submit", actions=[action])["ok"])
    if not snapshot["legal"]:
        time.sleep(0.01)
        return False
    action = rng.choice(snapshot["legal"])
    return bool(display.request("submit", actions=[action], seat=snapshot["to_move"])["ok"])


WRONGS = ("behind", "acked_lost", "applied_twice", "misheard")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counts = Counter[str]()
    for seed in range(args.seed, args.seed + args.games):
        with tempfile.TemporaryDirectory() as folder:
            counts.update(play(Path(folder), args.turns, seed))
    print(" ".join(f"{kind}={count}" for kind, count in counts.items()))
    return int(any(counts[kind] for kind in WRONGS))


if __name__ == "__main__":
    sys.exit(main())
