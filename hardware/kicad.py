"""Draw boards with KiCad: lengths in millimetres, y downwards.

It needs Debian's `kicad` and `kicad-footprints`; pcbnew is a module of the system's Python, not of
a virtual environment.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pcbnew

LIBRARY = Path("/usr/share/kicad/footprints")
ORIGIN = (40.0, 80.0)
"""Place of a board's 0, 0 on KiCad's sheet."""
LAYERS = {
    pcbnew.F_Cu: "F_Cu",
    pcbnew.B_Cu: "B_Cu",
    pcbnew.F_Mask: "F_Mask",
    pcbnew.B_Mask: "B_Mask",
    pcbnew.F_Paste: "F_Paste",
    pcbnew.F_SilkS: "F_Silkscreen",
    pcbnew.Edge_Cuts: "Edge_Cuts",
}
GERBERS = "gerbers.zip"
"""What a maker of circuit boards is given, beside the board."""
Corners = Sequence[tuple[float, float]]


def mm(value: float) -> int:
    """Return millimetres in KiCad's unit."""
    return int(pcbnew.FromMM(value))


def at(x: float, y: float) -> Any:
    """Return a point of the board on KiCad's sheet."""
    return pcbnew.wxPointMM(ORIGIN[0] + x, ORIGIN[1] + y)


class Board:
    """A board of two layers; `nets` are made at their first use."""

    def __init__(self, file: Path) -> None:
        """Start a board; KiCad empties `file` at once."""
        self.pcb = pcbnew.NewBoard(str(file))
        self.pcb.SetCopperLayerCount(2)
        self._nets: dict[str, Any] = {}

    def net(self, name: str) -> Any:
        """Return a net by its name."""
        if name not in self._nets:
            self._nets[name] = pcbnew.NETINFO_ITEM(self.pcb, name)
            self.pcb.Add(self._nets[name])
        return self._nets[name]

    def outline(self, corners: Corners) -> None:
        """Draw the board's edge through these corners, back to the first one."""
        for start, end in pairwise((*corners, corners[0])):
            edge = pcbnew.PCB_SHAPE(self.pcb)
            edge.SetShape(pcbnew.SHAPE_T_SEGMENT)
            edge.SetStart(at(*start))
            edge.SetEnd(at(*end))
            edge.SetLayer(pcbnew.Edge_Cuts)
            edge.SetWidth(mm(0.1))
            self.pcb.Add(edge)

    def place(
        self, ref: str, value: str, footprint: str, spot: tuple[float, float, float],
        nets: dict[str, str],
    ) -> None:  # fmt: skip
        """Place a part at x, y, degrees; `nets` maps the numbers of its pads.

        Names of chips, sensors and plugs are printed.
        """
        library, _, entry = footprint.partition(":")
        part = pcbnew.FootprintLoad(str(LIBRARY / f"{library}.pretty"), entry)
        part.SetReference(ref)
        part.SetValue(value)
        part.SetPosition(at(spot[0], spot[1]))
        part.SetOrientationDegrees(spot[2])
        part.Value().SetVisible(False)
        part.Reference().SetVisible(ref[0] in "SUJ")
        part.Reference().SetTextSize(pcbnew.wxSizeMM(0.8, 0.8))
        part.Reference().SetTextThickness(mm(0.12))
        for pad in part.Pads():
            if name := nets.get(pad.GetNumber()):
                pad.SetNet(self.net(name))
        self.pcb.Add(part)

    def track(self, net: str, width: float, corners: Corners, back: bool = False) -> None:
        """Draw a track through these corners."""
        for start, end in pairwise(corners):
            piece = pcbnew.PCB_TRACK(self.pcb)
            piece.SetStart(at(*start))
            piece.SetEnd(at(*end))
            piece.SetWidth(mm(width))
            piece.SetLayer(pcbnew.B_Cu if back else pcbnew.F_Cu)
            piece.SetNet(self.net(net))
            self.pcb.Add(piece)

    def via(self, net: str, x: float, y: float) -> None:
        """Join front and back."""
        via = pcbnew.PCB_VIA(self.pcb)
        via.SetPosition(at(x, y))
        via.SetDrill(mm(0.4))
        via.SetWidth(mm(0.8))
        via.SetNet(self.net(net))
        self.pcb.Add(via)

    def plane(self, net: str, corners: Corners, clearance: float = 0.3) -> None:
        """Fill the back within these corners. Call it last."""
        zone = pcbnew.ZONE(self.pcb)
        zone.SetLayer(pcbnew.B_Cu)
        zone.SetNet(self.net(net))
        zone.SetLocalClearance(mm(clearance))
        zone.SetMinThickness(mm(0.25))
        shape = zone.Outline()
        shape.NewOutline()
        for corner in corners:
            point = at(*corner)
            shape.Append(point.x, point.y)
        self.pcb.Add(zone)
        pcbnew.ZONE_FILLER(self.pcb).Fill(self.pcb.Zones())

    def write(self, words: str, x: float, y: float, size: float = 0.9) -> None:
        """Print words on the front."""
        text = pcbnew.PCB_TEXT(self.pcb)
        text.SetText(words)
        text.SetPosition(at(x, y))
        text.SetLayer(pcbnew.F_SilkS)
        text.SetTextSize(pcbnew.wxSizeMM(size, size))
        text.SetTextThickness(mm(0.14))
        self.pcb.Add(text)


