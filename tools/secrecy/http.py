"""The twin run over real sockets: two games that differ only in the secret, as all other clients
receive them.

One server plays one side of many pairs, one game after another; another server plays the other
side. The run compares all that the display, a guest, every human's phone and a stranger with a key
of his own receive: status lines, headers, bodies, sizes, the chunks of every stream and the
simulated time of each update, with what can be read of the vampire's encrypted stream, and what a
club's broker receives. Only random values are masked: a seal's hash and words, the head that covers
it, a fault's id, the date, and the nonces of boxes (boxed replies are opened).

`python -m tools.secrecy.http --pairs 10000 --seed 1`
"""

from __future__ import annotations

import argparse
import logging
import multiprocessing
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
import pyqrcode
from msgspec import Struct
from nacl.public import PrivateKey

from companion.app import Application
from companion.config import CameraSettings, ClubSettings, PanelSettings, Settings
from companion.core.codec import encode_actions
from companion.games import GAMES, find_game
from companion.games.vampireradar.actions import Walk
from companion.i18n import Catalog
from companion.mqtt.publisher import Publisher
from companion.mqtt.status import TableIdentity
from companion.panel.cell_lamps import CellLamps
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.serial.session import Session
from companion.sensors.tags.registry import TagRegistry
from companion.server.auth import codes
from companion.server.auth.codes import Recovery
from companion.server.http.limits import StreamLimits
from companion.server.rpc import replies
from companion.server.rpc.replies import FixedDelayExecutor
from companion.sim.table_model import World
from companion.sim.virtual_board import VirtualBoard
from companion.table.fairness.export import export_record
from companion.table.storage.log import read_bodies
from tests.helpers.fake_pins import FakePins
from tests.helpers.join_code import KEY_LENGTH, join_fragment
from tests.helpers.pins import QUICK_PINS
from tests.helpers.ramdisk import in_memory
from tests.helpers.simulated_clock import SimulatedClock
from tests.server.client import Json
from tests.table.play import entropy_of
from tools.secrecy import paired_cards, paired_manhunt, paired_vampire_empire, paired_vwars
from tools.secrecy.camera_phone import FRAME_APART, CameraPhone, DecodedFrames
from tools.secrecy.paired_vampireradar import Turn, Twins, twins
from tools.secrecy.sockets import HttpConnection, Reply, Server, SocketPhone, Stream, display_code

MAKERS: dict[str, Callable[..., object]] = {
    "vampireradar": twins,
    "shisogari": paired_cards.twins,
    "vwars": paired_vwars.twins,
    "vampire_empire": paired_vampire_empire.twins,
    "manhunt": paired_manhunt.twins,
}
"""The maker of pairs with equal public histories, for each game that has a secret."""

MASKS = (
    (re.compile(rb'"(seal|sealed|head)": ?"[0-9a-f]{64}"'), rb'"\1":"masked"'),
    (re.compile(rb'"words": ?"[a-z0-9-]+"'), b'"words":"masked"'),
    (re.compile(rb"error (?!0000)[0-9a-f]{16}:"), b"error masked:"),
    (re.compile(rb'"id": ?"(?!0000)[0-9a-f]{16}"'), b'"id":"masked"'),
    (re.compile(rb"\r\nDate: [^\r]*"), b""),
)
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")
BEAT = 0.5
"""Simulated seconds of one step of a night."""
LOOKS = 5
"""Steps of a night after which all streams are read."""
NIGHT = 90
"""Steps of a night, at most: longer than any dawn takes."""
RELEASE = 0.1
"""Seconds after which every private answer is sent; they are noted, not waited for."""
TICK = 3
"""Steps of a night from one request of the vampire's phone to the next, with or without content."""
THINKING = 12
"""Steps within which the vampire commits: so early that the floor hides the time."""
WATCHED = 41
"""One pair in this number is played under a camera phone, whose frames take as long as a turn."""
TAKEN_BACK = 3
"""One pair in this number takes back the end of the last human's turn in each night."""
BOARD_LOOK = 0.05
"""Simulated seconds between two observations of a board."""
RESTING = 20
"""Observations after which every table rests."""
UPDATE = b'"snapshot"'
"""In every chunk but a heartbeat."""
MAX_TIMEOUT = 600.0
"""Simulated seconds without a frame after which the camera phone counts as silent: a game has no
more between two.
"""
PORT = 8080
"""The port in addresses that the table sends; the real one is free and differs."""

Transcript = list[tuple[str, str]]
Difference = tuple[tuple[str, str], tuple[str, str]]
Differing = Callable[[int, int], tuple[bool, Difference | None]]
"""Plays a pair by its number and its number of players: whether it is unlike, and the first
difference.
"""


@lru_cache(maxsize=32)
def masked(text: bytes) -> bytes:
    """Return received text with the random values masked."""
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


