"""The real firmware behind the bootloaders that Nanos have, in the board's own time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.emulator.conftest import sound
from tests.emulator.nano import Nano
from tests.flash.module import BOOTLOADERS, RESET_PIN

ASKS_EVERY = 500


@pytest.fixture(params=BOOTLOADERS)
def booting(built: object, request: pytest.FixtureRequest) -> Iterator[Nano]:
    """A board that restarts because its port was opened."""
    path = BOOTLOADERS[request.param]
    if not path.exists():
        pytest.skip("arduino-core-avr is not installed: `make check-tools`")
    nano = Nano()
    nano.emulator.ask(f"bootloader {path}")
    nano.reset(RESET_PIN)
    yield nano
    sound(nano.emulator)
    nano.emulator.close()


def test_a_host_that_asks_does_not_hold_the_bootloader(booting: Nano) -> None:
    """The host asks twice a second from the moment at which it opened the port, at a speed that
    one bootloader understands: the firmware greets within 2.5 s. When it hangs later, it starts
    again without the bootloader.
    """
    booting.put("C3")
    greeted = [booting.run(ASKS_EVERY, b"?\n").greetings for _ in range(5)]
    assert any(greeted)
    assert ("C3",) in booting.run(ASKS_EVERY).states

    booting.emulator.ask("hang")

    assert booting.run(1200).greetings
