"""What is to be played next: the game, its options, its field and the printed tiles of which that
is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.content import BOX
from companion.core.game import Game, Seat
from companion.core.placement import Cell, Tile
from companion.table import lobby
from companion.table.entries import Item
from companion.table.errors import Refused
from companion.table.events import LaidByHand, Proposed, SeatFreed, TilesLaid
from companion.table.journal import Journal, table_events


class Lobby:
    """The proposal of the table. Callers hold the desk's lock.

    `levels` gives the levels of a game's bots. `boards` are the household's own, by game: the part
    of a set-up with which it is played beside its box.
    """

    def __init__(self, desk: Journal, levels: Callable[[str], Sequence[str]]) -> None:
        self.boards: Mapping[str, Mapping[str, Any]] = {}
        self._desk = desk
        self._course = desk.course
        self._levels = levels

    def propose(self, change: Mapping[str, Any]) -> None:
        """Change the proposal.

        Who sits keeps a seat as far as there are seats; bots that cannot play it get up.
        """
        self._check_lobby()
        course = self._course
        proposal = lobby.changed_proposal(course.games, course.proposal, change)
        game = course.games[proposal.game]
        proposal = lobby.with_board(game, proposal, self.boards.get(game.name, {}), change)
        proposal = lobby.with_choices(game, proposal, change)
        unfit = [
            seat
            for seat, level in course.bots().items()
            if level not in self._levels(proposal.game)
        ]
        places = course.places_in(proposal, unfit)
        left = [SeatFreed(seat) for seat in course.people if seat not in places]
        if self._hands_are_real(proposal) and course.bots().keys() - {freed.seat for freed in left}:
            raise Refused("bot_without_hands")
        laid = tuple(name for name in game.laid if proposal.setup.get(name) is not None)
        told = [LaidByHand(laid)] if laid and proposal != course.proposal else []
        self._desk.commit(table_events(*left, proposal, *told))

    def choose(self, seat: Seat, what: str, choice: str | None) -> None:
        """Let a seat choose in public, or with None take its choice back. A person goes before a
        bot that has chosen the same.
        """
        self._check_lobby()
        course = self._course
        game = course.games[course.proposal.game]
        offered = game.choices(lobby.read_setup(game, course.proposal)).get(what, [])
        if seat not in course.seat_names():
            raise Refused("no_such_seat")
        if what not in game.chosen or (
            choice is not None and choice not in {entry["id"] for entry in offered}
        ):
            raise Refused("no_such_choice")
        chosen: Mapping[Seat, str] = course.proposal.setup.get(what, {})
        proposal, bots = course.proposal, course.bots()
        for holder in [
            other for other, taken in chosen.items() if taken == choice and other != seat
        ]:
            if holder not in bots or seat in bots:
                raise Refused("choice_taken", seat=holder)
            proposal = lobby.with_choice(game, proposal, holder, {what: None})
        proposal = lobby.with_choice(game, proposal, seat, {what: choice})
        if proposal != course.proposal:
            self._desk.commit(table_events(proposal))

    def propose_board(self, game: str, board: Mapping[str, Any]) -> None:
        """Propose a game on the household's own board, and keep to that board."""
        self.boards = {**self.boards, game: board}
        proposed = self._course.proposal
        options = proposed.setup.get("options", {}) if proposed.game == game else {}
        self.propose({"game": game, "options": {**options, "content": BOX}, **board})

    def keep_to_board(self) -> None:
        """Propose the household's present board again where the next game is played on one."""
        if self._course.proposal.game in self.boards and self.hands_are_real():
            self.propose({})

    def hands_are_real(self) -> bool:
        """Whether real cards lie in the hands of who plays what is proposed."""
        return self._hands_are_real(self._course.proposal)

    @property
    def tiles_to_be(self) -> Mapping[Cell, Tile]:
        """The printed tiles last seen, else those of the proposed field's sheet, if there is
        one.
        """
        if self._desk.tiles:
            return self._desk.tiles
        steps = (self._desk.picture["lobby"]["sheet"] or {"tiles": {}})["tiles"]
        return {Cell(cell): Tile(number, turn) for cell, (number, turn, *_) in steps.items()}

    def check_tiles(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Hold tiles against the running game's field, as `lobby.tile_instructions` does."""
        game = self._course.game
        if game is None:
            raise Refused("no_game")
        standing = Proposed(
            game.name, self._course.proposal.players, game.field_setup(self._course.told.public)
        )
        steps: dict[str, Any] = lobby.tile_instructions(
            game, standing, tiles, self._desk.tiles or tiles
        )["tiles"]
        return steps

    def propose_tiles(self, tiles: Mapping[Cell, Tile] | None) -> None:
        """Propose the field that these printed tiles make, or those last seen."""
        self._check_lobby()
        game = self._course.games[self._course.proposal.game]
        self.propose(game.setup_of_tiles(self._desk.tiles if tiles is None else tiles))
        if tiles is not None:
            self._desk.set_tiles(tiles)
        if laid := self.tiles_laid(game):
            self._desk.commit(laid)

    def tiles_laid(self, game: Game) -> list[Item]:
        """Return the item by which it is kept of which printed tiles the proposed field is made, if
        that is news.
        """
        tiles, course = self._desk.tiles, self._course
        news = tiles != course.tiles and lobby.is_made_of(game, course.proposal, tiles)
        return table_events(TilesLaid(dict(tiles))) if news else []

    def _check_lobby(self) -> None:
        if self._course.game is not None:
            raise Refused("game_running")

    def _hands_are_real(self, proposal: Proposed) -> bool:
        game = self._course.games[proposal.game]
        return game.hands_are_real(lobby.read_setup(game, proposal))