english = cache(partial(Catalog.load, "en"))
cached_qr_code = lru_cache(maxsize=64)(pyqrcode.create)
"""Both sides show the same QR codes, and drawing one takes longer than a turn."""


class SeededEntropy:
    """The table's entropy, from each game's start the same for both sides. It does not depend on
    the number of sealed boxes: only their nonces have 24 bytes.
    """

    def __init__(self) -> None:
        self.begin(0)

    def begin(self, seed: int) -> None:
        self._seed = seed
        self._drawn: dict[int, random.Random] = {}

    def __call__(self, count: int) -> bytes:
        return self._drawn.setdefault(count, random.Random(f"{self._seed} {count}")).randbytes(
            count
        )


class Behaviour:
    """A vampire's private behaviour; it commits after at least `hesitation` steps of a night."""

    def __init__(self, seed: str, hesitation: int) -> None:
        self.draw = random.Random(seed)
        self.hesitation = hesitation


class BoardConnection:
    """A sensor board on a perfect connection in simulated time; `written` has all bytes sent to the
    board.
    """

    def __init__(self) -> None:
        self.host = Session("serial", TagRegistry())
        self._board = VirtualBoard("presence", World())
        self._to_board = self.host.port_opened("/dev/ttyACM0", 0.0)
        self._now = 0.0
        self.written: list[bytes] = []

    def show_lamps(self, line: str) -> None:
        """Light these cells with the next bytes."""
        self._to_board += self.host.show_lamps(line)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self._now += 0.05
            self.written.append(self._to_board)
            self._to_board = self.host.advance(
                self._now, self._board.step(self._now, self._to_board)
            )


