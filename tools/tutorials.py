"""The rounds to watch before a game: `python -m tools.tutorials`, after a change of rules.

Each game has a list of moments. A game is played from a seed, at random among the actions that lead
to the next moment; of the first seeds the one with the fewest actions is taken. What the table then
sends to everybody is written to web/games/NAME/tutorial.json: the first moment whole, later ones by
what changed. Nothing that a seat knows alone is in it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct

from companion.core.game import Seat
from companion.games import find_game
from companion.i18n import web_root
from companion.table.errors import Refused
from tests.table.play import Play

Json = dict[str, Any]

SEEDS = 300
"""How many seeds are tried."""
MOST = 60
"""A seed that needs more actions is given up: its round would be a long one."""
KEPT = (
    "game",
    "phase",
    "view",
    "to_move",
    "secret",
    "revealing",
    "night",
    "outcome",
    "settings",
    "answer",
)
"""The parts of a snapshot that a display draws and that change in a game."""
UNDRAWN = ("cards_listed", "game_set_up")
"""Events that hold a whole content."""
SECRET = ("night_fell", "card_picked")
"""Events after which the table waits for a secret turn: it is shown while it waits."""
ANY = "any"
"""Of a field of an event: whatever it is, but not None."""
ENDLESS = ("draw", "surrender", "end", "pass", "draw_none")


class Moment(Struct, frozen=True):
    """A moment to show: the key of its words; `event`, which has to be published with these
    `fields`; the actions that lead there; the fields of the last events that the words use; the
    display's control that is pressed then. Without an event it is the same picture as before with
    other words.
    """

    words: str
    event: str | None = None
    fields: Json = {}
    by: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    press: str | None = None


class Tutorial(Struct, frozen=True):
    """The round of a game: its players, options, and moments in order."""

    players: int
    moments: tuple[Moment, ...]
    options: Json = {}


TUTORIALS = {
    "vampireradar": Tutorial(
        3,
        (
            Moment("hide"),
            Moment("walk", "pawn_walked", by=("place", "walk")),
            Moment("radar", "radar_called", by=("call_radar", "walk", "end"), params=("distance",)),
            Moment("miss", "shot_fired", {"hit": False}, ("shoot", "end")),
            Moment("hit", "shot_fired", {"hit": True}, ("shoot", "end")),
            Moment("night", "night_fell", by=("end",)),
            Moment("dawn", "pawns_killed", by=("attack", "walk", "end")),
            Moment("end"),
        ),
    ),
    "nosferatu": Tutorial(
        2,
        (
            Moment("start"),
            Moment("enter", "piece_entered", {"pawn": "n"}, ("enter",)),
            Moment("far", "piece_entered", by=("enter",)),
            Moment("nosferatu", "piece_jumped", {"pawn": "n"}, ("jump", "enter")),
            Moment("capture", "piece_jumped", by=("jump",)),
            Moment("end"),
        ),
    ),
    "shisogari": Tutorial(
        4,
        (
            Moment("start", "turn_started", by=("choose_colour",)),
            Moment("backs"),
            Moment("take", "item_named", by=("take", "name"), params=("seat", "partner", "item")),
            Moment("pick", "card_picked", by=("pick",), params=("giver",)),
            Moment("pair", "pair_laid", {"item": ANY}, ("lay",), ("seat", "item")),
            Moment("give", "item_named", by=("give", "name"), params=("seat", "partner", "item")),
            Moment("down", "pair_laid", {"item": None}, ("pick", "lay", "give"), ("seat",)),
            Moment("kin"),
            Moment(
                "accuse",
                "game_over",
                {"winner": "hunters"},
                ("accuse", "take", "keep"),
                ("suspect",),
            ),
            Moment("end"),
        ),
    ),
    "vampire_empire": Tutorial(
        2,
        (
            Moment("start"),
            Moment("hide", "character_hidden", by=("draw", "proceed", "hide", "pay", "decline")),
            Moment("draw", "cards_drawn", by=("draw", "decline")),
            Moment("fight", "fight_begun", by=("fight", "proceed", "decline")),
            Moment("lay", "card_laid", by=("lay",)),
            Moment("count", "round_counted", by=("done", "lay", "decline")),
            Moment("death", "character_died", by=("lay", "done", "decline", "fight")),
            Moment("enter"),
            Moment("water", "holy_water_answered", by=("holy_water", "pay", "draw", "decline")),
            Moment("end"),
        ),
    ),
    "vwars": Tutorial(
        3,
        (
            Moment("start"),
            Moment("move", "moved", by=("move",)),
            Moment("deploy", "troops_changed", by=("deploy", "put")),
            Moment("event", "event_resolved", by=("end",)),
            Moment("riot", "cards_lie", by=("riot", "stay", "pick_city", "pick_region", "end")),
            Moment("strength"),
            Moment("track", press="map"),
            Moment("turn", "turn_started", by=("discard", "stay"), press="map"),
            Moment("end", press="map"),
        ),
    ),
    "manhunt": Tutorial(
        3,
        (
            Moment("hide"),
            Moment("hunt", "pawn_walked", by=("hide", "step", "end", "walk")),
            Moment("secret", "night_fell", by=("walk", "look")),
            Moment("way", "fugitive_moved", by=("step", "end")),
            Moment("near", "nothing_found", by=("walk", "look", "end")),
            Moment("shown", "fugitive_shown", by=("step", "walk", "look", "end")),
            Moment("caught", "game_over", by=("step", "walk", "look", "end")),
        ),
    ),
}


def round_of(name: str, seed: int) -> tuple[list[Json], Json, int] | None:
    """Play the round of a game; return its moments, the content's reference and the number of
    actions. None if this seed does not show every moment soon.
    """
    rules, tutorial, rng = find_game(name), TUTORIALS[name], Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        play = Play(Path(folder), rules, seed)
        table = play.table
        table.lobby.propose(
            {"game": name, "players": tutorial.players, "options": tutorial.options}
        )
        for number, seat in enumerate(rules.seat_names(tutorial.players), start=1):
            table.seats.claim(seat, "", f"{number:064x}")
        table.start()
        film = Film(play)
        acts = 0
        for moment in tutorial.moments:
            while not film.shows(moment):
                if acts == MOST or table.snapshot()["phase"] == "over":
                    table.close()
                    return None
                acts += act(play, film, moment, rng)
        reference = table.reference()
        table.close()
    return film.moments, reference, acts


class Film:
    """The moments of a game in progress."""

    def __init__(self, play: Play) -> None:
        self._table = play.table
        self._position = 0
        self._last: Json = {}
        self.moments: list[Json] = []

    def shows(self, moment: Moment) -> bool:
        """Add the moment if the table's last events show it; return whether they do."""
        snapshot = json.loads(json.dumps(self._table.snapshot()))
        news = [entry for entry in snapshot["log"] if entry["position"] > self._position]
        events = [entry["event"] for entry in news]
        fitting = [event for event in events if fits(event, moment)]
        if moment.event and not fitting:
            return False
        fields = snapshot["view"].get("transfer") or {}
        for event in (*events, *fitting):
            fields = fields | event
        self._position = snapshot["position"]
        drawn = {part: snapshot.get(part) for part in KEPT}
        self.moments.append(
            {
                "words": moment.words,
                "params": {name: fields[name] for name in moment.params},
                "press": moment.press,
                "event": moment.event,
                "log": [entry for entry in news if entry["event"]["event"] not in UNDRAWN]
                if self.moments
                else [],
                **changed(self._last, drawn),
            }
        )
        self._last = drawn
        return True


