"""Registering tags and choosing devices from the page /board."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.placement import Cell, Inventory, Pawn
from companion.files import GuardedFile
from companion.sensors.board_source import BoardSource, Diagnosis
from companion.sensors.maintenance import BoardMaintenance
from companion.sensors.reader import BoardRefused
from companion.sensors.reported_pieces import Piece
from companion.sensors.tags.registry import (
    TagRegistry,
    TagRegistryNotSaved,
    TagRegistryUnreadable,
    Uid,
)

BOX = Inventory((Pawn("H1a"), Pawn("H1b")), {"bullet": 2}, 3)


class Board(BoardSource):
    """A board on which these pieces lie."""

    def __init__(self, registry: TagRegistry, *pieces: tuple[str, str]) -> None:
        super().__init__("board", monotonic=lambda: 0.0, on_link=lambda link: None)
        self.registry = registry
        self.pieces: list[Piece] = [(Cell(cell), Uid(uid)) for cell, uid in pieces]
        self.reloads = 0

    def diagnosis(self) -> Diagnosis:
        return Diagnosis(self.link, (), self.pieces, self.registry.tags())

    def reload_registry(self) -> None:
        self.reloads += 1

    def _read(self) -> None:
        raise NotImplementedError

    def show_lamps(self, line: str) -> None:
        raise NotImplementedError

    def choose(self, port: str) -> bool:
        return port == "/dev/ttyACM1"


def maintained(*pieces: tuple[str, str]) -> tuple[BoardMaintenance, Board]:
    """Return the maintenance of a board with these pieces."""
    registry = TagRegistry()
    board = Board(registry, *pieces)
    maintenance = BoardMaintenance(registry, lambda: BOX)
    maintenance.attach(board)
    return maintenance, board


def test_the_one_new_tag_is_registered() -> None:
    """The piece that a person names gets the only new tag on the board, beside known ones; the
    board reports it by name from then on.
    """
    maintenance, board = maintained(("A1", "AA01"))
    maintenance.register("pawn:H1a")
    board.pieces.append((Cell("B1"), Uid("AA02")))
    assert [{"uid": "AA02", "cell": "B1"}] == maintenance.to_json()["strangers"]
    maintenance.register("token:bullet")

    assert {"AA01": "pawn:H1a", "AA02": "token:bullet"} == board.registry.tags()
    assert 2 == board.reloads
    assert {"name": "token:bullet", "known": 1, "of": 2} in maintenance.to_json()["things"]


@pytest.mark.parametrize(
    ("pieces", "name", "code"),
    [
        ([], "pawn:H1a", "register_none"),
        ([("A1", "")], "pawn:H1a", "register_none"),
        ([("A1", "AA01"), ("B1", "AA02")], "pawn:H1a", "register_two"),
        ([("A1", "AA01")], "pawn:H9a", "maintenance_no_such_thing"),
        ([("A1", "AA01")], "tile:x", "maintenance_no_such_thing"),
    ],
)
def test_refusals(pieces: list[tuple[str, str]], name: str, code: str) -> None:
    """Without a new tag, with several, or for a piece that is not in the box nothing is stored."""
    maintenance, board = maintained(*pieces)
    with pytest.raises(BoardRefused) as refused:
        maintenance.register(name)

    assert (code, {}) == (refused.value.message.code, dict(board.registry.tags()))


def test_devices() -> None:
    """A plugged-in device is chosen; any other is refused."""
    maintenance, board = maintained()
    maintenance.chooser = board
    maintenance.use_board("/dev/ttyACM1")
    with pytest.raises(BoardRefused, match="maintenance_no_such_board"):
        maintenance.use_board("/dev/null")


def test_a_piece_has_one_tag_and_keeps_it(tmp_path: Path) -> None:
    """A pawn's new tag replaces the old one, tokens have many, and all are in the file."""
    registry = TagRegistry(tmp_path)
    for uid, thing in (
        ("AA01", "pawn:H1a"), ("AA02", "pawn:H1a"),
        ("AA03", "token:bat"), ("AA04", "token:bat"), ("AA05", "tile:7"),
    ):  # fmt: skip
        registry.register(Uid(uid), thing)
    registry.forget("tile:7")

    assert ["AA02", "AA03", "AA04"] == list(TagRegistry(tmp_path).tags())


def test_built_in_tags_are_replaced() -> None:
    """A board's built-in tags are known without a file; a registered tag takes a piece over."""
    registry = TagRegistry(
        built_in=lambda board: {Uid("AA01"): "pawn:H1a"} if board == "virtual" else {}
    )
    assert [{}, {"AA01": "pawn:H1a"}] == [registry.tags(b) for b in ("", "virtual")]
    registry.register(Uid("AA02"), "pawn:H1a")

    assert {"AA02": "pawn:H1a"} == registry.tags("virtual")


def test_a_file_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    """A file of another release is left as it is, with a sentence; a full disk changes nothing."""
    GuardedFile(tmp_path / "tags.json").write(b'{"AA": "dragon:1"}')
    with pytest.raises(TagRegistryUnreadable):
        TagRegistry(tmp_path)
    assert "dragon" in (tmp_path / "tags.json").read_text()
    registry = TagRegistry(tmp_path / "absent")
    with pytest.raises(TagRegistryNotSaved):
        registry.register(Uid("AA01"), "pawn:H1a")

    assert {} == registry.tags()


def test_a_flipped_bit_is_mended(tmp_path: Path) -> None:
    """A damaged file is written again from its copy, with every tag."""
    TagRegistry(tmp_path).register(Uid("AA01"), "pawn:H1a")
    path = tmp_path / "tags.json"
    sound = path.read_bytes()
    path.write_bytes(sound.replace(b"AA01", b"AA03"))

    assert {"AA01": "pawn:H1a"} == TagRegistry(tmp_path).tags()
    assert sound == path.read_bytes()
