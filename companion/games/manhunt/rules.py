"""Decide the actions of Manhunt and fold its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import PrintKit
from companion.core.codec import to_builtins
from companion.core.content import (
    BOX,
    load_packaged,
    strip_translations,
    translations_of,
)
from companion.core.game import (
    Action,
    Commitment,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    PublicEvent,
    Seat,
    State,
    StatusWords,
    View,
    evolve,
    fold_public,
)
from companion.core.paper import PathOnPaper
from companion.core.placement import Cell, Inventory, Pawn, Placement, PositionEdit
from companion.core.shape import check_content
from companion.games.manhunt import events, paper_play
from companion.games.manhunt.actions import ACTIONS, Hide, Step, Walk
from companion.games.manhunt.board import Board
from companion.games.manhunt.bots import ManhuntBots
from companion.games.manhunt.events import EVENTS, SwitchedToPaper
from companion.games.manhunt.fugitive import decide_fugitive, fugitive_actions
from companion.games.manhunt.hunters import decide_hunter, decide_walk, hunter_actions, walks_of
from companion.games.manhunt.map_file import FORMAT, MOST_HUNTERS, MapFile, faults
from companion.games.manhunt.options import HUNTERS, MAPS, F, Setup
from companion.games.manhunt.paper_audit import TurnAuditor, pages_of
from companion.games.manhunt.replay import REPLAY
from companion.games.manhunt.state import Hidden, Public, encode_view
from companion.games.manhunt.suggestions import FugitiveHints


def pawns_of_seats(hunters: Sequence[Seat], count: int) -> dict[Pawn, Seat]:
    """Return the pawns with their seats: dealt out in turn, named by seat and letter."""
    return {
        Pawn(f"{hunters[i % len(hunters)]}{LETTERS[i // len(hunters)]}"): hunters[i % len(hunters)]
        for i in range(count)
    }


LETTERS = "abcde"
PAWNS: tuple[Pawn, ...] = tuple(
    sorted(
        {
            pawn
            for seats in range(1, MOST_HUNTERS + 1)
            for pawn in pawns_of_seats(HUNTERS[:seats], MOST_HUNTERS)
        }
    )
)
"""The pawns of every number of players."""


@cache
def own_map(name: str) -> MapFile:
    """Return one of the shipped maps."""
    return load_packaged(__package__, f"maps/{name}.toml", MapFile)


def own_maps() -> list[MapFile]:
    """Return all shipped maps. They are read when they are first needed: a tenth of the start."""
    return [own_map(name) for name in MAPS]


class Manhunt(Game):
    """Manhunt on any map; the map's rule card has every rule that may vary."""

    name = "manhunt"
    seats = range(2, 2 + MOST_HUNTERS)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    content = FORMAT
    bots = ManhuntBots()
    print_kit = PrintKit("companion.games.manhunt.print_kit")
    hints = FugitiveHints
    replay = REPLAY
    status_words = StatusWords(has_nights=False)
    paper = PathOnPaper(F, SwitchedToPaper(), pages_of, TurnAuditor)

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return (F, *HUNTERS[: players - 1])

    @property
    def content_names(self) -> tuple[str, ...]:
        return (*MAPS, *(name for name in self.contents if name not in MAPS), BOX)

    def has_real_cards(self, setup: Setup) -> bool:
        return False

    def _map(self, setup: Setup) -> MapFile:
        """Return the map of a set-up with its translations; raise `InvalidSetup`."""
        if setup.content is not None:
            check_content(setup.content, faults, "content_faults")
            return setup.content
        name = setup.options.content
        content = self.contents.get(name)
        if isinstance(content, MapFile):
            return content
        if name == BOX:
            raise InvalidSetup("no_own_map")
        if name not in MAPS:
            raise InvalidSetup("no_such_content", name=name, allowed=", ".join(self.content_names))
        return own_map(name)

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        content = strip_translations(self._map(setup))
        hunters = seats[1:]
        owners = pawns_of_seats(hunters, max(len(hunters), content.rules.hunters))
        start = _start(setup.start, tuple(owners), Board(content), rng)
        return [events.GameSetUp(len(seats), setup.options, content, start)]

    def setup_of_board(self, content: MapFile) -> dict[str, Any]:
        return {"content": to_builtins(content)}

    def initial(self) -> State:
        return State(events.empty_public(), {F: Hidden()})

    def to_move(self, public: Public) -> Seat | None:
        return F if public.question else public.to_move

    def secret_seat(self, public: Public) -> Seat | None:
        return F if public.to_move == F and not public.options.on_paper else None

    def reference(self, public: Public) -> dict[str, Any]:
        content = public.board.content
        return {
            "map": to_builtins(content),
            "translations": translations_of(self._translated(content)),
        }

    def _translated(self, content: MapFile) -> MapFile | None:
        """Return the file with the translations of a game's map, None if there is none."""
        known = [*self.contents.values(), *own_maps()]
        for map_file in known:
            if isinstance(map_file, MapFile) and strip_translations(map_file) == content:
                return map_file
        return None

    def legal_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        if view.seat is None or view.seat != self.to_move(public):
            return ()
        if view.seat == F and public.options.on_paper:
            return paper_play.announced_actions(public)
        if view.seat == F:
            return fugitive_actions(public, view.own)
        return hunter_actions(public, view.seat)

    def physical_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        if view.seat is None or view.seat != self.to_move(public) or view.seat == F:
            return ()
        return [walk for pawn in public.pawns_of(view.seat) for walk in walks_of(public, pawn)]

    def preview(self, view: View, action: Action) -> View:
        public: Public = view.public
        if view.seat is None or view.seat != self.to_move(public) or not isinstance(action, Walk):
            raise IllegalAction("not_physical")
        after = fold_public(decide_walk(public, view.seat, action), public)
        return View(view.seat, after, view.own)

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        public: Public = state.public
        self.check_turn(public, seat)
        if seat == F and public.options.on_paper:
            return self.draft(state, [*paper_play.decide_announced(public, action)])
        if seat == F:
            return self.draft(state, decide_fugitive(public, state.private[F], action))
        decided = decide_hunter(public, seat, action, state.private.get(F))
        return self.draft(state, [*decided])

    def evolve(self, state: State, event: Event) -> State:
        after = evolve(state, event)
        if not after.public.options.on_paper:
            return after
        assert isinstance(event, PublicEvent), "on paper the companion knows no secret"
        belief = paper_play.belief_after(state.public, event)
        return State(replace(after.public, belief=belief))

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        own: Hidden = view.own
        path = [] if own.cell is None else [str(own.cell)]
        for action in actions:
            match action:
                case Hide(cell=cell):
                    path.append(cell)
                case Step(to=to, kind=kind):
                    path += [kind, to]
        return Commitment("place" if own.cell is None else "turn", tuple(path))

    def parts(self) -> Inventory:
        return Inventory(pawns=PAWNS)

    def placement(self, view: View) -> Placement:
        public: Public = view.public
        cells: dict[Cell, frozenset[Pawn]] = {}
        for pawn, cell in public.pawns.items():
            cells[cell] = cells.get(cell, frozenset()) | {pawn}
        return Placement(cells, {}, frozenset(public.board.cells))

    def set_position(self, public: Public, arrangement: PositionEdit) -> Sequence[PublicEvent]:
        if public.options.on_paper and self.to_move(public) == F:
            raise IllegalAction("fugitive_announces_first")
        return position_events(public, arrangement)

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        return {
            "agreed": [events.GameOver("draw", "agreed")],
            "surrender": [events.GameOver("hunters", "surrender")],
        }

    def encode_view(self, view: View) -> dict[str, Any]:
        return encode_view(view)

    def to_setup(self, state: State) -> dict[str, Any]:
        public: Public = state.public
        start = {str(pawn): str(cell) for pawn, cell in public.start.items()}
        return to_builtins(Setup(public.options, public.board.content, start))


