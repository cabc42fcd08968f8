"""The replay of a game of secret characters: the identities, the city in its order, both hands, and
the figures.
"""

from __future__ import annotations

from collections import Counter

import pytest

from companion.games.vampire_empire.cards import CHARACTERS
from companion.replay.build import replay_json
from tests.games.replays import untranslated
from tests.games.shisogari.test_replay import unfolded
from tests.games.vampire_empire.sessions import VampireEmpireSession

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> list[VampireEmpireSession]:
    folder = tmp_path_factory.mktemp("sessions")
    box = VampireEmpireSession(folder / "box", 3, {"content": "box"})
    return [*(VampireEmpireSession(folder / str(seed), seed) for seed in (1, 2)), box]


def test_the_last_moment_is_the_end_of_the_game(sessions: list[VampireEmpireSession]) -> None:
    """The last moment of a history shows what each seat held and everybody saw; the cards can be
    looked up in it.
    """
    for session in sessions:
        replay = replay_json(session.record)
        last = unfolded(replay)[-1]

        assert session.snapshot["outcome"] == replay["outcome"]
        for seat, own in session.private.items():
            assert {"characters": list(own["characters"]), "cards": list(own["hand"])} == last[
                "hands"
            ][seat]
        assert {name: session.snapshot["view"][name] for name in last["view"]} == last["view"]
        assert {card for hand in last["hands"].values() for card in hand["cards"]} <= set(
            replay["reference"]["cards"]
        )
        languages = {"en", "ja"} if session.snapshot["view"]["sample"] else set()
        assert languages == set(replay["reference"]["translations"])


def test_everybody_is_somewhere(sessions: list[VampireEmpireSession]) -> None:
    """At each moment the nine are in the castle, in the city in its order, or dead; the hands are
    as large as in the view, from the first turn on.
    """
    for session in sessions[:2]:
        moments = unfolded(replay_json(session.record))

        assert ["turn_started", 1] == [moments[0]["event"], moments[0]["view"]["turns"]]
        for moment in moments:
            view, hands = moment["view"], moment["hands"]
            dead = [each["character"] for each in view["dead"]]
            assert Counter(list(CHARACTERS)) == Counter([*view["castle"], *moment["city"], *dead])
            assert {seat: len(hand["cards"]) for seat, hand in hands.items()} == {
                seat: piles["hand"] for seat, piles in view["piles"].items()
            }
            vampires = set(hands["vampire"]["characters"]) - set(dead)
            assert [9 - len(dead) - len(vampires), len(vampires)] == moment["alive"]


def test_what_it_came_to(sessions: list[VampireEmpireSession]) -> None:
    """Each vampire's end comes first; the dead are those that died in public."""
    for session in sessions:
        figures = replay_json(session.record)["figures"]
        buried = {each["character"] for each in session.snapshot["view"]["dead"] if each["vampire"]}

        assert set(session.snapshot["view"]["identities"]["vampires"]) == {
            figure["params"]["character"] for figure in figures[:3]
        }
        assert buried == {
            each["params"]["character"]
            for each in figures
            if each["code"] == "figure.vampire_empire.died"
        }
        fights = next(
            each["params"] for each in figures if each["code"] == "figure.vampire_empire.fights"
        )
        assert len(session.snapshot["view"]["dead"]) == fights["kills"] <= fights["n"]


@pytest.mark.parametrize("language", ["en", "ja", "nl"])
def test_every_sentence_is_in_the_catalogues(
    sessions: list[VampireEmpireSession], language: str
) -> None:
    """Each message of a replay is a sentence in every language, and none shows a code or a
    brace.
    """
    assert [] == untranslated((game.record for game in sessions), "vampire_empire", language)
