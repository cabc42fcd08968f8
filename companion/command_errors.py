"""Turn known exceptions into a message and an exit status."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from typing import Any, NoReturn

import click

from companion.config import SettingsError
from companion.content.loader import ContentRefused
from companion.core.game import GameError, Message
from companion.i18n import Catalog
from companion.process import own_command
from companion.table.errors import AlreadyRunning, NewerSchema, NoBackup, StorageFailed

BUSY = 75
"""Exit status for "try again later" (EX_TEMPFAIL): another companion has the data folder."""
DISK = 74
"""Exit status after which the service is to be started again (EX_IOERR)."""

Command = Callable[..., Any]


@cache
def english() -> Catalog:
    """Return the catalogue of what the commands print."""
    return Catalog.load("en")


def handle_errors(command: Command) -> Command:
    """Decorate a command: known exceptions become a message and an exit status."""

    @wraps(command)
    def reported(*arguments: Any, **options: Any) -> Any:
        try:
            return command(*arguments, **options)
        except SettingsError as wrong:
            fail(wrong.place + english().translate(wrong.message), 2)
        except AlreadyRunning as wrong:
            fail(f"{wrong}. Stop it first, or choose another folder with --data.", BUSY)
        except NewerSchema as wrong:
            fail(f"{wrong}. Install the newer release, or choose another folder with --data.", 1)
        except NoBackup as wrong:
            fail(f"{wrong}. Nothing was changed.", 1)
        except StorageFailed as wrong:
            doctor = own_command("doctor")
            fail(f"The data folder cannot be used: {wrong}. `{doctor}` looks closer.", DISK)
        except GameError as wrong:
            for place, message in wrong.details:
                click.echo(place + english().translate(message), err=True)
            fail(english().translate(wrong.message), 2 if isinstance(wrong, ContentRefused) else 1)

    return reported


def fail(message: str, status: int = 1) -> NoReturn:
    """End the program with a sentence on standard error and an exit status."""
    click.echo(f"companion: {message}", err=True)
    sys.exit(status)


def fail_to_listen(problem: Message) -> NoReturn:
    """End the program because of a message of `listen_failure`, with its advice."""
    advice = Message(f"{problem.code}_advice", problem.params)
    fail(" ".join(english().translate(each) for each in (problem, advice)))
