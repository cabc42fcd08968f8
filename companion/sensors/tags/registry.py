"""The tag registry: which tag is under which item.

One file in the data folder, always replaced whole. Nothing in it is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, NewType

import msgspec
from msgspec import Meta

from companion.core.game import GameError
from companion.files import GuardedFile
from companion.locks import LockRank, make_lock

Uid = NewType("Uid", str)
"""A tag's number in capital hex digits."""


TaggedItem = Annotated[str, Meta(pattern="^(pawn:.+|tile:[0-9]{1,3}|token:.+)$")]
"""What a tag is under: "pawn:H1a", "tile:17", "token:bullet"; all tokens of a kind are alike."""

_TOKEN = "token:"
TAGS_FILE = "tags.json"


class TagRegistryUnreadable(GameError, OSError):
    """Error raised at the start when the file cannot be read; it is left as it is."""

    code = "tags_unreadable"


class TagRegistryNotSaved(GameError, OSError):
    """Error raised when the file could not be written; nothing has changed."""

    code = "tags_not_kept"


class TagRegistry:
    """The registry in `folder`; kept in memory only without one. Thread-safe.

    `built_in` returns the tags that need no registering on a board with this id.
    """

    def __init__(
        self,
        folder: Path | None = None,
        built_in: Callable[[str], Mapping[Uid, TaggedItem]] = lambda board: {},
    ) -> None:
        self._file = None if folder is None else GuardedFile(folder / TAGS_FILE)
        self._built_in = built_in
        self._lock = make_lock(LockRank.TAG_REGISTRY)
        self._stored = self._read()
        self._cached: tuple[str, Mapping[Uid, TaggedItem]] | None = None

    def tags(self, board: str = "") -> Mapping[Uid, TaggedItem]:
        """Return the items by tag on a board with this id. Never waits."""
        cached = self._cached
        if cached is None or cached[0] != board:
            stored = self._stored
            replaced = {thing for thing in stored.values() if not thing.startswith(_TOKEN)}
            built_in = self._built_in(board).items()
            tags = {uid: thing for uid, thing in built_in if thing not in replaced} | stored
            cached = self._cached = (board, tags)
        return cached[1]

    def register(self, uid: Uid, thing: TaggedItem) -> None:
        """Store an item's tag; raise `TagRegistryNotSaved`.

        A pawn or tile has one tag: an earlier one is deleted.
        """
        with self._lock:
            others = {
                other: stored
                for other, stored in self._stored.items()
                if stored != thing or thing.startswith(_TOKEN)
            }
            self._store(others | {uid: thing})

    def forget(self, thing: TaggedItem) -> None:
        """Delete an item's tag, or all tags of a token's kind; raise `TagRegistryNotSaved`."""
        with self._lock:
            self._store({uid: other for uid, other in self._stored.items() if other != thing})

    def _store(self, stored: dict[Uid, TaggedItem]) -> None:
        if self._file is not None:
            try:
                self._file.write(msgspec.json.format(msgspec.json.encode(stored), indent=1))
            except OSError as failed:
                raise TagRegistryNotSaved("tags_not_kept") from failed
        self._stored = stored
        self._cached = None

    def _read(self) -> dict[Uid, TaggedItem]:
        if self._file is None:
            return {}
        try:
            content = self._file.read()
            return msgspec.json.decode(content or b"{}", type=dict[Uid, TaggedItem])
        except (OSError, ValueError) as wrong:
            # The decoder's errors and invalid UTF-8 are ValueErrors.
            raise TagRegistryUnreadable("tags_unreadable", file=str(self._file.path)) from wrong
