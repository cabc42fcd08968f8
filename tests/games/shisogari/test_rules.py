"""Shisogari: the cases of the rules, numbered as in rules.md, on written-out hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from companion.core.codec import encode_event
from companion.core.game import (
    Action,
    Event,
    IllegalAction,
    InvalidSetup,
    Outcome,
    PublicEvent,
    Seat,
    State,
)
from companion.core.view import may_see, view
from companion.games.shisogari.actions import (
    KEEP,
    PASS,
    Accuse,
    ChooseColour,
    Count,
    Give,
    Keep,
    Lay,
    Name,
    Pass,
    Pick,
    Report,
    Take,
)
from companion.games.shisogari.cards import CARDS, ITEMS, backs
from companion.games.shisogari.deal import check
from companion.games.shisogari.events import CardPassed, CardPlaced
from companion.games.shisogari.options import Deal, Options, Setup
from companion.games.shisogari.rules import Shisogari
from companion.games.shisogari.state import Hand, LaidPair, Public
from tools.secrecy.random_games import begin

GAME = Shisogari()
P1, P2, P3, P4, P5 = (Seat(f"P{number}") for number in range(1, 6))
SHORT = {
    "C": "crucifix", "H": "holy_water", "D": "dagger", "s": "stake", "b": "bible", "g": "garlic",
    "W": "white_bloodsucking", "B": "black_bloodsucking", "w": "white_blank", "k": "black_blank",
}  # fmt: skip
"""Cards as one letter: white items C H D, black items s b g, Bloodsucking W B, Blanks w k."""


def cards(letters: str) -> tuple[str, ...]:
    return tuple(sorted((SHORT[letter] for letter in letters), key=list(CARDS).index))


def scene(*hands: str, vampire: Seat = P4, kin: str = "", **options: Any) -> State:
    """Return the state with hands such as "CHsb" of P1, P2, …; after a slash stand laid pairs:
    "Cs/CC,Db". P1 is to move.
    """
    private: dict[Seat, Hand] = {}
    pairs: dict[Seat, tuple[LaidPair, ...]] = {}
    for number, text in enumerate(hands, start=1):
        seat, (in_hand, _, laid) = Seat(f"P{number}"), text.partition("/")
        down = tuple((SHORT[pair[0]], SHORT[pair[1]]) for pair in laid.split(",") if pair)
        role = "vampire" if seat == vampire else "kin" if seat in kin.split() else "hunter"
        private[seat] = Hand(role, cards(in_hand), laid=down)  # type: ignore[arg-type]
        pairs[seat] = tuple(LaidPair(CARDS[card], None) for card, _ in down)
    card_backs = {seat: backs(hand.cards) for seat, hand in private.items()}
    return State(Public(Options(**options), card_backs, pairs, turn=P1, turns=1), private)


class Rigged(Random):
    """A random source that picks this card."""

    def __init__(self, letter: str) -> None:
        super().__init__(0)
        self.card = SHORT[letter]

    def choice(self, seq: Any) -> Any:
        assert self.card in seq
        return self.card


def act(
    state: State, seat: Seat, action: Action, rng: Random | None = None
) -> tuple[State, list[Event]]:
    events = list(GAME.decide(state, seat, action, rng or Random(0)).events)
    for event in events:
        state = GAME.evolve(state, event)
    return state, events


def picked(state: State, declared: Action, item: str, letter: str) -> State:
    """Play P1's turn up to the moment when the picker holds this card and has to place it."""
    state, _ = act(state, P1, declared)
    state, _ = act(state, P1, Name(SHORT[item]))
    giver, picker = state.public.transfer.giver, state.public.transfer.picker
    back = backs(state.private[giver].cards).index(CARDS[SHORT[letter]][0]) + 1
    state, _ = act(state, picker, Pick(back), Rigged(letter))
    return state


def offered(state: State) -> set[Action]:
    seat = GAME.to_move(state.public)
    return set(GAME.legal_actions(view(state, seat)))


def refused(state: State, seat: Seat, action: Action) -> str:
    with pytest.raises(IllegalAction) as error:
        GAME.decide(state, seat, action, Random(0))
    assert action not in GAME.legal_actions(view(state, seat))
    return error.value.message.code


def public_json(events: Sequence[Event]) -> list[dict[str, Any]]:
    return [encode_event(event) for event in events if isinstance(event, PublicEvent)]


