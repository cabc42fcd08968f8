"""Decide the actions of V-Wars: revelation, actions, event, riot, new cards."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.core.codec import to_builtins
from companion.core.content import BOX, SAMPLE, load_packaged, strip_translations, translations_of
from companion.core.game import (
    Action,
    Draft,
    Event,
    Game,
    PublicEvent,
    Seat,
    State,
    StatusWords,
    View,
)  # fmt: skip
from companion.games.vwars import actions, deal, events, physical_cards, riots, turns
from companion.games.vwars.actions import ACTIONS
from companion.games.vwars.bots import VWarsBots
from companion.games.vwars.content import FORMAT, SIDES, Ask, Board, Cards, Election, other
from companion.games.vwars.events import EVENTS
from companion.games.vwars.legal import check_legal, has_free_move, legal, to_move
from companion.games.vwars.options import POOL, SEATS, Options, Setup
from companion.games.vwars.replay import REPLAY
from companion.games.vwars.state import Hidden, Public
from companion.games.vwars.victory import Finished, check, finish


class VWars(Game):
    """V-Wars; rulings where the rules are silent are `Options`, a content file has what the box
    prints.
    """

    name = "vwars"
    seats = range(3, 6)
    actions = ACTIONS
    events = EVENTS
    setup_type = Setup
    bots = VWarsBots()
    replay = REPLAY
    status_words = StatusWords(places={"city": "cities", "region": "regions"})
    random_fields = ("deal",)
    custom_setup = ("deal", "content")
    chosen = ("roles",)
    content = FORMAT

    def seat_names(self, players: int) -> tuple[Seat, ...]:
        return SEATS[:players]

    def setup(self, seats: Sequence[Seat], setup: Setup, rng: Random) -> list[Event]:
        chosen = deal.content_of(setup, self._contents(), self.content_names)
        content = None if chosen is None else strip_translations(chosen)
        deal.check_roles(setup, seats, content)
        dealt = (
            deal.check(setup.deal, seats, content, setup.options)
            if setup.deal
            else deal.draw(seats, content, setup.options, rng, setup.roles)
        )
        return [*deal.setup_events(replace(setup, content=content, deal=dealt), seats)]

    def _contents(self) -> Mapping[str, Cards]:
        ours = {SAMPLE: sample_cards()}
        return ours | {
            name: content for name, content in self.contents.items() if isinstance(content, Cards)
        }

    def setup_of_board(self, content: Board | Cards) -> dict[str, Any]:
        return {"map": to_builtins(Setup(map=deal.map_of(content)))["map"]}

    def is_sample(self, public: Public) -> bool:
        return public.sample

    def choices(self, setup: Setup) -> dict[str, list[dict[str, Any]]]:
        if setup.options.roles == "dealt" or setup.options.content == BOX or setup.deal is not None:
            return {}
        content = setup.content or self._contents().get(setup.options.content)
        if content is None:
            return {}
        cities = {city.id: city.name for city in content.city}
        return {
            "roles": [
                to_builtins(role) | {"start": cities.get(role.start, "")} for role in content.role
            ]
        }

    def initial(self) -> State:
        return State(Public(Options()))

    def to_move(self, public: Public) -> Seat | None:
        return to_move(public)

    def reference(self, public: Public) -> dict[str, Any]:
        return {"translations": translations_of(self._contents().get(public.options.content))}

    def legal_actions(self, view: View) -> Sequence[Action]:
        if view.seat is None or view.seat != to_move(view.public):
            return ()
        return legal(view.public, view.seat, view.own)

    def decide(self, state: State, seat: Seat, action: Action, rng: Random) -> Draft:
        self.check_turn(state.public, seat)
        check_legal(state.public, seat, action, state.private.get(seat))
        draft = Draft(self.evolve, state)
        with contextlib.suppress(Finished):
            _act(draft, seat, action, rng)
        return draft

    def encode_view(self, view: View) -> dict[str, Any]:
        public: Public = view.public
        # The current strengths: actions after the riot's turn change the troops that they count.
        strengths = (
            {side: riots.strength_of(public, side) for side in SIDES} if public.riot else None
        )
        return {
            **super().encode_view(view),
            "controlled": public.controlled,
            "martial": public.martial,
            "strengths": strengths,
        }

    def to_setup(self, state: State) -> dict[str, Any]:
        hidden: Hidden = state.hidden
        return to_builtins(hidden.setup)

    def endings(self, state: State) -> Mapping[str, Sequence[PublicEvent]]:
        factions = {str(seat): hand.faction for seat, hand in state.private.items()}
        return {"agreed": [events.GameOver("draw", "agreed", factions)]}


@cache
def sample_cards() -> Cards:
    """Return our invented cards."""
    return load_packaged(__package__, "sample.toml", Cards)


def _act(draft: Draft, seat: Seat, action: Action, rng: Random) -> None:
    public = turns.public_of(draft)
    match action:
        case actions.Put(card=card):
            turns.put(draft, seat, card)
        case actions.Answer(yes=yes):
            _take_answer(draft, rng, yes=yes)
        case actions.End():
            turns.resolve_event(draft, rng)
        case actions.Riot():
            if riots.begin_riot(draft, rng):
                turns.after_riot(draft, rng)
        case actions.Stay():
            draft.emit(events.Stayed(seat))
            if not turns.public_of(draft).asked:
                riots.rally_over(draft, used=False)
                turns.after_riot(draft, rng)
        case actions.Discard(card=card):
            riots.discard_card(draft, seat, card)
            turns.new_cards(draft, rng)
        case actions.Turn() | actions.Strength():
            physical_cards.take_riot_card(draft, action, rng)
        case actions.NoMore() if public.step == "turning":
            physical_cards.take_riot_card(draft, action, rng)
        case actions.NoMore():
            physical_cards.take_next_riot(draft, None)
        case actions.Swing():
            physical_cards.take_sympathy_change(draft, action, rng)
        case actions.Refilled():
            physical_cards.take_refill(draft, action)
        case actions.Elect() | actions.Done() | actions.NoEvent():
            _choose(draft, action, rng)
        case _ if isinstance(action, actions.EventChange):
            _choose(draft, action, rng)
        case _:
            _take_action(draft, seat, action, rng)


def _take_action(draft: Draft, seat: Seat, action: Action, rng: Random) -> None:
    """Take an action of a turn, or of a rally."""
    public = turns.public_of(draft)
    player = public.players[seat]
    is_rally = public.step == "rally"
    match action:
        case actions.Reveal():
            turns.reveal(draft, seat, costs=not is_rally)
        case actions.Move(city=city):
            draft.emit(events.Moved(seat, city, has_free_move(public, seat)))
        case actions.Deploy(city=city):
            turns.ask_cards(draft, seat, (seat,), None, city)
        case actions.Assassinate():
            draft.emit(events.Assassinated(seat, player.city, other(player.side)))
        case actions.Place(to=to, partner=partner):
            pile = POOL if to == "pool" else public.cities[player.city].region
            turns.ask_cards(
                draft, seat, (seat,) if partner is None else (seat, partner), pile, None
            )
        case actions.Investigate(target=target) if public.options.factions == "phones":
            turns.investigate(
                draft, seat, target, right=draft.state.private[target].faction == "vampire"
            )
        case actions.Investigate(target=target):
            draft.emit(events.PlayerAsked(seat, target, "investigate"))
        case actions.Awaken(target=target) if public.options.factions == "phones":
            turns.awaken(
                draft, seat, target, joins=draft.state.private[target].faction == "infected"
            )
        case actions.Awaken(target=target):
            draft.emit(events.PlayerAsked(seat, target, "awaken", is_rally))
            return
    if is_rally:
        riots.rally_over(draft, used=True)
        turns.after_riot(draft, rng)
    else:
        check(draft)


def _take_answer(draft: Draft, rng: Random, *, yes: bool) -> None:
    """Take the answer of a real faction card."""
    question = turns.public_of(draft).question
    assert question is not None, "nobody was asked"
    if question.what == "investigate":
        turns.investigate(draft, question.seat, question.target, right=yes)
        check(draft)
        return
    turns.awaken(draft, question.seat, question.target, joins=yes)
    if question.rallying:
        riots.rally_over(draft, used=True)
        turns.after_riot(draft, rng)


def _choose(draft: Draft, action: Action, rng: Random) -> None:
    """Take the answer to an event, a set-up or a new riot card."""
    public = turns.public_of(draft)
    match public.step, action:
        case "setup", actions.PickCity(city=city):
            physical_cards.take_setup_city(draft, city)
            return
        case "soon", actions.PickCity(city=city):
            physical_cards.take_next_riot(draft, city)
            return
    effect, *rest = public.effects
    match effect, action:
        case _, actions.NoEvent():
            finish(draft, ("vampires", "no_events"))
        case _, actions.Done():
            turns.apply_effects(draft, tuple(rest), rng)
        case Ask(), actions.Elect(side=side):
            turns.elect(draft, str(public.picked_region), side)
        case Election(region=region), actions.Elect(side=side):
            turns.elect(draft, region, side)
            turns.apply_effects(draft, tuple(rest), rng)
        case Ask(), _ if isinstance(action, actions.EventChange):
            physical_cards.take_event_change(draft, action)
        case _, actions.PickCity(city=city):
            turns.apply_effects(draft, (turns.effect_with_choice(effect, city=city), *rest), rng)
        case _, actions.PickRegion(region=region):
            turns.apply_effects(
                draft, (turns.effect_with_choice(effect, region=region), *rest), rng
            )
