"""Servers and measurements in processes of their own, and the kernel's figures for them."""

from __future__ import annotations

import gc
import http.client
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from tools.bench.served_table import Hosting

_T = TypeVar("_T")

TIMEOUT = 20.0
"""Seconds until a wait fails."""
POLL_INTERVAL = 0.002
"""Seconds between two tries to connect."""


def alone(measure: Callable[..., _T], *arguments: object) -> _T:
    """Return what `measure` returns in a process of its own: no collection there looks at what
    other measurements left, or at the modules.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as processes:
        return processes.submit(_frozen, measure, *arguments).result()


def _frozen(measure: Callable[..., _T], *arguments: object) -> _T:
    gc.freeze()
    return measure(*arguments)


@contextmanager
def command(
    folder: Path, port: int, board: str = "sim", launch: Sequence[str] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `companion serve` with a virtual board. `launch`: words before the command."""
    options = [
        "--data",
        str(folder),
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
        "--board",
        board,
        "--sim-port",
        "0",
    ]
    with _running([*launch, sys.executable, "-m", "companion", "serve", *options]) as process:
        yield process


@contextmanager
def hosted(hosting: Hosting, launch: Sequence[str] = ()) -> Iterator[subprocess.Popen[bytes]]:
    """Run a table with settings that the command does not have; it serves when this is entered.
    `launch`: words before the command.
    """
    config = msgspec.json.encode(hosting).decode()
    with _running([*launch, sys.executable, "-m", "tools.bench.served_table", config]) as process:
        first_page(hosting.port, process)
        yield process


@contextmanager
def _running(args: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(args, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def first_page(port: int, process: subprocess.Popen[bytes]) -> None:
    """Return when the table's page has been served; raise TimeoutError."""
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline and process.poll() is None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        try:
            connection.request("GET", "/table")
        except ConnectionRefusedError:
            time.sleep(POLL_INTERVAL)
            continue
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status == 200:
            return
    raise TimeoutError(f"no page came from port {port}")


def resident(process: subprocess.Popen[bytes], field: str = "VmRSS") -> float:
    """Return the megabytes in memory now, or ("VmHWM") the most so far."""
    for line in Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1000
    raise ValueError(field)


def tree_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return the processor time of the process and its children."""
    total = 0.0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2]
        except OSError:
            continue  # It has ended.
        fields = after_name.split()
        if process.pid in (int(path.parent.name), int(fields[1])):
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    """Return the processor time of the process."""
    after_name = (
        Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    )
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
