"""Encrypt a seat's traffic end to end with libsodium's `crypto_box`, over plain http.

The box authenticates its sender: only the holder of a public key's secret can make one that opens
with that key. A request has no other authentication; `AccessControl` knows what each key may do.

Every message of one kind has one size, independent of its content:
a request is version 1 · sender's public key 32 · nonce 24 · box 16 + 1,024 = 1,097 bytes,
a reply or a frame of a stream is nonce 24 · box 16 + 8,192 = 8,232 bytes. The plaintext is a
direction byte, the length of the JSON (2 bytes, big-endian), the JSON, zeros.

The table has a key for each game. A reply under the previous game's key also has "next", the
table's present key as in the join code; all further messages use that. A stream ends with the
frame that has it.

A phone on which the address was typed has no key of the table. /join.json gives everybody
"admission", a key for "admit" alone; the reply to a right code has "key", the table's present one.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from msgspec import Struct
from nacl.exceptions import CryptoError
from nacl.public import Box, PrivateKey, PublicKey

from companion.core.text import load_json
from companion.locks import LockRank, make_lock

CHANNEL_VERSION = 1
TO_TABLE, TO_PHONE = 1, 2
KEY_BYTES, NONCE_BYTES, TAG_BYTES = 32, 24, 16
REQUEST_PLAIN, REPLY_PLAIN = 1024, 8192
REQUEST_BYTES = 1 + KEY_BYTES + NONCE_BYTES + TAG_BYTES + REQUEST_PLAIN
REPLY_BYTES = NONCE_BYTES + TAG_BYTES + REPLY_PLAIN
HEADER_BYTES = 3
MAX_SHARED_KEYS = 256
"""Shared keys that are cached: more than the phones of a table, too few to fill memory."""
MAX_NONCES, MAX_STRANGERS = 20_000, 2_000
"""Nonces that are kept of one sender, and senders without a role: in an evening ten phones send
some thousand requests each.
"""
IGNORED_KEY_BIT = 0x80
"""X25519 ignores a key's highest bit (RFC 7748, section 5), so a key would have two forms."""


class DecryptError(Exception):
    """Error raised when a message cannot be opened; its text never has the reason."""


class ReplyTooLong(Exception):
    """Error raised when a JSON value does not fit in the message's one size."""


class DecryptedRequest(Struct, frozen=True):
    """A decrypted request: the sender's public key and the nonce as hex, and its JSON."""

    key: str
    nonce: str
    value: dict[str, Any]

    def __repr__(self) -> str:
        return "DecryptedRequest(•)"


def pad(direction: int, value: object, size: int) -> bytes:
    """Return the plaintext of `value`, exactly `size` bytes; raise `ReplyTooLong`."""
    body = json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()
    if len(body) > size - HEADER_BYTES:
        raise ReplyTooLong(len(body))
    return (bytes([direction]) + len(body).to_bytes(2, "big") + body).ljust(size, b"\0")


def unpad(direction: int, plain: bytes, size: int) -> dict[str, Any]:
    """Return the JSON object of a plaintext; raise `DecryptError` for a malformed one."""
    length = int.from_bytes(plain[1:HEADER_BYTES], "big")
    body, rest = plain[HEADER_BYTES : HEADER_BYTES + length], plain[HEADER_BYTES + length :]
    if len(plain) != size or plain[0] != direction or len(body) != length or rest.strip(b"\0"):
        raise DecryptError
    try:
        value = load_json(body)
    except ValueError:
        raise DecryptError from None
    if not isinstance(value, dict):
        raise DecryptError
    return value


class OpenedNonces:
    """The nonces of the messages that were opened, by sender. Thread-safe.

    Of one sender's too many nonces it drops the oldest, of too many strangers the one that sent
    least. Nobody can make it drop a known sender: anybody can make thousands of keys.
    """

    def __init__(self) -> None:
        self._lock = make_lock(LockRank.OPENED_MESSAGES)
        self._known: dict[bytes, dict[bytes, None]] = {}
        self._strangers: dict[bytes, dict[bytes, None]] = {}

    def add(self, sender: bytes, nonce: bytes, *, is_known: bool) -> bool:
        """Keep a nonce; return whether it is new. `is_known`: the sender has a role."""
        with self._lock:
            if is_known and sender not in self._known:
                self._known[sender] = self._strangers.pop(sender, {})
            nonces = self._known.get(sender)
            if nonces is None:
                nonces = self._of_stranger(sender)
            if nonce in nonces:
                return False
            nonces[nonce] = None
            if len(nonces) > MAX_NONCES:
                del nonces[next(iter(nonces))]
            return True

    def _of_stranger(self, sender: bytes) -> dict[bytes, None]:
        strangers = self._strangers
        if sender not in strangers and len(strangers) == MAX_STRANGERS:
            del strangers[min(strangers, key=lambda each: len(strangers[each]))]
        return strangers.setdefault(sender, {})


class Channel:
    """The table's side. `entropy` gives the nonces; `secret` is the X25519 key, 32 bytes.

    `is_known` returns whether a public key (hex) has a role at the table.
    """

    def __init__(
        self,
        secret: bytes,
        entropy: Callable[[int], bytes],
        is_known: Callable[[str], bool] = lambda key: False,
    ) -> None:
        own = PrivateKey(secret)
        self._entropy = entropy
        self._is_known = is_known
        # Computing the shared key takes longer than encrypting a message with it; it is dropped
        # with the channel.
        self._box = lru_cache(MAX_SHARED_KEYS)(partial(_shared_box, own))
        self._opened = OpenedNonces()
        self.public_key = bytes(own.public_key)

    def open(self, message: bytes) -> DecryptedRequest:
        """Return a phone's request; raise `DecryptError`, the same for every kind of error.

        A message is opened once: anybody in the network can record one and send it again.
        """
        if len(message) != REQUEST_BYTES or message[0] != CHANNEL_VERSION:
            raise DecryptError
        key, rest = message[1 : 1 + KEY_BYTES], message[1 + KEY_BYTES :]
        if key[-1] & IGNORED_KEY_BIT:
            raise DecryptError
        nonce, boxed = rest[:NONCE_BYTES], rest[NONCE_BYTES:]
        try:
            plain = self._box(key).decrypt(boxed, nonce)
        except CryptoError:
            raise DecryptError from None
        value = unpad(TO_TABLE, plain, REQUEST_PLAIN)
        if not self._opened.add(key, nonce, is_known=self._is_known(key.hex())):
            raise DecryptError
        return DecryptedRequest(key.hex(), nonce.hex(), value)

    def seal(self, key: str, value: object) -> bytes:
        """Return a reply or frame for the holder of `key` (hex); raise `ReplyTooLong`."""
        plain = pad(TO_PHONE, value, REPLY_PLAIN)
        return bytes(self._box(bytes.fromhex(key)).encrypt(plain, self._entropy(NONCE_BYTES)))


def _shared_box(secret: PrivateKey, key: bytes) -> Box:
    """Return the box shared with `key`; raise `DecryptError` for a key of no shared secret."""
    try:
        return Box(secret, PublicKey(key))
    except (CryptoError, RuntimeError):
        # libsodium refuses a weak key, and PyNaCl reports that as a RuntimeError.
        raise DecryptError from None
