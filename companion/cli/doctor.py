"""Check this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event
from typing import Any

import click

from companion.cli.options import config_option, data_option
from companion.clock import real_monotonic
from companion.command_errors import english, fail, handle_errors
from companion.config import CameraSettings, load
from companion.core.game import Message
from companion.doctor.camera import (
    camera_advice,
    find_field_frame,
    render_frame,
    render_page,
)
from companion.doctor.checks import format_report, healthy, run_checks
from companion.doctor.installed import service_settings
from companion.sensors.vision.frames.open_frame_source import open_frame_source


@click.command("doctor")
@click.argument("part", type=click.Choice(["camera"]), required=False)
@data_option
@config_option
@click.option("--port", type=int, help="The port that the pages would use.")
@click.option(
    "--board", metavar="auto|none|sim|spi|DEVICE|URL", help="The board that would be used."
)
@click.option(
    "--camera", metavar="DIR|pi|DEVICE|URL", help="The camera that would be used (serve --help)."
)
@click.option(
    "--show",
    type=click.Path(path_type=Path),
    help="With `camera`: write a page with the picture and what is read where.",
)
@handle_errors
def doctor_command(
    config: Path | None, part: str | None, camera: str | None, show: Path | None, **chosen: Any
) -> None:
    """Check this machine and say what to do.

    Without --data and --config it looks at the games of the installed service, if there is one.

    `doctor camera` takes pictures with the camera, shows what is read in them and says what to
    change.
    """
    if camera is not None:
        chosen["camera"] = {"source": camera}
    if part == "camera":
        look_by_camera(load(config, chosen).camera, show)
        return
    own = chosen["data"] is not None or config is not None
    settings, results = (None if own else service_settings(chosen, Path("/"))) or (
        load(config, chosen),
        [],
    )
    findings = [*results, *run_checks(settings)]
    for line in format_report(findings, english()):
        click.echo(line)
    if not healthy(findings):
        sys.exit(1)


def look_by_camera(settings: CameraSettings, page: Path | None) -> None:
    """Print the camera's reading, and write it to a page; exit with 1 if it shows no field."""
    if not settings.source:
        fail(english().translate(Message("doctor_look_no_source")), 1)
    look = find_field_frame(settings, open_frame_source(settings, real_monotonic), Event().wait)
    lines = [english().translate(each) for each in camera_advice(look.result)]
    if look.result.problem is None:
        click.echo("\n".join(render_frame(look.result)) + "\n")
    for each in lines:
        click.echo(each)
    if page is not None and look.picture:
        page.write_text(render_page(look, lines), encoding="utf-8")
    if look.result.problem is not None:
        sys.exit(1)
