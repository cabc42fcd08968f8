"""The replay of a game of hidden hands: every hand, every card taken, bites, pairs and the
figures.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.replay.build import replay_json
from companion.table.errors import Refused
from tests.games.replays import untranslated
from tests.games.shisogari.sessions import ShisogariSession

pytestmark = pytest.mark.slow

Json = dict[str, Any]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[ShisogariSession]:
    folder = tmp_path_factory.mktemp("hands")
    last = [{"last_card": "chosen" if seed < 2 else "dealt"} for seed in range(5)]
    return [
        ShisogariSession(folder / str(seed), seed, 4 + seed % 2, last[seed], undo=seed < 2)
        for seed in range(5)
    ]


def unfolded(replay: Json) -> list[Json]:
    """Return every moment in full."""
    full: Json = {"view": {}, "hands": {}, "sum": None}
    moments = []
    for moment in replay["moments"]:
        full = {**full, **moment} | {
            part: full[part] | moment.get(part, {}) for part in ("view", "hands")
        }
        moments.append(full)
    return moments


def test_the_last_moment_is_the_end_of_the_game(games: list[ShisogariSession]) -> None:
    """The last moment of a history shows what every seat held and everybody saw."""
    for game in games:
        replay = replay_json(game.record)
        last = unfolded(replay)[-1]

        assert game.snapshot["outcome"] == replay["outcome"]
        assert game.private == last["hands"]
        assert {name: game.snapshot["view"][name] for name in last["view"]} == last["view"]
    assert [3, 3, 0, 0, 0] == [replay_json(game.record)["rewound"] for game in games]


def test_every_card_is_somewhere(games: list[ShisogariSession]) -> None:
    """At each moment twenty cards are in hands, in pairs, just picked, or among the last cards that
    nobody took yet; the first moment shows the deal.
    """
    for game in games:
        moments = unfolded(replay_json(game.record))

        all_hands = [moment["hands"].values() for moment in moments]
        assert {20} == {
            sum(len(hand["cards"]) + 2 * len(hand["laid"]) + bool(hand["picked"]) for hand in hands)
            + len(moment["view"]["last"])
            for hands, moment in zip(all_hands, moments, strict=True)
        }
        assert ["game_set_up", 1] == [
            moments[0]["event"],
            [hand["role"] for hand in all_hands[0]].count("vampire"),
        ]


def test_who_took_what_from_whom(games: list[ShisogariSession]) -> None:
    """Each picked card is named with both players, each bite with the card beside it."""
    for game in games:
        moments = unfolded(replay_json(game.record))
        for before, moment in pairwise(moments):
            params = moment["message"]["params"]
            if moment["event"] == "card_passed":
                seat, giver, card = params["picker"], params["giver"], params["card"]
                assert card == moment["hands"][seat]["picked"]
                counts = [each["hands"][giver]["cards"].count(card) for each in (before, moment)]
                assert 1 == counts[0] - counts[1]
            if moment["message"]["code"] == "secret.bitten":
                assert ("hunter", "kin") == (
                    before["hands"][params["seat"]]["role"],
                    moment["hands"][params["seat"]]["role"],
                )
        bitten = sum(moment["message"]["code"] == "secret.bitten" for moment in moments)
        assert bitten == [hand["role"] for hand in game.private.values()].count("kin")


def test_what_it_came_to(games: list[ShisogariSession]) -> None:
    """The sum of real pairs and Hunters is the one that an accusation counts; each bite has its
    sentence.
    """
    counted = 0
    for game in games:
        replay = replay_json(game.record)
        last, codes = unfolded(replay)[-1], [figure["code"] for figure in replay["figures"]]
        if pairs := game.snapshot["view"]["counted"]:
            assert pairs["pairs"] + pairs["hunters"] == last["sum"]
            counted += 1
        assert codes.count("figure.bitten") == [
            hand["role"] for hand in game.private.values()
        ].count("kin")
        assert "figure.vampire" == codes[0]
    assert counted


def test_the_replay_of_real_cards_has_public_events_alone(tmp_path: Path) -> None:
    """With real cards the replay has the public events, no hand and no role."""
    replay = replay_json(ShisogariSession(tmp_path, 3, options={"hands": "cards"}).record)

    assert not any("hands" in moment or "sum" in moment for moment in replay["moments"])
    assert "event.game_over.vampire" == replay["moments"][-1]["message"]["code"]
    assert {"figure.turns", "figure.pairs_up"} == {figure["code"] for figure in replay["figures"]}


def test_a_running_game_has_no_replay(games: list[ShisogariSession]) -> None:
    """A record whose deal is still sealed is refused: the game is not over."""
    first = '{"new":{"game":"shisogari","players":4},"sealed":"","key":"","position":0,"head":""}'

    with pytest.raises(Refused, match="not_over"):
        replay_json("\n".join([first, *games[0].lines[1:]]))


@pytest.mark.parametrize("language", ["en", "ja", "nl"])
def test_every_sentence_is_in_the_catalogues(games: list[ShisogariSession], language: str) -> None:
    """Each message of a replay is a sentence in every language, and none shows a code or a
    brace.
    """
    assert [] == untranslated((game.record for game in games), "shisogari", language)
