"""Planted leaks: each discloses a secret by one small fault, and the twin run must catch it."""

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
import companion.server.http.errors as errors_module
import companion.server.routes.public as public_module
import companion.server.rpc.channel as channel_module
import companion.server.rpc.handlers as handlers_module
import companion.server.sse as sse_module
import companion.table.fold as table_fold
import companion.table.journal as journal_module
import companion.table.preview as preview_module
from companion.bots.hints import HintCache
from companion.core.capabilities import Suggestion
from companion.core.game import GameError, IllegalAction, Message, PublicEvent, Seat
from companion.core.placement import Cell
from companion.games.vampireradar.actions import Shoot, Walk
from companion.panel.cell_lamps import CellLamps
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.frames.phone_source import PhoneSource
from companion.server.auth.access import AccessControl, Denied
from companion.server.context import ServerContext, Services
from companion.table import reveal
from companion.table.errors import Refused
from companion.table.journal import Question
from companion.table.storage.log import RequestId
from companion.table.table import Table
from tests.helpers.ramdisk import in_memory
from tools.secrecy import http
from tools.secrecy.http import Difference, Pair, Run, make_pair
from tools.secrecy.paired_vampireradar import Turn

V = Seat("V")


class Spy:
    """The source of the leaks: the current game's table, and its vampire's secret steps and
    requests.
    """

    def __init__(self, patch: MonkeyPatch) -> None:
        self.table: Table | None = None
        self.steps = 0
        self.requests = 0
        self._wrap(patch)

    @property
    def place(self) -> str:
        """The vampire's tile, which only a leak reads."""
        table = self.table.state if self.table else None
        own = table.run.state.private.get(V) if table and table.run.game else None
        return str(own.cell) if own else ""

    def _wrap(self, patch: MonkeyPatch) -> None:
        start, submit, preview = Table.start, Table.submit, Table.preview

        def started(table: Table, *args: Any) -> None:
            self.table, self.steps, self.requests = table, 0, 0
            start(table, *args)

        def submitted(table: Table, seat: Seat, actions: Any, **kwargs: Any) -> Any:
            receipt = submit(table, seat, actions, **kwargs)
            if seat == V:
                self.steps += len(actions)
                self.committed()
            return receipt

        def previewed(table: Table, seat: Seat, *args: Any) -> Any:
            self.requests += seat == V
            return preview(table, seat, *args)

        patch.setattr(Table, "start", started)
        patch.setattr(Table, "submit", submitted)
        patch.setattr(Table, "preview", previewed)

    def committed(self) -> None:
        """Called after the vampire's secret turn; a leak may replace it."""


Leak = Callable[[MonkeyPatch, Spy], None]


def steps_in_stream_id(patch: MonkeyPatch, spy: Spy) -> None:
    """1: the stream's id counts the vampire's steps."""
    sse_message = sse_module.sse_message

    def sse_message_with_steps(*args: Any) -> bytes:
        return sse_message(*args).replace(b"id: ", b"id: %d" % spy.steps if spy.steps else b"id: ")

    patch.setattr(sse_module, "sse_message", sse_message_with_steps)


def etag_of_full_state(patch: MonkeyPatch, spy: Spy) -> None:
    """2: an ETag is computed over the full state."""
    _change_replies(patch, lambda reply: reply.headers.set("ETag", f'"{spy.place}"'))


def compress_with_secret(patch: MonkeyPatch, spy: Spy) -> None:
    """3: public and private text are compressed together, so the size depends on the secret."""

    def pack(reply: Response) -> None:
        if request.path == "/diagnostics":
            reply.set_data(
                gzip.compress(reply.get_data() + 3 * spy.place.encode() + bytes(spy.steps), mtime=0)
            )

    _change_replies(patch, pack)


def log_place(patch: MonkeyPatch, spy: Spy) -> None:
    """4: a log line names the tile."""
    patch.setattr(spy, "committed", lambda: logging.getLogger("x").warning("at %s", spy.place))


def error_by_place(patch: MonkeyPatch, spy: Spy) -> None:
    """5: a refusal has a field that depends on the vampire's place."""
    error_reply = handlers_module.error_reply

    def refusal(error: GameError) -> dict[str, Any]:
        is_near = spy.place in ("B2", "B3", "C2", "C3", "D4", "D5", "E4", "E5")
        return error_reply(error) | ({"warm": is_near} if isinstance(error, IllegalAction) else {})

    patch.setattr(handlers_module, "error_reply", refusal)


