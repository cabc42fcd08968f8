"""Vampire Empire: the cases of the rules, numbered as in rules.md, on written-out states."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import Event, Outcome, State
from companion.core.view import view
from companion.games.vampire_empire.actions import (
    DECLINE,
    DONE,
    DRAW,
    DRAW_NONE,
    PASS,
    PROCEED,
    Cancel,
    Discard,
    Fight,
    Hide,
    HolyWater,
    Lay,
    Pay,
    PlaySupport,
    PutMarker,
    Reveal,
)
from companion.games.vampire_empire.cards import HUMAN, VAMPIRE, CancelCard, Card, DrawCards, Mark
from companion.games.vampire_empire.events import (
    CardCancelled,
    CardDiscarded,
    CardsDrawn,
    CharacterDied,
    CharacterEntered,
    CharacterHidden,
    DeckRemade,
    FightBegun,
    FightEnded,
    HolyWaterAnswered,
    MarkerPut,
    PlayerOut,
    RoundCounted,
    TurnStarted,
)
from companion.games.vampire_empire.options import Options
from companion.games.vampire_empire.state import Dead, Laid, Marker, Window
from tests.games.vampire_empire.builders import GAME, act, events_of, refused, scene

SACRIFICE = Card(
    "h-sacrifice",
    "Sacrifice",
    "human",
    "support",
    cost_day=1,
    cost_night=1,
    when="both",
    effects=(CancelCard(),),
)
OPEN = Card("h-open", "Open", "human", "support", cost_day=2, effects=(DrawCards(1),))
NURSE = Card("h-nurse", "Nurse", "human", "support", effects=(Mark("clergy"),))
ATTACK, DEFENCE = Marker("lady", "attack", 1), Marker("monk", "defence", 1)


def fought(
    attack: str, defence: str, more: str = "", answer: str = ""
) -> tuple[State, list[Event]]:
    """Let the Monk attack the Lady by day: the human player's cards against the vampire player's,
    in two rounds.
    """
    state = scene(human=f"{attack} {more}", vampire=f"{defence} {answer}", turn=HUMAN)
    state, events = act(state, HUMAN, Fight("monk", "lady"), *map(Lay, attack.split()), DONE)
    state, new_events = act(state, VAMPIRE, *map(Lay, defence.split()), DONE)
    events += new_events
    if more:
        state, new_events = act(state, HUMAN, *map(Lay, more.split()), DONE)
        events += new_events
        state, new_events = act(state, VAMPIRE, *map(Lay, answer.split()), DONE)
        events += new_events
    return state, events


def test_01_equal_sums_after_two_rounds_let_both_live() -> None:
    """Attack 2+1, defence 2+2: lives round 1; attack +3+2 = 8, defence +3+1 = 8: the Lady lives."""
    state, events = fought("h2c h1c", "v2n v2n", "h3c h2c", "v3n v1n")

    assert [RoundCounted(1, 3, 4), RoundCounted(2, 8, 8)] == events_of(events, RoundCounted)
    assert [] == events_of(events, CharacterDied)
    assert VAMPIRE == state.public.turn


def test_02_a_higher_attack_kills_and_reveals_what_the_dead_was() -> None:
    """8 to 7: the Lady dies, and everybody learns that she was a vampire; the castle is filled
    again.
    """
    state, events = fought("h2c h1c", "v2n v2n", "h3c h2c", "v2n v1n")

    assert [CharacterDied("lady", True)] == events_of(events, CharacterDied)
    assert (Dead("lady", True),) == state.public.dead
    assert 3 == len(state.public.castle)


def test_03_the_human_player_never_attacks_with_a_revealed_vampire() -> None:
    """Human player attacks with a revealed vampire: refused."""
    state = scene(human="h2n h2c", turn=HUMAN, revealed="lady")

    assert "vampire_empire_attacker_shown" == refused(state, HUMAN, Fight("lady", "monk"))
    assert Fight("monk", "lady") in GAME.legal_actions(view(state, HUMAN))


def test_04_a_revealed_vampire_in_the_castle_has_to_attack() -> None:
    """A revealed vampire is in the castle and the vampire player attacks with another: refused."""
    state = scene(vampire="v2n v2c", revealed="lady")

    assert "vampire_empire_attacker_not_shown" == refused(state, VAMPIRE, Fight("monk", "maid"))
    assert Fight("lady", "maid") in GAME.legal_actions(view(state, VAMPIRE))


def test_05_with_nobody_revealed_any_attacks() -> None:
    """No revealed vampire in the castle: any of the three attacks any other, whatever is revealed
    in the city.
    """
    state = scene(vampire="v2n v2c v2s", revealed="nun")
    offered = [
        action for action in GAME.legal_actions(view(state, VAMPIRE)) if isinstance(action, Fight)
    ]

    assert 6 == len(offered)


def test_06_holy_water_counts_against_a_revealed_vampire_alone() -> None:
    """Against an unrevealed vampire a holy card is refused; holy+clergy supporting the Bishop:
    legal.
    """
    state = scene(human="h1h h1hc h2c", castle="lady bishop maid", turn=HUMAN)
    state, _ = act(state, HUMAN, Fight("bishop", "lady"))
    assert "vampire_empire_card_not_valid" == refused(state, HUMAN, Lay("h1h"))
    act(state, HUMAN, Lay("h1hc"))

    revealed = scene(human="h1h", castle="lady bishop maid", turn=HUMAN, revealed="lady")
    act(revealed, HUMAN, Fight("bishop", "lady"), Lay("h1h"))


def test_07_red_supports_a_revealed_vampire_alone() -> None:
    """Red card for an unrevealed vampire: refused; red+noble for an unrevealed noble: legal."""
    state, _ = act(scene(vampire="v2r v2rn v1n"), VAMPIRE, Fight("lady", "monk"))
    assert "vampire_empire_card_not_valid" == refused(state, VAMPIRE, Lay("v2r"))
    act(state, VAMPIRE, Lay("v2rn"))

    revealed, _ = act(scene(vampire="v2r", revealed="lady"), VAMPIRE, Fight("lady", "monk"))
    act(revealed, VAMPIRE, Lay("v2r"))


def test_08_the_opening_exceeds_the_defence_marker() -> None:
    """Defence marker +1: opening with 1 refused, with 2 legal; the own attack marker helps."""
    weak = scene(vampire="v1n", markers=(DEFENCE,))
    assert "vampire_empire_opening" == refused(weak, VAMPIRE, Fight("lady", "monk"))
    both = scene(vampire="v1n v2n", markers=(DEFENCE,))
    state, _ = act(both, VAMPIRE, Fight("lady", "monk"), Lay("v1n"))
    assert "vampire_empire_opening" == refused(state, VAMPIRE, DONE)
    act(both, VAMPIRE, Fight("lady", "monk"), Lay("v2n"), DONE)
    act(
        scene(vampire="v1n", markers=(DEFENCE, ATTACK)),
        VAMPIRE,
        Fight("lady", "monk"),
        Lay("v1n"),
        DONE,
    )


def test_09_markers_count_in_the_first_round_only() -> None:
    """Marker in round 2: not counted."""
    state = scene(vampire="v1n v1n", human="h2c", markers=(ATTACK,))
    state, _ = act(state, VAMPIRE, Fight("lady", "monk"), Lay("v1n"), DONE)
    state, events = act(state, HUMAN, Lay("h2c"), DONE)
    state, more = act(state, VAMPIRE, Lay("v1n"), DONE)
    state, last = act(state, HUMAN, DONE)

    assert [RoundCounted(1, 2, 2), RoundCounted(2, 2, 2)] == events_of(
        [*events, *more, *last], RoundCounted
    )


def test_10_an_attack_marker_counts_nothing_while_defending() -> None:
    """Attack marker while defending: 0."""
    state = scene(human="h2c", turn=HUMAN, markers=(ATTACK,))
    state, _ = act(state, HUMAN, Fight("monk", "lady"), Lay("h2c"), DONE)
    _, events = act(state, VAMPIRE, DONE)

    assert [RoundCounted(1, 2, 0)] == events_of(events, RoundCounted)


def test_11_a_marker_goes_with_its_character() -> None:
    """Marked character hidden: marker gone."""
    state = scene(vampire="v1r v1r v1r", markers=(ATTACK,))
    state, events = act(state, VAMPIRE, Hide("lady"), Pay("v1r"), Pay("v1r"), Pay("v1r"))

    assert () == state.public.markers
    assert [CharacterHidden("lady")] == events_of(events, CharacterHidden)
    assert [CharacterEntered("lord")] == events_of(events, CharacterEntered)
    assert "lady" == state.hidden.city[-1]


def test_12_a_marker_stays_when_its_character_is_revealed() -> None:
    """Marked one revealed: marker stays."""
    state, _ = act(scene(step="reveal", markers=(ATTACK,)), VAMPIRE, Reveal("lady"))

    assert (ATTACK,) == state.public.markers
    assert ("lady",) == state.public.revealed


def test_13_holy_water_on_a_human_in_the_city() -> None:
    """Holy water on a human in the city: "no", the cards are gone, no fight. The answer stands
    until the human player goes on, and nothing else may be done before.
    """
    state = scene(human="h1h h3h h1c", turn=HUMAN)
    state, events = act(state, HUMAN, HolyWater("lord"), Pay("h1h"), Pay("h3h"))

    assert [HolyWaterAnswered("lord", False)] == events_of(events, HolyWaterAnswered)
    assert HolyWaterAnswered("lord", False) == state.public.answer
    assert [[], [PROCEED]] == [
        list(GAME.legal_actions(view(state, seat))) for seat in (VAMPIRE, HUMAN)
    ]

    state, _ = act(state, HUMAN, PROCEED)
    assert state.public.answer is None
    assert (1, 2, VAMPIRE) == (
        state.public.piles[HUMAN].hand,
        state.public.piles[HUMAN].moat,
        state.public.turn,
    )


def test_a_notebook_keeps_what_a_seat_was_told() -> None:
    """If the table allows notes, both seats keep the characters that holy water cleared and the
    other's open cards; otherwise neither does.
    """
    for allowed in (True, False):
        options = Options(notebook=allowed)
        state = scene(human="h1h h3h h1c", vampire="v2n v1s v1s", turn=HUMAN, options=options)
        state, _ = act(state, HUMAN, HolyWater("lord"), Pay("h1h"), Pay("h3h"), PROCEED)
        state, _ = act(state, VAMPIRE, DRAW, PROCEED, Fight("lady", "monk"), Lay("v2n"))

        human, vampire = state.private[HUMAN], state.private[VAMPIRE]
        notes = (
            ((("lord",), ("v2n",)), (("lord",), ("h1h", "h3h")))
            if allowed
            else (((), ()), ((), ()))
        )
        assert notes == ((human.cleared, human.met), (vampire.cleared, vampire.met))


def test_14_holy_water_on_a_vampire_in_the_city() -> None:
    """On a vampire in the city: revealed, no attack."""
    state, _ = act(
        scene(human="h1h h3h h1c", turn=HUMAN), HUMAN, HolyWater("nun"), Pay("h1h"), Pay("h3h")
    )
    state, _ = act(state, HUMAN, PROCEED)

    assert ("nun",) == state.public.revealed
    assert VAMPIRE == state.public.turn


def test_15_holy_water_on_a_vampire_in_the_castle() -> None:
    """On a vampire in the castle with values 1 and 3: the 1 counts in the attack, hand cards are
    added.
    """
    state = scene(human="h3h h1h h2c", turn=HUMAN)
    state, events = act(
        state,
        HUMAN,
        HolyWater("lady"),
        Pay("h3h"),
        Pay("h1h"),
        Fight("monk", "lady"),
        Lay("h2c"),
        DONE,
    )
    assert [FightBegun(HUMAN, "monk", "lady", "h1h", 1)] == events_of(events, FightBegun)
    state, events = act(state, VAMPIRE, DONE)

    assert [RoundCounted(1, 3, 0)] == events_of(events, RoundCounted)
    assert ("h3h", "h1h", "h2c") == state.hidden.moats[HUMAN]

    alone, _ = act(
        scene(human="h3h h1h", turn=HUMAN), HUMAN, HolyWater("lady"), Pay("h3h"), Pay("h1h")
    )
    act(alone, HUMAN, Fight("monk", "lady"), DONE)
    act(alone, HUMAN, PROCEED)


def test_16_a_revealed_vampire_stays_revealed() -> None:
    """A revealed vampire hidden: bottom of the city, still revealed when it returns."""
    state = scene(
        vampire="v1r v1r v1r",
        revealed="lady",
        castle="lady monk maid",
        dead="lord officer nun bishop cook butler",
    )
    state, events = act(state, VAMPIRE, Hide("lady"), Pay("v1r"), Pay("v1r"), Pay("v1r"))

    assert [CharacterEntered("lady")] == events_of(events, CharacterEntered)
    assert ("lady",) == state.public.revealed


def test_17_hiding_takes_three_red_cards() -> None:
    """Hide with 2 red cards: refused; two-colour ones count."""
    assert "vampire_empire_hide" == refused(scene(vampire="v1r v1r v3n"), VAMPIRE, Hide("lady"))
    state, _ = act(scene(vampire="v1r v1r v1rn v3n"), VAMPIRE, Hide("lady"))
    assert "vampire_empire_pay_hide" == refused(state, VAMPIRE, Pay("v3n"))


def test_18_three_revealed_vampires_in_the_castle() -> None:
    """A third revealed vampire enters by refill: the vampire player wins at once, and everything is
    shown.
    """
    state = scene(vampires="lady monk lord", revealed="lady monk lord", vampire="v3n")
    state, _ = act(state, VAMPIRE, Fight("lady", "maid"), Lay("v3n"), DONE)
    state, _ = act(state, HUMAN, DONE)

    assert Outcome("vampire", "castle_taken") == state.public.outcome
    assert ("lady", "monk", "lord") == state.public.identities.vampires
    assert ("lady", "monk", "lord") == state.public.castle


def test_19_one_reveal_a_turn_by_the_vampire_player() -> None:
    """Two reveals in one turn: refused; by the human player: never offered."""
    state, _ = act(scene(step="reveal"), VAMPIRE, Reveal("lady"))
    assert "not_at_this_step" == refused(state, VAMPIRE, Reveal("nun"))

    day, _ = act(scene(turn=HUMAN, step="discard", human="h1c"), HUMAN, DRAW)
    assert "action" == day.public.step
    assert "not_at_this_step" == refused(day, HUMAN, Reveal("lady"))


def test_20_an_empty_deck_is_made_again_from_the_cellar() -> None:
    """First empty deck: cellar recycled; later discards to the moat only."""
    state = scene(step="discard", vampire="v1n v2n v3n", decks=(0, 9))
    state, events = act(state, VAMPIRE, Discard("v1n", "cellar"), Discard("v2n", "cellar"), DRAW)
    assert [DeckRemade(VAMPIRE, 2)] == events_of(events, DeckRemade)
    assert 3 == state.public.piles[VAMPIRE].hand

    remade = scene(step="discard", vampire="v1n", decks=(2, 9), piles=state.public.piles)
    assert "vampire_empire_cellar_closed" == refused(remade, VAMPIRE, Discard("v1n", "cellar"))
    act(remade, VAMPIRE, Discard("v1n", "moat"))


def test_21_a_deck_is_remade_once() -> None:
    """Second empty deck: no draw."""
    state = scene(step="discard", vampire="v1n v2n", decks=(0, 9))
    state, _ = act(
        state, VAMPIRE, Discard("v1n", "cellar"), DRAW, PROCEED, PASS, Pay("v1n"), Pay("v2n")
    )
    assert HUMAN == state.public.turn
    assert (0, 0, 0, 2) == (
        *(
            getattr(state.public.piles[VAMPIRE], pile)
            for pile in ("hand", "deck", "cellar", "moat")
        ),
    )

    state = scene(step="discard", vampire="v1n", decks=(0, 9))
    _, events = act(state, VAMPIRE, DRAW)
    assert [] == events_of(events, CardsDrawn)


def test_22_a_pass_takes_what_there_is() -> None:
    """Pass with 1 card: it goes, turn over."""
    state, _ = act(scene(vampire="v1n"), VAMPIRE, PASS, Pay("v1n"))

    assert (0, 1, HUMAN) == (
        state.public.piles[VAMPIRE].hand,
        state.public.piles[VAMPIRE].moat,
        state.public.turn,
    )


def test_23_supports_in_a_fight_need_leave() -> None:
    """Support in a fight without permission: refused; Sacrifice: legal, and the other may play
    another card.
    """
    state = scene(
        vampire="v2n v1n", human="h-sacrifice h-open h1c h1c h1c", supports=(SACRIFICE, OPEN)
    )
    state, _ = act(state, VAMPIRE, Fight("lady", "monk"), Lay("v2n"), DONE)
    assert "vampire_empire_support_open" == refused(state, HUMAN, PlaySupport("h-open"))
    state, events = act(state, HUMAN, PlaySupport("h-sacrifice"), Pay("h1c"), Cancel("attack", 1))

    assert [CardCancelled("attack", 1)] == events_of(events, CardCancelled)
    assert VAMPIRE == GAME.to_move(state.public)
    act(state, VAMPIRE, Lay("v1n"), DONE)


def test_23_a_support_in_the_other_ones_turn() -> None:
    """Either player plays supports in either turn, and play resumes where it stopped."""
    state = scene(vampire="v2n", human="h-nurse h1c", step="reveal", supports=(NURSE,))
    state, _ = act(state, VAMPIRE, PROCEED)
    state, events = act(state, HUMAN, PlaySupport("h-nurse"), PutMarker("monk", "defence"), DECLINE)

    assert [MarkerPut("monk", "defence", 1)] == events_of(events, MarkerPut)
    assert ("action", VAMPIRE) == (state.public.step, GAME.to_move(state.public))


def test_24_a_support_costs_other_cards() -> None:
    """Cost 2 by day with 1 other card in hand: refused; by night it costs nothing."""
    poor = scene(human="h-open h1c", turn=HUMAN, supports=(OPEN,))
    assert "vampire_empire_cost" == refused(poor, HUMAN, PlaySupport("h-open"))
    night = scene(human="h-open h1c", supports=(OPEN,), window=Window("before_action", HUMAN))
    act(night, HUMAN, PlaySupport("h-open"))


def test_24_an_attack_that_paid_its_only_card_has_not_begun() -> None:
    """The attacker's only card pays for a support in the fight: nothing is counted, and another
    action follows.
    """
    costly = replace(NURSE, cost_day=1, when="fight")
    state = scene(human="h-nurse h1c", turn=HUMAN, supports=(costly,))
    state, _ = act(state, HUMAN, Fight("monk", "lady"), PlaySupport("h-nurse"), Pay("h1c"))
    state, events = act(state, HUMAN, PutMarker("monk", "attack"), DONE)

    assert [FightEnded(None)] == events_of(events, FightEnded)
    assert [] == events_of(events, RoundCounted)
    act(state, HUMAN, PASS)


def test_25_a_castle_without_a_city_shrinks() -> None:
    """City empty and a character dies: castle 2."""
    state = scene(vampire="v3n", dead="lord officer nun bishop cook butler")
    state, _ = act(state, VAMPIRE, Fight("lady", "maid"), Lay("v3n"), DONE)
    state, _ = act(state, HUMAN, DONE)

    assert ("lady", "monk") == state.public.castle


def counted(dead: str) -> tuple[str, dict[str, int]]:
    """Let the last card be spent with these dead; return the winner and the points."""
    state, _ = act(scene(vampire="v1n", dead=dead, decks=(0, 0)), VAMPIRE, PASS, Pay("v1n"))
    return state.public.outcome.winner, dict(state.public.points)


def test_26_the_living_are_counted() -> None:
    """3 humans, 1 vampire: 3 to 2, human player; 4 and 2: a tie."""
    assert ("human", {"vampire": 2, "human": 3}) == counted("nun cook lord officer bishop")
    assert ("draw", {"vampire": 4, "human": 4}) == counted("nun lord officer")


def test_27_the_human_player_may_kill_a_human() -> None:
    """Human player attacks an unrevealed human: it may die."""
    state, _ = act(scene(human="h3s", turn=HUMAN), HUMAN, Fight("maid", "monk"), Lay("h3s"), DONE)
    _, events = act(state, VAMPIRE, DONE)

    assert [CharacterDied("monk", False)] == events_of(events, CharacterDied)


def test_27_the_last_human_and_the_last_vampire() -> None:
    """All six humans dead: the vampire player wins; all three vampires dead: the human player."""
    state = scene(castle="lady monk cook", vampire="v3n", dead="lord officer bishop maid butler")
    state, _ = act(state, VAMPIRE, Fight("lady", "monk"), Lay("v3n"), DONE)
    state, _ = act(state, HUMAN, DONE)
    assert Outcome("vampire", "humans_dead") == state.public.outcome

    state = scene(castle="lady monk maid", human="h3c", dead="nun cook", turn=HUMAN)
    state, _ = act(state, HUMAN, Fight("monk", "lady"), Lay("h3c"), DONE)
    state, _ = act(state, VAMPIRE, DONE)
    assert Outcome("human", "vampires_dead") == state.public.outcome


def test_28_who_has_no_cards_is_passed_over() -> None:
    """One player out of cards: the other goes on."""
    _, events = act(
        scene(vampire="v1n v1n v1n", decks=(0, 0)), VAMPIRE, PASS, Pay("v1n"), Pay("v1n")
    )

    assert [PlayerOut(HUMAN)] == events_of(events, PlayerOut)
    assert [TurnStarted(VAMPIRE)] == events_of(events, TurnStarted)


def test_the_lower_holy_water_card_must_exceed_the_marker() -> None:
    """A vampire that holy water found may be attacked if the lower card is worth more than its
    marker; the higher one does not count.
    """

    def fights(marker: int) -> list[object]:
        state = scene(
            turn=HUMAN,
            step="chance",
            revealed="lady",
            water=(Laid("h3h", 3), Laid("h1h", 1)),
            answer=HolyWaterAnswered("lady", True),
            markers=(Marker("lady", "defence", marker),),
        )
        return [each for each in GAME.legal_actions(view(state, HUMAN)) if each != PROCEED]

    assert [Fight("monk", "lady"), Fight("maid", "lady")] == fights(0)
    assert [] == fights(1) == fights(2)


def test_a_full_hand_has_no_choice_of_drawing() -> None:
    """With eight cards one goes on; with seven one draws or not; with none one draws."""
    offered = [
        GAME.legal_actions(view(scene(vampire="v1n " * many, step="discard"), VAMPIRE))
        for many in (8, 7, 0)
    ]

    assert [True, True, True] == [DRAW in actions for actions in offered]
    assert [False, True, False] == [DRAW_NONE in actions for actions in offered]


def test_29_discards_lie_face_down() -> None:
    """Step (i) discards lie face down, the pile chosen card by card; a player with over eight has
    to discard.
    """
    state = scene(step="discard", vampire="v1n v2n " + "v3n " * 7)
    assert "vampire_empire_trim" == refused(state, VAMPIRE, DRAW)
    _, events = act(state, VAMPIRE, Discard("v1n", "cellar"), Discard("v2n", "moat"), DRAW)

    assert [CardDiscarded(VAMPIRE, "cellar"), CardDiscarded(VAMPIRE, "moat")] == events_of(
        events, CardDiscarded
    )
    assert [CardsDrawn(VAMPIRE, 1)] == events_of(events, CardsDrawn)
