"""Search the rest of a turn with all its moves, for the coming riots; a hidden Vampire empties the
humans' hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.game import Action, Seat
from companion.games.vwars.actions import Assassinate, Awaken, Deploy, End, Move, Place, Reveal
from companion.games.vwars.bots.evaluate import Troops
from companion.games.vwars.bots.heuristic import CARD, FELLOW, Heuristic
from companion.games.vwars.content import Doing, other, side_of, value_of
from companion.games.vwars.legal import free_moves, is_forbidden, troops_per_deployment
from companion.games.vwars.options import FACTIONS
from companion.games.vwars.state import Public

DOINGS: tuple[Doing, ...] = ("move", "deploy", "assassinate", "place", "awaken")
UNSURE = 0.5
"""The distrust from which a partner is not expected to add a card of the bot's side."""


class Plan(NamedTuple):
    """A position within the bot's turn, after some of its actions.

    left, free: actions and free moves that are left
    now, soon: the troops in the cities of the two riots
    placed: cards of the bot's side that were added to the region of the first riot
    has_asked: whether somebody was asked to join
    """

    city: str
    left: int
    free: int
    cards: int
    now: Troops
    soon: Troops
    placed: int = 0
    has_asked: bool = False


class Powers(NamedTuple):
    """What laws and the role let a seat do in a region: the actions, the troops of a deployment,
    and the moves that use no action.
    """

    may: frozenset[Doing]
    each: int
    free: int


Step = tuple[float, Action, Plan]
"""An action of a plan: its own worth, and the position after it."""


class Plans:
    """The search over all orders of the rest of a turn that matter for the coming riots."""

    def __init__(self, bot: Heuristic) -> None:
        self._bot, self._public, self._evaluation = bot, bot.public, bot.evaluation
        self._powers: dict[str, Powers] = {}
        self._best: dict[Plan, float] = {}
        now, soon = self._evaluation.riot_now, self._evaluation.riot_soon
        self._now, self._soon = now, soon if soon != now else None
        fellows = bot.memory.fellows() if bot.me.vampire else ()
        self._asked_in = {bot.public.players[one].city: one for one in fellows}
        self._partner = self._most_trusted()
        self._is_trusted = self._partner is None or bot.distrust(self._partner) < UNSURE
        self._joins = FELLOW * infected_left(bot.public) / max(len(fellows), 1)
        self.start = Plan(
            bot.me.city,
            bot.public.actions_left,
            max(self._in(bot.me.city).free - bot.public.moved_free, 0),
            len(bot.cards),
            self._troops(self._now),
            self._troops(self._soon),
        )

    def first_actions(self) -> Iterator[tuple[float, Action]]:
        """Yield each first action with the worth of the best turn that begins with it."""
        for worth, action, plan in self._steps(self.start):
            yield worth + self._after(plan), action

    def worth(self, plan: Plan) -> float:
        """Return the worth of ending the turn here."""
        changed = {
            city: troops
            for city, troops in ((self._now, plan.now), (self._soon, plan.soon))
            if city is not None
        }
        sign = self._bot.sign
        return sign * self._evaluation.worth(changed, sign * plan.placed)

    def _after(self, plan: Plan) -> float:
        """Return the worth of the best rest of the turn."""
        if plan not in self._best:
            steps = (worth + self._after(then) for worth, _, then in self._steps(plan))
            self._best[plan] = max([self.worth(plan), *steps])
        return self._best[plan]

    def _steps(self, plan: Plan) -> Iterator[Step]:
        powers = self._in(plan.city)
        if plan.left:
            if "deploy" in powers.may and plan.cards:
                yield from self._deployments(plan, powers.each)
            if "assassinate" in powers.may:
                yield from self._assassinations(plan)
            if "place" in powers.may and plan.cards:
                yield from self._placements(plan)
            if "awaken" in powers.may and plan.city in self._asked_in and not plan.has_asked:
                asked = Awaken(self._asked_in[plan.city])
                yield self._joins, asked, plan._replace(left=plan.left - 1, has_asked=True)
        if "move" in powers.may and (plan.left or plan.free):
            after = plan._replace(left=plan.left - (not plan.free), free=max(plan.free - 1, 0))
            for city in self._targets(plan.city):
                yield -CARD, Move(city), after._replace(city=city)

    def _deployments(self, plan: Plan, each: int) -> Iterator[Step]:
        side, after = self._bot.me.side, plan._replace(left=plan.left - 1, cards=plan.cards - 1)
        if self._now and self._is_near(plan, self._now):
            more = self._bot.more(self._now, side, each, plan.now)
            if more != plan.now:
                yield -CARD, Deploy(self._now), after._replace(now=more)
        if self._soon and self._is_near(plan, self._soon):
            more = self._bot.more(self._soon, side, each, plan.soon)
            if more != plan.soon:
                yield -CARD, Deploy(self._soon), after._replace(soon=more)

    def _assassinations(self, plan: Plan) -> Iterator[Step]:
        enemy, after = other(self._bot.me.side), plan._replace(left=plan.left - 1)
        if plan.city == self._now:
            less = self._bot.more(plan.city, enemy, -1, plan.now)
            if less != plan.now:
                yield 0.0, Assassinate(), after._replace(now=less)
        if plan.city == self._soon:
            less = self._bot.more(plan.city, enemy, -1, plan.soon)
            if less != plan.soon:
                yield 0.0, Assassinate(), after._replace(soon=less)

    def _placements(self, plan: Plan) -> Iterator[Step]:
        """Yield the placement of a card of the bot's side, with the partner who is trusted most; a
        hidden Vampire's partner would add a human card.
        """
        bot = self._bot
        has_own = any(side_of(card) == bot.wants for card in bot.cards)
        if bot.is_hidden or not has_own or not self._now or not self._is_near(plan, self._now):
            return
        placed = plan.placed + 1 + (self._partner is not None and self._is_trusted)
        after = plan._replace(left=plan.left - 1, cards=plan.cards - 1, placed=placed)
        yield -2 * CARD, Place("region", self._partner), after

    def _most_trusted(self) -> Seat | None:
        """Return the partner for placements, None if nobody of the apparent faction has cards."""
        bot, players = self._bot, self._public.players
        able = [
            one
            for one, player in players.items()
            if one != bot.seat and player.side == bot.me.side and player.hand != 0
        ]
        return min(able, key=bot.distrust, default=None)

    def _targets(self, city: str) -> Iterator[str]:
        """Yield the cities to go to: those of riots and of seats to awaken, and one on the way in
        each other region.
        """
        cities, home = self._public.cities, self._public.cities[city].region
        for region in (home, *self._public.regions[home].adjacent):
            open_ = [
                id
                for id, there in cities.items()
                if there.region == region
                and id != city
                and not (there.martial and self._bot.me.vampire)
            ]
            goals = [id for id in open_ if id in (self._now, self._soon) or id in self._asked_in]
            yield from goals if goals or region == home else open_[:1]

    def _is_near(self, plan: Plan, city: str) -> bool:
        cities = self._public.cities
        return cities[plan.city].region == cities[city].region

    def _troops(self, city: str | None) -> Troops:
        return (0, 0) if city is None else self._evaluation.troops(city)

    def _in(self, city: str) -> Powers:
        """Return what the seat could do in the region of a city."""
        region = self._public.cities[city].region
        if region not in self._powers:
            seat = self._bot.seat
            moved = {**self._public.players, seat: replace(self._bot.me, city=city)}
            there = replace(self._public, players=moved)
            may = frozenset(doing for doing in DOINGS if not is_forbidden(there, seat, doing))
            self._powers[region] = Powers(
                may, troops_per_deployment(there, seat), free_moves(there, seat)
            )
        return self._powers[region]


