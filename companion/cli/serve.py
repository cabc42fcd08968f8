"""Serve a table: process life cycle, signals, watchdog and the text at the start."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from companion.accounts import account_of
from companion.app import Application
from companion.cli.options import config_option, data_option
from companion.cli.pair import ADDRESS_FILE
from companion.command_errors import english, fail, fail_to_listen, handle_errors
from companion.config import Settings, data_folder, load
from companion.core.game import Message
from companion.doctor.checks import is_volatile
from companion.doctor.system import System
from companion.files import atomic_write
from companion.platforms import (
    END_SIGNALS,
    disable_core_dumps,
    has_desktop,
    is_root,
    request_end,
    split_command,
)
from companion.process import configure_malloc, own_command
from companion.server.auth.access import DISPLAY_FILE
from companion.server.auth.join import qr_terminal
from companion.server.http.addresses import listen_failure
from companion.server.http.network import LOOPBACK
from companion.server.http.server import make_server
from companion.sources import board_is_plugged
from companion.table.errors import StorageFailed
from companion.terminal import can_draw
from companion.watchdog import Notifier, Watchdog, watchdog_interval

FOR_PHONES = "phones need --host 0.0.0.0"
"""The sentence about phones of a table that only this machine reaches."""

Banner = Callable[[Application, str | None], None]
"""Prints the addresses of the pages; the second argument is the virtual board's page, if any."""


def run(table: Application, sim_port: int | None, banner: Banner) -> None:
    """Serve a table's pages until a signal ends it; print their addresses once they answer.

    `sim_port` is the port of a virtual board's page; None takes 8081, or a free one.
    """
    disable_core_dumps()
    configure_malloc()
    settings = table.settings
    try:
        server = make_server(table.app, settings.host, settings.port, certificate=table.certificate)
    except OSError as failed:
        fail_to_listen(listen_failure(settings.host, settings.port, failed))
    virtual = settings.board == "sim" or (
        settings.board == "auto" and not settings.camera.source and not board_is_plugged(settings)
    )
    try:
        page = table.sources.simulate(sim_port).page.url if virtual else None
    except OSError as failed:
        fail_to_listen(listen_failure(LOOPBACK, sim_port or 0, failed, "--sim-port"))
    ending = ShutdownHandler(table)
    write_address(table)
    # A collection would scan every module again: 25 ms, four times as long on a Pi 3.
    gc.freeze()
    table.start()
    notifier = Notifier()
    watchdog = Watchdog(table.table, table.addresses, notifier, watchdog_interval(os.environ))
    report_missing(settings)
    banner(table, page)
    notifier.notify("READY=1")
    watchdog.start()
    server.run()
    notifier.notify("STOPPING=1")
    watchdog.close()
    server.close()
    ending.leave()


def report_missing(settings: Settings) -> None:
    """Print which devices and bot programs of the settings are not there."""
    for path in (settings.board, settings.scanner, settings.camera.source):
        if path.startswith("/") and not Path(path).exists():
            click.echo(f"{path} is not there. `{own_command('doctor')}` looks closer.", err=True)
    for name, command in settings.bot_program.items():
        # Its arguments may hold a password.
        program = split_command(command)[0]
        if shutil.which(program) is None:
            click.echo(f"The bot {name} cannot play: there is no program {program}.", err=True)


def write_address(table: Application) -> None:
    """Write the pages' address for `companion pair`; a full disk is no reason not to start."""
    address, settings = table.addresses.local, table.settings
    try:
        atomic_write(settings.folder / ADDRESS_FILE, f"{address}\n".encode())
    except OSError as failed:
        click.echo(
            f"`{pair_command_of(settings)}` may name another address than {address}: "
            f"{failed.strerror}.",
            err=True,
        )


class ShutdownHandler:
    """End the program on a signal, or when the disk fails."""

    def __init__(self, table: Application) -> None:
        self._failed: StorageFailed | None = None
        self._table = table.table
        for number in END_SIGNALS:
            signal.signal(number, self._end)
        table.table.on_storage_failure(self._fail)

    def leave(self) -> None:
        """Raise the error that ended the program, if no request did."""
        if self._failed is not None:
            raise self._failed

    def _end(self, *_: object) -> None:
        # The server waits for the threads of its streams; they end now, while it still can.
        self._table.journal.broadcaster.close()
        sys.exit(0)

    def _fail(self, failed: StorageFailed) -> None:
        self._failed = failed
        request_end()


def print_banner(table: Application, sim_page: str | None) -> None:
    """Print the addresses of the pages.

    Join codes are shown on a terminal only, never written into logs.
    """
    if table.lost:
        many = "an unknown number of" if table.lost < 0 else str(table.lost)
        click.echo(
            f"The log was damaged: {many} entries are lost. The damaged file is kept beside it.",
            err=True,
        )
    if table.mqtt_missing:
        click.echo(english().translate(Message("club_no_package")), err=True)
    if not sys.stdout.isatty():
        _print_for_log(table)
        if sim_page:
            click.echo(f"A virtual board is laid; move its pawns on {sim_page}")
        _show_certificate(table)
        return
    way_in = table.app.extensions["companion"].invitation(inside=True)
    click.echo(
        f"The table is ready. Open its display on this machine:\n\n    {display_address(table)}\n"
    )
    if sim_page:
        click.echo(
            f"No sensor board is plugged in, so a virtual one is laid; move its pawns on\n\n    "
            f"{sim_page}\n"
        )
    if table.addresses.is_local_only:
        click.echo(f"It listens on this machine alone; {FOR_PHONES}.")
    else:
        if way_in.code:
            print_qr(way_in.url)
        click.echo(
            f"Phones scan the code, or open {way_in.address} and give the four letters that the "
            f"display shows."
        )
    _show_certificate(table)
    click.echo("Ctrl+C stops the table; the game is kept.")


