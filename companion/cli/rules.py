"""Serve the rules of a game on standard input and output."""

from __future__ import annotations

import sys

import click

from companion.cli.content import with_named_content
from companion.games import GAMES, find_game
from companion.i18n import Catalog
from companion.rules_protocol import RulesServer, read_lines


@click.command("rules")
@click.argument("game", type=click.Choice([game.name for game in GAMES]))
def rules_command(game: str) -> None:
    """Serve a game's rules as JSON lines (docs/protocol.md)."""
    for answer in RulesServer(
        find_game(game), Catalog.load("en", game).translate, with_named_content
    ).run(read_lines(sys.stdin.buffer)):
        click.echo(answer.encode())
