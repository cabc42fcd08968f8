"""Draw the presence board's strip: `/usr/bin/python3 -m hardware.presence.strip.draw`.

One board serves one row of six cells; a field has six of them, each cabled to the next. Parts face
down, the bare side lies against the plate.
0, 0 is the field's upper left corner as seen from the parts' side, which is from below, with row 1
above. There column A is on the right and the plugs are on the left, under column F's edge; IN faces
the row before, OUT the next one.
`… check BOARD REPORT` runs KiCad's design rule check and exits with 1 if there is a violation; `…
stale` names the kept files that are outdated.
"""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Any

from hardware import kicad

HERE = Path(__file__).resolve().parent
LEFT, RIGHT = -24.0, 346.0
TOP, BOTTOM = 0.0, 30.0
CELLS = 6
PITCH = 60.0
FIRST = 30.0
"""The middle of the cell beside the plugs."""
SPREAD = 9.0
"""Distance of a cell's four sensors from its centre, along and across."""
MIDDLE = (TOP + BOTTOM) / 2

RESISTOR = "Resistor_SMD:R_0603_1608Metric"
CAPACITOR = "Capacitor_SMD:C_0603_1608Metric"
BULK = "Capacitor_SMD:C_0805_2012Metric"
SENSOR = "Package_TO_SOT_SMD:SOT-23"
CHIP = "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm"
PLUG = "Connector_JST:JST_PH_S8B-PH-SM4-TB_1x08-1MP_P2.00mm_Horizontal"
HOLE = "TestPoint:TestPoint_THTPad_D1.5mm_Drill0.7mm"

LINES = {5: 10.75, 4: 12.45, 0: 14.15, 1: 15.85, 2: 17.55, 3: 19.25}
"""Height of each cell's line to the chip: the order of the chip's pins."""
CHIP_AT = (7.0, MIDDLE)
SERIES_AT = 16.0
BYPASS = {"1": "VCC", "2": "GND"}
CHIP_NETS = (
    "LOAD_IN", "SCK_IN", "IN3", "IN2", "IN1", "IN0", "", "GND",
    "QH", "SER", "GND", "IN6", "IN5", "IN4", "GND", "VCC",
)  # fmt: skip
"""The nets of pins 1 to 16; cell n of a strip is on input D(7 - n), which is shifted out n-th.

D0 (pin 11) is the sentinel: always low, while a chain that is broken off reads high.
"""
SIDE = (
    (13, 10.555, "DATA", "QH"),
    (14, 12.4, "NEXT", "SER"),
    (15, 15.8, "CELL6", "IN6"),
)
"""Resistors on the chip's other side: number, y, outer net, inner net."""
PULLED = ((18, -4.0, "NEXT"), (20, -2.0, "CELL6"))
"""Pull-ups beside the plugs: number, x, net."""

