"""Canaries: words that are secret and like no others, sought in everything that leaves the table.

`python -m tests.server.canaries` plays a whole game over real sockets through a recording proxy.
Every private page carries an extra random word; the nonces of the seals and all secret keys are
recognisable by themselves. They are sought in all that went over the wire, in what others than the
vampire opened, in all that a club's broker received, in the logs, the record in mid-game, the files
beside the database, temporary folders, and this process's arguments and environment. With
`--unboxed` the boxes are left open, and with `--gossip` the broker gets private pages: the same
search must find that, else it is blind. `--games` is the number of games, each another, of 2, 3 and
4 players.
"""

from __future__ import annotations

import argparse
import base64
import os
import random
import re
import select
import socket
import stat
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from pytest import MonkeyPatch

import companion.mqtt.publisher as publisher_module
import companion.server.rpc.channel as channel_module
import companion.table.table as table_module
from companion.config import ClubSettings
from companion.games import GAMES
from companion.table.fairness.export import export_record
from companion.table.storage.log import read_bodies
from tests.mqtt.broker import Mosquitto, broker_of, recording, until
from tools.secrecy.http import Behaviour, Pair, Side, make_pair
from tools.secrecy.paired_vampireradar import Turn

MARK = "zqxjkvqwzx"
"""How every canary of a private page begins; no language has a word like it. So long, because five
letters came up by chance in the gigabytes of boxes that fifty games send.
"""
SHORT = 304
"""A random whole game that is over soon, after nine nights or so."""
BOXES = re.compile(rb'"box":"([A-Za-z0-9+/]+=*)"')
HEX = re.compile(rb"[0-9a-f]{64}")


class Recorder:
    """A proxy on this machine that keeps every byte of both directions."""

    def __init__(self, port: int) -> None:
        self.data = bytearray()
        self._to = port
        self._lock = threading.Lock()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                phone, (address, _) = self._listening.accept()
            except OSError:
                return
            # The table sees the phone's own address, as it would without us.
            table = socket.create_connection(("127.0.0.1", self._to), source_address=(address, 0))
            for end in (phone, table):
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._carry, args=(phone, table), daemon=True).start()

    def _carry(self, phone: socket.socket, table: socket.socket) -> None:
        with phone, table:
            while True:
                ready, _, _ = select.select([phone, table], [], [])
                for end in ready:
                    try:
                        data = end.recv(1 << 16)
                        (table if end is phone else phone).sendall(data)
                    except OSError:
                        return
                    if not data:
                        return
                    with self._lock:
                        self.data += data


class OpenBox:
    """Replaces a box: as long as a real one, and readable by everybody."""

    def __init__(self, *_: object) -> None:
        pass

    def encrypt(self, plain: bytes, nonce: bytes) -> bytes:
        return nonce + bytes(16) + plain

    def decrypt(self, boxed: bytes, nonce: bytes | None = None) -> bytes:
        return boxed[16 if nonce else 40 :]


class Search(Struct, frozen=True):
    """The leaks found, and how many canaries were searched for in how many bytes."""

    leaks: tuple[str, ...]
    sought: int
    read: int


def opened(text: bytes) -> bytes:
    """Return the recorded bytes, followed by their base64 parts decoded."""
    return text + b"".join(base64.b64decode(box) for box in BOXES.findall(text))


def plant(patch: MonkeyPatch, draw: random.Random) -> list[str]:
    """Let every private page carry a random word; return the list that they are added to."""
    words: list[str] = []
    page: Any = vars(table_module)["snapshot"].seat_snapshot

    def marked(*of: Any) -> dict[str, Any]:
        words.append(MARK + "".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=16 - len(MARK))))
        private: dict[str, Any] = page(*of)
        return private | {"canary": words[-1]} if of[1] == "V" else private

    patch.setattr(vars(table_module)["snapshot"], "seat_snapshot", marked)
    return words


def leak_to_broker(patch: MonkeyPatch, words: list[str]) -> None:
    """Send the broker the last private word with each state."""
    plain: Any = vars(publisher_module)["table_status"]
    patch.setattr(
        publisher_module, "table_status", lambda *of: replace(plain(*of), mover=(words or [""])[-1])
    )


