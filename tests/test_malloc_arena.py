"""The table's threads share one arena of the C library's memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import ctypes, os, threading
from companion.process import configure_malloc

if {shared}:
    configure_malloc()
all_hold_memory = threading.Barrier(4)

def hold() -> None:
    held = bytearray(10_000)
    all_hold_memory.wait()

threads = [threading.Thread(target=hold) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fdopen(os.dup(1), b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""
"""Four threads hold memory at once; then the C library writes a `<heap>` for each arena."""


@pytest.mark.parametrize(("shared", "arenas"), [(True, 1), (False, 5)])
def test_one_arena(shared: bool, arenas: int) -> None:
    """Four threads and the main one have an arena each, or one together."""
    program = PROGRAM.format(shared=shared)
    output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout

    assert arenas == output.count(b"<heap nr=")
