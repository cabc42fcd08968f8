"""A board and a camera at one table: the board reports which cells are occupied, the camera
identifies the pawns, and a contradiction is asked.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.placement import Cell, Pawn, Placement
from companion.games.vampireradar.actions import Walk
from companion.sensors.fusion import CAPTURE_LAG, CONFLICT_TIME, SensorFusion
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.vision.field import FIELD_CELLS
from tests.helpers.simulated_clock import SimulatedClock
from tests.sensors.fakes import Record, by_name, by_presence, moved, record

BOARD_UP = Link("up", port="/dev/ttyUSB0", generation=1)
CAMERA_UP = Link("up", port="phone", generation=1, source="camera")
STEP = 0.25
"""Seconds between two looks of both."""
NOTHING: frozenset[Cell] = frozenset()


class Fused:
    """A board and a camera over one placement; the camera reports nothing of `covered` cells.

    `delay`: steps by which a picture is late. `stuck`: cells that the board always reports
    occupied. `misread`: pawns that the camera reports on other cells.
    """

    def __init__(self, placement: Placement, *, identity: bool = False, delay: int = 1) -> None:
        self.clock = SimulatedClock()
        self.observations: list[Observation] = []
        self.links: list[Link] = []
        self.fusion = SensorFusion(self.observed, self.linked)
        self.table = placement
        self.covered = NOTHING
        self.stuck = NOTHING
        self.misread: Mapping[str, str | None] = {}
        self._identity = identity
        self._delayed = deque([(placement, NOTHING)] * (delay + 1), maxlen=delay + 1)

    def observed(self, observation: Observation) -> None:
        self.observations.append(observation)

    def linked(self, link: Link) -> None:
        self.links.append(link)

    def connect(self) -> None:
        """Link both sources and let them rest."""
        self.fusion.board_linked(BOARD_UP)
        self.fusion.camera_linked(CAMERA_UP)
        self.observe(2.0)

    def observe(self, seconds: float) -> None:
        """Send observations of both for some time."""
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            self.observe_board()
            self.observe_camera()

    def observe_board(self) -> None:
        """Send one snapshot of the board."""
        now = self.clock.monotonic()
        if self._identity:
            self.fusion.board_observed(by_name(self.table, now))
            return
        observation = by_presence(self.table, now)
        self.fusion.board_observed(replace(observation, occupied=self.table.occupied | self.stuck))

    def observe_camera(self) -> None:
        """Send the reading of one picture, which is late."""
        self._delayed.append((self.table, self.covered))
        table, covered = self._delayed[0]
        table = moved(table, self.misread)
        self.fusion.camera_observed(
            Observation(
                "camera",
                self.clock.monotonic(),
                pawns={cell: names for cell, names in table.pawns.items() if cell not in covered},
                tiles={},
                unknown=covered,
            )
        )

    @property
    def last(self) -> Observation:
        """The last observation that was sent."""
        return self.observations[-1]


class FusedReader(Fused):
    """The same sources with a reader and a game."""

    def __init__(self, game: Record, **options: Any) -> None:
        super().__init__(game.placement, **options)
        self.game = game
        self.reader = BoardReader(game.view, game.submit, self.clock)
        self.connect()
        assert "in_sync" == self.reader.status()["state"]

    def observed(self, observation: Observation) -> None:
        super().observed(observation)
        self.reader.observe(observation)

    def linked(self, link: Link) -> None:
        super().linked(link)
        self.reader.link_changed(link)

    def move_pawns(self, moves: Mapping[str, str | None], seconds: float = 2.5) -> None:
        """Move pawns, and send observations of both."""
        self.table = moved(self.table, moves)
        self.observe(seconds)

    @property
    def walks(self) -> list[Any]:
        return [action for _, actions in self.game.submitted for action in actions]


def cells(text: str) -> frozenset[Cell]:
    return frozenset(Cell(cell) for cell in text.split())


def names(*pawns: str) -> frozenset[Pawn]:
    return frozenset(Pawn(pawn) for pawn in pawns)


def standing(**pawns: str) -> Placement:
    return moved(Placement({}, {}), pawns)


def test_the_camera_names_what_the_board_feels() -> None:
    """The camera tells two pawns beside one tile apart; with the board alone the reader would have
    to ask.
    """
    game = record({"H1a": "A1", "H1b": "A2", "H1c": "F6", "H1d": "F6"}, actions_left=2)
    sensors = FusedReader(game)
    board_only = FusedReader(record({"H1a": "A1", "H1b": "A2", "H1c": "F6", "H1d": "F6"}))

    sensors.move_pawns({"H1c": "E6"})
    board_only.covered = cells("E6")
    board_only.move_pawns({"H1c": "E6"}, 1.5)

    assert [Walk(pawn=Pawn("H1c"), to=Cell("E6"))] == sensors.walks
    assert "in_sync" == sensors.reader.status()["state"]
    assert [] == board_only.walks


def test_the_board_sees_under_a_hand() -> None:
    """A covered cell that the board reports empty is empty, and a covered pawn that did not move
    keeps its name.
    """
    sensors = Fused(standing(H1a="A1", H1b="C3", H2a="C3"))
    sensors.connect()
    sensors.covered = frozenset(FIELD_CELLS)
    sensors.observe(4)

    assert {Cell("A1"): names("H1a")} == sensors.last.pawns
    assert (cells("C3"), cells("A1")) == (sensors.last.unknown, sensors.last.partly)

    sensors.table = moved(sensors.table, {"H1a": None})
    sensors.observe(2)

    assert ({}, cells("C3")) == (sensors.last.pawns, sensors.last.unknown)


def test_a_pawn_under_a_hand_is_asked_and_not_guessed() -> None:
    """A pawn that the board detects on a covered tile has no name, and no walk is played before the
    camera identifies it.
    """
    game = record({"H1a": "A1", "H1b": "F6"})
    sensors = FusedReader(game)
    sensors.covered = cells("B1")
    sensors.move_pawns({"H1a": "B1"}, 6)

    status = sensors.reader.status()
    assert ([], "lifted", ["A1"]) == (sensors.walks, status["state"], status["lifted"])
    assert 1 == len(status["readings"])

    sensors.covered = NOTHING
    sensors.observe(2)

    assert [Walk(pawn=Pawn("H1a"), to=Cell("B1"))] == sensors.walks


def test_a_lasting_contradiction_is_asked() -> None:
    """A pawn that only one of the two reports is unknown, and asked only once that lasts."""
    sensors = Fused(standing(H1a="A1", H1b="C3"))
    sensors.connect()
    sensors.stuck = cells("D4")
    sensors.misread = {"H1b": "C4"}
    sensors.observe(2)

    assert (cells("C3 C4 D4"), ()) == (sensors.last.unknown, sensors.last.ambiguities)

    sensors.observe(CONFLICT_TIME)

    ambiguities = {(each.what, each.name, each.cells) for each in sensors.last.ambiguities}
    assert {
        ("pawn", "H1b", (Cell("C4"),)),
        ("piece", "", (Cell("C3"),)),
        ("piece", "", (Cell("D4"),)),
    } == ambiguities
    assert {Cell("A1"): names("H1a")} == sensors.last.pawns

    sensors.stuck, sensors.misread = NOTHING, {}
    sensors.observe(2)

    assert ((), NOTHING) == (sensors.last.ambiguities, sensors.last.unknown)


def test_a_pawn_in_two_places_is_asked() -> None:
    """A covered pawn that the camera reads on another occupied cell is reported on neither."""
    sensors = Fused(standing(H1a="A1", H1b="C3"))
    sensors.connect()
    sensors.covered, sensors.misread = cells("A1"), {"H1a": "C3", "H1b": None}
    sensors.observe(CONFLICT_TIME + 2)

    assert ({}, cells("A1 C3")) == (sensors.last.pawns, sensors.last.unknown)
    assert [("pawn", "H1a", (Cell("A1"), Cell("C3")))] == [
        (each.what, each.name, each.cells) for each in sensors.last.ambiguities
    ]


@pytest.mark.parametrize("identity", [False, True])
def test_what_just_changed_is_unknown(identity: bool) -> None:
    """A cell that one of the two reports differently is unknown until that rests."""
    sensors = Fused(standing(H1a="A1", H1b="C3"), identity=identity, delay=0)
    sensors.connect()
    before = sensors.table
    sensors.table = moved(before, {"H1a": None})
    sensors.observe_board()
    assert cells("A1") == sensors.last.unknown

    sensors.table = before
    sensors.observe(2)
    sensors.table = moved(before, {"H1b": "C4"})
    sensors.observe_camera()
    sensors.table = before
    sensors.observe_board()
    assert identity or sensors.last.partly == cells("C3")
    assert {Cell("A1"): names("H1a"), Cell("C3"): names("H1b")} == sensors.last.pawns


def test_a_contradiction_moves_nothing() -> None:
    """The reader asks about the pawn by name and plays nothing."""
    sensors = FusedReader(record({"H1a": "A1", "H1b": "F6"}))
    sensors.misread = {"H1a": "B1"}
    sensors.observe(CONFLICT_TIME + 3)

    assert [] == sensors.walks
    assert {"board_centre_pawn", "board_unnamed_piece"} == {
        ask["code"] for ask in sensors.reader.status()["asks"]
    }


def test_a_board_that_names_pawns_is_checked() -> None:
    """A pawn that both identify on different cells is asked with both; under a hand the board's
    reading counts.
    """
    sensors = Fused(standing(H1a="A1", H1b="C3"), identity=True)
    sensors.connect()
    sensors.misread = {"H1b": "E5"}
    sensors.observe(CONFLICT_TIME + 2)

    assert [("pawn", "H1b", (Cell("C3"), Cell("E5")))] == [
        (each.what, each.name, each.cells) for each in sensors.last.ambiguities
    ]
    assert {Cell("A1"): names("H1a")} == sensors.last.pawns

    sensors.misread, sensors.covered = {}, frozenset(FIELD_CELLS)
    sensors.table = moved(sensors.table, {"H1a": "B1"})
    sensors.observe(3)

    assert {Cell("B1"): names("H1a"), Cell("C3"): names("H1b")} == sensors.last.pawns


def test_a_view_that_did_not_change_counts_as_seen_now() -> None:
    """A phone sends no further picture of a table that rests: its last reading is confirmed, and
    names the pawn that the board detects later.
    """
    sensors = Fused(standing(H1a="A1"), delay=0)
    sensors.connect()
    sensors.table = moved(sensors.table, {"H1a": None})
    sensors.observe(2)
    sensors.table = moved(sensors.table, {"H1a": "A1"})
    for _ in range(2):
        sensors.observe_camera()
    sensors.clock.advance(CAPTURE_LAG + STEP)
    for _ in range(8):
        sensors.observe_board()
        sensors.clock.advance(STEP)
    assert cells("A1") == sensors.last.unknown
    sensors.fusion.camera_confirmed(sensors.clock.monotonic())

    assert {Cell("A1"): names("H1a")} == sensors.last.pawns


def test_either_alone_is_passed_on() -> None:
    """Without a camera the board's observations pass unchanged, without a board the camera's. Each
    such change starts a generation, in which nothing is played before table and record agree.
    """
    sensors = Fused(standing(H1a="A1"))
    sensors.fusion.camera_linked(Link("searching", source="camera"))
    sensors.fusion.board_linked(Link("searching"))
    assert ["camera"] == [link.source for link in sensors.links]
    sensors.fusion.camera_linked(CAMERA_UP)
    sensors.observe_camera()
    assert ("camera", "camera") == (sensors.links[-1].source, sensors.last.source)

    sensors.fusion.board_linked(BOARD_UP)
    sensors.observe(2)
    assert ("serial", {Cell("A1"): names("H1a")}) == (sensors.last.source, sensors.last.pawns)
    merged = sensors.links[-1]

    lost = Link("silent", generation=1, source="camera")
    sensors.fusion.camera_linked(lost)
    sensors.observe_board()
    assert (None, cells("A1")) == (sensors.last.pawns, sensors.last.occupied)
    assert ("serial", True) == (
        sensors.links[-1].source,
        sensors.links[-1].generation != merged.generation,
    )

    sensors.fusion.camera_linked(replace(CAMERA_UP, generation=2))
    sensors.fusion.board_linked(Link("silent", generation=1))
    sensors.observe_camera()
    assert ("camera", "up") == (sensors.links[-1].source, sensors.links[-1].state)


def test_tiles_come_from_the_camera_beside_a_board() -> None:
    """A presence board reports no tiles: the camera's are passed on before it names a pawn."""
    sensors = Fused(Placement({}, {}))
    sensors.connect()

    assert {None, frozenset()} == {each.occupied for each in sensors.observations}
    assert all(each.tiles == {} for each in sensors.observations if each.occupied is None)


