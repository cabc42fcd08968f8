"""Check the camera over the table: show what it reads and advise what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from companion.clock import real_monotonic
from companion.config import CameraSettings
from companion.core.game import Message
from companion.core.placement import Cell, Pawn
from companion.games import GAMES
from companion.sensors.vision.camera_client import CameraDecoder
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.frames.frame_source import FrameSource
from companion.sensors.vision.tracker import FIELD_CELLS, cells_near

LOOK_SECONDS = 30.0
"""Seconds to wait for a picture that shows the field."""


def find_field_frame(
    settings: CameraSettings,
    source: FrameSource,
    pause: Callable[[float], object],
    seconds: float = LOOK_SECONDS,
) -> FrameResult:
    """Return the first frame that shows the field, else the last one with its problem."""
    end = real_monotonic() + seconds
    decoder = CameraDecoder()
    printed = next(parts for game in GAMES if (parts := game.parts()).tiles)
    context = FrameContext(
        is_laying=True, pawn_height=settings.pawn_height, tokens=tuple(printed.tokens)
    )
    last = FrameResult(problem=Message("doctor_look_none", {"n": round(seconds)}))
    try:
        while real_monotonic() < end:
            new = source.newest()
            if isinstance(new, bytes):
                last = decoder.decode(new, context)
            elif isinstance(new, Message):
                last = FrameResult(problem=new)
            else:
                pause(0.1)
            if last.problem is None:
                break
    finally:
        decoder.close()
        source.close()
    return last


def render_frame(result: FrameResult) -> list[str]:
    """Return the field as rows of text: tile numbers, pawns, ? where neither is seen."""
    standing = pawns_by_cell(result)
    shown = {
        cell: " ".join(standing.get(cell, ())) or _number(result, cell) for cell in FIELD_CELLS
    }
    width = max(map(len, shown.values()))
    columns = sorted({cell[0] for cell in FIELD_CELLS})
    rows = sorted({cell[1:] for cell in FIELD_CELLS})
    head = "   " + " ".join(column.ljust(width) for column in columns)
    lines = [
        f"{row}  " + " ".join(shown[Cell(column + row)].ljust(width) for column in columns)
        for row in rows
    ]
    return [line.rstrip() for line in (head, *lines)]


def camera_advice(result: FrameResult) -> Iterator[Message]:
    """Yield the pieces seen and advice."""
    if result.problem is not None:
        yield result.problem
        return
    standing = pawns_by_cell(result)
    hidden = [cell for cell in FIELD_CELLS if cell not in result.clear and cell not in standing]
    if hidden:
        yield Message("doctor_look_hidden", {"cells": " ".join(hidden)})
    else:
        yield Message("doctor_look_whole")
    beside = sorted(pawn for pawn, at in result.pawns.items() if len(cells_near(at)) != 1)
    if beside:
        yield Message("doctor_look_between", {"pawns": " ".join(beside)})
    if not result.pawns:
        yield Message("doctor_look_no_pawn")


def pawns_by_cell(result: FrameResult) -> Mapping[Cell, list[Pawn]]:
    """Return the pawns of each cell; one between two cells stands on none."""
    standing: dict[Cell, list[Pawn]] = {}
    for pawn, at in sorted(result.pawns.items()):
        near = cells_near(at)
        if len(near) == 1:
            standing.setdefault(near[0], []).append(pawn)
    return standing


def _number(result: FrameResult, cell: Cell) -> str:
    tile = result.tiles.get(cell)
    return "?" if tile is None or cell not in result.clear else str(tile.number)
