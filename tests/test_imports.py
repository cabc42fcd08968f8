"""Who may import whom: the rooms of the house have doors in one direction only.

`core` is known to all and knows nobody; games know `core`; windows (server, panel) know what is
public. A module that reaches further is named with its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import companion

PACKAGE = Path(companion.__path__[0])

WINDOW_FRAMES = (
    "server.assets",
    "server.headers",
    "server.network",
    "server.pages",
    "server.patience",
    "server.serve",
)
"""What the wall, which shows many tables, has in common with the server of one: no table and no
secret is in it.
"""

DOORS: Mapping[str, frozenset[str]] = {
    "core": frozenset(),
    "games": frozenset({"core"}),
    "table": frozenset({"core", "clock", "locks"}),
    "board": frozenset({"core", "clock", "durable", "children", "locks"}),
    "bots": frozenset({"core", "games", "children", "locks"}),
    "arena": frozenset({"core", "games", "bots"}),
    "hindsight": frozenset({"core", "games", "bots", "table.replay", "table.errors"}),
    "kit": frozenset({"core", "games"}),
    "sim": frozenset({"core", "board", "clock", "locks"}),
    "server": frozenset(
        {"core", "table", "board", "clock", "config", "durable", "locks", "sentences"}
    ),
    "panel": frozenset({"core", "table.streams", "clock", "config"}),
    "club": frozenset(
        {
            "core",
            "table.streams",
            "clock",
            "config",
            "durable",
            "locks",
            "sentences",
            *WINDOW_FRAMES,
        }
    ),
    "clock": frozenset({"locks"}),
    "locks": frozenset(),
    "content": frozenset({"core", "games", "config", "durable", "sentences"}),
    "config": frozenset({"core"}),
    "durable": frozenset(),
    "children": frozenset(),
    "sentences": frozenset({"core"}),
}
"""What a room may import beside itself.

