"""Games of people against bots: which ones count, what the lobby shows of them, and the level at
even odds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.arena.match import Contest, play
from companion.core.game import Game, Seat, State
from companion.core.placement import Cell, PositionEdit
from companion.games import GAMES
from companion.games.nosferatu.rules import Nosferatu
from companion.games.shisogari.rules import Shisogari
from companion.games.vampireradar.rules import VampireRadar
from companion.games.vwars.rules import VWars
from companion.table.errors import Refused
from companion.table.fairness.export import export_record
from companion.table.fairness.replay import replay_record
from companion.table.fairness.verify import verify_record
from companion.table.results import (
    AUTO_LEVEL,
    BotResult,
    BotResults,
    Opponents,
    WinCount,
    bot_result,
    bots_side,
)
from companion.table.storage.log import read_bodies
from companion.table.storage.purge import purge_games
from companion.table.table import Table
from tests.table.finished_games import measured, play_on, play_out, play_until, step
from tests.table.play import KEYS, Play, start_with_all

VAMPIRES, VILLAGERS = Seat("vampires"), Seat("villagers")
LEVELS = ("random", "heuristic", "search")
FORCED = {
    "rows": [".x..", "..x.w", "sx....", ".x..w..", "..www.", "...w.", ".www"],
    "to_move": "villagers",
}
V, H1, H2 = Seat("V"), Seat("H1"), Seat("H2")


@pytest.fixture
def nosferatu(tmp_path: Path) -> Play:
    play = Play(tmp_path / "data", Nosferatu())
    play.table.lobby.bot_levels = {"nosferatu": (*LEVELS, AUTO_LEVEL, "mine")}
    return play


def level_of(table: Table, seat: str) -> object:
    return next(each.get("bot") for each in table.snapshot()["seats"] if each["seat"] == seat)


def end_of(game: Game, players: int) -> State:
    """Return the end of a game of weak bots."""
    assert game.bots is not None
    levels = dict.fromkeys(game.bots.sides, game.bots.levels[0])
    return game.fold(play(Contest(game.name, players, levels, 5, 0.002)).events)


class TestWhatCounts:
    """Rules for finished games."""

    @pytest.mark.slow
    @pytest.mark.parametrize(
        "game", [game for game in GAMES if game.bots], ids=lambda game: game.name
    )
    def test_one_person_against_bots(self, game: Game) -> None:
        """In every game, for each seat of a person alone: the game counts where bots were on the
        other side, for the side that they have in every game, and the person won with the own side.
        """
        end, seats = end_of(game, game.seats[-1]), game.seat_names(game.seats[-1])
        outcome = game.outcome(end.public)
        assert game.bots is not None
        assert outcome is not None
        sides = {seat: game.bots.side_of(end, seat) for seat in seats}
        for seat in seats:
            result = bot_result(game, end, seats, {one: "mine" for one in seats if one != seat})
            against = {bots_side(game, one) for one in seats if sides[one] != sides[seat]}
            if not against:
                assert result is None
                continue
            (side,) = against
            assert result == BotResult(
                Opponents(game.name, side, 1),
                "mine",
                None if outcome.winner == "draw" else outcome.winner == sides[seat],
            )

    @pytest.mark.parametrize(
        ("bots", "people", "level"),
        [
            ({V: "deep"}, 2, "deep"),
            ({V: "deep", H2: "greedy"}, 1, "deep"),
            ({H1: "greedy", H2: "greedy"}, 1, "greedy"),
            ({H1: "greedy", H2: "deep"}, 0, None),
            ({H1: "greedy"}, 0, None),
            ({V: "deep", H1: "deep", H2: "deep"}, 0, None),
            ({}, 0, None),
        ],
    )
    def test_all_people_on_one_side_and_one_level_on_the_other(
        self, bots: Mapping[Seat, str], people: int, level: str | None
    ) -> None:
        """A game counts for the level of the bots against people, also beside another bot. It does
        not with people on both sides, with two levels against them, and without bots or people.
        """
        game = VampireRadar()
        result = bot_result(game, end_of(game, 3), (V, H1, H2), bots)

        assert (level, people) == (
            (None, 0) if result is None else (result.level, result.opponents.people)
        )

    def test_a_finished_game(self, nosferatu: Play) -> None:
        """A game that is played out is counted once, by what its people did; the lobby shows it at
        the seat of those bots, also after a crash.
        """
        table = nosferatu.table
        table.seats.give(VAMPIRES, "heuristic")
        play_until(table, Random(1), "villagers")
        played = measured(table, "vampires")["heuristic"]["played"]
        assert {"heuristic": {"won": 1, "played": played}} == measured(table, "vampires")
        assert {} == measured(table, "villagers")
        nosferatu.crash()

        assert {"heuristic": {"won": 1, "played": played}} == measured(nosferatu.table, "vampires")

    def test_a_lost_game(self, nosferatu: Play) -> None:
        """A game that the bots won counts as played, not as won."""
        nosferatu.table.seats.give(VILLAGERS, "search")
        assert "villagers" == play_out(nosferatu.table, Random(1))
        nosferatu.table.open_next_game(by=0)

        assert {"search": {"won": 0, "played": 1}} == measured(nosferatu.table, "villagers")

    def test_shown_in_the_lobby_alone(self, nosferatu: Play) -> None:
        """While a game runs, and until the next lobby, nothing of it is shown."""
        table, rng = nosferatu.table, Random(1)
        table.seats.give(VAMPIRES, "heuristic")
        play_until(table, rng, "villagers")
        assert "measured" in table.snapshot()["lobby"]
        table.start()
        assert "measured" not in table.snapshot()["lobby"]
        play_on(table, rng)

        assert "measured" not in table.snapshot()["lobby"]

    def test_a_game_that_is_given_up(self, nosferatu: Play) -> None:
        """An agreed draw says nothing about strength and is not counted."""
        table = nosferatu.table
        table.seats.claim(VILLAGERS, "Ana", KEYS["A"])
        table.seats.give(VAMPIRES, "heuristic")
        table.start()
        table.votes.draw(VILLAGERS)
        assert "over" == table.snapshot()["phase"]
        table.open_next_game(by=0)

        assert {} == measured(table, "vampires")

    @pytest.mark.parametrize(
        "disturb",
        [
            lambda table: table.seats.give(VAMPIRES, "search"),
            lambda table: (
                table.seats.free(VAMPIRES),
                table.seats.give(VAMPIRES, "heuristic"),
            ),
            lambda table: table.seats.evict_bot(VAMPIRES, "failed", "heuristic"),
            lambda table: table.votes.set_by_hand(
                VILLAGERS, PositionEdit({next(iter(table.snapshot()["view"]["pawns"])): Cell("f6")})
            ),
        ],
        ids=["other-level", "freed", "evicted", "by-hand"],
    )
    def test_a_game_that_was_disturbed(
        self, nosferatu: Play, disturb: Callable[[Table], object]
    ) -> None:
        """A game is not counted in which a bot came or left, or a position was set by hand."""
        table, rng = nosferatu.table, Random(1)
        table.seats.claim(VILLAGERS, "Ana", KEYS["A"])
        table.seats.give(VAMPIRES, "heuristic")
        table.start()
        for _ in range(2):
            step(table, rng)
        disturb(table)
        table.pause(False)
        play_on(table, rng)
        table.open_next_game(by=0)

        assert {} == measured(table, "vampires")

    def test_a_game_with_a_custom_setup(self, nosferatu: Play) -> None:
        """A game from a position that somebody typed is not counted."""
        table = nosferatu.table
        table.seats.claim(VILLAGERS, "Ana", KEYS["A"])
        table.seats.give(VAMPIRES, "heuristic")
        table.lobby.propose({"position": FORCED})
        start_with_all(table)
        play_on(table, Random(1))
        table.open_next_game(by=0)

        assert {} == measured(table, "vampires")

    def test_a_game_on_paper(self, tmp_path: Path) -> None:
        """A game with a path on paper is not counted: the table cannot tell what was true."""
        play = Play(tmp_path / "data", VampireRadar())
        play.table.lobby.bot_levels = {"vampireradar": ("greedy",)}
        play.table.lobby.propose({"players": 2, "options": {"path": "paper"}})
        play.table.seats.give(H1, "greedy")
        play_out(play.table, Random(1))
        play.table.open_next_game(by=0)

        assert {} == measured(play.table, "H1")

    def test_deleted_games(self, nosferatu: Play) -> None:
        """The counts are those of the games in the log: deleted games take theirs with them."""
        table, rng = nosferatu.table, Random(1)
        table.seats.give(VAMPIRES, "heuristic")
        for _ in range(2):
            play_out(table, rng)
            table.open_next_game(by=0)
        assert 2 == measured(table, "vampires")["heuristic"]["played"]
        table.close()
        assert 2 == purge_games(nosferatu.folder, nosferatu.games)
        nosferatu.open()

        assert {} == measured(nosferatu.table, "vampires")


class TestEvenOdds:
    """The level that the table chooses."""

    def test_a_level_for_each_game(self, nosferatu: Play) -> None:
        """Before the first game it is the middle level; after people won it is the next one. In the
        lobby the seat stays at even odds, in the game everybody reads the level.
        """
        table = nosferatu.table
        table.seats.give(VAMPIRES, AUTO_LEVEL)
        assert AUTO_LEVEL == level_of(table, "vampires")
        table.start()
        assert "heuristic" == level_of(table, "vampires")
        chosen = [
            line["event"]
            for line in table.snapshot()["log"]
            if line["event"]["event"] == "level_chosen"
        ]
        assert [{"event": "level_chosen", "seat": "vampires", "level": "heuristic"}] == chosen
        nosferatu.crash()
        assert "heuristic" == level_of(nosferatu.table, "vampires")

    @pytest.mark.slow
    def test_a_step_after_each_game(self, nosferatu: Play) -> None:
        """One level higher after people won, one lower after they lost, never beyond the ends; a
        program's games change nothing. A level that people choose is where the next game goes on.
        """
        table, rng = nosferatu.table, Random(1)
        table.seats.give(VAMPIRES, AUTO_LEVEL)
        seen, winners = [], []
        for _ in range(12):
            winners.append(play_out(table, rng))
            seen.append(LEVELS.index(str(level_of(table, "vampires"))))
            table.open_next_game(by=0)
            assert AUTO_LEVEL == level_of(table, "vampires")
        for before, winner, after in zip(seen, winners, seen[1:], strict=False):
            assert after == min(max(before + (1 if winner == "villagers" else -1), 0), 2)
        assert {"villagers", "vampires"} == set(winners)

        table.seats.give(VAMPIRES, "heuristic")
        play_until(table, rng, "villagers")
        table.seats.give(VAMPIRES, "mine")
        play_until(table, rng, "vampires")
        table.seats.give(VAMPIRES, AUTO_LEVEL)
        table.start()
        assert "search" == level_of(table, "vampires")

    def test_the_other_side_begins_in_the_middle(self, nosferatu: Play) -> None:
        """What people did against one side says nothing about the other side's level."""
        table = nosferatu.table
        table.seats.give(VAMPIRES, "search")
        play_until(table, Random(1), "villagers")
        table.seats.free(VAMPIRES)
        table.seats.give(VILLAGERS, AUTO_LEVEL)
        table.start()

        assert "heuristic" == level_of(table, "villagers")

    def test_the_record_has_the_level(self, nosferatu: Play) -> None:
        """The record names the level after the set-up, is decided again and proved."""
        table = nosferatu.table
        table.seats.give(VAMPIRES, AUTO_LEVEL)
        play_out(table, Random(1))
        lines = list(export_record(read_bodies(nosferatu.folder), nosferatu.games))
        events = [json.loads(line).get("table", {}) for line in lines]

        assert {"event": "level_chosen", "seat": "vampires", "level": "heuristic"} in events
        assert replay_record(lines, nosferatu.games).wrong is None
        assert verify_record(lines, nosferatu.games, {}).wrong is None

    def test_not_in_a_game(self, nosferatu: Play) -> None:
        """During a game a bot is given by its level alone; the refusal changes nothing."""
        nosferatu.table.start()
        with pytest.raises(Refused, match="no_such_level level=auto"):
            nosferatu.table.seats.give(VAMPIRES, AUTO_LEVEL)
        assert level_of(nosferatu.table, "vampires") is None

    def test_where_sides_are_dealt(self, tmp_path: Path) -> None:
        """Where sides are dealt in secret all bots have one level, the same whatever was dealt."""
        dealt, chosen = set(), set()
        for seed in range(6):
            play = Play(tmp_path / str(seed), Shisogari(), seed)
            table = play.table
            table.lobby.bot_levels = {"shisogari": (*LEVELS, AUTO_LEVEL)}
            table.lobby.propose({"players": 4})
            table.seats.claim(Seat("P1"), "Ana", KEYS["A"])
            for seat in ("P2", "P3", "P4"):
                table.seats.give(Seat(seat), AUTO_LEVEL)
            start_with_all(table)
            private = table.state.run.published.private
            dealt.add(tuple(private[seat].role for seat in table.state.seat_names()))
            chosen.add(tuple(table.bots.levels().values()))

        assert len(dealt) > 1
        assert {("heuristic", "heuristic", "heuristic")} == chosen
        for game in (Shisogari(), VWars()):
            assert {""} == {bots_side(game, seat) for seat in game.seat_names(game.seats[-1])}

    @pytest.mark.slow
    @given(
        levels=st.integers(2, 6).map(lambda count: tuple("abcdef"[:count])),
        results=st.lists(st.sampled_from([True, False, None]), max_size=40),
    )
    def test_people_come_to_even_odds(
        self, levels: tuple[str, ...], results: list[bool | None]
    ) -> None:
        """However games end: those that people won and those that they lost differ by less than the
        number of levels, leaving out wins at the highest level and losses at the lowest.
        """
        opponents, found, balance = Opponents("game", "side", 2), BotResults(), 0
        for won in results:
            level = found.auto_level(opponents, levels)
            is_at_end = level == (levels[-1] if won else levels[0])
            balance += 0 if won is None or is_at_end else 1 if won else -1
            found = found.with_result(BotResult(opponents, level, won), levels)

        assert abs(balance) < len(levels)

    @pytest.mark.parametrize(
        ("chances", "alone"),
        [
            ((0.85, 0.65, 0.35, 0.15), 0.65),
            ((0.95, 0.8, 0.6, 0.3), 0.8),
            ((0.7, 0.4, 0.2, 0.05), 0.4),
            ((0.8, 0.5, 0.2), 0.5),
        ],
    )
    def test_an_evening(self, chances: tuple[float, ...], alone: float) -> None:
        """People who win with these chances against each level win between 40 and 60 % of the ten
        games of an evening; at the middle level all evening they would win `alone` of them.
        """
        rng, opponents = Random(1), Opponents("game", "side", 2)
        levels = tuple("abcd"[: len(chances)])
        wins = []
        for _ in range(1000):
            found = BotResults()
            for _ in range(10):
                level = found.auto_level(opponents, levels)
                won = rng.random() < chances[levels.index(level)]
                found = found.with_result(BotResult(opponents, level, won), levels)
                wins.append(won)

        assert alone == chances[(len(chances) - 1) // 2]
        assert 0.4 < fmean(wins) < 0.6

    def test_counts(self) -> None:
        """Each game is counted for its game, side and level; a draw is played and not won."""
        opponents = Opponents("game", "side", 2)
        found = BotResults()
        for result in (
            BotResult(opponents, "a", True),
            BotResult(Opponents("game", "side", 3), "a", False),
            BotResult(opponents, "a", None),
            BotResult(opponents, "b", False),
            BotResult(Opponents("game", "", 2), "a", True),
            BotResult(Opponents("other", "side", 2), "a", True),
        ):
            found = found.with_result(result, ("a", "b"))

        assert {"a": WinCount(1, 3), "b": WinCount(0, 1)} == found.counts_of("game", "side")
