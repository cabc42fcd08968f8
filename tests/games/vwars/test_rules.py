"""The cases of V-Wars: sympathy, actions, events, riots, rallies and every end."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Literal

import pytest
from msgspec.structs import replace

from companion.core.game import Action, Draft, IllegalAction, InvalidSetup
from companion.games.vwars import deal
from companion.games.vwars.actions import (
    Assassinate,
    Awaken,
    Deploy,
    Discard,
    End,
    Investigate,
    Move,
    Place,
    Put,
    Reveal,
    Riot,
    Stay,
)
from companion.games.vwars.content import (
    AddTroops,
    Cards,
    ChangeSympathy,
    Election,
    SetMartialLaw,
    Side,
    city_of,
)
from companion.games.vwars.events import (
    CardGiven,
    CardsLie,
    ElectionHeld,
    Investigated,
    MartialLaw,
    RiotCardTurned,
    RiotEnded,
    SympathyChanged,
    TurnedPublic,
)
from companion.games.vwars.options import SEATS, Faction, Options, Setup
from companion.games.vwars.rules import VWars, sample_cards
from companion.games.vwars.turns import add_troops, apply_effects
from tests.games.vwars.builders import (
    CITY,
    GAME,
    P1,
    P2,
    P3,
    REGION,
    at_riot,
    begun,
    done,
    hands,
    hidden,
    offers,
    quiet,
    take,
    with_city,
    with_controlled,
    with_piles,
    with_player,
    with_public,
)

HVH: tuple[Faction, ...] = ("vampire", "human", "human")


def refused(state: Any, seat: Any, action: Action) -> str:
    with pytest.raises(IllegalAction) as error:
        GAME.decide(state, seat, action, Random(0))
    return error.value.message.code


@pytest.mark.parametrize(("before", "expected"), [(8, 4), (7, 4), (1, 1)])
def test_going_public_costs_half_of_the_sympathy(before: int, expected: int) -> None:
    """1-3: a player who reveals himself takes off half of the sympathy, rounded down."""
    state = with_public(begun(factions=HVH), sympathy=before)
    state, events = take(state, P1, Reveal())

    assert expected == state.public.sympathy
    assert [P1] == state.public.vampires()
    assert TurnedPublic(P1) in events


def test_only_the_vampire_reveals_and_only_first() -> None:
    """The Vampire may reveal himself in his own turn, before his first action; nobody else may."""
    state = begun(factions=HVH)
    assert Reveal() in offers(state, P1)
    assert "not_the_vampire" == refused(begun(), P1, Reveal())
    moved = done(
        state, P1, next(action for action in offers(state, P1) if isinstance(action, Place))
    )
    while moved.public.step == "card":
        seat = GAME.to_move(moved.public)
        assert seat is not None
        moved = done(moved, seat, offers(moved, seat)[0])
    assert "reveal_first" == refused(moved, P1, Reveal())


def test_a_wrong_investigation_raises_the_sympathy() -> None:
    """4: with S = 7, naming the wrong player makes it 10; with 6 vampire cities the vampires then
    win at once.
    """
    state = with_public(with_controlled(begun(), 3), sympathy=7)
    state, events = take(state, P1, Investigate(P2))
    assert (10, False) == (state.public.sympathy, state.public.players[P1].token)
    assert Investigated(P1, P2, False) in events

    lost = done(with_public(with_controlled(begun(), 6), sympathy=7), P1, Investigate(P2))
    assert ("vampires", "track_full") == (lost.public.outcome.winner, lost.public.outcome.reason)


def test_a_right_investigation_makes_the_vampire_public() -> None:
    """5: with S = 6, naming the Vampire makes it 3, and he is public."""
    state = done(with_public(begun(), sympathy=6), P1, Investigate(P3))

    assert (3, [P3]) == (state.public.sympathy, state.public.vampires())


def test_who_may_investigate() -> None:
    """6, 7: once a game, never with a public vampire, and never by the Vampire himself."""
    state = done(with_public(begun(), sympathy=2), P1, Investigate(P2))
    assert "token_is_spent" == refused(state, P1, Investigate(P3))
    assert "vampire_is_public" == refused(
        with_player(begun(), P3, vampire=True), P1, Investigate(P3)
    )
    assert "vampire_may_not_ask" == refused(begun(factions=HVH), P1, Investigate(P2))


def turned(events: list[Any]) -> list[tuple[str, int, int]]:
    return [
        (event.card.rpartition("-")[2], event.removed, event.strength)
        for event in events
        if isinstance(event, RiotCardTurned)
    ]


def ended(events: list[Any]) -> RiotEnded:
    [event] = [event for event in events if isinstance(event, RiotEnded)]
    return event


def test_a_card_removes_enemy_troops_or_stays_up() -> None:
    """8, 9: V4 against 3 human troops removes them and lies face down; V4 again with 2 vampire
    troops is 6: the attacker takes control.
    """
    state, events = take(at_riot(begun(), "V4", "V4", human=3, vampire=2), P1, Riot())

    assert [("v4", 3, 0), ("v4", 0, 6)] == turned(events)
    assert RiotEnded(CITY, "control", "vampire", 6) == ended(events)
    assert (0, 2, "vampire") == tuple(
        getattr(state.public.cities[CITY], name) for name in ("human", "vampire", "control")
    )


def test_a_defender_rallies_at_seven_and_massacres_at_eight() -> None:
    """10, 11: 6 human troops and H1 are 7, plain: martial law.

    With H2 it is 8, a massacre, and no rally.
    """
    state, events = take(at_riot(begun(), "H1", human=6), P1, Riot())
    assert RiotEnded(CITY, "rally", "human", 7) == ended(events)
    assert MartialLaw(CITY) in events and state.public.cities[CITY].martial

    state, events = take(at_riot(begun(), "H2", human=6), P1, Riot())
    assert RiotEnded(CITY, "massacre", "human", 8) == ended(events)
    assert (0, 9) == (state.public.martial, state.public.sympathy)


def test_a_vampire_massacre_takes_sympathy() -> None:
    """A vampire massacre takes one sympathy; the city does not change control."""
    state, events = take(at_riot(begun(), "V3", vampire=5), P1, Riot())

    assert RiotEnded(CITY, "massacre", "vampire", 8) == ended(events)
    assert (7, "human") == (state.public.sympathy, state.public.cities[CITY].control)


def test_when_the_enemy_is_gone_cards_count() -> None:
    """12: H 2, V 2: H3 removes the vampires and lies down; H4 then makes 6 and wins."""
    _, events = take(at_riot(begun(), "H3", "H4", human=2, vampire=2), P1, Riot())

    assert [("h3", 2, 0), ("h4", 0, 6)] == turned(events)
    assert RiotEnded(CITY, "rally", "human", 6) == ended(events)


def test_a_riot_that_nobody_wins_dies_down() -> None:
    """13: a deck that ends at 5 to 3 sputters, nobody discards, and new cards come; with
    `sputter_discards` a player discards.
    """
    cards = ("H3", "V2", "V1", "H2")
    state, events = take(at_riot(begun(), *cards), P1, Riot())
    assert ended(events).result == "sputter"
    assert (P2, "turn") == (state.public.turn, state.public.step)
    assert not any(isinstance(event, CardsLie) for event in events)

    state, events = take(at_riot(begun(options=Options(sputter_discards=True)), *cards), P1, Riot())
    assert "discard" == state.public.step


def test_a_card_that_removes_is_not_tested() -> None:
    """14: vampires 6, human 1, V1: it removes one and lies down; nobody wins by it."""
    _, events = take(at_riot(begun(), "V1", human=1, vampire=6), P1, Riot())

    assert [("v1", 1, 0)] == turned(events)
    assert ended(events).result == "sputter"


def test_one_martial_law_in_a_region() -> None:
    """15: a human rally in a region that has martial law brings no second token; the sympathy falls
    instead.
    """
    state = with_city(at_riot(begun(), "H1", human=6), "larkspur", martial=True)
    state, events = take(state, P1, Riot())

    assert (1, 6) == (state.public.martial, state.public.sympathy)
    assert SympathyChanged(6, -2) in events


def test_the_sixth_martial_law_wins() -> None:
    """16: with the sixth city under martial law the humans win."""
    state = at_riot(begun(), "H1", human=6)
    for city in ("icehaven", "gullport", "reedwick", "anvilton", "mirage"):
        state = with_city(state, city, martial=True)

    assert ("humans", "martial_law") == _outcome(done(state, P1, Riot()))


@pytest.mark.parametrize("side", ["human", "vampire"])
def test_an_event_fills_a_city_to_six(side: Literal["human", "vampire"]) -> None:
    """An event brings no more than six of a side's troops, also where deployed troops have no
    limit.
    """
    draft = Draft(VWars().evolve, begun(options=Options(troop_cap="none")))
    city = next(iter(draft.state.public.cities))
    for _ in range(2):
        add_troops(draft, side, city, 5, by_event=True)

    assert 6 == draft.state.public.cities[city].troops(side)


@pytest.mark.parametrize(
    ("by", "city", "winner"),
    [
        ("cities", {"control": "vampire"}, "human"),
        ("troops", {"human": 2, "vampire": 2}, "human"),
        ("troops", {"human": 2, "vampire": 3}, "vampire"),
        ("troops", {}, "human"),
    ],
)
def test_humans_win_a_tied_election(by: Any, city: dict[str, Any], winner: Side) -> None:
    """An election goes to the side with more cities or troops in the region, and in a tie to the
    humans, as the cards say.
    """
    region = [id for id, one in begun().public.cities.items() if one.region == REGION]
    state = with_city(quiet(begun()), **city)
    if by == "cities":
        assert 4 == len(region)
        state = with_city(state, next(id for id in region if id != CITY), **city)
    draft = Draft(GAME.evolve, with_public(state, step="event"))

    apply_effects(draft, (Election(region=REGION, by=by),), Random(0))

    assert [winner] == [event.side for event in draft.events if isinstance(event, ElectionHeld)]


def test_a_majority_of_cities_wins_an_election() -> None:
    """Three of four cities elect the vampires' candidate."""
    state = quiet(begun())
    region = [id for id, one in state.public.cities.items() if one.region == REGION]
    for city in region[:3]:
        state = with_city(state, city, control="vampire")
    draft = Draft(GAME.evolve, with_public(state, step="event"))

    apply_effects(draft, (Election(region=REGION, by="cities"),), Random(0))

    assert ["vampire"] == [event.side for event in draft.events if isinstance(event, ElectionHeld)]


