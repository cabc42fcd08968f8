"""The `companion` command: what people type, each subcommand a few lines over the rooms of the
house.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import click

from companion import __version__
from companion.accounts import account_of, as_account_of
from companion.app import build_application, printed_kit
from companion.cli.arena import arena, balance, probe
from companion.cli.content import content, with_named_content
from companion.cli.dashboard import wall
from companion.cli.demo import demo
from companion.cli.flash import flash
from companion.cli.installer import install, uninstall
from companion.cli.serve import display_address, print_banner, run
from companion.clock import SystemClock
from companion.command_errors import CATALOG, fail, handle_errors
from companion.config import Language, load
from companion.core.game import Message
from companion.core.grid import Grid
from companion.doctor.checks import format_report, healthy, is_volatile, run_checks
from companion.doctor.installed import service_settings
from companion.doctor.system import System
from companion.games import GAMES, find_game
from companion.i18n import web_root
from companion.replay.build import story
from companion.rules_protocol import RulesServer, read_lines
from companion.sensors.rfid.geometries import GEOMETRIES
from companion.sensors.vision.field import FieldScan
from companion.sensors.vision.photo_client import PhotoDecoder
from companion.server.auth.access import DISPLAY_FILE
from companion.server.auth.join import join_address
from companion.server.http.network import own_addresses
from companion.server.routes.files import kit_filename
from companion.server.standalone import proof_page, replay_page
from companion.sim.emulator import EmulatorMissing
from companion.sim.page import listen
from companion.sim.run import default_world, run_board_sim
from companion.table.fairness.export import export_record as record_of
from companion.table.fairness.replay import replay_record as decide_again
from companion.table.fairness.verify import ProofReport
from companion.table.fairness.verify import verify_record as prove
from companion.table.storage.backup import new_file, write_backup
from companion.table.storage.backup import restore_backup as put_back
from companion.table.storage.log import read_bodies
from companion.table.storage.purge import delete_everything
from companion.table.storage.purge import purge_games as delete_old_games
from companion.table.storage.recovery import LOG_FILE

PIECE = 64 * 1024
"""Bytes of a file that are held at a time."""
HEAD = re.compile(r"[0-9A-Fa-f]{64}", re.ASCII)
FIELDS = [geometry.name for geometry in GEOMETRIES]
KITS = [game.name for game in GAMES if game.print_kit is not None]

data_option = click.option(
    "--data", metavar="DIR", help="The folder with the games; made if it is not there."
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A table.toml other than the household's.",
)


def named_commands(
    context: click.Context, option: click.Parameter, given: Sequence[str]
) -> dict[str, str] | None:
    """Return the programs that `--bot-program` named, None if it was not given."""
    pairs = [one.partition("=") for one in given]
    for name, equals, command in pairs:
        if not (equals and name and command):
            raise click.BadParameter("say it as NAME=COMMAND", context, option)
    return {name: command for name, _, command in pairs} or None


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Runs the table of a hidden-movement board game.

    It keeps the vampire's place secret, computes every answer, and shows the table to those around
    it. Start with `companion serve`; `companion doctor` says what is wrong when something is.
    """


@main.command()
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
    metavar="auto|none|sim|DEVICE|URL",
    help="Where the pawns are sensed. auto finds a board, and lays a virtual one where nothing "
    "is plugged in.",
)
@click.option(
    "--scanner",
    metavar="DEVICE|URL",
    help="The serial port of a hand scanner that reads printed tiles.",
)
@click.option(
    "--camera",
    metavar="DIR|pi",
    help="A camera over the table: the folder of its pictures, or the Pi's own.",
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
    callback=lambda _context, _option, given: given or None,
    help="A content file for a game, such as the cards of your box "
    "(docs/content-files.md); may be given again.",
)
@click.option(
    "--bot-program",
    metavar="NAME=COMMAND",
    multiple=True,
    callback=named_commands,
    help="A bot of other hands that may be given seats (docs/protocol.md); may be given again.",
)
@handle_errors
def serve(config: Path | None, sim_port: int | None, camera: str | None, **chosen: Any) -> None:
    """Run the table and serve its pages until Ctrl+C; the game is kept and goes on at the next
    start.
    """
    settings = load(
        config, chosen | ({"camera": {"pictures": camera}} if camera is not None else {})
    )
    if os.geteuid() == 0 and (owner := account_of(settings.folder)):
        fail(
            f"{settings.folder} is another account's; say `sudo -u '#{owner.uid}' companion "
            f"serve …`",
            1,
        )
    table = build_application(settings)
    try:
        if is_volatile(settings.folder, System().mounts()):
            table.table.show_volatile_storage()
        run(table, sim_port, print_banner)
    finally:
        table.close()


