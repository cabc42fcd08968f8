"""A barcode scanner on a real pseudo-terminal, opened by pyserial: codes, numbers, and the plug.

Nothing is timed: tests wait for the result, with a timeout for a slow machine.
"""

from __future__ import annotations

import os
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Condition

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app import Application
from companion.config import Settings
from companion.sensors.link import Link, Timing
from companion.sensors.serial.barcode_scanner import BarcodeScanner, ScanSplitter
from companion.sensors.serial.ports import AUTO, find_ports
from companion.sensors.vision.codes import parse_scanned, tile_text
from tests.helpers.usb import know_usb
from tests.test_app import until

TIMEOUT = 60.0
QUICK = Timing(reopen_first=0.02, reopen_most=0.1)


class Plug:
    """A scanner's cable: `path` is its device while it is plugged in."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.master, slave = os.openpty()
        tty.setraw(slave)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(slave))
        self._slave = slave

    def beep(self, text: str) -> None:
        os.write(self.master, text.encode())

    def pull(self) -> None:
        self.path.unlink()
        os.close(self.master)
        os.close(self._slave)


class Callbacks:
    """The scanner's callbacks, with a way to wait for more."""

    def __init__(self) -> None:
        self.beeps: list[int | None] = []
        self.messages: list[str] = []
        self._changed = Condition()

    def beep(self, number: int | None) -> None:
        with self._changed:
            self.beeps.append(number)
            self._changed.notify_all()

    def show_link(self, link: Link) -> None:
        assert link.message is not None
        with self._changed:
            self.messages.append(link.message.code)
            self._changed.notify_all()

    def until_beeps(self, *numbers: int | None) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.beeps == list(numbers), TIMEOUT), self.beeps

    def until_message(self, *codes: str) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.messages == list(codes), TIMEOUT), (
                self.messages
            )


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_code_is_read_in_every_spelling() -> None:
    """Small letters, blanks and a French keyboard's digits give the same tile; any other text gives
    none. The page's reader is tested with the same list (tests/web/games/tile_codes.test.mjs).
    """
    assert [7, 38, 12, 30] == [
        parse_scanned(text) for text in ("VRT07", "vrt38\r\n", "vrt&é", 'VRT"à')
    ]
    assert [14, 12, 12] == [parse_scanned(text) for text in ("]Q1VRT14", "$a&vrt&é", "\ufeffVRT12")]
    assert [None] * 6 == [
        parse_scanned(text) for text in ("VRT00", "VRT39", "VRC00", "7", "VRT12VRT13", "q1VRT12")
    ]


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "\x02", "\0", "]Q1", "\ufeff"]),
            st.integers(1, 38),
            st.sampled_from(["\r", "\n", "\r\n", "\t", "\x03", "\x1d", "\0"]),
        )
    ),
    st.data(),
)
def test_codes_end_as_the_scanner_likes(
    codes: list[tuple[str, int, str]], data: st.DataObject
) -> None:
    """In any pieces, with any control sign at the end and any prefix, each code is read once."""
    sent = "".join(before + tile_text(number) + end for before, number, end in codes).encode()
    cut = data.draw(st.integers(0, len(sent)))
    splitter = ScanSplitter()

    assert [number for _, number, _ in codes] == [
        *splitter.receive(sent[:cut]),
        *splitter.receive(sent[cut:]),
    ]


def test_a_silence_ends_a_code() -> None:
    """A code without a suffix ends when the scanner is silent, and a silence alone is no code."""
    splitter = ScanSplitter()

    assert [] == [*splitter.receive(b"VRT11")]
    assert [11] == [*splitter.end()]
    assert [] == [*splitter.end()]
    assert [] == [*splitter.receive(b"VRT12")]
    assert [12] == [*splitter.end()]


def test_noise_is_one_unread_code_and_the_next_is_read() -> None:
    """A code without an end is dropped, and the code after it is read."""
    splitter = ScanSplitter()

    assert [] == [*splitter.receive(b"\xff" * 100_000), *splitter.receive(b"VRT01")]
    assert [None, 7, None] == [*splitter.receive(b"\nVRT07\n\xe9\n")]