def dealt(players: int, seed: int, **options: Any) -> State:
    """Return a game at its start, each of the last cards dealt or taken by a drawn colour."""
    rng, state = Random(seed), GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(Options(**options)), rng):
        state = GAME.evolve(state, event)
    while state.public.step == "last_card":
        seat = GAME.to_move(state.public)
        assert seat is not None
        state, _ = act(state, seat, rng.choice(sorted(offered(state), key=repr)))
    return state


@pytest.mark.parametrize(
    ("players", "each", "last_card"), [(4, 5, "chosen"), (4, 5, "dealt"), (5, 4, "chosen")]
)
def test_deals(players: int, each: int, last_card: str) -> None:
    """(1) 4 players have 5 cards each, 5 have 4, 20 in all: 16 items, 2 Blanks, 2 Bloodsucking."""
    for seed in range(200):
        state = dealt(players, seed, last_card=last_card)
        counts = Counter(card for hand in state.private.values() for card in hand.cards)
        assert {each} == {len(hand.cards) for hand in state.private.values()}
        assert 16 == sum(count for card, count in counts.items() if card in ITEMS)
        assert [1] * 4 == [counts[SHORT[letter]] for letter in "WBwk"]
        assert max(counts[item] for item in ITEMS) <= 3
        if players == 5:
            assert {"wwbb"} == set(state.public.backs.values())


@pytest.mark.parametrize("players", [4, 5])
def test_who_begins_with_bloodsucking(players: int) -> None:
    """(2) The Vampire begins with both Bloodsucking cards and has boxed a white and a black item,
    Hunters with none.
    """
    for seed in range(50):
        state, _ = begin(GAME, players, Random(seed))
        roles = Counter(hand.role for hand in state.private.values())
        assert {"vampire": 1, "hunter": players - 1} == roles
        for hand in state.private.values():
            bites = [card for card in hand.cards if "bloodsucking" in card]
            assert (2 if hand.role == "vampire" else 0) == len(bites)
            assert (["white", "black"] if hand.role == "vampire" else []) == [
                ITEMS[card] for card in hand.boxed
            ]


def test_a_pair_in_the_deal_is_not_laid() -> None:
    """(3) Two Crucifixes that are dealt stay in the hand: one of a pair must have been picked."""
    hands = {"P1": cards("CCHsb"), "P2": cards("CDssg"), "P3": cards("HDbgw"), "P4": cards("WBDbk")}
    roles: dict[str, Any] = {"P1": "hunter", "P2": "hunter", "P3": "hunter", "P4": "vampire"}
    state = GAME.initial()
    for event in GAME.setup((P1, P2, P3, P4), Setup(deal=Deal(roles, hands), first=P1), Random(0)):
        state = GAME.evolve(state, event)

    assert cards("CCHsb") == state.private[P1].cards
    assert cards("Hg") == state.private[P4].boxed
    assert {()} == set(state.public.pairs.values())


def test_colours_in_common() -> None:
    """(4) A player with white cards only may not take from, or give to, one with black cards
    only.
    """
    state = scene("CH", "sb", "Cs", "WB")

    assert "no_common_colour" == refused(state, P1, Take(P2))
    assert "no_common_colour" == refused(state, P1, Give(P2))
    assert {Take(P3), Take(P4), Give(P3), Give(P4), Accuse(P2), Accuse(P3), Accuse(P4)} == offered(
        state
    )


def test_items_of_a_held_colour() -> None:
    """(5) A player with white cards only may not name Garlic."""
    state, _ = act(scene("CH", "Csb", "Cs", "WB"), P1, Take(P2))

    assert "item_colour" == refused(state, P1, Name("garlic"))
    assert {Name("crucifix"), Name("holy_water"), Name("dagger")} == offered(state)
    with pytest.raises(IllegalAction, match="no_such_item"):
        GAME.decide(state, P1, Name("white_blank"), Random(0))


def test_named_and_picked() -> None:
    """(6) Crucifix named, picked and held: a face-up pair, one card less in each of the two
    hands.
    """
    state = picked(scene("CHs", "Cgb", "Ds", "WB"), Take(P2), "C", "C")
    assert {Lay("crucifix")} == offered(state)
    assert "must_lay" == refused(state, P1, KEEP)

    state, events = act(state, P1, Lay("crucifix"))

    assert {
        "event": "pair_laid",
        "seat": "P1",
        "colour": "white",
        "item": "crucifix",
    } == public_json(events)[0]
    assert {P1: "wb", P2: "bb", P3: "wb", P4: "wb"} == state.public.backs
    assert (("crucifix", "crucifix"),) == state.private[P1].laid


