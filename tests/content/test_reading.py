"""A content file is read whole: all its errors are named at once, by line and field."""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.content.loader import (
    MAX_CONTENT_BYTES,
    ContentRefused,
    add_content,
    load_bytes,
)
from companion.core.content import MOST_COMPARED, unknown_name_error
from companion.core.shape import MAX_ERRORS
from companion.i18n import languages, read_catalogue
from tests.content.orchard import GAMES, HEAD, Garden, Orchard


def wrong(text: str) -> list[tuple[int | None, str, str]]:
    """Return the errors of a file: line, field and code."""
    return [
        (finding.line, finding.field, finding.message.code)
        for finding in load_bytes("garden.toml", text.encode(), GAMES).errors
    ]


GOOD = HEAD + (
    'tree = [\n  { id = "a", name = "A", kind = "pear" },\n'
    '  { id = "b", name = "B", kind = "apple", near = ["a"] },\n]\n'
)


def test_a_sound_file_becomes_its_content() -> None:
    """A sound file gives the declared content; an unusual value is a warning with its line."""
    reading = load_bytes("garden.toml", GOOD.encode(), GAMES)

    assert () == reading.errors
    assert isinstance(reading.content, Garden)
    assert ("a",) == reading.content.tree[1].near
    assert [(6, "tree", "content.too_few")] == [
        (finding.line, finding.field, finding.message.code) for finding in reading.warnings
    ]


@pytest.mark.parametrize(
    ("tree", "field", "code"),
    [
        (
            '{ id = "c", name = "C", kind = "pear", colour = 1 }',
            "tree[1].colour",
            "content.unknown",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", hight = 1 }',
            "tree[1].hight",
            "content.unknown_close",
        ),
        ('{ id = "c", name = "C" }', "tree[1].kind", "content.missing"),
        ('{ id = "c", name = "C", kind = "plum" }', "tree[1].kind", "content.choice"),
        ('{ id = "c", name = "C", kind = "peer" }', "tree[1].kind", "content.choice_close"),
        (
            '{ id = "c", name = "C", kind = "pear", work = [{ do = "graff" }] }',
            "tree[1].work[1].do",
            "content.choice_close",
        ),
        ('{ id = "c", name = "C", kind = 3 }', "tree[1].kind", "content.choice"),
        ('{ id = "c", name = 7, kind = "pear" }', "tree[1].name", "content.text"),
        ('{ id = "c", name = 2026-01-01, kind = "pear" }', "tree[1].name", "content.text"),
        ('{ id = "c", name = " ", kind = "pear" }', "tree[1].name", "content.empty"),
        (
            '{ id = "c", name = "C", kind = "pear", height = 0 }',
            "tree[1].height",
            "content.at_least",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", height = 10 }',
            "tree[1].height",
            "content.at_most",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", height = 2.0 }',
            "tree[1].height",
            "content.number",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", height = true }',
            "tree[1].height",
            "content.number",
        ),
        ('{ id = "c", name = "C", kind = "pear", old = 1 }', "tree[1].old", "content.yes_no"),
        ('{ id = "c", name = "C", kind = "pear", near = "c" }', "tree[1].near", "content.list"),
        (
            '{ id = "c", name = "C", kind = "pear", near = ["c", "c", "c"] }',
            "tree[1].near",
            "content.too_many",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", near = ["x"] }',
            "tree[1].near[1]",
            "content.choice",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", work = [{ do = "burn" }] }',
            "tree[1].work[1].do",
            "content.choice",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", work = [{ count = 1 }] }',
            "tree[1].work[1].do",
            "content.missing",
        ),
        (
            '{ id = "c", name = "C", kind = "pear", work = [{ do = "prune" }] }',
            "tree[1].work[1].count",
            "content.missing",
        ),
        ('{ id = "c", name = "C", kind = "pear", work = [1] }', "tree[1].work[1]", "content.table"),
        ("3", "tree[1]", "content.table"),
    ],
)
def test_each_fault_is_named(tree: str, field: str, code: str) -> None:
    """An error in an entry is reported with the line of its field, and alone."""
    assert [(7, field, code)] == wrong(f"{HEAD}tree = [\n  {tree},\n]\n")


def test_a_refused_value_is_repeated_shortened() -> None:
    """The sentence repeats the wrong value, in one line of 40 letters at most, and the name that
    may be meant.
    """
    text = (
        f'{HEAD}tree = [{{ id = "c", name = "C", kind = "pear\\n{"r" * 60}", near = '
        f'"{"x" * 60}" }}]\nwather = 3\n'
    )
    params = {
        finding.field: finding.message.params
        for finding in load_bytes("garden.toml", text.encode(), GAMES).errors
    }

    assert "pear " + "r" * 34 + "…" == params["tree[1].kind"]["found"]
    assert "x" * 39 + "…" == params["tree[1].near"]["found"]
    assert "weather" == params["wather"]["closest"]


