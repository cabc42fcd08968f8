"""Decide the actions of Vampire Empire: turns, fights and support cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from companion.core.codec import to_builtins
from companion.core.content import (
    BOX,
    SAMPLE,
    strip_translations,
    translations_of,
)
from companion.core.game import (
    Action,
    Draft,
    Event,
    Game,
    IllegalAction,
    InvalidSetup,
    PublicEvent,
    Seat,
    State,
    View,
)
from companion.core.shape import check_content
from companion.games.vampire_empire import actions, deal, events, turns
from companion.games.vampire_empire.actions import ACTIONS, Cancel, PutMarker, Remake, Swap
from companion.games.vampire_empire.bots import VampireEmpireBots
from companion.games.vampire_empire.cards import (
    CHARACTERS,
    FORMAT,
    HUMAN,
    SEATS,
    VAMPIRE,
    Decks,
    Mark,
    Pile,
    Search,
    faults,
    sample_decks,
)
from companion.games.vampire_empire.events import EVENTS
from companion.games.vampire_empire.options import (
    CASTLE,
    HAND,
    HIDE_COST,
    PASS_COST,
    WATER_COST,
    Options,
    Setup,
)
from companion.games.vampire_empire.replay import REPLAY
from companion.games.vampire_empire.state import Combat, Laid, Own, Public
from companion.games.vampire_empire.turn_flow import TurnFlow


class VampireEmpire(Game):
    """Vampire Empire; rulings where the rulebook is silent are `Options`."""

    name = "vampire_empire"
    seats = range(2, 3)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    bots = VampireEmpireBots()
    replay = REPLAY
    random_fields = ("deal",)
    custom_setup = ("deal", "content")
    content = FORMAT
    interrupts = (PutMarker, Cancel, Swap, Remake)

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return SEATS

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        options, chosen = setup.options, self._content(setup)
        content = None if chosen is None else strip_translations(chosen)
        drawn = deal.check(setup.deal, content) if setup.deal else deal.draw(content, rng)
        hands = {seat: min(HAND, len(cards)) for seat, cards in drawn.decks.items()}
        counts = {seat: len(cards) for seat, cards in drawn.decks.items()}
        title, sample = ("", False) if content is None else (content.title, content.sample)
        castle = drawn.city[:CASTLE]
        set_up = events.GameSetUp(
            len(seats), options, title, sample, castle, len(CHARACTERS) - len(castle), {}, counts
        )
        draft = TurnFlow(self.evolve, self.initial(), rng=rng)
        draft.emit(set_up, *([] if content is None else [events.CardsListed(content.card)]))
        draft.emit(
            events.CharactersDealt(VAMPIRE, drawn.vampires),
            events.CharactersDealt(HUMAN, drawn.trusted),
        )
        draft.emit(events.DealKept(drawn, content))
        for seat in hands:
            draft.draw(Seat(seat), hands[seat])
        draft.emit(events.TurnStarted(VAMPIRE))
        return draft.events

    def _content(self, setup: Setup) -> Decks | None:
        """Return the decks of a set-up, None with real cards; raise `InvalidSetup`."""
        name = setup.options.content
        if setup.content is not None:
            if name == BOX:
                raise InvalidSetup("vampire_empire_decks")
            check_content(setup.content, faults, "vampire_empire_decks")
            return setup.content
        if name == BOX:
            return None
        if name == SAMPLE:
            return sample_decks()
        if name not in self.contents:
            raise InvalidSetup("no_such_content", name=name, allowed=", ".join(self.content_names))
        content = self.contents[name]
        assert isinstance(content, Decks)
        return content

    def initial(self) -> State:
        return State(Public(Options()))

    def to_move(self, public: Public) -> Seat | None:
        return turns.acting(public)

    def is_sample(self, public: Public) -> bool:
        return public.sample

    def reference(self, public: Public) -> dict[str, Any]:
        content = {SAMPLE: sample_decks(), **self.contents}.get(public.options.content)
        return {
            "cards": {name: to_builtins(card) for name, card in public.cards.items()},
            "translations": translations_of(content),
        }

    def legal_actions(self, view: View) -> Sequence[Action]:
        if view.seat is None or view.own is None:
            return ()
        return turns.legal(view.public, view.seat, view.own)

    def encode_view(self, view: View) -> dict[str, Any]:
        public: Public = view.public
        fight = public.fight
        return {
            **{
                name: msgspec.to_builtins(getattr(public, name))
                for name in public.__struct_fields__
                if name not in ("cards", "outcome")
            },
            "sums": list(turns.sums(public, fight)) if fight else None,
            "has_real_cards": public.has_real_cards,
            "acting": turns.acting(public),
            "own": msgspec.to_builtins(view.own),
        }

    def to_setup(self, state: State) -> dict[str, Any]:
        hidden = state.hidden
        setup = Setup(state.public.options, hidden.deal, hidden.content)
        return {name: value for name, value in to_builtins(setup).items() if value is not None}

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        deal = state.hidden.deal
        identities = events.IdentitiesShown(deal.vampires, deal.trusted)
        return {"agreed": [identities, events.GameOver("draw", "agreed")]}

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        public: Public = state.public
        if public.outcome is not None:
            raise IllegalAction("game_is_over")
        own: Own | None = state.private.get(seat)
        if own is None or action not in turns.legal(public, seat, own):
            raise _refusal(public, seat, own, action)
        draft = TurnFlow(self.evolve, state, rng=rng)
        _take(draft, seat, action)
        return draft


def _take(draft: TurnFlow, seat: Seat, action: Action) -> None:
    """Take a legal action with all its consequences."""
    match action:
        case actions.Discard(card=card, pile=pile):
            draft.emit(events.CardDiscarded(seat, pile), events.CardGone(seat, card, pile))
        case actions.Draw():
            draft.draw(seat, HAND - draft.public.piles[seat].hand)
            _drawn(draft, seat)
        case actions.DrawNone():
            _drawn(draft, seat)
        case actions.Reveal(character=character):
            draft.reveal(character)
            draft.begin_action()
        case actions.Proceed() if draft.public.step == "reveal":
            draft.begin_action()
        case actions.Proceed():
            draft.finish()
        case actions.Decline(rest_of_turn=rest_of_turn):
            draft.emit(events.SupportDeclined(seat, rest_of_turn))
            draft.decline()
        case actions.Hide() | actions.HolyWater() | actions.Pass():
            _begin(draft, seat, action)
        case actions.Pay(card=card):
            _pay(draft, seat, card)
        case actions.PayValue(value=value):
            _take_payment(draft, seat, events.CardPaid(seat, None, value))
        case actions.Enter(character=character):
            draft.enter(character)
        case actions.NoCards():
            draft.emit(events.PlayerOut(seat))
            draft.finish()
        case actions.Fight() | actions.Lay() | actions.LayValue() | actions.Done():
            _fight(draft, seat, action)
        case _:
            _support(draft, seat, action)


def _drawn(draft: TurnFlow, seat: Seat) -> None:
    """Continue after the first step; only the vampire player has a second one."""
    if seat == VAMPIRE:
        draft.step("reveal")
    else:
        draft.begin_action()


def _begin(
    draft: TurnFlow, seat: Seat, action: actions.Hide | actions.HolyWater | actions.Pass
) -> None:
    """Begin an action that costs cards; with real cards only holy water's values are public."""
    has_real_cards = draft.public.has_real_cards
    match action:
        case actions.HolyWater(character=character):
            draft.emit(events.ActionBegun(seat, "holy_water", WATER_COST, character))
        case actions.Hide(character=character) if has_real_cards:
            draft.hide(character)
            draft.finish()
        case actions.Hide(character=character):
            draft.emit(events.ActionBegun(seat, "hide", HIDE_COST, character))
        case actions.Pass():
            count = 0 if has_real_cards else min(PASS_COST, draft.public.piles[seat].hand)
            if count:
                draft.emit(events.ActionBegun(seat, "pass", count))
            else:
                draft.finish()


