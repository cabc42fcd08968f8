"""Load and check a content file: return a `Content`, or all its errors."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec import Struct, inspect

from companion.config import Language
from companion.core.content import (
    BOX,
    CONTENT_FORMAT,
    SAMPLE,
    TRANSLATABLE,
    Content,
    ContentError,
    field_name,
    ids_of,
    unknown_name_error,
)
from companion.core.content import Path as Place
from companion.core.game import Game, GameError, Message
from companion.core.shape import MAX_ERRORS, shape_errors, unfit_values
from companion.core.text import is_printable, shorten
from companion.core.toml import TomlLines, TomlRefused, parse_toml
from companion.platforms import READ_FLAGS

MAX_CONTENT_BYTES = 1_000_000
"""Bytes; a larger file is refused unread."""
PLACEHOLDER_HEADER = {"format": CONTENT_FORMAT, "title": "?", "language": "?", "sample": True}
"""Values for invalid header fields while the rest of a file is checked."""


class ContentFinding(Struct, frozen=True):
    """An error or warning of a file: its line (None: the whole file), field and message."""

    line: int | None
    field: str
    message: Message


class LoadedContent(Struct, frozen=True):
    """The result of reading a file.

    `content` is set only without errors; `game` as soon as the file names one.
    """

    name: str
    game: Game | None = None
    content: Content | None = None
    errors: tuple[ContentFinding, ...] = ()
    warnings: tuple[ContentFinding, ...] = ()

    @property
    def is_board(self) -> bool:
        """Whether the file holds the board alone."""
        declared = self.game.content if self.game else None
        return (
            declared is not None
            and self.content is not None
            and not isinstance(self.content, declared.shape)
        )


class ContentRefused(GameError, ValueError):
    """Error raised when a content file cannot be used; `reading` has all its errors."""

    code = "invalid_content"

    def __init__(self, reading: LoadedContent) -> None:
        super().__init__("content.refused", where=shorten(reading.name), n=len(reading.errors))
        self.reading = reading
        self.details = tuple(describe_findings(reading, reading.errors))


def load_file(path: Path, games: Sequence[Game]) -> LoadedContent:
    """Return the content of the file at `path`, or its errors; raise OSError."""
    return load_bytes(path.name, _bytes_of(path), games)


def _bytes_of(path: Path) -> bytes:
    """Return the first `MAX_CONTENT_BYTES` + 1 bytes of a file.

    Raises OSError, also for a pipe or a device: reading one could block.
    """
    if is_printable(str(path)):
        with open(os.open(path, READ_FLAGS), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(MAX_CONTENT_BYTES + 1)
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def load_bytes(
    name: str, data: bytes, games: Sequence[Game], most: int = MAX_CONTENT_BYTES
) -> LoadedContent:
    """Return the content of a file's bytes, at most `most`, or up to `MAX_ERRORS` errors."""
    if len(data) > most:
        return _refused(name, None, Message("content.too_big", {"most": most}))
    try:
        values, lines = parse_toml(data)
    except TomlRefused as wrong:
        return _refused(name, wrong.line, wrong.message)
    return _load_values(name, values, lines, [game for game in games if game.content])


def add_content(games: Sequence[Game], paths: Iterable[Path]) -> tuple[Game, ...]:
    """Return the games, each with the contents of its files, by file name.

    Raises `ContentRefused` for the first file that cannot be used.
    """
    contents: dict[str, dict[str, Content]] = {}
    for path in paths:
        try:
            reading = load_file(path, games)
        except OSError as wrong:
            reading = _refused(
                path.name, None, Message("content.unreadable", {"why": str(wrong.strerror)})
            )
        if reading.content is None or reading.game is None:
            raise ContentRefused(reading)
        if reading.is_board:
            raise ContentRefused(_refused(path.name, None, Message("content.only_board")))
        known = contents.setdefault(reading.game.name, {})
        if path.name in (*known, SAMPLE, BOX):
            raise ContentRefused(_refused(path.name, None, Message("content.name_taken")))
        known[path.name] = reading.content
    return tuple(
        game.with_content(contents[game.name]) if game.name in contents else game for game in games
    )