def test_an_error_of_the_program_is_no_lost_scanner(
    tmp_path: Path, stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    """A callback that raises is shown as an error of the program and logged; then the scanner is
    read again.
    """
    callbacks = Callbacks()
    plug = Plug(tmp_path / "scanner")
    raised: list[int | None] = []

    def fail_once(number: int | None) -> None:
        if not raised:
            raised.append(number)
            raise ValueError("a fault of the program")
        callbacks.beep(number)

    scanner = BarcodeScanner(
        str(plug.path),
        monotonic=time.monotonic,
        on_scan=fail_once,
        on_link=callbacks.show_link,
        timing=QUICK,
    )
    stack.callback(scanner.close)
    scanner.start()
    callbacks.until_message("scanner.up")
    plug.beep("VRT07\n")
    callbacks.until_message("scanner.up", "scanner.failed", "scanner.up")
    plug.beep("VRT08\n")
    callbacks.until_beeps(8)

    assert "failed: ValueError" in caplog.text


def test_a_scanner_comes_and_goes(tmp_path: Path, stack: ExitStack) -> None:
    """A missing scanner is waited for, each scan is reported, and a replug is detected."""
    callbacks = Callbacks()
    path = tmp_path / "scanner"
    scanner = BarcodeScanner(
        str(path),
        monotonic=time.monotonic,
        on_scan=callbacks.beep,
        on_link=callbacks.show_link,
        timing=QUICK,
    )
    stack.callback(scanner.close)
    scanner.start()
    callbacks.until_message("scanner.absent")
    plug = Plug(path)
    callbacks.until_message("scanner.absent", "scanner.up")
    plug.beep("VRT07\r\nvrt08\rHELLO\n")
    callbacks.until_beeps(7, 8, None)
    plug.beep("VRT10")
    callbacks.until_beeps(7, 8, None, 10)
    plug.pull()
    callbacks.until_message("scanner.absent", "scanner.up", "scanner.absent")
    plug = Plug(path)
    stack.callback(plug.pull)
    callbacks.until_message("scanner.absent", "scanner.up", "scanner.absent", "scanner.up")
    plug.beep("VRT09\r\n")
    callbacks.until_beeps(7, 8, None, 10, 9)


def test_the_search_for_a_board_leaves_the_scanner_alone(tmp_path: Path) -> None:
    """The search for a board never opens the scanner's device, by any of its names."""
    devices = tmp_path / "dev"
    (devices / "serial/by-id").mkdir(parents=True)
    for name in ("ttyACM0", "ttyACM1"):
        know_usb(devices, name).touch()
    (devices / "serial/by-id/usb-scanner").symlink_to(devices / "ttyACM1")

    plugged = find_ports(AUTO, devices, taken=str(devices / "serial/by-id/usb-scanner"))

    assert ([str(devices / "ttyACM0")], []) == (
        [address for address, _ in plugged.boards],
        plugged.strangers,
    )


@pytest.mark.slow
def test_beeps_are_published_before_a_game(tmp_path: Path, stack: ExitStack) -> None:
    """The public snapshot has the scans in order, 0 for any other code; they cause no event."""
    plug = Plug(tmp_path / "scanner")
    stack.callback(plug.pull)
    application = Application(
        Settings(data=str(tmp_path / "data"), board="none", scanner=str(plug.path))
    )
    stack.callback(application.close)
    position = application.table.snapshot()["position"]
    application.start()
    until(
        lambda: (
            application.table.snapshot().get("scanner", {}).get("message", {}).get("code")
            == "scanner.up"
        )
    )
    plug.beep("VRT07\r\nVRC00\r\nVRT09\r\n")
    until(lambda: application.table.snapshot()["scanner"]["count"] == 3)

    assert (7, 0, 9) == application.table.snapshot()["scanner"]["beeps"]
    assert position == application.table.snapshot()["position"]
