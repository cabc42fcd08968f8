"""`companion flash`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.command_errors import english, fail
from companion.flash.bootloader import FlashError, Kind
from companion.flash.flasher import KINDS, PluggedBoard, choose_port, identify_board
from companion.flash.flasher import write_board as flash_board
from companion.sensors.rfid.geometries import GEOMETRIES
from companion.sensors.serial.ports import AUTO, find_ports, open_failure


@click.command("flash")
@click.option("--port", metavar="DEVICE", default=AUTO, help="The board's port; found by default.")
@click.option("--board", type=click.Choice(KINDS), help="The kind of board, if it is a new one.")
@click.option(
    "--field",
    type=click.Choice([geometry.name for geometry in GEOMETRIES]),
    help="The field that the board is built for; a new one is square.",
)
def flash_command(port: str, board: Kind | None, field: str | None) -> None:
    """Write the firmware onto the connected sensor board.

    Stop the table first. Finds the board and its bootloader's speed, reads the firmware back to
    compare, and gives a new board a name. It needs avrdude. It does not change fuses or EEPROM.
    """
    geometry = next((one for one in GEOMETRIES if one.name == field), None)
    devices = [device for device, _ in find_ports(port, Path("/dev"))]
    try:
        flash_board(choose_port([_ask(device) for device in devices]), board, geometry, click.echo)
    except (FlashError, OSError) as wrong:
        fail(str(wrong))


def _ask(device: str) -> PluggedBoard:
    try:
        return PluggedBoard(device, identify_board(device))
    except (OSError, ValueError) as wrong:
        fail(english().translate(open_failure(device, wrong)))
