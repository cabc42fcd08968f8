"""Store the server's key, codes, PINs and paired displays in the data folder.

One file with mode 0600 and its copy, replaced atomically. A try at a PIN is on the disk before it
is compared.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct
from nacl.exceptions import CryptoError
from nacl.public import PrivateKey

from companion.core.game import GameError
from companion.files import GuardedFile

KEYS_FILE = "keys.json"


class KeysUnreadable(GameError, OSError):
    """Error raised at the start when the stored keys cannot be read; nothing is deleted."""

    code = "keys_unreadable"


class KeysNotStored(GameError, OSError):
    """Error raised when the disk refused a write; nothing has changed."""

    code = "keys_not_stored"


class StoredPin(Struct, frozen=True):
    """A person's PIN as scrypt, and its tries in this game."""

    salt: str
    digest: str
    tries: int = 0


class StoredKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The stored keys: hex secrets, the join code, keys of displays, PINs by public key."""

    secret: str
    code: str
    displays: tuple[str, ...] = ()
    camera: str = ""
    """Public key of the camera phone."""
    pins: dict[str, StoredPin] = {}
    code_in_use: bool = False
    """Whether the join code admitted a phone already."""
    used: tuple[str, ...] = ()
    """The last used join codes; their users get that answer."""
    admitted: tuple[str, ...] = ()
    """Public keys of phones that sent a join code and have no seat yet."""
    guesses: dict[str, int] = {}
    """The guesses of each address in the last minute."""
    previous_secret: str = ""
    """The previous secret, while a key has not acknowledged the present one."""
    migrated: tuple[str, ...] = ()
    """Public keys that have acknowledged the present secret."""
    game: int = 0
    """The number of the game after which the secret was drawn."""

    def __repr__(self) -> str:
        return "StoredKeys(•)"


class KeyStore:
    """The key file. `keys` is its content.

    damage: what was wrong with it, as `GuardedFile.damage`; lost keys are replaced by fresh ones
    """

    def __init__(self, folder: Path, fresh: StoredKeys) -> None:
        self._file = GuardedFile(folder / KEYS_FILE)
        self.keys = read_keys(self._file) or self.store(fresh)
        self.damage = self._file.damage

    def store(self, keys: StoredKeys) -> StoredKeys:
        """Write `keys` to the disk and return it; raise `KeysNotStored` and change nothing."""
        try:
            self._file.write(msgspec.json.encode(keys))
        except OSError as failed:
            raise KeysNotStored("keys_not_stored") from failed
        self.keys = keys
        return keys


def read_keys(file: GuardedFile) -> StoredKeys | None:
    """Return the stored keys, None if there are none; raise `KeysUnreadable`."""
    try:
        content = file.read()
        if content is None:
            return None
        keys = msgspec.json.decode(content, type=StoredKeys)
        PrivateKey(bytes.fromhex(keys.secret))
        return keys
    except (OSError, ValueError, CryptoError) as wrong:
        # A disk that fails, or a sound file of another release.
        raise KeysUnreadable("keys_unreadable", file=str(file.path)) from wrong