def test_another_item_pairs_face_down() -> None:
    """(7) Crucifix named, Dagger picked and held: the pair lies face down, and no other player
    learns what it is.
    """
    state = picked(scene("DHs", "Dgb", "Ds", "WB"), Take(P2), "C", "D")
    assert {Lay("dagger")} == offered(state)

    state, events = act(state, P1, Lay("dagger"))

    assert {"event": "pair_laid", "seat": "P1", "colour": "white", "item": None} == public_json(
        events
    )[0]
    assert all("dagger" not in str(line) for line in public_json(events))


def test_no_pair() -> None:
    """(8) Crucifix named and picked, none held: the card goes into the hand."""
    state = picked(scene("DHs", "Cgb", "Ds", "WB"), Take(P2), "C", "C")
    assert {KEEP} == offered(state)
    assert "cannot_lay" == refused(state, P1, Lay("dagger"))

    state, events = act(state, P1, KEEP)

    assert {"event": "card_kept", "seat": "P1", "colour": "white"} == public_json(events)[0]
    assert cards("CDHs") == state.private[P1].cards
    assert {"event": "turn_started", "seat": "P2"} == public_json(events)[1]


def test_a_hunter_keeps_a_blank() -> None:
    """(9) A Blank goes into a Hunter's hand."""
    assert {KEEP} == offered(picked(scene("DHs", "wgb", "Ds", "WB"), Take(P2), "C", "w"))


def test_the_vampire_may_fake() -> None:
    """(10) The Vampire who picks the white Blank and holds a Dagger lays a fake pair or keeps
    it.
    """
    state = picked(scene("DsW", "wgb", "Ds", "bk", vampire=P1), Take(P2), "C", "w")
    assert {KEEP, Lay("dagger")} == offered(state)

    state, events = act(state, P1, Lay("dagger"))

    assert {"event": "pair_laid", "seat": "P1", "colour": "white", "item": None} == public_json(
        events
    )[0]
    assert "vampire" == state.private[P1].role


def test_the_vampire_fakes_with_a_picked_item() -> None:
    """An item that pairs with nothing may be laid with an own Bloodsucking or Blank of its colour,
    and with no other card.
    """
    state = picked(scene("DsWwk", "Cgb", "Ds", "bb", vampire=P1), Take(P2), "C", "C")

    assert {KEEP, Lay("white_bloodsucking"), Lay("white_blank")} == offered(state)


def test_a_real_match_is_compulsory() -> None:
    """(11) The Vampire who picks a Dagger and holds one must lay the real pair."""
    state = picked(scene("DsWw", "Dgb", "Ds", "bb", vampire=P1), Take(P2), "C", "D")

    assert {Lay("dagger")} == offered(state)


def test_a_bite() -> None:
    """(12) A Hunter who picks the white Bloodsucking lays it face down with a white card of his
    choice and becomes Kin; nobody else learns it.
    """
    state = picked(scene("CDs", "WgB", "Ds", "bb", vampire=P2), Take(P2), "C", "W")
    assert {Lay("crucifix"), Lay("dagger")} == offered(state)

    state, events = act(state, P1, Lay("crucifix"))

    assert {"event": "pair_laid", "seat": "P1", "colour": "white", "item": None} == public_json(
        events
    )[0]
    assert "kin" == state.private[P1].role
    [placed] = [event for event in events if isinstance(event, CardPlaced)]
    assert placed.turned
    assert {P1} == placed.seats


def test_a_kin_stays_kin() -> None:
    """(13) A Kin who picks the second Bloodsucking lays it too and stays Kin."""
    state = picked(scene("CDs", "gB", "Ds", "bb", vampire=P2, kin="P1"), Take(P2), "C", "B")
    assert {Lay("stake")} == offered(state)

    state, events = act(state, P1, Lay("stake"))

    assert "kin" == state.private[P1].role
    assert [False] == [event.turned for event in events if isinstance(event, CardPlaced)]


def test_only_hunters_accuse() -> None:
    """(14), (26) A Kin and the Vampire have no Hunter's card to show."""
    assert "only_hunters_accuse" == refused(
        scene("CDs", "gB", "Ds", "bb", vampire=P2, kin="P1"), P1, Accuse(P2)
    )
    assert "only_hunters_accuse" == refused(
        scene("WD", "gb", "Ds", "bb", vampire=P1), P1, Accuse(P2)
    )
    assert "no_such_partner" == refused(scene("CDs", "gB", "Ds", "bb"), P1, Accuse(P1))


