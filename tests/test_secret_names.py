"""Names that code outside the vampire's side may not use.

`lint-imports` holds which module imports which; this test holds names inside a module that may be
imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion

PACKAGE = Path(companion.__path__[0])
STATELESS = ("bots", "mqtt", "panel", "sensors", "server")
"""Packages that may not name the class that holds every secret."""
RULES = ("core", "games")
"""Packages that may open no file."""
UNKNOWING = tuple(
    f"games/vampireradar/{name}.py"
    for name in (
        "suggestions",
        "bots/belief",
        "bots/bitboard",
        "bots/evaluate",
        "bots/humans",
        "bots/position",
        "bots/posterior",
        "bots/turn_search",
    )
)
"""The parts of a human bot, which may not name what the vampire alone knows."""
SECRETS = frozenset(
    [
        "State",
        "Vampire",
        "VampireEvent",
        "VampireHid",
        "VampireMoved",
        "VampireStruck",
        "VampireFed",
        "PrivateEvent",
        "*",
    ]
)
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))


def named(path: str, source: str) -> Iterator[str]:
    """Yield the names in a file that may not stand there; `path` is relative to the package."""
    package = path.partition("/")[0]
    if not any(word in source for word in (*SECRETS - {"*"}, "import *", "open")):
        return
    nodes = list(ast.walk(ast.parse(source)))
    imported = [
        alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("companion")
        for alias in node.names
    ]
    if package in STATELESS:
        attributes = [node.attr for node in nodes if isinstance(node, ast.Attribute)]
        yield from (name for name in (*imported, *attributes) if name in ("State", "*"))
    if path in UNKNOWING:
        yield from (name for name in imported if name in SECRETS)
    if package in RULES:
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        yield from (each.id for each in called if isinstance(each, ast.Name) and each.id == "open")


def test_names() -> None:
    """No file names a secret that its package may not know, and rules open no file."""
    assert [] == [
        (path, name)
        for path in FILES
        for name in named(path, (PACKAGE / path).read_text(encoding="utf-8"))
    ]


def test_the_lists_name_files() -> None:
    """Each list names packages and files that exist."""
    assert set(UNKNOWING) <= set(FILES)
    assert all((PACKAGE / package / "__init__.py").exists() for package in STATELESS)


@pytest.mark.parametrize(
    ("path", "source", "name"),
    [
        ("sensors/reader.py", "from companion.core.game import State", "State"),
        ("server/app.py", "from companion.core.game import Game, State", "State"),
        ("server/app.py", "from companion.core import game\ngame.State", "State"),
        ("server/app.py", "from companion.core.game import *", "*"),
        ("panel/panel.py", "from companion.core.game import State", "State"),
        (UNKNOWING[4], "from companion.games.vampireradar.state import Vampire", "Vampire"),
        (UNKNOWING[4], "from companion.games.vampireradar.state import *", "*"),
        ("games/vampireradar/rules.py", "open('x')", "open"),
    ],
)
def test_a_planted_name_is_found(path: str, source: str, name: str) -> None:
    """Each way of naming what a file may not name is found."""
    assert [name] == list(named(path, source))
