"""Authorize public keys: the join code admits a key, a PIN moves a seat to another key.

The encrypted channel has authenticated the sender of each request (`companion.server.rpc.channel`).

A join code admits phones until there is one for each seat of the game, at most `CODE_SECONDS` after
the first one; then another code is drawn. An admitted phone may take any free seat before the game.
The table's log has the key of each seat; the key store has the table's own key, the codes, the
admitted keys, the PINs and the paired displays.

The table has a new key for each game. When the next game is prepared, seats and paired displays
receive the new key under the old one. The old one is deleted when all have acknowledged the new
one, at the latest with the game after.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace
from nacl.public import PrivateKey

from companion.clock import Clock
from companion.core.game import GameError, Seat
from companion.files import atomic_write
from companion.locks import LockRank, make_rlock
from companion.server.auth.codes import (
    DISPLAY_LETTERS,
    JOIN_LETTERS,
    RECOVERY_PATTERNS,
    HashQueue,
    QueueFull,
    RateLimiter,
    Recovery,
    draw_code,
    hash_pin,
    key_text,
    normalize_code,
    same_code,
    same_pin,
)
from companion.server.auth.keystore import KeysNotStored, KeyStore, StoredKeys, StoredPin
from companion.table.storage.log import RequestId
from companion.table.table import Table

_log = logging.getLogger("companion.server")

DISPLAY_FILE = "display-code"
MAX_DISPLAYS = 8
"""Paired displays; a further one unpairs the first."""
MAX_OFFERS, OFFER_SECONDS = 8, 300.0
"""Codes for another screen that are valid at once, and their lifetime in seconds."""
MAX_ADMITTED, MAX_USED_CODES = 24, 24
"""Phones that wait for a seat, and used join codes; the oldest are dropped."""
CODE_SECONDS = 120.0
"""Seconds for which a join code admits further phones after the first one."""
TRIES_BEFORE_LOCK, MAX_TRIES = 5, 10
"""Tries at a PIN without a lock, and tries in a whole game."""
LOCK_SECONDS = 60.0


class Denied(GameError, PermissionError):
    """Error raised when a request of a key is denied."""

    code = "denied"


class Principal(Struct, frozen=True):
    """The holder of a seat, a display that people touch, or a guest who only watches."""

    seat: Seat | None = None
    display: bool = False

    @property
    def name(self) -> str:
        """The seat's name, "display" or "guest"."""
        return self.seat or ("display" if self.display else "guest")


