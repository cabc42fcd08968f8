"""Change the proposed game, its options, field and printed tiles, and begin it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Any

from companion.core.content import BOX, SAMPLE_LABEL
from companion.core.game import Game, Seat
from companion.core.placement import Cell, Tile
from companion.table.entries import Item
from companion.table.errors import Refused
from companion.table.events import (
    CustomSetup,
    GameStarted,
    LevelChosen,
    Proposed,
    RulesOverruled,
    SeatFreed,
    TilesLaid,
)
from companion.table.fairness import commitment
from companion.table.journal import Journal, JournalPart, locked, table_event_items
from companion.table.results import AUTO_LEVEL
from companion.table.seed_commitment import SeedCommitment
from companion.table.setup import (
    changed_proposal,
    custom_setup_fields,
    has_real_cards,
    is_made_of,
    on_own_board,
    read_setup,
    tile_instructions,
    with_board,
    with_choice,
    with_choices,
)
from companion.table.submit import deal


class Lobby(JournalPart):
    """The table before a game.

    `bot_levels`: the levels of each game's bots, with `AUTO_LEVEL`. `custom_boards`: by game, the
    board that somebody typed for play with real cards, as part of a set-up.
    `entropy` is cryptographic, `rng` is for games without a fair shuffle.
    """

    def __init__(
        self,
        journal: Journal,
        seeds: SeedCommitment,
        entropy: Callable[[int], bytes],
        rng: Random,
        custom_boards: Mapping[str, Mapping[str, Any]],
        bot_levels: Mapping[str, Sequence[str]],
    ) -> None:
        super().__init__(journal)
        self.custom_boards = custom_boards
        self.bot_levels = bot_levels
        self._seeds = seeds
        self._entropy = entropy
        self._rng = rng

    def check_open(self) -> None:
        """Raise `Refused` ("game_running") unless a game may be proposed."""
        if self.state.run.game is not None:
            raise Refused("game_running")

    @locked
    def propose(self, change: Mapping[str, Any]) -> None:
        """Propose a game: "game", "players", "options", "field", "start"; None removes a field.

        People keep their seats if there are enough; bots that cannot play the game lose theirs.
        Broken rules become the lobby's warnings. Raises `Refused` for values that cannot be read,
        and ("bot_without_hands") for real cards in the hands of a bot that keeps its seat.
        """
        self.check_open()
        state = self.state
        proposal = changed_proposal(state.games, state.proposal, change)
        game = state.games[proposal.game]
        proposal = with_board(game, proposal, self.custom_boards.get(game.name, {}), change)
        proposal = with_choices(game, proposal, change)
        bots = state.seats_of_bots()
        unfit = [seat for seat, level in bots.items() if level not in self.levels(game.name)]
        places = state.places_in(proposal, unfit)
        left = [seat for seat in state.people if seat not in places]
        if has_real_cards(game, proposal) and bots.keys() - set(left):
            raise Refused("bot_without_hands")
        custom_setup = custom_setup_fields(game, proposal)
        custom_events = (
            [CustomSetup(custom_setup)] if custom_setup and proposal != state.proposal else []
        )
        self.commit_events(*map(SeatFreed, left), proposal, *custom_events)
        self._seeds.seal()

    @locked
    def choose(self, seat: Seat, what: str, choice: str | None) -> None:
        """Let a seat choose in public one of the lobby's "choices"; None takes the choice back.

        No two seats can choose the same, but a person can take a bot's choice. Raises `Refused`
        ("no_such_choice", "choice_taken", "no_such_seat", "game_running").
        """
        self.check_open()
        state, game = self.state, self.state.proposed_game
        offered = game.choices(read_setup(game, state.proposal.setup)).get(what, [])
        if seat not in state.seat_names():
            raise Refused("no_such_seat")
        if what not in game.chosen or (
            choice is not None and choice not in {entry["id"] for entry in offered}
        ):
            raise Refused("no_such_choice")
        chosen: Mapping[Seat, str] = state.proposal.setup.get(what, {})
        proposal, bots = state.proposal, state.seats_of_bots()
        for holder, taken in chosen.items():
            if taken != choice or holder == seat:
                continue
            if holder not in bots or seat in bots:
                raise Refused("choice_taken", seat=holder)
            proposal = with_choice(proposal, holder, {what: None})
        proposal = with_choice(proposal, seat, {what: choice})
        if proposal != state.proposal:
            self.commit_events(proposal)

    @locked
    def propose_board(self, game: str, board: Mapping[str, Any]) -> None:
        """Propose a game beside its box on a typed board, a part of its set-up, and remember that
        board. Raises `Refused` as `propose` does.
        """
        self.custom_boards = {**self.custom_boards, game: board}
        proposed = self.state.proposal
        options = proposed.setup.get("options", {}) if proposed.game == game else {}
        self.propose({"game": game, "options": {**options, "content": BOX}, **board})

    def prepare_next(self) -> None:
        """Seal a seed for the next game, and propose the typed board again if the game uses one. If
        the disk refuses the write, a later change tries again.
        """
        state = self.state
        if state.proposal.game in self.custom_boards and on_own_board(
            state.proposed_game, state.proposal
        ):
            with suppress(Refused):
                self.propose({})
        self._seeds.seal()

    def levels(self, game: str) -> Sequence[str]:
        """Return the levels of a game's bots."""
        return self.bot_levels.get(game, ())

    def has_real_cards(self) -> bool:
        """Return whether players of the proposed game hold real cards."""
        return has_real_cards(self.state.proposed_game, self.state.proposal)

    @property
    def expected_tiles(self) -> Mapping[Cell, Tile]:
        """The printed tiles on the table.

        Those last seen, else those of the proposed field's sheet; none if the printed tiles cannot
        make it.
        """
        if self.journal.tiles:
            return self.journal.tiles
        steps = (self.journal.snapshot["lobby"]["sheet"] or {"tiles": {}})["tiles"]
        return {Cell(cell): Tile(number, turn) for cell, (number, turn, *_) in steps.items()}

    @locked
    def check_tiles(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Compare these tiles with the running game's field, cell by cell, as `tile_instructions`
        does; raise `Refused` ("no_game").
        """
        run = self.state.run
        if run.game is None:
            raise Refused("no_game")
        field = run.game.tiles.of_game(run.published.public)
        standing = Proposed(run.game.name, self.state.proposal.players, field)
        steps: dict[str, Any] = tile_instructions(
            run.game, standing, tiles, self.journal.tiles or tiles
        )["tiles"]
        return steps

    @locked
    def propose_tiles(self, tiles: Mapping[Cell, Tile] | None = None) -> None:
        """Propose the field that printed tiles make: these, or those last seen.

        Broken rules become the lobby's warnings. Raises the game's `InvalidSetup`, which names the
        tiles that make no field.
        """
        self.check_open()
        game = self.state.proposed_game
        self.propose(game.tiles.to_setup(self.journal.tiles if tiles is None else tiles))
        if tiles is not None:
            self.journal.show_tiles(tiles)
        if tiles_laid := self._tiles_laid(game):
            self.journal.commit(tiles_laid)

    def startable_game(self) -> Game:
        """Return the game that can begin now.

        Raises `Refused`: "game_running", "not_ready", "seat_of_person", or "seat_open" while a seat
        with a secret is empty.
        """
        self.check_open()
        state, ready = self.state, self.journal.setup_check.state
        if ready is None:
            raise Refused("not_ready")
        if wrong := state.wrong_seat(ready):
            raise Refused(wrong.code, **wrong.params)
        return state.proposed_game

    def begin(self) -> list[Item]:
        """Return the items that begin the proposed game; raise `Refused` as `startable_game`."""
        game, state = self.startable_game(), self.state
        names = state.seat_names()
        shuffled, rng = self._seeds.begin(game) if game.random_fields else ([], self._rng)
        events = game.setup(names, read_setup(game, state.proposal.setup), rng)
        start = game.fold(events)
        keys = [bytes.fromhex(state.people[seat].key) for seat in names if seat in state.people]
        key = commitment.game_key(keys, self._entropy(16))
        label = SAMPLE_LABEL if game.is_sample(start.public) else ""
        started = GameStarted(state.number + 1, game.name, state.proposal.players, key, label)
        custom_setup, warnings = state.custom_setup, tuple(game.setup_warnings(start.public))
        overruled = [RulesOverruled(len(warnings), warnings)] if warnings else []
        chosen = [
            LevelChosen(seat, state.auto_level(seat))
            for seat, level in state.seats_of_bots().items()
            if level == AUTO_LEVEL
        ]
        return [
            *self._tiles_laid(game),
            *table_event_items(started),
            *shuffled,
            deal(key, game, events, start, self._entropy(32)),
            *table_event_items(*chosen),
            *(table_event_items(CustomSetup(custom_setup)) if custom_setup else []),
            *table_event_items(*overruled),
            *self.journal.night_fell(game, start.public),
        ]

    def _tiles_laid(self, game: Game) -> list[Item]:
        """Return an item with the printed tiles of the proposed field, if they changed."""
        tiles, state = self.journal.tiles, self.state
        is_news = tiles != state.tiles and is_made_of(game, state.proposal, tiles)
        return table_event_items(TilesLaid(dict(tiles))) if is_news else []
