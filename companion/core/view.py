"""Turn a state into a seat's view. Only this module may do that."""

from companion.core.game import Event, PrivateEvent, PublicEvent, Seat, State, View


def view(state: State, seat: Seat | None) -> View:
    """Return what `seat` may know of `state`; None is the display, which knows the public part."""
    own = None if seat is None else state.private.get(seat)
    return View(seat, state.public, own)


def may_see(event: Event, seat: Seat | None) -> bool:
    """Return whether `seat` receives `event`; None is the table display."""
    if isinstance(event, PrivateEvent):
        return seat is not None and seat in event.seats
    return isinstance(event, PublicEvent)
