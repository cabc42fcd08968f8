"""The rule card on screens states the rules that the table uses."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import msgspec

from companion.games.manhunt.events import FugitiveMoved
from companion.games.manhunt.map_file import Rules
from companion.i18n import Catalog

CARD = Path(__file__).parents[3] / "web" / "games" / "manhunt" / "card_defaults.js"


def test_what_a_file_leaves_out_is_the_same_on_screens() -> None:
    """The card's defaults are those of the table."""
    script = "const { USUAL } = await import(process.argv[1]); console.log(JSON.stringify(USUAL))"
    result = subprocess.run(
        ["node", "--input-type=module", "-e", script, CARD.as_uri()],
        capture_output=True,
        text=True,
        check=True,
    )
    usual: dict[str, Any] = {
        each.name: each.default for each in msgspec.structs.fields(Rules) if each.name != "tickets"
    }

    assert json.loads(json.dumps(usual | {"tickets": {}})) == json.loads(result.stdout)


def test_ways_are_told_in_the_language_that_is_asked_for() -> None:
    """Known kinds and unseen moves have words in each language; the others keep the words of the
    file.
    """
    message = FugitiveMoved(("street", "funicular", "unseen")).message()

    assert "The fugitive moved: street, funicular, unseen." == Catalog.load(
        "en", "manhunt"
    ).translate(message)
    assert "straat, funicular, ongezien" in Catalog.load("nl", "manhunt").translate(message)
    assert "通り, funicular, 秘密" in Catalog.load("ja", "manhunt").translate(message)
