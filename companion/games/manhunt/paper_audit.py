"""Check the path of a fugitive on paper against all announcements and the rules of its turns.

For the replay, the same walk builds the events of a game with the path on a phone. There is a page
for each start and for each turn. If the fugitive changed to paper in mid-game, the first page is
the place at the end of the last sealed turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Event, Message, PublicEvent
from companion.core.paper import PathAuditor
from companion.core.placement import Cell
from companion.games.manhunt import events
from companion.games.manhunt.board import Passage
from companion.games.manhunt.fugitive import (
    announced_distance,
    announced_turn,
    announces_ways,
    free_starts,
    steps,
)
from companion.games.manhunt.hunters import true_answer
from companion.games.manhunt.map_file import UNSEEN
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Hidden, Public, new_turn

AtTable = (
    events.QuestionAsked | events.ArrestAsked | events.TurnAnnounced | events.AnswersContradict
)
"""Events that occur only in a game on paper."""


def pages_of(history: Sequence[Event]) -> list[list[Message]]:
    """Return the title and then the announcements of each page of the paper; [] on a phone."""
    pages: list[list[Message]] = []
    public = events.empty_public()
    for event in history:
        if not isinstance(event, PublicEvent):
            continue
        before, public = public, event.apply(public)
        match event:
            case events.SwitchedToPaper() if before.placed:
                pages.append([_title("stood", before)])
            case events.FugitivePlaced() if public.options.on_paper:
                pages.append([_title("start", before)])
            case events.FugitiveMoved() if public.options.on_paper:
                pages.append([_title("round", before), event.message()])
            case events.PlaceAnnounced() if public.options.on_paper:
                pages[-1].append(event.message())
    return pages


def _title(what: str, public: Public) -> Message:
    """Return a page's title; with several nights it names the night."""
    where: dict[str, str | int] = {"round": public.round}
    if public.board.rules.nights > 1:
        return Message(f"page.{what}.night", {**where, "night": public.night})
    return Message(f"page.{what}", where)