CHIP_TRACKS = (
    ("IN0", 0.3, ((15.175, 14.15), (13.8, 14.15), (12.745, 13.095), (9.475, 13.095))),
    ("IN1", 0.3, ((15.175, 15.85), (14.0, 15.85), (12.515, 14.365), (9.475, 14.365))),
    ("IN2", 0.3, ((15.175, 17.55), (14.2, 17.55), (12.285, 15.635), (9.475, 15.635))),
    ("IN3", 0.3, ((15.175, 19.25), (14.4, 19.25), (12.055, 16.905), (9.475, 16.905))),
    (
        "IN4",
        0.3,
        ((15.175, 12.45), (13.8, 12.45), (13.8, 9.3), (7.2, 9.3), (7.2, 16.905), (4.525, 16.905)),
    ),
    (
        "IN5",
        0.3,
        ((15.175, 10.75), (14.6, 10.75), (14.6, 8.6), (6.4, 8.6), (6.4, 15.635), (4.525, 15.635)),
    ),
    ("LOAD_IN", 0.3, ((9.475, 19.445), (9.475, 22.775))),
    ("SCK_IN", 0.3, ((9.475, 18.175), (11.6, 18.175), (11.6, 22.775))),
    ("GND", 0.4, ((9.475, 10.555), (11.8, 10.555))),
    ("GND", 0.4, ((4.525, 18.175), (2.9, 18.175))),
    ("QH", 0.3, ((2.025, 10.555), (4.525, 10.555))),
    ("SER", 0.3, ((2.025, 12.4), (3.0, 12.4), (3.575, 11.825), (4.525, 11.825))),
    ("GND", 0.3, ((4.525, 13.095), (3.4, 13.095), (2.9, 13.6))),
    ("IN6", 0.3, ((2.025, 15.8), (2.2, 15.8), (3.635, 14.365), (4.525, 14.365))),
    ("VCC", 0.6, ((4.525, 19.445), (4.525, 28.0))),
    ("VCC", 0.6, ((3.375, 21.4), (4.525, 21.4))),
    ("GND", 0.4, ((1.825, 21.4), (0.6, 21.4))),
    ("VCC", 0.6, ((3.55, 24.9), (4.525, 24.9))),
    ("GND", 0.4, ((1.65, 24.9), (0.2, 24.9))),
)
SEVENTH = ((-6.2, "GND"), (-3.66, "VCC"), (-1.12, "CELL6"))
"""Holes for four switches of a seventh cell: x and net."""
PINS = ("VCC", "LOAD", "DATA", "GND", "GND", "SCK", "", "VCC")
"""The nets of IN's pins 1 to 8: from either end power meets power, so that no cable can hurt.

OUT has them from 8 to 1: pins that face each other carry the same net.
"""
NAMES = {"VCC": "+", "LOAD": "L", "DATA": "D", "GND": "G", "SCK": "S", "": "-", "NEXT": "D"}
"""What is printed beside a pin."""
PLUG_X, IN_Y, OUT_Y = -13.0, 5.0, 25.0
PLUG_TRACKS = (
    ("VCC", 1.0, ((-20.0, 7.85), (-20.0, 22.15), (-20.0, 25.0), (-1.6, 25.0), (-1.6, 27.4))),
    ("VCC", 1.0, ((-1.6, 27.4), (-1.0, 28.0), (344.5, 28.0), (344.5, 2.0), (1.4, 2.0))),
    ("VCC", 1.0, ((1.4, 2.0), (-1.6, 5.0), (-20.0, 5.0), (-20.0, 7.85))),
    ("VCC", 0.6, ((-6.0, 7.85), (-6.0, 5.0))),
    ("VCC", 0.6, ((-6.0, 22.15), (-6.0, 25.0))),
    ("VCC", 0.4, ((-4.0, 16.725), (-4.0, 17.4), (-3.66, 18.62), (-3.66, 25.0))),
    ("VCC", 0.4, ((-2.0, 16.725), (-2.6, 17.4), (-3.66, 18.62))),
    ("GND", 0.6, ((-12.0, 7.85), (-12.0, 10.4), (-14.0, 10.4), (-14.0, 7.85))),
    ("GND", 0.6, ((-12.0, 22.15), (-12.0, 19.6), (-14.0, 19.6), (-14.0, 22.15))),
    ("GND", 0.6, ((-22.35, 2.1), (-20.6, 2.1))),
    ("GND", 0.6, ((-3.65, 2.1), (-5.4, 2.1))),
    ("GND", 0.6, ((-22.35, 27.9), (-20.6, 27.9))),
    ("GND", 0.6, ((-3.65, 27.9), (-5.4, 27.9))),
    ("SCK", 0.3, ((-16.0, 7.85), (-16.0, 22.15))),
    ("SCK", 0.3, ((11.6, 24.425), (11.6, 26.5))),
    ("LOAD", 0.3, ((-8.0, 7.85), (-8.0, 9.9))),
    ("LOAD", 0.3, ((-8.0, 20.1), (-8.0, 22.15))),
    ("LOAD", 0.3, ((8.0, 23.6), (8.0, 24.425), (9.475, 24.425))),
    ("DATA", 0.3, ((-10.0, 7.85), (-10.0, 10.4), (-9.2, 11.2), (-1.0, 11.2), (-0.355, 10.555))),
    ("DATA", 0.3, ((-0.355, 10.555), (0.375, 10.555))),
    ("NEXT", 0.3, ((-10.0, 22.15), (-10.0, 14.8), (-9.2, 14.0), (-0.5, 14.0), (0.375, 13.125))),
    ("NEXT", 0.3, ((0.375, 13.125), (0.375, 12.4))),
    ("NEXT", 0.3, ((-4.0, 14.0), (-4.0, 15.075))),
    ("CELL6", 0.3, ((-2.0, 15.075), (-0.35, 15.075), (0.375, 15.8))),
    ("CELL6", 0.3, ((-1.12, 15.075), (-1.12, 18.62))),
)
BACK_TRACKS = (
    ("LOAD", ((-8.0, 9.9), (-8.0, 23.6), (8.0, 23.6))),
    ("SCK", ((-16.0, 18.0), (-16.0, 26.5), (11.6, 26.5))),
)
PLUG_VIAS = (
    ("GND", -12.0, 10.4), ("GND", -14.0, 10.4), ("GND", -12.0, 19.6), ("GND", -14.0, 19.6),
    ("GND", -20.6, 2.1), ("GND", -5.4, 2.1), ("GND", -20.6, 27.9), ("GND", -5.4, 27.9),
    ("LOAD", -8.0, 9.9), ("LOAD", -8.0, 20.1), ("LOAD", 8.0, 23.6),
    ("SCK", -16.0, 18.0), ("SCK", 11.6, 26.5),
)  # fmt: skip
WORDS = (
    ("IN", -13.0, 13.5, 1.0),
    ("OUT", -13.0, 15.4, 1.0),
    ("G", -7.7, 18.62, 0.8),
    ("7TH", 1.0, 18.62, 0.8),
    ("table-companion: presence strip, rev 2", 60.0, 24.0, 0.9),
    ("2026-11-28, MIT licence", 60.0, 25.7, 0.9),
    ("+ 3.3 to 5 V   L load   D data", 120.0, 24.0, 0.9),
    ("G ground   S clock   - free", 120.0, 25.7, 0.9),
    ("tape the bare side to the plate", 180.0, 24.0, 0.9),
)
"""What is printed, where, and its size."""


