"""Random games replayed with the fugitive on paper, who announces the same as on a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Action, Event, Seat, State
from companion.core.view import view
from companion.games.manhunt import Manhunt
from companion.games.manhunt.actions import (
    WRITE_START,
    AnnounceDistance,
    AnnouncePlace,
    AnnounceWay,
    AnswerArrest,
    AnswerQuestion,
    Arrest,
    End,
    Hide,
    Look,
    Step,
)
from companion.games.manhunt.events import (
    ArrestMissed,
    FugitiveCaught,
    FugitiveHid,
    FugitiveMoved,
    FugitivePlaced,
    FugitiveShown,
    FugitiveStepped,
    HideoutReached,
    NightStarted,
    NothingFound,
    QuestionAnswered,
    TargetReached,
)
from companion.games.manhunt.map_file import MapFile
from companion.games.manhunt.options import F, Options, Setup

GAME = Manhunt()
Act = tuple[Seat, Action]


class Move(Struct, frozen=True):
    """An action of the phone's game, its events, and the same action on paper."""

    seat: Seat
    action: Action
    happened: list[Event]
    acts: list[Act]


class PaperGame(Struct, frozen=True):
    """The set-up on a phone, everybody's actions with what is entered on paper, and all events."""

    setup: Setup
    players: int
    moves: list[Move]
    phone: list[Event]

    @property
    def acts(self) -> list[Act]:
        return [each for move in self.moves for each in move.acts]

    @property
    def pages(self) -> list[list[str]]:
        return [*pages_of(self.phone)]


def random_game(content: MapFile, players: int, seed: int) -> PaperGame:
    """Play a random game on a phone, with more steps than ends so that turns are long."""
    rng = Random(seed)
    setup = Setup(content=content)
    events = list(GAME.setup(GAME.seat_names(players), setup, rng))
    state = GAME.fold(events)
    setup = replace(setup, start={str(p): str(c) for p, c in state.public.start.items()})
    moves: list[Move] = []
    while state.public.to_move is not None:
        seat = state.public.to_move
        legal = list(GAME.legal_actions(view(state, seat)))
        action = rng.choice([each for each in legal if isinstance(each, Step)] or legal)
        if rng.random() < 0.4:
            action = rng.choice(legal)
        new_events = list(GAME.decide(state, seat, action, rng).events)
        moves.append(Move(seat, action, new_events, paper_acts(state, seat, action, new_events)))
        state = GAME.fold(new_events, state)
        events += new_events
    return PaperGame(setup, players, moves, events)


def paper_acts(state: State, seat: Seat, action: Action, events: Sequence[Event]) -> list[Act]:
    """Return the actions on paper that stand for an action on a phone."""
    if seat != F:
        return [(seat, action), *((F, answer) for answer in _answers(state, action, events))]
    if isinstance(action, Hide):
        return [(F, WRITE_START)]
    if isinstance(action, Step):
        return []
    return [(F, each) for each in (*_announced(events), action)]


def _answers(state: State, action: Action, events: Sequence[Event]) -> Iterator[Action]:
    for event in events:
        match event:
            case QuestionAnswered(yes=yes, found=found):
                yield AnswerQuestion(yes, found)
            case ArrestMissed() | NothingFound():
                yield AnswerArrest()
            case FugitiveCaught(cell=cell) if isinstance(action, Arrest | Look):
                yield AnswerArrest(cell)


def _announced(events: Sequence[Event]) -> Iterator[Action]:
    for event in events:
        match event:
            case FugitiveMoved(ways=ways, distance=distance):
                yield from (AnnounceWay(way) for way in ways or ())
                yield from [] if distance is None else [AnnounceDistance(distance)]
            case FugitiveShown(cell=cell) | TargetReached(cell=cell) | HideoutReached(cell=cell):
                yield AnnouncePlace(cell)


def pages_of(events: Sequence[Event]) -> Iterator[list[str]]:
    """Yield the fugitive's entries for each start and each turn."""
    cells: list[str] = []
    for event in events:
        match event:
            case FugitiveHid(cell=cell):
                cells = [cell]
            case FugitiveStepped(to=to):
                cells.append(to)
            case FugitivePlaced() | FugitiveMoved():
                yield cells
                cells = []


def breaks(game: PaperGame) -> list[int]:
    """Return after how many moves the phone may be lost: anywhere but in a secret turn."""
    ends = [
        number
        for number, move in enumerate(game.moves, start=1)
        if move.seat != F or isinstance(move.action, Hide | End)
    ]
    return [number for number in [0, *ends] if number < len(game.moves)]


def played(game: PaperGame, acts: Sequence[Act] | None = None) -> list[Event]:
    """Play the game on paper; return all events.

    `acts` are entered, by default the true ones.
    """
    setup = replace(game.setup, options=Options(path="paper"))
    return _play(game, setup, [*(game.acts if acts is None else acts)])


def lost(game: PaperGame, at: int, acts: Sequence[Act] | None = None) -> list[Event]:
    """Play with a phone that is lost after `at` moves, and on paper from then on."""
    sealed = [(move.seat, move.action) for move in game.moves[:at]]
    entered = acts_from(game, at) if acts is None else acts
    return _play(game, game.setup, [*sealed, None, *entered])


def _play(game: PaperGame, setup: Setup, acts: Sequence[Act | None]) -> list[Event]:
    """Return the events of a game; None stands for the moment when paper is taken up."""
    events: list[Event] = list(GAME.setup(GAME.seat_names(game.players), setup, Random(0)))
    state = GAME.fold(events)
    for act in acts:
        new_events: Sequence[Event] = (
            GAME.paper.switch_to_paper(state.public)
            if act is None
            else GAME.decide(state, act[0], act[1], Random(0)).events
        )
        state = GAME.fold(new_events, state)
        events += new_events
    return events


def acts_from(game: PaperGame, at: int) -> list[Act]:
    """Return what is done and entered on paper after `at` moves."""
    return [each for move in game.moves[at:] for each in move.acts]


def pages_from(game: PaperGame, at: int) -> list[list[str]]:
    """Return the fugitive's pages when its phone was lost after `at` moves."""
    before = [event for move in game.moves[:at] for event in move.happened]
    after = [event for move in game.moves[at:] for event in move.happened]
    night = _last_night(before)
    return [*([night[-1:]] if night else []), *pages_of(after)]


def _last_night(events: Sequence[Event]) -> list[str]:
    cells: list[str] = []
    for event in events:
        match event:
            case FugitiveHid(cell=cell):
                cells = [cell]
            case FugitiveStepped(to=to):
                cells.append(to)
            case NightStarted():
                cells = []
    return cells
