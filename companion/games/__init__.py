"""The games, one folder each with the same file names. A new game adds its name to `GAMES`."""

from companion.core.game import Game
from companion.games.manhunt import Manhunt
from companion.games.nosferatu import Nosferatu
from companion.games.shisogari import Shisogari
from companion.games.vampire_empire import VampireEmpire
from companion.games.vampireradar import VampireRadar
from companion.games.vwars import VWars

GAMES: tuple[Game, ...] = (
    VampireRadar(),
    Nosferatu(),
    Shisogari(),
    VampireEmpire(),
    VWars(),
    Manhunt(),
)


def find_game(name: str) -> Game:
    """Return the game of that name; raise ValueError with all names if there is none."""
    for game in GAMES:
        if game.name == name:
            return game
    raise ValueError(
        f"no game is called {name!r}; there is {', '.join(game.name for game in GAMES)}"
    )
