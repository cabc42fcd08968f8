"""Vampire Empire's rules a second time, after the rulebook and docs/games/vampire-empire.md alone.

`python -m tests.games.vampire_empire.referee --games 1000 --seed 0` plays random games of random
decks, deals and options beside the game's own rules, and stops at the first difference.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import NoReturn

import msgspec

import companion.games.vampire_empire
from companion.games import find_game
from tests.games.lockstep import GameEnded, Json, Referee, compare, lockstep, print_totals

GAME = find_game("vampire_empire")
SEATS = ("vampire", "human")
PROFESSIONS = {
    "lady": "noble", "lord": "noble", "officer": "noble",
    "monk": "clergy", "nun": "clergy", "bishop": "clergy",
    "maid": "servant", "cook": "servant", "butler": "servant",
}  # fmt: skip
SIDES = ("attack", "defence")
EFFECTS = (
    "marker", "cancel_card", "cancel_card", "draw", "search", "look_city", "swap_castle", "ask",
)  # fmt: skip
HEAD = ("game", "title", "language", "sample")
HAND, CASTLE, MARKERS = 8, 3, 12
PLAIN = ("castle", "dead", "markers", "turn", "turns", "step", "waived", "outcome", "points")


def opponent(seat: str) -> str:
    return "human" if seat == "vampire" else "vampire"


def kinds(cards: list[str]) -> list[str]:
    return sorted(set(cards))


class VampireEmpireReferee(Referee):
    """One game with a deck file's cards."""

    def __init__(self, content: Json, options: Json, deal: Json) -> None:
        self.options = options
        self.cards = {card["id"]: card for card in content["card"]}
        self.vampires, self.trusted = list(deal["vampires"]), list(deal["trusted"])
        self._check_deal(deal)
        self.castle, self.city = list(deal["city"][:CASTLE]), list(deal["city"][CASTLE:])
        decks = deal["decks"]
        self.hands = {seat: list(decks[seat][:HAND]) for seat in SEATS}
        self.decks = {seat: list(decks[seat][HAND:]) for seat in SEATS}
        self.cellars: dict[str, list[str]] = {seat: [] for seat in SEATS}
        self.moats: dict[str, list[str]] = {seat: [] for seat in SEATS}
        self.remade = dict.fromkeys(SEATS, False)
        self.out = dict.fromkeys(SEATS, False)
        self.dead: list[Json] = []
        self.revealed: list[str] = []
        self.markers: list[Json] = []
        self.turns = 0
        self.outcome: Json | None = None
        self.points: Json = {}
        self.payment: Json | None = None
        self.support: Json | None = None
        self.window: Json | None = None
        self.fight: Json | None = None
        self.answer: Json | None = None
        self.water: list[Json] = []
        self.seen: list[str] = []
        self._begin_turn("vampire")

    def _check_deal(self, deal: Json) -> None:
        compare("vampires", 3, len({*self.vampires} & {*PROFESSIONS}))
        compare("trusted humans", 2, len({*self.trusted} - {*self.vampires}))
        compare("characters", sorted(PROFESSIONS), sorted(deal["city"]))
        for seat in SEATS:
            copies = {
                card["id"]: card.get("copies", 1)
                for card in self.cards.values()
                if card["deck"] == seat
            }
            compare(f"deck of {seat}", copies, dict(Counter(deal["decks"][seat])))

    # What lies on the table

    @property
    def living(self) -> list[str]:
        gone = [each["character"] for each in self.dead]
        return [name for name in PROFESSIONS if name not in gone]

    def value(self, card: str) -> int:
        return int(self.cards[card].get("value", 0))

    def borders(self, card: str) -> list[str]:
        return list(self.cards[card].get("borders", ()))

    def cost(self, card: Json) -> int:
        return int(card.get("cost_day" if self.turn == "human" else "cost_night", 0))

    def marker(self, character: str, side: str) -> int:
        return sum(
            each["size"]
            for each in self.markers
            if (each["character"], each["side"]) == (character, side)
        )

    def counts(self, card: str, seat: str, supported: str, against: str) -> bool:
        """Return whether a card may support a character of the seat's side in a fight."""
        borders = self.borders(card)
        return (
            PROFESSIONS[supported] in borders
            or ("vampire" in borders and supported in self.revealed)
            or ("holy" in borders and seat == "human" and against in self.revealed)
        )

    def may_draw(self, seat: str) -> bool:
        return bool(self.decks[seat] or (self.cellars[seat] and not self.remade[seat]))

    def has_cards(self, seat: str) -> bool:
        return bool(self.hands[seat]) or self.may_draw(seat)

    def is_possible(self, effect: Json, seat: str) -> bool:
        """Return whether an effect would change something now."""
        match effect["do"]:
            case "marker":
                profession = effect["profession"]
                here = [name for name in self.castle if PROFESSIONS[name] == profession]
                return bool(here) and len(self.markers) < MARKERS
            case "cancel_card":
                return self.fight is not None and bool(self.fight[self.side_of(opponent(seat))])
            case "draw":
                return self.may_draw(seat)
            case "search":
                return bool(self.pile(seat, effect["pile"]))
            case "look_city":
                return bool(self.city)
            case "swap_castle":
                return bool(self.swappable())
        return True

    def swappable(self) -> list[str]:
        fight = self.fight or {"attacker": None, "target": None}
        return [name for name in self.castle if name not in (fight["attacker"], fight["target"])]

    def pile(self, seat: str, name: str) -> list[str]:
        return {"deck": self.decks, "cellar": self.cellars, "moat": self.moats}[name][seat]

    def side_of(self, seat: str) -> str:
        assert self.fight
        return "attack" if seat == self.fight["by"] else "defence"

    def is_playable(self, card: Json, seat: str) -> bool:
        """Return whether public facts let a seat play this support now, if it holds it."""
        now = "fight" if self.fight is not None else "open"
        return (
            card["kind"] == "support"
            and card.get("when", "open") in (now, "both")
            and self.cost(card) < len(self.hands[seat])
            and self.is_possible(card["effects"][0], seat)
        )

    def is_asked(self, seat: str) -> bool:
        deck = [card for card in self.cards.values() if card["deck"] == seat]
        is_in = seat not in self.waived and not self.out[seat]
        return is_in and any(self.is_playable(card, seat) for card in deck)

    @property
    def acting(self) -> str | None:
        if self.outcome:
            return None
        if self.payment:
            return str(self.payment["seat"])
        if self.support:
            return str(self.support["seat"])
        if self.window:
            return str(self.window["asked"])
        return str(self.fight["laying"]) if self.fight else self.turn

    # Legal actions

    def legal(self, seat: str) -> list[Json]:
        if seat != self.acting:
            return []
        hand = self.hands[seat]
        if self.payment:
            border = {"hide": "vampire", "holy_water": "holy"}.get(self.payment["what"])
            payable = [card for card in hand if border is None or border in self.borders(card)]
            return [{"type": "pay", "card": card} for card in kinds(payable)]
        if self.support:
            return self._effect_choices(self.support["effects"][0], seat)
        supports = [
            {"type": "support", "card": card}
            for card in kinds(hand)
            if seat not in self.waived and self.is_playable(self.cards[card], seat)
        ]
        if self.window:
            declines = [{"type": "decline", "rest_of_turn": rest} for rest in (False, True)]
            return [*supports, *declines]
        match self.step:
            case "discard":
                return self._discards(seat)
            case "reveal":
                hidden = [name for name in self.vampires if name in self.living]
                return [
                    {"type": "proceed"},
                    *(
                        {"type": "reveal", "character": name}
                        for name in hidden
                        if name not in self.revealed
                    ),
                ]
            case "action":
                return [*supports, *self._actions(seat)]
            case "answer":
                return [{"type": "proceed"}]
            case "chance":
                assert self.answer
                target = self.answer["character"]
                fights = [each for each in self._fights(seat) if each["target"] == target]
                return [{"type": "proceed"}, *fights]
            case "fight":
                return [*supports, *self._layings(seat)]
        return []

    def _discards(self, seat: str) -> list[Json]:
        hand = self.hands[seat]
        piles = ("moat",) if self.remade[seat] else ("cellar", "moat")
        actions: list[Json] = [
            {"type": "discard", "card": card, "pile": pile}
            for card in kinds(hand)
            for pile in piles
        ]
        if len(hand) <= HAND or not self.options["trim"]:
            actions.append({"type": "draw"})
            if hand and len(hand) < HAND and self.may_draw(seat):
                actions.append({"type": "draw_none"})
        return actions

    def _actions(self, seat: str) -> list[Json]:
        actions: list[Json] = [{"type": "pass"}, *self._fights(seat)]
        borders = [border for card in self.hands[seat] for border in self.borders(card)]
        if seat == "vampire" and borders.count("vampire") >= 3:
            actions += [{"type": "hide", "character": name} for name in self.castle]
        if seat == "human" and borders.count("holy") >= 2:
            unknown = [name for name in self.living if name not in self.revealed]
            actions += [{"type": "holy_water", "character": name} for name in unknown]
        return actions

    def _fights(self, seat: str) -> list[Json]:
        shown = [name for name in self.castle if name in self.revealed]
        attackers = [name for name in self.castle if name not in self.revealed]
        if seat == "vampire":
            attackers = shown or self.castle
        water = min((card["value"] for card in self.water), default=0)
        fights: list[Json] = []
        for attacker in attackers:
            for target in self.castle:
                cards = [c for c in self.hands[seat] if self.counts(c, seat, attacker, target)]
                most = sum(map(self.value, cards)) + water + self.marker(attacker, "attack")
                is_worth_more = most > self.marker(target, "defence")
                if target != attacker and (cards or water) and is_worth_more:
                    fights.append({"type": "fight", "attacker": attacker, "target": target})
        return fights

    def _layings(self, seat: str) -> list[Json]:
        assert self.fight
        pair = (self.fight["attacker"], self.fight["target"])
        supported, against = pair if seat == self.fight["by"] else pair[::-1]
        cards = [c for c in kinds(self.hands[seat]) if self.counts(c, seat, supported, against)]
        actions: list[Json] = [{"type": "lay", "card": card} for card in cards]
        if seat != self.fight["by"] or self.fight["opened"] or self._exceeds() or not cards:
            actions.append({"type": "done"})
        return actions

    def _exceeds(self) -> bool:
        """Return whether the attack's cards exceed the marker of the defence."""
        fight = self.fight
        assert fight
        attack = sum(card["value"] for card in fight["attack"])
        attack += self.marker(fight["attacker"], "attack")
        return bool(fight["attack"]) and attack > self.marker(fight["target"], "defence")

    def _effect_choices(self, effect: Json, seat: str) -> list[Json]:
        match effect["do"]:
            case "marker":
                here = [name for name in self.castle if PROFESSIONS[name] == effect["profession"]]
                return [
                    {"type": "put_marker", "character": name, "side": side}
                    for name in here
                    for side in SIDES
                ]
            case "cancel_card":
                assert self.fight
                side = self.side_of(opponent(seat))
                return [
                    {"type": "cancel", "side": side, "number": number + 1}
                    for number in range(len(self.fight[side]))
                ]
            case "search":
                return [{"type": "take", "card": card} for card in kinds(self.seen)]
            case "swap_castle":
                return [{"type": "swap", "character": name} for name in self.swappable()]
        raise AssertionError(effect)

    # The turn

    def _begin_turn(self, seat: str) -> None:
        self.turn, self.step, self.turns = seat, "discard", self.turns + 1
        self.waived: list[str] = []
        self.water, self.answer, self.window = [], None, None

    def take_discard(self, seat: str, card: str, pile: str) -> None:
        self.hands[seat].remove(card)
        self.pile(seat, pile).append(card)

    def take_draw(self, seat: str) -> None:
        self._draw(seat, HAND - len(self.hands[seat]))
        self._after_cards(seat)

    def take_draw_none(self, seat: str) -> None:
        self._after_cards(seat)

    def _draw(self, seat: str, count: int) -> None:
        for _ in range(count):
            if not self.may_draw(seat):
                return
            if not self.decks[seat]:
                self.decks[seat] = self.shuffled(seat, self.cellars[seat])
                self.cellars[seat], self.remade[seat] = [], True
            self.hands[seat].append(self.decks[seat].pop(0))

    def _after_cards(self, seat: str) -> None:
        if seat == "vampire":
            self.step = "reveal"
        else:
            self._reach_action()

    def take_reveal(self, seat: str, character: str) -> None:
        self._reveal(character)
        self._reach_action()

    def _reveal(self, character: str) -> None:
        self.revealed.append(character)
        self._check_castle()

    def take_proceed(self, seat: str) -> None:
        if self.step == "reveal":
            self._reach_action()
        else:
            self._end_action()

    def _reach_action(self) -> None:
        """Before the action the opponent is asked."""
        self.step = "action"
        other = opponent(self.turn)
        self.window = None
        if self.is_asked(other):
            self.window = {"moment": "before_action", "asked": other, "declined": []}

    def _end_action(self) -> None:
        """After the action the seat whose turn it is is asked, then the opponent."""
        self.step, self.answer = "end", None
        self._ask_after([])

    def _ask_after(self, declined: list[str]) -> None:
        for seat in (self.turn, opponent(self.turn)):
            if seat not in declined and self.is_asked(seat):
                self.window = {"moment": "after_action", "asked": seat, "declined": declined}
                return
        self.window = None
        self._next_turn()

    def _next_turn(self) -> None:
        for seat in SEATS:
            self.out[seat] = self.out[seat] or not self.has_cards(seat)
        if all(self.out.values()):
            vampires = sum(name in self.vampires for name in self.living)
            self.points = {"vampire": 2 * vampires, "human": len(self.living) - vampires}
            ahead = self.points["vampire"] - self.points["human"]
            self._end("vampire" if ahead > 0 else "human" if ahead else "draw", "points")
        other = opponent(self.turn)
        self._begin_turn(self.turn if self.out[other] else other)

    def _end(self, winner: str, reason: str) -> NoReturn:
        self.outcome, self.step = {"winner": winner, "reason": reason}, "over"
        raise GameEnded

    def _check_castle(self) -> None:
        if len([name for name in self.castle if name in self.revealed]) == CASTLE:
            self._end("vampire", "castle_taken")

    # Actions that cost cards

    def _pay(self, seat: str, what: str, left: int, character: str | None) -> None:
        self.payment = {"seat": seat, "what": what, "left": left, "character": character}
        self.payment["shown"] = []
        if not left:
            self._paid()

    def take_pass(self, seat: str) -> None:
        self._pay(seat, "pass", min(2, len(self.hands[seat])), None)

    def take_hide(self, seat: str, character: str) -> None:
        self._pay(seat, "hide", 3, character)

    def take_holy_water(self, seat: str, character: str) -> None:
        self._pay(seat, "holy_water", 2, character)

    def take_pay(self, seat: str, card: str) -> None:
        assert self.payment
        self.hands[seat].remove(card)
        self.moats[seat].append(card)
        is_open = self.payment["what"] in ("hide", "holy_water")
        seen = {"card": card, "value": self.value(card)} if is_open else {"card": None, "value": 0}
        self.payment["shown"].append(seen)
        self.payment["left"] -= 1
        if not self.payment["left"]:
            self._paid()

    def _paid(self) -> None:
        assert self.payment
        payment, self.payment = self.payment, None
        match payment["what"]:
            case "pass":
                self._end_action()
            case "hide":
                self._hide(payment["character"])
                self._end_action()
            case "holy_water":
                self.water = payment["shown"]
                self._answer(payment["character"])
            case "support":
                self._effects()

    def _hide(self, character: str) -> None:
        """Put a castle character under the city; the top of the city enters."""
        self._leave(character)
        self.city.append(character)
        self._refill()

    def _leave(self, character: str) -> None:
        self.castle.remove(character)
        self.markers = [each for each in self.markers if each["character"] != character]

    def _refill(self) -> None:
        if self.city and len(self.castle) < CASTLE:
            self.castle.append(self.city.pop(0))
        self._check_castle()

    def _answer(self, character: str) -> None:
        is_vampire = character in self.vampires
        self.answer = {"character": character, "vampire": is_vampire}
        self.step = "chance" if is_vampire and character in self.castle else "answer"
        if is_vampire:
            self._reveal(character)

    # The fight

    def take_fight(self, seat: str, attacker: str, target: str) -> None:
        counted = min(self.water, key=lambda card: card["value"], default=None)
        self.fight = {"by": seat, "attacker": attacker, "target": target, "round": 1}
        self.fight |= {"laying": seat, "attack": [], "defence": []}
        self.fight |= {"laid_now": False, "opened": False}
        if counted:
            self.moats[seat].remove(counted["card"])
            self.fight |= {"attack": [counted], "laid_now": True}
        self.step, self.answer = "fight", None

    def take_lay(self, seat: str, card: str) -> None:
        assert self.fight
        self.hands[seat].remove(card)
        self.fight[self.side_of(seat)].append({"card": card, "value": self.value(card)})
        if seat == self.fight["by"]:
            self.fight["laid_now"] = True

    def take_done(self, seat: str) -> None:
        fight = self.fight
        assert fight
        if seat != fight["by"]:
            fight["laying"] = fight["by"]
            self._ask_at_end_of_round()
            return
        if not fight["opened"] and not self._exceeds():
            self._end_fight(None)
            self._reach_action()
            return
        fight["opened"] = True
        if fight["round"] > 1 and not fight["laid_now"]:
            self._end_fight(None)
            self._end_action()
        else:
            fight["laying"] = opponent(seat)

    def _ask_at_end_of_round(self) -> None:
        assert self.fight
        if self.is_asked(self.fight["by"]):
            asked = self.fight["by"]
            self.window = {"moment": "end_of_round", "asked": asked, "declined": []}
        else:
            self._count_round()

    def sums(self) -> tuple[int, int]:
        """Return attack and defence; markers count in the first round."""
        fight = self.fight
        assert fight
        first = fight["round"] == 1
        attack, defence = (sum(card["value"] for card in fight[side]) for side in SIDES)
        if first:
            attack += self.marker(fight["attacker"], "attack")
            defence += self.marker(fight["target"], "defence")
        return attack, defence

    def _count_round(self) -> None:
        fight = self.fight
        assert fight
        self.window = None
        attack, defence = self.sums()
        if attack > defence:
            self._end_fight(fight["target"])
            self._end_action()
        elif fight["round"] == 2:
            self._end_fight(None)
            self._end_action()
        else:
            fight |= {"round": 2, "laying": fight["by"], "laid_now": False}

    def _end_fight(self, killed: str | None) -> None:
        fight = self.fight
        assert fight
        for side, seat in (("attack", fight["by"]), ("defence", opponent(fight["by"]))):
            self.moats[seat] += [card["card"] for card in fight[side]]
        self.fight = None
        if killed is None:
            return
        is_vampire = killed in self.vampires
        self.dead.append({"character": killed, "vampire": is_vampire})
        self._leave(killed)
        if killed in self.revealed:
            self.revealed.remove(killed)
        dead = [each["vampire"] for each in self.dead]
        if dead.count(True) == 3:
            self._end("human", "vampires_dead")
        if dead.count(False) == 6:
            self._end("vampire", "humans_dead")
        self._refill()

    # Support cards

    def take_support(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)
        self.moats[seat].append(card)
        support = self.cards[card]
        if self.fight and self.window:
            self.fight["laying"], self.window = opponent(self.fight["by"]), None
        if self.window:
            self.window["declined"] = []
        self.support = {"seat": seat, "effects": list(support["effects"]), "searching": False}
        self._pay(seat, "support", self.cost(support), None)

    def take_decline(self, seat: str, rest_of_turn: bool = False) -> None:
        assert self.window
        if rest_of_turn:
            self.waived.append(seat)
        moment, declined = self.window["moment"], [*self.window["declined"], seat]
        self.window = None
        if moment == "end_of_round":
            self._count_round()
        elif moment == "after_action":
            self._ask_after(declined)

    def _effects(self) -> None:
        """Take the effects in order up to a choice; then play goes on where it was."""
        support = self.support
        assert support
        seat = support["seat"]
        while support["effects"]:
            effect = support["effects"][0]
            if self.is_possible(effect, seat):
                if effect["do"] == "search":
                    support["searching"] = True
                    self.seen = list(self.pile(seat, effect["pile"]))
                if effect["do"] in ("marker", "cancel_card", "search", "swap_castle"):
                    return
                if effect["do"] == "draw":
                    self._draw(seat, effect["count"])
            support["effects"].pop(0)
        self.support = None
        self._resume()

    def _resume(self) -> None:
        if self.step == "action" and not self.window:
            self._reach_action()
        # Who has just played a card in an answer is asked again in any case.

    def _effect_done(self) -> None:
        assert self.support
        self.support["effects"].pop(0)
        self.support["searching"] = False
        self._effects()

    def take_put_marker(self, seat: str, character: str, side: str) -> None:
        assert self.support
        size = self.support["effects"][0].get("size", 1)
        self.markers.append({"character": character, "side": side, "size": size})
        self._effect_done()

    def take_cancel(self, seat: str, side: str, number: int) -> None:
        assert self.fight
        card = self.fight[side].pop(number - 1)
        self.moats[opponent(seat)].append(card["card"])
        if side == "attack":
            self.fight["laying"] = self.fight["by"]
        self._effect_done()

    def take_take(self, seat: str, card: str) -> None:
        assert self.support
        name = self.support["effects"][0]["pile"]
        pile = self.pile(seat, name)
        pile.remove(card)
        self.hands[seat].append(card)
        self.seen = []
        if name == "deck":
            self.decks[seat] = self.shuffled(seat, pile)
        self._effect_done()

    def take_swap(self, seat: str, character: str) -> None:
        self._hide(character)
        self._effect_done()

    # What the views have

    def public(self) -> Json:
        piles = {
            seat: {
                "hand": len(self.hands[seat]),
                "deck": len(self.decks[seat]),
                "cellar": len(self.cellars[seat]),
                "moat": len(self.moats[seat]),
                "remade": self.remade[seat],
                "out": self.out[seat],
            }
            for seat in SEATS
        }
        answer = self.answer and (self.answer["character"], self.answer["vampire"])
        playing = self.outcome is None
        return {
            **{field: getattr(self, field) for field in PLAIN},
            "city": len(self.city),
            "revealed": sorted(self.revealed),
            "piles": piles,
            "acting": self.acting,
            "playing": playing and [self.payment, self.window, self.fight, answer],
            "sums": list(self.sums()) if self.fight and playing else None,
            "support": playing and self.support and [self.support["seat"], self.support["effects"]],
        }

    def predicted_part(self, table: Json) -> Json:
        answer = table["answer"] and (table["answer"]["character"], table["answer"]["vampire"])
        playing = table["outcome"] is None
        support = table["support"]
        return {
            **{field: table[field] for field in PLAIN},
            "city": table["city"],
            "revealed": sorted(table["revealed"]),
            "piles": table["piles"],
            "acting": table["acting"],
            "playing": playing and [table["payment"], table["window"], table["fight"], answer],
            "sums": table["sums"] if playing else None,
            "support": playing and support and [support["seat"], support["effects"]],
        }

    def own(self, seat: str) -> Json:
        characters = self.vampires if seat == "vampire" else self.trusted
        return {"characters": characters, "hand": sorted(self.hands[seat])}

    def predicted_own(self, own: Json) -> Json:
        return {"characters": own["characters"], "hand": sorted(own["hand"])}


