"""A public name means one thing in the package, and in the browser code."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import companion
from companion.i18n import web_root

PACKAGE = Path(companion.__path__[0])


EXPORT = re.compile(r"^export (?:async )?(?:const|let|class|function)\*? (\w+)", re.MULTILINE)


def public_names(source: str) -> Iterator[str]:
    """Yield the public classes, functions, constants and types that a module defines at its top
    level.
    """
    for node in ast.parse(source).body:
        names: list[str] = []
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        yield from (name for name in names if not name.startswith("_"))


def places(root: Path, pattern: str, names: Callable[[str], Iterable[str]]) -> dict[str, list[str]]:
    """Return where each name is defined below `root`, outside the games."""
    defined: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob(pattern)):
        place = path.relative_to(root).as_posix()
        if not place.startswith("games/") and "vendor" not in path.parts:
            for name in names(path.read_text(encoding="utf-8")):
                defined[name].append(place)
    return defined


@pytest.mark.slow
def test_no_public_name_is_defined_twice() -> None:
    """Outside the games, whose modules are alike by intent, a reader who searches for a class, a
    function or a constant finds one.
    """
    defined = places(PACKAGE, "*.py", public_names)

    assert {} == {name: paths for name, paths in defined.items() if len(paths) > 1}
    assert len(defined) > 1000


def test_no_name_is_exported_twice() -> None:
    """Outside the games each name that a module of the pages exports is exported once."""
    defined = places(web_root(), "*.js", EXPORT.findall)

    assert {} == {name: paths for name, paths in defined.items() if len(paths) > 1}
    assert len(defined) > 200


def test_what_counts_as_a_public_name() -> None:
    """A class, a function, a constant and a type at the top level count; a private one and a method
    do not.
    """
    source = (
        "class Log:\n    def add(self): ...\ndef read(): ...\ndef _hidden(): ...\n"
        "LIMIT: int = 3\nWords = str\n_own = 1\n"
    )

    assert ["Log", "read", "LIMIT", "Words"] == list(public_names(source))
