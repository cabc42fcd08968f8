"""Build the public snapshot that everybody sees, and each seat's private one.

The public snapshot contains published facts alone: a secret turn that was submitted and not
revealed changes no byte of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby, islice
from typing import Any

import msgspec

from companion.core.codec import encode_actions, encode_event, tag_names
from companion.core.game import Event, Seat, View
from companion.core.placement import Cell, Tile
from companion.core.view import may_see, view
from companion.table.events import DealSealed, NightFell
from companion.table.fairness import commitment
from companion.table.results import bots_side
from companion.table.run import GameRun, HistoryStep
from companion.table.setup import SetupCheck, read_setup, tile_instructions
from companion.table.state import TableState, Vote

LOG_LINES = 12
"""Public events that every snapshot repeats."""
NIGHTS_SHOWN = 12
"""Nights of the private log on one page."""
EVENTS_PER_NIGHT = 24
"""Last events of one night there; a game without nights has them all in one."""


def public_snapshot(
    table: TableState, checked: SetupCheck, board: dict[str, Any], tiles: Mapping[Cell, Tile]
) -> dict[str, Any]:
    """Return the whole public snapshot, JSON-ready; `tiles` are the printed tiles last seen."""
    steps = steps_to_undo(table)
    return {
        "position": table.public_log.position,
        "head": table.public_log.head,
        "phase": "lobby" if table.run.game is None else "over" if table.run.over else "play",
        "game": table.proposal.game,
        **_play(table),
        "revealing": table.run.revealing,
        "seats": [
            {"seat": seat, "name": person.name if person else None, "taken": person is not None}
            | ({"bot": person.bot} if person and person.bot else {})
            for seat in table.seat_names()
            for person in [table.people.get(seat)]
        ],
        "lobby": _lobby(table, checked, tiles),
        **({"sample": True} if _is_sample(table, checked) else {}),
        "night": msgspec.to_builtins(table.run.night),
        "seal": _seal(table),
        "undo": _undo(steps),
        "vote": _vote(table, table.vote, steps) if table.vote else None,
        "marks": table.run.marks,
        "settings": msgspec.to_builtins(table.settings),
        "paused": table.paused,
        **_paper(table),
        "log": list(table.public_log.recent)[-LOG_LINES:],
        **_answer(table),
        "awaited": table.run.awaited,
        "board": board,
    }


def seat_snapshot(run: GameRun, seat: Seat) -> dict[str, Any]:
    """Return a seat's private snapshot.

    It has the seat's own part, its legal actions, its notes by night, and whether its secret turn
    is submitted and not revealed.
    """
    game = run.game
    if game is None:
        return {"own": None, "legal": [], "notes": [], "submitted": False}
    submitted = bool(run.pending_reveal) and run.steps[-1].seat == seat
    seen = view(run.state if submitted else run.published, seat)
    blocked = bool(run.pending_reveal) or run.revealing
    return {
        "own": game.encode_view(seen)["own"],
        "legal": [] if blocked else encode_actions(game.legal_actions(seen)),
        "notes": _notes(run, seat),
        "submitted": submitted,
    }


def _notes(run: GameRun, seat: Seat) -> list[dict[str, Any]]:
    """Return the end of a seat's private log: {"number", "events"} for each secret turn.

    Number 0 is the set-up. A turn is listed even if the seat received nothing then.
    """
    own = bool(run.pending_reveal) and run.steps[-1].seat == seat
    steps = run.steps if own else run.published_steps
    # From the end, because every frame to every seat needs this. Steps are ordered by number.
    turns = groupby(reversed(steps), key=lambda step: step.number)
    pages: dict[int, list[Event]] = {
        number: [
            event
            for step in reversed([*those])
            for event in step.private_events
            if may_see(event, seat)
        ]
        for number, those in islice(turns, NIGHTS_SHOWN)
    }
    if 0 in pages or len(pages) < NIGHTS_SHOWN:
        dealt = [event for event in run.dealt_private if may_see(event, seat)]
        pages[0] = [*dealt, *pages.get(0, [])]
    return [
        {
            "number": number,
            "events": [encode_event(event) for event in pages[number][-EVENTS_PER_NIGHT:]],
        }
        for number in reversed(pages)
    ]


def visible_events(table: TableState, seat: Seat) -> list[Event]:
    """Return the published events that a seat received in the running game, step by step."""
    return [event for event in table.run.full_history() if may_see(event, seat)]


def _play(table: TableState) -> dict[str, Any]:
    game = table.run.game
    if game is None:
        return {
            "view": None,
            "to_move": None,
            "secret": False,
            "legal": [],
            "outcome": None,
            "warnings": [],
        }
    public = table.run.published.public
    seat = game.to_move(public)
    secret = game.secret_seat(public) is not None
    is_hidden = (
        secret
        or table.run.revealing
        or seat is None
        or table.run.published.private.get(seat) is not None
    )
    return {
        "view": game.encode_view(view(table.run.published, None)),
        "to_move": seat,
        "secret": secret,
        "legal": [] if is_hidden else encode_actions(game.legal_actions(View(seat, public))),
        "outcome": msgspec.to_builtins(game.outcome(public)),
        "warnings": msgspec.to_builtins(game.setup_warnings(public)),
    }


def _is_sample(table: TableState, checked: SetupCheck) -> bool:
    """Return whether the game that is played or proposed has invented content."""
    if table.run.game is not None:
        return table.run.game.is_sample(table.run.published.public)
    return checked.state is not None and table.proposed_game.is_sample(checked.state.public)


def _lobby(table: TableState, checked: SetupCheck, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
    proposal = table.proposal
    empty: dict[str, Any] = dict.fromkeys(table.proposed_game.setup_type.__struct_fields__)
    choices = {} if table.run.game is not None else available_choices(table)
    measured = {} if table.run.game is not None else _measured(table)
    is_ready = checked.state is not None and table.run.game is None
    wrong = table.wrong_seat(checked.state) if checked.state is not None and is_ready else None
    return {
        "game": proposal.game,
        "games": {name: list(game.seats) for name, game in table.games.items()},
        "players": proposal.players,
        **(empty | {"options": {}} | proposal.setup),
        "warnings": msgspec.to_builtins(checked.warnings),
        "ready": is_ready,
        **({"wrong_seat": msgspec.to_builtins(wrong)} if wrong else {}),
        **({"custom_setup": list(table.custom_setup)} if table.custom_setup else {}),
        **(
            {"seed": table.seed_seal}
            if table.proposed_game.random_fields and table.seed and table.run.game is None
            else {}
        ),
        **(
            {"choices": {what: [one["id"] for one in offered] for what, offered in choices.items()}}
            if choices
            else {}
        ),
        **({"measured": measured} if measured else {}),
        **({"contents": list(names)} if (names := table.proposed_game.content_names) else {}),
        "seen_tiles": {}
        if table.run.game is not None
        else {cell: [tile.number, tile.turn] for cell, tile in tiles.items()},
        "sheet": None
        if table.run.game is not None
        else tile_instructions(table.proposed_game, proposal, tiles),
    }


def _measured(table: TableState) -> dict[Seat, dict[str, dict[str, int]]]:
    """Return for each seat people's results against a bot there: by level the numbers of won and
    played games. Omits seats without such a game.
    """
    game = table.proposed_game
    counts = {
        seat: table.results.counts_of(game.name, bots_side(game, seat))
        for seat in table.seat_names()
    }
    return {seat: msgspec.to_builtins(levels) for seat, levels in counts.items() if levels}


def available_choices(table: TableState) -> dict[str, list[dict[str, Any]]]:
    """Return the choices before the proposed game, as `Game.choices` does."""
    game = table.proposed_game
    return game.choices(read_setup(game, table.proposal.setup)) if game.chosen else {}


def _answer(table: TableState) -> dict[str, Any]:
    """Return "answer", the last disclosure that was not undone or None; nothing without a game."""
    if not table.run.playing:
        return {}
    nights, lines = tag_names((NightFell,)), reversed(table.run.disclosures)
    return {"answer": next((line for line in lines if line["event"]["event"] not in nights), None)}


def _seal(table: TableState) -> dict[str, Any] | None:
    """Return the last public seal; 0 is the number of the deal's."""
    last = table.run.last_seal or table.run.deal_seal
    if last is None:
        return None
    number = 0 if isinstance(last, DealSealed) else last.number
    return {"number": number, "seal": last.seal, "words": commitment.word_fingerprint(last.seal)}