def middle_of(cell: int) -> float:
    """Return the x of a cell's middle: column A is farthest from the plugs."""
    return FIRST + PITCH * (CELLS - 1 - cell)


def cell_parts(board: kicad.Board, cell: int) -> None:
    """Draw a cell: four sensors on one line, their capacitors, the line's pull-up."""
    centre, net = middle_of(cell), f"CELL{cell}"
    for corner, (across, up) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        number = 4 * cell + corner + 1
        x, y = centre + SPREAD * across, MIDDLE + SPREAD * up
        rail = TOP + 2 if up < 0 else BOTTOM - 2
        turn = 0.0 if up < 0 else 180.0
        board.place(
            f"S{number}", "DRV5032FC", SENSOR, (x, y, turn), {"1": "VCC", "2": net, "3": "GND"}
        )
        supply = x + 0.9375 * up
        ground = x - 0.9375 * up
        board.track("VCC", 0.4, ((supply, y + 0.95 * up), (supply, rail)))
        board.track("GND", 0.4, ((ground, y), (ground - 1.8 * up, y)))
        board.via("GND", ground - 1.8 * up, y)
        beside = x + 3.4 * up
        high = rail - 2.4 * up
        board.place(
            f"C{number}", "100n", CAPACITOR, (beside, high, 90.0 * up), {"1": "VCC", "2": "GND"}
        )
        board.track("VCC", 0.4, ((beside, high + 0.775 * up), (beside, rail)))
        board.track("GND", 0.4, ((beside, high - 0.775 * up), (beside, high - 2.2 * up)))
        board.via("GND", beside, high - 2.2 * up)
        board.track(net, 0.3, ((supply, y - 0.95 * up), (supply, MIDDLE + 6.5 * up)))
    for up in (-1, 1):
        ends = (centre - SPREAD + 0.9375 * up, centre + SPREAD + 0.9375 * up)
        board.track(net, 0.3, ((ends[0], MIDDLE + 6.5 * up), (ends[1], MIDDLE + 6.5 * up)))
        board.via(net, centre, MIDDLE + 6.5 * up)
    board.track(net, 0.3, ((centre, MIDDLE - 6.5), (centre, MIDDLE + 6.5)), back=True)
    board.via(net, centre, LINES[cell])
    board.track(net, 0.3, ((centre, LINES[cell]), (SERIES_AT + 0.825, LINES[cell])))
    board.place(f"R{cell + 1}", "10k", RESISTOR, (centre, 5.0, 270), {"1": "VCC", "2": net})
    board.track("VCC", 0.4, ((centre, 5 - 0.825), (centre, TOP + 2)))
    board.track(net, 0.3, ((centre, 5 + 0.825), (centre, MIDDLE - 6.5)))


def chip_parts(board: kicad.Board) -> None:
    """Draw the shift register, the resistors on its lines and its capacitors."""
    nets = {str(n): net for n, net in enumerate(CHIP_NETS, 1) if net}
    board.place("U1", "74HC165", CHIP, (*CHIP_AT, 180), nets)
    for cell, y in LINES.items():
        pads = {"1": f"IN{cell}", "2": f"CELL{cell}"}
        board.place(f"R{cell + 7}", "1k", RESISTOR, (SERIES_AT, y, 0), pads)
    for number, y, outer, inner in SIDE:
        board.place(f"R{number}", "1k", RESISTOR, (1.2, y, 0), {"1": outer, "2": inner})
    for number, x, pulled in PULLED:
        board.place(f"R{number}", "10k", RESISTOR, (x, 15.9, 270), {"1": pulled, "2": "VCC"})
    for number, x, net in ((16, 9.475, "LOAD"), (17, 11.6, "SCK")):
        pads = {"1": f"{net}_IN", "2": net}
        board.place(f"R{number}", "1k", RESISTOR, (x, 23.6, 270), pads)
    board.place("C25", "100n", CAPACITOR, (2.6, 21.4, 180), BYPASS)
    board.place("C26", "10u", BULK, (2.6, 24.9, 180), BYPASS)
    for net, width, corners in CHIP_TRACKS:
        board.track(net, width, corners)
    for x, y in ((11.8, 10.555), (2.9, 13.6), (2.9, 18.175), (0.6, 21.4), (0.2, 24.9)):
        board.via("GND", x, y)


