"""Write a map as SVG, like the pictures in `docs/maps`."""

from __future__ import annotations

from xml.sax.saxutils import escape

from companion.games.manhunt.drawing import INKS, Disc, Drawn, Label, Lines, Shape, map_shapes
from companion.games.manhunt.map_file import MapFile

CAPITALS = 0.73
"""Height of a capital in parts of the type size."""


def map_svg(content: MapFile) -> str:
    """Return the map as an SVG document."""
    size = content.size
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size.width} {size.height}" '
        f'font-family="sans-serif"><title>{escape(content.title)}</title>'
        f'<rect width="{size.width}" height="{size.height}" fill="{INKS["ground"]}"/>'
    ]
    parts += [_svg(shape) for shape in map_shapes(content)]
    return "\n".join([*parts, "</svg>\n"])


def _svg(shape: Drawn) -> str:
    ink = INKS[shape.ink]
    match shape:
        case Lines(_, width, dash, lines):
            path = " ".join(f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" for x1, y1, x2, y2 in lines)
            dashes = " ".join(f"{part:.1f}" for part in dash)
            dashed = f' stroke-dasharray="{dashes}"' if dash else ""
            return f'<path d="{path}" stroke="{ink}" stroke-width="{width:.1f}"{dashed}/>'
        case Disc(_, x, y, radius, thick):
            paint = f'fill="none" stroke="{ink}" stroke-width="{thick:.1f}"'
            return (
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" '
                + (paint if thick else f'fill="{ink}"')
                + "/>"
            )
        case Shape(_, points):
            corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            return f'<polygon points="{corners}" fill="{ink}"/>'
        case Label(kind, x, y, size, words):
            halo = ' stroke="#FFFFFF" stroke-width="2.5" paint-order="stroke"'
            return (
                f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size / CAPITALS:.1f}" '
                f'text-anchor="middle" fill="{ink}"'
                + (halo if kind == "name" else ' font-weight="bold"')
                + f">{escape(words)}</text>"
            )
