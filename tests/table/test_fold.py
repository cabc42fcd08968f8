"""Every stored entry can be folded: it is tried on a copy first, and a start survives one that
cannot be folded.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from companion.core.codec import to_builtins
from companion.core.game import Event, Game, Seat, State
from companion.games import GAMES
from companion.games.vwars.rules import sample_cards
from companion.table.entries import decode_items, encode_items
from companion.table.errors import Refused, StorageFailed, UnreadableEntry
from companion.table.events import Proposed, SeatRenamed
from companion.table.journal import table_event_items
from companion.table.run import GameRun
from companion.table.state import TableState
from companion.table.storage import recovery
from companion.table.storage.log import Log, read_bodies
from companion.table.storage.purge import purge_games
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import create_log, inspect_log
from companion.table.table import Table
from tests.helpers.repetitions import soak
from tests.table.play import KEYS, Play
from tests.table.proposals import propose_all
from tests.table.toy_game import A, Answered, Ask, B, Began, End, QuietGame, S, Step, Wait

pytestmark = pytest.mark.slow

END = End()


class Fragile(QuietGame):
    """The quiet game of a release that cannot fold events like `cannot`."""

    cannot: type[Event] | Event | None = None

    def evolve(self, state: State, event: Event) -> State:
        if self.cannot in (event, type(event)):
            raise KeyError("C3")
        return super().evolve(state, event)


class Renamed(QuietGame):
    """A second game of the table."""

    name = "renamed"


@pytest.fixture
def game() -> Fragile:
    return Fragile()


@pytest.fixture
def day(tmp_path: Path, game: Fragile) -> Play:
    """The first secret turn is published; A is to move."""
    play = Play(tmp_path / "data", game)
    play.start("S", "A", "B")
    play.night("S", Step(3), END)
    return play


def kept_aside(play: Play) -> list[Path]:
    return sorted(play.folder.glob(f"{LOG_FILE}.unread-*[0-9]"))


@pytest.mark.parametrize("proposals", [40, *soak(120)])
@pytest.mark.parametrize("game", GAMES, ids=lambda each: each.name)
def test_any_proposal_leaves_a_table_that_starts(game: Game, proposals: int) -> None:
    """After any proposal, and a game begun from it, the table stands after a restart as before
    it.
    """
    counts = propose_all(game, proposals, seed=1)

    assert 0 == counts["left_out"]
    assert 0 < counts["taken"]


@pytest.mark.parametrize("table", ["role", "city", "region", "player_card", "event", "law"])
def test_given_content_is_checked(tmp_path: Path, table: str) -> None:
    """Given cards that contradict each other are a warning in the lobby, and no game begins with
    them.
    """
    play = Play(tmp_path / "data")
    play.games = GAMES
    play.crash()
    cards: dict[str, Any] = to_builtins(sample_cards())
    play.table.lobby.propose(
        {"game": "vwars", "content": {**cards, table: [*cards[table][:1], *cards[table][:1]]}}
    )

    assert (["content_faults"], False) == warnings(play.table)
    play.crash()
    assert (["content_faults"], False) == warnings(play.table)


def warnings(table: Table) -> tuple[list[str], bool]:
    lobby = table.snapshot()["lobby"]
    return [warning["code"] for warning in lobby["warnings"]], lobby["ready"]


class TestBefore:
    def test_nothing_is_written(self, day: Play, monkeypatch: pytest.MonkeyPatch) -> None:
        """An entry that cannot be folded is refused with a sentence, and log, snapshot and memory
        are unchanged.
        """
        before, snapshot = read_bodies(day.folder), day.table.snapshot()

        with monkeypatch.context() as patched, pytest.raises(Refused, match="cannot_fold"):
            patched.delattr(Event, "message_named")
            day.submit("A", Wait())

        assert (before, snapshot) == (read_bodies(day.folder), day.table.snapshot())
        day.submit("A", Wait())
        assert 1 == day.table.snapshot()["view"]["waits"]

    def test_what_no_file_can_hold(self, tmp_path: Path) -> None:
        """A proposal with text that is not Unicode is refused with a sentence."""
        play = Play(tmp_path / "data")
        play.games = GAMES
        play.crash()

        with pytest.raises(Refused, match="unreadable_setup"):
            play.table.lobby.propose({"game": "vwars", "options": {"content": "\ud800"}})

    def test_the_copy_is_a_copy(self, day: Play) -> None:
        """Folding on in a copy changes nothing of its original state."""
        table = TableState([QuietGame()], day.settings)
        bodies = read_bodies(day.folder)
        before = [state_text(table)]
        copies = []
        for body in bodies:
            copies.append(table.copy())
            for item in decode_items(body):
                table.apply(item)
            before.append(state_text(table))

        assert before[:-1] == [state_text(copy) for copy in copies]

    def test_a_game_leaves_nothing_behind(self, day: Play) -> None:
        """A reopened table, and the next game, hold nothing of the game before."""
        day.table.mark(A, "A1", "x")
        first = day.table.state.run
        day.table.surrender(S)
        day.table.open_next_game(by=0)

        assert vars(GameRun()) == vars(day.table.state.run)
        day.table.start()
        second = day.table.state.run
        assert ([], {}, []) == (second.steps, second.marks, second.secret_lines)
        assert first.key != second.key


def state_text(table: TableState) -> str:
    """Return all that a table's state holds, as text."""
    return repr(
        {
            name: value
            for name, value in vars(table).items()
            if name not in ("games", "run", "public_log")
        }
        | vars(table.run)
        | vars(table.public_log)
    )


