"""Hold the state of a table: everything in its log, applied item by item.

`GameRun.state` follows the log, `GameRun.published` what everybody was told. They differ only
between the commit of a secret turn and its last publication. What others see is made of
`published`, `night`, `published_steps` and the like, never of `state`.
"""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import decode_event, encode_event, tag_names
from companion.core.game import Event, Game, Message, PrivateEvent, PublicEvent, Seat, State
from companion.core.placement import Cell, PositionEdit, Tile
from companion.table.entries import (
    ByHand,
    Dealt,
    Item,
    OnPaper,
    Resigned,
    Revealed,
    Seeded,
    Submission,
    TableEvent,
    TableSnapshot,
)
from companion.table.errors import UnreadableEntry
from companion.table.events import (
    TABLE_EVENTS,
    ByHandAsked,
    ConsentGiven,
    ConsentLapsed,
    ConsentRefused,
    DealSealed,
    DrawAsked,
    EntriesLeftOut,
    EntriesLost,
    FreeAsked,
    GameStarted,
    HistoryRewound,
    LaidAsked,
    Marked,
    NightFell,
    NightSealed,
    NightWithdrawn,
    OnPaperAsked,
    PaperTold,
    Paused,
    Proposed,
    Resumed,
    Rewound,
    SeatClaimed,
    SeatForfeited,
    SeatFreed,
    SeatGiven,
    SeatHandedOn,
    SeatKey,
    SeatRenamed,
    SeedSealed,
    SettingsChanged,
    ShareGiven,
    ShuffleSealed,
    TableReopened,
    TilesLaid,
    UndoAsked,
    VoteKind,
    describe_event,
)
from companion.table.fairness import commitment
from companion.table.fairness.shuffle import DEAL_DRAW, Shuffle
from companion.table.settings import TableSettings
from companion.table.setup import laid_fields, without_choices

_T = TypeVar("_T")
RECENT_EVENTS = 500
"""Public events that are remembered for listeners who come back."""


class Person(Struct, frozen=True):
    """Who sits at a seat; `key` is the public key of the phone, "" before it is known. `bot` is the
    level of the bot that plays here, "" for a person.
    """

    name: str
    key: str = ""
    bot: str = ""


class HistoryStep(Struct, frozen=True):
    """One submission that counts: an open action or a whole secret turn, and the state before it.

    `free`: nothing was learned by it. `heard`: the private events. `number`: of the secret turn
    that it is or that was the last before it. `story` events had been told in the game before it.
    """

    seat: Seat
    before: State
    is_free: bool
    disclosed: tuple[Message, ...]
    private_events: tuple[PrivateEvent, ...]
    number: int
    line: str = ""
    history_length: int = 0


class Night(Struct, frozen=True):
    """A secret turn that has begun and is not yet told."""

    number: int
    fell_at_position: int


class Vote(Struct, frozen=True):
    """A question to the table.

    `seat` is the seat to be freed, `arrangement` what is to be set by hand.
    """

    what: VoteKind
    by: Seat
    agreed: tuple[Seat, ...]
    needed: tuple[Seat, ...]
    seat: Seat | None = None
    arrangement: PositionEdit | None = None


class GameRun:
    """One game from its start on; without a `game` while the table is in the lobby.

    `state` follows the log, `published` what everybody was told. They differ only between the
    commit of a secret turn and its last publication, while `pending_reveal` holds the public events
    still to come (`revealing` after the first of them). `disclosed` are the public lines that told
    something of a secret, each with the length of `public_history` before it. `draws` counts the
    draws from `shuffle`, `secret_lines` are the committed lines in order.
    """

    def __init__(self, game: Game | None = None, key: str = "", start: State | None = None) -> None:
        self.game = game
        self.key = key
        self.state = self.published = start or State(None)
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
        self.paper: PaperTold | None = None
        self.marks: dict[str, str] = {}


