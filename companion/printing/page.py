"""A sheet of paper in millimetres, from its upper left corner to the right (x) and down (y)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

FONTS = Path(__file__).resolve().parent / "fonts"
TEXT, DISPLAY, TITLE = "text", "display", "title"
"""The fonts of the pages: for text, for names and numbers, and for games' titles alone."""
_JAPANESE = {TEXT: "japanese-text", DISPLAY: "japanese-display", TITLE: "japanese-display"}
"""What draws the letters that a font lacks."""

INK, MUTED, HAIR = "#1B1422", "#6B6275", "#B9AFC4"
Align = Literal["left", "centre", "right"]


class Paper(Struct, frozen=True):
    """A size of paper in millimetres, upright."""

    name: str
    width: float
    height: float


PAPERS = {"A4": Paper("A4", 210, 297), "Letter": Paper("Letter", 215.9, 279.4)}


class Sheet:
    """A PDF under construction, page by page; lengths and heights of capitals are in mm."""

    def __init__(self, paper: Paper, title: str, language: str) -> None:
        _register()
        self.paper = paper
        self._bytes = BytesIO()
        size = (paper.width * mm, paper.height * mm)
        # `invariant`: the same kit is the same bytes, so that two prints can be compared.
        self._canvas = Canvas(
            self._bytes,
            pagesize=size,
            pageCompression=1,
            invariant=1,
            lang=language,
            initialFontName=TEXT,
        )
        self._canvas.setTitle(title)
        self._canvas.setViewerPreference("PrintScaling", "None")
        self._begin()

    def next_page(self) -> None:
        """End this page and begin another."""
        self._canvas.restoreState()
        self._canvas.showPage()
        self._begin()

    def finish(self) -> bytes:
        """Return the PDF."""
        self._canvas.restoreState()
        self._canvas.showPage()
        self._canvas.save()
        return self._bytes.getvalue()

    @contextmanager
    def at(self, x: float, y: float, *, turn: float = 0, scale: float = 1) -> Iterator[None]:
        """Draw around another origin, turned clockwise by `turn` degrees and enlarged."""
        self._canvas.saveState()
        self._canvas.translate(x, y)
        self._canvas.rotate(turn)
        self._canvas.scale(scale, scale)
        yield
        self._canvas.restoreState()

    @contextmanager
    def clipped(self, x: float, y: float, width: float, height: float) -> Iterator[None]:
        """Clip drawing to a rectangle."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(x, y, width, height)
        self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = 0.2,
        round: float = 0,
    ) -> None:
        """Draw a rectangle whose upper left corner is (x, y)."""
        self._pen(fill, line, thick)
        self._canvas.roundRect(x, y, width, height, round, stroke=bool(line), fill=bool(fill))

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = 0.2,
    ) -> None:
        """Draw a circle."""
        self._pen(fill, line, thick)
        self._canvas.circle(x, y, radius, stroke=bool(line), fill=bool(fill))

    def line(
        self,
        x1: float,
        y1: float,
        x2: float,
        y2: float,
        *,
        ink: str = INK,
        thick: float = 0.2,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a straight line, dashed by lengths of ink and gap."""
        self._pen(None, ink, thick)
        self._canvas.setDash(*([list(dash)] if dash else [[]]))
        self._canvas.line(x1, y1, x2, y2)
        self._canvas.setDash([])

    def cells(
        self, x: float, y: float, side: float, rows: Sequence[Sequence[int]], ink: str = "#000000"
    ) -> None:
        """Fill the ones of a square pattern that is `side` wide, as one shape without seams."""
        step = side / len(rows)
        path = self._canvas.beginPath()
        for down, row in enumerate(rows):
            start = 0
            while start < len(row):
                end = start
                while end < len(row) and row[end]:
                    end += 1
                if end > start:
                    path.rect(x + start * step, y + down * step, (end - start) * step, step)
                start = end + 1
        self._pen(ink, None, 0)
        self._canvas.drawPath(path, stroke=0, fill=1)

    def shape(
        self, drawn: str, *, fill: str | None = None, line: str | None = None, thick: float = 0.2
    ) -> None:
        """Draw a path of `M x y`, `L x y`, `C x1 y1 x2 y2 x y` and `Z` around the origin."""
        self._pen(fill, line, thick)
        self._canvas.setLineJoin(1)
        path = self._canvas.beginPath()
        steps = {"M": (2, path.moveTo), "L": (2, path.lineTo), "C": (6, path.curveTo)}
        words = drawn.split()
        while words:
            command = words.pop(0)
            if command == "Z":
                path.close()
                continue
            count, draw = steps[command]
            draw(*(float(word) for word in words[:count]))
            del words[:count]
        self._canvas.drawPath(path, stroke=bool(line), fill=bool(fill))

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        font: str = TEXT,
        ink: str = INK,
        align: Align = "left",
        turn: float = 0,
    ) -> None:
        """Write one line whose letters stand on y."""
        with self.at(x, y, turn=turn):
            self._canvas.scale(1, -1)
            self._canvas.setFillColor(HexColor(ink))
            right = -{"left": 0.0, "centre": 0.5, "right": 1.0}[align] * text_width(
                words, size, font
            )
            for face, part in _runs(words, font):
                self._canvas.setFont(face, _points(face, size))
                self._canvas.drawString(right, 0, part)
                right += _run_width(face, part, size)

    def label(self, x: float, y: float, words: str, size: float, ink: str = INK) -> None:
        """Write a line in the display face around x."""
        self.text(x, y, words, size, font=DISPLAY, ink=ink, align="centre")

    def paragraph(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        width: float,
        *,
        font: str = TEXT,
        ink: str = INK,
        leading: float = 1.75,
    ) -> float:
        """Write lines from the base line y on; return the base line of the next one."""
        for line in wrap_lines(words, size, width, font):
            self.text(x, y, line, size, font=font, ink=ink)
            y += leading * size
        return y

    def _begin(self) -> None:
        self._canvas.saveState()
        self._canvas.translate(0, self.paper.height * mm)
        self._canvas.scale(mm, -mm)

    def _pen(self, fill: str | None, line: str | None, thick: float) -> None:
        if fill:
            self._canvas.setFillColor(HexColor(fill))
        if line:
            self._canvas.setStrokeColor(HexColor(line))
            self._canvas.setLineWidth(thick)


