"""Check this machine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from companion.cli.options import config_option, data_option
from companion.command_errors import CATALOG, handle_errors
from companion.config import load
from companion.doctor.checks import format_report, healthy, run_checks
from companion.doctor.installed import service_settings


@click.command("doctor")
@data_option
@config_option
@click.option("--port", type=int, help="The port that the pages would use.")
@click.option("--board", metavar="auto|none|sim|DEVICE|URL", help="The board that would be used.")
@handle_errors
def doctor_command(config: Path | None, **chosen: Any) -> None:
    """Check this machine and say what to do.

    Without --data and --config it looks at the games of the installed service, if there is one.
    """
    own = chosen["data"] is not None or config is not None
    settings, said = (None if own else service_settings(chosen, Path("/"))) or (
        load(config, chosen),
        [],
    )
    findings = [*said, *run_checks(settings)]
    for line in format_report(findings, CATALOG):
        click.echo(line)
    if not healthy(findings):
        sys.exit(1)