@main.command("board-sim")
@click.option(
    "--kind", type=click.Choice(["identity", "presence"]), default="identity", show_default=True
)
@click.option(
    "--link", type=click.Path(path_type=Path), help="The path under which the port is found."
)
@click.option("--page-port", type=int, help="The page's port (8081, or a free one).")
@click.option(
    "--field",
    type=click.Choice(FIELDS),
    default=FIELDS[0],
    show_default=True,
    help="The board's field.",
)
@click.option(
    "--new-box",
    metavar="NAME",
    default="",
    help="Pieces with new tags, which have to be registered first.",
)
@click.option(
    "--firmware",
    is_flag=True,
    help="Run the board's real firmware in its emulator (`make emulator`).",
)
def board_sim(
    kind: Any, link: Path | None, page_port: int | None, field: str, new_box: str, firmware: bool
) -> None:
    """Play a virtual sensor board on a pseudo-terminal: `companion serve --board PATH` reads it
    like a real one.

    Moves pawns by its page or by lines on standard input; `help` lists them, the faults included.
    """
    try:
        listening = listen(page_port)
    except OSError as taken:
        fail(
            f"Port {page_port} cannot be used: {taken.strerror}. Another program may have it; "
            f"try --page-port.",
            1,
        )
    with listening:
        try:
            run_board_sim(
                kind,
                sys.stdin,
                click.echo,
                monotonic=SystemClock().monotonic,
                world=default_world(field, new_box),
                path=link,
                listening=listening,
                firmware=firmware,
            )
        except EmulatorMissing as missing:
            fail(str(missing))


@main.command()
@click.argument("game", type=click.Choice([game.name for game in GAMES]))
def rules(game: str) -> None:
    """Speak the JSON-lines protocol of a game's rules on standard input and output
    (docs/protocol.md).
    """
    for answer in RulesServer(find_game(game), CATALOG.say, with_named_content).run(
        read_lines(sys.stdin.buffer)
    ):
        click.echo(answer.encode())


@main.command()
@data_option
@config_option
@click.option(
    "--game",
    "number",
    type=int,
    help="Which game of the folder, counted from 1; the last one by default.",
)
@click.argument(
    "path", metavar="GAME.jsonl", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True)
)
@handle_errors
def export(config: Path | None, data: str | None, number: int | None, path: Path) -> None:
    """Write a game's record as JSON lines; what is secret stands in it only after the end.

    A GAME.html gets the page that proves the record in any browser, without a table.
    """
    folder = load(config, {"data": data}).folder

    def read() -> str:
        bodies = read_bodies(folder) if (folder / LOG_FILE).exists() else []
        return "".join(line + "\n" for line in record_of(bodies, GAMES, number))

    record = as_account_of(folder, read)
    if not record:
        fail(f"There is no such game in {folder}; choose the folder with --data.")
    if str(path) == "-":
        click.echo(record, nl=False)
    else:
        path.write_text(
            proof_page(record, web_root()) if path.suffix == ".html" else record, encoding="utf-8"
        )
        click.echo(f"{path}: {len(record.splitlines())} lines")


@main.command()
@data_option
@config_option
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@handle_errors
def backup(config: Path | None, data: str | None, path: Path) -> None:
    """Write all games, seats and keys into one file, also while the table runs.

    It holds the secrets of a running game.
    """
    folder = load(config, {"data": data}).folder
    if not (folder / LOG_FILE).exists():
        fail(f"There are no games in {folder}; choose the folder with --data.")
    try:
        with new_file(path) as file:
            as_account_of(folder, lambda: write_backup(folder, file))
    except OSError as refused:
        fail(f"{path} cannot be written: {refused}", 1)
    click.echo(f"{path}: everything in {folder}")


