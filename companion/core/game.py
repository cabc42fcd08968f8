"""Define what every game implements: decide actions into events, fold events into a state.

Everything here is a value or a pure function. A game draws random numbers only from the generator
it is given, and only in `setup` and `decide`; an event's fold, and so every replay, needs none.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import reduce
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, NewType, Protocol, Self, TypeVar, final

import msgspec
from msgspec import Struct

from companion.core.content import BOX, SAMPLE, Content, ContentFormat
from companion.core.placement import Cell, Inventory, Placement, PositionEdit, Tile
from companion.core.text import shorten

if TYPE_CHECKING:
    from companion.core.capabilities import Bots, Hints, PrintKit, ReplayFormat

Seat = NewType("Seat", str)
_Tagged = TypeVar("_Tagged", bound=Struct)


class Message(Struct, frozen=True):
    """A code of the language catalogues and its parameters; never a sentence."""

    code: str
    params: dict[str, str | int] = {}

    def __str__(self) -> str:
        return " ".join([self.code, *(f"{key}={value}" for key, value in self.params.items())])


class GameError(Exception):
    """Base of the errors for players.

    `message` is the message, `code` the kind of error, `details` each single fault if there are
    many: the text before it, and its message.
    """

    code: ClassVar[str]
    details: Sequence[tuple[str, Message]] = ()

    def __init__(self, reason: str, **params: str | int) -> None:
        super().__init__(reason, params)
        self.message = Message(reason, params)

    def __str__(self) -> str:
        return str(self.message)


NAME_LISTS = frozenset({"allowed", "cells", "pawns", "rows"})
"""The parameters of an `InputError` that list possible values; the others may quote a text."""


class InputError(GameError, ValueError):
    """Base of the errors about what was sent; the message has at most 40 letters of each text."""

    def __init__(self, reason: str, **params: str | int) -> None:
        quoted = {
            key: shorten(value) if isinstance(value, str) and key not in NAME_LISTS else value
            for key, value in params.items()
        }
        super().__init__(reason, **quoted)


class InvalidAction(InputError):
    """Error raised when an action cannot be read."""

    code = "invalid_action"


class IllegalAction(InputError):
    """Error raised when an action can be read but is not allowed here and now."""

    code = "illegal_action"


class InvalidSetup(InputError):
    """Error raised when a game cannot be started with these players, options, field or start."""

    code = "invalid_setup"


# A frozen value cannot contain itself, so none needs the collector (`gc=False`): a game has
# thousands.


class Action(Struct, frozen=True, gc=False, tag_field="type", forbid_unknown_fields=True):
    """An action of a seat. Imperative; its tag is its name in the JSON-lines protocol."""

    discloses: ClassVar[bool] = False
    """Whether this is a `DisclosingAction`."""
    is_private_action: ClassVar[bool] = False
    """Whether an open action contains its seat's secret (a card given face down)."""


class DisclosingAction(Action, frozen=True):
    """An action whose answer depends on a secret (a radar, a shot)."""

    discloses: ClassVar[bool] = True


class Event(Struct, frozen=True, gc=False, tag_field="event", forbid_unknown_fields=True):
    """A change of the game. Past tense.

    Never used directly: an event is a `PublicEvent` or a `PrivateEvent`. Its fold is `apply`,
    `apply_private` and `apply_hidden`: each returns a part of the state after the event, by default
    the same, and receives the public part before it.
    """

    def apply(self, public: Any) -> Any:
        """Return the public part after this event; only public events change it."""
        return public

    def apply_private(self, private: Mapping[Seat, Any], public: Any) -> Mapping[Seat, Any]:
        """Return the private parts after this event; those that are unknown stay unknown."""
        return private

    def apply_hidden(self, hidden: Any, public: Any) -> Any:
        """Return the hidden part after this event; `HiddenEvent` alone may receive None."""
        return hidden

    def message(self) -> Message:
        """Return its message."""
        return self.message_named(str(self.__struct_config__.tag))

    def message_named(self, name: str) -> Message:
        """Return the message `event.NAME`, or `secret.NAME` of a private event, with the texts and
        numbers among the event's fields by their names in JSON.
        """
        fields = zip(self.__struct_encode_fields__, self.__struct_fields__, strict=True)
        values = {key: getattr(self, field) for key, field in fields}
        params = {key: value for key, value in values.items() if type(value) in (str, int)}
        is_public = isinstance(self, PublicEvent)
        return Message(f"event.{name}" if is_public else f"secret.{name}", params)