def plot(board: Any) -> dict[str, bytes]:
    """Return the Gerber and drill files for manufacturers by their names, without dates."""
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    with TemporaryDirectory() as folder:
        options.SetOutputDirectory(folder)
        options.SetUseGerberProtelExtensions(True)
        options.SetCreateGerberJobFile(False)
        options.SetSubtractMaskFromSilk(True)
        for layer, name in LAYERS.items():
            plotter.SetLayer(layer)
            plotter.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
            plotter.PlotLayer()
        plotter.ClosePlot()
        drill = pcbnew.EXCELLON_WRITER(board)
        drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), True)
        drill.SetFormat(True)
        drill.CreateDrillandMapFilesSet(folder, True, False)
        return {file.name: _dateless(file) for file in sorted(Path(folder).iterdir())}


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as a ZIP archive, the same bytes each time."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 9)
    return out.getvalue()


def unzipped(archive: Path) -> dict[str, bytes]:
    """Return the files in a ZIP archive."""
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@dataclass(frozen=True)
class Place:
    """Where a part is set: y upwards, in the coordinates of the Gerber and drill files."""

    ref: str
    value: str
    footprint: str
    """Its name in KiCad's library."""
    x: float
    y: float
    degrees: float


def places(board: Any) -> list[Place]:
    """Return the place of each part, by reference."""
    result = []
    for part in board.GetFootprints():
        spot = part.GetPosition()
        x, y = (pcbnew.ToMM(value) for value in (spot.x, spot.y))
        name = str(part.GetFPID().GetLibItemName())
        degrees = part.GetOrientationDegrees()
        result.append(Place(part.GetReference(), part.GetValue(), name, x, -y, degrees))
    return sorted(result, key=lambda place: place.ref)


def picture(board: Any) -> str:
    """Return the board with its parts as SVG elements, in millimetres from its 0, 0.

    A red dot is on pin 1 of each part that has more than two pins.
    """
    edges = board.GetBoardEdgesBoundingBox()
    body = [_box(edges, "#17633a")]
    for part in board.GetFootprints():
        fab = [item for item in part.GraphicalItems() if item.GetLayer() == pcbnew.F_Fab]
        outlines = [item.GetBoundingBox() for item in fab if hasattr(item, "GetShape")]
        pads = list(part.Pads())
        body += [_box(pad.GetBoundingBox(), "#d9b44a") for pad in pads]
        if outlines:
            whole = outlines[0]
            for outline in outlines[1:]:
                whole.Merge(outline)
            body.append(_box(whole, BODIES.get(part.GetReference()[0], "#b9a58c")))
        if len(pads) > 2:
            x, y = _spot(pads[0].GetPosition())
            body.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="0.35" fill="#e00"/>')
    for text in board.GetDrawings():
        if text.GetLayer() == pcbnew.F_SilkS:
            x, y = _spot(text.GetPosition())
            size = 1.3 * pcbnew.ToMM(text.GetTextSize().y)
            body.append(
                f'<text x="{x:.2f}" y="{y + size / 3:.2f}" font-size="{size:.2f}" fill="#fff"'
                f' text-anchor="middle">{text.GetText()}</text>'
            )
    return "\n".join(body)


