"""Diff an expected placement against an observation, in the cells and facts that it reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from companion.core.placement import Cell, Pawn, Placement
from companion.sensors.observation import Observation

_NOBODY: frozenset[Pawn] = frozenset()


class Difference(Struct, frozen=True):
    """One cell where table and game differ.

    `expected`: pawns that the game has there. `seen`: pawns seen, None if the source only senses
    whether the cell is `occupied`. `token`: the token that the game has there. `seen_tokens`:
    tokens seen, None if the source sees none.
    """

    cell: Cell
    expected: tuple[Pawn, ...]
    seen: tuple[Pawn, ...] | None
    occupied: bool
    token: str | None = None
    seen_tokens: tuple[str, ...] | None = None


def differing_cells(placement: Placement, observation: Observation) -> frozenset[Cell]:
    """Return the cells that differ in a fact the source reports; unknown cells never do."""
    cells: set[Cell] = set()
    if observation.pawns is not None:
        cells |= _other_pawns(placement, observation)
    elif observation.occupied is not None:
        cells |= placement.occupied ^ observation.occupied
    if observation.tokens is not None:
        cells |= _other_tokens(placement, observation)
    return frozenset(cells) - observation.unknown


def differences(placement: Placement, observation: Observation) -> tuple[Difference, ...]:
    """Return the differences in the order of the cells' names."""
    return tuple(
        _difference(cell, placement, observation)
        for cell in sorted(differing_cells(placement, observation))
    )


def changed_cells(before: Placement, after: Placement, tokens: bool) -> Iterable[Cell]:
    """Yield the cells whose pawns (with `tokens`, also tokens) differ between two placements."""
    for cell in before.pawns.keys() | after.pawns.keys():
        if before.pawns.get(cell, _NOBODY) != after.pawns.get(cell, _NOBODY):
            yield cell
    if tokens:
        for cell in before.tokens.keys() | after.tokens.keys():
            if before.tokens.get(cell) != after.tokens.get(cell):
                yield cell


def pawn_cells(placement: Placement) -> dict[Pawn, Cell]:
    """Return each pawn's cell."""
    return {pawn: cell for cell, pawns in placement.pawns.items() for pawn in pawns}


def seen_pawn_cells(observation: Observation) -> dict[Pawn, Cell]:
    """Return the cell of each pawn from a source that names them."""
    return {pawn: cell for cell, pawns in (observation.pawns or {}).items() for pawn in pawns}


def _other_pawns(placement: Placement, observation: Observation) -> set[Cell]:
    seen = observation.pawns or {}
    named = placement.pawns.keys() | seen.keys()
    return {
        cell
        for cell in named
        if (there := seen.get(cell, _NOBODY)) != (expected := placement.pawns.get(cell, _NOBODY))
        and not (cell in observation.partly and there < expected)
    }


def _other_tokens(placement: Placement, observation: Observation) -> set[Cell]:
    seen = observation.tokens or {}
    return {
        cell
        for cell in (placement.tokens.keys() | seen.keys()) - observation.tokens_unknown
        if seen.get(cell, Counter())
        != Counter([placement.tokens[cell]] if cell in placement.tokens else [])
    }


def _difference(cell: Cell, placement: Placement, observation: Observation) -> Difference:
    expected = tuple(sorted(placement.pawns.get(cell, _NOBODY)))
    if observation.pawns is not None:
        seen: tuple[Pawn, ...] | None = tuple(sorted(observation.pawns.get(cell, _NOBODY)))
        occupied = bool(seen)
    else:
        seen = None
        occupied = (
            cell in observation.occupied if observation.occupied is not None else bool(expected)
        )
    tokens = (
        None
        if observation.tokens is None or cell in observation.tokens_unknown
        else tuple(sorted(observation.tokens.get(cell, Counter()).elements()))
    )
    return Difference(cell, expected, seen, occupied, placement.tokens.get(cell), tokens)
