"""Recorded games at a real table, whose vampire loses its phone in the middle and goes on on
paper.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Action, Seat
from companion.games.vampireradar.actions import AnswerRadar, Place
from companion.games.vampireradar.events import TurnEnded
from companion.games.vampireradar.options import HUMANS, V
from companion.games.vampireradar.rules import VampireRadar
from tests.games.vampireradar.on_paper import (
    Act,
    PaperGame,
    acts_from,
    pages_from,
    recorded,
    turns,
)
from tests.table.play import Play


class LostPhone:
    """A recorded game that is played with seals, and on paper after `share` per cent of it. With
    `lies` one radar answer on paper is wrong. `pages` is the true path to type at the
    end.
    """

    def __init__(self, folder: Path, record: Path, share: int, *, lies: bool = False) -> None:
        self.game: PaperGame = recorded(record)
        breaks = turns(self.game)
        self.at = breaks[len(breaks) * share // 100]
        self.pages = pages_from(self.game, self.at)
        self.play = Play(folder, VampireRadar(), auto_pick_up=False)
        options = replace(self.game.setup.options, path=UNSET)
        self.play.table.lobby.propose(
            msgspec.to_builtins(replace(self.game.setup, options=options))
        )
        self.humans = HUMANS[: self.game.players - 1]
        self.play.start("V", *self.humans, players=self.game.players)
        self._sealed()
        self._switch_to_paper()
        acts = acts_from(self.game, self.at)
        for seat, action in with_wrong_answer(acts) if lies else acts:
            self.play.submit(seat, action)

    def _sealed(self) -> None:
        night: list[Action] = []
        for move in self.game.moves[: self.at]:
            if move.seat != V:
                self.play.submit(move.seat, move.action)
                continue
            night.append(move.action)
            if TurnEnded(V) in move.happened or isinstance(move.action, Place):
                self.play.night(V, *night)
                night = []

    def _switch_to_paper(self) -> None:
        self.play.table.votes.switch_to_paper(self.humans[0])
        for seat in (*self.humans[1:], V):
            self.play.table.votes.cast(Seat(seat), True)


def with_wrong_answer(acts: list[Act]) -> list[Act]:
    """Return the acts with the first radar answer one off."""
    index = next(index for index, (_, action) in enumerate(acts) if isinstance(action, AnswerRadar))
    action = acts[index][1]
    assert isinstance(action, AnswerRadar)
    other = action.distance + (1 if action.distance < 5 else -1)
    return [*acts[:index], (V, AnswerRadar(other)), *acts[index + 1 :]]
