"""When a night is published."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import PublicEvent, Seat
from companion.table import reveal
from companion.table.events import NightSealed
from tests.table.toy_game import Answered, Shouted, TurnEnded

SEAL = NightSealed(Seat("S"), 1, "0" * 64)
ENDED = TurnEnded(Seat("S"))


def portions(events: list[PublicEvent]) -> list[int]:
    counts = []
    while events:
        counts.append(reveal.next_batch(events))
        events = events[counts[-1] :]
    return counts


@given(st.floats(0, 10.5), st.sampled_from([12, 20]))
def test_dawn_after_a_short_night(thinking: float, floor: int) -> None:
    """An early turn does not bring dawn before the floor."""
    assert 1000.0 + floor == reveal.reveal_time(1000.0, 1000.0 + thinking, floor)


@given(st.floats(0, 5000), st.sampled_from([0, 12, 20]))
def test_dawn_after_any_night(thinking: float, floor: int) -> None:
    """Dawn comes a whole number of seconds after nightfall, at least 1.5 s after the commit."""
    dawn = reveal.reveal_time(0.0, thinking, floor)

    assert dawn == int(dawn)
    assert dawn >= thinking + reveal.REVEAL_MARGIN
    assert dawn >= floor


def test_quiet_night() -> None:
    """The seal is published alone, then the end of the night."""
    assert [1, 1] == portions([SEAL, ENDED])


def test_loud_night() -> None:
    """Each event that discloses a secret has a beat of its own; the events that follow from it are
    published with it.
    """
    assert [1, 1, 2] == portions([SEAL, Shouted(1), Answered(True), ENDED])


def test_nothing_left() -> None:
    """After the last event there is no beat."""
    assert 0 == reveal.next_batch([])
