"""The belief is exact: it holds just the ends of the paths that fit all public events."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.game import PublicEvent
from companion.core.placement import Cell
from companion.core.view import view
from companion.games.manhunt import Manhunt
from companion.games.manhunt.belief import Belief, at_distance, places_that_fit
from companion.games.manhunt.board import Board, Passage
from companion.games.manhunt.events import (
    ArrestMissed,
    FugitiveCaught,
    FugitiveMoved,
    FugitivePlaced,
    FugitiveShown,
    HideoutReached,
    NightStarted,
    NothingFound,
    QuestionAnswered,
    TargetReached,
    empty_public,
)
from companion.games.manhunt.fugitive import free_starts
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.state import Public
from tests.games.manhunt.small_map import small
from tools.secrecy.random_games import begin

CARDS: list[dict[str, Any]] = [
    {"rounds": 5},
    {"rounds": 5, "arrest": "announce", "shows": []},
    {"rounds": 4, "announce": "distance", "fugitive_moves": 2, "shows": []},
    {
        "rounds": 4,
        "announce": "direction",
        "fugitive_moves": 2,
        "may_stay": ["fugitive"],
        "shows": [],
    },
    {"rounds": 4, "announce": "nothing", "ends": ["hideout", "targets"], "nights": 2, "shows": []},
]
Path = tuple[Cell, ...]


class AllPaths:
    """Every path of a night that fits the public events, one by one: slow and plain."""

    def __init__(self) -> None:
        self.public: Public = empty_public()
        self.paths: set[Path] = set()

    def observe(self, event: PublicEvent) -> None:
        before = self.public
        self.public = event.apply(before)
        board = self.public.board
        match event:
            case NightStarted():
                self.paths = set()
            case FugitivePlaced():
                self.paths = {(cell,) for cell in free_starts(before)}
            case FugitiveMoved():
                self._grow(before, event)
            case (
                TargetReached(cell=cell)
                | HideoutReached(cell=cell)
                | FugitiveShown(cell=cell)
                | FugitiveCaught(cell=cell)
            ):
                self._only(path for path in self.paths if path[-1] == cell)
            case ArrestMissed(cell=cell):
                self._only(path for path in self.paths if path[-1] != cell)
            case NothingFound(cells=cells):
                self._only(path for path in self.paths if path[-1] not in cells)
            case QuestionAnswered(question="was_here", cell=cell, yes=yes):
                self._only(path for path in self.paths if (cell in path) == yes)
            case QuestionAnswered():
                keep = places_that_fit(board, event)
                self._only(path for path in self.paths if keep >> board.index[path[-1]] & 1)
        if not isinstance(event, FugitiveMoved | TargetReached | HideoutReached):
            self._quiet(before)

    def _quiet(self, before: Public) -> None:
        """A turn that announced no target and no hideout did not end on one."""
        if self._open:
            board = before.board
            ends = board.hideouts | (board.targets - set(before.visited))
            self._only(path for path in self.paths if path[-1] not in ends)
        self._open = False

    _open = False

    def _only(self, paths: Iterator[Path]) -> None:
        self.paths = set(paths)

    def _grow(self, before: Public, event: FugitiveMoved) -> None:
        rules = before.board.rules
        grown: set[Path] = set()
        if event.ways is None:
            longer = self.paths
            if "fugitive" in rules.may_stay:
                grown |= longer
            for _ in range(rules.fugitive_moves):
                longer = set(self._stepped(before, longer, None))
                grown |= longer
        else:
            grown = self.paths
            for way in event.ways:
                grown = set(self._stepped(before, grown, way))
        if event.distance is not None:
            near = at_distance(before, event.distance)
            grown = {path for path in grown if near >> before.board.index[path[-1]] & 1}
        self.paths, self._open = grown, True

    def _stepped(self, public: Public, paths: set[Path], way: str | None) -> Iterator[Path]:
        board: Board = public.board
        occupied = set(public.pawns.values())
        for path in paths:
            for passage in board.steps["fugitive"][path[-1]]:
                fits = way in (None, UNSEEN, board.label(path[-1], Passage(*passage)))
                if passage.to not in occupied and fits:
                    yield (*path, passage.to)


@pytest.mark.parametrize("rules", CARDS, ids=lambda rules: "-".join(map(str, rules)))
def test_the_belief_is_that_of_all_paths(rules: dict[str, Any]) -> None:
    """After every event of random games the possible places are the ends of all fitting paths; the
    fugitive's true place is among them.
    """
    game = Manhunt().with_content({"town": small(**rules)})
    compared = 0
    for seed in range(12):
        rng = Random(seed)
        state, events = begin(game, 2 + seed % 2, rng)
        belief, paths = Belief(), AllPaths()
        while True:
            for event in events:
                if isinstance(event, PublicEvent):
                    belief.observe(event)
                    paths.observe(event)
            seat = game.to_move(state.public)
            if paths.paths and not paths._open:
                assert {path[-1] for path in paths.paths} == set(belief.cells)
                compared += 1
            if seat is None:
                break
            legal = list(game.legal_actions(view(state, seat)))
            events = list(game.decide(state, seat, rng.choice(legal), rng).events)
            state = game.fold(events, state)
    assert compared > 100


def test_a_copy_goes_on_alone() -> None:
    """Events that a copy observes later do not change the original."""
    game = Manhunt().with_content({"town": small()})
    _, events = begin(game, 3, Random(1))
    belief = Belief()
    for event in [*events, FugitivePlaced()]:
        assert isinstance(event, PublicEvent)
        belief.observe(event)
    before = belief.cells
    twin = belief.copy()
    twin.observe(FugitiveMoved(("street",)))
    twin.observe(QuestionAnswered(next(iter(belief.public.pawns)), "was_here", before[0], False))

    assert before == belief.cells != twin.cells
