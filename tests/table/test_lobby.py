"""What may be proposed before a game."""

from __future__ import annotations

import pytest

from companion.core.game import Game, Message
from companion.games import GAMES
from companion.table.errors import Refused
from companion.table.events import Proposed
from companion.table.setup import changed_proposal

BY_NAME = {game.name: game for game in GAMES}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_number_of_players_that_a_game_has_not_is_refused_with_those_it_has(game: Game) -> None:
    """The refusal for a game with one number of players names no range."""
    least, most = game.seats[0], game.seats[-1]
    single, several = (
        Message("wrong_player_count", {"n": least}),
        Message("wrong_players", {"least": least, "most": most}),
    )

    for players in (least - 1, most + 1, True, "2"):
        with pytest.raises(Refused) as refused:
            changed_proposal(BY_NAME, Proposed(game.name, least, {}), {"players": players})
        assert (single if least == most else several) == refused.value.message