def test_an_election_without_a_law_has_a_winner() -> None:
    """Without a law of the winner the old one stays, and the board shows the winner."""
    state = quiet(begun())
    old, no_laws = state.public.laws["vampire"], {"human": None, "vampire": None}
    region = replace(state.public.regions[REGION], elected="vampire", law=old)
    regions = {**state.public.regions, REGION: region}
    state = with_public(state, step="event", regions=regions, laws=no_laws)
    draft = Draft(GAME.evolve, state)

    apply_effects(draft, (Election(region=REGION, by="cities"),), Random(0))

    after_election = draft.state.public.regions[REGION]
    assert ("human", old) == (after_election.elected, after_election.law)


def test_the_region_of_a_drawn_election_is_known_before_its_winner() -> None:
    """An election in the region of the top card, whose winner somebody names: the card is drawn
    first. Without a card there is no election.
    """
    drawn = with_piles(quiet(begun()), deck=(f"{CITY}-h4",), discards=())
    empty = with_piles(drawn, deck=())

    draft, none = (Draft(GAME.evolve, with_public(state, step="event")) for state in (drawn, empty))
    for each in (draft, none):
        apply_effects(each, (Election(region="draw", by="ask"),), Random(0))

    assert (Election(region=REGION, by="ask"),) == draft.state.public.effects
    assert ("event", "riot") == (draft.state.public.step, none.state.public.step)


