"""Slow tests are left out only if nothing that they depend on has changed since they passed."""

from __future__ import annotations

import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools import stamps as stamps_plugin
from tools.stamps import KEY, ROOT, Dependencies, Stamps, machine, pytest_configure, tracked_files

PAGE, BOARD = "tests/browser/games/test_manhunt.py", "tests/hardware/test_plans.py"


@pytest.fixture(scope="module")
def now() -> Dependencies:
    """What everything depends on."""
    return Dependencies(tracked_files())


def changed(now: Dependencies, path: str) -> Dependencies:
    """Return the same after a change in a file."""
    assert path in now.files
    then = copy.copy(now)
    then.files = {**now.files, path: "changed"}
    return then


@pytest.mark.parametrize(
    ("path", "has_page", "has_board"),
    [
        ("companion/games/manhunt/rules.py", True, False),
        ("companion/games/vwars/rules.py", False, False),
        ("companion/games/vwars/__init__.py", False, False),
        ("companion/games/vwars/template.toml", False, False),
        ("companion/games/manhunt/template.toml", True, False),
        ("companion/server/auth/codes.py", True, True),
        ("companion/cli/serve.py", True, False),
        ("companion/sensors/vision/photo_worker.py", True, False),
        ("web/core/stream.js", True, False),
        ("web/games/vwars/phone.js", False, False),
        ("tests/browser/server.py", True, False),
        ("tests/browser/conftest.py", True, False),
        ("tests/browser/layout.js", True, False),
        ("hardware/pins.toml", False, True),
        ("hardware/plans/circuit.py", False, True),
        ("tests/games/manhunt/test_rules.py", False, False),
        ("tests/conftest.py", True, True),
        ("pyproject.toml", True, True),
        ("Makefile", True, True),
        ("CHANGELOG.md", False, False),
    ],
)
def test_a_change_runs_what_depends_on_it(
    now: Dependencies, path: str, has_page: bool, has_board: bool
) -> None:
    """A change changes the stamp of each module that imports, starts, reads or plays the file."""
    then = changed(now, path)

    assert (has_page, has_board) == (
        now.stamp(PAGE) != then.stamp(PAGE),
        now.stamp(BOARD) != then.stamp(BOARD),
    )


