"""The reader at the table: what is played without a tap, what is asked, and that no sensor
discloses a secret.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.game import Action, Game, IllegalAction, Message, Seat, State, View
from companion.core.placement import Cell, Pawn, Placement, PositionEdit
from companion.games.vampireradar.actions import (
    END,
    Attack,
    CallRadar,
    End,
    Shoot,
    TakeBullet,
    Walk,
)
from companion.games.vampireradar.events import PawnsKilled
from companion.sensors.diff import differing_cells
from companion.sensors.link import Link
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.reader import BoardReader, BoardRefused
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import (
    BLANK,
    GAME,
    H1,
    Record,
    by_name,
    by_presence,
    moved,
    random_game,
    record,
)

UP = Link("up", generation=1)
RADAR = (".r....", *BLANK[1:])
BOTH = pytest.mark.parametrize("named", [True, False], ids=["by_name", "by_presence"])


def walk(pawn: str, to: str) -> Walk:
    return Walk(pawn=Pawn(pawn), to=Cell(to))


class Table:
    """A record, a reader, a clock, and the placement that the sensors report."""

    def __init__(self, game: Record, *, named: bool = False, begin: bool = True) -> None:
        self.game = game
        self.named = named
        self.clock = SimulatedClock()
        self.start: View | None = None
        self.lay: Callable[[Placement], bool] = lambda placement: False
        self.changes: list[dict[str, Any]] = []
        self.reader = BoardReader(
            game.view,
            game.submit,
            self.clock,
            view_at_start=lambda: self.start,
            on_change=self.changes.append,
            lay=lambda placement: self.lay(placement),
        )
        self.placement = game.placement
        if begin:
            self.reader.link_changed(UP)
            self.rest()

    def observe(self) -> None:
        """Send one observation of the placement."""
        observe = by_name if self.named else by_presence
        self.reader.observe(observe(self.placement, self.clock.monotonic()))

    def rest(self, seconds: float = 1.0) -> None:
        """Send observations of an unchanged placement for some time."""
        for _ in range(round(seconds / 0.25)):
            self.observe()
            self.clock.advance(0.25)
        self.observe()

    def move_pawns(
        self, moves: Mapping[str, str | None], taken_tokens: tuple[str, ...] = ()
    ) -> None:
        """Move pawns (None: lift them) and wait until the table rests."""
        self.placement = moved(self.placement, moves, taken_tokens)
        self.rest()

    def play(self, *actions: Action) -> None:
        """Play from a phone, and call the reader's `game_changed`."""
        self.game.play(*actions)
        self.reader.game_changed()

    @property
    def walks(self) -> list[Action]:
        return [action for _, actions in self.game.submitted for action in actions]

    def status(self, *names: str) -> list[Any]:
        return [self.reader.status()[name] for name in names]


def table_after_attack(named: bool) -> Table:
    """Return a table on which the vampire has killed H2b on D4 and the pawn still stands there."""
    table = Table(
        record({"H1a": "A1", "H1b": "D6", "H2a": "D6", "H2b": "D4"}, vampire="D4"), named=named
    )
    table.play(END)
    table.play(END)
    table.play(Attack(Cell("D4")), End())
    assert PawnsKilled(Cell("D4"), (Pawn("H2b"),)) in table.game.public_events
    return table


