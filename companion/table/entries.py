"""Define the log's entries: one list of items for each accepted request."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.core.game import Seat
from companion.core.placement import PositionEdit
from companion.table.fairness import commitment


class TableEvent(Struct, frozen=True, tag="happened", forbid_unknown_fields=True):
    """One of the table's own events, as JSON."""

    event: dict[str, Any]


class Dealt(Struct, frozen=True, tag="dealt", forbid_unknown_fields=True, omit_defaults=True):
    """The events of the game's set-up, in order, as JSON; `line` is sealed where something was
    dealt in secret.
    """

    events: list[dict[str, Any]]
    line: str = ""


class Seeded(Struct, frozen=True, tag="seeded", forbid_unknown_fields=True):
    """The line of a seed was sealed, from which with the phones' shares the next game that deals
    draws.
    """

    line: str

    @property
    def seal(self) -> str:
        """The seal that is told."""
        return commitment.commit(self.line)


class Submission(Struct, frozen=True, tag="taken", forbid_unknown_fields=True, omit_defaults=True):
    """What a seat did and what happened: one open action, or one whole secret turn with its line.

    `automatic` marks an action that the table took for the player, `chance` is the seed of what was
    drawn in it.
    """

    seat: Seat
    actions: list[dict[str, Any]]
    events: list[dict[str, Any]]
    automatic: bool = False
    line: str = ""
    chance: str = ""


class Resigned(Struct, frozen=True, tag="resigned", forbid_unknown_fields=True):
    """The events by which a game ended without an action, as JSON."""

    events: list[dict[str, Any]]


class ByHand(Struct, frozen=True, tag="by_hand", forbid_unknown_fields=True):
    """What everybody agreed that the table looks like, asked for by `seat`, and the events of it,
    as JSON.
    """

    seat: Seat
    arrangement: PositionEdit
    events: list[dict[str, Any]]


class OnPaper(Struct, frozen=True, tag="on_paper", forbid_unknown_fields=True):
    """Everybody agreed, asked by `seat`, that secrets are kept on paper from now on, and the events
    of it, as JSON.
    """

    seat: Seat
    events: list[dict[str, Any]]


class Revealed(Struct, frozen=True, tag="told", forbid_unknown_fields=True):
    """The next `count` public events of the sealed turn were told."""

    count: int


class TableSnapshot(Struct, frozen=True, tag="carried", forbid_unknown_fields=True):
    """The table between two games, when the games before were deleted: what was proposed, who sits
    where with which key (as [seat, name, key]), which seats bots play at which level, the settings,
    how far the public record had come, and the seed that is sealed for the next shuffle, with the
    shares by key.
    """

    proposal: dict[str, Any]
    people: list[tuple[Seat, str, str]]
    settings: dict[str, Any]
    paused: bool
    number: int
    position: int
    head: str
    bots: dict[Seat, str] = {}
    seed: str = ""
    shares: dict[str, str] = {}


Item = (
    TableEvent
    | Dealt
    | Seeded
    | Submission
    | Resigned
    | ByHand
    | OnPaper
    | Revealed
    | TableSnapshot
)

_DECODER: msgspec.json.Decoder[list[Item]] = msgspec.json.Decoder(list[Item])


def encode_items(items: list[Item]) -> str:
    """Return items as the text that the log keeps."""
    return msgspec.json.encode(items).decode()


def decode_items(body: str) -> list[Item]:
    """Return the items of a log's body; raise ValueError."""
    return _DECODER.decode(body)
