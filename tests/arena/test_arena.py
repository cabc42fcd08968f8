"""The arena: games replay equal, forbidden actions raise, the figures are right, a cluster plays
the same games.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec
import pytest
from click.testing import CliRunner

from companion.arena import match
from companion.arena.match import (
    ArenaError,
    Contest,
    GameResult,
    bots_of,
    on_cores,
    play,
)
from companion.arena.statistics import compare_steps, paired_gain, rate, tally
from companion.cli.arena import setup_of
from companion.core.codec import to_builtins
from companion.core.game import Action, IllegalAction
from companion.core.placement import Cell
from companion.games import GAMES
from companion.games.vampireradar.actions import END, Walk
from companion.games.vampireradar.bots import HUMAN_LEVELS, VAMPIRE_LEVELS
from companion.games.vampireradar.bots.humans import GreedyHuman
from companion.games.vampireradar.options import Options
from tools.balance import VARIATIONS, compare_with_usual
from tools.balance import main as balance

pytestmark = pytest.mark.slow

OPTIONS = (
    Options(),
    Options(announce="turn_end", vampire_may_share=False, lazy_landing=True, turn_order="rotating"),
    Options(pawns_block_shots=True, pawns_per_turn=1, exhaustion="hopeless", bullets_each=1),
)


def duel(
    humans: str, vampire: str, seed: int, *, players: int = 2, seconds: float = 0.01, **setup: Any
) -> Contest:
    """Return a game of Vampire Radar between two levels."""
    levels = {"humans": humans, "vampire": vampire}
    return Contest("vampireradar", players, levels, seed, seconds, setup)


def has_turn(level: int, seats: int, levels: Sequence[str], players: Sequence[int]) -> bool:
    """Return whether `make test` plays this level at this number of players: each of both once, and
    what there is less of again from its beginning.
    """
    turns = range(max(len(levels), len(players)))
    return any((turn % len(levels), turn % len(players)) == (level, seats) for turn in turns)


@pytest.mark.parametrize(
    ("game", "players", "level"),
    [
        pytest.param(
            game.name,
            players,
            level,
            marks=() if has_turn(number, seats, game.bots.levels, game.seats) else pytest.mark.soak,
        )
        for game in GAMES
        if game.bots and game.name != "vampireradar"
        for seats, players in enumerate(game.seats)
        for number, level in enumerate(game.bots.levels)
    ],
)
def test_every_bot_plays_a_whole_game(game: str, players: int, level: str) -> None:
    """Each level of each game plays all sides to an end by the rules, and each number of players,
    in `make nightly` each level at each number; deciding the game again shows no difference (`play`
    raises else).
    """
    bots = bots_of(game)
    result = play(Contest(game, players, dict.fromkeys(bots.sides, level), 7, 0.002)).result

    assert result.winner in (*bots.sides, "draw")
    assert "unfinished" != result.reason


@pytest.mark.parametrize(
    ("level", "options", "players"),
    [
        pytest.param(
            level,
            options,
            players,
            # Each two of the three meet once.
            marks=() if (first + second + players) % 3 == 0 else pytest.mark.soak,
            id=f"{level}-{('usual', 'other', 'more')[second]}-{players}",
        )
        for first, level in enumerate(HUMAN_LEVELS)
        for second, options in enumerate(OPTIONS)
        for players in (2, 3, 4)
    ],
)
def test_every_level_plays_by_the_rules(level: str, options: Options, players: int) -> None:
    """With any options each level of both sides plays a whole game without a forbidden action, and
    deciding the game again shows no difference (`play` raises else).
    """
    played = play(
        duel(level, level, 7, players=players, seconds=0.002, options=to_builtins(options))
    )

    assert played.result.winner in ("humans", "vampire", "draw")
    assert played.result.figures["rounds"] >= 1
    assert sum(map(len, played.result.times.values())) == len(played.line)


def test_a_forbidden_action_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's forbidden action ends the arena; the error has its seat, action and game."""
    monkeypatch.setattr(GreedyHuman, "choose", lambda self, legal: Walk(to=Cell("F6")))

    with pytest.raises(ArenaError, match=r"H1 .* not allowed: Walk.*F6"):
        play(duel("greedy", "greedy", 1))


def test_a_night_without_its_end_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A vampire that does not end its night is an error, not a pass."""
    honest = VAMPIRE_LEVELS["greedy"].choose

    def forgetful(self: object, own: object) -> list[Action]:
        return [action for action in honest(self, own) if action != END] or [Walk(to=Cell("A1"))]  # type: ignore[arg-type]

    monkeypatch.setattr(VAMPIRE_LEVELS["greedy"], "choose", forgetful)

    with pytest.raises(ArenaError):
        play(duel("greedy", "greedy", 1))


def test_a_game_that_does_not_replay_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose line gives different events is an error."""
    monkeypatch.setattr(match, "set_up", _forgetting(match.set_up))

    with pytest.raises((ArenaError, IllegalAction)):
        play(duel("greedy", "heuristic", 1))


def _forgetting(set_up: object) -> object:
    calls = [0]

    def changed(contest: Contest, rng: Random) -> object:
        calls[0] += 1
        return set_up(contest, rng if calls[0] == 1 else Random(2))  # type: ignore[operator]

    return changed


def test_equal_seeds_are_equal_games() -> None:
    """Levels that do not read the clock play the same game from the same seed, and another game
    from another seed.
    """
    contest = duel("greedy", "heuristic", 5, players=3)

    assert play(contest).events == play(contest).events
    assert play(contest).events != play(msgspec.structs.replace(contest, seed=6)).events


