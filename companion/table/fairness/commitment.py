"""Commit to deals and secret turns by a hash, to be opened after the game.

A line is ASCII JSON with sorted keys and no spaces; its seal is the hex SHA-256 of its bytes. Each
line of a turn names the seal before it, so nothing can be inserted or left out.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.core.codec import canonical_json

ZERO_HASH = "0" * 64
"""The seal before the first, and the head before the first public event."""

ADJECTIVES = (
    "amber", "ashen", "bitter", "black", "blue", "bold", "brave", "brief", "bright", "broken",
    "calm", "chilly", "clear", "clever", "cold", "copper", "crooked", "dark", "deep", "distant",
    "dusty", "early", "empty", "fair", "faint", "fierce", "foggy", "frozen", "gentle", "golden",
    "grey", "hasty", "heavy", "hidden", "hollow", "humble", "icy", "idle", "iron", "ivory", "jolly",
    "keen", "late", "lonely", "lucky", "misty", "narrow", "noble", "old", "pale", "patient",
    "quiet", "rapid", "red", "rusty", "secret", "silent", "silver", "sleepy", "tall", "velvet",
    "violet", "wild", "young",
)  # fmt: skip

ANIMALS = (
    "ant", "badger", "bat", "bear", "beaver", "bee", "bison", "boar", "camel", "cat", "crab",
    "crane", "crow", "deer", "dog", "dove", "duck", "eagle", "eel", "elk", "falcon", "ferret",
    "finch", "fox", "frog", "goat", "goose", "hare", "hawk", "heron", "horse", "hound", "ibis",
    "jackal", "jay", "koala", "lark", "lion", "lizard", "lynx", "magpie", "mole", "moose", "moth",
    "mouse", "newt", "otter", "owl", "ox", "panda", "parrot", "pike", "rabbit", "ram", "raven",
    "robin", "salmon", "seal", "snail", "spider", "stork", "swan", "tiger", "wolf",
)  # fmt: skip


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def turn_line(
    *,
    game: str,
    kind: str,
    seat: str,
    number: int,
    actions: Sequence[dict[str, Any]],
    path: Sequence[str],
    prev: str,
    nonce: bytes,
) -> str:
    """Return the line of one secret turn.

    game: the game's key
    prev: the seal before it
    nonce: 32 fresh random bytes
    """
    if len(nonce) != 32:
        raise ValueError(f"a nonce has 32 bytes, not {len(nonce)}")
    return canonical_json(
        {
            "actions": list(actions),
            "game": game,
            "kind": kind,
            "nonce": nonce.hex(),
            "number": number,
            "path": list(path),
            "prev": prev,
            "seat": seat,
            "v": 1,
        }
    )


def deal_line(*, game: str, start: Mapping[str, Any], nonce: bytes) -> str:
    """Return the line of a deal: all secret draws, and the hash of the rest of the set-up.

    start: the game's `to_setup`; `game` and `nonce` as in `turn_line`
    """
    if len(nonce) != 32:
        raise ValueError(f"a nonce has 32 bytes, not {len(nonce)}")
    rest = {name: value for name, value in start.items() if name != "deal"}
    return canonical_json(
        {
            "deal": start["deal"],
            "game": game,
            "kind": "deal",
            "nonce": nonce.hex(),
            "rest": _sha256(canonical_json(rest)),
            "v": 1,
        }
    )


def commit(text: str) -> str:
    """Return the seal of a line: 64 hex digits."""
    return _sha256(text)


def matches(text: str, sealed: str) -> bool:
    """Return whether a line opens a seal."""
    return text.isascii() and commit(text) == sealed


def parse_line(text: str) -> dict[str, Any]:
    """Return a line's values; raise ValueError unless it is canonical."""
    values = json.loads(text)
    if not isinstance(values, dict) or canonical_json(values) != text:
        raise ValueError("not a canonical line")
    return values


def game_key(public_keys: Iterable[bytes], nonce: bytes) -> str:
    """Return the key of a game, 26 base32 letters: a hash of public keys and a nonce."""
    digest = hashlib.sha256(b"".join([*public_keys, nonce])).digest()
    return base64.b32encode(digest[:16]).decode("ascii").rstrip("=").lower()


def next_head(previous: str, event: dict[str, Any]) -> str:
    """Return the head H_k of the public events: the hash of H_(k-1) and event k."""
    return _sha256(previous + canonical_json(event))


def word_fingerprint(sealed: str) -> str:
    """Return a short form such as "amber-fox-17" to compare two screens; it does not bind."""
    first, second, third = bytes.fromhex(sealed[:6])
    return (
        f"{ADJECTIVES[first % len(ADJECTIVES)]}-{ANIMALS[second % len(ANIMALS)]}-{third % 90 + 10}"
    )
