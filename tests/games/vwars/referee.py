"""V-Wars' rules a second time, after the rulebook and docs/games/v-wars.md alone.

`python -m tests.games.vwars.referee --games 1000 --seed 0` plays random games of random contents,
deals and options beside the game's own rules, and stops at the first difference.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import companion.games.vwars
from companion.games import find_game
from tests.games.lockstep import GameEnded, Json, Referee, compare, lockstep, print_totals

GAME = find_game("vwars")
PLAYERS = (3, 4, 5)
SIDES = ("human", "vampire")
SYMPATHY = {3: 8, 4: 7, 5: 6}
FACTIONS = {3: "HHV", 4: "HHIV", 5: "HHIIV"}
PLAIN = (
    "sympathy", "controlled", "turn", "turns", "step", "actions_left", "moved_free", "asked",
    "overflowed", "due", "outcome",
)  # fmt: skip
PILES = ("deck", "discards", "pool", "events")
RIOT = ("city", "turned", "winner", "strength", "result")
FULL, HAND, TRACK, MARTIAL, MOST_TYPED = 6, 6, 16, 6, 24


def enemy(side: str) -> str:
    return "vampire" if side == "human" else "human"


class VWarsReferee(Referee):
    """One game with the cards of a content."""

    def __init__(self, content: Json, options: Json, deal: Json) -> None:
        self.options, self.riot_table = options, content["riot"]
        self.adjacent = {each["id"]: each["adjacent"] for each in content["region"]}
        self.region_of = {each["id"]: each["region"] for each in content["city"]}
        self.cards, self.copies = {}, Counter[str]()
        for each in content["player_card"]:
            name = f"{each['city']}-{each['side'][0]}{each['value']}"
            self.cards[name] = each
            self.copies[name] += each.get("copies", 1)
        self.event_cards = {each["id"]: each for each in content["event"]}
        self.law_cards = {each["id"]: each for each in content["law"]}
        self._check_deal(deal, content)
        self.factions = deal["factions"]
        self.seats = sorted(self.factions)
        roles = {each["id"]: each for each in content["role"]}
        self.roles = {seat: roles[deal["roles"][seat]] for seat in self.seats}
        self.place = {seat: self.roles[seat]["start"] for seat in self.seats}
        self.hands = {seat: list(deal["hands"][seat]) for seat in self.seats}
        self.known_vampires: list[str] = []
        self.tokens = set(self.seats)
        self.troops = {(city, side): 0 for city in self.region_of for side in SIDES}
        self.control = dict.fromkeys(self.region_of, "human")
        self.martial: set[str] = set()
        for city in deal["vampire_cities"]:
            self.control[city], self.troops[city, "vampire"] = "vampire", 2
        for city in deal["troop_cities"]:
            self.troops[city, "vampire"] = 1
        self.sympathy = SYMPATHY[len(self.seats)]
        self.piles = {region: list(deal["regions"][region]) for region in self.adjacent}
        self.pool, self.deck = list(deal["pool"]), list(deal["deck"])
        self.discards: list[str] = []
        self.now, self.soon = deal["riots"]
        self.event, self.next_event, *self.events = deal["events"]
        self.laws = {side: list(deal["laws"][side]) for side in SIDES}
        self.elected: dict[str, str] = {}
        self.law_of: dict[str, str] = {}
        self.outcome: Json | None = None
        self.turns = 0
        self.riot: Json | None = None
        self.effects: list[Json] = []
        self.due: Json | None = None
        self.asked: list[str] = []
        self.overflowed: list[str] = []
        self._begin_turn(deal["first"])

    def _check_deal(self, deal: Json, content: Json) -> None:
        players = len(deal["factions"])
        letters = sorted(faction[0].upper() for faction in deal["factions"].values())
        compare("factions", sorted(FACTIONS[players]), letters)
        compare("hands", [6] * players, [len(hand) for hand in deal["hands"].values()])
        compare("decks of regions", {3}, {len(pile) for pile in deal["regions"].values()})
        compare("pool and riots", (3, 2), (len(deal["pool"]), len(deal["riots"])))
        piles = [*deal["hands"].values(), *deal["regions"].values(), deal["pool"], deal["riots"]]
        dealt = Counter(card for pile in [*piles, deal["deck"]] for card in pile)
        compare("cards", self.copies, dealt)
        marked = [*deal["vampire_cities"], *deal["troop_cities"]]
        compare("marked cities", 2 * players, len({*marked}))
        compare("events", sorted(self.event_cards), sorted(deal["events"]))
        compare("roles", players, len(set(deal["roles"].values())))

    # What stands on the board

    def side(self, seat: str) -> str:
        return "vampire" if seat in self.known_vampires else "human"

    def cities(self, region: str) -> list[str]:
        return [city for city, its_region in self.region_of.items() if its_region == region]

    @property
    def controlled(self) -> int:
        return list(self.control.values()).count("vampire")

    def law(self, region: str) -> list[Json]:
        return self.law_cards[self.law_of[region]]["effects"] if region in self.law_of else []

    def role(self, seat: str) -> list[Json]:
        effects: list[Json] = self.roles[seat][f"{self.side(seat)}_effects"]
        return effects

    def forbidden(self, seat: str, action: str) -> bool:
        effects = [*self.law(self.region_of[self.place[seat]]), *self.role(seat)]
        rule = {"do": "forbid", "side": self.side(seat), "action": action}
        return rule in effects

    def free_moves(self, seat: str) -> int:
        region = self.region_of[self.place[seat]]
        law = self.law_cards[self.law_of[region]] if region in self.law_of else None
        own_law = law["effects"] if law and law["side"] == self.side(seat) else []
        effects = [*self.role(seat), *own_law]
        return sum(each["count"] for each in effects if each["do"] == "extra_move")

    # The end

    def _end(self, winner: str, reason: str) -> None:
        self.outcome, self.step = {"winner": winner, "reason": reason}, "over"
        raise GameEnded

    def _humans(self) -> str | None:
        if len(self.martial) >= MARTIAL:
            return "martial_law"
        return "no_sympathy" if self.sympathy == 0 else None

    def _check_end(self) -> None:
        """Vampires win when the ends of the track meet; humans after a riot, or at once."""
        vampires = self.controlled + self.sympathy >= TRACK
        humans = self._humans()
        rioting = self.riot is not None and self.riot["running"]
        if vampires and humans and (rioting or self.options["human_victory"] == "at_once"):
            tie = self.options["tie"] if rioting else f"{self.side(self.turn)}s"
            self._end(tie, humans if tie == "humans" else "track_full")
        if vampires:
            self._end("vampires", "track_full")
        if humans and self.options["human_victory"] == "at_once":
            self._end("humans", humans)

    # Changes

    def _swing(self, change: int) -> None:
        self.sympathy = min(TRACK, max(0, self.sympathy + change))
        self._check_end()

    def _take_control(self, city: str, side: str) -> None:
        self.control[city] = side
        if side == "vampire":
            self.martial.discard(city)
        self._check_end()

    def _may_hold_martial_law(self, city: str) -> bool:
        """Return whether humans hold the city and no city of its region has it."""
        region = self.cities(self.region_of[city])
        return self.control[city] == "human" and not self.martial & set(region)

    def _put_martial_law(self, city: str) -> bool:
        if not self._may_hold_martial_law(city):
            return False
        self.martial.add(city)
        self._check_end()
        return True

    def _add_troops(self, city: str, side: str, change: int) -> None:
        """Change troops by an event: vampire troops beyond six take the city, or raise the
        sympathy, once an event.
        """
        troops = self.troops[city, side] + change
        least = FULL if change < 0 else max(FULL, self.troops[city, side])
        self.troops[city, side] = max(0, min(troops, least))
        if side == "vampire" and change > 0 and troops > FULL and city not in self.overflowed:
            self.overflowed.append(city)
            if self.control[city] == "human":
                self._take_control(city, "vampire")
            else:
                self._swing(1)

    def _draw_card(self) -> str | None:
        if not self.deck and self.discards:
            self.deck, self.discards = self.shuffled("deck", self.discards), []
        return self.deck.pop(0) if self.deck else None

    # A turn

    def _begin_turn(self, seat: str) -> None:
        self.turn, self.step = seat, "turn"
        self.turns, self.actions_left, self.moved_free, self.acted = self.turns + 1, 4, 0, False
        self.picked: str | None = None

    def legal(self, seat: str) -> list[Json]:
        if self.outcome:
            return []
        if self.step == "card":
            assert self.due
            cards = sorted(set(self.hands[seat])) if self.due["seats"][0] == seat else []
            return [{"type": "put", "card": card} for card in cards]
        if self.step == "rally":
            return self._rally_actions(seat) if self.asked[0] == seat else []
        if seat != self.turn:
            return []
        if self.step == "event":
            return self._choices()
        if self.step == "discard":
            assert self.riot
            return [{"type": "discard", "card": card} for card in sorted(set(self.riot["up"]))]
        return [{"type": "riot"}] if self.step == "riot" else self._turn_actions(seat)

    def _turn_actions(self, seat: str) -> list[Json]:
        actions: list[Json] = [{"type": "end"}]
        if self.factions[seat] == "vampire" and self.side(seat) == "human" and not self.acted:
            actions.append({"type": "reveal"})
        if self.actions_left or self.moved_free < self.free_moves(seat):
            actions += self._moves(seat)
        if not self.actions_left:
            return actions
        side, city = self.side(seat), self.place[seat]
        region = self.region_of[city]
        if self.hands[seat] and not self.forbidden(seat, "deploy"):
            cap = FULL if self.options["troop_cap"] == 6 else 10**6
            actions += [
                {"type": "deploy", "city": each}
                for each in self.cities(region)
                if self.troops[each, side] < cap
            ]
        if self.troops[city, enemy(side)] and not self.forbidden(seat, "assassinate"):
            actions.append({"type": "assassinate"})
        if self.hands[seat] and not self.forbidden(seat, "place"):
            actions += self._placings(seat)
        others = [each for each in self.seats if each != seat]
        if (
            seat in self.tokens
            and not self.known_vampires
            and self.factions[seat] != "vampire"
            and not self.forbidden(seat, "investigate")
        ):
            actions += [{"type": "investigate", "target": each} for each in others]
        if side == "vampire" and not self.forbidden(seat, "awaken"):
            actions += [
                {"type": "awaken", "target": each}
                for each in others
                if self.place[each] == city and self.side(each) == "human"
            ]
        return actions

    def _moves(self, seat: str) -> list[Json]:
        if self.forbidden(seat, "move"):
            return []
        region = self.region_of[self.place[seat]]
        near = [city for each in (region, *self.adjacent[region]) for city in self.cities(each)]
        closed = self.martial if self.side(seat) == "vampire" else set()
        return [
            {"type": "move", "city": city}
            for city in near
            if city != self.place[seat] and city not in closed
        ]

    def _placings(self, seat: str) -> list[Json]:
        partners = [
            each
            for each in self.seats
            if each != seat and self.side(each) == self.side(seat) and self.hands[each]
        ]
        return [
            {"type": "place", "to": to, **({"partner": partner} if partner else {})}
            for to in ("region", "pool")
            for partner in partners or [None]
        ]

    def take_reveal(self, seat: str) -> None:
        self.known_vampires.append(seat)
        if self.step == "rally":
            self._rally_over()
            return
        self.acted = True
        self._swing(-(self.sympathy // 2))

    def take_move(self, seat: str, city: str) -> None:
        if self.moved_free < self.free_moves(seat):
            self.moved_free += 1
        else:
            self.actions_left -= 1
        self.acted = True
        self.place[seat] = city

    def _act(self) -> None:
        self.acted = True
        self.actions_left -= 1

    def take_deploy(self, seat: str, city: str) -> None:
        self._act()
        self.step, self.due = "card", {"seats": [seat], "to": None, "city": city}

    def take_place(self, seat: str, to: str, partner: str | None = None) -> None:
        self._act()
        pile = self.region_of[self.place[seat]] if to == "region" else "pool"
        self.step = "card"
        self.due = {"seats": [seat, *([partner] if partner else [])], "to": pile, "city": None}

    def take_put(self, seat: str, card: str) -> None:
        assert self.due
        self.hands[seat].remove(card)
        to, city = self.due["to"], self.due["city"]
        pile = self.discards if to is None else self.pool if to == "pool" else self.piles[to]
        pile.append(card)
        self.due["seats"].pop(0)
        if self.due["seats"]:
            return
        self.step, self.due = "turn", None
        if city:
            side = self.side(seat)
            effects = [*self.law(self.region_of[city]), *self.role(seat)]
            more = sum(
                each["count"]
                for each in effects
                if each["do"] == "deploy_count" and each["side"] == side
            )
            cap = FULL if self.options["troop_cap"] == 6 else 10**6
            self.troops[city, side] = min(cap, self.troops[city, side] + 1 + more)

    def take_assassinate(self, seat: str) -> None:
        self._act()
        self.troops[self.place[seat], enemy(self.side(seat))] -= 1

    def take_investigate(self, seat: str, target: str) -> None:
        self._act()
        self.tokens.discard(seat)
        half = self.sympathy // 2
        if self.factions[target] == "vampire":
            self.known_vampires.append(target)
            self._swing(-half)
        else:
            self._swing(half)

    def take_awaken(self, seat: str, target: str) -> None:
        if self.factions[target] == "infected":
            self.known_vampires.append(target)
        if self.step == "rally":
            self._rally_over()
        else:
            self._act()

    # The event

    def take_end(self, seat: str) -> None:
        if self.event is None:
            self._end("vampires", "no_events")
        self.riot, self.typed, self.overflowed = None, 0, []
        self.effects = list(self.event_cards[self.event]["effects"])
        self._resolve()

    def _resolve(self) -> None:
        """Resolve the effects up to a choice; then the riot is next."""
        self.step = "event"
        while self.effects:
            effect = self.effects[0]
            do = effect["do"]
            if do == "ask" or "choose" in (effect.get("city"), effect.get("region")):
                return
            city, region = effect.get("city"), effect.get("region")
            if city in ("riot", "draw") or region in ("riot", "draw"):
                city = self._named_city(str(city or region))
                region = city and self.region_of[city]
                if city is None:
                    self.effects.pop(0)
                    continue
            if do == "election" and effect["by"] == "ask":
                self.effects[0] = {**effect, "region": region}
                return
            self.effects.pop(0)
            self._apply(effect, city, region)
        self.picked = None
        self.step = "riot"
        if self.now is None:
            self._clean_up()

    def _named_city(self, name: str) -> str | None:
        if name == "riot":
            return self.cards[self.now]["city"] if self.now else None
        card = self._draw_card()
        if card:
            self.discards.append(card)
        return self.cards[card]["city"] if card else None

    def _apply(self, effect: Json, city: Any, region: Any) -> None:
        match effect["do"]:
            case "add_troops":
                self._add_troops(city, effect["side"], effect["count"])
            case "remove_troops":
                self._add_troops(city, effect["side"], -effect["count"])
            case "sympathy":
                self._swing(effect["change"])
            case "control":
                self._take_control(city, effect["side"])
            case "martial_law":
                if effect.get("holds", True):
                    self._put_martial_law(city)
                else:
                    self.martial.discard(city)
            case "election":
                self._elect(region, self._winner(region, effect["by"]))

    def _winner(self, region: str, by: str) -> str:
        """Return the side with more cities or troops in the region; humans win a tie."""
        cities = self.cities(region)
        if by == "cities":
            vampire = [self.control[city] for city in cities].count("vampire")
            human = len(cities) - vampire
        else:
            human, vampire = (sum(self.troops[city, side] for city in cities) for side in SIDES)
        return "human" if human >= vampire else "vampire"

    def _elect(self, region: str, side: str) -> None:
        self.elected[region] = side
        if self.laws[side]:
            self.law_of[region] = self.laws[side].pop(0)

    def _choices(self) -> list[Json]:
        effect = self.effects[0]
        if effect["do"] == "ask":
            return self._typed_changes()
        if effect.get("region") == "choose":
            return [{"type": "pick_region", "region": region} for region in self.adjacent]
        if effect["do"] == "election":
            return [{"type": "elect", "side": side} for side in SIDES]
        return [{"type": "pick_city", "city": city} for city in self.region_of]

    def _typed_changes(self) -> list[Json]:
        """Return what people may type: up to 24 changes that change something."""
        actions: list[Json] = [{"type": "done"}]
        if self.typed >= MOST_TYPED:
            return actions
        actions += [
            {"type": "sympathy", "change": change}
            for change in range(-6, 7)
            if change and 0 <= self.sympathy + change <= TRACK
        ]
        city = self.picked
        actions += [{"type": "pick_city", "city": each} for each in self.region_of if each != city]
        if city is None:
            return actions
        actions += [
            {"type": "troops", "side": side, "change": change}
            for side in SIDES
            for change in range(-6, 7)
            if change and self.troops[city, side] + change >= 0
        ]
        actions.append({"type": "control", "side": enemy(self.control[city])})
        if city in self.martial:
            actions.append({"type": "martial", "holds": False})
        elif self._may_hold_martial_law(city):
            actions.append({"type": "martial", "holds": True})
        return actions

    def take_sympathy(self, seat: str, change: int) -> None:
        self.typed += 1
        self._swing(change)

    def take_troops(self, seat: str, side: str, change: int) -> None:
        assert self.picked
        self.typed += 1
        overflowed = len(self.overflowed)
        self._add_troops(self.picked, side, change)
        self.typed += len(self.overflowed) - overflowed

    def take_control(self, seat: str, side: str) -> None:
        assert self.picked
        self.typed += 1
        self._take_control(self.picked, side)

    def take_martial(self, seat: str, holds: bool) -> None:
        assert self.picked
        self.typed += 1
        if holds:
            self._put_martial_law(self.picked)
        else:
            self.martial.discard(self.picked)

    def take_pick_city(self, seat: str, city: str) -> None:
        if self.effects[0]["do"] == "ask":
            self.picked = city
            return
        effect = self.effects.pop(0)
        self._apply(effect, city, None)
        self._resolve()

    def take_pick_region(self, seat: str, region: str) -> None:
        effect = self.effects[0]
        self.effects[0] = {**effect, "region": region}
        self._resolve()

    def take_elect(self, seat: str, side: str) -> None:
        self._elect(self.effects.pop(0)["region"], side)
        self._resolve()

    def take_done(self, seat: str) -> None:
        self.picked, self.typed = None, 0
        self.effects.pop(0)
        self._resolve()

    # The riot

    def take_riot(self, seat: str) -> None:
        assert self.now
        city = self.cards[self.now]["city"]
        region = self.region_of[city]
        turning = self.shuffled(region, [*self.piles[region], self.now])
        self.now = None
        self.piles[region] = turning
        riot: Json = {"city": city, "turned": [], "up": [], "running": True}
        riot |= {"winner": None, "strength": 0, "result": None}
        self.riot = riot
        for card in turning:
            side, value = self.cards[card]["side"], self.cards[card]["value"]
            removed = min(value, self.troops[city, enemy(side)])
            riot["turned"].append([card, removed])
            if removed:
                self.troops[city, enemy(side)] -= removed
                continue
            riot["up"].append(card)
            strength = self._strength(side)
            if strength >= self.riot_table["win_at"]:
                riot |= {"winner": side, "strength": strength}
                break
        self._consequences()

    def _strength(self, side: str) -> int:
        assert self.riot
        city = self.riot["city"]
        cards = [self.cards[card] for card in self.riot["up"]]
        effects = list(self.law(self.region_of[city]))
        for seat in self.seats:
            effects += self.role(seat) if self.place[seat] == city else []
        laws = [each for each in effects if each["do"] == "riot_strength" and each["side"] == side]
        up: int = sum(card["value"] for card in cards if card["side"] == side)
        bonus: int = sum(each["change"] for each in laws)
        return self.troops[city, side] + up + bonus

    def _consequences(self) -> None:
        riot = self.riot
        assert riot
        city, winner = riot["city"], riot["winner"]
        if winner is None:
            riot["result"] = "sputter"
            self._swing(self.riot_table.get("sputter", 0))
        elif riot["strength"] >= self.riot_table["massacre_at"]:
            riot["result"] = "massacre"
            self._swing(self.riot_table[f"{winner}_massacre"])
        elif self.control[city] != winner:
            riot["result"] = "control"
            # The change of the sympathy is part of this result: the track is read after both.
            change = self.riot_table.get(f"{winner}_control", 0)
            self.sympathy = min(TRACK, max(0, self.sympathy + change))
            self._take_control(city, winner)
        else:
            riot["result"] = "rally"
            if winner == "human":
                if not self._put_martial_law(city):
                    self._swing(self.riot_table["human_rally"])
            else:
                self._ask_after_rally()
                return
        self._riot_resolved()

    def _ask_after_rally(self) -> None:
        at = self.seats.index(self.turn)
        self.asked = self.seats[at:] + self.seats[:at]
        if self.known_vampires:
            callers = [seat for seat in self.known_vampires if self._rally_targets(seat)]
            self.asked = [seat for seat in self.asked if seat in callers]
        if self.asked:
            self.step = "rally"
        else:
            self._swing(self.riot_table["vampire_rally"])
            self._riot_resolved()

    def _rally_targets(self, seat: str) -> list[str]:
        return [
            each
            for each in self.seats
            if self.side(each) == "human"
            and (
                self.options["rally_awakening"] == "anywhere"
                or self.place[each] == self.place[seat]
            )
        ]

    def _rally_actions(self, seat: str) -> list[Json]:
        actions: list[Json] = [{"type": "stay"}]
        if self.known_vampires:
            targets = self._rally_targets(seat)
            return actions + [{"type": "awaken", "target": each} for each in targets]
        if self.factions[seat] == "vampire":
            actions.append({"type": "reveal"})
        return actions

    def take_stay(self, seat: str) -> None:
        self.asked.pop(0)
        if not self.asked:
            self._swing(self.riot_table["vampire_rally"])
            self._riot_resolved()

    def _rally_over(self) -> None:
        self.asked = []
        self._riot_resolved()

    def _riot_resolved(self) -> None:
        """The riot has its consequences: the humans' victory is checked, then its cards go."""
        riot = self.riot
        assert riot
        humans = self._humans()
        if humans:
            self._end("humans", humans)
        riot["running"] = False
        discards = riot["result"] != "sputter" or self.options["sputter_discards"]
        if riot["up"] and discards:
            self.step = "discard"
        else:
            self._clear_riot()

    def take_discard(self, seat: str, card: str) -> None:
        assert self.riot
        self.piles[self.region_of[self.riot["city"]]].remove(card)
        self.discards.append(card)
        self._clear_riot()

    def _clear_riot(self) -> None:
        assert self.riot
        region = self.region_of[self.riot["city"]]
        self.piles[region] = self.shuffled(region, self.piles[region])
        self._clean_up()

    def _clean_up(self) -> None:
        """The new cards, and the next turn."""
        self.event, self.next_event = self.next_event, self.events.pop(0) if self.events else None
        if self.pool:
            self.pool = self.shuffled("pool", self.pool)
        self.now, self.soon = self.soon, None
        if self.pool:
            self.soon = self.pool.pop(0)
        elif self.options["empty_riot_pool"] == "player_deck":
            self.soon = self._draw_card()
        lacking = HAND - len(self.hands[self.turn])
        if lacking > len(self.deck) + len(self.discards):
            self._end("vampires", "no_cards")
        for _ in range(lacking):
            card = self._draw_card()
            assert card
            self.hands[self.turn].append(card)
        following = self.seats[(self.seats.index(self.turn) + 1) % len(self.seats)]
        self._begin_turn(following)

    # What the views have

    def public(self) -> Json:
        seen = self.riot and {key: self.riot[key] for key in RIOT}
        troops = {city: [self.troops[city, side] for side in SIDES] for city in self.region_of}
        cities = {
            city: [*both, self.control[city], city in self.martial] for city, both in troops.items()
        }
        cards = {seat: len(self.hands[seat]) for seat in self.seats}
        players = {
            seat: [self.place[seat], hand, seat in self.known_vampires, seat in self.tokens]
            for seat, hand in cards.items()
        }
        piles = {region: len(pile) for region, pile in self.piles.items()}
        piles |= {name: len(getattr(self, name)) for name in PILES}
        return {
            **{field: getattr(self, field) for field in PLAIN},
            "martial": len(self.martial),
            "cities": cities,
            "players": players,
            "regions": {id: [self.elected.get(id), self.law_of.get(id)] for id in self.adjacent},
            "laws": {side: next(iter(self.laws[side]), None) for side in SIDES},
            "event": self.event,
            "next_event": self.next_event,
            "riot_now": self.now,
            "riot_soon": self.soon,
            "factions": self.factions if self.outcome else {},
            "piles": piles,
            "riot": seen,
            "choices": None if self.outcome else [self.picked, self.effects],
        }

    def predicted_part(self, table: Json) -> Json:
        def name(card: Json | None) -> str | None:
            return None if card is None else str(card["id"])

        city_fields = ("human", "vampire", "control", "martial")
        player_fields = ("city", "hand", "vampire", "token")
        return {
            **{field: table[field] for field in PLAIN},
            "martial": table["martial"],
            "cities": {id: [each[f] for f in city_fields] for id, each in table["cities"].items()},
            "players": {id: [p[f] for f in player_fields] for id, p in table["players"].items()},
            "regions": {id: [r["elected"], name(r["law"])] for id, r in table["regions"].items()},
            "laws": {side: name(law) for side, law in table["laws"].items()},
            "event": name(table["event"]),
            "next_event": name(table["next_event"]),
            "riot_now": table["riot_now"],
            "riot_soon": table["riot_soon"],
            "factions": table["factions"],
            "piles": table["piles"],
            "riot": table["riot"] and {key: table["riot"][key] for key in RIOT},
            "choices": None if table["outcome"] else [table["picked"], table["effects"]],
        }

    def own(self, seat: str) -> Json:
        return {"faction": self.factions[seat], "cards": sorted(self.hands[seat])}

    def predicted_own(self, own: Json) -> Json:
        return {"faction": own["faction"], "cards": sorted(own["cards"])}


