"""A small game for the table's tests: "S" hides a number in secret turns, "A" and "B" ask about it.

S's turn is any number of `step` and a `shout`, ended by `end`. A and B may `wait`, `ask` (which
discloses the number's parity), `flip` the hidden coin, `draw_lot` (chance), `win`, and `end`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import (
    Action,
    Commitment,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    Message,
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


class Began(PublicEvent, frozen=True, tag="began"):
    players: int


class Waited(PublicEvent, frozen=True, tag="waited"):
    seat: Seat


class BonusTaken(PublicEvent, frozen=True, tag="bonus_taken"):
    seat: Seat


class Answered(PublicEvent, frozen=True, tag="answered"):
    discloses = True

    odd: bool


class Shouted(PublicEvent, frozen=True, tag="shouted"):
    discloses = True

    number: int


class TurnEnded(PublicEvent, frozen=True, tag="turn_ended"):
    seat: Seat


class Won(PublicEvent, frozen=True, tag="won"):
    winner: str
    reason: str


class Stepped(PrivateEvent, frozen=True, tag="stepped"):
    number: int

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({S})


class Public(Struct, frozen=True):
    order: tuple[Seat, ...] = ()
    to_move: Seat | None = S
    waits: int = 0
    bonus: bool = False
    answers: tuple[bool, ...] = ()
    shouts: tuple[int, ...] = ()
    outcome: Outcome | None = None


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

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> list[Event]:
        if seat != self.to_move(state.public):
            raise IllegalAction("not_your_turn")
        if isinstance(action, End):
            return [TurnEnded(seat)]
        return self._secret(state, action) if seat == S else self._open(state, seat, action, rng)

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

    def evolve(self, state: State, event: Event) -> State:
        if isinstance(event, Stepped):
            return State(state.public, {S: event.number}, state.hidden)
        return State(self._fold(state.public, event), state.private, state.hidden)

    def _fold(self, public: Public, event: Event) -> Public:
        match event:
            case Began(players=players):
                return replace(public, order=self.seat_names(players))
            case Waited():
                return replace(public, waits=public.waits + 1, bonus=True)
            case BonusTaken():
                return replace(public, bonus=False)
            case Answered(odd=odd):
                return replace(public, answers=(*public.answers, odd), bonus=False)
            case Shouted(number=number):
                return replace(public, shouts=(*public.shouts, number))
            case TurnEnded(seat=seat):
                after = public.order[(public.order.index(seat) + 1) % len(public.order)]
                return replace(public, to_move=after, bonus=False)
            case Won(winner=winner, reason=reason):
                return replace(public, outcome=Outcome(winner, reason))
        raise TypeError(type(event).__name__)

    def outcome(self, public: Any) -> Outcome | None:
        outcome: Outcome | None = public.outcome
        return outcome

    def describe(self, event: PublicEvent) -> Message:
        return Message(f"quiet.{type(event).__struct_config__.tag}")

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

    def automatic(self, view: View) -> list[Action]:
        return [Bonus()] if view.public.bonus else []

    def secret_seat(self, public: Any) -> Seat | None:
        return S if self.to_move(public) == S else None

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        path = [str(view.own)]
        for action in actions:
            if isinstance(action, Step):
                path.append(str(int(path[-1]) + action.by))
        return Commitment("night", tuple(path))

    def resign(self, public: Any, reason: str) -> Iterable[PublicEvent]:
        return [Won("draw" if reason == "agreed" else "seekers", reason)]
