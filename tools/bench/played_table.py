"""Clients of a served table: the display on which the humans play, and the vampire's phone, over
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
from tools.bench.processes import TIMEOUT

Json = dict[str, Any]
POLL_INTERVAL = 0.005
"""Seconds between two polls for a night's publication."""


class Caller:
    """One client with a key and a connection of its own.

    A refusal raises RuntimeError.
    """

    def __init__(self, port: int, table_key: str) -> None:
        self._secret = PrivateKey.generate()
        self._key = bytes(self._secret.public_key)
        self._set_table_key(table_key)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def request(self, do: str, **arguments: Any) -> Json:
        """Send a boxed request and return the reply."""
        plain = pad(TO_TABLE, {"id": secrets.token_hex(16), "do": do} | arguments, REQUEST_PLAIN)
        message = b"\x01" + self._key + bytes(self._box.encrypt(plain, secrets.token_bytes(24)))
        reply = self._request("POST", "/channel", message, {"Content-Type": BOXED_TYPE})
        answer = unpad(TO_PHONE, self._box.decrypt(reply), REPLY_PLAIN)
        if next_key := answer.get("next"):
            self._set_table_key(next_key)
        if not answer["ok"]:
            raise RuntimeError(f"{do} {arguments}: {answer['code']}")
        return answer

    def _request(self, method: str, path: str, *args: Any) -> bytes:
        """Send a request and return the body of its response; on a connection that the table closed
        because it was idle, send it once more.
        """
        try:
            self._connection.request(method, path, *args)
            response = self._connection.getresponse()
        except (ConnectionResetError, BrokenPipeError):
            self._connection.close()
            self._connection.request(method, path, *args)
            response = self._connection.getresponse()
        return response.read()

    def _set_table_key(self, table_key: str) -> None:
        """Set the table's current key."""
        self._box = Box(self._secret, PublicKey(base64.urlsafe_b64decode(table_key + "=")))

    def get(self, path: str) -> Json:
        """Return the JSON of a public path."""
        answer: Json = json.loads(self._request("GET", path))
        return answer

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def invitation(display: Caller) -> str:
    """Return the table's key and the code for a free seat, as the display shows them."""
    url: str = display.request("hello")["join"]["url"]
    return url.partition("#")[2]


class GameTable:
    """A table with a paired display, a claimed vampire's seat, and a started game.

    Plays by `rng`. `prepare` is called with the display before the game starts.
    """

    def __init__(
        self,
        port: int,
        folder: Path,
        players: int,
        rng: Random,
        prepare: Callable[[Caller], object] = lambda display: None,
    ) -> None:
        code = (folder / "display-code").read_text(encoding="ascii").strip()
        self.display = Caller(port, code[:43])
        self._vampire = Caller(port, code[:43])
        self._rng = rng
        self.games = 0
        self.display.request("pair", code=code[43:])
        self.display.request("propose", change={"players": players})
        prepare(self.display)
        code = invitation(self.display)[43:]
        self._vampire.request("claim", seat="V", name="Bench", code=code, pin="1111")
        self.display.request("start")

    def snapshot(self) -> Json:
        """Return the public snapshot."""
        return self.display.get("/snapshot")

    def to_humans(self) -> Json:
        """Play the current secret turn, wait until it is published, and return the snapshot of a
        human's turn.
        """
        while (snapshot := self.snapshot())["secret"] or not snapshot["legal"]:
            self.step(snapshot)
        return snapshot

    def step(self, snapshot: Json) -> None:
        """Take one step: a human's action, a whole night, the next game, or a short wait for a
        publication.
        """
        if snapshot["phase"] == "over":
            self.games += 1
            self.display.request("next_game", by=0)
            self.display.request("start")
        elif snapshot["secret"]:
            self._night()
        elif snapshot["legal"]:
            self.display.request(
                "submit", actions=[self._rng.choice(snapshot["legal"])], seat=snapshot["to_move"]
            )
        else:
            time.sleep(POLL_INTERVAL)

    def vampire_cell(self) -> str:
        """Return where the vampire is."""
        while not (private := self._vampire.request("hello").get("private")):
            time.sleep(POLL_INTERVAL)
        cell: str = private["own"]["cell"]
        return cell

    def surrender(self) -> None:
        """End the game: the vampire surrenders."""
        self._vampire.request("surrender")

    def close(self) -> None:
        """Close the connections."""
        self.display.close()
        self._vampire.close()

    def _night(self) -> None:
        private = self._vampire.request("hello").get("private")
        if private is None or private["submitted"] or not private["legal"]:
            time.sleep(POLL_INTERVAL)
            return
        # The first night takes any place; later ones end at once, which is the last legal action.
        placing = private["legal"][0]["type"] == "place"
        self._vampire.request(
            "submit",
            actions=[self._rng.choice(private["legal"]) if placing else private["legal"][-1]],
        )
