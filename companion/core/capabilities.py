"""Optional interfaces of a game: what a game may offer beside its rules.

A `Game` names the ones it has in its class attributes; what is None is not offered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from companion.core.game import Action, Event, Message, PublicEvent, View
from companion.core.moment import Moment
from companion.core.placement import Cell
from companion.core.search_budget import SearchBudget


class BotPosition(Struct, frozen=True):
    """All that a bot may know when its seat is to act.

    view: what its seat sees
    public_events: every public event of the game, in order
    heard: returns every event that its seat was told, in order
    is_secret: whether the whole turn is one secret submission
    """

    view: View
    public_events: Sequence[PublicEvent]
    heard: Callable[[], Sequence[Event]]
    is_secret: bool


class Bots(ABC):
    """The bots of one game.

    Must override: `levels`, `act`. May override the rest.
    """

    levels: ClassVar[tuple[str, ...]]
    """The names of the levels of play, the weakest first."""
    by_hand: ClassVar[frozenset[str]] = frozenset()
    """The types of actions that a person makes on a real board for the bot."""
    external: ClassVar[bool] = False
    """Whether a seat may be given to an external program. How long a program thinks is seen, so
    that no open turn may depend on what its seat alone knows.
    """

    @abstractmethod
    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        """Return the bot's next action, or its whole secret turn."""

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        """Return the id of the entry of `Game.choices` that a bot takes before the game begins."""
        return str(rng.choice(offered)["id"])

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked something in another seat's turn, in the public `view`
        (`Game.show`).
        """
        return False

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people read an answer that goes away with the next action, in the public
        `view`.
        """
        return False


Annotations = list[dict[str, Any] | None]
"""For each moment what is known of it afterwards, JSON-ready; None for an event that is no moment
of its own.
"""


def describe_fields(event: Event) -> Message:
    """Return a private event's name and plain fields as a message `secret.NAME`."""
    values: dict[str, Any] = msgspec.to_builtins(event)
    code = f"secret.{values.pop('event')}"
    return Message(
        code, {key: value for key, value in values.items() if isinstance(value, str | int)}
    )


class ReplayFormat(NamedTuple):
    """What a game adds to its replay.

    annotate: returns what is known of each moment beside the public view
    statistics: returns what the whole game came to
    describe_private: returns what is said of a private event that is a moment
    """

    annotate: Callable[[Sequence[Moment]], Annotations]
    statistics: Callable[[Sequence[Moment]], list[Message]]
    describe_private: Callable[[Event], Message] = describe_fields


PrintCatalogues = Mapping[str, Mapping[str, str]]
"""The texts that are printed on paper: by language, then by code."""


class PrintKit(ABC):
    """What lies on a game's table, to print and cut out."""

    @abstractmethod
    def draw(
        self, paper: str, language: str, catalogues: PrintCatalogues, address: str | None
    ) -> bytes:
        """Return the kit as a PDF on "A4" or "Letter" paper.

        address: of the joining page; None leaves room to write it
        Raises KeyError for a paper, or a language that `catalogues` lacks.
        """


class Hints(ABC):
    """Fold one game's public events into what help may be shown on the display."""

    @abstractmethod
    def hear(self, event: PublicEvent) -> None:
        """Fold the game's next public event."""

    @abstractmethod
    def odds(self) -> Mapping[Cell, int]:
        """Return how likely what is hidden is on each cell, in thousandths."""