@main.command()
@data_option
@config_option
@click.argument(
    "path", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def restore(config: Path | None, data: str | None, path: Path) -> None:
    """Put a backup in the place of what the data folder holds, which is kept in it; the table must
    be stopped.
    """
    folder = load(config, {"data": data}).folder
    try:
        with path.open("rb") as file:
            kept = as_account_of(folder, lambda: str(put_back(file, folder) or ""))
    except OSError as wrong:
        fail(f"{path} cannot be read: {wrong.strerror}")
    click.echo(
        f"{folder}: as it was in {path}" + (f"; what was there is in {kept}" if kept else "")
    )


@main.command()
@data_option
@config_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Delete the game that is played too, with all seats and keys.",
)
@handle_errors
def purge(config: Path | None, data: str | None, everything: bool) -> None:
    """Delete old games, their copies and damaged files; the table must be stopped.

    What was deleted may still be found on the card by who looks for it: flash memory keeps what it
    was told to forget.
    """
    folder = load(config, {"data": data}).folder
    if not (folder / LOG_FILE).exists():
        fail(f"There are no games in {folder}; choose the folder with --data.")
    many = as_account_of(
        folder,
        lambda: str(delete_everything(folder) if everything else delete_old_games(folder, GAMES)),
    )
    click.echo(f"{folder}: {many} {'files' if everything else 'games'} deleted")


