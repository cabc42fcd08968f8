"""Check docs/protocol.md against the code, game by game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec
import pytest

from companion.core.game import Game
from companion.core.view import view
from companion.games import GAMES
from companion.i18n import Catalog
from companion.rules_protocol import RulesServer
from tools.secrecy.random_games import begin

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
TITLES = {
    "vampireradar": "Vampire Radar",
    "nosferatu": "Nosferatu",
    "shisogari": "Shisogari",
    "vwars": "V-Wars",
    "vampire_empire": "Vampire Empire",
    "manhunt": "Manhunt",
}
OPTIONS: dict[str, list[dict[str, Any]]] = {
    "vampireradar": [{}, {"path": "paper"}],
    "nosferatu": [{}, {"stalemate": "loss"}, {"stalemate": "draw"}],
    "shisogari": [{}, {"hands": "cards"}],
    "vwars": [{}, {"content": "box"}, {"content": "box", "factions": "cards"}],
    "vampire_empire": [{}, {"notebook": True}, {"content": "box"}],
    "manhunt": [{}, {"content": "quarter"}, {"content": "ship"}, {"path": "paper"}],
}
BY_ID = {
    "pawns", "bullets", "hands", "backs", "roles", "piles", "points", "regions", "cities",
    "players", "laws", "factions", "pairs", "start", "decks", "tickets", "fugitive_tickets",
    "walked",
}  # fmt: skip
"""Fields whose keys are names of seats, pieces, cells, cities or piles, not of fields."""
AT_A_TABLE = {"paper_from"}
"""Fields of a view that no game of this protocol comes to."""
EVERY = [pytest.param(game, id=game.name) for game in GAMES]


def section(game: Game) -> str:
    """Return the page's part about a game."""
    return PAGE.split(f"### {TITLES[game.name]}\n")[1].split("\n### ")[0]


def words(text: str) -> set[str]:
    """Return the words that stand between backticks."""
    return {
        word for quoted in re.findall(r"`([^`\n]+)`", text) for word in re.findall(r"\w+", quoted)
    }


def table(game: Game, *head: str) -> list[list[str]]:
    """Return the rows of the table with these columns, in cells."""
    _, separator, rest = section(game).partition(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    assert separator, f"no table of {head}"
    return [row.strip("| ").split(" | ") for row in rest.split("\n\n")[0].splitlines()]


def examples(game: Game) -> list[str]:
    """Return the lines that the page shows for this game."""
    return [
        line
        for block in re.findall(r"```json\n(.*?)```", section(game), re.DOTALL)
        for line in block.splitlines()
    ]


def referee(game: Game) -> RulesServer:
    return RulesServer(game, Catalog.load("en").translate)


def ask(server: RulesServer, request: object) -> dict[str, Any]:
    return server.answer(json.dumps(request))


def names(value: object) -> Iterator[str]:
    """Yield the name of each field in a JSON value, at any depth."""
    if isinstance(value, list):
        for each in value:
            yield from names(each)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            by_id = key in BY_ID and isinstance(inner, dict)
            for part in inner.values() if by_id else [inner]:
                yield from names(part)


def random_games(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the answers of random games for each number of players and several options, at most
    1000 actions each; three for each where there are few of them.
    """
    settings = [(players, options) for players in game.seats for options in OPTIONS[game.name]]
    for players, options in settings:
        for seed in range(3 if len(settings) < 10 else 1):
            rng, server = Random(seed), referee(game)
            reply = ask(server, {"new": {"players": players, "seed": seed, "options": options}})
            for step in range(1000):
                assert reply["ok"], reply
                if step % 3 == 0 or reply["outcome"]:
                    for seat in (None, *game.seat_names(players)):
                        yield ask(server, {"view": seat})
                yield reply
                if reply["outcome"]:
                    break
                action = rng.choice(reply["legal"])
                reply = ask(server, {"seat": reply["to_move"], "actions": [action]})


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.slow
def test_views_and_ends_are_documented(game: Game) -> None:
    """In random games each view has the fields of the table and no other; the names inside them
    stand in the game's section, and each end is a row of the table of ends.
    """
    documented = set().union(*(words(row[0]) for row in table(game, "view", "what it is")))
    ends = [
        (words(winner), words(reason))
        for winner, reason, _ in table(game, "winner", "reason", "when")
    ]
    keys: set[str] = set()
    inner: set[str] = set()
    outcomes: set[tuple[str, str]] = set()
    for reply in random_games(game):
        if "view" in reply:
            keys |= reply["view"].keys()
            inner |= set(names(reply["view"]))
        elif reply["outcome"]:
            outcomes.add((reply["outcome"]["winner"], reply["outcome"]["reason"]))

    assert documented - AT_A_TABLE == keys
    assert set() == inner - words(section(game))
    assert outcomes
    assert [] == [
        end
        for end in outcomes
        if not any(end[0] in winners and end[1] in reasons for winners, reasons in ends)
    ]


@pytest.mark.parametrize("game", EVERY)
def test_every_winner_and_reason_is_documented(game: Game) -> None:
    """Each reason of `game_over` stands in the table of ends, and nothing else does."""
    over = next(kind for kind in game.events if kind.__struct_config__.tag == "game_over")
    hints = get_type_hints(over)
    rows = table(game, "winner", "reason", "when")

    assert set(get_args(hints["winner"])) == set().union(*(words(row[0]) for row in rows))
    assert set(get_args(hints["reason"])) == set().union(*(words(row[1]) for row in rows))


@pytest.mark.parametrize("game", EVERY)
def test_examples_are_accepted(game: Game) -> None:
    """Each line that the page shows for a game starts one, with all that it gives."""
    assert examples(game)
    for line in examples(game):
        reply = referee(game).answer(line)

        assert reply["ok"], reply["error"]
        assert [] == [
            name
            for name in json.loads(line)["new"]
            if name not in words(section(game)) | {"players"}
        ]


@pytest.mark.parametrize("game", EVERY)
def test_what_a_game_may_be_given_is_documented(game: Game) -> None:
    """Each field of a set-up stands in the section, with the names inside it (a content's own are
    its file's); a game starts again from all of them as it was drawn.
    """
    documented = words(section(game)) | {"options"}
    assert [] == [
        field.name
        for field in msgspec.structs.fields(game.setup_type)
        if field.name not in documented
    ]
    for players in game.seats:
        state, _ = begin(game, players, Random(players))
        start = game.to_setup(state)
        documented_keys = {
            key: value for key, value in start.items() if key not in ("content", "options")
        }
        server = referee(game)

        assert set() == set(names(documented_keys)) - documented
        assert ask(server, {"new": {"players": players, **start}})["ok"]
        assert game.encode_view(view(state, None)) == ask(server, {"view": None})["view"]