@BOTH
class TestWalks:
    def test_are_played_without_a_tap(self, named: bool) -> None:
        """A pawn set on a neighbouring tile walks, and then table and record agree."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)

        table.move_pawns({"H1a": "B1"})

        assert [walk("H1a", "B1")] == table.walks
        assert ["in_sync"] == table.status("state")

    def test_are_played_once(self, named: bool) -> None:
        """The same observation again changes nothing."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)

        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert [walk("H1a", "B1")] == table.walks

    def test_wait_until_the_table_rests(self, named: bool) -> None:
        """A tile that a pawn slides over is no landing."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR), named=named)

        table.placement = moved(table.placement, {"H1a": "B1"})
        table.observe()
        table.move_pawns({"H1a": "A2"})

        assert [walk("H1a", "A2")] == table.walks

    def test_of_a_pawn_put_back_are_none(self, named: bool) -> None:
        """A pawn that is lifted and put back is in sync."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)

        table.move_pawns({"H1a": None})
        assert ["lifted", ["A1"], []] == table.status("state", "lifted", "readings")
        table.move_pawns({"H1a": "A1"})

        assert ["in_sync"] == table.status("state")
        assert [] == table.walks

    def test_in_a_turn_that_the_reader_has_not_seen_yet(self, named: bool) -> None:
        """A pawn moved in the new turn walks, even if the reader gets the turn later."""
        table = Table(record({"H1a": "A1", "H2a": "F6"}), named=named)

        table.game.play(END)
        table.move_pawns({"H2a": "F5"})
        table.reader.game_changed()

        assert [END, walk("H2a", "F5")] == table.walks
        assert ["in_sync"] == table.status("state")

    def test_before_a_turn_that_the_reader_has_not_seen_yet(self, named: bool) -> None:
        """A pawn moved before its turn is asked, however late the reader gets the
        change of turn.
        """
        table = Table(record({"H1a": "A1", "H2a": "F6"}), named=named)

        table.move_pawns({"H2a": "F5"})
        table.game.play(END)
        table.rest()

        assert [END] == table.walks
        assert ["unexplained", 1] == [table.status("state")[0], len(table.status("readings")[0])]

    def test_that_the_table_refuses_are_shown_as_differences(self, named: bool) -> None:
        """A refusal (a dawn that is still being published) is shown, and the walk is not
        retried.
        """
        game = record({"H1a": "A1", "H1b": "F6"})
        tries = []

        def refuse(seat: Seat, actions: list[Action]) -> None:
            tries.append(actions)
            raise IllegalAction("night_not_over")

        table = Table(game, named=named)
        table.reader._submit = refuse
        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert 1 == len(tries)
        assert ["unexplained"] == table.status("state")
        assert "night_not_over" == table.status("message")[0]["code"]

    def test_may_begin_before_the_turn(self, named: bool) -> None:
        """A pawn lifted before its turn may be set down in it."""
        table = Table(record({"H1a": "A1", "H2a": "F6"}), named=named)

        table.move_pawns({"H2a": None})
        table.play(END)
        table.move_pawns({"H2a": "E6"})

        assert [END, walk("H2a", "E6")] == table.walks

    def test_done_before_the_turn_are_asked(self, named: bool) -> None:
        """A walk made before its turn is not played when the turn starts."""
        table = Table(record({"H1a": "A1", "H2a": "F6"}), named=named)

        table.move_pawns({"H2a": "E6"})
        table.play(END)
        table.rest(10)

        assert [END] == table.walks
        assert ["unexplained", 1] == [table.status("state")[0], len(table.status("readings")[0])]

    def test_that_the_table_swallows_are_not_tried_again(self, named: bool) -> None:
        """A walk that the table accepts without effect is submitted once."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        tries: list[list[Action]] = []
        table.reader._submit = lambda seat, actions: tries.append(actions)

        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert [[walk("H1a", "B1")]] == tries
        assert ["unexplained"] == table.status("state")


class TestQuestions:
    def test_two_paths_are_asked_and_answered(self) -> None:
        """Two steps across a corner give two arrows; a tap plays one."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)

        table.move_pawns({"H1a": "B2"})

        assert ["ambiguous"] == table.status("state")
        arrows = table.status("readings")[0]
        assert [["A2", "B2"], ["B1", "B2"]] == sorted(
            [step["to"] for step in arrow] for arrow in arrows
        )

        table.reader.answer("reading", [walk("H1a", "B1"), walk("H1a", "B2")])

        assert 2 == len(table.walks)
        assert ["in_sync"] == table.status("state")

    def test_accepting_needs_a_choice(self) -> None:
        """With two readings "accept the table" asks which, and a third reading is refused."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        table.move_pawns({"H1a": "B2"})

        with pytest.raises(BoardRefused) as refused:
            table.reader.answer("accept")

        assert "board_choose_reading" == refused.value.message.code
        with pytest.raises(BoardRefused) as refused:
            table.reader.answer("reading", [walk("H1a", "A2")])
        assert "board_no_such_reading" == refused.value.message.code

    def test_a_pawn_that_joined_others_is_offered_after_a_while(self) -> None:
        """By presence, a pawn that leaves A1 and appears nowhere counts as lifted; after 3 s the
        walks to its neighbours are offered.
        """
        table = Table(record({"H1a": "A1", "H1b": "B1", "H2a": "F6"}))

        table.move_pawns({"H1a": "B1"})
        assert ["lifted", []] == table.status("state", "readings")
        table.rest(3)

        assert ["lifted", [[{"type": "walk", "pawn": "H1a", "to": "B1"}]]] == table.status(
            "state", "readings"
        )
        assert "board_in_the_hand" == table.status("message")[0]["code"]
        table.reader.answer("accept")
        assert [walk("H1a", "B1")] == table.walks
        assert ["in_sync"] == table.status("state")

    def test_a_walk_over_a_radar_is_asked(self) -> None:
        """A pawn put back on the radar has landed there and may call it."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR), named=True)

        table.move_pawns({"H1a": "C1"})
        assert ["ambiguous"] == table.status("state")
        assert [] == table.walks
        table.move_pawns({"H1a": "B1"})

        assert [walk("H1a", "B1")] == table.walks
        assert CallRadar(Pawn("H1a")) in table.game.legal()


