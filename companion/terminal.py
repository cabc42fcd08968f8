"""Make standard input and output usable with any terminal, and without one."""

from __future__ import annotations

import codecs
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from companion.platforms import prepare_console

SUBSTITUTES = {
    "✓": "+", "✗": "x", "·": "-", "•": "*", "–": "-", "—": "-", "…": "...", "‘": "'", "’": "'",
    "“": '"', "”": '"', "×": "x", "±": "+-", "≤": "<=", "≥": ">=", "←": "<", "↑": "^", "→": ">",
    "↓": "v",
}  # fmt: skip
"""ASCII for the signs that the commands print; any other sign that cannot be printed is a "?"."""
HANDLER = "companion"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def prepare_streams() -> None:
    """Let no print fail for want of a sign in the terminal's charset; open missing streams.

    A closed descriptor would be given to the next file that is opened, such as a database, and the
    next message would be written into it.
    """
    codecs.register_error(HANDLER, _substitute)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free descriptor is this one, as those below it are open.
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    sys.stdin = sys.stdin or open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    prepare_console()
    for stream in (sys.stdout, sys.stderr):
        # A program that runs a command in itself may have put something else there.
        if (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(errors=HANDLER)


@contextmanager
def reporting_full_output() -> Iterator[None]:
    """End the program with a sentence where standard output takes no more, as on a full disk."""
    try:
        yield
    except OSError as failed:
        # Without a file's name: an error of an open stream.
        if failed.filename is not None or failed.errno not in FULL:
            raise
        # The interpreter would write what is left at its end, and fail again.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        sys.exit(f"companion: the output cannot be written: {failed.strerror}.")


def can_draw(text: str, columns: int) -> bool:
    """Return whether the terminal has a text's signs, colours, and `columns` columns."""
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return os.environ.get("TERM") != "dumb" and columns <= shutil.get_terminal_size().columns


def _substitute(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(SUBSTITUTES.get(sign, "?") for sign in text), error.end
