"""Define the events of a game: what each changes, and its message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.core.game import (
    DisclosingEvent,
    Event,
    Message,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    tagged_types,
)
from companion.core.grid import Direction
from companion.core.placement import Cell, Pawn
from companion.games.vampireradar.layout import lay
from companion.games.vampireradar.options import HUMANS, NIGHT_POINTS, Layout, Options, V
from companion.games.vampireradar.state import (
    OWNERS,
    Public,
    Vampire,
    round_queue,
)

Private = Mapping[Seat, Vampire]


class GameSetUp(PublicEvent, frozen=True, tag="game_set_up"):
    """The field, pawns and tokens are set up and bullets dealt."""

    players: int
    options: Options
    field: Layout
    start: dict[str, str]
    bullets: dict[str, int]
    vampire_hp: int

    def apply(self, public: Public) -> Public:
        field = lay(self.field)
        start = {Pawn(pawn): Cell(cell) for pawn, cell in self.start.items()}
        humans = HUMANS[: self.players - 1]
        return Public(
            field=field,
            options=self.options,
            humans=humans,
            start=start,
            pawns=start,
            bullets={Seat(seat): count for seat, count in self.bullets.items()},
            bullet_tokens=field.cells_of("o"),
            bat_tokens=field.cells_of("b"),
            hp=self.vampire_hp,
            max_hp=5 if self.players == 4 else 4,
            queue=round_queue(humans, 1, self.options),
        )

    def apply_private(self, private: Private, public: Public) -> Private:
        return {} if self.options.on_paper else private


class VampirePlaced(DisclosingEvent, frozen=True, tag="vampire_placed"):
    """The vampire has hidden; its tile is secret."""

    def apply(self, public: Public) -> Public:
        return replace(public, placed=True)


class TurnStarted(PublicEvent, frozen=True, tag="turn_started", omit_defaults=True):
    """A seat is to move.

    actions_left: a human's points; None for the vampire
    """

    seat: Seat
    actions_left: int | None = None

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            to_move=self.seat,
            queue=public.queue[public.queue.index(self.seat) + 1 :],
            actions_left=self.actions_left or 0,
            rights=(),
            acted=(),
        )

    def apply_private(self, private: Private, public: Public) -> Private:
        if self.seat != V or not private:
            return private
        cell = private[V].cell
        return {V: Vampire(cell, NIGHT_POINTS, () if cell is None else (cell,))}

    def message(self) -> Message:
        return self.message_named("night_fell" if self.seat == V else "turn_started")


class PawnWalked(PublicEvent, frozen=True, tag="pawn_walked"):
    """A pawn walked one step."""

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell

    def apply(self, public: Public) -> Public:
        pawn, to = self.pawn, self.to
        tile = public.field.tile[to]
        offers = tile == "r" or (tile == "o" and to in public.bullet_tokens)
        rights = _rights_after(public, pawn) if public.rights else ()
        return replace(
            public,
            pawns={**public.pawns, pawn: to},
            actions_left=public.actions_left - 1,
            rights=(*rights, pawn) if offers else rights,
            acted=public.acted if pawn in public.acted else (*public.acted, pawn),
        )


class BulletTaken(PublicEvent, frozen=True, tag="bullet_taken"):
    """A token became a bullet.

    bullets: in the owner's hand now
    """

    pawn: Pawn
    cell: Cell
    bullets: int

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            bullets={**public.bullets, OWNERS[self.pawn]: self.bullets},
            bullet_tokens=tuple(cell for cell in public.bullet_tokens if cell != self.cell),
            rights=_rights_after(public, self.pawn),
            active_round=public.round,
        )


class RadarCalled(DisclosingEvent, frozen=True, tag="radar_called"):
    """The radar answered |dx| + |dy| from the pawn to the vampire, walls ignored (0 to 10)."""

    is_awaited = True

    pawn: Pawn
    cell: Cell
    distance: int

    def apply(self, public: Public) -> Public:
        return replace(public, rights=_rights_after(public, self.pawn), asked=None)


class ShotFired(DisclosingEvent, frozen=True, tag="shot_fired"):
    """A bullet was fired; `hit` is the groan. The vampire's place on the line stays secret."""

    is_awaited = True

    pawn: Pawn
    cell: Cell
    direction: Direction
    hit: bool
    bullets: int
    vampire_hp: int

    def apply(self, public: Public) -> Public:
        pawn = self.pawn
        return replace(
            public,
            bullets={**public.bullets, OWNERS[pawn]: self.bullets},
            hp=self.vampire_hp,
            spent=public.spent + 1,
            actions_left=public.actions_left - 1,
            rights=public.rights if public.options.lazy_landing else (),
            acted=public.acted if pawn in public.acted else (*public.acted, pawn),
            active_round=public.round,
            asked=None,
        )

    def message(self) -> Message:
        return self.message_named("shot_hit" if self.hit else "shot_missed")


