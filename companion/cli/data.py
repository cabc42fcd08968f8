"""Back up, restore and purge the data folder."""

from __future__ import annotations

from pathlib import Path

import click

from companion.accounts import as_account_of
from companion.cli.options import config_option, data_option
from companion.command_errors import fail, handle_errors
from companion.config import load
from companion.files import GuardedFile
from companion.games import GAMES
from companion.sensors.tags.registry import TagRegistry, TagRegistryUnreadable
from companion.server.auth.keystore import KEYS_FILE, KeysUnreadable, read_keys
from companion.table.errors import NewerSchema
from companion.table.storage.backup import new_file, restore_backup, write_backup
from companion.table.storage.purge import delete_everything, purge_games
from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import inspect_log


@click.command("backup")
@data_option
@config_option
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@handle_errors
def backup_command(config: Path | None, data: str | None, path: Path) -> None:
    """Write all games, seats and keys into one file.

    The table may be running. The file must not exist; it holds the secrets of a running game.
    """
    folder = load(config, {"data": data}).folder
    if not (folder / LOG_FILE).exists():
        fail(f"There are no games in {folder}; choose the folder with --data.")
    try:
        with new_file(path) as file:
            as_account_of(folder, lambda: write_backup(folder, file))
    except FileExistsError as taken:
        # Either the file itself, or the one that it is until it is complete.
        fail(f"{taken.filename2 or taken.filename} is there already; choose another name.", 1)
    except OSError as refused:
        fail(f"{path} cannot be written: {refused.strerror}.", 1)
    click.echo(f"{path}: everything in {folder}")


@click.command("restore")
@data_option
@config_option
@click.argument(
    "path", metavar="FILE", type=click.Path(path_type=Path, exists=True, dir_okay=False)
)
@click.option(
    "--unless-readable",
    is_flag=True,
    help="Change nothing if this release can read the games that are there.",
)
@handle_errors
def restore_command(
    config: Path | None, data: str | None, path: Path, unless_readable: bool
) -> None:
    """Replace the games of the data folder by a backup's.

    The table must be stopped. The old files are kept in a folder inside it.
    """
    folder = load(config, {"data": data}).folder
    if unless_readable and as_account_of(folder, lambda: str(can_read(folder) or "")):
        click.echo(f"{folder}: this release can read it, so it stays as it is")
        return
    try:
        with path.open("rb") as file:
            old_folder = as_account_of(folder, lambda: str(restore_backup(file, folder) or ""))
    except OSError as wrong:
        fail(f"{path} cannot be read: {wrong.strerror}.")
    click.echo(
        f"{folder}: as it was in {path}"
        + (f"; what was there is in {old_folder}" if old_folder else "")
    )


def can_read(folder: Path) -> bool:
    """Return whether a table of this release can use the folder, whichever release wrote it."""
    try:
        if (folder / LOG_FILE).exists():
            inspect_log(folder / LOG_FILE)
        read_keys(GuardedFile(folder / KEYS_FILE))
        TagRegistry(folder)
    except (NewerSchema, KeysUnreadable, TagRegistryUnreadable):
        return False
    return True


@click.command("purge")
@data_option
@config_option
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Delete the game that is played too, with all seats and keys.",
)
@handle_errors
def purge_command(config: Path | None, data: str | None, everything: bool) -> None:
    """Delete old games, their copies and damaged files.

    The table must be stopped. Flash memory may keep what was deleted: an expert can still read it.
    """
    folder = load(config, {"data": data}).folder
    if not (folder / LOG_FILE).exists():
        fail(f"There are no games in {folder}; choose the folder with --data.")
    many = as_account_of(
        folder,
        lambda: str(delete_everything(folder) if everything else purge_games(folder, GAMES)),
    )
    click.echo(f"{folder}: {many} {'files' if everything else 'games'} deleted")
