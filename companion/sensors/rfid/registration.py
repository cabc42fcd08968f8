"""Register tags: each item is put on one cell, alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from companion.core.game import Message
from companion.core.placement import Cell, Pawn
from companion.sensors.rfid.locate import TILE_SPOTS, TOKEN_SPOTS, Locator, TagPlace, TagReading
from companion.sensors.rfid.registry import PawnTag, TaggedItem, TileTag, TokenTag, afi_of
from companion.sensors.serial.messages import (
    SLOTS,
    Calibrate,
    Scan,
    TagRecord,
    TagWriteAfi,
    Uid,
    WireMessage,
    slot_of,
)
from companion.sensors.serial.procedure import Procedure

SCANS_TO_CONFIRM = 2
"""Scans in a row that must find the same tag."""


class Registration(Procedure):
    """Requests the `things` one after the other; `message` is the prompt.

    `known`: registered tags. `store_tag` stores a tag after its class was written, and returns the
    registered tags or why it could not be stored. A registered tag must be deleted before it is
    used for another item. No two pawns of `together` should answer in one slot, unless a person
    forces it.
    """

    def __init__(
        self,
        things: Sequence[TaggedItem],
        known: Mapping[Uid, TaggedItem],
        locator: Locator,
        store_tag: Callable[[Uid, TaggedItem], Mapping[Uid, TaggedItem] | Message],
        together: Collection[Pawn] = (),
    ) -> None:
        self.registered = 0
        self._left = list(things)
        self._known = known
        self._locator = locator
        self._store_tag = store_tag
        self._together = together
        self._conflicting_uid: Uid | None = None
        self._overridden: Uid | None = None
        self._found: Uid | None = None
        self._times = 0
        self._message: Message | None = None
        self._last: Uid | None = None

    @property
    def cell(self) -> Cell:
        """The cell to put items on: the board's first."""
        return self._locator.geometry.cells[0]

    @property
    def thing(self) -> TaggedItem | None:
        """The item to put there now."""
        return self._left[0] if self._left else None

    @property
    def left(self) -> int:
        """The number of items left."""
        return len(self._left)

    @property
    def message(self) -> Message | None:
        """The prompt, None once all is done."""
        return self._message if self._message is not None else self._prompt()

    @property
    def may_override(self) -> bool:
        """Whether the tag is refused only because of its slot."""
        return self._conflicting_uid is not None and self._conflicting_uid != self._overridden

    def override(self) -> None:
        """Accept the tag although it shares its slot."""
        self._overridden = self._conflicting_uid

    def skip(self) -> None:
        """Skip the current item."""
        del self._left[:1]
        self.over = not self._left
        self._reset_with(None)

    def stop(self) -> None:
        """Stop; registered tags stay."""
        self._left = []
        self.over = True

    def next_request(self) -> WireMessage:
        if self._found is not None and self._times >= SCANS_TO_CONFIRM and self.thing is not None:
            return TagWriteAfi(self._found, afi_of(self.thing))
        return Scan()

    def take_scan(self, asked: Scan | Calibrate, records: Sequence[TagRecord]) -> None:
        if self.thing is None:
            return
        every = frozenset(range(self._locator.geometry.loops))
        places = {
            record.uid: self._place(record.uid, TagReading(record.strengths, every))
            for record in records
        }
        here = [uid for uid, place in places.items() if self.cell in place.near]
        strangers = [uid for uid in here if uid not in self._known]
        others = [
            uid for uid in here if uid in self._known and self._is_in_the_way(self._known[uid])
        ]
        self._conflicting_uid = None
        objection = self._why_not(strangers, others, places)
        if objection is not None or not strangers:
            self._reset_with(objection)
        elif strangers[0] != self._found:
            self._found, self._times, self._message = strangers[0], 1, Message("register_hold")
        else:
            self._times += 1

    def request_done(self, asked: WireMessage) -> None:
        if not isinstance(asked, TagWriteAfi) or self.thing is None:
            return
        if (asked.uid, asked.afi) != (self._found, afi_of(self.thing)):
            # Somebody skipped an item while its tag was being marked.
            return
        known = self._store_tag(asked.uid, self.thing)
        if isinstance(known, Message):
            self._reset_with(known)
            return
        self._known = known
        self.registered += 1
        self._last = asked.uid
        self.skip()

    def request_refused(self, asked: WireMessage) -> None:
        if isinstance(asked, TagWriteAfi):
            self._reset_with(Message("register_not_marked", {"cell": self.cell}))

    def _place(self, uid: Uid, reading: TagReading) -> TagPlace:
        thing = self._known.get(uid, self.thing)
        return self._locator.locate(
            [reading], TILE_SPOTS if isinstance(thing, TileTag) else TOKEN_SPOTS
        )

    def _is_in_the_way(self, other: TaggedItem) -> bool:
        """Return whether this item may not be on the cell; a tile may be under others."""
        return isinstance(self.thing, TileTag) or not isinstance(other, TileTag)

    def _why_not(
        self, strangers: Sequence[Uid], others: Sequence[Uid], places: Mapping[Uid, TagPlace]
    ) -> Message | None:
        if len(strangers) > 1:
            return Message("register_two", {"cell": self.cell, "n": len(strangers)})
        if others and strangers:
            return Message("register_alone", {"cell": self.cell})
        if others and others != [self._last]:
            # The last registered tag may still lie there while the next item is requested.
            return item_prompt("register_known", self._known[others[0]], cell=self.cell)
        if not strangers:
            return None
        place = places[strangers[0]]
        if place.cell is None:
            return Message("register_middle", {"cell": self.cell})
        if isinstance(self.thing, TileTag) and place.turn != 0:
            return Message("register_upright", {"cell": self.cell})
        return self._slot_conflict(strangers[0])

    def _slot_conflict(self, uid: Uid) -> Message | None:
        """Return why another tag should be used: another pawn has its slot and some are free."""
        if not isinstance(self.thing, PawnTag) or uid == self._overridden:
            return None
        taken = {
            slot_of(other): thing.pawn
            for other, thing in self._known.items()
            if isinstance(thing, PawnTag) and thing != self.thing and thing.pawn in self._together
        }
        if slot_of(uid) not in taken or len(taken) == SLOTS:
            return None
        self._conflicting_uid = uid
        return Message(
            "register_crowds",
            {"cell": self.cell, "pawn": taken[slot_of(uid)], "digit": slot_of(uid)},
        )

    def _prompt(self) -> Message | None:
        return (
            None if self.thing is None else item_prompt("register_put", self.thing, cell=self.cell)
        )

    def _reset_with(self, message: Message | None) -> None:
        self._found, self._times, self._message = None, 0, message


def item_prompt(code: str, thing: TaggedItem, **params: str | int) -> Message:
    """Return the message `code`_pawn, _token or _tile with the item's name."""
    match thing:
        case PawnTag():
            return Message(f"{code}_pawn", {"pawn": thing.pawn, **params})
        case TileTag():
            return Message(f"{code}_tile", {"tile": thing.number, **params})
        case TokenTag():
            return Message(f"{code}_token", {"kind": thing.kind, **params})
