"""The twin run: one evening, and everything that anybody but the vampire gets to see of it, byte by byte.

Two evenings that differ in the secret alone must give equal transcripts. What is random by itself is
masked: a seal's hash, its words, the head that covers it, and the nonces of boxes (boxed answers are opened).
"""

from __future__ import annotations

import json
import logging
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from nacl.public import PrivateKey

from companion.app import Companion, build
from companion.clock import SimulatedClock
from companion.config import PanelSettings, Settings
from companion.core.codec import canonical, encode_actions
from companion.games import GAMES
from companion.panel.fake import FakePins
from companion.server.slots import Limits
from companion.table.log import read_bodies
from companion.table.record import export
from tests.contract.vampire_twins import Turn, Twins
from tests.server.phone import Phone, entropy_of

Transcript = list[tuple[str, str]]

MASKS = (
    (re.compile(r'"(seal|sealed|head)": ?"[0-9a-f]{64}"'), r'"\1":"masked"'),
    (re.compile(r'"words": ?"[a-z0-9-]+"'), '"words":"masked"'),
)
PAGES = (
    "/table",
    "/join",
    "/seat",
    "/host",
    "/board",
    "/picture",
    "/diagnostics",
    "/healthz",
    "/join.json",
    "/no/such",
)
BEAT = 0.5
"""Simulated seconds between two looks at the night."""
NIGHT = 70
"""Looks at each night: longer than any dawn takes to tell."""
THINKING = 18
"""Looks within which the vampire commits, so early that the floor hides when."""


