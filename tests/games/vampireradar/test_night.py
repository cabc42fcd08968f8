"""Vampire Radar: the vampire's night (cases 27-43 and 60 of the rules)."""

import pytest

from companion.core.codec import encode_event
from companion.core.game import IllegalAction
from companion.games.vampireradar.events import BatEaten, PawnsKilled, TurnEnded
from companion.games.vampireradar.options import Options
from tests.games.vampireradar.builders import (
    END,
    H1,
    V,
    attack,
    cell_of,
    heal,
    night_walk,
    play,
    public_of,
    refused,
    scene,
)

FAR = {"H2a": "F6"}


def night(vampire: str, pawns: dict[str, str], **more: object):  # type: ignore[no-untyped-def]
    return scene(vampire, {**FAR, **pawns}, turn=V, **more)  # type: ignore[arg-type]


def test_case_27_attack_needs_a_point() -> None:
    """An attack needs a point: after two walks there is none."""
    assert "no_actions_left" == refused(
        night("D4", {"H1a": "D1"}), night_walk("D3"), night_walk("D2"), attack("D1")
    )


def test_case_28_attack_costs_a_point_and_gives_one() -> None:
    """The vampire stands where it attacked with the point given back; the last walk leaves only
    `end`.
    """
    state, _ = play(night("D4", {"H1a": "D2", "H1b": "A1"}), night_walk("D3"), attack("D2"))

    assert ("D2", 1) == (cell_of(state), state.private[V].actions_left)
    assert "no_actions_left" == refused(state, night_walk("E2"), night_walk("E1"))


def test_case_29_attacks_chain() -> None:
    """Attacks chain without limit: three in a row and then two walks."""
    state = night("D4", {"H1a": "D3", "H1b": "D2", "H1c": "D1"})

    state, _ = play(
        state, attack("D3"), attack("D2"), attack("D1"), night_walk("C1"), night_walk("B1")
    )

    assert "B1" == cell_of(state)


def test_case_30_an_attack_removes_all_pawns_of_every_owner() -> None:
    """An attack on the own tile removes every pawn there and leaves both points."""
    state, events = play(night("C3", {"H1a": "C3", "H2b": "C3", "H1b": "A1"}), attack("C3"))

    assert [PawnsKilled("C3", ("H1a", "H2b"))] == events  # type: ignore[arg-type]
    assert ({"H2a", "H1b"}, 2) == (set(state.public.pawns), state.private[V].actions_left)


@pytest.mark.parametrize(("vampire", "pawn"), [("E3", "E4"), ("B3", "B4")])
def test_cases_31_32_walls_stop_attacks(vampire: str, pawn: str) -> None:
    """An attack does not reach across a wall."""
    assert "wall_between" == refused(night(vampire, {"H1a": pawn}), attack(pawn))


@pytest.mark.parametrize(
    ("to", "reason"), [("C2", "no_pawn_there"), ("C1", "not_neighbours"), ("D4", "not_neighbours")]
)
def test_case_33_what_cannot_be_attacked(to: str, reason: str) -> None:
    """An empty neighbour, a tile two away and a diagonal one cannot be attacked."""
    assert reason == refused(night("C3", {"H1a": "C1", "H1b": "D4"}), attack(to))


def test_case_34_heal() -> None:
    """A meal on a neighbour tile: the vampire stands there, HP +1, the token is off, the point is
    given back.
    """
    state, _ = play(night("D5", {"H1a": "A1"}, hp=3), heal("D6"))

    assert ("D6", 4, False, 2) == (
        cell_of(state),
        state.public.hp,
        "D6" in state.public.bat_tokens,
        state.private[V].actions_left,
    )


def test_case_35_heal_at_full_hp() -> None:
    """At maximum HP a meal is legal, takes the token and gives the bonus action only."""
    state, events = play(night("D5", {"H1a": "A1"}), heal("D6"))

    eaten = events[-1]
    assert isinstance(eaten, BatEaten)
    assert (4, "D6") == (state.public.hp, eaten.cell)


def test_case_36_five_hp_with_four_players() -> None:
    """With 4 players the maximum is 5: from 4 to 5, and no further."""
    state = scene("D5", {"H1a": "A1", "H2a": "F6", "H3a": "F6"}, players=4, turn=V)

    state, _ = play(state, heal("D6"))
    assert 5 == state.public.hp
    state, _ = play(state, night_walk("D5"), END)
    assert (5, 5) == (state.public.hp, state.public.max_hp)


def test_case_37_no_hp_with_two_players() -> None:
    """In the 2-player game a meal gives the bonus action only."""
    state, _ = play(scene("D5", {"H1a": "A1"}, players=2, turn=V, hp=1), heal("D6"))

    assert (1, False, 2) == (
        state.public.hp,
        "D6" in state.public.bat_tokens,
        state.private[V].actions_left,
    )


