"""Vampire Radar: elimination, the end, set-up counts and the order of turns (cases 44-56, 61,
62).
"""

from random import Random
from typing import Any

import pytest

from companion.core.game import IllegalAction, InvalidSetup, Message, Outcome, Seat
from companion.core.grid import wall_name
from companion.core.placement import Cell
from companion.core.view import view
from companion.games.vampireradar.actions import Place
from companion.games.vampireradar.events import BatEaten, GameOver, HumanEliminated
from companion.games.vampireradar.options import CORNERS, STARTS, Options, Setup
from companion.games.vampireradar.rules import VampireRadar, default_start
from tests.games.vampireradar.builders import (
    END,
    GAME,
    H1,
    H2,
    H3,
    V,
    attack,
    heal,
    night_walk,
    play,
    public_of,
    refused,
    scene,
    shoot,
    start,
)


def test_case_44_elimination() -> None:
    """A human without pawns is out, his bullets leave the game and his turns are skipped."""
    state = scene("C3", {"H1a": "A1", "H2a": "C3"}, turn=V)

    state, events = play(state, attack("C3"), END)

    assert HumanEliminated(H2, 3) in events
    assert (3, 0, H1) == (state.public.lost, state.public.bullets[H2], state.public.to_move)
    after, _ = play(state, END)
    assert V == after.public.to_move


def test_case_45_no_bullets_left_after_an_elimination() -> None:
    """If the last bullets leave with an eliminated human, the vampire wins at once."""
    state = scene(
        "C3", {"H1a": "A1", "H2a": "C3"}, turn=V, bullets={H1: 0, H2: 3}, bullet_tokens=()
    )

    state, events = play(state, attack("C3"))

    assert Outcome("vampire", "bullets_spent") == state.public.outcome
    assert ["PawnsKilled", "HumanEliminated", "GameOver"] == [
        type(event).__name__ for event in public_of(events)
    ]


@pytest.mark.parametrize(
    ("vampire", "hp", "winner"), [("F6", 1, "vampire"), ("C4", 1, "humans"), ("C4", 2, "vampire")]
)
def test_case_46_the_last_bullet(vampire: str, hp: int, winner: str) -> None:
    """The last bullet: a miss lets the vampire win, a hit at HP 1 the humans, a hit at HP 2 the
    vampire.
    """
    state = scene(
        vampire, {"H1a": "C2", "H2a": "A6"}, bullets={H1: 1, H2: 0}, bullet_tokens=(), hp=hp
    )

    state, _ = play(state, shoot("H1a", "S"))

    assert state.public.outcome is not None
    assert winner == state.public.outcome.winner


def test_case_47_exhaustion() -> None:
    """A token on a tile keeps the game going; `hopeless` ends it when bullets are fewer than the
    HP.
    """
    last: dict[str, Any] = {"bullets": {H1: 1, H2: 0}, "bullet_tokens": (Cell("C1"),), "hp": 2}
    pawns = {"H1a": "A1", "H2a": "A6"}

    strict, _ = play(scene("E5", pawns, **last), shoot("H1a", "N"))
    hopeless, _ = play(
        scene("E5", pawns, options=Options(exhaustion="hopeless"), **last), shoot("H1a", "N")
    )

    assert (None, Outcome("vampire", "bullets_spent")) == (
        strict.public.outcome,
        hopeless.public.outcome,
    )


def test_hopeless_is_checked_after_a_meal_too() -> None:
    """A meal that raises the HP above the bullets left ends a `hopeless` game."""
    hopeless = Options(exhaustion="hopeless")
    state = scene(
        "D5",
        {"H1a": "A1", "H2a": "A6"},
        turn=V,
        options=hopeless,
        bullets={H1: 2, H2: 0},
        bullet_tokens=(),
        hp=2,
    )

    state, _ = play(state, heal("D6"))

    assert Outcome("vampire", "bullets_spent") == state.public.outcome


def test_case_48_all_pawns_dead() -> None:
    """No living pawn: the vampire wins, bullets left or not."""
    state, _ = play(scene("C3", {"H1a": "C3"}, players=2, turn=V), attack("C3"))

    assert Outcome("vampire", "humans_dead") == state.public.outcome
    assert () == tuple(GAME.legal_actions(view(state, V)))


def test_case_49_the_centre_is_where_it_begins() -> None:
    """The vampire begins on any of the 16 centre tiles, whatever its kind, and nowhere else."""
    state = start()

    offered = sorted(map(str, GAME.legal_actions(view(state, V))))
    assert sorted(str(Place(cell)) for cell in STARTS) == offered
    for cell in ("A1", "B1", "F3"):
        assert "not_a_centre_tile" == refused(state, Place(Cell(cell)))
    assert "already_placed" == refused(
        play(state, Place(Cell("B2")), END, END)[0], Place(Cell("B2"))
    )


