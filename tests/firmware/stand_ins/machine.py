"""MicroPython's pins over a field of switches.

The file `cells` says what is occupied; a word such as `!3` says that strip 3's plug is out.
"""

LOAD, FIRST_ROW = 5, 6


def occupied():
    with open("cells", encoding="utf-8") as file:
        return file.read().split()


def strip_levels():
    words, levels = occupied(), []
    for row in range(1, 7):
        bits = 0b1111_1110
        for column, letter in enumerate("ABCDEF"):
            if letter + str(row) in words:
                bits &= ~(0x80 >> column)
        broken = any("!" + str(before) in words for before in range(1, row + 1))
        levels.append(0xFF if broken else bits)
    return bytes(levels)


class Pin:
    OUT, IN, PULL_UP = "out", "in", "pull-up"
    all = {}  # noqa: RUF012

    def __init__(self, number, mode=None, pull=None, value=1):
        assert mode != Pin.IN or pull == Pin.PULL_UP, "a switch needs its pull-up"
        self.number, self.level, self.mode = number, value, mode
        Pin.all[number] = self

    def value(self, level=None):
        if level is not None:
            if self.number == LOAD and not level:
                SPI.loaded = strip_levels()
            self.level = level
            return None
        columns = [pin for number, pin in Pin.all.items() if number < FIRST_ROW and not pin.level]
        assert len(columns) == 1, "one column at a time"
        cell = "ABCDEF"[columns[0].number] + str(self.number - FIRST_ROW + 1)
        return 0 if cell in occupied() else 1


class SPI:
    loaded = b""

    def __init__(self, number, baudrate, polarity, phase, sck, mosi, miso):
        assert (0, 0) == (polarity, phase)

    def read(self, count):
        assert Pin.all[LOAD].level, "high while it shifts"
        bytes_, SPI.loaded = SPI.loaded, b""
        assert count == len(bytes_), "loaded once before each reading"
        return bytes_
