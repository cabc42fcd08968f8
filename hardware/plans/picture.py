"""Draw the perfboards: the parts from their side, each stage's wires from the other side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from statistics import fmean
from typing import get_args

from hardware.plans.circuit import Part, Stage
from hardware.plans.perfboard import COLUMNS, ROWS, Board, Hole, Wire, hole_name

PITCH = 2.54
EDGE = 3 * PITCH
WIDTH, HEIGHT = 160.0, 100.0
COLOURS = ("#b2182b", "#2166ac", "#1b7837", "#762a83", "#b35806", "#01665e", "#c51b7d", "#4d4d4d")
POWER_COLOURS = {"+5V": "#c00000", "GND": "#202020", "+3V3": "#d07000"}
STAGES: tuple[Stage, ...] = get_args(Stage)


def parts_picture(board: Board) -> str:
    """Return the board from the parts' side as SVG, in millimetres, with each part's name and pin
    1.
    """
    holes = board.pin_holes
    body = [*_ground(mirrored=False)]
    for part in board.circuit.parts:
        own = [hole for (ref, _), hole in holes.items() if ref == part.ref]
        if own:
            body += _body(part, own)
    return _sheet(f"{board.circuit.name} (research): logic board, parts' side", body)


def wires_picture(board: Board, stage: Stage) -> str:
    """Return the wires of one stage as SVG, as seen from the soldering side (mirrored left to
    right).
    """
    wires = [wire for wire in board.wires if wire.stage == stage]
    nets = sorted({wire.net for wire in wires})
    colours = {net: POWER_COLOURS.get(net, COLOURS[n % len(COLOURS)]) for n, net in enumerate(nets)}
    body = [*_ground(mirrored=True)]
    names: dict[Hole, str] = {}
    for (ref, pin), hole in board.pin_holes.items():
        x, y = _at(hole, mirrored=True)
        body.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.75" fill="#d8d0b8"/>')
        names[hole] = f"{ref}.{pin}"
    for part in board.circuit.parts:
        if (part.ref, "1") in board.pin_holes:
            own = [
                _at(hole, mirrored=True)
                for (ref, _), hole in board.pin_holes.items()
                if ref == part.ref
            ]
            body.append(
                _text(
                    fmean(x for x, _ in own),
                    fmean(y for _, y in own),
                    part.ref,
                    1.9,
                    "#999",
                )
            )
    for number, wire in enumerate(wires):
        body += _wire(wire, colours[wire.net], number)
    body += _legend(nets, colours)
    return _sheet(
        f"{board.circuit.name} (research): logic board, soldering side,"
        f" wires of “{stage}” ({len(wires)})",
        body,
    )


def stages(board: Board) -> list[Stage]:
    """Return the stages in which this board has wires, in the order of assembly."""
    used = {wire.stage for wire in board.wires}
    return [stage for stage in STAGES if stage in used]


def _at(hole: Hole, mirrored: bool) -> tuple[float, float]:
    column = COLUMNS + 1 - hole[0] if mirrored else hole[0]
    return (WIDTH - (COLUMNS - 1) * PITCH) / 2 + (column - 1) * PITCH, EDGE / 2 + (
        hole[1] - 0.5
    ) * PITCH + 0.5


def _ground(mirrored: bool) -> Iterator[str]:
    size = f'width="{WIDTH}" height="{HEIGHT}" rx="1.5"'
    yield f'<rect x="0" y="0" {size} fill="#fbf7ea" stroke="#8a7f60" stroke-width="0.4"/>'
    dots = (
        _at((column, row), mirrored)
        for column in range(1, COLUMNS + 1)
        for row in range(1, ROWS + 1)
    )
    yield "".join(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.35" fill="#ddd5bd"/>' for x, y in dots)
    for column in range(1, COLUMNS + 1):
        if column % 5 == 0 or column == 1:
            for row in (0.2, ROWS + 0.8):
                x, _ = _at((column, 1), mirrored)
                _, top = _at((1, 1), mirrored)
                yield _text(x, top + (row - 1) * PITCH, str(column), 1.5, "#8a7f60")
    for row in range(1, ROWS + 1):
        letter = hole_name((1, row))[0]
        for column in (1, COLUMNS):
            x, y = _at((column, row), mirrored)
            yield _text(x - 1.9 if x < WIDTH / 2 else x + 1.9, y, letter, 1.5, "#8a7f60")


def _body(part: Part, own: Sequence[Hole]) -> Iterator[str]:
    """Yield a part seen from above: outline, name, kind, pins, and a mark at pin 1."""
    points = [_at(hole, mirrored=False) for hole in own]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    fill = {"header": "#e3e3e3", "10k": "#dbe7f3"}.get(part.kind.split("-")[0], "#f1e2d0")
    yield (
        f'<rect x="{left - 1.1:.2f}" y="{top - 1.1:.2f}" '
        f'width="{right - left + 2.2:.2f}" height="{bottom - top + 2.2:.2f}" '
        f'rx="0.6" fill="{fill}" stroke="#333" stroke-width="0.25"/>'
    )
    for n, (x, y) in enumerate(points):
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.6" fill="{"#c00" if n == 0 else "#777"}"/>'
    yield from _pin_names(part, own, points)
    x, y = (left + right) / 2, (top + bottom) / 2
    words = f"{part.ref} {part.kind}"
    if len(own) == 2:
        yield _text(x, y, part.ref, 1.5)
    elif right - left < 1:
        yield _upright(x + 2.1, y, words, 1.7)
    elif bottom - top < 1:
        yield _text(x, top + (2.2 if _low(own[0]) else -2.2), words, 1.7)
    elif bottom - top > right - left:
        yield _text(x, top - 2.2, words, 1.7)
    else:
        yield _text(x, y, words, 1.7)


def _low(hole: Hole) -> bool:
    """Whether a header lies at the lower edge, with its pins' names above it."""
    return hole[1] > ROWS - 4


