"""What a person is asked to make sure, because a board cannot: it is asked for, never guessed."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.game import Message
from companion.sensors.observation import Ambiguity


def user_prompts(doubts: Iterable[Ambiguity]) -> tuple[Message, ...]:
    """Return what to ask for, one thing after the other: pawns, then tokens, then tiles, as the
    doubts come.
    """
    said: list[Message] = []
    for doubt in doubts:
        if (ask := _ask(doubt)) not in said:
            said.append(ask)
    return tuple(said)


def _ask(doubt: Ambiguity) -> Message:
    cell = doubt.cells[0]
    match doubt.what, doubt.why, doubt.cells:
        case "pawn", _, (_, other):
            return Message(
                "board_straighten_pawn", {"pawn": doubt.name, "cell": cell, "other": other}
            )
        case "pawn", _, _:
            return Message("board_centre_pawn", {"pawn": doubt.name, "cell": cell})
        case "token", _, (_, other):
            return Message(
                "board_straighten_token", {"kind": doubt.name, "cell": cell, "other": other}
            )
        case "token", _, _:
            return Message("board_centre_token", {"kind": doubt.name, "cell": cell})
        case _, "turn", _:
            return Message("board_turn_tile", {"cell": cell})
        case _, "crowd", _:
            return Message("board_one_tile", {"cell": cell})
    return Message("board_straighten_tile", {"tile": doubt.name, "cell": cell})