def test_a_kin_cannot_fake() -> None:
    """(15) A Kin keeps what pairs with nothing."""
    state = picked(scene("Dsw", "Cgb", "Ds", "WB", kin="P1"), Take(P2), "C", "C")

    assert {KEEP} == offered(state)
    assert "cannot_lay" == refused(state, P1, Lay("white_blank"))


@pytest.mark.parametrize("mover", ["hunter", "vampire"])
def test_a_hand_is_lost(mover: str) -> None:
    """(16) A player who takes a partner's last card ends the game: the Vampire's team wins, on a
    Hunter's turn too.
    """
    vampire = P1 if mover == "vampire" else P4
    state = picked(scene("DHs", "C", "Ds", "gb", vampire=vampire), Take(P2), "C", "C")
    state, events = act(state, P1, KEEP)

    assert Outcome("vampire", "hand_lost") == GAME.outcome(state.public)
    assert ["card_kept", "cards_shown", "game_over"] == [
        event["event"] for event in public_json(events)
    ]
    assert set() == offered(state)


def test_the_own_last_card_pairs() -> None:
    """(17) A player who pairs his only card has lost his hand, and the Vampire's team wins."""
    state = picked(scene("C", "Cg", "Ds", "WB"), Take(P2), "C", "C")
    state, _ = act(state, P1, Lay("crucifix"))

    assert Outcome("vampire", "hand_lost") == GAME.outcome(state.public)


def test_no_giving_of_the_last_card() -> None:
    """(18) A player with one card may not give."""
    state = scene("C", "Cg", "Ds", "WB")

    assert "last_card" == refused(state, P1, Give(P2))
    assert Give(P2) not in offered(state)


def test_giving() -> None:
    """(19) The partner picks from the giver's hand and pairs: face up for the item that the giver
    named.
    """
    state = picked(scene("CHs", "Cgb", "Ds", "WB"), Give(P2), "C", "C")
    assert P2 == GAME.to_move(state.public)

    state, events = act(state, P2, Lay("crucifix"))

    assert {
        "event": "pair_laid",
        "seat": "P2",
        "colour": "white",
        "item": "crucifix",
    } == public_json(events)[0]
    assert {"event": "turn_started", "seat": "P2"} == public_json(events)[1]
    assert {P1: "wb", P2: "bb", P3: "wb", P4: "wb"} == state.public.backs


def accuse(state: State, suspect: Seat) -> tuple[dict[str, Any], Outcome | None]:
    state, events = act(state, P1, Accuse(suspect))
    [counted] = [event for event in public_json(events) if event["event"] == "pairs_counted"]
    return counted, GAME.outcome(state.public)


def test_a_determination() -> None:
    """(20) 2 real pairs up, 1 down, a fake, a Bloodsucking pair and 2 Hunters are 5: right wins,
    wrong loses.
    """
    state = scene("CH/ss,DD", "gb/bb", "D/WC", "H/gk", vampire=P4, kin="P3")

    counted, outcome = accuse(state, P4)
    assert (3, 2, 5) == (counted["pairs"], counted["hunters"], counted["needed"])
    assert Outcome("hunters", "vampire_found") == outcome
    assert Outcome("vampire", "wrong_suspect") == accuse(state, P2)[1]


def test_too_few() -> None:
    """(21), (22) The same with 4 is too few even if the accused is the Vampire; a Kin's Hunter card
    does not count.
    """
    counted, outcome = accuse(scene("CH/ss,DD", "gb", "D/WC", "H/gk", vampire=P4, kin="P3"), P4)

    assert (2, 2) == (counted["pairs"], counted["hunters"])
    assert Outcome("vampire", "too_few") == outcome


def test_five_players_need_six() -> None:
    """(23) With 5 players 5 are too few and 6 enough."""
    few = scene("CH/ss", "gb", "D", "H", "WB", vampire=P5)
    enough = scene("CH/ss,DD", "gb", "D", "H", "WB", vampire=P5)

    assert [("vampire", "too_few"), ("hunters", "vampire_found")] == [
        (outcome.winner, outcome.reason)
        for outcome in (accuse(few, P5)[1], accuse(enough, P5)[1])
        if outcome
    ]


def test_accusing_a_kin_is_wrong() -> None:
    """(24), (25) An accusation of a Kin is wrong: the Vampire's team wins, the Kin included."""
    state = scene("CH/ss,DD,CC", "gb/bb", "D/WC", "H", vampire=P4, kin="P3")

    assert Outcome("vampire", "wrong_suspect") == accuse(state, P3)[1]
    accused, _ = act(state, P1, Accuse(P3))
    assert {
        "P1": "hunter",
        "P2": "hunter",
        "P3": "kin",
        "P4": "vampire",
    } == accused.public.shown.roles