def publish_secret_submissions(patch: MonkeyPatch) -> None:
    """Plant a publication after a secret submission, without a public change."""
    submit: Any = Table.submit

    def submitted(table: Any, *args: Any, **kwargs: Any) -> Any:
        receipt = submit(table, *args, **kwargs)
        if table.own_run.pending_reveal:
            table.journal._publish()
        return receipt

    patch.setattr(Table, "submit", submitted)


def add_to_snapshot(patch: MonkeyPatch, more: Callable[[Any], dict[str, Any]]) -> None:
    """Add the fields that `more` returns for a table to every public snapshot."""
    public_snapshot: Any = vars(table_fold)["public_snapshot"]
    for module in (journal_module, table_fold):
        patch.setattr(
            module,
            "public_snapshot",
            lambda table, *args: public_snapshot(table, *args) | more(table),
        )


def hint_from_state(patch: MonkeyPatch, spy: Spy) -> None:
    """6: the public snapshot has a hint computed from the true state."""
    add_to_snapshot(patch, lambda _: {"warm": spy.place[:1]})


def lamp_by_steps(patch: MonkeyPatch, spy: Spy) -> None:
    """7: the lamp is on after an odd number of the vampire's steps."""
    poll = panel_module.Panel.poll
    patch.setattr(
        panel_module.Panel, "poll", lambda self: (poll(self), self._pins.lamp(bool(spy.steps % 2)))
    )


def lamp_at_vampire(patch: MonkeyPatch, spy: Spy) -> None:
    """23: the lamp under the vampire's tile is on."""
    update = CellLamps.update
    patch.setattr(CellLamps, "update", lambda *args: f"{update(*args)} red {spy.place}")


def steps_in_title(patch: MonkeyPatch, spy: Spy) -> None:
    """8: a page's title has the number of steps."""

    def name(reply: Response) -> None:
        if reply.mimetype == "text/html":
            reply.set_data(reply.get_data().replace(b"<title>", b"<title>%d steps " % spy.steps))

    _change_replies(patch, name)


def retry_counts_requests(patch: MonkeyPatch, spy: Spy) -> None:
    """9: a full server sends the number of private requests as `Retry-After`."""
    streams_full: Any = vars(public_module)["streams_full"]

    def counting() -> Response:
        reply: Response = streams_full()
        reply.headers["Retry-After"] = str(spy.requests)
        return reply

    patch.setattr(public_module, "streams_full", counting)


def dawn_without_floor(patch: MonkeyPatch, spy: Spy) -> None:
    """10: dawn comes soon after a quick commit."""
    patch.setattr(reveal, "reveal_time", lambda nightfall, commit, floor: commit + 0.5)


def store_when_submitted(patch: MonkeyPatch, spy: Spy) -> None:
    """10: a night is written when it is submitted: whoever writes or waits for a write then
    notices.
    """
    patch.setattr(reveal, "STORE_LEAD", 600.0)


def extra_heartbeat(patch: MonkeyPatch, spy: Spy) -> None:
    """10: the streams get a heartbeat at the commit."""
    contexts: WeakKeyDictionary[Table, ServerContext] = WeakKeyDictionary()
    init: Any = vars(context_module)["ServerContext"].__init__

    def init_and_keep(context: ServerContext, services: Services, *args: Any) -> None:
        init(context, services, *args)
        contexts[services.table] = context

    patch.setattr(ServerContext, "__init__", init_and_keep)
    patch.setattr(spy, "committed", lambda: contexts[_table_of(spy)].stream_slots.heartbeat())


def update_at_commit(patch: MonkeyPatch, spy: Spy) -> None:
    """10: a committed night publishes an update without a change."""
    patch.setattr(spy, "committed", lambda: _table_of(spy).journal._publish())


def unpadded_reply(patch: MonkeyPatch, spy: Spy) -> None:
    """11: a private answer is as long as its content."""
    full_pad, strict_unpad = channel_module.pad, channel_module.unpad

    def pad(direction: int, value: object, size: int) -> bytes:
        return (
            full_pad(direction, value, size).rstrip(b"\0") + b"\0"
            if direction == 2
            else full_pad(direction, value, size)
        )

    patch.setattr(channel_module, "pad", pad)
    patch.setattr(
        "tests.server.client.unpad",
        lambda direction, plain, size: strict_unpad(direction, plain.ljust(size, b"\0"), size),
    )