# A random game

SAMPLE = Path(companion.games.vwars.__file__).with_name("sample.toml")
OTHER_OPTIONS = {
    "troop_cap": "none",
    "rally_awakening": "same_city",
    "human_victory": "at_once",
    "sputter_discards": True,
    "empty_riot_pool": "player_deck",
    "tie": "vampires",
    "start": "first",
    "roles": "dealt",
}
EFFECTS = (
    "add_troops", "add_troops", "remove_troops", "sympathy", "control", "martial_law",
    "martial_law", "ask",
)  # fmt: skip
ACTIONS = ("move", "deploy", "assassinate", "place", "investigate", "awaken")


@cache
def sample() -> Json:
    return tomllib.loads(SAMPLE.read_text(encoding="utf-8"))


def random_effects(rng: Random, content: Json) -> list[Json]:
    """Return one or two effects of an event: elections are as frequent as all others."""
    cities = [each["id"] for each in content["city"]]
    regions = [each["id"] for each in content["region"]]

    def effect() -> Json:
        if rng.random() < 0.5:
            region = rng.choice(["riot", "draw", "choose", *rng.sample(regions, 3)])
            by = rng.choice(["cities", "cities", "troops", "ask"])
            return {"do": "election", "region": region, "by": by}
        side = rng.choice(SIDES)
        city = rng.choice(["riot", "draw", "choose", rng.choice(cities)])
        do = rng.choice(EFFECTS)
        return {
            "add_troops": {"do": do, "side": side, "city": city, "count": rng.randint(1, 7)},
            "remove_troops": {"do": do, "side": side, "city": city, "count": rng.randint(1, 3)},
            "sympathy": {"do": do, "change": rng.choice([-3, -2, -1, 1])},
            "control": {"do": do, "city": city, "side": side},
            "martial_law": {"do": do, "city": city, "holds": rng.random() < 0.8},
            "ask": {"do": do, "text": "What changes?"},
        }[do]

    return [effect() for _ in range(rng.randint(1, 2))]