@pytest.mark.parametrize(("players", "hands"), [(2, [6]), (3, [3, 3]), (4, [2, 2, 2])])
def test_case_50_the_deal(players: int, hands: list[int]) -> None:
    """6 bullets are dealt: 6, 3 and 3, or 2 each; with the 8 on tiles there are always 14."""
    state = start(players)

    assert hands == list(state.public.bullets.values())
    assert 14 == sum(hands) + len(state.public.bullet_tokens)


@pytest.mark.parametrize(("players", "hp", "most"), [(2, 4, 4), (3, 4, 4), (4, 4, 5)])
def test_the_vampires_lives(players: int, hp: int, most: int) -> None:
    """The vampire starts with 4 HP; with 4 players it may reach 5."""
    assert (hp, most) == (start(players).public.hp, start(players).public.max_hp)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.slow
def test_cases_50_51_nothing_is_lost_in_random_play(players: int) -> None:
    """Hands + tiles + spent + lost is always 14; bats on the field + HP + boxed is 8 less the HP
    shot away.
    """
    rng = Random(players)
    for _ in range(40):
        state = start(players)
        shot_away = boxed_bats = 0
        while (seat := GAME.to_move(state.public)) is not None:
            hp = state.public.hp
            state, events = play(state, rng.choice(list(GAME.legal_actions(view(state, seat)))))
            meals = [event for event in events if isinstance(event, BatEaten)]
            boxed_bats += sum(meal.vampire_hp == hp for meal in meals)
            shot_away += max(0, hp - state.public.hp)
            table = state.public
            assert (
                14
                == sum(table.bullets.values()) + len(table.bullet_tokens) + table.spent + table.lost
            )
            assert 8 == len(table.bat_tokens) + table.hp + boxed_bats + shot_away
            assert 0 <= table.hp <= table.max_hp


def test_case_52_eliminated_humans_win_too() -> None:
    """If the vampire dies, all humans win: the winner is the side."""
    state = scene("C4", {"H1a": "C2"}, hp=1, out=(H2,), bullets={H1: 3, H2: 0})

    _, events = play(state, shoot("H1a", "S"))

    assert GameOver("humans", "vampire_dead") == events[-1]


def order(players: int, rounds: int, **options: object) -> list[str]:
    """Return the seats that act in `rounds` rounds in which everybody ends at once."""
    state, _ = play(start(players, Options(**options)), Place(Cell("D4")))  # type: ignore[arg-type]
    seats = []
    while state.public.round <= rounds:
        seats.append(str(state.public.to_move))
        state, _ = play(state, END)
    return seats


def test_the_humans_in_order_then_the_vampire() -> None:
    """First the vampire hides, then H1, H2, H3 and the vampire act in turn."""
    assert order(4, 2) == ["H1", "H2", "H3", "V"] * 2


def test_case_54_rotating_order() -> None:
    """Second edition: one action each from the marker on, the marker passes, one more each, then
    the vampire; the marker stays for the next round's first half.
    """
    first = ["H1", "H2", "H3", "H2", "H3", "H1", "V"]
    second = ["H2", "H3", "H1", "H3", "H1", "H2", "V"]

    assert first + second == order(4, 2, turn_order="rotating")


def test_rotating_with_one_human_changes_nothing() -> None:
    """With one human the rotating order has no effect."""
    assert order(2, 2) == order(2, 2, turn_order="rotating")


def test_rotating_gives_one_action_a_time() -> None:
    """With `rotating` each of a human's two turns in a round has one action."""
    state, _ = play(start(3, Options(turn_order="rotating")), Place(Cell("D4")))

    assert 1 == state.public.actions_left


def test_a_stalled_game_is_drawn() -> None:
    """After `stalled_after` rounds without a shot, attack, heal or pick-up the game is drawn; never
    with 0.
    """
    assert order_until_over(Options(stalled_after=3)) == ["H1", "H2", "V"] * 3
    assert 180 == len(order_until_over(Options()))
    assert order(3, 70, stalled_after=0) == ["H1", "H2", "V"] * 70


def order_until_over(options: Options) -> list[str]:
    state, _ = play(start(3, options), Place(Cell("D4")))
    seats = []
    while state.public.outcome is None:
        seats.append(str(state.public.to_move))
        state, _ = play(state, END)
    assert Outcome("draw", "stalled") == state.public.outcome
    return seats