class TestMistakes:
    @BOTH
    def test_are_shown_after_three_seconds(self, named: bool) -> None:
        """After 3 s with an illegal placement the rule and the differences are shown."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, walls=("A1-B1",)), named=named)

        table.move_pawns({"H1a": "B1"})
        assert ["settling", []] == table.status("state", "differences")
        table.clock.advance(3)

        assert ["unexplained"] == table.status("state")
        assert "wall_between" == table.status("message")[0]["code"]
        assert ["A1", "B1"] == [difference["cell"] for difference in table.status("differences")[0]]
        assert [] == table.walks

        table.move_pawns({"H1a": "A1"})

        assert ["in_sync", [], None] == table.status("state", "differences", "message")

    def test_two_pawns_in_the_air_are_given_three_seconds(self) -> None:
        """Two lifted pawns are an error only after 3 s."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        table.move_pawns({"H1a": None, "H1b": None})
        assert ["lifted", ["A1", "F6"]] == table.status("state", "lifted")
        table.clock.advance(3)

        assert ["unexplained"] == table.status("state")

    def test_one_pawn_in_the_air_is_never_nagged(self) -> None:
        """One lifted pawn is never an error."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)

        table.move_pawns({"H1a": None})
        table.rest(60)

        assert ["lifted", None] == table.status("state", "message")

    def test_cannot_be_accepted(self) -> None:
        """Without a legal reading there is nothing to accept."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        table.move_pawns({"H1a": "F1"})

        with pytest.raises(BoardRefused) as refused:
            table.reader.answer("accept")

        assert "board_nothing_to_accept" == refused.value.message.code

    @BOTH
    def test_agreed_by_hand_are_differences_no_more(self, named: bool) -> None:
        """A position that everybody agreed to set by hand is in sync, and the next walk is
        played.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        table.move_pawns({"H1a": "D4"})
        table.rest(4)
        assert ["unexplained"] == table.status("state")

        for event in table.game.game.set_position(
            table.game.state.public, PositionEdit({Pawn("H1a"): Cell("D4")})
        ):
            table.game.state = table.game.game.evolve(table.game.state, event)
        table.reader.game_changed()
        assert ["in_sync"] == table.status("state")

        table.move_pawns({"H1a": "D3"})
        assert [walk("H1a", "D3")] == table.walks

    @pytest.mark.parametrize("everything", [False, True])
    def test_a_board_gone_mad_kills_nobody(self, everything: bool) -> None:
        """If all cells are reported empty, or all occupied, the differences are shown and the
        record is unchanged.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6", "H2a": "C3", "H2b": "D2"}))
        before = table.game.state
        cells = frozenset(
            Cell(f"{column}{row}") for column in "ABCDEF" for row in range(1, 7) if everything
        )

        for _ in range(20):
            table.clock.advance(0.25)
            table.reader.observe(Observation("serial", table.clock.monotonic(), occupied=cells))

        assert before == table.game.state
        assert ["unexplained"] == table.status("state")
        assert "board_many_changes" == table.status("message")[0]["code"]

    @BOTH
    def test_in_the_night_are_shown_in_public_words(self, named: bool) -> None:
        """A pawn that moves in the night is unexplained, and stays so when the day comes."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        table.play(END)

        table.move_pawns({"H1a": "B1"})
        table.clock.advance(3)
        assert "board_not_now" == table.status("message")[0]["code"]
        table.play(END)

        assert ["unexplained", 1] == [table.status("state")[0], len(table.status("readings")[0])]
        assert walk("H1a", "B1") not in table.walks


class TestOwedRemovals:
    @BOTH
    def test_are_named_at_once(self, named: bool) -> None:
        """After an attack the killed pawn and its cell are named without waiting."""
        table = table_after_attack(named)

        assert [[{"pawn": "H2b", "cell": "D4"}]] == table.status("owed")
        assert {
            "code": "board_remove_pawn",
            "params": {"pawn": "H2b", "cell": "D4"},
        } == table.status("message")[0]

    @BOTH
    def test_come_before_any_walk(self, named: bool) -> None:
        """Until the killed pawn is removed, no walk is matched."""
        table = table_after_attack(named)

        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert walk("H1a", "B1") not in table.walks

    @BOTH
    def test_done_the_game_goes_on(self, named: bool) -> None:
        """Once it is removed, walks are matched again."""
        table = table_after_attack(named)

        table.move_pawns({"H2b": None})
        assert ["in_sync", []] == table.status("state", "owed")
        table.move_pawns({"H1a": "B1"})

        assert walk("H1a", "B1") in table.walks

    @BOTH
    def test_beside_a_walk_are_asked(self, named: bool) -> None:
        """A walk in the same settling window is asked, and stays asked."""
        table = table_after_attack(named)

        table.move_pawns({"H2b": None, "H1a": "B1"})
        table.rest(10)

        assert ["ambiguous"] == table.status("state")
        assert walk("H1a", "B1") not in table.walks
        table.reader.answer("accept")
        assert walk("H1a", "B1") in table.walks
        assert ["in_sync"] == table.status("state")

    def test_set_down_beside_are_asked(self) -> None:
        """By presence a dead pawn put on the next tile looks like a living one that leaves D6:
        never matched.
        """
        table = table_after_attack(named=False)
        walks = list(table.walks)

        table.move_pawns({"H2b": "D5"})
        table.rest(10)

        assert ["ambiguous"] == table.status("state")
        assert walks == table.walks

    @BOTH
    def test_hold_up_the_radar(self, named: bool) -> None:
        """While a removal is owed, no secret-derived answer is given."""
        table = table_after_attack(named)

        message = table.reader.blocking_reason(Shoot(Pawn("H1a"), "N"))

        assert Message("board_holdup", {"cell": "D4"}) == message
        table.move_pawns({"H2b": None})
        assert table.reader.blocking_reason(Shoot(Pawn("H1a"), "N")) is None

    @BOTH
    def test_survive_a_lost_link(self, named: bool) -> None:
        """A board that was disconnected during the attack still asks to remove the pawn."""
        table = Table(record({"H1a": "A1", "H1b": "F6", "H2a": "C6", "H2b": "D4"}), named=named)
        table.reader.link_changed(Link("silent", generation=1))
        table.play(END)
        table.play(END)
        table.play(Attack(Cell("D4")), End())
        table.reader.link_changed(Link("up", generation=2))
        table.rest()

        assert [[{"pawn": "H2b", "cell": "D4"}]] == table.status("owed")


class TestTheRecordMovesFirst:
    @BOTH
    def test_an_undo_ends_in_a_board_check(self, named: bool) -> None:
        """After an undo the moved pawn must be put back, and its walk is not played again."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        before = table.game.state
        table.move_pawns({"H1a": "B1"})
        table.game.state = before
        table.reader.game_changed()
        table.rest(10)

        assert 1 == len(table.walks)
        assert ["unexplained"] == table.status("state")
        assert "board_differs" == table.status("message")[0]["code"]

        table.move_pawns({"H1a": "A1"})

        assert ["in_sync"] == table.status("state")
        table.move_pawns({"H1a": "A2"})
        assert walk("H1a", "A2") in table.walks

    @BOTH
    def test_a_killed_pawn_that_returns_is_put_back(self, named: bool) -> None:
        """Undoing a kill asks to put the pawn back on its cell."""
        table = Table(record({"H1a": "A1", "H1b": "F6", "H2a": "C6", "H2b": "D4"}), named=named)
        table.play(END)
        table.play(END)
        before = table.game.state
        table.play(Attack(Cell("D4")), End())
        table.move_pawns({"H2b": None})
        table.game.state = before
        table.reader.game_changed()

        assert ["unexplained", []] == table.status("state", "owed")
        assert [("D4", ["H2b"], False)] == [
            (each["cell"], each["expected"], each["occupied"])
            for each in table.status("differences")[0]
        ]

    @BOTH
    def test_a_walk_from_a_phone_is_never_walked_back(self, named: bool) -> None:
        """A pawn that a phone moved must be set there; its old cell is not read as a walk back."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, actions_left=3), named=named)

        table.play(walk("H1a", "B1"))
        table.rest(10)

        assert [walk("H1a", "B1")] == table.walks
        assert ["unexplained"] == table.status("state")
        table.move_pawns({"H1a": "B1"})
        assert ["in_sync"] == table.status("state")

    @BOTH
    def test_a_walk_from_a_phone_while_the_diagnostics_are_read(self, named: bool) -> None:
        """A record that changes while the diagnostics are read is compared at once."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)

        def view() -> tuple[Game, View] | None:
            present = table.game.view()
            if not table.walks:
                table.play(walk("H1a", "B1"))
            return present

        table.reader._view = view
        table.reader.diagnostics()

        assert ["unexplained"] == table.status("state")
        assert ["A1", "B1"] == [difference["cell"] for difference in table.status("differences")[0]]

    @BOTH
    def test_a_walk_from_a_phone_while_an_answer_is_refused(self, named: bool) -> None:
        """A record that changes while an answer is refused is compared too."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)

        def change_record(explanation: object) -> None:
            table.play(walk("H1a", "B1"))
            raise BoardRefused("board_nothing_to_accept")

        table.reader._accept = change_record  # type: ignore[method-assign]
        with pytest.raises(BoardRefused):
            table.reader.answer("accept")

        assert ["unexplained"] == table.status("state")

    @BOTH
    def test_a_walk_from_a_phone_while_a_pawn_is_in_the_air(self, named: bool) -> None:
        """The phone's pawn must still be set; the other pawn's landing in the same window is
        asked.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6"}, actions_left=3), named=named)
        table.move_pawns({"H1a": None})
        table.play(walk("H1b", "F5"))

        table.move_pawns({"H1a": "B1", "H1b": "F5"})
        table.rest(10)

        assert [walk("H1b", "F5")] == table.walks
        table.reader.answer("accept")
        assert [walk("H1b", "F5"), walk("H1a", "B1")] == table.walks

    def test_a_bullet_taken_by_the_table_is_to_be_picked_up_where_it_is_seen(self) -> None:
        """On a board that reads tags a taken token blocks until it is removed."""
        table = Table(
            record({"H1a": "A1", "H1b": "F6"}, (".o....", *BLANK[1:]), actions_left=3), named=True
        )

        def observe() -> None:
            table.reader.observe(by_name(table.placement, table.clock.monotonic(), tokens=True))

        table.observe = observe  # type: ignore[method-assign]
        table.move_pawns({"H1a": "B1"})
        table.play(TakeBullet(Pawn("H1a")))

        assert {
            "code": "board_remove_token",
            "params": {"token": "bullet", "cell": "B1"},
        } == table.status("message")[0]
        table.move_pawns({}, taken_tokens=("B1",))
        assert ["in_sync"] == table.status("state")


