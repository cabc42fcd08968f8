"""Decide the actions of Shisogari: take, give or accuse; the picker places the card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Literal

from companion.core.codec import to_builtins
from companion.core.game import (
    Action,
    Commitment,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    Message,
    Outcome,
    PrivateEvent,
    PublicEvent,
    Seat,
    SecretTimer,
    State,
    View,
)
from companion.core.status import StatusWords
from companion.games.shisogari import deal, messages, turns
from companion.games.shisogari.actions import (
    ACTIONS,
    KEEP,
    Accuse,
    ChooseColour,
    Count,
    Give,
    Keep,
    Lay,
    Name,
    Pick,
    Report,
    Take,
)
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
from companion.games.shisogari.events import (
    EVENTS,
    Accused,
    CardKept,
    CardPassed,
    CardPicked,
    CardPlaced,
    CardsShown,
    ColourChosen,
    DealKept,
    Dealt,
    GameOver,
    GameSetUp,
    ItemNamed,
    LastCardsOffered,
    LastCardTaken,
    PairLaid,
    PairsCounted,
    PartnerChosen,
    Passed,
    TurnStarted,
)
from companion.games.shisogari.evolve import EMPTY, fold, hand_after
from companion.games.shisogari.options import HAND, NEEDED, SEATS, Deal, Setup
from companion.games.shisogari.replay import REPLAY
from companion.games.shisogari.state import Hand, Public


class PlacingTimer(SecretTimer):
    """Delay every placing to the same duration."""

    def seconds(self, public: Public) -> float | None:
        return public.options.place_seconds

    def default_actions(self, view: View) -> list[Action]:
        own: Hand = view.own
        assert own.picked is not None, "nothing was picked"
        found = partners(own.role, own.cards, own.picked)
        return [KEEP if None in found else Lay(str(found[0]))]


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
    laid = ("deal", "first")

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
            dealt: list[Event] = [GameSetUp(len(seats), options, unseen)]
        else:
            drawn = deal.check(setup.deal, seats) if setup.deal else deal.draw(seats, options, rng)
            dealt = _deal_events(drawn, seats, options)
        first = setup.first or (seats[0] if options.start == "first" else rng.choice(seats))
        is_whole = not any(isinstance(event, GameSetUp) and event.last for event in dealt)
        return [*dealt, TurnStarted(first) if is_whole else LastCardsOffered(first)]

    def initial(self) -> State:
        return State(EMPTY)

    def to_move(self, public: Public) -> Seat | None:
        return turns.to_move(public)

    def hands_are_real(self, setup: Setup) -> bool:
        return setup.options.hands == "cards"

    def secret_seat(self, public: Public) -> Seat | None:
        return turns.to_move(public) if public.step == "place" else None

    def sealed(self, view: View, actions: Sequence[Action]) -> Commitment:
        return Commitment("placing", ())

    def outcome(self, public: Public) -> Outcome | None:
        return public.outcome

    def legal_actions(self, view: View) -> Sequence[Action]:
        if view.seat is None or view.seat != turns.to_move(view.public):
            return ()
        return turns.legal(view.public, view.seat, view.own)

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Sequence[Event]:
        public: Public = state.public
        self.check_turn(public, seat)
        turns.check_legal(public, seat, action, state.private.get(seat))
        match action:
            case ChooseColour(colour=colour):
                return self._take_last(state, seat, colour)
            case Take(partner=partner):
                return [PartnerChosen(seat, "take", partner)]
            case Give(partner=partner):
                return [PartnerChosen(seat, "give", partner)]
            case Name(item=item):
                return [ItemNamed(seat, item)]
            case Pick(back=back):
                return self._pick(state, back, rng)
            case Lay(card=card):
                return self._place(state, seat, card)
            case Keep():
                return self._place(state, seat, None)
            case Accuse(suspect=suspect):
                return self._accuse(state, seat, suspect)
            case Report():
                return self._report(state, seat, action)
            case Count():
                return _count_events(public, action)
        return [Passed(seat), TurnStarted(turns.next_seat(public))]

    def evolve(self, state: State, event: Event) -> State:
        match event:
            case DealKept(deal=kept):
                return State(state.public, state.private, kept)
            case Dealt() | LastCardTaken() | CardPassed() | CardPlaced():
                return State(state.public, hand_after(dict(state.private), event), state.hidden)
            case PublicEvent():
                return State(fold(state.public, event), state.private, state.hidden)
        raise TypeError(f"not an event of this game: {type(event).__name__}")

    def describe(self, event: PublicEvent) -> Message:
        return messages.describe(event)

    def encode_view(self, view: View) -> dict[str, Any]:
        return messages.encode_view(view)

    def to_setup(self, state: State) -> dict[str, Any]:
        return to_builtins(Setup(state.public.options, state.hidden, state.public.turn))

    def resign(self, state: State, reason: str) -> Iterable[PublicEvent]:
        self.check_running(state.public)
        if reason != "agreed":
            raise IllegalAction("cannot_resign")
        return [*self._shown(state), GameOver("draw", "agreed")]

    def _take_last(self, state: State, seat: Seat, colour: Colour) -> list[Event]:
        """Return the events of a choice by colour. The deal fixes the card: the nth seat that
        chooses a colour gets its nth card.
        """
        public, dealt = state.public, state.hidden
        alike = [card for card in dealt.last if CARDS[card] == colour]
        card = alike[len(alike) - public.last.count(colour[0])]
        events: list[Event] = [ColourChosen(seat, colour), LastCardTaken(seat, card)]
        return events if len(public.last) > 1 else [*events, TurnStarted(turns.next_seat(public))]

    def _pick(self, state: State, back: int, rng: Random) -> list[Event]:
        transfer = state.public.transfer
        colour = LETTERS[state.public.backs[transfer.giver][back - 1]]
        behind = [card for card in state.private[transfer.giver].cards if CARDS[card] == colour]
        card = rng.choice(behind)
        return [
            CardPicked(transfer.picker, transfer.giver, back, colour),
            CardPassed(transfer.picker, transfer.giver, card),
        ]

    def _place(self, state: State, seat: Seat, beside: str | None) -> list[Event]:
        own: Hand = state.private[seat]
        card, transfer = str(own.picked), state.public.transfer
        turned = card in BITES and own.role == "hunter"
        placed = CardPlaced(seat, card, beside, turned)
        if beside is None:
            return self._after(state, [placed, CardKept(seat, CARDS[card])], turned=turned)
        up = is_real((card, beside)) and card == transfer.item
        return self._after(
            state, [placed, PairLaid(seat, CARDS[card], card if up else None)], turned=turned
        )

    def _after(self, state: State, events: list[Event], *, turned: bool = False) -> list[Event]:
        """Return the events and the next ones: the end, or the next turn."""
        state = self.fold(events, state)
        public: Public = state.public
        if not all(public.backs.values()):
            return [*events, *self._shown(state), GameOver("vampire", "hand_lost")]
        if turned and not any(own.role == "hunter" for own in state.private.values()):
            return [*events, *self._shown(state), GameOver("vampire", "all_bitten")]
        return [*events, TurnStarted(turns.next_seat(public))]

    def _shown(self, state: State) -> list[PublicEvent]:
        """Return the event that shows all cards; people turn over real ones themselves."""
        hands: dict[Seat, Hand] = dict(state.private)
        if not hands:
            return []
        return [
            CardsShown(
                {seat: own.role for seat, own in hands.items()},
                {seat: own.cards for seat, own in hands.items()},
                {seat: own.laid for seat, own in hands.items()},
            )
        ]

    def _accuse(self, state: State, seat: Seat, suspect: Seat) -> list[Event]:
        accused = Accused(seat, suspect)
        if state.public.options.hands == "cards":
            return [accused]
        hands: dict[Seat, Hand] = {name: state.private[name] for name in state.public.backs}
        pairs = sum(turns.counted_pairs(own, state.public.options) for own in hands.values())
        hunters = sum(own.role == "hunter" for own in hands.values())
        is_vampire = hands[suspect].role == "vampire"
        return [
            accused,
            *self._shown(state),
            *_verdict_events(state.public, pairs, hunters, suspect, is_vampire),
        ]

    def _report(self, state: State, seat: Seat, report: Report) -> list[Event]:
        transfer = state.public.transfer
        match report:
            case Report(laid="none"):
                public_event: PublicEvent = CardKept(transfer.picker, None)
            case Report(laid="up"):
                public_event = PairLaid(transfer.picker, CARDS[transfer.item], transfer.item)
            case _:
                public_event = PairLaid(transfer.picker, report.colour or "white", None)
        return self._after(state, [public_event])


def _deal_events(dealt: Deal, seats: Sequence[Seat], options: Any) -> list[Event]:
    shown = {str(seat): backs(dealt.hands[seat]) for seat in seats}
    boxed = deal.cards_in_box(dealt)
    private_events: list[PrivateEvent] = [
        Dealt(seat, role, dealt.hands[seat], boxed if role == "vampire" else ())
        for seat in seats
        for role in [dealt.roles[seat]]
    ]
    return [
        GameSetUp(len(seats), options, shown, backs(dealt.last)),
        *private_events,
        DealKept(dealt),
    ]


def _count_events(public: Public, count: Count) -> list[Event]:
    assert public.accused is not None, "nobody was accused"
    return _verdict_events(
        public, count.pairs, count.hunters, public.accused.suspect, count.is_vampire
    )


def _verdict_events(
    public: Public, pairs: int, hunters: int, suspect: Seat, is_vampire: bool
) -> list[Event]:
    """Return the count and the end: the Hunters win if they are enough and accuse the Vampire."""
    needed = NEEDED[public.players]
    counted = PairsCounted(pairs, hunters, needed, suspect, is_vampire)
    enough = pairs + hunters >= needed
    winner: Literal["hunters", "vampire"] = "hunters" if enough and is_vampire else "vampire"
    reason: Literal["vampire_found", "wrong_suspect", "too_few"] = (
        "wrong_suspect" if not is_vampire else "vampire_found" if enough else "too_few"
    )
    return [counted, GameOver(winner, reason)]
