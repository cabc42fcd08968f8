"""Search for legal actions that explain an observation, breadth first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from msgspec import Struct

from companion.core.codec import canonical_json, encode_action
from companion.core.game import Action, Game, View
from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.diff import changed_cells, differing_cells, pawn_cells
from companion.sensors.observation import Observation

Explanation = tuple[Action, ...]
"""Actions of the seat to move, in order, that would explain the observation."""

MAX_ACTIONS = 8
"""Longest explanation; a turn's points end the search long before."""

MAX_NODES = 3000
"""Search nodes after which to give up: beyond any turn, below half a second."""


class Candidate(Struct, frozen=True):
    """An explanation with the views and placements before, between and after its actions."""

    actions: Explanation
    views: tuple[View, ...]
    placements: tuple[Placement, ...]


def find_candidates(game: Game, view: View, observation: Observation) -> list[Candidate]:
    """Return the shortest sequences of physical actions after which nothing differs.

    Omits longer ones (a detour, a chain of pawns that replace each other): people do not make them
    between two observations.
    """
    level = [Candidate((), (view,), (game.placement(view),))]
    for _ in range(MAX_ACTIONS):
        deeper = [child for fit in level for child in _expand(game, fit, observation)]
        explaining = [fit for fit in deeper if not differing_cells(fit.placements[-1], observation)]
        if explaining or not deeper or len(deeper) > MAX_NODES:
            return explaining
        level = deeper
    return []


def distinct_candidates(game: Game, candidates: list[Candidate], by_name: bool) -> list[Candidate]:
    """Return one candidate of each kind.

    Candidates are of one kind if they have the same actions in another order, the same view and the
    same offers afterwards. Unless pawns are seen `by_name`, interchangeable pawns may swap names.
    """
    if len(candidates) < 2:
        return candidates
    together = (
        []
        if by_name
        else interchangeable(game, candidates[0].views[0], candidates[0].placements[0])
    )
    kinds: dict[str, Candidate] = {}
    for fit in candidates:
        key = min(_outcome(game, fit, names) for names in _renamings(fit, together))
        if key not in kinds or (forfeits_offer(game, kinds[key]) and not forfeits_offer(game, fit)):
            kinds[key] = fit
    return list(kinds.values())


def forfeits_offer(game: Game, fit: Candidate) -> bool:
    """Return whether an offer on the way is neither taken nor still open at the end."""
    last = _offers(game, fit, len(fit.actions))
    for index in range(1, len(fit.actions)):
        before, after = fit.placements[index - 1], fit.placements[index]
        if before.pawns == after.pawns:
            continue
        offered_before = {action for action, _ in _offers(game, fit, index - 1)}
        for offer in _offers(game, fit, index) - last:
            if offer[0] not in offered_before and offer[0] != fit.actions[index]:
                return True
    return False


def only_swaps_pawns(fit: Candidate) -> bool:
    """Return whether pawns only swapped places: somebody probably put them back wrongly."""
    before, after = fit.placements[0].pawns, fit.placements[-1].pawns
    moved = before != after
    return moved and all(
        len(before.get(cell, ())) == len(after.get(cell, ()))
        for cell in before.keys() | after.keys()
    )


def is_evident(fit: Candidate, observation: Observation) -> bool:
    """Return whether every moved pawn is seen at its new place.

    A presence board cannot tell a pawn that joined others from one in the hand.
    """
    start, end = pawn_cells(fit.placements[0]), fit.placements[-1]
    landed = {cell for pawn, cell in pawn_cells(end).items() if start.get(pawn) != cell}
    if landed & observation.unknown:
        return False
    return observation.pawns is not None or all(len(end.pawns[cell]) == 1 for cell in landed)


def interchangeable(game: Game, view: View, placement: Placement) -> list[tuple[Pawn, ...]]:
    """Return groups of pawns on one cell with the same legal actions, sorted by name."""
    rights = _rights(game, view, pawn_cells(placement))
    groups: dict[tuple[Cell, frozenset[tuple[object, ...]]], list[Pawn]] = {}
    for cell, pawns in placement.pawns.items():
        for pawn in sorted(pawns & rights.keys()):
            groups.setdefault((cell, frozenset(rights[pawn])), []).append(pawn)
    return [tuple(group) for group in groups.values() if len(group) > 1]