def last_of_sympathy(options: Options) -> Any:
    """The event takes the last sympathy; then a riot comes that nobody wins."""
    state = with_public(at_riot(begun(options=options), "H1"), step="turn", sympathy=1)
    event = sample_cards().event[0]
    return with_public(
        state, event=type(event)(event.id, event.name, event.text, (ChangeSympathy(-1),))
    )


def test_humans_win_after_a_riot() -> None:
    """Humans win only after a riot's end: S = 0 in an event alone is no win."""
    state = done(last_of_sympathy(Options()), P1, End())
    assert (0, None, "riot") == (state.public.sympathy, state.public.outcome, state.public.step)

    assert ("humans", "no_sympathy") == _outcome(done(state, P1, Riot()))


def test_a_riot_may_save_the_vampires() -> None:
    """The riot's own effects count first: a human massacre makes S = 1, and nobody has won."""
    state = done(with_city(last_of_sympathy(Options()), human=7), P1, End())

    assert (1, None) == ((after := done(state, P1, Riot()).public).sympathy, after.outcome)


def test_humans_win_at_once_by_option() -> None:
    """With `human_victory` at_once S = 0 ends the game in the middle of the event."""
    assert ("humans", "no_sympathy") == _outcome(
        done(last_of_sympathy(Options(human_victory="at_once")), P1, End())
    )


