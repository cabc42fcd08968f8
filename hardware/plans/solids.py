"""The printed parts: OpenSCAD makes the STL files from case/*.scad."""

from __future__ import annotations

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from math import isclose
from pathlib import Path
from tempfile import TemporaryDirectory

from hardware.plans.source import HARDWARE, PlanError

CASE = HARDWARE / "case"
SOLIDS = {
    "nano_box": ("nano_box.scad", "box"),
    "nano_lid": ("nano_box.scad", "lid"),
    "panel_box": ("panel_box.scad", "box"),
    "panel_lid": ("panel_box.scad", "lid"),
    "pawn_base": ("pawn_base.scad", ""),
    "pawns": ("pawns.scad", ""),
}
"""Each STL file by its name: the OpenSCAD file and the part in it."""
PATIENCE = 120.0


def render(name: str, folder: Path) -> Path:
    """Make one STL file (binary) and return it; raise `PlanError` if it is not a closed solid."""
    source, part = SOLIDS[name]
    made = folder / f"{name}.stl"
    chosen = ["-D", f'part="{part}"'] if part else []
    command = [
        "openscad",
        "--export-format",
        "binstl",
        "-o",
        str(made),
        *chosen,
        str(CASE / source),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    words = done.stderr.split()
    simple = "Simple:" in words and words[words.index("Simple:") + 1] == "yes"
    if done.returncode or not simple or "WARNING:" in words:
        raise PlanError(f"{source} ({part or 'whole'}): {done.stderr.strip()}")
    return made


def render_all(folder: Path) -> list[Path]:
    """Make every STL file, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda name: render(name, folder), SOLIDS))


def renew(folder: Path) -> None:
    """Replace the STL files whose shape has changed; OpenSCAD may cut equal faces differently."""
    with TemporaryDirectory() as fresh:
        for made in render_all(Path(fresh)):
            target = folder / made.name
            if not target.exists() or not same_shape(made, target):
                shutil.copy(made, target)


def same_shape(one: Path, other: Path) -> bool:
    """Return whether two solids have the same bounds and the same volume."""
    # Imported here: it takes half a second, and only this comparison needs it.
    import trimesh

    first, second = trimesh.load_mesh(one), trimesh.load_mesh(other)
    return bool(
        abs(first.bounds - second.bounds).max() < 0.001
        and isclose(first.volume, second.volume, rel_tol=1e-4)
    )
