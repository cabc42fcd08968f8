"""Write the log: apply an entry to a copy, store it, then publish. One lock, one log, one state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, Literal, ParamSpec, TypeVar

from msgspec import Struct, to_builtins

from companion.core.codec import encode_event
from companion.core.game import Event, Game
from companion.core.placement import Cell, Tile
from companion.locks import LockRank, make_rlock
from companion.table.broadcast import Broadcaster, Subscription, Update
from companion.table.entries import Item, Submission, TableEvent, encode_items
from companion.table.errors import Refused, StorageFailed
from companion.table.events import EntriesLeftOut, EntriesLost, HistoryRewound, NightFell
from companion.table.fold import FoldResult, fold, fold_log, log_fold_error
from companion.table.run import GameRun
from companion.table.setup import check_setup
from companion.table.snapshot import public_snapshot
from companion.table.state import TableState
from companion.table.storage.log import NO_REQUEST, Log, RequestId, StoredAnswer

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Part = TypeVar("_Part", bound="JournalPart")

StorageNotice = Literal["volatile", "keys_mended", "keys_lost"]
"""A power cut loses the folder; the keys were damaged and mended, or replaced by new ones."""


QuestionKind = Literal["cell", "pawn", "turn", "answer"]
QuestionState = Literal["asked", "waits", "read"]
"""Of a question to the displays: no display has it, one reads it once it has ended what it speaks,
one has begun to read it.
"""


class HeldTurn(Struct, frozen=True):
    """A secret turn that was submitted and waits for the moment at which it is stored.

    item: its entry, which answers `request`
    run: the game after it, for its own seat alone
    """

    item: Submission
    request: RequestId
    run: GameRun


class Question(Struct, frozen=True):
    """A question on public facts whose answer the displays read aloud. It does not name who asked.

    number: counted from 1, by 1 for each question
    what: what stands and lies on a cell, where a pawn stands, who is to move, or the last answer
    name: the cell or the pawn, else ""
    """

    number: int
    what: QuestionKind
    name: str = ""
    state: QuestionState = "asked"


class Journal:
    """Write the table's log. Callers hold `lock` while they write.

    `state` is replaced with each entry, never changed, so it is read without the lock. `held` is
    the secret turn that is not stored yet. The values of the `show_…` methods are no events and
    have no position.
    `on_commit` is called after each entry, `on_publish` after each that published something, both
    under the lock; so is `board_status`, which returns a board's status to publish with the next
    entry.
    `on_storage_failure` is called when the disk failed. From then on everything is refused
    ("storage_failed"), and the process should end. Free disk space is read when something is
    published, never in a secret turn.
    """

    def __init__(self, table: TableState, log: Log) -> None:
        self.lock = make_rlock(LockRank.TABLE)
        self.log = log
        self.broadcaster = Broadcaster()
        self.on_commit: list[Callable[[], None]] = []
        self.on_publish: list[Callable[[], None]] = []
        self.on_storage_failure: Callable[[StorageFailed], None] | None = None
        self.board_status: Callable[[], dict[str, Any]] | None = None
        self._failed = False
        self._board: dict[str, Any] = {}
        self._scanner: dict[str, Any] | None = None
        self._programs: list[str] = []
        self._aim: dict[str, Any] | None = None
        self.questions: tuple[Question, ...] = ()
        self._join_code_version = 0
        self._storage_notice: StorageNotice | None = None
        self.held: HeldTurn | None = None
        self.state, left_out = fold_log(table, list(log.pop_bodies()))
        are_left_out = bool(left_out) and log.leave_out(left_out)
        self._storage: str = log.disk_space()
        self.tiles: Mapping[Cell, Tile] = self.state.tiles
        self.setup_check = check_setup(self.state.proposed_game, self.state.proposal)
        self.state.public_log.drain()
        self._publish()
        # A folder that takes no writes shows it at a later start.
        with suppress(Refused):
            if log.lost:
                self.commit(table_event_items(EntriesLost(log.lost)))
            if are_left_out:
                self.commit(table_event_items(EntriesLeftOut()))
            if log.is_rewound:
                self.commit(table_event_items(HistoryRewound(self.state.public_log.position)))
                log.forget_rewind()

    @property
    def snapshot(self) -> dict[str, Any]:
        """The public snapshot that was published last; it is replaced, never changed."""
        return self.broadcaster.last.snapshot

    def commit(self, items: list[Item], request: RequestId = NO_REQUEST) -> None:
        """Store items as one entry, apply them, and publish their public part.

        A copy of the state takes them first, so an entry that cannot be applied, checked or shown
        is never written. The entry answers `request`. Raises `Refused` ("cannot_fold"), and when
        the disk is full or read-only; then nothing has changed.
        """
        if self._failed:
            raise Refused("storage_failed")
        body, after = self.fold(items)
        answer = str(self.state.public_log.position) if request.id else ""
        try:
            self.log.append(body, request, answer)
        except StorageFailed as failure:
            self._fail(failure)
            raise
        fresh = after.state.public_log.drain()
        self.state, self.setup_check = after.state, after.setup_check
        for watch in self.on_commit:
            watch()
        # Nobody may notice an entry that publishes nothing (a submitted secret turn).
        if after.snapshot is not None:
            self._aim = None
            if self.state.run.game is None:
                self.questions = ()
            if self.board_status is not None:
                self._board = self.board_status()
            self._storage = self._disk_space()
            self.broadcaster.publish(Update(self._with_volatile_fields(after.snapshot), fresh))
            for act in self.on_publish:
                act()

    def fold(self, items: list[Item]) -> tuple[str, FoldResult]:
        """Return an entry's body and its state as a later start reads it; raise `Refused`."""
        try:
            body = encode_items(items)
            return body, fold(self.state, body, self.setup_check, self._board, self.tiles)
        except Exception as wrong:
            # Any exception of the rules would be raised again at every start.
            log_fold_error(wrong)
            raise Refused("cannot_fold") from wrong

    def has_answered(self, request: RequestId) -> bool:
        """Return whether an entry, of this run or an earlier one, answers this request."""
        return self.answer(request.by, request.id) is not None

    def answer(self, by: str, id: str) -> StoredAnswer | None:
        """Return the answer to the request `id` of `by`, else None; raise `StorageFailed`."""
        try:
            return self.log.answer(by, id)
        except StorageFailed as failure:
            self._fail(failure)
            raise

    def is_healthy(self, timeout: float) -> bool:
        """Return whether the lock is free within `timeout` seconds, and the log answers."""
        if not self.lock.acquire(timeout=timeout):
            return False
        try:
            return self.log.is_healthy()
        finally:
            self.lock.release()

    def show_storage(self) -> None:
        """Show whether the disk takes entries, if that has changed."""
        with self.lock:
            storage = self._disk_space()
            if storage != self._storage:
                self._storage = storage
                self._publish()

    def show_storage_notice(self, notice: StorageNotice) -> None:
        """Show from now on what is wrong with the data folder; a full disk is shown before it."""
        with self.lock:
            self._storage_notice = notice
            self.show_storage()

    def _disk_space(self) -> str:
        try:
            space = self.log.disk_space()
            return self._storage_notice or space if space in ("ok", "low") else space
        except StorageFailed as failure:
            self._fail(failure)
            raise

    def _fail(self, failure: StorageFailed) -> None:
        self._failed = True
        if self.on_storage_failure:
            self.on_storage_failure(failure)

    def show_aim(self, aim: dict[str, Any] | None) -> None:
        """Show an action before somebody takes it, until the next event."""
        with self.lock:
            if aim != self._aim:
                self._aim = aim
                self._publish()

    def show_questions(self, questions: tuple[Question, ...]) -> None:
        """Show the last questions that the displays read aloud, in their order."""
        with self.lock:
            self.questions = questions
            self._publish()

    def show_board(self, status: dict[str, Any]) -> None:
        """Show another state of the board."""
        with self.lock:
            self._board = status
            self._publish()

    def show_scanner(self, status: dict[str, Any]) -> None:
        """Show what a hand scanner has read, while no game runs."""
        with self.lock:
            self._scanner = status
            if self.state.run.game is None:
                self._publish()

    def show_external_bots(self, names: Sequence[str]) -> None:
        """Show the external bots that can take seats."""
        with self.lock:
            self._programs = list(names)
            self._publish()

    def show_new_join_code(self) -> None:
        """Show that there is another join code or address."""
        with self.lock:
            self._join_code_version += 1
            self._publish()

    def show_tiles(self, tiles: Mapping[Cell, Tile]) -> None:
        """Show which printed tiles lie on the table, while no game runs."""
        with self.lock:
            # During a game the board reader compares tiles with the game's field.
            if self.state.run.game is None and tiles != self.tiles:
                self.tiles = dict(tiles)
                self._publish()

    def subscribe(self, after: int | None = None, is_behind: bool = False) -> Subscription:
        """Return a new subscription. It begins with the present snapshot and the events after the
        position `after`, none if that is unknown here or too long ago.

        is_behind: it gets each update after the streams, which people wait for

        Takes no lock that is held while an entry is stored: a stream opens alike at all moments.
        """

        def first() -> Update:
            # The state may be newer than what was published: its events follow.
            missed = self.state.public_log.after(after) if after is not None else []
            seen = self.snapshot
            return Update(seen, [line for line in missed if line["position"] <= seen["position"]])

        return self.broadcaster.subscribe(first, is_behind)

    def night_fell(self, game: Game, public: Any) -> list[Item]:
        """Return the item that begins a secret turn, if the game's public state asks for one."""
        if game.outcome(public) is not None or game.secret_seat(public) is None:
            return []
        return table_event_items(NightFell(self.state.run.next_number))

    def _with_volatile_fields(self, snapshot: dict[str, Any]) -> dict[str, Any]:
        """Return the snapshot with those parts that change without an event."""
        fields: dict[str, Any] = {
            "board": self._board,
            "aim": self._aim,
            "storage": self._storage,
            "join_code_version": self._join_code_version,
        }
        if self.questions:
            fields["questions"] = to_builtins(self.questions)
        if self._programs:
            fields["programs"] = self._programs
        if self._scanner is not None and self.state.run.game is None:
            fields["scanner"] = self._scanner
        return snapshot | fields

    def _publish(self) -> None:
        """Publish the same state with other values beside the game."""
        snapshot = public_snapshot(self.state, self.setup_check, self._board, self.tiles)
        self.broadcaster.publish(Update(self._with_volatile_fields(snapshot), []))


def table_event_items(*events: Event) -> list[Item]:
    """Return the table's own events as items."""
    return [TableEvent(encode_event(event)) for event in events]


class JournalPart:
    """A part of the table. It reads the journal's state and writes entries."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    @property
    def state(self) -> TableState:
        """The present state."""
        return self.journal.state

    @property
    def own_run(self) -> GameRun:
        """The game as the seat that acts in secret knows it."""
        # In this order: a turn is dropped here after it was stored.
        held = self.journal.held
        return held.run if held is not None else self.state.run

    def commit_events(self, *events: Event, request: RequestId = NO_REQUEST) -> None:
        """Store table events as one entry, as `Journal.commit`."""
        self.journal.commit(table_event_items(*events), request)


def locked(
    method: Callable[Concatenate[_Part, _P], _R],
) -> Callable[Concatenate[_Part, _P], _R]:
    """Hold the journal's lock while a method of a part runs."""

    @wraps(method)
    def run(part: _Part, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with part.journal.lock:
            return method(part, *args, **kwargs)

    return run