def _load_values(
    name: str, values: dict[str, Any], lines: TomlLines, games: Sequence[Game]
) -> LoadedContent:
    game = next((game for game in games if game.name == values.get("game")), None)
    if game is None or game.content is None:
        return LoadedContent(
            name, errors=(_finding(lines, _unknown_game(values, [game.name for game in games])),)
        )
    if unfit := list(islice(unfit_values(values), MAX_ERRORS)):
        return LoadedContent(name, game, errors=tuple(_finding(lines, fault) for fault in unfit))
    written = values.get("format")
    if isinstance(written, int) and written > CONTENT_FORMAT:
        facts = {"found": written, "known": CONTENT_FORMAT}
        newer = ContentError(("format",), "content.newer", facts)
        return LoadedContent(name, game, errors=(_finding(lines, newer),))
    form = game.content.format_for(values)
    kind = inspect.type_info(form.shape)
    wrong = list(islice(shape_errors(kind, values), MAX_ERRORS))
    content, indices = _without_broken(form.shape, values, wrong)
    if content is not None:
        wrong += [
            _to_file_path(fault, indices)
            for fault in islice(form.faults(content, ids_of(values)), MAX_ERRORS)
            if _is_certain(fault, values, indices)
        ]
        wrong += islice(translation_errors(kind, values), MAX_ERRORS)
    if wrong or content is None:
        findings = sorted(
            (_finding(lines, fault) for fault in wrong), key=lambda finding: finding.line or 0
        )
        return LoadedContent(name, game, errors=tuple(findings))
    unusual = [*form.warnings(content), *translation_warnings(kind, values)]
    warnings = tuple(_finding(lines, fault) for fault in unusual)
    return LoadedContent(name, game, content, warnings=warnings)


def _unknown_game(values: dict[str, Any], known: list[str]) -> ContentError:
    if "game" not in values:
        return ContentError(("game",), "content.missing", {"key": "game"})
    name = values["game"]
    facts = {"found": shorten(name), "allowed": ", ".join(known)}
    return unknown_name_error(
        ("game",),
        "content.which_game",
        facts,
        name if isinstance(name, str) else "",
        known,
    )


SoundEntries = Mapping[str, Sequence[int]]
"""Indices in the file of each list's sound entries."""


def _without_broken(
    shape: type[Content], values: dict[str, Any], wrong: Sequence[ContentError]
) -> tuple[Content | None, SoundEntries]:
    """Return a file's valid part, so that the rest can still be checked.

    Omits broken entries of lists and unknown keys. None if something outside of lists is broken.
    """
    broken: set[Place] = {
        fault.path[:2] for fault in wrong if not fault.code.startswith("content.unknown")
    }
    indices = {
        table: [index for index in range(len(entries)) if (table, index) not in broken]
        for table, entries in values.items()
        if isinstance(entries, list)
    }
    rest = {
        key: [value[index] for index in indices[key]] if key in indices else value
        for key, value in values.items()
    }
    rest |= {key: value for key, value in PLACEHOLDER_HEADER.items() if (key,) in broken}
    if any(place[0] == "translations" for place in broken):
        del rest["translations"]
    unexpected = [
        _to_sound_path(fault.path, indices)
        for fault in wrong
        if fault.code.startswith("content.unknown")
    ]
    pruned = msgspec.json.decode(
        msgspec.json.encode(_without_paths(rest, [place for place in unexpected if place]))
    )
    try:
        return msgspec.convert(pruned, shape), indices
    except msgspec.ValidationError:
        return None, indices


def _without_paths(values: Any, unexpected: Sequence[Place], path: Place = ()) -> Any:
    if isinstance(values, dict):
        return {
            key: _without_paths(value, unexpected, (*path, key))
            for key, value in values.items()
            if (*path, key) not in unexpected
        }
    if isinstance(values, list):
        return [
            _without_paths(value, unexpected, (*path, index)) for index, value in enumerate(values)
        ]
    return values


