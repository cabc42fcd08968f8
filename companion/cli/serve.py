"""A table on the network from its start to its end: pages, signals, the watchdog, and what is said
at the door.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

import click

from companion.app import Application, board_is_plugged
from companion.command_errors import CATALOG, fail
from companion.config import Settings
from companion.core.game import Message
from companion.process import disable_core_dumps
from companion.server.auth.access import DISPLAY_FILE
from companion.server.auth.join import join_address, qr_terminal
from companion.server.http.network import LOOPBACK, own_addresses
from companion.server.http.server import make_server
from companion.table.errors import StorageFailed
from companion.watchdog import Notifier, Watchdog, watchdog_interval

Banner = Callable[[Application, str | None], None]
"""Says where the pages are; the second argument is the virtual board's page, if there is one."""


def run(table: Application, sim_port: int | None, banner: Banner) -> None:
    """Serve a table's pages until the program is told to end, and say where they are once they are
    there.

    `sim_port` is the port of a virtual board's page; None takes 8081, or a free one.
    """
    disable_core_dumps()
    settings = table.settings
    try:
        server = make_server(table.app, settings.host, settings.port, certificate=table.certificate)
    except OSError as taken:
        fail(
            f"Port {settings.port} cannot be used: {taken.strerror}. Another program may have "
            f"it; try --port.",
            1,
        )
    virtual = settings.board == "sim" or (
        settings.board == "auto" and not settings.camera.pictures and not board_is_plugged(settings)
    )
    try:
        page = table.simulate(sim_port).page.url if virtual else None
    except OSError as taken:
        fail(
            f"Port {sim_port} cannot be used for the virtual board's page: {taken.strerror}. "
            "Another program may have it; try --sim-port."
        )
    ending = ShutdownHandler(table)
    table.start()
    notifier = Notifier()
    watchdog = Watchdog(
        table.table, settings.host, settings.port, notifier, watchdog_interval(os.environ)
    )
    banner(table, page)
    notifier.say("READY=1")
    watchdog.start()
    server.run()
    notifier.say("STOPPING=1")
    watchdog.close()
    server.close()
    ending.leave()


class ShutdownHandler:
    """How the program ends: asked to by a signal, or because the disk no longer keeps what it is
    given.
    """

    def __init__(self, table: Application) -> None:
        self._failed: StorageFailed | None = None
        self._table = table.table
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        table.table.on_storage_failure(self._fail)

    def leave(self) -> None:
        """Raise what ended the program, if anything but a request did."""
        if self._failed is not None:
            raise self._failed

    def _end(self, *_: object) -> None:
        # The server waits for the threads of its streams; they end now, while it still can.
        self._table.end_streams()
        sys.exit(0)

    def _fail(self, failed: StorageFailed) -> None:
        self._failed = failed
        os.kill(os.getpid(), signal.SIGTERM)


def print_banner(table: Application, sim_page: str | None) -> None:
    """Say where the pages are.

    The codes that let people in are for eyes, so they are not written into logs.
    """
    if table.lost:
        many = "an unknown number of" if table.lost < 0 else str(table.lost)
        click.echo(
            f"The log was damaged: {many} entries are lost. The damaged file is kept beside it.",
            err=True,
        )
    if table.club_unheard:
        click.echo(CATALOG.say(Message("club_no_package")), err=True)
    if not sys.stdout.isatty():
        settings = table.settings
        reachable = [] if settings.host in LOOPBACK else own_addresses()
        join = join_address(reachable, settings.port, settings.tls)
        click.echo(
            f"The table is ready on {join.removesuffix('join')}table; phones open {join}; "
            "`companion pair` makes a browser its display."
        )
        if sim_page:
            click.echo(f"A virtual board is laid; move its pawns on {sim_page}")
        _show_certificate(table)
        return
    way_in = table.app.extensions["companion"].invitation(inside=True)
    click.echo(
        f"The table is ready. Open its display on this machine:\n\n    "
        f"{display_address(table.settings)}\n"
    )
    if sim_page:
        click.echo(
            f"No sensor board is plugged in, so a virtual one is laid; move its pawns on\n\n    "
            f"{sim_page}\n"
        )
    if way_in.code:
        click.echo(qr_terminal(way_in.url))
    click.echo(
        f"Phones scan the code, or open {way_in.address} and give the four letters that the "
        f"display shows."
    )
    _show_certificate(table)
    click.echo("Ctrl+C stops the table; the game is kept.")


def _show_certificate(table: Application) -> None:
    if table.certificate is not None:
        click.echo(
            f"SHA-256 of its certificate, for whoever a browser "
            f"warns:\n{table.certificate.fingerprint}"
        )


def display_address(settings: Settings, page: str = "table") -> str:
    """Return the address that makes the browser which opens it the table's display, once."""
    code = (settings.folder / DISPLAY_FILE).read_text(encoding="ascii").strip()
    return f"http://127.0.0.1:{settings.port}/{page}#{code}"
