"""Export the record of a game as JSON lines.

    {"format": 1, "new": {"game", "players", start…}, "key", "position", "head"}
        the set-up, with position and head before the game; a "label" for sample content
    {"new": {"game", "players"}, "sealed", …}
        the same while the deal is secret; "sealed" is "" without a seal
    {"seat", "actions", "public", "positions", "to_move"}
        a submission that counts; "automatic": the table made it; "chance": the seed of its draws,
        once it reveals nothing
    {"seat", "sealed", "public", "positions", "to_move"}
        the same while its actions are secret: the seal of a secret turn, "" for an open action
        that names a secret
    {"opened": LINE, "seal": HEX}
        after the end: the seed of a shuffle, a secret deal or submission
    {"rewound": {"to", "steps", "by"}, "position"}
        an undo to the state after the first `to` submissions
    {"by_hand": {"pawns", "tokens"}, "by", "public", "positions", "to_move"}
        a position that everybody agreed to
    {"switched_to_paper": SEAT, "public", "positions", "to_move"}
        secrets are on paper from here on, as SEAT proposed
    {"resigned": REASON, "public", "positions", "to_move"}
        an end without an action
    {"table": EVENT, "position"}
        any other public event; after the end also the typed pages ("paper_path_entered")

Positions count all public events of the table, so the events in their order give the heads.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.core.codec import tag_names, to_builtins
from companion.core.content import SAMPLE_LABEL
from companion.core.game import Game
from companion.table.entries import (
    ByHand,
    Dealt,
    Item,
    Resigned,
    Revealed,
    Submission,
    SwitchedToPaper,
    TableEvent,
    decode_items,
)
from companion.table.fairness import commitment
from companion.table.fairness.replay import RECORD_FORMAT
from companion.table.settings import TableSettings
from companion.table.state import TableState


def export_record(
    bodies: Iterable[str], games: Sequence[Game], number: int | None = None
) -> Iterator[str]:
    """Yield the record of game `number`, the last one by default, as lines without newlines.

    bodies: the log's (`read_bodies`)
    Until the game is over the record holds no secret: secret turns appear when they are revealed,
    without actions. Yields nothing if there was no such game.
    """
    written: list[dict[str, Any]] = []
    over = False
    for game in _games(bodies, games):
        if number is None or game.number == number:
            written, over = game.lines, game.over
    for line in written:
        published = _published_line(line, over)
        if published:
            yield json.dumps(published, ensure_ascii=False, separators=(",", ":"))


def _published_line(line: dict[str, Any], over: bool) -> dict[str, Any]:
    secret: dict[str, Any] = line.get("secret", {})
    rest = {key: value for key, value in line.items() if key != "secret"}
    if not secret:
        return rest
    if over:
        return {key: value for key, value in rest.items() if key != "sealed"} | secret
    return {} if "opened" in secret else rest


class _Written:
    """The lines of one game. "secret" has the values that may be shown after the end only."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.lines: list[dict[str, Any]] = []
        self.over = False


def _games(bodies: Iterable[str], games: Sequence[Game]) -> Iterator[_Written]:
    table = TableState(games, TableSettings())
    writer: _Writer | None = None
    for body in bodies:
        for item in decode_items(body):
            before = (table.public_log.position, table.public_log.head, table.number)
            table.apply(item)
            if table.number != before[2]:
                if writer:
                    yield writer.written
                writer = _Writer(table, *before[:2])
            fresh = table.public_log.drain()
            if writer and table.run.game:
                writer.write(item, fresh)
    if writer:
        yield writer.written


