"""Read the field from a photo."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from companion.command_errors import english, handle_errors
from companion.core.game import Message
from companion.core.grid import Grid
from companion.sensors.vision.field import FieldScan
from companion.sensors.vision.photo_client import PhotoDecoder

PHOTO_CHUNK = 64 * 1024
"""Bytes of a photo that are held at a time."""


@click.command("scan")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object: tiles by cell, unread cells, problems.",
)
@click.argument(
    "path", metavar="PHOTO", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def scan_command(path: Path, as_json: bool) -> None:
    """Read the field from a photo (JPEG or PNG) of the laid tiles.

    The corner card beside A1 gives the direction; without it the photo's top is row 1. The exit
    status is 1 if the photo shows no whole field.
    """
    with path.open("rb") as photo:
        scan = PhotoDecoder().decode(iter(lambda: photo.read(PHOTO_CHUNK), b""))
    click.echo(json.dumps(_scan_json(scan)) if as_json else "\n".join(_draw_scan(scan)))
    if not scan.is_field:
        sys.exit(1)


def _scan_json(scan: FieldScan) -> dict[str, Any]:
    tiles = {cell: {"id": tile.number, "turn": tile.turn} for cell, tile in scan.tiles.items()}
    problems = [english().translate(problem) for problem in scan.problems]
    return {"tiles": tiles, "unread": list(scan.unread), "problems": problems}


def _draw_scan(scan: FieldScan) -> list[str]:
    """Return the reading of a photo as text: a tile as its number and an arrow to its top."""
    grid = Grid(6, 6)
    arrows = {0: "↑", 90: "→", 180: "↓", 270: "←"}
    named = {cell: f"{tile.number:2}{arrows[tile.turn or 0]}" for cell, tile in scan.tiles.items()}
    rows = [
        [named.get(cell, " ? ") for cell in grid.cells[start : start + 6]]
        for start in range(0, 36, 6)
    ]
    field = ["    A   B   C   D   E   F"] + [
        f"{number}  {' '.join(row)}" for number, row in enumerate(rows, 1)
    ]
    lines = field if scan.tiles or scan.unread else []
    if scan.unread:
        lines.append(english().translate(Message("scan.unread", {"cells": " ".join(scan.unread)})))
    if scan.north == "photo":
        lines.append(english().translate(Message("scan.by_photo")))
    return lines + [english().translate(problem) for problem in scan.problems]
