"""Decide the actions of Shisogari: take, give or accuse; the picker places the card."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

from companion.core.codec import to_builtins
from companion.core.game import (
    Action,
    Commitment,
    Draft,
    Event,
    Game,
    InvalidSetup,
    PrivateEvent,
    PublicEvent,
    Seat,
    SecretTimer,
    State,
    StatusWords,
    View,
)
from companion.games.shisogari import actions, deal, events, turns
from companion.games.shisogari.actions import ACTIONS
from companion.games.shisogari.bots import ShisogariBots
from companion.games.shisogari.cards import (
    BITES,
    CARDS,
    LETTERS,
    UNKNOWN,
    Colour,
    backs,
    is_real,
    partners,
)
from companion.games.shisogari.events import EVENTS
from companion.games.shisogari.options import HAND, NEEDED, SEATS, Deal, Options, Setup
from companion.games.shisogari.replay import REPLAY
from companion.games.shisogari.state import Hand, Public


class PlacingTimer(SecretTimer):
    """Delay every placing to the same duration."""

    def seconds(self, public: Public) -> float | None:
        return public.options.place_seconds

    def default_actions(self, view: View) -> list[Action]:
        own: Hand = view.own
        assert own.picked is not None, "nothing was picked"
        cards = partners(own.role, own.cards, own.picked)
        return [actions.KEEP if None in cards else actions.Lay(str(cards[0]))]


class Shisogari(Game):
    """Shisogari; rulings where the rules are silent are `Options`."""

    name = "shisogari"
    seats = range(4, 6)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    bots = ShisogariBots()
    replay = REPLAY
    secret_timer = PlacingTimer()
    status_words = StatusWords(has_nights=False)
    random_fields = ("deal", "first")
    custom_setup = ("deal", "first")

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return SEATS[:players]

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        options = setup.options
        if setup.first is not None and setup.first not in seats:
            raise InvalidSetup("no_such_first", seat=setup.first)
        if options.hands == "cards":
            if setup.deal is not None:
                raise InvalidSetup("deal_of_real_cards")
            unseen = dict.fromkeys((str(seat) for seat in seats), UNKNOWN * HAND[len(seats)])
            dealt: list[Event] = [events.GameSetUp(len(seats), options, unseen)]
        else:
            drawn = deal.check(setup.deal, seats) if setup.deal else deal.draw(seats, options, rng)
            dealt = _deal_events(drawn, seats, options)
        first = setup.first or (seats[0] if options.start == "first" else rng.choice(seats))
        is_whole = not any(isinstance(event, events.GameSetUp) and event.last for event in dealt)
        return [*dealt, events.TurnStarted(first) if is_whole else events.LastCardsOffered(first)]

    def initial(self) -> State:
        return State(Public(Options()))

    def to_move(self, public: Public) -> Seat | None:
        return turns.to_move(public)

    def has_real_cards(self, setup: Setup) -> bool:
        return setup.options.hands == "cards"

    def secret_seat(self, public: Public) -> Seat | None:
        return turns.to_move(public) if public.step == "place" else None

    def sealed(self, view: View, submitted: Sequence[Action]) -> Commitment:
        return Commitment("placing", ())

    def legal_actions(self, view: View) -> Sequence[Action]:
        if view.seat is None or view.seat != turns.to_move(view.public):
            return ()
        return turns.legal(view.public, view.seat, view.own)

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        public: Public = state.public
        self.check_turn(public, seat)
        turns.check_legal(public, seat, action, state.private.get(seat))
        draft = Draft(self.evolve, state)
        match action:
            case actions.ChooseColour(colour=colour):
                _take_last(draft, seat, colour)
            case actions.Take(partner=partner):
                draft.emit(events.PartnerChosen(seat, "take", partner))
            case actions.Give(partner=partner):
                draft.emit(events.PartnerChosen(seat, "give", partner))
            case actions.Name(item=item):
                draft.emit(events.ItemNamed(seat, item))
            case actions.Pick(back=back):
                draft.emit(*_pick(state, back, rng))
            case actions.Lay(card=card):
                _place(draft, seat, card)
            case actions.Keep():
                _place(draft, seat, None)
            case actions.Accuse(suspect=suspect):
                draft.emit(*_accuse(state, seat, suspect))
            case actions.Report():
                draft.emit(_reported(public, action))
                _end_turn(draft)
            case actions.Count():
                draft.emit(*_count_events(public, action))
            case _:
                draft.emit(events.Passed(seat), events.TurnStarted(turns.next_seat(public)))
        return draft

    def encode_view(self, view: View) -> dict[str, Any]:
        players = view.public.players
        return {**super().encode_view(view), "players": players, "needed": NEEDED.get(players)}

    def to_setup(self, state: State) -> dict[str, Any]:
        return to_builtins(Setup(state.public.options, state.hidden, state.public.turn))

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        return {"agreed": [*_cards_shown_events(state), events.GameOver("draw", "agreed")]}


def _take_last(draft: Draft, seat: Seat, colour: Colour) -> None:
    """Take a last card by its colour. The deal fixes the card: the nth seat that chooses a colour
    gets its nth card.
    """
    public, dealt = draft.state.public, draft.state.hidden
    alike = [card for card in dealt.last if CARDS[card] == colour]
    card = alike[len(alike) - public.last.count(colour[0])]
    draft.emit(events.ColourChosen(seat, colour), events.LastCardTaken(seat, card))
    if len(public.last) == 1:
        draft.emit(events.TurnStarted(turns.next_seat(public)))


def _pick(state: State, back: int, rng: Random) -> list[Event]:
    transfer = state.public.transfer
    colour = LETTERS[state.public.backs[transfer.giver][back - 1]]
    behind = [card for card in state.private[transfer.giver].cards if CARDS[card] == colour]
    card = rng.choice(behind)
    return [
        events.CardPicked(transfer.picker, transfer.giver, back, colour),
        events.CardPassed(transfer.picker, transfer.giver, card),
    ]


def _place(draft: Draft, seat: Seat, beside: str | None) -> None:
    own: Hand = draft.state.private[seat]
    card, transfer = str(own.picked), draft.state.public.transfer
    turned = card in BITES and own.role == "hunter"
    draft.emit(events.CardPlaced(seat, card, beside, turned))
    if beside is None:
        draft.emit(events.CardKept(seat, CARDS[card]))
    else:
        is_up = is_real((card, beside)) and card == transfer.item
        draft.emit(events.PairLaid(seat, CARDS[card], card if is_up else None))
    _end_turn(draft, turned=turned)


def _end_turn(draft: Draft, *, turned: bool = False) -> None:
    """End the game, or start the next turn."""
    public: Public = draft.state.public
    if not all(public.backs.values()):
        draft.emit(*_cards_shown_events(draft.state), events.GameOver("vampire", "hand_lost"))
    elif turned and not any(own.role == "hunter" for own in draft.state.private.values()):
        draft.emit(*_cards_shown_events(draft.state), events.GameOver("vampire", "all_bitten"))
    else:
        draft.emit(events.TurnStarted(turns.next_seat(public)))


def _cards_shown_events(state: State) -> list[PublicEvent]:
    """Return the event that shows all cards; people turn over real ones themselves."""
    hands: dict[Seat, Hand] = dict(state.private)
    if not hands:
        return []
    return [
        events.CardsShown(
            {seat: own.role for seat, own in hands.items()},
            {seat: own.cards for seat, own in hands.items()},
            {seat: own.laid for seat, own in hands.items()},
        )
    ]


def _accuse(state: State, seat: Seat, suspect: Seat) -> list[Event]:
    accused = events.Accused(seat, suspect)
    if state.public.options.hands == "cards":
        return [accused]
    hands: dict[Seat, Hand] = {name: state.private[name] for name in state.public.backs}
    pairs = sum(turns.counted_pairs(own, state.public.options) for own in hands.values())
    hunters = sum(own.role == "hunter" for own in hands.values())
    is_vampire = hands[suspect].role == "vampire"
    return [
        accused,
        *_cards_shown_events(state),
        *_verdict_events(state.public, pairs, hunters, suspect, is_vampire),
    ]


def _reported(public: Public, report: actions.Report) -> PublicEvent:
    transfer = public.transfer
    assert transfer is not None, "no turn is under way"
    match report:
        case actions.Report(laid="none"):
            return events.CardKept(transfer.picker, None)
        case actions.Report(laid="up"):
            item = str(transfer.item)
            return events.PairLaid(transfer.picker, CARDS[item], item)
    return events.PairLaid(transfer.picker, report.colour or "white", None)


def _deal_events(dealt: Deal, seats: Sequence[Seat], options: Any) -> list[Event]:
    hand_backs = {str(seat): backs(dealt.hands[seat]) for seat in seats}
    boxed = deal.cards_in_box(dealt)
    private_events: list[PrivateEvent] = [
        events.Dealt(seat, role, dealt.hands[seat], boxed if role == "vampire" else ())
        for seat in seats
        for role in [dealt.roles[seat]]
    ]
    return [
        events.GameSetUp(len(seats), options, hand_backs, backs(dealt.last)),
        *private_events,
        events.DealKept(dealt),
    ]


def _count_events(public: Public, count: actions.Count) -> list[Event]:
    assert public.accused is not None, "nobody was accused"
    return _verdict_events(
        public, count.pairs, count.hunters, public.accused.suspect, count.is_vampire
    )


def _verdict_events(
    public: Public, pairs: int, hunters: int, suspect: Seat, is_vampire: bool
) -> list[Event]:
    """Return the count and the end: the Hunters win if they are enough and accuse the Vampire."""
    needed = NEEDED[public.players]
    counted = events.PairsCounted(pairs, hunters, needed, suspect, is_vampire)
    enough = pairs + hunters >= needed
    winner: Literal["hunters", "vampire"] = "hunters" if enough and is_vampire else "vampire"
    reason: Literal["vampire_found", "wrong_suspect", "too_few"] = (
        "wrong_suspect" if not is_vampire else "vampire_found" if enough else "too_few"
    )
    return [counted, events.GameOver(winner, reason)]
