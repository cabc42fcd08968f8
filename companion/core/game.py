"""The one protocol of all games: actions are decided into events, events are folded into a state.

Everything here is a value or a pure function. A game draws random numbers only from the
generator it is handed, and only in `setup` and `decide`; `evolve` and so every replay needs none.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NewType, Self

from msgspec import Struct

from companion.core.content import BOX, SAMPLE, Content, ContentFormat
from companion.core.placement import Cell, Inventory, Placement, PositionEdit, Tile
from companion.core.status import StatusWords

if TYPE_CHECKING:
    from companion.core.capabilities import Bots, Hints, PrintKit, ReplayFormat

Seat = NewType("Seat", str)


class Message(Struct, frozen=True):
    """What is to be said, as a code of the language catalogues and its parameters; never a
    sentence.
    """

    code: str
    params: dict[str, str | int] = {}

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.params.items())])


class GameError(Exception):
    """Base of the errors that a player is told; `said` says what was wrong, `code` which kind of
    wrong.
    """

    code: ClassVar[str]
    details: Sequence[tuple[str, Message]] = ()
    """Each single thing that is wrong, where there are many: the place that stands before it, and
    what is said.
    """

    def __init__(self, reason: str, **params: str | int) -> None:
        super().__init__(reason, params)
        self.said = Message(reason, params)

    def __str__(self) -> str:
        return str(self.said)


class InvalidAction(GameError, ValueError):
    """Error raised when an action cannot be read."""

    code = "invalid_action"


class IllegalAction(GameError, ValueError):
    """Error raised when an action can be read but is not allowed here and now."""

    code = "illegal_action"


class InvalidSetup(GameError, ValueError):
    """Error raised when a game cannot be started with these players, options, field or start."""

    code = "invalid_setup"


class Action(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """What a seat wants to do. Imperative; its tag is its name in the JSON-lines protocol."""

    discloses: ClassVar[bool] = False
    """Whether the game answers this action with something that depends on a secret (a radar, a
    shot).
    """
    is_private_action: ClassVar[bool] = False
    """Whether an open action itself names what its seat alone may know (a card that is given face
    down).
    """


class Event(Struct, frozen=True, tag_field="event", forbid_unknown_fields=True):
    """What happened.

    Past tense. Never used directly: an event is a `PublicEvent` or a `PrivateEvent`.
    """


class PublicEvent(Event, frozen=True):
    """An event that everybody at the table is told."""

    discloses: ClassVar[bool] = False
    """Whether hearing it tells something that was secret before, so that an undo needs everyone's
    consent.
    """


class PrivateEvent(Event, frozen=True):
    """An event for some seats only; no seat at all means that nobody at the table knows (a shuffled
    deck).
    """

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that are told. Must override."""
        raise NotImplementedError


class SeatEvent(PrivateEvent, frozen=True):
    """What one seat alone is told."""

    seat: Seat

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.seat})


