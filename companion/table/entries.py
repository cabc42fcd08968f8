"""Define the log's entries: one list of items for each accepted request."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from companion.core.game import Seat
from companion.core.placement import Cell, PositionEdit, Tile
from companion.table.fairness import commitment


class TableEvent(Struct, frozen=True, tag="happened", forbid_unknown_fields=True):
    """One of the table's own events, as JSON."""

    event: dict[str, Any]


class Dealt(Struct, frozen=True, tag="dealt", forbid_unknown_fields=True, omit_defaults=True):
    """The events of the game's set-up, as JSON; `line` is the sealed line of a secret deal."""

    events: list[dict[str, Any]]
    line: str = ""


class Seeded(Struct, frozen=True, tag="seeded", forbid_unknown_fields=True):
    """A seed line was sealed. The next dealt game draws from it and the phones' shares."""

    line: str

    @property
    def seal(self) -> str:
        """The public seal."""
        return commitment.commit(self.line)


class Submission(Struct, frozen=True, tag="taken", forbid_unknown_fields=True, omit_defaults=True):
    """A seat's actions and their events: one open action, or one whole secret turn.

    automatic: the table took the action for the player
    line: the sealed line of a secret turn
    chance: the seed of the draws, "" without any
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
    """A position that `seat` proposed and everybody agreed to, and its events, as JSON."""

    seat: Seat
    arrangement: PositionEdit
    events: list[dict[str, Any]]


class SwitchedToPaper(Struct, frozen=True, tag="switched_to_paper", forbid_unknown_fields=True):
    """Everybody agreed to `seat`'s proposal to keep secrets on paper; and the events, as JSON."""

    seat: Seat
    events: list[dict[str, Any]]


class Revealed(Struct, frozen=True, tag="revealed", forbid_unknown_fields=True):
    """The next `count` public events of the secret turn were published."""

    count: int


class TableSnapshot(Struct, frozen=True, tag="carried", forbid_unknown_fields=True):
    """The table between two games, after which the earlier games were deleted.

    people: [seat, name, key] for each seat that is taken; `bots`: the levels of bots
    position, head: of the public log
    seed: the sealed line for the next shuffle; `shares`: the phones' shares by key
    tiles: the printed tiles of the last field that was made of them
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
    tiles: dict[Cell, Tile] = {}


Item = (
    TableEvent
    | Dealt
    | Seeded
    | Submission
    | Resigned
    | ByHand
    | SwitchedToPaper
    | Revealed
    | TableSnapshot
)

_DECODER: msgspec.json.Decoder[list[Item]] = msgspec.json.Decoder(list[Item])


def encode_items(items: list[Item]) -> str:
    """Return items as the body of a log's row."""
    return msgspec.json.encode(items).decode()


def decode_items(body: str) -> list[Item]:
    """Return the items of a log's body; raise ValueError."""
    return _DECODER.decode(body)
