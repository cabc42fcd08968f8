"""The rules of Nosferatu: capture before entering, entering before moving."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

import msgspec

from companion.core.capabilities import PrintKit
from companion.core.codec import to_builtins
from companion.core.game import (
    Action,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    LampRules,
    PublicEvent,
    Seat,
    State,
    View,
)
from companion.core.placement import Cell, Inventory, Pawn, Placement, PositionEdit
from companion.games.nosferatu import events, movement
from companion.games.nosferatu.actions import ACTIONS, PASS, Enter, Jump, Move, Pass
from companion.games.nosferatu.bots import NosferatuBots
from companion.games.nosferatu.events import EVENTS
from companion.games.nosferatu.options import (
    DEAL,
    FIELD,
    NOSFERATU,
    SEATS,
    VAMPIRES,
    VILLAGERS,
    Hands,
    Options,
    Position,
    Setup,
)
from companion.games.nosferatu.replay import REPLAY
from companion.games.nosferatu.state import Public, other, side

EVERY = frozenset(FIELD.cells)
MAX_VAMPIRES = 17
"""The maximum number of vampires: the five at the start and the twelve villagers."""
PARTS = Inventory(
    (NOSFERATU, *(Pawn(f"v{n}") for n in range(1, MAX_VAMPIRES + 1)), *DEAL[VILLAGERS])
)


class Nosferatu(Game):
    """Nosferatu; rulings where the rules are silent are `Options`."""

    name = "nosferatu"
    seats = range(2, 3)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    bots = NosferatuBots()
    replay = REPLAY
    print_kit = PrintKit("companion.games.nosferatu.print_kit")
    lamps = LampRules(
        {
            "piece_entered": ("cell",),
            "piece_moved": ("from", "cell"),
            "piece_jumped": ("from", "cell"),
        }
    )
    custom_setup = ("position",)

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        start = setup.position or Position(hands=Hands(1, 5, 12))
        pieces, hands = _dealt_pieces(start)
        draft = Draft(self.evolve, self.initial())
        draft.emit(
            events.GameSetUp(
                len(seats),
                setup.options,
                {str(pawn): str(cell) for pawn, cell in pieces.items()},
                {str(seat): tuple(str(pawn) for pawn in pawns) for seat, pawns in hands.items()},
                start.to_move,
            )
        )
        _begin_turn(draft, Seat(start.to_move))
        return draft.events

    def initial(self) -> State:
        return State(Public(Options(), {}, {}))

    def to_move(self, public: Public) -> Seat | None:
        return public.to_move

    def legal_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        if view.seat is None or view.seat != public.to_move:
            return ()
        return movement.legal(public)

    def physical_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        if view.seat is None or view.seat != public.to_move:
            return ()
        offered = movement.legal(public)
        if isinstance(offered[0], Enter):
            return movement.entries(public, view.seat, whichever=True)
        return [action for action in offered if action != PASS]

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        self.check_turn(state.public, seat)
        draft = Draft(self.evolve, state)
        _take(draft, seat, action)
        return draft

    def preview(self, view: View, action: Action) -> View:
        public: Public = view.public
        if view.seat is None or view.seat != public.to_move or isinstance(action, Pass):
            raise IllegalAction("not_physical")
        draft = Draft(self.evolve, State(public))
        _take(draft, view.seat, action)
        return View(view.seat, draft.state.public)

    def cells_passed(self, view: View, action: Action) -> Sequence[Cell]:
        public: Public = view.public
        if not isinstance(action, Move | Jump):
            return ()
        rays = FIELD.rays[public.pieces[action.pawn]]
        return next(ray[: ray.index(action.to)] for ray in rays if action.to in ray)

    def parts(self) -> Inventory:
        return PARTS

    def placement(self, view: View) -> Placement:
        public: Public = view.public
        pieces = {cell: frozenset({pawn}) for pawn, cell in public.pieces.items()}
        hand = () if public.to_move is None else public.hands[public.to_move]
        return Placement(pieces, field=EVERY, enterable=frozenset(hand))

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        return {"agreed": [events.GameOver("draw", "agreed")]}

    def set_position(self, public: Public, arrangement: PositionEdit) -> Sequence[PublicEvent]:
        return position_events(public, arrangement)

    def encode_view(self, view: View) -> dict[str, Any]:
        public: Public = view.public
        return {
            "rows": [list(row) for row in FIELD.rows],
            "pawns": dict(public.pieces),
            "hands": {seat: list(pawns) for seat, pawns in public.hands.items()},
            "taken": list(public.taken),
            "turned": list(public.turned),
            "to_move": public.to_move,
            "chain": public.chain,
            "must_capture": public.to_move is not None
            and bool(movement.jumps(public, public.to_move)),
            "turns": public.turns,
            "options": msgspec.to_builtins(public.options),
            "outcome": msgspec.to_builtins(public.outcome),
            "own": None,
        }

    def to_setup(self, state: State) -> dict[str, Any]:
        public: Public = state.public
        return to_builtins(Setup(public.options, _position(public)))


def _take(draft: Draft, seat: Seat, action: Action) -> None:
    """Take an action; raise `IllegalAction` with the rule that forbids it."""
    public: Public = draft.state.public
    must = movement.jumps(public, seat)
    match action:
        case Jump():
            draft.emit(_jumped(public, seat, action))
        case _ if must:
            raise IllegalAction("must_go_on" if public.chain else "must_capture", pawn=must[0].pawn)
        case Enter(pawn=pawn, to=to):
            _check_entry(public, seat, pawn, to)
            draft.emit(events.PieceEntered(pawn, to))
        case Move(pawn=pawn, to=to):
            _check_move(public, seat, pawn, to)
            draft.emit(events.PieceMoved(pawn, public.pieces[pawn], to))
        case Pass() if movement.legal(public) == [PASS]:
            draft.emit(events.Passed(seat))
        case _:
            raise IllegalAction("may_not_pass")
    _end_turn(draft, seat)


def _jumped(public: Public, seat: Seat, jump: Jump) -> events.PieceJumped:
    _check_piece(public, seat, jump.pawn)
    if public.chain not in (None, jump.pawn):
        raise IllegalAction("must_go_on", pawn=str(public.chain))
    over = movement.taken_by(public, jump)
    if over is None:
        raise IllegalAction("no_such_jump", cell=jump.to)
    taken = public.standing[over]
    if jump.convert and not (jump.pawn == NOSFERATU and taken[0] == "m"):
        raise IllegalAction("cannot_convert")
    becomes = _next_vampire(public) if jump.convert else None
    return events.PieceJumped(jump.pawn, public.pieces[jump.pawn], jump.to, taken, over, becomes)


def _next_vampire(public: Public) -> Pawn:
    """Return the lowest name of a vampire that is neither on the board nor in hand."""
    known = {*public.pieces, *public.hands[VAMPIRES]}
    return next(
        name for number in range(1, MAX_VAMPIRES + 1) if (name := Pawn(f"v{number}")) not in known
    )


def _check_piece(public: Public, seat: Seat, pawn: Pawn) -> None:
    if pawn not in public.pieces:
        raise IllegalAction("no_such_piece", pawn=pawn)
    if side(pawn) != seat:
        raise IllegalAction("not_your_piece", pawn=pawn)


def _check_entry(public: Public, seat: Seat, pawn: Pawn, to: Cell) -> None:
    if pawn not in public.hands[seat]:
        raise IllegalAction("not_in_hand", pawn=pawn)
    if to not in FIELD.rays:
        raise IllegalAction("no_such_cell", cell=to)
    if to in public.standing:
        raise IllegalAction("cell_taken", cell=to)
    if not public.entered and to == FIELD.centre:
        raise IllegalAction("not_the_centre_first")
    if to in movement.exposed_cells(public, seat):
        raise IllegalAction("open_to_attack", cell=to)


def _check_move(public: Public, seat: Seat, pawn: Pawn, to: Cell) -> None:
    _check_piece(public, seat, pawn)
    if movement.entries(public, seat):
        raise IllegalAction("must_enter")
    if movement.must_wait(public, seat):
        raise IllegalAction("piece_in_hand")
    if to not in movement.ways(public.standing, pawn, public.pieces[pawn]):
        raise IllegalAction("no_such_move", cell=to)


def _end_turn(draft: Draft, seat: Seat) -> None:
    """Add what follows an action: the end, nothing before a further jump, or the next turn."""
    public: Public = draft.state.public
    last = draft.events[-1]
    if isinstance(last, events.PieceJumped):
        if last.taken == NOSFERATU:
            draft.emit(events.GameOver("villagers", "nosferatu_taken"))
            return
        if not public.hands[VILLAGERS] and not any(pawn[0] == "m" for pawn in public.pieces):
            draft.emit(events.GameOver("vampires", "villagers_gone"))
            return
        if movement.jumps(public, seat):
            return
    if public.passes == 2:
        draft.emit(events.GameOver("draw", "passes"))
    else:
        _begin_turn(draft, other(seat))


def _begin_turn(draft: Draft, seat: Seat) -> None:
    draft.emit(events.TurnStarted(seat))
    public: Public = draft.state.public
    if public.options.draws and max(public.seen.values()) >= 3:
        draft.emit(events.GameOver("draw", "repetition"))
    elif public.options.stalemate != "pass" and movement.legal(public) == [PASS]:
        winner: Literal["vampires", "villagers", "draw"] = "draw"
        if public.options.stalemate == "loss":
            winner = "vampires" if seat == VILLAGERS else "villagers"
        draft.emit(events.GameOver(winner, "stalemate"))


def _dealt_pieces(start: Position) -> tuple[dict[Pawn, Cell], dict[Seat, tuple[Pawn, ...]]]:
    """Return the pieces on the board and in hand, named in the order of the cells; raise
    `InvalidSetup`.
    """
    rows = start.rows or tuple("." * len(row) for row in FIELD.rows)
    if [len(row) for row in rows] != [len(row) for row in FIELD.rows]:
        raise InvalidSetup("position_rows", rows=" ".join(str(len(row)) for row in FIELD.rows))
    names = {
        "s": iter([NOSFERATU]),
        "x": _names("v", MAX_VAMPIRES),
        "w": _names("m", len(DEAL[VILLAGERS])),
    }
    pieces: dict[Pawn, Cell] = {}
    for cell, letter in zip(FIELD.cells, "".join(rows), strict=True):
        if letter == ".":
            continue
        if letter not in names:
            raise InvalidSetup("position_letter", letter=letter)
        pieces[_next(names[letter])] = cell
    left = start.hands
    hands = {
        VAMPIRES: tuple(_next(names["s"]) for _ in range(left.nosferatu))
        + tuple(_next(names["x"]) for _ in range(left.vampires)),
        VILLAGERS: tuple(_next(names["w"]) for _ in range(left.villagers)),
    }
    if NOSFERATU not in {*pieces, *hands[VAMPIRES]} or not any(
        side(p) == VILLAGERS for p in [*pieces, *hands[VILLAGERS]]
    ):
        raise InvalidSetup("position_is_over")
    everyone = [*pieces, *hands[VAMPIRES], *hands[VILLAGERS]]
    if (
        sum(pawn[0] == "v" for pawn in everyone) + sum(pawn[0] == "m" for pawn in everyone)
        > MAX_VAMPIRES
    ):
        raise InvalidSetup("too_many_pieces")
    return pieces, hands


def _names(letter: str, most: int) -> Any:
    return iter([Pawn(f"{letter}{number}") for number in range(1, most + 1)])


def _next(names: Any) -> Pawn:
    name: Pawn | None = next(names, None)
    if name is None:
        raise InvalidSetup("too_many_pieces")
    return name


def _position(public: Public) -> Position:
    lengths = [len(row) for row in FIELD.rows]
    rows = tuple(
        public.rows[sum(lengths[:index]) : sum(lengths[: index + 1])]
        for index in range(len(lengths))
    )
    vampires = public.hands[VAMPIRES]
    hands = Hands(
        vampires.count(NOSFERATU),
        len([p for p in vampires if p != NOSFERATU]),
        len(public.hands[VILLAGERS]),
    )
    return Position(rows, hands, "vampires" if public.to_move == VAMPIRES else "villagers")


def position_events(public: Public, arrangement: PositionEdit) -> list[events.PieceSet]:
    """Return the events that set pieces on other cells.

    Raises `IllegalAction` for an unknown piece or cell, two pieces on one cell, a token, no change,
    or during a capture.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    if public.chain:
        raise IllegalAction("must_go_on", pawn=public.chain)
    for cell in arrangement.tokens:
        raise IllegalAction("token_not_here", cell=cell)
    for pawn, cell in arrangement.pawns.items():
        if pawn not in public.pieces:
            raise IllegalAction("no_such_piece", pawn=pawn)
        if cell not in FIELD.rays:
            raise IllegalAction("no_such_cell", cell=cell)
    target = {**public.pieces, **arrangement.pawns}
    for cell, count in Counter(target.values()).items():
        if count > 1:
            raise IllegalAction("cell_taken", cell=cell)
    moved = [pawn for pawn, cell in public.pieces.items() if target[pawn] != cell]
    if not moved:
        raise IllegalAction("nothing_set")
    return [events.PieceSet(pawn, public.pieces[pawn], target[pawn]) for pawn in moved]
