"""Draw the resonator board with KiCad: `/usr/bin/python3 hardware/identity/tank/draw.py` writes all
beside it.

Needs Debian's `kicad` and `kicad-footprints` (pcbnew is a module of the system's Python, not of a
virtual environment). One board carries what one loop needs; its parts have loop 0's names, for loop
n add n. Its sides join its neighbours'. `draw.py check BOARD REPORT` runs KiCad's design rule check
on a board, prints the number of faults and exits with 1 if there are any.
"""

from __future__ import annotations

import re
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pcbnew

HERE = Path(__file__).resolve().parent
LIBRARY = Path("/usr/share/kicad/footprints")
WIDTH, HEIGHT = 30.0, 26.0
NETS = ("GND", "RF", "TANK00", "BIAS00", "LOOP00", "LOOPWIRE00")
HOLE = "TestPoint:TestPoint_THTPad_D2.0mm_Drill1.0mm"
RESISTOR = "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P10.16mm_Horizontal"
CHOKE = "Inductor_THT:L_Axial_L7.0mm_D3.3mm_P10.16mm_Horizontal_Fastron_MICC"
CAPACITOR = "Capacitor_SMD:C_1206_3216Metric"

PARTS = (
    # name, value, footprint, x, y, degrees, net of each pad
    ("C100", "47p", CAPACITOR, 9.0, 6.2, 270, ("RF", "TANK00")),
    ("C200", "100p", CAPACITOR, 13.0, 12.0, 270, ("TANK00", "GND")),
    ("C300", "6-30p", "Capacitor_SMD:C_Trimmer_Murata_TZB4-A", 18.6, 12.6, 270, ("TANK00", "GND")),
    ("D100", "BAR64", "Diode_SMD:D_SOD-523", 25.0, 13.0, 90, ("LOOPWIRE00", "TANK00")),
    ("L100", "10u", CHOKE, 4.0, 16.6, 0, ("TANK00", "BIAS00")),
    ("C400", "10n", CAPACITOR, 17.6, 19.0, 270, ("BIAS00", "GND")),
    ("R100", "330", RESISTOR, 4.0, 20.6, 0, ("LOOP00", "BIAS00")),
)
HOLES = (
    ("RF1", "RF", 1.7, 3.0),
    ("RF2", "RF", 28.3, 3.0),
    ("GND1", "GND", 1.7, 7.0),
    ("GND2", "GND", 28.3, 7.0),
    ("IN", "LOOP00", 2.0, 24.3),
    ("LOOP1", "LOOPWIRE00", 22.0, 23.8),
    ("LOOP2", "GND", 28.0, 23.8),
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
    ("LOOPWIRE00", 1.0, ((25.0, 15.5), (25.0, 19.0), (22.0, 22.0), (22.0, 23.8))),
    ("BIAS00", 0.6, ((14.16, 16.6), (14.16, 20.6))),
    ("BIAS00", 0.6, ((14.16, 16.6), (16.7, 16.6), (17.6, 17.5))),
    ("LOOP00", 0.6, ((2.0, 24.3), (4.0, 22.3), (4.0, 20.6))),
)
VIAS = ((11.2, 13.5), (21.8, 15.0), (19.8, 20.5))
STUBS = (((13.0, 13.5), (11.2, 13.5)), ((18.6, 15.0), (21.8, 15.0)), ((17.6, 20.5), (19.8, 20.5)))
"""From the parts' grounded pads to the plane on the back."""


def mm(value: float) -> int:
    return int(pcbnew.FromMM(value))


def at(x: float, y: float) -> Any:
    return pcbnew.wxPointMM(100 + x, 80 + y)


def footprint(name: str) -> Any:
    library, _, entry = name.partition(":")
    return pcbnew.FootprintLoad(str(LIBRARY / f"{library}.pretty"), entry)


