"""A sensor board as a source: what the table, `/board` and the lamps need of each kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import asdict

from companion.core.placement import Cell
from companion.sensors.link import Link, Trace
from companion.sensors.reported_pieces import Piece
from companion.sensors.tags.registry import TaggedItem, Uid, item_name


class BoardSource(Protocol):
    """One board, searched for again whenever it is lost.

    It is made with keyword arguments `monotonic`, `on_observation`, `on_link`, `registry`,
    `timing` and `source` (the observations' name), and calls its callbacks on its own thread, never
    two at a time. `ReportedPieces` turns what the board says into observations.
    """

    def start(self) -> None:
        """Start the thread."""

    def close(self) -> None:
        """Stop; returns when the device is closed. Not to be called from a callback."""

    @property
    def link(self) -> Link:
        """The connection now."""

    def diagnosis(self) -> Diagnosis:
        """Return raw board data."""

    def reload_registry(self) -> None:
        """Report the pieces under the registry's present names."""

    def show_lamps(self, line: str) -> None:
        """Light these lamps, "white A1 B3 teal C4"; "" is dark. Kept until the next call."""

    def choose(self, port: str) -> bool:
        """Use another plugged-in device; return False if it is none."""


class Diagnosis(Struct, frozen=True):
    """Raw board data for diagnostics.

    `pieces`: what counts as lying there. `tags`: the registered pieces. `cells`: in the board's
    order. `beside`: other devices that may be boards.
    """

    link: Link
    cells: Sequence[Cell] = ()
    pieces: Sequence[Piece] = ()
    tags: Mapping[Uid, TaggedItem] = {}
    traces: Sequence[Trace] = ()
    beside: Sequence[str] = ()

    def strangers(self) -> list[Piece]:
        """Return the tags on the board that are not registered, with their cells."""
        return [piece for piece in self.pieces if piece[1] and piece[1] not in self.tags]

    def to_json(self) -> dict[str, Any]:
        """Return JSON-ready values for the diagnostics page."""
        link = self.link
        return {
            "link": link.state,
            "port": link.port,
            "firmware": link.firmware,
            "board_id": link.board_id,
            "name": link.name,
            "caps": sorted(link.caps),
            "counters": asdict(link.counters),
            "faults": list(link.faults),
            "cells": list(self.cells),
            "tags": [
                {
                    "uid": uid,
                    "cell": cell,
                    "thing": item_name(self.tags[uid]) if uid in self.tags else None,
                }
                for cell, uid in self.pieces
                if uid
            ],
            "traces": [asdict(trace) for trace in self.traces],
            "beside": list(self.beside),
        }
