"""Photos of tables rendered by a path tracer, and what the camera and the photo reader read there.

`python -m tools.photos.rendered make --count N` renders the first N scenes of each kind that have
no picture yet, with Blender's module in a virtual environment of its own (1 GB). `read` reads them
and prints for each condition what was right, unknown and wrong; its last line is `wrong=N`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import get_args

from tools.photos.rendered.prints import cut_prints
from tools.photos.rendered.reading import line, read_scenes
from tools.photos.rendered.scene import Kind, scene

FOLDER = Path(".cache/rendered")
FIRST, SCENES = 32, 250
"""The first scene and the number of each kind that tuning does not use."""
BLENDER = "bpy==5.0.1"
"""Blender as a module, for Python 3.11 alone."""


def make(folder: Path, numbers: range, python: str) -> None:
    """Render the scenes that are missing."""
    if not (folder / "printed" / "bat.png").exists():
        cut_prints(folder / "printed")
    specs = [scene(kind, number).spec for number in numbers for kind in get_args(Kind)]
    (folder / "scenes.json").write_text(json.dumps(specs))
    script = Path(__file__).with_name("blender.py")
    subprocess.run([python, str(script), str(folder / "scenes.json"), str(folder)], check=True)


def blender_python(folder: Path) -> str:
    """Return a Python with Blender's module, installed where it is missing."""
    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", BLENDER], check=True)
    return str(python)


def main() -> None:
    """Render or read."""
    parser = argparse.ArgumentParser(prog="python -m tools.photos.rendered", description=__doc__)
    parser.add_argument("what", choices=["make", "read"])
    parser.add_argument("--count", type=int, default=SCENES)
    parser.add_argument(
        "--first", type=int, default=FIRST, help=f"below {FIRST} they are for tuning"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER)
    chosen = parser.parse_args()
    numbers = range(chosen.first, chosen.first + chosen.count)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    if chosen.what == "make":
        make(chosen.folder, numbers, blender_python(chosen.folder))
        return
    by_condition = read_scenes(chosen.folder, numbers)
    for condition, verdicts in by_condition.items():
        print(line(condition, verdicts))
    wrong = sum(
        verdicts["wrong"] for name, verdicts in by_condition.items() if name.endswith(" all")
    )
    print(f"wrong={wrong}")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
