"""The tag registry: it survives restarts, and no error loses its data."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.placement import Pawn
from companion.sensors.rfid import registry
from companion.sensors.rfid.registry import (
    PawnTag,
    StoredGains,
    TagRegistry,
    TagRegistryNotSaved,
    TagRegistryUnreadable,
    TileTag,
    TokenTag,
)
from companion.sensors.serial.messages import Uid

ONE, TWO, THREE = (Uid(f"E0040150{number:08X}") for number in (1, 2, 3))
PAWN = PawnTag(Pawn("H1a"))


def test_it_survives_a_restart(tmp_path: Path) -> None:
    """Pawns, tiles, tokens and a board's gains are stored."""
    registry = TagRegistry(tmp_path)
    registry.register(ONE, PAWN)
    registry.register(TWO, TileTag(17))
    registry.register(THREE, TokenTag("bullet"))
    registry.keep_tuning("ab", StoredGains((1.0, -0.5), (6, 6), 5.0))

    again = TagRegistry(tmp_path)

    assert {ONE: PAWN, TWO: TileTag(17), THREE: TokenTag("bullet")} == again.tags("ab")
    assert ((1.0, -0.5), ()) == (tuple(again.gains("ab")), tuple(again.gains("cd")))


def test_a_pawn_has_one_tag_and_a_kind_of_token_many() -> None:
    """A pawn that gets a new tag loses the old one; tokens of a kind are all alike."""
    registry = TagRegistry()
    for uid, thing in ((ONE, PAWN), (TWO, PAWN)):
        registry.register(uid, thing)
    assert {TWO: PAWN} == registry.tags("")

    for uid in (ONE, THREE):
        registry.register(uid, TokenTag("bat"))
    assert {TWO: PAWN, ONE: TokenTag("bat"), THREE: TokenTag("bat")} == registry.tags("")


def test_what_is_forgotten_is_a_stranger_again() -> None:
    """After a pawn's tag is deleted another may have it."""
    registry = TagRegistry()
    registry.register(ONE, PAWN)
    registry.forget(PAWN)

    assert {} == registry.tags("")


def test_the_built_in_tags_of_a_virtual_board() -> None:
    """Built-in tags count on their board alone; a piece registered again loses the old tag."""
    registry = TagRegistry(
        given=lambda board: {ONE: PAWN, TWO: TileTag(2)} if board == "ab" else {}
    )
    registry.register(THREE, PAWN)

    assert {TWO: TileTag(2), THREE: PAWN} == registry.tags("ab")
    assert {THREE: PAWN} == registry.tags("cd")


def test_a_damaged_file_is_not_thrown_away(tmp_path: Path) -> None:
    """An unreadable file is named, and stays as it is."""
    path = tmp_path / registry.TAGS_FILE
    path.write_text('{"tags": {"E0": {"thing": "dragon"}}}')

    with pytest.raises(TagRegistryUnreadable, match=r"tags\.json"):
        TagRegistry(tmp_path)
    assert "dragon" in path.read_text()


def test_a_full_disk_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tag that cannot be stored is not used either: it would be gone after a restart."""
    tags = TagRegistry(tmp_path)

    def fail(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(registry, "atomic_write", fail)

    with pytest.raises(TagRegistryNotSaved):
        tags.register(ONE, PAWN)
    assert {} == tags.tags("")
