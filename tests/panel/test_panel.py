"""The panel ends turns, undoes, shines and sounds by public facts alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Message
from companion.panel.panel import (
    HEARTBEAT_TUNE,
    HIT,
    LAMP_OFF_TIME,
    MISS,
    REPEAT_GUARD,
    Tune,
    length,
    pitch,
    run_panel,
)
from companion.table.broadcast import QUEUE_LIMIT, Broadcaster
from companion.table.broadcast import Update as PublicUpdate

END = [{"type": "end"}]
SHOT = {
    "event": "shot_fired",
    "pawn": "H1a",
    "cell": "C3",
    "direction": "N",
    "bullets": 2,
    "vampire_hp": 4,
}
WALK = {"event": "pawn_walked", "pawn": "H1a", "from": "A1", "to": "B1"}
Update = Callable[..., PublicUpdate]


def test_a_short_press_ends_the_turn(world: Any, update: Update) -> None:
    """A short press ends the turn of the seat to move."""
    world.panel.update(update())
    world.pins.press(0.2)
    world.run(1)

    assert [("submit", "H1", END)] == world.requests


def test_a_hold_takes_back(world: Any, update: Update) -> None:
    """A button held long asks for an undo, once, while it is still held, and does not end the
    turn.
    """
    world.panel.update(update())
    world.pins.hold(4)
    world.run(2)
    assert [("undo", "H1")] == world.requests
    world.run(5)

    assert [("undo", "H1")] == world.requests


@pytest.mark.parametrize("bounce", [0.0, 0.005, 0.02, 0.045])
def test_chatter_is_one_press(make_world: Any, update: Update, bounce: float) -> None:
    """Contacts that bounce for less than 50 ms make one press."""
    world = make_world(bounce)
    world.panel.update(update())
    world.pins.press(0.3)
    world.run(2)

    assert [("submit", "H1", END)] == world.requests


@pytest.mark.parametrize("seconds", [0.01, 0.03, 0.049])
def test_a_spike_is_no_press(world: Any, update: Update, seconds: float) -> None:
    """Contacts closed for less than 50 ms are noise on the line."""
    world.panel.update(update())
    world.pins.press(seconds)
    world.run(1)

    assert [] == world.requests


def test_a_second_press_at_once_is_a_slip(world: Any, update: Update) -> None:
    """A press right after an accepted one does not end the next seat's turn."""
    world.panel.update(update())
    world.pins.press(0.1)
    world.run(0.3)
    world.panel.update(update(to_move="H2"))
    world.pins.press(0.1)
    world.run(0.3)
    assert [("submit", "H1", END)] == world.requests

    world.run(REPEAT_GUARD)
    world.pins.press(0.1)
    world.run(0.3)
    assert [("submit", "H1", END), ("submit", "H2", END)] == world.requests


def test_a_press_is_meant_for_the_seat_it_began_with(world: Any, update: Update) -> None:
    """If the turn passes on during a press, nobody's turn is ended."""
    world.panel.update(update())
    world.pins.press(0.4)
    world.run(0.2)
    world.panel.update(update(to_move="H2"))
    world.run(1)

    assert [] == world.requests


def test_a_refusal_is_passed_on(world: Any, update: Update) -> None:
    """The table's refusal is passed to the `refused` callback, and the next press works again."""
    world.panel.update(update())
    world.refuse = "board_differs"
    world.pins.press(0.1)
    world.run(0.5)
    assert [Message("board_differs")] == world.refusals

    world.refuse = None
    world.pins.press(0.1)
    world.run(0.5)
    assert [("submit", "H1", END)] == world.requests


@pytest.mark.parametrize(
    "changes",
    [
        {"secret": True, "to_move": "V", "legal": []},
        {"secret": True, "to_move": "V", "legal": END},
        {"revealing": True},
        {"to_move": None, "legal": []},
        {"phase": "lobby", "to_move": None, "legal": []},
        {"phase": "over", "to_move": None, "legal": []},
    ],
)
@pytest.mark.parametrize("seconds", [0.2, 3.0])
def test_nobody_ends_a_night(
    make_world: Any, update: Update, changes: dict[str, Any], seconds: float
) -> None:
    """In a secret turn, while a night is revealed and outside a game, a press has no effect."""
    worlds = [make_world(), make_world()]
    for world in worlds:
        world.panel.update(update(**changes))
        world.run(1)
    worlds[0].pins.press(seconds)
    for world in worlds:
        world.run(4)

    assert [] == worlds[0].requests + worlds[0].refusals
    assert worlds[1].pins.record == worlds[0].pins.record


