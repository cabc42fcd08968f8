"""Read a TOML text: its values, and the line of each of them, which Python's own parser loses."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from companion.core.content import Path
from companion.core.game import Message
from companion.core.text import DEEPEST, depth

MAX_KEY_PARTS = 8
"""Names in a dotted key or header at most; a file needs three."""
TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\\?\Z)'
    r"|'{3}.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?'
    r"|'[^'\n]*'?|#[^\n]*"
    r"""|[][{}=,.\n]|[^][{}=,.\s"'#]+""",
    re.DOTALL,
)
"""Strings, comments, signs and words of TOML; an open string extends as far as the parser reads it.
Each alternative matches once it has begun: a second try from each quote would take quadratic time.
"""
SYNTAX_ERROR = re.compile(r"(.*) \((?:at line (\d+), column (\d+)|at end of document)\)", re.DOTALL)


class TomlRefused(ValueError):
    """Error raised for a text that cannot be read; `line` is None if that is the whole file."""

    def __init__(self, line: int | None, message: Message) -> None:
        super().__init__(message.code)
        self.line, self.message = line, message


def parse_toml(data: bytes) -> tuple[dict[str, Any], TomlLines]:
    """Return the values of a TOML file and their lines, in linear time; raise `TomlRefused`."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data[: wrong.start].count(b"\n") + 1
        raise TomlRefused(line, Message("content.no_text")) from wrong
    tokens = [*_tokens(text)]
    # The parser takes quadratic time for a long key.
    if (long_key := _line_of_long_key(tokens)) is not None:
        raise TomlRefused(long_key, Message("content.long_key", {"most": MAX_KEY_PARTS}))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        place = SYNTAX_ERROR.fullmatch(str(wrong))
        why = place[1] if place else str(wrong)
        line = int(place[2]) if place and place[2] else len(text.splitlines())
        raise TomlRefused(line, Message("content.not_toml", {"why": why})) from wrong
    except RecursionError as wrong:
        raise TomlRefused(None, Message("content.too_deep")) from wrong
    except ValueError as wrong:
        # Python refuses integers with too many digits.
        raise TomlRefused(None, Message("content.big_number")) from wrong
    if depth(values) > DEEPEST:
        raise TomlRefused(None, Message("content.too_deep"))
    return values, TomlLines(tokens)


class Token(NamedTuple):
    """A string, sign or word of a text, and its line; a line's end is a sign."""

    text: str
    line: int


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for match in TOKEN.finditer(text):
        token = match[0]
        if token[0] != "#":
            yield Token(token, line)
        line += token.count("\n")


def _line_of_long_key(tokens: list[Token]) -> int | None:
    """Return the line of the first key with too many names, None without one."""
    dots = 0
    for token, after in pairwise([*tokens, Token("\n", 0)]):
        if token.text == ".":
            dots += 1
            if dots == MAX_KEY_PARTS:
                return token.line
        elif after.text != ".":
            dots = 0
    return None


class TomlLines:
    """The lines, from 1, of every key, table and list element in the tokens of a valid text."""

    def __init__(self, tokens: list[Token]) -> None:
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        self._tokens = iter(tokens)
        section: Path = ()
        for token in self._tokens:
            if token.text == "[":
                section = self._header(token.line)
            elif token.text != "\n":
                self._pair(section, token)

    def line_of(self, path: Path) -> int:
        """Return the line of `path`, or of the innermost part of the path in the text."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _header(self, line: int) -> Path:
        """Read a header; return its path. A list of tables in it means the list's last element."""
        first = next(self._tokens)
        is_element = first.text == "["
        *above, last = self._key(next(self._tokens) if is_element else first, end="]")
        path: Path = ()
        for name in above:
            path = (*path, name)
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        path = (*path, last)
        if is_element:
            next(self._tokens)
            self._counts[path] = self._counts.get(path, 0) + 1
            path = (*path, self._counts[path] - 1)
        self._lines.setdefault(path, line)
        return path

    def _key(self, token: Token, end: str) -> list[str]:
        """Read a key up to the sign `end`; return its names."""
        names = []
        while token.text != end:
            if token.text[0] in "\"'":
                names.append(next(iter(tomllib.loads(f"{token.text} = 0"))))
            elif token.text != ".":
                names.append(token.text)
            token = next(self._tokens)
        return names

    def _pair(self, path: Path, first: Token) -> Token | None:
        """Read a key and its value; return what `_value` returns."""
        for name in self._key(first, end="="):
            path = (*path, name)
            self._lines.setdefault(path, first.line)
        return self._value(path, next(self._tokens))

    def _value(self, path: Path, first: Token) -> Token | None:
        """Read a value; return the sign after it, None after a list or table."""
        if first.text == "[":
            self._list(path)
            return None
        if first.text == "{":
            self._inline_table(path)
            return None
        # A number may have a dot in it, a date a space.
        return next((token for token in self._tokens if token.text in ",]}\n"), None)

    def _list(self, path: Path) -> None:
        index = 0
        for token in self._tokens:
            after: Token | None = token
            if token.text not in ",]\n":
                self._lines.setdefault((*path, index), token.line)
                after = self._value((*path, index), token)
                index += 1
            if after and after.text == "]":
                return

    def _inline_table(self, path: Path) -> None:
        for token in self._tokens:
            after = token if token.text in ",}\n" else self._pair(path, token)
            if after and after.text == "}":
                return
