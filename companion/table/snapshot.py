"""What is shown: the one public picture that all see, and each seat's own page.

Everything in the public picture is made of what was told; a secret turn that was taken and not yet
told changes no byte of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby, islice
from typing import Any

import msgspec

from companion.core.codec import encode_actions, encode_event, tag_names
from companion.core.game import Event, Seat, View
from companion.core.placement import Cell, Tile
from companion.core.view import may_hear, view
from companion.table.events import DealSealed, NightFell
from companion.table.fairness import commitment
from companion.table.lobby import SetupCheck, read_setup, tile_instructions
from companion.table.state import HistoryStep, TableState, Vote

LOG_LINES = 12
"""Public events that every picture repeats."""
NIGHTS_SHOWN = 12
"""Nights of the private log on one page."""
EVENTS_PER_NIGHT = 24
"""Events of one night there, the last ones: games without nights write everything into one."""


def public_snapshot(
    course: TableState, checked: SetupCheck, board: dict[str, Any], tiles: Mapping[Cell, Tile]
) -> dict[str, Any]:
    """Return the whole public picture, JSON-ready.

    `tiles` are the printed ones that were last seen on the table.
    """
    return {
        "position": course.position,
        "head": course.head,
        "phase": "lobby" if course.game is None else "over" if course.over else "play",
        "game": course.proposal.game,
        **_play(course),
        "telling": course.telling,
        "seats": [
            {"seat": seat, "name": person.name if person else None, "taken": person is not None}
            | ({"bot": person.bot} if person and person.bot else {})
            for seat in course.seat_names()
            for person in [course.people.get(seat)]
        ],
        "lobby": _lobby(course, checked, tiles),
        **({"sample": True} if _is_sample(course, checked) else {}),
        "night": msgspec.to_builtins(course.night),
        "seal": _seal(course),
        "undo": _undo(course),
        "marks": course.marks,
        "settings": msgspec.to_builtins(course.settings),
        "paused": course.paused,
        **_paper(course),
        "log": list(course.recent)[-LOG_LINES:],
        **_answer(course),
        "board": board,
    }


def seat_snapshot(course: TableState, seat: Seat) -> dict[str, Any]:
    """Return what a seat alone is shown: its own part, what it may do, its notes by night, and
    whether its secret turn is taken and not yet told.
    """
    game = course.game
    if game is None:
        return {"own": None, "legal": [], "notes": [], "submitted": False}
    submitted = bool(course.untold) and course.steps[-1].seat == seat
    seen = view(course.state if submitted else course.told, seat)
    blocked = bool(course.untold) or course.telling
    return {
        "own": game.show(seen)["own"],
        "legal": [] if blocked else encode_actions(game.legal_actions(seen)),
        "notes": _notes(course, seat),
        "submitted": submitted,
    }


def _notes(course: TableState, seat: Seat) -> list[dict[str, Any]]:
    """Return the end of a seat's private log: {"number", "events"} for each secret turn, 0 being
    the set-up.

    A number stands here whether or not the seat heard anything then.
    """
    own = bool(course.untold) and course.steps[-1].seat == seat
    steps = course.steps if own else course.spoken_steps
    # From the end: every frame to every seat shows this of a log that grows. Steps are in the order
    # of their numbers.
    turns = groupby(reversed(steps), key=lambda step: step.number)
    pages: dict[int, list[Event]] = {
        number: [
            event for step in reversed([*those]) for event in step.heard if may_hear(event, seat)
        ]
        for number, those in islice(turns, NIGHTS_SHOWN)
    }
    if 0 in pages or len(pages) < NIGHTS_SHOWN:
        dealt = [event for event in course.dealt_heard if may_hear(event, seat)]
        pages[0] = [*dealt, *pages.get(0, [])]
    return [
        {
            "number": number,
            "events": [encode_event(event) for event in pages[number][-EVENTS_PER_NIGHT:]],
        }
        for number in reversed(pages)
    ]


def heard_by(course: TableState, seat: Seat) -> list[Event]:
    """Return what a seat was told in the running game, public and its own, step by step; what is
    not told yet is left out.
    """
    return [event for event in course.tale() if may_hear(event, seat)]


def _play(course: TableState) -> dict[str, Any]:
    game = course.game
    if game is None:
        return {
            "view": None,
            "to_move": None,
            "secret": False,
            "legal": [],
            "outcome": None,
            "doubts": [],
        }
    told = course.told.public
    seat = game.to_move(told)
    secret = game.secret_seat(told) is not None
    hushed = secret or course.telling or seat is None or course.told.private.get(seat) is not None
    return {
        "view": game.show(view(course.told, None)),
        "to_move": seat,
        "secret": secret,
        "legal": [] if hushed else encode_actions(game.legal_actions(View(seat, told))),
        "outcome": msgspec.to_builtins(game.outcome(told)),
        "doubts": msgspec.to_builtins(game.doubts(told)),
    }


def _is_sample(course: TableState, checked: SetupCheck) -> bool:
    """Return whether the game that is played or proposed has invented content, which every screen
    says.
    """
    if course.game is not None:
        return course.game.is_sample(course.told.public)
    return checked.state is not None and course.games[course.proposal.game].is_sample(
        checked.state.public
    )


def _lobby(course: TableState, checked: SetupCheck, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
    proposal = course.proposal
    empty: dict[str, Any] = dict.fromkeys(course.games[proposal.game].setup_type.__struct_fields__)
    choices = {} if course.game is not None else available_choices(course)
    return {
        "game": proposal.game,
        "games": {name: list(game.seats) for name, game in course.games.items()},
        "players": proposal.players,
        **(empty | {"options": {}} | proposal.setup),
        "doubts": msgspec.to_builtins(checked.doubts),
        "ready": checked.ready and course.game is None,
        **({"laid": list(course.laid)} if course.laid else {}),
        **(
            {"seed": course.seed_seal}
            if course.games[proposal.game].dealt and course.seed and course.game is None
            else {}
        ),
        **(
            {"choices": {what: [one["id"] for one in found] for what, found in choices.items()}}
            if choices
            else {}
        ),
        **(
            {"contents": list(names)}
            if (names := course.games[proposal.game].content_names)
            else {}
        ),
        "lies": {}
        if course.game is not None
        else {cell: [tile.number, tile.turn] for cell, tile in tiles.items()},
        "sheet": None
        if course.game is not None
        else tile_instructions(course.games[proposal.game], proposal, tiles),
    }


def available_choices(course: TableState) -> dict[str, list[dict[str, Any]]]:
    """Return what seats may choose before the proposed game, as `Game.choices` does."""
    game = course.games[course.proposal.game]
    return game.choices(read_setup(game, course.proposal)) if game.chosen else {}


def _answer(course: TableState) -> dict[str, Any]:
    """Return, while a game is played, the last thing of its secrets that was told and still stands,
    None before it.
    """
    if not course.playing:
        return {}
    nights = tag_names((NightFell,))
    told = (line for line in reversed(course.answers()) if line["event"]["event"] not in nights)
    return {"answer": next(told, None)}


def _seal(course: TableState) -> dict[str, Any] | None:
    """Return the last seal that was told; 0 is the number of the deal's."""
    last = course.seal or course.deal
    if last is None:
        return None
    number = 0 if isinstance(last, DealSealed) else last.number
    return {"number": number, "seal": last.seal, "words": commitment.word_fingerprint(last.seal)}


