"""Check the path of a vampire on paper against every answer that it gave and the rules of a night.

Each night is decided by `night.decide_night`, as in the game. For the replay, the same walk
builds the events of a game with the path on a phone. If the vampire changed to paper in mid-game,
the first page is the tile at the end of the last sealed night.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from itertools import pairwise

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import (
    Action,
    Event,
    IllegalAction,
    Message,
    PublicEvent,
    State,
    evolve,
)
from companion.core.paper import PathAuditor
from companion.core.placement import Cell
from companion.games.vampireradar import events
from companion.games.vampireradar.actions import Attack, Heal, Walk
from companion.games.vampireradar.humans import shot_line
from companion.games.vampireradar.layout import empty_public, is_cell
from companion.games.vampireradar.night import decide_night
from companion.games.vampireradar.options import NIGHT_POINTS, STARTS, V
from companion.games.vampireradar.state import Public, Vampire

Announcement = events.PawnsKilled | events.BatEaten
Step = events.VampireMoved | events.PawnsKilled | events.BatEaten


def pages_of(history: Sequence[Event]) -> list[list[Message]]:
    """Return a page for the vampire's first tile on paper and one for each night, with its
    announcements; [] on a phone.
    """
    pages: list[list[Message]] = []
    on_paper = placed = night = False
    for event in history:
        match event:
            case events.GameSetUp(options=options):
                on_paper = options.on_paper
            case events.SwitchedToPaper():
                on_paper = True
                pages = [[] for _ in range(placed + (placed and night))]
            case events.VampirePlaced():
                placed = True
                pages.append([])
            case events.TurnStarted(seat=seat):
                night = seat == V
                if night:
                    pages.append([])
            case events.PawnsKilled() | events.BatEaten():
                pages[-1].append(event.message())
    return pages if on_paper else []


class NightAuditor(PathAuditor):
    """The path of a vampire."""

    def __init__(self, pages: Sequence[Sequence[str]]) -> None:
        super().__init__(pages)
        self._public: Public = empty_public()
        self._at_nightfall: Public | None = None
        self._night: list[PublicEvent] = []
        self._place: Cell | None = None

    def observe(self, event: Event) -> None:
        if isinstance(event, PublicEvent):
            self._fold(event)
            return
        self.phone_events.append(event)
        match event:
            case events.VampireHid(cell=cell) | events.VampireMoved(to=cell):
                self._place = cell

    def _fold(self, event: PublicEvent) -> None:
        before, self._public = self._public, event.apply(self._public)
        on_paper = self._public.options.on_paper
        match event:
            case events.RadarAsked() | events.ShotAsked() | events.AnswersContradict():
                return
            case events.SwitchedToPaper():
                self._switch_to_paper()
                return
            case events.GameSetUp(options=options):
                event = replace(event, options=replace(options, path=UNSET))
            case events.VampirePlaced() if on_paper:
                self._hide()
            case events.RadarCalled() | events.ShotFired():
                self._check_answer(before, event)
        if self._at_nightfall is not None:
            self._night.append(event)
            if event == events.TurnEnded(V) or isinstance(event, events.GameOver):
                self._retrace(self._at_nightfall)
        else:
            self.phone_events.append(event)
        if on_paper and event == events.TurnStarted(V):
            self._fall()

    def _fall(self) -> None:
        self._at_nightfall, self._night = self._public, []
        self._page += 1

    def _switch_to_paper(self) -> None:
        if not self._pages:
            # It was not typed: a replay has to show that the tile is no longer known.
            self.phone_events.append(events.SwitchedToPaper())
            self._place = None
        if not self._public.placed:
            return
        self._begin_pages(self._place)
        if self._public.to_move == V:
            self._fall()

    def _hide(self) -> None:
        self._page = 0
        match self._page_cells():
            case [cell] if cell in STARTS:
                self._place = cell
                self.phone_events.append(events.VampireHid(cell))
            case [cell]:
                self._report("not_a_centre_tile", cell=cell)
            case cells:
                self._report("audit.start", n=len(cells))

    def _check_answer(self, before: Public, event: events.RadarCalled | events.ShotFired) -> None:
        self._answers += 1
        if self._place is None:
            return
        if isinstance(event, events.RadarCalled):
            right = before.field.grid.distances[event.cell][self._place]
            code, fits = "audit.radar", right == event.distance
            more: dict[str, str | int] = {"announced": event.distance, "right": right}
        else:
            on_line = self._place in shot_line(before, event.pawn, event.cell, event.direction)
            code, fits = "audit.groan" if event.hit else "audit.silence", on_line == event.hit
            more = {"direction": event.direction}
        if not fits:
            facts = {"pawn": event.pawn, "cell": event.cell, "place": self._place, **more}
            self._report(code, **facts)

    def _retrace(self, at_nightfall: Public) -> None:
        """Walk the typed night; if it is impossible, report why and accept it as it was typed."""
        self._at_nightfall = None
        steps: list[Step] = []
        if self._place is not None:
            search = _NightSearch(
                [event for event in self._night if isinstance(event, Announcement)],
                self._page_cells(),
            )
            walked = search.find(at_nightfall, Vampire(self._place, NIGHT_POINTS, (self._place,)))
            if walked is None and search.obstacle is not None:
                self._report(search.obstacle.code, **search.obstacle.params)
            steps = _as_typed(self._place, self._page_cells()) if walked is None else walked
            self._place = next(
                (step.to for step in reversed(steps) if isinstance(step, events.VampireMoved)),
                self._place,
            )
        self.phone_events += _complete_night(steps, self._night)


class _NightSearch:
    """A search for a night along the typed cells with the announced attacks and meals in order.

    obstacle: the obstacle of the attempt that came furthest
    """

    def __init__(self, announcements: Sequence[Announcement], typed: Sequence[Cell]) -> None:
        self.obstacle: Message | None = None
        self._announced = announcements
        self._page_cells = typed
        self._furthest = -1

    def find(
        self, public: Public, own: Vampire, cells_used: int = 0, announced_used: int = 0
    ) -> list[Step] | None:
        """Return the rest of the night after the first `cells_used` cells, and `announced_used`
        attacks and meals, None if there is none.
        """
        to = self._page_cells[cells_used] if cells_used < len(self._page_cells) else None
        announced = (
            self._announced[announced_used] if announced_used < len(self._announced) else None
        )
        if to is None and announced is None:
            return []
        tries: list[list[Step] | None] = []
        if announced is not None and announced.cell == own.cell:
            tries.append(self._go(public, own, announced, cells_used, announced_used))
        if announced is not None and announced.cell == to:
            tries.append(self._go(public, own, announced, cells_used + 1, announced_used))
        if to is not None:
            stays = to == own.cell
            tries.append(
                self.find(public, own, cells_used + 1, announced_used)
                if stays
                else self._go(public, own, to, cells_used + 1, announced_used)
            )
        if not tries and announced is not None:
            self._note_obstacle(
                Message("audit.not_there", {"cell": announced.cell}), cells_used + announced_used
            )
        return next((way for way in tries if way is not None), None)

    def _go(
        self,
        public: Public,
        own: Vampire,
        what: Announcement | Cell,
        cells_used: int,
        announced_used: int,
    ) -> list[Step] | None:
        """Return the rest of the night that begins with this attack or meal, or with a walk to this
        cell.
        """
        try:
            if public.outcome is not None:
                raise IllegalAction("game_is_over")
            decided = decide_night(public, own, _action(what))
        except IllegalAction as wrong:
            at = what if isinstance(what, str) else what.cell
            tired = Message("audit.tired", {"cell": at})
            self._note_obstacle(
                wrong.message if own.actions_left else tired, cells_used + announced_used
            )
            return None
        after = reduce(evolve, decided, State(public, {V: own}))
        is_announced = isinstance(what, Announcement)
        rest = self.find(after.public, after.private[V], cells_used, announced_used + is_announced)
        moved: list[Step] = [event for event in decided if isinstance(event, events.VampireMoved)]
        return (
            None
            if rest is None
            else [*moved, *([what] if isinstance(what, Announcement) else []), *rest]
        )

    def _note_obstacle(self, message: Message, far: int) -> None:
        if far > self._furthest:
            self.obstacle, self._furthest = message, far


def _action(what: Announcement | Cell) -> Action:
    match what:
        case events.PawnsKilled(cell=cell):
            return Attack(to=cell)
        case events.BatEaten(cell=cell):
            return Heal(to=cell)
    return Walk(to=what)


def _as_typed(place: Cell, typed: Sequence[Cell]) -> list[Step]:
    """Return the steps of an impossible night, as they were typed."""
    cells = [place, *(cell for cell in typed if is_cell(cell))]
    return [events.VampireMoved(at, to, 0) for at, to in pairwise(cells) if at != to]


def _complete_night(steps: Sequence[Step], public_events: Sequence[PublicEvent]) -> list[Event]:
    """Return the events of a night with its steps: each step comes before its attack or meal, the
    others before the end.
    """
    complete: list[Event] = []
    left = [*steps]
    for event in public_events:
        if isinstance(event, Announcement | events.GameOver) or event == events.TurnEnded(V):
            while left and isinstance(left[0], events.VampireMoved):
                complete.append(left.pop(0))
        if left and left[0] == event:
            left.pop(0)
        complete.append(event)
    return complete
