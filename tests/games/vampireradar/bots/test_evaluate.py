"""The value of a position for the humans: without bullets, the nearest one attracts, and the night
threatens less.
"""

from __future__ import annotations

from companion.core.placement import Cell
from companion.games.vampireradar.bots.bitboard import INDEX
from companion.games.vampireradar.bots.evaluate import standing_worth
from companion.games.vampireradar.bots.position import Position
from companion.games.vampireradar.bots.posterior import Weights
from tests.games.vampireradar.builders import H1, scene


def worth(pawn: str, bullets: int, token: str, vampire: str) -> float:
    """Return the value of one pawn of a lone human, the vampire's tile being given."""
    public = scene(
        vampire,
        {"H1a": pawn},
        players=2,
        bullets={H1: bullets},
        bullet_tokens=frozenset({Cell(token)}),
        hp=1,
    ).public
    weights: Weights = {INDEX[Cell(vampire)]: 1.0}
    return standing_worth(Position(public), weights)


def test_an_empty_hand_is_drawn_to_a_bullet_from_afar() -> None:
    """A step nearer to the only bullet, four and more steps away, is worth more to a pawn without
    bullets than to one with four, which only the radar on the way attracts.
    """
    empty, armed = (
        worth("A2", bullets, "A6", "F6") - worth("A1", bullets, "A6", "F6") for bullets in (0, 4)
    )

    assert empty > armed


def test_an_empty_hand_fears_the_night_less() -> None:
    """A vampire within reach costs a pawn that cannot shoot less than one that can."""
    fears = [
        worth("A1", bullets, "F1", "F6") - worth("A1", bullets, "F1", "A2") for bullets in (0, 1)
    ]

    assert 0 < fears[0] < 0.9 * fears[1]