def _paper(course: TableState) -> dict[str, Any]:
    """Return, after a game of which somebody kept pages on paper, what was told on each, and what
    was typed of them.
    """
    pages = course.running().paper_pages(course.story) if course.over else []
    if not pages:
        return {}
    typed = encode_event(course.paper) if course.paper else None
    return {"paper": {"told": msgspec.to_builtins(pages), "typed": typed}}


def _undo(course: TableState) -> dict[str, Any]:
    last = last_step(course)
    return {
        "kind": "none" if last is None else "free" if last.free else "consent",
        "seat": last.seat if last else None,
        "asked": _asked(course, course.asked, last) if course.asked else None,
    }


def _asked(course: TableState, asked: Vote, last: HistoryStep | None) -> dict[str, Any]:
    disclosed = last.disclosed if asked.what == "undo" and last else ()
    return {
        "what": asked.what,
        "by": asked.by,
        "seat": asked.seat,
        "agreed": list(asked.agreed),
        "needed": list(asked.needed),
        "arrangement": msgspec.to_builtins(asked.arrangement),
        "meant": _meant(course, asked),
        "disclosed": [msgspec.to_builtins(said) for said in disclosed],
    }


def _meant(course: TableState, asked: Vote) -> list[Any]:
    """Return what would be said if everybody agreed to set the table by hand."""
    if asked.arrangement is None:
        return []
    game = course.running()
    events = game.arrange(course.told.public, asked.arrangement)
    return [msgspec.to_builtins(game.say(event)) for event in events]


def last_step(course: TableState) -> HistoryStep | None:
    """Return the submission that an undo would take back now, None if there is none."""
    if not course.playing or course.telling or not course.spoken_steps:
        return None
    return course.spoken_steps[-1]
