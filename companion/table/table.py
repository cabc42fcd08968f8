"""Run one table: store each request before it is answered, publish what is public."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.clock import Clock
from companion.core.codec import canonical_json, decode_actions, encode_actions
from companion.core.game import Action, Game, PublicEvent, Seat, View
from companion.core.view import view
from companion.table import preview, snapshot, submit
from companion.table.bot_views import BotViews
from companion.table.entries import Submission
from companion.table.errors import Refused, StorageFailed
from companion.table.events import (
    HistoryRewound,
    Marked,
    NextGameOpened,
    PaperPathEntered,
    Paused,
    Resumed,
    SettingsChanged,
)
from companion.table.fairness import commitment
from companion.table.fairness.export import export_record
from companion.table.journal import (
    HeldTurn,
    Journal,
    JournalPart,
    Question,
    QuestionKind,
    QuestionState,
    locked,
)
from companion.table.lobby import Lobby
from companion.table.reveal import RevealScheduler
from companion.table.seats import SeatClaims
from companion.table.seed_commitment import SeedCommitment
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.storage.log import NO_REQUEST, Log, RequestId
from companion.table.votes import SYSTEM, Votes

MARK_CELL = re.compile(r"[A-Z][1-9][0-9]?", re.ASCII)
PENCIL_MARKS = ("?", "x", "")
QUESTION_SECONDS = 3.0
"""Seconds between two questions that displays read aloud for a seat: a short answer's length."""
WAITING_SECONDS = 20.0
"""Seconds for which a waiting question keeps its seat from the next: longer than displays do."""
MOST_QUESTIONS = 8
"""Questions that are shown: more than seats can have waiting. The oldest goes, whoever asked."""
REQUEST_ID = re.compile(r"[\x21-\x7e]{1,64}", re.ASCII)


class Receipt(Struct, frozen=True):
    """The answer to a submission.

    position: the public position at which it was taken
    is_stored: False for a secret turn that waits for the moment at which it is stored
    """

    position: int
    is_stored: bool = True


