"""The replay of a game of V-Wars: factions, every card in hands and piles, every gift, and the
figures.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Message
from companion.games.vwars.content import cards
from companion.games.vwars.rules import VWars, sample_cards
from companion.i18n import Catalog
from companion.replay.build import replay_json
from companion.table.errors import Refused
from companion.table.fairness.verify import verify_record
from tests.games.vwars.sessions import VWarsSession

pytestmark = pytest.mark.slow

Json = dict[str, Any]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> list[VWarsSession]:
    folder = tmp_path_factory.mktemp("wars")
    return [VWarsSession(folder / str(seed), seed, 3 + seed % 3) for seed in range(3)]


def unfolded(replay: Json) -> list[Json]:
    """Return every moment in full."""
    full: Json = {"view": {}, "hands": {}, "piles": {}}
    moments = []
    for moment in replay["moments"]:
        parts = {part: full[part] | moment.get(part, {}) for part in ("view", "hands", "piles")}
        for name in ("cities", "players"):
            parts["view"][name] = full["view"].get(name, {}) | moment.get("view", {}).get(name, {})
        full = {**full, **moment, **parts}
        moments.append(full)
    return moments


def test_the_last_moment_is_the_end_of_the_game(games: list[VWarsSession]) -> None:
    """The last moment of a history shows what every seat held and everybody saw."""
    for game in games:
        replay = replay_json(game.record)
        last = unfolded(replay)[-1]

        assert game.snapshot["outcome"] == replay["outcome"]
        assert game.private == last["hands"]
        assert {name: game.snapshot["view"][name] for name in last["view"]} == last["view"]


def test_every_card_is_somewhere(games: list[VWarsSession]) -> None:
    """At each moment all 84 cards are in hands, in piles, or lie as riots; the first one shows
    everybody's faction.
    """
    for game in games:
        moments = unfolded(replay_json(game.record))
        assert 1 == [hand["faction"] for hand in moments[0]["hands"].values()].count("vampire")
        for moment in moments:
            lying = [card for pile in moment["piles"].values() for card in pile]
            in_hands = [card for hand in moment["hands"].values() for card in hand["cards"]]
            riots = [card for name in ("riot_now", "riot_soon") if (card := moment["view"][name])]
            assert Counter(cards(sample_cards())) == Counter(lying + in_hands + riots), moment[
                "message"
            ]


def test_who_gave_what(games: list[VWarsSession]) -> None:
    """Each given card is named with its seat; it leaves the hand and lies in its new pile."""
    count = 0
    for game in games:
        for before, moment in pairwise(unfolded(replay_json(game.record))):
            if moment["event"] != "card_put":
                continue
            params, kind = moment["message"]["params"], moment["message"]["code"].rpartition(".")[2]
            card = f"{params['city']}-{params['side'][0]}{params['value']}"
            pile = {"region": params.get("region"), "pool": "pool", "discards": "discards"}[kind]
            copies = [
                each["hands"][params["seat"]]["cards"].count(card) for each in (before, moment)
            ]
            lay = [each["piles"][pile].count(card) for each in (before, moment)]
            assert (1, 1) == (copies[0] - copies[1], lay[1] - lay[0])
            count += 1
    assert count


def test_what_it_came_to(games: list[VWarsSession]) -> None:
    """Everybody's faction is shown, and whether it was public; so is the number of riots."""
    for game in games:
        replay = replay_json(game.record)
        natures = [
            figure
            for figure in replay["figures"]
            if figure["code"].endswith((".hidden", ".public"))
        ]
        players = game.snapshot["view"]["players"]

        assert {
            seat: own["faction"] for seat, own in game.private.items() if own["faction"] != "human"
        } == {figure["params"]["seat"]: figure["code"].split(".")[2] for figure in natures}
        assert {seat for seat, player in players.items() if player["vampire"]} == {
            figure["params"]["seat"] for figure in natures if figure["code"].endswith(".public")
        }
        ended = sum(moment["event"] == "riot_ended" for moment in replay["moments"])
        assert [ended] == [
            figure["params"]["n"]
            for figure in replay["figures"]
            if figure["code"] == "figure.vwars.riots"
        ]


def test_the_record_is_verified(games: list[VWarsSession]) -> None:
    """`companion verify` decides the whole game again from deal and chance, and finds the heads
    that a player kept; a record in which two cards of the deal, or two factions, have changed
    places is refused.
    """
    for game in games:
        report = verify_record(game.lines, [VWars()], game.heads)
        assert report.ok and report.head == game.snapshot["head"], report
    game = games[0]
    for changed in ("hands", "factions"):
        first = json.loads(game.lines[0])
        dealt = first["new"]["deal"][changed]
        dealt["P1"], dealt["P2"] = dealt["P2"], dealt["P1"]
        if dealt != json.loads(game.lines[0])["new"]["deal"][changed]:
            assert not verify_record([json.dumps(first), *game.lines[1:]], [VWars()], game.heads).ok


def test_beside_the_box_factions_alone_are_shown(tmp_path: Path) -> None:
    """With real cards the history has the factions that phones held; with real factions too it has
    none.
    """
    phones = replay_json(VWarsSession(tmp_path / "phones", 5, options={"content": "box"}).record)
    table = replay_json(
        VWarsSession(tmp_path / "table", 5, options={"content": "box", "factions": "cards"}).record
    )

    assert not any("piles" in moment for replay in (phones, table) for moment in replay["moments"])
    assert [0] * 3 == [len(hand["cards"]) for hand in phones["moments"][0]["hands"].values()]
    assert not any("hands" in moment for moment in table["moments"])
    assert not any("vampire." in figure["code"] for figure in table["figures"])


def test_a_running_game_has_no_replay(games: list[VWarsSession]) -> None:
    """A record whose deal is still sealed is refused: the game is not over."""
    first = '{"new":{"game":"vwars","players":3},"sealed":"","key":"","position":0,"head":""}'

    with pytest.raises(Refused, match="not_over"):
        replay_json("\n".join([first, *games[0].lines[1:]]))


@pytest.mark.parametrize("language", ["en", "ja", "nl"])
def test_every_sentence_is_in_the_catalogues(games: list[VWarsSession], language: str) -> None:
    """Each message of a replay is a sentence in every language."""
    sentences = Catalog.load(language, "vwars")
    for game in games:
        replay = replay_json(game.record)
        for message in [*replay["figures"], *(moment["message"] for moment in replay["moments"])]:
            assert sentences.find_sentence(Message(message["code"], message["params"])), message
