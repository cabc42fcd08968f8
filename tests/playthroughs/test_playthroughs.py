"""The written-out games still come out as they were read and checked."""

import pytest

from companion.core.game import Game
from companion.games import GAMES
from tests.playthroughs.playthrough import path_of, playthrough

EVERY = [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES for players in game.seats]


@pytest.mark.parametrize(("game", "players"), EVERY)
def test_playthrough(game: Game, players: int) -> None:
    """Every line of a game's playthrough is as the file has it; after a meant change, write the files anew and
    read the difference."""
    assert path_of(game, players).read_text(encoding="utf-8").splitlines() == list(playthrough(game, players))
