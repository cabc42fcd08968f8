"""Define the errors of the table, beside those of a game's rules."""

from __future__ import annotations

from companion.core.game import GameError


class Refused(GameError):
    """Error raised when the table does not take a request here and now; nothing has changed."""

    code = "refused"


class AlreadyRunning(RuntimeError):
    """Error raised when another program holds this data folder."""


class NewerSchema(RuntimeError):
    """Error raised when a data folder was written by a newer release; it is left as it is."""


class StorageFailed(RuntimeError):
    """Error raised when the disk failed to keep what it was given: the program must end and read
    its log anew, since the kernel may have dropped the very pages that a second attempt would call
    safe.
    """


class UnreadableEntry(ValueError):
    """Error raised when a log that is sound byte by byte holds what this release cannot
    understand.
    """
