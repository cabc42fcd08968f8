"""Hold the state of a table: everything in its log, applied item by item."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.core.codec import encode_event
from companion.core.game import Event, Game, Message, PublicEvent, Seat, State
from companion.core.placement import Cell, PositionEdit, Tile
from companion.table import entries, events
from companion.table.errors import UnreadableEntry
from companion.table.public_log import PublicLog
from companion.table.results import AUTO_LEVEL, BotResults, Opponents, bot_result, bots_side
from companion.table.run import GameRun, decode_stored_event
from companion.table.settings import TableSettings
from companion.table.setup import custom_setup_fields, without_choices

_T = TypeVar("_T")


class Person(Struct, frozen=True):
    """The holder of a seat.

    key: the phone's public key, "" before it is known
    bot: the level of the bot that plays here, "" for a person
    is_auto_level: whether the table chose that level for the running game
    """

    name: str
    key: str = ""
    bot: str = ""
    is_auto_level: bool = False


class Vote(Struct, frozen=True):
    """A vote of the table on what was asked."""

    asked: events.VoteAsked
    agreed: tuple[Seat, ...]
    needed: tuple[Seat, ...]

    @property
    def seat(self) -> Seat | None:
        """The seat to be freed."""
        return self.asked.freed

    @property
    def arrangement(self) -> PositionEdit | None:
        """The position to be set by hand."""
        return self.asked.arrangement if isinstance(self.asked, events.ByHandAsked) else None


class TableState:
    """The state of a table. Only `apply` changes it.

    `run` is the game that is played, `people` the holders of the seats, `seed` the sealed line from
    which the next shuffle draws, `shares` the phones' shares of it by key, `results` the finished
    games of people against bots.
    """

    def __init__(self, games: Sequence[Game], settings: TableSettings) -> None:
        self.games = {game.name: game for game in games}
        self.settings = settings
        first = games[0]
        players = 3 if 3 in first.seats else first.seats[0]
        self.proposal = events.Proposed(first.name, players, {})
        self.people: dict[Seat, Person] = {}
        self.tiles: dict[Cell, Tile] = {}
        self.number = 0
        self.run = GameRun()
        self.public_log = PublicLog()
        self.seed = ""
        self.shares: dict[str, str] = {}
        self.vote: Vote | None = None
        self.results = BotResults()
        self.paused = False
        self.history_mismatch = False

    @property
    def proposed_game(self) -> Game:
        """The game that is proposed, or was begun from the proposal."""
        return self.games[self.proposal.game]

    @property
    def seed_seal(self) -> str:
        """The seal of the seed that the next shuffle draws from, "" while there is none."""
        return entries.Seeded(self.seed).seal if self.seed else ""

    @property
    def custom_setup(self) -> tuple[str, ...]:
        """The fields of the proposal, or of the game from it, that somebody typed."""
        return custom_setup_fields(self.proposed_game, self.proposal)

    def seat_names(self) -> tuple[Seat, ...]:
        """Return the seats of the game that is played or proposed."""
        return self.proposed_game.seat_names(self.proposal.players)

    def places_in(self, proposal: events.Proposed, gone: Collection[Seat] = ()) -> dict[Seat, Seat]:
        """Map taken seats to those of a proposed game: the same one, else the next free one.

        People come before bots. Omits `gone`, and seats without a place.
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

    def auto_level(self, seat: Seat) -> str:
        """Return the level at even odds of the bot at a seat for the proposed game."""
        game, bots = self.proposed_game, self.seats_of_bots()
        assert game.bots is not None, f"{game.name} has no bots"
        people = sum(other not in bots for other in self.seat_names())
        opponents = Opponents(game.name, bots_side(game, seat), people)
        return self.results.auto_level(opponents, game.bots.levels)

    def wrong_seat(self, start: State) -> Message | None:
        """Return why a game cannot start with the present seats: "seat_of_person", or "seat_open"
        while a seat with a secret is empty; None if it can.
        """
        for seat in self.proposed_game.paper.seats_of_people(start.public) & set(
            self.seats_of_bots()
        ):
            return Message("seat_of_person", {"seat": seat})
        for seat in self.seat_names():
            if seat in start.private and seat not in self.people:
                return Message("seat_open", {"seat": seat})
        return None

    def copy(self) -> TableState:
        """Return a copy that can change while this state stays as it is."""
        other = _copied(self)
        other.run, other.public_log = _copied(self.run), _copied(self.public_log)
        return other

    def to_snapshot(self) -> entries.TableSnapshot:
        """Return the state without the games so far; only between two games."""
        return entries.TableSnapshot(
            encode_event(self.proposal),
            [(seat, person.name, person.key) for seat, person in self.people.items()],
            msgspec.to_builtins(self.settings),
            self.paused,
            self.number,
            self.public_log.position,
            self.public_log.head,
            self.seats_of_bots(),
            self.seed,
            self.shares,
            dict(self.tiles),
        )

    def apply(self, item: entries.Item) -> None:
        """Fold one item; raise `UnreadableEntry`."""
        was_over = self.run.over
        self._apply(item)
        if self.run.over and not was_over:
            self._count_result()

    def _apply(self, item: entries.Item) -> None:
        match item:
            case entries.TableEvent(event=value):
                self._apply_event(decode_stored_event(value, events.TABLE_EVENTS))
            case entries.Seeded(line=line):
                self.seed, self.shares = line, {}
                self._publish(events.SeedSealed(item.seal))
            case entries.Submission():
                is_bot = item.seat in self.seats_of_bots()
                self.run.apply_submission(item, self.public_log, is_bot=is_bot)
                if not item.line:
                    self.vote = None
            case entries.ByHand() | entries.SwitchedToPaper():
                self.run.apply_agreed(item.seat, item.events, self.public_log)
                self.run.is_counted = False
                self.vote = None
            case entries.Revealed(count=count):
                self.run.apply_reveal(count, self.public_log)
                self.vote = None
            case entries.Dealt():
                self.run.apply_deal(item, self.public_log)
            case entries.Resigned(events=values):
                self.run.is_counted = False
                self.run.apply_events(values, self.public_log)
                self.run.night, self.vote = None, None
            case entries.TableSnapshot():
                self._restore(item)

    def _restore(self, item: entries.TableSnapshot) -> None:
        proposal = decode_stored_event(item.proposal, (events.Proposed,))
        assert isinstance(proposal, events.Proposed)
        self.proposal = proposal
        self.people = {
            seat: Person(name, key, item.bots.get(seat, "")) for seat, name, key in item.people
        }
        self.settings = msgspec.convert(item.settings, TableSettings)
        self.paused, self.number = item.paused, item.number
        self.public_log = PublicLog(item.position, item.head)
        self.seed, self.shares, self.tiles = item.seed, item.shares, item.tiles

    def _publish(self, event: PublicEvent) -> None:
        line = self.public_log.add(event, events.describe_event(event))
        if isinstance(event, events.NightFell):
            self.run.begin_night(event.number, line)

    def _apply_event(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            self._publish(event)
        self._apply_to_seats(event)
        self._apply_to_vote(event)
        self._apply_to_game(event)
        self._apply_to_table(event)

    def _count_result(self) -> None:
        """Count the finished game, unless it was given up, had a custom set-up, was played on
        paper, or a bot came or left during it.
        """
        game, end = self.run.running(), self.run.published
        is_on_paper = bool(game.paper.seats_of_people(end.public))
        if not self.run.is_counted or is_on_paper or self.custom_setup:
            return
        result = bot_result(game, end, self.seat_names(), self.seats_of_bots())
        if result is not None and game.bots is not None:
            self.results = self.results.with_result(result, game.bots.levels)

    def _apply_to_seats(self, event: Event) -> None:
        if isinstance(event, events.SeatGiven | events.SeatHandedOn | events.BotEvicted) or (
            isinstance(event, events.SeatFreed) and event.seat in self.seats_of_bots()
        ):
            self.run.is_counted = False
        match event:
            case events.SeatClaimed(seat=seat, name=name):
                self.people[seat] = Person(name)
                if self.run.game is None:
                    # Votes before a game ask everybody who sits, newcomers too.
                    self.vote = None
                self._forget_choices(seat)
            case events.SeatRenamed(seat=seat, name=name):
                self.people[seat] = replace(self.people[seat], name=name)
            case (
                events.SeatGiven(seat=seat, level=level)
                | events.SeatHandedOn(seat=seat, stand_in=level)
            ):
                self.people[seat] = Person("", bot=level)
                self.vote = None
                self._forget_choices(seat)
            case events.LevelChosen(seat=seat, level=level):
                self.people[seat] = Person("", bot=level, is_auto_level=True)
            case events.SeatKey(seat=seat, key=key):
                self.people[seat] = replace(self.people[seat], key=key)
            case events.SeatFreed(seat=seat) | events.BotEvicted(seat=seat):
                self.people.pop(seat, None)
                self.vote = None
                self._forget_choices(seat)

    def _forget_choices(self, seat: Seat) -> None:
        """Take back a seat's choices before the game: its holder has changed."""
        if self.run.game is None:
            self.proposal = without_choices(self.proposed_game, self.proposal, seat)

    def _apply_to_vote(self, event: Event) -> None:
        match event:
            case events.VoteAsked(by=by, freed=freed):
                needed = tuple(seat for seat in self.seats_of_people() if seat != freed)
                self.vote = Vote(event, (by,) if by in needed else (), needed)
            case events.VoteAgreed(seat=seat) if self.vote is not None:
                self.vote = replace(self.vote, agreed=(*self.vote.agreed, seat))
            case events.VoteRefused() | events.VoteLapsed() | events.Proposed() | events.Rewound():
                self.vote = None

    def _apply_to_game(self, event: Event) -> None:
        match event:
            case events.GameStarted():
                self._start(event)
            case events.ShuffleSealed(shares=shares):
                self.run.start_shuffle(self.seed, shares)
            case events.NextGameOpened(by=by):
                self._open_next_game(by)
            case events.NightWithdrawn():
                self.run.withdraw()
            case events.Rewound(to=to):
                self.run.rewind(to, self.public_log.position)
            case events.PaperPathEntered():
                self.run.paper = event
            case events.Marked(cell=cell, mark=mark):
                self.run.mark(cell, mark)

    def _apply_to_table(self, event: Event) -> None:
        match event:
            case events.Proposed():
                places = self.places_in(event)
                self.people = {
                    places[seat]: person for seat, person in self.people.items() if seat in places
                }
                self.proposal = event
            case events.TilesLaid(tiles=tiles):
                self.tiles = tiles
            case events.ShareGiven(key=key, share=share):
                self.shares = {**self.shares, key: share}
            case events.SettingsChanged(change=change):
                self.settings = self.settings.with_change(change)
            case (
                events.Paused()
                | events.EntriesLost()
                | events.EntriesLeftOut()
                | events.BotEvicted()
                | events.SeatHandedOn()
            ):
                self.paused = True
            case events.HistoryRewound():
                self.paused = self.history_mismatch = True
            case events.Resumed():
                self.paused = self.history_mismatch = False

    def _start(self, event: events.GameStarted) -> None:
        if event.game not in self.games:
            raise UnreadableEntry(f"a game that this release does not know: {event.game}")
        if (event.game, event.players) != (self.proposal.game, self.proposal.players):
            # The entry that proposed it was left out.
            raise UnreadableEntry(f"a game that was not proposed: {event.game}")
        self.number, self.vote = event.number, None
        self.run = GameRun(self.games[event.game], event.key, self.public_log.position)
        self.public_log.forget_heads()

    def _open_next_game(self, by: int) -> None:
        if self.run.shuffle is not None:
            # The seed is opened now. A seed that no game drew from waits for the next game, with
            # the phones' shares.
            self.seed, self.shares = "", {}
        self.run, self.vote = GameRun(), None
        self.paused = self.history_mismatch = False
        setup = {name: value for name, value in self.proposal.setup.items() if name == "options"}
        self.proposal = replace(self.proposal, setup=setup)
        names = self.seat_names()
        moved = {seat: names[(at - by) % len(names)] for at, seat in enumerate(names)}
        self.people = {
            moved[seat]: Person("", bot=AUTO_LEVEL) if person.is_auto_level else person
            for seat, person in self.people.items()
        }


def _copied(value: _T) -> _T:
    """Return a shallow copy with its own lists and mappings: their elements are never changed."""
    other = object.__new__(type(value))
    vars(other).update(
        (name, held.copy() if isinstance(held, dict | list | deque) else held)
        for name, held in vars(value).items()
    )
    return other
