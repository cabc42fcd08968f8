"""Track the exact set of tiles where the vampire can be after the public events.

The search of a night visits pairs of a tile and the points left there. A walk costs a point; a kill
or a meal needs one, gives it back, and reveals the tile.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.game import PublicEvent
from companion.games.vampireradar import events
from companion.games.vampireradar.bots.bitboard import (
    INDEX,
    START,
    Bitboard,
    bitboard_of,
    direction_number,
    mask,
)
from companion.games.vampireradar.layout import empty_public
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public

NOWHERE = 0
Mark = events.PawnsKilled | events.BatEaten
"""Events of a night that reveal a tile."""


class ReachableByPoints(NamedTuple):
    """The tiles where the vampire can be within its night, by the points left there."""

    two: int
    one: int
    none: int

    def ends(self, ground: Bitboard, barred: int) -> int:
        """Return where the night can end from here; no walk enters a tile of `barred`."""
        if not barred:
            return ground.spread_twice(self.two) | ground.spread(self.one) | self.none
        one = self.one | self.two | ground.spread(self.two) & ~barred
        return one | ground.spread(one) & ~barred | self.none

    def strikes(self, ground: Bitboard, tile: int, barred: int) -> ReachableByPoints:
        """Return where the vampire can be after a kill or a meal on `tile`."""
        near, here = ground.near[tile], 1 << tile
        fresh = here if self.two & near else 0
        one = self.one | ground.spread(self.two) & ~barred
        return ReachableByPoints(fresh, here if one & near else 0, 0)


class Belief:
    """A fold of the public events.

    tiles: the possible tiles now; in the night itself, those at nightfall
    public: the public state
    """

    def __init__(self) -> None:
        self.public: Public = empty_public()
        self.ground: Bitboard = bitboard_of(self.public.field)
        self.tiles = NOWHERE
        self._night: list[Mark] = []
        self._at_nightfall: Public = self.public

    def observe(self, event: PublicEvent) -> None:
        """Fold one event; raise TypeError for one that is not public."""
        if not isinstance(event, PublicEvent):
            raise TypeError("a belief is made of public events only")
        before, self.public = self.public, event.apply(self.public)
        match event:
            case events.GameSetUp():
                self.ground, self.tiles = bitboard_of(self.public.field), NOWHERE
            case events.VampirePlaced():
                self.tiles = START
            case events.RadarCalled(cell=cell, distance=distance):
                self.tiles &= self.ground.rings[INDEX[cell]][distance]
            case events.ShotFired(hit=hit):
                line = shot_line(self.ground, before, event)
                self.tiles &= line if hit else ~line
            case events.TurnStarted(seat=seat) if seat == V:
                self._night, self._at_nightfall = [], self.public
            case events.PawnsKilled() | events.BatEaten():
                self._night.append(event)
            case events.TurnEnded(seat=seat) if seat == V and self._at_nightfall.placed:
                self.tiles = night(self.ground, self._at_nightfall, self.tiles, self._night)
                self._night = []
            case events.GameOver() if before.to_move == V and self._night:
                self.tiles = last_night(self.ground, self._at_nightfall, self.tiles, self._night)


def shot_line(ground: Bitboard, public: Public, shot: events.ShotFired) -> int:
    """Return the tiles that a shot covered.

    public: the state before it
    """
    blocking = 0
    if public.options.pawns_block_shots:
        blocking = mask([at for pawn, at in public.pawns.items() if pawn != shot.pawn])
    return ground.line(INDEX[shot.cell], direction_number(shot.direction), blocking)


def night(ground: Bitboard, at_nightfall: Public, tiles: int, marks: list[Mark]) -> int:
    """Return the tiles where a night that began on `tiles` can have ended.

    at_nightfall: the public state then
    marks: the events of the night
    """
    options = at_nightfall.options
    if options.vampire_may_share:
        if not marks:
            return ground.spread_twice(tiles)
        if options.announce == "immediate":
            return _free_night(ground, tiles, marks)
    return _ends(ground, at_nightfall, tiles, marks, walks_on=True)


def _free_night(ground: Bitboard, tiles: int, marks: list[Mark]) -> int:
    """Follow a night with events in their order and no tile barred.

    After a kill or a meal the tile is known, so two flags are enough: whether two points can be
    left, and whether one can.
    """
    near, ball = ground.near, ground.ball
    here = INDEX[marks[0].cell]
    two, one = tiles & near[here], tiles & ball[here]
    for mark in marks[1:]:
        there = INDEX[mark.cell]
        one = (two and ball[here] >> there & 1) or (one and near[here] >> there & 1)
        two = two and near[here] >> there & 1
        here = there
    return ball[here] if two else near[here] if one else NOWHERE


def last_night(ground: Bitboard, at_nightfall: Public, tiles: int, marks: list[Mark]) -> int:
    """Return the tiles where a night that ended the game can have ended."""
    return _ends(
        ground, at_nightfall, tiles, marks, walks_on=at_nightfall.options.announce == "turn_end"
    )


def _ends(
    ground: Bitboard, at_nightfall: Public, tiles: int, marks: list[Mark], walks_on: bool
) -> int:
    """Follow a night of any options. With `announce = "turn_end"` the order of its events is
    unknown: every possible order is followed.
    """
    standing = (
        NOWHERE
        if at_nightfall.options.vampire_may_share
        else mask(list(at_nightfall.pawns.values()))
    )
    anyhow = at_nightfall.options.announce == "turn_end"
    everything = (1 << len(marks)) - 1
    # The vampire's possible tiles by the set of marks already done. Sets in rising order, so that
    # each set comes after its subsets.
    reached: dict[int, ReachableByPoints] = {0: ReachableByPoints(tiles, 0, 0)}
    for done in range(everything + 1):
        reachable = reached.get(done)
        if reachable is None or not any(reachable):
            continue
        barred = standing & ~_struck(marks, done)
        if done == everything:
            return (
                reachable.ends(ground, barred)
                if walks_on
                else reachable.two | reachable.one | reachable.none
            )
        left = [number for number in range(len(marks)) if not done >> number & 1]
        for number in left if anyhow else left[:1]:
            tile = INDEX[marks[number].cell]
            after = reachable.strikes(ground, tile, barred)
            known = reached.get(done | 1 << number, ReachableByPoints(0, 0, 0))
            reached[done | 1 << number] = ReachableByPoints(
                after.two | known.two, after.one | known.one, 0
            )
    return NOWHERE


def _struck(marks: list[Mark], done: int) -> int:
    kills = [
        mark.cell
        for number, mark in enumerate(marks)
        if done >> number & 1 and isinstance(mark, events.PawnsKilled)
    ]
    return mask(kills)