class RadarAsked(PublicEvent, frozen=True, tag="radar_asked"):
    """On paper: a radar was called; the vampire has to answer."""

    pawn: Pawn
    cell: Cell

    def apply(self, public: Public) -> Public:
        return replace(public, asked=self)


class ShotAsked(PublicEvent, frozen=True, tag="shot_asked"):
    """On paper: a bullet was fired; the vampire has to groan or keep silent."""

    pawn: Pawn
    cell: Cell
    direction: Direction

    def apply(self, public: Public) -> Public:
        return replace(public, asked=self)


class AnswersContradict(PublicEvent, frozen=True, tag="answers_contradict"):
    """On paper: no place of the vampire fits all answers so far.

    One answer is wrong, perhaps an earlier one.
    """


class SwitchedToPaper(PublicEvent, frozen=True, tag="switched_to_paper"):
    """The vampire's phone is lost: from now on it plays on paper, and announces each attack and
    meal of a night at once.
    """

    def apply(self, public: Public) -> Public:
        options = replace(public.options, path="paper", announce="immediate")
        return replace(public, options=options, paper_from=public.round if public.placed else 0)

    def apply_private(self, private: Private, public: Public) -> Private:
        return {}


class PawnsKilled(DisclosingEvent, frozen=True, tag="pawns_killed"):
    """The vampire removed all pawns of a tile and stands there now."""

    cell: Cell
    pawns: tuple[Pawn, ...]

    def apply(self, public: Public) -> Public:
        pawns = {pawn: cell for pawn, cell in public.pawns.items() if pawn not in self.pawns}
        return replace(public, pawns=pawns, active_round=public.round)

    def message(self) -> Message:
        return Message("event.pawns_killed", {"cell": self.cell, "pawns": " ".join(self.pawns)})


class BatEaten(DisclosingEvent, frozen=True, tag="bat_eaten"):
    """A bat token was eaten; `vampire_hp` is unchanged with 2 players or at the maximum."""

    cell: Cell
    vampire_hp: int

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            bat_tokens=tuple(cell for cell in public.bat_tokens if cell != self.cell),
            hp=self.vampire_hp,
            active_round=public.round,
        )


class HumanEliminated(PublicEvent, frozen=True, tag="human_eliminated"):
    """A human has no pawn left; their bullets leave the game."""

    seat: Seat
    bullets_lost: int

    def apply(self, public: Public) -> Public:
        return replace(
            public,
            out=(*public.out, self.seat),
            bullets={**public.bullets, self.seat: 0},
            lost=public.lost + self.bullets_lost,
        )


class TurnEnded(PublicEvent, frozen=True, tag="turn_ended"):
    """A turn ended; nothing else is public about the vampire's turn."""

    seat: Seat

    def apply(self, public: Public) -> Public:
        if self.seat != V:
            return replace(public, actions_left=0, rights=())
        number = public.round + 1
        return replace(
            public,
            round=number,
            queue=round_queue(public.humans, number, public.options),
        )

    def message(self) -> Message:
        return self.message_named("night_over" if self.seat == V else "turn_ended")


