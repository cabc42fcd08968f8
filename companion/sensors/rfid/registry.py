"""The tag registry: which tag is under which item, and the loop gains of each board.

One file in the data folder, always replaced whole. Nothing in it is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from companion.core.game import GameError
from companion.core.placement import Pawn
from companion.files import GuardedFile
from companion.locks import Level, make_lock
from companion.sensors.serial.messages import PAWN_TAGS, TILE_TAGS, TOKEN_TAGS, Uid


class PawnTag(Struct, frozen=True, tag="pawn", tag_field="thing"):
    """A tag under a pawn."""

    pawn: Pawn


class TileTag(Struct, frozen=True, tag="tile", tag_field="thing"):
    """A tag under a tile, in the upper left quadrant of the upright tile."""

    number: int


class TokenTag(Struct, frozen=True, tag="token", tag_field="thing"):
    """A tag under a token ("bullet", "bat"); all of a kind are alike."""

    kind: str


TaggedItem = PawnTag | TileTag | TokenTag


def afi_of(thing: TaggedItem) -> int:
    """Return the AFI class written on an item's tag, so that a scan can select it."""
    match thing:
        case PawnTag():
            return PAWN_TAGS
        case TileTag():
            return TILE_TAGS
    return TOKEN_TAGS


def item_name(thing: TaggedItem) -> str:
    """Return an item's name: "pawn:H1a", "tile:17", "token:bullet"."""
    match thing:
        case PawnTag():
            return f"pawn:{thing.pawn}"
        case TileTag():
            return f"tile:{thing.number}"
    return f"token:{thing.kind}"


TAGS_FILE = "tags.json"


class TagRegistryUnreadable(GameError, OSError):
    """Error raised at the start when the file cannot be read; it is left as it is."""

    code = "tags_unreadable"


class TagRegistryNotSaved(GameError, OSError):
    """Error raised when the file could not be written; nothing has changed."""

    code = "tags_not_kept"


class StoredCalibration(Struct, frozen=True):
    """A board's loop gains in dB, the tags each was estimated by, and when (s since 1970)."""

    gains: tuple[float, ...]
    tags: tuple[int, ...]
    at: float = 0.0


class _Stored(Struct, frozen=True, forbid_unknown_fields=True):
    tags: dict[Uid, TaggedItem] = {}
    boards: dict[str, StoredCalibration] = {}


def _no_tags(board: str) -> Mapping[Uid, TaggedItem]:
    """Return no built-in tags."""
    return {}


class TagRegistry:
    """The registry in `folder`; kept in memory only without one. Thread-safe.

    `given` returns the built-in tags of a board, which stored ones override.
    """

    def __init__(
        self,
        folder: Path | None = None,
        given: Callable[[str], Mapping[Uid, TaggedItem]] = _no_tags,
    ) -> None:
        self._path = None if folder is None else folder / TAGS_FILE
        self._file = None if self._path is None else GuardedFile(self._path)
        self._given = given
        self._lock = make_lock(Level.TAG_REGISTRY)
        self._kept = self._read()

    def tags(self, board: str) -> Mapping[Uid, TaggedItem]:
        """Return the items by tag on a board with this number."""
        kept = self._kept.tags
        replaced = {thing for thing in kept.values() if not isinstance(thing, TokenTag)}
        return {
            uid: thing for uid, thing in self._given(board).items() if thing not in replaced
        } | kept

    def gains(self, board: str) -> Sequence[float]:
        """Return a board's loop gains, empty if it is not calibrated."""
        calibration = self.calibration(board)
        return () if calibration is None else calibration.gains

    def calibration(self, board: str) -> StoredCalibration | None:
        """Return a board's calibration, None if there is none."""
        return self._kept.boards.get(board)

    def register(self, uid: Uid, thing: TaggedItem) -> None:
        """Store an item's tag; raise `TagRegistryNotSaved`.

        A pawn or tile has one tag: an earlier one is deleted.
        """
        with self._lock:
            others = {
                other: kept
                for other, kept in self._kept.tags.items()
                if other != uid and (kept != thing or isinstance(thing, TokenTag))
            }
            self._store(_Stored({**others, uid: thing}, self._kept.boards))

    def forget(self, thing: TaggedItem) -> None:
        """Delete an item's tag, or all tags of a token's kind; raise `TagRegistryNotSaved`."""
        with self._lock:
            left = {uid: kept for uid, kept in self._kept.tags.items() if kept != thing}
            self._store(_Stored(left, self._kept.boards))

    def keep_calibration(self, board: str, calibration: StoredCalibration | None) -> None:
        """Store a board's calibration, None to delete it; raise `TagRegistryNotSaved`."""
        with self._lock:
            boards = {number: kept for number, kept in self._kept.boards.items() if number != board}
            self._store(
                _Stored(
                    self._kept.tags,
                    boards if calibration is None else {**boards, board: calibration},
                )
            )

    def _store(self, kept: _Stored) -> None:
        if self._file is not None:
            try:
                self._file.write(msgspec.json.format(msgspec.json.encode(kept), indent=1))
            except OSError as failed:
                raise TagRegistryNotSaved("tags_not_kept") from failed
        self._kept = kept

    def _read(self) -> _Stored:
        if self._file is None:
            return _Stored()
        try:
            content = self._file.read()
            return _Stored() if content is None else msgspec.json.decode(content, type=_Stored)
        except (OSError, ValueError) as wrong:
            # The decoder's errors and invalid UTF-8 are ValueErrors.
            raise TagRegistryUnreadable("tags_unreadable", file=str(self._path)) from wrong
