"""A request that is sent twice under one id is done once, of whatever type it is."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import Any

import pytest

from companion.core.game import GameError
from companion.sensors.maintenance import BoardMaintenance
from companion.server.rpc import handlers, replies
from companion.server.rpc.replies import AnsweredRequests, Reply
from companion.server.rpc.requests import request_types
from companion.table.storage.log import RequestId
from tests.server.client import GameTable, Json

SECONDS = 60.0
ARGUMENTS: dict[str, Json] = {
    "pair": {"code": "B"},
    "pair_camera": {"code": "B"},
    "watch": {"changed": False},
    "admit": {"code": "B"},
    "claim": {"seat": "H1", "pin": "1111"},
    "recover": {"seat": "V", "pin": "1111"},
    "share": {"seal": "0" * 64, "share": "0" * 32},
    "rename": {"name": "Ana"},
    "propose": {"change": {"players": 2}},
    "choose": {"what": "role", "choice": None},
    "lay_tiles": {"tiles": {}},
    "check_tiles": {"tiles": {}},
    "pause": {"on": True},
    "preview": {"actions": []},
    "submit": {"actions": []},
    "aim": {"actions": []},
    "ask_aloud": {"what": "turn"},
    "read_aloud": {"number": 1},
    "vote": {"agree": True},
    "by_hand": {"arrangement": {"pawns": {}}},
    "mark": {"cell": "A1", "mark": "?"},
    "settings": {"change": {"sound": False}},
    "free": {"seat": "H1"},
    "give": {"seat": "H1", "level": "greedy"},
    "give_free": {"seats": ["H2"], "level": "greedy"},
    "board": {"answer": "ignore"},
    "touch": {"pawn": "H1a", "cell": "A1"},
    "maintain": {"step": "forget", "thing": "pawn:H1a"},
    "paper": {"pages": "C4"},
}
"""The arguments of each request that needs some."""
REPEATABLE = {"hello", "way", "check_tiles", "preview", "reveal", "blank", "submit"}
"""Requests that change nothing, and the one whose id the table itself stores."""


@pytest.mark.parametrize("kind", request_types(), ids=lambda kind: kind.__struct_config__.tag)
def test_each_request_is_done_once(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch, kind: Any
) -> None:
    """Whatever a request asks, and whether it is refused: sent again under its id it gets the first
    reply and is not done again, unless it is one that changes nothing or that the table counts.
    """
    (human,) = game_table.seated("H1")
    done: list[Any] = []
    perform = handlers.perform

    def count(*arguments: Any) -> Reply:
        done.append(arguments)
        return perform(*arguments)

    monkeypatch.setattr(handlers, "perform", count)
    tag = kind.__struct_config__.tag
    request = {"id": human.new_id(), "do": tag} | ARGUMENTS.get(tag, {})
    first, second = human.request_raw(request), human.request_raw(request)

    assert "unreadable_request" != first.get("code")
    assert (2 if tag in REPEATABLE else 1) == len(done)
    assert {**first, "snapshot": None} == {**second, "snapshot": None}


@pytest.mark.parametrize(("pin", "code"), [("1111", None), ("9999", "wrong_pin")])
def test_a_repeated_recovery_is_one_try(game_table: GameTable, pin: str, code: str | None) -> None:
    """A person's new phone that sends its PIN twice gets the first reply twice, and one try is
    counted.
    """
    game_table.placed()
    phone = game_table.phone()
    before = len(game_table.table.journal.log)
    request = {"id": phone.new_id(), "do": "recover", "seat": "H1", "pin": pin}
    replies = [phone.request_raw(request) for _ in range(2)]
    tries = [
        line["event"]["tries"]
        for line in game_table.table.snapshot()["log"]
        if line["event"]["event"] == "recovery_tried"
    ]

    assert [code, code] == [reply.get("code") for reply in replies]
    assert replies[0] == replies[1]
    assert [1] == tries
    assert before + (1 if code else 2) == len(game_table.table.journal.log)


def test_a_repeated_registration_registers_once(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A registration that is sent twice is made once; pressed twice, twice."""
    registered: list[str] = []
    monkeypatch.setattr(BoardMaintenance, "register", lambda self, name: registered.append(name))
    (human,) = game_table.seated("H1")
    request = {"id": human.new_id(), "do": "maintain", "step": "register", "thing": "pawn:H1a"}

    assert human.request_raw(request) == human.request_raw(request)
    assert 1 == len(registered)
    assert human.request("maintain", step="register", thing="pawn:H1a")["ok"]
    assert 2 == len(registered)


def test_a_copy_that_arrives_meanwhile_is_pending(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a request is done, a copy of it waits for nothing and is told to come again; then it
    gets the reply.
    """
    (human,) = game_table.seated("H1")
    has_begun, may_end = Event(), Event()
    rename = game_table.table.seats.rename

    def hold(*of: Any) -> None:
        has_begun.set()
        assert may_end.wait(SECONDS)
        rename(*of)

    monkeypatch.setattr(game_table.table.seats, "rename", hold)
    request = {"id": human.new_id(), "do": "rename", "name": "Ana"}
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(human.request_raw, request)
        assert has_begun.wait(SECONDS)
        try:
            meanwhile = human.request_raw(request)
        finally:
            may_end.set()
        reply = first.result(SECONDS)

    assert (True, True) == (meanwhile["ok"], meanwhile["pending"])
    assert "role" not in meanwhile
    assert reply == human.request_raw(request)


def answered(results: AnsweredRequests, id: str, do: Callable[[], Reply]) -> Reply:
    return results.do_once(RequestId("key", id), do).result()


def test_an_unexpected_error_is_not_remembered() -> None:
    """After an error that is no refusal, the same request is done again; a refusal stays."""
    results = AnsweredRequests()
    errors = [OSError("disk"), GameError("no")]

    def fail() -> Reply:
        if errors:
            raise errors.pop(0)
        return {"done": True}

    with pytest.raises(OSError, match="disk"):
        answered(results, "a", fail)
    for _ in range(2):
        with pytest.raises(GameError):
            answered(results, "a", fail)
    assert {"done": True} == answered(results, "b", fail)


def test_the_oldest_replies_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory is bounded: the oldest requests are forgotten."""
    monkeypatch.setattr(replies, "MAX_ANSWERED", 3)
    results = AnsweredRequests()
    done: list[str] = []

    def do(id: str) -> Reply:
        done.append(id)
        return {}

    for id in "abcdadc":
        answered(results, id, partial(do, id))

    assert [*"abcda"] == done
