"""People at a served table: the display on which the humans play, and the vampire's phone, over
real sockets.
"""

from __future__ import annotations

import base64
import http.client
import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from nacl.public import Box, PrivateKey, PublicKey

from companion.server.http.security import BOXED_TYPE
from companion.server.rpc.channel import REPLY_PLAIN, REQUEST_PLAIN, TO_PHONE, TO_TABLE, pad, unpad
from tests.bench.processes import TIMEOUT

Json = dict[str, Any]
GLANCE = 0.005
"""Seconds between two looks whether a night has been published."""


class Caller:
    """One browser: a key of its own and one connection.

    What the table refuses raises RuntimeError.
    """

    def __init__(self, port: int, table_key: str) -> None:
        self._secret = PrivateKey.generate()
        self._key = bytes(self._secret.public_key)
        self._take(table_key)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def ask(self, do: str, **arguments: Any) -> Json:
        """Ask the table by the boxed channel and return its answer."""
        asked = pad(TO_TABLE, {"id": secrets.token_hex(16), "do": do} | arguments, REQUEST_PLAIN)
        message = b"\x01" + self._key + bytes(self._box.encrypt(asked, secrets.token_bytes(24)))
        boxed = self._exchange("POST", "/channel", message, {"Content-Type": BOXED_TYPE})
        answer = unpad(TO_PHONE, self._box.decrypt(boxed), REPLY_PLAIN)
        if told := answer.get("next"):
            self._take(told)
        if not answer["ok"]:
            raise RuntimeError(f"{do} {arguments}: {answer['code']}")
        return answer

    def _exchange(self, method: str, path: str, *sent: Any) -> bytes:
        """Return what a request is answered; one on a connection that the table closed meanwhile,
        because nothing was said on it for long, is sent once more.
        """
        try:
            self._connection.request(method, path, *sent)
            response = self._connection.getresponse()
        except (ConnectionResetError, BrokenPipeError):
            self._connection.close()
            self._connection.request(method, path, *sent)
            response = self._connection.getresponse()
        return response.read()

    def _take(self, table_key: str) -> None:
        """From now on the table has this key."""
        self._box = Box(self._secret, PublicKey(base64.urlsafe_b64decode(table_key + "=")))

    def get(self, path: str) -> Json:
        """Return what anybody is answered."""
        answer: Json = json.loads(self._exchange("GET", path))
        return answer

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def invitation(display: Caller) -> str:
    """Return the table's key and the code that gives a free seat, as a display shows them."""
    url: str = display.ask("hello")["join"]["url"]
    return url.partition("#")[2]


class GameTable:
    """A table with its display paired, the vampire at his phone, and a game begun.

    Plays by `rng`. `prepare` is called with the display before the game begins.
    """

    def __init__(
        self,
        port: int,
        folder: Path,
        players: int,
        rng: Random,
        prepare: Callable[[Caller], None] = lambda display: None,
    ) -> None:
        code = (folder / "display-code").read_text(encoding="ascii").strip()
        self.display = Caller(port, code[:43])
        self._vampire = Caller(port, code[:43])
        self._rng = rng
        self.games = 0
        self.display.ask("pair", code=code[43:])
        self.display.ask("propose", change={"players": players})
        prepare(self.display)
        code = invitation(self.display)[43:]
        self._vampire.ask("claim", seat="V", name="Bench", code=code, pin="1111")
        self.display.ask("start")

    def snapshot(self) -> Json:
        """Return the public snapshot."""
        return self.display.get("/snapshot")

    def to_humans(self) -> Json:
        """Play the secret turn that is due, wait until it is published, and return the snapshot
        of a human's turn.
        """
        while (snapshot := self.snapshot())["secret"] or not snapshot["legal"]:
            self.step(snapshot)
        return snapshot

    def step(self, snapshot: Json) -> None:
        """Do one thing: an action of a human, a whole night, the next game, or a short wait for
        what is published.
        """
        if snapshot["phase"] == "over":
            self.games += 1
            self.display.ask("again", by=0)
            self.display.ask("start")
        elif snapshot["secret"]:
            self._night()
        elif snapshot["legal"]:
            self.display.ask(
                "submit", actions=[self._rng.choice(snapshot["legal"])], seat=snapshot["to_move"]
            )
        else:
            time.sleep(GLANCE)

    def close(self) -> None:
        """Go home."""
        self.display.close()
        self._vampire.close()

    def _night(self) -> None:
        private = self._vampire.ask("hello").get("private")
        if private is None or private["submitted"] or not private["legal"]:
            time.sleep(GLANCE)
            return
        # At the beginning he takes any place; later he rests, which is the last thing that is on
        # offer.
        placing = private["legal"][0]["type"] == "place"
        self._vampire.ask(
            "submit",
            actions=[self._rng.choice(private["legal"]) if placing else private["legal"][-1]],
        )
