"""A disk that forgets: a process's system calls, recorded by strace, and what a power cut may leave
of them.

Each write and truncate of a file is pending until that file is synced, each rename and unlink until
its folder is. Then the power goes: of what was pending, nothing, everything, or any part is there,
file contents in sectors of 512 bytes one by one. Creating a file counts as durable at once; cards
that lie about flushing are not modelled. The idea is ALICE's (OSDI '14) and LazyFS's, without a
kernel module.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from random import Random
from typing import Literal, NamedTuple

from msgspec import Struct

ROOT = Path(__file__).parents[3]
SECTOR = 512
CALLS = "openat,write,pwrite64,fdatasync,fsync,ftruncate,unlink,rename"
IGNORED = ("-shm", "table.lock", "reserve")
"""Files that nobody reads after a start: SQLite creates its shared memory again."""

Loss = Literal["dropped", "applied", "torn"]


class Call(NamedTuple):
    """One recorded system call on a file: its name, the path, the second path of a rename, data and
    offset.
    """

    name: str
    path: str
    other: str = ""
    data: bytes = b""
    offset: int = 0


def traced(words: list[str], folder: Path) -> list[Call]:
    """Run a module (`python -m` and `words`) to its end under strace; return its calls on files in
    `folder` and, with the path "stdout", what it printed. Raises RuntimeError if it failed or
    strace missed it.
    """
    trace = folder.with_name(folder.name + ".trace")
    strace = [
        "strace",
        "--seccomp-bpf",
        "-f",
        "-y",
        "-xx",
        "-s",
        "10000000",
        "-e",
        f"trace={CALLS}",
        "-o",
        str(trace),
    ]
    result = subprocess.run(
        [*strace, sys.executable, "-m", *words], capture_output=True, cwd=ROOT, check=False
    )
    if result.returncode:
        raise RuntimeError(result.stderr.decode())
    return list(_calls(trace.read_text(encoding="ascii"), folder.resolve()))


def _calls(text: str, folder: Path) -> Iterator[Call]:
    within = f"{folder}/"
    ends: dict[str, int] = {}
    for line in text.splitlines():
        call = re.match(r"\d+ +(\w+)\((.*)\) += (\d+)", line)
        if call is None:
            continue
        name, rest, result = call[1], call[2], int(call[3])
        fields = [_plain(field) for field in re.findall(r'"((?:\\x..)*)"', rest)]
        descriptor = re.match(r"(\d+)<((?:\\x..)*)>", rest)
        path = _plain(descriptor[2]).decode() if descriptor else fields[0].decode()
        handle = descriptor[1] if descriptor else ""
        if name == "write" and handle == "1":
            yield Call("say", "stdout", data=fields[0])
        elif name == "openat":
            path = fields[0].decode()
            ends[str(result)] = 0
            if path.startswith(within) and "O_CREAT" in rest:
                yield Call("create", path, data=b"empty" if "O_TRUNC" in rest else b"")
        elif name == "rename" and path.startswith(within):
            yield Call(name, path, fields[1].decode())
        elif path.startswith(within) or path == str(folder):
            if name == "write":
                yield Call("pwrite64", path, data=fields[0][:result], offset=ends[handle])
                ends[handle] += result
            elif name == "pwrite64":
                yield Call(
                    name, path, data=fields[0][:result], offset=int(rest.rpartition(", ")[2])
                )
            elif name == "ftruncate":
                yield Call(name, path, offset=int(rest.rpartition(", ")[2]))
            else:
                yield Call("sync" if "sync" in name else name, path)


def _plain(escaped: str) -> bytes:
    return bytes.fromhex(escaped.replace("\\x", ""))


class File(Struct, eq=False):
    """A file's contents on the disk, and its writes since the last sync."""

    durable: bytearray
    pending: list[Call]

    def sync(self) -> None:
        for call in self.pending:
            _apply(self.durable, call)
        self.pending.clear()

    def left(self, loss: Loss, rng: Random) -> bytearray:
        """Return the contents that a power cut leaves."""
        contents = bytearray(self.durable)
        if loss == "applied":
            pieces = self.pending
        elif loss == "torn":
            pieces = [
                piece for call in self.pending for piece in _sectors(call) if rng.random() < 0.5
            ]
        else:
            pieces = []
        for piece in pieces:
            _apply(contents, piece)
        return contents


def _apply(contents: bytearray, call: Call) -> None:
    if call.name == "ftruncate":
        contents[call.offset :] = bytes(max(0, call.offset - len(contents)))
        return
    contents.extend(bytes(max(0, call.offset - len(contents))))
    contents[call.offset : call.offset + len(call.data)] = call.data


def _sectors(call: Call) -> Iterator[Call]:
    if call.name == "ftruncate":
        yield call
    start = call.offset
    while call.name != "ftruncate" and start < call.offset + len(call.data):
        end = (start // SECTOR + 1) * SECTOR
        yield Call(
            "pwrite64",
            call.path,
            data=call.data[start - call.offset : end - call.offset],
            offset=start,
        )
        start = end


class Disk:
    """The disk while the recorded process runs. `output`: its output until now."""

    def __init__(self) -> None:
        self.output = b""
        self._names: dict[str, File] = {}
        self._durable_names: dict[str, File] = {}
        self._pending: list[Call] = []

    def hold(self, path: str, contents: bytes) -> None:
        """Create a file, whole, before the process begins."""
        self._names[path] = self._durable_names[path] = File(bytearray(contents), [])

    def do(self, call: Call) -> None:
        """Let the process make one call."""
        if call.name == "say":
            self.output += call.data
        elif call.path.endswith(IGNORED):
            return
        elif call.name == "create":
            self._create(call)
        elif call.name in ("rename", "unlink"):
            self._move(self._names, call)
            self._pending.append(call)
        elif call.name == "sync" and call.path not in self._names:
            self._sync_folder(call.path)
        elif call.name == "sync":
            self._names[call.path].sync()
        else:
            self._names[call.path].pending.append(call)

    def cut(self, loss: Loss, rng: Random) -> dict[str, bytes]:
        """Return the files, by path, that remain after a power cut now."""
        names = dict(self._durable_names)
        # A journal keeps the order of names: a beginning of them remains.
        survive = {
            "dropped": 0,
            "applied": len(self._pending),
            "torn": rng.randint(0, len(self._pending)),
        }[loss]
        for call in self._pending[:survive]:
            self._move(names, call)
        return {path: bytes(file.left(loss, rng)) for path, file in names.items()}

    def _create(self, call: Call) -> None:
        if call.path not in self._names:
            # Earlier operations on this name must come before it exists again.
            self._sync_folder(str(PurePosixPath(call.path).parent))
            self._names[call.path] = self._durable_names[call.path] = File(bytearray(), [])
        elif call.data:
            self._names[call.path].pending.append(Call("ftruncate", call.path))

    def _sync_folder(self, folder: str) -> None:
        for call in self._pending:
            if str(PurePosixPath(call.path).parent) == folder:
                self._move(self._durable_names, call)
        self._pending = [
            call for call in self._pending if str(PurePosixPath(call.path).parent) != folder
        ]

    @staticmethod
    def _move(names: dict[str, File], call: Call) -> None:
        file = names.pop(call.path, None)
        if call.name == "rename" and file is not None:
            names[call.other] = file


def lay_out(files: dict[str, bytes], source: Path, target: Path) -> None:
    """Write the files that were under `source` into an empty folder `target`."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(mode=0o700)
    for path, contents in files.items():
        place = target / PurePosixPath(path).relative_to(source.resolve())
        place.parent.mkdir(mode=0o700, exist_ok=True)
        place.write_bytes(contents)
