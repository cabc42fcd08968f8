"""Call Windows: limit a process by a job object, as others by `setrlimit`; prepare its console.

Used on Windows alone.
"""

from __future__ import annotations

import ctypes
from ctypes import wintypes
from functools import cache
from typing import Any, cast

EXTENDED_LIMITS = 9
"""JobObjectExtendedLimitInformation."""
PROCESS_TIME, ACTIVE_PROCESS, UNHANDLED_EXCEPTION, PROCESS_MEMORY = 0x2, 0x8, 0x400, 0x100
"""The limits that are set: CPU time, the number of processes, no window for an error, memory."""
STANDARD_OUTPUT = -11
VIRTUAL_TERMINAL = 0x4
"""ENABLE_VIRTUAL_TERMINAL_PROCESSING."""
TICKS = 10_000_000
"""Windows counts CPU time in units of 100 ns: this many a second."""


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", wintypes.DWORD),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("processes", wintypes.DWORD),
        ("affinity", ctypes.c_size_t),
        ("priority_class", wintypes.DWORD),
        ("scheduling_class", wintypes.DWORD),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _Memory(ctypes.Structure):
    """PROCESS_MEMORY_COUNTERS."""

    _fields_ = (
        ("size", wintypes.DWORD),
        ("faults", wintypes.DWORD),
        ("counters", ctypes.c_size_t * 6),
        ("committed", ctypes.c_size_t),
        ("peak_committed", ctypes.c_size_t),
    )


@cache
def kernel32() -> Any:
    """Return the library of the system's calls."""
    library = cast(Any, ctypes).WinDLL("kernel32", use_last_error=True)
    library.GetCurrentProcess.restype = wintypes.HANDLE
    library.GetStdHandle.restype = wintypes.HANDLE
    library.GetConsoleMode.argtypes = (wintypes.HANDLE, ctypes.c_void_p)
    library.SetConsoleMode.argtypes = (wintypes.HANDLE, wintypes.DWORD)
    library.CreateJobObjectW.restype = wintypes.HANDLE
    library.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
    library.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
    library.SetInformationJobObject.argtypes = (
        wintypes.HANDLE,
        ctypes.c_int,
        ctypes.c_void_p,
        wintypes.DWORD,
    )
    library.K32GetProcessMemoryInfo.argtypes = (wintypes.HANDLE, ctypes.c_void_p, wintypes.DWORD)
    return library


def limit_this_process(memory: int, processor_seconds: int | None) -> None:
    """Limit this process for good: committed memory (bytes), CPU seconds, no further processes.

    Beyond the memory an allocation fails; after the time Windows ends the process. Raises OSError.
    """
    limits = _Limits(
        process_time=TICKS * (processor_seconds or 0),
        flags=PROCESS_MEMORY
        | ACTIVE_PROCESS
        | UNHANDLED_EXCEPTION
        | (PROCESS_TIME if processor_seconds else 0),
        processes=1,
        process_memory=memory,
    )
    system = kernel32()
    # The handle stays open: the job ends with the process.
    job = system.CreateJobObjectW(None, None)
    _check(job)
    _check(
        system.SetInformationJobObject(
            job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
        )
    )
    _check(system.AssignProcessToJobObject(job, system.GetCurrentProcess()))


def draw_escape_sequences() -> None:
    """Let this program's console, if it has one, draw colours as other terminals do."""
    system = kernel32()
    console, mode = system.GetStdHandle(STANDARD_OUTPUT), wintypes.DWORD()
    if system.GetConsoleMode(console, ctypes.byref(mode)):
        system.SetConsoleMode(console, mode.value | VIRTUAL_TERMINAL)


def committed_memory() -> int:
    """Return the bytes of memory that this process has committed; raise OSError."""
    counters = _Memory(size=ctypes.sizeof(_Memory))
    system = kernel32()
    _check(
        system.K32GetProcessMemoryInfo(
            system.GetCurrentProcess(), ctypes.byref(counters), counters.size
        )
    )
    return int(counters.committed)


def _check(succeeded: object) -> None:
    if not succeeded:
        raise cast(Any, ctypes).WinError(cast(Any, ctypes).get_last_error())