# A random game

SAMPLE = Path(companion.games.vampire_empire.__file__).with_name("sample.toml")


@cache
def sample() -> Json:
    return tomllib.loads(SAMPLE.read_text(encoding="utf-8"))


def random_content(rng: Random) -> Json:
    """Return decks with fewer cards than the sample's, and more and other supports."""

    def effect() -> Json:
        do, profession = rng.choice(EFFECTS), rng.choice(list(PROFESSIONS.values()))
        fields: dict[str, Json] = {
            "marker": {"profession": profession, "size": rng.randint(1, 3)},
            "draw": {"count": rng.randint(1, 3)},
            "search": {"pile": rng.choice(["deck", "cellar", "moat"])},
            "look_city": {"count": rng.randint(1, 2)},
            "ask": {"text": "Who goes first?"},
        }
        return {"do": do, **fields.get(do, {})}

    cards = []
    for card in sample()["card"]:
        if card["kind"] == "support":
            cards.append(
                {
                    **{field: card[field] for field in ("id", "name", "deck", "kind")},
                    "cost_day": rng.randint(0, 2),
                    "cost_night": rng.randint(0, 2),
                    "when": rng.choice(["open", "fight", "both", "both"]),
                    "effects": [effect() for _ in range(rng.randint(1, 2))],
                    "copies": rng.randint(1, 3),
                }
            )
        elif rng.random() < 0.7:
            cards.append({**card, "value": rng.randint(1, 4), "copies": rng.randint(1, 2)})
    return {**{name: sample()[name] for name in HEAD}, "card": cards}


