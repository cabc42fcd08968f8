"""Leave out slow tests if nothing that their module depends on has changed since all of it passed:
a plugin of pytest's, which `make test` uses, and CI and `make test FRESH=1` let run everything.

A module depends on the Python that it imports, on data beside that Python, on each folder of
`FOLDERS` that it or its helpers name or use, and on each game that they name. A file of no known
kind belongs to all. All modules depend on what this machine has installed. The stamps are in
pytest's cache.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import distributions
from pathlib import Path, PurePosixPath
from typing import Any

import grimp
import pytest

from companion.cli import COMMANDS

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "tests", "tools", "hardware", "web", "firmware")
FOLDERS = {
    "web": ("companion.app", "tests.browser", "tests.web", "hardware.deb"),
    "firmware": ("tools.emulator", "hardware"),
    "hardware": ("companion.cli.installer", "hardware"),
    "docs": (),
}
"""Folders of data, and the packages whose importers use them."""
DEVELOPERS = re.compile(r"[A-Z]+\.md|LICENSE|\.ci/.*|\.gitignore|\.prettierignore|\w+\.config\.js")
"""Files at the top of which no program reads any: a quick test or a linter does."""
PACKS_ALL = "hardware.deb"
"""All of `companion` belongs to it."""
MODULE_NAMES = r'"([a-z]\w*(?:\.\w+)+)"|"-m", "(\w+)"'
COMMAND_NAMES = r'"([a-z-]+)"|companion ([a-z-]+)'
FIRST_GAME = "vampireradar"
"""What a table plays that is told nothing else."""
KEY = "companion/stamps"
INSTALLED = (
    Path("/var/lib/dpkg/status"),
    ROOT / "node_modules/.package-lock.json",
    ROOT / "tests/browser/node_modules/.package-lock.json",
)
"""The lists of what Debian and npm have installed."""
PROGRAMS = ("node", "chromium", "chromium-headless-shell", "avr-gcc", "gcc", "firefox", "mosquitto")
"""Programs of tests, which may be installed without Debian's packages."""
VARIABLES = ("CHROMIUM", "LANG", "LC_ALL", "TZ")
"""Variables of the environment that tests and what they start read."""
OTHER_SELECTIONS = ("keyword", "markexpr", "exhaustive", "deselect", "ignore", "ignore_glob", "lf")
"""Options with which other tests run than all."""


def tracked_files() -> dict[str, str]:
    """Return the hash of each file of the checkout that git does not ignore."""

    def git(*words: str) -> list[str]:
        words = ("git", "ls-files", "-z", *words)
        output = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        return output.split("\0")[:-1]

    hashes = {path: entry for entry, path in (line.split("\t") for line in git("-s"))}
    for path in git("--modified", "--others", "--exclude-standard"):
        file = ROOT / path
        hashes[path] = sha256(file.read_bytes()).hexdigest() if file.is_file() else ""
    return hashes


def machine() -> list[str]:
    """Return lines that differ after a change of the installed packages and programs."""
    lines = [sys.version, *(f"{name}={os.environ.get(name)}" for name in VARIABLES)]
    lines += sorted(f"{each.name} {each.version}" for each in distributions())
    lines += [sha256(path.read_bytes()).hexdigest() for path in INSTALLED if path.is_file()]
    for path in filter(None, map(shutil.which, (*PROGRAMS, os.environ.get("CHROMIUM", "")))):
        program = os.stat(path)
        lines.append(f"{path} {program.st_size} {program.st_mtime_ns}")
    return lines


