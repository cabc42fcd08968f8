"""Check the camera over the table: show its readings and advise changes."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from companion.clock import real_monotonic
from companion.config import CameraSettings
from companion.core.game import Message
from companion.core.placement import Cell, Pawn
from companion.games import GAMES
from companion.sensors.vision.camera_client import CameraDecoder
from companion.sensors.vision.field import FIELD_CELLS
from companion.sensors.vision.frame import FrameContext, FrameResult
from companion.sensors.vision.frames.frame_source import FrameSource
from companion.sensors.vision.tracker import cells_near

LOOK_SECONDS = 30.0
"""Seconds to wait for a picture that shows the field."""
PNG_START = b"\x89PNG"
PAGE = """\
<!doctype html>
<meta charset="utf-8">
<title>companion doctor camera</title>
<style>
  body {{ font: 18px sans-serif; margin: 12px; }}
  div {{ position: relative; }}
  img {{ display: block; width: 100%; }}
  b {{ position: absolute; transform: translate(-50%, -50%); padding: 0 4px; background: #fff; }}
</style>
<div><img alt="" src="data:image/{kind};base64,{data}">{cells}</div>
{words}
"""


class Look(NamedTuple):
    """A picture, b"" if none came, and its reading."""

    picture: bytes
    result: FrameResult


def find_field_frame(
    settings: CameraSettings,
    source: FrameSource,
    pause: Callable[[float], object],
    seconds: float = LOOK_SECONDS,
) -> Look:
    """Return the first frame that shows the field, else the last one with its problem."""
    end = real_monotonic() + seconds
    decoder = CameraDecoder()
    printed = next(parts for game in GAMES if (parts := game.parts()).tiles)
    context = FrameContext(
        is_laying=True, pawn_height=settings.pawn_height, tokens=tuple(printed.tokens)
    )
    last = Look(b"", FrameResult(problem=Message("doctor_look_none", {"n": round(seconds)})))
    try:
        while real_monotonic() < end:
            new = source.newest()
            if isinstance(new, bytes):
                last = Look(new, decoder.decode(new, context))
            elif isinstance(new, Message):
                last = Look(b"", FrameResult(problem=new))
            else:
                pause(0.1)
            if last.result.problem is None:
                break
    finally:
        decoder.close()
        source.close()
    return last


def render_frame(result: FrameResult) -> list[str]:
    """Return the field as rows of text: tile numbers, pawns and tokens, ? where none is seen."""
    labels_by_cell = labels(result)
    width = max(map(len, labels_by_cell.values()))
    columns = sorted({cell[0] for cell in FIELD_CELLS})
    rows = sorted({cell[1:] for cell in FIELD_CELLS})
    head = "   " + " ".join(column.ljust(width) for column in columns)
    lines = [
        f"{row}  " + " ".join(labels_by_cell[Cell(column + row)].ljust(width) for column in columns)
        for row in rows
    ]
    return [line.rstrip() for line in (head, *lines)]


def labels(result: FrameResult) -> dict[Cell, str]:
    """Return the reading of each cell."""
    standing = pawns_by_cell(result)
    lying: dict[Cell, list[str]] = {}
    for kind, at in result.tokens:
        near = cells_near(at)
        if len(near) == 1:
            lying.setdefault(near[0], []).append(kind)
    return {
        cell: " ".join((*standing.get(cell, [_number(result, cell)]), *lying.get(cell, ())))
        for cell in FIELD_CELLS
    }


def render_page(look: Look, lines: Sequence[str]) -> str:
    """Return a page without links that shows a picture, its reading, and sentences."""
    kind = "png" if look.picture.startswith(PNG_START) else "jpeg"
    data = base64.b64encode(look.picture).decode("ascii")
    labels_by_cell = labels(look.result)
    cells = "".join(
        f'<b style="left:{x / 10}%;top:{y / 10}%">{escape(labels_by_cell[cell])}</b>'
        for cell, (x, y) in look.result.middles.items()
    )
    words = "".join(f"<p>{escape(each)}</p>" for each in lines)
    return PAGE.format(kind=kind, data=data, cells=cells, words=words)


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
