"""Draw the loops from the geometry in pins.toml: SVG to look at, DXF to cut, a tuning table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from math import ceil, cos, radians, sin
from typing import Any

from hardware.plans import radio
from hardware.plans.source import Loop, cells, place_of, read_pins

GAP = 6.0
"""Millimetres between a loop's two ends, at its feed."""
LEAD = 42.0
"""Millimetres of twisted ends beyond the loop: the resonators' copper must lie off all loops."""
MARGIN = 20.0
RESONATOR = 26.0
"""Depth in mm of a resonator's board, which lies beyond the ends."""
COLOURS = {
    "centred": ("#b2182b", "#2166ac", "#1b7837"),
    "border": ("#e08a7a", "#80b1d8", "#8fc79b"),
}
DXF_COLOURS = (1, 5, 3)
"""AutoCAD's colours for the axes: red, blue, green."""
Point = tuple[float, float]


def loops_of(geometry: dict[str, Any]) -> list[Loop]:
    """Return the loops of a geometry in the order of their numbers."""
    found = []
    for axis in geometry["axes"]:
        for kind in ("centred", "border"):
            if kind in axis:
                found += list(_strips(axis, kind))
    return sorted(found, key=lambda loop: loop.number)


def _strips(axis: dict[str, Any], kind: str) -> Iterator[Loop]:
    strips = axis[kind]
    normal = radians(axis["normal"])
    for i in range(strips["count"]):
        away = (i - (strips["count"] - 1) / 2) * strips["pitch_mm"]
        centre = away * cos(normal), away * sin(normal)
        lengths = strips["length_mm"]
        length = lengths[i] if isinstance(lengths, list) else lengths
        angle = axis["normal"] - 90
        yield Loop(
            strips["first"] + i, axis["name"], kind, i, centre, angle, strips["width_mm"], length
        )


def path(loop: Loop) -> list[Point]:
    """Return the wire's path from one end to the other; the ends are the feed, in the middle of a
    short side.
    """
    half, along, gap = loop.width / 2, loop.length / 2, GAP / 2
    side = -1.0
    corners = [
        (side * (along + LEAD), -gap),
        (side * along, -gap),
        (side * along, -half),
        (-side * along, -half),
        (-side * along, half),
        (side * along, half),
        (side * along, gap),
        (side * (along + LEAD), gap),
    ]
    return [placed(loop, point) for point in corners]


def outline(loop: Loop) -> list[Point]:
    """Return the corners of the loop's rectangle."""
    half, along = loop.width / 2, loop.length / 2
    return [
        placed(loop, point)
        for point in ((-along, -half), (along, -half), (along, half), (-along, half))
    ]


def placed(loop: Loop, point: Point) -> Point:
    """Return a point given along and across a loop in the board's millimetres."""
    turn = radians(loop.angle)
    x, y = point
    return (
        round(loop.centre[0] + x * cos(turn) - y * sin(turn), 3),
        round(loop.centre[1] + x * sin(turn) + y * cos(turn), 3),
    )


def plate_side(geometry: dict[str, Any]) -> float:
    """Return the side in cm of the square plywood for the loops and their resonators."""
    farthest = max(abs(v) for loop in loops_of(geometry) for point in path(loop) for v in point)
    return 20.0 * ceil((farthest + RESONATOR) / 10)


def grooves(loops: Sequence[Loop]) -> list[tuple[Point, Point]]:
    """Return the grooves for these loops of one axis; sides that overlap share one groove."""
    model = loops[0]
    frame = Loop(-1, model.axis, model.kind, 0, (0.0, 0.0), model.angle, 0.0, 0.0)
    turn = radians(model.angle)
    longs: dict[float, float] = {}
    shorts: dict[float, list[tuple[float, float]]] = {}
    for loop in loops:
        middle = round(loop.centre[1] * cos(turn) - loop.centre[0] * sin(turn), 3)
        first, last = round(middle - loop.width / 2, 2), round(middle + loop.width / 2, 2)
        for across in (first, last):
            longs[across] = max(longs.get(across, 0.0), loop.length / 2)
        for along in (-loop.length / 2, loop.length / 2):
            shorts.setdefault(along, []).append((first, last))
    cuts = [((-half, across), (half, across)) for across, half in sorted(longs.items())]
    for along, spans in sorted(shorts.items()):
        cuts += [((along, start), (along, end)) for start, end in _merged(spans)]
    return [(placed(frame, start), placed(frame, end)) for start, end in cuts]


