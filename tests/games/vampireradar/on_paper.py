"""Recorded games replayed with the vampire on paper, who answers with the truth of the records."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from companion.core.codec import decode_actions
from companion.core.game import Action, Event, PublicEvent, Seat, State
from companion.games.vampireradar.actions import (
    END,
    HIDE,
    AnswerRadar,
    AnswerShot,
    Attack,
    Heal,
    Place,
)
from companion.games.vampireradar.events import (
    RadarCalled,
    ShotFired,
    TurnEnded,
    TurnStarted,
    VampireHid,
    VampireMoved,
)
from companion.games.vampireradar.options import Setup, V
from tests.games.vampireradar.builders import GAME

GAMES = Path(__file__).parents[2] / "fixtures" / "games"
Act = tuple[Seat, Action]


class Move(Struct, frozen=True):
    """An action of the record, its events, and the same action on paper."""

    seat: Seat
    action: Action
    happened: list[Event]
    acts: list[Act]


class PaperGame(Struct, frozen=True):
    """The set-up, everybody's actions and answers, the vampire's pages, and all events in the
    record.
    """

    setup: Setup
    players: int
    moves: list[Move]
    pages: list[list[str]]
    phone: list[Event]

    @property
    def acts(self) -> list[Act]:
        return [act for move in self.moves for act in move.acts]


def recorded(path: Path) -> PaperGame:
    """Return the game of a record in its form on paper."""
    first, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    players = first["new"].pop("players")
    first["new"].pop("seed", None)
    setup = msgspec.convert(first["new"], Setup)
    events = GAME.setup(GAME.seat_names(players), setup, Random(0))
    state = fold(events)
    moves: list[Move] = []
    pages: list[list[str]] = [[]]
    for line in lines:
        if "actions" not in line:
            continue
        seat = Seat(line["seat"])
        for action in decode_actions(GAME, line["actions"]):
            new_events = list(GAME.decide(state, seat, action, Random(0)).events)
            state = fold(new_events, state)
            events += new_events
            moves.append(Move(seat, action, new_events, paper_acts(seat, action, new_events)))
            pages[-1] += cells_of(new_events)
            pages += [[] for event in new_events if event == TurnStarted(V)]
    paper = replace(setup, options=replace(setup.options, path="paper"))
    return PaperGame(paper, players, moves, pages, events)


def cells_of(events: list[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, VampireHid):
            yield event.cell
        if isinstance(event, VampireMoved):
            yield event.to


def paper_acts(seat: Seat, action: Action, events: list[Event]) -> list[Act]:
    """Return the actions on paper that stand for an action of the record: the vampire answers a
    question, and its walk is not entered.
    """
    answers: list[Act] = []
    for event in events:
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


def played(game: PaperGame, acts: list[Act] | None = None) -> list[PublicEvent]:
    """Play the game on paper; return the public events."""
    events = GAME.setup(GAME.seat_names(game.players), game.setup, Random(0))
    state = fold(events)
    for seat, action in game.acts if acts is None else acts:
        new_events = list(GAME.decide(state, seat, action, Random(0)).events)
        state = fold(new_events, state)
        events += new_events
    assert not state.private
    return [event for event in events if isinstance(event, PublicEvent)]


def turns(game: PaperGame) -> list[int]:
    """Return after how many moves the phone may be lost: anywhere but between two steps of one
    night.
    """
    breaks = [0]
    for number, move in enumerate(game.moves, start=1):
        if move.seat != V or TurnEnded(V) in move.happened or isinstance(move.action, Place):
            breaks.append(number)
    return [number for number in breaks if number < len(game.moves)]


def pages_from(game: PaperGame, at: int) -> list[list[str]]:
    """Return the vampire's pages when its phone was lost after `at` moves."""
    before = [event for move in game.moves[:at] for event in move.happened]
    path = [*cells_of(before)]
    pages = [path[-1:]] if path else [[]]
    if before and before[-1] == TurnStarted(V):
        pages.append([])
    for move in game.moves[at:]:
        pages[-1] += cells_of(move.happened)
        pages += [[] for event in move.happened if event == TurnStarted(V)]
    return pages


def lost(game: PaperGame, at: int, acts: list[Act] | None = None) -> list[Event]:
    """Play with a phone that is lost after `at` moves, and on paper from then on; return all
    events. `acts` are entered on paper, by default the true ones.
    """
    setup = replace(game.setup, options=replace(game.setup.options, path=UNSET))
    events: list[Event] = list(GAME.setup(GAME.seat_names(game.players), setup, Random(0)))
    state = fold(events)
    new_events: list[Event]
    for move in game.moves[:at]:
        new_events = list(GAME.decide(state, move.seat, move.action, Random(0)).events)
        state = fold(new_events, state)
        events += new_events
    new_events = list(GAME.paper.switch_to_paper(state.public))
    state = fold(new_events, state)
    events += new_events
    for seat, action in acts_from(game, at) if acts is None else acts:
        new_events = list(GAME.decide(state, seat, action, Random(0)).events)
        state = fold(new_events, state)
        events += new_events
    return events


def acts_from(game: PaperGame, at: int) -> list[Act]:
    """Return what is done and entered on paper after `at` moves."""
    return [act for move in game.moves[at:] for act in move.acts]
