"""Recorded games played again with the vampire on paper, which tells the truth that the records know."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import decode_actions
from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.games.vampireradar.model import (
    END,
    HIDE,
    AnswerRadar,
    AnswerShot,
    Attack,
    Heal,
    Place,
    RadarCalled,
    Setup,
    ShotFired,
    TurnStarted,
    V,
    VampireHid,
    VampireMoved,
)
from tests.games.scene import GAME

GAMES = Path(__file__).parent.parent / "fixtures" / "games"
Told = tuple[Seat, Action]


class PaperGame(Struct, frozen=True):
    """The set-up, what everybody did and told, the vampire's pages, and all that happened in the record."""

    setup: Setup
    players: int
    acts: list[Told]
    pages: list[list[str]]
    phone: list[Event]


def recorded(path: Path) -> PaperGame:
    """Return the game of a record as it would be played on paper."""
    first, *lines = [json.loads(line) for line in path.read_text().splitlines()]
    players = first["new"].pop("players")
    first["new"].pop("seed", None)
    setup = msgspec.convert(first["new"], Setup)
    events = GAME.setup(GAME.seat_names(players), setup, Random(0))
    state = fold(events)
    acts: list[Told] = []
    pages: list[list[str]] = [[]]
    for line in lines:
        if "actions" not in line:
            continue
        seat = Seat(line["seat"])
        for action in decode_actions(GAME, line["actions"]):
            happened = list(GAME.decide(state, seat, action, Random(0)))
            state = fold(happened, state)
            events += happened
            acts += told(seat, action, happened)
            pages[-1] += gone(happened)
            pages += [[] for event in happened if event == TurnStarted(V)]
    paper = replace(setup, options=replace(setup.options, path="paper"))
    return PaperGame(paper, players, acts, pages, events)


def gone(events: list[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, VampireHid):
            yield event.cell
        if isinstance(event, VampireMoved):
            yield event.to


def told(seat: Seat, action: Action, happened: list[Event]) -> list[Told]:
    """Return how the same comes about on paper: a question is answered by the vampire, a walk of it is never told."""
    answers: list[Told] = []
    for event in happened:
        if isinstance(event, RadarCalled):
            answers.append((V, AnswerRadar(event.distance)))
        if isinstance(event, ShotFired):
            answers.append((V, AnswerShot(event.hit)))
    if seat != V:
        return [(seat, action), *answers]
    if isinstance(action, Place):
        return [(V, HIDE)]
    return [(V, action)] if isinstance(action, Attack | Heal) or action == END else []


def fold(events: list[Event], state: State | None = None) -> State:
    state = GAME.initial() if state is None else state
    for event in events:
        state = GAME.evolve(state, event)
    return state


def played(game: PaperGame, acts: list[Told] | None = None) -> list[PublicEvent]:
    """Play it on paper; return the public events."""
    events = GAME.setup(GAME.seat_names(game.players), game.setup, Random(0))
    state = fold(events)
    for seat, action in game.acts if acts is None else acts:
        happened = list(GAME.decide(state, seat, action, Random(0)))
        state = fold(happened, state)
        events += happened
    assert not state.private
    return [event for event in events if isinstance(event, PublicEvent)]