@BOTH
class TestSetUp:
    def table_at_set_up(self, named: bool, missing: Mapping[str, str | None]) -> Table:
        """Return a table with a new game, before some of its pieces are placed."""
        table = Table(
            record({"H1a": "A1", "H1b": "F6", "H2a": "C3"}, actions_left=3),
            named=named,
            begin=False,
        )
        table.start = table.game.present
        table.placement = moved(table.placement, missing)
        table.reader.link_changed(UP)
        return table

    @pytest.mark.slow
    def test_is_no_fault(self, named: bool) -> None:
        """Until all pieces have been placed once, missing pieces are shown as the rest of the
        set-up, without a time limit.
        """
        table = self.table_at_set_up(named, {"H1a": None, "H1b": None, "H2a": None})

        table.rest(30)
        assert ["setting_up", None] == table.status("state", "message")
        assert ["A1", "C3", "F6"] == [
            difference["cell"] for difference in table.status("differences")[0]
        ]
        table.move_pawns({"H1a": "A1"})
        assert ["C3", "F6"] == [difference["cell"] for difference in table.status("differences")[0]]
        table.move_pawns({"H1b": "F6", "H2a": "C3"})

        assert ["in_sync"] == table.status("state")
        assert {"settling", "setting_up", "in_sync", "off"} >= {
            change["state"] for change in table.changes
        }

    def test_done_what_differs_is_a_difference(self, named: bool) -> None:
        """Once all pieces have been placed, a pawn on another cell is a difference."""
        table = self.table_at_set_up(named, {"H1a": None})
        table.move_pawns({"H1a": "A1"})

        table.move_pawns({"H1a": "D4"})
        table.rest(4)

        assert ["unexplained"] == table.status("state")

    def test_ends_with_the_first_walk(self, named: bool) -> None:
        """After a walk on a phone the pieces still missing are differences."""
        table = self.table_at_set_up(named, {"H2a": None})
        table.rest()

        table.play(walk("H1a", "B1"))
        table.rest()

        assert ["unexplained"] == table.status("state")

    def test_a_walk_before_its_end_is_asked(self, named: bool) -> None:
        """A first walk that the board did not see happen, since its link was lost, is not part of
        the set-up: it may be accepted.
        """
        table = self.table_at_set_up(named, {"H1a": "B1"})
        table.rest()
        assert ["unexplained"] == table.status("state")

        table.reader.answer("accept")

        assert "B1" == table.game.present.public.pawns["H1a"]
        assert ["in_sync"] == table.status("state")

    def test_of_the_next_game(self, named: bool) -> None:
        """A game that follows another one has its set-up too."""
        table = self.table_at_set_up(named, {})
        table.rest()
        assert ["in_sync"] == table.status("state")

        table.game.state = record({"H1a": "F1", "H1b": "A6", "H2a": "C3"}).state
        table.start = table.game.present
        table.reader.game_changed()

        assert ["setting_up"] == table.status("state")