def test_tokens_come_from_the_camera_beside_a_board_without() -> None:
    """A presence board reports no tokens: the camera's are passed on, with the cells that it cannot
    read.
    """
    sensors = Fused(standing(H1a="B2"))
    sensors.connect()
    tokens = {Cell("C3"): Counter({"bullet": 1})}
    for _ in range(3):
        sensors.clock.advance(STEP)
        sensors.fusion.camera_observed(
            Observation(
                "camera",
                sensors.clock.monotonic(),
                pawns=sensors.table.pawns,
                tiles={},
                tokens=tokens,
                tokens_unknown=cells("B2 D4"),
            )
        )
        sensors.observe_board()

    assert (tokens, cells("B2 D4")) == (sensors.last.tokens, sensors.last.tokens_unknown)


class TokensOnly(FusedReader):
    """A camera over pawns without caps: it reads tokens, and sees that something stands there."""

    def observe_camera(self) -> None:
        now, covered = self.clock.monotonic(), self.table.occupied
        self.fusion.camera_observed(
            Observation("camera", now, pawns={}, tiles={}, tokens={}, unknown=covered)
        )


@pytest.mark.parametrize("identity", [False, True])
def test_tokens_of_a_camera_that_names_no_pawn_stop_no_board(identity: bool) -> None:
    """Beside a camera that has read tokens and no pawn's cap, the board's walks are played."""
    sensors = TokensOnly(record({"H1a": "A1", "H1b": "D6"}), identity=identity)

    sensors.move_pawns({"H1a": "A2"})

    assert [Walk(pawn=Pawn("H1a"), to=Cell("A2"))] == sensors.walks


