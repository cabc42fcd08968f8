"""Who is who: a seat is a key, and how a key gets one - by the join code, by a PIN, as the display.

The table's log says which key holds which seat; the vault keeps the table's own key, the codes,
the PINs and the paired displays.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct
from nacl.public import PrivateKey

from companion.clock import Clock
from companion.core.game import GameError, Seat
from companion.durable import write_private
from companion.server.codes import (
    DISPLAY_LETTERS,
    JOIN_LETTERS,
    Guesses,
    draw_code,
    hash_pin,
    key_text,
    same_code,
    same_pin,
)
from companion.server.vault import Kept, KeptPin, Vault
from companion.table.table import Table

log = logging.getLogger("companion.server")

DISPLAY_FILE = "display-code"
DISPLAYS = 8
"""Displays that stay paired; pairing a ninth unpairs the first."""
FREE_TRIES, TRIES = 5, 10
"""Tries at a PIN without a lock, and tries in a whole game."""
LOCK_SECONDS = 60.0


class Denied(GameError, PermissionError):
    """Error raised when a key may not have what it asks for."""

    code = "denied"


class Role(Struct, frozen=True):
    """What a key is: the holder of a seat, a display that people touch, or a guest who only looks."""

    seat: Seat | None = None
    display: bool = False

    @property
    def name(self) -> str:
        """The seat's name, "display" or "guest"."""
        return self.seat or ("display" if self.display else "guest")


class Seats:
    """Keys, codes and PINs of one table. Thread-safe; `entropy` is the cryptographic one."""

    def __init__(self, folder: Path, table: Table, clock: Clock, entropy: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._table = table
        self._clock = clock
        self._entropy = entropy
        self._lock = Lock()
        self._vault = Vault(folder, Kept(entropy(32).hex(), draw_code(JOIN_LETTERS, entropy)))
        self._guesses = Guesses(clock.monotonic)
        # Locks that ran when the table stopped begin again, so that a power cycle shortens none.
        self._locked_until = {key: clock.monotonic() + _lock_after(pin.tries) for key, pin in self._pins.items()}
        self.new_display_code()

    @property
    def public_key(self) -> bytes:
        """The key by which phones know the table."""
        return bytes(PrivateKey(self.secret).public_key)

    @property
    def secret(self) -> bytes:
        """The table's own X25519 key."""
        return bytes.fromhex(self._vault.kept.secret)

    @property
    def join_code(self) -> str | None:
        """The code by which seats are taken, None once they are closed."""
        return None if self.closed else self._vault.kept.code

    @property
    def closed(self) -> bool:
        """Whether the game has started: from then on a code gives no seat."""
        return bool(self._table.picture()["phase"] != "lobby")

    @property
    def _pins(self) -> dict[str, KeptPin]:
        return self._vault.kept.pins

    def role(self, key: str) -> Role:
        """Return what a public key (hex) is at this moment."""
        seat = self._table.seat_of(key)
        return Role(seat) if seat else Role(display=key in self._vault.kept.displays)

    def claim(self, key: str, seat: Seat, name: str, code: str, pin: str, address: str) -> None:
        """Give `seat` to `key`; the first one wins. Raise `Denied`, or the table's own refusal."""
        if self.closed:
            self._spend_guess(address)
            self._table.note_try(seat)
            raise Denied("seats_closed")
        self._check(code, self._vault.kept.code, address)
        if not re.fullmatch(r"\d{4}", pin, re.ASCII):
            raise Denied("bad_pin")
        kept = hash_pin(pin, self._entropy(16))
        with self._lock:
            before = self._pins
            # The PIN first: after a power cut between the two, a PIN without a seat does no harm.
            self._keep_pins(before | {key: kept})
            try:
                self._table.claim(seat, name or seat, key)
            except GameError:
                self._keep_pins(before)
                raise

    def recover(self, key: str, seat: Seat, pin: str) -> None:
        """Give a taken seat to a new key whose owner knows the PIN; each try is stored before it is compared."""
        old, kept = self._count_try(seat)
        self._table.note_try(seat)
        if not same_pin(pin, kept):
            raise Denied("wrong_pin", tries=kept.tries, of=TRIES)
        with self._lock:
            if self._table.key_of(seat) != old:
                raise Denied("not_recoverable")
            # The new key's PIN is kept first: after a power cut between the two, the old phone still works.
            self._keep_pins(self._pins | {key: kept})
            self._table.rekey(seat, key)
            self._keep_pins({other: pin for other, pin in self._pins.items() if other != old})
            self._locked_until.pop(old, None)

    def pair(self, key: str, code: str, address: str) -> None:
        """Make `key` a display; the code is used up and replaced. Raise `Denied`."""
        with self._lock:
            self._check(code, self._display_code, address)
            displays = (*(other for other in self._vault.kept.displays if other != key), key)[-DISPLAYS:]
            self._vault.store(msgspec.structs.replace(self._vault.kept, displays=displays))
            self.new_display_code()

    def new_display_code(self) -> None:
        """Write a new one-time code, as what follows # in the kiosk's address: the table's key and 12 letters.

        Where the disk takes nothing, no code is right until it does: the file still has one that was used.
        """
        self._display_code = draw_code(DISPLAY_LETTERS, self._entropy)
        fragment = f"{key_text(self.public_key)}{self._display_code}\n"
        try:
            write_private(self._folder / DISPLAY_FILE, fragment.encode())
        except OSError as failed:
            log.warning("no new display code could be written: %s", failed.strerror)

    def new_join_code(self) -> None:
        """Replace the join code and forget PINs of keys that hold no seat: a new game begins."""
        with self._lock:
            pins = {key: KeptPin(pin.salt, pin.digest) for key, pin in self._pins.items() if self._table.seat_of(key)}
            code = draw_code(JOIN_LETTERS, self._entropy)
            self._vault.store(msgspec.structs.replace(self._vault.kept, code=code, pins=pins))
            self._locked_until.clear()

    def _check(self, given: str, right: str, address: str) -> None:
        self._spend_guess(address)
        if not same_code(given, right):
            raise Denied("wrong_code")
        self._guesses.forgive(address)

    def _spend_guess(self, address: str) -> None:
        if wait := self._guesses.wait(address):
            raise Denied("too_many_codes", n=wait)

    def _count_try(self, seat: Seat) -> tuple[str, KeptPin]:
        with self._lock:
            key = self._table.key_of(seat)
            pin = self._pins.get(key or "")
            if key is None or pin is None:
                raise Denied("not_recoverable")
            if pin.tries >= TRIES:
                raise Denied("recovery_closed")
            if (left := self._locked_until.get(key, 0.0) - self._clock.monotonic()) > 0:
                raise Denied("recovery_locked", n=int(left) + 1)
            pin = msgspec.structs.replace(pin, tries=pin.tries + 1)
            self._keep_pins(self._pins | {key: pin})
            self._locked_until[key] = self._clock.monotonic() + _lock_after(pin.tries)
            return key, pin

    def _keep_pins(self, pins: dict[str, KeptPin]) -> None:
        self._vault.store(msgspec.structs.replace(self._vault.kept, pins=pins))


def _lock_after(tries: int) -> float:
    """Return for how many seconds a seat's PIN is locked after so many tries."""
    return LOCK_SECONDS * 2.0 ** (tries - FREE_TRIES) if tries >= FREE_TRIES else 0.0
