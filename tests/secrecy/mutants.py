"""Planted leaks: each discloses a secret by one small fault, and the twin run must see it."""

from __future__ import annotations

import gzip
import logging
import random
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from flask import Flask, Response, request
from pytest import MonkeyPatch

import companion.mqtt.publisher as publisher_module
import companion.panel.panel as panel_module
import companion.sensors.reader as reader_module
import companion.server.app as app_module
import companion.server.context as context_module
import companion.server.http.errors as faults_module
import companion.server.routes.public as public_module
import companion.server.rpc.channel as channel_module
import companion.server.rpc.handlers as desk_module
import companion.server.sse as events_module
import companion.table.fold as table_fold
import companion.table.journal as table_desk
import companion.table.preview as preview_module
from companion.bots.hints import HintCache
from companion.core.game import GameError, IllegalAction, PublicEvent, Seat
from companion.core.placement import Cell
from companion.games.vampireradar.actions import Shoot, Walk
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.auth.access import AccessControl, Denied
from companion.server.context import ServerContext
from companion.table import reveal
from companion.table.table import Table
from tests.helpers.ramdisk import in_memory
from tests.secrecy import http
from tests.secrecy.http import Difference, Pair, Run, make_pair
from tests.secrecy.paired_vampireradar import Turn

V = Seat("V")


class Spy:
    """The source of the leaks: the table whose game is played now, and what its vampire did in this
    game.
    """

    def __init__(self, patch: MonkeyPatch) -> None:
        self.table: Table | None = None
        self.steps = 0
        self.asked = 0
        self._wrap(patch)

    @property
    def place(self) -> str:
        """The true tile, which nothing but a leak would ask for."""
        table = self.table.state if self.table else None
        own = table.run.state.private.get(V) if table and table.run.game else None
        return str(own.cell) if own else ""

    def _wrap(self, patch: MonkeyPatch) -> None:
        start, submit, preview = Table.start, Table.submit, Table.preview

        def started(table: Table, *of: Any) -> None:
            self.table, self.steps, self.asked = table, 0, 0
            start(table, *of)

        def submitted(table: Table, seat: Seat, actions: Any, **rest: Any) -> Any:
            receipt = submit(table, seat, actions, **rest)
            if seat == V:
                self.steps += len(actions)
                self.committed()
            return receipt

        def previewed(table: Table, seat: Seat, *of: Any) -> Any:
            self.asked += seat == V
            return preview(table, seat, *of)

        patch.setattr(Table, "start", started)
        patch.setattr(Table, "submit", submitted)
        patch.setattr(Table, "preview", previewed)

    def committed(self) -> None:
        """The vampire has just taken its secret turn; a leak may want to do something."""


Leak = Callable[[MonkeyPatch, Spy], None]


def steps_in_the_stream_id(patch: MonkeyPatch, spy: Spy) -> None:
    """1: the stream's id counts what the vampire did too."""
    sent = events_module.sse_message

    def counting(*of: Any) -> bytes:
        return sent(*of).replace(b"id: ", b"id: %d" % spy.steps if spy.steps else b"id: ")

    patch.setattr(events_module, "sse_message", counting)


def etag_of_everything(patch: MonkeyPatch, spy: Spy) -> None:
    """2: an ETag is computed over the full state."""
    _dress(patch, lambda reply: reply.headers.set("ETag", f'"{spy.place}"'))


def packed_with_a_secret(patch: MonkeyPatch, spy: Spy) -> None:
    """3: public and private text are compressed together, and the size depends on the secret."""

    def pack(reply: Response) -> None:
        if request.path == "/diagnostics":
            reply.set_data(
                gzip.compress(reply.get_data() + 3 * spy.place.encode() + bytes(spy.steps), mtime=0)
            )

    _dress(patch, pack)


def a_log_line(patch: MonkeyPatch, spy: Spy) -> None:
    """4: a log line names the tile."""
    patch.setattr(spy, "committed", lambda: logging.getLogger("x").warning("at %s", spy.place))


