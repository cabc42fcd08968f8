"""Draw schematic sheets from the circuits: each part with its pins, each pin with its net's name.

Pins with the same name are joined. The presence board's strips are alike, and one is drawn.
Millimetres.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from hardware.plans.bom import natural
from hardware.plans.circuit import Part, panel, presence
from hardware.plans.source import read_parts

COLUMN = 76.0
"""Width of a column of parts."""
COLUMNS = 6
MARGIN = 8.0
PITCH = 4.0
"""Distance between two pins of a box."""
BODY, STUB = 24.0, 5.0
"""Width of a box, and length of the line at each of its pins."""
TITLE = 7.0
_FONT = 'font-family="DejaVu Sans, Arial, sans-serif"'
_LINE = 'stroke="#111" stroke-width="0.3" fill="none"'
Group = tuple[str, Sequence[Part]]
"""Parts that belong together, under their title."""


@dataclass
class _Sheet:
    """A sheet, filled column by column."""

    height: float
    body: list[str] = field(default_factory=list)
    x: float = MARGIN
    y: float = MARGIN + 12

    def room(self, height: float) -> tuple[float, float]:
        """Return the place for a piece of this height."""
        if self.y + height > self.height - MARGIN and self.y > MARGIN + 12:
            self.x, self.y = self.x + COLUMN, MARGIN + 12
        spot = self.x, self.y
        self.y += height
        return spot


def sheets() -> dict[str, str]:
    """Return every sheet as SVG, by its file name without ending."""
    return {
        "presence/schematic": _drawn("Presence board: the Nano, and one of six strips", _strip()),
        "panel/schematic": _drawn("Panel", [("at the Raspberry Pi", panel().parts)]),
    }


def _strip() -> list[Group]:
    circuit = presence()
    own = [part for part in circuit.parts if part.on == "strip1"]
    number = {part.ref: natural(part.ref)[1] - 100 for part in own}
    cells: list[Group] = []
    for cell in range(6):
        sensors = range(4 * cell + 1, 4 * cell + 5)
        mine = [
            part
            for part in own
            if (part.ref[0] in "SC" and number[part.ref] in sensors)
            or (part.ref[0] == "R" and number[part.ref] in (cell + 1, cell + 7))
        ]
        cells.append((f"cell {'ABCDEF'[cell]}", mine))
    taken = {part.ref for _, parts in cells for part in parts}
    rest = [part for part in own if part.ref not in taken]
    plugs = [part for part in rest if part.ref[0] == "J"]
    chip = [part for part in rest if part.ref[0] != "J"]
    loose = [part for part in circuit.parts if part.on == "loose"]
    return [("controller", loose), ("plugs", plugs), ("chip and its lines", chip), *cells]


def _drawn(title: str, groups: Iterable[Group]) -> str:
    groups = list(groups)
    whole = sum(TITLE + sum(map(_height, parts)) for _, parts in groups)
    tallest = max(_height(part) for _, parts in groups for part in parts)
    sheet = _Sheet(max(whole / COLUMNS * 1.12, tallest + 20) + MARGIN + 20)
    for words, parts in groups:
        for n, part in enumerate(parts):
            lead = 0.0 if n else TITLE
            x, y = sheet.room(lead + _height(part))
            if not n:
                sheet.body.append(_text(x, y + 4, words, 3.4, weight="bold"))
            sheet.body += _part(part, x, y + lead)
    width = sheet.x + COLUMN + MARGIN
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{sheet.height:.1f}mm"'
        f' viewBox="0 0 {width:g} {sheet.height:.1f}" {_FONT}>'
    )
    paper = f'<rect width="{width:g}" height="{sheet.height:.1f}" fill="#fff"/>'
    heading = _text(MARGIN, MARGIN + 3, f"{title}. Pins with the same name are joined.", 5)
    return "\n".join((head, paper, heading, *sheet.body, "</svg>")) + "\n"


def _is_two(part: Part) -> bool:
    return len(part.pins) == 2 and set(part.pins) == {"1", "2"} and part.ref[0] in "CRLDWBS"


def _sides(part: Part) -> tuple[list[str], list[str]]:
    """Return a box' pins on its left, downwards, and on its right."""
    pins = list(part.pins)
    if part.names and len(pins) > 3:
        half = len(part.names) // 2
        left = [pin for pin in pins if int(pin) <= half]
        return left, [pin for pin in reversed(pins) if int(pin) > half]
    return [], pins


