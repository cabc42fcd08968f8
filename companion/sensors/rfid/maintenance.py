"""Board maintenance for the page /board: register items, calibrate, forget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.core.game import Message
from companion.core.placement import Inventory, Pawn
from companion.sensors.reader import BoardRefused
from companion.sensors.rfid.calibration import Calibration, LoopGains
from companion.sensors.rfid.locate import Locator
from companion.sensors.rfid.registration import Registration
from companion.sensors.rfid.registry import (
    PawnTag,
    StoredCalibration,
    TaggedItem,
    TagRegistry,
    TagRegistryNotSaved,
    TileTag,
    TokenTag,
    item_name,
)
from companion.sensors.serial.board import SerialBoard
from companion.sensors.serial.messages import Uid
from companion.sensors.serial.procedure import Procedure

ITEM_KINDS: Mapping[str, type[TaggedItem]] = {"pawn": PawnTag, "tile": TileTag, "token": TokenTag}


class BoardMaintenance:
    """Maintains the connected board. Thread-safe.

    `registry`: where results are stored. `parts` returns the current game's inventory. `wall`
    returns seconds since 1970.
    """

    def __init__(
        self,
        registry: TagRegistry,
        parts: Callable[[], Inventory] = Inventory,
        wall: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.registry = registry
        self._parts = parts
        self._wall = wall
        self._board: SerialBoard | None = None
        self._message: Message | None = None

    def attach(self, board: SerialBoard | None) -> None:
        """Set the board to maintain."""
        self._board = board

    # Commands

    def register(self, name: str | None) -> None:
        """Start a registration; raise `BoardRefused`.

        `name`: one item ("pawn:H1a", "tile:17", "token:bullet"; again if registered), a kind
        ("pawn", "tile", "token") for all its unregistered items, or None for all unregistered
        items.
        """
        self._message = None
        self._begin(lambda locator, board: self._registration(name, locator, board))

    def skip(self) -> None:
        """Skip the requested item."""
        self._with_procedure(
            lambda procedure: procedure.skip() if isinstance(procedure, Registration) else None
        )

    def override(self) -> None:
        """Accept a tag that was refused because of its slot."""
        self._with_procedure(
            lambda procedure: procedure.override() if isinstance(procedure, Registration) else None
        )

    def stop(self) -> None:
        """Stop the procedure; registered tags stay."""
        self._with_procedure(_stop)

    def forget(self, name: str) -> None:
        """Delete an item's tags; raise `BoardRefused`, `TagRegistryNotSaved`."""
        self.registry.forget(_parse_item(name))
        self._reload_registry()

    def calibrate(self) -> None:
        """Start a calibration; raise `BoardRefused`."""
        self._message = None
        self._begin(self._calibration)

    def uncalibrate(self) -> None:
        """Delete the loop gains; raise `BoardRefused`, `TagRegistryNotSaved`."""
        board = None if self._board is None else self._board.link.board_id
        if board is None:
            raise BoardRefused("maintenance_no_board")
        self.registry.keep_calibration(board, None)
        self._reload_registry()

    def use_board(self, port: str) -> None:
        """Switch to another connected device; raise `BoardRefused`."""
        if self._board is None or not self._board.choose(port):
            raise BoardRefused("maintenance_no_such_board", port=port)

    # Display

    def to_json(self) -> dict[str, Any]:
        """Return registrations, procedure and calibration as JSON-ready values."""
        board = self._board
        number = None if board is None else board.link.board_id
        known = list(self.registry.tags(number or "").values())
        calibration = None if number is None else self.registry.calibration(number)
        return {
            "things": [
                {"name": item_name(thing), "known": known.count(thing), "of": count}
                for thing, count in self._items_in_box().items()
            ],
            "procedure": None if board is None else board.with_procedure(_procedure_json),
            "message": _message_json(self._message),
            "calibrated": None
            if calibration is None
            else {"at": calibration.at, "unread": unread_loops(calibration)},
        }

    # Within

    def _begin(self, plan: Callable[[Locator, str], Procedure]) -> None:
        if self._board is None or not self._board.start_procedure(plan):
            raise BoardRefused("maintenance_no_board")

    def _with_procedure(self, action: Callable[[Procedure | None], None]) -> None:
        if self._board is not None:
            self._board.with_procedure(action)

    def _reload_registry(self) -> None:
        if self._board is not None:
            self._board.reload_registry()

    def _registration(self, name: str | None, locator: Locator, board: str) -> Registration:
        known = self.registry.tags(board)
        things = list(self._missing_items(name, known))
        if not things:
            raise BoardRefused("register_all_known")

        def store_tag(uid: Uid, thing: TaggedItem) -> Mapping[Uid, TaggedItem] | Message:
            try:
                self.registry.register(uid, thing)
            except TagRegistryNotSaved as failed:
                return failed.message
            return self.registry.tags(board)

        return Registration(things, known, locator, store_tag, self._parts().pawns)

    def _calibration(self, locator: Locator, board: str) -> Calibration:
        def store(gains: LoopGains | None) -> None:
            try:
                self._message = self._keep_calibration(board, gains)
            except TagRegistryNotSaved as failed:
                self._message = failed.message

        return Calibration(self.registry.tags(board), locator, store)

    def _keep_calibration(self, board: str, estimate: LoopGains | None) -> Message:
        if estimate is None:
            return Message("calibrate_no_tiles")
        kept = StoredCalibration(
            tuple(round(gain, 2) for gain in estimate.gains), estimate.tags, self._wall()
        )
        self.registry.keep_calibration(board, kept)
        missing = unread_loops(kept)
        if missing:
            return Message("calibrate_partly", {"loops": " ".join(map(str, missing))})
        return Message("calibrate_done")

    def _missing_items(
        self, name: str | None, known: Mapping[Uid, TaggedItem]
    ) -> Iterable[TaggedItem]:
        """Yield the items to register, each as often as it is missing."""
        if name is not None and ":" in name:
            yield _parse_item(name)
            return
        if name is not None and name not in ITEM_KINDS:
            raise BoardRefused("maintenance_no_such_thing", name=name)
        have = list(known.values())
        for thing, count in self._items_in_box().items():
            if name is None or isinstance(thing, ITEM_KINDS[name]):
                yield from [thing] * (count - have.count(thing))

    def _items_in_box(self) -> dict[TaggedItem, int]:
        """Return every item in the box and its count."""
        parts = self._parts()
        return {
            **{PawnTag(pawn): 1 for pawn in parts.pawns},
            **{TokenTag(kind): count for kind, count in parts.tokens.items()},
            **{TileTag(number): 1 for number in range(1, parts.tiles + 1)},
        }


