"""A board and a camera at one table: the board reports where pieces stand, the camera which pawns
they are, and a contradiction is asked.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.clock import SimulatedClock
from companion.core.placement import Cell, Pawn, Placement
from companion.games.vampireradar.actions import Walk
from companion.sensors.fusion import CAPTURE_LAG, CONFLICT_TIME, SensorFusion
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.reader import BoardReader
from companion.sensors.vision.tracker import FIELD_CELLS
from tests.sensors.fakes import Record, by_name, by_presence, moved, record

BOARD_UP = Link("up", port="/dev/ttyUSB0", generation=1)
CAMERA_UP = Link("up", port="phone", generation=1, source="camera")
STEP = 0.25
"""Seconds between two looks of both."""
NOTHING: frozenset[Cell] = frozenset()


class Fused:
    """A board and a camera over one table. `camera_sees` stands still when a cell is `covered`.

    `delay`: steps by which a picture is late. `stuck`: cells that the board always reports
    occupied. `misread`: pawns that the camera takes for others.
    """

    def __init__(self, placement: Placement, *, identity: bool = False, delay: int = 1) -> None:
        self.clock = SimulatedClock()
        self.sent: list[Observation] = []
        self.links: list[Link] = []
        self.fusion = SensorFusion(self.observed, self.linked)
        self.table = placement
        self.covered = NOTHING
        self.stuck = NOTHING
        self.misread: Mapping[str, str | None] = {}
        self._identity = identity
        self._late = deque([(placement, NOTHING)] * (delay + 1), maxlen=delay + 1)

    def observed(self, observation: Observation) -> None:
        self.sent.append(observation)

    def linked(self, link: Link) -> None:
        self.links.append(link)

    def connect(self) -> None:
        """Both are there and rest."""
        self.fusion.board_linked(BOARD_UP)
        self.fusion.camera_linked(CAMERA_UP)
        self.look(2.0)

    def look(self, seconds: float) -> None:
        """Both look for some time."""
        for _ in range(round(seconds / STEP)):
            self.clock.advance(STEP)
            self.see_board()
            self.see_camera()

    def see_board(self) -> None:
        """The board sends one snapshot."""
        now = self.clock.monotonic()
        if self._identity:
            self.fusion.board_observed(by_name(self.table, now))
            return
        seen = by_presence(self.table, now)
        self.fusion.board_observed(replace(seen, occupied=self.table.occupied | self.stuck))

    def see_camera(self) -> None:
        """The camera reads one picture, which is late."""
        self._late.append((self.table, self.covered))
        table, covered = self._late[0]
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
    def now(self) -> Observation:
        """What was sent last."""
        return self.sent[-1]


class Watched(Fused):
    """The same before a reader with a game."""

    def __init__(self, game: Record, **given: Any) -> None:
        super().__init__(game.placement, **given)
        self.game = game
        self.reader = BoardReader(game.view, game.submit, self.clock)
        self.connect()
        assert "in_sync" == self.reader.status()["state"]

    def observed(self, observation: Observation) -> None:
        super().observed(observation)
        self.reader.observe(observation)

    def linked(self, link: Link) -> None:
        super().linked(link)
        self.reader.linked(link)

    def hands(self, moves: Mapping[str, str | None], seconds: float = 2.5) -> None:
        """Set pawns elsewhere, and let both look."""
        self.table = moved(self.table, moves)
        self.look(seconds)

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
    """Two pawns beside one tile are distinguished: by the board alone people would have to be
    asked.
    """
    game = record({"H1a": "A1", "H1b": "A2", "H1c": "F6", "H1d": "F6"}, actions_left=2)
    both = Watched(game)
    alone = Watched(record({"H1a": "A1", "H1b": "A2", "H1c": "F6", "H1d": "F6"}))

    both.hands({"H1c": "E6"})
    alone.covered = cells("E6")
    alone.hands({"H1c": "E6"}, 1.5)

    assert [Walk(pawn=Pawn("H1c"), to=Cell("E6"))] == both.walks
    assert "in_sync" == both.reader.status()["state"]
    assert [] == alone.walks


def test_the_board_sees_under_a_hand() -> None:
    """A covered cell that the board reports empty is empty, and a covered pawn that did not move
    is still named.
    """
    both = Fused(standing(H1a="A1", H1b="C3", H2a="C3"))
    both.connect()
    both.covered = frozenset(FIELD_CELLS)
    both.look(4)

    assert {Cell("A1"): names("H1a")} == both.now.pawns
    assert (cells("C3"), cells("A1")) == (both.now.unknown, both.now.partly)

    both.table = moved(both.table, {"H1a": None})
    both.look(2)

    assert ({}, cells("C3")) == (both.now.pawns, both.now.unknown)


def test_a_pawn_under_a_hand_is_asked_and_not_guessed() -> None:
    """What stands on a covered tile since the board felt it has no name, and no walk is played
    before the camera names it.
    """
    game = record({"H1a": "A1", "H1b": "F6"})
    both = Watched(game)
    both.covered = cells("B1")
    both.hands({"H1a": "B1"}, 6)

    status = both.reader.status()
    assert ([], "lifted", ["A1"]) == (both.walks, status["state"], status["lifted"])
    assert 1 == len(status["readings"])

    both.covered = NOTHING
    both.look(2)

    assert [Walk(pawn=Pawn("H1a"), to=Cell("B1"))] == both.walks


def test_a_lasting_contradiction_is_asked() -> None:
    """What one of the two reports and the other does not is unknown, and asked only once it
    lasts.
    """
    both = Fused(standing(H1a="A1", H1b="C3"))
    both.connect()
    both.stuck = cells("D4")
    both.misread = {"H1b": "C4"}
    both.look(2)

    assert (cells("C3 C4 D4"), ()) == (both.now.unknown, both.now.doubts)

    both.look(CONFLICT_TIME)

    asked = {(each.what, each.name, each.cells) for each in both.now.doubts}
    assert {
        ("pawn", "H1b", (Cell("C4"),)),
        ("piece", "", (Cell("C3"),)),
        ("piece", "", (Cell("D4"),)),
    } == asked
    assert {Cell("A1"): names("H1a")} == both.now.pawns

    both.stuck, both.misread = NOTHING, {}
    both.look(2)

    assert ((), NOTHING) == (both.now.doubts, both.now.unknown)


def test_a_pawn_in_two_places_is_asked() -> None:
    """A covered pawn that the camera names on another occupied cell is on neither."""
    both = Fused(standing(H1a="A1", H1b="C3"))
    both.connect()
    both.covered, both.misread = cells("A1"), {"H1a": "C3", "H1b": None}
    both.look(CONFLICT_TIME + 2)

    assert ({}, cells("A1 C3")) == (both.now.pawns, both.now.unknown)
    assert [("pawn", "H1a", (Cell("A1"), Cell("C3")))] == [
        (each.what, each.name, each.cells) for each in both.now.doubts
    ]


@pytest.mark.parametrize("identity", [False, True])
def test_what_just_changed_is_unknown(identity: bool) -> None:
    """A cell that one of the two reports otherwise than before is unknown until that rests."""
    both = Fused(standing(H1a="A1", H1b="C3"), identity=identity, delay=0)
    both.connect()
    stood = both.table
    both.table = moved(stood, {"H1a": None})
    both.see_board()
    assert cells("A1") == both.now.unknown

    both.table = stood
    both.look(2)
    both.table = moved(stood, {"H1b": "C4"})
    both.see_camera()
    both.table = stood
    both.see_board()
    assert identity or both.now.partly == cells("C3")
    assert {Cell("A1"): names("H1a"), Cell("C3"): names("H1b")} == both.now.pawns


def test_a_contradiction_moves_nothing() -> None:
    """Through the reader: people are asked by name, and nothing is played."""
    both = Watched(record({"H1a": "A1", "H1b": "F6"}))
    both.misread = {"H1a": "B1"}
    both.look(CONFLICT_TIME + 3)

    assert [] == both.walks
    assert {"board_centre_pawn", "board_unnamed_piece"} == {
        ask["code"] for ask in both.reader.status()["asks"]
    }


def test_a_board_that_names_pawns_is_checked() -> None:
    """A pawn that both name, each elsewhere, is asked with both cells; under a hand the board's
    reading counts.
    """
    both = Fused(standing(H1a="A1", H1b="C3"), identity=True)
    both.connect()
    both.misread = {"H1b": "E5"}
    both.look(CONFLICT_TIME + 2)

    assert [("pawn", "H1b", (Cell("C3"), Cell("E5")))] == [
        (each.what, each.name, each.cells) for each in both.now.doubts
    ]
    assert {Cell("A1"): names("H1a")} == both.now.pawns

    both.misread, both.covered = {}, frozenset(FIELD_CELLS)
    both.table = moved(both.table, {"H1a": "B1"})
    both.look(3)

    assert {Cell("B1"): names("H1a"), Cell("C3"): names("H1b")} == both.now.pawns


def test_a_view_that_did_not_change_counts_as_seen_now() -> None:
    """A phone sends no further picture of a table that rests: what it saw last is confirmed, and
    names the pawn that the board felt later.
    """
    both = Fused(standing(H1a="A1"), delay=0)
    both.connect()
    both.table = moved(both.table, {"H1a": None})
    both.look(2)
    both.table = moved(both.table, {"H1a": "A1"})
    for _ in range(2):
        both.see_camera()
    both.clock.advance(CAPTURE_LAG + STEP)
    for _ in range(8):
        both.see_board()
        both.clock.advance(STEP)
    assert cells("A1") == both.now.unknown
    both.fusion.camera_confirmed(both.clock.monotonic())

    assert {Cell("A1"): names("H1a")} == both.now.pawns


def test_either_alone_is_passed_on() -> None:
    """Without a camera the board's observations pass unchanged, without a board the camera's; each
    such change begins a new generation, after which nothing is played before table and
    record agree.
    """
    both = Fused(standing(H1a="A1"))
    both.fusion.camera_linked(Link("searching", source="camera"))
    both.fusion.board_linked(Link("searching"))
    assert ["camera"] == [link.source for link in both.links]
    both.fusion.camera_linked(CAMERA_UP)
    both.see_camera()
    assert ("camera", "camera") == (both.links[-1].source, both.now.source)

    both.fusion.board_linked(BOARD_UP)
    both.look(2)
    assert ("serial", {Cell("A1"): names("H1a")}) == (both.now.source, both.now.pawns)
    merged = both.links[-1]

    lost = Link("silent", generation=1, source="camera")
    both.fusion.camera_linked(lost)
    both.see_board()
    assert (None, cells("A1")) == (both.now.pawns, both.now.occupied)
    assert ("serial", True) == (
        both.links[-1].source,
        both.links[-1].generation != merged.generation,
    )

    both.fusion.camera_linked(replace(CAMERA_UP, generation=2))
    both.fusion.board_linked(Link("silent", generation=1))
    both.see_camera()
    assert ("camera", "up") == (both.links[-1].source, both.links[-1].state)


def test_tiles_come_from_the_camera_beside_a_board() -> None:
    """A presence board reports no tiles: the camera's are passed on before it names a pawn."""
    both = Fused(Placement({}, {}))
    both.connect()

    assert {None, frozenset()} == {each.occupied for each in both.sent}
    assert all(each.tiles == {} for each in both.sent if each.occupied is None)


