"""Draw the presence board's strip: `/usr/bin/python3 -m hardware.presence.strip.draw`.

One board serves one row of six cells; a field has six of them, each cabled to the next. Parts face
down, the bare side lies against the plate.
0, 0 is the field's upper left corner as seen from the parts' side, which is from below, with row 1
above. There column A is on the right and the plugs are on the left, under column F's edge; IN faces
the row before, OUT the next one.
`… check BOARD REPORT` runs KiCad's design rule check and exits with 1 if there is a violation; `…
stale` names the kept files that a fresh drawing does not write.
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
PLUG = "Connector_JST:JST_PH_S5B-PH-SM4-TB_1x05-1MP_P2.00mm_Horizontal"
HOLE = "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm"

LINES = {5: 10.75, 4: 12.45, 0: 14.15, 1: 15.85, 2: 17.55, 3: 19.25}
"""Height of each cell's line to the chip: the order of the chip's pins."""
CHIP_AT = (7.0, MIDDLE)
SERIES_AT = 16.0
BYPASS = {"1": "+5V", "2": "GND"}
CHIP_NETS = (
    "LOAD_IN", "SCK_IN", "IN3", "IN2", "IN1", "IN0", "", "GND",
    "QH", "SER", "IN7", "IN6", "IN5", "IN4", "GND", "+5V",
)  # fmt: skip
"""The nets of pins 1 to 16; cell n of a strip is on input D(7 - n), which is shifted out n-th."""
SIDE = (
    (13, 10.555, "DATA", "QH"),
    (14, 12.4, "NEXT", "SER"),
    (15, 15.8, "CELL6", "IN6"),
)
"""Resistors on the chip's other side: number, y, outer net, inner net."""
PULLED = ((18, 12.4, "NEXT"), (19, 14.1, "IN7"), (20, 15.8, "CELL6"))
"""Resistors to 5 V: number, y, net. Nothing else is on IN7."""

DOWN_4 = ((7.2, 9.3), (7.2, 16.905), (4.525, 16.905))
DOWN_5 = ((6.4, 8.6), (6.4, 15.635), (4.525, 15.635))
"""Two lines reach the chip's far side from between its rows of pins."""

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
    ("IN7", 0.3, ((-2.375, 14.1), (2.495, 14.1), (3.5, 13.095), (4.525, 13.095))),
    ("IN6", 0.3, ((2.025, 15.8), (2.2, 15.8), (3.635, 14.365), (4.525, 14.365))),
    ("+5V", 0.6, ((4.525, 19.445), (4.525, 28.0))),
    ("+5V", 0.6, ((3.375, 21.4), (4.525, 21.4))),
    ("GND", 0.4, ((1.825, 21.4), (0.6, 21.4))),
    ("+5V", 0.6, ((3.55, 24.9), (4.525, 24.9))),
    ("GND", 0.4, ((1.65, 24.9), (0.2, 24.9))),
    ("+5V", 0.4, ((-4.025, 12.4), (-4.025, 25.0))),
)
PLUG_TRACKS = (
    ("+5V", 1.0, ((-17.0, 7.85), (-17.0, 10.8), (-22.3, 10.8), (-22.3, 25.0))),
    (
        "+5V",
        1.0,
        ((-22.3, 25.0), (-4.0, 25.0), (-1.0, 28.0), (344.5, 28.0), (344.5, 2.0), (17.0, 2.0)),
    ),
    ("+5V", 0.6, ((-9.0, 22.15), (-9.0, 25.0))),
    ("GND", 0.6, ((-9.0, 7.85), (-9.0, 10.4))),
    ("GND", 0.6, ((-17.0, 22.15), (-17.0, 19.6))),
    ("GND", 0.6, ((-19.35, 2.1), (-21.0, 2.1))),
    ("GND", 0.6, ((-6.65, 2.1), (-5.0, 2.1))),
    ("GND", 0.6, ((-19.35, 27.9), (-21.0, 27.9))),
    ("GND", 0.6, ((-6.65, 27.9), (-5.0, 27.9))),
    ("SCK", 0.3, ((-15.0, 7.85), (-15.0, 11.2), (-11.0, 15.2), (-11.0, 22.15))),
    ("LOAD", 0.3, ((-11.0, 7.85), (-11.0, 10.6))),
    ("LOAD", 0.3, ((-15.0, 17.0), (-15.0, 22.15))),
    ("DATA", 0.3, ((-13.0, 7.85), (-13.0, 12.0), (-8.0, 12.0), (-6.555, 10.555), (0.375, 10.555))),
    ("NEXT", 0.3, ((-13.0, 22.15), (-13.0, 19.0))),
    ("LOAD", 0.3, ((9.475, 24.425), (9.475, 26.5))),
    ("SCK", 0.3, ((11.6, 24.425), (12.775, 24.425), (13.2, 24.0))),
)
BACK_TRACKS = (
    ("LOAD", ((-11.0, 10.6), (-15.0, 17.0), (-15.0, 26.5), (9.475, 26.5))),
    ("SCK", ((-11.0, 20.0), (-11.0, 24.0), (13.2, 24.0))),
    ("NEXT", ((-13.0, 19.0), (0.4, 19.0), (0.4, 12.4), (-1.0, 12.4))),
    ("CELL6", ((-1.0, 15.8), (-5.3, 15.8), (-6.4, 16.9))),
)
PLUG_VIAS = (
    ("GND", -9.0, 10.4), ("GND", -17.0, 19.6), ("GND", -21.0, 2.1), ("GND", -5.0, 2.1),
    ("GND", -21.0, 27.9), ("GND", -5.0, 27.9), ("LOAD", -11.0, 10.6), ("LOAD", -15.0, 17.0),
    ("LOAD", 9.475, 26.5), ("SCK", -11.0, 20.0), ("SCK", 13.2, 24.0), ("NEXT", -13.0, 19.0),
)  # fmt: skip
SCREWS = ((60.0, 5.4), (180.0, 24.6), (300.0, 5.4))
SCREW = "MountingHole:MountingHole_2.7mm_M2.5"
WORDS = (
    ("IN", -2.5, 6.0), ("OUT", -2.2, 22.0), ("strip of six cells", 60.0, 25.5),
    ("7TH", -6.4, 19.4), ("BTN", -9.3, 16.5),
)  # fmt: skip


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
            f"S{number}", "DRV5032FC", SENSOR, (x, y, turn), {"1": "+5V", "2": net, "3": "GND"}
        )
        supply = x + 0.9375 * up
        ground = x - 0.9375 * up
        board.track("+5V", 0.4, ((supply, y + 0.95 * up), (supply, rail)))
        board.track("GND", 0.4, ((ground, y), (ground - 1.8 * up, y)))
        board.via("GND", ground - 1.8 * up, y)
        beside = x + 3.4 * up
        high = rail - 2.4 * up
        board.place(
            f"C{number}", "100n", CAPACITOR, (beside, high, 90.0 * up), {"1": "+5V", "2": "GND"}
        )
        board.track("+5V", 0.4, ((beside, high + 0.775 * up), (beside, rail)))
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
    board.place(f"R{cell + 1}", "10k", RESISTOR, (centre, 5.0, 270), {"1": "+5V", "2": net})
    board.track("+5V", 0.4, ((centre, 5 - 0.825), (centre, TOP + 2)))
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
    for number, y, pulled in PULLED:
        board.place(f"R{number}", "10k", RESISTOR, (-3.2, y, 0), {"1": "+5V", "2": pulled})
        if pulled != "IN7":
            board.track(pulled, 0.3, ((-2.375, y), (0.375, y)))
            board.via(pulled, -1.0, y)
    for number, x, net in ((16, 9.475, "LOAD"), (17, 11.6, "SCK")):
        pads = {"1": f"{net}_IN", "2": net}
        board.place(f"R{number}", "1k", RESISTOR, (x, 23.6, 270), pads)
    board.place("C25", "100n", CAPACITOR, (2.6, 21.4, 180), BYPASS)
    board.place("C26", "10u", BULK, (2.6, 24.9, 180), BYPASS)
    for net, width, corners in CHIP_TRACKS:
        board.track(net, width, corners)
    for x, y in ((11.8, 10.555), (2.9, 18.175), (0.6, 21.4), (0.2, 24.9)):
        board.via("GND", x, y)


