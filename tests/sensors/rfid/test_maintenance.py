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
from companion.sensors.serial.messages import PAWN_TAGS, Uid
from companion.sensors.serial.poller import TagPoller
from companion.sensors.serial.procedure import Procedure
from companion.sim.rf_model import RfModel
from companion.sim.table_model import World, uid_of
from companion.sim.virtual_board import VirtualBoard
from tests.sensors.serial.connection import Connection

T = TypeVar("T")
A1 = Cell("A1")
BOX = Inventory(pawns=(Pawn("H1a"), Pawn("H1b")), tokens={"bullet": 2}, tiles=38)


class MaintenanceSession(Connection):
    """A connection to a board with new tags, and its maintenance; it stands in for the board's
    thread.
    """

    def __init__(self, folder: Path | None = None, field: RfModel | None = None) -> None:
        super().__init__("identity")
        self.world = World(box="new")
        self.board = VirtualBoard("identity", self.world, pace=0.1, field=field)
        self.registry = TagRegistry(folder)
        self.maintenance = BoardMaintenance(self.registry, lambda: BOX, wall=lambda: 5.0)
        self.host = type(self.host)("serial", self.registry)
        self._to_board = self.host.port_opened("/dev/ttyACM0", 0.0)
        self.maintenance.attach(self)  # type: ignore[arg-type]
        self.run(1.0)

    @property
    def link(self) -> object:
        return self.host.link

    def start_procedure(self, plan: Callable[[Locator, str], Procedure]) -> bool:
        poller, number = self.host.poller, self.host.link.board_id
        return isinstance(poller, TagPoller) and self.host.start_procedure(
            plan(poller.decoder.locator, str(number))
        )

    def with_procedure(self, action: Callable[[Procedure | None], T]) -> T:
        return action(self.host.procedure)

    def reload_registry(self) -> None:
        self.host.reload_registry()

    @property
    def message(self) -> tuple[str, dict[str, object]]:
        """The prompt for the user."""
        status = self.maintenance.to_json()
        message = (status["procedure"] or {}).get("message") or status["message"]
        return message["code"], message["params"]

    def put(self, pawn: str, cell: str | None = "A1") -> None:
        """Put a pawn on a cell, and let the board scan."""
        self.world.put(Pawn(pawn), None if cell is None else Cell(cell))
        self.run(1.5)


@pytest.fixture
def session() -> MaintenanceSession:
    return MaintenanceSession()


@pytest.mark.slow
def test_one_after_the_other(session: MaintenanceSession) -> None:
    """Each pawn is requested by name, registered when it is alone on the cell, and then found by
    its class.
    """
    session.maintenance.register("pawn")
    assert ("register_put_pawn", {"pawn": "H1a", "cell": "A1"}) == session.message

    session.put("H1a")
    assert ("register_put_pawn", {"pawn": "H1b", "cell": "A1"}) == session.message
    session.put("H1a", "C3")
    session.put("H1b")

    assert None is session.maintenance.to_json()["procedure"]
    assert {"C3": {"H1a"}, "A1": {"H1b"}} == dict(session.observations[-1].pawns or {})
    assert {PAWN_TAGS} == set(session.world.classes.values())


@pytest.mark.slow
def test_tokens_are_counted(session: MaintenanceSession) -> None:
    """As many tokens of a kind are requested as the box holds."""
    session.maintenance.register("token")
    for expected in (2, 1):
        assert expected == session.maintenance.to_json()["procedure"]["left"]
        session.world.put_token(A1, "bullet") if expected == 2 else None
        session.run(1.5)
        if expected == 2:
            # The box's second token, placed after the first was moved to another cell.
            session.world.tokens = {Cell("B2"): session.world.tokens[A1]}
            session.world.put_token(A1, "bullet")

    assert {"name": "token:bullet", "known": 2, "of": 2} in session.maintenance.to_json()["things"]


def test_nothing_else_may_lie_there(session: MaintenanceSession) -> None:
    """Two new tags on the cell, or a known one beside the new one, are refused with a message."""
    session.maintenance.register("pawn")
    session.world.put(Pawn("H1a"), A1)
    session.put("H1b")
    assert "register_two" == session.message[0]

    session.put("H1b", None)
    session.put("H1b")

    assert "register_alone" == session.message[0]
    assert [uid_of("H1a", "new")] == list(session.registry.tags(""))


