"""The order of the locks: written once, kept by every thread, and checked in all tests."""

from __future__ import annotations

import ast
import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Lock, Thread

import pytest

from companion import locks
from companion.locks import (
    LockOrderError,
    LockRank,
    OrderedLock,
    make_condition,
    make_lock,
    make_rlock,
)
from companion.table.errors import StorageFailed
from companion.table.storage.log import Log
from tests.server.client import GameTable
from tests.table.play import Play

CHECKOUT = Path(__file__).resolve().parents[1]
OF_THREADING = ("Lock", "RLock", "Condition")


def test_a_lock_is_taken_in_its_order_only() -> None:
    """A thread that holds a lock may wait for those below it, and for no other lock of its own
    rank or above it.
    """
    for held, wanted in itertools.product(LockRank, LockRank):
        with make_lock(held):
            if wanted > held:
                with make_lock(wanted):
                    continue
            with pytest.raises(
                LockOrderError, match=f"{wanted.name} is waited for while {held.name} is held"
            ):
                make_lock(wanted).acquire()


def test_a_holder_takes_its_own_lock_again() -> None:
    """A thread may take a reentrant lock again, whatever it took since; another one never."""
    table, clock, plain = (
        make_rlock(LockRank.TABLE),
        make_lock(LockRank.CLOCK),
        make_lock(LockRank.SEATS),
    )
    with table, clock, table:
        pass
    with plain, pytest.raises(LockOrderError):
        plain.acquire(timeout=1)


def test_what_does_not_wait_is_not_refused() -> None:
    """A try that does not wait is allowed in any order; the lock that it took counts as held."""
    table, reader = make_lock(LockRank.TABLE), make_lock(LockRank.BOARD_READER)
    with table:
        assert reader.acquire(blocking=False)
        assert not reader.acquire(blocking=False)
        reader.release()
    with reader, make_lock(LockRank.CAMERA):
        assert table.acquire(blocking=False)
        with pytest.raises(LockOrderError, match="SEATS is waited for while TABLE is held"):
            make_lock(LockRank.SEATS).acquire()
        table.release()


def test_a_condition_waits_in_its_order() -> None:
    """A condition releases its lock while it waits, and another thread wakes it."""
    changed = make_condition(LockRank.SUBSCRIPTION)
    notified: list[str] = []

    def tell() -> None:
        with changed:
            notified.append("notified")
            changed.notify()

    with changed:
        thread = Thread(target=tell)
        thread.start()
        assert changed.wait_for(lambda: notified)
        with pytest.raises(LockOrderError):
            make_lock(LockRank.TABLE).acquire()
    thread.join()


def test_each_thread_holds_its_own() -> None:
    """The locks of one thread do not affect another one's order."""
    with make_lock(LockRank.CLOCK):
        acquired: list[bool] = []
        thread = Thread(target=lambda: acquired.append(make_lock(LockRank.TABLE).acquire()))
        thread.start()
        thread.join()
    assert [True] == acquired


def test_tests_check_and_tables_do_not() -> None:
    """In tests locks check; without the variable in the environment they are the locks of
    `threading`.
    """
    program = (
        "from companion import locks; l = locks.LockRank.TABLE; print(locks.CHECKED, "
        "type(locks.make_lock(l)))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env={}, cwd=CHECKOUT
    )

    assert locks.CHECKED
    assert isinstance(make_lock(LockRank.TABLE), OrderedLock)
    assert f"False {type(Lock())}\n" == result.stdout


def test_every_lock_has_a_rank() -> None:
    """No module but `companion/locks.py` makes a lock of its own, and no two places make locks of
    one rank.
    """
    sources = {
        path: path.read_text(encoding="utf-8") for path in (CHECKOUT / "companion").rglob("*.py")
    }
    created = [
        (path.name, name)
        for path, source in sources.items()
        if path.name != "locks.py" and ("LockRank" in source or "threading" in source)
        for name in ranks_named(ast.parse(source))
    ]
    assert [] == [each for each in created if each[1] in OF_THREADING]
    assert sorted(rank.name for rank in LockRank) == sorted(name for _, name in created)


def ranks_named(tree: ast.Module) -> Iterator[str]:
    """Yield the ranks that a module names, and the locks of `threading`."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="LockRank"), attr=name):
                yield name
            case ast.Attribute(value=ast.Name(id="threading"), attr=name) if name in OF_THREADING:
                yield name
            case ast.ImportFrom(module="threading", names=names):
                yield from (alias.name for alias in names if alias.name in OF_THREADING)


def test_the_written_order_is_the_checked_one() -> None:
    """docs/architecture.md lists the locks in their order."""
    text = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1].strip(" `") for line in text.splitlines() if line.startswith("| `")]

    assert [rank.name for rank in LockRank] == [
        name for name in rows if name in LockRank.__members__
    ]


def test_the_next_game_keeps_the_order(game_table: GameTable) -> None:
    """The next game is prepared under the seats' lock and the table's in the one order, and so is
    each request.
    """
    vampire, human = game_table.placed()
    assert vampire.request("surrender")["ok"]

    assert human.request("next_game", by=0)["ok"]
    assert vampire.request("hello")["ok"]
    assert "lobby" == game_table.table.snapshot()["phase"]


def test_hooks_are_called_without_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hooks for publications and for a failed disk may take any lock: they are called by the
    clock.
    """
    play = Play(tmp_path / "data")
    called: list[str] = []

    def note(name: str) -> None:
        with make_lock(min(LockRank)):
            called.append(name)

    def fail(self: Log, *_: object, **__: object) -> None:
        raise StorageFailed("no disk")

    play.table.on_publish(lambda: note("published"))
    play.table.on_storage_failure(lambda failure: note(str(failure)))
    play.table.change_settings({"volume": 7})
    monkeypatch.setattr(Log, "append", fail)
    with pytest.raises(StorageFailed):
        play.table.change_settings({"volume": 8})
    assert [] == called
    play.clock.advance(0)

    assert ["published", "no disk"] == called
    play.table.close()


@pytest.fixture
def game_table(tmp_path: Path) -> Iterator[GameTable]:
    game_table = GameTable(tmp_path / "data")
    yield game_table
    game_table.close()
