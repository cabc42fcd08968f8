"""How readable a vampire is: what the humans of a small endgame gain by knowing its habits.

Both answers to a vampire are exact, on the rules themselves: every action of the humans, every
night of the vampire with its chance, and what each of them tells. The vampire is one hit from its
end, so a hit is the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from random import Random

from msgspec import Struct

from companion.bots.belief import Belief
from companion.bots.bot import Chances, Thinking
from companion.bots.levels import VAMPIRE_LEVELS
from companion.bots.nights import nights
from companion.bots.terrain import cells_of
from companion.bots.vampires import evenly
from companion.core.game import Action, PublicEvent, Seat, State
from companion.core.placement import Cell, Pawn
from companion.games import find_game
from companion.games.vampireradar.evolve import empty_public, fold_public
from companion.games.vampireradar.humans import human_actions
from companion.games.vampireradar.model import (
    END,
    PLACES,
    CallRadar,
    GameSetUp,
    Options,
    Public,
    Setup,
    TokenSet,
    V,
    Vampire,
    Walk,
)

GAME = find_game("vampireradar")
FEWEST, MOST = 2, 6
"""Tiles on which the vampire of an endgame can be."""

DRAWS = 4
SECONDS = 0.1
NIGHT_POINTS = 2
NO_CHANCE = Random(0)
"""Nothing in an endgame draws from it."""

Story = tuple[PublicEvent, ...]
Habits = Callable[[Story], Callable[[Cell], Chances]]
"""What a vampire does at the end of a story, by the tile where it is."""


class Endgame(Struct, frozen=True):
    """The public `story` of a game with 2 players up to a nightfall, and the `tiles` on which the
    vampire may be, one as likely as another.
    """

    story: Story
    tiles: tuple[Cell, ...]


class Reading(Struct, frozen=True):
    """The chances of a hit in one endgame against one vampire: of humans who know the rules alone
    and think each night that it could choose as likely as another, and of humans who know its
    habits.
    """

    rules: float
    habits: float


def endgame(seed: int, pawns: int, bullets: int) -> Endgame:
    """Return an endgame on a random field without tokens: the human has so many pawns and bullets,
    of which one has just called a radar.
    """
    rng = Random(f"endgame {seed}")
    while True:
        found = _drawn(rng, pawns, bullets)
        if FEWEST <= len(found.tiles) <= MOST:
            return found


def _drawn(rng: Random, pawns: int, bullets: int) -> Endgame:
    laid = GAME.setup(GAME.seat_names(2), Setup(), rng)[0]
    assert isinstance(laid, GameSetUp)
    names = [Pawn(f"H1{letter}") for letter in "abcdefgh"[:pawns]]
    public = fold_public(empty_public(), laid)
    radar = rng.choice(public.field.cells_of("r"))
    origin = rng.choice(public.field.grid.neighbours[radar])
    others = rng.sample([cell for cell in public.field.grid.cells if cell != origin], pawns - 1)
    start = {str(pawn): str(cell) for pawn, cell in zip(names, (origin, *others), strict=True)}
    begun: Story = (
        GameSetUp(2, Options(), laid.field, start, {"H1": bullets}, vampire_hp=1),
        *(TokenSet(cell, "bullet", lies=False) for cell in public.bullet_tokens),
        *(TokenSet(cell, "bat", lies=False) for cell in public.bat_tokens),
    )
    state = State(reduce(fold_public, begun, empty_public()), GAME.initial().private)
    told = list(begun)
    human = Seat("H1")
    turn = (Walk(pawn=names[0], to=radar), CallRadar(names[0]), END)
    for seat, action in ((V, rng.choice(PLACES)), *((human, one) for one in turn)):
        for event in GAME.decide(state, seat, action, rng):
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                told.append(event)
    belief = Belief()
    for event in told:
        belief.hear(event)
    return Endgame(tuple(told), cells_of(belief.tiles))


def any_night(story: Story) -> Callable[[Cell], Chances]:
    """The habits of a vampire of which the rules alone are known: each thing that can come of a
    night is as likely.
    """
    public = reduce(fold_public, story, empty_public())
    return lambda cell: evenly([night.actions for night in nights(public, cell)])


def habits_of(level: str) -> Habits:
    """Return the habits of a level that has `SECONDS` by a clock that stands still, so all the time
    that it wants. Of a level that leaves something to chance before it mixes they are the mean of
    `DRAWS` such chances.
    """

    def at_nightfall(story: Story) -> Callable[[Cell], Chances]:
        bot = VAMPIRE_LEVELS[level](Thinking(Random(len(story)), SECONDS, lambda: 0.0))
        for event in story:
            bot.hear(event)
        draws = 1 if bot.exact else DRAWS
        return lambda cell: [
            (chance / draws, actions)
            for _ in range(draws)
            for chance, actions in bot.chances(Vampire(cell, NIGHT_POINTS, (cell,)))
        ]

    return at_nightfall


def reading(end: Endgame, habits: Habits, rounds: int) -> Reading:
    """Return what humans win by a hit within so many nights, each with the humans' round after
    it.
    """
    return Reading(
        rules=answered(end, any_night, habits, rounds)[1],
        habits=answered(end, habits, habits, rounds)[1],
    )


def answered(end: Endgame, thought: Habits, true: Habits, rounds: int) -> tuple[float, float]:
    """Return the chance of a hit by humans who play the best answer to the habits that they think
    of: as they think, and as it is. Of equal actions they take the first.
    """
    even = 1 / len(end.tiles)
    return _Answer(thought, true).at_nightfall(
        end.story, {cell: (even, even) for cell in end.tiles}, rounds
    )


Worlds = Mapping[Cell, tuple[float, float]]
"""Where the vampire can be: how likely the humans think that all came so and it is there, and how
likely it is.
"""
Value = tuple[float, float]


class _Answer:
    """The humans' best answer to the habits that they think of, and what it wins against the true
    ones.
    """

    def __init__(self, thought: Habits, true: Habits) -> None:
        self._thought = thought
        self._true = true

    def at_nightfall(self, story: Story, worlds: Worlds, rounds: int) -> Value:
        """Return the value of a nightfall, with so many nights to come before the count."""
        if rounds == 0:
            return 0.0, 0.0
        public = reduce(fold_public, story, empty_public())
        heard: dict[Story, dict[Cell, tuple[float, float]]] = {}
        for number, habits in enumerate((self._thought, self._true)):
            chances = habits(story)
            for cell, weights in worlds.items():
                # Where no weight is, no night needs to be thought of.
                for chance, actions in chances(cell) if weights[number] else ():
                    told, at = _night(public, cell, actions)
                    found = heard.setdefault(told, {})
                    before = found.get(at, (0.0, 0.0))
                    share = chance * weights[number]
                    found[at] = (
                        (before[0] + share, before[1])
                        if number == 0
                        else (before[0], before[1] + share)
                    )
        values = [
            _Round(self, (*story, *told), rounds - 1).value(found) for told, found in heard.items()
        ]
        return sum(value for value, _ in values), sum(value for _, value in values)


class _Round:
    """The humans' round after a night. What it is worth depends on where the pieces are and on what
    was told in it, in its order, so that of walks to the same tiles one is followed.
    """

    def __init__(self, answer: _Answer, story: Story, nights_left: int) -> None:
        self._answer = answer
        self._dawn = story
        self._nights_left = nights_left
        self._known: dict[tuple[object, ...], Value] = {}

    def value(self, worlds: Worlds) -> Value:
        """Return the round's value when the vampire can be where `worlds` says."""
        public = reduce(fold_public, self._dawn, empty_public())
        return self._after(public, (), (), worlds)

    def _after(self, public: Public, story: Story, told: Story, worlds: Worlds) -> Value:
        if public.outcome is not None:
            return _sum(worlds) if public.outcome.winner == "humans" else (0.0, 0.0)
        pieces = (*public.pawns.items(), *public.bullets.items(), *public.bullet_tokens)
        key = (
            public.to_move,
            public.actions_left,
            public.rights,
            frozenset(public.acted),
            pieces,
            told,
        )
        if key not in self._known:
            if public.to_move == V:
                found = self._answer.at_nightfall((*self._dawn, *story), worlds, self._nights_left)
            else:
                # The first of the greatest: a tie is broken by the rules' order of actions.
                found = max(
                    (
                        self._of(public, story, told, worlds, action)
                        for action in human_actions(public)
                    ),
                    key=lambda value: round(value[0], 12),
                )
            self._known[key] = found
        return self._known[key]

    def _of(
        self, public: Public, story: Story, told: Story, worlds: Worlds, action: Action
    ) -> Value:
        seat = public.to_move
        assert seat is not None
        answers: dict[Story, dict[Cell, tuple[float, float]]] = {}
        for cell, weights in worlds.items():
            state = State(public, {V: Vampire(cell, 0, (cell,))})
            events = tuple(
                event
                for event in GAME.decide(state, seat, action, NO_CHANCE)
                if isinstance(event, PublicEvent)
            )
            answers.setdefault(events, {})[cell] = weights
        values = []
        for events, left in answers.items():
            after = reduce(fold_public, events, public)
            heard = (*told, *events) if action.discloses else told
            values.append(self._after(after, (*story, *events), heard, left))
        return sum(value for value, _ in values), sum(value for _, value in values)


def _sum(worlds: Worlds) -> Value:
    return sum(value for value, _ in worlds.values()), sum(value for _, value in worlds.values())


def _night(public: Public, cell: Cell, actions: Sequence[Action]) -> tuple[Story, Cell]:
    """Return what the public hears of a night from `cell`, and where it ends."""
    state = State(public, {V: Vampire(cell, NIGHT_POINTS, (cell,))})
    told: list[PublicEvent] = []
    for action in actions:
        for event in GAME.decide(state, V, action, NO_CHANCE):
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                told.append(event)
    own: Vampire = state.private[V]
    assert own.cell is not None
    return tuple(told), own.cell
