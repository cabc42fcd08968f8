"""A board on Linux without any hardware: a pseudo-terminal, and the keyboard in place of switches.

`python3 linux_board.py` prints its port, for `--board`; type the occupied cells (`A1 C3`, or
nothing). Replace `occupied` by what reads your own sensors.
"""

import os
import pty
import select
import sys
import tty

GREETING = b'#board 1 6x6 name="keyboard"\n'


def occupied(before):
    """Return the cells that are occupied now."""
    if not select.select([sys.stdin], [], [], 0.05)[0]:
        return before
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    return line.upper().split()


def checksum(line):
    total = 0
    for byte in line:
        total ^= byte
    return b"*%02X" % total


board, port = pty.openpty()
tty.setraw(port)
os.set_blocking(board, False)
print(os.ttyname(port), flush=True)
cells = []
os.write(board, GREETING)
while True:
    cells = occupied(cells)
    line = " ".join(cells).encode() or b"-"
    try:
        os.write(board, line + checksum(line) + b"\n")
        if b"?" in os.read(board, 1000):
            os.write(board, GREETING)
    except BlockingIOError:
        pass  # nobody reads, or the host has said nothing
