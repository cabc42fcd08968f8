"""Preview actions from the seat's own view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any, NoReturn

from companion.core.codec import encode_actions
from companion.core.game import Action, Game, Seat, State
from companion.core.view import view
from companion.table.errors import Refused


def preview(game: Game, state: State, seat: Seat, actions: Sequence[Action]) -> dict[str, Any]:
    """Return the view after `actions` and the next legal actions.

    Raises `IllegalAction`, and the same `Refused` ("preview_refused") whenever the rules read a
    hidden part, another seat's part or a random number, so a preview reveals no secret.
    """
    known = _known(state, seat)
    for action in actions:
        known = _known(game.decide(known, seat, action, NoRandom()).state, seat)
    seen = view(known, seat)
    return {"view": game.encode_view(seen), "legal": encode_actions(game.legal_actions(seen))}


def _known(state: State, seat: Seat) -> State:
    private = state.private
    own = {seat: private[seat]} if seat in private else {}
    return State(state.public, OwnPart(seat, own), HIDDEN)


def _refuse(*_: object) -> NoReturn:
    raise Refused("preview_refused")


class OwnPart(Mapping[Seat, Any]):
    """A seat's own private part. Reading another seat's part refuses the preview."""

    def __init__(self, seat: Seat, own: Mapping[Seat, Any]) -> None:
        self._seat = seat
        self._own = own

    def __getitem__(self, seat: Seat) -> Any:
        if seat != self._seat:
            _refuse()
        return self._own[seat]

    def __contains__(self, seat: object) -> bool:
        if seat != self._seat:
            _refuse()
        return seat in self._own

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._own)

    def __len__(self) -> int:
        return len(self._own)


class HiddenPart:
    """A part that refuses the preview when it is read."""

    __getattribute__ = __getitem__ = __iter__ = __len__ = __bool__ = __eq__ = __hash__ = _refuse


HIDDEN = HiddenPart()


class NoRandom(Random):
    """A generator that refuses to draw."""

    random = getrandbits = _refuse
