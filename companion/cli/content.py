"""`companion content` checks and writes content files; `companion rules` serves a game's rules."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import resources
from pathlib import Path
from typing import Any

import click

from companion.cli.options import language_option
from companion.content.loader import add_content, describe_findings, load_file
from companion.core.content import SAMPLE_LABEL
from companion.core.game import Game, Message
from companion.games import GAMES, find_game
from companion.i18n import Catalog
from companion.rules_protocol import RulesServer, read_lines


@click.group()
def content() -> None:
    """Check and write content files.

    They contain the cards, cities or map of a box (docs/content-files.md).
    """


@content.command()
@language_option
@click.argument(
    "path", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
def check(path: Path, language: str) -> None:
    """Check a content file: every error, by line and field.

    The exit status is 0 for a usable file, 1 for an unusable one, 2 if the file cannot be read.
    """
    translate = Catalog.load(language).translate
    try:
        reading = load_file(path, GAMES)
    except OSError as wrong:
        click.echo(
            f"{path}: {translate(Message('content.unreadable', {'why': str(wrong.strerror)}))}",
            err=True,
        )
        sys.exit(2)
    for place, message in describe_findings(reading, reading.errors):
        click.echo(place + translate(message), err=True)
    for place, message in describe_findings(reading, reading.warnings):
        click.echo(
            f"{place}{translate(Message('content.warning'))}: {translate(message)}", err=True
        )
    if reading.content is None:
        click.echo(
            translate(Message("content.refused", {"where": path.name, "n": len(reading.errors)})),
            err=True,
        )
        sys.exit(1)
    label = f" ({SAMPLE_LABEL})" if reading.content.sample else ""
    facts: dict[str, str | int] = {"where": path.name, "title": reading.content.title}
    facts["game"] = reading.content.game
    click.echo(
        translate(Message("content.sound_board" if reading.is_board else "content.sound", facts))
        + label
    )


@content.command()
@language_option
@click.argument("game", type=click.Choice([game.name for game in GAMES if game.content]))
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
def new(game: str, path: Path | None, language: str) -> None:
    """Write a content file to fill in: GAME.toml, or FILE.

    It has comments and a sample of each entry. The exit status is 2 if the file exists or cannot be
    written; then nothing is changed.
    """
    translate = Catalog.load(language).translate
    path = path or Path(f"{game}.toml")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(template(find_game(game)))
    except OSError as wrong:
        click.echo(
            f"{path}: {translate(Message('content.unwritten', {'why': str(wrong.strerror)}))}",
            err=True,
        )
        sys.exit(2)
    click.echo(translate(Message("content.written", {"where": str(path)})))


def template(game: Game) -> str:
    """Return the empty content file of a game."""
    return (resources.files(type(game).__module__.rpartition(".")[0]) / "template.toml").read_text(
        encoding="utf-8"
    )


def with_named_content(game: Game, setup: Any) -> Game:
    """Return the game with the file that the option `content` names; raise `ContentRefused`."""
    name = getattr(setup.options, "content", None)
    if name is None or name in game.content_names or getattr(setup, "content", None) is not None:
        return game
    path = Path(name)
    with suppress(RuntimeError):  # there is no such user; use the path as written
        path = path.expanduser()
    (loaded,) = add_content([game], [path])
    return (
        loaded.with_content({name: loaded.contents[path.name]})
        if path.name in loaded.contents
        else loaded
    )


@click.command("rules")
@click.argument("game", type=click.Choice([game.name for game in GAMES]))
def rules_command(game: str) -> None:
    """Serve a game's rules as JSON lines (docs/protocol.md)."""
    for answer in RulesServer(
        find_game(game), Catalog.load("en", game).translate, with_named_content
    ).run(read_lines(sys.stdin.buffer)):
        click.echo(answer.encode())