def another_error_there(patch: MonkeyPatch, spy: Spy) -> None:
    """5: a refusal has other words when the vampire stands where somebody asks."""
    plain = desk_module.error_reply

    def refusal(error: GameError) -> dict[str, Any]:
        warm = spy.place in ("B2", "B3", "C2", "C3", "D4", "D5", "E4", "E5")
        return plain(error) | ({"warm": warm} if isinstance(error, IllegalAction) else {})

    patch.setattr(desk_module, "error_reply", refusal)


def publish_secret_submissions(patch: MonkeyPatch) -> None:
    """Plant a publication when a secret submission is stored, though nothing public changed."""
    submit: Any = Table.submit

    def submitted(table: Any, *of: Any, **more: Any) -> Any:
        receipt = submit(table, *of, **more)
        if table.state.run.pending_reveal:
            table.journal._publish()
        return receipt

    patch.setattr(Table, "submit", submitted)


def add_to_snapshot(patch: MonkeyPatch, more: Callable[[Any], dict[str, Any]]) -> None:
    """Add to every public snapshot what `more` makes of the course."""
    paint: Any = vars(table_fold)["public_snapshot"]
    for module in (table_desk, table_fold):
        patch.setattr(module, "public_snapshot", lambda table, *of: paint(table, *of) | more(table))


def hint_from_the_state(patch: MonkeyPatch, spy: Spy) -> None:
    """6: the public snapshot has a hint that was computed from the true state."""
    add_to_snapshot(patch, lambda _: {"warm": spy.place[:1]})


def lamp_on_a_private_event(patch: MonkeyPatch, spy: Spy) -> None:
    """7: the lamp shines when the vampire did an odd number of things."""
    tick = panel_module.Panel.poll
    patch.setattr(
        panel_module.Panel, "poll", lambda self: (tick(self), self._pins.lamp(bool(spy.steps % 2)))
    )


def steps_in_the_title(patch: MonkeyPatch, spy: Spy) -> None:
    """8: a page's title has the number of steps."""

    def name(reply: Response) -> None:
        if reply.mimetype == "text/html":
            reply.set_data(reply.get_data().replace(b"<title>", b"<title>%d steps " % spy.steps))

    _dress(patch, name)


def retry_counts_requests(patch: MonkeyPatch, spy: Spy) -> None:
    """9: a full server sends the number of private requests as the seconds after which to come
    back.
    """
    full: Any = vars(public_module)["streams_full"]

    def counting() -> Response:
        reply: Response = full()
        reply.headers["Retry-After"] = str(spy.asked)
        return reply

    patch.setattr(public_module, "streams_full", counting)


def dawn_without_a_floor(patch: MonkeyPatch, spy: Spy) -> None:
    """10: dawn comes soon after a quick commit."""
    patch.setattr(reveal, "reveal_time", lambda nightfall, commit, floor: commit + 0.5)


def a_heartbeat_too_many(patch: MonkeyPatch, spy: Spy) -> None:
    """10: the streams get a heartbeat at the commit."""
    contexts: WeakKeyDictionary[Table, ServerContext] = WeakKeyDictionary()
    made: Any = vars(context_module)["ServerContext"].__init__

    def built(context: ServerContext, table: Table, *rest: Any) -> None:
        made(context, table, *rest)
        contexts[table] = context

    patch.setattr(ServerContext, "__init__", built)
    patch.setattr(spy, "committed", lambda: contexts[_known(spy)].stream_slots.heartbeat())


def an_update_at_the_commit(patch: MonkeyPatch, spy: Spy) -> None:
    """10: a committed night publishes an update, though nothing in it changed."""
    patch.setattr(spy, "committed", lambda: _known(spy).journal._publish())


def an_unpadded_reply(patch: MonkeyPatch, spy: Spy) -> None:
    """11: a private answer is as long as its content."""
    full, strict = channel_module.pad, channel_module.unpad

    def pad(direction: int, value: object, size: int) -> bytes:
        return (
            full(direction, value, size).rstrip(b"\0") + b"\0"
            if direction == 2
            else full(direction, value, size)
        )

    patch.setattr(channel_module, "pad", pad)
    patch.setattr(
        "tests.server.client.unpad",
        lambda way, plain, size: strict(way, plain.ljust(size, b"\0"), size),
    )


