"""A table for tests: a real game, pawns on the cells of a placement, and the record that a reader
reads and writes.

`Record` is the smallest object with `view` and `submit`; `by_name` and `by_presence` make the
observations that a board reports of a placement.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from companion.core.game import Action, Event, Game, PublicEvent, Seat, State, View
from companion.core.placement import Cell, Pawn, Placement
from companion.core.view import view as view_of
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.actions import Place
from companion.games.vampireradar.events import GameSetUp, TurnStarted, VampireHid, VampirePlaced
from companion.games.vampireradar.options import Layout, Options, Setup, V
from companion.sensors.observation import Observation

GAME = VampireRadar()
BLANK = ("......",) * 6
H1 = Seat("H1")


class Record:
    """The record of a running game, without log, pace or seats."""

    def __init__(self, state: State, seed: int = 0) -> None:
        self.game: Game = GAME
        self.state = state
        self.rng = Random(seed)
        self.submitted: list[tuple[Seat, list[Action]]] = []
        self.public_events: list[PublicEvent] = []

    def view(self) -> tuple[Game, View] | None:
        """Return the game and the public view of the seat to move."""
        return self.game, View(self.game.to_move(self.state.public), self.state.public)

    def submit(self, seat: Seat, actions: list[Action]) -> None:
        """Play actions, all or nothing."""
        state, events = self.state, []
        for action in actions:
            for event in self.game.decide(state, seat, action, self.rng).events:
                state = self.game.evolve(state, event)
                events += [event] if isinstance(event, PublicEvent) else []
        self.state = state
        self.public_events += events
        self.submitted.append((seat, actions))

    def play(self, *actions: Action) -> None:
        """Play actions of the seat to move, as from a phone."""
        seat = self.game.to_move(self.state.public)
        assert seat is not None
        self.submit(seat, list(actions))

    def legal(self) -> list[Action]:
        """Return the legal actions of the seat to move, with its own secrets."""
        return list(
            self.game.legal_actions(view_of(self.state, self.game.to_move(self.state.public)))
        )

    @property
    def present(self) -> View:
        """The public view of the seat to move."""
        return View(self.game.to_move(self.state.public), self.state.public)

    @property
    def placement(self) -> Placement:
        """The expected placement of the table."""
        return self.game.placement(self.present)


def record(
    start: Mapping[str, str],
    tiles: tuple[str, ...] = BLANK,
    walls: tuple[str, ...] = (),
    actions_left: int = 2,
    vampire: str = "D4",
    **options: object,
) -> Record:
    """Return a game in H1's turn, the pawns on the cells of `start` and the vampire hidden."""
    players = 1 + len({pawn[:2] for pawn in start})
    setup = Setup(Options(**options), Layout(tiles, walls), dict(start))  # type: ignore[arg-type]
    events: list[Event] = [
        *_set_up(players, setup),
        VampireHid(Cell(vampire)),
        VampirePlaced(),
        TurnStarted(H1, actions_left),
    ]
    state = GAME.initial()
    for event in events:
        state = GAME.evolve(state, event)
    return Record(state)


def random_game(players: int, seed: int) -> Record:
    """Return a game with a random field, started, with the vampire hidden."""
    rng = Random(seed)
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(), rng):
        state = GAME.evolve(state, event)
    game = Record(state, seed)
    game.submit(V, [Place(Cell(rng.choice("BCDE") + rng.choice("2345")))])
    return game


def by_name(
    placement: Placement,
    at: float = 0.0,
    tokens: bool = False,
    unknown: frozenset[Cell] = frozenset(),
) -> Observation:
    """Return a table's observation by a board that reads tags."""
    counted = (
        {cell: Counter([token]) for cell, token in placement.tokens.items()} if tokens else None
    )
    return Observation(
        source="serial", at=at, pawns=dict(placement.pawns), tokens=counted, unknown=unknown
    )


def by_presence(
    placement: Placement, at: float = 0.0, unknown: frozenset[Cell] = frozenset()
) -> Observation:
    """Return a table's observation by the presence board."""
    return Observation(source="serial", at=at, occupied=placement.occupied, unknown=unknown)


def moved(
    placement: Placement, moves: Mapping[str, str | None], taken_tokens: tuple[str, ...] = ()
) -> Placement:
    """Return the placement after pawns were moved to other cells (None: lifted) and tokens were
    removed.
    """
    at = {pawn: cell for cell, pawns in placement.pawns.items() for pawn in pawns}
    for name, cell in moves.items():
        at.pop(Pawn(name), None)
        if cell is not None:
            at[Pawn(name)] = Cell(cell)
    pawns: dict[Cell, frozenset[Pawn]] = {}
    for pawn, cell_ in at.items():
        pawns[cell_] = pawns.get(cell_, frozenset()) | {pawn}
    return Placement(
        pawns, {cell: token for cell, token in placement.tokens.items() if cell not in taken_tokens}
    )


def _set_up(players: int, setup: Setup) -> list[Event]:
    assert setup.field is not None
    hands = {f"H{number}": 3 for number in range(1, players)}
    return [GameSetUp(players, setup.options, setup.field, dict(setup.start or {}), hands, 4)]