@main.command()
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the replay as one page that opens anywhere.",
)
@click.argument(
    "path", metavar="GAME.jsonl", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def replay(path: Path, html: Path | None) -> None:
    """Decide every line of a record anew and stop at the first that differs."""
    record = read_text(path)
    judged = decide_again(record.splitlines(), GAMES)
    if judged.wrong is not None:
        fail(f"line {judged.line}: {CATALOG.say(judged.wrong)}", 1)
    rest = (
        f"; line {judged.sealed_at} and what follows is secret until the game is over"
        if judged.sealed_at
        else ""
    )
    click.echo(f"{path}: {judged.decided} submissions decided anew, all alike{rest}")
    if html is not None:
        html.write_text(replay_page(story(record), record, web_root()), encoding="utf-8")
        click.echo(f"{html}: the replay, for any browser")


@main.command()
@click.option(
    "--heads",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Kept heads, one POSITION HEX a line.",
)
@click.argument(
    "path", metavar="GAME.jsonl", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def verify(path: Path, heads: Path | None) -> None:
    """Prove a finished game: every seal opened by the night it sealed, every answer computed anew.

    A seal proves that no place was changed afterwards, not that nobody looked.
    """
    kept = read_heads(read_text(heads)) if heads else {}
    proof = prove(read_text(path).splitlines(), GAMES, kept)
    if proof.wrong is not None:
        fail(f"line {proof.line}: {CATALOG.say(proof.wrong)}", 1)
    click.echo(
        f"{path}: {proof.seals} seals opened, {proof.answers} submissions decided anew, "
        f"{len(kept)} heads, all right"
    )
    if proof.deal:
        click.echo("What was dealt in secret is what was sealed before the first turn.")
        click.echo(_drawn_from(proof))
    if proof.pages:
        _tell_paper(proof)


def _drawn_from(proof: ProofReport) -> str:
    """Return in words from where the cards of a game came."""
    if proof.shares is None:
        return "The table drew it alone: no seed was sealed before the game."
    given = (
        "The deal was laid down before the game. What was drawn after it"
        if "deal" in proof.given
        else "All draws"
    )
    return (
        f"{given} came from the seed that was sealed before, and from these phones: "
        f"{', '.join(proof.shares) or '-'}."
    )


def _tell_paper(proof: ProofReport) -> None:
    """Say what became of a path that was kept on paper; ends the program with 1 if it does not
    fit.
    """
    kept = (
        "After the seals the path was kept on paper"
        if proof.seals
        else "The path was kept on paper, and no seal was given"
    )
    if proof.paper is None:
        click.echo(f"{kept}: it was never typed. Nothing is known of it.")
        return
    for found in proof.paper.wrong:
        click.echo(f"page {found.page}: {CATALOG.say(found.said)}")
    if proof.paper.wrong:
        fail(f"{kept}: what was typed does not fit.", 1)
    click.echo(
        f"{kept}. As it was typed, every answer is right ({proof.paper.answers}); "
        "that shows that they fit, not that nobody changed the paper."
    )


def read_text(path: Path) -> str:
    """Return what is in a text file; ends the program with a sentence for one that is none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        fail(f"{path} is damaged, or no text: nobody writes its byte {wrong.start + 1} like that.")
    except OSError as wrong:
        fail(f"{path} cannot be read: {wrong.strerror}")


def read_heads(text: str) -> dict[int, str]:
    """Return the heads that people kept, by position; ends the program at a line that is not
    POSITION HEX.
    """
    heads: dict[int, str] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        position, _, head = line.strip().partition(" ")
        if not (position.isascii() and position.isdigit() and HEAD.fullmatch(head.strip())):
            fail(f"line {number} of the heads is not a position and 64 hex digits", 2)
        heads[int(position)] = head.strip().lower()
    return heads


@main.command("print")
@click.argument("game", type=click.Choice(KITS), default=KITS[0])
@config_option
@click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", show_default=True)
@click.option("--language", type=click.Choice(get_args(Language)), default="en", show_default=True)
@click.option("--port", type=int, help="The port that the joining card names (8080).")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Where to write it; - is standard output.",
)
@handle_errors
def print_(
    game: str, config: Path | None, paper: str, language: str, output: Path | None, port: int | None
) -> None:
    """Write a game's print kit as a PDF: all that lies on the table. Print it at 100 %."""
    settings = load(config, {"port": port})
    address = join_address(own_addresses(), settings.port, settings.tls)
    pdf = printed_kit(game, paper, language, address)
    path = output or Path(kit_filename(game, paper, language))
    if str(path) == "-":
        click.echo(pdf, nl=False)
        return
    try:
        path.write_bytes(pdf)
    except OSError as wrong:
        fail(f"{path} cannot be written: {wrong.strerror}")
    click.echo(f"{path}: print it at 100 % and check its 50 mm line with a ruler.")


@main.command()
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="One JSON object: tiles by cell, unread cells, problems.",
)
@click.argument(
    "path", metavar="PHOTO", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def scan(path: Path, as_json: bool) -> None:
    """Read the field from a photo (JPEG or PNG) of the laid tiles.

    The corner card beside A1 tells the way round; without it the photo's top is row 1. The exit
    status is 1 where the photo shows no whole field.
    """
    with path.open("rb") as photo:
        found = PhotoDecoder().develop(iter(lambda: photo.read(PIECE), b""))
    click.echo(json.dumps(_scanned(found)) if as_json else "\n".join(_sketched(found)))
    if not found.is_field:
        sys.exit(1)


def _scanned(found: FieldScan) -> dict[str, Any]:
    tiles = {cell: {"id": tile.number, "turn": tile.turn} for cell, tile in found.tiles.items()}
    problems = [CATALOG.say(problem) for problem in found.problems]
    return {"tiles": tiles, "unread": list(found.unread), "problems": problems}


def _sketched(found: FieldScan) -> list[str]:
    """Return what a photo shows as people read it: a tile as its number and an arrow to where its
    top points.
    """
    grid = Grid(6, 6)
    arrows = {0: "↑", 90: "→", 180: "↓", 270: "←"}
    named = {cell: f"{tile.number:2}{arrows[tile.turn or 0]}" for cell, tile in found.tiles.items()}
    rows = [
        [named.get(cell, " ? ") for cell in grid.cells[start : start + 6]]
        for start in range(0, 36, 6)
    ]
    field = ["    A   B   C   D   E   F"] + [
        f"{number}  {' '.join(row)}" for number, row in enumerate(rows, 1)
    ]
    lines = field if found.tiles or found.unread else []
    if found.unread:
        lines.append(CATALOG.say(Message("scan.unread", {"cells": " ".join(found.unread)})))
    if found.north == "photo":
        lines.append(CATALOG.say(Message("scan.by_photo")))
    return lines + [CATALOG.say(problem) for problem in found.problems]


@main.command()
@data_option
@config_option
@click.option(
    "--port", type=int, help="The port that `serve` was given, if it is not the settings' own."
)
@handle_errors
def pair(config: Path | None, **chosen: Any) -> None:
    """Print the address that makes one browser the table display; it works once, on a table that is
    running.
    """
    settings = load(config, chosen)
    if not (settings.folder / DISPLAY_FILE).exists():
        fail(f"No table has run in {settings.folder} yet; start it with `companion serve`.", 1)
    click.echo(as_account_of(settings.folder, lambda: display_address(settings)))


@main.command()
@data_option
@config_option
@click.option("--port", type=int, help="The port that the pages would use.")
@click.option("--board", metavar="auto|none|sim|DEVICE|URL", help="The board that would be used.")
@handle_errors
def doctor(config: Path | None, **chosen: Any) -> None:
    """Say what is wrong with this machine as a table's companion, and what to do about it.

    Without --data and --config it looks at the games of the installed service, where there is one.
    """
    own = chosen["data"] is not None or config is not None
    settings, said = (None if own else service_settings(chosen, Path("/"))) or (
        load(config, chosen),
        [],
    )
    findings = [*said, *run_checks(settings)]
    for line in format_report(findings, CATALOG):
        click.echo(line)
    if not healthy(findings):
        sys.exit(1)


main.add_command(arena)
main.add_command(content)
main.add_command(demo)
main.add_command(flash)
main.add_command(balance)
main.add_command(probe)
main.add_command(install)
main.add_command(uninstall)
main.add_command(wall)
