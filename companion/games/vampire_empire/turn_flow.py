"""Run the steps of a turn and of a fight after an action."""

from __future__ import annotations

from random import Random

from companion.core.game import Draft, Event, Seat
from companion.games.vampire_empire import events
from companion.games.vampire_empire.cards import (
    CHARACTERS,
    HUMAN,
    SEATS,
    VAMPIRE,
    Ask,
    DrawCards,
    LookCity,
    Search,
    other,
)
from companion.games.vampire_empire.options import Moment
from companion.games.vampire_empire.state import Hidden, Public
from companion.games.vampire_empire.turns import is_asked, is_possible, sums


class TurnFlow(Draft, kw_only=True):
    """The events of one decision so far, and the steps of a turn and of a fight that follow them.

    After the end of the game it adds no events.
    """

    rng: Random

    @property
    def public(self) -> Public:
        public: Public = self.state.public
        return public

    @property
    def hidden(self) -> Hidden:
        hidden: Hidden = self.state.hidden
        return hidden

    def emit(self, *emitted: Event) -> None:
        """Fold events in order, until the game is over."""
        for event in emitted:
            if self.public.outcome is None:
                super().emit(event)

    def draw(self, seat: Seat, count: int) -> None:
        """Draw from the player's deck; refill an empty deck from the cellar, once."""
        while count > 0:
            piles = self.public.piles[seat]
            if not piles.deck:
                cellar = self.hidden.cellars[seat]
                if piles.remade or not cellar:
                    return
                shuffled = tuple(self.rng.sample(cellar, len(cellar)))
                self.emit(events.DeckRemade(seat, len(cellar)), events.DeckShuffled(seat, shuffled))
                continue
            now = min(count, piles.deck)
            self.emit(
                events.CardsDrawn(seat, now), events.CardsGot(seat, self.hidden.decks[seat][:now])
            )
            count -= now

    def shuffle(self, seat: Seat) -> None:
        """Shuffle a deck that was looked through."""
        deck = self.hidden.decks[seat]
        self.emit(events.DeckShuffled(seat, tuple(self.rng.sample(deck, len(deck)))))

    def reveal(self, character: str) -> None:
        """Show a vampire; end the game if three of them are in the castle."""
        self.emit(events.VampireRevealed(character))
        self._look_at_castle()

    def hide(self, character: str) -> None:
        """Send a castle character under the city; the city's top character comes in."""
        self.emit(events.CharacterHidden(character))
        self.refill()

    def refill(self) -> None:
        """Let the top character of the city enter; with real cards ask a player for its name."""
        if not self.public.has_real_cards and self.public.city and len(self.public.castle) < 3:
            self.enter(self.hidden.city[0])

    def enter(self, character: str) -> None:
        """Put a character into the castle."""
        self.emit(events.CharacterEntered(character))
        self._look_at_castle()

    def begin_action(self) -> None:
        """Go to the third step; ask the opponent for a support card before the action."""
        self.step("action")
        self.ask_before()

    def ask_before(self) -> None:
        """Ask the opponent of the player whose turn it is for a support card before the action."""
        assert self.public.turn is not None
        self._ask("before_action", other(self.public.turn))

    def decline(self) -> None:
        """Continue when the asked seat plays no support card."""
        window = self.public.window
        match window.moment if window else "closed":
            case "after_action":
                self.finish()
            case "closed" if self.public.fight is not None:
                self.count_round()

    def finish(self) -> None:
        """End the turn when neither player has a support card to play after the action."""
        window, turn = self.public.window, self.public.turn
        assert turn is not None
        declined = window.declined if window else ()
        if not self._ask(
            "after_action", *(seat for seat in (turn, other(turn)) if seat not in declined)
        ):
            self.end_turn()

    def end_round(self) -> None:
        """Judge the round when the active player has no support card to play before that."""
        fight = self.public.running_fight
        if not self._ask("end_of_round", fight.by):
            self.count_round()

    def _ask(self, moment: Moment, *seats: Seat) -> bool:
        """Ask the first of these seats that could hold a support card by public knowledge."""
        for seat in seats:
            if self.public.outcome is None and is_asked(self.public, seat):
                self.emit(events.SupportAsked(seat, moment))
                return True
        return False

    def count_round(self) -> None:
        """End a round of the fight: a higher attack kills, the second round is the last."""
        fight = self.public.running_fight
        if fight.round > 1 and not fight.laid_now:
            self.end_fight(None)
            return
        attack, defence = sums(self.public, fight)
        self.emit(events.RoundCounted(fight.round, attack, defence))
        if attack > defence:
            self.end_fight(fight.target)
        elif fight.round > 1:
            self.end_fight(None)

    def end_fight(self, killed: str | None) -> None:
        """Put the fight's cards away, reveal the identity of the dead, and end the action."""
        self.emit(events.FightEnded(killed))
        if killed is not None:
            self.emit(events.CharacterDied(killed, killed in self.hidden.deal.vampires))
            dead = {
                one.vampire: sum(each.vampire == one.vampire for each in self.public.dead)
                for one in self.public.dead
            }
            if dead.get(True, 0) == len(self.hidden.deal.vampires):
                self._over(events.GameOver("human", "vampires_dead"))
            if dead.get(False, 0) == len(CHARACTERS) - len(self.hidden.deal.vampires):
                self._over(events.GameOver("vampire", "humans_dead"))
            self.refill()
        self.finish()

    def end_turn(self) -> None:
        """Let the next player with cards begin; if neither has any, count the living characters."""
        turn = self.public.turn
        assert turn is not None
        for seat in SEATS:
            if not self._has_cards(seat) and not self.public.piles[seat].out:
                self.emit(events.PlayerOut(seat))
        for seat in (other(turn), turn):
            if self._has_cards(seat):
                self.emit(events.TurnStarted(seat))
                if self.public.step == "action":
                    self.ask_before()
                return
        self._count()

    def resume(self) -> None:
        """Apply the effects of a support, up to one that needs a choice."""
        while (
            self.public.support is not None
            and self.public.payment is None
            and self.public.outcome is None
        ):
            seat, effect = self.public.support.seat, self.public.support.effects[0]
            match effect:
                case _ if not is_possible(self.public, seat, effect):
                    pass
                case DrawCards(count=count):
                    self.draw(seat, count)
                case LookCity(count=count):
                    seen = self.hidden.city[:count]
                    self.emit(events.CityLooked(seat, len(seen)), events.CitySeen(seat, seen))
                case Ask(text=text):
                    self.emit(events.TextAsked(text))
                case Search(pile=pile):
                    cards = {
                        "deck": self.hidden.decks,
                        "cellar": self.hidden.cellars,
                        "moat": self.hidden.moats,
                    }[pile][seat]
                    self.emit(
                        events.PileSearched(seat, pile), events.PileSeen(seat, tuple(sorted(cards)))
                    )
                    return
                case _:
                    return
            self.emit(events.SupportEnded(seat))

    def step(self, step: str) -> None:
        """Go to another step of the turn."""
        self.emit(events.StepReached(step))  # type: ignore[arg-type]

    def _look_at_castle(self) -> None:
        if sum(name in self.public.revealed for name in self.public.castle) == len(
            self.hidden.deal.vampires
        ):
            self._over(events.GameOver("vampire", "castle_taken"))

    def _has_cards(self, seat: Seat) -> bool:
        piles = self.public.piles[seat]
        if self.public.has_real_cards:
            return not piles.out
        return bool(piles.hand or piles.deck or (piles.cellar and not piles.remade))

    def _count(self) -> None:
        """A living human counts one, a living vampire two."""
        vampires = 2 * sum(name in self.hidden.deal.vampires for name in self.public.living)
        humans = sum(name not in self.hidden.deal.vampires for name in self.public.living)
        winner = "draw" if vampires == humans else "vampire" if vampires > humans else "human"
        self._over(events.GameOver(winner, "points", {VAMPIRE: vampires, HUMAN: humans}))  # type: ignore[arg-type]

    def _over(self, over: events.GameOver) -> None:
        if self.public.outcome is None:
            self.emit(
                events.IdentitiesShown(self.hidden.deal.vampires, self.hidden.deal.trusted), over
            )
