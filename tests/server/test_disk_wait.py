"""While the table writes, whatever a guest, a phone or a display can ask without writing is
answered: a wait would show when somebody's secret turn is written.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from companion.table.storage.log import Log
from tests.server.client import GameTable

LIMIT = 90.0
"""Real seconds after which a request counts as stuck."""
PLACE = [{"type": "place", "cell": "C3"}]


def test_nothing_that_is_asked_waits_for_a_write(
    game_table: GameTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every page and stream, and every phone's question, is answered while an entry is written; so
    is a night that is submitted.
    """
    vampire, human = game_table.started()
    display, guest = game_table.display(), game_table.app.test_client()
    position, head = (game_table.table.snapshot()[name] for name in ("position", "head"))
    is_writing, may_go_on, append = Event(), Event(), Log.append

    def wait_and_append(log: Log, *entry: Any) -> None:
        is_writing.set()
        assert may_go_on.wait(LIMIT)
        append(log, *entry)

    def first_line(path: str) -> object:
        return next(iter(guest.get(path, buffered=False).response))

    paths = [
        rule.rule
        for rule in game_table.app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.rule != "/events"
    ]
    questions: list[Callable[[], object]] = [
        lambda: first_line("/events"),
        lambda: first_line("/events?after=1"),
        *(lambda path=path: guest.get(path) for path in paths),
        *(lambda phone=phone: next(phone.follow()) for phone in (vampire, human, display)),
        *(
            lambda phone=phone: phone.request("hello", expect=position, head=head)
            for phone in (vampire, human, display)
        ),
        lambda: vampire.request("blank"),
        lambda: vampire.request("preview", actions=PLACE),
    ]
    monkeypatch.setattr(Log, "append", wait_and_append)
    with ThreadPoolExecutor(2) as pool:
        mark = pool.submit(human.request, "mark", cell="A1", mark="?")
        assert is_writing.wait(LIMIT)
        try:
            for question in questions:
                pool.submit(question).result(LIMIT)
            assert not mark.done()
        finally:
            may_go_on.set()
        assert mark.result(LIMIT)["ok"]


def test_a_submitted_night_writes_nothing(game_table: GameTable) -> None:
    """A submitted night is answered before anything of it is written, and the answer says so; the
    same request is answered when it is stored.
    """
    vampire, _ = game_table.started()
    entries = len(game_table.table.journal.log)
    question = {"id": vampire.new_id(), "do": "submit", "actions": PLACE}
    answers = [vampire.request_raw(question), vampire.request_raw(question)]

    assert [(True, True)] * 2 == [(answer["ok"], answer["pending"]) for answer in answers]
    assert answers[0]["private"]["submitted"]
    assert entries == len(game_table.table.journal.log)
    game_table.pass_night()
    stored = vampire.request_raw(question)
    assert (True, False) == (stored["ok"], "pending" in stored)
