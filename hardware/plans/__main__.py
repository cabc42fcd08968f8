"""Draw every plan: `python -m hardware.plans` (called by `make hardware`)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from hardware.plans import bom, boxes, harness, magnet, pawns, schematic, solids, table, template
from hardware.plans.circuit import cell_table, circuits
from hardware.plans.source import HARDWARE


def texts() -> dict[Path, str]:
    """Return every text plan by its file, without calling another program."""
    made: dict[str, str] = {}
    for circuit in circuits():
        made[f"{circuit.name}/parts.csv"] = bom.parts_list(circuit)
    for name, text in harness.wirings().items():
        made[f"{name}.yml"] = text
    for name, text in schematic.sheets().items():
        made[f"{name}.svg"] = text
    made["presence/cells.csv"] = cell_table()
    made["presence/reach.csv"] = magnet.table()
    made["presence/strip/bom.csv"] = bom.strip_list()
    made["presence/section.svg"] = table.section()
    made["presence/plate.svg"] = table.plate()
    made["presence/frame.svg"] = table.frame()
    made["presence/exploded.svg"] = table.exploded()
    made["presence/nano_exploded.svg"] = boxes.nano_exploded()
    made["panel/exploded.svg"] = boxes.panel_exploded()
    made["case/pawns.svg"] = pawns.pawns()
    made["presence/template.dxf"] = template.dxf()
    for build, orders in table.order_lists().items():
        made[f"{build}/orders.csv"] = orders
    return {HARDWARE / name: text for name, text in made.items()}


def sheets() -> dict[Path, bytes]:
    """Return every PDF plan by its file."""
    return {HARDWARE / "presence" / "template.pdf": template.pdf()}


def draw_wiring(source: Path, folder: Path) -> Path:
    """Let WireViz draw a wiring; return the SVG."""
    wireviz = Path(sys.executable).with_name("wireviz")
    subprocess.run(
        [wireviz, "-f", "s", "-o", str(folder), str(source)], check=True, capture_output=True
    )
    return folder / f"{source.stem}.svg"


def main() -> None:
    """Write every plan."""
    for path, text in texts().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.suffix == ".yml":
            draw_wiring(path, path.parent)
    for path, content in sheets().items():
        path.write_bytes(content)
    (solids.CASE / "stl").mkdir(exist_ok=True)
    solids.renew(solids.CASE / "stl")


if __name__ == "__main__":
    main()