class PawnSet(PublicEvent, frozen=True, tag="pawn_set"):
    """A pawn was set on a tile by hand, by agreement. This is no walk and gives no right to a
    bullet or a radar there.
    """

    pawn: Pawn
    origin: Cell = msgspec.field(name="from")
    to: Cell

    def apply(self, public: Public) -> Public:
        rights = tuple(pawn for pawn in public.rights if pawn != self.pawn)
        return replace(public, pawns={**public.pawns, self.pawn: self.to}, rights=rights)


class TokenSet(PublicEvent, frozen=True, tag="token_set"):
    """A token was set on its tile (`lies`) or removed by hand, by agreement; nobody got it."""

    cell: Cell
    token: Literal["bullet", "bat"]
    lies: bool

    def apply(self, public: Public) -> Public:
        tokens = public.bullet_tokens if self.token == "bullet" else public.bat_tokens
        lying = {*tokens, self.cell} if self.lies else {*tokens} - {self.cell}
        in_order = tuple(cell for cell in public.field.grid.cells if cell in lying)
        if self.token == "bullet":
            rights = tuple(pawn for pawn in public.rights if public.pawns[pawn] != self.cell)
            return replace(public, bullet_tokens=in_order, rights=rights)
        return replace(public, bat_tokens=in_order)

    def message(self) -> Message:
        return self.message_named("token_laid" if self.lies else "token_removed")


class GameOver(DisclosingEvent, frozen=True, tag="game_over"):
    """The game is over."""

    winner: Literal["humans", "vampire", "draw"]
    reason: Literal[
        "vampire_dead", "humans_dead", "bullets_spent", "stalled", "agreed", "surrender"
    ]

    def apply(self, public: Public) -> Public:
        outcome = Outcome(self.winner, self.reason)
        return replace(public, to_move=None, actions_left=0, rights=(), outcome=outcome, asked=None)

    def message(self) -> Message:
        return self.message_named(f"game_over.{self.winner}")


class VampireEvent(PrivateEvent, frozen=True):
    """An event that the vampire alone knows."""

    @property
    def seats(self) -> frozenset[Seat]:
        return _VAMPIRE_ALONE


_VAMPIRE_ALONE = frozenset({V})


class VampireHid(VampireEvent, frozen=True, tag="vampire_hid"):
    """The vampire's first tile."""

    cell: Cell

    def apply_private(self, private: Private, public: Public) -> Private:
        return {V: Vampire(self.cell, 0, (self.cell,))}


class VampireMoved(VampireEvent, frozen=True, tag="vampire_moved"):
    """A step of the vampire, walked or made by an attack or a meal."""

    origin: Cell = msgspec.field(name="from")
    to: Cell
    actions_left: int

    def apply_private(self, private: Private, public: Public) -> Private:
        own = private[V]
        trail = (*own.trail, self.to)
        return {V: Vampire(self.to, self.actions_left, trail, own.struck, own.fed)}


class VampireStruck(VampireEvent, frozen=True, tag="vampire_struck"):
    """With `announce = "turn_end"`: an attack that becomes public after the night."""

    cell: Cell
    pawns: tuple[Pawn, ...]

    def apply_private(self, private: Private, public: Public) -> Private:
        return {V: replace(private[V], struck=(*private[V].struck, self))}


class VampireFed(VampireEvent, frozen=True, tag="vampire_fed"):
    """With `announce = "turn_end"`: a meal that becomes public after the night."""

    cell: Cell

    def apply_private(self, private: Private, public: Public) -> Private:
        return {V: replace(private[V], fed=(*private[V].fed, self))}


def _rights_after(public: Public, pawn: Pawn) -> tuple[Pawn, ...]:
    """Return the rights that outlive an action of `pawn`: none, or with `lazy_landing` those of the
    other pawns.
    """
    if not public.options.lazy_landing:
        return ()
    return tuple(other for other in public.rights if other != pawn)


EVENTS = tagged_types(Event, globals())
