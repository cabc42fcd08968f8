"""Define the events of a game."""

from __future__ import annotations

from typing import Literal

import msgspec

from companion.core.game import Event, PrivateEvent, PublicEvent, Seat
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.options import Layout, Options, V


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The field, pawns and tokens are set up and bullets dealt."""

    players: int
    options: Options
    field: Layout
    start: dict[str, str]
    bullets: dict[str, int]
    vampire_hp: int


class VampirePlaced(PublicEvent, frozen=True, tag="vampire_placed"):
    """The vampire has hidden; its tile is secret."""

    discloses = True


class TurnStarted(PublicEvent, frozen=True, tag="turn_started", omit_defaults=True):
    """A seat is to move.

    actions_left: a human's points; None for the vampire
    """

    seat: Seat
    actions_left: int | None = None


class PawnWalked(PublicEvent, frozen=True, tag="pawn_walked"):
    """A pawn walked one step."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell


class BulletTaken(PublicEvent, frozen=True, tag="bullet_taken"):
    """A token became a bullet.

    bullets: in the owner's hand now
    """

    pawn: Pawn
    cell: Cell
    bullets: int


class RadarCalled(PublicEvent, frozen=True, tag="radar_called"):
    """The radar answered |dx| + |dy| from the pawn to the vampire, walls ignored (0 to 10)."""

    discloses = True
    is_awaited = True

    pawn: Pawn
    cell: Cell
    distance: int


class ShotFired(PublicEvent, frozen=True, tag="shot_fired"):
    """A bullet was fired; `hit` is the groan. The vampire's place on the line stays secret."""

    discloses = True
    is_awaited = True

    pawn: Pawn
    cell: Cell
    direction: Direction
    hit: bool
    bullets: int
    vampire_hp: int


class RadarAsked(PublicEvent, frozen=True, tag="radar_asked"):
    """On paper: a radar was called; the vampire has to answer."""

    pawn: Pawn
    cell: Cell


class ShotAsked(PublicEvent, frozen=True, tag="shot_asked"):
    """On paper: a bullet was fired; the vampire has to groan or keep silent."""

    pawn: Pawn
    cell: Cell
    direction: Direction


class AnswerDoubted(PublicEvent, frozen=True, tag="answer_doubted"):
    """On paper: no place of the vampire fits all answers so far.

    One answer is wrong, perhaps an earlier one.
    """


class PaperTakenUp(PublicEvent, frozen=True, tag="paper_taken_up"):
    """The vampire's phone is lost: from now on it plays on paper, and announces each attack and
    meal of a night at once.
    """


class PawnsKilled(PublicEvent, frozen=True, tag="pawns_killed"):
    """The vampire removed all pawns of a tile and stands there now."""

    discloses = True

    cell: Cell
    pawns: tuple[Pawn, ...]


class BatEaten(PublicEvent, frozen=True, tag="bat_eaten"):
    """A bat token was eaten; `vampire_hp` is unchanged with 2 players or at the maximum."""

    discloses = True

    cell: Cell
    vampire_hp: int


class HumanEliminated(PublicEvent, frozen=True, tag="human_eliminated"):
    """A human has no pawn left; their bullets leave the game."""

    seat: Seat
    bullets_lost: int


class TurnEnded(PublicEvent, frozen=True, tag="turn_ended"):
    """A turn ended; nothing else is public about the vampire's turn."""

    seat: Seat


class PawnSet(PublicEvent, frozen=True, tag="pawn_set"):
    """A pawn was set on a tile by hand, by agreement. This is no walk and gives no right to a
    bullet or a radar there.
    """

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell


class TokenSet(PublicEvent, frozen=True, tag="token_set"):
    """A token was set on its tile (`lies`) or removed by hand, by agreement; nobody got it."""

    cell: Cell
    token: Literal["bullet", "bat"]
    lies: bool


class GameOver(PublicEvent, frozen=True, tag="game_over"):
    """The game is over."""

    discloses = True

    winner: Literal["humans", "vampire", "draw"]
    reason: Literal[
        "vampire_dead", "humans_dead", "bullets_spent", "stalled", "agreed", "surrender"
    ]


class VampireEvent(PrivateEvent, frozen=True):
    """An event that the vampire alone knows."""

    @property
    def seats(self) -> frozenset[Seat]:
        return _VAMPIRE_ALONE


_VAMPIRE_ALONE = frozenset({V})


class VampireHid(VampireEvent, frozen=True, tag="vampire_hid"):
    """The vampire's first tile."""

    cell: Cell


class VampireMoved(VampireEvent, frozen=True, tag="vampire_moved"):
    """A step of the vampire, walked or made by an attack or a meal."""

    origin: Cell = msgspec.field(name="from")
    to: Cell
    actions_left: int


class VampireStruck(VampireEvent, frozen=True, tag="vampire_struck"):
    """With `announce = "turn_end"`: an attack that becomes public after the night."""

    cell: Cell
    pawns: tuple[Pawn, ...]


class VampireFed(VampireEvent, frozen=True, tag="vampire_fed"):
    """With `announce = "turn_end"`: a meal that becomes public after the night."""

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