def plugs(board: kicad.Board) -> None:
    """Draw the plugs: J1 from the controller or the strip before, J2 to the next strip."""
    into = {"1": "GND", "2": "LOAD", "3": "DATA", "4": "SCK", "5": "+5V", "MP": "GND"}
    board.place("J1", "in", PLUG, (-13.0, 5.0, 180), into)
    board.place("J2", "out", PLUG, (-13.0, 25.0, 0), into | {"3": "NEXT"})
    board.place("H6", "cell 7", HOLE, (-6.4, 16.9, 0), {"1": "CELL6"}, shown=False)
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
    for screw, (x, y) in enumerate(SCREWS, 1):
        board.place(f"M{screw}", "M2.5", SCREW, (x, y, 0), {}, shown=False)
    for words, x, y in WORDS:
        board.write(words, x, y)
    for cell in range(CELLS):
        board.write("ABCDEF"[cell], middle_of(cell), 25.0)
    left, right, top, bottom = LEFT + 0.5, RIGHT - 0.5, TOP + 0.5, BOTTOM - 0.5
    board.plane("GND", ((left, top), (right, top), (right, bottom), (left, bottom)))
    return board


def position_list(pcb: Any) -> str:
    """Return each part's place for pick-and-place machines, as manufacturers want it (CSV)."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("Designator", "Val", "Mid X", "Mid Y", "Rotation", "Layer"))
    for ref, value, x, y, degrees in sorted(kicad.positions(pcb)):
        if ref[0] not in "HM":
            writer.writerow((ref, value, f"{x:.3f}mm", f"{y:.3f}mm", f"{degrees % 360:g}", "top"))
    return out.getvalue()


def write_positions(board: Any) -> None:
    """Write the places for pick-and-place machines."""
    (HERE / "positions.csv").write_text(position_list(board), encoding="utf-8")


if __name__ == "__main__":
    kicad.run(sys.argv[1:], drawn, HERE / "strip.kicad_pcb", write_positions)
