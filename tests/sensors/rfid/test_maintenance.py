"""Board maintenance over a session with the virtual board: registering new tags, and
calibration.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log10
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest

from companion.core.placement import Cell, Inventory, Pawn
from companion.sensors.observation import Tile
from companion.sensors.reader import BoardRefused
from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.maintenance import BoardMaintenance
from companion.sensors.rfid.registry import TagRegistry, TileTag
from companion.sensors.serial.messages import PAWN_TAGS
from companion.sensors.serial.poller import TagPoller
from companion.sensors.serial.procedure import Procedure
from companion.sim.rf_model import RfModel
from companion.sim.table_model import World, uid_of
from companion.sim.virtual_board import VirtualBoard
from tests.sensors.serial.wire_driver import Wire

T = TypeVar("T")
A1 = Cell("A1")
BOX = Inventory(pawns=(Pawn("H1a"), Pawn("H1b")), tokens={"bullet": 2}, tiles=38)


class Workshop(Wire):
    """A wire to a board with new tags, and the maintenance on its end; replaces the wire's
    thread.
    """

    def __init__(self, folder: Path | None = None, field: RfModel | None = None) -> None:
        super().__init__("identity")
        self.world = World(box="new")
        self.board = VirtualBoard("identity", self.world, pace=0.1, field=field)
        self.registry = TagRegistry(folder)
        self.bench = BoardMaintenance(self.registry, lambda: BOX, wall=lambda: 5.0)
        self.host = type(self.host)("serial", self.registry)
        self._to_board = self.host.opened("/dev/ttyACM0", 0.0)
        self.bench.attach(self)  # type: ignore[arg-type]
        self.run(1.0)

    @property
    def link(self) -> object:
        return self.host.link

    def start_procedure(self, plan: Callable[[Locator, str], Procedure]) -> bool:
        sight, number = self.host.poller, self.host.link.board_id
        return isinstance(sight, TagPoller) and self.host.start_procedure(
            plan(sight.decoder.locator, str(number))
        )

    def with_procedure(self, action: Callable[[Procedure | None], T]) -> T:
        return action(self.host.procedure)

    def reload_registry(self) -> None:
        self.host.reload_registry()

    @property
    def message(self) -> tuple[str, dict[str, object]]:
        """The prompt shown to a person now."""
        shown = self.bench.to_json()
        message = (shown["procedure"] or {}).get("message") or shown["message"]
        return message["code"], message["params"]

    def put(self, pawn: str, cell: str | None = "A1") -> None:
        """Put a pawn on a cell, and let the board scan."""
        self.world.put(Pawn(pawn), None if cell is None else Cell(cell))
        self.run(1.5)


@pytest.fixture
def workshop() -> Workshop:
    return Workshop()


def test_one_after_the_other(workshop: Workshop) -> None:
    """Each pawn is requested by name, registered when it stands there alone, and then found by
    its class.
    """
    workshop.bench.register("pawn")
    assert ("register_put_pawn", {"pawn": "H1a", "cell": "A1"}) == workshop.message

    workshop.put("H1a")
    assert ("register_put_pawn", {"pawn": "H1b", "cell": "A1"}) == workshop.message
    workshop.put("H1a", "C3")
    workshop.put("H1b")

    assert None is workshop.bench.to_json()["procedure"]
    assert {"C3": {"H1a"}, "A1": {"H1b"}} == dict(workshop.seen[-1].pawns or {})
    assert {PAWN_TAGS} == set(workshop.world.classes.values())


def test_tokens_are_counted(workshop: Workshop) -> None:
    """Of a kind of token as many are requested as the box holds."""
    workshop.bench.register("token")
    for expected in (2, 1):
        assert expected == workshop.bench.to_json()["procedure"]["left"]
        workshop.world.put_token(A1, "bullet") if expected == 2 else None
        workshop.run(1.5)
        if expected == 2:
            # The second token of the box, laid down when the first has been taken away to another
            # cell.
            workshop.world.tokens = {Cell("B2"): workshop.world.tokens[A1]}
            workshop.world.put_token(A1, "bullet")

    assert {"name": "token:bullet", "known": 2, "of": 2} in workshop.bench.to_json()["things"]


def test_nothing_else_may_lie_there(workshop: Workshop) -> None:
    """Two new tags on the cell, or a known one beside the new one, are refused with a message."""
    workshop.bench.register("pawn")
    workshop.world.put(Pawn("H1a"), A1)
    workshop.put("H1b")
    assert "register_two" == workshop.message[0]

    workshop.put("H1b", None)
    workshop.put("H1b")

    assert "register_alone" == workshop.message[0]
    assert [uid_of("H1a", "new")] == list(workshop.registry.tags(""))


def test_a_tag_known_twice_is_refused(workshop: Workshop) -> None:
    """1a's tag is refused for 1b by name, and 1b is requested again; once deleted it may be
    used.
    """
    workshop.bench.register("pawn:H1a")
    workshop.put("H1a")
    workshop.bench.register("pawn:H1b")
    workshop.run(1.5)
    assert ("register_known_pawn", {"pawn": "H1a", "cell": "A1"}) == workshop.message

    workshop.bench.forget("pawn:H1a")
    workshop.bench.register("pawn:H1b")
    workshop.run(1.5)

    assert {"A1": {"H1b"}} == dict(workshop.seen[-1].pawns or {})


def test_two_pawns_whose_tags_end_alike(workshop: Workshop) -> None:
    """A tag that answers in the slot of another pawn of the box is refused in words, with the digit
    and the pawn; it is taken if a person insists, and another tag without a question.
    """
    twins = [
        name
        for name in map("spare-{}".format, range(100))
        if uid_of(name, "new")[-1] == uid_of("H1a", "new")[-1]
    ]
    workshop.bench.register("pawn")
    workshop.put("H1a")
    workshop.put("H1a", "C3")
    workshop.put(twins[0])
    told = {"cell": "A1", "pawn": "H1a", "digit": uid_of("H1a", "new")[-1]}
    assert ("register_crowds", told) == workshop.message
    assert workshop.bench.to_json()["procedure"]["may_override"]
    workshop.put(twins[0], None)
    assert not workshop.bench.to_json()["procedure"]["may_override"]

    workshop.put(twins[1])
    workshop.bench.override()
    workshop.run(1.5)

    assert {uid_of("H1a", "new"), uid_of(twins[1], "new")} == set(workshop.registry.tags(""))


def test_a_lost_piece_is_replaced(workshop: Workshop) -> None:
    """A pawn registered again has the new tag; the lost tag is unknown."""
    workshop.bench.register("pawn:H1a")
    workshop.put("H1a")
    workshop.put("H1a", None)
    workshop.bench.register("pawn:H1a")
    workshop.put("SPARE")

    assert {uid_of("SPARE", "new")} == set(workshop.registry.tags(""))
    workshop.put("H1a", "C3")
    assert ["A1"] == list(workshop.seen[-1].pawns or {})


def test_a_tile_must_lie_upright(workshop: Workshop) -> None:
    """A turned tile must be turned upright first: a tag in another corner would give wrong
    turns.
    """
    workshop.bench.register("tile:17")
    workshop.world.put_tile(A1, Tile(17, 90))
    workshop.run(1.5)
    assert "register_upright" == workshop.message[0]

    workshop.world.put_tile(A1, Tile(17, 0))
    workshop.run(3.0)

    assert {A1: Tile(17, 0)} == dict(workshop.seen[-1].tiles or {})


def test_a_thing_beside_its_place_is_not_learnt(workshop: Workshop) -> None:
    """A pawn on the cell's border must be put in the middle."""
    workshop.bench.register("pawn:H1a")
    workshop.world.put(Pawn("H1a"), A1)
    workshop.world.nudge("H1a", 30, 0)
    workshop.run(1.5)

    assert "register_middle" == workshop.message[0]
    assert {} == dict(workshop.registry.tags(""))


