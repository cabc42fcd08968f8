"""One file that says how a game stands, to go on without a table: public facts alone, in every
language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.server.standalone.one_file import (
    bundle_script,
    bundle_styles,
    fill_template,
    read_catalogues,
)
from companion.table.errors import Refused

HANDOVER_DOMAINS = ("", "host", "paper")
"""The catalogues whose words the page says."""
HANDOVER_STYLES = ("core/base.css", "core/light.css")
FACTS = ("view", "to_move", "seats")
"""What of the public picture stands on the page: no seal and no head, which are of no use there."""


def handover_page(
    picture: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], root: Path
) -> str:
    """Return the page for the public picture and what was told so far; `root` is the folder of what
    browsers run.

    Raises `Refused` ("no_game") unless a game is being played that can go on on paper.
    """
    folder = f"games/{picture['game']}/paper"
    saved = root / folder / "saved_handover.html"
    if picture["phase"] != "play" or not saved.exists():
        raise Refused("no_game")
    facts = {name: picture[name] for name in FACTS} | {"answers": list(answers)}
    texts = {
        "WORDS": json.dumps(read_catalogues(root, *HANDOVER_DOMAINS), ensure_ascii=False),
        "FACTS": json.dumps(facts, ensure_ascii=False),
    }
    return fill_template(
        saved.read_text(encoding="utf-8"),
        texts,
        bundle_styles(root, *HANDOVER_STYLES, f"{folder}/handover.css"),
        bundle_script(root / folder / "saved_handover.js"),
    )
