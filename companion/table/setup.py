"""Check and change a proposed set-up. Broken rules are reported, not refused."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Game, InvalidSetup, Message, Seat, State
from companion.core.placement import Cell, Tile
from companion.core.shape import convert
from companion.table.errors import Refused
from companion.table.events import Proposed


class SetupCheck(Struct, frozen=True):
    """The result of checking a proposed set-up.

    `warnings` are shown; `state` is the one in which the game would start, None if it cannot.
    """

    warnings: list[Message]
    state: State | None


def changed_proposal(
    games: Mapping[str, Game], now: Proposed, change: Mapping[str, Any]
) -> Proposed:
    """Return the proposal after a change: "game", "players" and the fields of the game's set-up.

    None takes a field back. Raises `Refused` for a change that cannot be read.
    """
    name = change.get("game", now.game)
    game = games.get(name) if isinstance(name, str) else None
    if game is None:
        raise Refused("unknown_game")
    setup = {} if name != now.game else dict(now.setup)
    setup |= {key: value for key, value in change.items() if key not in ("game", "players")}
    setup = {key: value for key, value in setup.items() if value is not None}
    players = change.get("players", now.players if now.players in game.seats else game.seats[0])
    try:
        count = game.check_players(players)
    except InvalidSetup as wrong:
        raise Refused(wrong.message.code, **wrong.message.params) from wrong
    read_setup(game, setup)
    return Proposed(game.name, count, setup)


def with_board(
    game: Game, proposed: Proposed, board: Mapping[str, Any], change: Mapping[str, Any]
) -> Proposed:
    """Return a proposal, with the typed `board` if played on it and `change` names no other."""
    own = on_own_board(game, proposed)
    setup = {
        key: value
        for key, value in proposed.setup.items()
        if own or key not in board or key in change
    }
    return replace(proposed, setup={**board, **setup} if own else setup)


def with_choices(game: Game, proposed: Proposed, change: Mapping[str, Any]) -> Proposed:
    """Return a proposal without the seats' choices that are no longer offered.

    Choices that `change` itself names stay: the check of the proposal judges them.
    """
    offered = game.choices(read_setup(game, proposed.setup))
    seats = game.seat_names(proposed.players)
    setup = dict(proposed.setup)
    for what in (name for name in game.chosen if setup.get(name) and name not in change):
        ids = {entry["id"] for entry in offered.get(what, ())}
        setup[what] = {
            seat: choice for seat, choice in setup[what].items() if seat in seats and choice in ids
        }
    return replace(
        proposed,
        setup={name: value for name, value in setup.items() if value or name not in game.chosen},
    )


def without_choices(game: Game, proposed: Proposed, seat: Seat) -> Proposed:
    """Return a proposal without a seat's choices; the same object if it has none."""
    if not any(seat in proposed.setup.get(what, {}) for what in game.chosen):
        return proposed
    return with_choice(proposed, seat, dict.fromkeys(game.chosen))


def with_choice(proposed: Proposed, seat: Seat, choices: Mapping[str, str | None]) -> Proposed:
    """Return a proposal with these choices of a seat; None takes a choice back."""
    setup = dict(proposed.setup)
    for what, choice in choices.items():
        others = {other: chosen for other, chosen in setup.pop(what, {}).items() if other != seat}
        if chosen := others if choice is None else {**others, seat: choice}:
            setup[what] = chosen
    return replace(proposed, setup=setup)


def check_setup(game: Game, proposed: Proposed) -> SetupCheck:
    """Return the check of a proposal; what is drawn, with a fixed seed, is discarded."""
    try:
        events = game.setup(
            game.seat_names(proposed.players), read_setup(game, proposed.setup), Random(0)
        )
    except InvalidSetup as wrong:
        return SetupCheck([wrong.message], None)
    state = game.fold(events)
    return SetupCheck(game.setup_warnings(state.public), state)


def read_setup(game: Game, setup: Mapping[str, Any]) -> Any:
    """Return the game's own set-up value (a `setup_type`) of JSON values; raise `Refused`."""
    try:
        # Invalid Unicode could not be stored.
        msgspec.json.encode(setup)
    except UnicodeEncodeError as wrong:
        raise Refused("unreadable_setup") from wrong
    return convert(dict(setup), game.setup_type, Refused, "unreadable_setup")


def on_own_board(game: Game, proposed: Proposed) -> bool:
    """Return whether a proposal is played on the typed board."""
    return game.on_own_board(read_setup(game, proposed.setup))


def has_real_cards(game: Game, proposed: Proposed) -> bool:
    """Return whether players of a proposed game hold real cards."""
    return game.has_real_cards(read_setup(game, proposed.setup))


def custom_setup_fields(game: Game, proposed: Proposed) -> tuple[str, ...]:
    """Return the fields of a proposal that make its set-up custom."""
    return tuple(name for name in game.custom_setup if proposed.setup.get(name) is not None)


def tile_instructions(
    game: Game,
    proposed: Proposed,
    laid: Mapping[Cell, Tile],
    before: Mapping[Cell, Tile] | None = None,
) -> dict[str, Any]:
    """Return the instruction sheet of the proposed field as JSON-ready values.

    "tiles": for each cell [number, turn, state] of the tile to lay, for "wrong" also the number
    that lies there; empty while there is no field. States: "todo" (nothing is seen there), "done",
    "turn" (the tile must be turned), "wrong".
    "why": why the printed tiles cannot make the field, None if they can.
    "seen": how many tiles are seen.

    before: the tiles from which the field was made, if known.
    """
    try:
        expected = game.tiles.for_setup(
            read_setup(game, proposed.setup), laid if before is None else before
        )
    except InvalidSetup as wrong:
        return {"tiles": {}, "why": msgspec.to_builtins(wrong.message), "seen": len(laid)}
    steps = {cell: _tile_step(tile, laid.get(cell)) for cell, tile in expected.items()}
    return {"tiles": steps, "why": None, "seen": len(laid)}


def is_made_of(game: Game, proposed: Proposed, tiles: Mapping[Cell, Tile]) -> bool:
    """Return whether these printed tiles make the proposed field as they lie, each turn known."""
    steps = tile_instructions(game, proposed, tiles)["tiles"]
    return bool(steps) and all(
        state == "done" and tiles[Cell(cell)].turn == turn
        for cell, (_, turn, state, *_) in steps.items()
    )


def _tile_step(expected: Tile, laid: Tile | None) -> list[Any]:
    if laid is None:
        return [expected.number, expected.turn, "todo"]
    # Tags do not tell the turn; the display shows it.
    if laid.number == expected.number and laid.turn in (None, expected.turn):
        return [expected.number, expected.turn, "done"]
    if laid.number == expected.number:
        return [expected.number, expected.turn, "turn"]
    return [expected.number, expected.turn, "wrong", laid.number]