def test_tokens_come_from_the_camera_beside_a_board_without() -> None:
    """A presence board reports no tokens: the camera's are passed on, with the cells where it does
    not see them.
    """
    both = Fused(standing(H1a="B2"))
    both.connect()
    tokens = {Cell("C3"): Counter({"bullet": 1})}
    for _ in range(3):
        both.clock.advance(STEP)
        both.fusion.camera_observed(
            Observation(
                "camera",
                both.clock.monotonic(),
                pawns=both.table.pawns,
                tiles={},
                tokens=tokens,
                tokens_unknown=cells("B2 D4"),
            )
        )
        both.see_board()

    assert (tokens, cells("B2 D4")) == (both.now.tokens, both.now.tokens_unknown)


SEEDS = range(25)


@pytest.mark.parametrize("identity", [False, True])
def test_scenes_of_hands_and_late_pictures(identity: bool) -> None:
    """Whatever is moved, covered and late: no pawn is named where it has not stood for a while, and
    no cell is called empty on which one stands. Most of what rests is reported.
    """
    told: Counter[str] = Counter()
    for seed in SEEDS:
        told += scene(Random(seed), identity)

    assert 0 == told["wrong"], told
    assert told["right"] > 0.9 * told.total(), told


def scene(rng: Random, identity: bool) -> Counter[str]:
    """Play some moves under hands; return how many cells were right, wrong and unknown."""
    pawns = [Pawn(f"H{human}{letter}") for human in (1, 2) for letter in "abcd"]
    places = [Cell(cell) for cell in rng.sample(FIELD_CELLS, len(pawns))]
    both = Fused(
        standing(**dict(zip(pawns, places, strict=True))),
        identity=identity,
        delay=rng.randint(0, 3),
    )
    both.connect()
    told: Counter[str] = Counter()
    for _ in range(8):
        pawn, to = rng.choice(pawns), rng.choice(FIELD_CELLS)
        path = [None] * rng.randint(1, 5) + [to]
        for at in path:
            both.table = moved(both.table, {pawn: at})
            both.covered = frozenset(rng.sample(FIELD_CELLS, rng.choice((0, 0, 4, 12))))
            both.look(STEP)
        for _ in range(rng.randint(3, 9)):
            both.covered = frozenset(rng.sample(FIELD_CELLS, rng.choice((0, 0, 4, 12))))
            both.look(rng.choice((STEP, 1.0)))
        both.look(2.0)
        told += compare(both)
    return told


def compare(both: Fused) -> Counter[str]:
    """Compare what was sent last with the table that rested."""
    told: Counter[str] = Counter()
    seen = both.now.pawns
    assert seen is not None
    for cell in FIELD_CELLS:
        truth, told_there = both.table.pawns.get(cell, frozenset()), seen.get(cell, frozenset())
        if cell in both.now.unknown:
            told["unknown"] += 1
        elif told_there == truth or (cell in both.now.partly and told_there < truth):
            told["right"] += 1
        else:
            told["wrong"] += 1
    return told
