"""The tag registry is kept over restarts, and no error loses its data."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import files
from companion.core.placement import Pawn
from companion.files import GuardedFile
from companion.sensors.rfid import registry
from companion.sensors.rfid.registry import (
    PawnTag,
    StoredCalibration,
    TagRegistry,
    TagRegistryNotSaved,
    TagRegistryUnreadable,
    TileTag,
    TokenTag,
)
from companion.sensors.serial.messages import Uid

UID_1, UID_2, UID_3 = (Uid(f"E0040150{number:08X}") for number in (1, 2, 3))
PAWN = PawnTag(Pawn("H1a"))


def test_it_survives_a_restart(tmp_path: Path) -> None:
    """Pawns, tiles, tokens and a board's gains are stored."""
    registry = TagRegistry(tmp_path)
    registry.register(UID_1, PAWN)
    registry.register(UID_2, TileTag(17))
    registry.register(UID_3, TokenTag("bullet"))
    registry.keep_calibration("ab", StoredCalibration((1.0, -0.5), (6, 6), 5.0))

    reloaded = TagRegistry(tmp_path)

    assert {UID_1: PAWN, UID_2: TileTag(17), UID_3: TokenTag("bullet")} == reloaded.tags("ab")
    assert ((1.0, -0.5), ()) == (tuple(reloaded.gains("ab")), tuple(reloaded.gains("cd")))


def test_a_pawn_has_one_tag_and_a_kind_of_token_many() -> None:
    """A pawn that gets a new tag loses the old one; a kind of token has many."""
    registry = TagRegistry()
    for uid, thing in ((UID_1, PAWN), (UID_2, PAWN)):
        registry.register(uid, thing)
    assert {UID_2: PAWN} == registry.tags("")

    for uid in (UID_1, UID_3):
        registry.register(uid, TokenTag("bat"))
    assert {UID_2: PAWN, UID_1: TokenTag("bat"), UID_3: TokenTag("bat")} == registry.tags("")


def test_what_is_forgotten_is_a_stranger_again() -> None:
    """After a pawn's tag is deleted another may have it."""
    registry = TagRegistry()
    registry.register(UID_1, PAWN)
    registry.forget(PAWN)

    assert {} == registry.tags("")


def test_the_built_in_tags_of_a_virtual_board() -> None:
    """Built-in tags count on their board alone; a piece registered again loses the old tag."""
    registry = TagRegistry(
        given=lambda board: {UID_1: PAWN, UID_2: TileTag(2)} if board == "ab" else {}
    )
    registry.register(UID_3, PAWN)

    assert {UID_2: TileTag(2), UID_3: PAWN} == registry.tags("ab")
    assert {UID_3: PAWN} == registry.tags("cd")


def test_a_damaged_file_is_not_thrown_away(tmp_path: Path) -> None:
    """A file of another release is named, and not changed."""
    path = tmp_path / registry.TAGS_FILE
    GuardedFile(path).write(b'{"tags": {"E0": {"thing": "dragon"}}}')

    with pytest.raises(TagRegistryUnreadable, match=r"tags\.json"):
        TagRegistry(tmp_path)
    assert "dragon" in path.read_text()


def test_a_flipped_bit_is_mended(tmp_path: Path) -> None:
    """A damaged file is written again from its copy, with every tag."""
    path = tmp_path / registry.TAGS_FILE
    TagRegistry(tmp_path).register(UID_1, PAWN)
    sound = path.read_bytes()
    path.write_bytes(sound.replace(b"E0040150", b"E0040151"))

    assert {UID_1: PAWN} == TagRegistry(tmp_path).tags("")
    assert sound == path.read_bytes()


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag that cannot be stored is not used either: it would be gone after a restart."""
    tags = TagRegistry(tmp_path)

    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "atomic_write", fail)

    with pytest.raises(TagRegistryNotSaved):
        tags.register(UID_1, PAWN)
    assert {} == tags.tags("")
