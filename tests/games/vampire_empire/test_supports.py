"""When support cards of Vampire Empire are played: both players are asked, whatever they hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.codec import encode_event
from companion.core.game import Event, IllegalAction, PublicEvent, Seat, State
from companion.core.view import view
from companion.games.vampire_empire import turns
from companion.games.vampire_empire.actions import (
    DECLINE,
    DECLINE_TURN,
    DONE,
    DRAW,
    DRAW_NONE,
    PASS,
    PROCEED,
    Cancel,
    Decline,
    Discard,
    Fight,
    HolyWater,
    Lay,
    Pay,
    PlaySupport,
    PutMarker,
)
from companion.games.vampire_empire.cards import (
    HUMAN,
    SEATS,
    VAMPIRE,
    CancelCard,
    Card,
    LookCity,
    Mark,
    other,
)
from companion.games.vampire_empire.events import (
    CardsDrawn,
    RoundCounted,
    StepReached,
    SupportAsked,
    TurnStarted,
)
from companion.games.vampire_empire.rules import VampireEmpire
from companion.games.vampire_empire.state import Marker, Window
from tests.games.vampire_empire.builders import GAME, act, events_of, refused, scene
from tests.games.vampire_empire.invariants import playing
from tests.table.play import Play

H_LOOK = Card("h-look", "Look", "human", "support", effects=(LookCity(1),))
V_LOOK = Card("v-look", "Look", "vampire", "support", effects=(LookCity(1),))
H_CUT = Card("h-cut", "Sacrifice", "human", "support", when="both", effects=(CancelCard(),))
V_CUT = Card("v-cut", "Mist", "vampire", "support", when="fight", effects=(CancelCard(),))
V_DEAR = Card(
    "v-dear", "Dear", "vampire", "support", cost_day=2, cost_night=2, effects=(Mark("noble"),)
)
LOOKS, CUTS = (H_LOOK, V_LOOK), (H_CUT, V_CUT)


def support_questions(events: Sequence[Event]) -> list[tuple[str, str]]:
    """Return which seats were asked for a support card, and when."""
    return [(event.seat, event.moment) for event in events_of(events, SupportAsked)]


def test_the_opponent_is_asked_before_the_action() -> None:
    """After the second step the opponent plays a support card or declines; the action waits for
    that. The night's player plays supports beside the action, and after each of them the opponent
    is asked again.
    """
    state = scene(
        vampire="v2n v1s v-look", human="h-look h1c h-look", step="reveal", supports=LOOKS
    )
    state, events = act(state, VAMPIRE, PROCEED)
    assert [(HUMAN, "before_action")] == support_questions(events)
    assert "not_your_turn" == refused(state, VAMPIRE, Fight("lady", "monk"))
    assert "not_your_turn" == refused(state, VAMPIRE, PlaySupport("v-look"))

    state, events = act(state, HUMAN, PlaySupport("h-look"), DECLINE)
    assert ([], VAMPIRE) == (support_questions(events), GAME.to_move(state.public))
    state, events = act(state, VAMPIRE, PlaySupport("v-look"))
    assert [(HUMAN, "before_action")] == support_questions(events)
    state, _ = act(state, HUMAN, DECLINE)
    act(state, VAMPIRE, Fight("lady", "monk"))


def test_both_are_asked_after_the_action() -> None:
    """After the third step the player whose turn it is is asked, then the opponent; each support
    card lets the other answer, and the turn ends when both have declined since.
    """
    state = scene(vampire="v2n v1s v-look v-look", human="h-look h1c", supports=LOOKS)
    state, events = act(state, VAMPIRE, PASS, Pay("v2n"), Pay("v1s"))
    assert [(VAMPIRE, "after_action")] == support_questions(events)
    state, events = act(state, VAMPIRE, PlaySupport("v-look"), DECLINE)
    assert [(HUMAN, "after_action")] == support_questions(events)
    state, events = act(state, HUMAN, PlaySupport("h-look"), DECLINE)
    assert [(VAMPIRE, "after_action")] == support_questions(events)
    assert [] == events_of(events, TurnStarted)
    state, events = act(state, VAMPIRE, DECLINE)

    assert [TurnStarted(HUMAN)] == events_of(events, TurnStarted)


def test_the_attacker_is_asked_before_a_round_is_judged() -> None:
    """When the defence has laid its cards, the attacker plays a support card or declines; if a card
    of the defence leaves, the defence may lay another one, and the attacker is asked again before
    the sums count.
    """
    state = scene(human="h2c h-cut h-cut h1n", vampire="v2n v1n", turn=HUMAN, supports=CUTS)
    state, _ = act(state, HUMAN, Fight("monk", "lady"), Lay("h2c"), DONE)
    state, events = act(state, VAMPIRE, Lay("v2n"), DONE)
    assert ([(HUMAN, "end_of_round")], []) == (
        support_questions(events),
        events_of(events, RoundCounted),
    )

    state, _ = act(state, HUMAN, PlaySupport("h-cut"), Cancel("defence", 1))
    assert VAMPIRE == GAME.to_move(state.public)
    state, events = act(state, VAMPIRE, Lay("v1n"), DONE)
    assert [(HUMAN, "end_of_round")] == support_questions(events)
    _, events = act(state, HUMAN, DECLINE)

    assert [RoundCounted(1, 2, 1)] == events_of(events, RoundCounted)


@pytest.mark.parametrize("more", [True, False])
def test_after_a_sacrifice_the_attacker_may_lay_another_card(more: bool) -> None:
    """A player who loses a card of the attack may lay another one or not, though the rest no longer
    exceeds the marker.
    """
    guarded = (Marker("lady", "defence", 1),)
    state = scene(
        human="h2c h3c h1n", vampire="v-cut v1n v1n", turn=HUMAN, supports=(V_CUT,), markers=guarded
    )
    state, _ = act(state, HUMAN, Fight("monk", "lady"), Lay("h2c"), DONE)
    state, _ = act(state, VAMPIRE, PlaySupport("v-cut"), Cancel("attack", 1))
    assert HUMAN == GAME.to_move(state.public)
    state, _ = act(state, HUMAN, *([Lay("h3c")] if more else []), DONE)
    _, events = act(state, VAMPIRE, DONE)

    assert [RoundCounted(1, 3 if more else 0, 1)] == events_of(events, RoundCounted)


def test_who_declines_for_the_turn_is_asked_no_more_in_it() -> None:
    """A player declines for the turn openly, whatever he holds: a support card is refused until the
    next turn.
    """
    state = scene(
        vampire="v2n v1s v1n", human="h-look h2c h-cut", step="reveal", supports=(*LOOKS, *CUTS)
    )
    state, _ = act(state, VAMPIRE, PROCEED)
    state, _ = act(state, HUMAN, DECLINE_TURN)
    assert (HUMAN,) == state.public.waived
    state, _ = act(state, VAMPIRE, Fight("lady", "monk"), Lay("v2n"), DONE)
    assert "vampire_empire_declined" == refused(state, HUMAN, PlaySupport("h-cut"))
    state, _ = act(state, HUMAN, Lay("h2c"), DONE)
    state, events = act(state, VAMPIRE, DECLINE, Lay("v1n"), DONE)
    state, _ = act(state, HUMAN, DONE)
    state, events = act(state, VAMPIRE, DECLINE)
    assert [(VAMPIRE, "after_action")] == support_questions(events)
    state, events = act(state, VAMPIRE, DECLINE)

    assert [TurnStarted(HUMAN)] == events_of(events, TurnStarted)
    assert () == state.public.waived


@pytest.mark.parametrize(
    ("hand", "supports", "expected"),
    [
        ("v1s v1s", (V_LOOK,), 1),
        ("v1s v1s", (V_DEAR,), 0),
        ("v1s", (V_LOOK,), 1),
        ("", (V_LOOK,), 0),
        ("v1s", (), 0),
    ],
    ids=["any card", "too dear for two cards", "one card", "no card", "no support in the deck"],
)
def test_public_facts_decide_who_is_asked(
    hand: str, supports: tuple[Card, ...], expected: int
) -> None:
    """Nobody is asked only if the open facts allow no support card: how many cards a hand has,
    their costs, and which cards there are.
    """
    state = scene(human="h2n", vampire=hand, turn=HUMAN, step="discard", supports=supports)
    _, events = act(state, HUMAN, DRAW)

    assert expected == len(support_questions(events))


@pytest.mark.parametrize("seed", range(20))
def test_a_hand_decides_nothing_about_the_questions(seed: int) -> None:
    """In any position of a random game, a hand without a support card and one full of them bring
    the opponent and the table the same questions, offers and views when the other player goes on.
    """
    for state, seat, action, *_ in playing(seed):
        public = state.public
        holder = other(seat)
        own = state.private[holder]
        deck = [card for card in public.cards.values() if card.deck == holder]
        kinds = [
            [card.id for card in deck if (card.kind == "support") == is_support]
            for is_support in (False, True)
        ]
        outcomes = []
        for names in kinds:
            hand = tuple(Random(seed).choices(names, k=len(own.hand)))
            before = State(public, {**state.private, holder: replace(own, hand=hand)}, state.hidden)
            events = GAME.decide(before, seat, action, Random(seed)).events
            after = before
            for event in events:
                after = GAME.evolve(after, event)
            encoded = [encode_event(event) for event in events if isinstance(event, PublicEvent)]
            outcomes.append(
                (
                    encoded,
                    GAME.encode_view(view(after, None)),
                    GAME.legal_actions(view(after, seat)),
                )
            )
        assert outcomes[0] == outcomes[1]


def test_a_seat_that_is_asked_may_decline() -> None:
    """A hand with a support card and one without are offered the same two ways to decline; the
    other offers are on the own page alone.
    """
    for hand in ("h-look h1c", "h1c h1c"):
        state = scene(human=hand, supports=LOOKS, window=Window("before_action", HUMAN))
        offered = [
            action
            for action in GAME.legal_actions(view(state, HUMAN))
            if not isinstance(action, PlaySupport)
        ]
        assert [DECLINE, DECLINE_TURN] == offered
        assert [] == list(GAME.legal_actions(view(state, VAMPIRE)))


def test_one_request_with_all_steps_cuts_nobody_off(tmp_path: Path) -> None:
    """A whole turn in one request is refused if the opponent is asked in between."""
    play = Play(tmp_path, VampireEmpire(), 5)
    play.table.lobby.propose({"game": "vampire_empire", "players": 2})
    for number, seat in enumerate(SEATS, start=1):
        play.table.seats.claim(seat, seat, f"{number:064x}")
    play.table.start()
    play.submit(VAMPIRE, DRAW)
    before = play.table.snapshot()

    for actions in ([PROCEED, PASS], [PROCEED, Fight("lady", "monk"), DONE]):
        with pytest.raises(IllegalAction) as error:
            play.table.submit(VAMPIRE, actions, id=f"whole-{len(actions)}")
        assert "not_your_turn" == error.value.message.code
        assert before == play.table.snapshot()
    play.table.close()


def test_drawing_is_free() -> None:
    """In the first step a player with cards may skip drawing; with an empty hand he draws."""
    state, events = act(scene(step="discard", vampire="v1n"), VAMPIRE, DRAW_NONE)
    assert ([], [StepReached("reveal")]) == (
        events_of(events, CardsDrawn),
        events_of(events, StepReached),
    )
    assert 1 == state.public.piles[VAMPIRE].hand

    state, _ = act(scene(step="discard", vampire="v1n"), VAMPIRE, Discard("v1n", "moat"))
    assert "vampire_empire_draw_none" == refused(state, VAMPIRE, DRAW_NONE)
    full = scene(step="discard", vampire="v1n " * 9)
    assert "vampire_empire_trim" == refused(full, VAMPIRE, DRAW_NONE)


def test_a_vampire_found_in_the_castle_may_be_attacked_whatever_is_held() -> None:
    """The step after holy water does not depend on the hand: it is the same with a marker that no
    card exceeds.
    """
    for more, markers in (("h3c", ()), ("h1n", (Marker("lady", "defence", 3),))):
        state = scene(human=f"h1h h3h {more}", turn=HUMAN, markers=markers)
        state, _ = act(state, HUMAN, HolyWater("lady"), Pay("h1h"), Pay("h3h"))
        assert "chance" == state.public.step
        act(state, HUMAN, PROCEED)


def test_a_marker_that_answers_an_action_counts() -> None:
    """A support card that the opponent plays before the action counts in it: the marker stops a
    fight that was open.
    """
    guard = Card("h-guard", "Guard", "human", "support", effects=(Mark("clergy"),))
    state = scene(vampire="v1n v1s", human="h-guard h1c", step="reveal", supports=(guard,))
    state, _ = act(state, VAMPIRE, PROCEED)
    state, _ = act(state, HUMAN, PlaySupport("h-guard"), PutMarker("monk", "defence"), DECLINE)

    assert "vampire_empire_opening" == refused(state, VAMPIRE, Fight("lady", "monk"))


@pytest.mark.parametrize("seed", range(10))
def test_a_turn_ends_when_both_have_declined(seed: int) -> None:
    """In a random game every turn begins right after all seats that were to be asked declined, with
    no support card since; nobody declines twice in a row after an action.
    """
    declined: list[Seat] = []
    for step in playing(seed):
        if isinstance(step.action, PlaySupport):
            declined = []
        if isinstance(step.action, Decline) and step.before.public.step == "end":
            assert step.seat not in declined
            declined.append(step.seat)
        state = step.before
        for event in step.events:
            if isinstance(event, TurnStarted):
                waived = {*declined, *state.public.waived}
                assert [] == [
                    seat
                    for seat in SEATS
                    if seat not in waived and turns.is_asked(state.public, seat)
                ]
                declined = []
            state = GAME.evolve(state, event)
