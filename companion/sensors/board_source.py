"""A sensor board as a source: what the table, `/board` and the lamps need of each kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from companion.core.placement import Cell
from companion.sensors.link import Link, Trace
from companion.sensors.reported_pieces import Piece
from companion.sensors.sensor_source import SensorSource
from companion.sensors.tags.registry import TaggedItem, Uid


class BoardSource(SensorSource):
    """One board, searched for again whenever it is lost.

    Made with the keywords `on_observation`, `registry`, `timing` and `source` (the observations'
    name) besides. `ReportedPieces` turns what the board says into observations.
    """

    failed = "link.failed"

    @abstractmethod
    def diagnosis(self) -> Diagnosis:
        """Return raw board data."""

    @abstractmethod
    def reload_registry(self) -> None:
        """Report the pieces under the registry's present names."""

    @abstractmethod
    def show_lamps(self, line: str) -> None:
        """Light these lamps, "white A1 B3 teal C4"; "" is dark. Kept until the next call."""

    @abstractmethod
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
                    "thing": self.tags.get(uid),
                }
                for cell, uid in self.pieces
                if uid
            ],
            "traces": [asdict(trace) for trace in self.traces],
            "beside": list(self.beside),
        }