def _paper(table: TableState) -> dict[str, Any]:
    """Return "paper", the messages of each page and the typed pages, after a game on paper."""
    pages = table.run.running().paper.pages(table.run.public_history) if table.run.over else []
    if not pages:
        return {}
    typed = encode_event(table.run.paper) if table.run.paper else None
    return {"paper": {"announced": msgspec.to_builtins(pages), "typed": typed}}


def _undo(steps: Sequence[HistoryStep]) -> dict[str, Any]:
    return {
        "kind": "none" if not steps else "free" if is_free(steps) else "vote",
        "seat": steps[0].seat if steps else None,
    }


def _vote(table: TableState, vote: Vote, steps: Sequence[HistoryStep]) -> dict[str, Any]:
    undone = steps if vote.asked.what == "undo" else ()
    disclosed = [message for step in undone for message in step.disclosed]
    return {
        "what": vote.asked.what,
        "by": vote.asked.by,
        "seat": vote.seat,
        "agreed": list(vote.agreed),
        "needed": list(vote.needed),
        "arrangement": msgspec.to_builtins(vote.arrangement),
        "meant": _messages_of_position(table, vote),
        "disclosed": [msgspec.to_builtins(message) for message in disclosed],
    }


def _messages_of_position(table: TableState, vote: Vote) -> list[Any]:
    """Return the messages of the position that the table votes on."""
    if vote.arrangement is None:
        return []
    game = table.run.running()
    events = game.set_position(table.run.published.public, vote.arrangement)
    return [msgspec.to_builtins(event.message()) for event in events]


def steps_to_undo(table: TableState) -> list[HistoryStep]:
    """Return the submissions that an undo would take back now, in order: the last one of a person
    and those of bots after it, which the bots would only repeat. Empty if there is none.
    """
    if not table.run.playing or table.run.revealing:
        return []
    steps = table.run.published_steps
    backwards = range(len(steps) - 1, -1, -1)
    last = next((at for at in backwards if not steps[at].is_bot), len(steps))
    return steps[last:]


def is_free(steps: Sequence[HistoryStep]) -> bool:
    """Return whether taking these steps back takes nothing back that somebody has learned; what a
    bot chose tells something of its hand.
    """
    return len(steps) == 1 and steps[0].is_free