def test_another_machine_runs_everything(
    now: Dependencies, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After another version of a program, a package or a variable no stamp is right."""
    program, packages = tmp_path / "node", tmp_path / "status"
    program.touch(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(stamps_plugin, "INSTALLED", [packages])
    machines = [machine()]
    program.write_text("#!/bin/sh\n")
    machines.append(machine())
    packages.write_text("chromium 143")
    machines.append(machine())
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    machines.append(machine())

    assert len(machines) == len({*map(tuple, machines)})
    other = copy.copy(now)
    other.machine = machines[0]
    assert now.stamp(BOARD) != other.stamp(BOARD)


def test_an_unknown_file_runs_everything(now: Dependencies) -> None:
    """What nobody has said the use of may be used by all."""
    then = Dependencies({**now.files, "elsewhere/new.toml": "new"})
    modules = [path for path in now.files if Path(path).name.startswith("test_")][::10]

    assert 25 < len(modules)
    assert [] == [path for path in modules if now.stamp(path) == then.stamp(path)]


def run(now: Dependencies, stamps: dict[str, str], mode: str = "use") -> tuple[Stamps, Any]:
    """Begin a run that finds these stamps."""
    cache: dict[str, Any] = {KEY: stamps}
    config: Any = SimpleNamespace(
        option=SimpleNamespace(stamps=mode),
        cache=SimpleNamespace(get=cache.get, set=cache.__setitem__),
    )
    return Stamps(config, now), cache


def report(outcome: str, *keywords: str) -> Any:
    """Return the report of a step of a test of `PAGE`."""
    return SimpleNamespace(
        nodeid=f"{PAGE}::test", outcome=outcome, keywords=dict.fromkeys(keywords)
    )


@pytest.mark.parametrize(
    ("reports", "is_stamped"),
    [
        ([report("passed", "slow")], True),
        ([report("passed", "slow"), report("failed", "slow")], False),
        ([report("passed", "slow"), report("skipped", "slow")], False),
        ([report("passed", "slow"), report("failed")], False),
        ([report("passed")], False),
    ],
)
def test_only_a_module_that_passes_gets_a_stamp(
    now: Dependencies, reports: list[Any], is_stamped: bool
) -> None:
    """A failure or a skip of any of its tests leaves a module without a stamp."""
    stamps, _ = run(now, {})
    for each in reports:
        stamps.pytest_runtest_logreport(each)

    assert is_stamped == (stamps.stamps(now) == {PAGE: now.stamp(PAGE)})
    assert is_stamped == (PAGE in stamps.stamps(now))


def test_a_change_during_the_run(now: Dependencies) -> None:
    """What changes while its tests run gets no stamp: nobody knows which of the two they saw."""
    stamps, _ = run(now, {})
    stamps.pytest_runtest_logreport(report("passed", "slow"))

    assert {} == stamps.stamps(changed(now, "web/core/stream.js"))


def test_what_is_left_out(now: Dependencies) -> None:
    """A module is left out as long as its stamp is right, and keeps it; not if all are to run, and
    not after a change.
    """
    before = {PAGE: now.stamp(PAGE), BOARD: "another", "tests/test_gone.py": "old"}
    stamps, _ = run(now, before)

    assert [PAGE] == stamps.unchanged
    assert [True, None] == [stamps.pytest_ignore_collect(ROOT / path) for path in (PAGE, BOARD)]
    assert {PAGE: before[PAGE]} == stamps.stamps(now)
    assert [] == run(now, before, "write")[0].unchanged
    assert [] == run(changed(now, "companion/cli/serve.py"), before)[0].unchanged


@pytest.mark.parametrize(
    ("status", "is_kept"),
    [
        (pytest.ExitCode.OK, True),
        (pytest.ExitCode.TESTS_FAILED, True),
        (pytest.ExitCode.INTERRUPTED, False),
        (pytest.ExitCode.INTERNAL_ERROR, False),
    ],
)
def test_a_run_that_did_not_end(now: Dependencies, status: pytest.ExitCode, is_kept: bool) -> None:
    """A run that was broken off writes no stamps: not all tests of a module may have run."""
    stamps, cache = run(now, {})
    stamps.pytest_runtest_logreport(report("passed", "slow"))
    session: Any = SimpleNamespace(
        config=SimpleNamespace(cache=SimpleNamespace(set=cache.__setitem__)), shouldfail=False
    )
    stamps.pytest_sessionfinish(session, status)

    assert is_kept == (PAGE in cache[KEY])


def test_a_failure_in_a_run_that_did_not_end(now: Dependencies) -> None:
    """What failed before somebody broke the run off has no stamp: else the next run would leave it
    out, over the same files as those with which it passed once.
    """
    before = {PAGE: now.stamp(PAGE), BOARD: now.stamp(BOARD), "tests/test_other.py": "stamp"}
    stamps, cache = run(now, before, "write")
    stamps.pytest_runtest_logreport(report("failed", "slow"))
    stamps.pytest_collectreport(SimpleNamespace(nodeid=BOARD, failed=True))  # type: ignore[arg-type]
    session: Any = SimpleNamespace(
        config=SimpleNamespace(cache=SimpleNamespace(set=cache.__setitem__)), shouldfail=False
    )
    stamps.pytest_sessionfinish(session, pytest.ExitCode.INTERRUPTED)

    assert {"tests/test_other.py": "stamp"} == cache[KEY]


@pytest.mark.parametrize("name", ["keyword", "markexpr", "exhaustive", "deselect", "lf", "ignore"])
def test_a_run_of_other_tests_uses_no_stamps(name: str) -> None:
    """A run that leaves tests out by an option would stamp modules of which it ran a part."""
    config: Any = SimpleNamespace(
        option=SimpleNamespace(**{name: "this"}), args=["tests"], getini=lambda name: ["tests"]
    )
    with pytest.raises(pytest.UsageError):
        pytest_configure(config)