def preview_of_a_shot(patch: MonkeyPatch, spy: Spy) -> None:
    """12: a preview decides on the true state: it discloses a hit before the bullet is fired."""
    patch.setattr(preview_module, "_known", lambda state, seat: state)
    patch.setattr(preview_module, "NoRandom", random.Random)


def a_byte_to_the_board(patch: MonkeyPatch, spy: Spy) -> None:
    """13: the board is sent something when the vampire moves."""
    cables: list[http.Cable] = []
    made = http.Cable.__init__

    def laid(cable: http.Cable) -> None:
        made(cable)
        cables[:] = [cable]

    def send() -> None:
        for cable in cables:
            cable._to_board += b"\0"

    patch.setattr(http.Cable, "__init__", laid)
    patch.setattr(spy, "committed", send)


def an_error_that_counts(patch: MonkeyPatch, spy: Spy) -> None:
    """14: the id of an error counts what was asked in private."""
    _fail_on_answers(patch)
    patch.setattr(faults_module, "log_error", lambda error, entropy: f"{spy.asked:016x}")


def an_aid_from_the_truth(patch: MonkeyPatch, spy: Spy) -> None:
    """17: the help for those who practise leans to the true tile."""
    plain = HintCache.likely

    def leaning(aid: HintCache, game: str, told: Sequence[PublicEvent]) -> dict[Cell, int]:
        return {cell: share + (cell == spy.place) for cell, share in plain(aid, game, told).items()}

    patch.setattr(HintCache, "likely", leaning)


def a_state_message_that_counts(patch: MonkeyPatch, spy: Spy) -> None:
    """18: the turn that the club's broker gets counts the vampire's steps."""
    plain: Any = vars(publisher_module)["table_status"]
    patch.setattr(
        publisher_module,
        "table_status",
        lambda *of: msgspec.structs.replace(plain(*of), turn=spy.steps),
    )


def a_wrong_code_that_tells(patch: MonkeyPatch) -> None:
    """A wrong code for a seat is refused with a number that depends on the owner's secret."""
    recover = AccessControl.recover

    def telling(seats: AccessControl, key: str, seat: Seat, pin: str) -> None:
        try:
            recover(seats, key, seat, pin)
        except Denied as refused:
            known = seats._table.state.run.state.private.get(seat)
            warm = zlib.crc32(msgspec.json.encode(msgspec.to_builtins(known)))
            raise Denied(refused.message.code, **refused.message.params, warm=warm) from None

    patch.setattr(AccessControl, "recover", telling)


def a_wrong_code_tells_the_place(patch: MonkeyPatch, spy: Spy) -> None:
    """19: the reply to a wrong code for the vampire's seat depends on the place."""
    a_wrong_code_that_tells(patch)


def a_camera_reading_of_the_place(patch: MonkeyPatch, spy: Spy) -> None:
    """20: the reading that a camera phone gets names the vampire's tile as covered."""
    show = PhoneSource.show

    def showing(source: PhoneSource, result: FrameResult, covered: frozenset[Cell]) -> None:
        show(source, result, covered | {Cell(spy.place)})

    patch.setattr(PhoneSource, "show", showing)


def a_walk_read_later_in_the_west(patch: MonkeyPatch, spy: Spy) -> None:
    """21: a walk that cannot go on rests for the whole time while the vampire is in the west."""
    plain: Any = vars(reader_module)["is_whole_move"]
    patch.setattr(reader_module, "is_whole_move", lambda *of: plain(*of) and spy.place[0] > "C")