def _height(part: Part) -> float:
    if _is_two(part):
        return 10.0
    return PITCH * max(map(len, _sides(part))) + 9


def _title(part: Part) -> str:
    """Return what a part is called on its sheet: a chip by its number, others by what they are."""
    kind = read_parts()["kinds"].get(part.kind, {"what": part.kind})
    if part.ref[0] == "U" or part.kind == "hall":
        return str(kind["mpn"])
    return re.split(", | with ", kind["what"])[0]


def _part(part: Part, x: float, y: float) -> Iterator[str]:
    kind = _title(part)
    if _is_two(part):
        yield from _two_ends(part, kind, x, y)
        return
    sides = _sides(part)
    left = x + 24
    high = PITCH * max(map(len, sides)) + 1
    yield _text(left, y + 2.6, f"{part.ref}  {kind}", 2.5, weight="bold")
    yield (
        f'<rect x="{left:g}" y="{y + 4:g}" width="{BODY:g}" height="{high:g}" fill="#fffbe8"'
        ' stroke="#111" stroke-width="0.4"/>'
    )
    for side, pins in enumerate(sides):
        edge, way = (left, -1) if side == 0 else (left + BODY, 1)
        for n, pin in enumerate(pins):
            at = y + 4 + PITCH * (n + 0.6)
            name = part.names[int(pin) - 1] if part.names and pin.isdigit() else ""
            inner = f"{pin} {name}".strip() if side == 0 else f"{name} {pin}".strip()
            yield f'<path d="M{edge:g} {at:g}h{way * STUB:g}" {_LINE}/>'
            yield _text(edge - way, at + 0.8, inner, 2.1, "start" if side == 0 else "end", "#555")
            outer = edge + way * (STUB + 0.8)
            yield _pin(part, pin, outer, at + 0.9, "end" if side == 0 else "start")


def _two_ends(part: Part, kind: str, x: float, y: float) -> Iterator[str]:
    """Yield a resistor, capacitor, coil, diode or contact between its two nets."""
    middle, at = x + 36, y + 6.5
    yield _text(middle, y + 2.6, f"{part.ref}  {kind}", 2.3, "middle", weight="bold")
    yield f'<path d="M{middle - 9:g} {at:g}h5M{middle + 4:g} {at:g}h5" {_LINE}/>'
    plate = f"{at - 2:g}v4"
    shapes = {
        "C": f"M{middle - 4:g} {at:g}h3.2M{middle - 0.8:g} {plate}M{middle + 0.8:g} {plate}"
        f"M{middle + 0.8:g} {at:g}h3.2",
        "R": f"M{middle - 4:g} {at - 1.3:g}h8v2.6h-8z",
        "L": f"M{middle - 4:g} {at:g}" + "q1 -3 2 0" * 4,
        "W": f"M{middle - 4:g} {at:g}v-2h8v2",
        # Pin 1 is the cathode: the bar is on its side.
        "D": f"M{middle - 1.5:g} {plate}M{middle - 1.5:g} {at:g}l3.5 -2v4z"
        f"M{middle - 4:g} {at:g}h2.5M{middle + 2:g} {at:g}h2",
        "B": f"M{middle - 4:g} {at - 2:g}h8v4h-8z",
        "S": f"M{middle - 4:g} {at:g}h1M{middle - 3:g} {at:g}l6 -2M{middle + 3:g} {at:g}h1",
    }
    yield f'<path d="{shapes[part.ref[0]]}" {_LINE}/>'
    yield _pin(part, "1", middle - 10, at + 0.9, "end")
    yield _pin(part, "2", middle + 10, at + 0.9, "start")


def _pin(part: Part, pin: str, x: float, y: float, anchor: str) -> str:
    """Return a pin's net, and mark of which pin it is."""
    net = part.pins[pin]
    colour = {"GND": "#111", "VCC": "#c00000", "+3V3": "#d07000"}
    mark = f'data-pin="{escape(part.ref)}.{escape(pin)}"'
    return _text(x, y, net, 2.4, anchor, colour.get(net, "#1a4f9c"), extra=mark)


def _text(
    x: float,
    y: float,
    words: str,
    size: float,
    anchor: str = "start",
    colour: str = "#111",
    weight: str = "normal",
    extra: str = "",
) -> str:
    about = f' font-weight="{weight}"' if weight != "normal" else ""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size:g}" text-anchor="{anchor}"'
        f' fill="{colour}"{about}{" " if extra else ""}{extra}>{escape(words)}</text>'
    )
