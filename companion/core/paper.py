"""Play with one seat's path on paper, and check the path that is typed after the game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from companion.core.game import (
    Audit,
    AuditFinding,
    Event,
    IllegalAction,
    Message,
    PaperPlay,
    PublicEvent,
    Seat,
)
from companion.core.placement import Cell

PagesOf = Callable[[Sequence[Event]], list[list[Message]]]
"""Returns the messages of each page of a game's paper, [] on a phone."""


class PathAuditor(ABC):
    """A fold of a game's events with the typed pages of a path.

    Its results are `result` and `phone_events`: the events of the same game with the path on a
    phone.
    """

    def __init__(self, pages: Sequence[Sequence[str]]) -> None:
        self.phone_events: list[Event] = []
        self._pages = [[Cell(cell) for cell in page] for page in pages]
        self._page = -1
        self._answers = 0
        self._findings: list[AuditFinding] = []

    @property
    def result(self) -> Audit:
        return Audit(self._answers, tuple(self._findings))

    @abstractmethod
    def observe(self, event: Event) -> None:
        """Fold the next event of the game."""

    def _page_cells(self) -> list[Cell]:
        """Return the typed cells of the present page."""
        return self._pages[self._page] if self._page < len(self._pages) else []

    def _report(self, code: str, **params: str | int) -> None:
        self._findings.append(AuditFinding(max(self._page, 0), Message(code, params)))

    def _begin_pages(self, place: Cell | None) -> None:
        """Turn to the first page after the change to paper, on which the path stood at `place`."""
        self._page = 0
        if place is not None and self._page_cells() != [place]:
            typed = " ".join(self._page_cells()) or "–"
            self._report("audit.switched_to_paper", cell=typed, place=place)


class PathOnPaper(PaperPlay):
    """A seat without a phone, which writes its path down and answers aloud.

    switch_event: the event of the change from a phone to paper in mid-game
    """

    def __init__(
        self, seat: Seat, switch_event: PublicEvent, pages_of: PagesOf, auditor: type[PathAuditor]
    ) -> None:
        self._seat, self._switch_event = seat, switch_event
        self._pages_of, self._auditor = pages_of, auditor

    def switch_to_paper(self, public: Any) -> Sequence[PublicEvent]:
        if public.to_move is None:
            raise IllegalAction("game_is_over")
        if public.options.on_paper:
            raise IllegalAction("on_paper_already")
        return [self._switch_event]

    def seats_of_people(self, public: Any) -> frozenset[Seat]:
        return frozenset({self._seat}) if public.options.on_paper else frozenset()

    def pages(self, history: Sequence[PublicEvent]) -> list[list[Message]]:
        return self._pages_of(history)

    def retrace(self, history: Sequence[Event], pages: Sequence[Sequence[str]]) -> PathAuditor:
        auditor = self._auditor(pages)
        for event in history:
            auditor.observe(event)
        return auditor