def draw(file: Path) -> Any:
    """Return the board, which will be kept in this file."""
    board = pcbnew.NewBoard(str(file))
    board.SetCopperLayerCount(2)
    nets = {}
    for name in NETS:
        nets[name] = pcbnew.NETINFO_ITEM(board, name)
        board.Add(nets[name])
    outline(board)
    for ref, value, name, x, y, turn, pads in PARTS:
        place(board, ref, value, name, (x, y, turn), [nets[pad] for pad in pads])
    for ref, net, x, y in HOLES:
        place(board, ref, net, HOLE, (x, y, 0), [nets[net]])
    for net, width, corners in TRACKS:
        track(board, nets[net], width, corners)
    for stub in STUBS:
        track(board, nets["GND"], 0.8, stub)
    for x, y in VIAS:
        via = pcbnew.PCB_VIA(board)
        via.SetPosition(at(x, y))
        via.SetDrill(mm(0.4))
        via.SetWidth(mm(0.8))
        via.SetNet(nets["GND"])
        board.Add(via)
    plane(board, nets["GND"])
    for words, x, y in (
        ("resonator", 12.5, 24.6),
        ("RF", 4.6, 1.3),
        ("GND", 5.0, 7.0),
        ("IN", 4.6, 24.6),
    ):
        write(board, words, x, y)
    return board


def outline(board: Any) -> None:
    corners = ((0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT), (0, 0))
    for start, end in pairwise(corners):
        edge = pcbnew.PCB_SHAPE(board)
        edge.SetShape(pcbnew.SHAPE_T_SEGMENT)
        edge.SetStart(at(*start))
        edge.SetEnd(at(*end))
        edge.SetLayer(pcbnew.Edge_Cuts)
        edge.SetWidth(mm(0.1))
        board.Add(edge)


def place(
    board: Any, ref: str, value: str, name: str, spot: tuple[float, float, float], nets: list[Any]
) -> None:
    part = footprint(name)
    part.SetReference(ref)
    part.SetValue(value)
    part.SetPosition(at(spot[0], spot[1]))
    part.SetOrientationDegrees(spot[2])
    part.Value().SetVisible(False)
    part.Reference().SetTextSize(pcbnew.wxSizeMM(0.8, 0.8))
    part.Reference().SetTextThickness(mm(0.12))
    if len(nets) == 1:
        part.Reference().SetVisible(False)
    elif name in (RESISTOR, CHOKE):
        part.Reference().SetPosition(at(spot[0] + 5.08, spot[1]))
    for pad, net in zip(part.Pads(), nets, strict=True):
        pad.SetNet(net)
    board.Add(part)


def track(board: Any, net: Any, width: float, corners: tuple[tuple[float, float], ...]) -> None:
    for start, end in pairwise(corners):
        piece = pcbnew.PCB_TRACK(board)
        piece.SetStart(at(*start))
        piece.SetEnd(at(*end))
        piece.SetWidth(mm(width))
        piece.SetLayer(pcbnew.F_Cu)
        piece.SetNet(net)
        board.Add(piece)


def plane(board: Any, net: Any) -> None:
    zone = pcbnew.ZONE(board)
    zone.SetLayer(pcbnew.B_Cu)
    zone.SetNet(net)
    zone.SetLocalClearance(mm(0.4))
    zone.SetMinThickness(mm(0.25))
    shape = zone.Outline()
    shape.NewOutline()
    for x, y in ((0.4, 0.4), (WIDTH - 0.4, 0.4), (WIDTH - 0.4, HEIGHT - 0.4), (0.4, HEIGHT - 0.4)):
        shape.Append(mm(100 + x), mm(80 + y))
    board.Add(zone)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())


def write(board: Any, words: str, x: float, y: float) -> None:
    text = pcbnew.PCB_TEXT(board)
    text.SetText(words)
    text.SetPosition(at(x, y))
    text.SetLayer(pcbnew.F_SilkS)
    text.SetTextSize(pcbnew.wxSizeMM(0.9, 0.9))
    text.SetTextThickness(mm(0.14))
    board.Add(text)


