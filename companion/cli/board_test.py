"""`companion board-test`."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import click

from companion.clock import SystemClock
from companion.command_errors import english, fail
from companion.doctor.board_test import BoardTest, Stage
from companion.installer.manifest import UNIT_NAME
from companion.platforms import is_root
from companion.sensors.board_field import parse_field
from companion.sensors.link import Timing
from companion.sensors.serial.lines import LineDecoder
from companion.sensors.serial.ports import (
    AUTO,
    Port,
    connection_lost,
    find_ports,
    is_pseudo_terminal,
    open_board,
    open_failure,
    programs_with,
    transfer,
)
from companion.sensors.serial.session import ASK
from companion.sensors.serial.spi import SpiPort

ASK_EVERY = 0.5


@click.command("board-test")
@click.option(
    "--port",
    metavar="DEVICE|spi",
    default=AUTO,
    help="The board's port, or spi for strips at the Pi; found by default.",
)
@click.option("--field", default="", help="The field of a board that does not tell it, as 6x6.")
def board_test_command(port: str, field: str) -> None:
    """Show what a sensor board says, live, and test it in five stages.

    Lines arrive; the board greets; each cell is occupied once and freed; no fault; tags, if it
    reads them. Ends by itself once all are done, or with Ctrl-C. With sudo it stops the installed
    table for the test, if that uses the board.
    """
    if field and parse_field(field) is None:
        fail(f"{field} is no field such as 6x6 or hex4.", 2)
    device = _choose(port)
    with ExitStack() as stack:
        if not is_pseudo_terminal(device) and (programs := programs_with(device)):
            stack.enter_context(_released(device, ", ".join(programs)))
        try:
            opened = stack.enter_context(closing(open_board(device, Timing())))
        except (OSError, ValueError) as wrong:
            message = open_failure(device, wrong)
            is_busy = message.code == "link.busy"
            fail(_in_use(device, "another program") if is_busy else english().translate(message))
        try:
            run_test(opened, field)
        except OSError as wrong:
            fail(english().translate(connection_lost(device, wrong)))
        except KeyboardInterrupt:
            click.echo("\nended before all stages were done")
            raise SystemExit(1) from None


@contextmanager
def _released(device: str, program: str) -> Iterator[None]:
    """Stop the installed table that uses a device, and start it again at the end; exit if another
    program uses it, or without the rights to do so.
    """
    if not is_root() or not service_runs():
        fail(_in_use(device, program))
    click.confirm(
        f"The table uses {device}. Stop it for the test? It goes on where it was.", abort=True
    )
    subprocess.run(["systemctl", "stop", UNIT_NAME], check=True)
    try:
        yield
    finally:
        subprocess.run(["systemctl", "start", UNIT_NAME], check=True)


def run_test(port: Port | SpiPort, field: str) -> None:
    """Test the board on an open port until all stages are done; raise OSError if it is lost."""
    monotonic = SystemClock().monotonic
    decoder = LineDecoder()
    test = BoardTest(monotonic(), field)
    asks_at = monotonic()
    click.echo(f"{test.stage.value} {test.task()}")
    while test.stage != Stage.DONE:
        asks = monotonic() >= asks_at and test.stage <= Stage.GREETING
        asks_at = monotonic() + ASK_EVERY if asks else asks_at
        for line in decoder.receive(transfer(port, ASK if asks else b"", ASK_EVERY / 2)):
            for sentence in test.take(line, monotonic()):
                click.echo(sentence)
        for sentence in test.advance(monotonic()):
            click.echo(sentence)


def _choose(port: str) -> str:
    plugged = find_ports(port, Path("/dev"))
    if len(plugged.boards) == 1:
        return plugged.boards[0][0]
    if plugged.boards:
        names = ", ".join(name for name, _ in plugged.boards)
        fail(f"Several devices are plugged in: {names}. Choose one with --port.")
    if plugged.strangers:
        names = ", ".join(plugged.strangers)
        fail(f"{names} has no USB chip of a board that is known. Name it with --port.")
    fail("No board is plugged in. Plug it in, or name its port with --port.")


def _in_use(device: str, program: str) -> str:
    """Return the sentence with what to stop."""
    if service_runs():
        return f"The table uses {device}. Run: sudo companion board-test"
    return f"{device} is in use by {program}. End that program, then repeat the command."


def service_runs() -> bool:
    """Return whether the installed table is running."""
    try:
        command = ["systemctl", "is-active", "--quiet", UNIT_NAME]
        return subprocess.run(command, timeout=5).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
