"""The seal of a deal: the deal is fixed before the first turn, and opened after the end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.game import Game, Seat
from companion.games.shisogari.rules import Shisogari
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vwars.rules import VWars
from companion.table.fairness.export import export_record
from companion.table.fairness.verify import verify_record
from companion.table.storage.log import read_bodies
from tests.games.shisogari.sessions import ShisogariSession
from tests.games.vampire_empire.sessions import VampireEmpireSession
from tests.games.vwars.sessions import VWarsSession
from tests.helpers.repetitions import soak
from tests.table.play import Play, entropy_of
from tests.web.test_proof import proved

pytestmark = pytest.mark.slow

GAMES: dict[str, tuple[Callable[..., Any], Game]] = {
    "vwars": (VWarsSession, VWars()),
    "vampire_empire": (VampireEmpireSession, VampireEmpire()),
    "shisogari": (ShisogariSession, Shisogari()),
}
BOX = {"content": "box"}
SETUP = 6
"""Lines of a record up to the opened deal: start, table events, seed's line, deal's line."""
TOLD, OPENED = 3, 5
"""Among them the deal's seal, and its line."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("deals")
    played = {name: make(folder / name, 3).lines for name, (make, _) in GAMES.items()}
    return played | {
        f"{name} box": GAMES[name][0](folder / f"{name}-box", 4, options=BOX).lines
        for name in ("vwars", "vampire_empire")
    }


def rules(name: str) -> Game:
    return GAMES[name.split()[0]][1]


def test_a_deal_is_opened_after_the_end(records: dict[str, list[str]]) -> None:
    """The record has the seal before any event of the game, and opens it: the line holds the deal
    itself. `verify_record` and the browser find it sealed.
    """
    for name, lines in records.items():
        start, started, shuffle, announced, _, opened = (json.loads(line) for line in lines[:SETUP])
        fixed = json.loads(opened["opened"])
        report = verify_record(lines, [rules(name)])
        (proof,) = proved([("\n".join(lines), {"seals": {"0": announced["table"]["seal"]}})])

        assert ["game_started", "shuffle_sealed", "deal_sealed"] == [
            each["table"]["event"] for each in (started, shuffle, announced)
        ]
        assert announced["position"] < min(start["positions"])
        assert announced["table"]["seal"] == opened["seal"]
        assert start["new"]["deal"] == fixed["deal"]
        assert (True, True, None, 1) == (report.ok, report.deal, proof["wrong"], proof["kept"]), (
            name,
            report,
            proof,
        )


def test_a_deal_can_be_checked_by_hand(records: dict[str, list[str]]) -> None:
    """The commands that the page shows for a seed and a deal print their seals in a plain shell."""
    for lines in records.values():
        (proof,) = proved([("\n".join(lines), {})])
        for number, index in enumerate((TOLD - 1, TOLD)):
            command = ["sh", "-c", proof["commands"][number]]
            printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            assert (
                json.loads(lines[index])["table"]["seal"]
                == proof["seals"][number]
                == printed.split()[0]
            )


