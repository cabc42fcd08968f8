"""One file that shows a finished game in any browser, without a table: story, record and words in
one page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.server.standalone.one_file import fill, script_of, style_of, words_of

ROOMS = ("", "replay")
"""The catalogues whose words the page says."""
STYLES = ("core/base.css", "games/vampireradar/odds.css", "games/shisogari/style.css")
LAST = ("screens/replay/replay.css", "core/light.css")
"""What is worn over all others; the light look only where the browser, or somebody, chose it."""
OF_VIEWS = {"castle": "games/vampire_empire/style.css", "cities": "games/vwars/style.css"}
"""What a page wears besides where its views have this part: such classes are one game's own."""


def replay_page(story: dict[str, Any], record: str, root: Path) -> str:
    """Return the page for a game's story and record; `root` is the folder of what browsers run."""
    words = words_of(root, *ROOMS)
    for path in root.glob(f"i18n/games/{story['game']}.*.json"):
        words[path.suffixes[0][1:]].update(json.loads(path.read_text(encoding="utf-8")))
    texts = {
        "WORDS": json.dumps(words, ensure_ascii=False, separators=(",", ":")),
        "STORY": json.dumps(story, ensure_ascii=False, separators=(",", ":")),
        "RECORD": record,
    }
    own = [name for part, name in OF_VIEWS.items() if part in story["moments"][0]["view"]]
    page = (root / "screens/replay/saved.html").read_text(encoding="utf-8")
    return fill(
        page,
        texts,
        style_of(root, *STYLES, *own, *LAST),
        script_of(root / "screens/replay/saved.js"),
    )
