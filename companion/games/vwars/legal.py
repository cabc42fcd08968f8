"""List the legal actions of each step, and give the reason for refusals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from companion.core.game import Action, IllegalAction, Seat
from companion.games.vwars import actions
from companion.games.vwars.content import (
    SIDES,
    Ask,
    CityEffect,
    DeployCount,
    Doing,
    Election,
    ExtraMove,
    Forbid,
    LastingEffect,
    RiotStrength,
    Side,
    other,
)  # fmt: skip
from companion.games.vwars.options import ACTIONS_EACH, POOL, TROOPS, TYPED
from companion.games.vwars.state import Hand, Player, Public

SWINGS = tuple(range(-6, 7))
CHANGES = tuple(change for change in range(-6, 7) if change)


def to_move(public: Public) -> Seat | None:
    """Return the seat that acts next; another player may have to give a card, answer or rally."""
    if public.outcome is not None:
        return None
    match public.step:
        case "card":
            return public.due.seats[0] if public.due else None
        case "answer":
            return public.question.target if public.question else None
        case "rally":
            return public.asked[0] if public.asked else public.turn
    return public.turn


def legal(public: Public, seat: Seat, own: Hand | None) -> Sequence[Action]:
    """Return the legal actions of the seat to move; `own` is None if it is unknown."""
    if own is None and public.options.factions == "phones":
        return ()
    return [*_offers(public, seat, own)]


def _offers(public: Public, seat: Seat, own: Hand | None) -> Iterator[Action]:
    match public.step:
        case "setup":
            yield from (actions.PickCity(city) for city in public.cities if _may_type(public, city))
        case "turn":
            yield from _turn(public, seat, own)
        case "card" if own is not None:
            yield from (actions.Put(card) for card in dict.fromkeys(own.cards))
        case "answer":
            yield from (actions.Answer(True), actions.Answer(False))
        case "event":
            yield from _event(public)
        case "riot":
            yield actions.Riot()
        case "turning":
            yield from (actions.Turn(side, value) for side in SIDES for value in range(1, 10))
            if public.typed < TYPED:
                yield from (actions.Strength(side, change) for side in SIDES for change in CHANGES)
            yield actions.NoMore()
        case "rally":
            yield from _rally(public, seat, own)
        case "swing":
            yield from (actions.Swing(change) for change in SWINGS)
        case "discard" if public.riot:
            yield from (actions.Discard(card) for card in dict.fromkeys(public.riot.cards))
        case "soon":
            yield from (actions.PickCity(city) for city in public.cities)
            yield actions.NoMore()
        case "refill":
            yield from (actions.Refilled(True), actions.Refilled(False))


def _may_type(public: Public, city: str) -> bool:
    """Return whether the set-up may name this city: it never draws a city twice."""
    drawn = public.to_type[0].what in ("vampires", "troops")
    return not drawn or public.cities[city].vampire == 0


def lasting(public: Public, seat: Seat) -> list[LastingEffect]:
    """Return the effects of the player's role and of its region's law, for its apparent side."""
    player = public.players[seat]
    role = player.role
    effects: list[LastingEffect] = list(
        (role.vampire_effects if player.vampire else role.human_effects) if role else ()
    )
    law = public.regions[public.cities[player.city].region].law
    if law is not None:
        effects += [
            effect
            for effect in law.effects
            if not isinstance(effect, ExtraMove) or law.side == player.side
        ]
    return effects


def is_forbidden(public: Public, seat: Seat, doing: Doing) -> bool:
    """Return whether a law or a role forbids a player this kind of action."""
    side = public.players[seat].side
    return any(
        isinstance(effect, Forbid) and effect.side == side and effect.action == doing
        for effect in lasting(public, seat)
    )


def troops_per_deployment(public: Public, seat: Seat) -> int:
    """Return the number of troops of one deployment by the player."""
    side = public.players[seat].side
    return 1 + sum(
        effect.count
        for effect in lasting(public, seat)
        if isinstance(effect, DeployCount) and effect.side == side
    )


def has_free_move(public: Public, seat: Seat) -> bool:
    """Return whether a law or a role lets the player move without using an action."""
    return public.moved_free < free_moves(public, seat)


def free_moves(public: Public, seat: Seat) -> int:
    """Return the number of moves of a turn that use no action, where the player stands."""
    return sum(effect.count for effect in lasting(public, seat) if isinstance(effect, ExtraMove))


def riot_bonus(public: Public, side: Side, city: str) -> int:
    """Return the change of a side's strength by the region's law and the roles of the players in
    the city.
    """
    law = public.regions[public.cities[city].region].law
    effects: list[LastingEffect] = list(law.effects) if law else []
    for player in public.players.values():
        if player.city == city and player.role:
            effects += player.role.vampire_effects if player.vampire else player.role.human_effects
    typed = (public.riot.human if side == "human" else public.riot.vampire) if public.riot else 0
    return typed + sum(
        effect.change
        for effect in effects
        if isinstance(effect, RiotStrength) and effect.side == side
    )


def _turn(public: Public, seat: Seat, own: Hand | None) -> Iterator[Action]:
    player = public.players[seat]
    if may_reveal(public, own) and public.actions_left == ACTIONS_EACH and not public.moved_free:
        yield actions.Reveal()
    if (public.actions_left or has_free_move(public, seat)) and not is_forbidden(
        public, seat, "move"
    ):
        yield from (actions.Move(city) for city in _reachable(public, player))
    if public.actions_left:
        yield from _actions(public, seat, player, own)
    yield actions.End()


def _actions(public: Public, seat: Seat, player: Player, own: Hand | None) -> Iterator[Action]:
    if player.hand != 0:
        if not is_forbidden(public, seat, "deploy"):
            yield from (actions.Deploy(city) for city in _deployable(public, player))
        if not is_forbidden(public, seat, "place"):
            partners = _partners(public, seat)
            for to in ("region", "pool"):
                yield from (actions.Place(to, partner) for partner in partners)
    enemies = public.cities[player.city].troops(other(player.side))
    if enemies and not is_forbidden(public, seat, "assassinate"):
        yield actions.Assassinate()
    if may_investigate(public, seat, own) and not is_forbidden(public, seat, "investigate"):
        yield from (actions.Investigate(target) for target in public.players if target != seat)
    if player.vampire and not is_forbidden(public, seat, "awaken"):
        yield from (actions.Awaken(target) for target in beside(public, seat))


def may_reveal(public: Public, own: Hand | None) -> bool:
    """Return whether a seat holds the unrevealed Vampire card; with real cards only people know."""
    return not public.vampires() and (own is None or own.faction == "vampire")


def may_investigate(public: Public, seat: Seat, own: Hand | None) -> bool:
    """Return whether a seat may name the Vampire: not the holder of that card."""
    return (
        public.players[seat].token
        and not public.vampires()
        and (own is None or own.faction != "vampire")
    )


def beside(public: Public, seat: Seat) -> list[Seat]:
    """Return the other players in the player's city who are not public vampires."""
    city = public.players[seat].city
    return [
        one
        for one, player in public.players.items()
        if one != seat and player.city == city and not player.vampire
    ]


