"""A finished game as JSON for the pages that show it: the moments, each as what it changed, and the sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.bots.aid import odds
from companion.core.game import Event, Game, PublicEvent, Said, State
from companion.core.view import view
from companion.games import GAMES
from companion.hindsight.figures import figures
from companion.hindsight.hunt import hunt
from companion.hindsight.sentences import hunt_sentences, open_sentences
from companion.hindsight.tale import Tale, retell
from companion.table.errors import Refused

HUNT = "vampireradar"
TOLD = (HUNT, "nosferatu")
"""The games whose moments a page can show."""
SILENT = ("turn_ended", "game_set_up")
"""What is no moment of its own unless it ends a night: the next moment shows it."""
ASIDE = frozenset({"options", "own", "right", "rights", "spent", "lost", "actions_left", "must_capture", "turns"})
"""What of a view is of no use afterwards."""


def story(record: str, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the story of a record (`companion export`), `names` being what people called themselves, by seat.

    {"game", "seats": [{"seat", "name"}], "outcome", "rewound", "figures": [said], "moments": [moment]}; a moment is
    {"said", "event", "seat"} with what it changed of "view" (by name), and in a hunt of "truth" (the vampire's cell)
    and "odds" (cell to thousandths). Raises `GameError` as `retell` does, and `Refused` ("no_replay") for a game
    of which there is none.
    """
    tale = retell(record.splitlines(), GAMES)
    if tale.game.name not in TOLD:
        raise Refused("no_replay")
    game, last = tale.game, tale.moments[-1].state
    outcome = game.outcome(last.public)
    is_hunt = game.name == HUNT
    pages = _pages(tale)
    told = hunt_sentences(figures(hunt(tale.moments))) if is_hunt else _told_openly(tale)
    seats = game.seat_names(_players(tale))
    return {
        "game": game.name,
        "seats": [{"seat": seat, "name": (names or {}).get(seat)} for seat in seats],
        "outcome": msgspec.to_builtins(outcome),
        "rewound": tale.rewound,
        "figures": msgspec.to_builtins(told),
        "moments": _changes(pages),
    }


def _players(tale: Tale) -> int:
    return int(getattr(tale.moments[0].event, "players"))  # noqa: B009


def _told_openly(tale: Tale) -> list[Said]:
    events = [moment.event for moment in tale.moments]
    return open_sentences(events, sum(_tag(event) == "turn_started" for event in events))


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _pages(tale: Tale) -> list[dict[str, Any]]:
    """Return each moment in full."""
    looks = hunt(tale.moments) if tale.game.name == HUNT else [None] * len(tale.moments)
    pages = []
    for number, (moment, look) in enumerate(zip(tale.moments, looks, strict=True)):
        page = {
            "said": msgspec.to_builtins(_say(tale.game, moment.event)),
            "event": _tag(moment.event),
            "seat": tale.game.to_move(moment.state.public),
            "view": _shown(tale.game, moment.state),
        }
        if look is not None:
            page |= {"truth": look.cell, "odds": odds(look.weights)}
        if number == 0 or _tag(moment.event) not in SILENT or page["said"]["code"] == "said.night_over":
            pages.append(page)
    return pages


def _say(game: Game, event: Event) -> Said:
    """Return what is said of an event; of a secret one, what nobody heard."""
    if isinstance(event, PublicEvent):
        return game.say(event)
    values: dict[str, Any] = msgspec.to_builtins(event)
    return Said(
        f"secret.{values.pop('event')}", {key: value for key, value in values.items() if isinstance(value, str | int)}
    )


def _shown(game: Game, state: State) -> dict[str, Any]:
    shown = game.show(view(state, None))
    return {name: value for name, value in shown.items() if name not in ASIDE}


def _changes(pages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the pages with only what differs from the page before of "view", "truth" and "odds"."""
    changed: list[dict[str, Any]] = []
    before: dict[str, Any] = {"view": {}, "truth": None, "odds": {}}
    for page in pages:
        view_change = {name: value for name, value in page["view"].items() if before["view"].get(name) != value}
        kept = {"said": page["said"], "event": page["event"], "seat": page["seat"]}
        kept |= {"view": view_change} if view_change else {}
        kept |= {name: page[name] for name in ("truth", "odds") if name in page and page[name] != before[name]}
        changed.append(kept)
        before |= page
    return changed
