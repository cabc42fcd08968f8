"""Vampire Radar: shots and the radar (cases 1-12, 21-25, 58, 59 of the rules)."""

from companion.games.vampireradar.events import RadarCalled, ShotFired
from companion.games.vampireradar.options import Options
from tests.games.vampireradar.builders import (
    H1,
    V,
    play,
    public_of,
    radar,
    refused,
    scene,
    shoot,
    take,
    walk,
)


def fired(vampire: str, pawn_at: str, direction: str, **more: object) -> ShotFired:
    """The shot of H1a from a cell, in a game where H2 stands far away."""
    state = scene(vampire, {"H1a": pawn_at, "H2a": "A6"}, **more)  # type: ignore[arg-type]
    _, events = play(state, shoot("H1a", direction))
    shot = events[0]
    assert isinstance(shot, ShotFired)
    return shot


def test_case_1_line_hits() -> None:
    """The line covers the tiles on from the shooter: V on C4, shot S from C2 is a hit and takes one
    HP.
    """
    shot = fired("C4", "C2", "S")

    assert (True, 3) == (shot.hit, shot.vampire_hp)


def test_case_2_a_wall_ends_the_line() -> None:
    """A wall ends the line: V on C5 behind the wall C4-C5 is not hit and the bullet is spent."""
    shot = fired("C5", "C2", "S")

    assert (False, 4, 2) == (shot.hit, shot.vampire_hp, shot.bullets)


def test_case_3_wall_beside_the_shooter() -> None:
    """A shot from A4 to the south covers A4 alone, because of the wall A4-A5."""
    assert fired("A5", "A4", "S").hit is False


def test_case_4_lines_run_until_the_wall() -> None:
    """From F1 to the south F2 is hit and F3, behind the wall F2-F3, is not."""
    assert [False, True] == [fired("F3", "F1", "S").hit, fired("F2", "F1", "S").hit]


def test_case_5_a_neighbour_behind_a_wall() -> None:
    """A vampire one tile away behind the wall D1-E1 is not hit."""
    assert fired("E1", "D1", "E").hit is False


def test_case_6_shooting_off_the_field() -> None:
    """Shooting off the field is legal, costs the bullet and hits nothing there."""
    shot = fired("A2", "A1", "N")

    assert (False, 2) == (shot.hit, shot.bullets)


def test_case_7_own_tile_hits_in_any_direction() -> None:
    """A pawn on the vampire's own tile hits in any direction, off the field too."""
    assert [fired("A1", "A1", direction).hit for direction in "NWE"] == [True] * 3


def test_case_8_own_tile_hits_into_a_wall() -> None:
    """A pawn on the vampire's own tile hits straight into a wall too (E3 has one to the south)."""
    assert fired("E3", "E3", "S").hit is True


def test_case_10_no_bullets() -> None:
    """A human without bullets cannot shoot."""
    state = scene("C4", {"H1a": "C2", "H2a": "A6"}, bullets={H1: 0, "H2": 3})

    assert "no_bullets" == refused(state, shoot("H1a", "S"))


def test_case_11_pawns_neither_stop_nor_suffer_bullets() -> None:
    """Bullets pass pawns and do not hurt them: V on F4, H1 on B4, pawns on C4 and D4."""
    state = scene("F4", {"H1a": "B4", "H1b": "C4", "H2a": "D4"})

    after, events = play(state, shoot("H1a", "E"))

    assert isinstance(events[0], ShotFired)
    assert (True, state.public.pawns) == (events[0].hit, after.public.pawns)


def test_pawns_block_shots_option() -> None:
    """With `pawns_block_shots` the line ends on the first tile with another pawn, and covers that
    tile.
    """
    blocked = Options(pawns_block_shots=True)
    pawns = {"H1a": "B4", "H1b": "C4", "H2a": "D4"}

    behind, _ = play(scene("F4", pawns, options=blocked), shoot("H1a", "E"))
    with_the_pawn, _ = play(scene("C4", pawns, options=blocked), shoot("H1a", "E"))

    assert (4, 3) == (behind.public.hp, with_the_pawn.public.hp)


