"""Two secret paths of a fugitive with one public history.

A random game is played; then other paths with the same public events are followed turn by turn, at
most `KEPT` at a time, and one of those that remain is taken.
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
"""Other paths that are followed at the same time."""
TRIES = 60
MAPS: tuple[MapFile, ...] = (
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
    """Two games from one set-up: only the fugitive's turns differ, and the public events are
    equal.
    """

    players: int
    setup: Setup
    one: tuple[ManhuntTurn, ...]
    two: tuple[ManhuntTurn, ...]

    @property
    def alike(self) -> Seat:
        """A seat with the same view and actions in both."""
        return HUNTERS[0]

    @property
    def unlike(self) -> bool:
        """Whether the paths differ."""
        return self.one != self.two


class _Path(Struct, frozen=True):
    state: State
    turns: tuple[ManhuntTurn, ...]


def twins(rng: Random, players: int, max_turns: int) -> ManhuntTwins:
    """Return a pair of at most `max_turns` turns whose paths differ, if the tries find one."""
    result: ManhuntTwins | None = None
    for _ in range(TRIES):
        result = _make_pair(rng, players, max_turns)
        if result.unlike:
            return result
    assert result is not None
    return result


def _make_pair(rng: Random, players: int, max_turns: int) -> ManhuntTwins:
    setup = Setup(content=rng.choice(MAPS))
    seats = GAME.seat_names(players)
    start_state = GAME.fold(GAME.setup(seats, setup, rng))
    setup = Setup(
        content=setup.content,
        start={str(pawn): str(cell) for pawn, cell in start_state.public.start.items()},
    )
    first = _Path(start_state, ())
    others = [first]
    while len(first.turns) < max_turns and (seat := GAME.to_move(first.state.public)):
        turn, events, state = _random_turn(rng, first.state, seat)
        if GAME.outcome(state.public) is not None:
            break
        # Without another possible path the pair ends before this turn.
        next_paths = [
            next_path for path in others for next_path in _continue_path(path, turn, events)
        ]
        if not next_paths:
            break
        others = rng.sample(next_paths, min(KEPT, len(next_paths)))
        first = _Path(state, (*first.turns, turn))
    unlike = [path for path in others if path.turns != first.turns]
    second = rng.choice(unlike) if unlike else first
    return ManhuntTwins(players, setup, first.turns, second.turns)


def _random_turn(rng: Random, state: State, seat: Seat) -> tuple[ManhuntTurn, list[Event], State]:
    actions: list[Action] = []
    public_events: list[Event] = []
    while True:
        legal = list(GAME.legal_actions(view(state, seat)))
        action = rng.choice(legal)
        events = list(GAME.decide(state, seat, action, rng).events)
        actions.append(action)
        public_events += [event for event in events if isinstance(event, PublicEvent)]
        state = GAME.fold(events, state)
        if seat != F or GAME.to_move(state.public) != F:
            return ManhuntTurn(seat, tuple(actions)), public_events, state


def _continue_path(path: _Path, turn: ManhuntTurn, expected: Sequence[Event]) -> Iterator[_Path]:
    """Yield the continuations of this path with the same public events."""
    choices = _whole_turns(path.state) if turn.seat == F else [turn.actions]
    for actions in choices:
        state, public_events = path.state, list[Event]()
        for action in actions:
            events = list(GAME.decide(state, turn.seat, action, Random(0)).events)
            public_events += [event for event in events if isinstance(event, PublicEvent)]
            state = GAME.fold(events, state)
        if public_events == list(expected):
            yield _Path(state, (*path.turns, ManhuntTurn(turn.seat, tuple(actions))))


def _whole_turns(state: State, actions: tuple[Action, ...] = ()) -> Iterator[tuple[Action, ...]]:
    for action in GAME.legal_actions(view(state, F)):
        after = GAME.fold(GAME.decide(state, F, action, Random(0)).events, state)
        if GAME.to_move(after.public) == F:
            yield from _whole_turns(after, (*actions, action))
        else:
            yield (*actions, action)
