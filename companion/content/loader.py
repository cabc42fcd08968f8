"""A content file from bytes to a `Content`, or to all that is wrong with it."""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, inspect

from companion.content import translations
from companion.content.toml_lines import Lines
from companion.content.validate import faults as faults_of_shape
from companion.core.content import BOX, SAMPLE, Content, ContentError, ids_of, misnamed
from companion.core.content import Path as Place
from companion.core.game import Game, GameError, Message
from companion.core.text import DEEPEST, depth, is_fit, shown

LARGEST = 1_000_000
"""Bytes; a larger file is refused unread."""
MOST_FAULTS = 100
"""The most faults of a file that are told."""
MOST_PARTS = 8
"""Names in a dotted key or header; a file needs three."""
WORDS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"{3,5}|\Z)'
    r"|'{3}.*?(?:'{3,5}|\Z)"
    r'|"(?:\\[^\n]|[^"\\\n])*"?'
    r"|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
"""Texts and comments of TOML, one that does not end up to where the parser gives up."""
LONG_KEY = re.compile(rf"(?<![\w\-.])(?:[\w-]+[ \t]*\.[ \t]*){{{MOST_PARTS}}}")
LARGEST_NUMBER = 2**63 - 1
"""The largest whole number that TOML knows; the smallest is one further from 0."""
ANY_HEAD = {"format": 1, "title": "?", "language": "?", "sample": True}
"""What stands for a broken head while the rest of a file is looked through."""
BARE = re.compile(r"[\w-]+", re.ASCII)
"""A key that needs no quotes."""
UNREADABLE = re.compile(r"(.*) \((?:at line (\d+), column (\d+)|at end of document)\)", re.DOTALL)


class Finding(Struct, frozen=True):
    """Something that was found in a file: its line (None for the whole file), its field, what is to
    be said of it.
    """

    line: int | None
    field: str
    said: Message


class Reading(Struct, frozen=True):
    """What a file came to.

    `content` is there only without errors; `game` as soon as the file names one.
    """

    name: str
    game: Game | None = None
    content: Content | None = None
    errors: tuple[Finding, ...] = ()
    warnings: tuple[Finding, ...] = ()

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
    """Error raised when a content file cannot be used; `reading` has all that is wrong with it."""

    code = "invalid_content"

    def __init__(self, reading: Reading) -> None:
        super().__init__("content.refused", where=shown(reading.name), n=len(reading.errors))
        self.reading = reading
        self.details = tuple(told(reading, reading.errors))


def read(path: Path, games: Sequence[Game]) -> Reading:
    """Return what the file at `path` is worth for the game that it names; raise OSError."""
    return judge(path.name, _bytes_of(path), games)


def _bytes_of(path: Path) -> bytes:
    """Return the first `LARGEST` + 1 bytes of a file; raise OSError, also for a pipe or a device,
    which could wait.
    """
    if is_fit(str(path)):
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(LARGEST + 1)
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))


def judge(name: str, data: bytes, games: Sequence[Game], most: int = LARGEST) -> Reading:
    """Return what the bytes of a file, at most `most`, are worth for the game that they name;
    everything wrong is found at once, up to `MOST_FAULTS`.
    """
    if len(data) > most:
        return _broken(name, None, Message("content.too_big", {"most": most}))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        return _broken(name, data[: wrong.start].count(b"\n") + 1, Message("content.no_text"))
    if long := LONG_KEY.search(WORDS.sub(_blanked, text)):
        return _broken(
            name,
            text[: long.start()].count("\n") + 1,
            Message("content.long_key", {"most": MOST_PARTS}),
        )
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        return _unreadable(name, text, str(wrong))
    except RecursionError:
        return _broken(name, None, Message("content.too_deep"))
    except ValueError:
        # More digits than Python reads.
        return _broken(name, None, Message("content.big_number"))
    if depth(values) > DEEPEST:
        return _broken(name, None, Message("content.too_deep"))
    return _weigh(
        name, values, Lines(text.replace("\r\n", "\n")), [game for game in games if game.content]
    )


def _blanked(found: re.Match[str]) -> str:
    """Return a text or a comment as one name that is as long, so that places stay as they are."""
    return re.sub(r"[^\n]", "_", found[0]) if found[0][0] != "#" else " " * len(found[0])


def supplied(games: Sequence[Game], paths: Iterable[Path]) -> tuple[Game, ...]:
    """Return the games, each with the contents of the files that are for it, under the files'
    names.

    Raises `ContentRefused` for the first file that cannot be used.
    """
    contents: dict[str, dict[str, Content]] = {}
    for path in paths:
        try:
            reading = read(path, games)
        except OSError as wrong:
            reading = _broken(
                path.name, None, Message("content.unreadable", {"why": str(wrong.strerror)})
            )
        if reading.content is None or reading.game is None:
            raise ContentRefused(reading)
        if reading.is_board:
            raise ContentRefused(_broken(path.name, None, Message("content.only_board")))
        known = contents.setdefault(reading.game.name, {})
        if path.name in (*known, SAMPLE, BOX):
            raise ContentRefused(_broken(path.name, None, Message("content.name_taken")))
        known[path.name] = reading.content
    return tuple(
        game.with_content(contents[game.name]) if game.name in contents else game for game in games
    )