def random_lasting(rng: Random) -> list[Json]:
    """Return up to two effects of a law or a role."""
    side = rng.choice(SIDES)
    kinds: list[Json] = [
        {"do": "riot_strength", "side": side, "change": rng.choice([-2, -1, 1, 2])},
        {"do": "deploy_count", "side": side, "count": rng.randint(1, 3)},
        {"do": "forbid", "side": side, "action": rng.choice(ACTIONS)},
        {"do": "extra_move", "count": rng.randint(1, 2)},
        {"do": "note"},
    ]
    return rng.sample(kinds, rng.randint(0, 2))


def random_content(rng: Random) -> Json:
    """Return the sample's map and cards with other events, laws, roles and another riot table."""
    content = {key: value for key, value in sample().items() if key not in ("translations", "nl")}
    content["event"] = [
        {**each, "effects": random_effects(rng, content)} for each in content["event"]
    ]
    content["law"] = [{**each, "effects": random_lasting(rng)} for each in content["law"]]
    content["role"] = [
        {**each, "human_effects": random_lasting(rng), "vampire_effects": random_lasting(rng)}
        for each in content["role"]
    ]
    names = ("massacre", "rally", "control")
    content["riot"] = {f"{side}_{name}": rng.randint(-2, 2) for side in SIDES for name in names}
    content["riot"] |= {"sputter": rng.randint(-1, 1), "win_at": rng.choice([4, 6, 6])}
    content["riot"]["massacre_at"] = content["riot"]["win_at"] + rng.randint(1, 3)
    return content


