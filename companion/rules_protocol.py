"""Serve the rules of one game by JSON lines, as UCI does for chess engines.

One JSON object a line in, one out; docs/protocol.md documents it. The server's answers have all
secrets: its caller must give each player only his own part.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any, BinaryIO

import msgspec

from companion.core.codec import decode_actions, encode_actions, encode_event
from companion.core.game import (
    Event,
    Game,
    GameError,
    InvalidAction,
    InvalidSetup,
    Message,
    PrivateEvent,
    Seat,
    State,
)
from companion.core.shape import convert
from companion.core.text import all_text_is_printable, load_json
from companion.core.view import view

RULES_PROTOCOL_VERSION = 1
MAX_DETAILS = 10
"""The most faults in one answer."""
MAX_LINE_BYTES = 1_000_000
"""Bytes of a line; a longer one is refused unread."""


class RulesServer:
    """One running game behind `answer`; a refused line leaves it as it was."""

    def __init__(
        self,
        game: Game,
        translate: Callable[[Message], str],
        supply: Callable[[Game, Any], Game] = lambda game, _: game,
    ) -> None:
        """`supply(game, setup)` returns the game with the set-up's content; raises `GameError`."""
        self.game = game
        self._translate = translate
        self._supply = supply
        self._rng = Random(0)
        self._seats: tuple[Seat, ...] = ()
        self._state: State | None = None

    def run(self, lines: Iterable[str | bytes]) -> Iterator[str]:
        """Answer each line with a line; skip empty lines."""
        for line in lines:
            if line.strip():
                yield json.dumps(self.answer(line), ensure_ascii=False, separators=(", ", ": "))

    def answer(self, line: str | bytes) -> dict[str, Any]:
        """Return {"ok": true, …}, or {"ok": false, "error": {"code", "message", "why"?}}."""
        try:
            return self._answer(_read(line))
        except GameError as wrong:
            error: dict[str, Any] = {"code": wrong.code, "message": self._translate(wrong.message)}
            if wrong.details:
                error["why"] = [
                    place + self._translate(message)
                    for place, message in wrong.details[:MAX_DETAILS]
                ]
            return {"ok": False, "error": error}

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        match request:
            case {"new": dict(new), **rest} if not rest:
                return self._new(new)
            case {"seat": str(seat), "actions": actions, **rest} if not rest:
                return self._act(Seat(seat), actions)
            case {"view": seat, **rest} if not rest and (seat is None or isinstance(seat, str)):
                return self._view(seat)
        raise InvalidAction("unreadable_request")

    def _new(self, new: dict[str, Any]) -> dict[str, Any]:
        chosen = dict(new)
        players, seed = chosen.pop("players", None), chosen.pop("seed", 0)
        if chosen.pop("game", self.game.name) != self.game.name:
            raise InvalidSetup("wrong_game", game=self.game.name)
        seats = self.game.seat_names(self.game.check_players(players))
        if type(seed) is not int:
            raise InvalidSetup("wrong_seed")
        setup = convert(chosen, self.game.setup_type, InvalidSetup, "unreadable_setup")
        rng = Random(str(seed))
        events = self._supply(self.game, setup).setup(seats, setup, rng)
        self._rng, self._seats, self._state = (
            rng,
            seats,
            self.game.fold(events),
        )
        reply = {
            "ok": True,
            "protocol": RULES_PROTOCOL_VERSION,
            "game": self.game.name,
            **self._result(self._state, events),
        }
        messages = self.game.setup_warnings(self._state.public)
        warnings = [self._translate(message) for message in messages]
        return {**reply, "warnings": warnings} if warnings else reply

    def _act(self, seat: Seat, values: object) -> dict[str, Any]:
        state = self._running()
        self._check_seat(seat)
        happened: list[Event] = []
        drawn = self._rng.getstate()
        try:
            for action in decode_actions(self.game, values):
                draft = self.game.decide(state, seat, action, self._rng)
                state = draft.state
                happened += draft.events
        except GameError:
            self._rng.setstate(drawn)
            raise
        self._state = state
        return {"ok": True, **self._result(state, happened)}

    def _view(self, seat: str | None) -> dict[str, Any]:
        state = self._running()
        if seat is not None:
            self._check_seat(seat)
        return {
            "ok": True,
            "view": self.game.encode_view(view(state, None if seat is None else Seat(seat))),
        }

    def _check_seat(self, seat: str) -> None:
        if seat not in self._seats:
            raise InvalidAction("no_such_seat", seat=seat)

    def _running(self) -> State:
        if self._state is None:
            raise InvalidAction("no_game_yet")
        return self._state

    def _result(self, state: State, events: Iterable[Event]) -> dict[str, Any]:
        """Return the public events, those of single seats, and the seats that may act now."""
        public: list[dict[str, Any]] = []
        private: dict[str, list[dict[str, Any]]] = {seat: [] for seat in state.private}
        for event in events:
            if isinstance(event, PrivateEvent):
                for seat in event.seats:
                    private[seat].append(encode_event(event))
            else:
                public.append(encode_event(event))
        to_move = self.game.to_move(state.public)
        outcome = self.game.outcome(state.public)
        others = [seat for seat in self._seats if seat != to_move]
        interrupts = {seat: legal for seat in others if (legal := self._offered(state, seat))}
        return {
            "to_move": to_move,
            "legal": [] if to_move is None else self._offered(state, to_move),
            "interrupts": interrupts,
            "public": public,
            "private": private,
            "outcome": None if outcome is None else msgspec.to_builtins(outcome),
        }

    def _offered(self, state: State, seat: Seat) -> list[dict[str, Any]]:
        return encode_actions(self.game.legal_actions(view(state, seat)))


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream; of a line that is too long only its beginning."""
    while line := stream.readline(MAX_LINE_BYTES + 2):
        yield line
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


def _read(line: str | bytes) -> dict[str, Any]:
    line = (
        line.rstrip() if isinstance(line, bytes) else line.rstrip().encode(errors="surrogatepass")
    )
    if len(line) > MAX_LINE_BYTES:
        raise InvalidAction("line_too_long", most=MAX_LINE_BYTES)
    try:
        request = load_json(line)
    except ValueError as wrong:
        raise InvalidAction("not_json") from wrong
    if not isinstance(request, dict):
        raise InvalidAction("unreadable_request")
    if not all_text_is_printable(request):
        raise InvalidAction("bad_text")
    return request