def test_both_sides_win_after_a_riot() -> None:
    """Six cities are under martial law since the event, the riot's massacre fills the track: `tie`
    decides.
    """
    ties: Mapping[Any, tuple[str, str]] = {
        "humans": ("humans", "martial_law"),
        "vampires": ("vampires", "track_full"),
    }
    for tie, expected in ties.items():
        state = with_public(at_riot(begun(options=Options(tie=tie)), "H2", human=6), sympathy=15)
        for city in ("icehaven", "gullport", "reedwick", "anvilton", "mirage", "larkspur"):
            state = with_city(state, city, martial=True)
        assert expected == _outcome(done(state, P1, Riot()))


def _outcome(state: Any) -> tuple[str, str]:
    return state.public.outcome.winner, state.public.outcome.reason


def test_the_hidden_vampire_may_go_public_at_a_rally() -> None:
    """17: after a vampire rally everybody gets the same question; the hidden Vampire may go public,
    and S stays as it is.
    """
    state = done(at_riot(begun(), "V1", vampire=5, control="vampire"), P1, Riot())
    assert "rally" == state.public.step
    for seat in (P1, P2):
        assert [Stay()] == offers(state, seat)
        state = done(state, seat, Stay())
    assert [Reveal(), Stay()] == offers(state, P3)

    assert (8, [P3]) == (
        (revealed := done(state, P3, Reveal())).public.sympathy,
        revealed.public.vampires(),
    )
    assert 10 == done(state, P3, Stay()).public.sympathy


def test_a_public_vampire_may_awaken_at_a_rally() -> None:
    """With `rally_awakening` same_city a public vampire may call a player in his city after a
    rally; with nobody there S rises by two.
    """
    options = Options(rally_awakening="same_city")
    state = at_riot(begun(4, options), "V1", vampire=5, control="vampire")
    state = with_player(state, SEATS[3], vampire=True, city=CITY)
    assert 9 == done(state, P1, Riot()).public.sympathy

    state = done(with_player(state, P3, city=CITY), P1, Riot())
    assert [Awaken(P3), Stay()] == offers(state, SEATS[3])
    state = done(state, SEATS[3], Awaken(P3))
    assert (7, [P3, SEATS[3]]) == (state.public.sympathy, state.public.vampires())


def test_a_rally_awakens_anywhere() -> None:
    """The rulebook names no place for a rally's awakening: a public vampire may call any other
    player in any city.
    """
    state = at_riot(begun(4), "V1", vampire=5, control="vampire")
    state = with_player(state, SEATS[3], vampire=True, city="mirage")
    assert "mirage" not in [
        player.city for seat, player in state.public.players.items() if seat != SEATS[3]
    ]
    state = done(state, P1, Riot())
    assert [Awaken(P1), Awaken(P2), Awaken(P3), Stay()] == offers(state, SEATS[3])

    state = done(state, SEATS[3], Awaken(P3))
    assert (7, [P3, SEATS[3]]) == (state.public.sympathy, state.public.vampires())


def with_event(state: Any, *effects: Any) -> Any:
    event = sample_cards().event[0]
    return with_public(
        state, event=type(event)(event.id, event.name, event.text, effects), riot_now=None
    )


def test_vampire_troops_beyond_six() -> None:
    """18: two more at 5: in a human city 6 and control; in a vampire city 6 and one sympathy."""
    for control, expected in (("human", ("vampire", 8)), ("vampire", ("vampire", 9))):
        state = with_event(
            with_city(quiet(begun()), vampire=5, control=control), AddTroops("vampire", CITY, 2)
        )
        state = done(state, P1, End())
        assert (6, *expected) == (
            state.public.cities[CITY].vampire,
            state.public.cities[CITY].control,
            state.public.sympathy,
        )


def test_a_city_overflows_once_in_an_event() -> None:
    """Vampire troops beyond six count once for each city and event: two effects of one card take
    the human city, and the sympathy stays.
    """
    more = AddTroops("vampire", CITY, 2)
    state = done(with_event(with_city(quiet(begun()), vampire=5), more, more), P1, End())

    assert (6, "vampire", 8) == (
        state.public.cities[CITY].vampire,
        state.public.cities[CITY].control,
        state.public.sympathy,
    )


