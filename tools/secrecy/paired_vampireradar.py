"""Two secret histories of Vampire Radar with one public history: the same answers, hits, kills and
meals.

A random game is played; then another path of the vampire is drawn from all that explain the same
public events. Forward: the tiles on which the vampire can be after each night, by the public
events. Backward: a path through those tiles that fits to the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.core.placement import Cell
from companion.games.vampireradar.actions import END, Attack, CallRadar, End, Heal, Place, Walk
from companion.games.vampireradar.events import (
    BatEaten,
    GameOver,
    PawnsKilled,
    RadarCalled,
    ShotFired,
)
from companion.games.vampireradar.options import STARTS, Setup, V
from companion.games.vampireradar.rules import VampireRadar
from companion.games.vampireradar.state import Field, Public
from tools.secrecy.random_games import random_play

GAME = VampireRadar()


class Turn(Struct, frozen=True):
    """One submission: a human's single action, or the vampire's whole night."""

    seat: Seat
    actions: tuple[Action, ...]


class Twins(Struct, frozen=True):
    """Two games from one set-up: only the vampire's turns differ, and the public events are
    equal.
    """

    players: int
    setup: Setup
    one: tuple[Turn, ...]
    two: tuple[Turn, ...]


class NightAndDay(Struct, frozen=True):
    """The public events between two ends of the vampire's turns, in order."""

    night: tuple[PublicEvent, ...]
    day: tuple[PublicEvent, ...]

    @property
    def over(self) -> bool:
        """Whether the night's last kill or meal ended the game without an `end`."""
        return any(
            isinstance(event, GameOver) and event.reason != "stalled" for event in self.night
        )


def twins(rng: Random, players: int, max_turns: int | None = None) -> Twins:
    """Return a pair whose private histories differ in at least one night; whole games, or their
    first `max_turns` turns.
    """
    while True:
        turns, history, setup = _play_random(rng, players, max_turns)
        field = history.field
        nights = _cut_at_nights(history)
        path = _other_path(rng, field, nights)
        other = _replace_nights(rng, field, turns, nights, path)
        if other != turns:
            return Twins(players, setup, turns, other)


class _History(Struct, frozen=True):
    field: Field
    events: tuple[tuple[Seat, Action, tuple[Event, ...]], ...]


def _play_random(
    rng: Random, players: int, max_turns: int | None
) -> tuple[tuple[Turn, ...], _History, Setup]:
    """Play a random game with many radars and shots; return its turns, events and set-up."""
    turns: list[Turn] = []
    night: list[Action] = []
    events: list[tuple[Seat, Action, tuple[Event, ...]]] = []
    first: State | None = None
    for before, seat, action, happened, after in random_play(
        GAME, players, rng, _choose_disclosing
    ):
        first = first or before
        events.append((seat, action, tuple(happened)))
        if seat != V:
            turns.append(Turn(seat, (action,)))
        else:
            night.append(action)
        if night and GAME.to_move(after.public) != V:
            turns.append(Turn(V, tuple(night)))
            night = []
        if not night and len(turns) == max_turns:
            break
    assert first is not None
    public: Public = first.public
    start = {str(pawn): str(cell) for pawn, cell in public.start.items()}
    return (
        tuple(turns),
        _History(public.field, tuple(events)),
        Setup(public.options, public.field.layout, start),
    )


def _choose_disclosing(rng: Random, legal: Sequence[Action]) -> Action:
    """Draw an action, preferring disclosures, so that games are short."""
    disclosing = [action for action in legal if isinstance(action, CallRadar | Attack | Heal)]
    if disclosing and rng.random() < 0.7:
        return rng.choice(disclosing)
    return rng.choice([action for action in legal if action != END or rng.random() < 0.5] or legal)


def _cut_at_nights(history: _History) -> list[NightAndDay]:
    """Cut a game's public events at the ends of the vampire's turns."""
    result: list[NightAndDay] = []
    night: list[PublicEvent] = []
    day: list[PublicEvent] = []
    is_night = True
    for seat, action, events in history.events:
        public_events = [event for event in events if isinstance(event, PublicEvent)]
        (night if is_night else day).extend(public_events)
        if seat == V and isinstance(action, End | Place):
            is_night = False
        elif seat != V and any(getattr(event, "seat", None) == V for event in public_events):
            result.append(NightAndDay(tuple(night), tuple(day)))
            night, day, is_night = [], [], True
    result.append(NightAndDay(tuple(night), tuple(day)))
    return result


def _other_path(rng: Random, field: Field, nights: Sequence[NightAndDay]) -> list[Cell]:
    """Draw the vampire's tiles at the ends of its turns from all that explain the events."""
    reachable: list[dict[Cell, set[Cell]]] = []
    cells: set[Cell] = set()
    for number, night in enumerate(nights):
        sources: dict[Cell, set[Cell]] = {}
        for start in cells if number else [Cell("")]:
            for end in _ends(field, start, night) if number else STARTS:
                if _fits_day(field, end, night.day):
                    sources.setdefault(end, set()).add(start)
        reachable.append(sources)
        cells = set(sources)
    path = [rng.choice(sorted(reachable[-1]))]
    for sources in reversed(reachable[1:]):
        path.append(rng.choice(sorted(sources[path[-1]])))
    return path[::-1]


def _fits_day(field: Field, cell: Cell, day: Sequence[PublicEvent]) -> bool:
    for event in day:
        if (
            isinstance(event, RadarCalled)
            and field.grid.distances[event.cell][cell] != event.distance
        ):
            return False
        if (
            isinstance(event, ShotFired)
            and (cell in field.grid.line(event.cell, event.direction)) != event.hit
        ):
            return False
    return True


def _ends(field: Field, start: Cell, night: NightAndDay) -> set[Cell]:
    return {end for end, _ in _walks(field, start, night)}


def _walks(
    field: Field, start: Cell, night: NightAndDay
) -> Iterator[tuple[Cell, tuple[Action, ...]]]:
    """Yield every end and action list of a night from `start` with exactly these kills and meals in
    order.
    """
    marks = [event for event in night.night if isinstance(event, PawnsKilled | BatEaten)]
    stack: list[tuple[Cell, int, int, tuple[Action, ...]]] = [(start, 2, 0, ())]
    while stack:
        cell, points, done, actions = stack.pop()
        if done == len(marks):
            yield cell, actions if night.over else (*actions, END)
        if points == 0 or (night.over and done == len(marks)):
            continue
        reach = (cell, *field.grid.neighbours[cell])
        if done < len(marks) and marks[done].cell in reach:
            mark = marks[done]
            act: Action = Attack(mark.cell) if isinstance(mark, PawnsKilled) else Heal(mark.cell)
            stack.append((mark.cell, points, done + 1, (*actions, act)))
        stack.extend(
            (to, points - 1, done, (*actions, Walk(to=to))) for to in field.grid.neighbours[cell]
        )


def _replace_nights(
    rng: Random,
    field: Field,
    turns: Sequence[Turn],
    nights: Sequence[NightAndDay],
    path: Sequence[Cell],
) -> tuple[Turn, ...]:
    """Return the turns with the vampire's replaced by ones along `path`."""
    other: list[Turn] = []
    number = 0
    for turn in turns:
        if turn.seat != V:
            other.append(turn)
            continue
        if number == 0:
            actions: tuple[Action, ...] = (Place(path[0]),)
        else:
            walks = [
                actions_of_walk
                for end, actions_of_walk in _walks(field, path[number - 1], nights[number])
                if end == path[number]
            ]
            actions = rng.choice(walks)
        other.append(Turn(V, actions))
        number += 1
    return tuple(other)
