"""V-Wars with real cards: what people type for events and elections, the printed riot table,
martial law.
"""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import IllegalAction, State
from companion.games.vwars.actions import (
    Control,
    Done,
    Elect,
    End,
    Martial,
    PickCity,
    PickRegion,
    Riot,
    Strength,
    Swing,
    Sympathy,
    Troops,
    Turn,
)
from companion.games.vwars.events import CityOverflowed, ElectionHeld, SwingAsked, SympathyChanged
from companion.games.vwars.options import Options
from tests.games.vwars.builders import GAME, P1, begun, done, offers, take, with_city, with_public

HERE, REGION, BESIDE = "r4a", "r4", "r4b"
"""A city of the numbered board, its region, and another city there."""


def at_event(**changes: Any) -> State:
    """Return the state in which P1 types the event card's text; `changes` is the state of
    `HERE`.
    """
    state = begun(options=Options(content="box"))
    while state.public.step == "setup":
        state = done(state, P1, offers(state, P1)[0])
    cities = {id: type(city)(city.name, city.region) for id, city in state.public.cities.items()}
    return done(
        with_city(with_public(state, cities=cities, sympathy=8), HERE, **changes), P1, End()
    )


def of(kind: type[Any], state: State) -> list[Any]:
    return [action for action in offers(state, P1) if isinstance(action, kind)]


def test_changes_are_typed_up_to_six() -> None:
    """An immediate effect is typed in one entry: up to six troops of a side, six of sympathy, six
    of strength.
    """
    state = done(at_event(human=6, vampire=6), P1, PickCity(HERE))
    every = {change for change in range(-6, 7) if change}
    assert every == {action.change for action in of(Troops, state) if action.side == "vampire"}
    assert every == {action.change for action in of(Sympathy, state)}

    state = done(done(with_public(state, riot_now=f"{HERE}-"), P1, Done()), P1, Riot())
    assert every == {action.change for action in of(Strength, state) if action.side == "human"}


def test_more_troops_than_a_city_holds_count_once() -> None:
    """Vampire troops typed in parts overflow a city once in an event: the human city is taken, S
    stays.
    """
    state = done(at_event(vampire=5), P1, PickCity(HERE))
    state, first = take(state, P1, Troops("vampire", 3))
    state, second = take(state, P1, Troops("vampire", 2))

    assert [[True], []] == [
        [True for event in events if isinstance(event, CityOverflowed | SympathyChanged)]
        for events in (first, second)
    ]
    city = state.public.cities[HERE]
    assert (6, "vampire", 8) == (city.vampire, city.control, state.public.sympathy)


def test_the_next_event_counts_again() -> None:
    """The next turn's event may overflow the same city once more: S rises by one in a city of the
    vampires.
    """
    state = done(at_event(vampire=6, control="vampire"), P1, PickCity(HERE))
    state = done(state, P1, Troops("vampire", 1))
    assert 9 == state.public.sympathy
    state = with_public(done(state, P1, Done()), step="turn")
    state = done(done(state, P1, End()), P1, PickCity(HERE))

    assert 10 == done(state, P1, Troops("vampire", 1)).public.sympathy


def test_martial_law_is_typed() -> None:
    """An event may bring martial law to a city that humans hold, one in a region, or lift it."""
    state = done(at_event(), P1, PickCity(HERE))
    assert [Martial(True)] == of(Martial, state)
    state = done(state, P1, Martial(True))
    assert (1, [Martial(False)]) == (state.public.martial, of(Martial, state))

    assert [] == of(Martial, done(state, P1, PickCity(BESIDE)))
    assert [] == of(Martial, done(state, P1, Control("vampire")))
    assert 0 == done(state, P1, Martial(False)).public.martial
    with pytest.raises(IllegalAction):
        done(done(state, P1, PickCity(BESIDE)), P1, Martial(True))


@pytest.mark.parametrize("side", ["human", "vampire"])
def test_an_election_stays_on_the_board(side: Any) -> None:
    """The winner of an election is shown in its region till the next one there; the law itself lies
    on the table.
    """
    state = done(at_event(), P1, PickRegion(REGION))
    state, events = take(state, P1, Elect(side))
    assert ElectionHeld(REGION, side, None) in events
    state = done(state, P1, Done())

    assert (side, None) == (state.public.regions[REGION].elected, state.public.regions[REGION].law)


@pytest.mark.parametrize(
    ("city", "typed", "expected"),
    [
        ({"vampire": 5}, Turn("vampire", 1), True),
        ({"human": 5, "control": "vampire"}, Turn("human", 1), True),
        ({"human": 6}, Turn("human", 2), True),
        ({"human": 6}, Turn("human", 1), False),
    ],
)
def test_the_printed_table_is_asked(city: dict[str, Any], typed: Turn, expected: bool) -> None:
    """After a change of control and after a massacre the number of the printed table is typed;
    after a rally that brings martial law none is.
    """
    state = done(with_public(at_event(**city), riot_now=f"{HERE}-"), P1, Done())
    state, events = take(done(state, P1, Riot()), P1, typed)

    assert expected == (SwingAsked(HERE) in events)
    assert ("swing" if expected else "soon") == state.public.step
    assert not expected or "soon" == done(state, P1, Swing(0)).public.step


def test_every_typed_change_is_offered_to_the_seat_alone() -> None:
    """The player who has the turn types."""
    state = at_event()

    assert [seat for seat in state.public.players if offers(state, seat)] == [
        GAME.to_move(state.public)
    ]
