"""Pictures of games in progress, for screens that are looked at without a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from companion.core.game import Seat
from companion.games import GAMES, find_game
from companion.table.errors import Refused
from companion.table.table import Table
from tests.table.play import Play

Json = dict[str, Any]

FIXTURES = Path(__file__).parent / "fixtures"
NAMES = ("Ana", "Ben", "Chie", "Dirk", "Eva")
SEED = 3
LONG = ("accuse", "draw")
"""Actions that would end a game before most of its states were seen."""


class State(Struct, frozen=True):
    """One moment of a game: what all see, what each seat sees alone, what may be looked up, and
    after the end its record.
    """

    name: str
    snapshot: Json
    private: dict[str, Json] = {}
    reference: Json = {}
    record: str = ""


def hunts() -> list[State]:
    """Return a state for each picture of `fixtures/`."""
    games = {game.name: [*game.seats] for game in GAMES}
    states = []
    for path in sorted(FIXTURES.glob("*.json")):
        if path.stem.startswith("private_"):
            continue
        snapshot = json.loads(path.read_text(encoding="utf-8"))
        snapshot["lobby"] = {"games": games} | snapshot["lobby"]
        own = FIXTURES / f"private_{path.name}"
        private = {"V": json.loads(own.read_text(encoding="utf-8"))} if own.exists() else {}
        states.append(State(f"vampireradar-{path.stem}", snapshot, private))
    return states


def ends(play: Play, seat: Seat, draft: list[Json]) -> bool:
    """Submit a draft; return False if it is a secret turn that has to go on."""
    try:
        play.submit(seat, *play.table.decode(draft))
    except Refused as refused:
        if refused.message.code != "night_unfinished":
            raise
        return False
    return True


def nearest(table: Table, legal: list[Json]) -> list[Json]:
    """Return a Manhunt pawn's walks to the place nearest to the fugitive's; all actions where it
    has no walk.
    """
    ways: dict[int, list[int]] = {}
    for way in table.reference()["map"]["ways"]:
        one, other = way.get("between") or (way["from"], way["to"])
        ways.setdefault(one, []).append(other)
        ways.setdefault(other, []).append(one)
    far = {int(table.seat_snapshot(Seat("F"))["own"]["cell"]): 0}
    for place in (rest := [*far]):
        fresh = [each for each in ways.get(place, []) if each not in far]
        far |= dict.fromkeys(fresh, far[place] + 1)
        rest += fresh
    walks = [action for action in legal if action["type"] == "walk"]
    least = min((far[int(action["to"])] for action in walks), default=0)
    return [action for action in walks if far[int(action["to"])] == least] or legal


def played(
    folder: Path, game: str, players: int, options: Json, most: int = 200
) -> Iterator[State]:
    """Play at most `most` turns of a game at random; yield its lobby and its fullest picture of
    each step, the last one too. Hunters of Manhunt go where the fugitive is: by chance they need
    too long.
    """
    rules, rng = find_game(game), Random(SEED)
    play = Play(folder, rules, SEED)
    table = play.table
    table.lobby.propose({"game": game, "players": players, "options": options})
    for number, (seat, name) in enumerate(
        zip(rules.seat_names(players), NAMES, strict=False), start=1
    ):
        table.seats.claim(seat, name, f"{number:064x}")
    name = "-".join([game, *options.values()])
    lobby = json.loads(json.dumps(table.snapshot()))
    lobby["lobby"]["games"] = {game.name: [*game.seats] for game in GAMES}
    yield State(f"{name}-lobby", lobby, {}, table.reference())
    table.start()
    fullest: dict[str, State] = {}
    for _ in range(most):
        snapshot = json.loads(json.dumps(table.snapshot()))
        view = snapshot["view"]
        step = [
            view.get("step") or snapshot["phase"],
            *(each for each in ("fight", "riot") if view.get(each)),
        ]
        step += ["secret"] * snapshot["secret"]
        private = {str(seat): table.seat_snapshot(seat) for seat in rules.seat_names(players)}
        state = State(
            "-".join([game, *options.values(), *step]),
            snapshot,
            private,
            table.reference(),
            "\n".join(table.record()) if snapshot["phase"] == "over" else "",
        )
        if state.name not in fullest or len(str(snapshot)) > len(str(fullest[state.name].snapshot)):
            fullest[state.name] = state
        if snapshot["phase"] == "over":
            break
        seat = Seat(snapshot["to_move"])
        legal = private[seat]["legal"]
        slow = [action for action in legal if action["type"] not in LONG]
        hunted = game == "manhunt" and seat != "F" and snapshot["view"]["round"]
        draft = [rng.choice(nearest(table, legal) if hunted else slow or legal)]
        while not ends(play, seat, draft):
            draft.append(rng.choice(table.preview(seat, table.decode(draft))["legal"]))
        play.clock.advance(60)
    table.close()
    yield from fullest.values()