def _merged(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return intervals that overlap or touch as one."""
    found: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def dxf(geometry: dict[str, Any]) -> str:
    """Return the loops as DXF (R12, millimetres, y up).

    Layers: PLATE; GROOVE_ and the axis, what is cut; the axis and kind, each loop as a closed path;
    the same with _FEED, its two ends; NUMBERS.
    """
    # Imported here: it takes a second, and only this drawing needs it.
    from ezdxf.addons.r12writer import r12writer

    out = io.StringIO()
    axes = [axis["name"] for axis in geometry["axes"]]
    with r12writer(out) as drawing:
        half = plate_side(geometry) / 2
        plate = [(x * half, y * half) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        drawing.add_polyline_2d(plate, layer="PLATE", color=7, closed=True)
        for axis in axes:
            for start, end in grooves([loop for loop in loops_of(geometry) if loop.axis == axis]):
                drawing.add_line(
                    (start[0], -start[1]),
                    (end[0], -end[1]),
                    layer=f"GROOVE_{axis}".upper(),
                    color=8,
                )
        for loop in loops_of(geometry):
            layer = f"{loop.axis}_{loop.kind}".upper()
            colour = DXF_COLOURS[axes.index(loop.axis)]
            corners = [(x, -y) for x, y in outline(loop)]
            drawing.add_polyline_2d(corners, layer=layer, color=colour, closed=True)
            wire = path(loop)
            for start, end in ((wire[0], wire[1]), (wire[-2], wire[-1])):
                drawing.add_line(
                    (start[0], -start[1]), (end[0], -end[1]), layer=f"{layer}_FEED", color=colour
                )
            label = placed(loop, (-loop.length / 2 - LEAD - 4, 0))
            drawing.add_text(
                str(loop.number),
                insert=(label[0], -label[1]),
                height=4,
                align="MIDDLE_CENTER",
                layer="NUMBERS",
                color=7,
            )
    return out.getvalue()


def svg(name: str, geometry: dict[str, Any]) -> str:
    """Return the loops as SVG, in millimetres: one panel for each axis, since on the board they lie
    over each other.
    """
    loops = loops_of(geometry)
    reach = max(abs(v) for loop in loops for point in path(loop) for v in point) + MARGIN
    axes = [axis["name"] for axis in geometry["axes"]]
    size = 2 * reach
    width = size * len(axes)
    body = []
    for n, axis in enumerate(axes):
        body.append(f'<g transform="translate({reach + n * size:.1f} {reach + 14:.1f})">')
        body += [f'<g stroke="#bbb" stroke-width="0.5" fill="none">{_cell_outlines(geometry)}</g>']
        body += [
            _text(x - 12, y - 14, cell, 7, "#999")
            for cell, (x, y) in cell_centres(geometry).items()
        ]
        for loop in (loop for loop in loops if loop.axis == axis):
            body += _drawn(loop, n)
        kinds = ", ".join(
            _numbers(loops, axis, kind)
            for kind in ("centred", "border")
            if _numbers(loops, axis, kind)
        )
        body.append(_text(0, -reach - 4, f"{axis}: {kinds}", 10, "#111"))
        body.append("</g>")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}mm" height="{size + 20:.1f}mm" '
        f'viewBox="0 0 {width:.1f} {size + 20:.1f}" font-family="DejaVu Sans, Arial, sans-serif">'
    )
    title = f"<title>{name}: loops seen from above, in millimetres</title>"
    return (
        "\n".join(
            (
                head,
                title,
                f'<rect width="{width:.1f}" height="{size + 20:.1f}" fill="#fff"/>',
                *body,
                "</svg>",
            )
        )
        + "\n"
    )


def _numbers(loops: Sequence[Loop], axis: str, kind: str) -> str:
    numbers = [loop.number for loop in loops if loop.axis == axis and loop.kind == kind]
    words = {"centred": "on the cells", "border": "on their borders (paler)"}[kind]
    return f"{numbers[0]}–{numbers[-1]} {words}" if numbers else ""


def _drawn(loop: Loop, axis: int) -> Iterator[str]:
    colour = COLOURS[loop.kind][axis]
    points = " ".join(f"{x:g},{y:g}" for x, y in path(loop))
    # Neighbours share their long sides; draw them a little inwards so that both are seen.
    inset = 0.8 if loop.kind == "centred" else 2.2
    thin = Loop(
        loop.number,
        loop.axis,
        loop.kind,
        loop.place,
        loop.centre,
        loop.angle,
        loop.width - 2 * inset,
        loop.length - 2 * inset,
    )
    points = " ".join(f"{x:g},{y:g}" for x, y in path(thin))
    yield (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.1"'
        f' data-loop="{loop.number}"/>'
    )
    x, y = placed(loop, (-loop.length / 2 - LEAD - 5, 0))
    yield _text(x, y, str(loop.number), 8, colour)


def cell_centres(geometry: dict[str, Any]) -> dict[str, Point]:
    """Return where each cell's centre lies: where its centred strips cross."""
    first, second = geometry["axes"][:2]
    found = {}
    for cell in cells(geometry):
        letter, number = place_of(cell)
        places = {"letter": letter, "number": number}
        (a1, d1), (a2, d2) = (
            (radians(axis["normal"]), _away(axis, places[axis["place"]]))
            for axis in (first, second)
        )
        across = cos(a1) * sin(a2) - sin(a1) * cos(a2)
        x = (d1 * sin(a2) - d2 * sin(a1)) / across
        y = (cos(a1) * d2 - cos(a2) * d1) / across
        found[cell] = (round(x, 2), round(y, 2))
    return found


def _away(axis: dict[str, Any], place: int) -> float:
    strips = axis["centred"]
    away: float = (place - (strips["count"] - 1) / 2) * strips["pitch_mm"]
    return away


def _cell_outlines(geometry: dict[str, Any]) -> str:
    flat = geometry["cell_mm"] / 2
    if len(geometry["axes"]) == 2:
        return "".join(
            f'<rect x="{x - flat:g}" y="{y - flat:g}" width="{2 * flat:g}" height="{2 * flat:g}"/>'
            for x, y in cell_centres(geometry).values()
        )
    corner = flat / cos(radians(30))
    shape = [(corner * sin(radians(60 * n)), corner * cos(radians(60 * n))) for n in range(6)]
    return "".join(
        f'<polygon points="{" ".join(f"{x + a:.2f},{y + b:.2f}" for a, b in shape)}"/>'
        for x, y in cell_centres(geometry).values()
    )


def _text(x: float, y: float, words: str, size: float, colour: str) -> str:
    place = f'x="{x:.1f}" y="{y + size * 0.35:.1f}" text-anchor="middle"'
    return f'<text {place} font-size="{size:g}" fill="{colour}">{words}</text>'


def table() -> str:
    """Return the calculated tuning of each loop as CSV, for both geometries."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        (
            "field",
            "loop",
            "axis",
            "kind",
            "width_mm",
            "length_mm",
            "inductance_nH",
            "fixed_pF",
            "trimmer_from_nH",
            "trimmer_to_nH",
            "output",
            "chip",
            "chip_output",
        )
    )
    for name, geometry in read_pins()["geometries"].items():
        for loop in loops_of(geometry):
            nanohenry = radio.inductance(loop.width, loop.length) + radio.LEADS
            fixed = radio.fixed(nanohenry)
            least, most = radio.reach(fixed)
            chip = f"U{loop.number // 8 + 1}"
            output = f"DRAIN{loop.number % 8}"
            writer.writerow(
                (
                    name,
                    loop.number,
                    loop.axis,
                    loop.kind,
                    f"{loop.width:g}",
                    f"{loop.length:g}",
                    f"{nanohenry:.0f}",
                    f"{fixed:g}",
                    f"{least:.0f}",
                    f"{most:.0f}",
                    loop.number,
                    chip,
                    output,
                )
            )
    return out.getvalue()
