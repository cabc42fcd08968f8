"""Declare a map file: places, the ways between them, and the rule card.

This module checks the shape and consistency of a file; `companion/content` reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from companion.core.content import Content, ContentError, ContentFormat, Ids, Name, Path, Text
from companion.core.grid import reach
from companion.core.text import shorten

Side = Literal["fugitive", "hunter"]
Announce = Literal["nothing", "kind", "distance", "direction"]
Question = Literal["was_here", "is_here", "within", "which_of"]
End = Literal["caught", "rounds", "hideout", "targets"]
Number = Annotated[int, Meta(ge=1, le=9999)]
Drawn = Annotated[int, Meta(ge=0, le=100_000)]
Kind = Text
UNSEEN = "unseen"
"""What is announced instead of the kind of an unseen way; no kind has this name."""
MOST_PLACES = 500
MOST_WAYS = 2000
MOST_ROUNDS = 60
MOST_HUNTERS = 5
MOST_KINDS = 8
LONGEST_NAME = 40
"""The maximum length of the name of a place or kind."""
NEAR_START = 2
"""The distance in steps from a hunter's start within which a fugitive's start is doubtful."""


class _Record(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A table of the file; it rejects unknown keys."""


class Size(_Record, frozen=True):
    """The drawing's width and height; every place lies within."""

    width: Annotated[int, Meta(ge=100, le=100_000)] = 1000
    height: Annotated[int, Meta(ge=100, le=100_000)] = 700


class Place(_Record, frozen=True):
    """A place.

    starts: the sides that may begin here
    """

    number: Number
    name: Name
    x: Drawn
    y: Drawn
    kind: Text = "place"
    starts: Annotated[tuple[Side, ...], Meta(max_length=2)] = ()
    hideout: bool = False
    target: bool = False


class Way(_Record, frozen=True):
    """A way between two places or, one-way, from one to another."""

    between: Annotated[tuple[Number, ...], Meta(min_length=2, max_length=2)] = ()
    origin: Number = msgspec.field(default=0, name="from")
    to: Number = 0
    kind: Kind = "street"
    fugitive_only: bool = False

    @property
    def ends(self) -> tuple[int, int]:
        """The numbers of the two places; a one-way goes from the first to the second."""
        return (self.between[0], self.between[1]) if self.between else (self.origin, self.to)


class Tickets(_Record, frozen=True):
    """The tickets of each side by kind of way: of every hunter's pawn, and of the fugitive. A kind
    that is absent costs nothing.
    """

    hunter: dict[str, Annotated[int, Meta(ge=0, le=99)]] = {}
    fugitive: dict[str, Annotated[int, Meta(ge=0, le=99)]] = {}


class Rules(_Record, frozen=True):
    """The rule card.

    hunters: pawns of the hunters; with more hunters at the table each has one
    fugitive_moves, hunter_moves: the most ways that one turn may take
    may_stay: the sides that may stand still
    rounds: the fugitive's turns in a night
    shows: the rounds in which the fugitive shows its place after its turn
    announce: what is announced after every turn of the fugitive
    questions: what a hunter may ask, once a turn with each pawn, from the pawn's place
    within: the ways that the question `within` reaches
    arrest: entering the fugitive's place catches it, or a hunter has to announce the place
    ends: what ends a night; being caught always does
    targets: the number of different targets that the fugitive has to visit; 0 means all
    double_moves: how often the fugitive may move twice in a row, each night
    unseen_moves: unseen moves in a night: the way is not announced and costs no ticket
    nights: the nights that the fugitive has to win, each from a new start
    paid_to: who receives the tickets that hunters pay
    """

    hunters: Annotated[int, Meta(ge=1, le=MOST_HUNTERS)] = 3
    fugitive_moves: Annotated[int, Meta(ge=1, le=3)] = 1
    hunter_moves: Annotated[int, Meta(ge=1, le=3)] = 1
    may_stay: Annotated[tuple[Side, ...], Meta(max_length=2)] = ("hunter",)
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 24
    shows: tuple[Annotated[int, Meta(ge=1, le=MOST_ROUNDS)], ...] = ()
    announce: Announce = "kind"
    questions: tuple[Question, ...] = ()
    within: Annotated[int, Meta(ge=1, le=9)] = 2
    arrest: Literal["enter", "announce"] = "enter"
    ends: tuple[End, ...] = ("caught", "rounds")
    targets: Annotated[int, Meta(ge=0, le=20)] = 0
    double_moves: Annotated[int, Meta(ge=0, le=20)] = 0
    unseen_moves: Annotated[int, Meta(ge=0, le=60)] = 0
    nights: Annotated[int, Meta(ge=1, le=9)] = 1
    paid_to: Literal["box", "fugitive"] = "box"
    tickets: Tickets = Tickets()


