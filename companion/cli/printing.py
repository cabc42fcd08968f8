"""Print a game's kit."""

from __future__ import annotations

from pathlib import Path

import click

from companion.app import printed_kit
from companion.cli.options import config_option, language_option
from companion.command_errors import fail, handle_errors
from companion.config import load
from companion.games import GAMES
from companion.server.http.addresses import TableAddresses
from companion.server.routes.files import kit_filename

PRINTED_GAMES = [game.name for game in GAMES if game.print_kit is not None]


@click.command("print")
@click.argument("game", type=click.Choice(PRINTED_GAMES), default=PRINTED_GAMES[0])
@config_option
@click.option(
    "--paper",
    type=click.Choice(["A4", "Letter"]),
    default="A4",
    show_default=True,
    help="The size of the paper.",
)
@language_option
@click.option(
    "--tactile",
    "is_tactile",
    is_flag=True,
    help="Add notches and braille, to be raised by swell paper or a pen.",
)
@click.option("--port", type=int, help="The port that the joining card names (8080).")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Where to write it; - is standard output.",
)
@handle_errors
def print_command(
    game: str,
    config: Path | None,
    paper: str,
    language: str,
    is_tactile: bool,
    output: Path | None,
    port: int | None,
) -> None:
    """Write a game's print kit as a PDF; print it at 100 %."""
    settings = load(config, {"port": port})
    address = TableAddresses.of(settings).page("join")
    pdf = printed_kit(game, paper, language, address, is_tactile)
    path = output or Path(kit_filename(game, paper, language, is_tactile))
    if str(path) == "-":
        click.echo(pdf, nl=False)
        return
    try:
        path.write_bytes(pdf)
    except OSError as wrong:
        fail(f"{path} cannot be written: {wrong.strerror}")
    click.echo(f"{path}: print it at 100 % and check its 50 mm line with a ruler.")
