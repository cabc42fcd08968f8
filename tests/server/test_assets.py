"""Static files as they are served."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from flask import Flask

from companion.games import GAMES
from companion.server.assets import COMMENT, LAYOUT, PUBLIC, STYLE_COMMENT, STYLE_SPACE, Assets
from companion.server.routes.pages import preload_imports

WEB = Path(__file__).parents[2] / "web"
FILES = sorted(path for pattern in PUBLIC for path in WEB.glob(pattern))
VENDORED = sorted(path for path in (WEB / "core/vendor").rglob("*.js"))
MODULES = [path for path in FILES if path.suffix == ".js" and path not in VENDORED]
STYLES = [path for path in FILES if path.suffix == ".css"]


def test_modules_travel_without_comments() -> None:
    """Only whole lines of comments are removed from a module, and none within a template."""
    comments = 0
    for path in MODULES:
        source, travelled, last = path.read_bytes(), b"", 0
        for comment in COMMENT.finditer(source):
            comments += 1
            travelled += source[last : comment.start()]
            last = comment.end()

            assert 0 == travelled.count(b"`") % 2, (path, comment[0])
            assert [] == [
                line
                for line in comment[0].splitlines()
                if line.strip() and line.strip()[:1] not in (b"/", b"*")
            ], path
        assert [] == [
            line for line in COMMENT.sub(b"", source).splitlines() if line.strip().startswith(b"//")
        ], path
    assert 1000 < comments


def test_vendored_modules_travel_as_published() -> None:
    """A module of another project is served byte for byte, its licence's comments too."""
    assets = Assets(WEB, *PUBLIC)
    assert VENDORED
    for path in VENDORED:
        with Flask(__name__).test_request_context():
            sent = assets.answer(path.relative_to(WEB).as_posix()).data

        assert path.read_bytes() == sent, path


def test_style_sheets_travel_without_comments() -> None:
    """Only comments are removed from a style sheet, and none that begins or ends within a
    string.
    """
    removed = 0
    for path in STYLES:
        source = path.read_bytes()
        travelled = STYLE_COMMENT.sub(b"", source)
        removed += len(source) - len(travelled)

        assert b"/*" not in travelled and b"*/" not in travelled, path
        assert [] == re.findall(rb'"[^"\n]*(?:/\*|\*/)[^"\n]*"', travelled), path
        assert source.count(b"{") == travelled.count(b"{"), path
    assert 1000 < removed


def test_layout_does_not_travel() -> None:
    """Only white space is removed, and only at line breaks: strings keep theirs."""
    removed = 0
    for path in (*MODULES, *STYLES):
        source = COMMENT.sub(b"", path.read_bytes())
        travelled = LAYOUT.sub(b"", source)
        removed += len(source) - len(travelled)
        lines = b"".join(line.strip() for line in source.splitlines())

        assert b"".join(source.split()) == b"".join(travelled.split()), path
        assert lines == travelled.replace(b"\n", b""), path
    assert 1000 < removed


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_a_game_has_the_sheets_that_screens_ask_for(game: str) -> None:
    """Every game has style sheets for all screens, for the display and for the replay."""
    names = {path.name for path in (WEB / "games" / game).glob("*.css")}

    assert set() == {"style.css", "table.css", "replay.css"} - names


def test_a_style_sheet_travels_with_what_it_imports() -> None:
    """One request gets the rules of a style sheet and of the one that it imports."""
    path = WEB / "games/vwars/style.css"
    with Flask(__name__).test_request_context():
        sent = Assets(WEB, *PUBLIC).answer(path.relative_to(WEB).as_posix()).get_data()

    assert b"@import" in path.read_bytes()
    assert b"@import" not in sent
    assert b".playing-card{" in sent


def test_style_sheets_travel_without_spaces() -> None:
    """From a style sheet's rules only white space is removed, and the semicolon before a block's
    end.
    """
    removed = 0
    for path in STYLES:
        source = LAYOUT.sub(b"", STYLE_COMMENT.sub(b"", path.read_bytes()))
        travelled = STYLE_SPACE.sub(b"", source)
        removed += len(source) - len(travelled)
        last_semicolons = len(re.findall(rb";\s*\}", source))

        assert b"".join(source.replace(b";", b"").split()) == b"".join(
            travelled.replace(b";", b"").split()
        ), path
        assert source.count(b";") - last_semicolons == travelled.count(b";"), path
    assert 1000 < removed


DEPENDENCIES = """
const { readFileSync } = require("node:fs");
const { SourceTextModule } = require("node:vm");
const specifiers = (path) =>
  new SourceTextModule(readFileSync(path, "utf8")).dependencySpecifiers;
console.log(JSON.stringify(process.argv.slice(1).map(specifiers)));
"""


@pytest.mark.slow
def test_imports_are_found() -> None:
    """The modules that a page asks for at once are what each module imports, as Node reads it;
    also after the modules were sent.
    """
    assets = Assets(WEB, *PUBLIC)
    program = ["node", "--no-warnings", "--experimental-vm-modules", "-e", DEPENDENCIES, "--"]
    output = subprocess.check_output([*program, *map(str, MODULES)])

    direct = {
        path.relative_to(WEB).as_posix(): [
            (path.parent / specifier).resolve().relative_to(WEB).as_posix()
            for specifier in specifiers
            if specifier.startswith(".")  # not the alias of a saved replay
        ]
        for path, specifiers in zip(MODULES, json.loads(output), strict=True)
    }

    def reached(name: str) -> set[str]:
        found, queue = {name}, [name]
        for module in queue:
            new = [each for each in direct.get(module, []) if each not in found]
            found.update(new)
            queue.extend(new)
        return found - {name}

    def found() -> dict[str, set[str]]:
        return {name: set(assets.imports(name)) for name in direct}

    expected = {name: reached(name) for name in direct}
    assert expected == found()
    with Flask(__name__).test_request_context():
        for name in direct:
            assets.answer(name)
    assert expected == found()


def test_imports_on_demand_are_left_out(tmp_path: Path) -> None:
    """A module is named once, and neither the entry nor what is imported on demand is."""
    modules = {
        "entry.js": 'import {\n  a,\n} from "./a.js";\nconst later = () => import("./later.js");\n',
        "a.js": 'export { b } from "./sub/b.js";\nimport * as all from "./c.js";\n',
        "c.js": 'import("./later.js");\n',
        "sub/b.js": 'import "../a.js";\nimport "../entry.js";\nexport const b = "./no.js";\n',
        "later.js": "",
    }
    for name, source in modules.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(source)

    assert ["a.js", "sub/b.js", "c.js"] == Assets(tmp_path, "**/*").imports("entry.js")


def test_modules_of_a_template_are_named_in_it(tmp_path: Path) -> None:
    """What modules named in a page's <template> import is fetched with them, not at once; what the
    page has already is not named again.
    """
    modules = {
        "main.js": 'import "./core.js";\n',
        "game.js": 'import "./core.js";\nimport "./map.js";\n',
    }
    for name in ("core.js", "map.js"):
        modules[name] = ""
    for name, source in modules.items():
        (tmp_path / name).write_text(source)
    game = '<link rel="modulepreload" href="/static/game.js">'
    page = '<script type="module" src="/static/main.js"></script><template>{}</template>{}</head>'

    core, map_ = (
        f'<link rel="modulepreload" href="/static/{name}.js">' for name in ("core", "map")
    )
    assert page.format(game + map_, core) == preload_imports(
        page.format(game, ""), Assets(tmp_path, "*")
    )