def test_blanks_are_no_pair() -> None:
    """(27) Two Blanks are never a pair, not even a fake one."""
    state = picked(scene("wsB", "kgw", "Ds", "bb", vampire=P1), Take(P2), "C", "w")

    assert {KEEP} == offered(state)


def test_picking_an_own_colour() -> None:
    """A back of a colour that the picker lacks may not be picked; with `free` it may, and a
    Bloodsucking card without a partner is kept and turns him all the same.
    """
    lacking = scene("CH", "WBg", "Ds", "bb", vampire=P2)
    state, _ = act(lacking, P1, Take(P2))
    state, _ = act(state, P1, Name("crucifix"))
    assert {Pick(1)} == offered(state)
    assert "back_colour" == refused(state, P1, Pick(2))

    state = picked(
        scene("CH", "WBg", "Ds", "bb", vampire=P2, pick_colour="free"), Take(P2), "C", "B"
    )
    assert {KEEP} == offered(state)
    state, events = act(state, P1, KEEP)
    assert ("kin", cards("CHB")) == (state.private[P1].role, state.private[P1].cards)
    assert ["card_kept", "turn_started"] == [event["event"] for event in public_json(events)]


def test_all_bitten() -> None:
    """With `free` the last Hunter may be bitten: no Hunter is left, and the game is over."""
    state = scene("CH", "WBg", "Ds", "bb", vampire=P2, kin="P3 P4", pick_colour="free")
    state, _ = act(picked(state, Take(P2), "C", "W"), P1, Lay("crucifix"))

    assert Outcome("vampire", "all_bitten") == GAME.outcome(state.public)


def test_the_named_item_may_have_to_be_picked() -> None:
    """With `declare_equals_pick` only backs of the named item's colour may be picked; by default
    any.
    """
    for strict, backs_offered in ((False, {Pick(1), Pick(2)}), (True, {Pick(1)})):
        state, _ = act(scene("Cs", "Dg", "Ds", "WB", declare_equals_pick=strict), P1, Take(P2))
        state, _ = act(state, P1, Name("crucifix"))
        assert backs_offered == offered(state)


def test_nobody_to_deal_with() -> None:
    """Without a partner a Hunter must accuse and another role passes; nobody else may pass."""
    hunter, kin = scene("CC", "sb", "gg", "sk"), scene("CC", "sb", "gg", "sk", kin="P1")

    assert {Accuse(P2), Accuse(P3), Accuse(P4)} == offered(hunter)
    assert {PASS} == offered(kin)
    assert "may_not_pass" == refused(hunter, P1, PASS)
    assert "may_not_pass" == refused(scene("CC", "Cb", "gg", "sk", kin="P1"), P1, Pass())
    state, events = act(kin, P1, PASS)
    assert P2 == GAME.to_move(state.public)
    assert ["passed", "turn_started"] == [event["event"] for event in public_json(events)]


def test_who_knows_a_passed_card() -> None:
    """Only picker and giver are sent the card; everybody gets its colour."""
    state, _ = act(scene("CHs", "Cgb", "Ds", "WB"), P1, Take(P2))
    state, _ = act(state, P1, Name("crucifix"))
    _, events = act(state, P1, Pick(1))

    [passed] = [event for event in events if isinstance(event, CardPassed)]
    assert {P1, P2} == {seat for seat in (P1, P2, P3, P4, None) if may_see(passed, seat)}
    assert [
        {"event": "card_picked", "picker": "P1", "giver": "P2", "back": 1, "colour": "white"}
    ] == public_json(events)


def test_backs_are_shuffled_for_each_pick() -> None:
    """A repeated back stands for another card: each card of its colour comes up about equally
    often.
    """
    state, _ = act(scene("CHs", "CHDgb", "Ds", "WB"), P1, Take(P2))
    state, _ = act(state, P1, Name("crucifix"))
    rng = Random(1)
    drawn = Counter(
        event.card
        for _ in range(3000)
        for event in GAME.decide(state, P1, Pick(2), rng).events
        if isinstance(event, CardPassed)
    )

    assert {"crucifix", "holy_water", "dagger"} == set(drawn)
    assert all(900 < count < 1100 for count in drawn.values())