def _pay(draft: TurnFlow, seat: Seat, card: str) -> None:
    """Pay a card. Vampire and holy water cards lie open; the price of a pass or a support lies face
    down.
    """
    payment = draft.public.payment
    assert payment is not None
    if payment.what in ("hide", "holy_water"):
        _take_payment(draft, seat, events.CardPaid(seat, card, draft.public.cards[card].value))
    else:
        _take_payment(draft, seat, events.CardPaid(seat, None), events.CardGone(seat, card, "moat"))


def _take_payment(draft: TurnFlow, seat: Seat, *paid: Event) -> None:
    payment = draft.public.payment
    assert payment is not None
    draft.emit(*paid)
    if draft.public.payment is not None:
        return
    match payment.what:
        case "hide":
            draft.hide(str(payment.character))
            draft.finish()
        case "pass":
            draft.finish()
        case "holy_water":
            _answer(draft, str(payment.character))
        case "support":
            _resume(draft, seat)


def _answer(draft: TurnFlow, character: str) -> None:
    """Show the answer of holy water until people confirm it; then a vampire in the castle may be
    attacked. The step is public, so it does not depend on the hand.
    """
    is_vampire = character in draft.hidden.deal.vampires
    draft.emit(events.HolyWaterAnswered(character, is_vampire))
    if is_vampire:
        draft.reveal(character)
    draft.step("chance" if is_vampire and character in draft.public.castle else "answer")


