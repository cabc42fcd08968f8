"""A final move is played at once; a move that may be part of a longer one waits."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.core.game import Action, Game, State, View
from companion.core.placement import Cell, Pawn, Placement
from companion.games import GAMES
from companion.games.nosferatu.actions import Jump, Move
from companion.sensors import reader
from companion.sensors.debounce import REST_TIME, Debouncer
from companion.sensors.diff import pawn_cells
from companion.sensors.link import Link
from companion.sensors.reader import BoardReader
from companion.sensors.reconcile import Matched, Result, reconcile
from tests.games.nosferatu.test_rules import GAME as NOSFERATU
from tests.games.nosferatu.test_rules import at
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import GAME, Record, by_presence, moved, record
from tests.sensors.test_reader import walk
from tools.secrecy.random_games import random_play

INTERVAL = 0.03
EARLY, LATE = 0.15, 0.9
WITH_HANDS = [game for game in GAMES if type(game).physical_actions is not Game.physical_actions]
"""The games in which hands move pieces."""
EXAMPLES = {"nosferatu": 10}
"""How many slides are tried where a random game takes longer than in the others."""


class Table:
    """A presence board's reader at a record; a `patient` one never matches early."""

    def __init__(self, game: Record, *, patient: bool = False) -> None:
        self.game = game
        self.clock = SimulatedClock()
        self.reader = BoardReader(game.view, game.submit, self.clock)
        if patient:
            self.reader._debouncer = PatientDebouncer()
        self.placement = game.placement
        self.reader.link_changed(Link("up", generation=1))
        self.observe(LATE)

    def observe(self, seconds: float) -> None:
        """Send observations of the placement for some time."""
        for _ in range(round(seconds / INTERVAL)):
            self.clock.advance(INTERVAL)
            self.reader.observe(by_presence(self.placement, self.clock.monotonic()))

    def put(self, moves: dict[str, str | None], seconds: float) -> None:
        """Move pawns (None: lift them) and observe for some time."""
        self.placement = moved(self.placement, moves)
        self.observe(seconds)

    @property
    def played(self) -> list[Action]:
        return [action for _, actions in self.game.submitted for action in actions]


class PatientDebouncer(Debouncer):
    """Waits for the whole settle time."""

    def rests_early(self, now: float) -> bool:
        return False


