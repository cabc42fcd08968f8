"""Vampire Empire with real cards: what cards on the table may change, and the reminders."""

from __future__ import annotations

from random import Random

import pytest

from companion.core.game import Action, Seat, State
from companion.core.view import view
from companion.games.vampire_empire.actions import (
    DECLINE,
    DECLINE_TURN,
    DONE,
    PASS,
    PROCEED,
    REMAKE,
    Cancel,
    Decline,
    Done,
    Enter,
    Fight,
    HolyWater,
    LayValue,
    PayValue,
    PutMarker,
    Swap,
)
from companion.games.vampire_empire.cards import HUMAN, SEATS, VAMPIRE
from companion.games.vampire_empire.events import (
    CharacterHidden,
    DeckRemade,
    FightEnded,
    GameSetUp,
    RoundCounted,
)
from companion.games.vampire_empire.options import Deal, Options, Setup
from tests.games.vampire_empire.builders import GAME, act, events_of, refused
from tests.games.vampire_empire.invariants import playing

DEAL = Deal(("lady", "nun", "cook"), ("officer", "butler"))


def first_action(*more: tuple[Seat, Action]) -> State:
    """Return the vampire player's first action, with the Lady, the Monk and the Maid in the castle,
    and then `more`.
    """
    state = GAME.initial()
    for event in GAME.setup(SEATS, Setup(Options(content="box"), DEAL), Random(1)):
        state = GAME.evolve(state, event)
    state, _ = act(state, VAMPIRE, Enter("lady"), Enter("monk"), Enter("maid"), PROCEED)
    state, _ = act(state, HUMAN, DECLINE)
    for seat, action in more:
        state, _ = act(state, seat, action)
    return state


def test_the_messages_of_the_start() -> None:
    """With real cards there are no decks with a title, so the sentence has none."""
    [box] = events_of(GAME.setup(SEATS, Setup(Options(content="box"), DEAL), Random(1)), GameSetUp)
    [sample] = events_of(GAME.setup(SEATS, Setup(), Random(1)), GameSetUp)

    assert "event.set_up_box" == box.message().code
    assert ("event.set_up", sample.title) == (
        sample.message().code,
        sample.message().params["title"],
    )


def test_a_card_sends_somebody_under_the_city() -> None:
    """Either player may say that a support did so; the marker goes, the player whose turn it is
    names the character that enters, and play goes on where it stopped. A character that was sent
    away may return only from the city.
    """
    state, events = act(first_action(), HUMAN, Swap("monk"))

    assert [CharacterHidden("monk")] == events_of(events, CharacterHidden)
    assert (("lady", "maid"), 7, VAMPIRE) == (
        state.public.castle,
        state.public.city,
        GAME.to_move(state.public),
    )
    assert not GAME.legal_actions(view(state, HUMAN))
    state, _ = act(state, VAMPIRE, Enter("bishop"))
    assert (("lady", "maid", "bishop"), "action") == (state.public.castle, state.public.step)
    assert Fight("lady", "bishop") in GAME.legal_actions(view(state, VAMPIRE))


def test_who_fights_is_not_sent_away() -> None:
    """In a fight only the third castle character can go; the fight goes on with the cards that
    lie.
    """
    fight = ((VAMPIRE, Fight("lady", "monk")), (VAMPIRE, LayValue(3, "noble")))
    state = first_action(*fight)
    assert "not_at_this_step" == refused(state, HUMAN, Swap("lady"))
    state, _ = act(state, HUMAN, Swap("maid"))
    state, _ = act(state, VAMPIRE, Enter("cook"), DONE)

    assert HUMAN == GAME.to_move(state.public)
    assert Cancel("attack", 1) in GAME.legal_actions(view(state, HUMAN))


def test_the_cellar_becomes_the_deck_once() -> None:
    """Each player says so once, in either turn; everybody sees it from then on."""
    state, events = act(first_action(), HUMAN, REMAKE)

    assert [DeckRemade(HUMAN, 0)] == events_of(events, DeckRemade)
    assert (True, False) == (state.public.piles[HUMAN].remade, state.public.piles[VAMPIRE].remade)
    assert "not_at_this_step" == refused(state, HUMAN, REMAKE)
    act(state, VAMPIRE, REMAKE)


def test_a_fight_that_cannot_be_opened_is_called_off() -> None:
    """A player who has begun a fight and has no card that exceeds the marker says "no more cards":
    nothing is counted, and another action follows. After holy water, which was the action, the turn
    goes to its end.
    """
    begin: list[tuple[Seat, Action]] = [
        (HUMAN, PutMarker("monk", "defence")),
        (VAMPIRE, Fight("lady", "monk")),
    ]
    for laid in ([], [LayValue(1, "noble")]):
        state, events = act(first_action(*begin), VAMPIRE, *laid, DONE)
        assert ([FightEnded(None)], []) == (
            events_of(events, FightEnded),
            events_of(events, RoundCounted),
        )
        state, _ = act(state, HUMAN, DECLINE)
        act(state, VAMPIRE, PASS)

    state, _ = act(first_action(), VAMPIRE, PASS, DECLINE_TURN)
    state, _ = act(state, HUMAN, DECLINE)
    state, _ = act(
        state, VAMPIRE, PutMarker("lady", "defence"), PutMarker("lady", "defence"), DECLINE_TURN
    )
    state, _ = act(state, HUMAN, HolyWater("lady"), PayValue(1), PayValue(1), Fight("monk", "lady"))
    state, _ = act(state, HUMAN, DONE)
    assert ("end", None) == (state.public.step, state.public.fight)


@pytest.mark.parametrize("seed", range(30))
def test_there_is_always_a_way_out_of_a_fight(seed: int) -> None:
    """From any moment of a fight, "no more cards" and declining end the fight for both players."""
    for step in playing(seed, Options("box")):
        state = step.after
        for _ in range(12):
            mover = GAME.to_move(state.public)
            if state.public.fight is None or mover is None:
                break
            offered = GAME.legal_actions(view(state, mover))
            way_out = next(each for each in offered if isinstance(each, Done | Decline | Enter))
            state, _ = act(state, mover, way_out)
        assert state.public.fight is None
