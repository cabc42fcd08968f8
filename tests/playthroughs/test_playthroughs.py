"""The written-out games are still those that people checked."""

from pathlib import Path

import pytest

from companion.core.game import Game
from companion.games import GAMES
from tests.playthroughs.playthrough import BY_HAND, by_hand, path_of, playthrough

EVERY = [
    pytest.param(game, players, id=f"{game.name}-{players}")
    for game in GAMES
    for players in game.seats
]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_playthrough(game: Game, players: int) -> None:
    """Each playthrough equals its file; after an intended change, write and review the files."""
    assert path_of(game, players).read_text(encoding="utf-8").splitlines() == list(
        playthrough(game, players)
    )


@pytest.mark.parametrize("path", BY_HAND, ids=lambda path: path.stem)
def test_written_by_hand(path: Path) -> None:
    """The hand-written actions have the results of the rules beside them."""
    assert path.read_text(encoding="utf-8").splitlines() == list(by_hand(path))
