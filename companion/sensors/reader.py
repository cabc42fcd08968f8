"""The board reader: observations and taps in; game actions, questions and a small status out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from msgspec.structs import replace

from companion.clock import Clock
from companion.core.game import Action, Game, GameError, IllegalAction, Message, Seat, View
from companion.core.placement import Cell, Pawn, Placement, Tile
from companion.locks import Level, make_lock
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
    reconcile,
)
from companion.sensors.status import BoardStatus, ReaderState, to_status


class BoardRefused(GameError, ValueError):
    """Error raised when what a person tells the board reader cannot be done."""

    code: ClassVar[str] = "board_refused"


def touch_observation(placement: Placement, pawn: Pawn, cell: Cell, at: float) -> Observation:
    """Return the table as it should look but for `pawn`, which stands on `cell`; raise
    `BoardRefused`.
    """
    if not any(pawn in pawns for pawns in placement.pawns.values()):
        raise BoardRefused("board_no_such_pawn", pawn=pawn)
    pawns = {where: others - {pawn} for where, others in placement.pawns.items() if others - {pawn}}
    pawns[cell] = pawns.get(cell, frozenset()) | {pawn}
    return Observation(source="touch", at=at, pawns=pawns)


_Pieces = tuple[Mapping[Cell, frozenset[Pawn]], Mapping[Cell, str]] | None

GRACE_PERIOD = 3.0
"""Seconds that an unexplained table, or a second pawn in the air, is given before it is called a
mistake.
"""


class BoardReader:
    """Compares what a source sees with the record, and plays the one walk that explains it.

    `view` returns the game and the public view of the seat to move as far as it has been told to
    the table (never ahead of the pace at which a night is published), None while no game runs.
    `submit` plays actions, raises `GameError`, and returns whether it published `next_status` with
    them. Both, and `on_change`, are called with the reader's lock held, so neither they nor whoever
    holds the table's lock may wait for the reader:
    `holdup`, `status` and `record_changed` never wait, everything else may.

    `view_at_start` returns the view with which the running game began. `lay` is told what is to lie
    on the table when that has changed, and returns whether it lays it: a virtual board does. Both
    are called with the lock held.

    Sensors are evidence, never commands: an action that discloses is never played from here.
    """

    def __init__(
        self,
        view: Callable[[], tuple[Game, View] | None],
        submit: Callable[[Seat, list[Action]], bool | None],
        clock: Clock,
        *,
        rest: float = REST_TIME,
        scans: int = AGREEING_SCANS,
        patience: float = GRACE_PERIOD,
    ) -> None:
        self.on_change: Callable[[], None] = _ignore_change
        self.on_tiles: Callable[[Mapping[Cell, Tile]], None] = _ignore_tiles
        self.view_at_start: Callable[[], View | None] = _no_view
        self.lay: Callable[[Placement], bool] = _cannot_lay
        self._view = view
        self._submit = submit
        self._clock = clock
        self._settler = Debouncer(rest, scans)
        self._lock = make_lock(Level.BOARD_READER)
        self._stale = False
        self._compared: tuple[Game, View] | None = None
        self._link = Link()
        self._ignored = False
        self._latest: Observation | None = None
        self._settled: Observation | None = None
        self._owing = PendingRemovals()
        self._held = True
        self._misfit = False
        self._start: View | None = None
        self._setting_up = False
        self._wanted: _Pieces = None
        self._laid_at = -math.inf
        self._patience = patience
        self._finding = ReadState(clock, patience, self._patience_ended)
        self._status = BoardStatus()
        self._next_status: BoardStatus | None = None
        self._picture = SensorDiagnostics()

    # What sources say

    def observe(self, observation: Observation) -> None:
        """Take the whole of what a source sees now; its `at` is the moment. Tiles go to `on_tiles`
        alone: they lie where they were laid, and there is nothing to compare.
        """
        if observation.tiles is not None:
            self.on_tiles(observation.tiles)
        if (
            observation.pawns is None
            and observation.occupied is None
            and observation.tokens is None
        ):
            return
        with self._hold():
            if self._latest is not None and self._latest.source != observation.source:
                self._start_afresh()
            self._latest = observation
            self._picture.note(observation)
            settled = self._settler.settle(observation, observation.at)
            if settled is not None:
                self._hear_of_record()
                self._settled = settled
                self._compare()
            else:
                self._publish()

    def linked(self, link: Link) -> None:
        """Take how the board is connected.

        Lost, found or in another life, it starts again with a comparison, never with an action; the
        turn and what is owed stay as they are.
        """
        with self._hold():
            if link.state != "up" or (link.life, link.source) != (
                self._link.life,
                self._link.source,
            ):
                self._start_afresh()
            self._link = link
            self._publish()

    def record_changed(self) -> None:
        """Compare anew, because the record may have changed. Never waits."""
        self._stale = True
        self._catch_up()

    # What people say

    def answer(self, kind: str, index: int | None = None) -> None:
        """Take one of the ways out: "put_back", "accept", "reading" number `index`, "ignore" or
        "listen".

        Raises `BoardRefused`, or the `GameError` with which the table refused the reading.
        """
        with self._hold():
            self._answer(kind, index)

    def touch(self, pawn: Pawn, cell: Cell) -> None:
        """Take a person's statement that `pawn` stands on `cell`: play the walk, or ask which.

        Raises `BoardRefused` if no legal walk leads there, or the table's own `GameError`.
        """
        with self._hold():
            self._touch(pawn, cell)

    # What others ask

    def status(self) -> dict[str, Any]:
        """Return the public status as JSON-ready values. Never waits."""
        return self._status.json()

    def next_status(self) -> dict[str, Any]:
        """Return the status once the actions are played that are just submitted. Never waits."""
        return (self._next_status or self._status).json()

    def holdup(
        self, seat: Seat, action: Action, present: tuple[Game, View] | None = None
    ) -> Message | None:
        """Return why `seat` cannot be given the answer to a disclosing action now: table and record
        differ.

        `present` is the game and the public view in which the action is to be decided, if that is
        ahead of what `view` returns (the actions before it in one submission). Never waits for the
        reader, so the table may ask while it holds its own lock, if `view` may be called there.
        """
        seen = self._latest
        if not action.discloses or seen is None or self._ignored or self._is_laid:
            return None
        present = present or self._view()
        if present is None:
            return None
        game, view = present
        if self._is_other_field(game, view):
            return None
        wrong = sorted(differing_cells(game.placement(view), seen))
        return Message("board_holdup", {"cell": wrong[0]}) if wrong else None

    def diagnostics(self) -> dict[str, Any]:
        """Return the sensors' live picture: per cell what is seen, what is expected and since
        when.
        """
        with self._hold():
            present = self._view()
            placement = None if present is None else present[0].placement(present[1])
            return {
                "status": self._status.json(),
                **self._picture.picture(placement, self._clock.monotonic()),
            }

    def attach_diagnostics(self, source: Callable[[], dict[str, Any]]) -> None:
        """Let `diagnostics` show what the source knows of itself: port, frames, errors."""
        self._picture.source = source

    @contextmanager
    def _hold(self) -> Iterator[None]:
        """Hold the lock, then compare with the record where it changed meanwhile: who told of it
        did not wait.
        """
        try:
            with self._lock:
                yield
        finally:
            self._catch_up()

    # Within the lock

    def _start_afresh(self) -> None:
        self._latest = self._settled = None
        self._settler.reset()
        self._held = True
        self._start = None
        self._laid_at = -math.inf
        self._finding.nothing()

    def _hear_of_record(self) -> None:
        """Compare what lay there before with a record that has changed meanwhile: a pawn that is
        set down between the change and the word of it was set down in the turn that had begun.
        """
        present = self._running()
        if present is not None and self._settled is not None and not self._owing.knows(present[1]):
            self._compare()

    def _compare(self, expected: Placement | None = None) -> None:
        """Compare what rests on the table with the record, and play what it tells.

        `expected` is a placement that agrees with what rests on the table.
        """
        present = self._compared = self._running()
        self._finding.follow(None if present is None else present[1])
        self._begin(present)
        if present is None:
            self._owing.forget()
        else:
            self._lay(present[0].placement(present[1]))
        self._misfit = present is not None and self._is_other_field(*present)
        if present is None or self._settled is None or self._ignored or self._misfit:
            self._finding.nothing()
            self._publish()
            return
        game, view = present
        hand = isinstance(self._finding.result, Lifted)
        if self._owing.follow(game, view, self._settled, hand):
            self._held = True
        result: Result = InSync()
        if expected is None or game.placement(view) != expected:
            result = reconcile(game, view, self._settled, self._owing.pawns)
        if isinstance(result, Matched) and not self._held and view.seat is not None:
            self._walk(view.seat, result.actions)
            return
        if isinstance(result, InSync):
            self._held = self._setting_up = False
            self._laid_at = -math.inf
            self._owing.settle()
        self._finding.take(result, game.placement(view), self._settled, self._owing.pawns)
        self._publish()

    def _begin(self, present: tuple[Game, View] | None) -> None:
        """Notice a game that is new here, and the first change of what is to lie on the table."""
        start = None if present is None else self.view_at_start()
        if start is None or present is None:
            self._start, self._setting_up = None, False
            return
        game, view = present
        is_new, self._start = start != self._start, start
        self._setting_up = (is_new or self._setting_up) and _pieces(
            game.placement(view)
        ) == _pieces(game.placement(start))

    def _lay(self, placement: Placement) -> None:
        """Have a virtual board laid, if what is to lie there has changed and is not seen there."""
        wanted = _pieces(placement)
        if wanted == self._wanted:
            return
        self._wanted, self._laid_at = wanted, -math.inf
        if (self._latest is None or differing_cells(placement, self._latest)) and self.lay(
            placement
        ):
            self._laid_at = self._clock.monotonic()

    @property
    def _is_laid(self) -> bool:
        """Whether a virtual board was laid just now and has not been seen so yet."""
        return self._clock.monotonic() - self._laid_at < self._patience

    def _is_other_field(self, game: Game, view: View) -> bool:
        """Return whether the board has another field than the game: then it has nothing to say of
        it.
        """
        cells = self._link.cells
        return bool(cells) and not game.placement(view).field <= cells

    def _running(self) -> tuple[Game, View] | None:
        """Return the game and its view while a game goes on."""
        present = self._view()
        if present is None or present[0].outcome(present[1].public) is not None:
            return None
        return present

    def _walk(self, seat: Seat, actions: Explanation) -> None:
        """Play what the sensors tell; a refusal is shown as a difference."""
        try:
            self._play(seat, actions)
        except GameError as refused:
            self._held = True
            self._finding.refusal = refused.said
            self._compare()

    def _play(self, seat: Seat, actions: Explanation) -> None:
        """Submit and compare again: table and record must agree before anything else is matched.

        If the actions lead to what is seen, the table publishes them with the new status at once.
        """
        expected = self._expected(actions)
        if expected is not None:
            self._next_status = to_status(_in_sync(self._situation()))
        try:
            if self._submit(seat, list(actions)):
                self._status = self._next_status or self._status
        finally:
            self._next_status = None
        self._held = True
        self._compare(expected)

    def _expected(self, actions: Explanation) -> Placement | None:
        """Return the placement after the actions if it agrees with what rests on the table."""
        present, settled = self._running(), self._settled
        if present is None or settled is None or self._ignored or self._misfit:
            return None
        game, view = present
        try:
            for action in actions:
                view = game.preview_public(view, action)
        except IllegalAction:
            return None
        placement = game.placement(view)
        return None if differing_cells(placement, settled) else placement

    def _answer(self, kind: str, index: int | None) -> None:
        match kind:
            case "put_back":
                self._held = True
                self._wanted = None
                self._finding.ask((), None)
                self._compare()
            case "accept":
                self._accept(None)
            case "reading":
                self._accept(-1 if index is None else index)
            case "ignore" | "listen":
                self._ignored = kind == "ignore"
                self._start_afresh()
                self._publish()
            case _:
                raise BoardRefused("board_no_such_answer")

    def _accept(self, index: int | None) -> None:
        """Play a reading of those on offer, by its number or, None, the only one."""
        readings = self._finding.readings
        if not readings:
            raise BoardRefused("board_nothing_to_accept")
        if index is None and len(readings) > 1:
            raise BoardRefused("board_choose_reading")
        if not 0 <= (index or 0) < len(readings):
            raise BoardRefused("board_no_such_reading")
        present = self._running()
        if present is None or present[1].seat is None:
            raise BoardRefused("board_no_game")
        self._play(present[1].seat, readings[index or 0])

    def _touch(self, pawn: Pawn, cell: Cell) -> None:
        present = self._running()
        if present is None:
            raise BoardRefused("board_no_game")
        game, view = present
        seen = touch_observation(game.placement(view), pawn, cell, self._clock.monotonic())
        self._finding.ask((), None)
        match reconcile(game, view, seen):
            case Matched(actions) if view.seat is not None:
                self._play(view.seat, actions)
            case Ambiguous(readings=readings):
                self._finding.ask(readings, view)
            case Unexplained(rule=rule):
                raise BoardRefused(rule.code, **rule.params)
        self._publish()

    def _patience_ended(self) -> None:
        with self._hold():
            self._publish()

    def _publish(self) -> None:
        status = to_status(self._situation())
        if status != self._status:
            self._status = status
            self.on_change()

    def _situation(self) -> ReaderState:
        settled, latest, finding = self._settled, self._latest, self._finding
        return ReaderState(
            link=self._link,
            ignored=self._ignored,
            misfit=self._misfit,
            latest=latest,
            resting=settled,
            moving=settled is None or latest is None or not same_facts(settled, latest),
            held=self._held,
            laid=self._is_laid,
            setting_up=self._setting_up,
            waited=finding.waited,
            result=finding.result,
            differences=finding.differences,
            asked=finding.asked,
            refusal=finding.refusal,
            owed=finding.owed,
        )

    def _catch_up(self) -> None:
        """Compare anew if the record has changed; whoever holds the lock will, if it is taken."""
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


def _ignore_tiles(tiles: Mapping[Cell, Tile]) -> None:
    """No one wants to know of tiles."""


def _ignore_change() -> None:
    """Nobody wants to know of changes."""


def _no_view() -> None:
    """Nobody knows with which view the game began."""


def _cannot_lay(placement: Placement) -> bool:
    """Only hands can lay the pieces."""
    return False


def _in_sync(now: ReaderState) -> ReaderState:
    """Return a situation in which table and record agree."""
    return replace(
        now,
        held=False,
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
