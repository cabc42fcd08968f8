"""Classify an observation: in sync, a lifted pawn, a move, a question or a mistake; and decide from
the rules whether an observed move can continue.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from companion.core.game import Action, Game, IllegalAction, Message, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import (
    Difference,
    differences,
    differing_cells,
    pawn_cells,
    seen_pawn_cells,
)
from companion.sensors.explain import (
    Candidate,
    Explanation,
    distinct_candidates,
    find_candidates,
    forfeits_offer,
    is_evident,
    only_swaps_pawns,
)
from companion.sensors.observation import Observation

Removals = Mapping[Cell, frozenset[Pawn]]
"""Pawns that the game has removed and that were last seen on these cells."""

NO_REMOVALS: Removals = MappingProxyType({})

MAX_DIFFERENCES = 8
"""Differing cells beyond which no turn explains them: the table was bumped."""

MAX_LIFTED = 2
"""Pawns that may be lifted at once."""


class InSync(Struct, frozen=True):
    """Table and game agree in everything that the source reports."""


class Lifted(Struct, frozen=True):
    """Pawns are missing from `cells`: a hand, not a mistake.

    `readings`: moves onto a cell that the source could not see, offered beside "in the hand".
    """

    cells: tuple[Cell, ...]
    differences: tuple[Difference, ...]
    readings: tuple[Explanation, ...] = ()


class Matched(Struct, frozen=True):
    """Exactly one explanation; it may be submitted without a tap."""

    actions: Explanation


class Ambiguous(Struct, frozen=True):
    """Several explanations, or one that forfeits something or is uncertain: a player is asked."""

    readings: tuple[Explanation, ...]
    differences: tuple[Difference, ...]


class Unexplained(Struct, frozen=True):
    """No legal actions explain the observation; `rule` says why."""

    differences: tuple[Difference, ...]
    rule: Message


Result = InSync | Lifted | Matched | Ambiguous | Unexplained


def reconcile(
    game: Game, view: View, observation: Observation, owed: Removals = NO_REMOVALS
) -> Result:
    """Return how the observation follows from the public view of the seat to move.

    Pending removals come first: while one is seen nothing else is explained, and other changes
    after them are asked, never matched.
    """
    placement = game.placement(view)
    wrong = differences(placement, observation)
    if not wrong:
        return InSync()
    if view.seat is None or game.secret_seat(view.public) is not None:
        return Unexplained(wrong, Message("board_not_now"))
    if (rule := removal_prompt(placement, observation, owed, wrong)) is not None:
        return Unexplained(wrong, rule)
    if len(wrong) > MAX_DIFFERENCES:
        return Unexplained(wrong, Message("board_many_changes"))
    candidates = find_candidates(game, view, observation)
    readings = distinct_candidates(game, candidates, by_name=observation.pawns is not None)
    lifted, count = lifted_pawns(placement, observation, readings)
    if count > MAX_LIFTED:
        return Unexplained(wrong, Message("board_many_changes"))
    if lifted:
        return Lifted(lifted, wrong, tuple(fit.actions for fit in readings))
    if not readings:
        return Unexplained(wrong, why_illegal(game, view, observation))
    if len(readings) > 1 or owed or _needs_confirmation(game, readings[0], observation):
        return Ambiguous(tuple(fit.actions for fit in readings), wrong)
    return Matched(readings[0].actions)


def pawns_to_remove(
    placement: Placement, observation: Observation, owed: Removals
) -> dict[Pawn, Cell]:
    """Return the pawns that must leave the table, with the cells where they are seen."""
    if observation.pawns is not None:
        at = pawn_cells(placement)
        return {
            pawn: cell
            for pawn, cell in seen_pawn_cells(observation).items()
            if pawn not in at
            and pawn not in placement.enterable
            and cell not in observation.unknown
        }
    occupied = observation.occupied or frozenset()
    seen = occupied - placement.occupied - observation.unknown
    return {pawn: cell for cell, pawns in owed.items() if cell in seen for pawn in pawns}


def removal_prompt(
    placement: Placement, observation: Observation, owed: Removals, wrong: tuple[Difference, ...]
) -> Message | None:
    """Return which pawn or token must leave the table first, None if none must."""
    for pawn, cell in sorted(pawns_to_remove(placement, observation, owed).items()):
        return Message("board_remove_pawn", {"pawn": pawn, "cell": cell})
    for difference in wrong:
        for token in difference.seen_tokens or ():
            if token != difference.token:
                return Message("board_remove_token", {"token": token, "cell": difference.cell})
    return None


def lifted_pawns(
    placement: Placement, observation: Observation, candidates: list[Candidate]
) -> tuple[tuple[Cell, ...], int]:
    """Return the cells that pawns were lifted from, and the least number of lifted pawns.

    By name: pawns seen nowhere that no candidate removes. By presence: cells that became empty
    while nothing was put down or, without a candidate, fewer were put down than lifted.
    """
    if observation.pawns is not None:
        seen = seen_pawn_cells(observation)
        seen.update(dict.fromkeys(_always_removed(placement, candidates), Cell("")))
        hidden = observation.unknown | observation.partly
        lost = [
            cell
            for pawn, cell in pawn_cells(placement).items()
            if pawn not in seen and cell not in hidden
        ]
        return tuple(sorted(set(lost))), len(lost)
    if observation.occupied is None:
        return (), 0
    off = placement.occupied - observation.occupied - observation.unknown
    on = observation.occupied - placement.occupied - observation.unknown
    if len(off) <= len(on) or (on and candidates):
        return (), 0
    return tuple(sorted(off)), len(off) - len(on)


def _always_removed(placement: Placement, candidates: list[Candidate]) -> frozenset[Pawn]:
    """Return the pawns that every candidate removes."""
    if not candidates:
        return frozenset()
    remaining = frozenset[Pawn]().union(*(pawn_cells(fit.placements[-1]) for fit in candidates))
    return frozenset(pawn_cells(placement)) - remaining


def _needs_confirmation(game: Game, fit: Candidate, observation: Observation) -> bool:
    """Return whether the only explanation must be confirmed."""
    return forfeits_offer(game, fit) or only_swaps_pawns(fit) or not is_evident(fit, observation)


def why_illegal(game: Game, view: View, observation: Observation) -> Message:
    """Return the rule that forbids the first of the moves seen, tried one after the other."""
    placement = game.placement(view)
    for pawn, cell in moved_pawns(placement, observation):
        for action in _steps(game, pawn, cell):
            try:
                view = game.preview(view, action)
            except IllegalAction as wrong:
                return wrong.message
    return _of_tokens(placement, observation) or Message("board_unexplained")


def moved_pawns(placement: Placement, observation: Observation) -> list[tuple[Pawn, Cell]]:
    """Return the pawns seen elsewhere; by presence only if one pawn explains the one change."""
    if observation.pawns is not None:
        at = pawn_cells(placement)
        return [
            (pawn, cell)
            for pawn, cell in sorted(seen_pawn_cells(observation).items())
            if at.get(pawn) != cell
        ]
    if observation.occupied is None:
        return []
    off = placement.occupied - observation.occupied - observation.unknown
    on = observation.occupied - placement.occupied - observation.unknown
    if len(off) != 1 or len(on) != 1:
        return []
    pawns = [pawn for cell in off for pawn in placement.pawns[cell]]
    return [(pawns[0], cell) for cell in on if len(pawns) == 1]


def _steps(game: Game, pawn: Pawn, cell: Cell) -> Iterator[Action]:
    """Yield the game's actions with the fields `pawn` and `to` that put a pawn on a cell."""
    for kind in game.actions:
        if set(kind.__struct_fields__) == {"pawn", "to"}:
            yield kind(pawn=pawn, to=cell)


