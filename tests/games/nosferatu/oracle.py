"""Nosferatu's rules checked from outside: by coordinates and counts alone, without the game's own
board or rules.

`python -m tests.games.nosferatu.oracle --games 1000 --seed 0` plays random games and stops at the
first broken rule.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from companion.core.codec import decode_event, encode_event
from companion.core.game import Action, Event, PublicEvent, State
from companion.core.view import view
from companion.games import find_game
from companion.games.nosferatu.actions import Enter, Jump, Move, Pass
from tests.games.lockstep import print_totals
from tools.secrecy.random_games import begin, evenly, random_play

GAME = find_game("nosferatu")
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1))
Place = tuple[int, int]
Standing = Mapping[Place, str]
"""The kind of the piece on each cell that is not empty: n, v or m."""


class Broken(Exception):
    """A rule that did not hold, and the action after which it did not."""


def place(cell: str) -> Place:
    return ord(cell[0]) - 96, int(cell[1:])


def on_the_board(spot: Place) -> bool:
    return all(1 <= number <= 7 for number in spot) and abs(spot[0] - spot[1]) <= 3


def standing(state: State) -> Standing:
    return {place(cell): pawn[0] for pawn, cell in state.public.pieces.items()}


def enemies(first: str, second: str) -> bool:
    return (first == "m") != (second == "m")


def captures(board: Standing, spot: Place) -> set[tuple[Place, Place]]:
    """Return (taken, landing) of each single jump of the piece on a cell, step by step along each
    direction.
    """
    kind, jumps = board[spot], set()
    for right, up in DIRECTIONS:
        line = [(spot[0] + n * right, spot[1] + n * up) for n in range(1, 7)]
        line = list(itertools.takewhile(on_the_board, line))
        hit = next((index for index, cell in enumerate(line) if cell in board), None)
        if hit is None or not enemies(kind, board[line[hit]]) or (kind != "n" and hit > 0):
            continue
        free = list(itertools.takewhile(lambda cell: cell not in board, line[hit + 1 :]))
        jumps |= {(line[hit], landing) for landing in (free if kind == "n" else free[:1])}
    return jumps


def check_offer(state: State, legal: Iterable[Action]) -> None:
    """Capture goes before entering, entering before moving, moving before passing; every capture is
    offered.
    """
    offered = list(legal)
    kinds = {type(action) for action in offered}
    board, public = standing(state), state.public
    own_pieces = [
        pawn for pawn in public.pieces if (pawn[0] == "m") == (public.to_move == "villagers")
    ]
    movers = [public.chain] if public.chain else own_pieces
    legal_jumps = {
        (pawn, landing)
        for pawn in movers
        for _, landing in captures(board, place(public.pieces[pawn]))
    }
    offered_jumps = {
        (action.pawn, place(action.to)) for action in offered if isinstance(action, Jump)
    }
    demand("one kind of action at a time", len(kinds) == 1)
    demand("every capture is offered, and no other", legal_jumps == offered_jumps)
    demand("no turn is empty", bool(offered))
    if Move in kinds:
        in_hand = {pawn[0] for pawn in public.hands[public.to_move]}
        safe = [
            kind for kind in in_hand for cell in empty_cells(board) if enterable(board, kind, cell)
        ]
        demand("who can enter does not move", not safe)
    if Enter in kinds:
        cells = {
            (action.pawn[0], place(action.to)) for action in offered if isinstance(action, Enter)
        }
        in_hand = {pawn[0] for pawn in public.hands[public.to_move]}
        safe_cells = {
            (kind, cell)
            for kind in in_hand
            for cell in empty_cells(board)
            if enterable(board, kind, cell)
        }
        first = not public.entered
        demand(
            "each safe cell is offered",
            cells == {each for each in safe_cells if not (first and each[1] == (4, 4))},
        )
    if Pass in kinds:
        demand(
            "who can move does not pass",
            not any(steps(board, place(public.pieces[pawn])) for pawn in own_pieces),
        )


def empty_cells(board: Standing) -> list[Place]:
    return [
        (letter, number)
        for letter in range(1, 8)
        for number in range(1, 8)
        if abs(letter - number) <= 3 and (letter, number) not in board
    ]


def enterable(board: Standing, kind: str, cell: Place) -> bool:
    after = {**board, cell: kind}
    return not any(
        captured == cell
        for spot, other in board.items()
        if enemies(kind, other)
        for captured, _ in captures(after, spot)
    )


def steps(board: Standing, spot: Place) -> list[Place]:
    around = [(spot[0] + right, spot[1] + up) for right, up in DIRECTIONS]
    return [cell for cell in around if on_the_board(cell) and cell not in board]


def check_state(state: State) -> None:
    """Pieces appear or disappear by a capture only, and no two stand on one cell."""
    public = state.public
    board = standing(state)
    everyone = Counter(
        pawn[0] for pawn in [*public.pieces, *itertools.chain(*public.hands.values())]
    )
    demand("a piece a cell", len(board) == len(public.pieces))
    demand("all on the board", all(on_the_board(spot) for spot in board))
    demand("one Nosferatu at most", everyone["n"] <= 1)
    demand("twelve villagers at most", everyone["m"] <= 12)
    demand("five vampires and the converted", everyone["v"] <= 5 + 12 - everyone["m"])
    everyone += Counter(pawn[0] for pawn in public.taken)
    turned = len(public.turned)
    demand(
        "the counts of captured pieces are right",
        everyone == Counter(n=1, v=5 + turned, m=12 - turned),
    )
    outcome = GAME.outcome(public)
    if outcome is None:
        demand("Nosferatu is there", everyone["n"] == 1)
        demand("villagers are there", everyone["m"] >= 1)
        demand("no position for the third time", max([0, *public.seen.values()]) < 3)
        demand("somebody is to move", public.to_move is not None)


def check_change(before: State, action: Action, after: State) -> None:
    """An action moves one piece, and takes one only by jumping over it."""
    old, new = before.public, after.public
    removed = {pawn for pawn in old.pieces if pawn not in new.pieces}
    come = {pawn for pawn in new.pieces if pawn not in old.pieces}
    moved = {
        pawn for pawn in old.pieces if pawn in new.pieces and old.pieces[pawn] != new.pieces[pawn]
    }
    match action:
        case Enter():
            demand(
                "entering adds that piece", (come, removed, moved) == ({action.pawn}, set(), set())
            )
        case Move():
            demand(
                "moving moves that piece", (come, removed, moved) == (set(), set(), {action.pawn})
            )
        case Pass():
            demand("passing changes nothing", not (come | removed | moved))
        case Jump():
            demand("a jump moves that piece", moved == {action.pawn})
            demand("a jump takes one", len(removed) == 1)
            demand("only Nosferatu converts, and then in place", bool(come) == action.convert)
            captured_at = place(old.pieces[next(iter(removed))])
            pair = (captured_at, place(action.to))
            demand(
                "what it jumped over",
                pair in captures(standing(before), place(old.pieces[action.pawn])),
            )
            demand(
                "the converted stand where they stood",
                all(place(new.pieces[each]) == captured_at for each in come),
            )


def demand(law: str, holds: bool) -> None:
    if not holds:
        raise Broken(law)


def careful(rng: Random, legal: Sequence[Action]) -> Action:
    """Draw an action, but keep Nosferatu in hand while that is possible: random play soon loses
    him.
    """
    wise = [action for action in legal if not (isinstance(action, Enter) and action.pawn == "n")]
    return rng.choice(wise or legal)


def play(seed: int) -> Counter[str]:
    """Play one random game under all rules; return how it ended and how many actions of each kind
    there were.

    An even seed draws every legal action with equal chance, an odd one carefully.
    """
    counts: Counter[str] = Counter()
    folded, _ = begin(GAME, 2, Random(0))
    last = folded
    choose = careful if seed % 2 else evenly
    for before, seat, action, events, after in random_play(GAME, 2, Random(seed), choose):
        try:
            check_offer(before, GAME.legal_actions(view(before, seat)))
            check_change(before, action, after)
            check_state(after)
            other = next(each for each in GAME.seat_names(2) if each != seat)
            demand("only one may act", not list(GAME.legal_actions(view(before, other))))
            demand("nothing is private", all(isinstance(event, PublicEvent) for event in events))
            folded = fold(folded, events)
            demand("the stored events give the state", folded == after)
        except Broken as broken:
            raise Broken(
                f"game {seed}, {msgspec.json.encode(action).decode()}: {broken}"
            ) from broken
        counts[type(action).__name__.lower()] += 1
        last = after
    outcome = GAME.outcome(last.public)
    demand(f"game {seed}: it ends", outcome is not None)
    counts[f"{outcome.winner} ({outcome.reason})"] += 1  # type: ignore[union-attr]
    return counts


def fold(state: State, events: Iterable[Event]) -> State:
    for event in events:
        stored: Any = decode_event(GAME.events, encode_event(event))
        state = GAME.evolve(state, stored)
    return state


def main() -> None:
    print_totals(play, "no law broken", __doc__)


if __name__ == "__main__":
    main()