def test_an_event_sets_and_lifts_martial_law() -> None:
    """An event's `martial_law` brings it to a city that humans hold in a region without any, and
    lifts it.
    """
    state = done(with_event(quiet(begun()), SetMartialLaw(CITY)), P1, End())
    assert state.public.cities[CITY].martial

    for elsewhere in (
        with_city(quiet(begun()), control="vampire"),
        with_city(quiet(begun()), "larkspur", martial=True),
    ):
        assert (
            not done(with_event(elsewhere, SetMartialLaw(CITY)), P1, End())
            .public.cities[CITY]
            .martial
        )
    state = with_event(with_city(quiet(begun()), martial=True), SetMartialLaw(CITY, False))
    assert not done(state, P1, End()).public.cities[CITY].martial


@pytest.mark.parametrize(
    ("entry", "cards", "there", "expected"),
    [
        ("human_massacre", ("H2",), {"human": 6}, 11),
        ("vampire_massacre", ("V3",), {"vampire": 5}, 11),
        ("human_rally", ("H1",), {"human": 6}, 11),
        ("vampire_rally", ("V1",), {"vampire": 5, "control": "vampire"}, 11),
        ("human_control", ("H1",), {"human": 5, "control": "vampire"}, 11),
        ("vampire_control", ("V1",), {"vampire": 5}, 11),
        ("sputter", ("H1",), {}, 11),
    ],
)
def test_the_riot_table_has_every_result(
    entry: str, cards: tuple[str, ...], there: dict[str, Any], expected: int
) -> None:
    """Each result of a riot changes the sympathy by its entry of the content's riot table."""
    state = with_city(at_riot(begun(), *cards, **there), "larkspur", martial=True)
    content = replace(sample_cards(), riot=replace(sample_cards().riot, **{entry: 3}))
    state = done(replace(state, hidden=replace(hidden(state), content=content)), P1, Riot())
    while state.public.step == "rally":
        state = done(state, seat, Stay()) if (seat := GAME.to_move(state.public)) else state

    assert expected == state.public.sympathy


def test_the_track_is_full_in_the_middle_of_an_event() -> None:
    """19: when the overflow brings C + S to 16, the vampires have won inside the event step."""
    state = with_public(with_controlled(quiet(begun()), 7), sympathy=7)
    state = with_event(
        with_city(state, vampire=6, control="vampire"), AddTroops("vampire", CITY, 1)
    )

    assert ("vampires", "track_full") == _outcome(done(state, P1, End()))


def test_martial_law_keeps_public_vampires_out() -> None:
    """20: a public vampire may not go where martial law is, a hidden one may."""
    state = with_city(with_player(begun(factions=HVH), P1, city="larkspur"), martial=True)
    assert Move(CITY) in offers(state, P1)

    assert "martial_law_keeps_out" == refused(with_player(state, P1, vampire=True), P1, Move(CITY))


def awakening(target: str) -> Any:
    state = quiet(begun(4, factions=("vampire", "human", "infected", "human")))
    state = with_player(state, P1, vampire=True, city=CITY)
    return with_player(state, SEATS[int(target[1]) - 1], city=CITY)


def test_awakening() -> None:
    """21: a Human who is called does nothing; an Infected is public and deploys vampire troops from
    then on.
    """
    state = done(awakening("P2"), P1, Awaken(P2))
    assert [P1] == state.public.vampires()

    state = done(awakening("P3"), P1, Awaken(P3))
    assert [P1, P3] == state.public.vampires()
    state = done(with_public(state, turn=P3, actions_left=4), P3, Deploy(CITY))
    state = done(state, P3, Put(hands(state)[P3].cards[0]))
    assert (0, 1) == (state.public.cities[CITY].human, state.public.cities[CITY].vampire)


def test_the_infected_assassinates_vampires_until_then() -> None:
    """22: until he is awakened an Infected's assassinations hit vampire troops."""
    state = with_city(with_public(awakening("P3"), turn=P3), human=2, vampire=2)
    assert (2, 1) == tuple(
        getattr(done(state, P3, Assassinate()).public.cities[CITY], name)
        for name in ("human", "vampire")
    )

    state = done(with_public(state, turn=P1), P1, Awaken(P3))
    state = with_public(state, turn=P3)
    assert (1, 2) == tuple(
        getattr(done(state, P3, Assassinate()).public.cities[CITY], name)
        for name in ("human", "vampire")
    )


