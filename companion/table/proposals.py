"""Change what is proposed: the game, its options, its field and the printed tiles."""

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
from companion.table.journal import Journal, table_event_items


class Lobby:
    """The proposal of the table. Callers hold the journal's lock.

    `levels` gives the levels of a game's bots. `boards` are the household's own, by game: the part
    of a set-up with which it is played beside its box.
    """

    def __init__(self, journal: Journal, levels: Callable[[str], Sequence[str]]) -> None:
        self.custom_boards: Mapping[str, Mapping[str, Any]] = {}
        self._journal = journal
        self._state = journal.state
        self._levels = levels

    def propose(self, change: Mapping[str, Any]) -> None:
        """Change the proposal.

        Who sits keeps a seat as far as there are seats; bots that cannot play it get up.
        """
        self._check_lobby()
        table = self._state
        proposal = lobby.changed_proposal(table.games, table.proposal, change)
        game = table.games[proposal.game]
        proposal = lobby.with_board(game, proposal, self.custom_boards.get(game.name, {}), change)
        proposal = lobby.with_choices(game, proposal, change)
        unfit = [
            seat
            for seat, level in table.seats_of_bots().items()
            if level not in self._levels(proposal.game)
        ]
        places = table.places_in(proposal, unfit)
        left = [SeatFreed(seat) for seat in table.people if seat not in places]
        if self._hands_are_real(proposal) and table.seats_of_bots().keys() - {
            freed.seat for freed in left
        }:
            raise Refused("bot_without_hands")
        laid = tuple(name for name in game.laid if proposal.setup.get(name) is not None)
        told = [LaidByHand(laid)] if laid and proposal != table.proposal else []
        self._journal.commit(table_event_items(*left, proposal, *told))

    def choose(self, seat: Seat, what: str, choice: str | None) -> None:
        """Let a seat choose in public, or with None take its choice back. A person goes before a
        bot that has chosen the same.
        """
        self._check_lobby()
        table = self._state
        game = table.games[table.proposal.game]
        offered = game.choices(lobby.read_setup(game, table.proposal)).get(what, [])
        if seat not in table.seat_names():
            raise Refused("no_such_seat")
        if what not in game.chosen or (
            choice is not None and choice not in {entry["id"] for entry in offered}
        ):
            raise Refused("no_such_choice")
        chosen: Mapping[Seat, str] = table.proposal.setup.get(what, {})
        proposal, bots = table.proposal, table.seats_of_bots()
        for holder in [
            other for other, taken in chosen.items() if taken == choice and other != seat
        ]:
            if holder not in bots or seat in bots:
                raise Refused("choice_taken", seat=holder)
            proposal = lobby.with_choice(game, proposal, holder, {what: None})
        proposal = lobby.with_choice(game, proposal, seat, {what: choice})
        if proposal != table.proposal:
            self._journal.commit(table_event_items(proposal))

    def propose_board(self, game: str, board: Mapping[str, Any]) -> None:
        """Propose a game on the household's own board, and keep to that board."""
        self.custom_boards = {**self.custom_boards, game: board}
        proposed = self._state.proposal
        options = proposed.setup.get("options", {}) if proposed.game == game else {}
        self.propose({"game": game, "options": {**options, "content": BOX}, **board})

    def keep_to_board(self) -> None:
        """Propose the household's present board again where the next game is played on one."""
        if self._state.proposal.game in self.custom_boards and self.hands_are_real():
            self.propose({})

    def hands_are_real(self) -> bool:
        """Whether real cards lie in the hands of who plays what is proposed."""
        return self._hands_are_real(self._state.proposal)

    @property
    def expected_tiles(self) -> Mapping[Cell, Tile]:
        """The printed tiles last seen, else those of the proposed field's sheet, if there is
        one.
        """
        if self._journal.tiles:
            return self._journal.tiles
        steps = (self._journal.snapshot["lobby"]["sheet"] or {"tiles": {}})["tiles"]
        return {Cell(cell): Tile(number, turn) for cell, (number, turn, *_) in steps.items()}

    def check_tiles(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Hold tiles against the running game's field, as `lobby.tile_instructions` does."""
        game = self._state.run.game
        if game is None:
            raise Refused("no_game")
        standing = Proposed(
            game.name,
            self._state.proposal.players,
            game.tiles.of_game(self._state.run.published.public),
        )
        steps: dict[str, Any] = lobby.tile_instructions(
            game, standing, tiles, self._journal.tiles or tiles
        )["tiles"]
        return steps

    def propose_tiles(self, tiles: Mapping[Cell, Tile] | None) -> None:
        """Propose the field that these printed tiles make, or those last seen."""
        self._check_lobby()
        game = self._state.games[self._state.proposal.game]
        self.propose(game.tiles.to_setup(self._journal.tiles if tiles is None else tiles))
        if tiles is not None:
            self._journal.show_tiles(tiles)
        if laid := self.tiles_laid(game):
            self._journal.commit(laid)

    def tiles_laid(self, game: Game) -> list[Item]:
        """Return an item with the printed tiles of the proposed field, if they changed."""
        tiles, table = self._journal.tiles, self._state
        news = tiles != table.tiles and lobby.is_made_of(game, table.proposal, tiles)
        return table_event_items(TilesLaid(dict(tiles))) if news else []

    def _check_lobby(self) -> None:
        if self._state.run.game is not None:
            raise Refused("game_running")

    def _hands_are_real(self, proposal: Proposed) -> bool:
        game = self._state.games[proposal.game]
        return game.hands_are_real(lobby.read_setup(game, proposal))