class TestAVirtualBoard:
    def virtual_table(self) -> Table:
        """Return a table whose virtual board takes the record's placement."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR, actions_left=3), named=True)

        def lay(placement: Placement) -> bool:
            table.placement = placement
            return True

        table.lay = lay
        return table

    def test_is_laid_when_the_record_changes(self) -> None:
        """A tapped walk is made on the virtual board without a fault in between."""
        table = self.virtual_table()
        table.changes.clear()

        table.play(walk("H1a", "B1"))
        assert table.game.placement == table.placement
        table.rest()

        assert ["settling", "in_sync"] == [change["state"] for change in table.changes]

    def test_answers_at_once(self) -> None:
        """A radar that is called right after a tapped walk is not held up by earlier
        observations.
        """
        table = self.virtual_table()

        table.play(walk("H1a", "B1"))

        assert table.reader.blocking_reason(CallRadar(Pawn("H1a"))) is None

    def test_is_put_back(self) -> None:
        """A wrong placement on it is shown, and *Put it back* restores it at once."""
        table = self.virtual_table()
        table.move_pawns({"H1b": "D4"})
        table.rest(4)
        assert ["unexplained"] == table.status("state")

        table.reader.answer("put_back")
        assert ["settling"] == table.status("state")
        table.rest()

        assert table.game.placement == table.placement
        assert ["in_sync"] == table.status("state")

    def test_that_is_not_laid_is_shown(self) -> None:
        """If the restored placement is changed again, the table reports it and blocks a radar."""
        table = self.virtual_table()
        table.play(walk("H1a", "B1"))

        table.move_pawns({"H1b": "D4"})
        table.rest(4)

        assert ["unexplained"] == table.status("state")
        assert table.reader.blocking_reason(CallRadar(Pawn("H1a"))) is not None

    def test_keeps_what_hands_do(self) -> None:
        """After a walk by hand the virtual board is not set again."""
        table = self.virtual_table()
        laid: list[Placement] = []

        def lay(placement: Placement) -> bool:
            laid.append(placement)
            return True

        table.lay = lay
        table.move_pawns({"H1a": "B1"})

        assert [walk("H1a", "B1")] == table.walks
        assert [] == laid


class TestDisclosures:
    @BOTH
    def test_are_held_up_while_table_and_record_differ(self, named: bool) -> None:
        """While a pawn is moved, lifted or not at rest there is no answer, and the cell is
        named.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR), named=named)
        table.move_pawns({"H1a": "B1"})
        radar = CallRadar(Pawn("H1a"))
        assert table.reader.blocking_reason(radar) is None

        table.placement = moved(table.placement, {"H1b": "A6"})
        table.observe()

        assert Message("board_holdup", {"cell": "A6"}) == table.reader.blocking_reason(radar)

    def test_behind_a_walk_in_one_submission_are_held_up(self) -> None:
        """For the view after the walk, the reader reports that the pawn is not on that cell."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, RADAR))
        view = GAME.preview(table.game.present, walk("H1a", "B1"))

        message = table.reader.blocking_reason(CallRadar(Pawn("H1a")), (GAME, view))

        assert Message("board_holdup", {"cell": "A1"}) == message

    @BOTH
    def test_of_nothing_are_never_held_up(self, named: bool) -> None:
        """Walks and ends are never held up."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        table.move_pawns({"H1a": None})

        assert table.reader.blocking_reason(walk("H1b", "F5")) is None
        assert table.reader.blocking_reason(END) is None

    @BOTH
    def test_go_on_without_a_board(self, named: bool) -> None:
        """A board that is lost or ignored holds up nothing."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        table.move_pawns({"H1a": None})
        shot = Shoot(Pawn("H1a"), "N")
        assert table.reader.blocking_reason(shot) is not None

        table.reader.answer("ignore")
        table.rest()
        assert table.reader.blocking_reason(shot) is None
        table.reader.answer("listen")
        table.rest()
        assert table.reader.blocking_reason(shot) is not None
        table.reader.link_changed(Link("silent", generation=1))

        assert table.reader.blocking_reason(shot) is None


class TestLinks:
    @BOTH
    def test_a_new_source_begins_with_a_comparison(self, named: bool) -> None:
        """Differences in a board's first observation are shown, never played."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named, begin=False)
        table.reader.link_changed(UP)
        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert [] == table.walks
        assert ["unexplained", "serial", "up"] == table.status("state", "source", "link")
        table.reader.answer("accept")
        assert [walk("H1a", "B1")] == table.walks

    @BOTH
    @pytest.mark.parametrize(
        "away",
        [Link("silent", generation=1, message=Message("link.silent")), Link("up", generation=2)],
    )
    def test_a_returning_source_begins_with_a_comparison(self, named: bool, away: Link) -> None:
        """A change while the board was disconnected, or before it restarted, is never played."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=named)
        turn = table.game.state
        table.reader.link_changed(away)
        table.placement = moved(table.placement, {"H1a": "B1"})
        table.reader.link_changed(Link("up", generation=2))
        table.rest(10)

        assert turn == table.game.state
        assert ["unexplained"] == table.status("state")

    def test_a_silent_board_is_shown(self) -> None:
        """Link trouble is shown before anything else, and the state is off."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        table.reader.link_changed(Link("silent", generation=1, message=Message("link.silent")))

        assert ["silent", "off", {"code": "link.silent", "params": {}}] == table.status(
            "link", "state", "message"
        )

    def test_the_board_s_functions_are_shown(self) -> None:
        """Capabilities, port and firmware go with the status."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        table.reader.link_changed(
            Link("up", "/dev/ttyUSB0", "1.2", caps=frozenset({"uid", "rssi"}), generation=1)
        )

        assert [["rssi", "uid"], "/dev/ttyUSB0", "1.2"] == table.status("caps", "port", "firmware")


class TestAnswers:
    def test_put_back_waits_for_it(self) -> None:
        """*Put it back* shows the differences, and nothing is matched until the table is in
        sync.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        table.move_pawns({"H1a": "B2"})
        table.reader.answer("put_back")
        table.move_pawns({"H1a": "B1"})

        assert [] == table.walks
        assert ["unexplained"] == table.status("state")
        table.move_pawns({"H1a": "A1"})
        assert ["in_sync"] == table.status("state")

    def test_ignoring_leaves_the_board_out(self) -> None:
        """An ignored board changes nothing until it is switched on again; then the reader compares
        first.
        """
        table = Table(record({"H1a": "A1", "H1b": "F6"}))
        table.reader.answer("ignore")
        table.move_pawns({"H1a": "B1"})
        assert ["ignored", "off"] == table.status("source", "state")

        table.reader.answer("listen")
        table.rest(10)

        assert [] == table.walks
        assert ["serial", "unexplained"] == table.status("source", "state")

    def test_that_do_not_exist_are_refused(self) -> None:
        """There are five."""
        with pytest.raises(BoardRefused) as refused:
            Table(record({"H1a": "A1"})).reader.answer("shrug")

        assert "board_no_such_answer" == refused.value.message.code