class Dependencies:
    """What each module of tests depends on; `files` are the hashes of all paths."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.machine = machine()
        self.graph = grimp.build_graph(*PACKAGES, cache_dir=f"{ROOT}/.import_linter_cache")
        """Who imports whom, and who starts whom by name."""
        self._games = {
            path.split("/")[2] for path in files if re.match(r"companion/games/\w+/", path)
        }
        self._developers = {path for path in files if DEVELOPERS.fullmatch(path)}
        self._owners = {path: self._owner(path) for path in files}
        for module in self.graph.modules:
            for started in self._started(module) & self.graph.modules - {module}:
                self.graph.add_import(importer=module, imported=started)

    def _started(self, module: str) -> set[str]:
        """Return what may start when a module names other modules and commands."""
        if module.split(".")[0] == "companion":
            # It starts its workers by their modules' names.
            return {name for name, _ in re.findall(MODULE_NAMES, self._source(module)) if name}
        text = self._text(module)
        named = {each for pair in re.findall(MODULE_NAMES, text) for each in pair}
        commands = {each for pair in re.findall(COMMAND_NAMES, text) for each in pair}
        modules = {
            f"companion.cli.{COMMANDS[each].split('.')[0]}" for each in commands & {*COMMANDS}
        }
        return named | {f"{each}.__main__" for each in named} | modules

    def _owner(self, path: str) -> str:
        """Return what uses a file: a module, a package, a folder, its readers, or "" for all."""
        top = path.split("/")[0]
        module = _dotted(path.removesuffix(".py").removesuffix("/__init__"))
        if path.endswith(".py") and module in self.graph.modules:
            return module
        if top in FOLDERS or path.startswith("tests/web/"):
            return f"{top if top in FOLDERS else 'web'}/"
        if top in PACKAGES:
            folders = (f"{folder}" for folder in PurePosixPath(path).parents)
            return next(_dotted(each) for each in folders if _dotted(each) in self.graph.modules)
        return path if path in self._developers else ""

    @cache  # noqa: B019 (there are two of these in a run)
    def _text(self, module: str) -> str:
        """Return the source of a module for developers."""
        return self._source(module) if module.split(".")[0] in ("tests", "tools") else ""

    def _source(self, module: str) -> str:
        stem = ROOT / module.replace(".", "/")
        file = stem / "__init__.py" if stem.is_dir() else stem.with_suffix(".py")
        return file.read_text(encoding="utf-8") if file.is_file() else ""

    @cache  # noqa: B019
    def _named(self, module: str) -> set[str]:
        """Return the folders, files for developers and games that a module names."""
        text = self._text(module)
        folders = {
            f"{folder}/" for folder in FOLDERS if re.search(rf'\b{folder}/|/ "{folder}"', text)
        }
        games = {game for game in self._games if game in text or "GAMES" in text}
        return folders | games | {path for path in self._developers if path in text}

    def paths(self, path: str) -> set[str]:
        """Return the files that a module of tests depends on."""
        module = _dotted(path.removesuffix(".py"))
        above = {_dotted(f"{parent}") for parent in PurePosixPath(path).parents}
        conftests = {f"{package}.conftest" for package in above} & self.graph.modules
        modules = {module, *conftests}.union(
            *(self.graph.find_upstream_modules(each) for each in (module, *conftests))
        )
        if PACKS_ALL in modules:
            modules |= self.graph.find_descendants("companion")
        modules |= {package for each in modules for package in _packages(each)}
        used = set[str]().union(*(self._named(each) for each in modules))
        used |= {f"{folder}/" for folder, users in FOLDERS.items() if modules.intersection(users)}
        others = self._games - used - {FIRST_GAME}
        users = modules | used | {""}
        return {
            path
            for path, owner in self._owners.items()
            if owner in users and others.isdisjoint(path.split("/"))
        }

    def stamp(self, path: str) -> str:
        """Return the hash of all that a module of tests depends on."""
        lines = [f"{each} {self.files[each]}" for each in sorted(self.paths(path))]
        return sha256("\n".join([*self.machine, *lines]).encode()).hexdigest()


def _dotted(path: str) -> str:
    return path.replace("/", ".")


@cache
def _packages(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


class Stamps:
    """A plugin that leaves modules out, and notes which pass; in a worker it only leaves out."""

    def __init__(self, config: pytest.Config, now: Dependencies | None) -> None:
        self._now = now
        self._before: dict[str, str] = config.cache.get(KEY, {}) if config.cache else {}
        self._slow: set[str] = set()
        self._failed: set[str] = set()
        self.unchanged: list[str] = []
        """The modules whose slow tests are left out."""
        if now is None:
            self.unchanged = config.workerinput["unchanged"]  # type: ignore[attr-defined]
        elif config.option.stamps == "use":
            there = self._before.keys() & now.files.keys()
            self.unchanged = sorted(path for path in there if self._before[path] == now.stamp(path))
        self._paths = {ROOT / path for path in self.unchanged}

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Let all workers leave out the same."""
        node.workerinput["unchanged"] = self.unchanged

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Do not even import a module of which every test is left out."""
        from tests.conftest import is_slow

        return (collection_path in self._paths and is_slow(collection_path)) or None

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave slow tests out; the folders of slow ones have marked them before."""
        unchanged = self._paths
        runs: dict[bool, list[pytest.Item]] = {True: [], False: []}
        for item in items:
            runs[item.path not in unchanged or not item.get_closest_marker("slow")].append(item)
        config.hook.pytest_deselected(items=runs[False])
        items[:] = runs[True]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the outcome of a step of a test; what was skipped has not passed."""
        path = report.nodeid.split("::")[0]
        if "slow" in report.keywords:
            self._slow.add(path)
        if report.outcome != "passed":
            self._failed.add(path)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a module that cannot be collected."""
        if report.failed:
            self._failed.add(report.nodeid.split("::")[0])

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Keep the stamps of what has passed. A run that was broken off only takes those of what
        has failed, which over the same files may have passed before.
        """
        if not (self._now and session.config.cache):
            return
        ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
        if ended and not session.shouldfail:
            after = self.stamps(Dependencies(tracked_files()))
        else:
            after = {path: self._before[path] for path in self._before.keys() - self._failed}
        session.config.cache.set(KEY, after)

    def stamps(self, then: Dependencies) -> dict[str, str]:
        """Return the stamps after a run; what changed meanwhile gets none."""
        assert self._now
        after = {path: self._before[path] for path in {*self.unchanged} - self._failed}
        for path in self._slow - self._failed:
            if (stamp := self._now.stamp(path)) == then.stamp(path):
                after[path] = stamp
        return after

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was left out."""
        counts = Counter(path.split("/")[1].removesuffix(".py") for path in self.unchanged)
        folders = ", ".join(f"{folder} {count}" for folder, count in sorted(counts.items()))
        if counts:
            terminalreporter.write_line(
                f"LEFT OUT, for nothing that they depend on has changed: the slow tests of "
                f"{counts.total()} modules ({folders}). `make test FRESH=1` runs them.",
                yellow=True,
                bold=True,
            )


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let stamps be written without being used."""
    words = "leave out slow tests that passed over the same files, or only note which pass"
    parser.addoption("--stamps", choices=["use", "write"], default="use", help=words)


def pytest_configure(config: pytest.Config) -> None:
    """Use or write stamps in this run, which has to be of all tests."""
    in_worker = hasattr(config, "workerinput")
    selects = any(getattr(config.option, name, None) for name in OTHER_SELECTIONS)
    if not in_worker and (selects or config.args != config.getini("testpaths")):
        raise pytest.UsageError("stamps go with a run of all tests")
    now = None if in_worker else Dependencies(tracked_files())
    config.pluginmanager.register(Stamps(config, now), "stamps")
