"""Replay a record: its start and its actions must give the same events."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.codec import decode_actions, encode_event
from companion.core.game import (
    Audit,
    Commitment,
    Event,
    Game,
    GameError,
    Message,
    PublicEvent,
    Seat,
    State,
)
from companion.core.placement import PositionEdit
from companion.core.text import all_text_is_printable, load_json
from companion.core.view import view
from companion.table.errors import Refused
from companion.table.events import PaperPathEntered
from companion.table.fairness.shuffle import LazyRandom

RECORD_FORMAT = 1
"""The format of the records that this release writes and reads: `format` in the first line."""


class ReplayReport(Struct, frozen=True):
    """The result of replaying a record.

    decided: the number of submissions that gave the recorded events
    wrong: the first difference, at `line` (from 1)
    sealed_at: the first line (from 1) whose actions are still secret, 0 for none
    """

    decided: int
    wrong: Message | None = None
    line: int = 0
    sealed_at: int = 0

    @property
    def ok(self) -> bool:
        return self.wrong is None


def replay_record(lines: Iterable[str], games: Sequence[Game]) -> ReplayReport:
    """Decide every line of a record again; stop at the first difference."""
    replayer = Replayer({game.name: game for game in games})
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            if not replayer.decide(read_record_line(text)):
                return ReplayReport(replayer.decided, sealed_at=number)
        except GameError as wrong:
            return ReplayReport(replayer.decided, wrong.message, number)
    return ReplayReport(replayer.decided)


def read_record_line(text: str) -> dict[str, Any]:
    """Return a line's values; raise `Refused` ("record_unreadable", "record_newer")."""
    try:
        value = load_json(text)
    except ValueError as wrong:
        raise Refused("record_unreadable") from wrong
    if not isinstance(value, dict) or not all_text_is_printable(value):
        raise Refused("record_unreadable")
    if value.get("format", RECORD_FORMAT) != RECORD_FORMAT:
        raise Refused("record_newer")
    return value


