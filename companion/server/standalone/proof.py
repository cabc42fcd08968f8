"""One file that proves a game in any browser, without a table: the record, the checks and the words
in one page.
"""

from __future__ import annotations

import json
from pathlib import Path

from companion.server.standalone.one_file import fill, script_of, words_of


def proof_page(record: str, root: Path) -> str:
    """Return the page for a record (`companion export`); `root` is the folder of what browsers
    run.
    """
    page = (root / "proof" / "page.html").read_text(encoding="utf-8")
    texts = {"WORDS": json.dumps(words_of(root, "proof"), ensure_ascii=False), "RECORD": record}
    return fill(page, texts, "", script_of(root / "proof" / "page.js"))