class TestSteps:
    def test_with_the_last_action_are_played_at_once(self) -> None:
        """A pawn without a second step has reached its target."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, actions_left=1))

        table.put({"H1a": "B1"}, EARLY)

        assert [walk("H1a", "B1")] == table.played
        assert "in_sync" == table.reader.status()["state"]

    def test_that_can_go_on_wait(self) -> None:
        """With two actions a pawn on the next tile may be sliding to another one."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        table.put({"H1a": "B1"}, 0.6)
        assert [] == table.played
        table.put({"H1a": "C1"}, LATE)

        assert [walk("H1a", "B1"), walk("H1a", "C1")] == table.played

    def test_are_explained_before_they_have_rested(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A step that waits is played without another search, which people would wait for."""
        moments: list[float] = []

        def timed(*arguments: Any) -> Result:
            result = reconcile(*arguments)
            if isinstance(result, Matched):
                moments.append(table.clock.monotonic())
            return result

        table = Table(record({"H1a": "A1", "H1b": "F6"}))
        monkeypatch.setattr(reader, "reconcile", timed)
        start = table.clock.monotonic()
        table.put({"H1a": "B1"}, LATE)

        assert [walk("H1a", "B1")] == table.played
        assert 1 == len(moments) and moments[0] < start + REST_TIME

    def test_of_the_second_pawn_are_played_at_once(self) -> None:
        """The first of two steps waits, the second does not."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}))

        table.put({"H1a": "B1"}, LATE)
        table.put({"H1b": "E6"}, EARLY)

        assert [walk("H1a", "B1"), walk("H1b", "E6")] == table.played

    @pytest.mark.parametrize(
        ("start", "moves"),
        [
            ({"H1a": "A1", "H1b": "F6"}, {"H1a": None}),
            ({"H1a": "A1", "H1b": "F6"}, {"H1a": "B1", "H1b": None}),
            ({"H1a": "A1", "H1b": "A1"}, {"H1a": "B1"}),
            ({"H1a": "A1", "H1b": "B1"}, {"H1a": "B1"}),
            ({"H1a": "A1", "H1b": "F6"}, {"H1a": "B2"}),
            ({"H1a": "A1", "H2a": "F6"}, {"H2a": "E6"}),
        ],
        ids=["lifted", "two_hands", "off_a_stack", "joins", "illegal", "another_seat"],
    )
    def test_that_are_not_clear_wait(
        self, start: dict[str, str], moves: dict[str, str | None]
    ) -> None:
        """A lifted pawn, a stack, a change that no single action explains and another seat's pawn
        wait for the whole settle time.
        """
        table = Table(record(start, actions_left=1))

        table.put(moves, 0.6)

        assert [] == table.played

    def test_before_table_and_game_agree_wait(self) -> None:
        """The reader compares a new source first, however clear the step is."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, actions_left=1))
        table.reader.link_changed(Link("up", generation=2))

        table.put({"H1a": "B1"}, LATE)

        assert [] == table.played

    def test_of_a_contact_that_chatters_wait(self) -> None:
        """A contact that changes within the short time moves nothing."""
        table = Table(record({"H1a": "A1", "H1b": "F6"}, actions_left=1))

        for _ in range(3):
            table.put({"H1a": "B1"}, 0.09)
            table.put({"H1a": "A1"}, 0.09)
        table.observe(LATE)

        assert [] == table.played

    def test_of_a_slower_table_wait_longer(self) -> None:
        """The short time is a share of the settle time in the settings."""
        game = record({"H1a": "A1", "H1b": "F6"}, actions_left=1)
        table = Table(game)
        table.reader = BoardReader(game.view, game.submit, table.clock, rest=1.5)
        table.reader.link_changed(Link("up", generation=1))
        table.observe(2.0)

        table.put({"H1a": "B1"}, EARLY)
        assert [] == table.played
        table.observe(EARLY)

        assert [walk("H1a", "B1")] == table.played


@pytest.mark.parametrize(("to", "early"), [("d2", False), ("d6", False), ("d7", True)])
def test_a_line_is_played_at_once_at_its_end_only(to: str, early: bool) -> None:
    """A piece that moves any distance may pass every cell of its line but the last."""
    table = Table(record_of(NOSFERATU, at("s d1 x a1 w g5")))
    line = Move(Pawn("n"), Cell(to))

    table.put({"n": to}, EARLY)
    assert ([line] if early else []) == table.played
    table.observe(LATE)

    assert [line] == table.played


def test_a_capture_waits() -> None:
    """A jump may continue, and the captured piece is removed after it."""
    table = Table(record_of(NOSFERATU, at("s g7 x a1 w b2")))

    table.put({"v1": "c3"}, 0.6)
    assert [] == table.played
    table.put({"m1": None}, LATE)

    assert [Jump(Pawn("v1"), Cell("c3"))] == table.played


def record_of(game: Game, state: State) -> Record:
    """Return the record of a running game."""
    result = Record(state)
    result.game = game
    return result


def human_turn(game: Game, rng: Random) -> State:
    """Return a state of random play in which players may move pieces."""
    turns = [
        before
        for before, seat, *_ in random_play(game, game.seats[0], rng)
        if any(True for _ in moves_of(game, View(seat, before.public)))
    ]
    return rng.choice(turns)


def moves_of(game: Game, view: View) -> Iterator[tuple[Action, Pawn, Placement]]:
    """Yield the actions that move a pawn to another cell, each with the pawn and the placement
    after it.
    """
    before = pawn_cells(game.placement(view))
    for action in game.physical_actions(view):
        after = game.placement(game.preview(view, action))
        for pawn, cell in pawn_cells(after).items():
            if pawn in before and before[pawn] != cell:
                yield action, pawn, after


def slide(game: Game, view: View, rng: Random) -> list[tuple[Pawn, Cell, Placement]]:
    """Return the cells that one pawn passes in consecutive legal actions, each with the placement
    there.
    """
    cells: list[tuple[Pawn, Cell, Placement]] = []
    action, pawn, after = rng.choice(list(moves_of(game, view)))
    while True:
        before = game.placement(view)
        cells += [(pawn, cell, before) for cell in game.cells_passed(view, action)]
        view = game.preview(view, action)
        cells.append((pawn, pawn_cells(after)[pawn], after))
        next_moves = [each for each in moves_of(game, view) if each[1] == pawn]
        if not next_moves or rng.random() < 0.3:
            return cells
        action, _, after = rng.choice(next_moves)


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_HANDS, ids=lambda game: game.name)
def test_nothing_is_read_otherwise_because_it_is_read_early(game: Game) -> None:
    """A pawn that passes through legal actions and rests on each cell for less than the settle time
    is read as by a reader that always waits.
    """

    @settings(max_examples=EXAMPLES.get(game.name, 30), deadline=None)
    @given(seed=st.integers(0, 2**32))
    def reads_alike(seed: int) -> None:
        read_both_ways(game, seed)

    reads_alike()


def read_both_ways(game: Game, seed: int) -> None:
    """Slide a pawn; assert that a reader that matches early reads what one that waits does."""
    rng = Random(seed)
    state = human_turn(game, rng)
    cells = slide(game, View(game.to_move(state.public), state.public), rng)
    pauses = [rng.uniform(0.05, 0.7) for _ in cells]
    tables = [Table(record_of(game, state)), Table(record_of(game, state), patient=True)]
    for table in tables:
        for (pawn, cell, placement), seconds in zip(cells, pauses, strict=True):
            table.placement = moved(placement, {pawn: cell})
            table.observe(seconds)
        table.observe(LATE)

    early, patient = tables
    assert (patient.played, patient.reader.status()) == (early.played, early.reader.status())


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
@pytest.mark.slow
def test_the_last_step_of_a_turn_never_waits(seed: int) -> None:
    """In any position of Vampire Radar, a pawn alone on its tile that takes the turn's last action
    to an empty tile is read within the short time.
    """
    rng = Random(seed)
    game = record_of(GAME, human_turn(GAME, rng))
    steps = [
        (action, pawn, after)
        for action, pawn, after in moves_of(GAME, game.present)
        if game.state.public.actions_left == 1
        and len(game.placement.pawns[pawn_cells(game.placement)[pawn]]) == 1
        and pawn_cells(after)[pawn] not in game.placement.pawns
    ]
    assume(steps)
    action, pawn, after = rng.choice(steps)
    table = Table(game)

    table.put({pawn: pawn_cells(after)[pawn]}, EARLY)

    assert [action] == table.played
