"""Random games of Manhunt at a real table, whose fugitive plays on paper from the start, or loses
its phone in the middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from companion.core.game import Action, Seat
from companion.games.manhunt import Manhunt
from companion.games.manhunt.actions import End, Hide, Surrender
from companion.games.manhunt.options import HUNTERS, F
from tests.games.manhunt.on_paper import Act, PaperGame, acts_from, breaks, pages_from
from tests.table.play import Play


class LostFugitive:
    """A random game that is played with seals, and on paper after `share` per cent of it; None is
    on paper from the start. `pages` is the true path to type at the end.

    acts: what is entered on paper, by default the truth
    """

    def __init__(
        self,
        folder: Path,
        game: PaperGame,
        share: int | None,
        acts: Sequence[Act] | None = None,
    ) -> None:
        ends = breaks(game)
        at = 0 if share is None else ends[len(ends) * share // 100]
        self.game = game
        self.pages = pages_from(game, at)
        self.acts = acts_from(game, at) if acts is None else acts
        self.play = Play(folder, Manhunt())
        self.hunters = HUNTERS[: game.players - 1]
        options = {} if share is not None else {"path": "paper"}
        setup = {**msgspec.to_builtins(game.setup), "options": options, "players": game.players}
        self.play.table.lobby.propose(setup)
        seats = self.hunters if share is None else (F, *self.hunters)
        self.play.start(*seats, players=game.players)
        self._sealed(at)
        if share is not None:
            self._switch_to_paper()
        for seat, action in self.acts:
            self.play.submit(seat, action)

    def _sealed(self, moves: int) -> None:
        turn: list[Action] = []
        for move in self.game.moves[:moves]:
            if move.seat != F:
                self.play.submit(move.seat, move.action)
                continue
            turn.append(move.action)
            if isinstance(move.action, Hide | End | Surrender):
                self.play.night(F, *turn)
                turn = []

    def _switch_to_paper(self) -> None:
        self.play.table.votes.switch_to_paper(self.hunters[0])
        for seat in (*self.hunters[1:], F):
            self.play.table.votes.cast(Seat(seat), True)
