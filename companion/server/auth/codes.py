"""Draw and compare short codes that people read or scan, and limit guesses."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hmac import compare_digest
from math import ceil
from threading import Semaphore
from typing import Literal

from companion.locks import LockRank, make_lock
from companion.server.auth.keystore import StoredPin

ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words; no O or I, which look like 0 or 1."""
JOIN_LETTERS, DISPLAY_LETTERS = 4, 12
PIN_COST = 2**14
"""scrypt's `n`: some 50 ms and 16 MB a hash (RFC 7914)."""
MAX_HASHES = 8
"""PINs that are hashed or wait: everybody may take a seat at the same moment, and a flood of
requests holds few of the server's threads.
"""
MAX_GUESSES, GUESS_PERIOD = 5, 60.0
"""Wrong codes that one address may send, and the time in seconds."""
MAX_ADDRESSES = 1024

Recovery = Literal["pin", "words"]
"""The secret that moves a person's seat to another phone: four digits, or three words."""
RECOVERY_PATTERNS: Mapping[Recovery, re.Pattern[str]] = {
    "pin": re.compile("[0-9]{4}"),
    "words": re.compile("(?:[bdfklmnprst][aeio]){6}"),
}

Entropy = Callable[[int], bytes]


def draw_code(letters: int, entropy: Entropy, alphabet: str = ALPHABET) -> str:
    """Return a code of equally likely letters."""
    code, count = "", len(alphabet)
    while len(code) < letters:
        # Bytes above the largest multiple of their number in a byte would favour the first letters.
        code += "".join(
            alphabet[byte % count] for byte in entropy(letters) if byte < 256 - 256 % count
        )
    return code[:letters]


def same_code(code: str, right: str) -> bool:
    """Return whether a code is right, in any case, in constant time."""
    return compare_digest(code.strip().upper().encode(), right.encode())


def normalize_code(code: str) -> str:
    """Return the letters and digits of a recovery code, in lower case."""
    return "".join(letter for letter in code.lower() if letter.isalnum())


def key_text(key: bytes) -> str:
    """Return a public key as 43 characters for a QR code (base64url without padding)."""
    return base64.urlsafe_b64encode(key).decode().rstrip("=")


def hash_pin(pin: str, salt: bytes) -> StoredPin:
    """Return the stored form of a PIN. Slow on purpose: call it in a `HashQueue`."""
    digest = hashlib.scrypt(pin.encode(), salt=salt, n=PIN_COST, r=8, p=1, dklen=32)
    return StoredPin(salt.hex(), digest.hex())


def same_pin(pin: str, stored_pin: StoredPin) -> bool:
    """Return whether a PIN is the stored one. Slow on purpose: call it in a `HashQueue`."""
    return compare_digest(hash_pin(pin, bytes.fromhex(stored_pin.salt)).digest, stored_pin.digest)


class QueueFull(Exception):
    """Error raised when too many PINs wait for their hash; try again."""


class HashQueue:
    """Let one thread at a time hash a PIN, as each hash takes 16 MB. Thread-safe."""

    def __init__(self) -> None:
        self._places = Semaphore(MAX_HASHES)
        self._lock = make_lock(LockRank.PIN_HASH)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for the turn to hash; raise `QueueFull` at once if `MAX_HASHES` wait or hash."""
        if not self._places.acquire(blocking=False):
            raise QueueFull
        try:
            with self._lock:
                yield
        finally:
            self._places.release()


class RateLimiter:
    """Limit how often an address may guess a code; correct codes do not count. Thread-safe.

    A guess is counted before it is compared, so that parallel guesses do not all pass. `counts`
    restores the guesses from before a restart: their minute begins again, so that a power cycle
    gives nobody more guesses.
    """

    def __init__(self, now: Callable[[], float], counts: Mapping[str, int]) -> None:
        self._now = now
        self._lock = make_lock(LockRank.CODE_GUESSES)
        self._guessed: dict[str, list[float]] = {
            address: [now()] * count for address, count in counts.items()
        }

    @property
    def counts(self) -> dict[str, int]:
        """Guesses of each address in the last minute."""
        with self._lock:
            counted = {address: len(self._recent(address)) for address in self._guessed}
            return {address: count for address, count in counted.items() if count}

    def count_guess(self, address: str) -> int:
        """Count a guess and return 0, or return the seconds until this address may guess again."""
        with self._lock:
            recent = self._recent(address)
            if len(recent) >= MAX_GUESSES:
                return max(1, ceil(recent[0] + GUESS_PERIOD - self._now()))
            recent.append(self._now())
            self._guessed[address] = recent
            while len(self._guessed) > MAX_ADDRESSES:
                del self._guessed[next(iter(self._guessed))]
            return 0

    def remove_last_guess(self, address: str) -> None:
        """Remove the last guess, which was correct."""
        with self._lock:
            if guessed := self._guessed.get(address):
                guessed.pop()

    def _recent(self, address: str) -> list[float]:
        since = self._now() - GUESS_PERIOD
        return [moment for moment in self._guessed.get(address, ()) if moment > since]