def fits(event: Json, moment: Moment) -> bool:
    """Return whether an event is the one of a moment."""
    return event["event"] == moment.event and all(
        event.get(name) == value or (value == ANY and event.get(name) is not None)
        for name, value in moment.fields.items()
    )


def changed(before: Json, after: Json) -> Json:
    """Return the parts of a snapshot that differ; of the view its own parts that differ."""
    parts = {name: part for name, part in after.items() if before.get(name) != part}
    if "view" in parts and "view" in before:
        view = before["view"]
        parts["view"] = {
            name: part for name, part in after["view"].items() if view.get(name) != part
        }
    return parts


def act(play: Play, film: Film, moment: Moment, rng: Random) -> int:
    """Submit one turn's next action, of a secret turn all; return how many there were."""
    table = play.table
    seat = Seat(table.snapshot()["to_move"])
    draft = [chosen(table.seat_snapshot(seat)["legal"], moment, rng)]
    while True:
        try:
            play.submit(seat, *table.decode(draft))
            break
        except Refused as refused:
            if refused.message.code != "night_unfinished":
                raise
            draft.append(chosen(table.preview(seat, table.decode(draft))["legal"], moment, rng))
    if moment.event not in SECRET:
        play.clock.advance(60)
    return len(draft)


def chosen(legal: list[Json], moment: Moment, rng: Random) -> Json:
    """Return an action that leads to the moment, else any that goes on with the game."""
    wanted = [action for kind in moment.by for action in legal if action["type"] == kind]
    first = [action for action in wanted if action["type"] == wanted[0]["type"]] if wanted else []
    others = [action for action in legal if action["type"] not in ENDLESS]
    return rng.choice(first or others or legal)


def main() -> None:
    """Write the rounds of the games that are named, without names of all."""
    for name in sys.argv[1:] or TUTORIALS:
        rounds = {seed: round_of(name, seed) for seed in range(SEEDS)}
        lengths = {seed: played[2] for seed, played in rounds.items() if played}
        seed = min(lengths, key=lambda each: (lengths[each], each))
        path = web_root() / f"games/{name}/tutorial.json"
        path.write_text(written(name, seed), encoding="utf-8")
        print(f"{name}: seed {seed}, {lengths[seed]} actions, {path.stat().st_size} bytes")


def written(name: str, seed: int) -> str:
    """Return the file of a game's round."""
    played = round_of(name, seed)
    assert played
    moments, reference, _ = played
    parts = {"seed": seed, "reference": reference, "moments": moments}
    return json.dumps(parts, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    main()
