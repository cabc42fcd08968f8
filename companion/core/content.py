"""Declare a game's content files: tables as structs, and checks across them.

A rulebook may not list the cards and cities in its box. An owner of the box types them into a TOML
file. `companion/content` reads it into a `Content`.
"""

from __future__ import annotations

import difflib
import pkgutil
import re
from bisect import bisect
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from companion.core.text import shorten

SAMPLE, BOX = "sample", "box"
"""The contents beside content files: our sample, and the cards of the box itself."""
SAMPLE_LABEL = "SAMPLE CONTENT, not from the box"
"""The label on every record of a game with sample content."""

Text = Annotated[str, Meta(min_length=1)]
LONGEST_COMPARED, MOST_COMPARED = 60, 20
"""Letters of a name for which a near one is suggested, and known names that are compared in full.
"""
TRANSLATABLE = {"translatable": True}
Name = Annotated[str, Meta(min_length=1, extra=TRANSLATABLE)]
Words = Annotated[str, Meta(extra=TRANSLATABLE)]
"""Texts for people, which may be translated; `Words` may be empty."""
Translations = Mapping[str, Mapping[str, str]]
"""Names and words in other languages: by language, then by the text in the content."""
BARE_KEY = re.compile(r"[\w-]+", re.ASCII)
"""A key that needs no quotes in TOML."""
Path = tuple[str | int, ...]
"""A place in a file: keys, and indexes in lists."""
Ids = Mapping[str, Collection[str]]
"""The ids that each table of a file defines."""


CONTENT_FORMAT = 1
"""The newest format of content files that this release reads."""


class Content(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The head of every content file.

    A game adds a field for each of its tables, with `Name` and `Words` for texts that people read.
    """

    format: Literal[1] = 1
    game: Text
    title: Name
    language: Text
    sample: bool
    translations: dict[str, dict[str, Text]] | UnsetType = UNSET


class ContentError(NamedTuple):
    """A fault or a warning in a content: its place, and a message's code and parameters."""

    path: Path
    code: str
    params: Mapping[str, str | int] = {}


ContentCheck = Callable[[Any, Ids], Iterable[ContentError]]


class ContentFormat(NamedTuple):
    """A game's content files.

    shape: the struct of the file
    faults: yields errors across tables; broken entries are left out of the content, but their ids
    are among `Ids`
    warnings: yields unusual values
    board: declares files with the board alone, which is enough with real cards
    """

    shape: type[Content]
    faults: ContentCheck
    warnings: Callable[[Any], Iterable[ContentError]]
    board: ContentFormat | None = None

    def format_for(self, values: Mapping[str, Any]) -> ContentFormat:
        """Return the format of a file with these values: of the board alone, or of the whole."""
        if self.board is None:
            return self
        more = set(self.shape.__struct_fields__) - set(self.board.shape.__struct_fields__)
        return self if more & values.keys() else self.board


def field_name(path: Path) -> str:
    """Return a path for people, who count from 1: `card[3].borders` is in the third card."""
    return "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{_key(part)}" for part in path
    ).removeprefix(".")


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else f'"{shorten(name)}"'


def ids_of(values: Mapping[str, Any]) -> dict[str, frozenset[str]]:
    """Return the ids that each table among the values of a file defines."""
    tables = {
        name: entries for name, entries in values.items() if isinstance(entries, list | tuple)
    }
    return {
        name: frozenset(
            str(entry["id"]) for entry in entries if isinstance(entry, dict) and "id" in entry
        )
        for name, entries in tables.items()
    }


def unknown_name_error(
    path: Path, code: str, params: Mapping[str, str | int], name: str, known: Iterable[str]
) -> ContentError:
    """Return the fault of an unknown name.

    If a known name is near, the code ends in "_close" and the parameter `closest` names it.
    """
    for closest in difflib.get_close_matches(name, _candidates(name, known), n=1):
        return ContentError(path, f"{code}_close", {**params, "closest": shorten(closest)})
    return ContentError(path, code, params)


def _candidates(unknown: str, known: Iterable[str]) -> list[str]:
    """Return the known names that may be near, in order; of many, those with the same beginning or
    end. difflib takes far longer for each name, and quadratic time for long ones.
    """
    if len(unknown) > LONGEST_COMPARED:
        return []
    short = sorted(name for name in known if len(name) <= LONGEST_COMPARED)
    if len(short) <= MOST_COMPARED:
        return short
    ends = sorted(name[::-1] for name in short)
    return sorted(
        {*_around(unknown, short), *(name[::-1] for name in _around(unknown[::-1], ends))}
    )


def _around(name: str, names: list[str]) -> list[str]:
    """Return those of sorted names between which `name` belongs: no others begin more like it."""
    at = bisect(names, name)
    return names[max(0, at - MOST_COMPARED // 4) : at + MOST_COMPARED // 4]


def duplicate_ids(content: Struct, tables: Iterable[str]) -> Iterable[ContentError]:
    """Yield a fault for each id that an earlier entry of the same table has too."""
    for table in tables:
        known: set[str] = set()
        for index, entry in enumerate(getattr(content, table)):
            if entry.id in known:
                yield ContentError((table, index, "id"), "content.twice", {"id": shorten(entry.id)})
            if entry.id is not UNSET:
                known.add(entry.id)


Shape = TypeVar("Shape", bound=Content)


def strip_translations(content: Shape) -> Shape:
    """Return a content without its translations, as a game and its record have it."""
    return replace(content, translations=UNSET)


def translations_of(content: Content | None) -> Translations:
    """Return a content's translations, {} without a content."""
    return (content.translations or {}) if content else {}


def load_packaged(package: str, file: str, shape: type[Shape]) -> Shape:
    """Return the content of a file in a package."""
    data = pkgutil.get_data(package, file)
    assert data is not None, f"{package} has no {file}"
    return msgspec.toml.decode(data, type=shape)