class PublicEvent(Event, frozen=True):
    """An event that everybody at the table receives."""

    discloses: ClassVar[bool] = False
    """Whether this is a `DisclosingEvent`."""
    is_awaited: ClassVar[bool] = False
    """Whether everybody waits for its answer: every screen holds it back for the same time."""


class DisclosingEvent(PublicEvent, frozen=True):
    """A public event that discloses a secret: an undo then needs everybody's consent."""

    discloses: ClassVar[bool] = True


class PrivateEvent(Event, frozen=True):
    """An event that some seats receive, or nobody (a shuffled deck)."""

    @final
    def apply(self, public: Any) -> Any:
        return public

    @property
    def seats(self) -> frozenset[Seat]:
        """The seats that receive it. Must override."""
        raise NotImplementedError


class SeatEvent(PrivateEvent, frozen=True):
    """An event that one seat alone receives."""

    seat: Seat

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({self.seat})


class HiddenEvent(PrivateEvent, frozen=True):
    """An event that nobody at the table receives."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset()


def tagged_types(base: type[_Tagged], names: Mapping[str, Any]) -> tuple[type[_Tagged], ...]:
    """Return the subclasses of `base` that a module defines with a name in JSON, in their order.

    names: the module's `globals()`
    """
    types = [value for value in names.values() if isinstance(value, type)]
    own = [kind for kind in types if kind.__module__ == names["__name__"]]
    kinds = [kind for kind in own if issubclass(kind, base)]
    # By default msgspec's tag is the class's own name.
    return tuple(kind for kind in kinds if kind.__struct_config__.tag != kind.__name__)


class Outcome(Struct, frozen=True):
    """The end of a game: `winner` is a side's name or "draw", `reason` a code of its messages."""

    winner: str
    reason: str


class State(Struct, frozen=True, gc=False):
    """The whole state of a running game. Its `repr` hides it from logs."""

    public: Any
    private: Mapping[Seat, Any] = {}
    hidden: Any = None

    def __repr__(self) -> str:
        return "State(•)"


class View(Struct, frozen=True, gc=False):
    """The part of a state that one seat may know; `seat` None is the table display."""

    seat: Seat | None
    public: Any
    own: Any = None

    def __repr__(self) -> str:
        return f"View({self.seat}, •)"


def evolve(state: State, event: Event) -> State:
    """Return the state after the event."""
    public, hidden = state.public, state.hidden
    if hidden is not None or isinstance(event, HiddenEvent):
        hidden = event.apply_hidden(hidden, public)
    return State(event.apply(public), event.apply_private(state.private, public), hidden)


def fold_public(events: Iterable[Event], public: Any) -> Any:
    """Return the public part after `events`."""
    for event in events:
        public = event.apply(public)
    return public


class Draft(Struct, gc=False):
    """The events of one decision so far, and the state after them. Its `repr` hides them from logs.

    evolve: returns the state after an event
    """

    evolve: Callable[[State, Event], State]
    state: State
    events: list[Event] = []

    def __repr__(self) -> str:
        return "Draft(•)"

    def emit(self, *events: Event) -> None:
        """Add events, each applied to the state."""
        state, evolve = self.state, self.evolve
        for event in events:
            state = evolve(state, event)
        self.state = state
        self.events.extend(events)


class Commitment(Struct, frozen=True):
    """The values that the seal of a secret submission fixes beside its actions."""

    kind: str
    path: tuple[str, ...]


class AuditFinding(Struct, frozen=True):
    """A fault in a path that was kept on paper; `page` counts from 0."""

    page: int
    message: Message


class Audit(Struct, frozen=True):
    """The result of checking a path that was kept on paper.

    answers: the number of answers that were checked
    wrong: the faults, in the order of the game
    """

    answers: int
    wrong: tuple[AuditFinding, ...] = ()


