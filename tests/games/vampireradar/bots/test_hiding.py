"""The deep vampire's mixture: worth counts first, and of equal nights those that are hit seldom."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from companion.core.placement import Cell
from companion.core.search_budget import Deadline
from companion.games.vampireradar.bots.bitboard import CELLS, INDEX
from companion.games.vampireradar.bots.hiding import Shots, mixed_to_hide
from companion.games.vampireradar.bots.night_moves import Night, nights
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.vampire_search import position_at_dawn
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public
from tests.games.vampireradar.builders import scene


def nightfall(*pawns: str) -> Public:
    """Return a nightfall without tokens, with a single bullet and one hit to the end."""
    public: Public = scene(
        pawns={f"H1{letter}": pawn for letter, pawn in zip("ab", pawns, strict=False)},
        players=2,
        turn=V,
        bullets={"H1": 1},
        bullet_tokens=(),
        bat_tokens=(),
        hp=1,
    ).public
    return public


def mixture(
    public: Public,
    cells: tuple[str, ...],
    worth: Callable[[Night], float] = lambda night: 0.0,
    seconds: float = 1e9,
    kills: int = 0,
) -> Mapping[Cell, float]:
    """Return the chance of each end of a night with so many kills from the first of the cells,
    between which the humans cannot tell.
    """
    tiles = [INDEX[Cell(cell)] for cell in cells]
    weighed = [(worth(night), night) for night in nights(public, Cell(cells[0]))]
    chances = mixed_to_hide(
        Position(public),
        dict.fromkeys(tiles, 1 / len(tiles)),
        tiles[0],
        weighed,
        Deadline(seconds, lambda: 0.0),
    )
    ends = {tuple(night.actions): (night.kills, CELLS[night.end]) for _, night in weighed}
    assert pytest.approx(1) == sum(chance for chance, _ in chances)
    return {
        ends[tuple(actions)][1]: chance
        for chance, actions in chances
        if ends[tuple(actions)][0] == kills
    }


def rows(chances: Mapping[Cell, float]) -> list[float]:
    """Return the chances of rows 1, 2 and 3."""
    return [sum(chances[cell] for cell in chances if cell[1] == row) for row in "123"]


@pytest.mark.parametrize(("seconds", "exactness"), [(1e9, 0.02), (0.0, 0.15)])
def test_equal_nights_by_hand(seconds: float, exactness: float) -> None:
    """From D1 a night ends on row 1, 2 or 3; A1's pawn can shoot along any one of them. So each row
    is as likely, nearly so without time.
    """
    chances = mixture(nightfall("A1"), ("D1",), seconds=seconds)

    assert pytest.approx([1 / 3] * 3, abs=exactness) == rows(chances)


@pytest.mark.parametrize(("more", "least", "most"), [(0.05, 0.33, 0.4), (5.0, 0.99, 1.0)])
def test_a_better_night_is_likelier(more: float, least: float, most: float) -> None:
    """A twentieth of a hit more for row 1 changes little, five hits decide."""
    on_row_1 = mixture(nightfall("A1"), ("D1",), lambda night: more * (night.end < 6))

    assert least < rows(on_row_1)[0] <= most


def test_a_kill_goes_by_worth_alone() -> None:
    """From B2 the vampire kills on A1 if that is worth half a hit more; where it ends then is
    mixed.
    """
    public = nightfall("A1", "F6")
    killing = mixture(public, ("B2",), lambda night: 0.5 * night.kills, kills=1)

    assert sum(killing.values()) > 0.9
    assert max(killing.values()) < 0.6


def test_tiles_that_look_alike_hide_each_other() -> None:
    """Who knows that the vampire leaves C6 hits it half the time from F6, along two lines. If it
    leaves E4 as likely, that is a quarter, and it need not be more: from E4 the vampire keeps out
    of what would be shot at for C6.
    """
    public = nightfall("F6")
    together: dict[int, float] = dict.fromkeys(range(36), 0.0)
    for cells in (("C6", "E4"), ("E4", "C6")):
        for end, chance in mixture(public, cells).items():
            together[INDEX[end]] += chance / 2
    shots = Shots(position_at_dawn(Position(public), ()), {tile: tile for tile in range(36)})

    alone = {INDEX[end]: chance for end, chance in mixture(public, ("C6",)).items()}
    assert (
        pytest.approx(0.5, abs=0.02) == shots.best_answer(dict.fromkeys(range(36), 0.0) | alone)[0]
    )
    assert pytest.approx(0.25, abs=0.02) == shots.best_answer(together)[0]
