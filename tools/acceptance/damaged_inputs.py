"""Send damaged inputs to each interface: it answers ok or with a known refusal, and goes on.

`python -m tools.acceptance.damaged_inputs [--inputs N] [--seed N] [EDGE …]` sends N inputs to each:
the lines of the JSON-lines protocol, the messages of phones and the other HTTP routes, content
files, photos, the answers of external bots. An exception, a log line of a fault or a refusal
without a sentence is a fault. Prints the answers and the faults.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec import inspect
from PIL import Image

from companion.bots.external import BotFailed, read_actions
from companion.cli.content import with_named_content
from companion.content.loader import load_bytes
from companion.core.game import Message, Seat
from companion.core.grid import cell_name
from companion.core.placement import Cell, Tile
from companion.games import GAMES, find_game
from companion.i18n import Catalog
from companion.rules_protocol import RulesServer
from companion.sensors.vision.field import FIELD_SIDE
from companion.sensors.vision.photo_client import DecodeRequest
from companion.sensors.vision.photo_worker import decode_photo, render_field
from companion.server.rpc.channel import HEADER_BYTES, REQUEST_PLAIN, TO_TABLE
from companion.server.rpc.requests import request_types
from tests.helpers.ramdisk import in_memory
from tests.server.client import BOXED, GameTable, Phone
from tests.table.proposals import bent
from tools.acceptance.damaged_files import BLINDLY

AFRESH = 200
"""Inputs after which an edge begins again."""
REFUSALS = {"invalid_action", "illegal_action", "invalid_setup", "invalid_content"}
STATUSES = {200, 304, 400, 403, 404, 405, 413, 415, 422, 429}
SENTENCES = Catalog.load("en")
CONTENTS = ("vwars", "vampire_empire")
TEXTS = ("H1", "V", "C3", "V-1", "Ann", "1234", "all", "🧛", "")
Try = Callable[[int, Random], str]
"""Submits one input and returns its result; an exception is a fault."""


def say(message: Message) -> str:
    """Return the sentence for a code; raise KeyError for a code without one."""
    if SENTENCES.find_sentence(message) is None:
        raise KeyError(message.code)
    return SENTENCES.translate(message)


def encoded(value: Any, rng: Random) -> bytes:
    """Return a JSON value as bytes: unchanged, bent once or more, or damaged at random."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 5))):
        value = bent(value, rng)
    data = json.dumps(value, ensure_ascii=rng.random() < 0.5).encode(errors="surrogatepass")
    return rng.choice(BLINDLY)(data, rng) if rng.random() < 0.2 else data


# The lines of the JSON-lines protocol


