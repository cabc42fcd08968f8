"""One file that says how a game stands, to go on without a table: public facts alone, in every
language.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.server.standalone.one_file import fill, script_of, style_of, words_of
from companion.table.errors import Refused

ROOMS = ("", "host", "paper")
"""The catalogues whose words the page says."""
STYLES = ("core/base.css", "core/light.css")
FACTS = ("view", "to_move", "seats")
"""What of the public picture stands on the page: no seal and no head, which are of no use there."""


def leaf_page(picture: Mapping[str, Any], answers: Sequence[Mapping[str, Any]], root: Path) -> str:
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
        "WORDS": json.dumps(words_of(root, *ROOMS), ensure_ascii=False),
        "FACTS": json.dumps(facts, ensure_ascii=False),
    }
    return fill(
        saved.read_text(encoding="utf-8"),
        texts,
        style_of(root, *STYLES, f"{folder}/handover.css"),
        script_of(root / folder / "saved_handover.js"),
    )