@pytest.mark.slow
def test_a_tag_known_twice_is_refused(session: MaintenanceSession) -> None:
    """1a's tag is refused for 1b by name, and 1b is requested again; once deleted it may be
    used.
    """
    session.maintenance.register("pawn:H1a")
    session.put("H1a")
    session.maintenance.register("pawn:H1b")
    session.run(1.5)
    assert ("register_known_pawn", {"pawn": "H1a", "cell": "A1"}) == session.message

    session.maintenance.forget("pawn:H1a")
    session.maintenance.register("pawn:H1b")
    session.run(1.5)

    assert {"A1": {"H1b"}} == dict(session.observations[-1].pawns or {})


@pytest.mark.slow
def test_two_pawns_whose_tags_end_alike(session: MaintenanceSession) -> None:
    """A tag that answers in the slot of another pawn's is refused with the digit and the pawn; an
    override accepts it, and another tag needs none.
    """
    colliding = [
        name
        for name in map("spare-{}".format, range(100))
        if uid_of(name, "new")[-1] == uid_of("H1a", "new")[-1]
    ]
    session.maintenance.register("pawn")
    session.put("H1a")
    session.put("H1a", "C3")
    session.put(colliding[0])
    params = {"cell": "A1", "pawn": "H1a", "digit": uid_of("H1a", "new")[-1]}
    assert ("register_crowds", params) == session.message
    assert session.maintenance.to_json()["procedure"]["may_override"]
    session.put(colliding[0], None)
    assert not session.maintenance.to_json()["procedure"]["may_override"]

    session.put(colliding[1])
    session.maintenance.override()
    session.run(1.5)

    assert {uid_of("H1a", "new"), uid_of(colliding[1], "new")} == set(session.registry.tags(""))


@pytest.mark.slow
def test_a_lost_piece_is_replaced(session: MaintenanceSession) -> None:
    """A pawn registered again has the new tag; the lost tag is unknown."""
    session.maintenance.register("pawn:H1a")
    session.put("H1a")
    session.put("H1a", None)
    session.maintenance.register("pawn:H1a")
    session.put("SPARE")

    assert {uid_of("SPARE", "new")} == set(session.registry.tags(""))
    session.put("H1a", "C3")
    assert ["A1"] == list(session.observations[-1].pawns or {})


def test_a_tile_must_lie_upright(session: MaintenanceSession) -> None:
    """A turned tile must be turned upright first: a tag in another corner would give wrong
    turns.
    """
    session.maintenance.register("tile:17")
    session.world.put_tile(A1, Tile(17, 90))
    session.run(1.5)
    assert "register_upright" == session.message[0]

    session.world.put_tile(A1, Tile(17, 0))
    session.run(3.0)

    assert {A1: Tile(17, 0)} == dict(session.observations[-1].tiles or {})


def test_a_thing_beside_its_place_is_not_learnt(session: MaintenanceSession) -> None:
    """A pawn on the cell's border must be put in the middle."""
    session.maintenance.register("pawn:H1a")
    session.world.put(Pawn("H1a"), A1)
    session.world.nudge("H1a", 30, 0)
    session.run(1.5)

    assert "register_middle" == session.message[0]
    assert {} == dict(session.registry.tags(""))


def test_skip_and_stop(session: MaintenanceSession) -> None:
    """A missing item is skipped; after a stop, the board is read again."""
    session.maintenance.register("pawn")
    session.maintenance.skip()
    assert {"pawn": "H1b", "cell": "A1"} == session.message[1]

    session.maintenance.stop()
    count = len(session.observations)
    session.run(1.5)

    assert None is session.maintenance.to_json()["procedure"] and len(session.observations) > count


def test_a_tag_that_cannot_be_marked_is_not_learnt(session: MaintenanceSession) -> None:
    """A tag whose class cannot be written would never be found again: it is requested once more."""
    session.maintenance.register("pawn:H1a")
    session.world.write_class = lambda uid, afi: False  # type: ignore[method-assign]
    session.put("H1a")
    codes = {session.message[0]}
    for _ in range(40):
        session.run(0.05)
        codes.add(session.message[0])

    assert "register_not_marked" in codes and {} == dict(session.registry.tags(""))