def test_steps_in_their_order() -> None:
    """Actions of another step, or of a seat that is not to move, are refused."""
    state = scene("CHs", "Cgb", "Ds", "WB")
    for action in (
        Name("crucifix"),
        Pick(1),
        Lay("crucifix"),
        Keep(),
        Report("up"),
        Count(3, 2, True),
    ):
        assert "not_at_this_step" == refused(state, P1, action)
    assert "not_your_turn" == refused(state, P2, Take(P1))
    assert "no_such_partner" == refused(state, P1, Take(P1))
    assert "no_such_partner" == refused(state, P1, Take(P5))


def test_what_is_done_for_who_does_nothing() -> None:
    """When the time to place is over, the compulsory placing is made, else the card is kept."""
    bitten = picked(scene("CDs", "WgB", "Ds", "bb", vampire=P2), Take(P2), "C", "W")
    faking = picked(scene("DsW", "wgb", "Ds", "bk", vampire=P1), Take(P2), "C", "w")

    assert [Lay("crucifix")] == GAME.secret_timer.default_actions(view(bitten, P1))
    assert [KEEP] == GAME.secret_timer.default_actions(view(faking, P1))
    assert P1 == GAME.secret_seat(bitten.public)
    assert 5 == GAME.secret_timer.seconds(bitten.public)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            {"roles": {"P1": "hunter", "P2": "hunter", "P3": "hunter", "P4": "hunter"}},
            "deal_one_vampire",
        ),
        ({"hands": {"P1": ["crucifix"]}}, "deal_seats"),
        ({"P1": "CCHs"}, "deal_hand"),
        ({"P4": "WWDbk"}, "deal_bloodsucking"),
        ({"P1": "CCHsB"}, "deal_bloodsucking"),
        ({"P1": "CCbsg"}, "deal_box"),
        ({"P1": "CCDsb"}, "deal_box"),
        ({"P1": "CCHDs", "P2": "CsssD"}, "deal_colours"),
        ({"P3": "HDbkw", "P4": "WBDbg"}, "deal_colours"),
        ({"hands": {"P1": ["spoon"], "P2": [], "P3": [], "P4": []}}, "deal_card"),
    ],
)
def test_a_deal_that_cannot_be(change: dict[str, Any], why: str) -> None:
    """A given deal is refused by name if it could not have been dealt."""
    letters = {"P1": "CCHsb", "P2": "CDssg", "P3": "HDbgw", "P4": "WBDbk"} | {
        seat: hand for seat, hand in change.items() if isinstance(hand, str)
    }
    values = {
        "roles": {"P1": "hunter", "P2": "hunter", "P3": "hunter", "P4": "vampire"},
        "hands": {seat: list(cards(hand)) for seat, hand in letters.items()},
    } | {name: value for name, value in change.items() if not isinstance(value, str)}
    with pytest.raises(InvalidSetup) as error:
        GAME.setup((P1, P2, P3, P4), Setup(deal=msgspec.convert(values, Deal)), Random(0))

    assert why == error.value.message.code


class TestRealCards:
    """The cards lie on the table: the companion keeps turns, named items, pairs and the end."""

    def started(self, players: int = 4) -> State:
        state = GAME.initial()
        setup = Setup(Options(hands="cards", start="first"))
        for event in GAME.setup(GAME.seat_names(players), setup, Random(0)):
            state = GAME.evolve(state, event)
        return state

    def test_no_seat_has_a_secret(self) -> None:
        """No role and no card is dealt to a phone."""
        assert ({}, None) == (dict(self.started().private), self.started().hidden)

    def test_a_turn(self) -> None:
        """The item is named, the picker's result is announced, and hands are counted."""
        state, _ = act(self.started(), P1, Take(P3))
        state, _ = act(state, P1, Name("garlic"))
        assert {
            Report("up"),
            Report("down", "white"),
            Report("down", "black"),
            Report("none"),
        } == offered(state)
        state, events = act(state, P1, Report("up"))

        assert {
            "event": "pair_laid",
            "seat": "P1",
            "colour": "black",
            "item": "garlic",
        } == public_json(events)[0]
        assert {P1: "????", P2: "?????", P3: "????", P4: "?????"} == state.public.backs

    def test_giving(self) -> None:
        """The card that the partner picks goes into his hand."""
        state, _ = act(self.started(), P1, Give(P3))
        state, _ = act(state, P1, Name("garlic"))
        state, events = act(state, P1, Report("none"))

        assert {"event": "card_kept", "seat": "P3", "colour": None} == public_json(events)[0]
        assert {P1: "????", P2: "?????", P3: "??????", P4: "?????"} == state.public.backs

    def test_a_lost_hand(self) -> None:
        """The last card of a hand ends the game; the companion shows no cards, as it never knew
        them.
        """
        state = self.started()
        while GAME.outcome(state.public) is None:
            seat = GAME.to_move(state.public)
            assert seat is not None
            partner = P4 if seat != P4 else P1
            for action in (Take(partner), Name("garlic"), Report("none")):
                state, events = act(state, seat, action)

        assert Outcome("vampire", "hand_lost") == GAME.outcome(state.public)
        assert ["card_kept", "game_over"] == [event["event"] for event in public_json(events)]

    @pytest.mark.parametrize(
        ("count", "outcome"),
        [
            (Count(1, 3, True), Outcome("vampire", "too_few")),
            (Count(2, 3, True), Outcome("hunters", "vampire_found")),
            (Count(2, 3, False), Outcome("vampire", "wrong_suspect")),
        ],
    )
    def test_the_end(self, count: Count, outcome: Outcome) -> None:
        """The accuser types what the open cards show; no more pairs than were laid."""
        state = self.started()
        for partner, report in ((P2, Report("up")), (P3, Report("down", "white"))):
            seat = GAME.to_move(state.public)
            assert seat is not None
            for action in (Take(partner), Name("garlic"), report):
                state, _ = act(state, seat, action)
        state, _ = act(state, P3, Accuse(P1))
        assert "not_what_lies_there" == refused(state, P3, Count(3, 3, True))
        assert "not_what_lies_there" == refused(state, P3, Count(0, 3, True))
        state, _ = act(state, P3, count)

        assert outcome == GAME.outcome(state.public)


