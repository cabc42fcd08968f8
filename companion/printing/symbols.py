"""The drawn signs of print kits, each in a square of 20 around (0, 0)."""

from __future__ import annotations

from companion.printing.page import Sheet

BAT = (
    "M 0 -2.2 L 1 -4.4 L 1.7 -2.5 C 2.6 -1.9 3.2 -1.4 3.7 -1 C 4.6 -3.8 6.8 -5.4 10 -5.6 "
    "C 8.9 -3.9 9 -1.6 9.5 0.6 C 7.8 -0.2 6.2 0.3 5.4 2.4 C 4 1.5 2.2 1.9 1.5 3.4 L 0 6 L -1.5 3.4 "
    "C -2.2 1.9 -4 1.5 -5.4 2.4 C -6.2 0.3 -7.8 -0.2 -9.5 0.6 C -9 -1.6 -8.9 -3.9 -10 -5.6 "
    "C -6.8 -5.4 -4.6 -3.8 -3.7 -1 C -3.2 -1.4 -2.6 -1.9 -1.7 -2.5 L -1 -4.4 Z"
)
BULLET = (
    "M -2.8 8.6 L -2.8 6.6 L 2.8 6.6 L 2.8 8.6 Z M -2.4 5.8 L -2.4 -1.6 L 2.4 -1.6 L 2.4 5.8 Z "
    "M -2.4 -2.4 C -2.4 -5.6 -1.2 -8 0 -9 C 1.2 -8 2.4 -5.6 2.4 -2.4 Z"
)
STAR = (
    "M 0 -9 C 0.9 -2.2 2.2 -0.9 9 0 C 2.2 0.9 0.9 2.2 0 9 C -0.9 2.2 -2.2 0.9 -9 0 C -2.2 "
    "-0.9 -0.9 -2.2 0 -9 Z"
)
HEART = (
    "M 0 8.4 C -11.6 0 -9.6 -8.2 -4.5 -8.2 C -1.8 -8.2 0 -6.2 0 -4.1 "
    "C 0 -6.2 1.8 -8.2 4.5 -8.2 C 9.6 -8.2 11.6 0 0 8.4 Z"
)
MOON = (
    "M 2.8 -9.6 C -3 -9.2 -8.8 -5.4 -8.8 0.4 C -8.8 6 -4.4 9.8 0.8 9.8 C 5 9.8 8.2 7.6 9.6 4.2 "
    "C 3.6 5.6 -1 2.2 -1.4 -2.6 C -1.6 -5.6 0.2 -8.2 2.8 -9.6 Z"
)
TRIANGLE = "M 0 -9 L 9 7 L -9 7 Z"
SQUARE_PATH = "M -7.6 -7.6 L 7.6 -7.6 L 7.6 7.6 L -7.6 7.6 Z"
BRICKS = (
    "M -9 -7 L -1 -7 L -1 -2.6 L -9 -2.6 Z M 0 -7 L 9 -7 L 9 -2.6 L 0 -2.6 Z "
    "M -9 -1.6 L -5 -1.6 L -5 2.8 L -9 2.8 Z M -4 -1.6 L 4 -1.6 L 4 2.8 L -4 2.8 Z M 5 -1.6 L 9 "
    "-1.6 L 9 2.8 L 5 2.8 Z "
    "M -9 3.8 L -1 3.8 L -1 8.2 L -9 8.2 Z M 0 3.8 L 9 3.8 L 9 8.2 L 0 8.2 Z"
)

HOUSE = (
    "M 0 -8.5 L 9 -0.5 L 6.5 -0.5 L 6.5 8 L 2 8 L 2 2.4 L -2 2.4 L -2 8 L -6.5 8 L -6.5 -0.5 "
    "L -9 -0.5 Z"
)


def diamond(reach: float) -> str:
    """Return the path of a square on its corner, from which a radar's steps are counted."""
    return f"M 0 {-reach} L {reach} 0 L 0 {reach} L {-reach} 0 Z"


def draw(
    sheet: Sheet, name: str, x: float, y: float, size: float, ink: str, *, turn: float = 0
) -> None:
    """Draw a sign `size` mm wide around (x, y), turned clockwise."""
    with sheet.at(x, y, turn=turn, scale=size / 20):
        match name:
            case "radar":
                sheet.shape(diamond(2.8), fill=ink)
                sheet.shape(diamond(6.2), line=ink, thick=1.5)
                sheet.shape(diamond(9.4), line=ink, thick=1.5)
            case "circle":
                sheet.disc(0, 0, 8.4, fill=ink)
            case _:
                sheet.shape(_DRAWN[name], fill=ink)


_DRAWN = {
    "bat": BAT, "bullet": BULLET, "blank": STAR, "wall": BRICKS, "heart": HEART, "moon": MOON,
    "triangle": TRIANGLE, "square": SQUARE_PATH, "house": HOUSE,
}  # fmt: skip
