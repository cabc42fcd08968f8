"""The line of each value of a TOML text is known, and a text that cannot be read is refused."""

from __future__ import annotations

import pytest

from companion.core.content import Path
from companion.core.toml import TomlRefused, parse_toml


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ("a = 1\nb = 2\n", ("b",), 2),
        ("[s]\na = 1\n[t]\na = 2\n", ("t",), 3),
        ("[s]\na = 1\n[t]\na = 2\n", ("t", "a"), 4),
        ("t.a = 2\n", ("t", "a"), 1),
        ("\nt = {a = 2, b = {c = [\n1]}}\n", ("t", "b", "c"), 2),
        ("t = {a = [\n1,\n2]}\n", ("t", "a", 1), 3),
        ('[t]\n"a" = 2\n', ("t", "a"), 2),
        ('[ "x.y" . z ]\n"q\\u0041" = 2\n', ("x.y", "z", "qA"), 2),
        (
            "[[t]]\na = 1\n[[t.u]]\nb = 1\n[[t]]\n[[t.u]]\n[[t.u]]\nb = 2\n",
            ("t", 1, "u", 1, "b"),
            8,
        ),
        ("[[t]]\n[[t]]\n", ("t", 1), 2),
        ('a = """\nb = 1\n"""\nb = 2\n', ("b",), 4),
        ("a = '''\nb = 1'''''\nb = 2\n", ("b",), 3),
        ("a = [ # ]\n[1, 2.5], # c\n\n1979-05-27 07:32:00, []]\nb = 1\n", ("a", 2), 4),
        ("a = [ # ]\n[1, 2.5], # c\n\n1979-05-27 07:32:00, []]\nb = 1\n", ("b",), 5),
        ("a = [1] # the only one\r\nb = 1.5\r\nc = 1\r\n", ("c",), 3),
        ("a = [1,\n]\n", ("a", 0), 1),
        ("[t]\na = 1\n", ("t", "b"), 1),
        ("# b = 2\n", ("b",), 1),
        ("", ("b",), 1),
    ],
)
def test_the_line_of_a_value(text: str, path: Path, line: int) -> None:
    """The line of a value is found in tables, dotted keys, inline tables and lists, not in comments
    or texts; a value that is not there has the line of the innermost part that is.
    """
    _, lines = parse_toml(text.encode())

    assert line == lines.line_of(path)


@pytest.mark.parametrize(
    ("data", "line", "code"),
    [
        (b"a = 1\nb =\n", 2, "content.not_toml"),
        (b"a = 'x", 1, "content.not_toml"),
        (b"a = 1\n\xff", 2, "content.no_text"),
        (b"a = 1\n" + b"b." * 9 + b"b = 1", 2, "content.long_key"),
        (b"a = " + b"[" * 60 + b"]" * 60, None, "content.too_deep"),
        (b"a = " + b"9" * 60_000, None, "content.big_number"),
    ],
)
def test_a_text_that_cannot_be_read(data: bytes, line: int | None, code: str) -> None:
    """A text that is no TOML, or whose reading would take long, is refused with its line."""
    with pytest.raises(TomlRefused) as refused:
        parse_toml(data)

    assert (line, code) == (refused.value.line, refused.value.message.code)
