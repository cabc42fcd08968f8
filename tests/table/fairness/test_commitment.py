"""Seals and heads, with the vectors that Python, coreutils, OpenSSL and Node agree on."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.fairness import commitment

PLACE = (
    '{"actions":[{"cell":"C4","type":"place"}],"game":"hyuydqjvewwxyz75vlmsaojg6m","kind":"place",'
    '"nonce":"4ff3573c543cdfa11a2e49e3864a0e31007df5347dca46b812f08a3b2caee8e9","number":1,"path":["C4"],'
    '"prev":"0000000000000000000000000000000000000000000000000000000000000000","seat":"V","v":1}'
)
NIGHT = (
    '{"actions":[{"to":"C5","type":"walk"},{"to":"D5","type":"attack"},{"type":"end"}],'
    '"game":"hyuydqjvewwxyz75vlmsaojg6m","kind":"night",'
    '"nonce":"e83a328a241ab772ca5dfc5afb325ce0e071c966d267059b24292cbd45f8328b","number":2,'
    '"path":["C4","C5","D5"],"prev":"39cd3c189f9582834b47193d571e66a0c3c86a909dc6c526b7c4fba3cab6a143","seat":"V","v":1}'
)
PLACE_SEAL = "39cd3c189f9582834b47193d571e66a0c3c86a909dc6c526b7c4fba3cab6a143"
NIGHT_SEAL = "bfafd97694d2296670a4fc5c446eed2d388e4fbf6f88f2e872995dd7880396a6"


def night_line(**change: Any) -> str:
    values: dict[str, Any] = {
        "game": "hyuydqjvewwxyz75vlmsaojg6m",
        "kind": "night",
        "seat": "V",
        "number": 2,
        "actions": [{"to": "C5", "type": "walk"}, {"to": "D5", "type": "attack"}, {"type": "end"}],
        "path": ["C4", "C5", "D5"],
        "prev": PLACE_SEAL,
        "nonce": bytes.fromhex("e83a328a241ab772ca5dfc5afb325ce0e071c966d267059b24292cbd45f8328b"),
    }
    return commitment.turn_line(**values | change)


def test_seals_of_the_vectors() -> None:
    """The seal is the lowercase hex SHA-256 of the bytes of the line."""
    assert PLACE_SEAL == commitment.commit(PLACE)
    assert NIGHT_SEAL == commitment.commit(NIGHT)


def test_line_of_the_vector() -> None:
    """A line is ASCII JSON: keys sorted, no spaces, no newline."""
    assert NIGHT == night_line()


def test_heads_of_the_vectors() -> None:
    """A head is the SHA-256 of the head before it and the canonical JSON of the public event."""
    first = commitment.next_head(
        commitment.ZERO_HASH,
        {"event": "night_sealed", "number": 1, "seal": PLACE_SEAL, "seat": "V"},
    )
    second = commitment.next_head(
        first, {"event": "pawn_walked", "from": "A1", "pawn": "H1a", "to": "B1"}
    )

    assert "db57ef0b01d462c0b04a0ea1d085838ddc912d8b4278dd516a03328cefc9bb41" == first
    assert "dc1186d57855dab945e4cb527a31b4e9c4d99482ae4e7d0bbf14a8af6240a0e5" == second


def test_line_can_be_pasted_between_single_quotes() -> None:
    """A line holds no quote, backslash or percent sign, so that printf and sha256sum can check
    it.
    """
    assert not re.search(r"['\\%\n]", NIGHT)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_short_nonce(size: int) -> None:
    """A nonce of other than 32 bytes is refused: with a short one 36 tiles are soon tried."""
    with pytest.raises(ValueError, match="32 bytes"):
        night_line(nonce=bytes(size))


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_seals_of_two_nonces(first: bytes, second: bytes) -> None:
    """Two equal nights have different seals unless their nonces are the same."""
    same = commitment.commit(night_line(nonce=first)) == commitment.commit(night_line(nonce=second))

    assert (first == second) == same


@given(st.integers(0, len(NIGHT) - 1), st.characters(min_codepoint=32, max_codepoint=126))
def test_changed_line(index: int, character: str) -> None:
    """A line with any character changed does not open the seal."""
    changed = NIGHT[:index] + character + NIGHT[index + 1 :]

    assert (changed == NIGHT) == commitment.matches(changed, NIGHT_SEAL)


def test_parse_line() -> None:
    """Only the canonical form of a line is read."""
    assert ["C4", "C5", "D5"] == commitment.parse_line(NIGHT)["path"]
    for wrong in (NIGHT + " ", NIGHT.replace(":", ": ", 1), "[]", "{"):
        with pytest.raises(ValueError):
            commitment.parse_line(wrong)


@given(st.binary(min_size=32, max_size=32))
def test_words(digest: bytes) -> None:
    """The short form is two words and a number of two digits."""
    assert re.fullmatch(r"[a-z]+-[a-z]+-[1-9][0-9]", commitment.word_fingerprint(digest.hex()))


@pytest.mark.slow
@given(st.lists(st.binary(min_size=16, max_size=32), min_size=1))
def test_game_key(public_keys: list[bytes]) -> None:
    """A game's key is 26 lowercase base32 letters and changes with each public key."""
    key = commitment.game_key(public_keys, b"once")

    assert re.fullmatch(r"[a-z2-7]{26}", key)
    assert key != commitment.game_key([*public_keys, b"one more"], b"once")
