"""Reveal secret turns in batches, at times that depend on no secret."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from companion.clock import Clock
from companion.core.game import PublicEvent
from companion.table.entries import Item, Revealed
from companion.table.errors import Refused
from companion.table.events import NightSealed
from companion.table.journal import Journal, JournalPart, locked
from companion.table.run import Night

REVEAL_MARGIN = 1.5
"""Seconds between a commit and the earliest dawn."""
REVEAL_INTERVAL = 2.5
"""Seconds between two batches of one dawn."""


class RevealScheduler(JournalPart):
    """Reveals pending events at their time.

    `night_floor` counts as it was set when the night fell: a later change must not show whether the
    turn was submitted before or after it. A restart in the night starts that time again.

    If the game gives a secret turn a length, it takes exactly that long, independent of the
    submission and its time; `default_turn` acts for a seat that did nothing. A pause stops that
    time, submitted or not, and it starts again afterwards.
    """

    def __init__(self, journal: Journal, clock: Clock, default_turn: Callable[[], Item]) -> None:
        super().__init__(journal)
        self._clock = clock
        self._default_turn = default_turn
        self._night: Night | None = None
        self._fell = clock.monotonic()
        self._floor = 0
        self._span: float | None = None
        self._paused = False
        self._plan = 0
        self._planned = False
        journal.on_commit.append(self.watch)
        self.watch()

    def watch(self) -> None:
        """Plan the next reveal; called after each entry, under the journal's lock."""
        table = self.state
        is_new, resumed = table.run.night is not self._night, self._paused and not table.paused
        self._paused = table.paused
        if is_new:
            self._night, self._fell = table.run.night, self._clock.monotonic()
            self._floor = table.settings.night_floor
            self._span = (
                table.run.running().secret_timer.seconds(table.run.published.public)
                if table.run.night
                else None
            )
        if self._span is not None:
            if is_new or resumed:
                self._plan, self._planned = self._plan + 1, False
                self._clock.call_at(
                    self._clock.monotonic() + self._span, partial(self._end_span, self._plan)
                )
            return
        if not table.run.pending_reveal:
            self._plan, self._planned = self._plan + 1, False
        elif not self._planned:
            self._planned = True
            now = self._clock.monotonic()
            self._reveal_at(
                now + REVEAL_INTERVAL
                if table.run.revealing
                else reveal_time(self._fell, now, self._floor)
            )

    @locked
    def _end_span(self, plan: int) -> None:
        if plan != self._plan or self.state.paused or self.state.run.over:
            return
        try:
            if not self.state.run.pending_reveal:
                self.journal.commit([self._default_turn()])
            table = self.state
            nightfall = self.journal.night_fell(table.run.running(), table.run.state.public)
            self.journal.commit([Revealed(len(table.run.pending_reveal)), *nightfall])
        except Refused:
            # The disk is full: everybody waits until there is room, independent of this turn's
            # actions.
            self._clock.call_at(
                self._clock.monotonic() + REVEAL_INTERVAL, partial(self._end_span, plan)
            )

    def _reveal_at(self, when: float) -> None:
        self._clock.call_at(when, partial(self._reveal, self._plan, when))

    @locked
    def _reveal(self, plan: int, when: float) -> None:
        table = self.state
        if plan != self._plan or not table.run.pending_reveal:
            return
        count = next_batch(table.run.pending_reveal)
        items: list[Item] = [Revealed(count)]
        if count == len(table.run.pending_reveal):
            items += self.journal.night_fell(table.run.running(), table.run.state.public)
        # A full disk delays this batch for everybody, until there is room.
        with suppress(Refused):
            self.journal.commit(items)
        if self.state.run.pending_reveal:
            self._reveal_at(when + REVEAL_INTERVAL)


def reveal_time(nightfall: float, commit: float, floor: float) -> float:
    """Return when to reveal a night: whole seconds after nightfall, at least `floor`.

    So a short turn does not show. `commit` is when the turn was submitted.
    """
    return nightfall + max(floor, math.ceil(commit - nightfall + REVEAL_MARGIN))


def next_batch(events: Sequence[PublicEvent]) -> int:
    """Return how many of a dawn's pending events belong to the next batch.

    The seal is a batch alone. Then each event that discloses a secret opens a batch, and events
    that only follow from it (the end of the night, the next turn) belong to it.
    """
    if not events:
        return 0
    if isinstance(events[0], NightSealed):
        return 1
    for index, event in enumerate(events[1:], start=1):
        if type(event).discloses:
            return index
    return len(events)