class StatusWords(Struct, frozen=True):
    """The words for a game's public state.

    has_nights: whether people call a secret turn a night, and it is announced
    places: for each parameter that names a place the part of the public view with the places' names
    """

    has_nights: bool = True
    places: Mapping[str, str] = {}


EventFields = Mapping[str, Any]
"""A public event as JSON-ready values."""


class LampRules(Struct, frozen=True):
    """The public events of a game that light cells.

    moves: for each event that moves a pawn the names of its fields with the cells of the move
    rings: for each answer about the hidden piece a function of the event that returns the cells
    that fit the answer
    """

    moves: Mapping[str, tuple[str, ...]] = {}
    rings: Mapping[str, Callable[[EventFields], Iterable[Cell]]] = {}


class TileField:
    """A field of printed tiles; by default there is none. May override everything."""

    def to_setup(self, tiles: Mapping[Cell, Tile]) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that these tiles make.

        Raises `InvalidSetup`, which names the tiles that make no field. A broken placement rule is
        a warning and no error.
        """
        raise InvalidSetup("no_tiles_in_game")

    def of_game(self, public: Any) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that is the field of a running game."""
        return {}

    def for_setup(self, setup: Any, laid: Mapping[Cell, Tile]) -> dict[Cell, Tile]:
        """Return the printed tile for each cell of the field of `setup` (a `setup_type`).

        Tiles of `laid` are preferred, turned if necessary. Returns {} while there is no field.
        Raises `InvalidSetup` if the printed tiles cannot make it.
        """
        return {}

    def printed(self, view: Mapping[str, Any]) -> Mapping[str, Sequence[str]]:
        """Return the printed features of the field's tiles, from the public `view`: `walls` such as
        "A4-A5", and the cells of `radars`.
        """
        return {"walls": (), "radars": ()}


class SecretTimer:
    """The length of secret turns; by default the table's settings decide. May override all."""

    def seconds(self, public: Any) -> float | None:
        """Return the seconds within which a seat may act in a secret turn that begins now. The
        turn is revealed at once, a second after that; None if the table decides.
        """
        return None

    def default_actions(self, view: View) -> list[Action]:
        """Return the actions of a seat that has not acted within its `seconds`."""
        raise NotImplementedError


class RetracedPath(Protocol):
    """A path on paper, from its typed pages.

    phone_events: the events of the same game with this path on a phone
    """

    phone_events: list[Event]

    @property
    def result(self) -> Audit: ...


class PaperPlay:
    """Secrets that a seat keeps on paper; by default none. May override all but `audit`."""

    def switch_to_paper(self, public: Any) -> Sequence[PublicEvent]:
        """Return the events that move a seat's secrets to paper after its phone was lost.

        They disclose nothing. Raises `IllegalAction` if that is not possible.
        """
        raise IllegalAction("no_paper_here")

    def seats_of_people(self, public: Any) -> frozenset[Seat]:
        """Return the seats that no bot can play, because their secrets are on paper."""
        return frozenset()

    def pages(self, history: Sequence[PublicEvent]) -> list[list[Message]]:
        """Return the messages of each secret turn whose path is on paper, a page for each turn.

        history: the public events of a game
        """
        return []

    def retrace(self, history: Sequence[Event], pages: Sequence[Sequence[str]]) -> RetracedPath:
        """Return the typed pages, each the steps of one secret turn, retraced in a game's events.

        history: all events, also those of secret turns before the paper
        pages: none if the path on paper stays unknown
        """
        raise NotImplementedError

    def audit(self, history: Sequence[Event], pages: Sequence[Sequence[str]]) -> Audit:
        """Check the typed pages against a game's events; raise `InvalidAction` for their number."""
        public = [event for event in history if isinstance(event, PublicEvent)]
        expected = len(self.pages(public))
        if len(pages) != expected:
            raise InvalidAction("paper_pages", n=expected)
        return self.retrace(history, pages).result