def _start(
    chosen: Mapping[str, str] | None, pawns: Sequence[Pawn], board: Board, rng: Random
) -> dict[str, str]:
    """Return the start of each pawn; without `chosen`, draw them from the hunters' starts. Two
    pawns share a start only if there are too few. Raises `InvalidSetup`.
    """
    if chosen is None:
        starts = list(board.starts("hunter"))
        rng.shuffle(starts)
        return {str(pawn): str(starts[i % len(starts)]) for i, pawn in enumerate(pawns)}
    for pawn in chosen:
        if pawn not in pawns:
            raise InvalidSetup("start_unknown_pawn", pawn=pawn, pawns=" ".join(pawns))
    for pawn in pawns:
        if pawn not in chosen:
            raise InvalidSetup("start_missing_pawn", pawn=pawn)
        if chosen[pawn] not in board.index:
            raise InvalidSetup("start_no_such_cell", pawn=pawn, cell=chosen[pawn])
    if set(board.starts("fugitive")) <= set(chosen.values()):
        raise InvalidSetup("start_leaves_none")
    return {str(pawn): chosen[pawn] for pawn in pawns}


def position_events(public: Public, edit: PositionEdit) -> list[events.PawnSet]:
    """Return the events that set pawns on other places; this is no move and catches nobody.

    Raises `IllegalAction` for an unknown pawn or place, for a token, if nothing changes, and if the
    fugitive could not hide any more.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    for cell in edit.tokens:
        raise IllegalAction("token_not_here", cell=cell)
    for pawn, cell in edit.pawns.items():
        if pawn not in public.pawns:
            raise IllegalAction("no_such_pawn", pawn=pawn)
        if cell not in public.board.index:
            raise IllegalAction("no_such_cell", cell=cell)
    moved = [pawn for pawn, cell in edit.pawns.items() if public.pawns[pawn] != cell]
    if not moved:
        raise IllegalAction("nothing_set")
    taken = {*{**public.pawns, **edit.pawns}.values()}
    if not public.placed and {*public.board.starts("fugitive")} <= taken:
        raise IllegalAction("start_leaves_none")
    return [events.PawnSet(pawn, public.pawns[pawn], edit.pawns[pawn]) for pawn in moved]
