"""The gate: what a seat may know."""

from companion.core.game import Draft, PrivateEvent, PublicEvent, Seat, State, evolve
from companion.core.view import may_see, view

A, B = Seat("A"), Seat("B")
STATE = State("open", {A: "a's", B: "b's"}, "deck")


class ForEverybody(PublicEvent, frozen=True, tag="public"):
    """A public event."""


class ForOneSeat(PrivateEvent, frozen=True, tag="whispered"):
    """An event for A alone."""

    @property
    def seats(self) -> frozenset[Seat]:
        return frozenset({A})


def test_a_seat_sees_the_public_part_and_its_own() -> None:
    """A view holds the public part and the seat's own; the table display holds no private part."""
    assert ("open", "a's") == (view(STATE, A).public, view(STATE, A).own)
    assert ("open", None) == (view(STATE, None).public, view(STATE, None).own)


def test_who_gets_which_event() -> None:
    """A public event is sent to all, a private one to its seats alone and never to the display."""
    assert [True, True, True] == [may_see(ForEverybody(), seat) for seat in (A, B, None)]
    assert [True, False, False] == [may_see(ForOneSeat(), seat) for seat in (A, B, None)]


def test_reprs_tell_nothing() -> None:
    """No state, view or draft shows its content when it is printed."""
    draft = Draft(evolve, STATE, [ForOneSeat()])
    assert "State(•) View(A, •) Draft(•)" == f"{STATE!r} {view(STATE, A)!r} {draft!r}"
