"""The presence board's table: a section through it, where the strips lie, and what to order where.

Millimetres. Nothing of it was built.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator

from hardware.plans import magnet
from hardware.plans.circuit import presence
from hardware.plans.source import read_parts

PLATE, FIELD, CELL = 420.0, 360.0, 60.0
STRIP_LENGTH, STRIP_WIDTH, PLUG_END = 370.0, 30.0, 24.0
"""A strip, and how far its end with the plugs lies outside of the field."""
COLUMNS = "ABCDEF"
STRIP_MAKER = "circuit board maker"
_FONT = 'font-family="DejaVu Sans, Arial, sans-serif"'


def section() -> str:
    """Return a section through one cell as SVG; heights are drawn four times as large."""
    disc, layout = magnet.CHOSEN
    names = list(magnet.STACK)
    layers = [
        ("pawn, glued over the magnet", 3.0, "#c9b79c", 20.0),
        (f"magnet: {disc.name}, in its base", disc.height, "#555", disc.diameter),
        (f"{names[0]}, {magnet.STACK[names[0]]:g} mm", magnet.STACK[names[0]], "#9a7", disc.base),
        (f"tile, {magnet.STACK['tile']:g} mm", magnet.STACK["tile"], "#e8d8a0", 58.0),
        (f"plate, plywood {magnet.STACK['plate']:g} mm", magnet.STACK["plate"], "#d9a441", 64.0),
        (f"strip, {magnet.STACK['strip']:g} mm", magnet.STACK["strip"], "#2a7", 64.0),
    ]
    body, y = [], 4.0
    for words, height, colour, width in layers:
        body.append(_box(35 - width / 2, y, width, 4 * height, colour))
        body.append(_words(70, y + 2 * height + 0.8, words))
        y += 4 * height
    for x in sorted({x for x, _ in layout.places}):
        body.append(_box(35 + x - 1.5, y, 3, 4 * 1.1, "#111"))
    body.append(_words(70, y + 3, f"Hall switches, two of {len(layout.places)}, parts face down"))
    body.append(_words(3, y + 12, f"{magnet.GAP:.2f} mm from magnet to sensing element"))
    return _svg(150, y + 15, body)


def plate() -> str:
    """Return the plate's lower side as SVG, life-size: where each strip is taped."""
    edge = (PLATE - FIELD) / 2
    body = [_box(0, 0, PLATE, PLATE, "#f4e8cf"), _box(edge, edge, FIELD, FIELD, "#fff")]
    for row in range(6):
        y = edge + CELL * row + (CELL - STRIP_WIDTH) / 2
        left = edge - PLUG_END
        body.append(_box(left, y, STRIP_LENGTH, STRIP_WIDTH, "#cfe8d8"))
        body.append(_words(left + 3, y + 16, f"plugs of strip {row + 1}", 3))
        for number, column in enumerate(reversed(COLUMNS)):
            x = edge + CELL * number + CELL / 2
            body.append(_words(x - 4, y + 17, f"{column}{row + 1}", 5))
    body.append(_words(edge, edge - 8, "seen from below; print at 100 %: this line is 100 mm", 4))
    body.append(_box(edge, edge - 5, 100, 0.4, "#111"))
    return _svg(PLATE, PLATE, body)


def orders() -> str:
    """Return what to order where, with postage and sums, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("shop", "what", "number", "quantity", "eur"))
    shops: dict[str, list[tuple[str, str, int, float]]] = defaultdict(list)
    for shop, what, number, quantity, eur in _lines():
        shops[shop].append((what, number, quantity, eur))
    everything = 0.0
    for shop, lines in shops.items():
        for line in lines:
            writer.writerow((shop, *line[:3], f"{line[3]:.2f}"))
        total = sum(line[3] for line in lines)
        everything += total
        writer.writerow((shop, "sum, estimated", "", "", f"{total:.2f}"))
    writer.writerow(("all", "sum, estimated", "", "", f"{everything:.2f}"))
    return out.getvalue()


def _lines() -> Iterator[tuple[str, str, str, int, float]]:
    parts = read_parts()
    counts: dict[str, int] = defaultdict(int)
    for part in presence().parts:
        counts[part.kind] += part.kind != "hole"
    for kind, count in counts.items():
        if count:
            entry = parts["kinds"][kind]
            shop = STRIP_MAKER if "orders" in entry else "the rest"
            yield shop, entry["what"], entry["mpn"], count, count * entry["eur"]
    for entry in parts["also"]:
        if "presence" not in entry["builds"]:
            continue
        whole = entry["quantity"] * entry["eur"]
        if entry["what"].startswith("postage"):
            for shop in (STRIP_MAKER, "magnets", "the rest"):
                yield shop, "postage", "", 1, entry["eur"]
        else:
            shop = {"X1": "magnets", "X2": STRIP_MAKER}.get(entry["refs"], "the rest")
            yield shop, entry["what"], entry["mpn"], entry["quantity"], whole


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="{colour}"'
        ' stroke="#333" stroke-width="0.2"/>'
    )


def _words(x: float, y: float, words: str, size: float = 2.6) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="#111">{words}</text>'


def _svg(width: float, height: float, body: list[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" {_FONT}>'
    )
    return "\n".join((head, *body, "</svg>")) + "\n"
