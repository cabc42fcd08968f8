"""List every night of the vampire, one for each possible outcome."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from companion.core.game import Action
from companion.core.placement import Cell
from companion.games.vampireradar.actions import END, Attack, Heal, Walk
from companion.games.vampireradar.bots.bitboard import CELLS, INDEX
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.options import Options
from companion.games.vampireradar.state import Public
from companion.games.vampireradar.turn_order import ending

MOST = 600
"""The maximum number of nights to list, short ones first; a field can have eleven thousand."""


class Night(Struct, frozen=True):
    """A night's actions and outcome: its end, the tiles struck and eaten, and all of them in order
    (`marks`, a meal on tile t as
    t).
    """

    actions: list[Action]
    end: int
    marks: tuple[int, ...]
    struck: int
    eaten: int
    kills: int

    @property
    def meals(self) -> int:
        return self.eaten.bit_count()


class _Branch(NamedTuple):
    here: int
    points: int
    marks: tuple[int, ...]
    struck: int
    eaten: int
    actions: tuple[Action, ...]


def nights(public: Public, cell: Cell, most: int = MOST) -> list[Night]:
    """Return the nights from `cell`: one for each set of kills, meals and end, with the fewest
    walks.
    """
    return nights_from(public, INDEX[cell], Position(public), most)


def nights_from(public: Public, tile: int, position: Position, most: int = MOST) -> list[Night]:
    """Return the nights from `tile` for the pieces of a search.

    public: has the options and the pawns' owners
    """
    return _Nights(public.options, position, most).all_from(tile)


class _Nights:
    def __init__(self, options: Options, position: Position, most: int) -> None:
        self._options = options
        self._position = position
        self._most = most
        self._ground = position.ground
        self._pawns: dict[int, int] = {}
        for _, at in position.living:
            self._pawns[at] = self._pawns.get(at, 0) + 1
        self._seen: set[tuple[int, int, tuple[int, ...]]] = set()
        self._edge: list[_Branch] = []

    def all_from(self, start: int) -> list[Night]:
        all_nights: list[Night] = []
        known: set[tuple[int, tuple[int, ...]]] = set()
        self._add(_Branch(start, 2, (), 0, 0, ()))
        for branch in self._edge:
            over = bool(branch.marks) and self._over(branch)
            if (branch.here, branch.marks) not in known:
                known.add((branch.here, branch.marks))
                all_nights.append(self._night(branch, over))
            if len(all_nights) >= self._most:
                break
            if branch.points and not over:
                self._go_on(branch)
        return all_nights

    def _night(self, branch: _Branch, over: bool) -> Night:
        kills = sum(count for tile, count in self._pawns.items() if branch.struck >> tile & 1)
        actions = [*branch.actions] if over else [*branch.actions, END]
        return Night(actions, branch.here, branch.marks, branch.struck, branch.eaten, kills)

    def _go_on(self, branch: _Branch) -> None:
        here, points, marks, struck, eaten, actions = branch
        share = self._options.vampire_may_share
        for to in (here, *self._ground.steps[here]):
            bit = 1 << to
            attackable = to in self._pawns and not struck & bit
            if attackable:
                attack = (*actions, Attack(CELLS[to]))
                self._add(_Branch(to, points, (*marks, to), struck | bit, eaten, attack))
            if self._position.bats & bit and not eaten & bit:
                heal = (*actions, Heal(CELLS[to]))
                self._add(_Branch(to, points, (*marks, ~to), struck, eaten | bit, heal))
            if to != here and (share or not attackable):
                walk = (*actions, Walk(to=CELLS[to]))
                self._add(_Branch(to, points - 1, marks, struck, eaten, walk))

    def _add(self, branch: _Branch) -> None:
        key = (branch.here, branch.points, branch.marks)
        if key not in self._seen:
            self._seen.add(key)
            self._edge.append(branch)

    def _over(self, branch: _Branch) -> bool:
        """Return whether the last kill or meal ended the game, so that no `end` follows."""
        if self._options.announce == "turn_end":
            return False
        after = self._position.copy()
        for tile in branch.marks:
            if tile >= 0:
                after.kill(tile)
            else:
                after.eat(~tile)
        pawns = {after.names[number]: CELLS[at] for number, at in after.living}
        bullets = sum(after.bullets) + after.tokens.bit_count()
        return bool(ending(self._options, after.hp, pawns, bullets))