class AccessControl:
    """Keys, codes and PINs of one table. Thread-safe; `entropy` is the cryptographic one.

    With `recovery` "words" a PIN is three words.
    """

    def __init__(
        self,
        folder: Path,
        table: Table,
        clock: Clock,
        entropy: Callable[[int], bytes],
        recovery: Recovery = "pin",
    ) -> None:
        self.recovery: Recovery = recovery
        self._folder = folder
        self._table = table
        self._clock = clock
        self._entropy = entropy
        self._lock = make_rlock(LockRank.SEATS)
        self._hashes = HashQueue()
        self._store = KeyStore(
            folder,
            StoredKeys(
                entropy(32).hex(), draw_code(JOIN_LETTERS, entropy), game=table.state.number
            ),
        )
        if self._store.damage == "mended":
            table.journal.show_storage_notice("keys_mended")
        elif self._store.damage == "lost":
            table.journal.show_storage_notice("keys_lost")
        self._offered: dict[str, tuple[Seat, float]] = {}
        self._camera_code, self._camera_until = "", 0.0
        self._guesses = RateLimiter(clock.monotonic, self._store.keys.guesses)
        if self._store.keys.code_in_use:
            # A restart does not extend a code.
            self._replace_code(self._store.keys.code)
        # Locks that ran when the table stopped begin again, so that a power cycle shortens none.
        self._locked_until = {
            key: clock.monotonic() + _lock_after(pin.tries) for key, pin in self._pins.items()
        }
        self.new_display_code()
        if not self.closed:
            # The table may have stopped between the end of a game and the new keys.
            with contextlib.suppress(KeysNotStored):
                self.rotate_keys()

    @property
    def public_key(self) -> bytes:
        """The key by which phones recognise the table."""
        return bytes(PrivateKey(self.secret).public_key)

    @property
    def secret(self) -> bytes:
        """The table's own X25519 key."""
        return self.secrets[0]

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """The table's own key, and the previous one while it is needed."""
        keys = self._store.keys
        return tuple(map(bytes.fromhex, filter(None, (keys.secret, keys.previous_secret))))

    @property
    def join_code(self) -> str | None:
        """The code that admits phones now, None once the seats are closed."""
        return None if self.closed else self._store.keys.code

    @property
    def closed(self) -> bool:
        """Whether the game has started: codes give no seats any more."""
        return bool(self._table.snapshot()["phase"] != "lobby")

    @property
    def _pins(self) -> dict[str, StoredPin]:
        return self._store.keys.pins

    def principal(self, key: str) -> Principal:
        """Return who an authenticated public key (hex) is now."""
        seat = self._table.seats.seat_of(key)
        return Principal(seat) if seat else Principal(display=key in self._store.keys.displays)

    def is_known(self, key: str) -> bool:
        """Return whether `key` has a role: a seat, a display, or the camera phone."""
        return self.principal(key) != Principal() or self.is_camera(key)

    def is_admitted(self, key: str) -> bool:
        """Return whether `key` may take a free seat without a code."""
        return not self.closed and (
            key in self._store.keys.admitted or self._table.seats.seat_of(key) is not None
        )

    def admit(self, key: str, code: str, address: str) -> None:
        """Admit the holder of `key`; raise `Denied`.

        The first phone starts the code's lifetime, the last one with a seat ends it. A repeated
        request of the same phone, whose answer was lost, changes nothing.
        """
        if self.is_admitted(key):
            return
        if not code:
            raise Denied("code_needed")
        self._spend_guess(address)
        if self.closed:
            self._table.seats.note_latecomer()
            raise Denied("seats_closed")
        with self._lock:
            keys = self._store.keys
            if not same_code(code, keys.code):
                raise Denied("code_used" if code.strip().upper() in keys.used else "wrong_code")
            self._guesses.remove_last_guess(address)
            admitted = (*keys.admitted, key)[-MAX_ADMITTED:]
            is_last = len(admitted) >= self._seats_left()
            after = self._with_next_code(keys) if is_last else replace(keys, code_in_use=True)
            self._store.store(replace(after, admitted=admitted))
            if not keys.code_in_use and not is_last:
                self._clock.call_at(
                    self._clock.monotonic() + CODE_SECONDS, partial(self._replace_code, keys.code)
                )
        if is_last:
            self._table.journal.show_new_join_code()

    def change_code(self) -> None:
        """Draw another join code, so that a person who was sent away cannot use the old one."""
        self._replace_code(self._store.keys.code)

    def claim(self, key: str, seat: Seat, name: str, code: str, pin: str, address: str) -> None:
        """Give `seat` to `key`, which is admitted or sends a code; the first one wins.

        The holder's second claim, such as a double tap, keeps the first PIN.

        Raises `Denied`, or the table's own refusal.
        """
        if self.closed:
            self._spend_guess(address)
            self._table.seats.note_try(seat)
            raise Denied("seats_closed")
        self.admit(key, code, address)
        if not RECOVERY_PATTERNS[self.recovery].fullmatch(normalize_code(pin)):
            raise Denied("bad_words" if self.recovery == "words" else "bad_pin")
        with self._hash_turn():
            stored_pin = hash_pin(normalize_code(pin), self._entropy(16))
        with self._lock:
            if self._table.seats.key_of(seat) == key:
                return
            before = self._store.keys
            # A person who is sent away from a seat needs a new code.
            waiting = tuple(other for other in before.admitted if other != key)
            # The PIN first: after a power cut between the two, a PIN without a seat does no harm.
            self._store.store(
                replace(before, pins=before.pins | {key: stored_pin}, admitted=waiting)
            )
            try:
                self._table.seats.claim(seat, name, key)
            except GameError:
                self._store.store(before)
                raise

    @contextlib.contextmanager
    def keep_admitted(self) -> Iterator[None]:
        """Admit phones that lose their seats inside this context, so that they need no code."""
        with self._lock:
            before = self._seated_keys()
            yield
            lost = [key for key in before if key not in self._seated_keys()]
            if lost:
                keys = self._store.keys
                # If the disk refuses the write they need the code again.
                with contextlib.suppress(KeysNotStored):
                    admitted = (*keys.admitted, *lost)[-MAX_ADMITTED:]
                    self._store.store(replace(keys, admitted=admitted))

    def recover(self, request: RequestId, seat: Seat, pin: str) -> None:
        """Give a taken seat to the key that sent the request, with the right PIN.

        Each try is stored before it is compared. Raises `Denied`, or the table's own refusal; then
        the PINs are as before.
        """
        key = request.by
        with self._hash_turn():
            old, stored_pin = self._count_try(seat)
            self._table.seats.note_recovery(seat, stored_pin.tries, MAX_TRIES)
            is_right = same_pin(normalize_code(pin), stored_pin)
        if not is_right:
            raise Denied("wrong_pin", tries=stored_pin.tries, of=MAX_TRIES)
        with self._lock:
            if self._table.seats.key_of(seat) != old:
                raise Denied("not_recoverable")
            # The new key's PIN is kept first: after a power cut between the two, the old phone
            # still works.
            before = self._pins
            self._keep_pins(before | {key: stored_pin})
            try:
                self._table.seats.rekey(seat, key, request)
            except GameError:
                self._keep_pins(before)
                raise
            self._keep_pins({other: pin for other, pin in self._pins.items() if other != old})
            self._locked_until.pop(old, None)

    def pair(self, key: str, code: str, address: str) -> None:
        """Make `key` a display and use the code up; raise `Denied`.

        The table announces a screen that a seat paired. The kiosk gets a new code.
        """
        with self._lock:
            offered_by = self._check_display(code, address)
            displays = (*(other for other in self._store.keys.displays if other != key), key)[
                -MAX_DISPLAYS:
            ]
            if offered_by is not None:
                # First: no screen is paired that was not announced.
                self._table.seats.note_screen(offered_by)
            keys = self._store.keys
            self._store.store(replace(keys, displays=displays, guesses=self._guesses.counts))
            if offered_by is None:
                self.new_display_code()

    def offer_screen(self, seat: Seat) -> str:
        """Return a one-time code for another display: the table's key and 12 letters."""
        code = draw_code(DISPLAY_LETTERS, self._entropy)
        with self._lock:
            self._offered[code] = (seat, self._clock.monotonic() + OFFER_SECONDS)
            while len(self._offered) > MAX_OFFERS:
                del self._offered[next(iter(self._offered))]
        return key_text(self.public_key) + code

    def offer_camera(self) -> str:
        """Return a camera phone's one-time code, key and 12 letters; an earlier one is invalid."""
        code = draw_code(DISPLAY_LETTERS, self._entropy)
        with self._lock:
            self._camera_code = code
            self._camera_until = self._clock.monotonic() + OFFER_SECONDS
        return key_text(self.public_key) + code

    def pair_camera(self, key: str, code: str, address: str) -> None:
        """Make `key` the camera phone in place of any other, and use the code up.

        Raises `Denied`. A repeated code of the same phone changes nothing.
        """
        if self.is_camera(key):
            return
        with self._lock:
            self._spend_guess(address)
            valid = self._camera_until > self._clock.monotonic()
            if not (self._camera_code and same_code(code, self._camera_code) and valid):
                raise Denied("wrong_code")
            self._guesses.remove_last_guess(address)
            keys = self._store.keys
            self._store.store(replace(keys, camera=key, guesses=self._guesses.counts))
            self._camera_code = ""

    def is_camera(self, key: str) -> bool:
        """Return whether `key` is the camera phone's."""
        return key == self._store.keys.camera != ""

    def new_display_code(self) -> None:
        """Write a new one-time code for the kiosk's address: the table's key and 12 letters.

        If the disk takes no writes, no code is valid until it does: the file has a used one.
        """
        self._display_code = draw_code(DISPLAY_LETTERS, self._entropy)
        fragment = f"{key_text(self.public_key)}{self._display_code}\n"
        try:
            atomic_write(self._folder / DISPLAY_FILE, fragment.encode())
        except OSError as failed:
            _log.warning("no new display code could be written: %s", failed.strerror)

    def rotate_keys(self) -> None:
        """Prepare a new game: a new key and join code, nobody admitted, PINs of seated keys only.

        A display or camera that never acknowledged the key of the last game is unpaired. Does
        nothing if the keys are new already; raises `KeysNotStored`.
        """
        with self._lock:
            keys, number = self._store.keys, self._table.state.number
            if keys.game == number:
                return
            pins = {
                key: StoredPin(pin.salt, pin.digest)
                for key, pin in self._pins.items()
                if self._table.seats.seat_of(key)
            }
            displays = tuple(
                key for key in keys.displays if not keys.previous_secret or key in keys.migrated
            )
            camera = keys.camera if not keys.previous_secret or keys.camera in keys.migrated else ""
            secret = self._entropy(32).hex()
            self._store.store(
                replace(
                    self._with_next_code(keys),
                    secret=secret,
                    previous_secret=keys.secret,
                    migrated=(),
                    displays=displays,
                    camera=camera,
                    admitted=(),
                    pins=pins,
                    game=number,
                )
            )
            self._locked_until.clear()
            self.new_display_code()
        self._table.journal.show_new_join_code()

    def acknowledge_key(self, key: str) -> None:
        """Record that the holder of `key` has the table's present key.

        When all holders do, the old key is deleted, or later if the disk takes no writes.
        """
        if not self._store.keys.previous_secret:
            return
        with self._lock:
            keys = self._store.keys
            holders = {*self._seated_keys(), *keys.displays, *filter(None, [keys.camera])}
            over = {*keys.migrated, key} & holders
            after = replace(keys, migrated=tuple(sorted(over)))
            if over == holders:
                after = replace(keys, previous_secret="", migrated=())
            if after != keys:
                with contextlib.suppress(KeysNotStored):
                    self._store.store(after)

    def _seated_keys(self) -> list[str]:
        keys = [
            self._table.seats.key_of(Seat(place["seat"]))
            for place in self._table.snapshot()["seats"]
        ]
        return [key for key in keys if key]

    def _seats_left(self) -> int:
        """Return the number of seats without a person, in the largest form of the proposed game."""
        snapshot = self._table.snapshot()
        persons = sum(1 for place in snapshot["seats"] if place["taken"] and "bot" not in place)
        players: list[int] = snapshot["lobby"]["games"][snapshot["game"]]
        return max(players) - persons

    def _replace_code(self, code: str) -> None:
        """Draw another join code if this one is still valid; try again later if the disk takes no
        writes.
        """
        with self._lock:
            if self._store.keys.code != code:
                return
            try:
                self._store.store(self._with_next_code(self._store.keys))
            except KeysNotStored:
                self._clock.call_at(
                    self._clock.monotonic() + CODE_SECONDS, partial(self._replace_code, code)
                )
                return
        self._table.journal.show_new_join_code()

    def _with_next_code(self, keys: StoredKeys) -> StoredKeys:
        """Return the stored keys with another join code; the present one is used up."""
        used = (*keys.used, keys.code)[-MAX_USED_CODES:]
        while (code := draw_code(JOIN_LETTERS, self._entropy)) in used:
            pass
        return replace(keys, code=code, code_in_use=False, used=used, guesses=self._guesses.counts)

    def _check_display(self, code_sent: str, address: str) -> Seat | None:
        """Use up a display's code; return the seat that offered it, else None; raise `Denied`."""
        self._spend_guess(address)
        offers = [code for code in self._offered if same_code(code_sent, code)]
        seat, until = self._offered.pop(offers[0]) if offers else (None, 0.0)
        if not (until > self._clock.monotonic() or same_code(code_sent, self._display_code)):
            raise Denied("wrong_code")
        self._guesses.remove_last_guess(address)
        return seat

    def _spend_guess(self, address: str) -> None:
        """Store a guess before it is compared; raise `Denied` after too many."""
        if wait := self._guesses.count_guess(address):
            raise Denied("too_many_codes", n=wait)
        with self._lock:
            self._store.store(replace(self._store.keys, guesses=self._guesses.counts))

    def _count_try(self, seat: Seat) -> tuple[str, StoredPin]:
        with self._lock:
            key = self._table.seats.key_of(seat)
            pin = self._pins.get(key or "")
            if key is None or pin is None:
                raise Denied("not_recoverable")
            if pin.tries >= MAX_TRIES:
                raise Denied("recovery_closed")
            if (left := self._locked_until.get(key, 0.0) - self._clock.monotonic()) > 0:
                raise Denied("recovery_locked", n=int(left) + 1)
            pin = replace(pin, tries=pin.tries + 1)
            self._keep_pins(self._pins | {key: pin})
            self._locked_until[key] = self._clock.monotonic() + _lock_after(pin.tries)
            return key, pin

    @contextlib.contextmanager
    def _hash_turn(self) -> Iterator[None]:
        """Wait for the turn to hash a PIN; raise `Denied` if too many wait."""
        try:
            with self._hashes.turn():
                yield
        except QueueFull:
            raise Denied("pins_busy") from None

    def _keep_pins(self, pins: dict[str, StoredPin]) -> None:
        self._store.store(replace(self._store.keys, pins=pins))


def _lock_after(tries: int) -> float:
    """Return the seconds for which a seat's PIN is locked after `tries` tries."""
    return LOCK_SECONDS * 2.0 ** (tries - TRIES_BEFORE_LOCK) if tries >= TRIES_BEFORE_LOCK else 0.0
