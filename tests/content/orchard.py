"""A game with contents of every kind of field, for tests of the content reader alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.core.content import (
    Content,
    ContentError,
    ContentFormat,
    Ids,
    Name,
    Text,
    Words,
    duplicate_ids,
)
from companion.games.nosferatu import Nosferatu


class Prune(Struct, frozen=True, tag_field="do", tag="prune", forbid_unknown_fields=True):
    """Cut this number of branches."""

    count: Annotated[int, Meta(ge=1)]


class Graft(Struct, frozen=True, tag_field="do", tag="graft", forbid_unknown_fields=True):
    """Put another tree onto this one."""

    tree: Text
    why: Words = ""


class Tree(Struct, frozen=True, forbid_unknown_fields=True):
    """A tree with its neighbours."""

    id: Text
    name: Name
    kind: Literal["apple", "pear"]
    height: Annotated[int, Meta(ge=1, le=9)] = 1
    old: bool = False
    near: Annotated[tuple[Text, ...], Meta(max_length=2)] = ()
    work: tuple[Prune | Graft, ...] = ()


class Weather(Struct, frozen=True, forbid_unknown_fields=True):
    """How often it rains."""

    rain: int


class Garden(Content, frozen=True, kw_only=True):
    """An orchard."""

    tree: Annotated[tuple[Tree, ...], Meta(min_length=1)]
    weather: Weather = Weather(0)


def faults(garden: Garden, ids: Ids) -> Iterator[ContentError]:
    """Yield neighbours that do not exist."""
    yield from duplicate_ids(garden, ["tree"])
    for index, tree in enumerate(garden.tree):
        for place, near in enumerate(tree.near):
            if near not in ids["tree"]:
                yield ContentError(
                    ("tree", index, "near", place),
                    "content.choice",
                    {"found": near, "allowed": "trees"},
                )


def warnings(garden: Garden) -> Iterator[ContentError]:
    """Yield a doubt about a small orchard."""
    if len(garden.tree) < 3:
        yield ContentError(
            ("tree",), "content.too_few", {"key": "tree", "found": len(garden.tree), "least": 3}
        )


class Orchard(Nosferatu):
    """Nosferatu, if it grew fruit."""

    name = "orchard"
    content = ContentFormat(Garden, faults, warnings)


GAMES = (Nosferatu(), Orchard())
HEAD = 'format = 1\ngame = "orchard"\ntitle = "Ours"\nlanguage = "nl"\nsample = true\n'