def test_an_item_that_is_skipped_while_its_tag_is_marked_is_not_learnt(
    session: MaintenanceSession,
) -> None:
    """The tag is not stored as the next item, whose class it does not have."""
    session.maintenance.register("pawn")
    write_class = session.world.write_class

    def skipped(uid: Uid, afi: int) -> bool:
        session.maintenance.skip()
        return write_class(uid, afi)

    session.world.write_class = skipped  # type: ignore[method-assign]
    session.put("H1a")

    assert {} == dict(session.registry.tags(""))


def test_another_board_ends_what_was_begun(session: MaintenanceSession) -> None:
    """A calibration or registration begun on one board does not go on with another one."""
    session.maintenance.register("pawn:H1a")
    session.board._board_id = b"another1"
    session.reopen()
    session.run(1.0)
    session.put("H1a")

    assert None is session.maintenance.to_json()["procedure"]
    assert {} == dict(session.registry.tags(""))


def test_a_restart_of_the_board_ends_nothing(session: MaintenanceSession) -> None:
    """A board that restarts during a registration still requests the same piece."""
    session.maintenance.register("pawn:H1a")
    session.board.reset(session.now)
    session.run(1.0)
    session.put("H1a")

    assert [uid_of("H1a", "new")] == list(session.registry.tags(""))


@pytest.mark.slow
def test_it_survives_a_restart_of_the_program(tmp_path: Path) -> None:
    """Registered tags are kept over a restart of the program."""
    session = MaintenanceSession(tmp_path)
    session.maintenance.register("pawn:H1a")
    session.put("H1a")

    restarted = MaintenanceSession(tmp_path)
    restarted.world.classes = session.world.classes
    restarted.put("H1a", "D4")

    assert {"D4": {"H1a"}} == dict(restarted.observations[-1].pawns or {})


@pytest.mark.parametrize("name", ["dragon", "pawn:", "tile:x", "cat:1", ""])
def test_no_such_thing(session: MaintenanceSession, name: str) -> None:
    """An unknown item is refused with a message."""
    with pytest.raises(BoardRefused, match="maintenance_no_such_thing"):
        session.maintenance.register(name)


def test_nothing_left_to_ask_for(session: MaintenanceSession) -> None:
    """When all of a kind are registered, there is a message."""
    session.maintenance.register("pawn")
    for pawn in ("H1a", "H1b"):
        session.put(pawn)
        session.put(pawn, None)

    with pytest.raises(BoardRefused, match="register_all_known"):
        session.maintenance.register("pawn")


def test_without_a_board() -> None:
    """Without a tag board maintenance is refused."""
    with pytest.raises(BoardRefused, match="maintenance_no_board"):
        BoardMaintenance(TagRegistry()).calibrate()
    with pytest.raises(BoardRefused, match="maintenance_no_board"):
        BoardMaintenance(TagRegistry()).register("pawn:H1a")


@pytest.mark.slow
def test_a_board_is_calibrated() -> None:
    """From a laid field each loop's gain is stored under the board's number; a pawn beside a
    weak loop is then located.
    """
    field = RfModel.with_spread(Random(4), 0.12)
    session = MaintenanceSession(field=field)
    session.maintenance.calibrate()
    session.run(3.0)
    assert "calibrate_no_tiles" == session.message[0]

    for number, cell in enumerate(session.world.geometry.cells, 1):
        session.world.put_tile(cell, Tile(number, 90 * (number % 4)))
    session.registry.register(uid_of("tile-1", "new"), TileTag(1))
    for number in range(2, 37):
        session.registry.register(uid_of(f"tile-{number}", "new"), TileTag(number))
    session.reload_registry()
    session.maintenance.calibrate()
    session.run(3.0)

    assert "calibrate_done" == session.message[0]
    gains = session.registry.gains(str(session.host.link.board_id))
    expected = [40 * log10(gain) for gain in field.gains]
    assert max(abs(a - b) for a, b in zip(gains, expected, strict=True)) < 2.5
    assert {"at": 5.0, "unread": []} == session.maintenance.to_json()["calibrated"]

    session.maintenance.uncalibrate()
    assert None is session.maintenance.to_json()["calibrated"]