def test_a_press_before_the_first_picture(world: Any) -> None:
    """A press before the first update does nothing."""
    world.pins.press(0.2)
    world.run(1)

    assert ([], []) == (world.requests, world.pins.record)


def test_without_an_end_among_the_legal_actions_a_press_does_nothing(
    world: Any, update: Update
) -> None:
    """The button offers only what the public list of legal actions offers."""
    world.panel.update(update(legal=[{"type": "walk", "pawn": "H1a", "to": "B1"}]))
    world.pins.press(0.2)
    world.run(1)

    assert [] == world.requests


def test_the_lamp_is_steady_when_ready(world: Any, update: Update) -> None:
    """The lamp shines steadily once the companion is ready."""
    world.run(1)
    world.pins.assert_states("lamp", [])
    world.panel.update(update())
    world.run(10)

    world.pins.assert_states("lamp", [1])


@pytest.mark.parametrize("link", ["searching", "silent", "refused"])
def test_the_lamp_blinks_while_the_board_is_lost(world: Any, update: Update, link: str) -> None:
    """The lamp blinks once a second from the moment the board is lost, and is steady when it is
    back.
    """
    world.panel.update(update())
    world.run(1)
    world.panel.update(update(board={"source": "serial", "link": link}))
    world.run(2.9)
    world.pins.assert_states("lamp", [1, 0, 1, 0, 1, 0])
    world.panel.update(update())
    world.run(3)

    world.pins.assert_states("lamp", [1])


@pytest.mark.parametrize(
    "board", [{"source": "none", "link": "none"}, {"source": "ignored", "link": "silent"}]
)
def test_a_board_nobody_uses_is_not_lost(world: Any, update: Update, board: dict[str, str]) -> None:
    """A table that plays by taps, or that chose to ignore its board, has a steady lamp."""
    world.panel.update(update(board=board))
    world.run(3)

    world.pins.assert_states("lamp", [1])


def test_the_lamp_winks_at_public_events(world: Any, update: Update) -> None:
    """The lamp goes dark for a moment at every public update with events, and at no other."""
    world.panel.update(update())
    world.run(1)
    world.panel.update(update(WALK, {"event": "turn_ended", "seat": "H1"}, position=8))
    world.run(1)
    world.panel.update(update(position=9))
    world.run(1)

    world.pins.assert_states("lamp", [1, 0, 1])


def test_history_is_not_played_again(world: Any, update: Update) -> None:
    """Events before the first update, and repeated ones, change neither lamp nor piezo."""
    world.panel.update(update({**SHOT, "hit": True}))
    world.run(1)
    world.panel.update(update({**SHOT, "hit": True}))
    world.run(1)

    world.pins.assert_states("lamp", [1])
    world.pins.assert_states("tone", [])


def test_every_wink_is_alike(make_world: Any, update: Update) -> None:
    """The length of the lamp's dark moment does not depend on the event."""
    records = []
    for events in (
        [WALK],
        [{**SHOT, "hit": True}],
        [{"event": "night_sealed"}, {"event": "pawns_killed"}],
    ):
        world = make_world()
        world.panel.update(update())
        world.run(1)
        world.panel.update(update(*events, position=8))
        world.run(LAMP_OFF_TIME + 1)
        records.append([entry for entry in world.pins.record if entry[1] == "lamp"])

    assert records[0] == records[1] == records[2]


@pytest.mark.parametrize(("hit", "tune"), [(True, HIT), (False, MISS)])
def test_a_shot_sounds(world: Any, update: Update, hit: bool, tune: Tune) -> None:
    """A public hit groans, a miss is wind, both after the heartbeat; then silence."""
    world.panel.update(update())
    world.panel.update(update({**SHOT, "hit": hit}, position=8))
    world.run(length(tune) + 1)

    tones: list[int] = []
    for step in tune:
        if not tones or tones[-1] != step.hertz:
            tones.append(step.hertz)
    world.pins.assert_states("tone", [*tones, 0])