def _expand(game: Game, fit: Candidate, observation: Observation) -> Iterator[Candidate]:
    """Yield `fit` with one more action on a cell that differs or may have changed unseen.

    A presence board does not see one of several pawns leave.
    """
    view, placement = fit.views[-1], fit.placements[-1]
    wrong = differing_cells(placement, observation)
    if observation.pawns is None:
        wrong |= {cell for cell, pawns in placement.pawns.items() if len(pawns) > 1}
    at = pawn_cells(placement)
    stand_ins = _stand_ins(game, view, placement) if observation.pawns is None else frozenset()
    for action in game.physical_actions(view):
        names = [
            value
            for field in action.__struct_fields__
            if isinstance(value := getattr(action, field), str)
        ]
        if action.discloses or not stand_ins.isdisjoint(names) or not _may_touch(names, at, wrong):
            continue
        after = game.preview(view, action)
        then = game.placement(after)
        if not wrong.isdisjoint(
            changed_cells(placement, then, tokens=observation.tokens is not None)
        ):
            yield Candidate((*fit.actions, action), (*fit.views, after), (*fit.placements, then))


def _may_touch(names: list[str], at: Mapping[Pawn, Cell], wrong: frozenset[Cell]) -> bool:
    """Return False if an action names only pawns and cells where nothing differs."""
    cells = [at.get(Pawn(name), Cell(name)) for name in names]
    return not cells or not wrong.isdisjoint(cells)


def _stand_ins(game: Game, view: View, placement: Placement) -> frozenset[Pawn]:
    """Return the pawns that an interchangeable pawn with a lower letter can represent."""
    if all(len(pawns) < 2 for pawns in placement.pawns.values()):
        return frozenset()
    return frozenset(pawn for group in interchangeable(game, view, placement) for pawn in group[1:])


def _rights(game: Game, view: View, at: Mapping[Pawn, Cell]) -> dict[Pawn, set[tuple[object, ...]]]:
    """Return each pawn's legal actions, with its own name left out."""
    rights: dict[Pawn, set[tuple[object, ...]]] = {}
    for action in game.legal_actions(view):
        values = [getattr(action, field) for field in action.__struct_fields__]
        for pawn in values:
            if pawn in at:
                others = (None if value == pawn else value for value in values)
                rights.setdefault(pawn, set()).add((type(action), *others))
    return rights


def _offers(game: Game, fit: Candidate, index: int) -> set[tuple[Action, tuple[Cell, ...]]]:
    """Return the actions that move no pawn, each with the cells of the pawns it names."""
    at = pawn_cells(fit.placements[index])
    moving = {
        action
        for action in game.physical_actions(fit.views[index])
        if _moves(game, fit, index, action)
    }
    return {
        (action, _cells_named(action, at))
        for action in game.legal_actions(fit.views[index])
        if action not in moving
    }


def _moves(game: Game, fit: Candidate, index: int, action: Action) -> bool:
    after = game.preview(fit.views[index], action)
    return game.placement(after).pawns != fit.placements[index].pawns


def _cells_named(action: Action, at: Mapping[Pawn, Cell]) -> tuple[Cell, ...]:
    values = (getattr(action, field) for field in action.__struct_fields__)
    return tuple(at[value] for value in values if value in at)


def _renamings(fit: Candidate, together: list[tuple[Pawn, ...]]) -> list[dict[Pawn, Pawn]]:
    """Return every permutation of names among the moved pawns of each group."""
    start, end = pawn_cells(fit.placements[0]), pawn_cells(fit.placements[-1])
    renamings: list[dict[Pawn, Pawn]] = [{}]
    for group in together:
        moved = [pawn for pawn in group if start[pawn] != end.get(pawn)]
        swaps = [dict(zip(moved, order, strict=True)) for order in permutations(moved)]
        renamings = [{**renaming, **swap} for renaming in renamings for swap in swaps]
    return renamings


def _outcome(game: Game, fit: Candidate, names: Mapping[Pawn, Pawn]) -> str:
    """Return a key of the actions, in any order, and of the state they lead to."""
    view = fit.views[-1]
    taken = _sorted([_renamed(encode_action(action), names) for action in fit.actions])
    offers = _sorted(
        [_renamed(encode_action(action), names) for action in game.legal_actions(view)]
    )
    return canonical_json([taken, _renamed(game.encode_view(view), names), offers])


def _sorted(values: list[Any]) -> list[str]:
    return sorted(canonical_json(value) for value in values)


def _renamed(value: Any, names: Mapping[Any, Any]) -> Any:
    match value:
        case dict():
            return {names.get(key, key): _renamed(part, names) for key, part in value.items()}
        case list() | tuple():
            return [_renamed(part, names) for part in value]
        case str():
            return names.get(value, value)
    return value
