"""A box that somebody has recorded is sent again: what it asked for is done once, also after a
restart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.client import Evening, Json, Phone


class Recorded:
    """What a phone asks, as it goes over the wire."""

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


def walked(evening: Evening) -> tuple[Phone, Phone]:
    """A game in which H1 has walked."""
    vampire, human = evening.placed()
    walk(evening, human)
    return vampire, human


def walk(evening: Evening, human: Phone) -> Json:
    action: Json = next(
        step for step in evening.table.snapshot()["legal"] if step["type"] == "walk"
    )
    assert human.ask("submit", actions=[action])["ok"]
    return action


def pawns(evening: Evening) -> dict[str, str]:
    where: dict[str, str] = evening.table.snapshot()["view"]["pawns"]
    return where


def send_again(evening: Evening, message: bytes) -> None:
    """Send a recorded box as anybody in the network can."""
    assert 200 == evening.phone("192.168.1.99").post("/channel", message).status_code


def test_a_recorded_undo_takes_nothing_back(folder: Path) -> None:
    """Sent again it takes back no other move, not even after a restart; asked again under its
    number neither.
    """
    evening = Evening(folder)
    _, human = walked(evening)
    start = pawns(evening)
    recorded, id = Recorded(human), human.new_id()
    assert human.ask_raw({"id": id, "do": "undo"})["ok"]
    walk(evening, human)
    moved = pawns(evening)
    assert human.ask_raw({"id": id, "do": "undo"})["ok"]
    send_again(evening, recorded.messages[0])
    assert moved == pawns(evening)
    evening.close()

    evening = Evening(folder)
    send_again(evening, recorded.messages[0])
    after = pawns(evening)
    evening.close()
    assert moved == after
    assert len(start) == len(after)


def test_a_recorded_agreement_answers_no_other_question(folder: Path) -> None:
    """Who has recorded that the vampire agreed once cannot agree for it to the next thing that is
    asked.
    """
    evening = Evening(folder)
    vampire, human = walked(evening)
    recorded = Recorded(vampire)
    assert human.ask("draw")["ok"]
    assert vampire.ask("consent", agree=False)["ok"]
    no = recorded.messages[-1]
    assert human.ask("draw")["ok"]
    send_again(evening, no)
    asked = evening.table.snapshot()["undo"]["asked"]
    evening.close()

    assert asked is not None and "V" not in asked["agreed"]


def test_a_recorded_forfeit_ends_one_game(folder: Path) -> None:
    """The next game with the same phones is not given up by what gave up the last one."""
    evening = Evening(folder)
    vampire, _ = walked(evening)
    recorded = Recorded(vampire)
    assert vampire.ask("forfeit")["ok"]
    forfeit = recorded.messages[-1]
    assert vampire.ask("again", swap=False)["ok"]
    assert vampire.ask("start")["ok"]
    assert vampire.ask("submit", actions=[{"type": "place", "cell": "C3"}])["ok"]
    evening.pass_night()
    send_again(evening, forfeit)
    phase = evening.table.snapshot()["phase"]
    evening.close()

    assert "play" == phase