class Side:
    """One side's server and its clients. `transcript` is what they received in the current game,
    `forward_port` returns the port by which the server's port is reached, `club` names a real
    broker. Boxed content for the `secret` seats is not compared.
    """

    game_name = GAMES[0].name
    programs: Mapping[str, str] = {}
    recovery: Recovery = "pin"
    code = "1111"
    """The code with which every seat returns on another phone."""

    def __init__(
        self,
        folder: Path,
        players: int,
        stack: ExitStack,
        forward_port: Callable[[int], int] = int,
        club: ClubSettings = ClubSettings(),  # noqa: B008 - a frozen value
        frames: DecodedFrames | None = None,
    ) -> None:
        stack.enter_context(patch.object(codes, "PIN_COST", QUICK_PINS))
        stack.enter_context(patch.object(pyqrcode, "create", cached_qr_code))
        self.folder = folder
        self.secret: frozenset[str] = frozenset({"V"})
        self.rng = random.Random(3)
        self.transcript: Transcript = []
        self.clock = SimulatedClock()
        self.entropy = SeededEntropy()
        panel_settings = PanelSettings(pins="gpio")
        programs = dict(self.programs)
        settings = Settings(
            data=str(folder), port=PORT, board="none", panel=panel_settings, bot_program=programs,
            club=club, recovery=self.recovery, camera=CameraSettings(timeout=MAX_TIMEOUT),
        )  # fmt: skip
        seats = find_game(self.game_name).seat_names(players)
        open_streams = StreamLimits(streams=len(seats) + 3, per_address=400, per_key=1)
        pins = FakePins(self.clock.monotonic)
        stack.enter_context(patch("companion.app.open_pins", lambda settings: pins))
        self.companion = Application(
            settings, self.clock, self.entropy, self.rng, open_streams, release=RELEASE
        )
        stack.callback(self.companion.close)
        self.companion.start_publisher()
        self.table, self.app = self.companion.table, self.companion.app
        self._waits: list[float] = []
        # One thread: what it does next is done after all before it.
        stack.enter_context(patch.object(replies, "WORKERS", 1))
        context = self.app.extensions["companion"]
        context.executor = FixedDelayExecutor(RELEASE, self._note_wait)
        log = self.table.journal.log
        stack.enter_context(patch.object(log, "append", partial(self._append, log.append)))
        self.port = forward_port(stack.enter_context(Server(self.app)).port)
        stack.callback(self.table.journal.broadcaster.close)
        self.table.lobby.propose({"game": self.game_name, "players": players})
        self.table.change_settings({"hints": True})
        self.public = self._close_at_end(HttpConnection(self.port, "127.0.0.99"), stack)
        self.machine = self._close_at_end(HttpConnection(self.port), stack)
        self._claim_seats(seats, stack)
        self.streams = {
            "guest": Stream.public(self.port, "127.0.0.99"),
            "display": Stream.public(self.port, "127.0.0.1"),
            **{seat: self.phones[seat].listen() for seat in (*seats, "stranger")},
        }
        stack.callback(self._leave_streams)
        self.camera = self._watched(frames, stack) if frames else None
        self.panel = self.table.journal.subscribe()
        self.publisher = Publisher(
            ClubSettings(),
            TableIdentity("0" * 12, "Table"),
            english,
            self.table.reference,
            lambda game: find_game(game).status_words,
        )
        self.board_connection: BoardConnection | None = None
        self.lamps = CellLamps(lambda game: find_game(game).lamps)
        self._marker = self._games = self._boards = 0

    def _claim_seats(self, seats: Sequence[str], stack: ExitStack) -> None:
        server, code = display_code(self.folder)
        self.phones: dict[str, SocketPhone] = {}
        for number, name in enumerate((*seats, "stranger", "paired")):
            key = PrivateKey(entropy_of(100 + number)(32))
            phone = SocketPhone(self.app, server, key, f"127.0.0.{50 + number}", self.port)
            stack.callback(phone.sleep)
            self.phones[name] = phone
            if name in seats:
                letters = join_fragment(self.folder)[KEY_LENGTH:]
                answer = phone.request(
                    "claim", seat=name, name=f"Name {name}", code=letters, pin=self.code
                )
                assert answer["ok"], answer
        assert self.phones["paired"].request("pair", code=code)["ok"]

    def _watched(self, frames: DecodedFrames, stack: ExitStack) -> CameraPhone:
        """Let a spare phone watch the table."""
        paired = self.phones["paired"]
        secret = PrivateKey(entropy_of(200)(32))
        camera = SocketPhone(
            self.app, display_code(self.folder)[0], secret, "127.0.0.90", self.port
        )
        stack.callback(camera.sleep)
        self.phones["camera"] = camera
        return CameraPhone(camera, paired, frames)

    def _leave_streams(self) -> None:
        for stream in self.streams.values():
            stream.connection.close()

    @staticmethod
    def _close_at_end(connection: HttpConnection, stack: ExitStack) -> HttpConnection:
        stack.callback(connection.close)
        return connection

    def _note_wait(self, seconds: float) -> None:
        """Note a private answer's wait; return when its job is done."""
        self._waits.append(seconds)
        self.app.extensions["companion"].executor._workers.submit(int).result()

    def _append(self, append: Callable[..., None], *entry: Any) -> None:
        """Note when an entry is written: on a slow disk others notice."""
        append(*entry)
        self.note("disk", b"written")

    # Transcript

    def note(self, label: str, received: object) -> None:
        """Add what a client received to the transcript, with the time."""
        text = (
            received
            if isinstance(received, bytes)
            else msgspec.json.encode(received, order="sorted")
        )
        self.transcript.append(
            (
                f"{self.clock.monotonic():.1f} {label}",
                masked(text).decode("utf-8", "surrogateescape"),
            )
        )

    def note_reply(self, label: str, reply: Reply) -> None:
        """Add a whole reply to the transcript.

        A seal's words have any length, so the masked body's length counts.
        """
        body, length = masked(reply.data), LENGTH.search(reply.head)
        head = reply.head
        if length and reply.data:
            assert len(reply.data) == int(length[1])
            head = LENGTH.sub(b"\r\nContent-Length: %d" % len(body), head)
        self.note(label, head + b"\r\n\r\n" + body)

    def _get(
        self, connection: HttpConnection, path: str, method: str = "GET", more: str = ""
    ) -> Reply:
        connection.request(method, path, more=more)
        return connection.reply(head_only=method == "HEAD")

    def get(self, path: str, method: str = "GET", more: str = "") -> None:
        """Let a guest and the machine's own browser ask for a path."""
        self.note_reply(f"guest {method} {path}", self._get(self.public, path, method, more))
        self.note_reply(f"machine {method} {path}", self._get(self.machine, path, method, more))

    def request(self, client: str, do: str, **arguments: Any) -> None:
        """Send a request of a client other than the vampire, and add the reply to the transcript.

        Whether the public snapshot is in the reply depends on its length, and so on a seal's words;
        its content does not.
        """
        phone = self.phones[client]
        message, nonce = phone.seal({"id": phone.new_id(), "do": do, **arguments})
        reply = phone.post("/channel", message)
        answer = phone.open(reply.data)
        assert nonce == answer.pop("re")
        snapshot = answer.pop("snapshot", None)
        assert (
            snapshot is None
            or msgspec.json.decode(msgspec.json.encode(self.table.snapshot())) == snapshot
        )
        self.note(f"{client} {do} wire", reply.head + b" %d" % len(reply.data))
        self.note(f"{client} {do}", answer)

    def note_updates(self, why: str, *, to_mark: bool = True) -> None:
        """Add all updates since the last call: the server's at once, and those of each stream, as
        many as the server published; with `to_mark` up to a mark, so that no further one is missed.
        """
        count = 0
        while (update := self.panel.get(0)) is not None:
            count += 1
            self.companion.panel.update(update)
            self.show_lamps(self.lamps.update(update))
            self.publisher.update(update)
            for message in self.publisher.pending_messages(b""):
                self.note(f"broker {message.topic}", message.payload)
            self.note(
                "update",
                {"why": why, "position": update.snapshot["position"], "events": update.events},
            )
        self.companion.panel.poll()
        pins = self.companion.panel._pins
        assert isinstance(pins, FakePins)
        self.note("box", pins.record)
        pins.record.clear()
        if self.board_connection:
            self.note("to the board", b"".join(self.board_connection.written).hex())
            self.board_connection.written.clear()
        if to_mark:
            self.listen(why)
        else:
            for client in self.streams:
                for number in range(count):
                    self._next_update(client, why, UPDATE if number == count - 1 else None)

    def show_lamps(self, line: str) -> None:
        """Note the line of lamps, and send it to the board that is connected."""
        self.note("lamps", line)
        if self.board_connection:
            self.board_connection.show_lamps(line)

    def listen(self, why: str) -> None:
        """Read every stream up to a new public mark."""
        self._marker += 1
        self.table.journal.show_board({"look": self._marker})
        while self.panel.get(0) is not None:
            pass
        mark = b'"look":%d}' % self._marker
        for client in self.streams:
            while mark not in self._next_update(client, why, mark):
                pass

    def _next_update(self, client: str, why: str, last: bytes | None) -> bytes:
        """Return the next update of a stream, and note it with the heartbeats before it. `last` is
        only in the last chunk of a call.

        A frame has its seat's state at the time of writing, which may be an update or two later
        where several come at once: only the last is sure to be current, so only that one is opened.
        """
        while True:
            chunk, box = self.streams[client].read()
            self.note(f"stream {client} {why}", chunk)
            if box and client not in self.secret and last is not None and last in chunk:
                self.note(f"stream {client} boxed", self.streams[client].open(box))
            if UPDATE in chunk:
                return chunk

    # Play

    def probe(self, seat: str, draw: random.Random, thorough: bool) -> None:
        """Let other clients try allowed and forbidden requests."""
        snapshot = self.table.snapshot()
        pawn, cell = (
            draw.choice(sorted(snapshot["view"]["pawns"])),
            f"{draw.choice('ABCDEF')}{draw.randrange(1, 7)}",
        )
        disclosing = [
            action for action in snapshot["legal"] if action["type"] in ("shoot", "call_radar")
        ]
        walk_and_strike = [
            {"type": "walk", "pawn": pawn, "to": cell},
            {"type": "attack", "to": cell},
        ]
        attempts: list[Callable[[], object]] = [
            lambda: self.request(seat, "submit", actions=walk_and_strike),
            lambda: self.request(
                "paired",
                "submit",
                seat=draw.choice(("V", "H1")),
                actions=[{"type": "walk", "to": cell}],
            ),
            lambda: self.request("stranger", draw.choice(("hello", "undo", "reveal", "start"))),
            lambda: self.request(seat, draw.choice(("hello", "reveal", "surrender", "blank"))),
            lambda: self.get(draw.choice(self.paths())),
            *(
                lambda action=action: self.request(seat, "preview", actions=[action])
                for action in disclosing
            ),
        ]
        for attempt in attempts if thorough else draw.sample(attempts, 2):
            attempt()
        if thorough:
            self.probe_all(cell)

    def probe_all(self, cell: str) -> None:
        """Request every route in every way, and every boxed request."""
        for path in self.paths():
            self.get(path)
            if path != "/snapshot":
                # Its length depends on a seal's words, and it has no body to mask.
                self.get(path, "HEAD")
            self.get(path, more="If-None-Match: *\r\nAccept-Encoding: gzip\r\nRange: bytes=0-9\r\n")
        for path in ("/events", "/events?after=1"):
            self.get(path)
        for client in ("H1", "stranger", "paired"):
            for do, more in PROBES:
                self.request(client, do, **more)
            self.request(client, "submit", actions=[{"type": "place", "cell": cell}])

    def paths(self) -> list[str]:
        """Return every route without a variable that ends by itself, and some that do not exist."""
        rules = {
            rule.rule
            for rule in self.app.url_map.iter_rules()
            if "GET" in (rule.methods or ()) and not rule.arguments
        }
        # A QR code of a head is a picture of random bytes; the head itself is in every update.
        return sorted(
            (rules - {"/events", "/qr/head.svg"})
            | {"/no/such", "/vampire", "/log", "/table.sqlite"}
        )

    def human(self, turn: Turn, draw: random.Random, thorough: bool, by_hand: bool) -> None:
        """Play a human's turn, with probes before it."""
        self.probe(turn.seat, draw, thorough)
        self.get("/odds.json")
        self.get("/suggestion.json")
        if not (by_hand and self.set_down(turn)):
            self.request(turn.seat, "submit", actions=encode_actions(turn.actions))
        self.note_updates(f"{turn.seat} acted", to_mark=False)

    def set_down(self, turn: Turn) -> bool:
        """Let a presence board observe the walk of a pawn alone on its cell, and note when the
        table plays it; return whether it does.
        """
        (action,), present, reader = turn.actions, self.table.board_view(), self.companion.reader
        if not isinstance(action, Walk) or present is None:
            return False
        game, view = present
        before, after = (game.placement(each) for each in (view, game.preview(view, action)))
        if frozenset({action.pawn}) not in before.pawns.values():
            return False
        self._boards += 1
        reader.link_changed(Link("up", generation=self._boards))
        position = self.table.snapshot()["position"]
        for placement in (before, after):
            for count in range(RESTING):
                self.clock.advance(BOARD_LOOK)
                now = self.clock.monotonic()
                reader.observe(Observation("serial", now, occupied=placement.occupied))
                if self.table.snapshot()["position"] != position:
                    self.note("played by the board", count)
                    reader.link_changed(Link())
                    return True
        reader.link_changed(Link())
        return False

    def show_to_camera(self, twins: Twins) -> None:
        """Let the camera phone send the current table and receive the reading."""
        if self.camera:
            self.clock.advance(FRAME_APART)
            pawns = self.table.snapshot()["view"]["pawns"]
            self.note_reply("camera frame", self.camera.send_frame(twins, pawns))
            self.clock.advance(FRAME_APART)
            self.request("camera", "watch", changed=True)
            self.note_updates("camera")

    def set_by_hand(self, seat: str) -> None:
        """Let everybody agree on another position, and then undo it."""
        view = self.table.snapshot()["view"]
        pawn, cell = next(iter(view["pawns"].items()))
        elsewhere = next(cell for cell in ("C3", "D4") if cell != view["pawns"][pawn])
        for arrangement in ({"pawns": {pawn: cell}}, {"pawns": {pawn: elsewhere}}):
            self.request(seat, "by_hand", arrangement=arrangement)
            self.note_updates("set by hand?")
        self._all_agree()
        self.request(seat, "undo")
        self._all_agree()

    def take_back_end(self, seat: str, private: Behaviour, next_turn: Turn) -> None:
        """Let a human undo `end` by night, on one side after the vampire's turn, and end again."""
        if private.hesitation == 0:
            assert self.phones["V"].request("submit", actions=encode_actions(next_turn.actions))[
                "ok"
            ]
        self.request("paired", "undo")
        self.note_updates("end taken back")
        assert seat == self.table.snapshot()["to_move"]
        self.request(seat, "hello")
        self.request(seat, "submit", actions=[{"type": "end"}])
        self.note_updates("ended again")

    def continue_on_paper(self, draw: random.Random, private: Behaviour, next_turn: Turn) -> None:
        """Continue on paper: the vampire's phone is silent for a minute, or agrees by night, on one
        side after its turn, which is dropped. Then all play on for a while, and the vampire answers
        at random.
        """
        phone = self.phones["V"]
        agrees = draw.random() < 0.5
        if agrees and next_turn.seat == "V" and private.hesitation == 0:
            assert phone.request("submit", actions=encode_actions(next_turn.actions))["ok"]
        self.request("paired", "switch_to_paper")
        self.note_updates("on paper?")
        self.request("H1", "switch_to_paper")
        self._all_agree(without="V")
        if agrees:
            assert phone.request("vote", agree=True)["ok"]
        else:
            self.clock.advance(60)
        self.note_updates("on paper")
        assert self.table.snapshot()["view"]["options"]["path"] == "paper"
        for _ in range(PAPERWORK):
            self.request("H1", "hello")
            self.get(draw.choice(self.paths()))
            if not (legal := self.table.snapshot()["legal"]):
                break
            self.request("paired", "submit", actions=[draw.choice(legal)])
            self.note_updates("told on paper")

    def _all_agree(self, without: str = "") -> None:
        vote = self.table.snapshot()["vote"]
        for seat in vote["needed"]:
            if seat not in vote["agreed"] and seat != without:
                assert self.phones[seat].request("vote", agree=True)["ok"]
        self.note_updates("all agreed")

    def vampire(self, turn: Turn, private: Behaviour, restless: bool) -> None:
        """Play a night; the vampire's behaviour before it commits, and the time, are private."""
        phone = self.phones[turn.seat]
        commit = private.hesitation + private.draw.randrange(THINKING // 2)
        waiting: list[Json] = [IN_SECRET] if private.hesitation else []
        legal: list[Json] = []
        for beat in range(NIGHT):
            if beat < commit and not waiting and private.draw.random() < 0.3:
                waiting = self._drafts(phone, private, legal, restless)
            if beat == commit:
                waiting.append({"do": "submit", "actions": encode_actions(turn.actions)})
            if beat % TICK == 0:
                request = waiting.pop(0) if waiting else {"do": "blank"}
                answer = self._tick(phone, request)
                assert answer["ok"] or request in REFUSED, answer
                legal = answer["private"]["legal"] if "private" in answer else legal
            self.clock.advance(BEAT)
            if self.board_connection:
                self.board_connection.run(BEAT)
            self.note_updates(f"night {beat}", to_mark=beat % LOOKS == 0)
            if beat % 20 == 0:
                self.request("H1", "hello")
                self.get("/odds.json")
                self.get("/suggestion.json")
            snapshot = self.table.snapshot()
            if beat > commit and not waiting and not (snapshot["secret"] or snapshot["revealing"]):
                break
        self.note("sizes", sorted(phone.sizes))

    def _drafts(
        self, phone: SocketPhone, private: Behaviour, legal: Sequence[Json], restless: bool
    ) -> list[Json]:
        """Return the vampire's next requests before it commits."""
        if restless:
            phone.sleep()
            self.streams["V"].connection.close()
            self.streams["V"] = phone.listen()
        drafts = [{"do": "preview", "actions": [private.draw.choice(legal)]}] if legal else []
        return drafts if private.draw.random() < 0.7 else [{"do": "submit", "actions": ILLEGAL}]

    def _tick(self, phone: SocketPhone, request: Json) -> Json:
        """Let the vampire's phone post one request; note the reply's header and the sizes, which
        are not encrypted.
        """
        message, nonce = phone.seal({"id": phone.new_id(), **request})
        self._waits.clear()
        reply = phone.post("/channel", message)
        assert [RELEASE] == self._waits
        phone.sizes.add((len(message), len(reply.data)))
        self.note("wire V", reply.head + b" %d %d" % (len(message), len(reply.data)))
        answer = phone.open(reply.data)
        assert nonce == answer.pop("re")
        return answer

    def game(self, pair: Pair, turns: Sequence[Turn], private: Behaviour) -> Transcript:
        """Play one side of a pair and return what the others received."""
        self.table.lobby.propose(msgspec.to_builtins(pair.twins.setup))
        # An automatic pick-up of a bullet may end a game sooner than its history does.
        self.table.change_settings({"auto_pick_up": not pair.thorough})
        self.listen("proposed")
        # No box is waiting to be sealed: from here on both sides draw the same entropy for the
        # same purposes.
        self.transcript = []
        self.entropy.begin(pair.seed)
        # A reconnect is visible without decryption, so the vampire's own stream is compared only
        # where it stays open.
        restless = pair.seed % 2 == 1
        hidden = self.streams.pop("V") if restless else None
        if hidden:
            self.streams = {**self.streams, "V": hidden}
        self.board_connection = BoardConnection() if pair.thorough else None
        with logged() as lines:
            self.table.start()
            self.note_updates("start")
            self.show_to_camera(pair.twins)
            draw = random.Random(pair.seed)
            for number, turn in enumerate(turns[: pair.turns - pair.lost]):
                if turn.seat == "V":
                    if number and pair.seed % TAKEN_BACK == 1:
                        self.take_back_end(turns[number - 1].seat, private, turn)
                    self.vampire(turn, private, restless)
                else:
                    if pair.thorough and number == 1:
                        self.set_by_hand(turn.seat)
                    self.human(turn, draw, pair.thorough and number in THOROUGH, pair.by_hand)
                self.show_to_camera(pair.twins)
            self.note_updates("last")
            if pair.lost and self.table.snapshot()["phase"] == "play":
                self.continue_on_paper(draw, private, turns[pair.turns - 1])
            if pair.thorough and self.table.snapshot()["phase"] == "play":
                self.probe_all("C3")
                self._note_record()
        entries = [*self.transcript, *(("log", masked(entry.encode()).decode()) for entry in lines)]
        self._end_game()
        return [
            entry
            for entry in entries
            if not (restless and entry[0].split()[1:3] == ["stream", "V"])
        ]

    def _note_record(self) -> None:
        """Note the exported record, which is public during a game."""
        for line in export_record(read_bodies(self.folder), GAMES):
            self.note("record", line.encode())

    def _end_game(self) -> None:
        """End an unfinished game, and open the table for the next."""
        if (
            self.table.snapshot()["phase"] == "play"
            and not self.phones["V"].request("surrender")["ok"]
        ):
            assert self.phones["H1"].request("draw")["ok"]
            self._all_agree()
        self._reopen("V")

    def renew_streams(self) -> None:
        """Let every client take the table's next key and stream by it; the display last, because
        the table waits for it.
        """
        for name, phone in self.phones.items():
            phone.request("hello")
            if name in self.streams:
                self.streams[name].connection.close()
                self.streams[name] = phone.listen()
        self.listen("again")

    def _reopen(self, seat: str) -> None:
        # A refused night draws entropy too: start again, so that both sides get the same next key
        # and code.
        self._games += 1
        self.entropy.begin(-self._games)
        assert self.phones[seat].request("next_game", by=0)["ok"]
        self.renew_streams()
        for phone in self.phones.values():
            phone.sizes.clear()


PAPERWORK = 4
"""Actions on paper after a phone was lost."""
ILLEGAL: list[Json] = [{"type": "walk", "to": "A1"}, {"type": "walk", "to": "F6"}]
"""Actions that no vampire may take in one night."""
IN_SECRET: Json = {"do": "ask_aloud", "what": "turn"}
"""A question that the vampire's phone may not ask aloud in its own turn."""
REFUSED: tuple[Json, ...] = ({"do": "submit", "actions": ILLEGAL}, IN_SECRET)
"""Requests that are refused in a secret turn."""

Probes = tuple[tuple[str, dict[str, Any]], ...]


def wrong_codes(*seats: str) -> Probes:
    """Return requests to recover these seats by wrong digits and words."""
    return tuple(
        ("recover", {"seat": seat, "pin": code})
        for seat in seats
        for code in ("0000", "bada keno tilo")
    )


PROBES: Probes = (
    ("hello", {}), ("blank", {}), ("reveal", {}), ("next_game", {}), ("start", {}), ("rename",
    {"name": "X"}), ("preview", {"actions": []}), ("preview", {"actions": [{"type": "end"}]}),
    ("free", {"seat": "V"}), ("vote", {"agree": True}), ("pair", {"code": "BCDFGHJKLMNP"}),
    ("ask_aloud", {"what": "answer"}), ("ask_aloud", {"what": "cell", "name": "C3"}),
    ("read_aloud", {"number": 1}), ("nonsense", {}),
    ("claim", {"seat": "V", "code": "BCDF", "pin": "1111"}), ("admit", {"code": "BCDF"}),
    *wrong_codes("V", "H1"), ("submit", {"actions": [], "expect": 0}),
)  # fmt: skip


THOROUGH = (5, 17, 40, 80)
"""The turns of a thorough pair before which every probe is made."""


class Pair(Struct, frozen=True):
    """One pair of games and its number of turns. A `thorough` one has a board and all probes; in a
    `lost` one the vampire's phone is lost before the last turn.
    """

    seed: int
    twins: Twins
    turns: int
    thorough: bool = False

    @property
    def lost(self) -> bool:
        """Whether the game continues on paper at its end."""
        return self.seed % 3 == 0 and not self.thorough

    @property
    def watched(self) -> bool:
        """Whether a camera phone watches the table."""
        return self.seed % WATCHED == 0

    @property
    def by_hand(self) -> bool:
        """Whether the humans' walks are read by a board."""
        return self.seed % 2 == 0

    @property
    def unlike(self) -> bool:
        """Whether a night has a different number of steps on the two sides."""
        turns = zip(self.twins.one[: self.turns], self.twins.two[: self.turns], strict=True)
        return any(len(a.actions) != len(b.actions) for a, b in turns)


def make_pair(game: str, seed: int, players: int, turns: int, whole_every: int) -> Pair:
    """Return pair `seed`; every `whole_every` pairs it is a whole game. The last turn is drawn, and
    three of four pairs are drawn again until a night differs in its number of steps.
    """
    draw = random.Random(f"{game} {seed} {players}")
    whole = seed % whole_every == 0
    while True:
        pair_twins = twins(draw, players, None if whole else draw.randrange(turns // 2, 2 * turns))
        pair = Pair(seed, pair_twins, len(pair_twins.one), whole)
        if pair.unlike or seed % 4 == 0:
            return pair


class Run:
    """Both sides for one number of players, or for one `watched` pair."""

    def __init__(self, folder: Path, players: int, stack: ExitStack, watched: bool = False) -> None:
        frames = DecodedFrames(stack) if watched else None
        self.one, self.two = (
            Side(folder / f"{side}-{players}", players, stack, frames=frames)
            for side in ("one", "two")
        )

    def play(self, pair: Pair) -> tuple[bool, Difference | None]:
        """Play a pair; return whether it is unlike, and the first difference."""
        return pair.unlike, self.first_difference(pair)

    def first_difference(self, pair: Pair) -> Difference | None:
        """Play a pair; return the first difference, None if there is none."""
        quick, slow = Behaviour(f"{pair.seed} one", 0), Behaviour(f"{pair.seed} two", THINKING // 2)
        first = self.one.game(pair, pair.twins.one, quick)
        second = self.two.game(pair, pair.twins.two, slow)
        return difference(first, second)


@contextmanager
def differing(game: str, folder: Path, turns: int, whole_every: int) -> Iterator[Differing]:
    """Serve both sides for each number of players; yield a function that plays pair `seed` for a
    number of players.
    """
    from tools.secrecy import http_cards, http_manhunt, http_vampire_empire

    with ExitStack() as stack:
        kinds = {
            kind.game_name: kind
            for kind in (
                http_cards.CardSide,
                http_cards.VWarsSide,
                http_vampire_empire.VampireEmpireSide,
                http_manhunt.ManhuntSide,
            )
        }
        makers = {
            http_vampire_empire.VampireEmpireSide.game_name: http_vampire_empire.make_pair,
            http_manhunt.ManhuntSide.game_name: http_manhunt.make_pair,
        }
        if game in kinds:
            cards = {
                players: http_cards.CardRun(folder, players, stack, kinds[game])
                for players in find_game(game).seats
            }
            make = makers.get(game, http_cards.make_pair)
            yield lambda seed, players: cards[players].play(
                make(seed, players, turns, whole_every, game)
            )
        else:
            runs = {players: Run(folder, players, stack) for players in find_game(game).seats}

            def play(seed: int, players: int) -> tuple[bool, Difference | None]:
                pair = make_pair(game, seed, players, turns, whole_every)
                if not pair.watched:
                    return runs[players].play(pair)
                with ExitStack() as watching:
                    return Run(folder / str(seed), players, watching, watched=True).play(pair)

            yield play


def difference(first: Transcript, second: Transcript) -> Difference | None:
    """Return the first place where two transcripts differ, None if they are equal."""
    for left, right in zip(first, second, strict=False):
        if left != right:
            return left, right
    return (
        None if len(first) == len(second) else (("end", str(len(first))), ("end", str(len(second))))
    )


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


class Findings(Struct, frozen=True):
    """The result of a run: how many pairs differed in their secret actions, and a text for each
    pair with a difference.
    """

    unlike: int
    differences: tuple[str, ...]


def compare(game: str, pairs: Sequence[int], turns: int, whole_every: int) -> Findings:
    """Play these pairs of a game."""
    differences: list[str] = []
    unlike = 0
    seats = find_game(game).seats
    # Only sent data is compared, so no disk is needed: its syncs take half of the time.
    with in_memory() as folder, differing(game, Path(folder), turns, whole_every) as play:
        for seed in pairs:
            players = seats[seed // 4 % len(seats)]
            try:
                is_unlike, pair_difference = play(seed, players)
            except Exception as error:
                error.add_note(f"in pair {seed}, {players} players")
                raise
            unlike += is_unlike
            if pair_difference:
                left, right = pair_difference
                differences.append(f"pair {seed}, {players} players:\n  {left}\n  {right}")
    return Findings(unlike, tuple(differences))


def compare_all(game: str, pairs: range, turns: int, whole_every: int, jobs: int) -> Findings:
    """Play these pairs in `jobs` processes."""
    shares = [pairs[job::jobs] for job in range(jobs)]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        parts = list(pool.map(partial(compare, game, turns=turns, whole_every=whole_every), shares))
    return Findings(
        sum(part.unlike for part in parts),
        tuple(text for part in parts for text in part.differences),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="number of the first pair")
    parser.add_argument(
        "--turns", type=int, default=8, help="submissions of a pair, from half to twice this"
    )
    parser.add_argument(
        "--whole-every",
        type=int,
        default=40,
        help="number of pairs of which one is played to its end",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--game", choices=list(MAKERS), help="this game only")
    parser.add_argument(
        "--plant", choices=["all"], help="plant each leak alone instead, and see that it is found"
    )
    args = parser.parse_args()
    if args.plant:
        from tools.secrecy import card_mutants, manhunt_mutants, mutants

        suites: tuple[tuple[Iterable[str], Callable[[str], Difference | None]], ...] = (
            (mutants.LEAKS, mutants.caught),
            (card_mutants.LEAKS, card_mutants.caught),
            (card_mutants.VWARS_LEAKS, card_mutants.caught_in_vwars),
            (card_mutants.VAMPIRE_EMPIRE_LEAKS, card_mutants.caught_in_vampire_empire),
            (manhunt_mutants.LEAKS, manhunt_mutants.caught),
        )
        results = []
        for name, caught in ((name, caught) for names, caught in suites for name in names):
            results.append(caught(name) is not None)
            print(f"{name}: {'caught' if results[-1] else 'MISSED'}", flush=True)
        print(f"caught={sum(results)}/{len(results)}")
        return 0 if all(results) else 1
    wrong = 0
    for game in [args.game] if args.game else MAKERS:
        numbers = range(args.seed, args.seed + args.pairs)
        findings = compare_all(game, numbers, args.turns, args.whole_every, args.jobs)
        for text in findings.differences:
            print(text)
        wrong += len(findings.differences)
        print(
            f"{game}: pairs={args.pairs} differences={len(findings.differences)} "
            f"other_steps={findings.unlike}"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
