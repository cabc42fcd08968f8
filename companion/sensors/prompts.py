"""What a person is asked to make sure, because a board cannot: it is asked for, never guessed."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Said
from companion.sensors.observation import Doubt


def asks(doubts: Iterable[Doubt]) -> tuple[Said, ...]:
    """Return what to ask for, one thing after the other: pawns, then tokens, then tiles, as the
    doubts come.
    """
    said: list[Said] = []
    for doubt in doubts:
        if (ask := _ask(doubt)) not in said:
            said.append(ask)
    return tuple(said)


def _ask(doubt: Doubt) -> Said:
    cell = doubt.cells[0]
    match doubt.what, doubt.why, doubt.cells:
        case "pawn", _, (_, other):
            return Said("board_straighten_pawn", {"pawn": doubt.name, "cell": cell, "other": other})
        case "pawn", _, _:
            return Said("board_centre_pawn", {"pawn": doubt.name, "cell": cell})
        case "token", _, (_, other):
            return Said(
                "board_straighten_token", {"kind": doubt.name, "cell": cell, "other": other}
            )
        case "token", _, _:
            return Said("board_centre_token", {"kind": doubt.name, "cell": cell})
        case _, "turn", _:
            return Said("board_turn_tile", {"cell": cell})
        case _, "crowd", _:
            return Said("board_one_tile", {"cell": cell})
    return Said("board_straighten_tile", {"tile": doubt.name, "cell": cell})