class Observed:
    """One evening with a notebook. `log` collects what the program logs."""

    def __init__(self, folder: Path, twins: Twins) -> None:
        self.transcript: Transcript = []
        self.clock = SimulatedClock()
        settings = Settings(data=str(folder), board="none", panel=PanelSettings(pins="fake"))
        self.companion: Companion = build(
            settings, self.clock, entropy_of(7), random.Random(3), Limits(streams=400, per_address=400), release=0
        )
        self.table, self.app = self.companion.table, self.companion.app
        self.folder = folder
        seats = GAMES[0].seat_names(twins.players)
        self.table.propose({"players": twins.players, **_plain(twins)})
        server = (folder / "display-code").read_text().strip()[:43]
        code = self.app.test_client().get("/join.json").get_json()["code"]
        self.phones: dict[str, Phone] = {}
        for number, seat in enumerate(seats):
            phone = _phone(self.app, server, number)
            assert phone.ask("claim", seat=seat, name=f"Name {seat}", code=code, pin="1111")["ok"]
            self.phones[seat] = phone
        self.stranger = _phone(self.app, server, 9)
        self.table.start()
        self.panel = self.table.subscribe()
        self.position = 0
        self.look("start")

    def note(self, what: str, seen: object) -> None:
        """Write down what somebody saw, and when."""
        text = seen if isinstance(seen, str) else canonical(seen)
        for pattern, mask in MASKS:
            text = pattern.sub(mask, text)
        self.transcript.append((f"{self.clock.monotonic():.1f} {what}", text))

    def get(self, path: str) -> None:
        """Note a whole response: status, headers and body.

        A seal's words are of any length, so the length that is noted is that of the masked body.
        """
        reply = self.app.test_client().get(path)
        length = reply.headers.pop("Content-Length", None)
        assert length in (None, str(len(reply.data)))
        self.note(f"GET {path}", f"{reply.status} {sorted(reply.headers)} {reply.get_data(as_text=True)}")

    def look(self, why: str) -> None:
        """Look at the public picture, the stream and the box."""
        self.note("why", why)
        self.get("/picture")
        self._stream()
        while (update := self.panel.get(0)) is not None:
            self.companion.panel.told(update)
            self.note("update", {"position": update.picture["position"], "events": update.events})
        self.companion.panel.tick()
        pins = self.companion.panel._pins
        assert isinstance(pins, FakePins)
        self.note("box", repr(pins.record))

    def _stream(self) -> None:
        reply = self.app.test_client().get("/events", headers={"Last-Event-ID": str(self.position)})
        chunks: Iterator[bytes] = iter(reply.response)  # type: ignore[arg-type]
        first, second = next(chunks), next(chunks)
        self.note("stream", f"{sorted(reply.headers)} {first!r} {second.decode()}")
        self.position = int(re.match(rb"id: (\d+)", second)[1])  # type: ignore[index]
        reply.close()

    def asks(self, seat: str, do: str, **arguments: Any) -> None:
        """Note what somebody else than the vampire is answered.

        Whether the public picture comes along depends on its length, and so on a seal's words; what it says does not.
        """
        answer = self.phones.get(seat, self.stranger).ask(do, **arguments)
        picture = answer.pop("picture", None)
        assert picture is None or json.loads(canonical(self.table.picture())) == picture
        self.note(f"{seat} {do}", answer)

    def probe(self, seat: str, draw: random.Random) -> None:
        """Let a human try what he may and may not do."""
        picture = self.table.picture()
        view = picture["view"]
        pawns = sorted(view["pawns"])
        pawn, cell = draw.choice(pawns), f"{draw.choice('ABCDEF')}{draw.randrange(1, 7)}"
        self.asks(seat, "hello")
        asking = [action for action in picture["legal"] if action["type"] in ("shoot", "call_radar")]
        for action in draw.sample(asking, min(8, len(asking))):
            self.asks(seat, "preview", actions=[action])
        self.asks(seat, "submit", actions=[{"type": "walk", "pawn": pawn, "to": cell}, {"type": "attack", "to": cell}])
        self.asks(seat, "submit", actions=[{"type": "walk", "to": cell}])
        self.asks("stranger", draw.choice(("hello", "undo", "reveal", "start")))
        self.get(draw.choice(PAGES))

    def human(self, turn: Turn, draw: random.Random) -> None:
        """Play a human's turn, with tries before it."""
        self.probe(turn.seat, draw)
        self.asks(turn.seat, "submit", actions=encode_actions(turn.actions))
        self.look(f"{turn.seat} acted")

    def vampire(self, turn: Turn, private: random.Random) -> None:
        """Play a night; how the vampire behaves before it commits, and when it does, is its own affair."""
        phone = self.phones[turn.seat]
        commit = private.randrange(THINKING)
        for beat in range(NIGHT):
            if beat <= commit and private.random() < 0.5:
                legal = phone.ask("hello")["private"]["legal"]
                phone.ask("preview", actions=[private.choice(legal)])
                phone.ask("submit", actions=[{"type": "walk", "to": "A1"}, {"type": "walk", "to": "F6"}])
            if beat == commit:
                answer = phone.ask("submit", actions=encode_actions(turn.actions))
                assert answer["ok"], answer
            self.clock.advance(BEAT)
            self.look(f"night {beat}")
            if beat % 10 == 0:
                self.asks("H1", "hello")
        self.note("wire", sorted(phone.sizes))

    def finish(self) -> Transcript:
        """Note what is left when the evening is cut off, and close the table."""
        for page in PAGES:
            self.get(page)
        if self.table.picture()["phase"] == "play":
            for line in export(read_bodies(self.folder), GAMES):
                self.note("record", json.loads(line))
        self.companion.close()
        return self.transcript


def evening(folder: Path, twins: Twins, turns: Sequence[Turn], private: int) -> Transcript:
    """Play the turns and return what the others saw. `private` seeds the vampire's private behaviour."""
    with logged() as lines:
        observed = Observed(folder, twins)
        draw, alone = random.Random(1), random.Random(private)
        for turn in turns:
            if turn.seat == "V":
                observed.vampire(turn, alone)
            else:
                observed.human(turn, draw)
        return [*observed.finish(), *(("log", line) for line in lines)]


def difference(one: Transcript, two: Transcript) -> tuple[tuple[str, str], tuple[str, str]] | None:
    """Return the first place where two transcripts differ, None if they are equal."""
    for left, right in zip(one, two, strict=False):
        if left != right:
            return left, right
    return None if len(one) == len(two) else (("end", str(len(one))), ("end", str(len(two))))


@contextmanager
def logged() -> Iterator[list[str]]:
    """Collect everything that the program writes to its logs."""
    lines: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(record.getMessage())

    root, handler = logging.getLogger(), Collect()
    root.addHandler(handler)
    try:
        yield lines
    finally:
        root.removeHandler(handler)


def _phone(app: Any, server: str, number: int) -> Phone:
    return Phone(app, server, PrivateKey(entropy_of(100 + number)(32)), f"192.168.1.{50 + number}")


def _plain(twins: Twins) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(msgspec.json.encode(twins.setup))
    return value
