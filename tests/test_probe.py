"""The probe: best answers in small endgames are exact, and knowing a vampire's habits never costs
anything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.arena.commands import probe
from companion.arena.probe import Endgame, Story, answered, any_night, endgame, habits_of, reading
from companion.bots.bot import Chances
from companion.bots.humans import outcomes
from companion.bots.hunch import Weights
from companion.bots.levels import VAMPIRE_LEVELS
from companion.bots.nights import nights
from companion.bots.position import Position
from companion.bots.terrain import INDEX
from companion.core.game import PublicEvent, Seat
from companion.core.placement import Cell
from companion.games.vampireradar.board import HOUSE_FIELD
from companion.games.vampireradar.evolve import empty_public, fold_public
from companion.games.vampireradar.model import (
    END,
    GameSetUp,
    Options,
    TokenSet,
    TurnEnded,
    TurnStarted,
    V,
    VampirePlaced,
)

H1 = Seat("H1")


def corner(bullets: int, *tiles: str) -> Endgame:
    """On the house field without tokens one pawn stands on A1, and the vampire is on one of these
    tiles.
    """
    start: PublicEvent = GameSetUp(
        2, Options(), HOUSE_FIELD, {"H1a": "A1"}, {"H1": bullets}, vampire_hp=1
    )
    public = fold_public(empty_public(), start)
    story: Story = (
        start,
        *(TokenSet(cell, "bullet", lies=False) for cell in public.bullet_tokens),
        *(TokenSet(cell, "bat", lies=False) for cell in public.bat_tokens),
        VampirePlaced(),
        TurnStarted(H1, 3),
        TurnEnded(H1),
        TurnStarted(V),
    )
    return Endgame(story, tuple(Cell(tile) for tile in tiles))


def stays(story: Story) -> Callable[[Cell], Chances]:
    """The habits of a vampire that never moves."""
    return lambda cell: [(1.0, [END])]


def test_what_is_worked_out_by_hand() -> None:
    """A vampire that stays on D1 or C2 stands on no common line that A1's pawn can reach: one
    bullet hits half the time, two bullets, from A1 to the east and from A2 to the east, always.
    """
    assert (0.5, 0.5) == answered(corner(1, "D1", "C2"), stays, stays, 1)
    assert (1.0, 1.0) == answered(corner(2, "D1", "C2"), stays, stays, 1)


def test_what_the_rules_alone_say_by_hand() -> None:
    """From D1 a night can end on D1, C1, D2, B1, C2, E2 and D3; a line covers three of these at
    most. Who thinks them equally likely takes the first that does, over C2, D2 and E2, and never
    hits a vampire that stays.
    """
    thought, true = answered(corner(1, "D1"), any_night, stays, 1)

    assert 3 / 7 == pytest.approx(thought)
    assert 0 == true
    assert 1 == reading(corner(1, "D1"), stays, 1).habits


def test_a_second_night_counts() -> None:
    """To shoot at C5 from row 5 a pawn of A1 goes round two walls, by A4 and B4 to B5: five steps
    and a shot are two rounds' points and more than one's.
    """
    assert (0, 0) == answered(corner(1, "C5"), stays, stays, 1)
    assert (1, 1) == answered(corner(1, "C5"), stays, stays, 2)


@pytest.mark.parametrize("seed", [3, 4, 9])
def test_the_best_answer_is_what_trying_everything_finds(seed: int) -> None:
    """Trying every step and answer on the searches' own small tables, without remembering any,
    gives the same value.
    """
    end = endgame(seed, 1, 1)
    public = reduce(fold_public, end.story, empty_public())
    position = Position(public)
    position.new_round()
    after: Weights = {}
    for cell in end.tiles:
        found = nights(public, cell)
        for night in found:
            if not night.kills:
                # A kill takes the only pawn.
                after[night.end] = after.get(night.end, 0.0) + 1 / len(found) / len(end.tiles)
    silent = sum(after.values())

    expected = silent * tried(position, {tile: weight / silent for tile, weight in after.items()})

    assert 0 < expected < 1
    assert expected == pytest.approx(answered(end, any_night, any_night, 1)[0])


def tried(position: Position, weights: Weights) -> float:
    if position.hp <= 0:
        return 1.0
    if not position.turns or not sum(position.bullets):
        return 0.0
    return max(
        sum(
            chance * tried(after, left) for chance, after, left in outcomes(position, weights, step)
        )
        for step in position.steps()
    )


@pytest.mark.parametrize("level", VAMPIRE_LEVELS)
def test_knowing_the_habits_costs_nothing(level: str) -> None:
    """Against each level the best answer to its habits hits at least as often as the best answer to
    the rules, and its chances sum to 1 on every tile.
    """
    end = endgame(2, 1, 1)
    habits = habits_of(level)
    chances = habits(end.story)

    assert [1] * len(end.tiles) == [
        pytest.approx(sum(chance for chance, _ in chances(cell))) for cell in end.tiles
    ]
    found = reading(end, habits, 1)
    assert 0 <= found.rules <= found.habits + 1e-9
    assert found.habits <= 1


def test_an_endgame_is_what_the_public_knows() -> None:
    """An endgame has few tiles, of which each fits what its radar answered."""
    for seed in range(5):
        end = endgame(seed, 2, 1)
        public = reduce(fold_public, end.story, empty_public())

        assert 2 <= len(end.tiles) <= 6
        assert (V, 1, 2, ()) == (public.to_move, public.hp, len(public.pawns), public.bullet_tokens)
        assert {INDEX[cell] for cell in end.tiles} <= set(range(36))


def test_the_command_writes_table_and_figures(tmp_path: Path) -> None:
    """`companion probe --out` prints and writes a line for each level, saying where it comes
    from.
    """
    words = [
        "--vampire",
        "greedy",
        "--vampire",
        "heuristic",
        "--endgames",
        "2",
        "--seed",
        "5",
        "--out",
        str(tmp_path),
    ]
    said = CliRunner().invoke(probe, words, catch_exceptions=False)
    figures = msgspec.json.decode((tmp_path / "probe.json").read_bytes())

    assert "| greedy | 2 |" in said.stdout
    assert said.stdout == (tmp_path / "probe.md").read_text(encoding="utf-8")
    assert ["greedy", "heuristic"] == [row["name"] for row in figures["rows"]]
    assert {"commit", "machine", "command", "seed"} == figures["origin"].keys()
