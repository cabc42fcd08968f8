"""Bots for Nosferatu: levels that search with bit masks."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.capabilities import Bot, Bots, HistoryBot
from companion.core.game import Action, Seat
from companion.core.placement import Pawn
from companion.core.search_budget import SearchBudget
from companion.games.nosferatu.actions import PASS, Enter, Jump, Move
from companion.games.nosferatu.bots.engine import CELLS, Turn, position_of, turns
from companion.games.nosferatu.bots.search import Search
from companion.games.nosferatu.movement import legal
from companion.games.nosferatu.options import VAMPIRES, VILLAGERS
from companion.games.nosferatu.state import Public

LEVELS: Mapping[str, int] = {"random": 0, "heuristic": 2, "search": 12}
"""The search depth of each level in quiet turns, if time allows; 0 for a random legal turn."""


def choose_turn(public: Public, level: str, budget: SearchBudget) -> list[Action]:
    """Return one whole turn, all jumps of a capture included, for the side to move; within a
    capture, which an undo or a person's hand may have left, one further jump.

    Beyond that turn the search plays by the default options.
    """
    rng = budget.rng
    if public.chain:
        return [rng.choice(legal(public))]
    now, depth, offered = position_of(public), LEVELS[level], legal(public)
    allowed = [turn for turn in turns(now) if actions_of(public, turn)[0] in offered]
    if not allowed:
        return [rng.choice(offered)]
    if depth == 0:
        return actions_of(public, rng.choice(allowed))
    search = Search(budget.deadline().spent)
    return actions_of(public, search.best(allowed, depth, rng))


def actions_of(public: Public, turn: Turn) -> list[Action]:
    """Return a turn as the actions of the rules."""
    if turn.kind == "pass":
        return [PASS]
    cells = [CELLS[cell] for cell, _ in turn.to]
    if turn.kind == "enter":
        return [Enter(_in_hand(public, turn.piece), cells[0])]
    pawn = public.standing[CELLS[turn.origin]]
    if turn.kind == "move":
        return [Move(pawn, cells[0])]
    return [Jump(pawn, CELLS[cell], converts) for cell, converts in turn.to]


def _in_hand(public: Public, piece: str) -> Pawn:
    letter = {"s": "n", "x": "v", "w": "m"}[piece]
    hand = public.hands[VILLAGERS if piece == "w" else VAMPIRES]
    return next(pawn for pawn in hand if pawn[0] == letter)


class NosferatuBots(Bots):
    """Bots for either side; nothing is hidden from them."""

    levels = tuple(LEVELS)
    sides = ("vampires", "villagers")
    by_hand = frozenset({"enter", "move", "jump"})

    def make(self, seat: Seat, level: str, budget: SearchBudget) -> Bot:
        return HistoryBot(lambda view, _: choose_turn(view.public, level, budget))

    def side_before(self, seat: Seat) -> str:
        return seat
