"""Shuffle fairly: a game draws from a seed that was sealed before the phones added their shares.

In the lobby the table seals a *seed line*, canonical ASCII JSON. Then each phone adds 16 random
bytes, its share. key = SHA-256(seed || share || ...), the shares in the order of their seats'
names. Draw n starts from HMAC-SHA-256(key, n), n in ASCII digits. The deal is draw 0; each later
draw has the next number, and the number of an undone draw is never used again.

A draw seeds Python's own generator (`LazyRandom`), so a record can be decided again from its
"chance" alone, and the browser's proof has that generator already. The 256 bits bind.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Collection, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.codec import canonical_json
from companion.core.game import Game, InvalidSetup, Seat
from companion.table.fairness import commitment

SEED_HEX = re.compile(r"[0-9a-f]{64}")
SHARE_HEX = re.compile(r"[0-9a-f]{32}")
DEAL_DRAW = 0
"""The number of the draw from which a game is dealt."""


def seed_line(seed: bytes) -> str:
    """Return the line to seal; `seed` is 32 fresh random bytes, so the line needs no nonce."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    return canonical_json({"kind": "seed", "seed": seed.hex(), "v": 1})


def read_seed(line: str) -> bytes:
    """Return the seed of a line; raise ValueError unless the line is canonical."""
    fixed = commitment.parse_line(line)
    seed = fixed.get("seed")
    if (
        fixed != {"kind": "seed", "seed": seed, "v": 1}
        or type(seed) is not str
        or not SEED_HEX.fullmatch(seed)
    ):
        raise ValueError("not the line of a seed")
    return bytes.fromhex(seed)


class Shuffle(Struct, frozen=True):
    """The source of one game's draws. Its `repr` hides the key."""

    key: bytes

    @classmethod
    def from_shares(cls, line: str, shares: Mapping[Seat, str]) -> Shuffle:
        """Return the shuffle of a seed line and the phones' shares (hex); raise ValueError."""
        if not all(SHARE_HEX.fullmatch(share) for share in shares.values()):
            raise ValueError("a share has 32 hex digits")
        added = b"".join(bytes.fromhex(shares[seat]) for seat in sorted(shares))
        return cls(hashlib.sha256(read_seed(line) + added).digest())

    def draw(self, number: int) -> str:
        """Return the seed of draw `number`: 64 hex digits."""
        return hmac.new(self.key, b"%d" % number, hashlib.sha256).hexdigest()

    def __repr__(self) -> str:
        return "Shuffle(•)"


def redeal(
    game: Game, players: int, start: Mapping[str, Any], custom_setup: Collection[str], drawn: str
) -> dict[str, Any]:
    """Return the `to_setup` of a game dealt from the seed `drawn`.

    Keeps the fields of `start` that are not dealt or are in `custom_setup`. Raises `InvalidSetup`.
    """
    fields = {
        name: value
        for name, value in start.items()
        if name not in game.random_fields or name in custom_setup
    }
    try:
        setup = msgspec.convert(fields, game.setup_type)
    except msgspec.ValidationError as wrong:
        raise InvalidSetup("record_unreadable") from wrong
    return game.to_setup(game.fold(game.setup(game.seat_names(players), setup, Random(drawn))))


class LazyRandom(Random):
    """A generator that takes its seed from `source` at the first draw.

    drawn: that seed, from which a submission can be decided again; "" before the first draw
    has_begun: whether anything was drawn
    """

    def __init__(self, source: Callable[[], str]) -> None:
        super().__init__(0)
        self._source = source
        self.has_begun = False
        self.drawn = ""

    def random(self) -> float:
        self._begin()
        return super().random()

    def getrandbits(self, k: int, /) -> int:
        self._begin()
        return super().getrandbits(k)

    def _begin(self) -> None:
        if not self.has_begun:
            self.has_begun = True
            self.drawn = self._source()
            self.seed(self.drawn)
