"""Let the table ask for the fugitive's turns on paper."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import (
    Event,
    Message,
    PaperPlay,
    PublicEvent,
    RetracedPath,
    Seat,
)
from companion.games.manhunt import paper_audit, paper_play
from companion.games.manhunt.options import F
from companion.games.manhunt.state import Public


class TurnsOnPaper(PaperPlay):
    """A fugitive without a phone, who writes the path down and answers aloud."""

    def take_up(self, public: Public) -> Sequence[PublicEvent]:
        return paper_play.take_up(public)

    def seats_of_people(self, public: Public) -> frozenset[Seat]:
        return frozenset({F}) if public.options.on_paper else frozenset()

    def pages(self, history: Sequence[PublicEvent]) -> list[list[Message]]:
        return paper_audit.pages_of(history)

    def retrace(self, history: Sequence[Event], pages: Sequence[Sequence[str]]) -> RetracedPath:
        return paper_audit.retrace(history, pages)