def _of_tokens(placement: Placement, observation: Observation) -> Message | None:
    if observation.tokens is None:
        return None
    unknown = observation.unknown | observation.tokens_unknown
    for cell, token in sorted(placement.tokens.items()):
        if cell not in unknown and not observation.tokens.get(cell):
            return Message("board_put_token_back", {"token": token, "cell": cell})
    return None


def is_whole_move(game: Game, view: View, observation: Observation, result: Result) -> bool:
    """Return whether a presence snapshot, reconciled with `result`, shows one legal action and no
    part of a longer one.

    One contact opens and one closes, so neither a stack nor one contact's noise is enough. No other
    action sets the pawn down on the same cell or takes it over that cell, and the pawn cannot
    continue from there. Only the public view is used, so the time of a match reveals no secret.
    """
    moved = _moved_pawn(game.placement(view), observation)
    if moved is None or not isinstance(result, Matched) or len(result.actions) != 1:
        return False
    pawn, cell = moved
    (match,) = result.actions
    after = game.preview(view, match)
    others = (action for action in game.physical_actions(view) if action != match)
    return not any(_may_begin_at(game, view, action, pawn, cell) for action in others) and all(
        _place_after(game, after, action, pawn) == cell for action in game.physical_actions(after)
    )


def _moved_pawn(placement: Placement, observation: Observation) -> tuple[Pawn, Cell] | None:
    """Return the pawn whose cell became empty and the one cell that it can have reached."""
    if observation.pawns is not None or observation.occupied is None or observation.tokens:
        return None
    differing = differing_cells(placement, observation)
    left, reached = differing & placement.occupied, differing - placement.occupied
    pawns = frozenset[Pawn]().union(*(placement.pawns[cell] for cell in left))
    if len(pawns) != 1 or len(reached) != 1:
        return None
    return next(iter(pawns)), next(iter(reached))


def _may_begin_at(game: Game, view: View, action: Action, pawn: Pawn, cell: Cell) -> bool:
    """Return whether an action sets the pawn down on the cell or takes it over the cell."""
    end = _place_after(game, view, action, pawn)
    return end == cell or (
        end != pawn_cells(game.placement(view)).get(pawn)
        and cell in game.cells_passed(view, action)
    )


def _place_after(game: Game, view: View, action: Action, pawn: Pawn) -> Cell | None:
    """Return a pawn's cell after an action, None if the action removes it."""
    return pawn_cells(game.placement(game.preview(view, action))).get(pawn)
