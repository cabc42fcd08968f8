"""Vampire Radar: walking and bullets (cases 13-20, 26, 53, 57 of the rules)."""

import pytest

from companion.core.codec import decode_action
from companion.core.game import InvalidAction
from companion.games.vampireradar.events import PawnWalked
from companion.games.vampireradar.options import MAX_BULLETS, Options
from tests.games.vampireradar.builders import (
    END,
    GAME,
    H1,
    H2,
    H3,
    V,
    attack,
    night_walk,
    play,
    refused,
    scene,
    shoot,
    take,
    walk,
)


def test_case_9_direction_must_be_one_of_four() -> None:
    """The directions are N, E, S and W; "NE" is refused when it is read."""
    with pytest.raises(InvalidAction) as refusal:
        decode_action(GAME, {"type": "shoot", "pawn": "H1a", "direction": "NE"})
    assert [("direction: ", "NE")] == [
        (field, message.params["found"]) for field, message in refusal.value.details
    ]


def test_case_13_only_own_living_pawns() -> None:
    """Only an own living pawn acts."""
    state = scene("E5", {"H1a": "A1", "H2a": "F6"})

    assert "not_your_pawn" == refused(state, walk("H2a", "F5"))
    assert "no_such_pawn" == refused(state, walk("H1b", "F2"))


@pytest.mark.parametrize(
    ("at", "to", "reason"),
    [
        ("A1", "B2", "not_neighbours"),
        ("A4", "A5", "wall_between"),
        ("A1", "A0", "no_such_cell"),
        ("A1", "A1", "not_neighbours"),
    ],
)
def test_case_14_one_orthogonal_step(at: str, to: str, reason: str) -> None:
    """A walk is one orthogonal step on the field, not across a wall."""
    assert reason == refused(scene("E5", {"H1a": at, "H2a": "F6"}), walk("H1a", to))


def test_case_15_any_number_of_pawns_share_a_tile() -> None:
    """Any number of pawns of any colour share a tile."""
    state, _ = play(
        scene("E5", {"H1a": "A1", "H1b": "A1", "H1c": "B1", "H2a": "A1"}), walk("H1c", "A1")
    )

    assert {"A1"} == set(state.public.pawns.values())


def test_case_16_walking_onto_the_vampire_discloses_nothing() -> None:
    """Walking onto the vampire's tile is the same event as any walk."""
    onto, elsewhere = (
        play(scene(cell, {"H1a": "D5", "H2a": "A6"}), walk("H1a", "E5"))[1] for cell in ("E5", "B2")
    )

    assert onto == elsewhere
    assert isinstance(onto[0], PawnWalked)


def test_case_17_taking_a_bullet() -> None:
    """A pawn that lands on a bullet token may take it: one more in hand, the token is gone."""
    state = scene("E5", {"H1a": "C1", "H2a": "F6"}, bullets={H1: 5, H2: 3})

    after, _ = play(state, walk("H1a", "C2"), take("H1a"))

    assert (6, False) == (after.public.bullets[H1], "C2" in after.public.bullet_tokens)


def test_case_18_a_hand_holds_six() -> None:
    """With 6 bullets in hand a token stays where it is."""
    state = scene("E5", {"H1a": "C1", "H2a": "F6"}, bullets={H1: MAX_BULLETS, H2: 3})

    assert "hand_full" == refused(state, walk("H1a", "C2"), take("H1a"))


def test_case_19_the_right_lapses_with_a_shot() -> None:
    """On the bullet tile at 6, shooting first and taking then is refused; after a new landing it is
    legal.
    """
    state = scene("E5", {"H1a": "C1", "H2a": "F6"}, players=2, bullets={H1: MAX_BULLETS})

    assert "not_just_landed" == refused(state, walk("H1a", "C2"), shoot("H1a", "N"), take("H1a"))
    state, _ = play(state, shoot("H1a", "N"), walk("H1a", "C2"), take("H1a"))
    assert MAX_BULLETS == state.public.bullets[H1]


def test_case_20_a_declined_bullet_is_anybodys() -> None:
    """Taking is optional; another pawn that lands there later may take the token."""
    state, _ = play(
        scene("E5", {"H1a": "C1", "H2a": "D2"}),
        walk("H1a", "C2"),
        END,
        walk("H2a", "C2"),
        take("H2a"),
    )

    assert 4 == state.public.bullets[H2]


def test_case_26_free_actions_cost_nothing() -> None:
    """2 points with 3 or 4 players, 3 with 2; taking a bullet costs none of them."""
    pawns = {"H1a": "C1", "H2a": "F6"}

    three, _ = play(
        scene("E5", pawns), walk("H1a", "C2"), take("H1a"), walk("H1a", "D2"), take("H1a")
    )
    assert "no_actions_left" == refused(three, walk("H1a", "E2"))
    two, _ = play(
        scene("E5", pawns, players=2), walk("H1a", "C2"), walk("H1a", "D2"), walk("H1a", "E2")
    )
    assert 0 == two.public.actions_left


def test_case_53_out_of_turn() -> None:
    """Acting out of turn is refused for every seat."""
    assert "not_your_turn" == refused(scene("E5"), walk("H2a", "F2"), seat=H2)
    assert "not_your_turn" == refused(scene("E5"), night_walk("E4"), seat=V)
    assert "not_your_turn" == refused(scene("E5"), END, seat=H3)


def test_case_57_end_with_an_open_right() -> None:
    """An open right lapses when the turn ends."""
    state, _ = play(scene("E5", {"H1a": "C1", "H2a": "F6"}), walk("H1a", "C2"), END, END, END)

    assert H1 == state.public.to_move
    assert "not_just_landed" == refused(state, take("H1a"))


def test_a_human_may_stop_early() -> None:
    """A human may end his turn early, with 0 actions too."""
    state, _ = play(scene("E5"), END)

    assert H2 == state.public.to_move


def test_pawns_per_turn_limits_who_acts() -> None:
    """`pawns_per_turn` limits how many pawns act in a turn; those that did may act on."""
    state = scene("E5", {"H1a": "C1", "H1b": "A1", "H2a": "F6"}, options=Options(pawns_per_turn=1))

    assert "too_many_pawns_acting" == refused(state, walk("H1a", "D1"), walk("H1b", "B1"))
    after, _ = play(state, walk("H1a", "D1"), walk("H1a", "C1"))
    assert 0 == after.public.actions_left


def test_as_many_pawns_act_as_there_are_points() -> None:
    """With 3 action points up to 3 pawns act."""
    state = scene("E5", {"H1a": "A1", "H1b": "F1", "H1c": "A6"}, players=2)

    after, _ = play(state, walk("H1a", "B1"), walk("H1b", "E1"), walk("H1c", "B6"))

    assert ("H1a", "H1b", "H1c") == after.public.acted


def test_humans_cannot_act_as_the_vampire() -> None:
    """The vampire's actions are not a human's."""
    assert "not_a_humans_action" == refused(scene("E5"), attack("A1"))
    assert "which_pawn" == refused(scene("E5"), night_walk("A2"))