class Table(JournalPart):
    """One table in one data folder: the running game, and the table's parts.

    `lobby`, `seeds`, `seats`, `votes` and `bots` are the parts, `journal` the log and the public
    stream. Thread-safe: every request is stored, folded and published under one lock. A secret turn
    is only held in memory when it is submitted, and stored at a moment that does not depend on
    that. A refused request raises a `GameError` and changes nothing.

    entropy: entropy(n) returns n cryptographically random bytes (nonces, keys)
    rng: the games' random generator
    custom_boards, bot_levels: as in `Lobby`
    """

    def __init__(
        self,
        games: Sequence[Game],
        log: Log,
        clock: Clock,
        entropy: Callable[[int], bytes],
        rng: Random,
        settings: TableSettings = TableSettings(),  # noqa: B008 - a frozen value
        *,
        custom_boards: Mapping[str, Mapping[str, Any]] | None = None,
        bot_levels: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        super().__init__(Journal(TableState(games, settings), log))
        self._asked: dict[Seat, tuple[int, float]] = {}
        self._blocking_reason: submit.BlockingReason | None = None
        self._clock = clock
        self._entropy = entropy
        self._rng = rng
        self._reveals = RevealScheduler(self.journal, clock, self._default_turn)
        self.seeds = SeedCommitment(self.journal, entropy)
        self.lobby = Lobby(
            self.journal, self.seeds, entropy, rng, custom_boards or {}, bot_levels or {}
        )
        self.votes = Votes(self.journal, clock, self.lobby)
        self.seats = SeatClaims(self.journal, self.votes, self.lobby)
        self.bots = BotViews(self.journal)
        self.seeds.seal()

    # What is seen

    def snapshot(self) -> dict[str, Any]:
        """Return the whole public snapshot, JSON-ready; read only."""
        return self.journal.snapshot

    def seat_snapshot(self, seat: Seat) -> dict[str, Any]:
        """Return {"own", "legal", "notes", "submitted"} of a seat; notes of the last 12 nights."""
        return snapshot.seat_snapshot(self.own_run, seat)

    def opened_commitments(self) -> list[dict[str, Any]]:
        """Return {"opened": LINE, "seal"} of each secret turn; raise `Refused` before the end."""
        self._check_over()
        return [
            {"opened": line, "seal": commitment.commit(line)}
            for line in self.state.run.secret_lines
        ]

    def reference(self) -> dict[str, Any]:
        """Return the present game's public reference data; before a game the seats' "choices", with
        the translations; {} without any.
        """
        run = self.state.run
        if run.game is not None:
            return run.game.reference(run.published.public)
        with self.journal.lock:
            # Nothing in the lobby is secret in its moment.
            state, ready = self.state, self.journal.setup_check.state
        choices = snapshot.available_choices(state)
        if not choices or ready is None:
            return {}
        return state.proposed_game.reference(ready.public) | {"choices": choices}

    def disclosed(self) -> list[dict[str, Any]]:
        """Return {"position", "event", "message"} of the game's disclosures, oldest first."""
        return self.state.run.disclosures

    def record(self) -> list[str]:
        """Return the ended game's record as JSON lines; raise `Refused` before the end."""
        state = self.state
        if not state.run.over:
            raise Refused("not_over")
        bodies = self.journal.log.stored_bodies()
        return list(export_record(bodies, list(state.games.values()), state.number))

    def decode(self, actions: object) -> list[Action]:
        """Return the game's actions of JSON; raise `InvalidAction`, and `Refused` ("no_game")."""
        game = self.state.run.game
        if game is None:
            raise Refused("no_game")
        return decode_actions(game, actions)

    def board_view(self) -> tuple[Game, View] | None:
        """Return the running game and the public view of the seat to move, for the board reader;
        None in the lobby and after the end.
        """
        state = self.state
        if state.run.game is None or state.run.over:
            return None
        public = state.run.published.public
        return state.run.game, View(state.run.game.to_move(public), public)

    def view_at_start(self) -> View | None:
        """Return the public view with which the running game began; None as in `board_view`."""
        state = self.state
        if state.run.game is None or state.run.over:
            return None
        public = (state.run.steps[0].before if state.run.steps else state.run.published).public
        return View(state.run.game.to_move(public), public)

    def public_history(self) -> tuple[str, int, list[PublicEvent]]:
        """Return the running game's name, position and public events that were not undone: the
        input of hints. Raises `Refused` ("hints_off") if they are off, or no game runs.
        """
        state = self.state
        if not state.settings.hints or not state.run.playing:
            raise Refused("hints_off")
        return state.run.running().name, state.public_log.position, list(state.run.public_history)

    def check_memory(self, position: int, head: str) -> None:
        """Compare a screen's stored position and head with the record. If they differ, publish it
        and stop play: somebody put back an older data folder.
        """
        if not self._is_rewound(position, head):
            return
        with self.journal.lock:
            if self._is_rewound(position, head):
                self.commit_events(HistoryRewound(min(position, self.state.public_log.position)))

    def _is_rewound(self, position: int, head: str) -> bool:
        state = self.state
        log = state.public_log
        known = log.heads.get(position, head if position < log.position else "")
        return known != head and not state.history_mismatch

    def on_publish(self, act: Callable[[], None]) -> None:
        """Call `act` on the clock's thread, without a lock, after each published entry."""
        self.journal.on_publish.append(lambda: self._clock.call_at(self._clock.monotonic(), act))

    def on_storage_failure(self, act: Callable[[StorageFailed], None]) -> None:
        """Call `act` on the clock's thread when the disk failed: the process must start again."""

        def failed(failure: StorageFailed) -> None:
            self._clock.call_at(self._clock.monotonic(), partial(act, failure))

        self.journal.on_storage_failure = failed

    def connect_board(
        self, next_status: Callable[[], dict[str, Any]], blocking_reason: submit.BlockingReason
    ) -> None:
        """Publish a board's `next_status` with each entry, and refuse the disclosing actions for
        which `blocking_reason` returns a reason. Neither may wait for the table.
        """
        self.journal.board_status = next_status
        self._blocking_reason = blocking_reason

    # Play

    @locked
    def start(self, by: Seat = SYSTEM, request: RequestId = NO_REQUEST) -> None:
        """Begin the proposed game; one with a custom set-up after all seated people have agreed.

        Raises `Refused` as `Lobby.startable_game`.
        """
        self.lobby.startable_game()
        if self.state.custom_setup:
            self.votes.start_custom_setup(by, request)
        else:
            self.journal.commit(self.lobby.begin(), request)

    @locked
    def open_next_game(self, by: int = 1, request: RequestId = NO_REQUEST) -> None:
        """Open the table for the next game; everybody moves by `by` seats, bots too."""
        self._check_over()
        self.commit_events(NextGameOpened(by), request=request)
        self.lobby.prepare_next()

    def submit(
        self, seat: Seat, actions: Sequence[Action], *, id: str, expect: int | None = None
    ) -> Receipt:
        """Take a list of actions, all or nothing.

        The same `id` again gives the same receipt and does nothing. A secret turn is not stored yet
        when this returns; the same `id` later tells whether it is.

        `expect` is the public position that the seat has seen; an earlier one than the game's last
        public change is refused ("stale"). A secret turn must be whole ("night_unfinished"); until
        it is completely revealed all other actions are refused ("night_not_over").
        """
        # Before the lock is taken: the board reader has its own lock and publishes its status here.
        running = self.board_view()
        blocked = (
            submit.blocked_by_board(actions, self._blocking_reason, running)
            if self._blocking_reason and running
            else None
        )
        if not REQUEST_ID.fullmatch(id):
            raise Refused("bad_id")
        digest = hashlib.sha256(canonical_json(encode_actions(actions)).encode("ascii")).hexdigest()
        request = RequestId(seat, id, digest)
        with self.journal.lock:
            if receipt := self._receipt(request):
                return receipt
            self._check_turn(seat, actions, expect)
            if blocked:
                raise Refused(blocked.code, **blocked.params)
            state, game = self.state, self.state.run.running()
            if game.secret_seat(state.run.published.public) != seat:
                receipt = Receipt(state.public_log.position)
                items, after = submit.open_turn(state, seat, actions, self._rng)
                items += self.journal.night_fell(game, after.public)
                self.journal.commit(items, request)
                return receipt
        # Without the lock, as a preview: nobody notices a wait.
        turn = submit.secret_turn(state, seat, actions, self._rng, self._entropy(32))
        _, folded = self.journal.fold([turn])
        with self.journal.lock:
            if receipt := self._receipt(request):
                return receipt
            self._check_turn(seat, actions, expect)
            if self.state.run.night is not state.run.night:
                raise Refused("stale")
            self._reveals.hold(HeldTurn(turn, request, folded.state.run))
            return Receipt(self.state.public_log.position, is_stored=False)

    def _receipt(self, request: RequestId) -> Receipt | None:
        """Return the receipt of an earlier submission, else None; raise `Refused` ("id_reused")."""
        held = self.journal.held
        if held is not None and held.request == request:
            return Receipt(self.state.public_log.position, is_stored=False)
        known = self.journal.answer(request.by, request.id)
        if known is None:
            return None
        if known.digest != request.digest:
            raise Refused("id_reused")
        return Receipt(int(known.text))

    def preview(self, seat: Seat, actions: Sequence[Action]) -> dict[str, Any]:
        """Return {"view", "legal"} after `actions`, from the seat's own view; nothing is stored or
        sent. Takes no lock, so that no stream pauses for it.
        """
        run = self.state.run
        if run.game is None:
            raise Refused("no_game")
        if self.own_run.pending_reveal and run.game.secret_seat(run.published.public) == seat:
            raise Refused("already_submitted")
        return preview.preview(run.game, run.published, seat, actions)

    @locked
    def aim(self, seat: Seat, actions: Sequence[Action]) -> None:
        """Show everybody one action of `seat`'s open turn before it is taken; [] shows none.

        Raises `Refused` ("cannot_aim") for an action that is not possible now.
        """
        encoded, seen = encode_actions(actions), self.snapshot()
        is_legal = len(encoded) < 2 and all(action in seen["legal"] for action in encoded)
        if not is_legal or seat != seen["to_move"]:
            raise Refused("cannot_aim")
        self.journal.show_aim(encoded[0] if encoded else None)

    @locked
    def ask_aloud(self, seat: Seat, what: QuestionKind, name: str = "") -> int:
        """Show the displays a question on public facts to read aloud; return its number.

        Every condition is public. Raises `Refused`: "no_game"; "ask_in_secret" for the seat whose
        secret turn it is, because everybody would hear at which moment it presses; "ask_unknown"
        for a cell or a pawn that is not there; "ask_later" within `QUESTION_SECONDS` of the
        same seat's question before, and while that waits for a display: a seat has one question in
        the queue of the displays, so that nobody keeps others from asking.
        """
        run, now = self.state.run, self._clock.monotonic()
        if run.game is None:
            raise Refused("no_game")
        if run.game.secret_seat(run.published.public) == seat:
            raise Refused("ask_in_secret")
        placement = run.game.placement(view(run.published, None))
        names: dict[QuestionKind, set[str]] = {
            "cell": {*placement.field},
            "pawn": {pawn for pawns in placement.pawns.values() for pawn in pawns},
            "turn": {""},
            "answer": {""},
        }
        if name not in names[what]:
            raise Refused("ask_unknown")
        questions = self.journal.questions
        before, at = self._asked.get(seat, (0, -WAITING_SECONDS))
        is_waiting = any(each.number == before and each.state == "waits" for each in questions)
        if now < at + (WAITING_SECONDS if is_waiting else QUESTION_SECONDS):
            raise Refused("ask_later")
        number = 1 + max((number for number, _ in self._asked.values()), default=0)
        self._asked[seat] = (number, now)
        self.journal.show_questions((*questions, Question(number, what, name))[-MOST_QUESTIONS:])
        return number

    @locked
    def confirm_reading(self, number: int, *, is_waiting: bool = False) -> None:
        """Show that a display reads the answer to this question, or that it does so once it has
        ended what it speaks. Does nothing for a question that is read or shown no more.
        """
        questions = self.journal.questions
        state: QuestionState = "waits" if is_waiting else "read"
        changed = tuple(
            replace(each, state=state) if each.number == number and each.state != "read" else each
            for each in questions
        )
        if changed != questions:
            self.journal.show_questions(changed)

    @locked
    def surrender(self, seat: Seat, request: RequestId = NO_REQUEST) -> None:
        """Give the game up. Only for a seat with a secret, whose side then loses."""
        if not self.state.run.playing:
            raise Refused("no_game")
        if self.state.run.revealing:
            raise Refused("night_not_over")
        if seat not in self.state.run.published.private:
            raise Refused("cannot_surrender")
        self.journal.commit(self.votes.resign("surrender"), request)

    @locked
    def enter_paper_path(
        self, pages: Sequence[Sequence[str]], request: RequestId = NO_REQUEST
    ) -> None:
        """Compare a player's typed path on paper with all public events of the finished game.

        May be repeated with corrections. Raises `Refused` ("not_over", "no_paper"), and
        `InvalidAction` for another number of pages.
        """
        self._check_over()
        game = self.state.run.running()
        if not game.paper.pages(self.state.run.public_history):
            raise Refused("no_paper")
        audit = game.paper.audit(self.state.run.full_history(), pages)
        typed = tuple(tuple(page) for page in pages)
        result = PaperPathEntered(typed, audit.answers, audit.wrong)
        self.commit_events(result, request=request)

    @locked
    def mark(self, seat: Seat, cell: str, mark: str, request: RequestId = NO_REQUEST) -> None:
        """Set a shared pencil mark, "?" or "x", or delete it with "".

        In a game with a field its cell must be there. Raises `Refused` ("bad_mark").
        """
        run = self.state.run
        field = run.game.placement(view(run.published, None)).field if run.game else ()
        is_cell = cell in field if field else MARK_CELL.fullmatch(cell)
        if not (self.state.settings.marks and is_cell and mark in PENCIL_MARKS):
            raise Refused("bad_mark")
        if mark != run.marks.get(cell, ""):
            self.commit_events(Marked(seat, cell, mark), request=request)

    @locked
    def pause(self, on: bool, request: RequestId = NO_REQUEST) -> None:
        """Stop play, or resume it; a dawn that has been stored still comes."""
        if on != self.state.paused:
            self.commit_events(Paused() if on else Resumed(), request=request)

    @locked
    def change_settings(
        self, change: Mapping[str, bool | int], request: RequestId = NO_REQUEST
    ) -> None:
        """Change the table's settings; a night that has fallen keeps its shortest time."""
        if self.state.settings.with_change(change) != self.state.settings:
            self.commit_events(SettingsChanged(dict(change)), request=request)

    @locked
    def close(self) -> None:
        """End all streams and release the data folder."""
        self.journal.broadcaster.close()
        self.journal.log.close()

    def _check_over(self) -> None:
        if not self.state.run.over:
            raise Refused("not_over")

    def _check_turn(self, seat: Seat, actions: Sequence[Action], expect: int | None) -> None:
        state, run = self.state, self.state.run
        if run.game is None:
            raise Refused("no_game")
        if state.run.over:
            raise Refused("game_over")
        if state.paused:
            raise Refused("paused")
        secret = run.game.secret_seat(run.published.public)
        if run.revealing or (secret is not None and seat != secret):
            raise Refused("night_not_over")
        if self.own_run.pending_reveal:
            raise Refused("already_submitted")
        if not 1 <= len(actions) <= 100:
            raise Refused("no_actions")
        if expect is not None and not state.run.changed_at <= expect <= state.public_log.position:
            raise Refused("stale")

    def _default_turn(self) -> Submission:
        """Return the secret turn that the table takes for a seat after its time limit."""
        state, game = self.state, self.state.run.running()
        seat = game.secret_seat(state.run.published.public)
        assert seat is not None, "nobody is to act in secret"
        actions = game.secret_timer.default_actions(view(state.run.state, seat))
        return submit.secret_turn(
            state, seat, actions, self._rng, self._entropy(32), automatic=True
        )