BODIES = {"J": "#f2efe6", "U": "#222222", "S": "#333333", "R": "#1d1d1d"}
"""Colours of the parts by the first letter of their reference."""


def _spot(point: Any) -> tuple[float, float]:
    return pcbnew.ToMM(point.x) - ORIGIN[0], pcbnew.ToMM(point.y) - ORIGIN[1]


def _box(box: Any, colour: str) -> str:
    x, y = _spot(box.GetOrigin())
    width, height = pcbnew.ToMM(box.GetWidth()), pcbnew.ToMM(box.GetHeight())
    return (
        f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>'
    )


def faults(board: Path, report: Path) -> int:
    """Return the number of violations in KiCad's design rule check, with unconnected pads."""
    loaded = pcbnew.LoadBoard(str(board))
    pcbnew.WriteDRCReport(loaded, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    lines = report.read_text(encoding="utf-8").splitlines()
    return sum(
        int(line.split()[2])
        for line in lines
        if line.startswith("** Found") and "footprint" not in line.lower()
    )


def timeless(board: Path) -> list[str]:
    """Return a board file's entries, unordered, without identifiers that change each time."""
    text = board.read_text(encoding="utf-8")
    return sorted(re.sub(r"\(tstamp [^)]*\)", "", text).splitlines())


Further = Callable[[Any], Mapping[str, str]]
"""A board's further files by their names: where its parts are set, its picture."""


def stale(draw: Callable[[Path], Board], file: Path, further: Further) -> list[str]:
    """Return the outdated kept files.

    The board's file if a fresh drawing differs; the others if the kept board gives others.
    """
    with TemporaryDirectory() as folder:
        fresh = Path(folder) / file.name
        pcbnew.SaveBoard(str(fresh), draw(fresh).pcb)
        outdated = [] if timeless(fresh) == timeless(file) else [file.name]
    board = pcbnew.LoadBoard(str(file))
    if plot(board) != unzipped(file.parent / GERBERS):
        outdated.append(GERBERS)
    for name, text in further(board).items():
        if text != (file.parent / name).read_text(encoding="utf-8"):
            outdated.append(name)
    return outdated


def _dateless(file: Path) -> bytes:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not re.search(r"CreationDate|date \w", line)).encode()


def keep(draw: Callable[[Path], Board], file: Path) -> None:
    """Draw the kept board again, unless it is the same already."""
    with TemporaryDirectory() as folder:
        fresh = Path(folder) / file.name
        pcbnew.SaveBoard(str(fresh), draw(fresh).pcb)
        if not file.exists() or timeless(fresh) != timeless(file):
            for made in (fresh, fresh.with_suffix(".kicad_pro")):
                shutil.copy(made, file.parent)


def run(
    arguments: Sequence[str], draw: Callable[[Path], Board], file: Path, further: Further
) -> None:
    """Run a board's script.

    Without arguments, draw the board into `file`, and write its Gerber and its further files.
    `check BOARD REPORT` runs KiCad's design rule check on a board, prints the number of violations
    and exits with 1 if there are any; `stale` prints the kept files that are outdated.
    """
    match arguments:
        case ["check", board, report]:
            count = faults(Path(board), Path(report))
            print(f"faults: {count}")
            sys.exit(min(count, 1))
        case ["stale"]:
            print("stale:", *stale(draw, file, further))
        case _:
            keep(draw, file)
            drawn = pcbnew.LoadBoard(str(file))
            (file.parent / GERBERS).write_bytes(zipped(plot(drawn)))
            for name, text in further(drawn).items():
                (file.parent / name).write_text(text, encoding="utf-8")
    file.with_suffix(".kicad_prl").unlink(missing_ok=True)  # layout of KiCad's windows