def search(
    unboxed: bool, turns: int | None = None, gossiping: bool = False, number: int = 0
) -> Search:
    """Play a game, whole or its first turns, and search all that left the table; each `number` is
    another game.
    """
    players = 2 + number % 3
    with (
        MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as folder,
        ExitStack() as stack,
    ):
        patch.setattr(tempfile, "tempdir", folder)
        if unboxed:
            patch.setattr(channel_module, "Box", OpenBox)
            patch.setattr("tests.server.client.Box", OpenBox)
        words = plant(patch, random.Random(5))
        if gossiping:
            leak_to_broker(patch, words)
        mosquitto = Mosquitto(Path(folder) / "broker")
        mosquitto.start()
        stack.callback(mosquitto.stop)
        broker = stack.enter_context(recording(broker_of(mosquitto.address())))
        recorders: list[Recorder] = []

        def recorded(port: int) -> int:
            recorders.append(Recorder(port))
            stack.callback(recorders[-1].close)
            return recorders[-1].port

        data = Path(folder) / "data"
        side = Side(data, players, stack, recorded, ClubSettings(mosquitto.address(), "Table"))
        pair = make_pair("vampireradar", SHORT + number, players, 8, 1)
        sources: dict[str, bytes] = {}
        leave = side._note_record

        def leaving() -> None:
            """In mid-game, collect everything that a visitor could carry away."""
            leave()
            sources["record"] = "\n".join(export_record(read_bodies(data), GAMES)).encode()
            sources["wire before the end"] = bytes(recorders[0].data)
            nonces.extend(
                step.line.partition('"nonce":"')[2][:64]
                for step in side.table.state.run.steps
                if step.line
            )

        nonces: list[str] = []
        patch.setattr(side, "_note_record", leaving)
        cut = pair if turns is None else Pair(pair.seed, pair.twins, turns, thorough=True)
        if turns is None:
            # A whole game ends by itself: collect before its last turn.
            last = cut.twins.one[-1]
            for name in ("human", "vampire"):
                patch.setattr(side, name, _before(last, leaving, getattr(side, name)))
        traffic = side.game(cut, cut.twins.one, Behaviour("canaries", 3))
        sources["wire"] = bytes(recorders[0].data)
        sources["others and logs"] = "\n".join(text for _, text in traffic).encode(
            "utf-8", "surrogateescape"
        )
        position = b'"position":%d,"phase"' % side.table.snapshot()["position"]
        until(lambda: position in (broker.last("/state") or b""), "the last state")
        sources["broker"] = b"".join(
            each.topic.encode() + each.payload for each in list(broker.messages)
        )
        sources["process"] = (
            Path("/proc/self/cmdline").read_bytes() + Path("/proc/self/environ").read_bytes()
        )
        sources["files"] = b"".join(path.read_bytes() for path in _files(Path(folder)))
        keys = [bytes(phone.secret) for phone in side.phones.values()]
        keys += side.companion.app.extensions["companion"].access.secrets
        leaks: list[str] = []
        for source, text in sources.items():
            open_text = opened(text)
            hexed = {digits.decode() for digits in HEX.findall(open_text)}
            leaks += [f"{source}: a private page"] * open_text.count(MARK.encode())
            leaks += [f"{source}: a key" for key in keys if key in open_text or key.hex() in hexed]
            # After the end the seals are opened for everybody; before it, a nonce is as good as
            # the place.
            early = [
                nonce
                for nonce in nonces
                if source not in ("wire", "others and logs") and nonce in hexed
            ]
            leaks += [f"{source}: a nonce" for _ in early]
        phones = [phone.address.encode() for phone in side.phones.values()]
        leaks += [f"broker: {address!r}" for address in phones if address in sources["broker"]]
        assert len(words) > 50 and len(nonces) > 1, (len(words), len(nonces))
        return Search(
            tuple(leaks), len(words) + len(nonces) + len(keys), sum(map(len, sources.values()))
        )


def _before(
    last: Turn, leave: Callable[[], None], play: Callable[..., None]
) -> Callable[..., None]:
    """Return `play` with something to do before the last turn."""

    def playing(turn: Turn, *of: Any) -> None:
        if turn is last:
            leave()
        play(turn, *of)

    return playing


def _files(folder: Path) -> list[Path]:
    """Return the files that users other than their owner may read."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "table.sqlite" for path in files)
    return [
        path
        for path in files
        if stat.S_IMODE(path.stat().st_mode) & 0o077 and not _shut(path.parent, folder)
    ]


def _shut(at: Path, top: Path) -> bool:
    """Return whether a folder, or one above it, is open to its owner alone."""
    own = at
    while own != top:
        if stat.S_IMODE(os.stat(own).st_mode) == 0o700:
            return True
        own = own.parent
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--unboxed", action="store_true", help="leave the boxes open: the search must find"
    )
    parser.add_argument(
        "--gossip",
        action="store_true",
        help="tell the broker of private pages: the search must find",
    )
    parser.add_argument("--turns", type=int, help="only the first turns of the game")
    parser.add_argument("--games", type=int, default=1, help="how many games, each another")
    args = parser.parse_args()
    results = [
        search(args.unboxed, args.turns, args.gossip, number) for number in range(args.games)
    ]
    leaks = [text for result in results for text in result.leaks]
    for text in sorted(set(leaks)):
        print(f"found in {text}")
    sought, read = sum(result.sought for result in results), sum(result.read for result in results)
    print(f"games={len(results)} canaries={sought} bytes={read} found={len(leaks)}")
    return 1 if leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
