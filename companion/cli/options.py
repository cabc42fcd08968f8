"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

data_option = click.option(
    "--data", metavar="DIR", help="The folder with the games; made if it is not there."
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Another table.toml than the default one.",
)
