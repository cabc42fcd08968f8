"""Draw the presence board's plate at 1:1, as a template for drilling and taping: PDF (A4), DXF.

Seen from below, y downwards as in `table`; the DXF has y upwards.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from math import ceil

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from hardware.plans import table
from hardware.plans.isometric import Rectangle
from hardware.plans.table import PLATE

PAGE = (210.0, 297.0)
BORDER = 15.0
"""Millimetres of margin on each sheet, which printers leave white."""
OVERLAP = 10.0
"""Millimetres by which sheets overlap, for gluing."""
WINDOW = (PAGE[0] - 2 * BORDER, PAGE[1] - 2 * BORDER)
SCALE = 100.0
"""Length in mm of the line that checks the scale."""


def _layers() -> Iterator[tuple[str, Rectangle]]:
    """Yield the drawing's rectangles, by the name of their layer."""
    yield "PLATE", Rectangle("plate", 0, 0, PLATE, PLATE)
    yield "FIELD", Rectangle("field", table.EDGE, table.EDGE, table.FIELD, table.FIELD)
    for batten in table.battens():
        yield "BATTENS", batten
    for strip in table.strips():
        yield "STRIPS", strip
    yield "BOX", table.nano_box()
    yield "SLOT", table.slot()


def dxf() -> str:
    """Return the plate as DXF (R12, millimetres, y up); the layer HOLES is for drilling."""
    # Imported here: it takes a second, and only this drawing needs it.
    from ezdxf.addons.r12writer import r12writer

    out = io.StringIO()
    with r12writer(out) as drawing:
        for layer, thing in _layers():
            left, right = thing.x, thing.x + thing.width
            top, bottom = PLATE - thing.y, PLATE - thing.y - thing.height
            corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
            drawing.add_polyline_2d(corners, layer=layer, closed=True)
        for x, y in table.screw_holes():
            drawing.add_circle((x, PLATE - y), table.SCREW_HOLE / 2, layer="HOLES")
        for cell, (x, y) in table.cell_middles().items():
            drawing.add_text(
                cell, insert=(x, PLATE - y), height=5, align="MIDDLE_CENTER", layer="CELLS"
            )
    return out.getvalue()


def tiles() -> list[tuple[float, float]]:
    """Return the plate's corner of each A4 sheet: column by column, row by row."""
    steps = [side - OVERLAP for side in WINDOW]
    counts = [ceil((PLATE - OVERLAP) / step) for step in steps]
    return [
        (column * steps[0], row * steps[1])
        for row in range(counts[1])
        for column in range(counts[0])
    ]


def pdf() -> bytes:
    """Return the plate at 1:1 on A4 sheets; the same bytes each time."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=tuple(side * mm for side in PAGE), invariant=1)
    canvas.setTitle("Presence board: the plate at 1:1, seen from below")
    sheets = tiles()
    for number, (left, top) in enumerate(sheets, 1):
        _heading(canvas, number, len(sheets))
        canvas.saveState()
        window = canvas.beginPath()
        window.rect(BORDER * mm, BORDER * mm, WINDOW[0] * mm, WINDOW[1] * mm)
        canvas.clipPath(window, stroke=1, fill=0)
        canvas.translate((BORDER - left) * mm, (PAGE[1] - BORDER + top) * mm)
        _draw(canvas)
        canvas.restoreState()
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _heading(canvas: Canvas, number: int, count: int) -> None:
    canvas.setFont("Helvetica", 8)
    words = (
        f"sheet {number} of {count}; print at 100 %, cut along the frame, overlap {OVERLAP:g} mm"
    )
    canvas.drawString(BORDER * mm, (PAGE[1] - 10) * mm, words)
    canvas.drawString((BORDER + SCALE + 3) * mm, 6 * mm, f"{SCALE:g} mm: measure it")
    canvas.setLineWidth(0.5)
    canvas.line(BORDER * mm, 7 * mm, (BORDER + SCALE) * mm, 7 * mm)
    for end in (BORDER, BORDER + SCALE):
        canvas.line(end * mm, 5 * mm, end * mm, 9 * mm)


def _draw(canvas: Canvas) -> None:
    """Draw the whole plate; 0, 0 is its upper left corner."""
    for layer, thing in _layers():
        canvas.setLineWidth({"PLATE": 1.2, "FIELD": 0.3}.get(layer, 0.6))
        canvas.setDash([] if layer != "FIELD" else [3, 3])
        canvas.rect(
            thing.x * mm, -(thing.y + thing.height) * mm, thing.width * mm, thing.height * mm
        )
        if layer in ("STRIPS", "BOX", "SLOT"):
            canvas.setFont("Helvetica", 7)
            canvas.drawString((thing.x + 2) * mm, -(thing.y + 5) * mm, thing.name)
    canvas.setDash([])
    for x, y in table.screw_holes():
        canvas.circle(x * mm, -y * mm, table.SCREW_HOLE / 2 * mm)
        for across, up in ((3, 0), (0, 3)):
            canvas.line((x - across) * mm, -(y - up) * mm, (x + across) * mm, -(y + up) * mm)
    canvas.setFont("Helvetica-Bold", 12)
    for cell, (x, y) in table.cell_middles().items():
        canvas.drawCentredString(x * mm, -(y + 1.5) * mm, cell)