class Replayer:
    """A game as far as it is decided.

    commitment: the values that the last submission's seal has to fix, None if it was open
    happened: the events of the set-up and of each submission that counts
    paper: the last typed pages
    has_drawn: whether the last submission drew random numbers
    """

    def __init__(self, games: dict[str, Game]) -> None:
        self.decided = 0
        self.commitment: Commitment | None = None
        self.happened: list[list[Event]] = []
        self.paper: PaperPathEntered | None = None
        self.has_drawn = False
        self._games = games
        self._game: Game | None = None
        self._states: list[State] = []

    def decide(self, line: dict[str, Any]) -> bool:
        """Return whether a line could be decided; raise `GameError` if it differs."""
        match line:
            case {"new": _, "sealed": _}:
                return False
            case {"new": {"players": int(players), **rest}}:
                self._start({str(key): value for key, value in rest.items()}, players, line)
            case {"seat": str(seat), "actions": actions}:
                self._submit(Seat(seat), actions, line)
            case {"sealed": _}:
                return False
            case {"resigned": str(reason)}:
                self._resign(reason, line)
            case {"by_hand": arrangement}:
                self._set_by_hand(arrangement, line)
            case {"switched_to_paper": str()}:
                self._agree(self.running().paper.switch_to_paper(self._states[-1].public), line)
            case {"rewound": {"to": int(to), "steps": int(steps)}} if (
                0 <= to < to + steps == len(self._states) - 1
            ):
                del self._states[to + 1 :], self.happened[to + 1 :]
            case {"table": {"event": "paper_path_entered"} as encoded}:
                self._read_paper(encoded)
            case {"opened": _, "seal": _} | {"table": _, "position": _}:
                pass
            case {"winner": winner}:
                self._end(winner)
            case _:
                raise Refused("record_unreadable")
        return True

    def running(self) -> Game:
        """Return the game that is decided; raise `Refused` before its start."""
        if self._game is None:
            raise Refused("record_without_start")
        return self._game

    def _start(self, chosen: dict[str, Any], players: int, line: dict[str, Any]) -> None:
        """Start as the JSON-lines protocol does; without a name it is the first game."""
        game = self._games.get(chosen.pop("game", next(iter(self._games))))
        if game is None or self._game is not None or players not in game.seats:
            raise Refused("unknown_game")
        seed = chosen.pop("seed", 0)
        try:
            setup = msgspec.convert(chosen, game.setup_type)
        except msgspec.ValidationError as wrong:
            raise Refused("record_unreadable") from wrong
        self._game = game
        events = game.setup(game.seat_names(players), setup, Random(str(seed)))
        self._states = [game.fold(events)]
        self.happened = [list(events)]
        if "public" in line:
            self._compare(events, line)

    def public_history(self) -> list[PublicEvent]:
        """Return the public events that count, in order."""
        return [event for event in self.full_history() if isinstance(event, PublicEvent)]

    def full_history(self) -> list[Event]:
        """Return all events that count, in order."""
        return [event for part in self.happened for event in part]

    def _read_paper(self, encoded: dict[str, Any]) -> None:
        """Check the typed pages again."""
        try:
            typed = msgspec.convert(
                {key: value for key, value in encoded.items() if key != "event"}, PaperPathEntered
            )
        except msgspec.ValidationError as wrong:
            raise Refused("record_unreadable") from wrong
        if self.running().outcome(self._states[-1].public) is None:
            raise Refused("record_differs")
        audit = self.running().paper.audit(self.full_history(), typed.pages)
        if audit != Audit(typed.answers, typed.wrong):
            raise Refused("record_differs")
        self.paper = typed

    def _end(self, winner: object) -> None:
        outcome = self.running().outcome(self._states[-1].public)
        if outcome is None or outcome.winner != winner:
            raise Refused("record_differs")

    def _submit(self, seat: Seat, actions: object, line: dict[str, Any]) -> None:
        game, state = self.running(), self._states[-1]
        events: list[Event] = []
        chosen = decode_actions(game, actions)
        if line.get("legal", offered := len(game.legal_actions(view(state, seat)))) != offered:
            raise Refused("record_differs")
        secret = game.secret_seat(state.public) == seat
        self.commitment = game.sealed(view(state, seat), chosen) if secret else None
        chance = LazyRandom(lambda: str(line.get("chance", "")))
        for action in chosen:
            draft = game.decide(state, seat, action, chance)
            state = draft.state
            events += draft.events
        self._states.append(state)
        self.happened.append(events)
        self.has_drawn = chance.has_begun
        self._compare(events, line)
        self.decided += 1

    def _set_by_hand(self, value: object, line: dict[str, Any]) -> None:
        try:
            arrangement = msgspec.convert(value, PositionEdit)
        except msgspec.ValidationError as wrong:
            raise Refused("record_unreadable") from wrong
        self._agree(self.running().set_position(self._states[-1].public, arrangement), line)

    def _agree(self, agreed: Sequence[PublicEvent], line: dict[str, Any]) -> None:
        """Apply a position that everybody agreed to; like an action it can be taken back."""
        events: list[Event] = [*agreed]
        self._states.append(self.running().fold(events, self._states[-1]))
        self.happened.append(events)
        self._compare(events, line)
        self.decided += 1

    def _resign(self, reason: str, line: dict[str, Any]) -> None:
        events: list[Event] = list(self.running().resign(self._states[-1], reason))
        self._states[-1] = self.running().fold(events, self._states[-1])
        self.happened[-1] += events
        self._compare(events, line)

    def _compare(self, events: Sequence[Event], line: dict[str, Any]) -> None:
        encoded = [encode_event(event) for event in events if isinstance(event, PublicEvent)]
        # As JSON, so that a tuple equals the list it was written as.
        if json.loads(json.dumps(encoded)) != line.get("public"):
            raise Refused("record_differs")
        if line.get("to_move") != self.running().to_move(self._states[-1].public):
            raise Refused("record_differs")