SEEDS = range(25)


@pytest.mark.parametrize("identity", [False, True])
@pytest.mark.slow
def test_scenes_of_hands_and_late_pictures(identity: bool) -> None:
    """With moved, covered and late pawns no pawn is reported where it has not stood recently, and
    no occupied cell is reported empty. Most cells at rest are reported.
    """
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        counts += scene(Random(seed), identity)

    assert 0 == counts["wrong"], counts
    assert counts["right"] > 0.9 * counts.total(), counts


def scene(rng: Random, identity: bool) -> Counter[str]:
    """Play some moves under hands; return how many cells were right, wrong and unknown."""
    pawns = [Pawn(f"H{human}{letter}") for human in (1, 2) for letter in "abcd"]
    places = [Cell(cell) for cell in rng.sample(FIELD_CELLS, len(pawns))]
    sensors = Fused(
        standing(**dict(zip(pawns, places, strict=True))),
        identity=identity,
        delay=rng.randint(0, 3),
    )
    sensors.connect()
    counts: Counter[str] = Counter()
    for _ in range(8):
        pawn, to = rng.choice(pawns), rng.choice(FIELD_CELLS)
        path = [None] * rng.randint(1, 5) + [to]
        for at in path:
            sensors.table = moved(sensors.table, {pawn: at})
            sensors.covered = frozenset(rng.sample(FIELD_CELLS, rng.choice((0, 0, 4, 12))))
            sensors.observe(STEP)
        for _ in range(rng.randint(3, 9)):
            sensors.covered = frozenset(rng.sample(FIELD_CELLS, rng.choice((0, 0, 4, 12))))
            sensors.observe(rng.choice((STEP, 1.0)))
        sensors.observe(2.0)
        counts += compare(sensors)
    return counts


def compare(sensors: Fused) -> Counter[str]:
    """Compare the last observation with the placement at rest."""
    counts: Counter[str] = Counter()
    pawns = sensors.last.pawns
    assert pawns is not None
    for cell in FIELD_CELLS:
        truth, reported = sensors.table.pawns.get(cell, frozenset()), pawns.get(cell, frozenset())
        if cell in sensors.last.unknown:
            counts["unknown"] += 1
        elif reported == truth or (cell in sensors.last.partly and reported < truth):
            counts["right"] += 1
        else:
            counts["wrong"] += 1
    return counts