def test_all_faults_are_listed_at_once() -> None:
    """Unknown keys, wrong values and contradictions are found in one go, in the order of the
    lines.
    """
    head = HEAD.replace("true", '"yes"') + "seed = 1\n"
    text = head + (
        '[[tree]]\nid = "a"\nname = "A"\nkind = "pear"\nage = 3\nnear = ["nobody"]\n'
        '[[tree]]\nid = "b"\nname = ""\nkind = "pear"\n'
        '[[tree]]\nid = "c"\nname = "C"\nkind = "pear"\nnear = ["b"]\n[[tree.work]]\ndo = '
        '"prune"\ncount = 0\n'
        "[weather]\nrain = 1\nwind = 2\n"
    )

    assert [
        (5, "sample", "content.yes_no"),
        (6, "seed", "content.unknown"),
        (11, "tree[1].age", "content.unknown"),
        (12, "tree[1].near[1]", "content.choice"),
        (15, "tree[2].name", "content.empty"),
        (24, "tree[3].work[1].count", "content.at_least"),
        (27, "weather.wind", "content.unknown"),
    ] == wrong(text)


def test_what_hangs_together_is_looked_through_beside_broken_entries() -> None:
    """A reference to a broken entry is not reported, and places keep their numbers in the file."""
    text = HEAD + (
        '[[tree]]\nid = "b"\nname = ""\nkind = "pear"\n'
        '[[tree]]\nid = "c"\nname = "C"\nkind = "pear"\nnear = ["b", "nobody"]\nage = 1\n'
        '[[tree]]\nid = "c"\nname = "C"\nkind = "pear"\n'
    )

    assert [
        (8, "tree[1].name", "content.empty"),
        (14, "tree[2].near[2]", "content.choice"),
        (15, "tree[2].age", "content.unknown"),
        (17, "tree[3].id", "content.twice"),
    ] == wrong(text)


@pytest.mark.parametrize(
    ("data", "line", "code"),
    [
        (HEAD.encode() + b"tree = [\n", 6, "content.not_toml"),
        (b'format = 1\ntitle = "x\n', 2, "content.not_toml"),
        (b'format = 1\r\ntitle = "\xff"\r\n', 2, "content.no_text"),
        (b"#" * (MAX_CONTENT_BYTES + 1), None, "content.too_big"),
        (b"#" * MAX_CONTENT_BYTES, 1, "content.missing"),
        (b"a = " + b"[" * 5000, None, "content.too_deep"),
        (b'format = 1\ngame = "chess"\n', 2, "content.which_game"),
        (b"format = 1\ngame = [1]\n", 2, "content.which_game"),
        (b'format = 1\ngame = "orchart"\n', 2, "content.which_game_close"),
        (b"", 1, "content.missing"),
        (b"a = 1\n" + b"a." * 20_000 + b"a = 1\n", 2, "content.long_key"),
        (b"[" + b"a." * 20_000 + b"a]\n", 1, "content.long_key"),
        (b"a = 1\n" + b'"a" .' * 9 + b"a = 1\n", 2, "content.long_key"),
        (b"format = " + b"9" * 60_000, None, "content.big_number"),
        (b'game = "orchard"\nformat = 0x' + b"f" * 60_000, 2, "content.big_number"),
        (b'game = "orchard"\nformat = 2\nfruit = 7\n', 2, "content.newer"),
        (b'game = "orchard"\ntitle = "a\\u0000b"\n', 2, "content.bad_text"),
        (b'game = "orchard"\n"a\\u0000b" = 1\n', 1, "content.bad_text"),
        (b"a = " + b"[" * 60 + b"]" * 60, None, "content.too_deep"),
    ],
)
def test_what_is_no_content_file_gets_one_sentence(
    data: bytes, line: int | None, code: str
) -> None:
    """Damaged, foreign and endless files are refused with a line where there is one."""
    (error,) = load_bytes("garden.toml", data, GAMES).errors

    assert (line, code) == (error.line, error.message.code)


def test_dots_in_texts_and_comments_are_no_key() -> None:
    """Texts of each kind and comments may have dots and quotes as they like; only keys are
    counted.
    """
    dots = "a.b.c.d.e.f.g.h.i.j"
    texts = (
        f'"{dots} \\" # {dots}"',
        f"'{dots}'",
        f'"""\n{dots}\n""{dots}"""""',
        f"'''{dots}'{dots}'''",
    )
    for text in texts:
        assert [] == wrong(f"# it's {dots}\n{GOOD}".replace('"Ours"', f"{text}  # {dots}"))


