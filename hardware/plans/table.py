"""Draw the presence board's table: section, plate, frame and parts, and list the orders.

Millimetres; x to the right and y away from row 1, as seen from below unless a name says otherwise.
Nothing of it was built.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from hardware.plans import magnet
from hardware.plans.circuit import Circuit, Part, circuits
from hardware.plans.isometric import (
    Rectangle,
    block,
    cable_line,
    disc,
    projected,
    rectangle,
    sheet,
    words_at,
)
from hardware.plans.source import read_parts

PLATE, FIELD, CELL = 500.0, 360.0, 60.0
EDGE = (PLATE - FIELD) / 2
STRIP_LENGTH, STRIP_WIDTH, PLUG_END = 370.0, 30.0, 24.0
"""A strip's size, and how far its end with the plugs lies outside of the field."""
BATTEN = 20.0
"""The frame: four battens of 20 × 20 mm under the plate's edge."""
PLUG_HEIGHT = 5.5
"""Height of a strip's plug above its board."""
FELT = 3.0
LID = 1.2
"""Lid of the pawn's base over its magnet."""
SCREW_HOLE = 3.2
NANO_BOX = (64.8, 38.8, 18.0)
"""Length, width and height of the controller's box with its lid (case/nano_box.scad)."""
NANO_BOX_AT = (BATTEN, BATTEN + 3.0)
"""Corner of the box: its USB window is at the left batten."""
SLOT = (15.0, 16.0)
"""Width and depth of the cut in the left batten through which the USB plug goes."""


def strips() -> list[Rectangle]:
    """Return the place of each strip, which is taped on."""
    left = EDGE - PLUG_END
    return [
        Rectangle(
            f"strip {row + 1}",
            left,
            EDGE + CELL * row + (CELL - STRIP_WIDTH) / 2,
            STRIP_LENGTH,
            STRIP_WIDTH,
        )
        for row in range(6)
    ]


def battens() -> list[Rectangle]:
    """Return the frame: two battens as long as the plate, two between them."""
    between = PLATE - 2 * BATTEN
    return [
        Rectangle("batten 1", 0, 0, PLATE, BATTEN),
        Rectangle("batten 2", 0, PLATE - BATTEN, PLATE, BATTEN),
        Rectangle("batten 3", 0, BATTEN, BATTEN, between),
        Rectangle("batten 4", PLATE - BATTEN, BATTEN, BATTEN, between),
    ]


def slot() -> Rectangle:
    """Return the cut in the left batten for the USB plug: in the middle of the box."""
    middle = NANO_BOX_AT[1] + NANO_BOX[1] / 2
    return Rectangle("slot for USB", 0, middle - SLOT[0] / 2, BATTEN, SLOT[0])


def nano_box() -> Rectangle:
    """Return the place of the controller's box."""
    return Rectangle("box of the Nano", *NANO_BOX_AT, *NANO_BOX[:2])


def cables() -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the ends of each cable: from the box to strip 1, and from each strip to the next."""
    box = nano_box()
    plugs = [(strip.x + PLUG_END / 2, strip.y) for strip in strips()]
    starts = [(box.x + box.width, box.y + box.height / 2)]
    starts += [(x, y + STRIP_WIDTH) for x, y in plugs[:-1]]
    return list(zip(starts, plugs, strict=True))


def screw_holes() -> list[tuple[float, float]]:
    """Return the centres of the 12 holes for screws into the battens, clear of joints and slot."""
    inner, outer = BATTEN / 2, PLATE - BATTEN / 2
    along = (40.0, PLATE / 2, PLATE - 40.0)
    beside = (100.0, PLATE / 2, PLATE - 100.0)
    return [(x, y) for y in (inner, outer) for x in along] + [
        (x, y) for x in (inner, outer) for y in beside
    ]


def cell_middles() -> dict[str, tuple[float, float]]:
    """Return each cell's middle; from below column A is on the right."""
    return {
        f"{column}{row + 1}": (EDGE + CELL * number + CELL / 2, EDGE + CELL * row + CELL / 2)
        for row in range(6)
        for number, column in enumerate(reversed(COLUMNS))
    }


COLUMNS = "ABCDEF"
STRIP_MAKER = "circuit board maker"
SHOPS = {
    "supermagnete": "magnets",
    "circuit board makers": STRIP_MAKER,
    "approved resellers": "Raspberry Pi reseller",
    "wood shop": "wood shop",
    "anywhere": "marketplace",
    "marketplaces;": "marketplace",
    "Reichelt": "Reichelt",
    "Mouser": "Mouser",
    "arcade shops": "Reichelt",
    "marketplaces": "marketplace",
}
"""Build of a part: the first of these words in its `where`."""
FETCHED = ("wood shop",)
"""Shops without postage: visited in person."""
POSTAGE = 9.0
"""Postage of one order, estimated in euros."""