def print_qr(text: str) -> None:
    """Print a QR code, if the terminal can draw it; its address is printed in any case."""
    code = qr_terminal(text)
    if can_draw(code.text, code.columns):
        click.echo(code.text)


def _print_for_log(table: Application) -> None:
    addresses = table.addresses
    if addresses.is_local_only:
        phones = FOR_PHONES
    elif addresses.for_phones():
        phones = f"phones open {addresses.page('join')}"
    else:
        phones = "phones need a network, and this machine has none"
    click.echo(
        f"The table is ready on {addresses.page('table')}; {phones}; "
        f"`{pair_command_of(table.settings)}` makes a browser its display."
    )


def open_on_desktop(address: str, environ: Mapping[str, str]) -> None:
    """Open an address in this machine's browser, if it has a desktop."""
    if has_desktop(environ):
        webbrowser.open(address)


def print_and_open(table: Application, sim_page: str | None) -> None:
    """Print the addresses of the pages, and open the display on this machine's desktop."""
    print_banner(table, sim_page)
    open_on_desktop(display_address(table), os.environ)


def _show_certificate(table: Application) -> None:
    if table.certificate is not None:
        click.echo(
            f"SHA-256 of its certificate, to compare where a browser "
            f"warns:\n{table.certificate.fingerprint}"
        )


def display_address(table: Application, page: str = "table") -> str:
    """Return the address of a running table that makes the browser which opens it the display.

    It works once.
    """
    code = (table.settings.folder / DISPLAY_FILE).read_text("ascii").strip()
    return f"{table.addresses.local}/{page}#{code}"


def pair_command_of(settings: Settings) -> str:
    """Return the command that prints the address of this table's display."""
    is_usual = settings.folder == data_folder(os.environ)
    return own_command("pair", *(() if is_usual else ("--data", str(settings.folder))))


def parse_bot_programs(
    context: click.Context, option: click.Parameter, words: Sequence[str]
) -> dict[str, str] | None:
    """Return the programs that `--bot-program` named, None if it was not given."""
    pairs = [one.partition("=") for one in words]
    for name, equals, command in pairs:
        if not (equals and name and command):
            raise click.BadParameter("write NAME=COMMAND", context, option)
    return {name: command for name, _, command in pairs} or None


@click.command("serve")
@data_option
@config_option
@click.option(
    "--host",
    help="The address to listen on: 0.0.0.0 for the whole home network, 127.0.0.1 for this "
    "machine.",
)
@click.option("--port", type=int, help="The port of the pages (8080).")
@click.option(
    "--board",
    metavar="auto|none|sim|spi|DEVICE|URL",
    help="What senses the pawns. auto finds a board, and simulates one where none is plugged in; "
    "spi are strips at the Pi's own pins.",
)
@click.option(
    "--scanner",
    metavar="DEVICE|URL",
    help="The serial port of a hand scanner that reads printed tiles.",
)
@click.option(
    "--camera",
    metavar="DIR|pi|DEVICE|URL",
    help="A camera over the table: the folder of its pictures, pi for the Pi's own, /dev/video0, "
    "or an address that gives JPEG or MJPEG.",
)
@click.option(
    "--tls/--no-tls",
    default=None,
    help="Answer the network on https, with a certificate of its own; this machine may still use "
    "http.",
)
@click.option(
    "--sim-port", type=int, help="The port of the virtual board's page (8081, or a free one)."
)
@click.option(
    "--content",
    metavar="FILE",
    multiple=True,
    callback=lambda _context, _option, paths: paths or None,
    help="A content file for a game, such as the cards of your box "
    "(docs/content-files.md); may be given again.",
)
@click.option(
    "--bot-program",
    metavar="NAME=COMMAND",
    multiple=True,
    callback=parse_bot_programs,
    help="An external bot program for seats (docs/protocol.md); may be given again.",
)
@click.option(
    "--open",
    "is_opened",
    is_flag=True,
    help="Open the display in this machine's browser, where there is a desktop.",
)
@handle_errors
def serve_command(
    config: Path | None,
    sim_port: int | None,
    camera: str | None,
    is_opened: bool,
    **chosen: Any,
) -> None:
    """Run the table and serve its pages until Ctrl+C.

    The game is kept and continues at the next start.
    """
    settings = load(config, chosen | ({"camera": {"source": camera}} if camera is not None else {}))
    if is_root() and (owner := account_of(settings.folder)):
        fail(
            f"{settings.folder} is another account's; say `sudo -u '#{owner.uid}' "
            f"{own_command('serve')} …`",
            1,
        )
    table = Application(settings)
    try:
        if is_volatile(settings.folder, System().mounts()):
            table.table.journal.show_storage_notice("volatile")
        run(table, sim_port, print_and_open if is_opened else print_banner)
    finally:
        table.close()
