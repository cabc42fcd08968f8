"""Change the victory track, and end the game when a side has won."""

from __future__ import annotations

from typing import Literal

from companion.core.game import Draft
from companion.games.vwars.events import GameOver, SympathyChanged
from companion.games.vwars.options import MARTIAL, TRACK
from companion.games.vwars.state import Public

Won = tuple[
    Literal["humans", "vampires"],
    Literal["track_full", "no_events", "no_cards", "martial_law", "no_sympathy"],
]


class Finished(Exception):
    """Exception raised inside a decision when a side has won, to skip the rest of the turn."""


def change_sympathy(draft: Draft, change: int) -> None:
    """Change the sympathy within the track."""
    now = draft.state.public.sympathy
    after = min(max(now + change, 0), TRACK)
    if after != now:
        draft.emit(SympathyChanged(after, after - now))


def check(draft: Draft, *, after_riot: bool = False) -> None:
    """End the game if a side has won; raise `Finished` then. The humans' victory is checked after a
    riot, by option at every moment.
    """
    public: Public = draft.state.public
    humans = (
        _humans_won(public) if after_riot or public.options.human_victory == "at_once" else None
    )
    vampires: Won | None = (
        ("vampires", "track_full") if public.controlled + public.sympathy >= TRACK else None
    )
    if humans and vampires:
        to_humans = public.options.tie == "humans" if after_riot else _human_turn(public)
        humans, vampires = (humans, None) if to_humans else (None, vampires)
    if won := humans or vampires:
        finish(draft, won)


def _humans_won(public: Public) -> Won | None:
    if public.martial >= MARTIAL:
        return "humans", "martial_law"
    return ("humans", "no_sympathy") if public.sympathy == 0 else None


def _human_turn(public: Public) -> bool:
    return public.turn is not None and public.players[public.turn].side == "human"


def finish(draft: Draft, won: Won) -> None:
    """End the game for this reason, and make every dealt faction public."""
    hands = draft.state.private
    draft.emit(GameOver(*won, {str(seat): hands[seat].faction for seat in hands}))
    raise Finished
