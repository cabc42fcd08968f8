"""Two secret paths of a fugitive with one public history.

A random game is played; then every other path that brings the same public events is followed turn
by turn, as many at a time as a draw keeps, and one of those that last is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.manhunt.map_file import MapFile
from companion.games.manhunt.options import HUNTERS, F, Setup
from companion.games.manhunt.rules import Manhunt
from tests.games.manhunt.small_map import small

GAME = Manhunt()
KEPT = 30
"""Other paths that are followed at a time."""
TRIES = 60
CARDS: tuple[MapFile, ...] = (
    small(shows=[6]),
    small(shows=[], arrest="announce", announce="nothing", fugitive_moves=2),
    small(shows=[], announce="distance", may_stay=["fugitive", "hunter"]),
    small(shows=[5], announce="direction", fugitive_moves=2, nights=2, rounds=5),
)


class ManhuntTurn(Struct, frozen=True):
    """One submission: a hunter's single action, or the fugitive's whole turn."""

    seat: Seat
    actions: tuple[Action, ...]

    @property
    def is_secret(self) -> bool:
        """Whether it is the fugitive's."""
        return self.seat == F

    @property
    def action(self) -> Action:
        """A hunter's action."""
        return self.actions[0]


class ManhuntTwins(Struct, frozen=True):
    """Two games from one set-up: equal turns but for the fugitive's, and equal public events."""

    players: int
    setup: Setup
    one: tuple[ManhuntTurn, ...]
    two: tuple[ManhuntTurn, ...]

    @property
    def alike(self) -> Seat:
        """A seat that sees and does the same in both."""
        return HUNTERS[0]

    @property
    def unlike(self) -> bool:
        """Whether the paths differ."""
        return self.one != self.two


class _Path(Struct, frozen=True):
    state: State
    turns: tuple[ManhuntTurn, ...]


def twins(rng: Random, players: int, most: int) -> ManhuntTwins:
    """Return a pair of at most `most` turns whose paths differ, if that can be found."""
    found: ManhuntTwins | None = None
    for _ in range(TRIES):
        found = _pair(rng, players, most)
        if found.unlike:
            return found
    assert found is not None
    return found


def _pair(rng: Random, players: int, most: int) -> ManhuntTwins:
    setup = Setup(content=rng.choice(CARDS))
    seats = GAME.seat_names(players)
    first = GAME.fold(GAME.setup(seats, setup, rng))
    setup = Setup(
        content=setup.content,
        start={str(pawn): str(cell) for pawn, cell in first.public.start.items()},
    )
    one = _Path(first, ())
    others = [one]
    while len(one.turns) < most and (seat := GAME.to_move(one.state.public)):
        turn, told, state = _random_turn(rng, one.state, seat)
        if GAME.outcome(state.public) is not None:
            break
        # A path that nobody else can have gone ends the pair before it.
        followed = [next for path in others for next in _followed(path, turn, told)]
        if not followed:
            break
        others = rng.sample(followed, min(KEPT, len(followed)))
        one = _Path(state, (*one.turns, turn))
    unlike = [path for path in others if path.turns != one.turns]
    two = rng.choice(unlike) if unlike else one
    return ManhuntTwins(players, setup, one.turns, two.turns)


def _random_turn(rng: Random, state: State, seat: Seat) -> tuple[ManhuntTurn, list[Event], State]:
    actions: list[Action] = []
    told: list[Event] = []
    while True:
        legal = list(GAME.legal_actions(view(state, seat)))
        action = rng.choice(legal)
        events = list(GAME.decide(state, seat, action, rng))
        actions.append(action)
        told += [event for event in events if isinstance(event, PublicEvent)]
        state = GAME.fold(events, state)
        if seat != F or GAME.to_move(state.public) != F:
            return ManhuntTurn(seat, tuple(actions)), told, state


def _followed(path: _Path, turn: ManhuntTurn, told: Sequence[Event]) -> Iterator[_Path]:
    """Yield the ways in which this path may go on with the same public events."""
    choices = _whole_turns(path.state) if turn.seat == F else [turn.actions]
    for actions in choices:
        state, heard = path.state, list[Event]()
        for action in actions:
            events = list(GAME.decide(state, turn.seat, action, Random(0)))
            heard += [event for event in events if isinstance(event, PublicEvent)]
            state = GAME.fold(events, state)
        if heard == list(told):
            yield _Path(state, (*path.turns, ManhuntTurn(turn.seat, tuple(actions))))


def _whole_turns(state: State, made: tuple[Action, ...] = ()) -> Iterator[tuple[Action, ...]]:
    for action in GAME.legal_actions(view(state, F)):
        after = GAME.fold(GAME.decide(state, F, action, Random(0)), state)
        if GAME.to_move(after.public) == F:
            yield from _whole_turns(after, (*made, action))
        else:
            yield (*made, action)
