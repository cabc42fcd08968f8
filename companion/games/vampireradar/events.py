"""Events of a game."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.game import Event, PrivateEvent, PublicEvent, Seat
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.options import Layout, Options, V


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
