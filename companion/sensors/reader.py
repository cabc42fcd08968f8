"""The board reader: observations and taps in; game actions, questions and a small status out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.clock import Clock
from companion.core.game import Action, Game, GameError, IllegalAction, Message, Seat, View
from companion.core.placement import Cell, Pawn, Placement, Tile
from companion.locks import LockRank, make_lock
from companion.sensors.debounce import AGREEING_SCANS, REST_TIME, Debouncer, same_facts
from companion.sensors.diagnostics import SensorDiagnostics
from companion.sensors.diff import differing_cells
from companion.sensors.explain import Explanation
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.pending import PendingRemovals, ReadState
from companion.sensors.reconcile import (
    Ambiguous,
    InSync,
    Lifted,
    Matched,
    Result,
    Unexplained,
    is_whole_move,
    reconcile,
)
from companion.sensors.status import BoardStatus, ReaderState, to_status


class BoardRefused(GameError, ValueError):
    """Error raised when the reader cannot do what a person asks."""

    code: ClassVar[str] = "board_refused"


def touch_observation(placement: Placement, pawn: Pawn, cell: Cell, at: float) -> Observation:
    """Return the expected table with `pawn` on `cell` instead; raise `BoardRefused`."""
    if not any(pawn in pawns for pawns in placement.pawns.values()):
        raise BoardRefused("board_no_such_pawn", pawn=pawn)
    pawns = {where: others - {pawn} for where, others in placement.pawns.items() if others - {pawn}}
    pawns[cell] = pawns.get(cell, frozenset()) | {pawn}
    return Observation(source="touch", at=at, pawns=pawns)


_Pieces = tuple[Mapping[Cell, frozenset[Pawn]], Mapping[Cell, str]] | None

GRACE_PERIOD = 3.0
"""Seconds before an unexplained table, or a second lifted pawn, counts as a mistake."""


class BoardReader:
    """Compares observations with the record, and submits the one explanation by moves.

    `view` returns the game and the public view of the seat to move, as published to the table (not
    ahead of the pace at which a night is revealed), None while no game runs. `submit` plays
    actions, raises `GameError`, and returns whether it published `next_status` with them.

    view_at_start: returns the view with which the running game began
    on_change: receives each new status
    on_tiles: receives the printed tiles that a source has seen
    lay: receives a new placement, and returns whether it lays the pieces, as a simulated board does

    The callbacks run with the reader's lock held. So neither they nor a holder of the table's lock
    may wait for the reader: only `blocking_reason`, `status` and `game_changed` never wait.
    Sensors are evidence, not commands: the reader never plays an action that discloses.
    """

    def __init__(
        self,
        view: Callable[[], tuple[Game, View] | None],
        submit: Callable[[Seat, list[Action]], bool | None],
        clock: Clock,
        *,
        view_at_start: Callable[[], View | None] = lambda: None,
        on_change: Callable[[dict[str, Any]], None] = lambda status: None,
        on_tiles: Callable[[Mapping[Cell, Tile]], None] = lambda tiles: None,
        lay: Callable[[Placement], bool] = lambda placement: False,
        rest: float = REST_TIME,
        scans: int = AGREEING_SCANS,
        grace_period: float = GRACE_PERIOD,
    ) -> None:
        self._view = view
        self._view_at_start = view_at_start
        self._on_change = on_change
        self._on_tiles = on_tiles
        self._lay_pieces = lay
        self._submit = submit
        self._clock = clock
        self._debouncer = Debouncer(rest, scans)
        self._lock = make_lock(LockRank.BOARD_READER)
        self._stale = False
        self._compared: tuple[Game, View] | None = None
        self._reconciled: tuple[tuple[Any, ...], Result] | None = None
        self._link = Link()
        self._ignored = False
        self._latest: Observation | None = None
        self._settled: Observation | None = None
        self._pending = PendingRemovals()
        self._needs_resync = True
        self._wrong_layout = False
        self._start: View | None = None
        self._setting_up = False
        self._placed_pieces: _Pieces = None
        self._laid_at = -math.inf
        self._grace_period = grace_period
        self._read = ReadState(clock, grace_period, self._grace_period_ended)
        self._status = BoardStatus()
        self._next_status: BoardStatus | None = None
        self._diagnostics = SensorDiagnostics()

    # Input from sources

    def observe(self, observation: Observation) -> None:
        """Handle an observation. Tiles go to `on_tiles` alone: there is nothing to compare."""
        if observation.tiles is not None:
            self._on_tiles(observation.tiles)
        if (
            observation.pawns is None
            and observation.occupied is None
            and observation.tokens is None
        ):
            return
        with self._hold():
            if self._latest is not None and self._latest.source != observation.source:
                self._restart()
            self._latest = observation
            self._diagnostics.record(observation)
            settled = self._debouncer.update(observation, observation.at)
            if settled is not None or self._matches_early(observation):
                self._compare_previous()
                self._settled = observation
                self._compare()
            else:
                self._publish()

    def link_changed(self, link: Link) -> None:
        """Handle the connection's state.

        After a board was lost, found or restarted nothing is submitted before table and game agree.
        """
        with self._hold():
            if link.state != "up" or (link.generation, link.source) != (
                self._link.generation,
                self._link.source,
            ):
                self._restart()
            self._link = link
            self._publish()

    def game_changed(self) -> None:
        """Compare again, as the game may have changed. Never waits."""
        self._stale = True
        self._catch_up()

    # Input from people

    def answer(self, kind: str, actions: Sequence[Action] = ()) -> None:
        """Handle "put_back", "accept", "reading" with its `actions`, "ignore" or "listen".

        Raises `BoardRefused`, or the `GameError` with which the table refused the actions.
        """
        with self._hold():
            match kind:
                case "put_back":
                    self._needs_resync = True
                    self._placed_pieces = None
                    self._read.ask((), None)
                    self._compare()
                case "accept":
                    self._accept(None)
                case "reading":
                    self._accept(tuple(actions))
                case "ignore" | "listen":
                    self._ignored = kind == "ignore"
                    self._restart()
                    self._publish()
                case _:
                    raise BoardRefused("board_no_such_answer")

    def touch(self, pawn: Pawn, cell: Cell) -> None:
        """Handle a tap that puts `pawn` on `cell`: submit the actions, or ask which.

        Raises `BoardRefused` if no legal actions lead there, or the table's own `GameError`.
        """
        with self._hold():
            self._touch(pawn, cell)

    # Queries

    def status(self) -> dict[str, Any]:
        """Return the public status as JSON-ready values. Never waits."""
        return self._status.json()

    def next_status(self) -> dict[str, Any]:
        """Return the status after the actions that are being submitted. Never waits."""
        return (self._next_status or self._status).json()

    def blocking_reason(
        self, action: Action, present: tuple[Game, View] | None = None
    ) -> Message | None:
        """Return why nobody can get a disclosing action's answer now: table and record differ.

        `present`: the game and the public view before the action, if ahead of `view` (after earlier
        actions of the same submission). Never waits for the reader, so the table may call this with
        its own lock held, if `view` may be called there.
        """
        seen = self._latest
        if not action.discloses or seen is None or self._ignored or self._is_laid:
            return None
        present = present or self._view()
        if present is None:
            return None
        game, view = present
        if self._layout_differs(game, view):
            return None
        wrong = sorted(differing_cells(game.placement(view), seen))
        return Message("board_holdup", {"cell": wrong[0]}) if wrong else None

    def diagnostics(self) -> dict[str, Any]:
        """Return per cell the seen and the expected pieces, and since when."""
        with self._hold():
            present = self._view()
            placement = None if present is None else present[0].placement(present[1])
            return {
                "status": self._status.json(),
                **self._diagnostics.to_json(placement, self._clock.monotonic()),
            }

    def attach_diagnostics(self, source: Callable[[], dict[str, Any]]) -> None:
        """Set the function that returns the source's port, frames and errors."""
        self._diagnostics.source = source

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Hold the lock, then compare again if the game changed while it was held."""
        try:
            with self._lock:
                yield
        finally:
            self._catch_up()

    # With the lock held

    def _restart(self) -> None:
        self._latest = self._settled = None
        self._debouncer.reset()
        self._needs_resync = True
        self._start = None
        self._laid_at = -math.inf
        self._read.clear()

    def _compare_previous(self) -> None:
        """Compare the last observation first if the game changed: later moves are of a new turn."""
        present = self._running()
        if (
            present is not None
            and self._settled is not None
            and not self._pending.has_seen(present[1])
        ):
            self._compare()

    def _matches_early(self, observation: Observation) -> bool:
        """Return whether an observation that does not rest yet is a move that cannot continue."""
        present = self._running()
        return (
            present is not None
            and self._debouncer.rests_early(observation.at)
            and is_whole_move(*present, observation, self._reconcile(*present, observation))
        )

    def _reconcile(self, game: Game, view: View, observation: Observation) -> Result:
        """Return the result for an observation; that of an equal one is computed once.

        So it is there already when the table has rested, and people wait for less.
        """
        facts = (game, view, replace(observation, at=0.0), self._pending.pawns)
        if self._reconciled is None or self._reconciled[0] != facts:
            result = reconcile(game, view, observation, self._pending.pawns)
            self._reconciled = facts, result
        return self._reconciled[1]

    def _compare(self, expected: Placement | None = None) -> None:
        """Compare the resting table with the game and submit what matches."""
        present = self._compared = self._running()
        self._read.follow(None if present is None else present[1])
        self._detect_new_game(present)
        if present is None:
            self._pending.reset()
        else:
            self._lay(present[0].placement(present[1]))
        self._wrong_layout = present is not None and self._layout_differs(*present)
        if present is None or self._settled is None or self._ignored or self._wrong_layout:
            self._read.clear()
            self._publish()
            return
        game, view = present
        hand = isinstance(self._read.result, Lifted)
        if self._pending.update(game, view, self._settled, hand):
            self._needs_resync = True
        result: Result = InSync()
        if expected is None or game.placement(view) != expected:
            result = self._reconcile(game, view, self._settled)
        if isinstance(result, Matched) and not self._needs_resync and view.seat is not None:
            self._submit_match(view.seat, result.actions)
            return
        if isinstance(result, InSync):
            self._needs_resync = self._setting_up = False
            self._laid_at = -math.inf
            self._pending.clear()
        self._read.update(result, game.placement(view), self._settled, self._pending.pawns)
        self._publish()

    def _detect_new_game(self, present: tuple[Game, View] | None) -> None:
        """Detect a new game, and the first change of its placement."""
        start = None if present is None else self._view_at_start()
        if start is None or present is None:
            self._start, self._setting_up = None, False
            return
        game, view = present
        is_new, self._start = start != self._start, start
        self._setting_up = (is_new or self._setting_up) and _pieces(
            game.placement(view)
        ) == _pieces(game.placement(start))

    def _lay(self, placement: Placement) -> None:
        """Make a simulated board lay a changed placement that is not there yet."""
        pieces = _pieces(placement)
        if pieces == self._placed_pieces:
            return
        self._placed_pieces, self._laid_at = pieces, -math.inf
        differs = self._latest is None or differing_cells(placement, self._latest)
        if differs and self._lay_pieces(placement):
            self._laid_at = self._clock.monotonic()

    @property
    def _is_laid(self) -> bool:
        """Whether a simulated board was just laid and has not reported it yet."""
        return self._clock.monotonic() - self._laid_at < self._grace_period

    def _layout_differs(self, game: Game, view: View) -> bool:
        """Return whether the board's cells are not those of the game."""
        cells = self._link.cells
        return bool(cells) and not game.placement(view).field <= cells

    def _running(self) -> tuple[Game, View] | None:
        """Return the game and its view while a game is running."""
        present = self._view()
        if present is None or present[0].outcome(present[1].public) is not None:
            return None
        return present

    def _submit_match(self, seat: Seat, actions: Explanation) -> None:
        """Submit matched actions; show a refusal as a difference."""
        try:
            self._submit_and_compare(seat, actions)
        except GameError as refused:
            self._needs_resync = True
            self._read.refusal = refused.message
            self._compare()

    def _submit_and_compare(self, seat: Seat, actions: Explanation) -> None:
        """Submit and compare again: nothing else is matched before both agree."""
        expected = self._expected(actions)
        if expected is not None:
            self._next_status = to_status(_in_sync(self._state()))
        try:
            if self._submit(seat, list(actions)):
                self._status = self._next_status or self._status
        finally:
            self._next_status = None
        self._needs_resync = True
        self._compare(expected)

    def _expected(self, actions: Explanation) -> Placement | None:
        """Return the placement after the actions if it agrees with what rests on the table."""
        present, settled = self._running(), self._settled
        if present is None or settled is None or self._ignored or self._wrong_layout:
            return None
        game, view = present
        try:
            for action in actions:
                view = game.preview(view, action)
        except IllegalAction:
            return None
        placement = game.placement(view)
        return None if differing_cells(placement, settled) else placement

    def _accept(self, explanation: Explanation | None) -> None:
        """Submit this explanation, or the only one for None."""
        readings = self._read.readings
        if not readings:
            raise BoardRefused("board_nothing_to_accept")
        if explanation is None and len(readings) > 1:
            raise BoardRefused("board_choose_reading")
        if explanation is None:
            explanation = readings[0]
        if explanation not in readings:
            raise BoardRefused("board_no_such_reading")
        present = self._running()
        if present is None or present[1].seat is None:
            raise BoardRefused("board_no_game")
        self._submit_and_compare(present[1].seat, explanation)

    def _touch(self, pawn: Pawn, cell: Cell) -> None:
        present = self._running()
        if present is None:
            raise BoardRefused("board_no_game")
        game, view = present
        seen = touch_observation(game.placement(view), pawn, cell, self._clock.monotonic())
        self._read.ask((), None)
        try:
            match reconcile(game, view, seen):
                case Matched(actions) if view.seat is not None:
                    self._submit_and_compare(view.seat, actions)
                case Ambiguous(readings=readings):
                    self._read.ask(readings, view)
                case Unexplained(rule=rule):
                    raise BoardRefused(rule.code, **rule.params)
        finally:
            # Also after a refusal: the earlier question is gone.
            self._publish()

    def _grace_period_ended(self) -> None:
        with self._hold():
            self._publish()

    def _publish(self) -> None:
        status = to_status(self._state())
        if status != self._status:
            self._status = status
            self._on_change(status.json())

    def _state(self) -> ReaderState:
        settled, latest, read = self._settled, self._latest, self._read
        return ReaderState(
            link=self._link,
            ignored=self._ignored,
            wrong_layout=self._wrong_layout,
            latest=latest,
            resting=settled,
            moving=settled is None or latest is None or not same_facts(settled, latest),
            needs_resync=self._needs_resync,
            laid=self._is_laid,
            setting_up=self._setting_up,
            grace_over=read.grace_over,
            result=read.result,
            differences=read.differences,
            asked=read.asked,
            refusal=read.refusal,
            owed=read.owed,
        )

    def _catch_up(self) -> None:
        """Compare again if the game has changed; a thread that holds the lock does it instead."""
        while self._stale and self._lock.acquire(blocking=False):
            try:
                self._stale = False
                if not self._is_compared():
                    self._compare()
            finally:
                self._lock.release()

    def _is_compared(self) -> bool:
        """Return whether the record's present view is the one that was compared last."""
        present, last = self._running(), self._compared
        return present is not None and last is not None and present[1].public is last[1].public


def _in_sync(now: ReaderState) -> ReaderState:
    """Return a situation in which table and record agree."""
    return replace(
        now,
        needs_resync=False,
        laid=False,
        setting_up=False,
        result=InSync(),
        differences=(),
        asked=(),
        refusal=None,
        owed=(),
    )


def _pieces(placement: Placement) -> _Pieces:
    return placement.pawns, placement.tokens
