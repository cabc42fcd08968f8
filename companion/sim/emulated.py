"""The real firmware in its emulator, with the virtual board's commands and faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import TypeVar

from companion.locks import Level, make_lock
from companion.sensors.serial.messages import BoardFault, Uid, uid_name
from companion.sim.board_protocol import BoardProtocol
from companion.sim.emulator import BUILD, Emulator
from companion.sim.faults import Faults
from companion.sim.rf_model import RfModel
from companion.sim.sensors import BoardKind
from companion.sim.table_model import InvalidMove, World
from companion.sim.terminal import link_to
from companion.sim.virtual_board import BOARD_ID, NEW_BOX_ID

_T = TypeVar("_T")
_MILLION = 1_000_000
_SAGGING_MV, _FULL_MV = 4500, 5000
_BOOT_SLOTS = (16, 24)
_POLL = 0.02


class EmulatedBoard:
    """The emulated firmware over a simulated table; `sync` sends changes.

    It has the virtual board's number. `sensitivities`: the tags' own, 1.0 by default.
    """

    def __init__(
        self,
        kind: BoardKind,
        world: World,
        *,
        field: RfModel | None = None,
        sensitivities: Mapping[Uid, float] | None = None,
        build: Path = BUILD,
    ) -> None:
        self.kind: BoardKind = kind
        self.world = world
        self.faults = Faults()
        self.emulator = Emulator(kind, build)
        self._field = field or RfModel(geometry=world.geometry)
        self._sensitivities = sensitivities or {}
        self._sent: dict[str, str] = {}
        self._tags: tuple[tuple[Uid, int, tuple[int, ...]], ...] = ()
        board_id = NEW_BOX_ID if world.box else BOARD_ID
        self.emulator.ask(f"eeprom 0 {board_id.hex()}{world.geometry.code:02x}")

    def __repr__(self) -> str:
        return f"EmulatedBoard({self.kind!r})"

    @property
    def boot(self) -> int:
        """The start count in the firmware's EEPROM."""
        slots = [bytes.fromhex(self.emulator.ask(f"read-eeprom {slot} 2")) for slot in _BOOT_SLOTS]
        return max(
            (int.from_bytes(slot, "little") for slot in slots if slot != b"\xff\xff"), default=0
        )

    def reset(self, now: float, cause: int) -> None:
        """Restart; `cause` as in `Boot`."""
        self.emulator.ask(f"reset {cause}")

    def fail(self, code: int, detail: int = 0) -> None:
        """Cause a fault that the firmware has to detect."""
        match code:
            case BoardFault.READER_SILENT:
                self.faults.reader_silent = True
            case BoardFault.LOOP_OPEN:
                self.faults.broken_loops.add(detail)
            case BoardFault.SUPPLY:
                self._send_changed("supply", str(_SAGGING_MV))
            case _:
                raise InvalidMove("that trouble is the firmware's own")

    def sync(self) -> None:
        """Send changes of the table and the faults to the emulator.

        Raise `InvalidMove` for a fault that the real firmware cannot have.
        """
        self._refuse_masks()
        faults = self.faults
        self._send_changed(
            "cells", _mask(self.world.occupied() if self.kind == "presence" else frozenset())
        )
        self._send_changed(
            "stuck-on", _mask(frozenset(cell for cell, on in faults.stuck.items() if on))
        )
        self._send_changed(
            "stuck-off", _mask(frozenset(cell for cell, on in faults.stuck.items() if not on))
        )
        self._send_changed("flicker", _mask(frozenset(faults.flicker)))
        self._send_changed("open-loops", _mask(frozenset(faults.broken_loops)))
        self._send_changed("reader", str(int(faults.reader_silent)))
        self._send_changed("silence", str(int(faults.silence)))
        self._send_changed("missed", _ppm(faults.missed))
        for way in ("noise-in", "noise-out"):
            self._send_changed(way, f"{_ppm(faults.noise)} 0 0")
        self._send_changed(
            "frames", " ".join(_ppm(rate) for rate in (faults.lost, faults.duplicated, faults.torn))
        )
        if faults.reset_after is not None:
            self.emulator.ask(f"reset-after {faults.reset_after} 2")
            faults.reset_after = None
        self._place_tags()

    def _refuse_masks(self) -> None:
        if self.faults.mask or self.faults.protocol is not None or self.faults.firmware is not None:
            self.faults.mask, self.faults.protocol, self.faults.firmware = "", None, None
            raise InvalidMove(
                "the firmware is what it is: only the virtual board can pretend to be another"
            )

    def _place_tags(self) -> None:
        if self.world.box:
            for written in self.emulator.ask("afi").split():
                uid, _, afi = written.partition("=")
                self.world.write_class(uid_name(bytes.fromhex(uid)), int(afi, 16))
        tags = tuple(
            (
                tag.uid,
                tag.afi,
                self._field.strengths(tag.x, tag.y, self._sensitivities.get(tag.uid, 1.0)),
            )
            for tag in self.world.tags()
        )
        if self.kind == "identity" and tags != self._tags:
            self._tags = tags
            self.emulator.put_tags(tags)

    def _send_changed(self, verb: str, rest: str) -> None:
        if self._sent.get(verb) != rest:
            self._sent[verb] = rest
            self.emulator.ask(f"{verb} {rest}")


class EmulatedTerminal:
    """The firmware behind a serial port; `path` is a link that stays when replugged.

    `pace`: speed of its time, 1.0 as on a real board. A context manager, or `start` and `close`.
    """

    def __init__(self, board: EmulatedBoard, path: Path, pace: float = 1.0) -> None:
        self.path = path
        self.board = board
        self._pace = pace
        self._lock = make_lock(Level.EMULATED_BOARD)
        self._resting = Event()

    def __enter__(self) -> EmulatedTerminal:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def plugged(self) -> bool:
        """Whether the port exists now."""
        plugged = "plugged=1" in self.board.emulator.ask("state")
        if not plugged:
            self.path.unlink(missing_ok=True)
        return plugged

    def start(self) -> None:
        """Plug in; return when the port can be opened."""
        self.board.sync()
        self.replug()
        self.board.emulator.pace(self._pace)

    def close(self) -> None:
        """Unplug for good."""
        self.path.unlink(missing_ok=True)
        self.board.emulator.close()

    def do(self, action: Callable[[BoardProtocol, float], _T]) -> _T:
        """Run `action` on the board."""
        with self._lock:
            result = action(self.board, 0.0)
            self.board.sync()
        return result

    def unplug(self, after: int | None = None) -> None:
        """Unplug at once, or after this number of further bytes."""
        self.board.emulator.ask("unplug" if after is None else f"unplug-after {after}")
        while self.plugged:
            self._resting.wait(_POLL)

    def replug(self) -> None:
        """Plug in again, which restarts the board; no effect while plugged in."""
        link_to(self.path, self.board.emulator.ask("plug"))


def _mask(bits: frozenset[int]) -> str:
    return hex(sum(1 << bit for bit in bits))


def _ppm(rate: float) -> str:
    return str(round(rate * _MILLION))
