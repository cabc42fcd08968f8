"""Hold one game from its start on, and apply the log's entries to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.core.codec import decode_event, tag_names
from companion.core.game import Event, Game, Message, PrivateEvent, PublicEvent, Seat, State
from companion.table.entries import Dealt, Submission
from companion.table.errors import UnreadableEntry
from companion.table.events import (
    DealSealed,
    NightFell,
    NightSealed,
    PaperPathEntered,
    describe_event,
)
from companion.table.fairness import commitment
from companion.table.fairness.shuffle import DEAL_DRAW, Shuffle
from companion.table.public_log import PublicLog

NIGHTFALL = tag_names((NightFell,))


class HistoryStep(Struct, frozen=True):
    """One submission that counts: an open action or a whole secret turn.

    before: the state before it
    is_free: whether it revealed nothing to anybody
    is_bot: whether a bot held the seat
    disclosed: the messages of its public disclosures
    number: of this secret turn, or of the last one before it
    line: the sealed line of a secret turn
    history_length: the number of the game's public events before it
    """

    seat: Seat
    before: State
    is_free: bool
    is_bot: bool
    disclosed: tuple[Message, ...]
    private_events: tuple[PrivateEvent, ...]
    number: int
    history_length: int
    line: str = ""


class Night(Struct, frozen=True):
    """A secret turn that has begun and is not revealed yet."""

    number: int


class GameRun:
    """One game from its start on; without a `game` while the table is in the lobby.

    `state` follows the log, `published` the events revealed so far. They differ only between the
    commit of a secret turn and its last publication, while `pending_reveal` holds the public events
    still to come (`revealing` after the first of them). Everything that others see comes from
    `published`, `night`, `published_steps` and the like, never from `state`.

    `branch` is the public position at which the present line of play began: the game's start, or
    its last undo. `disclosed` are the public lines that disclosed something, each with the length
    of `public_history` before it. `changed_at` is the public position of the game's last change.
    `awaited` is that of an answer for which everybody waits, until the next change.
    `draws` counts the draws from `shuffle`, `secret_lines` are the sealed lines in order.
    `is_counted` is whether its end counts in the results of people against bots.
    """

    def __init__(self, game: Game | None = None, key: str = "", branch: int = 0) -> None:
        self.game = game
        self.key = key
        self.branch = branch
        self.state = self.published = game.initial() if game else State(None)
        self.changed_at = 0
        self.awaited: int | None = None
        self.steps: list[HistoryStep] = []
        self.dealt_private: tuple[PrivateEvent, ...] = ()
        self.deal_seal: DealSealed | None = None
        self.shuffle: Shuffle | None = None
        self.draws = DEAL_DRAW
        self.pending_reveal: list[PublicEvent] = []
        self.public_history: list[PublicEvent] = []
        self.disclosed: list[tuple[int, dict[str, Any]]] = []
        self.revealing = False
        self.night: Night | None = None
        self.last_seal: NightSealed | None = None
        self.secret_lines: list[str] = []
        self.paper: PaperPathEntered | None = None
        self.marks: dict[str, str] = {}
        self.is_counted = True

    @property
    def over(self) -> bool:
        """Whether the game has been published to its end."""
        return self.game is not None and self.game.outcome(self.published.public) is not None

    @property
    def playing(self) -> bool:
        return self.game is not None and not self.over

    @property
    def published_steps(self) -> list[HistoryStep]:
        """The steps, without a secret turn that is not completely revealed."""
        return self.steps[:-1] if self.pending_reveal else self.steps

    @property
    def next_number(self) -> int:
        """The number of the next seal."""
        return self.last_seal.number + 1 if self.last_seal else 1

    @property
    def disclosures(self) -> list[dict[str, Any]]:
        """The disclosing lines that were not undone, and the nightfalls between them, in order."""
        return [line for _, line in self.disclosed]

    def running(self) -> Game:
        """Return the game; raise `UnreadableEntry` if none was started."""
        if self.game is None:
            raise UnreadableEntry("an entry of a game that was never started")
        return self.game

    def full_history(self) -> list[Event]:
        """Return all events, also private ones, in order; within a step the private ones first."""
        history: list[Event] = [*self.dealt_private]
        length = 0
        for step in self.published_steps:
            history += self.public_history[length : step.history_length]
            history += step.private_events
            length = step.history_length
        return [*history, *self.public_history[length:]]

    def apply_deal(self, item: Dealt, log: PublicLog) -> None:
        """Apply the game's set-up."""
        if item.line:
            self.deal_seal = DealSealed(commitment.commit(item.line))
            log.add(self.deal_seal, describe_event(self.deal_seal))
        self.dealt_private = private_events(self.apply_events(item.events, log))

    def apply_submission(self, item: Submission, log: PublicLog, *, is_bot: bool) -> None:
        """Apply an open action, or a whole secret turn, which stays unpublished."""
        self.draws += bool(item.chance)
        if item.line:
            self._apply_secret_turn(item, is_bot)
            return
        before, length = self.state, len(self.public_history)
        events = self.apply_events(item.events, log)
        is_free = not self._disclosed_by(events) and not private_events(events)
        self._add_step(item.seat, before, length, events, is_bot=is_bot, is_free=is_free)

    def apply_agreed(self, seat: Seat, values: Sequence[dict[str, Any]], log: PublicLog) -> None:
        """Apply events that everybody agreed to. One seat alone never takes them back."""
        before, length = self.state, len(self.public_history)
        self.apply_events(values, log)
        self._add_step(seat, before, length, ())
        self.night = None

    def apply_events(self, values: Sequence[dict[str, Any]], log: PublicLog) -> list[Event]:
        """Apply events and publish the public ones; return them all."""
        game, events = self.running(), self._decode(values)
        self.awaited = None
        for event in events:
            self.state = game.evolve(self.state, event)
            if isinstance(event, PublicEvent):
                self._publish(event, log)
        self.published, self.changed_at = self.state, log.position
        return events

    def apply_reveal(self, count: int, log: PublicLog) -> None:
        """Publish the next `count` events of the secret turn."""
        game = self.running()
        self.revealing, self.night, self.awaited = True, None, None
        for event in self.pending_reveal[:count]:
            if isinstance(event, NightSealed):
                self.last_seal = event
                self.secret_lines.append(self.steps[-1].line)
                log.add(event, describe_event(event))
            else:
                self.published = game.evolve(self.published, event)
                self._publish(event, log)
        del self.pending_reveal[:count]
        self.changed_at = log.position
        if not self.pending_reveal:
            self.revealing, self.published = False, self.state

    def withdraw(self) -> None:
        """Drop the secret turn that was submitted and not revealed."""
        self.state = self.published = self.steps.pop().before
        self.pending_reveal = []

    def rewind(self, to: int, position: int) -> None:
        """Go back to the state after the first `to` steps."""
        self.state = self.published = self.steps[to].before
        length = self.steps[to].history_length
        self.disclosed = [each for each in self.disclosed if each[0] < length]
        del self.public_history[length:]
        del self.steps[to:]
        self.night, self.changed_at, self.branch = None, position, position
        self.awaited = None

    def begin_night(self, number: int, line: dict[str, Any]) -> None:
        """Begin a secret turn, which was published by this line.

        The line belongs to the event before it. A night that was taken back falls again under
        another number, and its line replaces the earlier one.
        """
        self.night = Night(number)
        place = len(self.public_history) - 1
        self.disclosed = [
            each
            for each in self.disclosed
            if each[0] != place or each[1]["event"]["event"] not in NIGHTFALL
        ]
        self.disclosed.append((place, line))

    def start_shuffle(self, seed: str, shares: Mapping[Seat, str]) -> None:
        """Draw from the fair shuffle of a seed line and the phones' shares from now on."""
        try:
            self.shuffle, self.draws = Shuffle.from_shares(seed, shares), DEAL_DRAW + 1
        except ValueError as wrong:
            raise UnreadableEntry(str(wrong)) from wrong

    def mark(self, cell: str, mark: str) -> None:
        """Set a pencil mark, or delete it with ""."""
        marks = self.marks | {cell: mark}
        self.marks = {key: value for key, value in marks.items() if value}

    def _apply_secret_turn(self, item: Submission, is_bot: bool) -> None:
        before, events = self.state, self._decode(item.events)
        self.state = self.running().fold(events, before)
        length = len(self.public_history)
        self._add_step(item.seat, before, length, events, is_bot=is_bot, line=item.line)
        sealed = NightSealed(item.seat, self.next_number, commitment.commit(item.line))
        self.pending_reveal = [sealed, *public_events(events)]

    def _add_step(
        self,
        seat: Seat,
        before: State,
        length: int,
        events: Sequence[Event],
        *,
        is_bot: bool = False,
        is_free: bool = False,
        line: str = "",
    ) -> None:
        disclosed, private = self._disclosed_by(events), private_events(events)
        number = self.next_number if line else self.next_number - 1
        self.steps.append(
            HistoryStep(seat, before, is_free, is_bot, disclosed, private, number, length, line)
        )

    def _publish(self, event: PublicEvent, log: PublicLog) -> None:
        line = log.add(event, event.message())
        if type(event).discloses:
            self.disclosed.append((len(self.public_history), line))
        if type(event).is_awaited:
            self.awaited = line["position"]
        self.public_history.append(event)

    def _disclosed_by(self, events: Sequence[Event]) -> tuple[Message, ...]:
        return tuple(event.message() for event in public_events(events) if type(event).discloses)

    def _decode(self, values: Sequence[dict[str, Any]]) -> list[Event]:
        game = self.running()
        return [decode_stored_event(value, game.events) for value in values]


def decode_stored_event(value: dict[str, Any], types: tuple[type[Event], ...]) -> Event:
    """Return the event, one of `types`, of a JSON value; raise `UnreadableEntry`."""
    try:
        return decode_event(types, value)
    except ValueError as wrong:
        raise UnreadableEntry(str(wrong)) from wrong


def public_events(events: Sequence[Event]) -> list[PublicEvent]:
    """Return the public events among these."""
    return [event for event in events if isinstance(event, PublicEvent)]


def private_events(events: Sequence[Event]) -> tuple[PrivateEvent, ...]:
    """Return the private events among these."""
    return tuple(event for event in events if isinstance(event, PrivateEvent))