def _fight(draft: TurnFlow, seat: Seat, action: Action) -> None:
    match action:
        case actions.Fight(attacker=attacker, target=target):
            counted = Laid(None, 0)
            if draft.public.step == "chance":
                counted = min(draft.public.water, key=lambda laid: laid.value)
            draft.emit(events.FightBegun(seat, attacker, target, counted.card, counted.value))
        case actions.Lay(card=card):
            side = turns.side_of(draft.public.running_fight, seat)
            draft.emit(events.CardLaid(seat, side, card, draft.public.cards[card].value))
        case actions.LayValue(value=value):
            side = turns.side_of(draft.public.running_fight, seat)
            draft.emit(events.CardLaid(seat, side, None, value))
        case actions.Done():
            _end_laying(draft, seat, draft.public.running_fight)


def _end_laying(draft: TurnFlow, seat: Seat, fight: Combat) -> None:
    is_active = seat == fight.by
    if is_active and fight.round > 1 and not fight.laid_now:
        draft.end_fight(None)
    elif is_active and not fight.opened and not turns.is_opened(draft.public, fight):
        _call_off(draft)
    else:
        draft.emit(events.LayingEnded(seat))
        if not is_active:
            draft.end_round()


def _call_off(draft: TurnFlow) -> None:
    """End a fight whose first cards do not exceed the marker: with real cards, or since a support's
    cost took the cards. Another action may follow, except after holy water, which was the action.
    """
    draft.emit(events.FightEnded(None))
    if draft.public.water:
        draft.finish()
    else:
        draft.begin_action()


def _support(draft: TurnFlow, seat: Seat, action: Action) -> None:
    match action:
        case actions.PlaySupport(card=card):
            draft.emit(events.SupportPlayed(seat, card, turns.cost(draft.public, card)))
        case actions.PutMarker(character=character, side=side):
            effect = draft.public.support.effects[0] if draft.public.support else None
            size = effect.size if isinstance(effect, Mark) else draft.public.options.marker_size
            draft.emit(events.MarkerPut(character, side, size))
        case actions.Cancel(side=side, number=number):
            draft.emit(events.CardCancelled(side, number))
        case actions.Swap(character=character):
            draft.hide(character)
        case actions.Remake():
            draft.emit(events.DeckRemade(seat, 0))
            return
        case actions.Take(card=card):
            pile = _searched_pile(draft.public)
            draft.emit(events.CardFound(seat, pile), events.CardTaken(seat, card, pile))
            if pile == "deck":
                draft.shuffle(seat)
    if not isinstance(action, actions.PlaySupport) and draft.public.support is not None:
        draft.emit(events.SupportEnded(seat))
    _resume(draft, seat)