def section() -> str:
    """Return a section through one cell as SVG; heights are drawn four times as large."""
    disc, layout = magnet.CHOSEN
    names = list(magnet.STACK)
    layers = [
        ("pawn, glued on", 3.0, "#c9b79c", 20.0),
        (f"lid, printed over the magnet, {LID:g} mm", LID, "#9a7", disc.base),
        (f"magnet: {disc.name}", disc.height, "#555", disc.diameter),
        (f"{names[0]}, {magnet.STACK[names[0]]:g} mm", magnet.STACK[names[0]], "#9a7", disc.base),
        (f"tile, {magnet.STACK['tile']:g} mm", magnet.STACK["tile"], "#e8d8a0", 58.0),
        (f"plate, plywood {magnet.STACK['plate']:g} mm", magnet.STACK["plate"], "#d9a441", 64.0),
        (f"strip, {magnet.STACK['strip']:g} mm", magnet.STACK["strip"], "#2a7", 64.0),
    ]
    body, y = [], 4.0
    for words, height, colour, width in layers:
        body.append(rectangle(35 - width / 2, y, width, 4 * height, colour))
        if width == disc.diameter and height == disc.height:
            for x in (35 - disc.base / 2, 35 + disc.diameter / 2):
                body.append(rectangle(x, y, magnet.WALL, 4 * height, "#9a7"))
        body.append(words_at(70, y + 2 * height + 0.8, words))
        y += 4 * height
    for x in sorted({x for x, _ in layout.places}):
        body.append(rectangle(35 + x - 1.5, y, 3, 4 * 1.1, "#111"))
    body.append(words_at(70, y + 3, f"Hall switches, two of {len(layout.places)}, parts face down"))
    body.append(words_at(3, y + 12, f"{magnet.GAP:.2f} mm from magnet to sensing element"))
    return sheet(150, y + 15, body)


def plate() -> str:
    """Return the plate's lower side as SVG, life-size: frame, holes, strips, box."""
    body = [rectangle(0, 0, PLATE, PLATE, "#f4e8cf"), rectangle(EDGE, EDGE, FIELD, FIELD, "#fff")]
    for batten in battens():
        body.append(rectangle(batten.x, batten.y, batten.width, batten.height, "#d8bd8c"))
    for row, strip in enumerate(strips(), 1):
        body.append(rectangle(strip.x, strip.y, strip.width, strip.height, "#cfe8d8"))
        body.append(words_at(strip.x + 3, strip.y + 16, f"plugs of {row}", 3))
    for cell, (x, y) in cell_middles().items():
        body.append(words_at(x - 4, y + 2, cell, 5))
    for thing, colour in ((nano_box(), "#cdd9ee"), (slot(), "#fff")):
        body.append(rectangle(thing.x, thing.y, thing.width, thing.height, colour))
    box = nano_box()
    body.append(words_at(box.x + 4, box.y + 20, "box of a Nano; its USB to the left", 3))
    for x, y in screw_holes():
        body.append(f'<circle cx="{x:g}" cy="{y:g}" r="{SCREW_HOLE / 2:g}" fill="#111"/>')
    body.append(words_at(110, 38, "seen from below; print at 100 %: this line is 100 mm", 4))
    body.append(rectangle(110, 41, 100, 0.4, "#111"))
    return sheet(PLATE, PLATE, body)


def frame() -> str:
    """Return the battens with their lengths, holes and slot as SVG, at a quarter of their size."""
    body, y = (
        [words_at(6, 10, "four battens of 20 × 20 mm, seen from their side at the plate", 5)],
        22.0,
    )
    for batten in battens():
        length, across = max(batten.width, batten.height), batten.width < batten.height
        body.append(rectangle(30, y, length, BATTEN, "#d8bd8c"))
        body.append(words_at(2, y + 12, batten.name.removeprefix("batten "), 8))
        body.append(words_at(30 + length + 4, y + 12, f"{length:g} mm", 7))
        start = batten.y if across else batten.x
        for x, spot_y in screw_holes():
            if batten.x <= x <= batten.x + batten.width and (
                batten.y <= spot_y <= batten.y + batten.height
            ):
                at = (spot_y if across else x) - start
                body.append(f'<circle cx="{30 + at:g}" cy="{y + 10:g}" r="1.5" fill="#111"/>')
                body.append(words_at(30 + at - 6, y + 28, f"{at:g}", 6))
        cut = slot()
        if batten.x == 0 and across:
            at = cut.y - batten.y
            body.append(rectangle(30 + at, y, cut.height, BATTEN, "#fff"))
            words = f"cut {cut.height:g} mm wide, {SLOT[1]:g} deep, at {at:.1f}"
            body.append(words_at(30 + at + 20, y - 3, words, 6))
        y += 44
    return sheet(620, y, body)


