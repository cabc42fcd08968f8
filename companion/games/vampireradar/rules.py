"""Decide the actions of Vampire Radar and fold its events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.capabilities import PrintKit
from companion.core.codec import to_builtins
from companion.core.game import (
    Action,
    Commitment,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    LampRules,
    Message,
    PublicEvent,
    Seat,
    State,
    View,
    fold_public,
)
from companion.core.paper import PathOnPaper
from companion.core.placement import Cell, Inventory, Pawn, Placement, PositionEdit
from companion.games.vampireradar import actions, events, layout, paper_play
from companion.games.vampireradar.actions import ACTIONS
from companion.games.vampireradar.bots import VampireRadarBots
from companion.games.vampireradar.events import EVENTS, SwitchedToPaper
from companion.games.vampireradar.humans import (
    call_radar,
    decide_open,
    human_actions,
    may_take,
    shoot,
)
from companion.games.vampireradar.night import decide_night, night_actions
from companion.games.vampireradar.options import CORNERS, HUMANS, TILE_NAMES, Setup, V
from companion.games.vampireradar.paper_audit import NightAuditor, pages_of
from companion.games.vampireradar.replay import REPLAY
from companion.games.vampireradar.state import Public, Vampire, encode_view
from companion.games.vampireradar.suggestions import VampireHints
from companion.games.vampireradar.tiles import PrintedTiles
from companion.games.vampireradar.turn_order import ending_now

PAWNS_EACH: Mapping[int, int] = {2: 4, 3: 4, 4: 3}
BULLETS_EACH: Mapping[int, int] = {2: 6, 3: 3, 4: 2}
HP: Mapping[int, tuple[int, int]] = {2: (4, 4), 3: (4, 4), 4: (4, 5)}
"""The vampire's lives at the start and at most, by players."""


def default_start(players: int, pawns_each: int) -> dict[Pawn, Cell]:
    """Return the first cell of each pawn: pawn j of human i, both from 0, on corner (i + j) mod 4
    of A1, F1, A6, F6.
    """
    return {
        Pawn(f"{human}{chr(ord('a') + j)}"): CORNERS[(i + j) % 4]
        for i, human in enumerate(HUMANS[: players - 1])
        for j in range(pawns_each)
    }


