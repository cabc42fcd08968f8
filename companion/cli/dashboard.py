"""`companion wall`: every table of a club on one page."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import click

from companion.clock import real_monotonic
from companion.command_errors import english, fail, fail_to_listen, handle_errors
from companion.config import Settings, load
from companion.core.game import Message
from companion.doctor.system import System
from companion.platforms import END_SIGNALS
from companion.server.http.addresses import TableAddresses, listen_failure
from companion.server.http.network import host_name

DASHBOARD_PORT = 8090


@click.command()
@click.option(
    "--broker", metavar="URL", help="mqtt://HOST or mqtts://USER:PASSWORD@HOST; else table.toml's."
)
@click.option("--host", help="The address to listen on; 0.0.0.0 for the whole network.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=DASHBOARD_PORT,
    show_default=True,
    help="The port of the page.",
)
@click.option(
    "--config", type=click.Path(path_type=Path, dir_okay=False), help="A table.toml of your choice."
)
@handle_errors
def wall(broker: str | None, host: str | None, port: int, config: Path | None) -> None:
    """Show all tables of a broker on one live page."""
    club = {"club": {"broker": broker}} if broker is not None else {}
    settings = load(config, {"host": host, **club})
    if settings.club.address() is None:
        fail(english().translate(Message("wall_no_broker")), 2)
    if System().missing_modules(["paho"]):
        fail(
            english().translate(Message("doctor_club_package"))
            + " "
            + english().translate(Message("doctor_club_package_advice")),
            1,
        )
    serve_wall(settings, port)


def serve_wall(settings: Settings, port: int) -> None:
    """Serve the wall until the program gets a signal to end."""
    # It needs the extra `club`, which a table without a club may lack.
    from companion.mqtt.dashboard import Dashboard

    club, broker = settings.club, settings.club.address()
    assert broker is not None
    name = f"companion-wall-{host_name()}-{os.getpid()}"
    try:
        dashboard = Dashboard(
            broker, club.topic, real_monotonic, settings.host, port, name, settings.hosts
        )
    except OSError as failed:
        fail_to_listen(listen_failure(settings.host, port, failed))

    def end(*_: object) -> None:
        dashboard.end_pages()
        sys.exit(0)

    for number in END_SIGNALS:
        signal.signal(number, end)
    dashboard.start()
    click.echo(
        f"The wall is ready on {TableAddresses(settings.host, port).page('wall')}; it listens to "
        f"{broker.host}, port {broker.port}."
    )
    try:
        dashboard.run()
    finally:
        dashboard.close()