def preview_of_shot(patch: MonkeyPatch, spy: Spy) -> None:
    """12: a preview decides on the true state: it discloses a hit before the bullet is fired."""
    patch.setattr(preview_module, "_known", lambda state, seat: state)
    patch.setattr(preview_module, "NoRandom", random.Random)


def byte_to_board(patch: MonkeyPatch, spy: Spy) -> None:
    """13: the board is sent a byte when the vampire moves."""
    connections: list[http.BoardConnection] = []
    init = http.BoardConnection.__init__

    def init_and_keep(connection: http.BoardConnection) -> None:
        init(connection)
        connections[:] = [connection]

    def send() -> None:
        for connection in connections:
            connection._to_board += b"\0"

    patch.setattr(http.BoardConnection, "__init__", init_and_keep)
    patch.setattr(spy, "committed", send)


def error_id_counts_requests(patch: MonkeyPatch, spy: Spy) -> None:
    """14: the id of an error counts private requests."""
    _fail_on_answers(patch)
    patch.setattr(errors_module, "log_error", lambda error, entropy: f"{spy.requests:016x}")


def hints_from_place(patch: MonkeyPatch, spy: Spy) -> None:
    """17: the beginners' hints favour the vampire's tile."""
    odds = HintCache.odds

    def biased_odds(cache: HintCache, game: str, events: Sequence[PublicEvent]) -> dict[Cell, int]:
        return {
            cell: share + (cell == spy.place) for cell, share in odds(cache, game, events).items()
        }

    patch.setattr(HintCache, "odds", biased_odds)


def suggestion_from_place(patch: MonkeyPatch, spy: Spy) -> None:
    """The reason of a suggestion names the vampire's tile."""
    suggest = HintCache.suggest

    def biased_suggest(cache: HintCache, game: str, events: Sequence[PublicEvent]) -> Any:
        found = suggest(cache, game, events)
        if found is None:
            return None
        return Suggestion(found.action, Message(found.reason.code, {"cell": str(spy.place)}))

    patch.setattr(HintCache, "suggest", biased_suggest)


def state_message_counts_steps(patch: MonkeyPatch, spy: Spy) -> None:
    """18: the turn that the club's broker receives counts the vampire's steps."""
    table_status: Any = vars(publisher_module)["table_status"]
    patch.setattr(
        publisher_module,
        "table_status",
        lambda *args: msgspec.structs.replace(table_status(*args), turn=spy.steps),
    )


def leak_in_wrong_code_reply(patch: MonkeyPatch) -> None:
    """A wrong code for a seat is refused with a number that depends on the owner's secret."""
    recover = AccessControl.recover

    def recover_with_leak(seats: AccessControl, request: RequestId, seat: Seat, pin: str) -> None:
        try:
            recover(seats, request, seat, pin)
        except Denied as refused:
            private = seats._table.state.run.state.private.get(seat)
            checksum = zlib.crc32(msgspec.json.encode(msgspec.to_builtins(private)))
            raise Denied(
                refused.message.code, **refused.message.params, checksum=checksum
            ) from None

    patch.setattr(AccessControl, "recover", recover_with_leak)


def wrong_code_leaks_place(patch: MonkeyPatch, spy: Spy) -> None:
    """19: the reply to a wrong code for the vampire's seat depends on the place."""
    leak_in_wrong_code_reply(patch)


def camera_reading_of_place(patch: MonkeyPatch, spy: Spy) -> None:
    """20: the reading that a camera phone receives names the vampire's tile as covered."""
    show = PhoneSource.show

    def show_with_place(source: PhoneSource, result: FrameResult, covered: frozenset[Cell]) -> None:
        show(source, result, covered | {Cell(spy.place)})

    patch.setattr(PhoneSource, "show", show_with_place)


def late_walk_in_west(patch: MonkeyPatch, spy: Spy) -> None:
    """21: a final walk waits for the whole settle time while the vampire is in the west."""
    is_whole_move: Any = vars(reader_module)["is_whole_move"]
    patch.setattr(
        reader_module, "is_whole_move", lambda *args: is_whole_move(*args) and spy.place[0] > "C"
    )


def ask_in_secret(patch: MonkeyPatch, spy: Spy) -> None:
    """25: a display reads what the vampire's phone asks in its own turn."""
    ask_aloud: Any = Table.ask_aloud

    def ask(table: Table, seat: Seat, *args: Any) -> Any:
        try:
            return ask_aloud(table, seat, *args)
        except Refused:
            if seat == V:
                table.journal.show_questions((Question(1, "turn"),))
            raise

    patch.setattr(Table, "ask_aloud", ask)