def called_at_rally(public: Public, seat: Seat) -> list[Seat]:
    """Return the players whom a public vampire may call after a vampire rally."""
    if public.options.rally_awakening == "same_city":
        return beside(public, seat)
    return [one for one, player in public.players.items() if one != seat and not player.vampire]


def _reachable(public: Public, player: Player) -> list[str]:
    home = public.cities[player.city].region
    near = {home, *public.regions[home].adjacent}
    return [
        id
        for id, city in public.cities.items()
        if city.region in near and id != player.city and not (player.vampire and city.martial)
    ]


def _deployable(public: Public, player: Player) -> list[str]:
    home, cap = public.cities[player.city].region, public.options.troop_cap
    return [
        id
        for id, city in public.cities.items()
        if city.region == home and (cap == "none" or city.troops(player.side) < TROOPS)
    ]


def _partners(public: Public, seat: Seat) -> list[Seat | None]:
    """Return the players who may be named to place a card too: those of the apparent faction who
    hold one, or None for nobody.
    """
    side = public.players[seat].side
    partners: list[Seat | None] = [
        one
        for one, player in public.players.items()
        if one != seat and player.side == side and player.hand != 0
    ]
    return partners or [None]


def _event(public: Public) -> Iterator[Action]:
    """Yield the choices of the active player for the event's first open effect."""
    match public.effects[0]:
        case effect if isinstance(effect, CityEffect):
            yield from (actions.PickCity(city) for city in public.cities)
        case Election(region="choose"):
            yield from (actions.PickRegion(region) for region in public.regions)
        case Election():
            yield from (actions.Elect(side) for side in SIDES)
        case Ask():
            yield from _typing(public)