def unread_loops(calibration: StoredCalibration) -> list[int]:
    """Return the loops that read no tile during calibration."""
    return [loop for loop, tags in enumerate(calibration.tags) if not tags]


def _parse_item(name: str) -> TaggedItem:
    kind, _, which = name.partition(":")
    match kind:
        case "pawn" if which:
            return PawnTag(Pawn(which))
        case "tile" if which.isascii() and which.isdigit():
            return TileTag(int(which))
        case "token" if which:
            return TokenTag(which)
    raise BoardRefused("maintenance_no_such_thing", name=name)


def _procedure_json(procedure: Procedure | None) -> dict[str, Any] | None:
    match procedure:
        case Registration():
            thing = None if procedure.thing is None else item_name(procedure.thing)
            return {
                "what": "register",
                "thing": thing,
                "left": procedure.left,
                "registered": procedure.registered,
                "message": _message_json(procedure.message),
                "may_override": procedure.may_override,
            }
        case Calibration():
            return {"what": "calibrate", "loop": procedure.loop}
    return None


def _stop(procedure: Procedure | None) -> None:
    if isinstance(procedure, Registration):
        procedure.stop()
    elif procedure is not None:
        procedure.over = True


def _message_json(message: Message | None) -> dict[str, Any] | None:
    return None if message is None else {"code": message.code, "params": dict(message.params)}