class TestStatus:
    def test_changes_are_published_once_each(self) -> None:
        """A walk makes two changes of the status: settling, then in sync."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))
        table.changes.clear()

        table.move_pawns({"H1a": "B1"})
        table.rest(10)

        assert ["settling", "in_sync"] == [change["state"] for change in table.changes]

    def test_without_a_game_the_board_is_off(self) -> None:
        """In the lobby and after the end nothing is compared."""
        reader = BoardReader(lambda: None, record({"H1a": "A1"}).submit, SimulatedClock())
        reader.link_changed(UP)
        for at in (0.0, 1.0, 2.0):
            reader.observe(Observation("serial", at, occupied=frozenset()))

        assert "off" == reader.status()["state"]
        assert reader.blocking_reason(Shoot(Pawn("H1a"), "N")) is None

    def test_cells_without_a_claim_are_named(self) -> None:
        """An unknown cell is part of the status, not a difference."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        def observe() -> None:
            table.reader.observe(
                by_presence(table.placement, table.clock.monotonic(), frozenset({Cell("F6")}))
            )

        table.observe = observe  # type: ignore[method-assign]
        table.move_pawns({"H1b": None})

        assert ["in_sync", ["F6"]] == table.status("state", "unknown")

    def test_diagnostics_show_each_cell(self) -> None:
        """Each cell shows the observed and the expected pawns, and the age of the observation."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        table.reader.attach_diagnostics(lambda: {"frames": 7})
        table.move_pawns({"H1a": "B1"})

        diagnostics = table.reader.diagnostics()

        assert {"frames": 7} == diagnostics["source"]
        assert (["H1a"], ["H1a"], 1.0) == tuple(
            diagnostics["cells"]["B1"][name] for name in ("pawns", "expected", "age")
        )
        assert ([], []) == (
            diagnostics["cells"]["A1"]["pawns"],
            diagnostics["cells"]["A1"]["expected"],
        )

    def test_the_table_may_call_back_at_any_moment(self) -> None:
        """A table that calls `game_changed` and `status` within `submit` never waits."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))
        submit_to_game = table.game.submit

        def submit(seat: Seat, actions: list[Action]) -> None:
            submit_to_game(seat, actions)
            table.reader.game_changed()
            table.reader.status()
            table.reader.blocking_reason(Shoot(Pawn("H1a"), "N"))

        table.reader._submit = submit
        table.move_pawns({"H1a": "B1"})

        assert ["in_sync"] == table.status("state")


