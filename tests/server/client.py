"""A phone without a browser: the other end of the private channel, and the table that it belongs
to.
"""

from __future__ import annotations

import atexit
import base64
import itertools
import json
import random
import weakref
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from flask import Flask
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey

from companion.app import printed_kit
from companion.clock import Clock
from companion.content.user_content import UserContent
from companion.games import GAMES
from companion.replay.build import replay_json
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.reader import BoardReader
from companion.sensors.tags.registry import TagRegistry
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.app import ServerSettings, Services, create_app
from companion.server.assets import Assets
from companion.server.context import PrintKitPdf, ServerContext
from companion.server.http.addresses import TableAddresses
from companion.server.routes import pages
from companion.server.rpc.channel import REPLY_PLAIN, REQUEST_PLAIN, TO_PHONE, TO_TABLE, pad, unpad
from companion.table.settings import TableSettings
from companion.table.storage.log import Log
from companion.table.table import Table
from tests.helpers.simulated_clock import SimulatedClock
from tests.table.play import entropy_of

Json = dict[str, Any]
BOXED = "application/octet-stream"
TIMEOUT = 90.0


@cache
def shared_files(root: Path, *patterns: str) -> Assets:
    """Return the pages' files, read once for all tables of a test run."""
    return Assets(root, *patterns)


class GameTable:
    """A real table with a real game and its application, in simulated time unless a clock is given;
    closed at the latest with its last reference.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock | None = None,
        addresses: Callable[[], list[str]] = lambda: ["192.168.1.20"],
        print_kit: PrintKitPdf = printed_kit,
        **settings: Any,
    ) -> None:
        self.folder = folder
        self.clock = clock or SimulatedClock()
        self.entropy = entropy_of(7)
        manners = TableSettings(night_floor=0, auto_pick_up=False)
        log = Log(folder)
        self.table = Table(GAMES, log, self.clock, self.entropy, random.Random(3), manners)
        weakref.finalize(self.table, log.close)
        self.reader = BoardReader(
            self.table.board_view,
            lambda seat, actions: None,
            self.clock,
            on_tiles=self.table.journal.show_tiles,
        )
        places = TableAddresses(tls="fingerprint" in settings, interfaces=addresses)
        defaults: Json = {"release": 0.0}
        self.settings = ServerSettings(folder, places, **(defaults | settings))
        with patch.object(pages, "Assets", shared_files):
            self.app: Flask = create_app(
                Services(
                    table=self.table,
                    reader=self.reader,
                    clock=self.clock,
                    entropy=self.entropy,
                    maintenance=BoardMaintenance(TagRegistry()),
                    frames=PhoneSource(monotonic=self.clock.monotonic, refusal=lambda: None),
                    boards=UserContent(folder, GAMES),
                    print_kit=print_kit,
                    build_replay=replay_json,
                ),
                self.settings,
            )
        # A busy machine must not abandon a good photo.
        decoder = self.context.photo_decoder
        decoder.seconds = TIMEOUT
        atexit.register(decoder.close)
        self._seeds = itertools.count(100)

    @property
    def context(self) -> ServerContext:
        """The state that the routes share."""
        context: ServerContext = self.app.extensions["companion"]
        return context

    @property
    def fragment(self) -> str:
        """Return what follows # in the join code: the table's key and the four letters."""
        return self.context.invitation(inside=True).url.partition("#")[2]

    @property
    def code(self) -> str:
        return self.fragment[43:]

    @property
    def display_fragment(self) -> str:
        return (self.folder / "display-code").read_text().strip()

    def phone(self, address: str = "192.168.1.31") -> Phone:
        """Return a new phone that scanned the join code."""
        return Phone(
            self.app,
            self.display_fragment[:43],
            PrivateKey(entropy_of(next(self._seeds))(32)),
            address,
        )

    def display(self) -> Phone:
        """Return a paired display."""
        display = self.phone("127.0.0.1")
        assert display.request("pair", code=self.display_fragment[43:])["ok"]
        return display

    def seated(self, *seats: str) -> list[Phone]:
        """Return phones that hold these seats; each PIN is 1111."""
        phones = [self.phone() for _ in seats]
        for seat, phone in zip(seats, phones, strict=True):
            answer = phone.request(
                "claim", seat=seat, name=f"Name {seat}", code=self.code, pin="1111"
            )
            assert answer["ok"], answer
        return phones

    def started(self, players: int = 2) -> list[Phone]:
        """Return the phones of a game that began, the vampire's first."""
        seats = ["V", *(f"H{number}" for number in range(1, players))]
        self.table.lobby.propose({"players": players})
        phones = self.seated(*seats)
        self.table.start()
        return phones

    def placed(self, players: int = 2, cell: str = "C3") -> list[Phone]:
        """Return the phones of a game in which the vampire is placed and the night was
        published.
        """
        phones = self.started(players)
        answer = phones[0].request("submit", actions=[{"type": "place", "cell": cell}])
        assert answer["ok"], answer
        self.pass_night()
        return phones

    def pass_night(self) -> None:
        """Let a submitted night be published."""
        assert isinstance(self.clock, SimulatedClock)
        for _ in range(40):
            self.clock.advance(1)

    def close(self) -> None:
        self.table.close()


