"""Store secret turns and reveal them in batches, at times that depend on no secret."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from companion.clock import Clock
from companion.core.game import PublicEvent
from companion.table.entries import Item, Revealed, Submission
from companion.table.errors import Refused
from companion.table.events import NightSealed
from companion.table.journal import HeldTurn, Journal, JournalPart, locked
from companion.table.run import Night
from companion.table.storage.log import NO_REQUEST

REVEAL_MARGIN = 1.5
"""Seconds between a commit and the earliest dawn."""
STORE_LEAD = 1.0
"""Seconds between the moment at which a turn is stored and its reveal: less than the margin, and
enough for a slow card and for the phone's next message, which asks whether it is stored.
"""
REVEAL_INTERVAL = 2.5
"""Seconds between two batches of one dawn."""


class RevealScheduler(JournalPart):
    """Stores and reveals secret turns at their time.

    A submitted turn is held in memory, so that no write shows when it came; it is stored
    `STORE_LEAD` before its reveal. If the process ends before, the phone submits it again.

    `night_floor` counts as it was set when the night fell: a later change must not show whether the
    turn was submitted before or after it. A restart in the night starts that time again.

    If the game gives a secret turn a length, it takes exactly that long, independent of the
    submission and its time, and is then stored; `default_turn` acts for a seat that did nothing.

    A pause stops the time of a turn that is not stored, submitted or not; it starts again
    afterwards.
    """

    def __init__(
        self, journal: Journal, clock: Clock, default_turn: Callable[[], Submission]
    ) -> None:
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

    def hold(self, turn: HeldTurn) -> None:
        """Take a submitted turn; called under the journal's lock."""
        self.journal.held = turn
        self._plan_reveal()

    def watch(self) -> None:
        """Plan the next reveal; called after each entry, under the journal's lock."""
        table, run = self.state, self.state.run
        is_new, resumed = run.night is not self._night, self._paused and not table.paused
        self._paused = table.paused
        if is_new:
            self._night, self._floor = run.night, table.settings.night_floor
            self._span = (
                run.running().secret_timer.seconds(run.published.public) if run.night else None
            )
        if is_new or run.pending_reveal:
            self.journal.held = None
        begins = resumed or (is_new and not run.revealing)
        if begins:
            self._fell = self._clock.monotonic()
        if begins or self._is_stopped() or not self._is_due():
            self._plan, self._planned = self._plan + 1, False
        self._plan_reveal()

    def _is_due(self) -> bool:
        held = self.journal.held
        return bool(self.state.run.pending_reveal) or held is not None or self._span is not None

    def _is_stopped(self) -> bool:
        return self._paused and not self.state.run.pending_reveal

    def _plan_reveal(self) -> None:
        run = self.state.run
        if self._planned or not self._is_due() or self._is_stopped():
            return
        self._planned = True
        now = self._clock.monotonic()
        if run.revealing:
            self._reveal_at(now + REVEAL_INTERVAL)
        elif self._span is not None:
            self._reveal_at(self._fell + self._span + STORE_LEAD)
        else:
            self._reveal_at(reveal_time(self._fell, now, self._floor))

    def _reveal_at(self, when: float) -> None:
        if not self.state.run.pending_reveal:
            self._clock.call_at(when - STORE_LEAD, partial(self._store, self._plan))
        self._clock.call_at(when, partial(self._reveal, self._plan, when))

    @locked
    def _store(self, plan: int) -> None:
        if plan != self._plan:
            return
        item, request = None, NO_REQUEST
        if self._span is not None:
            # Decided for a seat that acted too: the time that this takes must not tell.
            item = self._default_turn()
        if self.journal.held is not None:
            item, request = self.journal.held.item, self.journal.held.request
        assert item is not None, "a reveal was planned without a turn"
        try:
            self.journal.commit([item], request)
        except Refused:
            self.journal.show_storage()

    @locked
    def _reveal(self, plan: int, when: float) -> None:
        run = self.state.run
        if plan != self._plan:
            return
        if run.pending_reveal:
            is_whole = self._span is not None
            count = len(run.pending_reveal) if is_whole else next_batch(run.pending_reveal)
            items: list[Item] = [Revealed(count)]
            if count == len(run.pending_reveal):
                items += self.journal.night_fell(run.running(), run.state.public)
            # A full disk delays this batch for everybody, until there is room.
            with suppress(Refused):
                self.journal.commit(items)
        if self._plan == plan:
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