def _is_certain(fault: ContentError, values: Mapping[str, Any], indices: SoundEntries) -> bool:
    """Return whether an error of the sound entries is the file's; of a list only if none is left
    out.
    """
    match fault.path:
        case (str(table),) if table in indices:
            return len(indices[table]) == len(values[table])
    return True


def _to_file_path(fault: ContentError, indices: SoundEntries) -> ContentError:
    """Return an error of the sound entries with its path in the file."""
    match fault.path:
        case (str(table), int(index), *rest) if table in indices:
            return fault._replace(path=(table, indices[table][index], *rest))
    return fault


def _to_sound_path(place: Place, indices: SoundEntries) -> Place | None:
    """Return the path among the sound entries of a path in the file, None if left out."""
    match place:
        case (str(table), int(index), *rest) if table in indices:
            return (table, indices[table].index(index), *rest) if index in indices[table] else None
    return place


def _finding(lines: TomlLines, fault: ContentError) -> ContentFinding:
    return ContentFinding(
        lines.line_of(fault.path), field_name(fault.path), Message(fault.code, dict(fault.params))
    )


def _refused(name: str, line: int | None, message: Message) -> LoadedContent:
    return LoadedContent(name, errors=(ContentFinding(line, "", message),))


def describe_findings(
    reading: LoadedContent, findings: Iterable[ContentFinding]
) -> Iterator[tuple[str, Message]]:
    """Yield findings as a prefix ("deck.toml:14: card[3].borders: ") and a message."""
    for finding in findings:
        place = reading.name if finding.line is None else f"{reading.name}:{finding.line}"
        yield f"{place}: {finding.field}: " if finding.field else f"{place}: ", finding.message


LANGUAGES: tuple[str, ...] = get_args(Language)


def visible_texts(kind: inspect.Type, value: Any, path: Place = ()) -> Iterator[tuple[Place, str]]:
    """Yield the texts in `value` that people read, with their paths; skip invalid parts."""
    match kind, value:
        case inspect.Metadata(extra=more), str() if more == TRANSLATABLE:
            if value.strip():
                yield path, value
        case inspect.StructType(fields=fields), dict():
            for field in fields:
                if field.encode_name in value:
                    yield from visible_texts(
                        field.type, value[field.encode_name], (*path, field.encode_name)
                    )
        case inspect.UnionType(types=kinds), dict():
            for one in kinds:
                if isinstance(one, inspect.StructType) and value.get(str(one.tag_field)) == one.tag:
                    yield from visible_texts(one, value, path)
        case inspect.VarTupleType(item_type=item), list():
            for index, element in enumerate(value):
                yield from visible_texts(item, element, (*path, index))


def translation_errors(kind: inspect.Type, values: Mapping[str, Any]) -> Iterator[ContentError]:
    """Yield errors for unused translations: of texts not in the file, or in an unknown language."""
    words = {text for _, text in visible_texts(kind, dict(values))}
    for language, table in _tables(values):
        path: Place = ("translations", language)
        if language == values.get("language"):
            yield ContentError(path, "content.own_language", {"language": language})
        elif language not in LANGUAGES:
            params = {"found": shorten(language), "allowed": ", ".join(LANGUAGES)}
            yield unknown_name_error(path, "content.choice", params, language, LANGUAGES)
        for text in table:
            if text not in words:
                params = {"found": shorten(text)}
                yield unknown_name_error((*path, text), "content.no_words", params, text, words)


def translation_warnings(kind: inspect.Type, values: Mapping[str, Any]) -> Iterator[ContentError]:
    """Yield the texts that a language does not translate, each once."""
    first: dict[str, Place] = {}
    for path, text in visible_texts(kind, dict(values)):
        first.setdefault(text, path)
    for language, table in _tables(values):
        for text, path in first.items():
            if text not in table:
                yield ContentError(
                    path, "content.untranslated", {"language": language, "found": shorten(text)}
                )


def _tables(values: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    translations = values.get("translations", {})
    for language, table in translations.items() if isinstance(translations, dict) else ():
        if isinstance(table, dict):
            yield language, table
