"""The words of VampireRader: options, field, actions, events and the state they make.

Names are those of the JSON-lines protocol (docs/protocol.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.core.game import Action, Event, Outcome, PrivateEvent, PublicEvent, Seat
from companion.core.grid import DIRECTIONS, Direction, Grid, Wall
from companion.core.placement import Cell, Pawn

V = Seat("V")
HUMANS: tuple[Seat, ...] = (Seat("H1"), Seat("H2"), Seat("H3"))
CORNERS: tuple[Cell, ...] = (Cell("A1"), Cell("F1"), Cell("A6"), Cell("F6"))
STARTS: frozenset[Cell] = frozenset(
    Cell(f"{column}{row}") for column in "BCDE" for row in range(2, 6)
)
"""The 16 centre tiles on which the vampire may begin ("any tile of the centre 4x4")."""

MAX_BULLETS = 6
TILE_COUNTS: Mapping[str, int] = {"b": 4, "r": 4, "o": 8, "w": 7, ".": 13}
TILE_NAMES: Mapping[str, str] = {".": "blank", "b": "bat", "r": "radar", "o": "bullet", "w": "wall"}

Count = Annotated[int, Meta(ge=0, le=14)]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """Every ruling where the rulebook is silent, with its default; docs/games/vampireradar.md has
    the reasons.

    `pawns_each`, `bullets_each`: None deals 4, 4, 3 pawns and 6, 3, 2 bullets with 2, 3, 4 players;
    8 pawns only with 2 players. `pawns_per_turn`: how many pawns may act in one turn.
    `lazy_landing`: the right to a bullet or a radar stays until the pawn walks on or the turn ends.
    `announce`: a night's kills and meals are told in their order, or in board order after it.
    `stalled_after`: rounds without a shot, attack, heal or pick-up after which the game is drawn, 0
    for never. `adjacency`, `max_joined_walls`: how a field is judged. `path`: with "paper" the
    vampire writes its path down and tells the answers itself. Left out it is "phone", and stands in
    no record, so that older records begin alike.
    """

    pawns_each: Annotated[int, Meta(ge=1, le=8)] | None = None
    bullets_each: Annotated[int, Meta(ge=0, le=6)] | None = None
    pawns_per_turn: Annotated[int, Meta(ge=1, le=3)] = 3
    lazy_landing: bool = False
    pawns_block_shots: bool = False
    vampire_may_share: bool = True
    announce: Literal["immediate", "turn_end"] = "immediate"
    exhaustion: Literal["strict", "hopeless"] = "strict"
    turn_order: Literal["fixed", "rotating"] = "fixed"
    stalled_after: Annotated[int, Meta(ge=0, le=1000)] = 60
    adjacency: Literal["orthogonal", "with_diagonals"] = "orthogonal"
    max_joined_walls: Annotated[int, Meta(ge=1, le=7)] = 2
    path: Literal["phone", "paper"] | UnsetType = UNSET

    @property
    def on_paper(self) -> bool:
        """Whether the vampire plays on paper."""
        return self.path == "paper"


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """A field as it is written down: six strings of six tiles, row 1 first, and the walls'
    names.
    """

    tiles: tuple[str, ...]
    walls: tuple[str, ...]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is started.

    Without `field` a random legal one is laid, without `start` the default one.
    """

    options: Options = Options()
    field: Layout | None = None
    start: dict[str, str] | None = None


class Field:
    """A laid field and everything about it that is computed once. Equal if its layout is."""

    def __init__(self, layout: Layout, walls: frozenset[Wall]) -> None:
        self.layout = layout
        self.grid = Grid(6, 6, walls)
        self.tile: dict[Cell, str] = dict(zip(self.grid.cells, "".join(layout.tiles), strict=True))
        self.every = frozenset(self.grid.cells)
        self._walks: dict[tuple[Pawn | None, Cell], tuple[Walk, ...]] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Field) and self.layout == other.layout

    def __hash__(self) -> int:
        return hash(self.layout)

    def cells_of(self, tile: str) -> tuple[Cell, ...]:
        """Return the cells with that kind of tile, in board order."""
        return tuple(cell for cell, kind in self.tile.items() if kind == tile)

    def walks(self, pawn: Pawn | None, cell: Cell) -> tuple[Walk, ...]:
        """Return the walks from `cell`; pawn None is the vampire."""
        key = (pawn, cell)
        if key not in self._walks:
            self._walks[key] = tuple(Walk(pawn=pawn, to=to) for to in self.grid.neighbours[cell])
        return self._walks[key]

    @cached_property
    def attacks(self) -> dict[Cell, tuple[Attack, ...]]:
        """Per cell the attacks that a vampire there could make if pawns stood everywhere."""
        return {
            cell: tuple(Attack(to=to) for to in (cell, *near))
            for cell, near in self.grid.neighbours.items()
        }

    @cached_property
    def heals(self) -> dict[Cell, tuple[Heal, ...]]:
        """Per cell the meals that a vampire there could take if every bat tile held its token."""
        return {
            cell: tuple(Heal(to=to) for to in (cell, *near) if self.tile[to] == "b")
            for cell, near in self.grid.neighbours.items()
        }