def test_case_38_walls_stop_meals() -> None:
    """A meal does not reach across a wall; on the own tile it does without moving."""
    assert "wall_between" == refused(night("A5", {"H1a": "A1"}), heal("A4"))
    assert "wall_between" == refused(night("F2", {"H1a": "A1"}), heal("F3"))
    state, _ = play(night("F3", {"H1a": "A1"}, hp=2), heal("F3"))
    assert ("F3", 3) == (cell_of(state), state.public.hp)


def test_case_39_a_token_is_eaten_once() -> None:
    """Where the token is gone there is no second meal."""
    assert "no_bat_there" == refused(night("D5", {"H1a": "A1"}), heal("D6"), heal("D6"))


def test_case_40_two_walks_one_before_the_last_meal() -> None:
    """Walk, walk, heal is refused; heal, walk, walk and walk, heal, walk are legal."""
    assert "no_actions_left" == refused(
        night("D3", {"H1a": "A1"}), night_walk("D4"), night_walk("D5"), heal("D6")
    )
    play(night("D5", {"H1a": "A1"}), heal("D6"), night_walk("D5"), night_walk("D4"))
    play(night("D4", {"H1a": "A1"}), night_walk("D5"), heal("D6"), night_walk("D5"))


def test_case_41_a_still_night_looks_like_two_walks() -> None:
    """A night of `end` alone and one of two walks make the same public events, byte for byte."""
    _, still = play(night("D4", {"H1a": "A1"}), END)
    _, walked = play(night("D4", {"H1a": "A1"}), night_walk("D3"), night_walk("C3"), END)

    assert [encode_event(e) for e in public_of(still)] == [
        encode_event(e) for e in public_of(walked)
    ]
    assert {"event": "turn_ended", "seat": "V"} == encode_event(public_of(still)[0])


def test_case_42_entering_a_pawns_tile_discloses_nothing() -> None:
    """The vampire may enter a tile with a pawn without attacking; nothing is published and the pawn
    stays.
    """
    state, events = play(night("D4", {"H1a": "D3"}), night_walk("D3"))

    assert ([], "D3") == (public_of(events), state.public.pawns["H1a"])


def test_vampire_may_not_share_option() -> None:
    """With `vampire_may_share` off a walk does not enter a tile with pawns."""
    state = night("D4", {"H1a": "D3"}, options=Options(vampire_may_share=False))

    assert "may_not_share" == refused(state, night_walk("D3"))


def test_case_43_tokens_stay_after_an_attack() -> None:
    """Bullet and bat tokens stay where pawns are killed."""
    state, _ = play(night("D3", {"H1a": "D2", "H1b": "A1"}), attack("D2"))

    assert "D2" in state.public.bullet_tokens


def test_case_60_an_illegal_second_step_refuses_all() -> None:
    """A night whose second step is illegal changes nothing: the state before is kept."""
    before = night("D4", {"H1a": "A1"})

    with pytest.raises(IllegalAction):
        play(before, night_walk("D3"), night_walk("D5"))

    assert "D4" == cell_of(before)


def test_bonus_points_do_not_carry_over() -> None:
    """Points left at the end of a night are gone."""
    state, _ = play(night("D4", {"H1a": "A1"}), END, END, END)

    assert (V, 2) == (state.public.to_move, state.private[V].actions_left)


def test_the_vampires_turn_shows_no_points() -> None:
    """`turn_started` of the vampire never has actions."""
    _, events = play(scene("E5"), END, END)

    assert {"event": "turn_started", "seat": "V"} == encode_event(public_of(events)[-1])


def test_announce_turn_end_publishes_in_board_order_after_the_night() -> None:
    """With `announce = "turn_end"` nothing is published during the night, then all in board
    order.
    """
    late = Options(announce="turn_end")
    state = night("D4", {"H1a": "D3", "H1b": "D2", "H1c": "A1"}, options=late)

    state, during = play(state, attack("D3"), attack("D2"))
    assert [] == public_of(during)
    assert "no_pawn_there" == refused(state, attack("D2"))
    after, events = play(state, END)

    assert ["D2", "D3"] == [event.cell for event in events if isinstance(event, PawnsKilled)]
    assert TurnEnded(V) in events
    assert {"H1c", "H2a"} == set(after.public.pawns)


def test_announce_turn_end_adds_meals_and_the_end() -> None:
    """With `announce = "turn_end"` meals count when they are published, and a last kill ends the
    game then.
    """
    late = Options(announce="turn_end")
    state = scene(
        "D5", {"H1a": "D4"}, turn=V, hp=2, options=late, out=("H2",), bullets={H1: 3, "H2": 0}
    )

    state, _ = play(state, heal("D6"), night_walk("D5"), attack("D4"), END)

    assert (3, "humans_dead") == (state.public.hp, state.public.outcome.reason)


def test_place_comes_first() -> None:
    """Before it has chosen its start the vampire has no other action."""
    state = scene("E5", turn=V)
    hidden = state.private[V].__class__()

    assert "place_first" == refused(type(state)(state.public, {V: hidden}), night_walk("E4"))