class VampireRadar(Game):
    """Vampire Radar, 3rd edition; rulings where the rulebook is silent are `Options`."""

    name = "vampireradar"
    seats = range(2, 5)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    bots = VampireRadarBots()
    replay = REPLAY
    print_kit = PrintKit("companion.games.vampireradar.print_kit")
    hints = VampireHints
    tiles = PrintedTiles()
    paper = PathOnPaper(V, SwitchedToPaper(), pages_of, NightAuditor)
    lamps = LampRules({"pawn_walked": ("from", "to")}, {"radar_called": layout.radar_ring})

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return (V, *HUMANS[: players - 1])

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        players = len(seats)
        options = setup.options
        pawns_each = options.pawns_each or PAWNS_EACH[players]
        if pawns_each > 4 and players > 2:
            raise InvalidSetup("too_many_pawns", pawns=pawns_each)
        field = setup.field or layout.random_layout(rng, options)
        layout.lay(field)
        if options.on_paper and options.announce == "turn_end":
            raise InvalidSetup("paper_announces_at_once")
        start = _start(setup.start, default_start(players, pawns_each))
        bullets = BULLETS_EACH[players] if options.bullets_each is None else options.bullets_each
        hands = dict.fromkeys((str(human) for human in HUMANS[: players - 1]), bullets)
        return [events.GameSetUp(players, options, field, start, hands, HP[players][0])]

    def initial(self) -> State:
        return State(layout.empty_public(), {V: Vampire()})

    def to_move(self, public: Public) -> Seat | None:
        return V if public.asked else public.to_move

    def secret_seat(self, public: Public) -> Seat | None:
        return V if public.to_move == V and not public.options.on_paper else None

    def setup_warnings(self, public: Public) -> list[Message]:
        players = len(public.humans) + 1
        usual = default_start(players, len(public.start) // len(public.humans))
        unusual = [pawn for pawn, cell in public.start.items() if usual.get(pawn) != cell]
        start = [Message("start.unusual", {"pawns": " ".join(unusual)})] if unusual else []
        return [*layout.broken_rules(public.field.layout, public.options), *start]

    def legal_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        seat = V if public.asked else public.to_move
        if seat is None or view.seat != seat:
            return ()
        if seat != V:
            return human_actions(public)
        return (
            paper_play.announced_actions(public)
            if public.options.on_paper
            else night_actions(public, view.own)
        )

    def physical_actions(self, view: View) -> Sequence[Action]:
        public: Public = view.public
        if view.seat is None or view.seat != self.to_move(public) or view.seat == V:
            return ()
        return [
            action
            for action in human_actions(public)
            if isinstance(action, actions.Walk | actions.TakeBullet)
        ]

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        public: Public = state.public
        if seat != public.to_move or public.asked:
            self.check_turn(public, seat)
        if public.options.on_paper:
            decided = paper_play.decide_on_paper(public, seat, action)
        elif seat == V:
            decided = decide_night(public, state.private[V], action)
        # isinstance() takes ten times as long when a Struct is of another class.
        elif type(action) is actions.CallRadar:
            decided = [call_radar(public, action.pawn, state.private[V].cell)]
        elif type(action) is actions.Shoot:
            decided = shoot(public, action.pawn, action.direction, state.private[V].cell)
        else:
            decided = decide_open(public, seat, action)
        return self.draft(state, decided)

    def evolve(self, state: State, event: Event) -> State:
        before: Public = state.public
        public: Public = event.apply(before)
        private = event.apply_private(state.private, before)
        if private or not public.options.on_paper:
            return State(public, private)
        return State(replace(public, reachable=paper_play.update_reachable(before, event)))

    def preview(self, view: View, action: Action) -> View:
        public: Public = view.public
        if view.seat is None or view.seat != self.to_move(public) or view.seat == V:
            raise IllegalAction("not_physical")
        if not isinstance(action, actions.Walk | actions.TakeBullet):
            raise IllegalAction("not_physical")
        after = fold_public(decide_open(public, view.seat, action), public)
        return View(view.seat, after, view.own)

    def parts(self) -> Inventory:
        return layout.PARTS

    def placement(self, view: View) -> Placement:
        public: Public = view.public
        cells: dict[Cell, frozenset[Pawn]] = {}
        for pawn, cell in public.pawns.items():
            cells[cell] = cells.get(cell, frozenset()) | {pawn}
        tokens = dict.fromkeys(public.bullet_tokens, "bullet") | dict.fromkeys(
            public.bat_tokens, "bat"
        )
        return Placement(cells, tokens, public.field.every)

    def follow_ups(self, view: View) -> list[Action]:
        public: Public = view.public
        takes: list[Action] = [
            actions.TakeBullet(pawn) for pawn in public.rights if may_take(public, pawn)
        ]
        return takes[-1:]

    def sealed(self, view: View, submitted: Sequence[Action]) -> Commitment:
        own: Vampire = view.own
        path = [] if own.cell is None else [own.cell]
        for action in submitted:
            match action:
                case actions.Place(cell=cell):
                    path.append(cell)
                case actions.Walk(to=cell) | actions.Attack(to=cell) | actions.Heal(to=cell):
                    path.append(cell)
        return Commitment("night" if own.cell is not None else "place", tuple(path))

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        return {
            "agreed": [events.GameOver("draw", "agreed")],
            "surrender": [events.GameOver("humans", "surrender")],
        }

    def set_position(self, public: Public, arrangement: PositionEdit) -> Sequence[PublicEvent]:
        if public.options.on_paper and self.to_move(public) == V:
            raise IllegalAction("vampire_announces_first")
        return position_events(public, arrangement)

    def encode_view(self, view: View) -> dict[str, Any]:
        return encode_view(view)

    def to_setup(self, state: State) -> dict[str, Any]:
        public: Public = state.public
        start = {str(pawn): str(cell) for pawn, cell in public.start.items()}
        return to_builtins(Setup(public.options, public.field.layout, start))


def _start(chosen: Mapping[str, str] | None, usual: Mapping[Pawn, Cell]) -> dict[str, str]:
    """Return the start of each pawn; raise `InvalidSetup` unless `chosen` names exactly the pawns,
    and only cells of the field.
    """
    if chosen is None:
        return {str(pawn): str(cell) for pawn, cell in usual.items()}
    for pawn in chosen.keys() - usual.keys():
        raise InvalidSetup("start_unknown_pawn", pawn=str(pawn), pawns=" ".join(usual))
    for pawn in usual:
        if pawn not in chosen:
            raise InvalidSetup("start_missing_pawn", pawn=pawn)
        if not layout.is_cell(chosen[pawn]):
            raise InvalidSetup("start_no_such_cell", pawn=pawn, cell=chosen[pawn])
    return {str(pawn): chosen[pawn] for pawn in usual}


def position_events(public: Public, edit: PositionEdit) -> list[PublicEvent]:
    """Return the events that change the positions to `edit`, and the end of the game if they
    cause it.

    Raises `IllegalAction` for a pawn out of the game, an unknown cell or token, a token on another
    kind of tile, and if nothing changes. A pawn set by hand has not landed: it gets no bullet and
    no radar.
    """
    if public.to_move is None:
        raise IllegalAction("game_is_over")
    changes = [*_pawn_events(public, edit.pawns), *_token_events(public, edit.tokens)]
    if not changes:
        raise IllegalAction("nothing_set")
    return [*changes, *ending_now(fold_public(changes, public))]


def _pawn_events(public: Public, pawns: Mapping[Pawn, Cell]) -> list[PublicEvent]:
    for pawn, cell in pawns.items():
        if pawn not in public.pawns:
            raise IllegalAction("no_such_pawn", pawn=pawn)
        if cell not in public.field.tile:
            raise IllegalAction("no_such_cell", cell=cell)
    moved = [pawn for pawn, cell in public.pawns.items() if pawns.get(pawn, cell) != cell]
    return [events.PawnSet(pawn, public.pawns[pawn], pawns[pawn]) for pawn in moved]


def _token_events(public: Public, tokens: Mapping[Cell, str | None]) -> list[PublicEvent]:
    changes: list[PublicEvent] = []
    for cell in sorted(tokens):
        token = tokens[cell]
        kind = TILE_NAMES.get(public.field.tile.get(cell, ""))
        if kind is None:
            raise IllegalAction("no_such_cell", cell=cell)
        if token not in (None, kind) or kind not in ("bullet", "bat"):
            raise IllegalAction("token_not_here", cell=cell)
        lies = cell in (public.bullet_tokens if kind == "bullet" else public.bat_tokens)
        if lies != (token is not None):
            changes.append(events.TokenSet(cell, "bullet" if kind == "bullet" else "bat", not lies))
    return changes