class Place(Action, frozen=True, tag="place"):
    """The vampire chooses where it begins."""

    cell: Cell


class Walk(Action, frozen=True, tag="walk", kw_only=True, omit_defaults=True):
    """One orthogonal step of a pawn, or of the vampire (no pawn)."""

    pawn: Pawn | None = None
    to: Cell


class Attack(Action, frozen=True, tag="attack"):
    """The vampire removes every pawn of its own or an unwalled neighbour tile and stands there."""

    to: Cell


class Heal(Action, frozen=True, tag="heal"):
    """The vampire eats the bat of its own or an unwalled neighbour tile and stands there."""

    to: Cell


class TakeBullet(Action, frozen=True, tag="take_bullet"):
    """A pawn that has just landed on a bullet token picks it up."""

    pawn: Pawn


class CallRadar(Action, frozen=True, tag="call_radar"):
    """A pawn that has just landed on a radar asks how far the vampire is."""

    discloses = True

    pawn: Pawn


class Shoot(Action, frozen=True, tag="shoot"):
    """A pawn fires one bullet of its owner along a line."""

    discloses = True

    pawn: Pawn
    direction: Direction


class End(Action, frozen=True, tag="end"):
    """The turn is over; always explicit."""


class Hide(Action, frozen=True, tag="hide"):
    """On paper: the vampire has written down where it begins."""


class AnswerRadar(Action, frozen=True, tag="answer_radar"):
    """On paper: what the vampire says to the radar that was called."""

    distance: Annotated[int, Meta(ge=0, le=10)]


class AnswerShot(Action, frozen=True, tag="answer_shot"):
    """On paper: the vampire groans, or keeps silent."""

    hit: bool


END = End()
HIDE = Hide()
PLACES: tuple[Place, ...] = tuple(
    Place(Cell(f"{column}{row}")) for row in range(2, 6) for column in "BCDE"
)


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The field is laid, pawns and tokens stand, bullets are dealt."""

    players: int
    options: Options
    field: Layout
    start: dict[str, str]
    bullets: dict[str, int]
    vampire_hp: int


class VampirePlaced(PublicEvent, frozen=True, tag="vampire_placed"):
    """The vampire has hidden; nothing more is told."""

    discloses = True


class TurnStarted(PublicEvent, frozen=True, tag="turn_started", omit_defaults=True):
    """A seat is to move. `actions_left` is told of humans only."""

    seat: Seat
    actions_left: int | None = None


class PawnWalked(PublicEvent, frozen=True, tag="pawn_walked"):
    """A pawn went one step."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell


class BulletTaken(PublicEvent, frozen=True, tag="bullet_taken"):
    """A token became a bullet; `bullets` are in the owner's hand now."""

    pawn: Pawn
    cell: Cell
    bullets: int


class RadarCalled(PublicEvent, frozen=True, tag="radar_called"):
    """The radar answered |dx| + |dy| from the pawn to the vampire, walls ignored (0 to 10)."""

    discloses = True

    pawn: Pawn
    cell: Cell
    distance: int


class ShotFired(PublicEvent, frozen=True, tag="shot_fired"):
    """A bullet was fired; `hit` is the groan. Never where on the line the vampire was."""

    discloses = True

    pawn: Pawn
    cell: Cell
    direction: Direction
    hit: bool
    bullets: int
    vampire_hp: int


class RadarAsked(PublicEvent, frozen=True, tag="radar_asked"):
    """On paper: a radar was called, and the vampire is to say how far it is."""

    pawn: Pawn
    cell: Cell


class ShotAsked(PublicEvent, frozen=True, tag="shot_asked"):
    """On paper: a bullet was fired, and the vampire is to groan or to keep silent."""

    pawn: Pawn
    cell: Cell
    direction: Direction


class AnswerDoubted(PublicEvent, frozen=True, tag="answer_doubted"):
    """On paper: no vampire could tell all that was told so far.

    One answer is wrong, maybe an earlier one.
    """


class PaperTakenUp(PublicEvent, frozen=True, tag="paper_taken_up"):
    """The vampire's phone is gone: from here on it plays on paper, and tells each deed of a night
    at once.
    """


class PawnsKilled(PublicEvent, frozen=True, tag="pawns_killed"):
    """All pawns of a tile were removed by the vampire, who stands there now."""

    discloses = True

    cell: Cell
    pawns: tuple[Pawn, ...]


class BatEaten(PublicEvent, frozen=True, tag="bat_eaten"):
    """A bat token was eaten; `vampire_hp` is unchanged with 2 players or at the maximum."""

    discloses = True

    cell: Cell
    vampire_hp: int


class HumanEliminated(PublicEvent, frozen=True, tag="human_eliminated"):
    """A human has no pawn left; his bullets leave the game."""

    seat: Seat
    bullets_lost: int


class TurnEnded(PublicEvent, frozen=True, tag="turn_ended"):
    """A turn is over; of the vampire's nothing more is told than that."""

    seat: Seat


