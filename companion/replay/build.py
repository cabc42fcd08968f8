"""Build the replay of a finished game as JSON: its moments, each as changes, and sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from companion.core.capabilities import Moment, ReplayFormat
from companion.core.codec import event_name
from companion.core.game import Game, State
from companion.core.view import view
from companion.games import GAMES
from companion.table.errors import Refused
from companion.table.fairness.replay import Replayer, read_record_line


class ReplayedGame(Struct, frozen=True):
    """A game's moments without those that were taken back, which were `rewound` steps."""

    game: Game
    moments: list[Moment]
    rewound: int


def replay_game(lines: Iterable[str], games: Sequence[Game]) -> ReplayedGame:
    """Return the moments of a record, with every line decided again.

    Raises `GameError` for a record that differs, and `Refused` ("not_over") before the game's end.
    """
    replayer, rewound = Replayer({game.name: game for game in games}), 0
    for line in lines:
        if not line.strip():
            continue
        value = read_record_line(line)
        if not replayer.decide(value):
            raise Refused("not_over")
        rewound += value.get("rewound", {}).get("steps", 0)
    game = replayer.running()
    state, moments = game.initial(), []
    happened = replayer.full_history()
    if game.paper.pages(replayer.public_history()):
        happened = game.paper.retrace(
            happened, replayer.paper.pages if replayer.paper else ()
        ).phone_events
    for event in happened:
        state = game.evolve(state, event)
        moments.append(Moment(event, state))
    return ReplayedGame(game, moments, rewound)


ASIDE = frozenset(
    {"own", "right", "rights", "spent", "lost", "actions_left", "must_capture", "shown"}
)
"""Fields of a view that a replay omits."""
MERGED, REPLACED = ("view", "hands", "piles"), ("truth", "odds", "sum", "city", "alive")
"""Parts of a moment that are sent as changed entries, and those sent whole."""
NESTED = frozenset({"cities", "players"})
"""Mappings of a view that are sent as changed entries."""


def replay_json(record: str, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the replay of a record (`companion export`). `names`: the players', by seat.

    {"game", "seats": [{"seat", "name"}], "outcome", "rewound", "reference", "figures": [message],
    "moments": [moment]}
    A moment is {"message", "event", "seat"} and changes: of "view" by name; of a hidden place
    "truth" (its cell) and "odds" (cell to thousandths); of hidden hands "hands" (by seat) and
    "sum"; of secret characters "hands", "city" and "alive"; of factions "hands" and "piles". Raises
    `GameError` as `replay_game` does, and `Refused` ("no_replay") for a game without replays.
    """
    replayed = replay_game(record.splitlines(), GAMES)
    game, last = replayed.game, replayed.moments[-1].state
    if game.replay is None:
        raise Refused("no_replay")
    seats = game.seat_names(_players(replayed))
    return {
        "game": game.name,
        "seats": [{"seat": seat, "name": (names or {}).get(seat)} for seat in seats],
        "outcome": msgspec.to_builtins(game.outcome(last.public)),
        "rewound": replayed.rewound,
        "reference": game.reference(last.public),
        "figures": msgspec.to_builtins(game.replay.statistics(replayed.moments)),
        "moments": _changes(_pages(replayed, game.replay)),
    }


def _players(replayed: ReplayedGame) -> int:
    return int(getattr(replayed.moments[0].event, "players"))  # noqa: B009


def _pages(replayed: ReplayedGame, replay: ReplayFormat) -> list[dict[str, Any]]:
    """Return each moment in full."""
    return [
        {
            "message": msgspec.to_builtins(moment.event.message()),
            "event": event_name(moment.event),
            "seat": replayed.game.to_move(moment.state.public),
            "view": _public_view(replayed.game, moment.state),
            **annotation,
        }
        for moment, annotation in zip(
            replayed.moments, replay.annotate(replayed.moments), strict=True
        )
        if annotation is not None
    ]


def _public_view(game: Game, state: State) -> dict[str, Any]:
    encoded = game.encode_view(view(state, None))
    return {name: value for name, value in encoded.items() if name not in ASIDE}


def _changes(pages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the pages without the merged or replaced parts that equal the page before."""
    changed: list[dict[str, Any]] = []
    before: dict[str, Any] = {
        **dict.fromkeys(REPLACED),
        "odds": {},
        **{part: {} for part in MERGED},
    }
    for page in pages:
        difference = {"message": page["message"], "event": page["event"], "seat": page["seat"]}
        for part in MERGED:
            known = before[part]
            change = {
                name: _entries(known.get(name), value) if name in NESTED else value
                for name, value in page.get(part, {}).items()
                if known.get(name) != value
            }
            difference |= {part: change} if change else {}
        difference |= {
            name: page[name] for name in REPLACED if name in page and page[name] != before[name]
        }
        changed.append(difference)
        before |= page
    return changed


def _entries(before: Any, now: Any) -> Any:
    """Return the entries of a mapping that differ; anything else as a whole."""
    if not isinstance(before, dict) or not isinstance(now, dict):
        return now
    return {key: value for key, value in now.items() if before.get(key) != value}
