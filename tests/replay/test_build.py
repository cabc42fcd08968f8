"""The replay of a record: its content and nothing else, only after the end, of every game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.core.game import Message, Seat
from companion.core.placement import Cell
from companion.games import GAMES
from companion.games.nosferatu.rules import Nosferatu
from companion.games.vampireradar.actions import END, Place
from companion.games.vampireradar.options import HUMANS, V
from companion.games.vampireradar.rules import VampireRadar
from companion.i18n import Catalog
from companion.replay.build import replay_json
from companion.table.errors import Refused
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.storage.log import read_bodies
from tests.helpers.texts import found_in
from tests.table.play import Play
from tests.table.test_vampireradar import play_on

SIDES = (Seat("vampires"), Seat("villagers"))
FIXTURE = Path(__file__).parent.parent / "fixtures" / "games" / "10-3p.jsonl"


def view_of(replay: dict[str, Any]) -> dict[str, Any]:
    """Return the whole view of a replay's last moment."""
    view: dict[str, Any] = {}
    for moment in replay["moments"]:
        view |= moment.get("view", {})
    return view


def record_of(play: Play) -> str:
    return "".join(f"{line}\n" for line in export_record(read_bodies(play.folder), play.games))


@pytest.mark.parametrize("seed", range(3))
def test_what_was_taken_back_is_left_out(tmp_path: Path, seed: int) -> None:
    """A game with turns taken back ends in its replay as on the table; they are counted."""
    play = Play(tmp_path, VampireRadar(), seed=seed)
    play.start("V", *HUMANS[:2], players=3)
    rewound = 0
    for part in range(3):
        play_on(play, Random(seed * 10 + part), 20)
        if (
            play.table.snapshot()["phase"] == "play"
            and play.table.snapshot()["undo"]["kind"] != "none"
        ):
            play.table.votes.undo(V)
            for seat in HUMANS[:2]:
                if play.table.snapshot()["vote"]:
                    play.table.votes.cast(seat, True)
            rewound += 1
    play.clock.advance(200)
    if play.table.snapshot()["phase"] == "play":
        play.table.surrender(V)
    snapshot = play.table.snapshot()
    replay = replay_json(record_of(play), {"H1": "Ana"})
    last_view = view_of(replay)
    play.table.close()

    assert rewound == replay["rewound"] > 0
    assert snapshot["outcome"] == replay["outcome"]
    assert {name: snapshot["view"][name] for name in last_view} == last_view
    assert {"seat": "H1", "name": "Ana"} in replay["seats"]
    assert replay["moments"][0]["event"] == "game_set_up"


def test_a_running_game_has_no_replay(tmp_path: Path) -> None:
    """A record that still keeps its nights secret is refused: the game is not over."""
    play = Play(tmp_path, VampireRadar())
    play.start("V", *HUMANS[:2], players=3)
    play.night("V", Place(Cell("C3")))
    play.submit("H1", END)
    play.submit("H2", END)
    record = record_of(play)
    play.table.close()

    with pytest.raises(Refused, match="not_over"):
        replay_json(record)


def test_a_record_that_differs_has_no_replay() -> None:
    """A replay is made of the decided game: a changed answer is not in it."""
    record = FIXTURE.read_text(encoding="utf-8").replace('"hit": true', '"hit": false', 1)

    with pytest.raises(Refused, match="record_differs"):
        replay_json(record)


def test_a_game_without_secrets_has_a_replay_too(tmp_path: Path) -> None:
    """Nosferatu has moments and a board, no truth and no chances."""
    play = Play(tmp_path, Nosferatu())
    play.table.lobby.propose({"game": "nosferatu", "players": 2})
    for number, seat in enumerate(SIDES, start=1):
        play.table.seats.claim(seat, "Somebody", f"{number:064x}")
    play.table.start()
    rng = Random(4)
    for _ in range(60):
        snapshot = play.table.snapshot()
        if snapshot["phase"] != "play":
            break
        action = rng.choice(snapshot["legal"])
        play.submit(snapshot["to_move"], *play.table.decode([action]))
    if play.table.snapshot()["phase"] == "play":
        play.table.votes.draw(SIDES[0])
        play.table.votes.cast(SIDES[1], True)
    snapshot = play.table.snapshot()
    replay = replay_json(record_of(play))
    play.table.close()

    assert snapshot["view"]["pawns"] == view_of(replay)["pawns"]
    assert not any("truth" in moment or "odds" in moment for moment in replay["moments"])
    assert "figure.turns" == replay["figures"][0]["code"]


def test_every_sentence_of_a_replay_is_in_the_catalogues() -> None:
    """Each message of a replay, public or secret, is a sentence in every language, and none shows a
    code or a brace.
    """
    replay = replay_json(FIXTURE.read_text(encoding="utf-8"))
    for language in ("en", "ja", "nl"):
        sentences = Catalog.load(language, "vampireradar")
        for message in [*replay["figures"], *(moment["message"] for moment in replay["moments"])]:
            sentence = sentences.translate(Message(message["code"], message["params"]))
            assert "{" not in sentence and message["code"] not in sentence


def test_every_moment_is_one_that_happened() -> None:
    """The public moments are the record's public events, in order, but for set-up and ends of
    humans' turns.
    """
    lines = [json.loads(line) for line in FIXTURE.read_text(encoding="utf-8").splitlines()]
    events = [event["event"] for line in lines for event in line.get("public", [])]
    moments = [
        moment["event"]
        for moment in replay_json(FIXTURE.read_text(encoding="utf-8"))["moments"][1:]
    ]
    public = [
        event for event in moments if not event.startswith("vampire_") or event == "vampire_placed"
    ]
    nights = sum(
        line.get("seat") == "V" and line["actions"][0]["type"] == "end"
        for line in lines
        if "actions" in line
    )

    assert [event for event in events if event != "turn_ended"] == [
        event for event in public if event != "turn_ended"
    ]
    assert nights == public.count("turn_ended")
    assert replay_record(FIXTURE.read_text(encoding="utf-8").splitlines(), GAMES).ok


def test_the_command_makes_one_page(tmp_path: Path) -> None:
    """`companion replay GAME.jsonl --html FILE` decides the record again and writes the page with
    the record in it, without an address that a browser would fetch.
    """
    page = tmp_path / "replay.html"
    result = CliRunner().invoke(main, ["replay", str(FIXTURE), "--html", str(page)])
    html = page.read_text(encoding="utf-8")

    assert (0, True) == (result.exit_code, "all alike" in result.output)
    assert FIXTURE.read_text(encoding="utf-8").splitlines()[-1] in html
    script = html.partition('<script type="module">')[2].partition("/**")[0]
    assert "" == found_in(script, "import ")
    assert [] == re.findall(r'(?:src|href)="(?:https?:)?//', html)


def test_no_page_is_made_of_a_secret_game(tmp_path: Path) -> None:
    """No page is made of a running game's record, and the reason is printed."""
    play = Play(tmp_path / "game", VampireRadar())
    play.start("V", *HUMANS[:2], players=3)
    play.night("V", Place(Cell("C3")))
    record, page = tmp_path / "game.jsonl", tmp_path / "replay.html"
    record.write_text(record_of(play), encoding="utf-8")
    play.table.close()
    result = CliRunner().invoke(main, ["replay", str(record), "--html", str(page)])

    assert (1, False) == (result.exit_code, page.exists())
    assert "The game is not over yet" in result.output