class Phone:
    """Sends requests over the application's test client.

    `sizes` are the lengths of the messages sent.
    """

    def __init__(self, app: Flask, server: str, secret: PrivateKey, address: str) -> None:
        self.app = app
        self.secret = secret
        self.key = bytes(secret.public_key)
        self.box = self.former = _box(secret, server)
        self.address = address
        self.sizes: set[tuple[int, int]] = set()
        self._random = random.Random(self.key)

    def new_id(self) -> str:
        return self._random.randbytes(16).hex()

    def seal(self, request: object, nonce: bytes | None = None) -> tuple[bytes, str]:
        """Return a boxed request and its nonce as hex."""
        nonce = nonce or self._random.randbytes(24)
        boxed = self.box.encrypt(pad(TO_TABLE, request, REQUEST_PLAIN), nonce)
        return b"\x01" + self.key + bytes(boxed), nonce.hex()

    def open(self, reply: bytes) -> Json:
        """Open a box by the table's present or former key; if the answer has the next key, take
        it.
        """
        try:
            opened = unpad(TO_PHONE, self.box.decrypt(reply), REPLY_PLAIN)
        except CryptoError:
            opened = unpad(TO_PHONE, self.former.decrypt(reply), REPLY_PLAIN)
        if next_key := opened.pop("next", None):
            self.box, self.former = _box(self.secret, next_key), self.box
        return opened

    def request(self, do: str, **arguments: Any) -> Json:
        """Ask the table and return its answer."""
        return self.request_raw({"id": self.new_id(), "do": do, **arguments})

    def request_raw(self, request: object) -> Json:
        """Send a request; if the answer has the table's next key, confirm it by that key, as a page
        does.
        """
        box = self.box
        message, nonce = self.seal(request)
        reply = self.post("/channel", message)
        assert reply.status_code == 200
        self.sizes.add((len(message), len(reply.data)))
        answer = self.open(reply.data)
        assert answer.pop("re") == nonce
        if self.box is not box:
            self.request("blank")
        return answer

    def post(self, path: str, body: bytes) -> Any:
        environ = {"REMOTE_ADDR": self.address}
        return self.app.test_client().post(
            path, data=body, content_type=BOXED, environ_base=environ
        )

    def follow(self) -> Iterator[tuple[Json, Json]]:
        """Yield each line of this phone's stream and its opened frame."""
        message, nonce = self.seal({"id": self.new_id(), "do": "hello"})
        for line in self.post("/stream", message).response:
            outer = json.loads(line)
            frame = self.open(base64.b64decode(outer["box"]))
            assert frame["re"] == nonce
            yield outer, frame


def _box(secret: PrivateKey, server: str) -> Box:
    return Box(secret, PublicKey(base64.urlsafe_b64decode(server + "=")))