LETTERS = "abcdefghijklmnopqrstuvwxyz"
LONG_FILES: dict[str, Callable[[int], str]] = {
    "quotes after backslashes": lambda size: '\\"""\n' * (size // 5) + "\\",
    "open texts": lambda size: '"""\\' * (size // 4),
    "open literal texts": lambda size: "'''\n" * (size // 4),
    "quotes": lambda size: '"' * size,
    "parts of a key": lambda size: "a." * (size // 2) + "a = 1",
    "spaces in keys": lambda size: ("a" + " " * 50 + ".") * (size // 52),
    "lists in lists": lambda size: "a = " + "[" * size,
    "tables": lambda size: HEAD + "".join(f"[t{number}]\n" for number in range(size // 8)),
    "escapes": lambda size: 'a = """' + "\\\n" * (size // 2) + '"""',
    "a long game": lambda size: f'game = "{"orchard" * (size // 7)}"',
    "a long unknown language": lambda size: f"{HEAD}[translations.{LETTERS * (size // 26)}]\n",
}
"""Texts of about a given size that take long to read."""


def test_few_names_are_compared_with_an_unknown_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A near name is suggested from any number of names, of which few are compared letter by
    letter; a long name gets no suggestion.
    """
    counts: list[int] = []
    near = difflib.get_close_matches

    def count(name: str, names: list[str], n: int) -> list[str]:
        counts.append(len(names))
        return near(name, names, n)

    monkeypatch.setattr(difflib, "get_close_matches", count)
    known = [f"{letter}{LETTERS}{number}" for letter in LETTERS for number in range(100)]
    suggestions = [
        unknown_name_error((), "unknown", {}, name, [*known, "x" * 100]).params.get("closest")
        for name in (f"m{LETTERS}x7", f"?{LETTERS}42", "x" * 99)
    ]

    assert str(suggestions[0]).startswith(f"m{LETTERS}")
    assert str(suggestions[1]).endswith("42")
    assert suggestions[2] is None
    assert max(counts) <= MOST_COMPARED


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG_FILES)
def test_a_long_text_is_read_in_linear_time(kind: str) -> None:
    """Eight times the text takes some eight times as long, whatever a phone sends; it would be 64
    times as long if the time were quadratic.
    """
    part, whole = (LONG_FILES[kind](size).encode() for size in (6_000, 48_000))

    def seconds(data: bytes) -> float:
        start = time.process_time()
        load_bytes("garden.toml", data, GAMES)
        return time.process_time() - start

    rounds = [(seconds(part), seconds(whole)) for _ in range(3)]
    of_part, of_whole = map(min, zip(*rounds, strict=True))

    assert of_whole < max(24 * of_part, 0.1), rounds


def test_a_file_of_many_faults_lists_the_first() -> None:
    """The work on a file is bounded: at most `MAX_ERRORS` errors are reported."""
    many = "".join(f"key{number} = 1\n" for number in range(MAX_ERRORS + 50))

    assert MAX_ERRORS == len(wrong(HEAD + many))


def test_a_pipe_is_no_content_file(tmp_path: Path) -> None:
    """A file whose opening could block, or whose name no system accepts, is refused like a missing
    one.
    """
    os.mkfifo(tmp_path / "deck.toml")
    for path in (tmp_path / "deck.toml", tmp_path / "a\0b"):
        with pytest.raises(ContentRefused):
            add_content(GAMES, [path])


def test_files_of_windows_have_the_same_lines() -> None:
    """A byte order mark and line ends of two characters change neither lines nor meaning."""
    text = ("\ufeff" + GOOD.replace('kind = "pear"', "kind = 1")).replace("\n", "\r\n")

    assert [(7, "tree[1].kind", "content.choice")] == wrong(text)


def test_a_game_is_supplied_with_the_files_of_a_household(tmp_path: Path) -> None:
    """A game gets its own contents, under the names of their files; the game itself does not
    change.
    """
    (tmp_path / "garden.toml").write_text(GOOD)
    other, orchard = add_content(GAMES, [tmp_path / "garden.toml"])

    assert ("sample", "garden.toml", "box") == orchard.content_names
    assert () == other.content_names
    assert ("sample", "box") == Orchard().content_names


@pytest.mark.parametrize("file_name", ["garden.toml", "missing.toml"])
def test_a_file_that_cannot_be_used_is_refused(tmp_path: Path, file_name: str) -> None:
    """Two files of one name, or a missing one, are refused with their name."""
    (tmp_path / "garden.toml").write_text(GOOD)
    with pytest.raises(ContentRefused) as refused:
        add_content(GAMES, [tmp_path / "garden.toml", tmp_path / file_name])

    assert file_name == refused.value.reading.name


def test_every_code_of_the_reader_has_a_sentence() -> None:
    """Each message of the reader is in each language."""
    rooms = Path(__file__).parents[2] / "companion"
    sources = "".join(
        path.read_text() for room in ("content", "core") for path in (rooms / room).glob("*.py")
    )
    codes = {piece.split('"')[0] for piece in sources.split('"content.')[1:]}
    for language in languages():
        described = {
            key.removesuffix(".one").removesuffix(".other") for key in read_catalogue(language)
        }

        assert set() == {f"content.{code}" for code in codes} - described
