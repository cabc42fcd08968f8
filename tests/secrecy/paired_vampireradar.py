"""Two secret histories of VampireRader with one public history: the same answers, hits, kills and
meals.

A random game is played; then another path of the vampire is drawn from all those that explain
the same public events. Forward: on which tiles can the vampire be after each night, by the public
events? Backward: a path through those tiles that fits to the end.
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
from tests.secrecy.random_games import random_play

GAME = VampireRadar()


class Turn(Struct, frozen=True):
    """One submission: a human's single action, or the vampire's whole night."""

    seat: Seat
    actions: tuple[Action, ...]


class Twins(Struct, frozen=True):
    """Two games from one setup: equal turns but for the vampire's, and equal public events."""

    players: int
    setup: Setup
    one: tuple[Turn, ...]
    two: tuple[Turn, ...]


class Happened(Struct, frozen=True):
    """What the public learned between two ends of the vampire's turns, in order, with the field at
    the time.
    """

    night: tuple[PublicEvent, ...]
    day: tuple[PublicEvent, ...]

    @property
    def over(self) -> bool:
        """Whether the night's last kill or meal ended the game, so that no `end` followed."""
        return any(
            isinstance(event, GameOver) and event.reason != "stalled" for event in self.night
        )


def twins(rng: Random, players: int, most: int | None = None) -> Twins:
    """Return a pair whose private histories differ in at least one night; of whole games, or of
    their first `most` turns.
    """
    while True:
        turns, history, setup = _played(rng, players, most)
        field = history.field
        nights = _happenings(history)
        path = _other_path(rng, field, nights)
        other = _with_path(rng, field, turns, nights, path)
        if other != turns:
            return Twins(players, setup, turns, other)


class _History(Struct, frozen=True):
    field: Field
    events: tuple[tuple[Seat, Action, tuple[Event, ...]], ...]


def _played(
    rng: Random, players: int, most: int | None
) -> tuple[tuple[Turn, ...], _History, Setup]:
    """Play a random game, humans leaning to radars and shots; return its turns, its events and how
    to set it up.
    """
    turns: list[Turn] = []
    night: list[Action] = []
    events: list[tuple[Seat, Action, tuple[Event, ...]]] = []
    first: State | None = None
    for before, seat, action, happened, after in random_play(GAME, players, rng, _lively):
        first = first or before
        events.append((seat, action, tuple(happened)))
        if seat != V:
            turns.append(Turn(seat, (action,)))
        else:
            night.append(action)
        if night and GAME.to_move(after.public) != V:
            turns.append(Turn(V, tuple(night)))
            night = []
        if not night and len(turns) == most:
            break
    assert first is not None
    public: Public = first.public
    start = {str(pawn): str(cell) for pawn, cell in public.start.items()}
    return (
        tuple(turns),
        _History(public.field, tuple(events)),
        Setup(public.options, public.field.layout, start),
    )


def _lively(rng: Random, legal: Sequence[Action]) -> Action:
    """Draw an action, leaning to disclosures, so that games are short and eventful."""
    telling = [action for action in legal if isinstance(action, CallRadar | Attack | Heal)]
    if telling and rng.random() < 0.7:
        return rng.choice(telling)
    return rng.choice([action for action in legal if action != END or rng.random() < 0.5] or legal)


def _happenings(history: _History) -> list[Happened]:
    """Cut a game's public events at the ends of the vampire's turns."""
    cut: list[Happened] = []
    night: list[PublicEvent] = []
    day: list[PublicEvent] = []
    open_night = True
    for seat, action, events in history.events:
        told = [event for event in events if isinstance(event, PublicEvent)]
        (night if open_night else day).extend(told)
        if seat == V and isinstance(action, End | Place):
            open_night = False
        elif seat != V and any(getattr(event, "seat", None) == V for event in told):
            cut.append(Happened(tuple(night), tuple(day)))
            night, day, open_night = [], [], True
    cut.append(Happened(tuple(night), tuple(day)))
    return cut


def _other_path(rng: Random, field: Field, nights: Sequence[Happened]) -> list[Cell]:
    """Draw the vampire's tiles at the ends of its turns from all that explain what happened."""
    reach: list[dict[Cell, set[Cell]]] = []
    here: set[Cell] = set()
    for number, happened in enumerate(nights):
        sources: dict[Cell, set[Cell]] = {}
        for start in here if number else [Cell("")]:
            for end in _ends(field, start, happened) if number else STARTS:
                if _explains(field, end, happened.day):
                    sources.setdefault(end, set()).add(start)
        reach.append(sources)
        here = set(sources)
    path = [rng.choice(sorted(reach[-1]))]
    for sources in reversed(reach[1:]):
        path.append(rng.choice(sorted(sources[path[-1]])))
    return path[::-1]


def _explains(field: Field, cell: Cell, day: Sequence[PublicEvent]) -> bool:
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


def _ends(field: Field, start: Cell, happened: Happened) -> set[Cell]:
    return {end for end, _ in _walks(field, start, happened)}


def _walks(
    field: Field, start: Cell, happened: Happened
) -> Iterator[tuple[Cell, tuple[Action, ...]]]:
    """Yield every end and action list of a night from `start` with exactly these kills and meals in
    order.
    """
    marks = [event for event in happened.night if isinstance(event, PawnsKilled | BatEaten)]
    edge: list[tuple[Cell, int, int, tuple[Action, ...]]] = [(start, 2, 0, ())]
    while edge:
        cell, points, done, actions = edge.pop()
        if done == len(marks):
            yield cell, actions if happened.over else (*actions, END)
        if points == 0 or (happened.over and done == len(marks)):
            continue
        near = (cell, *field.grid.neighbours[cell])
        if done < len(marks) and marks[done].cell in near:
            mark = marks[done]
            act: Action = Attack(mark.cell) if isinstance(mark, PawnsKilled) else Heal(mark.cell)
            edge.append((mark.cell, points, done + 1, (*actions, act)))
        edge.extend(
            (to, points - 1, done, (*actions, Walk(to=to))) for to in field.grid.neighbours[cell]
        )


def _with_path(
    rng: Random,
    field: Field,
    turns: Sequence[Turn],
    nights: Sequence[Happened],
    path: Sequence[Cell],
) -> tuple[Turn, ...]:
    """Return the turns with the vampire's replaced by ones that lead along `path`."""
    other: list[Turn] = []
    number = 0
    for turn in turns:
        if turn.seat != V:
            other.append(turn)
            continue
        if number == 0:
            actions: tuple[Action, ...] = (Place(path[0]),)
        else:
            ways = [
                way
                for end, way in _walks(field, path[number - 1], nights[number])
                if end == path[number]
            ]
            actions = rng.choice(ways)
        other.append(Turn(V, actions))
        number += 1
    return tuple(other)
