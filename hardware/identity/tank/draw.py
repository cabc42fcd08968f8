"""Draw the resonator board: `/usr/bin/python3 -m hardware.identity.tank.draw` writes all beside it.

One board carries what one loop needs; its parts have loop 0's names, for loop n add n. Its sides
join its neighbours'. `… check BOARD REPORT` runs KiCad's design rule check on a board, prints the
number of faults and exits with 1 if there are any; `… stale` names the kept files that a fresh
drawing does not write.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pcbnew

from hardware import kicad

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 30.0, 30.0
HOLE = "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm"
RESISTOR = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"
CHOKE = "Inductor_THT:L_Axial_L7.0mm_D3.3mm_P10.16mm_Horizontal_Fastron_MICC"
CAPACITOR = "Capacitor_SMD:C_1206_3216Metric"
TRIMMER = "Capacitor_SMD:C_Trimmer_Murata_TZB4-A"

PARTS = (
    # name, value, footprint, x, y, degrees, net of each pad
    ("C100", "47p", CAPACITOR, 9.0, 6.2, 270, ("RF", "TANK00")),
    ("C200", "100p", CAPACITOR, 13.0, 12.0, 270, ("TANK00", "GND")),
    ("C300", "6-30p", TRIMMER, 18.6, 12.6, 270, ("TANK00", "GND")),
    ("D100", "BAR64", "Diode_SMD:D_SOD-523", 25.0, 13.0, 270, ("TANK00", "LOOPWIRE00")),
    ("L100", "10u", CHOKE, 4.0, 16.6, 0, ("TANK00", "BIAS00")),
    ("C400", "10n", CAPACITOR, 17.6, 19.0, 270, ("BIAS00", "GND")),
    ("R100", "330", RESISTOR, 4.0, 20.6, 0, ("LOOP00", "BIAS00")),
    ("C500", "100n", CAPACITOR, 24.4, 24.4, 180, ("+5V", "GND")),
)
HOLES = (
    ("RF1", "RF", 1.7, 3.0),
    ("RF2", "RF", 28.3, 3.0),
    ("GND1", "GND", 1.7, 7.0),
    ("GND2", "GND", 28.3, 7.0),
    ("IN", "LOOP00", 2.0, 24.3),
    ("LOOP1", "LOOPWIRE00", 20.0, 22.8),
    ("LOOP2", "+5V", 28.3, 22.4),
    ("PLUS1", "+5V", 1.7, 28.0),
    ("PLUS2", "+5V", 28.3, 28.0),
)
TRACKS = (
    # net, millimetres wide, corners
    ("RF", 1.2, ((1.7, 3.0), (28.3, 3.0))),
    ("RF", 1.0, ((9.0, 3.0), (9.0, 4.7))),
    ("TANK00", 1.0, ((9.0, 7.7), (9.0, 9.4))),
    ("TANK00", 1.0, ((4.0, 16.6), (4.0, 9.4), (25.0, 9.4))),
    ("TANK00", 1.0, ((13.0, 9.4), (13.0, 10.5))),
    ("TANK00", 1.0, ((18.6, 9.4), (18.6, 10.2))),
    ("TANK00", 0.5, ((25.0, 9.4), (25.0, 12.3))),
    ("LOOPWIRE00", 0.5, ((25.0, 13.7), (25.0, 15.5))),
    ("LOOPWIRE00", 1.0, ((25.0, 15.5), (25.0, 17.8), (20.0, 22.8))),
    ("BIAS00", 0.6, ((14.16, 16.6), (14.16, 20.6))),
    ("BIAS00", 0.6, ((14.16, 16.6), (16.7, 16.6), (17.6, 17.5))),
    ("LOOP00", 0.6, ((2.0, 24.3), (4.0, 22.3), (4.0, 20.6))),
    ("+5V", 1.0, ((1.7, 28.0), (28.3, 28.0))),
    ("+5V", 1.0, ((28.3, 28.0), (28.3, 22.4))),
    ("+5V", 1.0, ((25.9, 24.4), (28.3, 24.4))),
    # from the parts' grounded pads to the plane on the back
    ("GND", 0.8, ((13.0, 13.5), (11.2, 13.5))),
    ("GND", 0.8, ((18.6, 15.0), (21.8, 15.0))),
    ("GND", 0.8, ((17.6, 20.5), (16.0, 20.5))),
    ("GND", 0.8, ((22.9, 24.4), (22.9, 26.2))),
)
VIAS = ((11.2, 13.5), (21.8, 15.0), (16.0, 20.5), (22.9, 26.2))
WORDS = (
    ("resonator", 12.5, 24.6), ("RF", 4.6, 1.3), ("GND", 5.0, 7.0), ("IN", 4.6, 24.6),
    ("+5V", 5.0, 26.4), ("loop", 17.2, 23.0), ("loop", 25.8, 20.9),
)  # fmt: skip


def drawn(file: Path) -> kicad.Board:
    """Return the whole board; KiCad empties this file."""
    board = kicad.Board(file)
    corners = ((0.0, 0.0), (WIDTH, 0.0), (WIDTH, HEIGHT), (0.0, HEIGHT))
    board.outline(corners)
    for ref, value, name, x, y, turn, nets in PARTS:
        pads = {str(number): net for number, net in enumerate(nets, 1)}
        named = (5.08, 0.0) if name in (RESISTOR, CHOKE) else (0.0, 0.0)
        board.place(ref, value, name, (x, y, turn), pads, label=named)
    for ref, net, x, y in HOLES:
        board.place(ref, net, HOLE, (x, y, 0), {"1": net}, shown=False)
    for net, width, track in TRACKS:
        board.track(net, width, track)
    for x, y in VIAS:
        board.via("GND", x, y)
    for words, x, y in WORDS:
        board.write(words, x, y)
    inset = 0.4
    left, bottom = WIDTH - inset, HEIGHT - inset
    board.plane("GND", ((inset, inset), (left, inset), (left, bottom), (inset, bottom)), 0.4)
    return board


Pad = tuple[str, str, str, float, float, float, float]
"""A pad's part, number and net; its left, top, width and height."""