class TurnAuditor(PathAuditor):
    """The path of a fugitive."""

    def __init__(self, pages: Sequence[Sequence[str]]) -> None:
        super().__init__(pages)
        self._public: Public = events.empty_public()
        self._own = Hidden()
        self._due: PublicEvent | None = None

    def observe(self, event: Event) -> None:
        if isinstance(event, events.FugitiveEvent):
            self._record(event)
        elif isinstance(event, PublicEvent):
            before, self._public = self._public, event.apply(self._public)
            # The table itself decided the announcements of a phone.
            if before.options.on_paper:
                self._check_place(event)
            self._fold(before, event)

    def _record(self, event: events.FugitiveEvent) -> None:
        self.phone_events.append(event)
        self._own = event.apply_private({F: self._own}, self._public)[F]

    def _fold(self, before: Public, event: PublicEvent) -> None:
        on_paper = before.options.on_paper
        match event:
            case _ if isinstance(event, AtTable):
                return
            case events.SwitchedToPaper():
                self._switch_to_paper()
                return
            case events.GameSetUp(options=options):
                event = replace(event, options=replace(options, path=UNSET))
            case events.NightStarted():
                self._own = Hidden()
            case events.TurnStarted(seat=seat) if seat == F:
                self._own = new_turn(self._own)
            case events.FugitivePlaced() if on_paper:
                self._hide()
            case events.FugitiveMoved() if on_paper:
                self._walk(event)
        self.phone_events.append(event)
        self._check(before, event)

    def _switch_to_paper(self) -> None:
        if not self._pages:
            # It was not typed: a replay has to show that the place is no longer known.
            self.phone_events.append(events.SwitchedToPaper())
            self._own = Hidden()
        if not self._public.placed:
            return
        self._begin_pages(self._own.cell)

    def _hide(self) -> None:
        self._page += 1
        self._own = Hidden()
        typed = self._page_cells()
        if not self._pages:
            return
        if len(typed) != 1:
            self._report("audit.start", n=len(typed))
        elif typed[0] not in free_starts(self._public):
            self._report("audit.no_start", cell=typed[0])
        if len(typed) == 1 and typed[0] in self._public.board.index:
            self._record(events.FugitiveHid(typed[0]))

    def _walk(self, moved: events.FugitiveMoved) -> None:
        """Walk the typed turn; if it is impossible, report why and accept it as it was typed."""
        self._page += 1
        if not self._pages:
            return
        public, typed = self._public, self._page_cells()
        limit = public.board.rules.fugitive_moves
        if announces_ways(public) and len(typed) != len(moved.ways or ()):
            self._report("audit.count", announced=len(moved.ways or ()), typed=len(typed))
        elif len(typed) > limit:
            self._report("audit.moves", n=limit)
        elif not typed and "fugitive" not in public.board.rules.may_stay and self._own.cell:
            self._report("must_move")
        ways = [*(moved.ways or ()), *[None] * len(typed)]
        for to, way in zip(typed, ways, strict=False):
            self._step(to, way)

    def _step(self, to: Cell, way: str | None) -> None:
        """Take a step to `to`, announced as `way`."""
        public, here = self._public, self._own.cell
        if to not in public.board.index:
            self._report("audit.no_place", cell=to)
            return
        if here is None:
            # An earlier step was wrong already.
            self._own = Hidden(to, (to,), trail=(to,))
            return
        there = [each for each in public.board.steps["fugitive"][here] if each.to == to]
        fitting = [each for each in there if way in (None, UNSEEN, public.board.label(here, each))]
        if not there:
            self._report("audit.no_way", cell=here, to=to)
        elif to in public.pawns.values():
            self._report("audit.pawn", cell=to)
        elif not fitting:
            self._report("audit.way", cell=here, to=to, kinds=str(way))
        passage = next(iter((*fitting, *there, Passage(to, public.board.content.kinds[0]))))
        self._record(events.FugitiveStepped(here, to, passage.kind, way == UNSEEN))

    def _check_place(self, event: PublicEvent) -> None:
        """Compare the announcements that the place requires after a turn with those made."""
        due, self._due = self._due, None
        here = self._own.cell
        if here is None or isinstance(event, AtTable):
            self._due = due
        elif isinstance(event, events.PlaceAnnounced):
            if event.cell != here:
                self._report("audit.place", cell=event.cell, place=here)
            elif event != due:
                self._report("audit.no_end", cell=event.cell)
        elif due is not None:
            self._report("audit.untold", place=here)

    def _check(self, before: Public, event: PublicEvent) -> None:
        """Compare an announcement with the place."""
        here = self._own.cell if before.options.on_paper else None
        match event:
            case events.FugitiveMoved(distance=distance):
                self._answers += 1
                if here is None:
                    return
                right = announced_distance(before, here)
                if distance is not None and right is not None and distance != right:
                    self._report("audit.distance", announced=distance, right=right, place=here)
                due = announced_turn(before, event, here, again=False)[1]
                self._due = due if isinstance(due, events.PlaceAnnounced) else None
            case events.QuestionAnswered():
                self._answers += 1
                if here is not None and event != true_answer(before, event, self._own):
                    yes = "yes" if event.yes else "no"
                    self._report(f"audit.{event.question}.{yes}", cell=event.cell, place=here)
            case events.ArrestMissed(cell=cell):
                self._check_absence(here, (cell,))
            case events.NothingFound(cells=cells):
                self._check_absence(here, cells)
            case events.FugitiveCaught(cell=cell):
                self._answers += 1
                if here is not None and cell != here:
                    self._report("audit.caught", cell=cell, place=here)
            case events.GameOver(reason="trapped") if here is not None and steps(before, self._own):
                self._report("audit.trapped", place=here)

    def _check_absence(self, here: Cell | None, cells: Sequence[Cell]) -> None:
        self._answers += 1
        if here in cells:
            self._report("audit.nobody", place=str(here))
