"""What Linux, macOS and Windows do in different ways, each in one function (docs/platforms.md)."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event

ON_WINDOWS = sys.platform == "win32"
ON_LINUX = sys.platform == "linux"

NEW_FILE_FLAGS = (
    os.O_CREAT
    | os.O_EXCL
    | os.O_WRONLY
    | getattr(os, "O_NOFOLLOW", 0)
    # Without it Windows writes each line end as two bytes.
    | getattr(os, "O_BINARY", 0)
)
WRITE_FLAGS = os.O_CREAT | os.O_WRONLY | getattr(os, "O_BINARY", 0)
READ_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""`READ_FLAGS` do not wait for the writer of a named pipe."""
REPLACE_ATTEMPTS, REPLACE_PAUSE = 50, 0.02
"""Attempts to replace a file on Windows, and the seconds between them: a virus scanner may have the
file open for a moment.
"""
END_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name)
)
"""The signals that end the program. Windows sends SIGBREAK when the console's window closes."""
CHILD_FLAGS: int = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""`creationflags` of a process that Ctrl+C in this program's terminal does not end."""
NO_ERROR_WINDOW = 0x0001 | 0x0002
"""SEM_FAILCRITICALERRORS, SEM_NOGPFAULTERRORBOX."""


def is_root() -> bool:
    """Return whether this process may become another account: root, which Windows does not have."""
    return sys.platform != "win32" and os.geteuid() == 0


def open_new(path: Path) -> int:
    """Return the descriptor of a new file (0600) for bytes; raise OSError if the path exists."""
    return os.open(path, NEW_FILE_FLAGS, 0o600)


def set_access(descriptor: int, mode: int, group: int | None) -> None:
    """Set an open file's permissions, and its group if there is one. On Windows a file has the
    access rules of its folder.
    """
    if sys.platform != "win32":
        if group is not None:
            os.fchown(descriptor, -1, group)
        os.fchmod(descriptor, mode)


def flush(descriptor: int) -> None:
    """Wait until an open file's contents, or a folder's names, are on the disk."""
    if sys.platform == "darwin":
        import fcntl

        # There fsync leaves them in the disk's own memory; some network disks have no more.
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)


def flush_path(path: Path) -> None:
    """Wait until a file's contents, or a folder's names, are on the disk.

    Windows opens no folder; NTFS logs the changes of names in their order.
    """
    if ON_WINDOWS and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if ON_WINDOWS else os.O_RDONLY)
    try:
        flush(descriptor)
    finally:
        os.close(descriptor)


def replace(source: Path, target: Path) -> None:
    """Give a file another name, in one step and in the place of a file that has it."""
    for _ in range(REPLACE_ATTEMPTS if ON_WINDOWS else 0):
        with suppress(PermissionError):
            os.replace(source, target)
            return
        Event().wait(REPLACE_PAUSE)
    os.replace(source, target)


def name_new(source: Path, target: Path) -> None:
    """Give a file its name; raise FileExistsError if there is such a file."""
    if ON_WINDOWS:
        os.rename(source, target)
    else:
        os.link(source, target)
        source.unlink()


def lock_file(descriptor: int) -> None:
    """Lock an open file until it is closed; raise BlockingIOError if another process has done."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as taken:
            raise BlockingIOError(*taken.args) from taken
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def write_at_start(descriptor: int, data: bytes) -> None:
    """Write over the first bytes of an open file, by one thread at a time."""
    if sys.platform == "win32":
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, data)
    else:
        os.pwrite(descriptor, data, 0)


def allocate_bytes(descriptor: int, size: int) -> None:
    """Give a new file `size` bytes of the disk."""
    if sys.platform == "linux":
        os.posix_fallocate(descriptor, 0, size)
    else:
        # Zeros that are written take their room on every file system of the others.
        os.write(descriptor, bytes(size))


def open_file_limit() -> int | None:
    """Return the number of files and connections that this process may have open, None if it is
    not limited. Windows limits none.
    """
    if sys.platform == "win32":
        return None
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def prepare_console() -> None:
    """Let the terminal draw colours; only Windows's has to be told."""
    if sys.platform == "win32":
        from companion.windows_api import draw_escape_sequences

        draw_escape_sequences()


def disable_core_dumps() -> None:
    """Stop dumps of the memory of this process and its children.

    On Linux, other programs of the same account can no longer read its memory, its environment
    or its open files.
    """
    if sys.platform == "win32":
        from companion.windows_api import kernel32

        # The window's report would send a dump to Microsoft.
        kernel32().SetErrorMode(NO_ERROR_WINDOW)
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        PR_SET_DUMPABLE = 4
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def memory_in_use() -> int:
    """Return the bytes of memory of this process that `limit_process` counts."""
    if sys.platform == "win32":
        from companion.windows_api import committed_memory

        return committed_memory()
    if sys.platform == "linux":
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        return pages * resource.getpagesize()
    return 0


def limit_process(memory: int, processor_seconds: int | None) -> None:
    """Limit this process: memory (bytes), CPU seconds (None: unlimited), processes, and where the
    system can, files.

    Linux counts the address space, and ends this process first when memory runs out. Windows counts
    the committed memory, and forbids no files. macOS limits no memory.
    """
    if sys.platform == "win32":
        from companion.windows_api import limit_this_process

        limit_this_process(memory, processor_seconds)
        return
    import resource

    seconds = resource.RLIM_INFINITY if processor_seconds is None else processor_seconds
    limits = [
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
    ]
    if sys.platform == "linux":
        adjustment = Path("/proc/self/oom_score_adj")
        if adjustment.exists():
            adjustment.write_text("1000", encoding="ascii")
        limits.insert(0, (resource.RLIMIT_AS, memory))
    for what, most in limits:
        resource.setrlimit(what, (most, most))


def kill_with_children(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started in a session of its own, and those that it started."""
    if sys.platform == "win32":
        taskkill = Path(os.environ["SYSTEMROOT"], "System32", "taskkill.exe")
        subprocess.run(
            [taskkill, "/F", "/T", "/PID", str(process.pid)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)


def request_end() -> None:
    """Send this process SIGTERM, from any thread."""
    if ON_WINDOWS:
        # `os.kill` would end the process there before it could close anything.
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)


def split_command(command: str) -> list[str]:
    """Return the words of a command line; raise ValueError for a quote without its end.

    A backslash is a part of a path on Windows.
    """
    if not ON_WINDOWS:
        return shlex.split(command)
    return [word.replace('"', "") for word in shlex.split(command, posix=False)]


def join_command(words: list[str]) -> str:
    """Return the command line of these words for the system's usual shell."""
    return subprocess.list2cmdline(words) if ON_WINDOWS else shlex.join(words)


def has_desktop(environment: Mapping[str, str]) -> bool:
    """Return whether a browser's window can be opened."""
    if not ON_LINUX:
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


class Waker:
    """Ends the wait of another thread in `select`; a socket pair, all that Windows waits for."""

    def __init__(self) -> None:
        self._reading, self._writing = socket.socketpair()
        self._reading.setblocking(False)
        self._writing.setblocking(False)

    def fileno(self) -> int:
        """Return the descriptor that is readable after `wake`, -1 when closed."""
        return self._reading.fileno()

    def wake(self) -> None:
        """End the wait; does nothing when closed. From any thread."""
        # It is full: the other thread is awake. Or it is closed.
        with suppress(OSError):
            self._writing.send(b"!")

    def clear(self) -> None:
        """Forget all calls of `wake`."""
        with suppress(BlockingIOError):
            self._reading.recv(4096)

    def close(self) -> None:
        """Close both ends."""
        self._reading.close()
        self._writing.close()