def test_skip_and_stop(workshop: Workshop) -> None:
    """A missing item is skipped; after a stop, play is read again."""
    workshop.bench.register("pawn")
    workshop.bench.skip()
    assert {"pawn": "H1b", "cell": "A1"} == workshop.message[1]

    workshop.bench.stop()
    before = len(workshop.seen)
    workshop.run(1.5)

    assert None is workshop.bench.to_json()["procedure"] and len(workshop.seen) > before


def test_a_tag_that_cannot_be_marked_is_not_learnt(workshop: Workshop) -> None:
    """A tag whose class cannot be written would never be found again: it is requested once more."""
    workshop.bench.register("pawn:H1a")
    workshop.world.write_class = lambda uid, afi: False  # type: ignore[method-assign]
    workshop.put("H1a")
    told = {workshop.message[0]}
    for _ in range(40):
        workshop.run(0.05)
        told.add(workshop.message[0])

    assert "register_not_marked" in told and {} == dict(workshop.registry.tags(""))


def test_a_restart_of_the_board_ends_nothing(workshop: Workshop) -> None:
    """A board that restarts during a registration still requests the same piece."""
    workshop.bench.register("pawn:H1a")
    workshop.board.reset(workshop.now)
    workshop.run(1.0)
    workshop.put("H1a")

    assert [uid_of("H1a", "new")] == list(workshop.registry.tags(""))