class TestStart:
    def test_of_the_lobby(self, tmp_path: Path) -> None:
        """A proposal that cannot be folded is put aside; the entries before and after it count."""
        play = Play(tmp_path / "data")
        play.table.seats.claim(A, "Ana", "1" * 64)
        play.log.append(encode_items(table_event_items(Proposed("chess", 2, {}))))
        play.log.append(encode_items(table_event_items(SeatRenamed(A, "Bea"))))
        new_bodies = read_bodies(play.folder)
        play.crash()

        assert ("lobby", "Bea") == (play.table.snapshot()["phase"], name_of(play, "A"))
        assert "entries_left_out" == play.events()[-1]
        assert new_bodies == bodies_of(kept_aside(play)[0])
        assert [*new_bodies[:1], *new_bodies[2:]] == read_bodies(play.folder)[:-1]

    def test_a_game_whose_proposal_cannot_be_folded(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A game is left out with its proposal: it does not run under another game's name."""
        play = Play(tmp_path / "data")
        play.games = [QuietGame(), Renamed()]
        play.crash()
        play.table.lobby.propose({"game": "renamed"})
        play.start("S", "A", players=2)
        places_in = TableState.places_in

        def places_of_this_release(state: TableState, proposed: Proposed) -> dict[Seat, Seat]:
            if proposed.game == "renamed":
                raise UnreadableEntry("an option that this release does not know")
            return places_in(state, proposed)

        monkeypatch.setattr(TableState, "places_in", places_of_this_release)
        play.crash()

        snapshot = play.table.snapshot()
        assert ("lobby", "quiet") == (snapshot["phase"], snapshot["game"])

    def test_once(self, tmp_path: Path) -> None:
        """Entries put aside are reported once: the next start finds none."""
        play = Play(tmp_path / "data")
        play.log.append(encode_items(table_event_items(Proposed("chess", 2, {}))))
        play.crash()
        play.crash()

        assert (["entries_left_out"], 1) == (play.events(), len(kept_aside(play)))

    @pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EROFS])
    def test_on_a_disk_that_takes_no_writes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: int
    ) -> None:
        """The table starts without what it cannot fold; nothing is written behind it, and the start
        after the disk takes writes again puts it aside and shows it.
        """
        play = Play(tmp_path / "data")
        play.table.seats.claim(A, "Ana", "1" * 64)
        play.log.append(encode_items(table_event_items(Proposed("chess", 2, {}))))
        with monkeypatch.context() as patch:
            refuse: Any = Mock(side_effect=OSError(reason, os.strerror(reason)))
            if reason == errno.ENOSPC:
                patch.setattr(recovery, "create_log", refuse)
            else:
                patch.setattr(Log, "_open_writing", refuse)
            play.crash()
            storage = play.table.snapshot()["storage"]
            assert ("full" if reason == errno.ENOSPC else "readonly", "Ana") == (
                storage,
                name_of(play, "A"),
            )
        with pytest.raises(StorageFailed):
            play.table.seats.rename(A, "Bea")
        play.crash()

        assert ("Ana", "entries_left_out") == (name_of(play, "A"), play.events()[-1])

    def test_a_loss_on_a_disk_that_takes_no_writes(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A table that lost its last entry starts in a folder that became read-only."""
        play = Play(tmp_path / "data")
        play.table.seats.claim(A, "Ana", "1" * 64)
        play.table.close()
        with closing(sqlite3.connect(play.folder / LOG_FILE)) as log:
            log.execute("DELETE FROM entries WHERE row = (SELECT MAX(row) FROM entries)")
            log.commit()
        read_only: Any = Mock(side_effect=OSError(errno.EROFS, os.strerror(errno.EROFS)))
        monkeypatch.setattr(Log, "_open_writing", read_only)
        play.open()

        assert "readonly" == play.table.snapshot()["storage"]

    def test_within_a_game(self, day: Play, game: Fragile) -> None:
        """The game stands as before the entry, and the moves after it are put aside too; the seats
        stay, play is stopped until people agree, and it goes on.
        """
        day.submit("A", Wait())
        day.submit("A", Ask())
        day.table.seats.rename(A, "Bea")
        day.submit("A", Wait())
        game.cannot = Answered
        day.crash()

        view = day.table.snapshot()["view"]
        assert (1, [], "A") == (view["waits"], view["answers"], view["to_move"])
        assert ("Bea", True) == (name_of(day, "A"), day.table.snapshot()["paused"])
        day.table.pause(False)
        day.submit("A", Wait())
        day.crash()
        assert 2 == day.table.snapshot()["view"]["waits"]

    def test_the_next_game(self, day: Play, game: Fragile) -> None:
        """A game that cannot be folded any more does not affect the games after it."""
        day.submit("A", Ask())
        for seat in (S, A, B):
            day.table.votes.draw(seat)
        day.table.open_next_game(by=0)
        day.table.start()
        game.cannot = Answered
        day.crash()

        assert ("play", "S", 2) == (
            day.table.snapshot()["phase"], day.table.snapshot()["view"]["to_move"],
            day.table.state.number,
        )  # fmt: skip

    def test_a_start_of_a_game(self, tmp_path: Path, game: Fragile) -> None:
        """If the start of a game cannot be folded, the table stands in the lobby."""
        play = Play(tmp_path / "data", game)
        play.start("S", "A", players=2)
        play.night("S", END)
        game.cannot = Began(2)
        play.crash()

        assert "lobby" == play.table.snapshot()["phase"]

    def test_a_copy_of_before(self, day: Play, game: Fragile) -> None:
        """A copy of the log with the entry does not restore it, and copies go on to be made."""
        day.submit("A", Ask())
        day.log.copy()
        game.cannot = Answered
        day.crash()
        day.table.pause(False)
        day.submit("A", Wait())
        for _ in range(4):
            day.log.copy(whole=False)
            day.submit("A", Wait())
        day.crash()

        assert (5, 1) == (day.table.snapshot()["view"]["waits"], len(kept_aside(day)))
        assert 0 == day.log.lost

    def test_what_a_deletion_of_old_games_left(self, day: Play, game: Fragile) -> None:
        """A table carried over such a deletion that cannot be folded is put aside, and the rest
        counts.
        """
        for seat in (S, A, B):
            day.table.votes.draw(seat)
        day.table.open_next_game(by=0)
        day.table.close()
        assert 1 == purge_games(day.folder, day.games)
        spoil_base(day.folder)
        day.open()
        day.table.seats.claim(A, "Ana", KEYS["A"])
        day.crash()

        assert ("lobby", "Ana") == (day.table.snapshot()["phase"], name_of(day, "A"))


def spoil_base(folder: Path) -> None:
    """Make a log's base carry a proposal of an unknown kind, in sound form."""
    inspected = inspect_log(folder / LOG_FILE)
    (folder / LOG_FILE).unlink()
    carried = inspected.base.carried.replace('"game":"quiet"', '"game":"chess"')
    assert carried != inspected.base.carried
    create_log(folder / LOG_FILE, inspected.rows, inspected.base._replace(carried=carried))


def name_of(play: Play, seat: str) -> object:
    return next(place["name"] for place in play.table.snapshot()["seats"] if place["seat"] == seat)


def bodies_of(path: Path) -> list[str]:
    return inspect_log(path).bodies
