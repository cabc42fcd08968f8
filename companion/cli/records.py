"""Export, replay and verify the record of a game."""

from __future__ import annotations

import re
from pathlib import Path

import click

from companion.accounts import as_account_of
from companion.cli.options import config_option, data_option
from companion.command_errors import english, fail, handle_errors
from companion.config import load
from companion.core.game import Message
from companion.games import GAMES
from companion.i18n import Catalog, web_root
from companion.replay.build import replay_json
from companion.server.standalone import proof_page, replay_page
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.fairness.verify import ProofReport, verify_record
from companion.table.storage.log import read_bodies
from companion.table.storage.recovery import LOG_FILE

HEAD_HASH = re.compile(r"[0-9A-Fa-f]{64}", re.ASCII)


@click.command("export")
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
def export_command(config: Path | None, data: str | None, number: int | None, path: Path) -> None:
    """Write a game's record as JSON lines, or as HTML.

    Secrets are in it only after the end. GAME.html becomes the page that proves the record in any
    browser, without a table.
    """
    folder = load(config, {"data": data}).folder

    def read() -> str:
        bodies = read_bodies(folder) if (folder / LOG_FILE).exists() else []
        return "".join(line + "\n" for line in export_record(bodies, GAMES, number))

    record = as_account_of(folder, read)
    if not record:
        fail(f"There is no such game in {folder}; choose the folder with --data.")
    if str(path) == "-":
        # Bytes: a record is UTF-8 whatever the terminal is.
        click.echo(record.encode(), nl=False)
    else:
        path.write_text(
            proof_page(record, web_root()) if path.suffix == ".html" else record, encoding="utf-8"
        )
        click.echo(f"{path}: {len(record.splitlines())} lines")


@click.command("replay")
@click.option(
    "--html",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the replay as one page that opens anywhere.",
)
@click.argument(
    "path", metavar="GAME.jsonl", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def replay_command(path: Path, html: Path | None) -> None:
    """Check a record line by line against the rules.

    Ends at the first line that differs.
    """
    record = read_text(path)
    report = replay_record(record.splitlines(), GAMES)
    if report.wrong is not None:
        fail(f"{path}: line {report.line}: {_sentence(report.wrong)}", 1)
    if not record.strip():
        fail(f"{path}: {_sentence(Message('record_without_start'))}", 1)
    rest = (
        f"; line {report.sealed_at} and what follows is secret until the game is over"
        if report.sealed_at
        else ""
    )
    click.echo(f"{path}: {report.decided} submissions decided again, all alike{rest}")
    if html is not None:
        html.write_text(replay_page(replay_json(record), record, web_root()), encoding="utf-8")
        click.echo(f"{html}: the replay, for any browser")


@click.command("verify")
@click.option(
    "--heads",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Kept heads, one POSITION HEX a line.",
)
@click.argument(
    "path", metavar="GAME.jsonl", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@handle_errors
def verify_command(path: Path, heads: Path | None) -> None:
    """Prove a finished game: seals, shuffles and answers.

    A seal proves that a place was not changed afterwards, not that nobody looked.
    """
    known_heads = read_heads(heads) if heads else {}
    proof = verify_record(read_text(path).splitlines(), GAMES, known_heads)
    if proof.wrong is not None:
        place = f"line {proof.line}: " if proof.line else ""
        fail(f"{path}: {place}{_sentence(proof.wrong)}", 1)
    click.echo(
        f"{path}: {proof.seals} seals opened, {proof.answers} submissions decided again, "
        f"{len(known_heads)} heads, all right"
    )
    if proof.deal:
        click.echo("What was dealt in secret is what was sealed before the first turn.")
        click.echo(_drawn_from(proof))
    if proof.pages:
        _report_paper(proof)


def _sentence(message: Message) -> str:
    """Return a message with a full stop, which a screen's short refusals lack."""
    return f"{english().translate(message).rstrip('.')}."


def _drawn_from(proof: ProofReport) -> str:
    """Return a sentence about the origin of a game's cards."""
    if proof.shares is None:
        return "The table drew it alone: no seed was sealed before the game."
    draws = (
        "The deal was typed before the game. What was drawn after it"
        if "deal" in proof.custom_setup
        else "All draws"
    )
    return (
        f"{draws} came from the seed that was sealed before, and from these phones: "
        f"{', '.join(proof.shares) or '-'}."
    )


def _report_paper(proof: ProofReport) -> None:
    """Print the result for a path on paper; ends the program with 1 if it does not fit."""
    where = (
        "After the seals the path was kept on paper"
        if proof.seals
        else "The path was kept on paper, and no seal was given"
    )
    if proof.paper is None:
        click.echo(f"{where}: it was never typed, so nothing is known.")
        return
    words = Catalog.load("en", proof.game)
    for mistake in proof.paper.wrong:
        click.echo(f"page {mistake.page}: {words.translate(mistake.message)}")
    if proof.paper.wrong:
        fail(f"{where}: what was typed does not fit.", 1)
    click.echo(
        f"{where}. As it was typed, every answer is right ({proof.paper.answers}); "
        "that shows that they fit, not that nobody changed the paper."
    )


def read_text(path: Path) -> str:
    """Return the content of a text file; ends the program with a sentence for another file."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as wrong:
        fail(f"{path} is no UTF-8 text: its byte {wrong.start + 1} is not valid.")
    except OSError as wrong:
        fail(f"{path} cannot be read: {wrong.strerror}.")


def read_heads(path: Path) -> dict[int, str]:
    """Return the heads that people kept, by position; exit at a line that is not POSITION HEX."""
    heads: dict[int, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        position, _, head = line.strip().partition(" ")
        if not (position.isascii() and position.isdigit() and HEAD_HASH.fullmatch(head.strip())):
            fail(f"{path}: line {number}: this is not a position and 64 hex digits.", 2)
        heads[int(position)] = head.strip().lower()
    return heads