def test_the_holder_of_the_table_s_lock_never_waits_for_the_reader() -> None:
    """While a walk waits for the table, the table may call `blocking_reason` and `game_changed`;
    the change is compared afterwards.
    """
    table = Table(record({"H1a": "A1", "H1b": "F6"}))
    waiting, free = threading.Event(), threading.Event()
    submit_to_game = table.game.submit

    def submit(seat: Seat, actions: list[Action]) -> None:
        waiting.set()
        assert free.wait(60)
        submit_to_game(seat, actions)

    table.reader._submit = submit
    serial = threading.Thread(target=table.move_pawns, args=({"H1a": "B1"},))
    serial.start()
    assert waiting.wait(60)

    assert table.reader.blocking_reason(Shoot(Pawn("H1a"), "N")) is not None
    table.reader.game_changed()
    assert "settling" == table.reader.status()["state"]
    free.set()
    serial.join(60)

    assert ["in_sync"] == table.status("state")


def random_turn(game: Record, rng: Random, max_walks: int) -> list[Walk]:
    """Return up to `max_walks` consecutive legal walks of the seat to move."""
    view, walks = game.present, []
    for _ in range(rng.randint(1, max_walks)):
        options = [action for action in GAME.physical_actions(view) if isinstance(action, Walk)]
        if options:
            walks.append(rng.choice(options))
            view = GAME.preview(view, walks[-1])
    return walks


def walk_by_hand(table: Table, walks: list[Walk], rng: Random) -> None:
    """Make the walks by moving pawns: several in one window, lifted first or one after another."""
    if rng.random() < 0.3:
        table.placement = moved(table.placement, {str(each.pawn): None for each in walks})
        table.observe()
    for each in walks:
        table.placement = moved(table.placement, {str(each.pawn): each.to})
        table.observe()
        if rng.random() < 0.5:
            table.rest()
    table.rest()


