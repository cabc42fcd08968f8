"""Define the errors of the table, beside those of a game's rules."""

from __future__ import annotations

from companion.core.game import GameError


class Refused(GameError):
    """Error raised when the table refuses a request now; nothing has changed."""

    code = "refused"


class AlreadyRunning(RuntimeError):
    """Error raised when another program holds this data folder."""


class NewerSchema(RuntimeError):
    """Error raised when a newer release wrote the data folder; the folder is not changed."""


class StorageFailed(RuntimeError):
    """Error raised when the disk failed to store something.

    The program must end and read its log again: the kernel may have dropped the pages that a second
    attempt would report as stored.
    """


class NoBackup(ValueError):
    """Error raised when a file is no whole backup."""


class UnreadableEntry(ValueError):
    """Error raised when a sound log has an entry that this release cannot read."""
