"""Find the plugged-in board, write its firmware, and set its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from companion.clock import SystemClock
from companion.flash.board_client import HELLOS, BoardClient, BoardError
from companion.flash.bootloader import FlashError, Kind, find_bootloader, write_flash
from companion.sensors.link import Timing, firmware_name
from companion.sensors.rfid.geometry import Geometry
from companion.sensors.serial.firmware_version import FIRMWARE
from companion.sensors.serial.messages import Caps, Configure, HelloReply
from companion.sensors.serial.ports import open_port

KINDS: tuple[Kind, ...] = ("presence", "identity")
NAMELESS = b"\xff" * 8
"""A board's name while its EEPROM is empty."""
Print = Callable[[str], None]


class PluggedBoard(Struct, frozen=True):
    """A port and its board's HELLO reply, None without an answer in our protocol."""

    port: str
    reply: HelloReply | None

    @property
    def kind(self) -> Kind | None:
        """Return the kind of the board, None without an answer."""
        if self.reply is None:
            return None
        return "presence" if self.reply.caps & Caps.PRESENCE else "identity"


def hex_file(kind: Kind) -> Path:
    """Return the shipped firmware of a kind of board."""
    return Path(__file__).with_name(f"{kind}.hex")


def identify_board(port: str) -> HelloReply | None:
    """Return a port's board; raise OSError if the port cannot be opened."""
    opened = open_port(port, Timing())
    try:
        return BoardClient(opened, SystemClock().monotonic).hello(HELLOS)
    except BoardError:
        return None
    finally:
        opened.close()


def choose_port(found: list[PluggedBoard]) -> PluggedBoard:
    """Return the only port that fits; raise `FlashError` for none or several."""
    if not found:
        raise FlashError("No board is plugged in. Plug it in, or name its port with --port.")
    boards = [plugged for plugged in found if plugged.reply is not None]
    if len(boards) == 1:
        return boards[0]
    if len(found) == 1:
        return found[0]
    ports = ", ".join(plugged.port for plugged in boards or found)
    raise FlashError(f"Several devices are plugged in: {ports}. Choose one with --port.")


def write_board(
    plugged: PluggedBoard, kind: Kind | None, geometry: Geometry | None, print_line: Print
) -> None:
    """Write the shipped firmware, then name and geometry unless they are stored already.

    `None` as kind or geometry keeps the board's own. Raises `FlashError` or OSError.
    """
    known = kind or plugged.kind
    loader = find_bootloader(plugged.port, KINDS if known is None else (known,))
    before = "" if plugged.reply is None else f", now {firmware_name(plugged.reply.firmware)}"
    print_line(f"{plugged.port}: {loader.kind} board, bootloader at {loader.baud:,} baud{before}")
    write_flash(plugged.port, loader, hex_file(loader.kind))
    reply = _expect_board(plugged.port)
    if reply.firmware != FIRMWARE:
        raise FlashError(
            f"{plugged.port} was written, but its firmware says it is"
            f" {firmware_name(reply.firmware)} in place of {firmware_name(FIRMWARE)}."
        )
    wanted = reply.geometry if geometry is None else geometry.code
    if reply.board_id == NAMELESS or reply.geometry != wanted:
        reply = _configure(plugged.port, reply, wanted)
    print_line(f"{plugged.port}: firmware {firmware_name(FIRMWARE)}, board {reply.board_id.hex()}")


def _expect_board(port: str) -> HelloReply:
    reply = identify_board(port)
    if reply is None:
        raise FlashError(f"{port} was written, but no board answers there. Repeat the command.")
    return reply


def _configure(port: str, reply: HelloReply, geometry: int) -> HelloReply:
    """Store name and geometry in the board; return its reply after a restart."""
    name = os.urandom(8) if reply.board_id == NAMELESS else reply.board_id
    opened = open_port(port, Timing())
    try:
        client = BoardClient(opened, SystemClock().monotonic)
        client.hello()
        client.ask(Configure(name, geometry))
    finally:
        opened.close()
    # Opening the port restarts the module, and a geometry takes effect at a start.
    after = _expect_board(port)
    if (after.board_id, after.geometry) != (name, geometry):
        raise FlashError(f"{port} has its firmware, but did not keep its name. Repeat the command.")
    return after