def plot(board: Any) -> None:
    """Write the Gerber and drill files that a maker of boards wants."""
    folder = HERE / "gerbers"
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseGerberProtelExtensions(True)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    for layer, name in (
        (pcbnew.F_Cu, "F_Cu"),
        (pcbnew.B_Cu, "B_Cu"),
        (pcbnew.F_Mask, "F_Mask"),
        (pcbnew.B_Mask, "B_Mask"),
        (pcbnew.F_SilkS, "F_Silkscreen"),
        (pcbnew.Edge_Cuts, "Edge_Cuts"),
    ):
        plotter.SetLayer(layer)
        plotter.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), True)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def picture(board: Any) -> str:
    """Return the board seen from the parts' side as SVG, for placing the parts by."""
    pads = []
    for part in board.GetFootprints():
        for pad in part.Pads():
            box = pad.GetBoundingBox()
            x, y = (pcbnew.ToMM(value) for value in (box.GetX(), box.GetY()))
            width, height = (pcbnew.ToMM(value) for value in (box.GetWidth(), box.GetHeight()))
            pads.append(
                (
                    part.GetReference(),
                    pad.GetNumber(),
                    pad.GetNetname(),
                    x - 100,
                    y - 80,
                    width,
                    height,
                )
            )
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
        fill = {"GND": "#555"}.get(net, "#b5651d")
        body.append(
            f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" rx="0.2" '
            f'fill="{fill}"/>'
        )
        if len(mine) == 1:
            words = {"LOOPWIRE00": "loop", "LOOP00": "IN"}.get(
                net, "loop" if ref == "LOOP2" else net
            )
            across = x + width + 0.9 if x < WIDTH / 2 else x - 0.9
            body.append(
                _words(
                    across, y + height / 2 + 0.3, words, 0.9, "start" if x < WIDTH / 2 else "end"
                )
            )
    for ref, value, _, _, _, _, _ in PARTS:
        mine = [pad for pad in pads if pad[0] == ref]
        x, y = (sum(pad[i] + pad[i + 2] / 2 for pad in mine) / 2 for i in (3, 4))
        if ref in ("R100", "L100"):
            body.append(_words(x, y + 0.3, f"{ref}  {value}", 0.9, "middle"))
        else:
            body.append(_words(x + 1.5, y - 0.2, ref, 0.9, "start"))
            body.append(_words(x + 1.5, y + 0.9, value, 0.8, "start"))
    body.append(_words(25.9, 15.2, "bar: cathode", 0.55, "start"))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * WIDTH}mm" height="{4 * HEIGHT}mm" '
        f'viewBox="-1 -1 {WIDTH + 2} {HEIGHT + 2}"'
    )
    return (
        "\n".join((f'{head} font-family="DejaVu Sans, Arial, sans-serif">', *body, "</svg>")) + "\n"
    )


def _outline(ref: str, pads: list[tuple[str, str, str, float, float, float, float]]) -> str:
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


def check(board: Path, report: Path) -> int:
    """Return how many faults KiCad's design rule check finds, unconnected pads included."""
    loaded = pcbnew.LoadBoard(str(board))
    pcbnew.WriteDRCReport(loaded, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    lines = report.read_text(encoding="utf-8").splitlines()
    return sum(
        int(line.split()[2])
        for line in lines
        if line.startswith("** Found") and "footprint" not in line.lower()
    )


def timeless(board: Path) -> list[str]:
    """Return what a board's file says, without the marks that KiCad gives each thing anew, and in
    no order.
    """
    return sorted(re.sub(r"\(tstamp [^)]*\)", "", board.read_text(encoding="utf-8")).splitlines())


def main() -> None:
    if sys.argv[1:2] == ["check"]:
        faults = check(Path(sys.argv[2]), Path(sys.argv[3]))
        print(f"faults: {faults}")
        sys.exit(min(faults, 1))
    board = HERE / "tank.kicad_pcb"
    with TemporaryDirectory() as folder:
        fresh = Path(folder) / board.name
        pcbnew.SaveBoard(str(fresh), draw(fresh))
        if board.exists() and timeless(fresh) == timeless(board):
            return
        for made in (fresh, fresh.with_suffix(".kicad_pro")):
            shutil.copy(made, HERE)
    drawn = pcbnew.LoadBoard(str(board))
    plot(drawn)
    (HERE / "tank.svg").write_text(picture(drawn), encoding="utf-8")
    (HERE / "tank.kicad_prl").unlink(missing_ok=True)  # what KiCad's windows looked like


if __name__ == "__main__":
    main()
