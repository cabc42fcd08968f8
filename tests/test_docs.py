"""Check README.md, CONTRIBUTING.md, docs/ and the folders' READMEs: everything that they name
exists.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import click
import msgspec
import pytest

from companion.arena.match import Contest, play
from companion.cli import COMMANDS, main
from companion.config import ClubSettings, Settings
from companion.mqtt.status import Announcement, Player, TableStatus

CHECKOUT = Path(__file__).parent.parent
TRACKED = subprocess.run(
    ["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True
).stdout.splitlines()
FOLDERS = {f"{parent}" for path in TRACKED for parent in Path(path).parents} - {"."}
NAMES = {Path(path).name for path in TRACKED}
PAGES = [
    *("README.md", "CONTRIBUTING.md", "companion/README.md", "tests/README.md", "tools/README.md"),
    *(path for path in TRACKED if re.match(r"docs/(games/)?[\w-]+\.md", path)),
]
"""The pages that are held to everything below."""
LINKED = [*PAGES, *(path for path in TRACKED if path.endswith("/README.md") and path not in PAGES)]
"""The pages whose links are followed."""
TOP = "|".join(sorted({path.split("/")[0] for path in TRACKED if "/" in path}))
OTHERS = {"my_bot.py"}
"""File names that stand for a reader's own."""


def text_of(page: str) -> str:
    return (CHECKOUT / page).read_text(encoding="utf-8")


def prose(page: str) -> str:
    """Return a page without its blocks of code."""
    return re.sub(r"(?ms)^```.*?^```\n|^ {4}[^\n]*\n", "", text_of(page))


def quoted(page: str) -> list[str]:
    """Return the code of a page: between backticks, and the lines of its blocks."""
    text = text_of(page)
    blocks = re.findall(r"(?ms)^```\w*\n(.*?)^```", text)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(r"(?m)^ {4}(\S.*)$", text)
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(page))] + lines


