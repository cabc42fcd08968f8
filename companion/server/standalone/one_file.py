"""Pages that are one file: modules, style and data in a single document that opens without a table
or a network.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|let|class|(?:async )?function)\s+(\w+))", re.MULTILINE)
UNSUPPORTED = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
RENAMED = re.compile(r"(\w+) as (\w+)")


def bundle_script(entry: Path) -> str:
    """Return a module and all that it imports as one script. Each module keeps its own names.

    Raises ValueError for an import or export of another form than `import { a, b as c } from
    "./file.js"` and `export const | let | class | function`.
    """
    names: dict[Path, str] = {}
    parts: list[str] = []
    _add_module(entry.resolve(), names, parts)
    return "\n".join(parts)


def fill_template(page: str, texts: Mapping[str, str], style: str, script: str) -> str:
    """Return a document with its `<!--NAME-->` data, its /*STYLE*/ and its /*SCRIPT*/ put in."""
    for name, text in texts.items():
        page = page.replace(f"<!--{name}-->", escape_json(text))
    return page.replace("/*STYLE*/", style).replace("/*SCRIPT*/", script)


def read_catalogues(root: Path, *rooms: str) -> dict[str, dict[str, str]]:
    """Return what the catalogues of `rooms` say ("" is the one that all pages load), by language;
    `root` is the folder of what browsers run.
    """
    words: dict[str, dict[str, str]] = {}
    for path in sorted(path for room in rooms for path in (root / "i18n" / room).glob("*.json")):
        words.setdefault(path.stem, {}).update(json.loads(path.read_text(encoding="utf-8")))
    return words


def bundle_styles(root: Path, *names: str) -> str:
    """Join the style sheets with these paths under `root`, in this order."""
    return "\n".join((root / name).read_text(encoding="utf-8") for name in names)


def escape_json(text: str) -> str:
    """Return JSON without a character that could end the element it stands in."""
    return text.replace("<", "\\u003c")


def _add_module(path: Path, names: dict[Path, str], parts: list[str]) -> None:
    """Append the script of a module after those it imports, each once."""
    if path in names:
        return
    source = path.read_text(encoding="utf-8")
    for _, target in IMPORT.findall(source):
        _add_module((path.parent / target).resolve(), names, parts)
    names[path] = f"module{len(names)}"
    exported = [found[1] for found in EXPORT.finditer(source)]
    body = IMPORT.sub(lambda found: _destructure(found, path, names), EXPORT.sub("", source))
    if left := UNSUPPORTED.search(body):
        raise ValueError(f"{path.name}: {left[0]}")
    parts.append(
        f"const {names[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"
    )


def _destructure(found: re.Match[str], path: Path, names: Mapping[Path, str]) -> str:
    wanted = RENAMED.sub(r"\1: \2", found[1])
    return f"const {{{wanted}}} = {names[(path.parent / found[2]).resolve()]};\n"