def exploded() -> str:
    """Return an exploded view of the whole table as SVG."""
    body: list[str] = []
    frame_at, under, plate_at, tiles_at, pawns_at = 0.0, 150.0, 420.0, 520.0, 600.0
    far = PLATE - 23
    for corner in ((8.0, 8.0), (far, 8.0), (8.0, far), (far, far)):
        body += block(Rectangle("felt", *corner, 15, 15), frame_at - 50, FELT, "#777777")
    back, front, right, left = battens()
    for batten in (back, left, right, front):
        body += block(batten, frame_at, BATTEN, "#d8bd8c")
    cut = slot()
    deep = Rectangle("cut", cut.x, cut.y, cut.width, cut.height)
    body += block(deep, frame_at + BATTEN - SLOT[1], SLOT[1], "#6b5a3c")
    for strip in strips():
        plugs = Rectangle("plugs", strip.x + 3, strip.y, 16, STRIP_WIDTH)
        body += block(plugs, under - PLUG_HEIGHT, PLUG_HEIGHT, "#eeeeee")
        body += block(strip, under, 1.6, "#33aa99")
    body += [cable_line(start, end, under - PLUG_HEIGHT / 2) for start, end in cables()]
    body += block(nano_box(), under - NANO_BOX[2], NANO_BOX[2], "#9fb6dd")
    body += block(Rectangle("plate", 0, 0, PLATE, PLATE), plate_at, 3, "#ead3a0")
    for x, y in cell_middles().values():
        body += block(Rectangle("tile", x - 29, y - 29, 58, 58), tiles_at, 2, "#f3ead0")
    for cell in ("A1", "F1", "A6", "F6"):
        across, down = projected(*cell_middles()[cell], tiles_at + 2)
        body.append(words_at(across - 10, down + 5, cell, 15))
    for cell in ("B2", "E4", "C5"):
        x, y = cell_middles()[cell]
        body += disc(x, y, pawns_at, magnet.CHOSEN[0].base, 6, "#bb8855")
    labels = (
        ("felt", frame_at - 50), ("frame: four battens 20 × 20, cut for the cable", frame_at),
        ("six strips, parts down; a Nano's box", under),
        (f"plate, plywood 3 mm, {PLATE:g} × {PLATE:g}", plate_at), ("tiles", tiles_at),
        ("pawns' bases, each with its magnet inside", pawns_at),
    )  # fmt: skip
    beside = projected(0, 0, 0)[0] + 12
    for words, z in labels:
        body.append(words_at(beside, projected(0, 0, z)[1], words, 15))
    return sheet(1290, 1230, body)


def orders(circuit: Circuit) -> str:
    """Return the orders of what a build needs, by shop, with postage and sums, as CSV."""
    entries = read_parts()["also"]
    also = {
        each["refs"]: each["quantity"]
        for each in entries
        if circuit.name in each["builds"] and not each.get("optional")
    }
    kinds = read_parts()["kinds"]
    parts = [part for part in circuit.parts if not kinds.get(part.kind, {}).get("optional")]
    return _listed(parts, also, circuit.name == "presence")


def _listed(parts: Sequence[Part], also: Mapping[str, int], assembled: bool) -> str:
    """Return orders by shop, with postage and sums, as CSV.

    `order_number` is a shop's own number where a published parts list names it or it follows the
    shop's scheme; nobody looked it up in the shop.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("shop", "what", "number", "order_number", "quantity", "eur"))
    shops: dict[str, list[tuple[str, str, str, int, float]]] = defaultdict(list)
    for shop, what, number, order, quantity, eur in _lines(parts, also, assembled):
        shops[shop].append((what, number, order, quantity, eur))
    everything = 0.0
    for shop, lines in shops.items():
        if shop not in FETCHED:
            lines.append(("postage", "", "", 1, POSTAGE))
        for written in lines:
            writer.writerow((shop, *written[:4], f"{written[4]:.2f}"))
        total = sum(written[4] for written in lines)
        everything += total
        writer.writerow((shop, "sum, estimated", "", "", "", f"{total:.2f}"))
    writer.writerow(("all", "sum, estimated", "", "", "", f"{everything:.2f}"))
    return out.getvalue()


def order_lists() -> dict[str, str]:
    """Return each build's orders by its name."""
    return {circuit.name: orders(circuit) for circuit in circuits()}


def _lines(
    parts: Sequence[Part], also: Mapping[str, int], assembled: bool
) -> Iterator[tuple[str, str, str, str, int, float]]:
    """Yield shop, what, maker's number, order number, quantity and price of each part."""
    known_parts = read_parts()
    counts: dict[str, int] = defaultdict(int)
    for part in parts:
        counts[part.kind] += part.kind != "hole"
    bought = [(known_parts["kinds"][kind], count) for kind, count in counts.items() if count]
    bought += [
        (entry, also[entry["refs"]]) for entry in known_parts["also"] if entry["refs"] in also
    ]
    for entry, count in bought:
        known = entry.get("orders", {})
        if assembled and known:
            shop = STRIP_MAKER
        else:
            shop = next(shop for words, shop in SHOPS.items() if words in entry["where"])
        order = known.get(shop, "")
        if shop == STRIP_MAKER:
            order = "; ".join(f"{name} {number}" for name, number in known.items())
        yield shop, entry["what"], entry["mpn"], order, count, count * entry["eur"]
