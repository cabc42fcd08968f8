"""The table with the real game: random evenings with crashes, twin nights, and records that can be
replayed.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.codec import decode_action
from companion.core.game import Action, Game, GameError, Message, Seat, View
from companion.core.placement import Cell, Pawn
from companion.core.view import view
from companion.games.vampireradar.actions import END, CallRadar, Place, Walk
from companion.games.vampireradar.options import Layout, V
from companion.games.vampireradar.rules import VampireRadar
from companion.table.errors import Refused
from companion.table.fairness import commitment
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.run import decode_stored_event
from companion.table.storage.log import read_bodies
from tests.table.play import Play
from tests.table.test_table import hear

GAME = VampireRadar()


def random_night(play: Play, rng: Random) -> list[Action]:
    """Draft a night by previews, as the phone does, and return it whole."""
    draft: list[Action] = []
    while True:
        legal = play.table.preview(V, draft)["legal"]
        draft.append(decode_action(GAME, rng.choice(legal)))
        if draft[-1] == END or play.table.snapshot()["view"]["night"] == 0 or len(draft) > 40:
            return draft if draft[-1] == END or len(draft) == 1 else [*draft[:1], END]


def play_on(play: Play, rng: Random, turns: int, crashes: float = 0.0) -> None:
    """Play random legal turns until the game is over or `turns` submissions were made."""
    for _ in range(turns):
        snapshot = play.table.snapshot()
        if snapshot["phase"] != "play":
            return
        if snapshot["secret"]:
            try:
                play.submit("V", *random_night(play, rng))
            except GameError as refused:
                assert refused.message.code == "night_unfinished", refused
                play.submit("V", END)
            if rng.random() < crashes:
                play.crash()
            play.clock.advance(200)
        else:
            play.submit(snapshot["to_move"], decode_action(GAME, rng.choice(snapshot["legal"])))
            if rng.random() < crashes:
                play.crash()


@pytest.fixture
def play(tmp_path: Path) -> Play:
    play = Play(tmp_path / "data", GAME)
    play.start("V", "H1", "H2")
    return play


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_record_of_an_evening(tmp_path: Path, seed: int) -> None:
    """A random game with crashes ends, and its record is decided again to the same events and
    seals.
    """
    play, rng = Play(tmp_path / "data", GAME, seed), Random(seed)
    play.start("V", "H1", players=2 + seed % 3)
    play_on(play, rng, 150, crashes=0.02)
    if play.table.snapshot()["phase"] == "play":
        play.table.surrender(V)
    lines = list(export_record(read_bodies(play.folder), [GAME]))
    report = replay_record(lines, [GAME])

    assert (None, 0) == (report.wrong, report.sealed_at)
    opened = [json.loads(line) for line in lines if '"opened"' in line]
    announced = [json.loads(line)["table"]["seal"] for line in lines if '"night_sealed"' in line]
    assert (
        announced
        == [line["seal"] for line in opened]
        == [commitment.commit(line["opened"]) for line in opened]
    )
    assert opened == play.table.opened_commitments()


@pytest.mark.parametrize("steps", [1, 2])
def test_silent_nights(tmp_path: Path, steps: int) -> None:
    """A night of one or two walks equals, byte for byte and moment for moment, a night of none."""
    received = []
    for walks in (0, steps):
        play = Play(tmp_path / f"{walks}", GAME)
        play.start("V", "H1", "H2")
        play.night("V", decode_action(GAME, {"type": "place", "cell": "C4"}))
        play.submit("H1", END)
        play.submit("H2", END)
        play.clock.advance(0.5 + walks)
        play.submit("V", *walk(play, walks), END)
        received.append(hear(play, play.table.journal.subscribe()))

    assert [text for _, text in received[0]] == [text for _, text in received[1]]
    assert [moment - received[0][-1][0] for moment, _ in received[0][1:]] == [
        moment - received[1][-1][0] for moment, _ in received[1][1:]
    ]


def walk(play: Play, count: int) -> list[Action]:
    draft: list[Action] = []
    for _ in range(count):
        legal: list[dict[str, Any]] = play.table.preview(V, draft)["legal"]
        to = next(action["to"] for action in legal if action["type"] == "walk")
        draft.append(Walk(to=to))
    return draft


def test_no_human_preview_of_a_secret(play: Play) -> None:
    """Only those of a human's actions that disclose a secret cannot be previewed."""
    play_on(play, Random(7), 1)
    for _ in range(60):
        snapshot = play.table.snapshot()
        if snapshot["phase"] != "play" or snapshot["secret"]:
            break
        for value in snapshot["legal"]:
            action = decode_action(GAME, value)
            refused = False
            try:
                play.table.preview(Seat(snapshot["to_move"]), [action])
            except GameError as refusal:
                refused = refusal.message.code == "preview_refused"
            assert type(action).discloses == refused
        play.submit(snapshot["to_move"], decode_action(GAME, snapshot["legal"][0]))


def test_the_public_part_is_the_fold_of_public_events(play: Play) -> None:
    """The public view is the fold of the public events alone."""
    play_on(play, Random(3), 40)
    state = GAME.initial()
    for body in export_record(read_bodies(play.folder), [GAME]):
        for value in json.loads(body).get("public", []):
            state = GAME.evolve(state, decode_stored_event(value, GAME.events))

    assert play.table.snapshot()["view"] == GAME.encode_view(view(state, None))


def test_an_answer_is_judged_by_the_walk_before_it(tmp_path: Path) -> None:
    """A walk and a radar in one submission: the hold-up compares with the table after the walk."""
    play = Play(tmp_path / "data", VampireRadar(), night_floor=0)
    field = Layout(("..brw.", "..oo.w", "rwo.ob", "bowowr", "w.oo..", ".wrb.."), ())
    play.table.lobby.propose(
        {
            "field": msgspec.to_builtins(field),
            "start": {
                **dict.fromkeys([f"H{n}{c}" for n in (1, 2) for c in "abcd"], "F1"),
                "H1a": "A2",
            },
        }
    )
    play.start("V")
    play.submit("V", Place(Cell("B2")))
    play.clock.advance(60)
    places: list[object] = []

    def blocking_reason(action: Action, running: tuple[Game, View]) -> Message:
        places.append(running[1].public.pawns["H1a"])
        return Message("board_holdup", {"cell": "A2"})

    play.table.connect_board(dict, blocking_reason)
    with pytest.raises(Refused, match="board_holdup"):
        play.submit("H1", Walk(pawn=Pawn("H1a"), to=Cell("A3")), CallRadar(Pawn("H1a")))

    assert ["A3"] == places
