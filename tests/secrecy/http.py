"""The twin run over real sockets: two games that differ in the secret alone, as everybody else
receives them.

One server plays one side of many pairs, one game after another; another server the other side. All
that reaches the display, a guest, every human's phone and a stranger with a key of his own is
compared: status lines, headers, bodies, sizes, the chunks of every stream and the simulated
moment of each update, with what a listener on the wire sees of the vampire's stream, and what a
club's broker receives. Only what is random by itself is masked: a seal's hash and words, the head
that covers it, a fault's id, the date, and the nonces of boxes (boxed answers are opened).

`python -m tests.secrecy.http --pairs 10000 --seed 1`
"""

from __future__ import annotations

import argparse
import json
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

from companion.app import Application, build_application
from companion.clock import SimulatedClock
from companion.config import CameraSettings, ClubSettings, PanelSettings, Settings
from companion.core.codec import encode_actions
from companion.games import GAMES, find_game
from companion.games.vampireradar.actions import Walk
from companion.i18n import Catalog
from companion.mqtt.identity import TableIdentity
from companion.mqtt.publisher import Publisher
from companion.panel.fake_pins import FakePins
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.session import Session
from companion.server.auth import codes
from companion.server.auth.codes import Recovery
from companion.server.http.limits import StreamLimits
from companion.sim.table_model import World
from companion.sim.virtual_board import VirtualBoard
from companion.table.fairness.export import export_record
from companion.table.storage.log import read_bodies
from tests.helpers.assets import share_assets
from tests.helpers.pins import QUICK_PINS
from tests.helpers.ramdisk import in_memory
from tests.secrecy import paired_cards, paired_manhunt, paired_vampire_empire, paired_vwars
from tests.secrecy.camera_phone import FRAME_APART, CameraPhone, DecodedFrames
from tests.secrecy.paired_vampireradar import Turn, Twins, twins
from tests.secrecy.sockets import Line, Reply, Server, Stream, WirePhone, display_code
from tests.server.client import Json, entropy_of

MAKERS: dict[str, Callable[..., object]] = {
    "vampireradar": twins,
    "shisogari": paired_cards.twins,
    "vwars": paired_vwars.twins,
    "vampire_empire": paired_vampire_empire.twins,
    "manhunt": paired_manhunt.twins,
}
"""Who makes pairs of games that are equal in public, for each game that has a secret."""

MASKS = (
    (re.compile(rb'"(seal|sealed|head)": ?"[0-9a-f]{64}"'), rb'"\1":"masked"'),
    (re.compile(rb'"words": ?"[a-z0-9-]+"'), b'"words":"masked"'),
    (re.compile(rb"error (?!0000)[0-9a-f]{16}:"), b"error masked:"),
    (re.compile(rb'"id": ?"(?!0000)[0-9a-f]{16}"'), b'"id":"masked"'),
    (re.compile(rb"\r\nDate: [^\r]*"), b""),
)
LENGTH = re.compile(rb"\r\nContent-Length: (\d+)")
BEAT = 0.5
"""Simulated seconds between two looks at the night."""
LOOKS = 5
"""Looks at a quiet night after which all streams are read."""
NIGHT = 90
"""Looks at a night, at most: longer than any dawn takes."""
TICK = 3
"""Looks from one request of the vampire's phone to the next at night: it asks, whether it wants
something or not.
"""
THINKING = 12
"""Looks within which the vampire means to commit, so early that the floor hides when."""
WATCHED = 41
"""One pair in this number is played under a camera phone, whose frames take as long as a turn."""
TAKEN_BACK = 3
"""One pair in this number takes back the end of the last human's turn in each night."""
BOARD_LOOK = 0.05
"""Simulated seconds between two looks of a board at a walk by hand."""
RESTING = 20
"""Looks after which every table rests."""
UPDATE = b'"snapshot"'
"""What is in a chunk that is no heartbeat."""
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
    """Return what was received without what is random by itself."""
    for pattern, mask in MASKS:
        text = pattern.sub(mask, text)
    return text