class _Writer:
    """Turns items into lines; a secret turn becomes a line when it is revealed to its end."""

    def __init__(self, table: TableState, position: int, head: str) -> None:
        self.written = _Written(table.number)
        self._state = table
        self._before = {"position": position, "head": head}
        self._started: list[dict[str, Any]] = []
        self._night: tuple[Submission, list[dict[str, Any]]] | None = None

    def write(self, item: Item, fresh: list[dict[str, Any]]) -> None:
        match item:
            case TableEvent(event=event):
                self._write_event(event, fresh)
            case Dealt(line=line):
                self._write_new_game(fresh, line)
            case Submission() if item.line:
                self._night = (item, [])
            case Submission():
                self._add(self._open_action_line(item), fresh)
            case ByHand():
                self._add({"by_hand": to_builtins(item.arrangement), "by": item.seat}, fresh)
            case SwitchedToPaper(seat=by):
                self._add({"switched_to_paper": by}, fresh)
            case Revealed():
                self._add_sealed(fresh)
            case Resigned():
                outcome = self._state.run.running().outcome(self._state.run.published.public)
                self._add({"resigned": outcome.reason if outcome else ""}, fresh)
        self.written.over = self._state.run.over

    def _write_event(self, event: dict[str, Any], fresh: list[dict[str, Any]]) -> None:
        match event["event"]:
            case "game_started":
                self._started = fresh
            case "shuffle_sealed":
                self._started = [*self._started, *fresh]
            case "night_withdrawn":
                self._night = None
            case "rewound":
                rewound = {name: event[name] for name in ("to", "steps", "by")}
                self.written.lines.append({"rewound": rewound, "position": fresh[0]["position"]})
            case _:
                self._write_table_lines(fresh)

    def _write_new_game(self, fresh: list[dict[str, Any]], sealed: str) -> None:
        table, state = self._state, self._state.run.state
        chosen = table.run.running().to_setup(state)
        dealt_in_secret = state.hidden is not None or table.run.dealt_private
        start = {"secret": {"new": self._with_game_and_players(chosen)}} if dealt_in_secret else {}
        hexed = commitment.commit(sealed) if sealed else ""
        new = {
            "new": self._with_game_and_players({} if dealt_in_secret else chosen),
            **({"sealed": hexed} if dealt_in_secret else {}),
        }
        label = {"label": SAMPLE_LABEL} if table.run.running().is_sample(state.public) else {}
        sealed_lines = [line for line in fresh if line["event"]["event"] == "deal_sealed"]
        event_lines = [line for line in fresh if line not in sealed_lines]
        head = {"format": RECORD_FORMAT, **label, **new, **start, "key": table.run.key}
        self._add({**head, **self._before}, event_lines)
        self._write_table_lines([*self._started, *sealed_lines])
        lines = [table.seed] if table.run.shuffle else []
        for opened in [*lines, *([sealed] if sealed else [])]:
            self.written.lines.append(
                {"seal": commitment.commit(opened), "secret": {"opened": opened}}
            )

    def _with_game_and_players(self, chosen: dict[str, Any]) -> dict[str, Any]:
        return {
            "game": self._state.proposal.game,
            "players": self._state.proposal.players,
            **chosen,
        }

    def _open_action_line(self, item: Submission) -> dict[str, Any]:
        """Return the line of an open action, whose values may be for its seat alone."""
        kinds = self._state.run.running().actions
        private_types = tag_names(tuple(kind for kind in kinds if kind.is_private_action))
        automatic = {"automatic": True} if item.automatic else {}
        chance = {"chance": item.chance} if item.chance else {}
        if any(action["type"] in private_types for action in item.actions):
            return {
                "seat": item.seat,
                "sealed": "",
                **automatic,
                "secret": {"actions": item.actions, **chance},
            }
        secret = {"secret": chance} if chance else {}
        return {"seat": item.seat, "actions": item.actions, **automatic, **secret}

    def _add_sealed(self, fresh: list[dict[str, Any]]) -> None:
        if self._night is None:
            return
        item, event_lines = self._night
        sealed = [line for line in fresh if line["event"]["event"] == "night_sealed"]
        self._write_table_lines(sealed)
        event_lines += [line for line in fresh if line not in sealed]
        if self._state.run.pending_reveal:
            return
        self._night = None
        hexed = commitment.commit(item.line)
        automatic = {"automatic": True} if item.automatic else {}
        chance = {"chance": item.chance} if item.chance else {}
        secret = {"actions": item.actions, **automatic, **chance}
        self._add({"seat": item.seat, "sealed": hexed, "secret": secret}, event_lines)
        self.written.lines.append({"seal": hexed, "secret": {"opened": item.line}})

    def _add(self, line: dict[str, Any], event_lines: list[dict[str, Any]]) -> None:
        table = self._state
        events = [line["event"] for line in event_lines]
        positions = [line["position"] for line in event_lines]
        to_move = table.run.running().to_move(table.run.published.public)
        self.written.lines.append(
            {**line, "public": events, "positions": positions, "to_move": to_move}
        )

    def _write_table_lines(self, event_lines: list[dict[str, Any]]) -> None:
        self.written.lines.extend(
            {"table": line["event"], "position": line["position"]} for line in event_lines
        )
