"""External bots receive what their seat may know, and lose the seat at their first fault."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from companion.arena.match import Contest, bots_of, play
from companion.bots import external
from companion.games import GAMES, find_game

EXAMPLE = (
    f"program:{shlex.quote(sys.executable)} "
    f"{shlex.quote(str(Path(__file__).with_name('example_bot.py')))}"
)


TIMEOUT = 60.0
"""Seconds within which a program of the tests has answered, however busy the machine is."""


def bot(folder: Path, *lines: str) -> str:
    """Write a bot that answers each line with these lines of Python; return its name."""
    path = folder / "bot.py"
    body = "".join(f"    {line}\n" for line in lines)
    path.write_text(
        f"import json, sys, time\nfor line in sys.stdin:\n    asked = json.loads(line)\n{body}"
    )
    return f"program:{shlex.quote(sys.executable)} -u {shlex.quote(str(path))}"


def hunt(humans: str, vampire: str, seconds: float = 5.0, *, players: int = 2) -> Contest:
    """Return a game of Vampire Radar."""
    levels = {"humans": humans, "vampire": vampire}
    return Contest("vampireradar", players, levels, 4, seconds)


@pytest.mark.parametrize(
    ("game", "number"),
    [
        pytest.param(game, number, marks=() if first % 2 == number else pytest.mark.soak)
        for first, game in enumerate(game.name for game in GAMES if game.bots)
        for number in (0, 1)
    ],
)
@pytest.mark.slow
def test_the_example_plays_whole_games(game: str, number: int) -> None:
    """`example_bot.py` plays either side of each game to the end by the rules, a process for each
    seat, and the game replays equal.
    """
    sides, (weakest, *_) = bots_of(game).sides, bots_of(game).levels
    levels = {sides[number]: EXAMPLE, sides[1 - number]: weakest}
    played = play(Contest(game, find_game(game).seats[-1], levels, 4, TIMEOUT))

    assert " " not in played.result.reason
    assert "unfinished" != played.result.reason
    assert played.result.times[sides[number]]


ANSWER = 'print(json.dumps({"actions": asked["legal"][-1:]}))'


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["time.sleep(60)"], "H1 took longer than 0.2 s"),
        (["sys.exit()"], "H1 went away"),
        (['print("[" * 5000)'], "H1 answered what is not JSON"),
        (["print(7)"], 'H1 answered something else than {"actions": […]}'),
        (['print(json.dumps({"actions": [{"type": "fly"}]}))'], "H1 answered what cannot be read"),
        (['print(json.dumps({"actions": []}))'], "H1 answered what cannot be read"),
        (
            ['print(json.dumps({"actions": [{"type": "place", "cell": "C3"}]}))'],
            "H1 did what is not allowed",
        ),
        (['print(json.dumps({"actions": asked["legal"][:2]}))'], "H1 must answer with one action"),
        (
            ['print("x" * 200000, end="")', "time.sleep(60)"],
            "H1 answered with more than 100000 bytes",
        ),
    ],
)
def test_who_misbehaves_loses_the_seat(
    lines: list[str], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that is late, ended, unreadable or against the rules loses its seat, and its side
    the game; the result names the seat and the reason.
    """
    if "longer" in why:
        monkeypatch.setattr(external, "START_SECONDS", 0.0)
    result = play(hunt(bot(tmp_path, *lines), "greedy", 0.2 if "longer" in why else 5.0)).result

    assert "vampire" == result.winner
    assert result.reason.startswith(why)


def test_a_command_that_does_not_exist_is_reported() -> None:
    """A program that cannot be started loses the seat with the command's name."""
    result = play(hunt("greedy", "program:/no/such/bot")).result

    assert "humans" == result.winner
    assert "V cannot be started by /no/such/bot" in result.reason


def test_a_human_gets_nothing_secret(tmp_path: Path) -> None:
    """Everything that the humans' processes receive in a whole game is public: no private event, no
    own part.
    """
    received = tmp_path / "received"
    name = bot(tmp_path, f"open({str(received)!r}, 'a').write(line)", ANSWER)
    play(hunt(name, "greedy", players=3))
    lines = [json.loads(line) for line in received.read_text().splitlines()]

    assert {"H1", "H2"} <= {line["seat"] for line in lines}
    assert all(line["view"]["own"] is None for line in lines)
    assert not [
        event
        for line in lines
        for event in line["events"]
        if event["event"].startswith("vampire_m")
    ]
    assert not [
        event for line in lines for event in line["events"] if event["event"] == "vampire_hid"
    ]
