"""A recorded box is sent again: its request is done once, also after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.table.storage.recovery import LOG_FILE
from companion.table.storage.store import inspect_log
from tests.server.client import GameTable, Json, Phone


class Recorded:
    """A phone's requests as bytes on the network."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self.messages: list[bytes] = []
        post = phone.post

        def kept(path: str, body: bytes) -> Any:
            self.messages.append(body)
            return post(path, body)

        phone.post = kept  # type: ignore[method-assign]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def walked(game_table: GameTable) -> tuple[Phone, Phone]:
    """Return a game in which H1 has walked."""
    vampire, human = game_table.placed()
    walk(game_table, human)
    return vampire, human


def walk(game_table: GameTable, human: Phone) -> Json:
    action: Json = next(
        step for step in game_table.table.snapshot()["legal"] if step["type"] == "walk"
    )
    assert human.request("submit", actions=[action])["ok"]
    return action


def pawns(game_table: GameTable) -> dict[str, str]:
    places: dict[str, str] = game_table.table.snapshot()["view"]["pawns"]
    return places


def send_again(game_table: GameTable, message: bytes, status: int = 400) -> None:
    """Send a recorded box as anybody in the network can; after a restart the table opens it."""
    assert status == game_table.phone("192.168.1.99").post("/channel", message).status_code


def test_a_recorded_undo_takes_nothing_back(folder: Path) -> None:
    """A recorded undo takes back no other move, even after a restart; the same number asked again
    takes back none either.
    """
    game_table = GameTable(folder)
    _, human = walked(game_table)
    start = pawns(game_table)
    recorded, id = Recorded(human), human.new_id()
    assert human.request_raw({"id": id, "do": "undo"})["ok"]
    walk(game_table, human)
    moved = pawns(game_table)
    assert human.request_raw({"id": id, "do": "undo"})["ok"]
    send_again(game_table, recorded.messages[0])
    assert moved == pawns(game_table)
    game_table.close()

    game_table = GameTable(folder)
    send_again(game_table, recorded.messages[0], 200)
    after = pawns(game_table)
    game_table.close()
    assert moved == after
    assert len(start) == len(after)


def test_a_recorded_agreement_answers_no_other_question(folder: Path) -> None:
    """The vampire's recorded agreement cannot agree to its next question."""
    game_table = GameTable(folder)
    vampire, human = walked(game_table)
    recorded = Recorded(vampire)
    assert human.request("draw")["ok"]
    assert vampire.request("vote", agree=False)["ok"]
    no = recorded.messages[-1]
    assert human.request("draw")["ok"]
    send_again(game_table, no)
    vote = game_table.table.snapshot()["vote"]
    game_table.close()

    assert vote is not None and "V" not in vote["agreed"]


def test_a_recorded_surrender_ends_one_game(folder: Path) -> None:
    """A recorded resignation does not end the next game with the same phones."""
    game_table = GameTable(folder)
    vampire, _ = walked(game_table)
    recorded = Recorded(vampire)
    assert vampire.request("surrender")["ok"]
    surrender = recorded.messages[-1]
    assert vampire.request("next_game", by=0)["ok"]
    assert vampire.request("start")["ok"]
    assert vampire.request("submit", actions=[{"type": "place", "cell": "C3"}])["ok"]
    game_table.pass_night()
    send_again(game_table, surrender)
    phase = game_table.table.snapshot()["phase"]
    game_table.close()

    assert "play" == phase


