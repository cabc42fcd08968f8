"""New pieces are registered through the real firmware: wizard, serial board, pseudo-terminal,
classes on tags.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from companion.sensors.rfid.maintenance import BoardMaintenance
from companion.sensors.rfid.registry import TagRegistry
from companion.sensors.serial.messages import PAWN_TAGS, TILE_TAGS

from companion.core.placement import Cell, Inventory, Pawn
from companion.sensors.observation import Observation, Tile
from companion.sensors.serial.board import SerialBoard
from companion.sim.emulated import EmulatedBoard, EmulatedTerminal
from companion.sim.table_model import World
from tests.emulator.conftest import sound

TIMEOUT = 90.0
A1 = Cell("A1")


class Workshop:
    """The emulated board with a new box, the thread at its wire, and its maintenance."""

    def __init__(self, folder: Path) -> None:
        self.world = World([Pawn("H1a"), Pawn("H1b")], box="new")
        self.terminal = EmulatedTerminal(EmulatedBoard("identity", self.world), folder / "board")
        self.terminal.start()
        self.registry = TagRegistry(folder)
        self.maintenance = BoardMaintenance(
            self.registry, lambda: Inventory(pawns=(Pawn("H1a"), Pawn("H1b")), tiles=38)
        )
        self.observations: list[Observation] = []
        self.board = SerialBoard(
            str(self.terminal.path),
            monotonic=time.monotonic,
            on_observation=self.observations.append,
            on_link=lambda link: None,
            registry=self.registry,
        )
        self.maintenance.attach(self.board)
        self.board.start()
        self.until(lambda: self.board.link.state == "up", "the board")

    def close(self) -> None:
        self.board.close()
        sound(self.terminal.board.emulator, "identity")
        self.terminal.close()

    def until(self, condition: Callable[[], object], description: str) -> None:
        """Wait until a condition holds; the time it takes is not asserted."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            assert time.monotonic() < end, (description, self.maintenance.to_json()["procedure"])
            time.sleep(0.02)

    def put(self, pawn: str, cell: str | None) -> None:
        self.terminal.do(
            lambda board, now: board.world.put(Pawn(pawn), None if cell is None else Cell(cell))
        )

    def tag_count(self) -> int:
        return len(self.registry.tags(""))

    def sees(self, pawns: dict[str, set[str]], tiles: dict[Cell, Tile]) -> bool:
        last = self.observations[-1] if self.observations else None
        standing = {str(cell): set(on) for cell, on in (last.pawns or {}).items()} if last else {}
        return last is not None and standing == pawns and last.tiles == tiles


@pytest.fixture
def workshop(built: Path, tmp_path: Path) -> Iterator[Workshop]:
    workshop = Workshop(tmp_path)
    yield workshop
    workshop.close()


def test_a_new_box(workshop: Workshop) -> None:
    """Two pawns and a tile are learnt one after the other, classes are written on their tags, and
    play reads them so.
    """
    workshop.maintenance.register("pawn")
    for number, pawn in enumerate(("H1a", "H1b"), 1):
        workshop.put(pawn, "A1")
        workshop.until(lambda n=number: workshop.tag_count() == n, pawn)  # type: ignore[misc]
        workshop.put(pawn, f"{'BD'[number - 1]}3")
    workshop.maintenance.register("tile:17")
    workshop.terminal.do(lambda board, now: board.world.put_tile(A1, Tile(17, 0)))
    workshop.until(lambda: workshop.tag_count() == 3, "tile 17")

    workshop.until(lambda: workshop.sees({"B3": {"H1a"}, "D3": {"H1b"}}, {A1: Tile(17, 0)}), "play")
    workshop.terminal.do(lambda board, now: None)
    assert [TILE_TAGS, PAWN_TAGS, PAWN_TAGS] == sorted(workshop.world.classes.values())
