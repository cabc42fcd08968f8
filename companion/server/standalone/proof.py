"""One file that proves a game in any browser, without a table: the record, the checks and the words
in one page.
"""

from __future__ import annotations

import json
from pathlib import Path

from companion.server.standalone.one_file import bundle_script, fill_template, read_catalogues


def proof_page(record: str, root: Path) -> str:
    """Return the page for a record (`companion export`); `root` is the folder of what browsers
    run.
    """
    page = (root / "proof" / "page.html").read_text(encoding="utf-8")
    texts = {
        "WORDS": json.dumps(read_catalogues(root, "proof"), ensure_ascii=False),
        "RECORD": record,
    }
    return fill_template(page, texts, "", bundle_script(root / "proof" / "page.js"))
