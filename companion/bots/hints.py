"""Keep the odds and the suggestion of the running game for displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.capabilities import Hints, Suggestion
from companion.core.game import Game, PublicEvent
from companion.core.placement import Cell


class HintCache:
    """The odds and the suggestion of the running game, each with its own fold: one thread may
    compute the odds while another computes a suggestion, and no two the same.
    """

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._odds = _Folded(games)
        self._suggestions = _Folded(games)
        self._suggestion: Suggestion | None = None

    def odds(self, game: str, events: Sequence[PublicEvent]) -> Mapping[Cell, int]:
        """Return the odds after all public events of a game, in order; {} without hints."""
        self._odds.fold(game, events)
        return {} if self._odds.hints is None else self._odds.hints.odds()

    def suggest(self, game: str, events: Sequence[PublicEvent]) -> Suggestion | None:
        """Return a suggestion for the seat to move after all public events of a game, in order;
        None in a game without suggestions.
        """
        if self._suggestions.fold(game, events):
            hints, self._suggestion = self._suggestions.hints, None
            if hints is not None:
                self._suggestion = hints.suggest()
        return self._suggestion


class _Folded:
    """The hints of one game and the events that they hold; each event is folded once."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self._games = games
        self.hints: Hints | None = None
        self._game = ""
        self._events: list[PublicEvent] = []

    def fold(self, game: str, events: Sequence[PublicEvent]) -> bool:
        """Fold the events that are new; return whether anything changed."""
        if game == self._game and self._events == events:
            return False
        if game != self._game or self._events != events[: len(self._events)]:
            # An undo, or another game.
            make = self._games[game].hints
            self._game, self._events = game, []
            self.hints = None if make is None else make()
        for event in events[len(self._events) :]:
            self._events.append(event)
            if self.hints is not None:
                self.hints.observe(event)
        return True
