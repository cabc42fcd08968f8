"""One file that proves a game in any browser, without a table: the record, the checks and the words in one page."""

from __future__ import annotations

import json
import re
from pathlib import Path

PARTS = ("static/sha256.js", "static/proof.js", "proof/page.js")
"""The page's script, in order; they name each other by imports, which one file does without."""
IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=const|function|class)", re.MULTILINE)


def proof_page(record: str, root: Path) -> str:
    """Return the page for a record (`companion export`); `root` is the folder of what browsers run."""
    script = "\n".join(EXPORT.sub("", IMPORT.sub("", (root / part).read_text(encoding="utf-8"))) for part in PARTS)
    words = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(root.glob("i18n/proof/*.json"))}
    page = (root / "proof" / "page.html").read_text(encoding="utf-8")
    for name, text in (("WORDS", _quiet(json.dumps(words, ensure_ascii=False))), ("RECORD", _quiet(record))):
        page = page.replace(f"<!--{name}-->", text)
    return page.replace("/*SCRIPT*/", script)


def _quiet(text: str) -> str:
    """Return JSON without a character that could end the element it stands in."""
    return text.replace("<", "\\u003c")