def test_a_hand_that_cannot_be_refilled() -> None:
    """23: with too few cards in deck and discards the vampires win; otherwise both are shuffled."""
    state = with_event(with_player(begun(), P1, hand=3))
    few = with_piles(state, deck=("icehaven-h1",), discards=("icehaven-h1",))
    assert ("vampires", "no_cards") == _outcome(done(few, P1, End()))

    enough = done(
        with_piles(state, deck=("icehaven-h1",), discards=("gullport-h1", "gullport-v1")), P1, End()
    )
    assert (6, P2) == (enough.public.players[P1].hand, enough.public.turn)


def test_no_event_is_left() -> None:
    """24: where no event is at step 3, the vampires win."""
    assert ("vampires", "no_events") == _outcome(done(with_public(begun(), event=None), P1, End()))


def test_a_partner_must_be_named() -> None:
    """25: nobody places alone while a fellow holds a card; without a fellow he does, as a lone
    public vampire.
    """
    state = begun()
    assert "name_a_partner" == refused(state, P1, Place("region"))
    for seat in (P2, P3):
        state = with_player(state, seat, hand=0)
    assert {Place("region"), Place("pool")} == {
        action for action in offers(state, P1) if isinstance(action, Place)
    }

    lonely = with_player(begun(factions=HVH), P1, vampire=True)
    assert {None} == {action.partner for action in offers(lonely, P1) if isinstance(action, Place)}


def test_placing_is_two_cards_face_down() -> None:
    """A placing player gives a card, and his partner gives one; everybody learns the place, nobody
    else the cards.
    """
    state = done(begun(), P1, Place("pool", P2))
    before = state.public.piles["pool"]
    state, events = take(state, P1, Put(hands(state)[P1].cards[0]))
    assert ([CardGiven(P1, "pool")], P2) == (events, GAME.to_move(state.public))
    state = done(state, P2, Put(hands(state)[P2].cards[0]))

    assert (before + 2, 5, 5) == (
        state.public.piles["pool"],
        *(state.public.players[seat].hand for seat in (P1, P2)),
    )
    assert "turn" == state.public.step


def test_five_players_begin() -> None:
    """26: five players: 5 vampire cities of 2 troops, 5 cities with one, S = 6; 2 Humans, 2
    Infected, the Vampire.
    """
    state = begun(5)
    troops = sorted(
        (city.control, city.vampire) for city in state.public.cities.values() if city.vampire
    )

    assert [("human", 1)] * 5 + [("vampire", 2)] * 5 == troops
    assert (6, 5, 11) == (
        state.public.sympathy,
        state.public.controlled,
        state.public.sympathy + state.public.controlled,
    )
    assert ["human", "human", "infected", "infected", "vampire"] == sorted(
        hand.faction for hand in hands(state).values()
    )


@pytest.mark.parametrize(("players", "left"), [(3, 37), (4, 31), (5, 25)])
def test_cities_are_drawn_once_each(players: int, left: int) -> None:
    """27: a city that is drawn twice is drawn again; the cards are shuffled back, and 37, 31 or 25
    stay in the deck.
    """
    for seed in range(30):
        dealt = deal.draw(SEATS[:players], sample_cards(), Options(), Random(seed))
        assert 2 * players == len({*dealt.vampire_cities, *dealt.troop_cities})
        assert left == len(dealt.deck)


def test_roles_are_chosen() -> None:
    """A chosen role is the chooser's; the others get one of the rest; no role occurs twice."""
    roles = [role.id for role in sample_cards().role]
    for seed in range(30):
        chosen = {str(P1): roles[seed % 8], str(P3): roles[(seed + 3) % 8]}
        dealt = deal.draw(SEATS[:4], sample_cards(), Options(), Random(seed), chosen)
        assert chosen == {seat: dealt.roles[seat] for seat in chosen}
        assert 4 == len(set(dealt.roles.values()))


def test_choices_do_not_change_the_rest_of_the_deal() -> None:
    """Factions, cities and the player cards are drawn before the roles and independently of the
    choices.
    """
    free = deal.draw(SEATS[:3], sample_cards(), Options(), Random(7))
    chosen = deal.draw(
        SEATS[:3], sample_cards(), Options(), Random(7), {P2: sample_cards().role[5].id}
    )

    for field in ("first", "factions", "vampire_cities", "troop_cities"):
        assert getattr(free, field) == getattr(chosen, field)


