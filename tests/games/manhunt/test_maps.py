"""Our three maps: sound, connected, with several routes, and with room for pawns on paper."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.core.grid import reach
from companion.games.manhunt.drawing import (
    PLACE,
    Disc,
    Label,
    Lines,
    looks,
    map_shapes,
    pitch,
)
from companion.games.manhunt.map_file import MapFile, Place, Side, Way, neighbours, starts_of
from tests.games.manhunt.map_svg import map_svg
from tests.games.manhunt.own_maps import FOLDER, NAMES, own_map, read_map

SIDES: tuple[Side, ...] = ("hunter", "fugitive")
WANTED = {
    "town": (60, {"street", "water", "rail"}),
    "quarter": (120, {"street", "alley"}),
    "ship": (40, {"passage", "stairs", "shaft"}),
}
"""Places and kinds of way of each map."""


@pytest.fixture(params=NAMES)
def content(request: pytest.FixtureRequest) -> MapFile:
    """Each of our maps."""
    return own_map(request.param)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_map_has_neither_fault_nor_doubt(name: str) -> None:
    """A shipped map has no error and no warning, and as many places and kinds as it claims."""
    reading = read_map(name, (FOLDER / f"{name}.toml").read_bytes())
    content = own_map(name)

    assert () == (*reading.errors, *reading.warnings)
    assert WANTED[name] == (len(content.places), set(content.kinds))
    assert list(range(1, len(content.places) + 1)) == [place.number for place in content.places]


def test_every_place_can_be_reached_by_every_side(content: MapFile) -> None:
    """From any place each side comes to any other."""
    for side in SIDES:
        near = neighbours(content.places, content.ways, side)
        for place in content.places:
            assert len(content.places) == len(reach(near, (place.number,)))


def test_every_place_has_two_to_five_neighbours(content: MapFile) -> None:
    """No place is a dead end for the fugitive, and none leads everywhere."""
    near = neighbours(content.places, content.ways, "fugitive")

    assert set() == {len(others) for others in near.values()} - {2, 3, 4, 5}


def test_no_single_way_cuts_the_map_in_two(content: MapFile) -> None:
    """Without any one way the fugitive still reaches every place: there are several routes."""
    for index in range(len(content.ways)):
        rest = content.ways[:index] + content.ways[index + 1 :]
        near = neighbours(content.places, rest, "fugitive")
        assert len(content.places) == len(reach(near, (content.places[0].number,)))


def test_starts_lie_apart(content: MapFile) -> None:
    """Each side has a start more than its pawns need, and no hunter begins beside the fugitive."""
    hunters, fugitives = starts_of(content.places, "hunter"), starts_of(content.places, "fugitive")
    near = reach(neighbours(content.places, content.ways, "hunter"), hunters)

    assert len(hunters) > content.rules.hunters
    assert len(fugitives) >= 6
    assert min(near[number] for number in fugitives) >= 2


def distance_to(place: Place, start: Place, end: Place) -> float:
    """Return how far a place lies from the line between two others."""
    right, down = end.x - start.x, end.y - start.y
    part = ((place.x - start.x) * right + (place.y - start.y) * down) / (right**2 + down**2)
    part = max(0.0, min(1.0, part))
    return math.dist((place.x, place.y), (start.x + part * right, start.y + part * down))


def other_places(content: MapFile) -> Iterator[tuple[Way, Place, float]]:
    """Yield each way with each place that is none of its ends, and their distance."""
    at = {place.number: place for place in content.places}
    for way in content.ways:
        start, end = (at[number] for number in way.ends)
        for place in content.places:
            if place not in (start, end):
                yield way, place, distance_to(place, start, end)


def test_no_way_touches_a_place_that_it_does_not_lead_to(content: MapFile) -> None:
    """Every way passes outside the discs of other places."""
    unit = pitch(content)

    assert [] == [
        (way.ends, place.number)
        for way, place, apart in other_places(content)
        if apart <= PLACE * unit
    ]


def test_ways_of_a_kind_cross_only_at_places(content: MapFile) -> None:
    """Two ways of one kind never cross, so nobody mistakes a crossing for a place."""
    at = {place.number: (place.x, place.y) for place in content.places}

    def left(a: int, b: int, c: int) -> bool:
        (ax, ay), (bx, by), (cx, cy) = at[a], at[b], at[c]
        return (bx - ax) * (cy - ay) > (by - ay) * (cx - ax)

    assert [] == [
        (first.ends, second.ends)
        for first, second in combinations(content.ways, 2)
        if first.kind == second.kind
        and len({*first.ends, *second.ends}) == 4
        and left(*first.ends, second.ends[0]) != left(*first.ends, second.ends[1])
        and left(*second.ends, first.ends[0]) != left(*second.ends, first.ends[1])
    ]


def test_a_map_is_drawn_whole(content: MapFile) -> None:
    """Every way is in the lines of its kind, every place has a disc, a number and a name, and
    nothing is drawn outside the map.
    """
    shapes = map_shapes(content)
    discs = [(shape.x, shape.y) for shape in shapes if isinstance(shape, Disc) and not shape.thick]
    words = [shape.words for shape in shapes if isinstance(shape, Label)]
    lines = [shape.lines for shape in shapes if isinstance(shape, Lines)]

    assert [(place.x, place.y) for place in content.places] == discs
    assert [word for each in content.places for word in (str(each.number), each.name)] == words
    assert len(content.ways) == sum(len(each) for each in set(lines))
    assert all(0 <= x <= content.size.width and 0 <= y <= content.size.height for x, y in discs)
    svg = map_svg(content)
    assert len(content.places) == svg.count('font-weight="bold"')
    assert svg.startswith("<svg") and svg.endswith("</svg>\n")


def test_the_picture_of_a_map_escapes_its_words() -> None:
    """The title and the names of places are words in the picture, whatever signs they have."""
    content = own_map("ship")
    first, *others = content.places
    odd = replace(content, title="A <& B", places=(replace(first, name="<i>&"), *others))

    svg = map_svg(odd)

    assert "<title>A &lt;&amp; B</title>" in svg
    assert ">&lt;i&gt;&amp;</text>" in svg


def test_every_kind_looks_different() -> None:
    """Eight kinds have eight looks, known kinds their own; two kinds of a file never share one."""
    ways = [Way(between=(1, 2), kind=kind) for kind in ("water", "street", "passage", *"abcde")]
    styles = looks(ways)

    assert 8 == len(set(styles.values()))
    assert ("wave", "plain") == (styles["water"], styles["street"])


@pytest.mark.parametrize("name", NAMES)
def test_the_documents_show_the_map(name: str) -> None:
    """The picture of a map in `docs/maps` is drawn from its file."""
    document = Path(__file__).parents[3] / "docs" / "maps" / f"{name}.svg"

    assert map_svg(own_map(name)) == document.read_text(encoding="utf-8")