class Game(ABC):
    """The rules of one game. Immutable, without I/O.

    Must override: everything abstract. May override: the methods below `to_setup`, for games
    with pieces on the table, secret turns or follow-up actions.
    """

    name: ClassVar[str]
    seats: ClassVar[range]
    """The possible numbers of players."""
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]
    setup_type: ClassVar[type[Struct]]
    """The set-up: `options` and further optional fields (a field, a start)."""
    random_fields: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type` that are dealt if a set-up omits them.

    Only for games whose dealing nobody sees. All their random numbers come from a shuffle to which
    the phones contribute. They draw nothing in a secret turn, which can be withdrawn unseen.
    """
    chosen: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type`, each from seats to ids, that seats choose in public."""
    custom_setup: ClassVar[tuple[str, ...]] = ()
    """The fields of `setup_type` that replace a draw, or decide where play begins, and that no
    screen shows. A game with one of them has a custom set-up: everybody sees that and must agree.
    """
    interrupts: ClassVar[tuple[type[Action], ...]] = ()
    """The actions that a seat may have in another seat's turn."""
    content: ClassVar[ContentFormat | None] = None
    """The format of its content files, which the option `content` names; None without any."""
    contents: Mapping[str, Content] = {}
    bots: ClassVar[Bots | None] = None
    """The computer players."""
    replay: ClassVar[ReplayFormat | None] = None
    """The additions to the replay of a finished game."""
    print_kit: ClassVar[PrintKit | None] = None
    """The pieces to print, as a PDF."""
    hints: ClassVar[type[Hints] | None] = None
    """The odds that the display may show."""
    tiles: ClassVar[TileField] = TileField()
    """The field of printed tiles."""
    secret_timer: ClassVar[SecretTimer] = SecretTimer()
    """The length of secret turns."""
    paper: ClassVar[PaperPlay] = PaperPlay()
    """The secrets that may be kept on paper."""
    status_words: ClassVar[StatusWords] = StatusWords()
    """The words for a club's dashboard."""
    lamps: ClassVar[LampRules | None] = None
    """The events that light a board's cells; None for a game that lights none."""

    def check_players(self, players: object) -> int:
        """Return `players`; raise `InvalidSetup` for an impossible number."""
        if type(players) is int and players in self.seats:
            return players
        least, most = self.seats[0], self.seats[-1]
        if least == most:
            raise InvalidSetup("wrong_player_count", n=least)
        raise InvalidSetup("wrong_players", least=least, most=most)

    def check_running(self, public: Any) -> None:
        """Raise `IllegalAction` if the game is over."""
        if self.to_move(public) is None:
            raise IllegalAction("game_is_over")

    def check_turn(self, public: Any, seat: Seat) -> None:
        """Raise `IllegalAction` unless `seat` is to move."""
        mover = self.to_move(public)
        if seat != mover:
            self.check_running(public)
            raise IllegalAction("not_your_turn", seat=seat, to_move=str(mover))

    @abstractmethod
    def seat_names(self, players: int) -> tuple[Seat, ...]:
        """Return the seats of a game, in the order of their first turns."""

    @abstractmethod
    def setup(self, seats: Sequence[Seat], setup: Any, rng: Random) -> list[Event]:
        """Return the events that start a game (`setup` is a `setup_type`); raise `InvalidSetup`."""

    @abstractmethod
    def initial(self) -> State:
        """Return the state before the first event of `setup`."""

    @abstractmethod
    def to_move(self, public: Any) -> Seat | None:
        """Return the seat to move, None when the game is over."""

    @abstractmethod
    def legal_actions(self, view: View) -> Sequence[Action]:
        """Return all actions that the view's seat may take now, from the view alone."""

    @abstractmethod
    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        """Return the events of an action and the state after them; raise `IllegalAction`."""

    def evolve(self, state: State, event: Event) -> State:
        """Return the state after the event; its public part is a fold of public events alone."""
        return evolve(state, event)

    def draft(self, state: State, events: list[Event]) -> Draft:
        """Return a draft of these events, the first ones of a decision."""
        for event in events:
            state = self.evolve(state, event)
        return Draft(self.evolve, state, events)

    def fold(self, events: Iterable[Event], state: State | None = None) -> State:
        """Return the state after `events`, from `state` or, without one, from `initial()`."""
        return reduce(self.evolve, events, self.initial() if state is None else state)

    def outcome(self, public: Any) -> Outcome | None:
        """Return the end of the game, None while it goes on; by default `public.outcome`."""
        outcome: Outcome | None = public.outcome
        return outcome

    def encode_view(self, view: View) -> dict[str, Any]:
        """Return the view as JSON-ready values for screens and the JSON-lines protocol.

        The public part is at the top level, the seat's own part under "own" (None for the display).
        """
        encoded: dict[str, Any] = msgspec.to_builtins(view.public)
        return {**encoded, "own": msgspec.to_builtins(view.own)}

    @abstractmethod
    def to_setup(self, state: State) -> dict[str, Any]:
        """Return the `setup_type` JSON of the same game without draws; secret ones under "deal"."""

    def with_content(self, contents: Mapping[str, Content]) -> Self:
        """Return this game with these contents, by name."""
        game = copy.copy(self)
        game.contents = {**self.contents, **contents}
        return game

    @property
    def content_names(self) -> tuple[str, ...]:
        """The values of the option `content`: the sample, the files, the box; () without any."""
        return (SAMPLE, *self.contents, BOX) if self.content else ()

    def on_own_board(self, setup: Any) -> bool:
        """Return whether a `setup_type` uses a typed board or the box."""
        return self.content is not None and setup.options.content == BOX

    def has_real_cards(self, setup: Any) -> bool:
        """Return whether players hold real cards, which no bot can; `setup` is a `setup_type`."""
        return self.on_own_board(setup)

    def is_sample(self, public: Any) -> bool:
        """Return whether the content is our invented sample; every screen then says so."""
        return False

    def setup_of_board(self, content: Any) -> dict[str, Any]:
        """Return the part of the `setup_type` JSON that is the board of a content; only for games
        whose `content` declares a board.
        """
        raise NotImplementedError

    def reference(self, public: Any) -> dict[str, Any]:
        """Return constant public data (the list of cards, their names in other languages under
        "translations"), JSON-ready; too much for every snapshot.
        """
        return {}

    def choices(self, setup: Any) -> dict[str, list[dict[str, Any]]]:
        """Return the choices before a game of `setup` (a `setup_type`), JSON-ready.

        For each field of `chosen` the entries with their "id"; one seat alone can have an entry.
        Omits fields without a choice.
        """
        return {}

    def setup_warnings(self, public: Any) -> list[Message]:
        """Return warnings about the set-up (a broken placement rule, an unusual start)."""
        return []

    def parts(self) -> Inventory:
        """Return the pieces of the box; none by default."""
        return Inventory()

    def placement(self, view: View) -> Placement:
        """Return the expected places of the pieces; none by default."""
        return Placement()

    def preview(self, view: View, action: Action) -> View:
        """Return the view after a physical action of the seat to move (a walk, taking a token).

        It is computed from the view alone, so it cannot depend on a secret. Raises `IllegalAction`.
        """
        raise IllegalAction("not_physical")

    def physical_actions(self, view: View) -> Sequence[Action]:
        """Return the legal actions of the seat to move that `preview` takes."""
        return ()

    def cells_passed(self, view: View, action: Action) -> Sequence[Cell]:
        """Return the cells that the piece of a physical action crosses before its last one."""
        return ()

    def follow_ups(self, view: View) -> list[Action]:
        """Return the follow-up actions that the table may take for the player (a bullet)."""
        return []

    def secret_seat(self, public: Any) -> Seat | None:
        """Return the seat whose whole turn is one secret submission (a night), else None."""
        return None

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        """Return what the seal of the secret submission `actions`, legal in `view`, fixes."""
        return Commitment("turn", ())

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        """Return the events that end the game and reveal its secrets, by the reason: "agreed" for a
        draw, "surrender" for the surrender of the seat with a secret turn.
        """
        return {}

    def resign(self, state: State, reason: str) -> Sequence[PublicEvent]:
        """Return the events of one of the `endings`; raise `IllegalAction` if there is none."""
        self.check_running(state.public)
        endings = self.endings(state)
        if reason not in endings:
            raise IllegalAction("cannot_resign")
        return endings[reason]

    def set_position(self, public: Any, arrangement: PositionEdit) -> Sequence[PublicEvent]:
        """Return the events that set pawns and tokens to an agreed position, against the rules of
        moving; raise `IllegalAction` for a position that this game cannot have.
        """
        raise IllegalAction("not_physical")
