"""Define the errors of the table, beside those of a game's rules."""

from __future__ import annotations

from companion.core.game import GameError


class Refused(GameError):
    """Error raised when the table refuses a request now; nothing has changed."""

    code = "refused"


class AlreadyRunning(RuntimeError):
    """Error raised when another program holds this data folder."""


class NewerSchema(RuntimeError):
    """Error raised when a data folder was written by a newer release; it is left as it is."""


class StorageFailed(RuntimeError):
    """Error raised when the disk failed to store something.

    The program must end and read its log again: the kernel may have dropped the very pages that a
    second attempt would call safe.
    """


class UnreadableEntry(ValueError):
    """Error raised when a sound log holds an entry that this release does not understand."""