english = cache(partial(Catalog.load, "en"))
drawn_once = lru_cache(maxsize=64)(pyqrcode.create)
"""Both sides show the same QR codes; to draw one takes longer than a turn."""


class Chance:
    """The table's entropy, the same from each game's start for both sides, however many boxes were
    sealed before and are sealed in it, since their nonces alone have 24 bytes.
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
    """How a vampire behaves in private; `hesitation` is the number of looks before which it never
    commits.
    """

    def __init__(self, seed: str, hesitation: int) -> None:
        self.draw = random.Random(seed)
        self.hesitation = hesitation


class Cable:
    """A sensor board on a perfect cable in simulated time; `written` is all that the board was ever
    sent.
    """

    def __init__(self) -> None:
        self.host = Session("serial", TagRegistry())
        self._board = VirtualBoard("presence", World(), pace=0.1)
        self._to_board = self.host.opened("/dev/ttyACM0", 0.0)
        self._now = 0.0
        self.written: list[bytes] = []

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self._now += 0.05
            self.written.append(self._to_board)
            self._to_board = self.host.advance(
                self._now, self._board.step(self._now, self._to_board)
            )


class Side:
    """One side's server and everybody around it. `transcript` is what they have received in the
    present game, `cable` gives the port by which the server's port is reached, `club` names a real
    broker. What is boxed for the `secret` seats is not compared.
    """

    game_name = GAMES[0].name
    programs: Mapping[str, str] = {}
    recovery: Recovery = "pin"
    code = "1111"
    """What everybody holds to come back on another phone."""

    def __init__(
        self,
        folder: Path,
        players: int,
        stack: ExitStack,
        cable: Callable[[int], int] = int,
        club: ClubSettings = ClubSettings(),  # noqa: B008 - a frozen value
        frames: DecodedFrames | None = None,
    ) -> None:
        stack.enter_context(patch.object(codes, "PIN_COST", QUICK_PINS))
        stack.enter_context(patch.object(pyqrcode, "create", drawn_once))
        self.folder = folder
        self.secret: frozenset[str] = frozenset({"V"})
        self.rng = random.Random(3)
        self.transcript: Transcript = []
        self.clock = SimulatedClock()
        self.chance = Chance()
        panel = PanelSettings(pins="fake")
        programs = dict(self.programs)
        settings = Settings(
            data=str(folder), port=PORT, board="none", panel=panel, bot_program=programs, club=club,
            recovery=self.recovery, camera=CameraSettings(timeout=MAX_TIMEOUT),
        )  # fmt: skip
        seats = find_game(self.game_name).seat_names(players)
        open_streams = StreamLimits(streams=len(seats) + 3, per_address=400, per_key=1)
        self.companion: Application = build_application(
            settings, self.clock, self.chance, self.rng, open_streams, release=0
        )
        stack.callback(self.companion.close)
        self.companion.start_publisher()
        self.table, self.app = self.companion.table, self.companion.app
        self.port = cable(stack.enter_context(Server(self.app)).port)
        stack.callback(self.table.journal.broadcaster.close)
        self.table.lobby.propose({"game": self.game_name, "players": players})
        self.table.change_settings({"aids": True})
        self.public = self._kept(Line(self.port, "127.0.0.99"), stack)
        self.machine = self._kept(Line(self.port), stack)
        self._sit(seats, stack)
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
        self.cable: Cable | None = None
        self._marker = self._games = self._boards = 0

    def _sit(self, seats: Sequence[str], stack: ExitStack) -> None:
        server, code = display_code(self.folder)
        self.phones: dict[str, WirePhone] = {}
        for number, name in enumerate((*seats, "stranger", "paired")):
            key = PrivateKey(entropy_of(100 + number)(32))
            phone = WirePhone(self.app, server, key, f"127.0.0.{50 + number}", self.port)
            stack.callback(phone.sleep)
            self.phones[name] = phone
            if name in seats:
                join = self._get(self.machine, "/join.json")
                letters = json.loads(join.data)["code"]
                answer = phone.ask(
                    "claim", seat=name, name=f"Name {name}", code=letters, pin=self.code
                )
                assert answer["ok"], answer
        assert self.phones["paired"].ask("pair", code=code)["ok"]

    def _watched(self, frames: DecodedFrames, stack: ExitStack) -> CameraPhone:
        """Let a spare phone watch the table."""
        paired = self.phones["paired"]
        secret = PrivateKey(entropy_of(200)(32))
        camera = WirePhone(self.app, display_code(self.folder)[0], secret, "127.0.0.90", self.port)
        stack.callback(camera.sleep)
        self.phones["camera"] = camera
        return CameraPhone(camera, paired, frames)

    def _leave_streams(self) -> None:
        for stream in self.streams.values():
            stream.line.close()

    @staticmethod
    def _kept(line: Line, stack: ExitStack) -> Line:
        stack.callback(line.close)
        return line

    # What is written down

    def note(self, what: str, seen: object) -> None:
        """Write down what somebody received, and when."""
        text = seen if isinstance(seen, bytes) else msgspec.json.encode(seen, order="sorted")
        self.transcript.append(
            (
                f"{self.clock.monotonic():.1f} {what}",
                masked(text).decode("utf-8", "surrogateescape"),
            )
        )

    def note_reply(self, what: str, reply: Reply) -> None:
        """Write down a whole answer.

        A seal's words are of any length, so what counts is the masked body's length.
        """
        body, told = masked(reply.data), LENGTH.search(reply.head)
        head = reply.head
        if told and reply.data:
            assert len(reply.data) == int(told[1])
            head = LENGTH.sub(b"\r\nContent-Length: %d" % len(body), head)
        self.note(what, head + b"\r\n\r\n" + body)

    def _get(self, line: Line, path: str, method: str = "GET", more: str = "") -> Reply:
        line.ask(method, path, more=more)
        return line.reply(head_only=method == "HEAD")

    def get(self, path: str, method: str = "GET", more: str = "") -> None:
        """Let a guest and the machine's own browser ask for a path."""
        self.note_reply(f"guest {method} {path}", self._get(self.public, path, method, more))
        self.note_reply(f"machine {method} {path}", self._get(self.machine, path, method, more))

    def asks(self, who: str, do: str, **arguments: Any) -> None:
        """Note the answer to somebody else than the vampire.

        Whether the public snapshot is in it depends on its length, and so on a seal's words; its
        content does not.
        """
        phone = self.phones[who]
        message, nonce = phone.seal({"id": phone.new_id(), "do": do, **arguments})
        reply = phone.post("/channel", message)
        answer = phone.open(reply.data)
        assert nonce == answer.pop("re")
        snapshot = answer.pop("snapshot", None)
        assert (
            snapshot is None
            or msgspec.json.decode(msgspec.json.encode(self.table.snapshot())) == snapshot
        )
        self.note(f"{who} {do} wire", reply.head + b" %d" % len(reply.data))
        self.note(f"{who} {do}", answer)

    def look(self, why: str, *, hear: bool = True) -> None:
        """Compare what was sent since the last look: at the server at once, over the wire until as
        many updates came as the server published; with `hear` up to a mark, so that nothing can
        have come beside them.
        """
        heard = 0
        while (update := self.panel.get(0)) is not None:
            heard += 1
            self.companion.panel.update(update)
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
        if self.cable:
            self.note("to the board", b"".join(self.cable.written).hex())
            self.cable.written.clear()
        if hear:
            self.listen(why)
        else:
            for who in self.streams:
                for number in range(heard):
                    self._hear(who, why, UPDATE if number == heard - 1 else None)

    def listen(self, why: str) -> None:
        """Read every stream up to a public mark made now."""
        self._marker += 1
        self.table.journal.show_board({"look": self._marker})
        while self.panel.get(0) is not None:
            pass
        mark = b'"look":%d}' % self._marker
        for who in self.streams:
            while mark not in self._hear(who, why, mark):
                pass

    def _hear(self, who: str, why: str, last: bytes | None) -> bytes:
        """Return the next update of a stream; the heartbeats before it are noted with it. `last` is
        in the last chunk of a look and in none before it.

        A frame has its seat's state when it is written, which may be an update or two later where
        several come at one moment: only the last of a look is sure to be of that moment, and only
        that is opened.
        """
        while True:
            chunk, box = self.streams[who].read()
            self.note(f"stream {who} {why}", chunk)
            if box and who not in self.secret and last is not None and last in chunk:
                self.note(f"stream {who} boxed", self.streams[who].open(box))
            if UPDATE in chunk:
                return chunk

    # What is done

    def probe(self, seat: str, draw: random.Random, thorough: bool) -> None:
        """Let the others try what they may and may not do."""
        snapshot = self.table.snapshot()
        pawn, cell = (
            draw.choice(sorted(snapshot["view"]["pawns"])),
            f"{draw.choice('ABCDEF')}{draw.randrange(1, 7)}",
        )
        asking = [
            action for action in snapshot["legal"] if action["type"] in ("shoot", "call_radar")
        ]
        walk_and_strike = [
            {"type": "walk", "pawn": pawn, "to": cell},
            {"type": "attack", "to": cell},
        ]
        tries: list[Callable[[], object]] = [
            lambda: self.asks(seat, "submit", actions=walk_and_strike),
            lambda: self.asks(
                "paired",
                "submit",
                seat=draw.choice(("V", "H1")),
                actions=[{"type": "walk", "to": cell}],
            ),
            lambda: self.asks("stranger", draw.choice(("hello", "undo", "reveal", "start"))),
            lambda: self.asks(seat, draw.choice(("hello", "reveal", "forfeit", "blank"))),
            lambda: self.get(draw.choice(self.paths())),
            *(
                lambda action=action: self.asks(seat, "preview", actions=[action])
                for action in asking
            ),
        ]
        for attempt in tries if thorough else draw.sample(tries, 2):
            attempt()
        if thorough:
            self.probe_all(cell)

    def probe_all(self, cell: str) -> None:
        """Try every route in every manner, and everything that can be asked in a box."""
        for path in self.paths():
            self.get(path)
            if path != "/snapshot":
                # Its length is that of a seal's words, and nothing else of it is there to be
                # masked.
                self.get(path, "HEAD")
            self.get(path, more="If-None-Match: *\r\nAccept-Encoding: gzip\r\nRange: bytes=0-9\r\n")
        for path in ("/events", "/events?after=1"):
            self.get(path)
        for who in ("H1", "stranger", "paired"):
            for do, more in PROBES:
                self.asks(who, do, **more)
            self.asks(who, "submit", actions=[{"type": "place", "cell": cell}])

    def paths(self) -> list[str]:
        """Every route without a variable that ends by itself, and what is no route."""
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
        """Play a human's turn, with tries before it."""
        self.probe(turn.seat, draw, thorough)
        self.get("/likely.json")
        if not (by_hand and self.set_down(turn)):
            self.asks(turn.seat, "submit", actions=encode_actions(turn.actions))
        self.look(f"{turn.seat} acted", hear=False)

    def set_down(self, turn: Turn) -> bool:
        """Let a presence board see the walk of a pawn that stands alone, and note when the table
        plays it; return whether it does.
        """
        (action,), present, reader = turn.actions, self.table.board_view(), self.companion.reader
        if not isinstance(action, Walk) or present is None:
            return False
        game, view = present
        before, after = (game.placement(seen) for seen in (view, game.preview_public(view, action)))
        if frozenset({action.pawn}) not in before.pawns.values():
            return False
        self._boards += 1
        reader.linked(Link("up", generation=self._boards))
        position = self.table.snapshot()["position"]
        for lying in (before, after):
            for look in range(RESTING):
                self.clock.advance(BOARD_LOOK)
                now = self.clock.monotonic()
                reader.observe(Observation("serial", now, occupied=lying.occupied))
                if self.table.snapshot()["position"] != position:
                    self.note("played by the board", look)
                    reader.linked(Link())
                    return True
        reader.linked(Link())
        return False

    def show_to_camera(self, twins: Twins) -> None:
        """Let the camera phone send what the table looks like now, and get the reading."""
        if self.camera:
            self.clock.advance(FRAME_APART)
            pawns = self.table.snapshot()["view"]["pawns"]
            self.note_reply("camera frame", self.camera.see(twins, pawns))
            self.clock.advance(FRAME_APART)
            self.asks("camera", "watch", changed=True)
            self.look("camera")

    def set_by_hand(self, seat: str) -> None:
        """Let everybody agree that the table looks otherwise, and then that it does not."""
        view = self.table.snapshot()["view"]
        pawn, cell = next(iter(view["pawns"].items()))
        elsewhere = next(cell for cell in ("C3", "D4") if cell != view["pawns"][pawn])
        for arrangement in ({"pawns": {pawn: cell}}, {"pawns": {pawn: elsewhere}}):
            self.asks(seat, "by_hand", arrangement=arrangement)
            self.look("set by hand?")
        self._all_agree()
        self.asks(seat, "undo")
        self._all_agree()

    def take_back_end(self, seat: str, private: Behaviour, coming: Turn) -> None:
        """Let a human take `end` back by night, with the vampire's turn taken already on one side,
        and end again.
        """
        if private.hesitation == 0:
            assert self.phones["V"].ask("submit", actions=encode_actions(coming.actions))["ok"]
        self.asks("paired", "undo")
        self.look("end taken back")
        assert seat == self.table.snapshot()["to_move"]
        self.asks(seat, "hello")
        self.asks(seat, "submit", actions=[{"type": "end"}])
        self.look("ended again")

    def go_on_on_paper(self, draw: random.Random, private: Behaviour, coming: Turn) -> None:
        """Let the vampire lose its phone, which is silent for a minute; or let it agree, by night
        with its turn taken already on one side, which falls away. Then all play on for a while, and
        it answers at random.
        """
        phone = self.phones["V"]
        agrees = draw.random() < 0.5
        if agrees and coming.seat == "V" and private.hesitation == 0:
            assert phone.ask("submit", actions=encode_actions(coming.actions))["ok"]
        self.asks("paired", "on_paper")
        self.look("on paper?")
        self.asks("H1", "on_paper")
        self._all_agree(without="V")
        if agrees:
            assert phone.ask("consent", agree=True)["ok"]
        else:
            self.clock.advance(60)
        self.look("on paper")
        assert self.table.snapshot()["view"]["options"]["path"] == "paper"
        for _ in range(PAPERWORK):
            self.asks("H1", "hello")
            self.get(draw.choice(self.paths()))
            if not (legal := self.table.snapshot()["legal"]):
                break
            self.asks("paired", "submit", actions=[draw.choice(legal)])
            self.look("told on paper")

    def _all_agree(self, without: str = "") -> None:
        asked = self.table.snapshot()["undo"]["asked"]
        for seat in asked["needed"]:
            if seat not in asked["agreed"] and seat != without:
                assert self.phones[seat].ask("consent", agree=True)["ok"]
        self.look("all agreed")

    def vampire(self, turn: Turn, private: Behaviour, restless: bool) -> None:
        """Play a night; how the vampire behaves before it commits, and when it does, is its own
        affair.
        """
        phone = self.phones[turn.seat]
        commit = private.hesitation + private.draw.randrange(THINKING // 2)
        waiting: list[Json] = []
        legal: list[Json] = []
        for beat in range(NIGHT):
            if beat < commit and not waiting and private.draw.random() < 0.3:
                waiting = self._drafts(phone, private, legal, restless)
            if beat == commit:
                waiting.append({"do": "submit", "actions": encode_actions(turn.actions)})
            if beat % TICK == 0:
                asked = waiting.pop(0) if waiting else {"do": "blank"}
                answer = self._tick(phone, asked)
                assert answer["ok"] or asked["actions"] == ILLEGAL, answer
                legal = answer["private"]["legal"] if "private" in answer else legal
            self.clock.advance(BEAT)
            if self.cable:
                self.cable.run(BEAT)
            self.look(f"night {beat}", hear=beat % LOOKS == 0)
            if beat % 20 == 0:
                self.asks("H1", "hello")
                self.get("/likely.json")
            snapshot = self.table.snapshot()
            if beat > commit and not waiting and not (snapshot["secret"] or snapshot["telling"]):
                break
        self.note("sizes", sorted(phone.sizes))

    def _drafts(
        self, phone: WirePhone, private: Behaviour, legal: Sequence[Json], restless: bool
    ) -> list[Json]:
        """Return what the vampire wants to ask at its next ticks, before it commits."""
        if restless:
            phone.sleep()
            self.streams["V"].line.close()
            self.streams["V"] = phone.listen()
        wanted = [{"do": "preview", "actions": [private.draw.choice(legal)]}] if legal else []
        return wanted if private.draw.random() < 0.7 else [{"do": "submit", "actions": ILLEGAL}]

    def _tick(self, phone: WirePhone, asked: Json) -> Json:
        """Let the vampire's phone post the one request of this tick; write down what a listener on
        the wire sees.
        """
        message, nonce = phone.seal({"id": phone.new_id(), **asked})
        reply = phone.post("/channel", message)
        phone.sizes.add((len(message), len(reply.data)))
        self.note("wire V", reply.head + b" %d %d" % (len(message), len(reply.data)))
        answer = phone.open(reply.data)
        assert nonce == answer.pop("re")
        return answer

    def game(self, pair: Pair, turns: Sequence[Turn], private: Behaviour) -> Transcript:
        """Play one side of a pair and return what the others received."""
        self.table.lobby.propose(msgspec.to_builtins(pair.twins.setup))
        # A bullet that the table takes for a human may end a game sooner than its history does.
        self.table.change_settings({"auto_pick_up": not pair.thorough})
        self.listen("proposed")
        # All boxes that were under way are sealed now: from here on both sides draw the same for
        # the same purposes.
        self.transcript = []
        self.chance.begin(pair.seed)
        # A wire's listener sees a phone come back, so the vampire's own stream is compared where it
        # stays.
        restless = pair.seed % 2 == 1
        hidden = self.streams.pop("V") if restless else None
        if hidden:
            self.streams = {**self.streams, "V": hidden}
        self.cable = Cable() if pair.thorough else None
        with logged() as lines:
            self.table.start()
            self.look("start")
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
            self.look("last")
            if pair.lost and self.table.snapshot()["phase"] == "play":
                self.go_on_on_paper(draw, private, turns[pair.turns - 1])
            if pair.thorough and self.table.snapshot()["phase"] == "play":
                self.probe_all("C3")
                self._leave()
        told = [*self.transcript, *(("log", masked(line.encode()).decode()) for line in lines)]
        self._again()
        return [line for line in told if not (restless and line[0].split()[1:3] == ["stream", "V"])]

    def _leave(self) -> None:
        """What can be carried away: the record, as long as the game is on."""
        for line in export_record(read_bodies(self.folder), GAMES):
            self.note("record", line.encode())

    def _again(self) -> None:
        """End a game that was cut off, and open the table for the next."""
        if self.table.snapshot()["phase"] == "play" and not self.phones["V"].ask("forfeit")["ok"]:
            assert self.phones["H1"].ask("draw")["ok"]
            self._all_agree()
        self._reopen("V")

    def take_over(self) -> None:
        """Let everybody take the table's next key, and stream by it; the display last, for whom the
        table waits.
        """
        for name, phone in self.phones.items():
            phone.ask("hello")
            if name in self.streams:
                self.streams[name].line.close()
                self.streams[name] = phone.listen()
        self.listen("again")

    def _reopen(self, seat: str) -> None:
        # A refused night drew something too: the next key and code are the same for both sides all
        # the same.
        self._games += 1
        self.chance.begin(-self._games)
        assert self.phones[seat].ask("again", by=0)["ok"]
        self.take_over()
        for phone in self.phones.values():
            phone.sizes.clear()


PAPERWORK = 4
"""What is done and entered on paper after a phone was lost."""
ILLEGAL: list[Json] = [{"type": "walk", "to": "A1"}, {"type": "walk", "to": "F6"}]
"""What no vampire may do in one night."""

Probes = tuple[tuple[str, dict[str, Any]], ...]


def wrong_codes(*seats: str) -> Probes:
    """Return tries to come back to these seats on another phone, by digits and by words that nobody
    holds.
    """
    return tuple(
        ("recover", {"seat": seat, "pin": code})
        for seat in seats
        for code in ("0000", "bada keno tilo")
    )


PROBES: Probes = (
    ("hello", {}), ("blank", {}), ("reveal", {}), ("again", {}), ("start", {}), ("rename",
    {"name": "X"}), ("preview", {"actions": []}), ("preview", {"actions": [{"type": "end"}]}),
    ("free", {"seat": "V"}), ("consent", {"agree": True}), ("pair", {"code": "BCDFGHJKLMNP"}),
    ("nonsense", {}), ("claim", {"seat": "V", "code": "BCDF", "pin": "1111"}), ("admit",
    {"code": "BCDF"}), *wrong_codes("V", "H1"), ("submit", {"actions": [], "expect": 0}),
)  # fmt: skip


THOROUGH = (5, 17, 40, 80)
"""The turns of a thorough pair before which everything is tried."""


class Pair(Struct, frozen=True):
    """One pair of games and how far it is played. A `thorough` one has a board, and every door is
    tried. In a `lost` one the vampire's phone is lost before the last turn.
    """

    seed: int
    twins: Twins
    turns: int
    thorough: bool = False

    @property
    def lost(self) -> bool:
        """Whether the game goes on on paper at its end."""
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
        """Whether a night that is played has more steps on one side than on the other."""
        played = zip(self.twins.one[: self.turns], self.twins.two[: self.turns], strict=True)
        return any(len(a.actions) != len(b.actions) for a, b in played)


def make_pair(game: str, seed: int, players: int, turns: int, whole_every: int) -> Pair:
    """Return pair `seed`; every `whole_every` pairs it is a whole game. Its last moment is drawn,
    and three of four pairs are drawn again until a night that is played differs in its number of
    steps.
    """
    draw = random.Random(f"{game} {seed} {players}")
    whole = seed % whole_every == 0
    while True:
        made = twins(draw, players, None if whole else draw.randrange(turns // 2, 2 * turns))
        pair = Pair(seed, made, len(made.one), whole)
        if pair.unlike or seed % 4 == 0:
            return pair


class Run:
    """Both sides of one number of players, or of one pair that is `watched`."""

    def __init__(self, folder: Path, players: int, stack: ExitStack, watched: bool = False) -> None:
        frames = DecodedFrames(stack) if watched else None
        self.one, self.two = (
            Side(folder / f"{side}-{players}", players, stack, frames=frames)
            for side in ("one", "two")
        )

    def plays(self, pair: Pair) -> tuple[bool, Difference | None]:
        """Play a pair; return whether it is unlike, and the first difference."""
        return pair.unlike, self.differs(pair)

    def differs(self, pair: Pair) -> Difference | None:
        """Play a pair; return the first difference, None if there is none."""
        quick, slow = Behaviour(f"{pair.seed} one", 0), Behaviour(f"{pair.seed} two", THINKING // 2)
        one = self.one.game(pair, pair.twins.one, quick)
        two = self.two.game(pair, pair.twins.two, slow)
        return difference(one, two)


@contextmanager
def differing(game: str, folder: Path, turns: int, whole_every: int) -> Iterator[Differing]:
    """Serve both sides for each number of players; give what plays pair `seed` for a number of
    players.
    """
    from tests.secrecy import http_cards, http_manhunt, http_vampire_empire

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
            yield lambda seed, players: cards[players].plays(
                make(seed, players, turns, whole_every, game)
            )
        else:
            runs = {players: Run(folder, players, stack) for players in find_game(game).seats}

            def play(seed: int, players: int) -> tuple[bool, Difference | None]:
                pair = make_pair(game, seed, players, turns, whole_every)
                if not pair.watched:
                    return runs[players].plays(pair)
                with ExitStack() as watching:
                    return Run(folder / str(seed), players, watching, watched=True).plays(pair)

            yield play


def difference(one: Transcript, two: Transcript) -> Difference | None:
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


class Found(Struct, frozen=True):
    """What a run found: how many pairs were unlike in how many or which secret things were done,
    and in words each pair that gave itself away.
    """

    unlike: int
    differences: tuple[str, ...]


def compare(game: str, pairs: range, turns: int, whole_every: int) -> Found:
    """Play these pairs of a game."""
    told: list[str] = []
    unlike = 0
    seats = find_game(game).seats
    share_assets()
    # What is sent is compared, not what is kept, and half of the time would go to syncs.
    with in_memory() as folder, differing(game, Path(folder), turns, whole_every) as play:
        for seed in pairs:
            players = seats[seed // 4 % len(seats)]
            try:
                is_unlike, found = play(seed, players)
            except Exception as error:
                error.add_note(f"in pair {seed}, {players} players")
                raise
            unlike += is_unlike
            if found:
                told.append(f"pair {seed}, {players} players:\n  {found[0]}\n  {found[1]}")
    return Found(unlike, tuple(told))


def compare_all(game: str, pairs: range, turns: int, whole_every: int, jobs: int) -> Found:
    """Play these pairs in `jobs` processes."""
    shares = [pairs[job::jobs] for job in range(jobs)]
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn")) as pool:
        parts = list(pool.map(partial(compare, game, turns=turns, whole_every=whole_every), shares))
    return Found(
        sum(part.unlike for part in parts),
        tuple(text for part in parts for text in part.differences),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="number of the first pair")
    parser.add_argument(
        "--turns", type=int, default=8, help="submissions of a pair, half to twice of it"
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
    given = parser.parse_args()
    if given.plant:
        from tests.secrecy import card_mutants, manhunt_mutants, mutants

        planting: tuple[tuple[Iterable[str], Callable[[str], Difference | None]], ...] = (
            (mutants.LEAKS, mutants.caught),
            (card_mutants.LEAKS, card_mutants.caught),
            (card_mutants.VWARS_LEAKS, card_mutants.caught_in_war),
            (card_mutants.VAMPIRE_EMPIRE_LEAKS, card_mutants.caught_in_vampire_empire),
            (manhunt_mutants.LEAKS, manhunt_mutants.caught),
        )
        seen = []
        for name, caught in ((name, caught) for names, caught in planting for name in names):
            seen.append(caught(name) is not None)
            print(f"{name}: {'caught' if seen[-1] else 'MISSED'}", flush=True)
        print(f"caught={sum(seen)}/{len(seen)}")
        return 0 if all(seen) else 1
    wrong = 0
    for game in [given.game] if given.game else MAKERS:
        numbers = range(given.seed, given.seed + given.pairs)
        found = compare_all(game, numbers, given.turns, given.whole_every, given.jobs)
        for text in found.differences:
            print(text)
        wrong += len(found.differences)
        print(
            f"{game}: pairs={given.pairs} differences={len(found.differences)} "
            f"other_steps={found.unlike}"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