def random_deal(rng: Random, content: Json, players: int) -> Json:
    """Return a deal in which the marked cities lie close together: regions are divided between the
    sides, and their elections tie.
    """
    seats = [f"P{number}" for number in range(1, players + 1)]
    cards = [
        f"{each['city']}-{each['side'][0]}{each['value']}"
        for each in content["player_card"]
        for _ in range(each.get("copies", 1))
    ]
    rng.shuffle(cards)
    draw = iter(cards)
    regions = rng.sample([each["id"] for each in content["region"]], 8)
    cities = [
        city["id"] for region in regions for city in content["city"] if city["region"] == region
    ]
    vampires = cities[::2][:players] if rng.random() < 0.5 else cities[:players]
    factions = {"H": "human", "V": "vampire", "I": "infected"}
    letters = rng.sample(FACTIONS[players], players)
    events = [each["id"] for each in content["event"]]
    roles = [each["id"] for each in content["role"]]
    laws = {side: [each["id"] for each in content["law"] if each["side"] == side] for side in SIDES}
    return {
        "first": rng.choice(seats),
        "factions": {seat: factions[letter] for seat, letter in zip(seats, letters, strict=True)},
        "roles": dict(zip(seats, rng.sample(roles, players), strict=True)),
        "vampire_cities": vampires,
        "troop_cities": [city for city in cities if city not in vampires][:players],
        "hands": {seat: [next(draw) for _ in range(6)] for seat in seats},
        "regions": {region: [next(draw) for _ in range(3)] for region in regions},
        "pool": [next(draw) for _ in range(3)],
        "riots": [next(draw), next(draw)],
        "deck": list(draw),
        "events": rng.sample(events, len(events)),
        "laws": {side: rng.sample(ids, len(ids)) for side, ids in laws.items()},
    }


def play(seed: int) -> Counter[str]:
    """Play the random game of a seed; return the numbers of actions and ends.

    An even seed has the sample, its deal and the default options; an odd one has others.
    """
    rng = Random(seed)
    players = PLAYERS[seed % 3]
    values: Json = {}
    if seed % 2:
        content = random_content(rng)
        values["options"] = {
            name: value for name, value in OTHER_OPTIONS.items() if rng.random() < 0.5
        }
        values["content"] = content
        values["deal"] = random_deal(rng, content, players)
    start = msgspec.convert(values, GAME.setup_type)
    return lockstep(GAME, start, players, seed, referee_of, shuffle_of)


def referee_of(kept: Json) -> VWarsReferee:
    setup = kept["setup"]
    return VWarsReferee(setup["content"], setup["options"], setup["deal"])


def shuffle_of(event: Json) -> tuple[str, list[str]] | None:
    return (event["pile"], list(event["cards"])) if event["event"] == "pile_shuffled" else None


def main() -> None:
    print_totals(play, "no difference", __doc__)


if __name__ == "__main__":
    main()