class UnseenEvent(PrivateEvent, frozen=True):
    """What nobody at the table is told."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset()


class Outcome(Struct, frozen=True):
    """How a game ended: `winner` is a side's name or "draw", `reason` a code of the game's
    texts.
    """

    winner: str
    reason: str


class State(Struct, frozen=True):
    """All there is to know of a running game. `repr` tells nothing, so that no log line can."""

    public: Any
    private: Mapping[Seat, Any] = {}
    hidden: Any = None

    def __repr__(self) -> str:
        return "State(•)"


class View(Struct, frozen=True):
    """What one seat may know: the public state and its own part.

    `seat` None is the table display.
    """

    seat: Seat | None
    public: Any
    own: Any = None

    def __repr__(self) -> str:
        return f"View({self.seat}, •)"


class Commitment(Struct, frozen=True):
    """What a seal must fix of one secret submission, beside its actions
    (table/fairness/commitment.py).
    """

    kind: str
    path: tuple[str, ...]


class AuditFinding(Struct, frozen=True):
    """What of a path that was kept on paper does not fit: on which `page`, counted from 0, and
    what.
    """

    page: int
    said: Message


class Audit(Struct, frozen=True):
    """A path that was kept on paper, held against all that was told: of `answers` answers and of
    the steps, what is `wrong`, in the order in which it happened.
    """

    answers: int
    wrong: tuple[AuditFinding, ...] = ()


class TileField:
    """A field that is laid of printed tiles; here the one of a game without.

    May override: everything.
    """

    def to_setup(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that these laid tiles are; raise `InvalidSetup`
        naming the tiles that make none of it. A broken placement rule is a warning and no error.
        """
        raise InvalidSetup("no_tiles_in_game")

    def of_game(self, public: Any) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that is the field of a running game."""
        return {}

    def for_setup(self, setup: Any, laid: Mapping[Cell, Tile]) -> dict[Cell, Tile]:
        """Return a printed tile with its turn for each cell that makes the field of `setup` (a
        `setup_type`); where one of `laid` serves, it is that one as it lies, turned if need be.
        Empty while there is no field. Raise `InvalidSetup` if the printed tiles cannot make it.
        """
        return {}

    def printed(self, view: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
        """Return what is printed on the tiles that lie, from the public `view`: `walls` such as
        "A4-A5", and the cells of `radars`.
        """
        return {"walls": (), "radars": ()}


class SecretTimer:
    """When a secret turn is revealed; here as soon as the table's settings allow.

    May override: everything.
    """

    def seconds(self, public: Any) -> float | None:
        """Return after how many seconds a secret turn that begins now is revealed, neither earlier
        nor later and all at once; None where the table decides.
        """
        return None

    def default_actions(self, view: View) -> list[Action]:
        """Return what is done for a seat that has not acted when its `seconds` are over."""
        raise NotImplementedError


class PaperPlay:
    """Secrets that a seat keeps on paper; here none can be.

    May override: everything.
    """

    def take_up(self, public: Any) -> Sequence[PublicEvent]:
        """Return the events by which what a seat knows alone is kept on paper from now on, since
        its phone is gone; raise `IllegalAction` where that cannot be. They tell nothing of what the
        seat knows.
        """
        raise IllegalAction("no_paper_here")

    def seats_of_people(self, public: Any) -> frozenset[Seat]:
        """Return the seats that no bot can play, since what they know is kept on paper."""
        return frozenset()

    def pages(self, story: Sequence[PublicEvent]) -> list[list[Message]]:
        """Return what was told in each secret turn whose path a player keeps on paper, a page for
        each; [] where nobody does. `story` are the public events of a game.
        """
        return []

    def audit(self, story: Sequence[Event], pages: Sequence[Sequence[str]]) -> Audit:
        """Hold what was typed of the paper, for each page the steps in order, against the story of
        a game, secret turns before the paper included.
        """
        raise NotImplementedError

    def retold(self, story: Sequence[Event], pages: Sequence[Sequence[str]]) -> list[Event]:
        """Return the same game as it would have happened without paper, the typed path in it;
        without any page, with what stood on paper unknown.
        """
        raise NotImplementedError


class Game(ABC):
    """The rules of one game. Immutable, without I/O.

    Must override: everything abstract. May override: what stands below `say`, for games with
    something physical on the table, secret turns or follow-up actions.
    """

    name: ClassVar[str]
    seats: ClassVar[range]
    """Numbers of players it can be played with."""
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]
    setup_type: ClassVar[type[Struct]]
    """How a game is started: `options` and, each optional, what else the game needs (a field, a
    start).
    """
    random_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type` that are dealt by chance where a set-up leaves them out; only of
    games in which much hangs on chance that nobody sees. All that they draw comes from a shuffle
    that the phones have a part in, and they draw nothing in a secret turn, which can be withdrawn
    unseen.
    """
    chosen: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type`, each from seats to ids, in which seats choose in public before
    the game begins.
    """
    laid: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type` that decide what is else drawn, or where play begins, and that no
    screen shows: a game with one of them was laid by hand, which everybody is told and asked.
    """
    interrupts: ClassVar[tuple[type[Action], ...]] = ()
    """What a seat may be offered while another one is to act."""
    content: ClassVar[ContentFormat | None] = None
    """What its content files look like; None for a game that needs none. Its option `content` is
    one of `content_names`, and `is_sample` says whether a game is played with invented content.
    """
    contents: Mapping[str, Content] = {}
    bots: ClassVar[Bots | None] = None
    """The computer players."""
    replay: ClassVar[ReplayFormat | None] = None
    """What the replay of a finished game shows beside the views."""
    print_kit: ClassVar[PrintKit | None] = None
    """What lies on the table, as a PDF."""
    hints: ClassVar[type[Hints] | None] = None
    """What may be shown to those who want help."""
    tiles: ClassVar[TileField] = TileField()
    """The field, where it is laid of printed tiles."""
    secret_timer: ClassVar[SecretTimer] = SecretTimer()
    """When secret turns are revealed."""
    paper: ClassVar[PaperPlay] = PaperPlay()
    """What may be kept on paper."""
    status_words: ClassVar[StatusWords] = StatusWords()
    """What a club's dashboard says of the game."""

    def check_players(self, players: object) -> int:
        """Return `players`; raise `InvalidSetup` unless it is a number of players of this game."""
        if type(players) is int and players in self.seats:
            return players
        least, most = self.seats[0], self.seats[-1]
        if least == most:
            raise InvalidSetup("wrong_player_count", n=least)
        raise InvalidSetup("wrong_players", least=least, most=most)

    @abstractmethod
    def seat_names(self, players: int) -> tuple[Seat, ...]:
        """Return the seats of a game of so many players, in the order in which they are first to
        act.
        """

    @abstractmethod
    def setup(self, seats: Sequence[Seat], setup: Any, rng: Random) -> list[Event]:
        """Return the events that start a game (`setup` is a `setup_type`); raise `InvalidSetup`."""

    @abstractmethod
    def initial(self) -> State:
        """Return the state before the first event of `setup`."""

    @abstractmethod
    def to_move(self, public: Any) -> Seat | None:
        """Return the seat whose turn it is, None when the game is over."""

    @abstractmethod
    def legal_actions(self, view: View) -> Sequence[Action]:
        """Return every action that the view's seat may take now; it depends on the view alone."""

    @abstractmethod
    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Sequence[Event]:
        """Return what happens when `seat` takes `action`; raise `IllegalAction` and change
        nothing.
        """

    @abstractmethod
    def evolve(self, state: State, event: Event) -> State:
        """Return the state after the event.

        The public part must be a fold of public events alone.
        """

    def fold(self, events: Iterable[Event], state: State | None = None) -> State:
        """Return the state after `events`, from `state` or, without one, from `initial()`."""
        return reduce(self.evolve, events, self.initial() if state is None else state)

    @abstractmethod
    def outcome(self, public: Any) -> Outcome | None:
        """Return how the game ended, None while it goes on."""

    @abstractmethod
    def say(self, event: PublicEvent) -> Message:
        """Return what is said of a public event, as a code and its parameters."""

    @abstractmethod
    def show(self, view: View) -> dict[str, Any]:
        """Return the view as JSON-ready values for screens and the JSON-lines protocol: the public
        part's names at the top level, the seat's own part under "own" (None for the table display).
        """

    def with_content(self, contents: Mapping[str, Content]) -> Self:
        """Return this game with contents of its own household, by the names under which they may be
        chosen.
        """
        game = copy.copy(self)
        game.contents = {**self.contents, **contents}
        return game

    @property
    def content_names(self) -> tuple[str, ...]:
        """What its option `content` may be: ours, a household's files, what lies in the box; empty
        without contents.
        """
        return (SAMPLE, *self.contents, BOX) if self.content else ()

    def hands_are_real(self, setup: Any) -> bool:
        """Return whether players hold real cards in `setup` (a `setup_type`), which no bot can."""
        return self.content is not None and setup.options.content == BOX

    def is_sample(self, public: Any) -> bool:
        """Return whether what is played with was invented for want of the box, which every screen
        then says.
        """
        return False

    def setup_of_board(self, content: Any) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that lays the board of a content beside the box;
        only of games whose `content` declares a board.
        """
        raise NotImplementedError

    def reference(self, public: Any) -> dict[str, Any]:
        """Return what everybody may look up and what never changes during a game (which cards there
        are, what their names are in other languages: "translations"), JSON-ready: too much to stand
        in every picture.
        """
        return {}

    def choices(self, setup: Any) -> dict[str, list[dict[str, Any]]]:
        """Return what seats may choose in `setup` (a `setup_type`), JSON-ready: for each field of
        `chosen` the entries, each with its "id" and for one seat alone; without a field of which
        nothing is chosen.
        """
        return {}

    def to_setup(self, state: State) -> dict[str, Any]:
        """Return the `setup_type` JSON that starts this very game again, with nothing left to draw.
        What was drawn in secret stands under "deal".
        """
        raise NotImplementedError

    def setup_warnings(self, public: Any) -> list[Message]:
        """Return what is doubtful about the set-up (a broken placement rule, an unusual start)."""
        return []

    def parts(self) -> Inventory:
        """Return what of the box may lie on the table; nothing physical by default."""
        return Inventory()

    def placement(self, view: View) -> Placement:
        """Return what the table should look like; nothing physical by default."""
        return Placement()

    def preview_public(self, view: View, action: Action) -> View:
        """Return the public consequence of a physical action of the seat to move (a walk, taking a
        token); raise `IllegalAction`. It works on the view alone, so it cannot touch a secret.
        """
        raise IllegalAction("not_physical")

    def physical_actions(self, view: View) -> Sequence[Action]:
        """Return the legal actions of the seat to move that a board can see: those that
        `preview_public` takes."""
        return ()

    def automatic(self, view: View) -> list[Action]:
        """Return the follow-up actions that the table may take for the player (a bullet under his
        pawn).
        """
        return []

    def secret_seat(self, public: Any) -> Seat | None:
        """Return the seat whose whole turn is one secret submission (a night), None if it is an
        open turn.
        """
        return None

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        """Return what a seal fixes of the secret submission `actions`, legal in `view`."""
        return Commitment("turn", ())

    def resign(self, state: State, reason: str) -> Iterable[PublicEvent]:
        """Return the events that end the game by the table's will, and show what was hidden:
        `reason` is "agreed" or "forfeit".
        """
        raise IllegalAction("cannot_resign")

    def set_position(self, public: Any, arrangement: PositionEdit) -> Sequence[PublicEvent]:
        """Return the events by which pawns and tokens are set as everybody agreed that they stand,
        whatever the rules of moving say; raise `IllegalAction` for what no table of this game can
        look like.
        """
        raise IllegalAction("not_physical")
