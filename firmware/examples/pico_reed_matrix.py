"""A matrix of 6 x 6 reed switches at a Raspberry Pi Pico: save it there as main.py (MicroPython).

Each switch joins a column (GP0 to GP5: A to F) through a diode, its ring to the column, to a row
(GP6 to GP11: 1 to 6). Without the diodes three pawns on corners of a rectangle look like four.
"""

import select
import sys
import time

from machine import Pin

COLUMNS = [Pin(n, Pin.OUT, value=1) for n in range(6)]
ROWS = [Pin(n, Pin.IN, Pin.PULL_UP) for n in range(6, 12)]


def greet():
    print('#board 1 6x6 name="reed switches"')


def occupied():
    cells = []
    for i, column in enumerate(COLUMNS):
        column.value(0)
        time.sleep_us(50)
        cells += ["ABCDEF"[i] + str(n) for n, row in enumerate(ROWS, 1) if not row.value()]
        column.value(1)
    return " ".join(cells) or "-"


def checksum(line):
    total = 0
    for byte in line.encode():
        total ^= byte
    return f"{total:02X}"


greet()
while True:
    if select.select([sys.stdin], [], [], 0.02)[0] and sys.stdin.read(1) == "?":
        greet()
    line = occupied()
    print(line + "*" + checksum(line))