def random_deal(rng: Random, content: Json) -> Json:
    """Return a deal of the cards, drawn."""
    people = rng.sample(list(PROFESSIONS), len(PROFESSIONS))
    decks = {}
    for seat in SEATS:
        cards = [
            card["id"]
            for card in content["card"]
            if card["deck"] == seat
            for _ in range(card.get("copies", 1))
        ]
        decks[seat] = rng.sample(cards, len(cards))
    city = rng.sample(people, len(people))
    return {"vampires": people[:3], "trusted": people[3:5], "city": city, "decks": decks}


def play(seed: int) -> Counter[str]:
    """Play the random game of a seed; return the numbers of actions and ends.

    An even seed has the sample, its deal and the default options; an odd one has others.
    """
    rng, values, trim = Random(seed), {}, True
    if seed % 2:
        trim, content = rng.random() < 0.5, random_content(rng)
        deal = random_deal(rng, content)
        values = {"options": {"trim": trim}, "content": content, "deal": deal}
    start = msgspec.convert(values, GAME.setup_type)

    def referee_of(kept: Json) -> VampireEmpireReferee:
        return VampireEmpireReferee(kept["content"], {"trim": trim}, kept["deal"])

    return lockstep(GAME, start, 2, seed, referee_of, shuffle_of)


def shuffle_of(event: Json) -> tuple[str, list[str]] | None:
    return (event["seat"], list(event["cards"])) if event["event"] == "deck_shuffled" else None


def main() -> None:
    print_totals(play, "no difference", __doc__)


if __name__ == "__main__":
    main()
