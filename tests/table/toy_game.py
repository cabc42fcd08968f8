"""A small game for the table's tests: "S" hides a number in secret turns, "A" and "B" ask about it.

S's turn is any number of `step` and a `shout`, ended by `end`. A and B may `wait`, `ask` (which
discloses the number's parity), `flip` the hidden coin, `draw_lot` (chance), `win`, and `end`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import (
    Action,
    Commitment,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    State,
    View,
)

S, A, B = Seat("S"), Seat("A"), Seat("B")


class Step(Action, frozen=True, tag="step"):
    by: int


class Shout(Action, frozen=True, tag="shout"):
    pass


class Wait(Action, frozen=True, tag="wait"):
    pass


class Ask(Action, frozen=True, tag="ask"):
    discloses = True


class Flip(Action, frozen=True, tag="flip"):
    pass


class DrawLot(Action, frozen=True, tag="draw_lot"):
    pass


class Bonus(Action, frozen=True, tag="bonus"):
    pass


class Win(Action, frozen=True, tag="win"):
    pass


class End(Action, frozen=True, tag="end"):
    pass


class Public(Struct, frozen=True):
    order: tuple[Seat, ...] = ()
    to_move: Seat | None = S
    waits: int = 0
    bonus: bool = False
    answers: tuple[bool, ...] = ()
    shouts: tuple[int, ...] = ()
    outcome: Outcome | None = None


class Began(PublicEvent, frozen=True, tag="began"):
    players: int

    def apply(self, public: Public) -> Public:
        return replace(public, order=(S, A, B)[: self.players])


class Waited(PublicEvent, frozen=True, tag="waited"):
    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, waits=public.waits + 1, bonus=True)


class BonusTaken(PublicEvent, frozen=True, tag="bonus_taken"):
    seat: Seat

    def apply(self, public: Public) -> Public:
        return replace(public, bonus=False)


class Answered(PublicEvent, frozen=True, tag="answered"):
    discloses = True

    odd: bool

    def apply(self, public: Public) -> Public:
        return replace(public, answers=(*public.answers, self.odd), bonus=False)


class Shouted(PublicEvent, frozen=True, tag="shouted"):
    discloses = True

    number: int

    def apply(self, public: Public) -> Public:
        return replace(public, shouts=(*public.shouts, self.number))


class TurnEnded(PublicEvent, frozen=True, tag="turn_ended"):
    seat: Seat

    def apply(self, public: Public) -> Public:
        after = public.order[(public.order.index(self.seat) + 1) % len(public.order)]
        return replace(public, to_move=after, bonus=False)


class Won(PublicEvent, frozen=True, tag="won"):
    winner: str
    reason: str

    def apply(self, public: Public) -> Public:
        return replace(public, outcome=Outcome(self.winner, self.reason))


class Stepped(PrivateEvent, frozen=True, tag="stepped"):
    number: int

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({S})

    def apply_private(self, private: Mapping[Seat, int], public: Public) -> Mapping[Seat, int]:
        return {S: self.number}


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    options: dict[str, int] = {}
    start: int = 0


class QuietGame(Game):
    """Rules of the quiet game. A `wait` offers a bonus that the table takes by itself."""

    name = "quiet"
    seats = range(2, 4)
    actions = (Step, Shout, Wait, Ask, Flip, DrawLot, Bonus, Win, End)
    events = (Began, Waited, BonusTaken, Answered, Shouted, TurnEnded, Won, Stepped)
    setup_type = Setup

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return (S, A, B)[:players]

    def setup(self, seats: Sequence[Seat], setup: Any, rng: Random) -> list[Event]:
        if setup.start < 0:
            raise InvalidSetup("start_negative", start=setup.start)
        return [Began(len(seats))]

    def initial(self) -> State:
        return State(Public(), {S: 0}, "heads")

    def to_move(self, public: Any) -> Seat | None:
        return None if public.outcome else public.to_move

    def legal_actions(self, view: View) -> Sequence[Action]:
        if view.seat is None or view.seat != self.to_move(view.public):
            return ()
        return (
            (Step(0), Step(1), Shout(), End()) if view.seat == S else (Wait(), Ask(), Win(), End())
        )

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        if seat != self.to_move(state.public):
            raise IllegalAction("not_your_turn")
        draft = Draft(self.evolve, state)
        if isinstance(action, End):
            draft.emit(TurnEnded(seat))
        elif seat == S:
            draft.emit(*self._secret(state, action))
        else:
            draft.emit(*self._open(state, seat, action, rng))
        return draft

    def _secret(self, state: State, action: Action) -> list[Event]:
        match action:
            case Step(by=by) if 0 <= by <= 9:
                return [Stepped(state.private[S] + by)] if by else []
            case Shout():
                return [Shouted(state.private[S])]
        raise IllegalAction("not_in_the_dark")

    def _open(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        match action:
            case Wait():
                return [Waited(seat)]
            case Bonus() if state.public.bonus:
                return [BonusTaken(seat)]
            case Ask():
                return [Answered(state.private[S] % 2 == 1)]
            case Flip():
                return [Answered(state.hidden == "heads")]
            case DrawLot():
                return [Answered(rng.random() < 0.5)]
            case Win():
                return [Won("seekers", "won")]
        raise IllegalAction("not_by_day")

    def encode_view(self, view: View) -> dict[str, Any]:
        public = view.public
        return {
            "to_move": self.to_move(public),
            "waits": public.waits,
            "answers": list(public.answers),
            "shouts": list(public.shouts),
            "own": None if view.own is None else {"number": view.own},
        }

    def to_setup(self, state: State) -> dict[str, Any]:
        return {"options": {}, "start": 0}

    def follow_ups(self, view: View) -> list[Action]:
        return [Bonus()] if view.public.bonus else []

    def secret_seat(self, public: Any) -> Seat | None:
        return S if self.to_move(public) == S else None

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        path = [str(view.own)]
        for action in actions:
            if isinstance(action, Step):
                path.append(str(int(path[-1]) + action.by))
        return Commitment("night", tuple(path))

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        return {
            "agreed": [Won("draw", "agreed")],
            "surrender": [Won("seekers", "surrender")],
        }