def plugs(board: kicad.Board) -> None:
    """Draw the plugs: J1 from the controller or the strip before, J2 to the next strip."""
    into = {str(number): net for number, net in enumerate(PINS, 1)}
    onward = {str(9 - number): net for number, net in enumerate(PINS, 1)} | {"6": "NEXT"}
    board.place("J1", "in", PLUG, (PLUG_X, IN_Y, 180), into | {"MP": "GND"})
    board.place("J2", "out", PLUG, (PLUG_X, OUT_Y, 0), onward | {"MP": "GND"})
    for number, net in enumerate(PINS, 1):
        x = PLUG_X + 7 - 2 * (number - 1)
        board.write(NAMES[net], x, IN_Y + 7.0, 0.8)
        board.write(NAMES[net], x, OUT_Y - 8.1, 0.8)
    for x, y in ((PLUG_X + 8.5, IN_Y + 3.5), (PLUG_X - 8.5, OUT_Y - 3.5)):
        board.write("1", x, y, 0.8)
    for number, (x, net) in enumerate(SEVENTH, 1):
        board.place(f"H{number}", net, HOLE, (x, 18.62, 0), {"1": net})
    for net, width, corners in PLUG_TRACKS:
        board.track(net, width, corners)
    for net, corners in BACK_TRACKS:
        board.track(net, 0.3, corners, back=True)
    for net, x, y in PLUG_VIAS:
        board.via(net, x, y)


def drawn(file: Path) -> kicad.Board:
    """Return the whole board."""
    board = kicad.Board(file)
    corners = ((LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM))
    board.outline(corners)
    for cell in range(CELLS):
        cell_parts(board, cell)
    chip_parts(board)
    plugs(board)
    for words, x, y, size in WORDS:
        board.write(words, x, y, size)
    for cell in range(CELLS):
        board.write("ABCDEF"[cell], middle_of(cell), 25.0)
    left, right, top, bottom = LEFT + 0.5, RIGHT - 0.5, TOP + 0.5, BOTTOM - 0.5
    board.plane("GND", ((left, top), (right, top), (right, bottom), (left, bottom)))
    return board


TURNED = (("SOT-23", 180), ("SOIC-", 270), ("JST_PH_S", 180))
"""Degrees that assemblers' zero lies behind KiCad's, by the beginning of a footprint's name.

As in the tables that public plug-ins for JLCPCB carry; of PH plugs one reports 0.
"""


def position_list(pcb: Any) -> str:
    """Return each part's place for pick-and-place machines, turned as JLCPCB counts (CSV)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("Designator", "Val", "Mid X", "Mid Y", "Rotation", "Layer"))
    for place in kicad.places(pcb):
        if place.ref[0] != "H":
            turn = next((turn for name, turn in TURNED if place.footprint.startswith(name)), 0)
            spot = f"{place.x:.3f}mm", f"{place.y:.3f}mm", f"{(place.degrees + turn) % 360:g}"
            writer.writerow((place.ref, place.value, *spot, "top"))
    return out.getvalue()


def strip_picture(pcb: Any) -> str:
    """Return the strip with its parts as SVG: its end with the plugs five times as large, then
    the whole.
    """
    return "\n".join(
        (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"'
            ' font-family="DejaVu Sans, Arial, sans-serif">',
            '<rect width="400" height="200" fill="#fff"/>',
            f'<defs><g id="strip">{kicad.picture(pcb)}</g>',
            '<clipPath id="end"><rect x="-24" y="-1" width="79" height="32"/></clipPath></defs>',
            '<use href="#strip" transform="translate(122 5) scale(4.9)" clip-path="url(#end)"/>',
            '<use href="#strip" transform="translate(32 160) scale(0.98)"/>',
            '<text x="5" y="196" font-size="4">seen from the parts\' side; red: pin 1</text>',
            "</svg>",
            "",
        )
    )


def further_files(board: Any) -> dict[str, str]:
    """Return the places for pick-and-place machines, and the picture."""
    return {"positions.csv": position_list(board), "strip.svg": strip_picture(board)}


if __name__ == "__main__":
    kicad.run(sys.argv[1:], drawn, HERE / "strip.kicad_pcb", further_files)