def test_a_shot_ends_the_stall() -> None:
    """The round of a shot is not a quiet one, and restarts the count."""
    state, _ = play(start(3, Options(stalled_after=2)), Place(Cell("D4")), END, END, END)
    assert (2, 0) == (state.public.round, state.public.active_round)
    state, _ = play(state, shoot("H1a", "N"), END, END, END)

    assert (2, None) == (state.public.active_round, state.public.outcome)


def test_the_table_may_agree_a_draw_or_surrender() -> None:
    """A draw may be agreed, and a vampire that refuses to reveal surrenders; not after the end."""
    assert [GameOver("draw", "agreed")] == list(GAME.resign(start(), "agreed"))
    assert [GameOver("humans", "surrender")] == list(GAME.resign(start(), "surrender"))
    over, _ = play(scene("C3", {"H1a": "C3"}, players=2, turn=V), attack("C3"))
    with pytest.raises(IllegalAction, match="game_is_over"):
        GAME.resign(over, "agreed")


def test_nothing_after_the_end() -> None:
    """After the end every action is refused."""
    over, _ = play(scene("C3", {"H1a": "C3"}, players=2, turn=V), attack("C3"))

    with pytest.raises(IllegalAction, match="game_is_over"):
        GAME.decide(over, V, night_walk("C2"), Random(0))


@pytest.mark.parametrize(
    ("players", "each", "pawns"), [(2, None, 4), (3, None, 8), (4, None, 9), (2, 8, 8)]
)
def test_pawns_in_play(players: int, each: int | None, pawns: int) -> None:
    """4, 4, 3 pawns a human with 2, 3, 4 players, 8 as an option with 2."""
    assert pawns == len(start(players, Options(pawns_each=each)).public.pawns)


def test_eight_pawns_only_with_two_players() -> None:
    """8 pawns each are an option of the 2-player game alone."""
    with pytest.raises(InvalidSetup, match="too_many_pawns"):
        start(3, Options(pawns_each=8))


def test_default_start() -> None:
    """Pawn j of human i stands on corner (i + j) mod 4; with 3 pawns H1 leaves out F6, H2 A1, H3
    F1.
    """
    places = default_start(4, 3)

    assert ["A1", "F1", "A6"] == [places[pawn] for pawn in ("H1a", "H1b", "H1c")]  # type: ignore[index]
    left_out = [
        set(CORNERS) - {cell for pawn, cell in places.items() if pawn[:2] == seat}
        for seat in (H1, H2, H3)
    ]
    assert [{"F6"}, {"A1"}, {"F1"}] == left_out


def test_case_62_any_start_is_accepted_with_a_warning() -> None:
    """Any start is accepted; an unusual one is doubtful, and named."""
    state = start()
    moved = {**{str(k): str(v) for k, v in state.public.start.items()}, "H1a": "B1"}
    events = GAME.setup((V, H1, H2), Setup(field=state.public.field.layout, start=moved), Random(0))
    for event in events:
        state = GAME.evolve(GAME.initial(), event)

    assert [Message("start.unusual", {"pawns": "H1a"})] == GAME.setup_warnings(state.public)
    assert [] == GAME.setup_warnings(start().public)


@pytest.mark.parametrize(
    ("start_of", "reason"),
    [
        ({"H1z": "A1"}, "start_unknown_pawn"),
        ({"H1a": "A1"}, "start_missing_pawn"),
        ({p: "G1" for p in ("H1a", "H1b", "H1c", "H1d")}, "start_no_such_cell"),
    ],
)
def test_a_start_names_every_pawn_and_real_tiles(start_of: dict[str, str], reason: str) -> None:
    """A start that leaves out a pawn, names an unknown one or a tile off the field is refused."""
    with pytest.raises(InvalidSetup, match=reason):
        GAME.setup((V, H1), Setup(start=start_of), Random(0))


def test_case_61_a_wall_has_one_name() -> None:
    """ "A5-A4" is the same wall as "A4-A5"."""
    assert wall_name(Cell("A5"), Cell("A4")) == wall_name(Cell("A4"), Cell("A5"))
    layout = start().public.field.layout
    turned = type(layout)(
        layout.tiles, tuple("-".join(reversed(wall.split("-"))) for wall in layout.walls)
    )
    assert start(field=turned).public.field.grid.walls == start().public.field.grid.walls


def test_seats_by_players() -> None:
    """One vampire and one to three humans."""
    assert ("V", "H1", "H2", "H3") == VampireRadar().seat_names(4)
    assert (Seat("V"), Seat("H1")) == VampireRadar().seat_names(2)