def pads_of(board: Any) -> list[Pad]:
    """Return the pads of a board."""
    found = []
    for part in board.GetFootprints():
        for pad in part.Pads():
            box = pad.GetBoundingBox()
            x, y, width, height = (
                pcbnew.ToMM(value)
                for value in (box.GetX(), box.GetY(), box.GetWidth(), box.GetHeight())
            )
            spot = (x - kicad.ORIGIN[0], y - kicad.ORIGIN[1], width, height)
            found.append((part.GetReference(), pad.GetNumber(), pad.GetNetname(), *spot))
    return found


def picture(board: Any) -> str:
    """Return the board seen from the parts' side as SVG, for placing the parts by."""
    pads = pads_of(board)
    body = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#e7efe2" stroke="#333" stroke-width="0.1"/>'
    ]
    for _, width, corners in TRACKS:
        points = " ".join(f"{x},{y}" for x, y in corners)
        body.append(
            f'<polyline points="{points}" fill="none" stroke="#d9a441" stroke-width="{width}" '
            f'stroke-linecap="round"/>'
        )
    for ref, number, net, x, y, width, height in pads:
        mine = [pad for pad in pads if pad[0] == ref]
        if number == mine[0][1] and len(mine) == 2:
            body.append(_outline(ref, mine))
        body.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="0.2" '
            f'fill="{"#555" if net == "GND" else "#b5651d"}"/>'
        )
        if len(mine) == 1:
            words = {"LOOPWIRE00": "loop", "LOOP00": "IN"}.get(net, net)
            if ref == "LOOP2":
                words = "loop"
            across = x + width + 0.9 if x < WIDTH / 2 else x - 0.9
            anchor = "start" if x < WIDTH / 2 else "end"
            body.append(_words(across, y + height / 2 + 0.3, words, 0.9, anchor))
    for ref, value, _, _, _, _, _ in PARTS:
        mine = [pad for pad in pads if pad[0] == ref]
        x = sum(pad[3] + pad[5] / 2 for pad in mine) / 2
        y = sum(pad[4] + pad[6] / 2 for pad in mine) / 2
        if ref in ("R100", "L100"):
            body.append(_words(x, y + 0.3, f"{ref}  {value}", 0.9, "middle"))
        elif ref == "C500":
            body.append(_words(x, y + 2.4, f"{ref}  {value}", 0.8, "middle"))
        else:
            body.append(_words(x + 1.5, y - 0.2, ref, 0.9, "start"))
            body.append(_words(x + 1.5, y + 0.9, value, 0.8, "start"))
    body.append(_words(25.9, 12.0, "bar: cathode", 0.55, "start"))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * WIDTH}mm" height="{4 * HEIGHT}mm" '
        f'viewBox="-1 -1 {WIDTH + 2} {HEIGHT + 2}"'
    )
    return (
        "\n".join((f'{head} font-family="DejaVu Sans, Arial, sans-serif">', *body, "</svg>")) + "\n"
    )


def _outline(ref: str, pads: list[Pad]) -> str:
    left, top = min(pad[3] for pad in pads), min(pad[4] for pad in pads)
    right, bottom = max(pad[3] + pad[5] for pad in pads), max(pad[4] + pad[6] for pad in pads)
    bar = ""
    if ref == "D100":
        x, y, width, height = pads[0][3:]
        under = f"{y + height + 0.3:.2f}"
        ends = f'x1="{x - 0.3:.2f}" x2="{x + width + 0.3:.2f}" y1="{under}" y2="{under}"'
        bar = f'<line {ends} stroke="#c00" stroke-width="0.25"/>'
    return (
        f'<rect x="{left - 0.3:.2f}" y="{top - 0.3:.2f}" '
        f'width="{right - left + 0.6:.2f}" height="{bottom - top + 0.6:.2f}" '
        f'fill="#fff" fill-opacity="0.6" stroke="#333" stroke-width="0.12"/>{bar}'
    )


def _words(x: float, y: float, words: str, size: float, anchor: str) -> str:
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" text-anchor="{anchor}" '
        f'fill="#111">{words}</text>'
    )


def write_files(board: Any) -> None:
    """Write the picture; delete the stencil, which hand-soldered parts do not need."""
    (HERE / "gerbers" / "tank-F_Paste.gtp").unlink()
    (HERE / "tank.svg").write_text(picture(board), encoding="utf-8")


if __name__ == "__main__":
    kicad.run(sys.argv[1:], drawn, HERE / "tank.kicad_pcb", write_files)