@BOTH
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
@pytest.mark.slow
def test_whatever_is_matched_is_what_is_seen(named: bool, seed: int, players: int) -> None:
    """In random play by hand, the actions that the reader plays lead to exactly the placement that
    it observes.
    """
    rng = Random(seed)
    table = Table(random_game(players, seed), named=named)
    observe = by_name if named else by_presence
    for _ in range(8):
        if GAME.outcome(table.game.state.public) is not None:
            return
        if GAME.secret_seat(table.game.state.public) is not None:
            table.play(END)
            continue
        walk_by_hand(table, random_turn(table.game, rng, 2), rng)
        state = table.reader.status()["state"]
        in_sync = not differing_cells(table.game.placement, observe(table.placement))
        assert in_sync == (state == "in_sync")
        if not in_sync:
            table.placement = table.game.placement
            table.rest()
        table.play(END)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_one_walk_by_name_is_never_asked(seed: int, players: int) -> None:
    """By name, a single walk is always matched as that walk."""
    rng = Random(seed)
    table = Table(random_game(players, seed), named=True)
    for _ in range(2):
        (each,) = random_turn(table.game, rng, 1)
        table.move_pawns({str(each.pawn): each.to})

        assert each == table.walks[-1]


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_window_of_walks_by_name_is_read_right_or_asked(seed: int) -> None:
    """By name, a whole turn in one window is read as the same walks, or the true order is among the
    readings.
    """
    rng = Random(seed)
    table = Table(random_game(2, seed), named=True)
    before = table.game.state
    walks = random_turn(table.game, rng, 3)
    table.placement = moved(table.placement, {str(each.pawn): each.to for each in walks})
    table.rest()
    state, readings = table.status("state", "readings")

    if state == "ambiguous":
        truth = [{"type": "walk", "pawn": each.pawn, "to": each.to} for each in walks]
        shortest = min(len(reading) for reading in readings)
        outcomes = {_end(before, reading) for reading in readings}
        assert len(truth) > shortest or _end(before, truth) in outcomes
    else:
        assert "in_sync" == state


def _end(state: State, reading: list[dict[str, Any]]) -> str:
    view = View(H1, state.public)
    for step in reading:
        view = GAME.preview(view, Walk(pawn=Pawn(step["pawn"]), to=Cell(step["to"])))
    return repr(GAME.encode_view(view))


def test_the_cardboard_of_tests_is_a_placement() -> None:
    """`moved` changes the cells of pawns and nothing else."""
    table: Placement = moved(Placement({Cell("A1"): frozenset({Pawn("H1a")})}), {"H1a": "B1"})

    assert Placement({Cell("B1"): frozenset({Pawn("H1a")})}) == table


class TestDoubts:
    """The reader asks about ambiguities of a board that reads tags."""

    def observe_ambiguities(self, table: Table, *ambiguities: Ambiguity) -> None:
        """Send observations with these ambiguities until the table rests."""
        for _ in range(8):
            observation = by_name(table.placement, table.clock.monotonic())
            doubtful_pawns = {ambiguity.name for ambiguity in ambiguities}
            pawns = {
                cell: frozenset(pawn for pawn in names if pawn not in doubtful_pawns)
                for cell, names in (observation.pawns or {}).items()
            }
            unknown = frozenset(
                cell
                for ambiguity in ambiguities
                for cell in ambiguity.cells
                if ambiguity.what != "tile"
            )
            pawns = {cell: names for cell, names in pawns.items() if names}
            table.reader.observe(
                replace(observation, pawns=pawns, unknown=unknown, ambiguities=ambiguities)
            )
            table.clock.advance(0.25)

    def asks(self, table: Table) -> list[tuple[str, dict[str, Any]]]:
        return [(ask["code"], ask["params"]) for ask in table.reader.status()["asks"]]

    def test_a_pawn_between_two_cells_is_asked_and_never_walks(self) -> None:
        """It is named with both cells, and its possible walk is not played."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)

        self.observe_ambiguities(table, Ambiguity("pawn", "H1a", (Cell("B1"), Cell("A1"))))

        assert [
            ("board_straighten_pawn", {"pawn": "H1a", "cell": "B1", "other": "A1"})
        ] == self.asks(table)
        assert [] == table.walks
        table.move_pawns({"H1a": "B1"})
        assert ([], [walk("H1a", "B1")]) == (self.asks(table), table.walks)

    def test_each_thing_has_its_words(self) -> None:
        """Pawns, tokens and tiles each have their own question, asked once."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        a, b, c = Cell("A2"), Cell("B2"), Cell("C2")

        self.observe_ambiguities(
            table,
            Ambiguity("pawn", "H1b", (a, b, c)),
            Ambiguity("token", "bullet", (a, b)),
            Ambiguity("token", "bat", (a, b, c)),
            Ambiguity("tile", "5", (b,), "turn"),
            Ambiguity("tile", "6", (c,), "crowd"),
            Ambiguity("tile", "7", (c,), "crowd"),
            Ambiguity("tile", "8", (a, b)),
        )

        assert [
            "board_centre_pawn", "board_straighten_token", "board_centre_token", "board_turn_tile",
            "board_one_tile", "board_straighten_tile",
        ] == [code for code, _ in self.asks(table)]  # fmt: skip

    def test_nothing_is_asked_of_a_silent_board(self) -> None:
        """A board that is silent or ignored asks nothing."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}), named=True)
        ambiguity = Ambiguity("tile", "5", (Cell("B2"),), "turn")

        self.observe_ambiguities(table, ambiguity)
        assert [("board_turn_tile", {"cell": "B2"})] == self.asks(table)
        table.reader.answer("ignore")
        assert [] == self.asks(table)
        table.reader.answer("listen")
        self.observe_ambiguities(table, ambiguity)
        table.reader.link_changed(Link("silent", generation=1))
        assert [] == self.asks(table)
