"""Keep the odds of the running game for displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.capabilities import Hints
from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.games import find_game
from companion.locks import Level, make_lock


class HintCache:
    """The odds of the running game; each event is folded once. Safe from several threads."""

    def __init__(self) -> None:
        self._lock = make_lock(Level.BOT_AID)
        self._game = ""
        self._hints: Hints | None = None
        self._folded: list[PublicEvent] = []

    def likely(self, game: str, events: Sequence[PublicEvent]) -> Mapping[Cell, int]:
        """Return the odds after all public events of a game, in order; none in a game without
        hints.
        """
        with self._lock:
            if game != self._game or self._folded != events[: len(self._folded)]:
                # Something was taken back, or another game is played.
                make = find_game(game).hints
                self._game, self._folded = game, []
                self._hints = None if make is None else make()
            if self._hints is None:
                return {}
            for event in events[len(self._folded) :]:
                self._folded.append(event)
                self._hints.observe(event)
            return self._hints.odds()
