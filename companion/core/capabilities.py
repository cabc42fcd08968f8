"""Define what a game may offer beside its rules: bots, a replay, a print kit, hints.

A `Game` sets them in class attributes; None if it has none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, ClassVar, NamedTuple

from msgspec import Struct

from companion.core.game import (
    Action,
    Event,
    Message,
    PublicEvent,
    Seat,
    State,
    View,
)
from companion.core.placement import Cell
from companion.core.search_budget import SearchBudget


class Moment(Struct, frozen=True):
    """One event, public or private, and the state after it."""

    event: Event
    state: State


class Bot(ABC):
    """A program that plays one seat. Must override both methods."""

    @abstractmethod
    def observe(self, event: Event) -> None:
        """Observe the next event that the seat receives, public or its own."""

    @abstractmethod
    def act(self, view: View) -> list[Action]:
        """Return the next action of the seat, which is to move, or its whole secret turn."""


class HistoryBot(Bot):
    """A bot that decides by a function and keeps no plan.

    decide: returns the actions of a seat from its view and from all events that it received
    """

    def __init__(self, decide: Callable[[View, Sequence[Event]], list[Action]]) -> None:
        self._decide = decide
        self._events: list[Event] = []

    def observe(self, event: Event) -> None:
        self._events.append(event)

    def act(self, view: View) -> list[Action]:
        return self._decide(view, self._events)


class Bots(ABC):
    """The bots of one game.

    Must override: `levels`, `sides`, `make`, and `side_of` or `side_before`.
    """

    levels: ClassVar[tuple[str, ...]]
    """The names of the levels of play, the weakest first."""
    sides: ClassVar[tuple[str, str]]
    """The two sides, by the names of `Outcome.winner`; scores are those of the first."""
    by_hand: ClassVar[frozenset[str]] = frozenset()
    """The types of actions that a person makes on a real board for the bot."""

    @abstractmethod
    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        """Return a bot that has received no event; `budget` is for each decision."""

    def side_of(self, state: State, seat: Seat) -> str:
        """Return the side for which a seat plays now; by default `side_before`."""
        side = self.side_before(seat)
        assert side is not None, "a game that deals sides says who has which"
        return side

    def side_before(self, seat: Seat) -> str | None:
        """Return the side for which a seat plays in every game; None if sides are dealt."""
        return None

    def figures(self, history: Sequence[Event]) -> Mapping[str, float]:
        """Return the game's own measurements of a finished game (all its events), by name."""
        return {}

    def bot_actions(self, legal: Sequence[Action]) -> Sequence[Action]:
        """Return a bot's legal actions: no reports about the real table, which only people see."""
        return legal

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        """Return the id of the entry of `Game.choices` that a bot takes before the game begins."""
        return str(rng.choice(offered)["id"])

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat must answer in another's turn.

        view: the public view (`Game.encode_view`)
        """
        return False

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people are reading an answer that the next action removes.

        view: the public view (`Game.encode_view`)
        """
        return False


Annotations = list[dict[str, Any] | None]
"""JSON-ready facts for each moment; None for an event without its own moment."""


class ReplayFormat(NamedTuple):
    """The additions of a game to its replay.

    annotate: returns the facts of each moment beside the public view
    statistics: returns figures of the whole game
    """

    annotate: Callable[[Sequence[Moment]], Annotations]
    statistics: Callable[[Sequence[Moment]], list[Message]]


PrintCatalogues = Mapping[str, Mapping[str, str]]
"""The printed texts: by language, then by code."""


class PrintKit(NamedTuple):
    """The pieces of a game, to print and cut out.

    module: has a function `print_kit` like `draw`. It is imported on request: the PDF library takes
    0.2 s and 11 MB of memory.
    """

    module: str

    def draw(
        self,
        paper: str,
        language: str,
        catalogues: PrintCatalogues,
        address: str | None,
        is_tactile: bool,
    ) -> bytes:
        """Return the kit as a PDF on "A4" or "Letter" paper.

        address: of the joining page; None leaves room to write it
        is_tactile: the pieces have signs to read by touch, and a page says what they mean
        Raises KeyError for a paper, or a language that `catalogues` lacks.
        """
        module: Any = import_module(self.module)
        pdf: bytes = module.print_kit(paper, language, catalogues, address, is_tactile)
        return pdf


class Suggestion(Struct, frozen=True):
    """A good next action, computed from the public events, with its reason.

    reason: one sentence; its numbers follow from the public events
    """

    action: Action
    reason: Message


class Hints(ABC):
    """Fold one game's public events into odds, and suggestions, for the display.

    Must override: `observe`, `odds`. May override: `suggest`.
    """

    @abstractmethod
    def observe(self, event: PublicEvent) -> None:
        """Fold the game's next public event."""

    @abstractmethod
    def odds(self) -> Mapping[Cell, int]:
        """Return the odds of the hidden piece for each cell, in thousandths."""

    def suggest(self) -> Suggestion | None:
        """Return a suggestion for the seat to move; None in a secret turn, or without one.

        Equal events give an equal suggestion with equal work, at every call.
        """
        return None
