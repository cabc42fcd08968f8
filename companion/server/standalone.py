"""Build single-file HTML pages: modules, styles and data in one document.

Such a page opens without a table and without a network.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.i18n import read_folders
from companion.server.assets import STYLE_IMPORT
from companion.table.errors import Refused

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|class|(?:async )?function)\s+(\w+))", re.MULTILINE)
UNSUPPORTED = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
RENAMED = re.compile(r"(\w+) as (\w+)")
FONT = re.compile(r'^addFont\("([^"]+)", "([^"]+)"(?:, \{ weight: "([^"]+)" \})?\);$', re.MULTILINE)
"""A font that `core/fonts.js` loads: its family, the name of its file, its weights."""
HANDOVER_STYLES = ("core/base.css", "core/light.css")
FACTS = ("view", "to_move", "seats")
"""The parts of the snapshot on the page; seal and head are of no use there."""
REPLAY_STYLES = ("style.css", "odds.css", "replay.css")
"""A game's style sheets that its replay applies; a game has the first and may have the others."""
LAST_STYLES = ("screens/replay/replay.css", "core/light.css")
"""The last style sheets; the light theme applies only if the browser, or somebody, chose it."""


def proof_page(record: str, root: Path) -> str:
    """Return the page that verifies a record (`companion export`); `root` has the web files."""
    page = (root / "proof" / "page.html").read_text(encoding="utf-8")
    texts = {
        "WORDS": json.dumps(
            read_folders(root / "i18n/proof", *sorted(root.glob("games/*/i18n/proof"))),
            ensure_ascii=False,
        ),
        "RECORD": record,
    }
    return fill_template(page, texts, "", bundle_script(root / "proof" / "page.js"))


def handover_page(
    snapshot: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], root: Path
) -> str:
    """Return the page with which a running game goes on without a table.

    root: the folder of the web files
    Raises `Refused` ("no_game") unless a game runs that can go on on paper.
    """
    game = root / "games" / snapshot["game"]
    saved = game / "paper/saved_handover.html"
    if snapshot["phase"] != "play" or not saved.exists():
        raise Refused("no_game")
    facts = {name: snapshot[name] for name in FACTS} | {"answers": list(answers)}
    texts = {
        "WORDS": json.dumps(
            read_folders(root / "i18n", root / "i18n/host", game / "i18n", game / "i18n/paper"),
            ensure_ascii=False,
        ),
        "FACTS": json.dumps(facts, ensure_ascii=False),
    }
    return fill_template(
        saved.read_text(encoding="utf-8"),
        texts,
        bundle_styles(
            root,
            *(root / path for path in HANDOVER_STYLES),
            game / "style.css",
            game / "paper/handover.css",
        ),
        bundle_script(game / "paper/saved_handover.js"),
    )


def replay_page(replay: dict[str, Any], record: str, root: Path) -> str:
    """Return the page of a replay with its record; `root` is the folder of the web files."""
    game = root / "games" / replay["game"]
    words = read_folders(root / "i18n", root / "i18n/replay", game / "i18n", game / "i18n/replay")
    texts = {
        "WORDS": json.dumps(words, ensure_ascii=False, separators=(",", ":")),
        "REPLAY": json.dumps(replay, ensure_ascii=False, separators=(",", ":")),
        "RECORD": record,
    }
    page = (root / "screens/replay/saved.html").read_text(encoding="utf-8")
    return fill_template(
        page,
        texts,
        bundle_fonts(root)
        + bundle_styles(
            root,
            root / "core/base.css",
            *(path for path in (game / name for name in REPLAY_STYLES) if path.exists()),
            *(root / path for path in LAST_STYLES),
        ),
        bundle_script(root / "screens/replay/saved.js", {"#replay": game / "replay.js"}),
    )


def bundle_script(entry: Path, aliases: Mapping[str, Path] | None = None) -> str:
    """Return a module and its imports as one script; each module keeps its own names.

    aliases: the files of imports that are not paths
    Raises ValueError for other imports and exports than `import { a, b as c } from "./file.js"`,
    `import "./file.js"` and `export const | let | class | function`.
    """
    names: dict[Path, str] = {}
    parts: list[str] = []
    _add_module(entry.resolve(), names, parts, aliases or {})
    return "\n".join(parts)


def fill_template(page: str, texts: Mapping[str, str], style: str, script: str) -> str:
    """Return a document with its `<!--NAME-->` data, its /*STYLE*/ and its /*SCRIPT*/ filled in."""
    parts = {f"<!--{name}-->": escape_json(text) for name, text in texts.items()}
    parts |= {"/*STYLE*/": style, "/*SCRIPT*/": script}
    # In one pass: data may contain a typed text that looks like a placeholder.
    marks = re.compile("|".join(map(re.escape, parts)))
    return marks.sub(lambda mark: parts[mark[0]], page)


def bundle_styles(root: Path, *paths: Path) -> str:
    """Join these style sheets in this order, with those that they import from below `root`."""
    styles = b"\n".join(path.read_bytes() for path in paths)
    return STYLE_IMPORT.sub(lambda named: (root / named[1].decode()).read_bytes(), styles).decode()


def bundle_fonts(root: Path) -> str:
    """Return the style that holds the fonts of all pages; `root` is the folder of the web files."""
    script = (root / "core/fonts.js").read_text(encoding="utf-8")
    return "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight or "normal"};src:url('
        f"data:font/woff2;base64,{_base64(root / f'core/fonts/{name}.woff2')})}}\n"
        for family, name, weight in FONT.findall(script)
    )


def _base64(path: Path) -> str:
    return b64encode(path.read_bytes()).decode("ascii")


def escape_json(text: str) -> str:
    """Return JSON without a character that could end its element."""
    return text.replace("<", "\\u003c")


def _add_module(
    path: Path, names: dict[Path, str], parts: list[str], aliases: Mapping[str, Path]
) -> None:
    """Append the script of a module after those of its imports, each once."""
    if path in names:
        return
    source = path.read_text(encoding="utf-8")
    for _, target in IMPORT.findall(source):
        _add_module(_target(path, target, aliases), names, parts, aliases)
    names[path] = f"module{len(names)}"
    exported = [export[1] for export in EXPORT.finditer(source)]
    body = IMPORT.sub(
        lambda export: _destructure(export, names[_target(path, export[2], aliases)]),
        EXPORT.sub("", source),
    )
    if left := UNSUPPORTED.search(body):
        raise ValueError(f"{path.name}: {left[0]}")
    parts.append(
        f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
    )


def _target(path: Path, name: str, aliases: Mapping[str, Path]) -> Path:
    return (aliases.get(name) or path.parent / name).resolve()


def _destructure(imported: re.Match[str], module: str) -> str:
    if imported[1] is None:
        return ""
    names = RENAMED.sub(r"\1: \2", imported[1])
    return f"const {{{names}}} = {module};\n"
