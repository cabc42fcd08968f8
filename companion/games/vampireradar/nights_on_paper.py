"""Let the table ask for the vampire's nights on paper."""

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
from companion.games.vampireradar import messages, paper_audit, paper_play
from companion.games.vampireradar.options import V
from companion.games.vampireradar.state import Public


class NightsOnPaper(PaperPlay):
    """A vampire without a phone, who writes the path down and answers aloud."""

    def take_up(self, public: Public) -> Sequence[PublicEvent]:
        return paper_play.take_up(public)

    def seats_of_people(self, public: Public) -> frozenset[Seat]:
        return frozenset({V}) if public.options.on_paper else frozenset()

    def pages(self, history: Sequence[PublicEvent]) -> list[list[Message]]:
        return [
            [messages.describe(announced) for announced in announcements]
            for announcements in paper_audit.pages_of(history)
        ]

    def retrace(self, history: Sequence[Event], pages: Sequence[Sequence[str]]) -> RetracedPath:
        return paper_audit.retrace(history, pages)
