"""What a tag may sit under."""

from __future__ import annotations

from msgspec import Struct

from companion.core.placement import Pawn
from companion.sensors.serial.message import PAWN_TAGS, TILE_TAGS, TOKEN_TAGS


class PawnTag(Struct, frozen=True, tag="pawn", tag_field="thing"):
    """A tag that sits under a pawn."""

    pawn: Pawn


class TileTag(Struct, frozen=True, tag="tile", tag_field="thing"):
    """A tag that sits under a tile, in the quadrant that is upper left when the tile is upright."""

    number: int


class TokenTag(Struct, frozen=True, tag="token", tag_field="thing"):
    """A tag that sits under a token ("bullet", "bat"); those of a kind are all alike."""

    kind: str


TaggedItem = PawnTag | TileTag | TokenTag


def afi_of(thing: TaggedItem) -> int:
    """Return the class that is written on the tag of a thing, so that a scan can ask for its
    like.
    """
    match thing:
        case PawnTag():
            return PAWN_TAGS
        case TileTag():
            return TILE_TAGS
    return TOKEN_TAGS


def item_name(thing: TaggedItem) -> str:
    """Return a thing as pages name it: "pawn:H1a", "tile:17", "token:bullet"."""
    match thing:
        case PawnTag():
            return f"pawn:{thing.pawn}"
        case TileTag():
            return f"tile:{thing.number}"
    return f"token:{thing.kind}"