def test_a_rate_has_wilson_s_interval() -> None:
    """8 of 10 is 80 % and, by Wilson's formula worked out by hand, 49.0 to 94.3 %; without a game
    there is no figure.
    """
    interval = rate([1.0] * 8 + [0.0] * 2)

    assert (0.8, 0.490, 0.943) == (interval.share, round(interval.low, 3), round(interval.high, 3))
    assert (0.0, 1.0) == (rate([]).low, rate([]).high)


def test_a_gain_pairs_games_by_their_seeds() -> None:
    """Scores 1, 1, 0 against 0, 1, 0 differ by a third, give or take 1.96 standard errors of the
    mean.
    """
    gain = paired_gain([1, 1, 0], [0, 1, 0])

    assert (0.333, -0.320, 0.987) == (
        round(gain.share, 3),
        round(gain.low, 3),
        round(gain.high, 3),
    )


def test_steps_are_counted_by_players() -> None:
    """Each kind of game is compared with the one before it that has as many players, and with no
    other.
    """
    report = compare_steps(
        {("a", 2): [0.0, 0.0], ("b", 2): [1.0, 0.0], ("a", 3): [1.0], ("b", 3): [1.0]}
    )

    assert "- 2 players, from a to b: score +0.500 [-0.480, +1.480]" in report
    assert "- 3 players, from a to b: score +0.000" in report
    assert "" == compare_steps({("a", 2): [1.0]})


def test_every_value_is_set_beside_the_usual_one() -> None:
    """The first value of an option is the usual one, and each other is compared with it, by
    players, seed by seed; a difference whose interval excludes 0 is called apart. Scores 1, 1, 1
    against 0, 0, 0 differ by 1 with no spread at all.
    """
    report = compare_with_usual(
        {
            ("a x", 2): [0.0, 0.0, 0.0],
            ("a y", 2): [1.0, 1.0, 1.0],
            ("a z", 2): [1.0, 0.0, 0.0],
            ("b x", 2): [0.5] * 3,
        }
    )

    assert "- 2 players, a y: +1.000 [+1.000, +1.000] **apart**" in report
    assert "- 2 players, a z: +0.333 [-0.320, +0.987]\n" in report
    assert "x:" not in report
    assert "" == compare_with_usual({("a x", 2): [1.0]})


def test_the_tally_counts() -> None:
    """A line of the table counts wins, draws, score, times and the game's own figures."""
    contest = duel("greedy", "greedy", 1)
    times = {"humans": [0.001, 0.003], "vampire": [0.002]}
    won = GameResult(contest, "humans", "vampire_dead", times, {"rounds": 4})
    times = {"humans": [0.002], "vampire": [0.004]}
    drawn = GameResult(contest, "draw", "stalled", times, {"rounds": 60})
    row = tally("a name", [won, drawn])

    assert ("humans", 2, 0.5, 0.5, 0.75) == (
        row.side,
        row.games,
        row.wins.share,
        row.undecided.share,
        row.score.share,
    )
    assert {"rounds": 32.0} == row.figures
    assert (2.0, 3.0) == (row.times["humans"].p50, row.times["humans"].p99)


@pytest.mark.parametrize("option", sorted(VARIATIONS))
def test_each_variation_is_a_game(option: str) -> None:
    """Each value that `tools.balance` lists for each option can be set up and played."""
    assert len(VARIATIONS[option]) > 1
    for setup in VARIATIONS[option].values():
        assert play(duel("greedy", "greedy", 3, **setup)).result.winner


def test_balance_compares_the_values_of_an_option() -> None:
    """`tools.balance OPTION` plays each value and compares it with the usual one."""
    words = ["lazy_landing", "--players", "2", "--games", "2", "--workers", "1"]

    result = CliRunner().invoke(balance, words)

    assert 0 == result.exit_code
    assert "| lazy_landing true | 2 | 2 |" in result.output
    assert "- 2 players, lazy_landing true: " in result.output


def test_two_processes_play_the_same_games() -> None:
    """Two processes give the same results in the same order as one."""
    contests = [duel("greedy", "greedy", seed, players=2 + seed % 3) for seed in range(6)]

    one, two = (list(map(_plain, on_cores(contests, count))) for count in (1, 2))

    assert one == two


def _plain(result: GameResult) -> GameResult:
    return msgspec.structs.replace(result, times={})


def test_the_command_writes_table_figures_and_plot(tmp_path: Path) -> None:
    """`companion arena --out` prints and writes the table, the figures and a plot, each with its
    source.
    """
    words = [
        "arena",
        "vampireradar",
        "--side",
        "humans=greedy",
        "--players",
        "2",
        "--games",
        "6",
        "--seed",
        "9",
    ]
    output = subprocess.run(
        [sys.executable, "-m", "companion", *words, "--workers", "2", "--out", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    figures = msgspec.json.decode((tmp_path / "arena.json").read_bytes())

    assert "| greedy humans, heuristic vampire | 2 | 6 |" in output.stdout
    assert output.stdout.strip() == (tmp_path / "arena.md").read_text(encoding="utf-8").strip()
    assert (6, 9) == (figures["rows"][0]["games"], figures["origin"]["seed"])
    assert {"commit", "machine", "command", "seed"} == figures["origin"].keys()
    assert "<svg" in (tmp_path / "arena.svg").read_text(encoding="utf-8")


def test_an_option_is_one_of_the_game() -> None:
    """`--option` takes JSON or plain text; a refused value is reported before any game."""
    assert {"options": {"content": "ship"}} == setup_of("manhunt", ["content=ship"])
    assert {"options": {"pawns_each": 1}} == setup_of("vampireradar", ["pawns_each=1"])
    assert {} == setup_of("manhunt", [])
    with pytest.raises(click.BadParameter, match="no_such_content"):
        setup_of("manhunt", ["content=moon"])
    with pytest.raises(click.BadParameter, match="speed"):
        setup_of("manhunt", ["speed=2"])
