"""`companion doctor camera` shows its readings of the camera's pictures, with advice."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli.doctor import doctor_command
from companion.config import CameraSettings
from companion.core.game import Message
from companion.core.placement import Cell, Pawn, Tile
from companion.doctor.camera import (
    Look,
    camera_advice,
    find_field_frame,
    render_frame,
    render_page,
)
from companion.sensors.vision.field import FIELD_CELLS
from companion.sensors.vision.frame import FrameResult
from companion.sensors.vision.frames.folder_source import FolderSource
from tests.server.routes.test_photo import HOUSE
from tools.photos.frame_sequence import FrameSequence, show
from tools.photos.views import VIEWS

TILES = {cell: Tile(number, 0) for number, cell in enumerate(FIELD_CELLS, 1)}


def test_what_is_hidden_is_named() -> None:
    """A cell that shows neither its tile nor a pawn is named with the advice; so is a pawn between
    two tiles.
    """
    pawns = {Pawn("H1a"): (1.0, 0.0), Pawn("H2b"): (2.5, 3.0)}
    clear = frozenset(FIELD_CELLS) - {Cell("A1"), Cell("B1"), Cell("F6")}
    result = FrameResult(TILES, pawns, clear=clear)

    assert [
        Message("doctor_look_hidden", {"cells": "A1 F6"}),
        Message("doctor_look_between", {"pawns": "H2b"}),
    ] == list(camera_advice(result))
    assert ["1", "?", "H1a", "3", "4", "5", "6"] == render_frame(result)[1].split()


def test_a_whole_field_is_praised() -> None:
    """If all is read nothing is to be changed; without a pawn one is wanted for the test."""
    result = FrameResult(TILES, clear=frozenset(FIELD_CELLS))

    assert ["doctor_look_whole", "doctor_look_no_pawn"] == [
        message.code for message in camera_advice(result)
    ]


def test_a_page_escapes_what_it_shows() -> None:
    """Names and sentences are words on the page, whatever signs they have."""
    result = FrameResult(
        TILES, tokens=(("<b>&", (0.0, 0.0)),), middles=dict.fromkeys(FIELD_CELLS, (0, 0))
    )

    page = render_page(Look(b"", result), ["<script>1</script>"])

    assert "&lt;b&gt;&amp;" in page
    assert "<p>&lt;script&gt;1&lt;/script&gt;</p>" in page


@pytest.mark.slow
def test_a_look_by_command(tmp_path: Path) -> None:
    """The command reads a picture in the sandboxed process, draws the field, writes a page with the
    picture on request, and ends with success; without a camera, and without a picture, it ends with
    a sentence.
    """
    picture = FrameSequence(HOUSE, VIEWS["overhead"]).picture({"H1a": "B2"})
    show(tmp_path, picture)
    page = tmp_path / "look.html"
    result = CliRunner().invoke(
        doctor_command, ["camera", "--camera", str(tmp_path), "--show", str(page)]
    )
    none = CliRunner().invoke(doctor_command, ["camera"])
    empty = tmp_path / "empty"
    empty.mkdir()
    silent = find_field_frame(
        CameraSettings(source=str(empty)), FolderSource(empty), lambda s: None, seconds=0.2
    )

    assert (0, ["2", "H1a"]) == (result.exit_code, result.output.splitlines()[2].split()[0:3:2])
    assert (1, "No camera is set") == (none.exit_code, none.output.partition(": ")[2][:16])
    assert b"" == silent.picture
    assert silent.result.problem is not None
    assert "doctor_look_none" == silent.result.problem.code
    html = page.read_text(encoding="utf-8")
    assert f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}" in html
    assert 36 == html.count("<b ")
    assert ">H1a</b>" in html
    assert "Each tile is seen" in html
