"""Play the bots' turns: compute beside the table, act through `Table.submit`.

A secret turn is submitted at a fixed time after nightfall, independent of the bot's computing time.
An open action is shown before it is taken. If a real board sees the pawns, a person moves the pawn
and the board reader submits the move; otherwise the table takes it after people had time to see it.
A bot answers a question for a card after a fixed time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import partial
from random import Random

from companion.bots.external import BotFailed, BotFault
from companion.bots.external_pool import ExternalBotPool
from companion.clock import Clock
from companion.core.capabilities import Bots
from companion.core.codec import encode_actions
from companion.core.game import Action, Event, Game, GameError, IllegalAction, Seat, View
from companion.core.search_budget import SearchBudget
from companion.games import find_game
from companion.table.bot_views import BotTurn
from companion.table.results import AUTO_LEVEL
from companion.table.table import Table

_log = logging.getLogger("companion.bots")

MOVE_DELAY = 1.5
"""Seconds between the last change and a bot's reaction."""
ANSWER_DELAY = 0.5
"""Seconds between the question for a support card and a bot's answer."""
PREVIEW_TIME = 2.5
"""Seconds for which people see a bot's next action."""
SECRET_TURN_DELAY = 6.0
"""Seconds after nightfall at which a bot submits its night."""
START_DELAY = 6.0
"""Seconds between the last change and an external bot's action if its process has to start: more
than its first answer may take.
"""
TIMED_START_DELAY = 4.5
"""The same in a secret turn that always takes the same time: less than the shortest one takes, or
the table would act for the seat.
"""
THINK_SECONDS = 1.0
"""Seconds of a decision: less than `MOVE_DELAY` and `SECRET_TURN_DELAY`, to show no thinking."""
STAND_INS = ("heuristic", "greedy", "random")
"""The levels that replace a failed bot at a seat with a secret; the first that the game has."""
RETRY_SECONDS = 3.0
"""Seconds until a refused action is tried again: the table may need a hand, or a disk be full."""


