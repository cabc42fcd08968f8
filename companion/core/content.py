"""Declare a game's content files: tables as structs, and checks across them.

A rulebook may leave cards and cities to its box. An owner of the box writes them into a TOML file;
what is in such a file is a `Content`, and `companion/content` reads it.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.core.text import shown

SAMPLE, BOX = "sample", "box"
"""What a game may be played with beside the files that it was supplied with: ours, or what lies in
the box itself.
"""
SAMPLE_LABEL = "SAMPLE CONTENT, not from the box"
"""What stands on every record of a game that is played with sample content."""

Text = Annotated[str, Meta(min_length=1)]
SHOWN = {"shown": True}
Name = Annotated[str, Meta(min_length=1, extra=SHOWN)]
Words = Annotated[str, Meta(extra=SHOWN)]
"""What people read, so that it may be translated; `Words` may be empty."""
Translations = Mapping[str, Mapping[str, str]]
"""What names and words are in other languages: by language, then by how they stand in the content.
"""
Path = tuple[str | int, ...]
"""Where something stands in a file: keys, and the places in lists, counted from 0."""
Ids = Mapping[str, Collection[str]]
"""The ids that each table of a file gives out."""


class Content(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of every content file; a game adds a field for each of its tables, and calls what
    people read there `Name` or `Words`.
    """

    format: Literal[1] = 1
    game: Text
    title: Name
    language: Text
    sample: bool
    translations: dict[str, dict[str, Text]] | UnsetType = UNSET


class ContentError(NamedTuple):
    """Something in a content that is wrong or unusual: where, and a code of the catalogues with its
    parameters.
    """

    path: Path
    code: str
    params: Mapping[str, str | int] = {}


class ContentFormat(NamedTuple):
    """A game's declaration: `shape` is its `Content`, `faults` yields what does not hang together,
    `doubts` what is only unusual. `board` declares files that hold the board alone, which is enough
    beside the box.

    `faults` is also asked about files with broken entries: those are left out of the content, but
    `ids` has theirs.
    """

    shape: type[Content]
    faults: Callable[[Any, Ids], Iterable[ContentError]]
    doubts: Callable[[Any], Iterable[ContentError]]
    board: ContentFormat | None = None

    def fitting(self, values: Mapping[str, Any]) -> ContentFormat:
        """Return what a file with these values is to be read as: the board alone where it has no
        other table.
        """
        if self.board is None:
            return self
        more = set(self.shape.__struct_fields__) - set(self.board.shape.__struct_fields__)
        return self if more & values.keys() else self.board


def ids_of(values: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the ids that each list of tables among the values of a file, or of a content's
    builtins, gives out.
    """
    tables = {
        name: entries for name, entries in values.items() if isinstance(entries, list | tuple)
    }
    return {
        name: frozenset(
            str(entry["id"]) for entry in entries if isinstance(entry, dict) and "id" in entry
        )
        for name, entries in tables.items()
    }


def misnamed(
    path: Path, code: str, params: Mapping[str, str | int], found: str, known: Iterable[str]
) -> ContentError:
    """Return a fault about a name that there is not, with the name that may be meant where one is
    near: its code is then `code` with "_close", its parameter `closest`.
    """
    for closest in difflib.get_close_matches(found, sorted(known), n=1):
        return ContentError(path, f"{code}_close", {**params, "closest": shown(closest)})
    return ContentError(path, code, params)


def duplicate_ids(content: Struct, tables: Iterable[str]) -> Iterable[ContentError]:
    """Yield a fault for each id that an entry of these tables has from an entry before it."""
    for table in tables:
        known: set[str] = set()
        for index, entry in enumerate(getattr(content, table)):
            if entry.id in known:
                yield ContentError((table, index, "id"), "content.twice", {"id": shown(entry.id)})
            if entry.id is not UNSET:
                known.add(entry.id)


Shape = TypeVar("Shape", bound=Content)


def strip_translations(content: Shape) -> Shape:
    """Return a content in its own language alone, as a game and its record have it."""
    return replace(content, translations=UNSET)


def translations_of(content: Content | None) -> Translations:
    """Return a content's translations, {} of none."""
    return (content.translations or {}) if content else {}


def load_packaged(package: str, file: str, shape: type[Shape]) -> Shape:
    """Return the content of a file that lies in a package of ours."""
    data = pkgutil.get_data(package, file)
    assert data is not None, f"{package} has no {file}"
    return msgspec.toml.decode(data, type=shape)