def test_a_recorded_agreement_that_was_refused_agrees_to_nothing(folder: Path) -> None:
    """A message that changed nothing is not done later: an agreement before the question, a pause
    during a pause, a proposal that another one followed.
    """
    game_table = GameTable(folder)
    vampire, human = game_table.seated("V", "H1")
    recorded = Recorded(human)
    for players in (2, 3):
        assert human.request("propose", change={"players": players})["ok"]
    send_again(game_table, recorded.messages[0])
    assert 3 == game_table.table.snapshot()["lobby"]["players"]
    game_table.close()

    game_table = GameTable(folder.with_name("play"))
    vampire, human = walked(game_table)
    recorded = Recorded(vampire)
    assert "no_vote" == vampire.request("vote", agree=True)["code"]
    game_table.table.pause(True)
    assert vampire.request("pause", on=True)["ok"]
    game_table.table.pause(False)
    assert human.request("draw")["ok"]
    for message in recorded.messages:
        send_again(game_table, message)
    snapshot = game_table.table.snapshot()
    game_table.close()

    assert ("play", False) == (snapshot["phase"], snapshot["paused"])


def seated(game_table: GameTable) -> tuple[Phone, Phone]:
    game_table.table.lobby.bot_levels = {"vampireradar": ["greedy"]}
    vampire, human = game_table.seated("V", "H1")
    return vampire, human


def with_draw_request(game_table: GameTable) -> tuple[Phone, Phone]:
    vampire, human = game_table.placed()
    assert vampire.request("draw")["ok"]
    return vampire, human


def over(game_table: GameTable, **options: str) -> tuple[Phone, Phone]:
    """Return a game, on paper or not, that ended in a draw after its first night."""
    vampire, human = game_table.seated("V", "H1")
    game_table.table.lobby.propose({"players": 2, "options": options})
    assert human.request("start")["ok"]
    first = {"type": "hide"} if options else {"type": "place", "cell": "C3"}
    assert vampire.request("submit", actions=[first])["ok"]
    game_table.pass_night()
    assert vampire.request("draw")["ok"]
    assert human.request("draw")["ok"]
    return vampire, human


def with_new_phone(game_table: GameTable) -> tuple[Phone, Phone]:
    vampire, _ = game_table.placed()
    return vampire, game_table.phone()


ASKED: dict[str, tuple[Any, Json]] = {
    "undo": (walked, {}),
    "vote": (with_draw_request, {"agree": False}),
    "draw": (walked, {}),
    "by_hand": (walked, {"arrangement": {"pawns": {"H1a": "D4"}}}),
    "switch_to_paper": (walked, {}),
    "surrender": (walked, {}),
    "mark": (walked, {"cell": "C3", "mark": "?"}),
    "pause": (walked, {"on": True}),
    "start": (seated, {}),
    "next_game": (over, {}),
    "settings": (seated, {"change": {"sound": False}}),
    "free": (seated, {"seat": "H1"}),
    "give": (seated, {"seat": "H1", "level": "greedy"}),
    "give_free": (seated, {"seats": ["H1", "H2"], "level": "greedy"}),
    "rename": (seated, {"name": "Ana"}),
    "paper": (lambda game_table: over(game_table, path="paper"), {"pages": "C4"}),
    "recover": (with_new_phone, {"seat": "V", "pin": "1111"}),
}
"""For each request whose entry names it: what comes before it, and its arguments."""


@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("do", ASKED)
def test_a_request_is_kept_with_what_it_changed(folder: Path, do: str, is_restarted: bool) -> None:
    """Each request that changes the game is named by the entry that it made; repeated, also after a
    restart, it makes none.
    """
    game_table = GameTable(folder)
    prepare, arguments = ASKED[do]
    vampire, human = prepare(game_table)
    phone = vampire if do == "surrender" else human
    request = {"id": phone.new_id(), "do": do} | arguments
    first = len(game_table.table.journal.log)
    answers = [phone.request_raw(request)]
    last = len(game_table.table.journal.log)
    if is_restarted:
        game_table.close()
        game_table = GameTable(folder)
        phone.app = game_table.app
    answers.append(phone.request_raw(request))
    rows = inspect_log(folder / LOG_FILE).rows
    game_table.close()

    assert [True, True] == [answer["ok"] for answer in answers], answers
    assert request["id"] in [row.id for row in rows[first:last]]
    assert last == len(rows)
