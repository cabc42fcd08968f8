"""Draw the common parts of pages: the grid to cut, cut lines, the head line and the ruler below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from companion.printing.page import DISPLAY, HAIR, INK, MUTED, Paper, Sheet

Translate = Callable[[str], str]
"""A sentence of the kit by its key, in the kit's language."""
Page = Callable[[], None]
"""Draws a page."""

DASH = (1.6, 1.2)
RULER = 50
GRID_WIDTH, GRID_HEIGHT = 180, 240
"""The area that pages are cut from, in mm: 3 × 4 tiles."""


def origin(paper: Paper, width: float = GRID_WIDTH) -> tuple[float, float]:
    """Return the upper left corner of the area to cut, with room for a head line and a ruler."""
    spare = paper.height - GRID_HEIGHT
    return (paper.width - width) / 2, min(24.0, spare / 2)


def draw_pages(sheet: Sheet, words: Translate, first: int, pages: Iterable[Page]) -> bytes:
    """Draw pages with their feet, numbered from `first`, and return the PDF."""
    for number, draw_page in enumerate(pages, start=first):
        if number > 1:
            sheet.next_page()
        foot(sheet, words, number)
        draw_page()
    return sheet.finish()


def head(sheet: Sheet, title: str, note: str, *, font: str = DISPLAY) -> tuple[float, float]:
    """Write a page's head line, and return the page's `origin`; `font` is `TITLE` for a game's
    title.
    """
    x, y = origin(sheet.paper)
    sheet.text(x, y - 6.4, title, 3.6, font=font)
    sheet.text(x + GRID_WIDTH, y - 6.4, note, 2.2, ink=MUTED, align="right")
    return x, y


def foot(sheet: Sheet, words: Translate, number: int) -> None:
    """Draw the ruler, which proves the scale, and the page's number."""
    x, top = origin(sheet.paper)
    y = top + GRID_HEIGHT + 9
    ruler(sheet, x, y)
    sheet.text(x + RULER + 5, y + 1.6, words("kit.scale"), 2.1, ink=MUTED)
    sheet.text(x + GRID_WIDTH, y + 1.6, str(number), 2.6, font=DISPLAY, ink=MUTED, align="right")


def ruler(sheet: Sheet, x: float, y: float) -> None:
    """Draw a ruler from (x, y); the outer edges of its two end marks are 50 mm apart."""
    thick = 0.25
    sheet.line(x, y, x + RULER, y, thick=thick)
    for step in range(RULER + 1):
        long = step % 10 == 0
        inward = {0: thick / 2, RULER: -thick / 2}.get(step, 0)
        size = 3.0 if long else 2.0 if step % 5 == 0 else 1.2
        sheet.line(x + step + inward, y - size, x + step + inward, y, thick=thick)
        if long:
            sheet.text(x + step, y + 2.8, str(step), 1.7, align="centre")


def cut_marks(
    sheet: Sheet, x: float, y: float, across: Sequence[float], down: Sequence[float]
) -> None:
    """Draw short marks outside an area, at distances from its corner, for a knife's ruler."""
    width, height = across[-1], down[-1]
    for step in across:
        sheet.line(x + step, y - 5, x + step, y - 1.5, ink=INK, thick=0.15)
        sheet.line(x + step, y + height + 1.5, x + step, y + height + 5, ink=INK, thick=0.15)
    for step in down:
        sheet.line(x - 5, y + step, x - 1.5, y + step, ink=INK, thick=0.15)
        sheet.line(x + width + 1.5, y + step, x + width + 5, y + step, ink=INK, thick=0.15)


def cut_box(sheet: Sheet, x: float, y: float, width: float, height: float) -> None:
    """Draw a dashed cut line."""
    for x1, y1, x2, y2 in (
        (x, y, x + width, y),
        (x, y + height, x + width, y + height),
        (x, y, x, y + height),
        (x + width, y, x + width, y + height),
    ):
        sheet.line(x1, y1, x2, y2, ink=HAIR, thick=0.2, dash=DASH)
