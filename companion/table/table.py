"""Run one table: store each request before it is answered, publish what is public."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from random import Random
from typing import Any

from msgspec import Struct

from companion.clock import Clock
from companion.core.codec import canonical, decode_actions, encode_actions
from companion.core.content import SAMPLE_LABEL
from companion.core.game import Action, Event, Game, PublicEvent, Seat, View
from companion.core.placement import Cell, PositionEdit, Tile
from companion.core.view import view
from companion.table import bot_views, lobby, preview, snapshot, submit
from companion.table.bot_views import BotTurn
from companion.table.entries import Item
from companion.table.errors import Refused, StorageFailed
from companion.table.events import (
    GameStarted,
    HistoryRewound,
    LaidByHand,
    Marked,
    PaperTold,
    Paused,
    Resumed,
    RulesOverruled,
    SettingsChanged,
    TableReopened,
)
from companion.table.fairness import commitment
from companion.table.fairness.export import export_record
from companion.table.fairness.seeds import SeedCommitment
from companion.table.journal import Journal, table_event_items
from companion.table.proposals import Lobby
from companion.table.reveal import RevealScheduler
from companion.table.seats import SeatClaims
from companion.table.settings import TableSettings
from companion.table.state import TableState
from companion.table.storage.log import Log, read_bodies
from companion.table.votes import SYSTEM, Votes

__all__ = ["Receipt", "Table", "TableSettings"]

MARK_CELL = re.compile(r"[A-Z][1-9][0-9]?", re.ASCII)
PENCIL_MARKS = ("?", "x", "")
REQUEST_ID = re.compile(r"[\x21-\x7e]{1,64}", re.ASCII)


class Receipt(Struct, frozen=True):
    """What a submission is answered: the public position when it was kept."""

    position: int


class Table:
    """A table in one data folder.

    Thread-safe: every request is kept, folded and told under one lock.

    What is refused raises a `GameError` and changes nothing. The log's games are folded at the
    start, so a table that was cut off goes on at the same half-finished turn. `entropy(n)` gives n
    unforeseeable bytes (nonces, keys), `rng` the games' chance. `holdup` may hold up an action that
    would disclose something (the board reader, while table and record differ).
    """

    def __init__(
        self,
        games: Sequence[Game],
        log: Log,
        clock: Clock,
        entropy: Callable[[int], bytes],
        rng: Random,
        settings: TableSettings = TableSettings(),  # noqa: B008 - a frozen value
    ) -> None:
        self.disclosure_guard: submit.DisclosureGuard | None = None
        self.bot_levels: Mapping[str, Sequence[str]] = {}
        self._clock = clock
        self._entropy = entropy
        self._rng = rng
        self._state = TableState(games, settings)
        self.journal = Journal(self._state, log)
        self._lock = self.journal.lock
        self._reveals = RevealScheduler(self.journal, clock, self._untaken)
        self.votes = Votes(self.journal, clock, self._begin)
        self.seats = SeatClaims(self.journal, self.votes)
        self.lobby = Lobby(self.journal, self._levels)
        self._seeds = SeedCommitment(self.journal, entropy)
        self._seeds.seal()

    # What is seen

    def snapshot(self) -> dict[str, Any]:
        """Return the whole public snapshot, JSON-ready; read only."""
        return self.journal.snapshot

    def seat_snapshot(self, seat: Seat) -> dict[str, Any]:
        """Return {"own", "legal", "notes", "submitted"} for this seat alone; notes of the last 12
        nights.
        """
        with self._lock:
            return snapshot.seat_snapshot(self._state, seat)

    def opened_commitments(self) -> list[dict[str, Any]]:
        """Return the sealed line of every secret turn, {"opened": LINE, "seal"}, in order; raise
        `Refused` before the end.
        """
        with self._lock:
            if not self._state.over:
                raise Refused("not_over")
            return [
                {"opened": line, "seal": commitment.commit(line)}
                for line in self._state.run.secret_lines
            ]

    def reference(self) -> dict[str, Any]:
        """Return what everybody may look up of the game that is or was played; before it what seats
        may choose ("choices"), with the translations; {} if there is nothing.
        """
        with self._lock:
            table, ready = self._state, self.journal.setup_check.state
            if table.run.game is not None:
                return table.run.game.reference(table.run.published.public)
            choices = snapshot.available_choices(table)
            if not choices or ready is None:
                return {}
            return table.games[table.proposal.game].reference(ready.public) | {"choices": choices}

    def disclosed(self) -> list[dict[str, Any]]:
        """Return what the running game has told of its secrets so far ({"position", "event",
        "said"}), oldest first.
        """
        with self._lock:
            return self._state.answers() if self._state.run.game is not None else []

    def record(self) -> list[str]:
        """Return the record of the game that has just ended, as JSON lines; raise `Refused` before
        its end.
        """
        with self._lock:
            if not self._state.over:
                raise Refused("not_over")
            number = self._state.number
        return list(
            export_record(
                read_bodies(self.journal.log.folder), list(self._state.games.values()), number
            )
        )

    def decode(self, actions: object) -> list[Action]:
        """Return the actions that JSON values mean in the game that is or was played; raise
        `InvalidAction`, and `Refused` ("no_game").
        """
        game = self._state.run.game
        if game is None:
            raise Refused("no_game")
        return decode_actions(game, actions)

    def board_view(self) -> tuple[Game, View] | None:
        """Return the game that is played and the public view of the seat to move, for the board
        reader; None in the lobby and after the end.
        """
        with self._lock:
            table = self._state
            if table.run.game is None or table.over:
                return None
            return table.run.game, View(
                table.run.game.to_move(table.run.published.public), table.run.published.public
            )

    def view_at_start(self) -> View | None:
        """Return the public view with which the game that is played began; None as `board_view`."""
        with self._lock:
            table = self._state
            if table.run.game is None or table.over:
                return None
            public = (table.run.steps[0].before if table.run.steps else table.run.published).public
            return View(table.run.game.to_move(public), public)

    def bot_turn(self) -> BotTurn | None:
        """Return whose turn it is if a bot plays that seat and could act now; None while anything
        is asked or told.
        """
        with self._lock:
            return bot_views.bot_turn(self._state)

    def bots(self) -> dict[Seat, str]:
        """Return the seats that bots play, with their levels."""
        with self._lock:
            return dict(self._state.seats_of_bots())

    def bot_view(self, seat: Seat) -> tuple[Game, View, list[PublicEvent]]:
        """Return what the bot at `seat` may know: the game, its own view, and the public events of
        this game that count, in order. Raises `Refused` for a seat that no bot plays.
        """
        with self._lock:
            return bot_views.bot_view(self._state, seat)

    def bot_history(self, seat: Seat) -> list[Event]:
        """Return all that the bot at `seat` was told in this game, the public events that count and
        those for this seat alone: step by step, within a step first what it alone heard. Raises
        `Refused` for a seat that no bot plays.
        """
        with self._lock:
            return bot_views.bot_history(self._state, seat)

    def public_history(self) -> tuple[str, int, list[PublicEvent]]:
        """Return the game that is played, the position, and the public events of it that count, in
        order: what aids to deduction may be made of. Raises `Refused` ("aids_off") where the table
        has none on, or no game is played.
        """
        with self._lock:
            if not self._state.settings.aids or not self._state.playing:
                raise Refused("aids_off")
            return (
                self._state.running().name,
                self._state.position,
                list(self._state.run.public_history),
            )

    def check_memory(self, position: int, head: str) -> None:
        """Compare what a screen remembers, a position and its head, with the record. If they part,
        everybody is told and play stops: an older data folder was put back under a table that had
        gone on.
        """
        with self._lock:
            known = self._state.heads.get(position, head if position < self._state.position else "")
            if known != head and not self._state.history_mismatch:
                self.journal.commit(
                    table_event_items(HistoryRewound(min(position, self._state.position)))
                )

    def on_publish(self, act: Callable[[], None]) -> None:
        """Call `act` on the clock's thread, without a lock, after each entry that changes what
        everybody sees.
        """
        self.journal.on_publish.append(lambda: self._clock.call_at(self._clock.monotonic(), act))

    def is_healthy(self, patience: float) -> bool:
        """Whether requests can be taken: the lock is free within `patience` seconds, and the log
        answers.
        """
        if not self._lock.acquire(timeout=patience):
            return False
        try:
            return self.journal.log.is_well()
        finally:
            self._lock.release()

    def on_storage_failure(self, act: Callable[[StorageFailed], None]) -> None:
        """Call `act` on the clock's thread when the disk failed: the process must end and start
        anew.
        """

        def failed(failure: StorageFailed) -> None:
            self._clock.call_at(self._clock.monotonic(), partial(act, failure))

        self.journal.on_storage_failure = failed

    # Play

    def submit(
        self, seat: Seat, actions: Sequence[Action], *, id: str, expect: int | None = None
    ) -> Receipt:
        """Take a list of actions, all or nothing.

        The same `id` again gives the same receipt and does nothing.

        `expect` is the public position that the seat has seen; what was decided before the game's
        last public change is refused ("stale"). A secret turn must be whole ("night_unfinished");
        until it is told to its end all others are refused ("night_not_over").
        """
        # Asked before the lock is taken: the board reader has a lock of its own and shows its
        # status here.
        running = self.board_view()
        held = (
            submit.blocked_by_board(seat, actions, self.disclosure_guard, running)
            if self.disclosure_guard and running
            else None
        )
        with self._lock:
            if not REQUEST_ID.fullmatch(id):
                raise Refused("bad_id")
            digest = hashlib.sha256(canonical(encode_actions(actions)).encode("ascii")).hexdigest()
            known = self.journal.log.answer(seat, id)
            if known:
                if known.digest != digest:
                    raise Refused("id_reused")
                return Receipt(int(known.text))
            self._check_turn(seat, actions, expect)
            if held:
                raise Refused(held.code, **held.params)
            items = self._decide(seat, actions)
            receipt = Receipt(self._state.position)
            self.journal.commit(
                items, seat=seat, id=id, digest=digest, answer=str(receipt.position)
            )
            return receipt

    def idempotent(self, by: str, id: str) -> AbstractContextManager[bool]:
        """Hold the table while what `by` asks for under this number is done; False if it was done
        before, so that a repetition, be it a phone's or somebody's who has recorded it, does
        nothing.
        """
        return self.journal.once(by, id)

    def preview(self, seat: Seat, actions: Sequence[Action]) -> dict[str, Any]:
        """Return {"view", "legal"} as they would be after `actions`, from what the seat may know;
        nothing is stored or told. Takes no lock, so that no stream pauses for it.
        """
        run = self._state.run
        if run.game is None:
            raise Refused("no_game")
        if run.pending_reveal and run.game.secret_seat(run.published.public) == seat:
            raise Refused("already_submitted")
        return preview.preview(run.game, run.published, seat, actions)

    def aim(self, seat: Seat, actions: Sequence[Action]) -> None:
        """Show everybody the one action that `seat` is about to take in its open turn, or none any
        more.

        Raises `Refused` ("cannot_aim") for what could not be taken now.
        """
        with self._lock:
            shown = encode_actions(actions)
            if len(shown) > 1 or any(action not in self.snapshot()["legal"] for action in shown):
                raise Refused("cannot_aim")
            if seat != self.snapshot()["to_move"]:
                raise Refused("cannot_aim")
            self.journal.show_aim(shown[0] if shown else None)

    def undo(self, seat: Seat) -> None:
        """Take the last action back, at once or by everybody's consent."""
        with self._lock:
            self.votes.undo(seat)

    def vote(self, seat: Seat, agree: bool) -> None:
        """Answer the question that is asked; raise `Refused` ("nothing_asked")."""
        with self._lock:
            self.votes.answer(seat, agree=agree)

    def draw(self, seat: Seat) -> None:
        """Ask for a draw, or agree to one."""
        with self._lock:
            self.votes.draw(seat)

    def set_by_hand(self, seat: Seat, arrangement: PositionEdit) -> None:
        """Ask everybody to take the table as `seat` says that it stands, whatever the rules of
        moving say.

        Raises `Refused` ("no_game", "night_not_over"), and `IllegalAction` for what no table can
        look like.
        """
        with self._lock:
            self.votes.set_by_hand(seat, arrangement)

    def go_on_on_paper(self, seat: Seat) -> None:
        """Ask everybody to go on with the secrets on paper, by day or in a secret turn. Whose phone
        may be lost is asked too; from there silence, until the question would lapse, is agreement.

        Raises `Refused` ("no_game", "night_not_over", "seat_of_person" where a bot holds the
        secret), and `IllegalAction` where the game knows no paper.
        """
        with self._lock:
            self.votes.go_on_on_paper(seat)

    def forfeit(self, seat: Seat) -> None:
        """Give the game up.

        Only for a seat with a secret: its side alone can be named as the loser.
        """
        with self._lock:
            if not self._state.playing:
                raise Refused("no_game")
            if self._state.run.revealing:
                raise Refused("night_not_over")
            if seat not in self._state.run.published.private:
                raise Refused("cannot_forfeit")
            self.journal.commit(self.votes.resign("forfeit"))

    def tell_paper(self, pages: Sequence[Sequence[str]]) -> None:
        """Take what a player had kept on paper in the game that is over, and hold it against all
        that was told; the same again, corrected, as often as need be. Raises `Refused` ("not_over",
        "no_paper"), and `InvalidAction` for another number of pages.
        """
        with self._lock:
            if not self._state.over:
                raise Refused("not_over")
            game, story = self._state.running(), self._state.run.public_history
            if not game.paper.pages(story):
                raise Refused("no_paper")
            found = game.paper.audit(self._state.full_history(), pages)
            typed = tuple(tuple(page) for page in pages)
            self.journal.commit(table_event_items(PaperTold(typed, found.answers, found.wrong)))

    def mark(self, seat: Seat, cell: str, mark: str) -> None:
        """Put a shared pencil mark, "?" or "x", or rub it out with ""."""
        with self._lock:
            if (
                not self._state.settings.marks
                or not MARK_CELL.fullmatch(cell)
                or mark not in PENCIL_MARKS
            ):
                raise Refused("bad_mark")
            self.journal.commit(table_event_items(Marked(seat, cell, mark)))

    def pause(self, on: bool) -> None:
        """Stop play, or let it go on; a dawn that has been planned still comes."""
        with self._lock:
            if on != self._state.paused:
                self.journal.commit(table_event_items(Paused() if on else Resumed()))

    def change_settings(self, change: Mapping[str, bool | int]) -> None:
        """Change the table's manners; a night that has fallen keeps its floor."""
        with self._lock:
            self._state.settings.changed(change)
            self.journal.commit(table_event_items(SettingsChanged(dict(change))))

    # The lobby

    def claim(self, seat: Seat, name: str, key_hex: str) -> None:
        """Sit down at a seat with a phone's public key; the first one wins."""
        with self._lock:
            self.seats.claim(seat, name, key_hex)

    def note_try(self, seat: Seat) -> None:
        """Tell everybody that somebody tried to get this seat."""
        with self._lock:
            self.seats.note_try(seat)

    def note_recovery(self, seat: Seat, tries: int, of: int) -> None:
        """Tell everybody that somebody wants to come back to this seat: the `tries`-th of `of`
        tries.
        """
        with self._lock:
            self.seats.note_recovery(seat, tries, of)

    def note_latecomer(self) -> None:
        """Tell everybody that somebody brought a joining code after the seats were closed."""
        with self._lock:
            self.seats.note_latecomer()

    def note_screen(self, by: Seat) -> None:
        """Tell everybody that this seat let another screen be touched as a display."""
        with self._lock:
            self.seats.note_screen(by)

    def rekey(self, seat: Seat, key_hex: str) -> None:
        """Give a taken seat to another phone of the same person."""
        with self._lock:
            self.seats.rekey(seat, key_hex)

    def rename(self, seat: Seat, name: str) -> None:
        """Give another name to who sits there."""
        with self._lock:
            self.seats.rename(seat, name)

    def free(self, seat: Seat, by: Seat | None = None) -> None:
        """Free a seat: at once in the lobby, by the others' consent in a game, never one that owns
        a secret.
        """
        with self._lock:
            self.seats.free(seat, by)

    def give(self, seat: Seat, level: str, by: Seat | None = None) -> None:
        """Let a bot of `level` play a seat, before or during a game; a person's seat in a game only
        by himself. Raises `Refused`: "seat_taken", "bot_without_hands" where hands are real cards,
        or "no_such_level" for what is none of the game's `bot_levels`.
        """
        with self._lock:
            if level not in self._levels(self._state.proposal.game):
                raise Refused("no_such_level", level=level)
            if self.lobby.hands_are_real():
                raise Refused("bot_without_hands")
            if self._state.playing and seat in self._state.running().paper.seats_of_people(
                self._state.run.published.public
            ):
                raise Refused("seat_of_person", seat=seat)
            self.seats.give(seat, level, by)

    def evict_bot(self, seat: Seat, fault: str, stand_in: str) -> None:
        """Take a seat from the program that misbehaved there, and stop play until somebody lets it
        go on: a seat that owns a secret is kept for the bot `stand_in`, any other is free for a
        person or a bot. `fault` is a word that everybody may hear.
        """
        with self._lock:
            self.seats.evict_bot(seat, fault, stand_in)

    def _levels(self, game: str) -> Sequence[str]:
        return self.bot_levels.get(game, ())

    def seat_of(self, key_hex: str) -> Seat | None:
        """Return the seat that a phone's key holds."""
        with self._lock:
            return self.seats.seat_of(key_hex)

    def key_of(self, seat: Seat) -> str | None:
        """Return the key that holds a seat, None if nobody sits there."""
        with self._lock:
            return self.seats.key_of(seat)

    def propose(self, change: Mapping[str, Any]) -> None:
        """Propose what to play: "game", "players", "options", "field", "start"; None takes one
        back. Broken rules of a field become the lobby's doubts; refused is only what cannot be
        read, and real cards in the hands of a bot that keeps its seat ("bot_without_hands").
        """
        with self._lock:
            self.lobby.propose(change)
            self._seeds.seal()

    def choose(self, seat: Seat, what: str, choice: str | None) -> None:
        """Let a seat choose in public for the game to come, one of the lobby's "choices"; None
        takes it back. What one seat has chosen no other can, but that a person goes before a bot.
        Raises `Refused` ("no_such_choice", "choice_taken", "no_such_seat", "game_running").
        """
        with self._lock:
            self.lobby.choose(seat, what, choice)

    def give_share(self, key_hex: str, seal: str, share: str) -> None:
        """Let a phone add 16 bytes (hex) to the seed with this seal, from which the next game
        draws: once, and before the game. Raises `Refused`: "no_seed" where another seed is sealed
        or none, "share_given".
        """
        with self._lock:
            self._seeds.give(key_hex, seal, share)

    @property
    def custom_boards(self) -> Mapping[str, Mapping[str, Any]]:
        """The household's own boards, by game: the part of a set-up with which it is played beside
        its box.
        """
        return self.lobby.custom_boards

    @custom_boards.setter
    def custom_boards(self, boards: Mapping[str, Mapping[str, Any]]) -> None:
        self.lobby.custom_boards = boards

    def propose_board(self, game: str, board: Mapping[str, Any]) -> None:
        """Propose a game beside its box on the household's own board, a part of its set-up, and
        keep to that board whenever the game is played so. Raises `Refused` as `propose` does.
        """
        with self._lock:
            self.lobby.propose_board(game, board)
            self._seeds.seal()

    @property
    def expected_tiles(self) -> Mapping[Cell, Tile]:
        """The printed tiles that lie on the table as far as anybody knows: those last seen, else
        those of the proposed field's sheet; none if the printed tiles cannot make it.
        """
        return self.lobby.expected_tiles

    def check_tiles(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Return for each cell how these tiles lie there as against the running game's field, as
        `lobby.tile_instructions` does. Raises `Refused` ("no_game").
        """
        with self._lock:
            return self.lobby.check_tiles(tiles)

    def propose_tiles(self, tiles: Mapping[Cell, Tile] | None = None) -> None:
        """Propose the field that printed tiles make: these, or those last seen. Raises the game's
        `InvalidSetup`, which names the tiles that make none; broken rules become the lobby's
        doubts.
        """
        with self._lock:
            self.lobby.propose_tiles(tiles)

    def start(self, by: Seat | None = None) -> None:
        """Begin the game that is proposed, at the wish of a seat or of a hand on the table; where
        something of it was laid by hand, when all who sit have agreed.

        Raises `Refused`: "game_running", "not_ready", or "seat_open" while nobody sits at a seat
        that knows something alone.
        """
        with self._lock:
            self._check_start()
            self.votes.start(by or SYSTEM)

    def _check_start(self) -> Game:
        """Return the game that can begin now; raise `Refused`."""
        if self._state.run.game is not None:
            raise Refused("game_running")
        ready = self.journal.setup_check.state
        if ready is None:
            raise Refused("not_ready")
        proposal = self._state.proposal
        game = self._state.games[proposal.game]
        for seat in game.paper.seats_of_people(ready.public) & self._state.seats_of_bots().keys():
            raise Refused("seat_of_person", seat=seat)
        for seat in game.seat_names(proposal.players):
            if seat in ready.private and seat not in self._state.people:
                raise Refused("seat_open", seat=seat)
        return game

    def again(self, swap: bool = True) -> None:
        """Open the table for the next game; with `swap` everybody moves on by one seat."""
        with self._lock:
            if not self._state.over:
                raise Refused("not_over")
            self.journal.commit(table_event_items(TableReopened(swap)))
            self.lobby.keep_to_board()
            self._seeds.seal()

    def end_streams(self) -> None:
        """End all streams, so that a server can stop; whoever listens comes back to the next
        one.
        """
        self.journal.broadcaster.close()

    def close(self) -> None:
        """End all streams and let the data folder go."""
        with self._lock:
            self.journal.broadcaster.close()
            self.journal.log.close()

    def _check_turn(self, seat: Seat, actions: Sequence[Action], expect: int | None) -> None:
        table = self._state
        if table.run.game is None:
            raise Refused("no_game")
        if table.over:
            raise Refused("game_over")
        if table.paused:
            raise Refused("paused")
        secret = table.run.game.secret_seat(table.run.published.public)
        if table.run.revealing or (secret is not None and seat != secret):
            raise Refused("night_not_over")
        if table.run.pending_reveal:
            raise Refused("already_submitted")
        if not 1 <= len(actions) <= 100:
            raise Refused("no_actions")
        if expect is not None and not table.changed_at <= expect <= table.position:
            raise Refused("stale")

    def _decide(self, seat: Seat, actions: Sequence[Action]) -> list[Item]:
        table = self._state
        if table.running().secret_seat(table.run.published.public) == seat:
            return [submit.secret_turn(table, seat, actions, self._rng, self._entropy(32))]
        items, state = submit.open_turn(table, seat, actions, self._rng)
        return [*items, *self.journal.night_fell(table.running(), state.public)]

    def _untaken(self) -> Item:
        """Return the secret turn that the table takes for a seat whose time is over."""
        table, game = self._state, self._state.running()
        seat = game.secret_seat(table.run.published.public)
        assert seat is not None, "nobody is to act in secret"
        actions = game.secret_timer.default_actions(view(table.run.state, seat))
        return submit.secret_turn(
            table, seat, actions, self._rng, self._entropy(32), automatic=True
        )

    def _begin(self) -> list[Item]:
        game, table = self._check_start(), self._state
        names = table.seat_names()
        shuffled, rng = self._seeds.begin(game) if game.random_fields else ([], self._rng)
        events = game.setup(names, lobby.read_setup(game, table.proposal), rng)
        state = game.initial()
        for event in events:
            state = game.evolve(state, event)
        shares = [bytes.fromhex(table.people[seat].key) for seat in names if seat in table.people]
        key = commitment.game_key([*shares, self._entropy(16)])
        laid = self.lobby.tiles_laid(game)
        label = SAMPLE_LABEL if game.is_sample(state.public) else ""
        started = table_event_items(
            GameStarted(table.number + 1, game.name, table.proposal.players, key, label)
        )
        night = self.journal.night_fell(game, state.public)
        doubts = game.setup_warnings(state.public)
        overruled = table_event_items(RulesOverruled(len(doubts), tuple(doubts))) if doubts else []
        laid_by_hand = (
            table_event_items(LaidByHand(table.laid_by_hand)) if table.laid_by_hand else []
        )
        dealt = submit.deal(key, game, events, state, self._entropy(32))
        return [*laid, *started, *shuffled, dealt, *laid_by_hand, *overruled, *night]
