"""A public name means one thing in the package."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import companion

PACKAGE = Path(companion.__path__[0])


def public_names(source: str) -> Iterator[str]:
    """Yield the public classes and functions that a module defines at its top level."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name


def test_no_public_name_is_defined_twice() -> None:
    """Outside the games, whose modules are alike by intent, a reader who searches for a class or a
    function finds one.
    """
    defined: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if not place.startswith("games/"):
            for name in public_names(path.read_text(encoding="utf-8")):
                defined[name].append(place)

    assert {} == {name: places for name, places in defined.items() if len(places) > 1}
    assert len(defined) > 500


def test_what_counts_as_a_public_name() -> None:
    """A class and a function at the top level count; a private one and a method do not."""
    assert ["Log", "read"] == list(
        public_names("class Log:\n    def add(self): ...\ndef read(): ...\ndef _hidden(): ...\n")
    )
