"""Find the line of each key in a TOML text; parsers that return values lose it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from companion.core.content import Path

_TOML = Language(tree_sitter_toml.language())
_KEYS = ("bare_key", "quoted_key", "dotted_key")


class TomlLines:
    """The lines, from 1, of every key, table and list element in a valid TOML text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[Path, int] = {}
        self._counts: dict[Path, int] = {}
        for node in Parser(_TOML).parse(text.encode()).root_node.named_children:
            self._top(node)

    def line_of(self, path: Path) -> int:
        """Return the line of `path`, or of the innermost part of the path in the text."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def _top(self, node: Node) -> None:
        if node.type == "pair":
            self._pair((), node)
        elif node.type in ("table", "table_array_element"):
            section = self._section(_key(node), is_element=node.type == "table_array_element")
            self._mark(section, node)
            for child in node.named_children:
                if child.type == "pair":
                    self._pair(section, child)

    def _section(self, key: tuple[str, ...], *, is_element: bool) -> Path:
        """Return the path of a header: a list of tables in it means the list's last element."""
        path: Path = ()
        for name in key[:-1]:
            path = (*path, name)
            if path in self._counts:
                path = (*path, self._counts[path] - 1)
        path = (*path, key[-1])
        if not is_element:
            return path
        self._counts[path] = self._counts.get(path, 0) + 1
        return (*path, self._counts[path] - 1)

    def _pair(self, section: Path, node: Node) -> None:
        path = section
        for name in _key(node):
            path = (*path, name)
            self._mark(path, node)
        self._value(path, node.named_children[-1])

    def _value(self, path: Path, node: Node) -> None:
        if node.type == "array":
            for index, element in enumerate(
                child for child in node.named_children if child.type != "comment"
            ):
                self._mark((*path, index), element)
                self._value((*path, index), element)
        elif node.type == "inline_table":
            for child in node.named_children:
                self._pair(path, child)

    def _mark(self, path: Path, node: Node) -> None:
        self._lines.setdefault(path, node.start_point[0] + 1)


def _key(node: Node) -> tuple[str, ...]:
    return tuple(_names(next(child for child in node.named_children if child.type in _KEYS)))


def _names(key: Node) -> Iterator[str]:
    if key.type == "dotted_key":
        for part in key.named_children:
            yield from _names(part)
    else:
        written = key.text.decode() if key.text else ""
        yield written if key.type == "bare_key" else next(iter(tomllib.loads(f"{written} = 0")))