def test_the_last_card_is_chosen_by_colour() -> None:
    """With four players each takes one of the last four cards, clockwise from the first player, and
    chooses its colour only; the first to choose a colour gets that colour's first card of the deal,
    and only he learns it.
    """
    hands = {"P1": cards("CHsb"), "P2": cards("WBDg"), "P3": cards("CDsb"), "P4": cards("HDsb")}
    roles: Any = {"P1": "hunter", "P2": "vampire", "P3": "hunter", "P4": "hunter"}
    deal = Deal(roles, hands, tuple(SHORT[letter] for letter in "wCkg"))
    state = GAME.initial()
    for event in GAME.setup((P1, P2, P3, P4), Setup(deal=deal, first=P3), Random(0)):
        state = GAME.evolve(state, event)

    assert ("last_card", "wwbb", P3) == (
        state.public.step,
        state.public.last,
        GAME.to_move(state.public),
    )
    assert "not_at_this_step" == refused(state, P3, Take(P1))
    for seat, colour, card in (
        (P3, "black", "k"),
        (P4, "white", "w"),
        (P1, "white", "C"),
        (P2, "black", "g"),
    ):
        before = state
        state, events = act(state, seat, ChooseColour(colour))  # type: ignore[arg-type]
        assert {"event": "colour_chosen", "seat": seat, "colour": colour} == public_json(events)[0]
        assert SHORT[card] in (
            Counter(state.private[seat].cards) - Counter(before.private[seat].cards)
        )
        assert [seat] == [other for other in state.private if may_see(events[1], other)]
    assert ("turn", "", P3) == (state.public.step, state.public.last, GAME.to_move(state.public))
    assert all(
        backs(hand.cards) == state.public.backs[seat] for seat, hand in state.private.items()
    )


def test_a_colour_that_is_gone_is_not_chosen() -> None:
    """Nobody takes a last card of a colour that is used up."""
    state = dealt_to_last_cards(0)
    for _ in range(2):
        seat = GAME.to_move(state.public)
        assert seat is not None
        state, _ = act(state, seat, ChooseColour("white"))
    seat = GAME.to_move(state.public)

    assert seat is not None
    assert {ChooseColour("black")} == offered(state)
    assert "no_such_back" == refused(state, seat, ChooseColour("white"))


def dealt_to_last_cards(seed: int) -> State:
    state = GAME.initial()
    for event in GAME.setup((P1, P2, P3, P4), Setup(), Random(seed)):
        state = GAME.evolve(state, event)
    return state


@pytest.mark.parametrize("players", [4, 5])
def test_dealt_pairs_are_dealt_again(players: int) -> None:
    """With `dealt_pairs = "redealt"` no dealt hand holds two equal items; without it, some do."""
    seeds = range(60)

    assert not any(twins_of(players, seed, "redealt") for seed in seeds)
    assert any(twins_of(players, seed, "kept") for seed in seeds)