@pytest.mark.parametrize("characters", [12, *soak(60)])
def test_one_changed_character_is_found(records: dict[str, list[str]], characters: int) -> None:
    """`verify_record` and the browser refuse a record in which any one character of the start, the
    seal or the line was changed, even if nobody kept anything.
    """
    chance = Random(7)
    for name, lines in records.items():
        setup = lines[:SETUP]
        start = json.loads(setup[0])
        first = setup[0].index('"new":') + len('"new":')
        ends = {
            0: (
                first,
                first + len(json.dumps(start["new"], ensure_ascii=False, separators=(",", ":"))),
            ),
            2: (setup[2].index('"seal":"'), setup[2].index(',"shares"')),
            4: (0, len(setup[4])),
            5: (0, len(setup[5])),
        }
        changed = []
        for number, (begin, end) in ends.items():
            for at in chance.sample(range(begin, end), min(characters, end - begin)):
                other = "x" if setup[number][at] != "x" else "y"
                changed.append(
                    [
                        *setup[:number],
                        setup[number][:at] + other + setup[number][at + 1 :],
                        *setup[number + 1 :],
                    ]
                )
        shuffle = json.loads(setup[2])
        for seat, share in shuffle["table"]["shares"].items():
            shares = {
                **shuffle["table"]["shares"],
                seat: share[:-1] + ("0" if share[-1] != "0" else "1"),
            }
            changed.append(
                [
                    *setup[:2],
                    json.dumps(shuffle | {"table": {**shuffle["table"], "shares": shares}}),
                    *setup[3:],
                ]
            )
        line = json.loads(setup[TOLD])
        line["table"]["seal"] = line["table"]["seal"][:-1] + (
            "0" if line["table"]["seal"][-1] != "0" else "1"
        )
        changed.append([*setup[:TOLD], json.dumps(line), *setup[TOLD + 1 :]])

        assert verify_record(setup, [rules(name)]).ok
        assert [] == [lines for lines in changed if verify_record(lines, [rules(name)]).ok][:1]
        proofs = proved([("\n".join(each), {}) for each in [setup, *changed]])
        assert None is proofs[0]["wrong"]
        assert (
            []
            == [
                lines
                for lines, proof in zip(changed, proofs[1:], strict=True)
                if proof["wrong"] is None
            ][:1]
        )


def test_nothing_of_the_deal_is_published_before_the_end(tmp_path: Path) -> None:
    """A running game's record has the seal alone; the same deal sealed with another nonce has
    another seal.
    """
    seals: list[str] = []
    dealt: list[Any] = []
    for seed in (1, 2):
        folder = tmp_path / str(seed)
        play = Play(folder, VWars())
        play.table.close()
        play.entropy = entropy_of(seed)
        play.open()
        table = play.table
        table.lobby.propose({"game": "vwars", "players": 3})
        for number, seat in enumerate(("P1", "P2", "P3"), start=1):
            table.seats.claim(Seat(seat), seat, f"{number:064x}")
        table.start()
        lines = list(export_record(read_bodies(folder), [VWars()]))
        start = json.loads(lines[0])
        snapshot = table.snapshot()
        seals.append(start["sealed"])
        dealt.append({seat: table.seat_snapshot(Seat(seat))["own"] for seat in ("P1", "P2", "P3")})

        assert {"game": "vwars", "players": 3} == start["new"]
        assert not any('"opened"' in line or '"deal"' in line for line in lines)
        assert (0, start["sealed"]) == (snapshot["seal"]["number"], snapshot["seal"]["seal"])
        table.close()
    assert dealt[0] == dealt[1]
    assert seals[0] != seals[1]


def test_a_record_without_its_deal_line_is_refused(records: dict[str, list[str]]) -> None:
    """A seal that is never opened, and a line that was never sealed, are found."""
    for name, lines in records.items():
        shut = [line for line in lines if line != lines[OPENED]]
        unsealed = [line for line in lines if line != lines[TOLD]]
        for changed in (shut, unsealed):
            (proof,) = proved([("\n".join(changed), {})])
            assert not verify_record(changed, [rules(name)]).ok, name
            assert proof["wrong"] in ("proof.closed", "proof.seal"), name


LIES = {
    "vwars": ('"soon":{"id":"', '"soon":{"id":"x'),
    "vampire_empire": ('"vampire":false', '"vampire":true'),
    "vampire_empire box": ('"vampires":[', '"vampires":["maid",'),
}


def test_an_event_against_the_deal_is_found(records: dict[str, list[str]]) -> None:
    """An event out of order, a false identity of a dead character, another vampire at the end: the
    browser finds each by the deal alone.
    """
    for name, (original, lie) in LIES.items():
        number = next(
            at for at, line in enumerate(records[name]) if at >= SETUP and original in line
        )
        lines = [
            *records[name][:number],
            records[name][number].replace(original, lie, 1),
            *records[name][number + 1 :],
        ]
        (proof,) = proved([("\n".join(lines), {})])
        assert ("proof.dealt", number + 1) == (proof["wrong"], proof["at"]), name
