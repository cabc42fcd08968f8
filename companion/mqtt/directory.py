"""Cache the newest status of every table, and whether the table is online.

Messages come from an untrusted network: malformed ones are dropped; tables and sizes are limited.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, get_args

import msgspec
from msgspec import Struct

from companion.locks import LockRank, make_condition
from companion.mqtt.client import MqttMessage
from companion.mqtt.status import Availability, TableStatus
from companion.mqtt.topics import parse_topic

_log = logging.getLogger("companion.club")

STATUS_FORMAT = 1
"""The newest format of a table's state that this release reads."""
MAX_TABLES = 200
MAX_STATUS_BYTES = 64 * 1024
"""Bytes of a status message; a longer one is dropped."""
LOST_AFTER = 5.0
"""Seconds to report after a reconnect; the broker may have lost a table's last will."""


class _Header(Struct):
    """What a state of every format has."""

    format: int = STATUS_FORMAT


class TableCard(Struct):
    """One table. `revision`: the directory's at the table's last change."""

    revision: int = 0
    availability: Availability | None = None
    """None until the broker has sent it since the last connect."""
    state: TableStatus | None = None
    shown: dict[str, Any] | None = None
    """The JSON shown last; None while the table is not shown."""


class DirectoryUpdate(Struct, frozen=True):
    """The changes since a revision. `cards`: by table, None for one that is no longer shown.

    `up`: whether the broker is connected.
    """

    revision: int
    up: bool
    cards: dict[str, dict[str, Any] | None]


class TableDirectory:
    """The tables of a club. One thread calls `receive`, each page waits in `since`."""

    def __init__(self, topic: str, monotonic: Callable[[], float]) -> None:
        self._topic, self._now = topic, monotonic
        self._changed = make_condition(LockRank.TABLE_DIRECTORY)
        self._cards: dict[str, TableCard] = {}
        self._revision = 1
        self._up = False
        self._overdue: float | None = None
        self._closed = False
        self._has_warned = False

    def receive(self, message: MqttMessage) -> None:
        """Store a broker's message."""
        place = parse_topic(self._topic, message.topic)
        if place is None or len(message.payload) > MAX_STATUS_BYTES:
            return
        table, what = place
        with self._changed:
            if table not in self._cards and not self._has_room():
                return
            card = self._cards.setdefault(table, TableCard())
            if what == "state":
                card.state = _read(message.payload)
                if card.state is None:
                    self._warn_of_newer(message.payload)
            else:
                card.availability = next(
                    (one for one in get_args(Availability) if one.encode() == message.payload), None
                )
            self._show(card)

    def set_connected(self, up: bool) -> None:
        """Record whether the broker is connected. After a reconnect each table reports again."""
        with self._changed:
            if up == self._up:
                return
            self._up = up
            self._overdue = self._now() + LOST_AFTER if up else None
            for card in self._cards.values():
                card.availability = None if card.availability == "online" else card.availability
            self._revision += 1
            self._changed.notify_all()

    def mark_lost(self) -> None:
        """Mark tables as lost that have not reported in time after a reconnect."""
        with self._changed:
            if self._overdue is None or self._now() < self._overdue:
                return
            self._overdue = None
            for card in self._cards.values():
                card.availability = card.availability or "lost"
                self._show(card)

    def since(self, revision: int, timeout: float) -> DirectoryUpdate | None:
        """Wait for changes since `revision` (0: everything); None after `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._revision > revision or self._closed, timeout)
            if self._revision <= revision:
                return None
            cards = {
                table: card.shown for table, card in self._cards.items() if card.revision > revision
            }
            return DirectoryUpdate(
                self._revision,
                self._up,
                {table: picture for table, picture in cards.items() if picture or revision},
            )

    @property
    def up(self) -> bool:
        """Whether the broker is connected."""
        return self._up

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """End every `since` that waits."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _has_room(self) -> bool:
        """Return whether one more table fits; drop the table that has not been shown for the
        longest time if needed: every page has removed it by now.
        """
        if len(self._cards) >= MAX_TABLES:
            away = [table for table, card in self._cards.items() if card.shown is None]
            if away:
                del self._cards[min(away, key=lambda table: self._cards[table].revision)]
        return len(self._cards) < MAX_TABLES

    def _warn_of_newer(self, payload: bytes) -> None:
        """Log once that a table runs a newer release; a stranger could send thousands of them."""
        try:
            header = msgspec.json.decode(payload, type=_Header)
        except (msgspec.DecodeError, RecursionError):
            return
        if header.format > STATUS_FORMAT and not self._has_warned:
            self._has_warned = True
            _log.warning(
                "A table sends its state in format %d; this wall reads %d: update it",
                header.format,
                STATUS_FORMAT,
            )

    def _show(self, card: TableCard) -> None:
        picture = None
        if card.state is not None and card.availability != "closed":
            picture = msgspec.to_builtins(card.state) | {"lost": card.availability == "lost"}
        if picture != card.shown:
            self._revision += 1
            card.shown, card.revision = picture, self._revision
            self._changed.notify_all()


def _read(payload: bytes) -> TableStatus | None:
    try:
        status = msgspec.json.decode(payload, type=TableStatus)
    except (msgspec.DecodeError, RecursionError):
        return None
    return status if _is_shallow(status.view) and _is_shallow(status.outcome) else None


def _is_shallow(value: object, most: int = 10) -> bool:
    """Return whether a value is nested less than `most` deep; deeper JSON fails to encode."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return most > 0 and all(_is_shallow(part, most - 1) for part in parts)