class Lines:
    """A referee of each game in turn, which receives its own offers."""

    def __init__(self, folder: Path) -> None:
        self._rules = RulesServer(GAMES[0], say, with_named_content)
        self._reply: dict[str, Any] = {}

    def __call__(self, number: int, rng: Random) -> str:
        """Send a line."""
        if number % AFRESH == 0:
            game = GAMES[number // AFRESH % len(GAMES)]
            self._rules = RulesServer(game, say, with_named_content)
            self._reply = self._rules.answer(json.dumps({"new": {"players": game.seats[0]}}))
        (answer,) = [
            *self._rules.run([encoded(self._wanted(rng), rng).replace(b"\n", b" ") + b"\n"])
        ] or ["{}"]
        reply = json.loads(answer.encode())
        if reply.get("ok"):
            self._reply = reply if "legal" in reply else self._reply
            return "taken"
        if reply and reply["error"]["code"] not in REFUSALS:
            raise ValueError(f"the code {reply['error']['code']}")
        return "refused"

    def _wanted(self, rng: Random) -> dict[str, Any]:
        if self._reply.get("legal") and rng.random() < 0.6:
            return {"seat": self._reply["to_move"], "actions": [rng.choice(self._reply["legal"])]}
        content = rng.choice(("sample", "box", "~nobody/x", "/", "a\0b", "/dev/stdin", "none.toml"))
        new = {
            "players": 3,
            "seed": 5,
            "options": {"content": content, "start": "random", "hands": "phones"},
        }
        return rng.choice(
            ({"new": new}, {"new": {"players": 2, "options": {}}}, {"view": "H1"}, {"view": None})
        )


# Phones and the other routes


@cache
def kinds() -> list[inspect.StructType]:
    """Return the kinds of requests inside a box."""
    return [inspect.type_info(kind) for kind in request_types()]  # type: ignore[misc]


def filled(kind: inspect.Type, rng: Random) -> Any:
    """Return a JSON value that may be of a type."""
    match kind:
        case inspect.Metadata(type=inner):
            return filled(inner, rng)
        case inspect.StructType(fields=fields):
            return {
                each.encode_name: filled(each.type, rng)
                for each in fields
                if each.required or rng.random() < 0.7
            }
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.UnionType(types=types_):
            return filled(rng.choice(types_), rng)
        case inspect.IntType() | inspect.FloatType():
            return rng.choice((0, 1, 2, 5))
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.DictType(value_type=value):
            return {rng.choice(TEXTS): filled(value, rng)}
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return [filled(item, rng) for _ in range(rng.randrange(3))]
        case inspect.NoneType():
            return None
    return rng.choice(TEXTS)


def boxed(phone: Phone, body: bytes) -> bytes:
    """Return a phone's message with a body that need not be JSON, cut to what a message holds."""
    body = body[: REQUEST_PLAIN - HEADER_BYTES]
    plain = (bytes([TO_TABLE]) + len(body).to_bytes(2, "big") + body).ljust(REQUEST_PLAIN, b"\0")
    return b"\x01" + phone.key + bytes(phone.box.encrypt(plain))


class Phones:
    """A table with a display, two seats and a guest that send any request."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._evening: GameTable | None = None
        self._phones: list[Phone] = []

    def __call__(self, number: int, rng: Random) -> str:
        """Send a request by one of the routes."""
        if number % AFRESH == 0:
            self._begin(number)
        assert self._evening is not None
        match rng.randrange(10):
            case 0:
                return self._send_bytes(rng)
            case 1:
                return self._send_map(rng)
        return self._ask(rng.choice(self._phones), rng)

    def close(self) -> None:
        """Close the table."""
        if self._evening is not None:
            self._evening.close()

    def _begin(self, number: int) -> None:
        self.close()
        self._evening = GameTable(self._folder / f"evening-{number}")
        self._phones = [
            self._evening.display(),
            *self._evening.seated("V", "H1"),
            self._evening.phone(),
        ]
        # A map is read in the lobby alone.
        if number // AFRESH % 2:
            self._evening.table.start()

    def _ask(self, phone: Phone, rng: Random) -> str:
        kind = rng.choice(kinds())
        request = {"do": kind.tag, **filled(kind, rng), "id": rng.randbytes(16).hex()}
        for name in ("game", "expect"):
            request.pop(name, None)
        body = json.dumps(request).encode() if rng.random() < 0.5 else encoded(request, rng)
        with phone.post("/channel", boxed(phone, body)) as reply:
            if reply.status_code != 200:
                return self._status(reply)
            answer = phone.open(reply.data)
        if answer.get("code") == "internal_error":
            raise ValueError(f"an internal error after {body!r:.500}")
        if not answer.get("ok") and "message" in answer:
            say(msgspec.convert(answer["message"], Message))
        return "taken" if answer.get("ok") else "refused"

    def _send_bytes(self, rng: Random) -> str:
        route = rng.choice(("/channel", "/stream", "/map", "/photo", "/join.json", "/kit", "/x"))
        data = rng.choice(
            (b"", rng.randbytes(1097), b"\1" + rng.randbytes(1096), encoded({"a": [1]}, rng))
        )
        assert self._evening is not None
        with self._evening.app.test_client().post(route, data=data, content_type=BOXED) as answer:
            return self._status(answer)

    def _send_map(self, rng: Random) -> str:
        assert self._evening is not None
        if (ticket := self._phones[0].request("map").get("ticket")) is None:
            # A game runs: no map is read.
            return "refused"
        with self._evening.app.test_client().post(
            "/map", data=toml("vwars", rng), content_type=BOXED, headers={"X-Ticket": ticket}
        ) as answer:
            return self._status(answer)

    @staticmethod
    def _status(answer: Any) -> str:
        if answer.status_code not in STATUSES:
            raise ValueError(f"the status {answer.status_code}")
        return "taken" if answer.status_code == 200 else "refused"


# Content files


@cache
def sample(game: str) -> str:
    """Return our own content file of a game."""
    return (resources.files(f"companion.games.{game}") / "sample.toml").read_text(encoding="utf-8")


def toml(game: str, rng: Random) -> bytes:
    """Return a piece of our own content file of a game with lines lost, exchanged, doubled or
    damaged.
    """
    lines = sample(game).splitlines()
    start = rng.randrange(len(lines))
    head, some = lines[:8], lines[start : start + rng.choice((5, 40))]
    for _ in range(rng.choice((0, 1, 1, 3))):
        at = rng.randrange(len(some))
        odd = (
            "a." * rng.choice((3, 300)) + "a = 1",
            "[" + "a." * 20 + "a]",
            f"value = {'9' * rng.choice((19, 30, 5000))}",
            "value = 0x" + "f" * rng.choice((16, 4000)),
            'name = "\\u0000"',
            'name = "\\uD83E"',
            'name = "\ud83e"',
            '"""',
            "'''a.a.a.a.a.a.a.a.a.a'''",
            "x = " + "[" * rng.choice((3, 60, 400)),
            "[[region]]",
            "[translations.en]",
            "value = nan",
            "value = 1979-05-27",
            rng.choice(lines),
            some[at][::-1],
        )
        some[at] = rng.choice(odd)
    if rng.random() < 0.03:
        head, some = (
            [],
            lines if rng.random() < 0.3 else [*lines[:start], *some, *lines[start + len(some) :]],
        )
    data = "\n".join(head + some).encode(errors="surrogatepass")
    return rng.choice(BLINDLY)(data, rng) if rng.random() < 0.3 else data