What stands here nowhere (app, cli, doctor …) wires and may import all.
"""

PURE = ("core", "games")
# fmt: off
IMPURE = frozenset({
    "asyncio", "datetime", "flask", "http", "io", "logging", "multiprocessing", "nacl", "os",
    "pathlib", "queue", "random", "secrets", "select", "selectors", "serial", "shutil", "signal",
    "socket", "socketserver", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading",
    "time", "urllib", "uuid", "waitress",
})
# fmt: on
"""Modules with time, chance, files, threads or the world in them: none of them in a pure room."""

STATELESS = ("server", "panel", "board", "club", "bots")
"""Rooms that may not even name the class that holds every secret."""

UNKNOWING = (
    "games/vampireradar/hints.py",
    "games/vampireradar/bots/belief.py",
    "games/vampireradar/bots/opponent_models.py",
    "games/vampireradar/bots/humans.py",
    "games/vampireradar/bots/posterior.py",
    "games/vampireradar/bots/evaluate.py",
    "games/vampireradar/bots/position.py",
    "games/vampireradar/bots/bitboard.py",
)
"""What a human bot is made of: it may not even name what the vampire alone knows."""

SECRETS = frozenset(
    {
        "State",
        "Vampire",
        "VampireEvent",
        "VampireHid",
        "VampireMoved",
        "VampireStruck",
        "VampireFed",
        "PrivateEvent",
        "*",
    }
)
SECRET_ROOMS = (
    "companion.games.vampireradar.bots.vampires",
    "companion.core.view",
    "companion.core.codec",
)

NAMELESS = ("core", "table", "board", "server", "panel", "content")
"""Rooms that know games only by the protocol, never by name."""

KEEPERS: Mapping[str, tuple[str, ...]] = {
    "time": ("clock.py", "machine.py", "arena/"),
    "secrets": ("app.py", "cli.py", "installer/commands.py"),
    "random": ("app.py", "cli.py", "bots/", "arena/", "referee.py", "sim/"),
    "RPi": ("panel/gpio.py",),
    "sqlite3": ("table/",),
    "serial": ("board/", "sim/"),
    "flask": ("server/", "sim/", "mqtt/dashboard.py", "app.py"),
    "PIL": ("board/",),
    "zxingcpp": ("sensors/vision/zxing_reader.py",),
    "resource": ("sensors/vision/sandbox.py", "server/http/descriptors.py", "memory.py"),
    "cv2": ("sensors/vision/aruco.py",),
    "paho": ("mqtt/client.py",),
    "reportlab": ("kit/",),
    "pkgutil": ("games/vampireradar/tiles.py", "core/content.py"),
    "tree_sitter": ("content/toml_lines.py",),
    "tree_sitter_toml": ("content/toml_lines.py",),
}
"""Modules that enter the house through few doors, and the files that keep those doors."""


class Import:
    """One module that a file imports, or one name out of it, with its line."""

    def __init__(self, module: str, name: str | None, line: int) -> None:
        self.module, self.name, self.line = module, name, line

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def paths(self) -> tuple[str, ...]:
        """What may be meant: the module, and the module that the name may be."""
        return (self.module,) if self.name is None else (self.module, f"{self.module}.{self.name}")


def imports(tree: ast.Module) -> Iterator[Import]:
    """Yield every import of a file, also those inside functions and by `import_module("...")`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, None, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from (Import(module, alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in ("import_module", "__import__"):
            yield from (
                Import(str(arg.value), None, node.lineno)
                for arg in node.args[:1]
                if isinstance(arg, ast.Constant)
            )


def called(call: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def violations(path: str, source: str) -> list[str]:
    """Return what a file, by its path inside the package, imports or names that it may not."""
    tree, room = ast.parse(source), path.partition("/")[0].removesuffix(".py")
    found = [f"{path}:{one.line} {why}" for one in imports(tree) for why in faults(path, room, one)]
    if room in PURE:
        found += [f"{path}:{node.lineno} opens a file" for node in opened(tree)]
    if room in STATELESS:
        found += [f"{path}:{node.lineno} reaches State through a module" for node in reached(tree)]
    if room in NAMELESS:
        found += [
            f"{path} names the game {name}" for name in game_names() if name in source.lower()
        ]
    if path in UNKNOWING:
        found += [
            f"{path}:{node.lineno} names the secret {name}" for node, name in secrets_named(tree)
        ]
    return found


def secrets_named(tree: ast.Module) -> Iterator[tuple[ast.stmt, str]]:
    """Yield where a file imports a name, or a module of the house, that only the vampire's side may
    know.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for alias in node.names:
                whole = f"{module}.{alias.name}"
                if alias.name in SECRETS or any(whole.startswith(room) for room in SECRET_ROOMS):
                    yield node, whole


def faults(path: str, room: str, one: Import) -> Iterator[str]:
    """Yield what is wrong with one import of a file."""
    if one.module.startswith("."):
        yield "imports relatively, so that its direction cannot be read"
    if one.top == "companion" and room in DOORS and not passable(path, room, one):
        yield f"{room} may not import {one.paths[-1]}"
    pure_random = one.module == "random" and one.name == "Random"
    if room in PURE and one.top in IMPURE and not pure_random:
        yield f"{room} is pure and may not import {one.module}"
    if room in STATELESS and one.module.startswith("companion.core") and one.name in ("State", "*"):
        yield f"{room} may not name {one.module}.{one.name}"
    if one.top in KEEPERS and not path.startswith(KEEPERS[one.top]) and not pure_random:
        yield f"{one.top} may be imported only in {', '.join(KEEPERS[one.top])}"


def passable(path: str, room: str, one: Import) -> bool:
    """Return whether a room may import this; a game may import no other game."""
    own = f"games.{path.split('/')[1]}" if room == "games" and path.count("/") > 1 else room
    doors = {f"companion.{door}" for door in (DOORS[room] | {own})} | {"companion"}
    return any(
        target == door or target.startswith(f"{door}.")
        for target in one.paths
        for door in doors - {"companion"}
    )


def opened(tree: ast.Module) -> list[ast.Call]:
    """Return the calls of the built-in `open`."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "open"]


def reached(tree: ast.Module) -> list[ast.Attribute]:
    """Return the places where something named State is taken out of a module or an object."""
    return [
        node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "State"
    ]


def game_names() -> list[str]:
    """Return the names of the games, which are the folders of the room `games`."""
    return sorted(
        folder.name
        for folder in (PACKAGE / "games").iterdir()
        if folder.is_dir() and folder.name[0] != "_"
    )


FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES)
def test_doors(path: str) -> None:
    """A file imports only what its room may know."""
    assert [] == violations(path, (PACKAGE / path).read_text(encoding="utf-8"))


def test_there_are_files_to_look_at() -> None:
    """The walk sees the house: each room that has a rule and exists has files in the walk."""
    rooms = {path.partition("/")[0].removesuffix(".py") for path in FILES}

    assert {
        "core",
        "games",
        "table",
        "board",
        "server",
        "panel",
        "clock",
        "config",
        "sentences",
        "bots",
        "arena",
    } <= rooms
    assert set(UNKNOWING) <= set(FILES)
    assert "vampireradar" in game_names()


@pytest.mark.parametrize(
    ("path", "source", "fault"),
    [
        ("core/game.py", "import time", "is pure"),
        ("core/game.py", "import os.path", "is pure"),
        ("core/game.py", "from random import choice", "is pure"),
        ("core/game.py", "import random", "is pure"),
        ("core/game.py", "def f():\n    import sqlite3", "is pure"),
        ("core/game.py", "import importlib\nimportlib.import_module('socket')", "is pure"),
        ("core/game.py", "open('x')", "opens a file"),
        ("core/game.py", "from companion.table import table", "may not import"),
        ("core/game.py", "from companion import table", "may not import"),
        ("core/game.py", "from ..table import table", "relatively"),
        ("core/game.py", "import companion", "may not import"),
        ("games/vampireradar/rules.py", "import secrets", "is pure"),
        ("games/vampireradar/rules.py", "import threading", "is pure"),
        (
            "games/vampireradar/rules.py",
            "from companion.games.nosferatu.model import Cell",
            "may not import",
        ),
        ("games/vampireradar/rules.py", "from companion.games import nosferatu", "may not import"),
        ("games/vampireradar/rules.py", "from companion.clock import Clock", "may not import"),
        ("table/table.py", "from companion.games.vampireradar import GAME", "may not import"),
        ("table/table.py", "NAME = 'VampireRadar'", "names the game"),
        ("table/table.py", "import time", "only in clock.py"),
        ("table/table.py", "import secrets", "only in app.py"),
        ("table/table.py", "from companion.server.app import create_app", "may not import"),
        ("sensors/reader.py", "from companion.core.game import State", "may not name"),
        ("sensors/reader.py", "from companion.table.table import Table", "may not import"),
        ("server/app.py", "from companion.core.game import Game, State", "may not name"),
        ("server/app.py", "from companion.core import game\ngame.State", "reaches State"),
        ("server/app.py", "from companion.core.game import *", "may not name"),
        ("server/app.py", "from companion.games import GAMES", "may not import"),
        ("server/app.py", "from companion.bots.human import Human", "may not import"),
        ("panel/panel.py", "from companion.core.game import State", "may not name"),
        ("panel/panel.py", "from companion.table.table import Table", "may not import"),
        ("panel/panel.py", "from companion.table import log", "may not import"),
        ("panel/panel.py", "import RPi.GPIO", "only in panel/gpio.py"),
        ("server/app.py", "from RPi import GPIO", "only in panel/gpio.py"),
        (
            "cli.py",
            "import importlib\nimportlib.import_module('RPi.GPIO')",
            "only in panel/gpio.py",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.table.table import Table",
            "may not import",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.arena.match import play",
            "may not import",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.core.game import State",
            "may not name",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.games.vampireradar.model import Vampire",
            "names the secret",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.games.vampireradar.model import *",
            "names the secret",
        ),
        (
            "games/vampireradar/bots/belief.py",
            "from companion.games.vampireradar.model import VampireMoved",
            "names the secret",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.games.vampireradar.bots.vampires import GreedyVampire",
            "names the secret",
        ),
        (
            "games/vampireradar/bots/humans.py",
            "from companion.bots import vampires",
            "names the secret",
        ),
    ],
)
def test_a_planted_violation_is_caught(path: str, source: str, fault: str) -> None:
    """Each kind of forbidden import or name, planted in a file, is found."""
    found = violations(path, source)

    assert found and any(fault in one for one in found), found


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "core/game.py",
            "from random import Random\nfrom companion.core.placement import Placement\nimport "
            "msgspec",
        ),
        ("games/__init__.py", "from companion.games.vampireradar.rules import VampireRader"),
        (
            "games/vampireradar/rules.py",
            "from companion.games.vampireradar.model import X\nfrom random import Random",
        ),
        (
            "table/table.py",
            "from companion.core.game import State\nfrom companion.clock import Clock\nimport "
            "sqlite3",
        ),
        (
            "server/app.py",
            "from companion.table.table import Table\nfrom companion.core.game import Seat",
        ),
        (
            "panel/panel.py",
            "from companion.table.broadcast import Update\nfrom companion.table import streams",
        ),
        (
            "app.py",
            "from companion.games import GAMES\nimport secrets\nfrom companion.core.game import "
            "State",
        ),
        ("sensors/reader.py", "state = picture.state\n'State'"),
    ],
)
def test_what_is_allowed_passes(path: str, source: str) -> None:
    """What the design allows is not called a violation."""
    assert [] == violations(path, source)
