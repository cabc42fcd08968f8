"""Limits on photos, and on the processes that decode them.

Imports no image decoder, so that the server can import the limits too.
"""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import IO

MAX_PHOTO_BYTES = 32 * 1024 * 1024
"""Bytes of a photo's file: a phone with 108 megapixels writes up to 30 MB."""
MAX_UPLOAD_BYTES = 12 * 1024 * 1024
"""Bytes of a picture that comes over the network; a page sends a smaller one."""
MAX_JPEG_PIXELS, MAX_PNG_PIXELS = 110_000_000, 24_000_000
"""A JPEG is decoded at a fraction of its size, a PNG at its whole size."""
MAX_PHOTO_SIDE = 30_000
"""Pixels of a side: the code reader allows 65,535, and also gets pictures of twice the size."""


def apply_rlimits(memory: int, processor_seconds: int | None) -> None:
    """Limit this process: address space (bytes), CPU seconds (None: unlimited), files, processes.

    The kernel ends it first when memory runs out.
    """
    adjustment = Path("/proc/self/oom_score_adj")
    if adjustment.exists():
        adjustment.write_text("1000", encoding="ascii")
    seconds = resource.RLIM_INFINITY if processor_seconds is None else processor_seconds
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_NOFILE, 0),
    ):
        resource.setrlimit(what, (most, most))


def address_space() -> int:
    """Return this process's address space in bytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * resource.getpagesize()


def write_out(out: IO[bytes], data: bytes) -> None:
    """Write all of `data` to the pipe; end the process if nobody reads from it any more."""
    try:
        out.write(data)
        out.flush()
    except BrokenPipeError:
        # The table was killed. Python's own exit would try to write the rest again, and fail.
        os._exit(0)
