"""Strips of 74HC165 at an ESP32: save it there as main.py (MicroPython).

SCK at GPIO18, DATA at GPIO19, LOAD at GPIO5, 3.3 V and GND. By USB, or over WIFI: then the host
opens `--board socket://ADDRESS:7733`.
"""

import select
import socket
import sys

from machine import SPI, Pin

WIFI = None  # or ("the network's name", "its password")
LOAD = Pin(5, Pin.OUT, value=1)
CHAIN = SPI(2, baudrate=1_000_000, polarity=0, phase=0, sck=Pin(18), mosi=Pin(23), miso=Pin(19))

if WIFI:
    import network

    station = network.WLAN(network.STA_IF)
    station.active(True)
    station.connect(*WIFI)
    server = socket.socket()
    server.bind(("0.0.0.0", 7733))
    server.listen(1)


def connect():
    if not WIFI:
        return sys.stdin, print
    stream = server.accept()[0].makefile("rwb", 0)
    return stream, lambda line: stream.write((line + "\n").encode())


def read_strips(state):
    """Return the new state; the old one and a fault if a strip's last bits are not 1 and 0."""
    LOAD.value(0)
    LOAD.value(1)
    cells = []
    for number, bits in enumerate(CHAIN.read(6), 1):
        if bits & 3 != 2:
            return state + f"\n!strip {number}"
        cells += [letter + str(number) for i, letter in enumerate("ABCDEF") if not bits << i & 128]
    return " ".join(cells) or "-"


state = "-"
while True:
    letters, send = connect()
    letter = "?"
    try:
        while letter:
            if letter in ("?", b"?"):
                send('#board 1 6x6 name="strips"')
            state = read_strips(state.split("\n")[0])
            send(state)
            letter = letters.read(1) if select.select([letters], [], [], 0.02)[0] else " "
    except OSError:
        pass  # the host has gone: wait for the next one