def content_file(number: int, rng: Random) -> str:
    """Judge a damaged content file."""
    reading = load_bytes("deck.toml", toml(CONTENTS[number % len(CONTENTS)], rng), GAMES)
    for finding in (*reading.errors, *reading.warnings):
        say(finding.message).encode()
        finding.field.encode()
    return "refused" if reading.content is None else "taken"


# Photos and programs


@cache
def whole_photo() -> Image.Image:
    """Return grey noise to cut photos from."""
    return Image.frombytes("L", (64, 48), Random(3).randbytes(64 * 48))


@cache
def field() -> Image.Image:
    """Return a picture of a whole field."""
    cells = [
        Cell(cell_name(column, row)) for row in range(FIELD_SIDE) for column in range(FIELD_SIDE)
    ]
    return render_field({cell: Tile(number, 0) for number, cell in enumerate(cells, 1)})


def image(number: int, rng: Random) -> str:
    """Read a small picture of any shape, damaged or whole."""
    size = rng.choice(((1, 1), (64, 48), (1, 300), (300, 2), (31_000, 1), (1, 70_000), (29_999, 1)))
    buffer = BytesIO()
    if number % 100 == 0:
        field().save(buffer, "PNG")
        return "refused" if decode_photo(buffer.getvalue(), DecodeRequest()).problems else "taken"
    kind = "PNG" if max(size) > 65_000 else rng.choice(("PNG", "JPEG"))
    whole_photo().resize(size).save(buffer, kind)
    data = buffer.getvalue()
    result = decode_photo(
        rng.choice(BLINDLY)(data, rng) if rng.random() < 0.8 else data, DecodeRequest()
    )
    for problem in result.problems:
        say(problem)
    return "refused" if result.problems else "taken"


@cache
def offered() -> list[dict[str, Any]]:
    """Return actions that a program may give."""
    load_bytes = RulesServer(find_game("vampireradar"), say)
    load_bytes.answer('{"new": {"players": 2}}')
    reply = load_bytes.answer('{"seat": "V", "actions": [{"type": "place", "cell": "C3"}]}')
    actions: list[dict[str, Any]] = reply["legal"]
    return actions


def program_line(number: int, rng: Random) -> str:
    """Read an external bot's answer."""
    try:
        read_actions(
            find_game("vampireradar"),
            Seat("H1"),
            encoded({"actions": [rng.choice(offered())]}, rng),
        )
    except BotFailed as lost:
        str(lost).encode()
        return "refused"
    return "taken"


EDGES: dict[str, Callable[[Path], Try]] = {
    "lines": Lines,
    "phones": Phones,
    "content": lambda _: content_file,
    "photo": lambda _: image,
    "program": lambda _: program_line,
}


@contextmanager
def no_log_of_faults() -> Iterator[list[str]]:
    """Collect the faults that the server logs."""
    messages: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("companion")
    log.addHandler(handler)
    try:
        yield messages
    finally:
        log.removeHandler(handler)


def run(folder: Path, edge: str, inputs: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Submit `inputs` to an edge; return the numbers accepted and refused, and the faults."""
    counts: Counter[str] = Counter()
    faults: list[str] = []
    attempt = EDGES[edge](folder)
    with no_log_of_faults() as logged:
        for number in range(inputs):
            try:
                counts[attempt(number, Random(f"{edge} {seed} {number}"))] += 1
            except Exception:
                faults.append(f"{edge} {number}: {traceback.format_exc()}")
            faults += [f"{edge} {number}: logged {line}" for line in logged]
            logged.clear()
    if isinstance(attempt, Phones):
        attempt.close()
    return counts, faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=1000, help="for each edge")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("edges", nargs="*")
    args = parser.parse_args()
    total, wrong = 0, 0
    for edge in args.edges or EDGES:
        with in_memory() as folder:
            counts, faults = run(Path(folder), edge, args.inputs, args.seed)
        for fault in faults[:5]:
            print(fault)
        print(f"{edge}: taken={counts['taken']} refused={counts['refused']} faults={len(faults)}")
        total, wrong = total + args.inputs, wrong + len(faults)
    print(f"edges={len(args.edges or EDGES)} inputs={total} faults={wrong}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
