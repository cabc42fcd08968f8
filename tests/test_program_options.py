"""The programs among the tests read the options that they declare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent


def undeclared(source: str) -> Iterator[str]:
    """Yield each attribute of parsed arguments for which the source declares no option."""
    nodes = list(ast.walk(ast.parse(source)))
    declared = {
        option.value.lstrip("-").replace("-", "_")
        for node in nodes
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".add_argument")
        for option in (
            *node.args,
            *(keyword.value for keyword in node.keywords if keyword.arg == "dest"),
        )
        if isinstance(option, ast.Constant) and isinstance(option.value, str)
    }
    parsed = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and ast.unparse(node.value).endswith(".parse_args()")
    }
    for node in nodes:
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in parsed
            and node.attr not in declared
        ):
            yield node.attr


@pytest.mark.slow
def test_each_option_that_a_program_reads_is_declared() -> None:
    """argparse answers for an unknown name only at run time, and mypy not at all."""
    wrong = {
        str(path.relative_to(PROGRAMS)): names
        for path in PROGRAMS.rglob("*.py")
        if ".parse_args()" in (source := path.read_text(encoding="utf-8"))
        and (names := list(undeclared(source)))
    }

    assert {} == wrong


def test_an_undeclared_option_is_found() -> None:
    """An option that was renamed in one place only is found."""
    source = 'parser.add_argument("--an-hour")\nargs = parser.parse_args()\nprint(args.{})'

    assert ([], ["a_day"]) == (
        list(undeclared(source.format("an_hour"))),
        list(undeclared(source.format("a_day"))),
    )