class MapFile(Content, frozen=True, kw_only=True, omit_defaults=True):
    """A map with its rule card.

    background: the file name of the owner's own picture, which is not part of the map file
    """

    background: Text | msgspec.UnsetType = msgspec.UNSET
    size: Size = Size()
    places: Annotated[tuple[Place, ...], Meta(min_length=4, max_length=MOST_PLACES)]
    ways: Annotated[tuple[Way, ...], Meta(min_length=3, max_length=MOST_WAYS)]
    rules: Rules = Rules()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of ways, in the order of the file."""
        return tuple(dict.fromkeys(way.kind for way in self.ways))


def neighbours(
    places: tuple[Place, ...], ways: tuple[Way, ...], side: Side
) -> dict[int, frozenset[int]]:
    """Return the places to which one way leads from each place, for a side."""
    near: dict[int, set[int]] = {place.number: set() for place in places}
    for way in ways:
        origin, to = way.ends
        if (way.fugitive_only and side == "hunter") or not {origin, to} <= near.keys():
            continue
        near[origin].add(to)
        if way.between:
            near[to].add(origin)
    return {number: frozenset(others) for number, others in near.items()}


def starts_of(places: tuple[Place, ...], side: Side) -> tuple[int, ...]:
    """Return the places where a side may begin: those marked for it, or all if none is marked."""
    marked = tuple(place.number for place in places if side in place.starts)
    return marked or tuple(place.number for place in places)


def faults(content: MapFile, ids: Ids) -> Iterator[ContentError]:
    """Yield the contradictions in the file."""
    yield from _place_faults(content)
    yield from _way_faults(content)
    yield from _rule_faults(content)
    yield from _unreachable_place(content)


def _place_faults(content: MapFile) -> Iterator[ContentError]:
    if "/" in (content.background or "") or "\\" in (content.background or ""):
        yield ContentError(("background",), "content.map.background")
    known: set[int] = set()
    names: set[str] = set()
    for index, place in enumerate(content.places):
        at: Path = ("places", index)
        if place.number in known:
            yield ContentError(
                (*at, "number"), "content.map.number_twice", {"number": place.number}
            )
        if place.name in names:
            yield ContentError((*at, "name"), "content.name_twice")
        if len(place.name) > LONGEST_NAME:
            yield ContentError((*at, "name"), "content.too_long", {"most": LONGEST_NAME})
        for axis, most in (("x", content.size.width), ("y", content.size.height)):
            if getattr(place, axis) > most:
                yield ContentError(
                    (*at, axis), "content.at_most", {"found": getattr(place, axis), "most": most}
                )
        known.add(place.number)
        names.add(place.name)


def _way_faults(content: MapFile) -> Iterator[ContentError]:
    numbers = {place.number for place in content.places}
    known: set[tuple[int, int, str]] = set()
    for index, way in enumerate(content.ways):
        at: Path = ("ways", index)
        if bool(way.between) == bool(way.origin or way.to) or not all(way.ends):
            yield ContentError(at, "content.map.way_ends")
            continue
        fields: tuple[Path, Path] = (
            ((*at, "between"), (*at, "between")) if way.between else ((*at, "from"), (*at, "to"))
        )
        for field, number in zip(fields, way.ends, strict=True):
            if number not in numbers:
                yield ContentError(field, "content.map.no_place", {"number": number})
        origin, to = way.ends
        if origin == to:
            yield ContentError(fields[1], "content.map.way_to_itself")
        steps = {(origin, to, way.kind)} | ({(to, origin, way.kind)} if way.between else set())
        if steps & known:
            yield ContentError(at, "content.map.way_twice", {"a": origin, "b": to})
        known |= steps
        if way.kind == UNSEEN:
            yield ContentError((*at, "kind"), "content.reserved", {"id": UNSEEN})
        if len(way.kind) > LONGEST_NAME:
            yield ContentError((*at, "kind"), "content.too_long", {"most": LONGEST_NAME})
    if len(content.kinds) > MOST_KINDS:
        yield ContentError(("ways",), "content.map.kinds", {"most": MOST_KINDS})


def _rule_faults(content: MapFile) -> Iterator[ContentError]:
    rules, places, kinds = content.rules, content.places, content.kinds
    for index, round_number in enumerate(rules.shows):
        if round_number > rules.rounds:
            yield ContentError(
                ("rules", "shows", index),
                "content.at_most",
                {"found": round_number, "most": rules.rounds},
            )
    owned: Mapping[Side, Mapping[str, int]] = {
        "hunter": rules.tickets.hunter,
        "fugitive": rules.tickets.fugitive,
    }
    for side, tickets in owned.items():
        for kind in tickets:
            if kind not in kinds:
                yield ContentError(
                    ("rules", "tickets", side, kind),
                    "content.choice",
                    {"found": shorten(kind), "allowed": ", ".join(kinds)},
                )
    if rules.tickets.fugitive and rules.announce != "kind":
        yield ContentError(("rules", "announce"), "content.map.tickets_announced")
    hideouts = any(place.hideout for place in places)
    targets = sum(place.target for place in places)
    if "hideout" in rules.ends and not hideouts:
        yield ContentError(("rules", "ends"), "content.map.no_hideout")
    if "targets" in rules.ends and not targets:
        yield ContentError(("rules", "ends"), "content.map.no_target")
    if rules.targets > targets:
        yield ContentError(
            ("rules", "targets"), "content.at_most", {"found": rules.targets, "most": targets}
        )
    if not {"rounds", "hideout", "targets"} & set(rules.ends):
        yield ContentError(("rules", "ends"), "content.map.no_escape")
    if len(starts_of(places, "fugitive")) <= MOST_HUNTERS and set(
        starts_of(places, "fugitive")
    ) <= set(starts_of(places, "hunter")):
        yield ContentError(("places",), "content.map.no_start_left")


def _unreachable_place(content: MapFile) -> Iterator[ContentError]:
    """Yield the first place that the fugitive cannot reach from a start, and the first from which
    no way leads.
    """
    near = neighbours(content.places, content.ways, "fugitive")
    reached = reach(near, starts_of(content.places, "fugitive"))
    for index, place in enumerate(content.places):
        if place.number not in reached:
            yield ContentError(("places", index), "content.map.unreached", {"number": place.number})
            break
    for index, place in enumerate(content.places):
        if not near[place.number]:
            yield ContentError(
                ("places", index), "content.map.no_way_out", {"number": place.number}
            )
            break


def warnings(content: MapFile) -> Iterator[ContentError]:
    """Yield what is allowed and unusual: a fugitive's start that hunters reach at once, a place
    that they never reach, and a rule card that never announces anything.
    """
    hunters = [place.number for place in content.places if "hunter" in place.starts]
    near_of_hunters = neighbours(content.places, content.ways, "hunter")
    near = reach(near_of_hunters, hunters)
    for index, place in enumerate(content.places):
        if "fugitive" in place.starts and near.get(place.number, NEAR_START) < NEAR_START:
            yield ContentError(
                ("places", index, "starts"), "content.map.near_start", {"least": NEAR_START}
            )
    near = reach(near_of_hunters, starts_of(content.places, "hunter"))
    for index, place in enumerate(content.places):
        if place.number not in near:
            yield ContentError(
                ("places", index), "content.map.unreached_hunters", {"number": place.number}
            )
    rules = content.rules
    if rules.announce == "nothing" and not rules.shows and not rules.questions:
        yield ContentError(("rules",), "content.map.nothing_announced")


_MAP = ContentFormat(MapFile, faults, warnings)
FORMAT = _MAP._replace(board=_MAP)
"""A map file is both content and a board, so the browser may store one too."""
