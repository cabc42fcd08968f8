"""Define what a game may offer beside its rules: bots, a replay, a print kit, hints.

A `Game` names its own in class attributes; None is not offered.
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
    """A bot's knowledge when its seat is to act.

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
    """Whether external programs may play. Everybody sees how long a program thinks, so no open
    turn of the game may depend on what its seat alone knows.
    """

    @abstractmethod
    def act(self, position: BotPosition, level: str, budget: SearchBudget) -> list[Action]:
        """Return the bot's next action, or its whole secret turn."""

    def choose(self, offered: Sequence[Mapping[str, Any]], level: str, rng: Random) -> str:
        """Return the id of the entry of `Game.choices` that a bot takes before the game begins."""
        return str(rng.choice(offered)["id"])

    def is_asked(self, view: Mapping[str, Any]) -> bool:
        """Return whether a seat is asked something in another seat's turn.

        view: the public view (`Game.show`)
        """
        return False

    def is_answer_read(self, view: Mapping[str, Any]) -> bool:
        """Return whether people are reading an answer that the next action removes.

        view: the public view (`Game.show`)
        """
        return False


Annotations = list[dict[str, Any] | None]
"""JSON-ready facts for each moment; None for an event that is no moment of its own."""


def describe_fields(event: Event) -> Message:
    """Return a private event's name and plain fields as a message `secret.NAME`."""
    values: dict[str, Any] = msgspec.to_builtins(event)
    code = f"secret.{values.pop('event')}"
    return Message(
        code, {key: value for key, value in values.items() if isinstance(value, str | int)}
    )


class ReplayFormat(NamedTuple):
    """The additions of a game to its replay.

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
    """The pieces of a game, to print and cut out."""

    @abstractmethod
    def draw(
        self, paper: str, language: str, catalogues: PrintCatalogues, address: str | None
    ) -> bytes:
        """Return the kit as a PDF on "A4" or "Letter" paper.

        address: of the joining page; None leaves room to write it
        Raises KeyError for a paper, or a language that `catalogues` lacks.
        """


class Hints(ABC):
    """Fold one game's public events into odds for the display."""

    @abstractmethod
    def hear(self, event: PublicEvent) -> None:
        """Fold the game's next public event."""

    @abstractmethod
    def odds(self) -> Mapping[Cell, int]:
        """Return the odds of the hidden piece for each cell, in thousandths."""