def test_case_12_two_shots_two_hits() -> None:
    """Each shot costs one point and takes at most one HP: two shots, two hits, no points left."""
    state, _ = play(scene("D5", {"H1a": "D1", "H2a": "A6"}), shoot("H1a", "S"), shoot("H1a", "S"))

    assert (2, 0, 2) == (state.public.hp, state.public.actions_left, state.public.spent)


def answer(vampire: str, pawn_from: str, to: str) -> int:
    _, events = play(scene(vampire, {"H1a": pawn_from, "H2a": "A6"}), walk("H1a", to), radar("H1a"))
    last = events[-1]
    assert isinstance(last, RadarCalled)
    return last.distance


def test_case_21_walls_do_not_count_for_the_radar() -> None:
    """The radar gives |dx| + |dy|, walls ignored: A3 to A5 is 2 although a wall stands between."""
    assert 2 == answer("A5", "A2", "A3")


def test_case_22_radar_on_the_vampire() -> None:
    """A radar on the vampire's own tile gives 0."""
    assert 0 == answer("F4", "E4", "F4")


def test_case_23_radar_across_the_field() -> None:
    """From A3 to F6 the radar gives 8."""
    assert 8 == answer("F6", "A2", "A3")


def test_case_24_radar_needs_a_new_landing() -> None:
    """A pawn that stayed cannot ask again next turn; after leaving and landing again it can."""
    state = scene("E5", {"H1a": "A3", "H2a": "F6"})

    assert "not_just_landed" == refused(state, radar("H1a"))
    _, events = play(state, walk("H1a", "A2"), walk("H1a", "A3"), radar("H1a"))
    assert isinstance(events[-1], RadarCalled)


def test_case_25_each_pawn_has_its_own_right() -> None:
    """Two pawns that land on one radar in one turn get two answers."""
    state = scene("E5", {"H1a": "A2", "H1b": "A4", "H2a": "F6"})

    _, events = play(state, walk("H1a", "A3"), radar("H1a"), walk("H1b", "A3"), radar("H1b"))

    assert 2 == len([event for event in events if isinstance(event, RadarCalled)])


def test_case_58_radar_after_the_last_point() -> None:
    """`call_radar` costs nothing and is legal with no point left."""
    state = scene("E5", {"H1a": "A2", "H2a": "F6"}, points=1)

    after, events = play(state, walk("H1a", "A3"), radar("H1a"))

    assert (0, 6) == (after.public.actions_left, events[-1].distance)  # type: ignore[attr-defined]


def test_case_59_a_shot_between_lapses_the_right() -> None:
    """The right to call lapses with the next action, a shot by another pawn included."""
    state = scene("E5", {"H1a": "A2", "H1b": "B6", "H2a": "F6"})

    assert "not_just_landed" == refused(state, walk("H1a", "A3"), shoot("H1b", "N"), radar("H1a"))


def test_lazy_landing_keeps_the_right() -> None:
    """With `lazy_landing` the right stays until the pawn walks on or the turn ends."""
    state = scene("E5", {"H1a": "A2", "H1b": "B6", "H2a": "F6"}, options=Options(lazy_landing=True))

    _, events = play(state, walk("H1a", "A3"), shoot("H1b", "N"), radar("H1a"))

    assert isinstance(events[-1], RadarCalled)


def test_radar_is_sent_to_everybody() -> None:
    """The distance is sent to everybody alike."""
    _, events = play(scene("E5", {"H1a": "A2", "H2a": "F6"}), walk("H1a", "A3"), radar("H1a"))

    assert events == public_of(events)


def test_no_radar_on_other_tiles() -> None:
    """A landing on a bullet tile gives no right to the radar."""
    assert "no_radar_here" == refused(
        scene("E5", {"H1a": "C1", "H2a": "F6"}), walk("H1a", "C2"), radar("H1a")
    )


def test_the_vampire_cannot_shoot() -> None:
    """Only humans shoot and call the radar."""
    state = scene("E5", turn=V)

    assert "not_the_vampires_action" == refused(state, shoot("H1a", "N"))
    assert "not_the_vampires_action" == refused(state, take("H1a"))