LEAKS: dict[str, Leak] = {
    leak.__name__: leak
    for leak in (
        steps_in_the_stream_id, etag_of_everything, packed_with_a_secret, a_log_line,
        another_error_there, hint_from_the_state, lamp_on_a_private_event, steps_in_the_title,
        retry_counts_requests, dawn_without_a_floor, a_heartbeat_too_many, an_update_at_the_commit,
        an_unpadded_reply, preview_of_a_shot, a_byte_to_the_board, an_error_that_counts,
        an_aid_from_the_truth, a_state_message_that_counts, a_wrong_code_tells_the_place,
        a_camera_reading_of_the_place, a_walk_read_later_in_the_west,
    )
}  # fmt: skip


ACTIONS = 3
"""Actions in a turn of the only human."""
EARLY, LATE = 7, 12
"""Turns in which a leak shows: a shot that hits one vampire alone comes late."""


def no_leak(patch: MonkeyPatch, spy: Spy) -> None:
    """No leak: the spy alone, and an error with a random id, must not be seen."""
    _fail_on_answers(patch)


@cache
def telling_pair(most: int) -> Pair:
    """Return a pair of `most` turns at most in which a night of the first turns differs in its
    steps.
    """
    for seed in range(0, 4000, 4):
        pair = make_pair("vampireradar", seed, 2, 12, 1_000_000)
        cut = Pair(seed, pair.twins, min(pair.turns, most), thorough=True)
        places = [turn.actions[0] for turn in (pair.twins.one[0], pair.twins.two[0])]
        if cut.unlike and places[0] != places[1]:
            return cut
    raise AssertionError("no such pair")


@cache
def walking_pair() -> Pair:
    """Return a pair up to a turn's last action, with which a pawn walks while the vampire is in
    the west on one side alone.
    """
    # Of these no end is taken back and no phone is lost, and a board reads the walks.
    for seed in range(8, 4000, 12):
        pair = make_pair("vampireradar", seed, 2, LATE, 1_000_000)
        acted, west = 0, (False, False)
        sides = zip(pair.twins.one, pair.twins.two, strict=True)
        for number, (turn, other) in enumerate(sides, 1):
            if turn.seat == V:
                acted, west = 0, (_ends_in_west(turn, west[0]), _ends_in_west(other, west[1]))
            elif isinstance(turn.actions[0], Walk | Shoot):
                acted += 1
                if acted == ACTIONS and isinstance(turn.actions[0], Walk) and west[0] != west[1]:
                    return Pair(seed, pair.twins, number)
    raise AssertionError("no such pair")


def _ends_in_west(night: Turn, before: bool) -> bool:
    """Return whether the vampire, in the west `before` or not, is there after a night."""
    named = (getattr(action, "to", getattr(action, "cell", "")) for action in night.actions)
    cells = [cell for cell in named if cell]
    return str(cells[-1]) < "D" if cells else before


def caught(name: str) -> Difference | None:
    """Return what the twin run sees of a planted leak, None if it goes unseen."""
    leak = LEAKS[name]
    watched = leak is a_camera_reading_of_the_place
    if leak is a_walk_read_later_in_the_west:
        return planted(leak, walking_pair())
    return planted(leak, telling_pair(LATE if leak is preview_of_a_shot else EARLY), watched)


def planted(leak: Leak, pair: Pair, watched: bool = False) -> Difference | None:
    """Play a pair with this leak planted alone, `watched` by a camera phone."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        leak(patch, Spy(patch))
        return Run(Path(folder), 2, stack, watched).differs(pair)


def _known(spy: Spy) -> Table:
    assert spy.table is not None
    return spy.table


def _dress(patch: MonkeyPatch, change: Callable[[Response], None]) -> None:
    """Change every answer on its way out."""
    plain: Any = vars(app_module)["add_security_headers"]

    def dress(app: Flask, policy: str) -> None:
        @app.after_request
        def changed(reply: Response) -> Response:
            change(reply)
            return reply

        plain(app, policy)

    patch.setattr(app_module, "add_security_headers", dress)


def _fail_on_answers(patch: MonkeyPatch) -> None:
    def fail(table: Table) -> Any:
        raise RuntimeError("planted")

    patch.setattr(Table, "disclosed", fail)
