"""The reader's status: a small public value beside the game's view, never a game event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Message
from companion.core.placement import Cell, Pawn
from companion.sensors.diff import Difference
from companion.sensors.explain import Explanation
from companion.sensors.link import Link, LinkState
from companion.sensors.observation import Ambiguity, Observation
from companion.sensors.reconcile import Ambiguous, InSync, Lifted, Matched, Result, Unexplained

BoardState = Literal[
    "off", "other_field", "settling", "setting_up", "in_sync", "lifted", "ambiguous", "unexplained"
]


class PawnToRemove(Struct, frozen=True):
    """A pawn that is out of the game and still on the table."""

    pawn: Pawn
    cell: Cell


class BoardStatus(Struct, frozen=True):
    """The board's public status.

    `state`: "off" without a source or a game, "other_field" while the board's cells are not the
    game's, "setting_up" until the pieces first lie as the game begins, unless legal actions explain
    where they lie. `differences`: corrections for people. `readings`: explanations that may be
    accepted instead, by number. `unknown`: cells the source does not report. `asks`: pieces that
    people should straighten there.
    """

    source: str = "none"
    link: LinkState = "none"
    message: Message | None = None
    state: BoardState = "off"
    lifted: tuple[Cell, ...] = ()
    readings: tuple[Explanation, ...] = ()
    differences: tuple[Difference, ...] = ()
    owed: tuple[PawnToRemove, ...] = ()
    unknown: tuple[Cell, ...] = ()
    asks: tuple[Message, ...] = ()
    caps: tuple[str, ...] = ()
    port: str | None = None
    firmware: str | None = None

    def json(self) -> dict[str, Any]:
        """Return the status as JSON-ready values."""
        value: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self))
        return value


class ReaderState(Struct, frozen=True):
    """The reader's state, from which the status is made.

    `wrong_layout`: the board's cells are not the game's. `latest`: the last observation. `resting`:
    the last one that rested. `moving`: the table does not rest. `needs_resync`: nothing is matched
    until table and game agree. `laid`: a simulated board is being laid. `setting_up`: the pieces
    have not yet lain as the game begins. `grace_over`: the result is older than the grace period.
    `asked`: explanations of a tap.
    """

    link: Link
    ignored: bool
    wrong_layout: bool
    latest: Observation | None
    resting: Observation | None
    moving: bool
    needs_resync: bool
    laid: bool
    setting_up: bool
    grace_over: bool
    result: Result | None
    differences: tuple[Difference, ...]
    asked: tuple[Explanation, ...]
    refusal: Message | None
    owed: tuple[PawnToRemove, ...]


def to_status(now: ReaderState) -> BoardStatus:
    """Return the status of a state: link messages first, then a tap's question, then the table."""
    status = _table(now)
    if now.asked:
        status = replace(
            status, state="ambiguous", readings=now.asked, message=Message("board_which")
        )
    link = now.link
    return replace(
        status,
        source=_source(now),
        link=link.state,
        message=link.message or status.message,
        unknown=tuple(sorted(now.latest.unknown)) if now.latest is not None else (),
        asks=()
        if now.resting is None or now.ignored or link.state != "up"
        else user_prompts(now.resting.ambiguities),
        caps=tuple(sorted(link.caps)),
        port=link.port,
        firmware=link.firmware,
    )


def _source(now: ReaderState) -> str:
    if now.ignored:
        return "ignored"
    if now.link.state == "none":
        return "touch" if now.asked else "none"
    return now.link.source


def _table(now: ReaderState) -> BoardStatus:
    if now.ignored or now.latest is None:
        return BoardStatus()
    if now.wrong_layout:
        return BoardStatus(state="other_field", message=Message("board_other_field"))
    if now.laid:
        return BoardStatus(state="settling")
    # The board may have lost its link in a first walk; people may accept that walk.
    is_explained = isinstance(now.result, Matched | Ambiguous)
    if now.setting_up and now.differences and not is_explained:
        return BoardStatus(state="setting_up", differences=now.differences)
    match now.result:
        case None:
            return BoardStatus(state="settling" if now.moving else "off")
        case InSync():
            return BoardStatus(state="settling" if now.moving else "in_sync")
        case Lifted():
            return _lifted(now, now.result)
        case Ambiguous(readings):
            return _differs(now, Message("board_which"), readings, "ambiguous")
        case Matched(actions):
            return _differs(now, now.refusal or Message("board_differs"), (actions,))
        case Unexplained(rule=rule):
            if now.needs_resync or now.grace_over:
                return _differs(now, rule)
            return BoardStatus(state="settling")


def _lifted(now: ReaderState, result: Lifted) -> BoardStatus:
    """Return a lifted pawn's status; explanations are offered after the grace period."""
    if now.needs_resync:
        return _differs(now, Message("board_differs"), result.readings)
    if now.grace_over and (len(result.cells) > 1 or len(result.differences) > len(result.cells)):
        return _differs(now, Message("board_pawns_missing"), result.readings)
    if now.grace_over and result.readings:
        return BoardStatus(
            state="lifted",
            lifted=result.cells,
            readings=result.readings,
            message=Message("board_in_the_hand"),
        )
    return BoardStatus(state="lifted", lifted=result.cells)


def _differs(
    now: ReaderState,
    message: Message,
    readings: tuple[Explanation, ...] = (),
    state: BoardState = "unexplained",
) -> BoardStatus:
    return BoardStatus(
        state=state, message=message, readings=readings, differences=now.differences, owed=now.owed
    )


def user_prompts(ambiguities: Iterable[Ambiguity]) -> tuple[Message, ...]:
    """Return the questions for people, each once, in the order of the ambiguities."""
    prompts: list[Message] = []
    for ambiguity in ambiguities:
        if (ask := _ask(ambiguity)) not in prompts:
            prompts.append(ask)
    return tuple(prompts)


def _ask(ambiguity: Ambiguity) -> Message:
    cell = ambiguity.cells[0]
    match ambiguity.what, ambiguity.why, ambiguity.cells:
        case "pawn", _, (_, other):
            return Message(
                "board_straighten_pawn", {"pawn": ambiguity.name, "cell": cell, "other": other}
            )
        case "pawn", _, _:
            return Message("board_centre_pawn", {"pawn": ambiguity.name, "cell": cell})
        case "token", _, (_, other):
            return Message(
                "board_straighten_token", {"kind": ambiguity.name, "cell": cell, "other": other}
            )
        case "token", _, _:
            return Message("board_centre_token", {"kind": ambiguity.name, "cell": cell})
        case "piece", _, _:
            return Message("board_unnamed_piece", {"cell": cell})
        case _, "turn", _:
            return Message("board_turn_tile", {"cell": cell})
        case _, "crowd", _:
            return Message("board_one_tile", {"cell": cell})
    return Message("board_straighten_tile", {"tile": ambiguity.name, "cell": cell})
