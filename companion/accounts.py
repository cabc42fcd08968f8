"""Run work on a folder as the account that may replace its files.

Root follows every link that it opens by name, and the owner of a folder can create links there at
any moment.
"""

from __future__ import annotations

import os
import stat
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn

from companion.command_errors import fail, handle_errors
from companion.platforms import is_root

MAX_LINKS = 40
"""Symbolic links that are followed in one path, as many as Linux follows."""


class Account(NamedTuple):
    """A user and a group, by number."""

    uid: int
    gid: int


def account_of(path: Path) -> Account | None:
    """Return the first account other than root's that owns a part of `path`, None if there is none.

    Symbolic links count as parts. A part that does not exist ends the search. Raises OSError for a
    loop of links.
    """
    left = [*reversed(path.absolute().parts[1:])]
    place, links = Path("/"), 0
    while left:
        place /= left.pop()
        try:
            status = place.lstat()
        except FileNotFoundError:
            return None
        if status.st_uid:
            return Account(status.st_uid, status.st_gid)
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if links > MAX_LINKS:
                raise OSError(f"{path} holds too many links")
            target = Path(os.readlink(place))
            left += reversed(target.parts[target.is_absolute() :])
            place = Path("/") if target.is_absolute() else place.parent
    return None


def as_account_of(folder: Path, work: Callable[[], str | None]) -> str:
    """Run `work` as the account that owns a part of `folder`, if root runs this; return its result.

    The child process changes its account for good. If it fails, its exit status ends the program. A
    folder that holds anything but files and folders is refused: a pipe would block the child.
    """
    account = account_of(folder) if is_root() else None
    return (
        (work() or "")
        if account is None
        else run_as(account, lambda: _check_and_work(folder, work))
    )


def run_as(account: Account, work: Callable[[], str | None]) -> str:
    """Return what `work` returns in a child process that is `account`; exit with its failed status.

    Work for root's own account runs here.
    """
    if account.uid == os.geteuid():
        return work() or ""
    sys.stdout.flush()
    sys.stderr.flush()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _work_and_exit(account, work, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        returned = pipe.read()
    if status := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        sys.exit(status if status > 0 else 1)
    return returned


def _check_and_work(folder: Path, work: Callable[[], str | None]) -> str | None:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if not (
                    entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False)
                ):
                    fail(f"{entry.path} is neither a file nor a folder; delete it first.")
        return work()
    except (OSError, UnicodeDecodeError) as wrong:
        fail(f"{folder} cannot be used: {wrong}")


def _work_and_exit(account: Account, work: Callable[[], str | None], writing: int) -> NoReturn:
    status = 1
    try:
        os.setgroups([])
        os.setgid(account.gid)
        os.setuid(account.uid)
        returned = handle_errors(work)()
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            pipe.write(returned or "")
        sys.stdout.flush()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except (
        BaseException
    ):  # The child must never return into the stack of the parent, whatever went wrong.
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)