class TableState:
    """The state of a table. Only `apply` changes it."""

    def __init__(self, games: Sequence[Game], settings: TableSettings) -> None:
        self.games = {game.name: game for game in games}
        self.settings = settings
        self.proposal = self._first_proposal(games[0])
        self.people: dict[Seat, Person] = {}
        self.tiles: dict[Cell, Tile] = {}
        self.number = 0
        self.run = GameRun()
        self.seed = ""
        self.shares: dict[str, str] = {}
        self.vote: Vote | None = None
        self.paused = False
        self.position = 0
        self.changed_at = 0
        self.head = commitment.ZERO_HASH
        self.heads = {0: commitment.ZERO_HASH}
        self.history_mismatch = False
        self.recent: deque[dict[str, Any]] = deque(maxlen=RECENT_EVENTS)
        self.unpublished: list[dict[str, Any]] = []

    @staticmethod
    def _first_proposal(game: Game) -> Proposed:
        players = 3 if 3 in game.seats else game.seats[0]
        return Proposed(game.name, players, {})

    @property
    def published_steps(self) -> list[HistoryStep]:
        """The steps that everybody knows of: without a secret turn that is not told to its end."""
        return self.run.steps[:-1] if self.run.pending_reveal else self.run.steps

    @property
    def next_number(self) -> int:
        """The number of the next seal."""
        return self.run.last_seal.number + 1 if self.run.last_seal else 1

    @property
    def seed_seal(self) -> str:
        """The seal of the seed that the next shuffle draws from, "" while there is none."""
        return Seeded(self.seed).seal if self.seed else ""

    @property
    def over(self) -> bool:
        """Whether the game that was started has been told to its end."""
        return (
            self.run.game is not None
            and self.run.game.outcome(self.run.published.public) is not None
        )

    @property
    def playing(self) -> bool:
        return self.run.game is not None and not self.over

    @property
    def proposed_game(self) -> Game:
        """The game that is proposed, or was begun from the proposal."""
        return self.games[self.proposal.game]

    def seat_names(self) -> tuple[Seat, ...]:
        """Return the seats of the game that is played or proposed."""
        return self.proposed_game.seat_names(self.proposal.players)

    @property
    def laid_by_hand(self) -> tuple[str, ...]:
        """The fields of the proposal, or of the game that was begun from it, that somebody laid by
        hand.
        """
        return laid_fields(self.proposed_game, self.proposal)

    def places_in(self, proposal: Proposed, gone: Collection[Seat] = ()) -> dict[Seat, Seat]:
        """Return which seat of a proposed game each has who sits now: the same one where that game
        has it, else the next free one. People come before bots; `gone` get none, and who is left
        without a seat is not named.
        """
        names = self.games[proposal.game].seat_names(proposal.players)
        here = [seat for seat in self.seat_names() if seat in self.people and seat not in gone]
        places: dict[Seat, Seat] = {}
        for is_bot in (False, True):
            group = [seat for seat in here if bool(self.people[seat].bot) == is_bot]
            places |= {
                seat: seat for seat in group if seat in names and seat not in places.values()
            }
            free = [seat for seat in names if seat not in places.values()]
            places |= dict(zip((seat for seat in group if seat not in places), free, strict=False))
        return places

    def seats_of_people(self) -> tuple[Seat, ...]:
        """Return the seats that people hold."""
        return tuple(
            seat for seat in self.seat_names() if seat in self.people and not self.people[seat].bot
        )

    def seats_of_bots(self) -> dict[Seat, str]:
        """Return the seats that bots play, with their levels."""
        return {seat: person.bot for seat, person in self.people.items() if person.bot}

    def drain_unpublished(self) -> list[dict[str, Any]]:
        """Return the public events told since the last call, as {"position", "event", "said"}."""
        fresh, self.unpublished = self.unpublished, []
        return fresh

    def copy(self) -> TableState:
        """Return a copy that can change while this state stays as it is."""
        other = _copied(self)
        other.run = _copied(self.run)
        return other

    def apply(self, item: Item) -> None:
        """Fold one item; raise `UnreadableEntry`."""
        match item:
            case TableEvent(event=value):
                self._happen(decode_stored_event(value, TABLE_EVENTS))
            case Seeded(line=line):
                self.seed, self.shares = line, {}
                self._tell(event := SeedSealed(item.seal), describe_event(event))
            case Submission(chance=chance):
                self.run.draws += bool(chance)
                self._take(item)
            case ByHand() | OnPaper():
                self._agree(item)
            case Revealed(count=count):
                self._tell_next(count)
            case Dealt(events=values, line=line):
                if line:
                    self.run.deal_seal = DealSealed(commitment.commit(line))
                    self._tell(self.run.deal_seal, describe_event(self.run.deal_seal))
                self.run.dealt_private = private_events(self._fold_open(values))
            case Resigned(events=values):
                self._fold_open(values)
                self.run.night, self.vote = None, None
            case TableSnapshot():
                self._carry(item)

    def to_snapshot(self) -> TableSnapshot:
        """Return what goes on when the games so far are deleted; only between two games."""
        return TableSnapshot(
            encode_event(self.proposal),
            [(seat, person.name, person.key) for seat, person in self.people.items()],
            msgspec.to_builtins(self.settings),
            self.paused,
            self.number,
            self.position,
            self.head,
            {seat: person.bot for seat, person in self.people.items() if person.bot},
            self.seed,
            self.shares,
        )

    def _carry(self, item: TableSnapshot) -> None:
        proposal = decode_stored_event(item.proposal, (Proposed,))
        assert isinstance(proposal, Proposed)
        self.proposal = proposal
        self.people = {
            seat: Person(name, key, item.bots.get(seat, "")) for seat, name, key in item.people
        }
        self.settings = msgspec.convert(item.settings, TableSettings)
        self.paused, self.number = item.paused, item.number
        self.position = self.changed_at = item.position
        self.head = item.head
        self.seed, self.shares = item.seed, item.shares
        self.heads = {item.position: item.head}

    def answers(self) -> list[dict[str, Any]]:
        """Return what this game has told of its secrets so far and still stands, its nightfalls
        between, oldest first, as lines of `recent`.
        """
        return [line for _, line in self.run.disclosed]

    def full_history(self) -> list[Event]:
        """Return all that happened in the running game as far as it is told, step by step, within a
        step first what not everybody heard.
        """
        tale: list[Event] = [*self.run.dealt_private]
        told = 0
        for step in self.published_steps:
            tale += [*self.run.public_history[told : step.history_length], *step.private_events]
            told = step.history_length
        return [*tale, *self.run.public_history[told:]]

    def running(self) -> Game:
        """Return the game that was started; raise `UnreadableEntry` if there is none."""
        if self.run.game is None:
            raise UnreadableEntry("an entry of a game that was never started")
        return self.run.game

    def _tell(self, event: PublicEvent, said: Message) -> None:
        value = encode_event(event)
        self.position += 1
        self.head = self.heads[self.position] = commitment.next_head(self.head, value)
        line = {"position": self.position, "event": value, "said": msgspec.to_builtins(said)}
        self.recent.append(line)
        self.unpublished.append(line)
        if self.run.game is not None and (type(event).discloses or isinstance(event, NightFell)):
            self._disclose(event, line)

    def _disclose(self, event: PublicEvent, line: dict[str, Any]) -> None:
        """Keep what was told of a secret, and a nightfall, with the place in the story of the event
        that it goes with.

        If that event is taken back, so is this line. A nightfall goes with the event before it.
        """
        place = len(self.run.public_history) - isinstance(event, NightFell)
        if isinstance(event, NightFell):
            # A night that was taken back falls again, under another number.
            self.run.disclosed = [
                each
                for each in self.run.disclosed
                if each[0] != place or not _is_nightfall(each[1])
            ]
        self.run.disclosed.append((place, line))

    def _fold_open(self, values: Sequence[dict[str, Any]]) -> list[Event]:
        game = self.running()
        events = [decode_stored_event(value, game.events) for value in values]
        for event in events:
            self.run.state = game.evolve(self.run.state, event)
            if isinstance(event, PublicEvent):
                self._tell(event, game.say(event))
                self.run.public_history.append(event)
        self.run.published = self.run.state
        self.changed_at = self.position
        return events

    def _take(self, item: Submission) -> None:
        if item.line:
            self._take_secret(item)
            return
        game, before, story = self.running(), self.run.state, len(self.run.public_history)
        events = self._fold_open(item.events)
        disclosed = tuple(
            game.say(event) for event in public_events(events) if type(event).discloses
        )
        heard = private_events(events)
        free = not disclosed and not heard
        self.run.steps.append(
            HistoryStep(
                item.seat,
                before,
                free,
                disclosed,
                heard,
                self.next_number - 1,
                history_length=story,
            )
        )
        self.vote = None

    def _agree(self, item: ByHand | OnPaper) -> None:
        """Like an action that told nothing, but never taken back by one seat alone: all agreed to
        it.
        """
        before, story = self.run.state, len(self.run.public_history)
        self._fold_open(item.events)
        self.run.steps.append(
            HistoryStep(
                item.seat, before, False, (), (), self.next_number - 1, history_length=story
            )
        )
        self.run.night, self.vote = None, None

    def _take_secret(self, item: Submission) -> None:
        game, before, number = self.running(), self.run.state, self.next_number
        events = [decode_stored_event(value, game.events) for value in item.events]
        for event in events:
            self.run.state = game.evolve(self.run.state, event)
        disclosed = tuple(
            game.say(event) for event in public_events(events) if type(event).discloses
        )
        self.run.steps.append(
            HistoryStep(
                item.seat,
                before,
                False,
                disclosed,
                private_events(events),
                number,
                item.line,
                len(self.run.public_history),
            )
        )
        self.run.pending_reveal = [
            NightSealed(item.seat, number, commitment.commit(item.line)),
            *public_events(events),
        ]

    def _tell_next(self, count: int) -> None:
        game = self.running()
        self.run.revealing, self.run.night, self.vote = True, None, None
        for event in self.run.pending_reveal[:count]:
            if isinstance(event, NightSealed):
                self.run.last_seal = event
                self.run.secret_lines.append(self.run.steps[-1].line)
                self._tell(event, describe_event(event))
            else:
                self.run.published = game.evolve(self.run.published, event)
                self._tell(event, game.say(event))
                self.run.public_history.append(event)
        del self.run.pending_reveal[:count]
        self.changed_at = self.position
        if not self.run.pending_reveal:
            self.run.revealing, self.run.published = False, self.run.state

    def _happen(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            self._tell(event, describe_event(event))
        self._fold_seats(event)
        self._fold_questions(event)
        self._fold_play(event)

    def _fold_seats(self, event: Event) -> None:
        match event:
            case SeatClaimed(seat=seat, name=name):
                self.people[seat] = Person(name)
                if self.run.game is None:
                    # Who comes is asked too.
                    self.vote = None
                self._forget_choices(seat)
            case SeatRenamed(seat=seat, name=name):
                self.people[seat] = replace(self.people[seat], name=name)
            case SeatGiven(seat=seat, level=level) | SeatHandedOn(seat=seat, stand_in=level):
                self.people[seat] = Person("", bot=level)
                self.vote = None
                self._forget_choices(seat)
            case SeatKey(seat=seat, key=key):
                self.people[seat] = replace(self.people[seat], key=key)
            case SeatFreed(seat=seat) | SeatForfeited(seat=seat):
                self.people.pop(seat, None)
                self.vote = None
                self._forget_choices(seat)

    def _forget_choices(self, seat: Seat) -> None:
        """Take back what a seat chose for the game to come: another one sits there now, or
        nobody.
        """
        if self.run.game is None:
            self.proposal = without_choices(self.proposed_game, self.proposal, seat)

    def _fold_questions(self, event: Event) -> None:
        match event:
            case UndoAsked(by=by):
                self._ask("undo", by, self.seats_of_people())
            case DrawAsked(by=by):
                self._ask("draw", by, self.seats_of_people())
            case FreeAsked(by=by, seat=seat):
                self._ask(
                    "free_seat",
                    by,
                    tuple(other for other in self.seats_of_people() if other != seat),
                    seat,
                )
            case ByHandAsked(by=by, arrangement=arrangement):
                self._ask("by_hand", by, self.seats_of_people(), arrangement=arrangement)
            case OnPaperAsked(by=by):
                self._ask("on_paper", by, self.seats_of_people())
            case LaidAsked(by=by):
                self._ask("laid", by, self.seats_of_people())
            case ConsentGiven(seat=seat) if self.vote is not None:
                self.vote = replace(self.vote, agreed=(*self.vote.agreed, seat))
            case ConsentRefused() | ConsentLapsed() | Proposed():
                self.vote = None

    def _ask(
        self,
        what: VoteKind,
        by: Seat,
        needed: tuple[Seat, ...],
        seat: Seat | None = None,
        arrangement: PositionEdit | None = None,
    ) -> None:
        self.vote = Vote(what, by, (by,) if by in needed else (), needed, seat, arrangement)

    def _fold_play(self, event: Event) -> None:
        match event:
            case Proposed():
                places = self.places_in(event)
                self.people = {
                    places[seat]: person for seat, person in self.people.items() if seat in places
                }
                self.proposal = event
            case TilesLaid(tiles=tiles):
                self.tiles = tiles
            case ShareGiven(key=key, share=share):
                self.shares = {**self.shares, key: share}
            case GameStarted():
                self._start(event)
            case ShuffleSealed(shares=shares):
                self._shuffle(shares)
            case TableReopened(swap=swap):
                self._reopen(swap)
            case NightFell(number=number):
                self.run.night = Night(number, self.position)
            case NightWithdrawn():
                self.run.state = self.run.published = self.run.steps.pop().before
                self.run.pending_reveal = []
            case Rewound(to=to):
                self.run.state = self.run.published = self.run.steps[to].before
                first = self.run.steps[to].history_length
                self.run.disclosed = [each for each in self.run.disclosed if each[0] < first]
                del self.run.public_history[first:]
                del self.run.steps[to:]
                self.run.night, self.vote, self.changed_at = None, None, self.position
            case PaperTold():
                self.run.paper = event
            case Marked(cell=cell, mark=mark):
                self.run.marks = {
                    key: value for key, value in (self.run.marks | {cell: mark}).items() if value
                }
            case SettingsChanged(change=change):
                self.settings = self.settings.changed(change)
            case Paused() | EntriesLost() | EntriesLeftOut() | SeatForfeited() | SeatHandedOn():
                self.paused = True
            case HistoryRewound():
                self.paused = self.history_mismatch = True
            case Resumed():
                self.paused = self.history_mismatch = False

    def _start(self, event: GameStarted) -> None:
        if event.game not in self.games:
            raise UnreadableEntry(f"a game that this release does not know: {event.game}")
        game = self.games[event.game]
        self.number, self.vote = event.number, None
        self.run = GameRun(game, event.key, game.initial())
        self.heads = {self.position: self.head}

    def _shuffle(self, shares: Mapping[Seat, str]) -> None:
        try:
            self.run.shuffle, self.run.draws = Shuffle.of(self.seed, shares), DEAL_DRAW + 1
        except ValueError as wrong:
            raise UnreadableEntry(str(wrong)) from wrong

    def _reopen(self, swap: bool) -> None:
        if self.run.shuffle is not None:
            # The seed is opened now. A seed that no game drew from waits for the next game, with
            # the phones' shares.
            self.seed, self.shares = "", {}
        self.run, self.vote = GameRun(), None
        kept = {name: value for name, value in self.proposal.setup.items() if name == "options"}
        self.proposal = replace(self.proposal, setup=kept)
        if swap:
            names = self.seat_names()
            moved: Mapping[Seat, Seat] = dict(zip(names, (*names[-1:], *names[:-1]), strict=True))
            self.people = {moved.get(seat, seat): person for seat, person in self.people.items()}


def _copied(value: _T) -> _T:
    """Return a shallow copy with its own lists and mappings: what they hold is never changed."""
    other = copy.copy(value)
    for name, held in vars(value).items():
        if isinstance(held, dict | list | deque):
            setattr(other, name, held.copy())
    return other


def _is_nightfall(line: dict[str, Any]) -> bool:
    return line["event"]["event"] in tag_names((NightFell,))


def decode_stored_event(value: dict[str, Any], types: tuple[type[Event], ...]) -> Event:
    """Return the event, one of `types`, that a JSON value means; raise `UnreadableEntry`."""
    try:
        return decode_event(types, value)
    except ValueError as wrong:
        raise UnreadableEntry(str(wrong)) from wrong


def public_events(events: Sequence[Event]) -> list[PublicEvent]:
    """Return those that everybody is told."""
    return [event for event in events if isinstance(event, PublicEvent)]


def private_events(events: Sequence[Event]) -> tuple[PrivateEvent, ...]:
    """Return those that some seats or nobody is told."""
    return tuple(event for event in events if isinstance(event, PrivateEvent))