def _weigh(name: str, values: dict[str, Any], lines: Lines, games: Sequence[Game]) -> Reading:
    game = next((game for game in games if game.name == values.get("game")), None)
    if game is None or game.content is None:
        return Reading(
            name, errors=(_finding(lines, _unknown_game(values, [game.name for game in games])),)
        )
    if unfit := list(islice(_unfit(values), MOST_FAULTS)):
        return Reading(name, game, errors=tuple(_finding(lines, fault) for fault in unfit))
    form = game.content.fitting(values)
    kind = inspect.type_info(form.shape)
    wrong = list(islice(faults_of_shape(kind, values), MOST_FAULTS))
    content, kept = _sound(form.shape, values, wrong)
    if content is not None:
        wrong += [
            _moved(fault, kept)
            for fault in islice(form.faults(content, ids_of(values)), MOST_FAULTS)
        ]
        wrong += islice(translations.faults(kind, values), MOST_FAULTS)
    if wrong or content is None:
        found = sorted(
            (_finding(lines, fault) for fault in wrong), key=lambda finding: finding.line or 0
        )
        return Reading(name, game, errors=tuple(found))
    unusual = [*form.doubts(content), *translations.doubts(kind, values)]
    doubts = tuple(_finding(lines, fault) for fault in unusual)
    return Reading(name, game, content, warnings=doubts)


def _unknown_game(values: dict[str, Any], known: list[str]) -> ContentError:
    if "game" not in values:
        return ContentError(("game",), "content.missing", {"key": "game"})
    found = values["game"]
    told = {"found": shown(found), "allowed": ", ".join(known)}
    return misnamed(
        ("game",), "content.which_game", told, found if isinstance(found, str) else "", known
    )


def _unfit(value: Any, path: Place = ()) -> Iterator[ContentError]:
    """Yield what TOML or a text may not hold: characters that cannot be shown, numbers beyond 64
    bits.
    """
    match value:
        case str() if not is_fit(value):
            yield ContentError(path, "content.bad_text")
        case int() if not -LARGEST_NUMBER - 1 <= value <= LARGEST_NUMBER:
            yield ContentError(path, "content.big_number")
        case dict():
            for key, each in value.items():
                if is_fit(key):
                    yield from _unfit(each, (*path, key))
                else:
                    yield ContentError(path, "content.bad_text")
        case list():
            for index, each in enumerate(value):
                yield from _unfit(each, (*path, index))


Kept = Mapping[str, Sequence[int]]
"""Where in the file the entries of each list stood that were kept."""


def _sound(
    shape: type[Content], values: dict[str, Any], wrong: Sequence[ContentError]
) -> tuple[Content | None, Kept]:
    """Return what is sound of a file, so that the rest can still be looked through: a broken entry
    of a list is left out, a key that nobody knows is only that. None where something broken stands
    outside of lists.
    """
    broken: set[Place] = {
        fault.path[:2] for fault in wrong if not fault.code.startswith("content.unknown")
    }
    kept = {
        table: [index for index in range(len(entries)) if (table, index) not in broken]
        for table, entries in values.items()
        if isinstance(entries, list)
    }
    rest = {
        key: [value[index] for index in kept[key]] if key in kept else value
        for key, value in values.items()
    }
    rest |= {key: value for key, value in ANY_HEAD.items() if (key,) in broken}
    if any(place[0] == "translations" for place in broken):
        del rest["translations"]
    strangers = [
        _moved_back(fault.path, kept) for fault in wrong if fault.code.startswith("content.unknown")
    ]
    pruned = msgspec.json.decode(
        msgspec.json.encode(_without(rest, [place for place in strangers if place]))
    )
    try:
        return msgspec.convert(pruned, shape), kept
    except msgspec.ValidationError:
        return None, kept


def _without(values: Any, strangers: Sequence[Place], path: Place = ()) -> Any:
    if isinstance(values, dict):
        return {
            key: _without(value, strangers, (*path, key))
            for key, value in values.items()
            if (*path, key) not in strangers
        }
    if isinstance(values, list):
        return [_without(value, strangers, (*path, index)) for index, value in enumerate(values)]
    return values


def _moved(fault: ContentError, kept: Kept) -> ContentError:
    """Return a fault of the kept entries with the place that its entry has in the file."""
    match fault.path:
        case (str(table), int(index), *rest) if table in kept:
            return fault._replace(path=(table, kept[table][index], *rest))
    return fault


def _moved_back(place: Place, kept: Kept) -> Place | None:
    """Return the place among the kept entries of a place in the file, None in an entry that was
    left out.
    """
    match place:
        case (str(table), int(index), *rest) if table in kept:
            return (table, kept[table].index(index), *rest) if index in kept[table] else None
    return place


def _finding(lines: Lines, fault: ContentError) -> Finding:
    return Finding(
        lines.of(fault.path), _field(fault.path), Message(fault.code, dict(fault.params))
    )


def _field(path: Place) -> str:
    """Return a place as people count, keys as the file has them: `card[3].borders` is a field of
    the third card.
    """
    return "".join(
        f"[{part + 1}]" if isinstance(part, int) else f".{_key(part)}" for part in path
    ).removeprefix(".")


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else f'"{name}"'


def _broken(name: str, line: int | None, said: Message) -> Reading:
    return Reading(name, errors=(Finding(line, "", said),))


def _unreadable(name: str, text: str, message: str) -> Reading:
    found = UNREADABLE.fullmatch(message)
    why = found[1] if found else message
    line = int(found[2]) if found and found[2] else len(text.splitlines())
    return _broken(name, line, Message("content.not_toml", {"why": why}))


def told(reading: Reading, findings: Iterable[Finding]) -> Iterator[tuple[str, Message]]:
    """Yield findings as what stands before their sentence ("deck.toml:14: card[3].borders: ") and
    what is said.
    """
    for finding in findings:
        place = reading.name if finding.line is None else f"{reading.name}:{finding.line}"
        yield f"{place}: {finding.field}: " if finding.field else f"{place}: ", finding.said
