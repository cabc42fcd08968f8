"""Check and change a proposed set-up. Broken rules are reported, not refused."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import explain
from companion.core.game import Game, InvalidSetup, Message, Seat, State
from companion.core.placement import Cell, Tile
from companion.table.errors import Refused
from companion.table.events import Proposed

MAX_NAME_LENGTH = 24
KEY_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)


class SetupCheck(Struct, frozen=True):
    """The result of checking a proposed set-up.

    `doubts` are shown; `state` is the one in which the game would start, None if it cannot.
    """

    doubts: list[Message]
    state: State | None

    @property
    def ready(self) -> bool:
        return self.state is not None


def changed_proposal(
    games: Mapping[str, Game], now: Proposed, change: Mapping[str, Any]
) -> Proposed:
    """Return the proposal after a change: "game", "players" and the fields of the game's set-up;
    None takes a field back. Raises `Refused` for what cannot even be read.
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
        raise Refused(wrong.said.code, **wrong.said.params) from wrong
    _read(game, setup)
    return Proposed(game.name, count, setup)


def with_board(
    game: Game, proposed: Proposed, board: Mapping[str, Any], change: Mapping[str, Any]
) -> Proposed:
    """Return a proposal with the household's `board` where real cards lie beside it and `change`
    names no other; elsewhere without it.
    """
    real = game.hands_are_real(_read(game, proposed.setup))
    setup = {
        key: value
        for key, value in proposed.setup.items()
        if real or key not in board or key in change
    }
    return replace(proposed, setup={**board, **setup} if real else setup)


def with_choices(game: Game, proposed: Proposed, change: Mapping[str, Any]) -> Proposed:
    """Return a proposal in which seats keep of their choices what they still may choose; those that
    `change` names itself are judged with the proposal.
    """
    offered = game.choices(_read(game, proposed.setup))
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
    """Return a proposal without what a seat chose; the same one where it chose nothing."""
    if not any(seat in proposed.setup.get(what, {}) for what in game.chosen):
        return proposed
    return with_choice(game, proposed, seat, dict.fromkeys(game.chosen))


def with_choice(
    game: Game, proposed: Proposed, seat: Seat, choices: Mapping[str, str | None]
) -> Proposed:
    """Return a proposal in which a seat has chosen, None taking its choice back."""
    setup = dict(proposed.setup)
    for what, choice in choices.items():
        others = {other: chosen for other, chosen in setup.pop(what, {}).items() if other != seat}
        if chosen := others if choice is None else {**others, seat: choice}:
            setup[what] = chosen
    return replace(proposed, setup=setup)


def check_setup(game: Game, proposed: Proposed) -> SetupCheck:
    """Return what a proposal is worth.

    What is still to be drawn is drawn with a fixed seed and thrown away.
    """
    try:
        events = game.setup(
            game.seat_names(proposed.players), _read(game, proposed.setup), Random(0)
        )
    except InvalidSetup as wrong:
        return SetupCheck([wrong.said], None)
    state = game.initial()
    for event in events:
        state = game.evolve(state, event)
    return SetupCheck(game.setup_warnings(state.public), state)


def tile_instructions(
    game: Game,
    proposed: Proposed,
    laid: Mapping[Cell, Tile],
    before: Mapping[Cell, Tile] | None = None,
) -> dict[str, Any]:
    """Return the instruction sheet of the proposed field as JSON-ready values.

    "tiles": for each cell the number and the turn of the tile to lay, its state and, for "wrong",
    the number that lies there; empty while there is no field. States: "todo" (nothing is seen
    there), "done", "turn" (it lies there, but is to be turned), "wrong". "why": why the printed
    tiles cannot make the field, None if they can. "seen": how many are. `before` are the tiles of
    which the field was made, if that is known.
    """
    try:
        wanted = game.tiles.for_setup(
            _read(game, proposed.setup), laid if before is None else before
        )
    except InvalidSetup as wrong:
        return {"tiles": {}, "why": msgspec.to_builtins(wrong.said), "seen": len(laid)}
    steps = {cell: _step(tile, laid.get(cell)) for cell, tile in wanted.items()}
    return {"tiles": steps, "why": None, "seen": len(laid)}


def is_made_of(game: Game, proposed: Proposed, tiles: Mapping[Cell, Tile]) -> bool:
    """Return whether these printed tiles make the proposed field as they lie."""
    steps = tile_instructions(game, proposed, tiles)["tiles"].values()
    return bool(steps) and all(state == "done" for _, _, state, *_ in steps)


def _step(wanted: Tile, laid: Tile | None) -> list[Any]:
    if laid is None:
        return [wanted.number, wanted.turn, "todo"]
    if laid == wanted:
        return [wanted.number, wanted.turn, "done"]
    if laid.number == wanted.number:
        return [wanted.number, wanted.turn, "turn"]
    return [wanted.number, wanted.turn, "wrong", laid.number]


def read_setup(game: Game, proposed: Proposed) -> Struct:
    """Return the game's own set-up value; raise `Refused`."""
    return _read(game, proposed.setup)


def _read(game: Game, setup: Mapping[str, Any]) -> Struct:
    try:
        # What is no Unicode text could not be kept.
        msgspec.json.encode(setup)
        return msgspec.convert(dict(setup), game.setup_type)
    except (msgspec.ValidationError, UnicodeEncodeError) as wrong:
        raise Refused(
            "unreadable_setup", why=explain(wrong, dict(setup), game.setup_type)
        ) from wrong


def clean_name(name: str) -> str:
    """Return a person's name, 1 to 24 visible characters; raise `Refused`."""
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    kinds = [unicodedata.category(character) for character in name]
    # "Cf" joins emoji and steers writing direction; the pages isolate every name.
    if any(kind in ("Cc", "Cs", "Co", "Cn") for kind in kinds) or len(name) > 4 * MAX_NAME_LENGTH:
        raise Refused("bad_name")
    if not 1 <= sum(kind[0] != "M" and kind != "Cf" for kind in kinds) <= MAX_NAME_LENGTH:
        raise Refused("bad_name")
    return name


def check_key(key_hex: str) -> None:
    """Raise `Refused` unless this is a public key: 64 hex digits, not all zero."""
    if not KEY_HEX.fullmatch(key_hex) or not key_hex.strip("0"):
        raise Refused("bad_key")
