"""Print the address of a running table's display."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from companion.accounts import as_account_of
from companion.cli.options import config_option, data_option
from companion.command_errors import fail, handle_errors
from companion.config import load
from companion.process import own_command
from companion.server.auth.access import DISPLAY_FILE

ADDRESS_FILE = "address"
"""The file in the table's folder with the pages' address for this machine's browser."""
TABLE_ADDRESS = re.compile(r"http://[A-Za-z0-9.-]+:[0-9]{1,5}", re.ASCII)
DISPLAY_FRAGMENT = re.compile(r"[\w-]{43}[A-Z]{12}", re.ASCII)
"""The table's key and a display's one-time code."""


@click.command("pair")
@data_option
@config_option
@handle_errors
def pair_command(config: Path | None, **chosen: Any) -> None:
    """Print the address that makes a browser the display.

    The table must be running. The address works once.
    """
    settings = load(config, chosen)
    click.echo(as_account_of(settings.folder, lambda: stored_display_address(settings.folder)))


def stored_display_address(folder: Path) -> str:
    """Return the address that makes a browser this table's display; exit where none has run."""
    try:
        address = (folder / ADDRESS_FILE).read_text("ascii").strip()
        code = (folder / DISPLAY_FILE).read_text("ascii").strip()
    except (OSError, ValueError):
        address = code = ""
    # The folder may be another account's, and a terminal interprets control characters.
    if not (TABLE_ADDRESS.fullmatch(address) and DISPLAY_FRAGMENT.fullmatch(code)):
        fail(f"No table has run in {folder} yet; start it with `{own_command('serve')}`.")
    return f"{address}/table#{code}"