def test_what_may_be_chosen() -> None:
    """Every role of the content by its id; nothing where roles are dealt, or lie in the box."""
    offered = GAME.choices(Setup())
    assert [role.id for role in sample_cards().role] == [entry["id"] for entry in offered["roles"]]
    assert {"id", "name", "start", "human_text", "vampire_text"} <= offered["roles"][0].keys()

    assert [{}, {}] == [
        GAME.choices(Setup(Options(roles="dealt"))),
        GAME.choices(Setup(Options(content="box"))),
    ]


def test_an_infected_is_the_wrong_one() -> None:
    """28: investigating an Infected is wrong as for a Human: S rises, he stays hidden."""
    state = begun(4)
    infected = next(seat for seat, hand in hands(state).items() if hand.faction == "infected")
    asker = next(seat for seat, hand in hands(state).items() if hand.faction == "human")
    human = next(
        seat for seat, hand in hands(state).items() if hand.faction == "human" and seat != asker
    )
    state = with_public(state, turn=asker)
    first, second = (
        take(state, asker, Investigate(infected)),
        take(state, asker, Investigate(human)),
    )

    assert (10, []) == (first[0].public.sympathy, first[0].public.vampires())
    assert [type(event) for event in first[1]] == [type(event) for event in second[1]]


@pytest.mark.parametrize(("pool", "drawn"), [("none", False), ("player_deck", True)])
def test_the_riot_pool_is_empty(pool: Any, drawn: bool) -> None:
    """29: without a card in the pool there is no Soon riot, or one from the player deck; without a
    Now card there is none.
    """
    state = with_event(with_piles(begun(options=Options(empty_riot_pool=pool)), pool=()))
    soon = state.public.riot_soon
    state = done(state, P1, End())

    assert (soon, drawn) == (state.public.riot_now, state.public.riot_soon is not None)


def test_the_discard_is_secret() -> None:
    """After a riot the active player takes the face-up cards and discards one, which only he
    knows.
    """
    state, events = take(at_riot(begun(), "H3", "H3"), P1, Riot())
    assert CardsLie(P1, (f"{CITY}-h3", f"{CITY}-h3")) in events
    before = hidden(state).piles
    state, events = take(state, P1, Discard(f"{CITY}-h3"))

    assert f"{CITY}-h3" not in str(events)
    assert f"{CITY}-h3" in hidden(state).piles.discards and f"{CITY}-h3" not in before.discards


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        (Setup(Options(content="nowhere.toml")), "no_such_content"),
        (Setup(Options(factions="cards")), "only_beside_box"),
        (Setup(map={}), "only_beside_box"),
        (Setup(Options(content="box"), content=sample_cards()), "content_beside_box"),
        (Setup(Options(content="box"), map={}), "map_cities"),
        (Setup(roles={"P1": "nobody"}), "chosen_roles"),
        (Setup(roles={"P4": sample_cards().role[0].id}), "chosen_roles"),
        (Setup(roles=dict.fromkeys(("P1", "P2"), sample_cards().role[0].id)), "chosen_roles"),
        (Setup(Options(content="box"), roles={"P1": sample_cards().role[0].id}), "chosen_roles"),
        (Setup(Options(roles="dealt"), roles={"P1": sample_cards().role[0].id}), "roles_are_dealt"),
    ],
)
def test_setups_that_do_not_fit(setup: Setup, code: str) -> None:
    """An unplayable set-up is refused with a sentence."""
    with pytest.raises(InvalidSetup) as error:
        GAME.setup(SEATS[:3], setup, Random(0))

    assert code == error.value.message.code


def test_a_household_s_own_cards() -> None:
    """A supplied file is used under its name, and is no sample if it has `sample = false`."""
    own = Cards(
        **{field: getattr(sample_cards(), field) for field in sample_cards().__struct_fields__}
        | {"sample": False}
    )
    game = GAME.with_content({"own.toml": own})
    state = game.initial()
    for event in game.setup(SEATS[:3], Setup(Options(content="own.toml")), Random(0)):
        state = game.evolve(state, event)

    assert not game.is_sample(state.public)
    assert GAME.is_sample(begun().public)
    assert city_of(state.public.riot_now) in {city.id for city in own.city}
