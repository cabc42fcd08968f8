"""One file that shows a finished game in any browser, without a table: story, record and words in
one page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.server.standalone.one_file import (
    bundle_script,
    bundle_styles,
    fill_template,
    read_catalogues,
)

REPLAY_DOMAINS = ("", "replay")
"""The catalogues whose words the page says."""
REPLAY_STYLES = ("core/base.css", "games/vampireradar/odds.css", "games/shisogari/style.css")
LAST = ("screens/replay/replay.css", "core/light.css")
"""What is worn over all others; the light look only where the browser, or somebody, chose it."""
OF_VIEWS = {"castle": "games/vampire_empire/style.css", "cities": "games/vwars/style.css"}
"""What a page wears besides where its views have this part: such classes are one game's own."""


def replay_page(story: dict[str, Any], record: str, root: Path) -> str:
    """Return the page for a game's story and record; `root` is the folder of what browsers run."""
    words = read_catalogues(root, *REPLAY_DOMAINS)
    for path in root.glob(f"i18n/games/{story['game']}.*.json"):
        words[path.suffixes[0][1:]].update(json.loads(path.read_text(encoding="utf-8")))
    texts = {
        "WORDS": json.dumps(words, ensure_ascii=False, separators=(",", ":")),
        "STORY": json.dumps(story, ensure_ascii=False, separators=(",", ":")),
        "RECORD": record,
    }
    own = [name for part, name in OF_VIEWS.items() if part in story["moments"][0]["view"]]
    page = (root / "screens/replay/saved.html").read_text(encoding="utf-8")
    return fill_template(
        page,
        texts,
        bundle_styles(root, *REPLAY_STYLES, *own, *LAST),
        bundle_script(root / "screens/replay/saved.js"),
    )