LEAKS: dict[str, Leak] = {
    leak.__name__: leak
    for leak in (
        steps_in_stream_id, etag_of_full_state, compress_with_secret, log_place,
        error_by_place, hint_from_state, lamp_by_steps, lamp_at_vampire, steps_in_title,
        retry_counts_requests, dawn_without_floor, store_when_submitted, extra_heartbeat,
        update_at_commit, unpadded_reply, preview_of_shot, byte_to_board, error_id_counts_requests,
        hints_from_place, state_message_counts_steps, wrong_code_leaks_place,
        camera_reading_of_place, late_walk_in_west, suggestion_from_place,
        ask_in_secret,
    )
}  # fmt: skip


ACTIONS = 3
"""Actions in a turn of the only human."""
EARLY, LATE = 7, 12
"""Turns after which a leak has an effect: a shot that hits on one side alone comes late."""


def no_leak(patch: MonkeyPatch, spy: Spy) -> None:
    """Plant nothing but the spy, and an error with a random id."""
    _fail_on_answers(patch)


@cache
def unlike_pair(max_turns: int) -> Pair:
    """Return a pair of at most `max_turns` turns with different numbers of steps in a night."""
    for seed in range(0, 4000, 4):
        pair = make_pair("vampireradar", seed, 2, 12, 1_000_000)
        shorter = Pair(seed, pair.twins, min(pair.turns, max_turns), thorough=True)
        places = [turn.actions[0] for turn in (pair.twins.one[0], pair.twins.two[0])]
        if shorter.unlike and places[0] != places[1]:
            return shorter
    raise AssertionError("no such pair")


@cache
def west_walk_pair() -> Pair:
    """Return a pair up to a turn's last action, a walk, with the vampire in the west on one side
    alone.
    """
    # In pairs of these numbers no end is undone, no phone is lost, and a board reads the walks.
    for seed in range(8, 4000, 12):
        pair = make_pair("vampireradar", seed, 2, LATE, 1_000_000)
        action_count, west = 0, (False, False)
        sides = zip(pair.twins.one, pair.twins.two, strict=True)
        for number, (turn, other) in enumerate(sides, 1):
            if turn.seat == V:
                action_count, west = (
                    0,
                    (_ends_in_west(turn, west[0]), _ends_in_west(other, west[1])),
                )
            elif isinstance(turn.actions[0], Walk | Shoot):
                action_count += 1
                if (
                    action_count == ACTIONS
                    and isinstance(turn.actions[0], Walk)
                    and west[0] != west[1]
                ):
                    return Pair(seed, pair.twins, number)
    raise AssertionError("no such pair")


def _ends_in_west(night: Turn, before: bool) -> bool:
    """Return whether the vampire is in the west after a night; `before` says whether it was."""
    named = (getattr(action, "to", getattr(action, "cell", "")) for action in night.actions)
    cells = [cell for cell in named if cell]
    return str(cells[-1]) < "D" if cells else before


def caught(name: str) -> Difference | None:
    """Return the difference that the twin run reports of a planted leak, None if it reports
    none.
    """
    leak = LEAKS[name]
    watched = leak is camera_reading_of_place
    if leak is late_walk_in_west:
        return planted(leak, west_walk_pair())
    return planted(leak, unlike_pair(LATE if leak is preview_of_shot else EARLY), watched)


def planted(leak: Leak, pair: Pair, watched: bool = False) -> Difference | None:
    """Play a pair with this leak alone, `watched` by a camera phone."""
    with (
        MonkeyPatch.context() as patch,
        in_memory() as folder,
        ExitStack() as stack,
    ):
        leak(patch, Spy(patch))
        return Run(Path(folder), 2, stack, watched).first_difference(pair)


def _table_of(spy: Spy) -> Table:
    assert spy.table is not None
    return spy.table


def _change_replies(patch: MonkeyPatch, change: Callable[[Response], None]) -> None:
    """Apply `change` to every reply."""
    add_security_headers: Any = vars(app_module)["add_security_headers"]

    def add_headers_and_hook(app: Flask, *more: Any) -> None:
        @app.after_request
        def changed(reply: Response) -> Response:
            change(reply)
            return reply

        add_security_headers(app, *more)

    patch.setattr(app_module, "add_security_headers", add_headers_and_hook)


def _fail_on_answers(patch: MonkeyPatch) -> None:
    def fail(table: Table) -> Any:
        raise RuntimeError("planted")

    patch.setattr(Table, "disclosed", fail)
