"""The rounds to watch before a game are what the core plays."""

from __future__ import annotations

import json

import pytest

from companion.games import GAMES
from companion.i18n import languages, web_root
from tools.tutorials import TUTORIALS, written

pytestmark = pytest.mark.slow
NAMES = [game.name for game in GAMES]


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_round_is_what_the_core_plays(name: str) -> None:
    """The core plays each round again from its seed as it is recorded: a change of rules or events
    shows here, and `python -m tools.tutorials` records it.
    """
    recorded = (web_root() / f"games/{name}/tutorial.json").read_text(encoding="utf-8")

    assert written(name, json.loads(recorded)["seed"]) == recorded


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_round_knows_no_secret(name: str) -> None:
    """Nothing that one seat alone knows is in a round, and it has at most ten moments."""
    moments = json.loads((web_root() / f"games/{name}/tutorial.json").read_text(encoding="utf-8"))[
        "moments"
    ]

    assert 10 >= len(moments)
    assert [None] == [
        moment["view"]["own"] for moment in moments if "own" in moment.get("view", {})
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_moment_has_its_sentence(name: str) -> None:
    """A moment's sentence exists, and each sentence has a moment."""
    expected = [f"tutorial.{moment.words}" for moment in TUTORIALS[name].moments]
    for language in languages():
        path = web_root() / f"games/{name}/i18n/tutorial/{language}.json"

        assert expected == [*json.loads(path.read_text(encoding="utf-8"))]