def _pin_names(
    part: Part, own: Sequence[Hole], points: Sequence[tuple[float, float]]
) -> Iterator[str]:
    """Yield the nets of headers and the names of chips' pins beside the pins."""
    if part.kind.startswith("header"):
        low = _low(own[0])
        for (x, y), net in zip(points, part.pins.values(), strict=True):
            yield _upright(
                x, y - 1.6 if low else y + 1.6, _short(net), 1.15, "#444", "start" if low else "end"
            )
    elif len(own) >= 14:
        upright, half = points[0][0] == points[1][0], len(points) // 2
        for n, ((x, y), name) in enumerate(zip(points, part.names, strict=True)):
            second = n >= half
            if upright:
                yield _text(
                    x - 1.2 if second else x + 1.2,
                    y,
                    name,
                    0.95,
                    "#444",
                    "end" if second else "start",
                )
            else:
                yield _upright(
                    x,
                    y - 1.2 if second else y + 1.2,
                    name,
                    0.95,
                    "#444",
                    "start" if second else "end",
                )


def _upright(
    x: float, y: float, words: str, size: float, colour: str = "#111", anchor: str = "middle"
) -> str:
    return (
        f'<g transform="rotate(-90 {x:.2f} {y:.2f})">{_text(x, y, words, size, colour, anchor)}</g>'
    )


def _short(net: str) -> str:
    return (
        net.replace("BUTTON_", "button ").replace("LAMP_", "").lower()
        if net.startswith(("BUTTON", "LAMP_"))
        else net
    )


def _wire(wire: Wire, colour: str, number: int) -> Iterator[str]:
    """Yield a wire as an arc, so that one across a pad does not look joined to it."""
    (x1, y1), (x2, y2) = (_at(hole, mirrored=True) for hole in (wire.start, wire.end))
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    bow = min(0.14 * length, 6.0) * (1 if number % 2 else -1)
    mx, my = (x1 + x2) / 2 - bow * (y2 - y1) / length, (y1 + y2) / 2 + bow * (x2 - x1) / length
    yield (
        f'<path d="M {x1:.2f} {y1:.2f} Q {mx:.2f} {my:.2f} {x2:.2f} {y2:.2f}" '
        f'fill="none" stroke="{colour}" stroke-width="0.35">'
        f"<title>{escape(wire.net)}: {wire.start_pin} – {wire.end_pin}</title></path>"
    )
    for x, y in ((x1, y1), (x2, y2)):
        yield f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.6" fill="{colour}"/>'


def _legend(nets: Sequence[str], colours: dict[str, str]) -> Iterator[str]:
    for n, net in enumerate(nets):
        x, y = 4 + 22.0 * (n % 7), HEIGHT + 3.5 + 2.6 * (n // 7)
        yield f'<rect x="{x}" y="{y - 1:.2f}" width="3" height="1.2" fill="{colours[net]}"/>'
        yield _text(x + 4, y - 0.4, net, 1.6, "#222", "start")


def _text(
    x: float, y: float, words: str, size: float, colour: str = "#111", anchor: str = "middle"
) -> str:
    return (
        f'<text x="{x:.2f}" y="{y + size * 0.35:.2f}" font-size="{size}" fill="{colour}" '
        f'text-anchor="{anchor}">'
        f"{escape(words)}</text>"
    )


def _sheet(title: str, body: Sequence[str]) -> str:
    """Return a landscape sheet, true to scale when it is printed at 100 %."""
    width, height = WIDTH + 10, HEIGHT + 38
    lines = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="-5 -9 {width} {height}" '
        'font-family="DejaVu Sans, Arial, sans-serif">',
        f'<rect x="-5" y="-9" width="{width}" height="{height}" fill="#fff"/>',
        _text(0, -5, title, 3, "#111", "start"),
        *body,
        "</svg>",
    )
    return "\n".join(lines) + "\n"