def test_hit_and_miss_are_equally_long() -> None:
    """Hit and miss have the same steps of the same lengths, sound and silence at the same
    moments.
    """
    assert [(step.seconds, bool(step.hertz)) for step in HIT] == [
        (step.seconds, bool(step.hertz)) for step in MISS
    ]
    assert (3.2, 1.2) == (round(length(HIT), 3), round(length(HEARTBEAT_TUNE), 3))


@pytest.mark.parametrize("tune", [HIT, MISS])
def test_each_tone_is_one_that_a_bare_piezo_can_sound(tune: Tune) -> None:
    """Every pitch lies between 1 and 4 kHz, where a disc of 20 mm is loud."""
    assert all(1000 <= step.hertz <= 4000 for step in tune if step.hertz)


@given(st.floats(min_value=0, max_value=5))
def test_hit_and_miss_end_together(elapsed: float) -> None:
    """Both sounds end at the same moment."""
    assert (pitch(HIT, elapsed) is None) == (pitch(MISS, elapsed) is None)


@pytest.mark.parametrize(
    "manners", [{"sound": False, "player_groans": False}, {"sound": True, "player_groans": True}]
)
def test_a_muted_table_is_silent(world: Any, update: Update, manners: dict[str, bool]) -> None:
    """With the sound switched off, and if the vampire groans himself, nothing is sounded."""
    world.panel.update(update())
    world.panel.update(update({**SHOT, "hit": True}, position=8, settings=manners))
    world.run(4)

    world.pins.assert_states("tone", [])


@pytest.mark.slow
@given(
    secret=st.dictionaries(
        st.sampled_from(["own", "private", "trail", "cell", "notes", "previews"]), st.text()
    )
)
def test_what_is_not_public_changes_nothing(
    make_world: Any, update: Update, secret: dict[str, str]
) -> None:
    """With a private value in an update the panel does exactly the same as without."""
    records = []
    for extra in ({}, secret):
        world = make_world()
        for base in (
            update(),
            update(secret=True, to_move="V", legal=[]),
            update(WALK, position=8),
        ):
            world.panel.update(msgspec.structs.replace(base, snapshot={**base.snapshot, **extra}))
            world.run(0.5)
        records.append(world.pins.record)

    assert records[0] == records[1]


def test_news_without_events_is_not_seen(world: Any, update: Update) -> None:
    """An update without a public event (of a private one) lights and sounds nothing."""
    night = update(secret=True, to_move="V", legal=[])
    world.panel.update(night)
    world.run(1)
    before = list(world.pins.record)
    for _ in range(5):
        world.panel.update(night)
        world.run(1)

    assert before == world.pins.record


def test_the_thread_runs_until_stopped(world: Any, update: Update) -> None:
    """The panel's thread shows updates, reads the button in between, and switches all off at the
    end.
    """
    streams, looks = Broadcaster(), iter([False, False, False, True])

    run_panel(world.panel, lambda: streams.subscribe(lambda: update()), lambda: next(looks))

    assert [1, 0] == world.pins.states("lamp")
    assert (True, 0) == (world.pins.closed, len(streams))


def test_a_dropped_panel_subscribes_again(world: Any, update: Update) -> None:
    """A panel that was dropped as too slow subscribes again and continues with the current
    snapshot.
    """
    streams, looks = Broadcaster(), iter([False, False, False, False, True])
    firsts = iter([update(), update(board={"source": "serial", "link": "silent"})])

    def subscribe() -> Any:
        subscription = streams.subscribe(lambda: next(firsts))
        if len(streams) == 1 and world.seconds == 0:
            for _ in range(QUEUE_LIMIT):
                streams.publish(update())
            world.seconds = 1.0
        return subscription

    run_panel(world.panel, subscribe, lambda: next(looks))

    assert [1, 0] == world.pins.states("lamp")


def test_pins_are_let_go_when_something_fails(world: Any, update: Update) -> None:
    """Lamp and piezo are switched off even if the panel's thread ends by an error."""

    def fail() -> bool:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        run_panel(world.panel, lambda: Broadcaster().subscribe(lambda: update()), fail)

    assert world.pins.closed


def test_the_record_of_the_fake_is_checked(world: Any, update: Update) -> None:
    """A failed comparison of the fake pins shows the record."""
    world.panel.update(update())
    world.run(1)

    with pytest.raises(AssertionError, match="lamp was \\[1\\] instead of \\[0\\]"):
        world.pins.assert_states("lamp", [0])