def twins_of(players: int, seed: int, dealt_pairs: str) -> list[Seat]:
    state = dealt(players, seed, last_card="dealt", dealt_pairs=dealt_pairs)
    return [seat for seat, hand in state.private.items() if len(set(hand.cards)) < len(hand.cards)]


@pytest.mark.parametrize(("count_pairs", "pairs"), [("laid", 1), ("all", 3)])
def test_pairs_in_hands_count_if_agreed(count_pairs: str, pairs: int) -> None:
    """An accusation counts laid pairs; with `count_pairs = "all"` two equal items in a hand as
    well.
    """
    state = scene("CCsss/HH", "WB", "Ds", "bb", vampire=P2, count_pairs=count_pairs)
    _, events = act(state, P1, Accuse(P2))

    assert [pairs + (count_pairs == "all")] == [
        event["pairs"] for event in public_json(events) if event["event"] == "pairs_counted"
    ]


@pytest.mark.parametrize("hunter", ["Cwsbg", "CCCDs", "sbgkC", "CwskD"])
def test_hands_that_cannot_be_dealt(hunter: str) -> None:
    """With four players a hand is two white and two black cards without Blanks, and one card
    more.
    """
    hands = {"P1": cards(hunter), "P2": cards("WBDgC"), "P3": cards("CDsbH"), "P4": cards("HDsbg")}
    roles: Any = {"P1": "hunter", "P2": "vampire", "P3": "hunter", "P4": "hunter"}
    with pytest.raises(InvalidSetup, match="deal_colours"):
        GAME.setup((P1, P2, P3, P4), Setup(deal=Deal(roles, hands)), Random(0))


def test_blanks_are_not_in_the_box() -> None:
    """The Vampire boxes two items, so a deal without a Blank is impossible."""
    hands = {"P1": cards("CHsbD"), "P2": cards("WBDgC"), "P3": cards("CDsbH"), "P4": cards("Hgsbk")}
    roles: Any = {"P1": "hunter", "P2": "vampire", "P3": "hunter", "P4": "hunter"}
    with pytest.raises(InvalidSetup, match="deal_"):
        GAME.setup((P1, P2, P3, P4), Setup(deal=Deal(roles, hands)), Random(0))


@pytest.mark.parametrize("players", [4, 5])
def test_drawn_deals_can_be_given(players: int) -> None:
    """Every drawn deal passes the check for given deals."""
    for seed in range(100):
        state = GAME.initial()
        for event in GAME.setup(GAME.seat_names(players), Setup(), Random(seed)):
            state = GAME.evolve(state, event)
        assert state.hidden == check(state.hidden, GAME.seat_names(players))


def real_cards(**options: Any) -> State:
    """Four players with real cards; P1 begins."""
    state = GAME.initial()
    options = {"hands": "cards", "start": "first", **options}
    for event in GAME.setup((P1, P2, P3, P4), Setup(Options(**options)), Random(0)):
        state = GAME.evolve(state, event)
    return state


def reported(state: State, item: str, report: Report) -> State:
    """Play a turn with real cards: take from the next player, name, report."""
    seat = GAME.to_move(state.public)
    assert seat is not None
    partner = P2 if seat != P2 else P3
    for action in (Take(partner), Name(SHORT[item]), report):
        state, _ = act(state, seat, action)
    return state


def test_real_cards_may_pass() -> None:
    """With real cards only people know which partners have cards, so passing is always offered."""
    state = real_cards()

    assert PASS in offered(state)
    assert P2 == GAME.to_move(act(state, P1, PASS)[0].public)


def test_an_item_makes_one_pair() -> None:
    """There are three copies of an item, so that a second pair is impossible."""
    state = reported(real_cards(), "C", Report("up"))
    seat = GAME.to_move(state.public)
    assert seat is not None
    for action in (Take(P3), Name("crucifix")):
        state, _ = act(state, seat, action)

    assert Report("up") not in offered(state)
    assert "not_what_lies_there" == refused(state, seat, Report("up"))
    assert Report("down", "white") in offered(state)


def test_counts_that_cannot_be() -> None:
    """There are no more real pairs than items of a colour, and each Kin needs a face-down pair."""
    state = real_cards()
    for item in "CHD":
        state = reported(state, item, Report("up"))
    state = reported(state, "s", Report("down", "white"))
    seat = GAME.to_move(state.public)
    assert seat is not None
    state, _ = act(state, seat, Accuse(P3 if seat != P3 else P4))

    counts = {(count.pairs, count.hunters) for count in offered(state) if isinstance(count, Count)}
    assert {(3, 3), (3, 2)} == counts
