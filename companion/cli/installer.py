"""`companion install` and `companion uninstall`."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import click

from companion.command_errors import fail, handle_errors
from companion.installer.install import Installation
from companion.installer.target import CannotInstall, TargetSystem

root_option = click.option(
    "--root",
    metavar="DIR",
    default="/",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="The folder of another system's files, such as a Pi's card.",
)


@click.command()
@root_option
@click.option(
    "--kiosk/--no-kiosk",
    default=None,
    help="Show the table on the machine's screen; by default where no desktop uses it.",
)
@click.option(
    "--wifi/--no-wifi",
    default=None,
    help="Open a Wi-Fi where no known one is in reach; by default on a Raspberry Pi.",
)
@click.option(
    "--data-partition",
    metavar="NAME",
    help="An ext4 partition for the games, by its label, UUID or device; existing games move to "
    "it. none: keep games on the system's own partition again.",
)
@click.option(
    "--read-only-root/--no-read-only-root",
    default=None,
    help="Mount the system's partition read-only; the games then need their own.",
)
@handle_errors
def install(
    root: Path,
    kiosk: bool | None,
    wifi: bool | None,
    data_partition: str | None,
    read_only_root: bool | None,
) -> None:
    """Make this machine run the table from power-on.

    Installs the service, the display on its screen, the rule for sensor boards, its name on the
    network, the nightly check for updates and, on a Pi, a Wi-Fi for places without a known one.
    Run it again to add what is missing. `companion uninstall` removes everything.
    """
    _print_lines(
        Installation(TargetSystem(root), secrets.token_bytes).install(
            kiosk, wifi, data_partition, read_only_root
        )
    )


@click.command()
@root_option
@click.option("--purge", is_flag=True, help="Delete the games and the settings too.")
@handle_errors
def uninstall(root: Path, purge: bool) -> None:
    """Remove what `companion install` installed.

    The games are kept, unless --purge is given.
    """
    _print_lines(Installation(TargetSystem(root), secrets.token_bytes).uninstall(purge))


def _print_lines(sentences: Iterator[str]) -> None:
    try:
        for sentence in sentences:
            click.echo(sentence)
    except CannotInstall as refused:
        fail(str(refused))
