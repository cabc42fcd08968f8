"""Static files as they travel."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.server.assets import COMMENT, INDENTATION, STYLE_COMMENT

STATIC = Path(__file__).parents[2] / "web/static"
MODULES = sorted(path for path in STATIC.glob("*.js") if not path.name.endswith(".min.js"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_modules_travel_without_comments(path: Path) -> None:
    """Of a module only whole lines of comments stay here, and none of them stands within a
    template.
    """
    source, travelled, last = path.read_bytes(), b"", 0
    for comment in COMMENT.finditer(source):
        travelled += source[last : comment.start()]
        last = comment.end()

        assert 0 == travelled.count(b"`") % 2, comment[0]
        assert [] == [
            line
            for line in comment[0].splitlines()
            if line.strip() and line.strip()[:1] not in (b"/", b"*")
        ]
    assert [] == [
        line for line in COMMENT.sub(b"", source).splitlines() if line.strip().startswith(b"//")
    ]


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_style_sheets_travel_without_comments(path: Path) -> None:
    """Of a style sheet only comments stay here, and none of them begins or ends within a string."""
    source = path.read_bytes()
    travelled = STYLE_COMMENT.sub(b"", source)

    assert b"/*" not in travelled and b"*/" not in travelled
    assert [] == re.findall(rb'"[^"\n]*(?:/\*|\*/)[^"\n]*"', travelled)
    assert source.count(b"{") == travelled.count(b"{")


@pytest.mark.parametrize("path", [*MODULES, *STATIC.glob("*.css")], ids=lambda path: path.name)
def test_indentation_does_not_travel(path: Path) -> None:
    """Only white space at the beginning of lines stays here, and lines stay lines."""
    source = path.read_bytes()

    travelled = INDENTATION.sub(b"", source)

    assert [line.lstrip() for line in source.splitlines() if line.strip()] == travelled.splitlines()