def text_width(words: str, size: float, font: str = TEXT) -> float:
    """Return how wide a line is, in mm."""
    return sum(_run_width(face, part, size) for face, part in _runs(words, font))


def wrap_lines(words: str, size: float, width: float, font: str = TEXT) -> list[str]:
    """Return a text's lines, broken at spaces or Japanese letters, not before closing signs."""
    lines = [""]
    for part in _parts(words):
        if lines[-1] and text_width(lines[-1] + part.rstrip(), size, font) > width:
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines]


def polar(radius: float, degrees: float) -> tuple[float, float]:
    """Return the point at a clockwise angle from the top."""
    return radius * math.sin(math.radians(degrees)), -radius * math.cos(math.radians(degrees))


def _parts(words: str) -> list[str]:
    """Return a text split at possible line ends."""
    parts = [""]
    for letter in words:
        is_wide, closes = (
            ord(letter) > 0x2E80,
            letter in "、。，．：！？）」』ーっゃゅょッャュョ々〜",
        )
        last_wide = (
            bool(parts[-1]) and ord(parts[-1][-1]) > 0x2E80 and parts[-1][-1] not in "（「『"
        )
        if parts[-1].endswith(" ") or (
            not closes and (is_wide or last_wide) and parts[-1] not in ("", "（", "「")
        ):
            parts.append("")
        parts[-1] += letter
    return parts


def _runs(words: str, font: str) -> list[tuple[str, str]]:
    """Return a text in parts, each with the font that draws it."""
    runs = groupby(words, lambda letter: font if _has(font, letter) else _JAPANESE[font])
    return [(face, "".join(letters)) for face, letters in runs]


def _run_width(font: str, words: str, size: float) -> float:
    return float(pdfmetrics.stringWidth(words, font, _points(font, size)))


def _points(font: str, size: float) -> float:
    """Return the type size at which a font's capitals have a height."""
    return size * 1000 / float(_face(font).capHeight)


def _has(font: str, letter: str) -> bool:
    return ord(letter) in _face(font).charToGlyph


def _face(font: str) -> Any:
    _register()
    return pdfmetrics.getFont(font).face


@cache
def _register() -> None:
    for name in (TEXT, DISPLAY, TITLE, *_JAPANESE.values()):
        pdfmetrics.registerFont(TTFont(name, str(FONTS / f"{name}.ttf")))