class Planner(Heuristic):
    """One decision with a plan of the whole turn, of either side."""

    def _plans(self, legal: Sequence[Action]) -> Iterator[tuple[float, Action]]:
        plans = Plans(self)
        base = plans.worth(plans.start)
        yield base, End()
        yield from plans.first_actions()
        for worth, action in self._beside(legal, base):
            if not (isinstance(action, Place) and action.to == "region"):
                yield worth, action


def infected_left(public: Public) -> int:
    """Return the number of Infected that are not awakened."""
    factions = FACTIONS[len(public.players)]
    awakened = max(len(public.vampires()) - 1, 0)
    return factions.count("infected") - awakened


HUMAN_RESERVE = 3
"""Human cards that a hidden Vampire keeps, to put down where the humans expect them."""
DRAIN = 0.15
"""The worth to a hidden Vampire of a card that the next player must put into the pool with it: that
player then lacks the card in its turn, and its human cards are soon gone.
"""
FIRST = 10.0
"""More than any card's number."""


class Vampire(Planner):
    """One decision of a vampire, hidden or public."""

    def _beside(self, legal: Sequence[Action], base: float) -> Iterator[tuple[float, Action]]:
        for worth, action in super()._beside(legal, base):
            drains = self.is_hidden and action == Place("pool", self.public.order()[1])
            yield (base + DRAIN if drains else worth), action

    def _worth(self, action: Action) -> float:
        if isinstance(action, Reveal) and not infected_left(self.public):
            # Alone, a hidden Vampire does more for its side, and the rally brings sympathy.
            return -1.0
        return super()._worth(action)

    def _worth_of_giving(self, card: str) -> float:
        due = self.public.due
        if not self.is_hidden or due is None:
            return super()._worth_of_giving(card)
        is_human = side_of(card) == "human"
        humans = sum(side_of(each) == "human" for each in self.cards)
        if due.to is None and humans > HUMAN_RESERVE:
            return super()._worth_of_giving(card)
        # The discards show nobody a card; what goes into a pile is turned up one day.
        return FIRST * (is_human == (due.to is not None)) - value_of(card)
