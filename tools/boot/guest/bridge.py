"""Carry bytes both ways between two serial devices, until one is gone."""

from __future__ import annotations

import os
import select
import sys
import tty

ends = [os.open(name, os.O_RDWR | os.O_NOCTTY) for name in sys.argv[1:3]]
for end in ends:
    tty.setraw(end)
while True:
    for ready in select.select(ends, [], [])[0]:
        os.write(ends[ready == ends[0]], os.read(ready, 4096))