def _resume(draft: TurnFlow, seat: Seat) -> None:
    """Apply the effects of a support. The opponent can answer one that the active player played
    before the action.
    """
    draft.resume()
    public = draft.public
    is_before = public.step == "action" and public.window is None and seat == public.turn
    if is_before and public.support is None and public.payment is None:
        draft.ask_before()


def _searched_pile(public: Public) -> Pile:
    assert public.support is not None
    effect = public.support.effects[0]
    assert isinstance(effect, Search)
    return effect.pile


def _refusal(public: Public, seat: Seat, own: Own | None, action: Action) -> IllegalAction:
    """Return the rule that forbids an action."""
    mover = turns.acting(public)
    if own is None or (seat != mover and not isinstance(action, VampireEmpire.interrupts)):
        return IllegalAction("not_your_turn", seat=seat, to_move=str(mover))
    match action:
        case (
            actions.Discard(card=card)
            | actions.Pay(card=card)
            | actions.Lay(card=card)
            | actions.PlaySupport(card=card)
        ) if not public.has_real_cards and card not in own.hand:
            return IllegalAction("vampire_empire_no_card")
        case actions.Lay() | actions.LayValue() if (
            public.fight is not None and public.window is None
        ):
            return IllegalAction("vampire_empire_card_not_valid")
        case actions.Discard(pile="cellar") if public.step == "discard":
            return IllegalAction("vampire_empire_cellar_closed")
        case actions.Draw() | actions.DrawNone() if public.step == "discard":
            must_trim = public.options.trim and len(own.hand) > HAND
            return (
                IllegalAction("vampire_empire_trim", n=HAND)
                if must_trim
                else IllegalAction("vampire_empire_draw_none")
            )
        case actions.Pay() if public.payment is not None:
            return IllegalAction(f"vampire_empire_pay_{public.payment.what}")
        case actions.Done() if public.fight is not None and public.window is None:
            return IllegalAction("vampire_empire_opening")
        case actions.Fight() if public.step == "action" and public.payment is None:
            return _refused_fight(public, seat, action)
        case actions.Hide() | actions.HolyWater() if (
            public.step == "action" and public.payment is None
        ):
            return IllegalAction(
                "vampire_empire_hide"
                if isinstance(action, actions.Hide)
                else "vampire_empire_water"
            )
        case actions.PlaySupport(card=card):
            return _refused_support(public, seat, own, card)
    return IllegalAction("not_at_this_step")


def _refused_fight(public: Public, seat: Seat, fight: actions.Fight) -> IllegalAction:
    if fight.attacker == fight.target or not {fight.attacker, fight.target} <= set(public.castle):
        return IllegalAction("vampire_empire_two_characters")
    if fight.attacker not in turns.attackers(public, seat):
        return IllegalAction(
            "vampire_empire_attacker_shown"
            if seat == HUMAN
            else "vampire_empire_attacker_not_shown"
        )
    return IllegalAction("vampire_empire_opening")


def _refused_support(public: Public, seat: Seat, own: Own, card: str) -> IllegalAction:
    if public.cards[card].kind != "support":
        return IllegalAction("vampire_empire_no_support")
    if (
        public.step not in ("action", "fight", "end")
        or public.payment is not None
        or public.support is not None
    ):
        return IllegalAction("not_at_this_step")
    if seat in public.waived:
        return IllegalAction("vampire_empire_declined")
    now = "fight" if public.fight is not None else "open"
    if public.cards[card].when not in (now, "both"):
        return IllegalAction(f"vampire_empire_support_{public.cards[card].when}")
    if turns.cost(public, card) >= len(own.hand):
        return IllegalAction("vampire_empire_cost", n=turns.cost(public, card))
    return IllegalAction("vampire_empire_no_use")
