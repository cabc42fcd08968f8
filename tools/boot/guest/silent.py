"""Serial devices that send nothing, until this program ends."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

ends = []
for name in sys.argv[1:]:
    ends.append(os.openpty())
    path = os.ttyname(ends[-1][1])
    Path(path).chmod(0o666)
    Path(name).symlink_to(path)
signal.pause()
