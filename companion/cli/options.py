"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from companion.config import Language

data_option = click.option(
    "--data", metavar="DIR", help="The folder with the games; made if it is not there."
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Another table.toml than the default one.",
)
language_option = click.option(
    "--language",
    type=click.Choice(get_args(Language)),
    default="en",
    show_default=True,
    help="The language of what is printed.",
)
