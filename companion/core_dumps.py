"""The table's memory holds every secret of an evening: it is never written down, and no other
program reads it.
"""

from __future__ import annotations

import ctypes
import resource
import sys

PR_SET_DUMPABLE = 4


def disable_core_dumps() -> None:
    """Let this process leave no core dump when it crashes, nor any that it starts; on Linux keep
    other programs of the same account out of its memory, its environment and its open files.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