class BotRunner:
    """Play every seat that was given to a bot.

    has_board: returns whether a real board reads the pawns now
    A bot that raises loses its seat, as an external bot does.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        entropy: Callable[[int], bytes],
        executor: Executor,
        has_board: Callable[[], bool],
        programs: ExternalBotPool,
    ) -> None:
        self._table = table
        self._clock = clock
        self._entropy = entropy
        self._executor = executor
        self._has_board = has_board
        self._programs = programs
        self._turn: BotTurn | None = None
        self._plan = 0
        self._asked: Seat | None = None
        if programs.names:
            table.journal.show_external_bots(programs.names)
        table.on_publish(self._plan_next)
        self._plan_next()

    def _plan_next(self) -> None:
        """Plan the next action of the bot to move, once for each state of the game."""
        self._plan_choices()
        turn = self._table.bots.turn()
        if turn == self._turn:
            return
        self._turn = turn
        self._plan += 1
        if turn is not None:
            now = self._clock.monotonic()
            self._clock.call_at(now, partial(self._begin, self._plan, turn, now))

    def _plan_choices(self) -> None:
        """Plan the choices of bots in the lobby."""
        lobby = self._table.snapshot()["lobby"]
        for what in lobby.get("choices", {}):
            for seat, level in self._table.bots.levels().items():
                if seat not in (lobby[what] or {}):
                    self._clock.call_at(
                        self._clock.monotonic(), partial(self._choose, seat, level, what)
                    )

    def _choose(self, seat: Seat, level: str, what: str) -> None:
        snapshot, offered = (
            self._table.snapshot(),
            self._table.reference().get("choices", {}).get(what, []),
        )
        chosen = snapshot["lobby"].get(what) or {}
        left = [entry for entry in offered if entry["id"] not in chosen.values()]
        if seat in chosen or self._table.bots.levels().get(seat) != level or not left:
            return
        with suppress(GameError):
            entry = self._bots().choose(left, level, Random(self._entropy(16)))
            self._table.lobby.choose(seat, what, entry)

    def _begin(self, plan: int, turn: BotTurn, since: float) -> None:
        if plan != self._plan:
            return
        if self._asked is not None:
            # An answer that did not count ends its process: a busy one would restart, and the time
            # of its next action would show that.
            self._programs.stop(self._asked)
            self._asked = None
        try:
            game, view, history = self._table.bots.view(turn.seat)
        except GameError:
            # Somebody took the seat; the next check of the table finds out.
            return
        wait = self._wait(turn)
        budget = SearchBudget(Random(self._entropy(16)), THINK_SECONDS, self._clock.monotonic)
        thought = self._executor.submit(self._think, turn, game, view, history, budget)
        if self._is_external(turn):
            self._asked = turn.seat
        decided = partial(self._decided, plan, turn, thought)
        self._clock.call_at(since + wait, partial(self._clock.call_after, thought, decided))

    def _wait(self, turn: BotTurn) -> float:
        """Return the seconds from the last change to the bot's action; they reveal no secret."""
        # If a secret turn always takes the same time, nobody sees when it is submitted.
        if turn.secret and not turn.timed:
            return SECRET_TURN_DELAY
        if self._is_external(turn):
            is_running = self._programs.is_running(turn.seat, turn.level, turn.branch)
            starting = TIMED_START_DELAY if turn.timed else START_DELAY
            return MOVE_DELAY if is_running else starting
        view = self._table.snapshot()["view"]
        return ANSWER_DELAY if view and self._bots().is_asked(view) else MOVE_DELAY

    def _is_external(self, turn: BotTurn) -> bool:
        return turn.level not in self._bots().levels

    def _bots(self) -> Bots:
        """Return the bots of the table's game."""
        name = self._table.snapshot()["game"]
        bots = find_game(name).bots
        assert bots is not None, f"{name} has no bots"
        return bots

    def _think(
        self,
        turn: BotTurn,
        game: Game,
        view: View,
        history: Sequence[Event],
        budget: SearchBudget,
    ) -> list[Action]:
        bots = game.bots
        assert bots is not None, f"{game.name} has no bots"
        if turn.level not in bots.levels:
            return self._programs.act(game, turn.seat, turn.level, view, history, turn.branch)
        bot = bots.make(turn.seat, turn.level, budget)
        for event in history:
            bot.observe(event)
        return bot.act(view)

    def _decided(self, plan: int, turn: BotTurn, thought: Future[list[Action]]) -> None:
        if plan != self._plan:
            return
        self._asked = None
        actions = self._outcome(plan, turn, thought)
        if not actions:
            return
        # A seat whose choices are its own secret shows nothing before it acts.
        snapshot = self._table.snapshot()
        is_hidden = not snapshot["legal"]
        if snapshot["view"] and self._bots().is_answer_read(snapshot["view"]):
            self._clock.call_at(
                self._clock.monotonic() + PREVIEW_TIME, partial(self._act, plan, turn, actions)
            )
        elif turn.secret or is_hidden or encode_actions(actions)[0]["type"] in ("end", "pass"):
            self._act(plan, turn, actions)
        else:
            self._show(plan, turn, actions)

    def _show(self, plan: int, turn: BotTurn, actions: list[Action]) -> None:
        """Show the next action; then take it, or wait for a person to do it on a real board."""
        if plan != self._plan:
            return
        try:
            self._table.aim(turn.seat, actions[:1])
        except GameError:
            self._clock.call_at(
                self._clock.monotonic() + RETRY_SECONDS, partial(self._show, plan, turn, actions)
            )
            return
        self._clock.call_at(
            self._clock.monotonic() + PREVIEW_TIME,
            partial(self._play_after_preview, plan, turn, actions),
        )

    def _play_after_preview(self, plan: int, turn: BotTurn, actions: list[Action]) -> None:
        if plan != self._plan:
            return
        kind = encode_actions(actions)[0]["type"]
        by_hand = kind in self._bots().by_hand and self._has_board()
        if by_hand:
            self._clock.call_at(
                self._clock.monotonic() + RETRY_SECONDS, partial(self._show, plan, turn, actions)
            )
        else:
            self._act(plan, turn, actions)

    def _act(self, plan: int, turn: BotTurn, actions: Sequence[Action]) -> None:
        if plan != self._plan:
            return
        try:
            self._table.submit(turn.seat, actions, id=self._entropy(16).hex(), expect=turn.position)
        except GameError as wrong:
            if is_forbidden_turn(wrong):
                self._evict(plan, turn, "forbidden")
                return
            self._clock.call_at(
                self._clock.monotonic() + RETRY_SECONDS, partial(self._act, plan, turn, actions)
            )

    def _outcome(self, plan: int, turn: BotTurn, thought: Future[list[Action]]) -> list[Action]:
        """Return a bot's decision, which is there; [] if it failed, and so loses its seat."""
        try:
            return thought.result()
        except BotFailed as lost:
            self._evict(plan, turn, lost.fault)
        except Exception as error:
            # People continue after any error of a bot; the error's text may reveal the bot's
            # secrets.
            _log.error("the bot at %s failed with %s", turn.seat, type(error).__name__)
            self._evict(plan, turn, "failed")
        return []

    def _evict(self, plan: int, turn: BotTurn, fault: BotFault) -> None:
        """Take the seat from a bot; `fault` reveals no secret of the seat."""
        if plan != self._plan:
            return
        self._programs.stop(turn.seat)
        known = self._bots().levels
        stand_in = next(level for level in STAND_INS if level in known and level != turn.level)
        try:
            self._table.seats.evict_bot(turn.seat, fault, stand_in)
        except GameError:
            self._clock.call_at(
                self._clock.monotonic() + RETRY_SECONDS, partial(self._evict, plan, turn, fault)
            )


def bot_levels(games: Sequence[Game], programs: Sequence[str]) -> dict[str, Sequence[str]]:
    """Return the levels of each game's bots, with the names of the external `programs`."""
    return {
        game.name: (*game.bots.levels, AUTO_LEVEL, *programs)
        for game in games
        if game.bots is not None
    }


def is_forbidden_turn(wrong: GameError) -> bool:
    """Return whether a turn was refused for its content, not for the moment."""
    return isinstance(wrong, IllegalAction) or wrong.message.code in (
        "night_unfinished",
        "no_actions",
    )
