"""Limits on photos, and how the processes that decode them write their results.

Imports no image decoder, so that the server can import the limits too.
"""

from __future__ import annotations

import os
from typing import IO

MAX_PHOTO_BYTES = 32 * 1024 * 1024
"""Bytes of a photo's file: a phone with 108 megapixels writes up to 30 MB."""
MAX_UPLOAD_BYTES = 12 * 1024 * 1024
"""Bytes of a picture that comes over the network; a page sends a smaller one."""
MAX_JPEG_PIXELS, MAX_PNG_PIXELS = 110_000_000, 24_000_000
"""A JPEG is decoded at a fraction of its size, a PNG at its whole size."""
MAX_PHOTO_SIDE = 30_000
"""Pixels of a side: the code reader allows 65,535, and also gets pictures of twice the size."""


def write_out(out: IO[bytes], data: bytes) -> None:
    """Write all of `data` to the pipe; end the process if nobody reads from it any more."""
    try:
        out.write(data)
        out.flush()
    except OSError:
        # The table was killed. Python's own exit would try to write the rest again, and fail.
        os._exit(0)
