"""`companion flash`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.command_errors import english, fail
from companion.flash.flasher import (
    FlashError,
    PluggedBoard,
    choose_port,
    identify_board,
    write_board,
)
from companion.sensors.serial.ports import AUTO, find_ports, open_failure


@click.command("flash")
@click.option("--port", metavar="DEVICE", default=AUTO, help="The board's port; found by default.")
def flash_command(port: str) -> None:
    """Write the firmware onto the Nano of the connected presence board.

    Stop the table first. Finds the board and its bootloader's speed, and reads the firmware back to
    compare. It needs avrdude. It does not change fuses or EEPROM.
    """
    devices = [device for device, _ in find_ports(port, Path("/dev")).boards]
    try:
        write_board(choose_port([_ask(device) for device in devices]), click.echo)
    except (FlashError, OSError) as wrong:
        fail(str(wrong))


def _ask(device: str) -> PluggedBoard:
    try:
        return PluggedBoard(device, identify_board(device))
    except (OSError, ValueError) as wrong:
        fail(english().translate(open_failure(device, wrong)))