def test_it_survives_a_restart_of_the_program(tmp_path: Path) -> None:
    """Registered tags are kept over a restart of the program."""
    workshop = Workshop(tmp_path)
    workshop.bench.register("pawn:H1a")
    workshop.put("H1a")

    again = Workshop(tmp_path)
    again.world.classes = workshop.world.classes
    again.put("H1a", "D4")

    assert {"D4": {"H1a"}} == dict(again.seen[-1].pawns or {})


@pytest.mark.parametrize("name", ["dragon", "pawn:", "tile:x", "cat:1", ""])
def test_no_such_thing(workshop: Workshop, name: str) -> None:
    """An unknown item is refused with a message."""
    with pytest.raises(BoardRefused, match="bench_no_such_thing"):
        workshop.bench.register(name)


def test_nothing_left_to_ask_for(workshop: Workshop) -> None:
    """When all of a kind are registered, there is a message."""
    workshop.bench.register("pawn")
    for pawn in ("H1a", "H1b"):
        workshop.put(pawn)
        workshop.put(pawn, None)

    with pytest.raises(BoardRefused, match="register_all_known"):
        workshop.bench.register("pawn")


def test_without_a_board() -> None:
    """Without a tag board there is nothing to maintain."""
    with pytest.raises(BoardRefused, match="bench_no_board"):
        BoardMaintenance(TagRegistry()).calibrate()
    with pytest.raises(BoardRefused, match="bench_no_board"):
        BoardMaintenance(TagRegistry()).register("pawn:H1a")


def test_a_board_is_calibrated() -> None:
    """From a laid field each loop's gain is stored under the board's number; a pawn beside a
    weak loop is then located.
    """
    field = RfModel.built(Random(4), 0.12)
    workshop = Workshop(field=field)
    workshop.bench.calibrate()
    workshop.run(3.0)
    assert "calibrate_no_tiles" == workshop.message[0]

    for number, cell in enumerate(workshop.world.geometry.cells, 1):
        workshop.world.put_tile(cell, Tile(number, 90 * (number % 4)))
    workshop.registry.register(uid_of("tile-1", "new"), TileTag(1))
    for number in range(2, 37):
        workshop.registry.register(uid_of(f"tile-{number}", "new"), TileTag(number))
    workshop.reload_registry()
    workshop.bench.calibrate()
    workshop.run(3.0)

    assert "calibrate_done" == workshop.message[0]
    kept = workshop.registry.gains(str(workshop.host.link.board_id))
    loud = [40 * log10(loudness) for loudness in field.loudness]
    assert max(abs(a - b) for a, b in zip(kept, loud, strict=True)) < 2.5
    assert {"at": 5.0, "unread": []} == workshop.bench.to_json()["calibrated"]

    workshop.bench.uncalibrate()
    assert None is workshop.bench.to_json()["calibrated"]
