"""Printed tiles at a table: the instruction sheet, the laid tiles, and play against the placement
rules.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import GameError, Seat
from companion.core.placement import Cell, Tile
from companion.games.vampireradar import VampireRadar
from companion.games.vampireradar.layout import HOUSE_FIELD
from companion.games.vampireradar.tiles import tiles_of_layout
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from companion.table.storage.purge import purge_games
from tests.table.play import Play, start_with_all

GAME = VampireRadar()
HOUSE = {"tiles": list(HOUSE_FIELD.tiles), "walls": list(HOUSE_FIELD.walls)}
TILES = tiles_of_layout(HOUSE_FIELD, {})
TWO_BATS = [".bb...", *HOUSE_FIELD.tiles[1:]]


def sheet(play: Play) -> dict[str, Any]:
    """The instruction sheet in the public snapshot."""
    sheet: dict[str, Any] = play.table.snapshot()["lobby"]["sheet"]
    return sheet


def states(play: Play) -> dict[str, list[str]]:
    """The cells of the sheet by their states."""
    states: dict[str, list[str]] = {}
    for cell, (_, _, state, *_) in sheet(play)["tiles"].items():
        states.setdefault(state, []).append(cell)
    return states


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """A table in its lobby on which the house field is proposed."""
    play = Play(tmp_path / "data", GAME)
    play.table.lobby.propose({"field": HOUSE})
    return play


def test_the_sheet_has_number_and_turn_of_each_tile(play: Play) -> None:
    """Before any tile lies, each cell has the tile to lay; a wall tile is turned so that its wall
    stands right.
    """
    steps = sheet(play)["tiles"]

    assert {cell: [tile.number, tile.turn, "todo"] for cell, tile in TILES.items()} == steps
    assert [17, 270, "todo"] == steps["E1"]


def test_tiles_are_ticked_off_as_they_appear(play: Play) -> None:
    """A tile of the right kind counts, whatever its number; one turned wrongly and one of another
    kind are named.
    """
    play.table.journal.show_tiles(
        {
            Cell("A1"): Tile(38, 90),
            Cell("C1"): TILES[Cell("C1")],
            Cell("E1"): Tile(17, 0),
            Cell("D1"): Tile(9, 0),
            Cell("B2"): Tile(30, None),
        }
    )

    assert ["A1", "C1", "B2"] == states(play)["done"]
    assert {"turn": ["E1"], "wrong": ["D1"]} == {
        key: states(play)[key] for key in ("turn", "wrong")
    }
    assert [5, 0, "wrong", 9] == sheet(play)["tiles"]["D1"]
    assert 31 == len(states(play)["todo"])

    play.table.journal.show_tiles(TILES)

    assert ["done"] == list(states(play))


def test_no_position_moves_when_tiles_are_laid(play: Play) -> None:
    """Laid tiles are shown beside the game: no event, no entry in the record."""
    before = play.table.snapshot()["position"]
    play.table.journal.show_tiles(TILES)

    assert (before, 36) == (play.table.snapshot()["position"], sheet(play)["seen"])


def test_what_lies_can_be_played(play: Play) -> None:
    """The laid field becomes the proposal, and is its own instruction sheet."""
    play.table.lobby.propose({"field": None})
    play.table.journal.show_tiles(TILES)
    assert ({}, 36) == (sheet(play)["tiles"], sheet(play)["seen"])

    play.table.lobby.propose_tiles()

    assert HOUSE == {
        key: list(value) for key, value in play.table.snapshot()["lobby"]["field"].items()
    }
    assert ["done"] == list(states(play))
    assert [] == play.table.snapshot()["lobby"]["warnings"]


def test_a_photo_may_propose_its_tiles_itself(play: Play) -> None:
    """Tiles that are handed in count, not those that a board saw before."""
    turned = {**TILES, Cell("E1"): Tile(17, 0)}
    play.table.lobby.propose_tiles(turned)

    warnings = play.table.snapshot()["lobby"]["warnings"]
    assert [("field.wall_outside", {"cell": "E1", "wall": "E0-E1"})] == [
        (message["code"], message["params"]) for message in warnings
    ]


def test_half_a_field_is_refused_with_the_cells_that_are_missing(play: Play) -> None:
    """The laid tiles do not make a field: the sentence names the cells, and nothing changes."""
    play.table.journal.show_tiles(
        {cell: tile for cell, tile in TILES.items() if cell not in ("C3", "F6")}
    )
    before = play.table.snapshot()["lobby"]["field"]

    with pytest.raises(GameError) as refused:
        play.table.lobby.propose_tiles()

    assert ("tiles_missing", {"cells": "C3 F6"}) == (
        refused.value.message.code,
        refused.value.message.params,
    )
    assert before == play.table.snapshot()["lobby"]["field"]


def test_a_field_that_the_printed_tiles_cannot_make_has_its_reason(play: Play) -> None:
    """Five bats are a house rule beyond the four printed ones; the game can be started all the
    same.
    """
    play.table.lobby.propose({"field": {**HOUSE, "tiles": ["..brwb", *HOUSE_FIELD.tiles[1:]]}})

    assert {"code": "too_few_tiles", "params": {"kind": "bat", "wanted": 5, "printed": 4}} == sheet(
        play
    )["why"]
    assert play.table.snapshot()["lobby"]["ready"]


def test_playing_anyway_is_shown_and_kept_in_the_record(play: Play) -> None:
    """A game on a field that breaks rules begins with a public event that names each of them; the
    record has it too.
    """
    play.table.lobby.propose({"field": {**HOUSE, "tiles": TWO_BATS}})
    warnings = play.table.snapshot()["lobby"]["warnings"]
    play.start("V", players=3)

    entries = [
        line for line in play.table.snapshot()["log"] if line["event"]["event"] == "rules_overruled"
    ]
    record = [json.loads(line) for line in export_record(read_bodies(play.folder), play.games)]
    kept = [
        line["table"] for line in record if line.get("table", {}).get("event") == "rules_overruled"
    ]

    assert {"field.count", "field.bats_touch"} <= {message["code"] for message in warnings}
    assert warnings == entries[0]["event"]["warnings"]
    assert {"code": "rules_overruled", "params": {"n": len(warnings)}} == entries[0]["message"]
    assert [entries[0]["event"]] == kept
    assert replay_record((json.dumps(line) for line in record), play.games).ok


def test_a_proper_field_begins_without_a_word(play: Play) -> None:
    """Without a warning nothing is overruled."""
    play.start("V", players=3)

    assert "rules_overruled" not in play.events()


def test_tiles_seen_during_a_game_change_nothing(play: Play) -> None:
    """The sheet is for laying: a running game has none, and tiles that a board detects are not
    published.
    """
    play.start("V", players=3)
    before = play.table.snapshot()
    play.table.journal.show_tiles({Cell("A1"): Tile(1, 0)})

    assert before is play.table.snapshot()
    assert None is sheet(play)


def test_which_tiles_make_the_field_outlives_a_restart(play: Play) -> None:
    """After a crash in mid-game two tiles of one kind that were exchanged are still
    distinguished.
    """
    laid = {**TILES, Cell("A1"): Tile(38, 90)}
    play.table.lobby.propose_tiles(laid)
    play.start("V", "H1", players=2)
    play.crash()

    assert laid == play.table.journal.tiles
    steps = play.table.lobby.check_tiles(
        {**laid, Cell("A1"): laid[Cell("F1")], Cell("F1"): laid[Cell("A1")]}
    )
    assert {"A1": "wrong", "F1": "wrong"} == {
        cell: step[2] for cell, step in steps.items() if step[2] != "done"
    }


def test_tiles_that_were_only_seen_are_kept_when_the_game_begins(play: Play) -> None:
    """A proposed field that is laid tile by tile before a board or a camera needs no confirmation;
    tiles that make another field are not stored as this one's.
    """
    play.table.journal.show_tiles(TILES)
    play.start("V", "H1", players=2)
    assert ["tiles_laid"] == [event for event in play.events() if event == "tiles_laid"]
    play.crash()

    assert TILES == play.table.journal.tiles


def test_tiles_of_an_earlier_game_outlive_its_deletion(play: Play) -> None:
    """The same tiles in the next game are stored once, and outlive the earlier game."""
    play.table.journal.show_tiles(TILES)
    play.start("V", "H1", players=2)
    for seat in ("V", "H1"):
        play.table.votes.draw(Seat(seat))
    play.table.open_next_game(0)
    play.table.lobby.propose({"field": HOUSE})
    start_with_all(play.table)
    play.table.close()
    assert 1 == purge_games(play.folder, play.games)
    play.open()

    assert TILES == play.table.journal.tiles


def test_other_tiles_are_not_kept(play: Play) -> None:
    """Tiles that contradict the proposed field are not stored."""
    play.table.journal.show_tiles({**TILES, Cell("E1"): Tile(17, 0)})
    play.start("V", "H1", players=2)

    assert "tiles_laid" not in play.events()
