"""Count the finished games of people against bots, and choose the level of bots at even odds.

Nothing here is stored: everything follows from the games in the log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.core.game import Game, Seat, State

AUTO_LEVEL = "auto"
"""The level of a bot if the table picks it when a game begins."""


class Opponents(Struct, frozen=True):
    """Bots on one side of a game and people on the other.

    side: the bots' side, "" if sides are dealt
    people: the number of seats that no bot plays
    """

    game: str
    side: str
    people: int


class BotResult(Struct, frozen=True):
    """A finished game: the level of the bots against people, and the winner, None for a draw."""

    opponents: Opponents
    level: str
    people_won: bool | None


class WinCount(Struct, frozen=True):
    """The number of games that people won, and of those that they played."""

    won: int = 0
    played: int = 0


class BotResults(Struct, frozen=True):
    """All finished games of people against bots.

    counts: by game, the bots' side ("" if sides are dealt) and the bots' level
    last: the last game between these opponents at a level that people choose from
    """

    counts: Mapping[tuple[str, str, str], WinCount] = {}
    last: Mapping[Opponents, BotResult] = {}

    def with_result(self, result: BotResult, levels: Sequence[str]) -> BotResults:
        """Return these results and one more; `levels` are those that people choose from."""
        opponents = result.opponents
        key = (opponents.game, opponents.side, result.level)
        before = self.counts.get(key, WinCount())
        after = WinCount(before.won + (result.people_won is True), before.played + 1)
        last = {opponents: result} if result.level in levels else {}
        return replace(self, counts={**self.counts, key: after}, last={**self.last, **last})

    def counts_of(self, game: str, side: str) -> dict[str, WinCount]:
        """Return people's results against bots on this side of a game, by level."""
        return {
            level: count
            for (other, played, level), count in self.counts.items()
            if (other, played) == (game, side)
        }

    def auto_level(self, opponents: Opponents, levels: Sequence[str]) -> str:
        """Return the level for the next game: one of `levels`, which begin with the weakest.

        One higher than in the last game if people won it, one lower if they lost it, the same
        after a draw; before the first game the middle one, of two the lower.
        """
        last = self.last.get(opponents)
        if last is None or last.level not in levels:
            return levels[(len(levels) - 1) // 2]
        step = 0 if last.people_won is None else 1 if last.people_won else -1
        return levels[min(max(levels.index(last.level) + step, 0), len(levels) - 1)]


def bots_side(game: Game, seat: Seat) -> str:
    """Return the side of a bot at a seat before a game, "" if sides are dealt."""
    return (game.bots.side_before(seat) if game.bots else None) or ""


def bot_result(
    game: Game, end: State, seats: Sequence[Seat], bots: Mapping[Seat, str]
) -> BotResult | None:
    """Return a finished game's result, None unless people met bots of one level on the other side.

    bots: the seats that bots played, with their levels
    """
    outcome = game.outcome(end.public)
    if not bots or game.bots is None or outcome is None:
        return None
    sides = {seat: game.bots.side_of(end, seat) for seat in seats}
    people = [seat for seat in seats if seat not in bots]
    sides_of_people = {sides[seat] for seat in people}
    against = [seat for seat in seats if seat in bots and sides[seat] not in sides_of_people]
    if len(sides_of_people) != 1 or len({bots[seat] for seat in against}) != 1:
        return None
    is_draw = outcome.winner not in game.bots.sides
    return BotResult(
        Opponents(game.name, bots_side(game, against[0]), len(people)),
        bots[against[0]],
        None if is_draw else outcome.winner in sides_of_people,
    )
