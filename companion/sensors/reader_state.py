"""What the reader knows, put as the status that people see."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Message
from companion.sensors.diff import Difference
from companion.sensors.explain import Explanation
from companion.sensors.link import Link
from companion.sensors.observation import Observation
from companion.sensors.prompts import user_prompts
from companion.sensors.reconcile import Ambiguous, InSync, Lifted, Matched, Result, Unexplained
from companion.sensors.status import BoardState, BoardStatus, PawnToRemove


class ReaderState(Struct, frozen=True):
    """The reader's state: `misfit` where the board has another field than the game, `latest` as
    seen, `resting` as settled; `moving` while the table does not rest, `held` while nothing may be
    matched until table and record agree, `laid` while a virtual board is laid as the record has it,
    `setting_up` before all pieces lay as the game begins, `waited` once patience with the result is
    over, `asked` the readings of a tap.
    """

    link: Link
    ignored: bool
    misfit: bool
    latest: Observation | None
    resting: Observation | None
    moving: bool
    held: bool
    laid: bool
    setting_up: bool
    waited: bool
    result: Result | None
    differences: tuple[Difference, ...]
    asked: tuple[Explanation, ...]
    refusal: Message | None
    owed: tuple[PawnToRemove, ...]


def to_status(now: ReaderState) -> BoardStatus:
    """Return the status of a situation: what link trouble says comes first, then a tap's question,
    then the table.
    """
    status = _table(now)
    if now.asked:
        status = replace(status, state="ambiguous", readings=now.asked, said=Message("board_which"))
    link = now.link
    return replace(
        status,
        source=_source(now),
        link=link.state,
        said=link.said or status.said,
        unknown=tuple(sorted(now.latest.unknown)) if now.latest is not None else (),
        asks=()
        if now.resting is None or now.ignored or link.state != "up"
        else user_prompts(now.resting.doubts),
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
    if now.misfit:
        return BoardStatus(said=Message("board_other_field"))
    if now.laid:
        return BoardStatus(state="settling")
    if now.setting_up and now.differences:
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
            if now.held or now.waited:
                return _differs(now, rule)
            return BoardStatus(state="settling")


def _lifted(now: ReaderState, result: Lifted) -> BoardStatus:
    """A hand in the air is not nagged; what may have become of the pawn is offered when patience
    ends.
    """
    if now.held:
        return _differs(now, Message("board_differs"), result.readings)
    if now.waited and (len(result.cells) > 1 or len(result.differences) > len(result.cells)):
        return _differs(now, Message("board_pawns_missing"), result.readings)
    if now.waited and result.readings:
        return BoardStatus(
            state="lifted",
            lifted=result.cells,
            readings=result.readings,
            said=Message("board_in_the_hand"),
        )
    return BoardStatus(state="lifted", lifted=result.cells)


def _differs(
    now: ReaderState,
    said: Message,
    readings: tuple[Explanation, ...] = (),
    state: BoardState = "unexplained",
) -> BoardStatus:
    return BoardStatus(
        state=state, said=said, readings=readings, differences=now.differences, owed=now.owed
    )