class PawnSet(PublicEvent, frozen=True, tag="pawn_set"):
    """A pawn was set on a tile by hand, as everybody agreed; no walk, and no right to what lies
    there.
    """

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell


class TokenSet(PublicEvent, frozen=True, tag="token_set"):
    """A token was laid on its tile (`lies`) or taken off it by hand, as everybody agreed; nobody
    got it.
    """

    cell: Cell
    token: Literal["bullet", "bat"]
    lies: bool


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    discloses = True

    winner: Literal["humans", "vampire", "draw"]
    reason: Literal["vampire_dead", "humans_dead", "bullets_spent", "stalled", "agreed", "forfeit"]


class VampireEvent(PrivateEvent, frozen=True):
    """What the vampire alone knows."""

    @property
    def seats(self) -> frozenset[Seat]:
        return _VAMPIRE_ALONE


_VAMPIRE_ALONE = frozenset({V})


class VampireHid(VampireEvent, frozen=True, tag="vampire_hid"):
    """Where the vampire began."""

    cell: Cell


class VampireMoved(VampireEvent, frozen=True, tag="vampire_moved"):
    """A step of the vampire, walked or made by an attack or a meal."""

    origin: Cell = msgspec.field(name="from")
    to: Cell
    actions_left: int


class VampireStruck(VampireEvent, frozen=True, tag="vampire_struck"):
    """With `announce = "turn_end"`: an attack that the table will be told of after the night."""

    cell: Cell
    pawns: tuple[Pawn, ...]


class VampireFed(VampireEvent, frozen=True, tag="vampire_fed"):
    """With `announce = "turn_end"`: a meal that the table will be told of after the night."""

    cell: Cell


ACTIONS: tuple[type[Action], ...] = (
    Place, Walk, Attack, Heal, TakeBullet, CallRadar, Shoot, End, Hide, AnswerRadar, AnswerShot,
)  # fmt: skip
EVENTS: tuple[type[Event], ...] = (
    GameSetUp,
    VampirePlaced,
    TurnStarted,
    PawnWalked,
    BulletTaken,
    RadarCalled,
    ShotFired,
    RadarAsked,
    ShotAsked,
    AnswerDoubted,
    PaperTakenUp,
    PawnsKilled,
    BatEaten,
    HumanEliminated,
    TurnEnded,
    PawnSet,
    TokenSet,
    GameOver,
    VampireHid,
    VampireMoved,
    VampireStruck,
    VampireFed,
)


Prowls = frozenset[tuple[Cell, int]]


class Public(Struct, frozen=True):
    """What everybody at the table knows. Mappings are never changed in place.

    `pawns` the living pawns' cells, `bullets` in each human's hand, `queue` who acts after
    `to_move` in this round, `rights` the pawns that may still take a bullet or call a radar,
    `acted` the pawns that acted this turn, `stirred` whether this round saw a shot, an attack, a
    meal or a pick-up, `quiet_rounds` how many in a row did not. On paper: `asked` is what the
    vampire is to answer, `prowls` where it can be by all that was told, each place with the points
    that it can have left there, `paper_from` the first night on paper where earlier ones were not,
    else 0.
    """

    field: Field
    options: Options
    humans: tuple[Seat, ...]
    start: Mapping[Pawn, Cell]
    pawns: Mapping[Pawn, Cell]
    bullets: Mapping[Seat, int]
    bullet_tokens: tuple[Cell, ...]
    bat_tokens: tuple[Cell, ...]
    hp: int
    max_hp: int
    out: tuple[Seat, ...] = ()
    to_move: Seat | None = V
    queue: tuple[Seat, ...] = ()
    placed: bool = False
    actions_left: int = 0
    rights: tuple[Pawn, ...] = ()
    acted: tuple[Pawn, ...] = ()
    round: int = 1
    quiet_rounds: int = 0
    stirred: bool = False
    spent: int = 0
    lost: int = 0
    boxed_bats: int = 0
    outcome: Outcome | None = None
    asked: RadarAsked | ShotAsked | None = None
    prowls: Prowls = frozenset()
    paper_from: int = 0


class Vampire(Struct, frozen=True):
    """What the vampire alone knows: place, points left, this night's path and what the table is
    still to be told.
    """

    cell: Cell | None = None
    actions_left: int = 0
    trail: tuple[Cell, ...] = ()
    struck: tuple[VampireStruck, ...] = ()
    fed: tuple[VampireFed, ...] = ()


def owner(pawn: Pawn) -> Seat:
    """Return the human whose pawn it is: "H1a" is H1's."""
    return Seat(pawn[:2])


def shots(pawn: Pawn) -> tuple[Shoot, ...]:
    """Return the pawn's shots in the four directions."""
    if pawn not in _SHOTS:
        _SHOTS[pawn] = tuple(Shoot(pawn, direction) for direction in DIRECTIONS)
    return _SHOTS[pawn]


_SHOTS: dict[Pawn, tuple[Shoot, ...]] = {}