def anchors(page: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub makes them."""
    heads = re.findall(r"(?m)^#+ (.*)$", prose(page))
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def links(page: str) -> Iterator[tuple[str, str]]:
    """Yield path and anchor of each link and picture that is in the repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if not re.match(r"\w+:", target):
            path, _, anchor = target.partition("#")
            full = (CHECKOUT / page).parent / path if path else CHECKOUT / page
            yield str(full.resolve().relative_to(CHECKOUT)), anchor


@cache
def commands() -> dict[str, click.Command]:
    """Return each command by the words that call it."""
    by_words: dict[str, click.Command] = {}

    def walk(words: str, command: click.Command) -> None:
        by_words[words] = command
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                if inner := command.get_command(context, name):
                    walk(f"{words} {name}", inner)

    walk("companion", main)
    return by_words


def options(command: click.Command) -> set[str]:
    """Return the options of a command."""
    names = [each for param in command.params for each in (*param.opts, *param.secondary_opts)]
    return {*names, "--help", "--version"}


@cache
def options_of_programs() -> set[str]:
    """Return the options of the programs for developers."""
    words = ["git", "grep", "-ohE", '"--[a-z][a-z-]*"', "--", "tests/*.py", "tools/*.py"]
    output = subprocess.run(words, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    return {option.strip('"') for option in output.splitlines()}


def calls(page: str) -> Iterator[tuple[click.Command, list[str]]]:
    """Yield each call of `companion` in a page's code: the command and the words that follow it."""
    for code in quoted(page):
        match = re.search(r"(?:^|[ /=])companion ([a-z].*)", code)
        if match:
            words = shlex.split(match[1], comments=True)
            name = f"companion {words.pop(0)}"
            if words and f"{name} {words[0]}" in commands():
                name = f"{name} {words.pop(0)}"
            assert name in commands(), f"{page}: {code}"
            yield commands()[name], words


def test_links_lead_somewhere() -> None:
    """Each link within the repository names a tracked file or folder, and a heading in it."""
    targets = [(page, *target) for page in LINKED for target in links(page)]

    assert 100 < len(targets)
    for page, path, anchor in targets:
        assert path in TRACKED or path in FOLDERS, f"{page} links to {path}"
        assert not anchor or anchor in anchors(path), f"{page} links to {path}#{anchor}"


@pytest.mark.parametrize("page", PAGES)
def test_named_files_exist(page: str) -> None:
    """Each path from a top folder, each module and each source file is in the repository."""
    for code in quoted(page):
        for path in re.findall(rf"(?<![\w/.~-])(?:{TOP})/(?!ID/)[\w./-]*\w", code):
            assert path in TRACKED or path in FOLDERS or "node_modules" in path, f"{page}: {path}"
        for module in re.findall(
            r"(?<![\w/])(?:tests|tools|companion|hardware|web)(?:\.\w+)+", code
        ):
            path = module.replace(".", "/")
            candidates = {f"{path}.py", f"{path}/__main__.py", path, f"{path}/__init__.py"}
            assert candidates & {*TRACKED, *FOLDERS}, f"{page}: {module}"
        for name in re.findall(r"[\w.-]+\.(?:py|m?js|css)\b", code):
            assert name in NAMES | OTHERS, f"{page}: {name}"


def test_make_targets_exist() -> None:
    """Each `make TARGET` is a target of the Makefile."""
    targets = set(re.findall(r"(?m)^([a-z][\w-]*):", text_of("Makefile")))
    named = [
        (page, target)
        for page in PAGES
        for code in quoted(page)
        for target in re.findall(r"(?:^|\s)make ([a-z][\w-]*)", code)
    ]

    assert 30 < len(named)
    assert [] == [(page, target) for page, target in named if target not in targets]


def test_commands_and_options_exist() -> None:
    """Each call of `companion` has a command that exists and options of this command; an option
    alone belongs to a command or to a program for developers.
    """
    called = [(page, *call) for page in PAGES for call in calls(page)]
    every = set().union(*map(options, commands().values())) | options_of_programs()
    alone = [
        (page, re.split(r"[ =]", code)[0])
        for page in PAGES
        for code in quoted(page)
        if re.match(r"--\w", code)
    ]

    assert 60 < len(called)
    for page, command, words in called:
        used = {word.split("=")[0] for word in words if word.startswith("--")}
        assert used <= options(command), f"{page}: {command.name}"
    assert 20 < len(alone)
    assert [] == [(page, option) for page, option in alone if option not in every]


def test_every_command_has_its_row() -> None:
    """docs/play.md lists each command of `companion`."""
    listed = text_of("docs/play.md").partition("## Commands")[2]
    listed = " ".join(re.findall(r"`([^`]+)`", listed))

    assert [] == [name for name in COMMANDS if name not in listed.split()]


def test_every_package_has_its_row() -> None:
    """docs/architecture.md lists each package of the program."""
    packages = {path.split("/")[1] for path in TRACKED if re.match(r"companion/\w+/", path)}
    table = text_of("docs/architecture.md").partition("## Packages")[2].partition("\n## ")[0]
    heads = " ".join(re.findall(r"(?m)^\| (`.*?) \|", table))

    assert packages == set(re.findall(r"`(\w+)`", heads))


def test_pages_of_the_readme() -> None:
    """The README links to every page of docs/."""
    assert {page for page in PAGES if page.startswith("docs/")} <= {
        path for path, _ in links("README.md")
    }


def test_no_sentence_stands_twice() -> None:
    """No sentence of eight words or more stands in two places, the reasons of rulings excepted."""
    counts: Counter[str] = Counter()
    for page in (page for page in PAGES if not page.startswith("docs/games/")):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", prose(page))
        for part in re.split(r"\n\n|\n[-|#>]|\|", text):
            for sentence in re.split(r"(?<=[.!?:;])\s+", " ".join(part.split())):
                if len(sentence.split()) >= 8:
                    counts[sentence.strip("*- ")] += 1
    assert [] == [sentence for sentence, times in counts.items() if times > 1]


def test_one_box_lists_what_was_never_tried() -> None:
    """Untested things are in the README's box and on no other page."""
    untried = re.compile(
        r"\b(?:never|not yet|not been|nobody has|no real|no native|no human)\s+(?:\w+\s+)?"
        r"(?:tried|tested|run|ran|seen|heard|built|checked|phone|Pi|board|speaker|ear)\b"
    )
    assert [] == [page for page in PAGES if page != "README.md" and untried.search(prose(page))]
    assert 1 == text_of("README.md").count("Not tested yet")


def settings(kind: type[msgspec.Struct], before: str = "") -> dict[str, Any]:
    """Return each key of table.toml, such as `port` or `wifi.name`, with its default."""
    defaults: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        value = field.default_factory() if field.default is msgspec.NODEFAULT else field.default
        if isinstance(value, msgspec.Struct):
            defaults |= settings(type(value), f"{field.name}.")
        else:
            defaults[before + field.name] = list(value) if isinstance(value, tuple) else value
    return defaults


def test_the_settings_are_complete() -> None:
    """docs/settings.md has each key of table.toml with its default."""
    documented: dict[str, Any] = {}
    for keys, defaults in re.findall(r"(?m)^\| (`.*?) \| (`.*?) \|", text_of("docs/settings.md")):
        section, *names = re.findall(r"`([^`]+)`", keys)
        if not section.startswith("["):
            section, names = "", [section, *names]
        values = re.findall(r"`([^`]+)`", defaults)
        for name, value in zip(names, values, strict=True):
            documented[f"{section.strip('[]')}.{name}".lstrip(".")] = tomllib.loads(f"x = {value}")[
                "x"
            ]
    assert settings(Settings) == documented


def test_the_page_of_the_club_is_complete() -> None:
    """docs/club.md has each key of [club], and each field of a message of a table's state."""
    rows = re.findall(r"(?m)^\| (`.*?) \| (.*) \|$", text_of("docs/club.md"))
    documented = {name for keys, _ in rows for name in re.findall(r"`(\w+)`", keys)}
    inner = {name for _, meaning in rows for name in re.findall(r"`(\w+)`", meaning)}

    assert set(ClubSettings.__struct_fields__) | set(TableStatus.__struct_fields__) == documented
    assert {*Player.__struct_fields__, *Announcement.__struct_fields__} <= inner


def test_the_smallest_bot_plays() -> None:
    """The bot that docs/protocol.md shows plays a game by the rules."""
    (code,) = re.findall(r"(?ms)^```python\n(.*?)^```", text_of("docs/protocol.md"))
    bot = f"program:{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    result = play(Contest("vampireradar", 2, {"humans": bot, "vampire": "greedy"}, 4, 5.0)).result

    assert " " not in result.reason


def test_json_and_toml_can_be_read() -> None:
    """Each block of JSON lines or TOML is valid."""
    blocks = [
        block
        for page in PAGES
        for block in re.findall(r"(?ms)^```(json|toml)\n(.*?)^```", text_of(page))
    ]

    assert 5 < len(blocks)
    for kind, block in blocks:
        for each in block.splitlines() if kind == "json" else [block]:
            assert json.loads(each) if kind == "json" else tomllib.loads(each)


@cache
def sources() -> dict[str, set[str]]:
    """Return the modules of companion/ by what each makes by a class or an assignment."""
    made = re.compile(r"^ *class (\w+)|^(\w+) =", re.MULTILINE)
    found: dict[str, set[str]] = {}
    for path in (CHECKOUT / "companion").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        for one, other in made.findall(source):
            found.setdefault(one or other, set()).add(source)
    return found


@cache
def members(name: str) -> set[str] | None:
    """Return the names within the classes of this name in companion/, none of what is made by an
    assignment, None if there is neither.
    """
    modules = [ast.parse(source) for source in sources().get(name, ())]
    inner: set[str] = set()
    for node in (node for module in modules for node in ast.walk(module)):
        if isinstance(node, ast.ClassDef) and node.name == name:
            for each in ast.walk(node):
                match each:
                    case ast.FunctionDef(name=found):
                        inner.add(found)
                    case ast.AnnAssign(target=ast.Name(id=found)) | ast.Attribute(attr=found):
                        inner.add(found)
    return inner if modules else None


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/new-game.md", "docs/new-sensor.md"])
def test_classes_exist(page: str) -> None:
    """Each class that a developer's page names is in companion/, with the named method."""
    for code in quoted(page):
        match = re.fullmatch(r"([A-Z][a-z]\w*)(?:\.(\w+))?(?:\(.*\))?", code)
        if match:
            defined = members(match[1])
            assert defined is not None, f"{page}: {code}"
            assert not match[2] or match[2] in defined, f"{page}: {code}"