def _typing(public: Public) -> Iterator[Action]:
    if public.typed < TYPED:
        yield from (actions.PickCity(city) for city in public.cities if city != public.picked)
        if public.picked:
            yield from (
                actions.Troops(side, change)
                for side in SIDES
                for change in CHANGES
                if public.cities[public.picked].troops(side) + change >= 0
            )
            now = public.cities[public.picked].control
            yield from (actions.Control(side) for side in SIDES if side != now)
            yield from (
                actions.Martial(holds)
                for holds in (True, False)
                if can_set_martial_law(public, public.picked, holds)
            )
        yield from (
            actions.Sympathy(change) for change in CHANGES if 0 <= public.sympathy + change <= 16
        )
        if public.has_real_cards:
            yield from (
                actions.PickRegion(region)
                for region in public.regions
                if region != public.picked_region
            )
            if public.picked_region:
                yield from (actions.Elect(side) for side in SIDES)
            if not public.typed and not public.picked and not public.picked_region:
                yield actions.NoEvent()
    yield actions.Done()


def can_set_martial_law(public: Public, city: str, holds: bool) -> bool:
    """Return whether martial law may end in a city, or begin: humans must control it, in a region
    without martial law.
    """
    there = public.cities[city]
    if not holds:
        return there.martial
    return there.control == "human" and not public.under_martial_law(there.region)


def _rally(public: Public, seat: Seat, own: Hand | None) -> Iterator[Action]:
    if public.vampires():
        yield from (actions.Awaken(target) for target in called_at_rally(public, seat))
    elif may_reveal(public, own):
        yield actions.Reveal()
    yield actions.Stay()


STEPS: dict[type[Action], tuple[str, ...]] = {
    actions.Reveal: ("turn", "rally"), actions.Awaken: ("turn", "rally"), actions.Put: ("card",),
    actions.Answer: ("answer",), actions.Riot: ("riot",), actions.Stay: ("rally",),
    actions.PickCity: ("setup", "event", "soon"), actions.PickRegion: ("event",),
    actions.Elect: ("event",), actions.Troops: ("event",), actions.Control: ("event",),
    actions.Martial: ("event",), actions.Sympathy: ("event",), actions.Done: ("event",),
    actions.NoEvent: ("event",), actions.Turn: ("turning",), actions.Strength: ("turning",),
    actions.NoMore: ("turning", "soon"), actions.Swing: ("swing",), actions.Discard: ("discard",),
    actions.Refilled: ("refill",),
}  # fmt: skip
FORBIDDEN: dict[type[Action], Doing] = {
    actions.Move: "move", actions.Deploy: "deploy", actions.Assassinate: "assassinate",
    actions.Place: "place", actions.Investigate: "investigate", actions.Awaken: "awaken",
}  # fmt: skip


def check_legal(public: Public, seat: Seat, action: Action, own: Hand | None) -> None:
    """Raise `IllegalAction`, naming the rule that forbids the action here and now."""
    if action not in legal(public, seat, own):
        raise IllegalAction(_why_not(public, seat, action, own))


def _why_not(public: Public, seat: Seat, action: Action, own: Hand | None) -> str:
    if public.step not in STEPS.get(type(action), ("turn",)):
        return "not_at_this_step"
    if public.step != "turn":
        return "not_offered"
    doing = FORBIDDEN.get(type(action))
    if doing and is_forbidden(public, seat, doing):
        return "law_forbids"
    if not public.actions_left and not isinstance(action, actions.Reveal | actions.Move):
        return "no_actions_left"
    return _broken_rule(public, public.players[seat], action, own)


def _broken_rule(public: Public, player: Player, action: Any, own: Hand | None) -> str:
    """Return the rule that the action itself breaks.

    Only this seat receives facts about factions.
    """
    match action:
        case actions.Reveal() if own is not None and own.faction != "vampire":
            return "not_the_vampire"
        case actions.Reveal():
            return "reveal_first" if not public.vampires() else "vampire_is_public"
        case actions.Move(city=city) if (
            city in public.cities and player.vampire and public.cities[city].martial
        ):
            return "martial_law_keeps_out"
        case actions.Move():
            return "no_actions_left" if not public.actions_left else "too_far"
        case actions.Deploy(city=city) if city in public.cities:
            at_home = public.cities[city].region == public.cities[player.city].region
            return (
                "no_card_left"
                if player.hand == 0
                else "city_is_full"
                if at_home
                else "other_region"
            )
        case actions.Place(to=to, partner=partner):
            if player.hand == 0:
                return "no_card_left"
            return (
                "name_a_partner" if partner is None and to in ("region", POOL) else "no_such_fellow"
            )
        case actions.Assassinate():
            return "no_enemy_here"
        case actions.Investigate():
            if public.vampires():
                return "vampire_is_public"
            return (
                "token_is_spent"
                if not player.token
                else "vampire_may_not_ask"
                if own and own.faction == "vampire"
                else "not_offered"
            )
        case actions.Awaken():
            return "nobody_to_awaken"
    return "not_offered"
