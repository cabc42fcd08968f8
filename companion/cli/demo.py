"""Serve a table with its phones and its board on one page, for this machine alone."""

from __future__ import annotations

import os
import socket
from tempfile import TemporaryDirectory

import click

from companion.app import Application
from companion.cli.serve import display_address, open_on_desktop, run
from companion.command_errors import handle_errors
from companion.config import Settings
from companion.server.http.network import LOOPBACK

DEMO_PORT = 8080


@click.command()
@click.option(
    "--port",
    type=int,
    help="The port of the pages; without it 8080, or a free one where that is taken.",
)
@click.option(
    "--browser/--no-browser", default=True, help="Open the page, where there is a screen."
)
@handle_errors
def demo(port: int | None, browser: bool) -> None:
    """Try a game alone, on one page, with a bot.

    The page shows the display, two phones and a drawn board. Nothing is stored, and only this
    machine can open it.
    """
    with TemporaryDirectory(prefix="companion-demo-", ignore_cleanup_errors=True) as folder:
        settings = Settings(
            data=folder, host=LOOPBACK, port=port or free_port(DEMO_PORT), board="sim"
        )
        table = Application(settings, demo=True)
        try:
            run(table, 0, lambda table, _: invite(table, browser))
        finally:
            table.close()


def invite(table: Application, browser: bool) -> None:
    """Say where the split page is, and open it."""
    address = display_address(table, "demo")
    click.echo(
        f"The demo is ready:\n\n    {address}\n\nThe address works once. Ctrl+C ends it; nothing "
        f"is kept."
    )
    if browser:
        open_on_desktop(address, os.environ)


def free_port(preferred: int) -> int:
    """Return the preferred port if it is free, else another free one."""
    for port in (preferred, 0):
        try:
            with socket.create_server((LOOPBACK, port)) as probe:
                return int(probe.getsockname()[1])
        except OSError:
            continue
    return preferred
