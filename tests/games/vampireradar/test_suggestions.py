"""Suggestions to humans: legal, with numbers that follow from the odds that the display shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest

from companion.bots.hints import HintCache
from companion.core.capabilities import Suggestion
from companion.core.game import Message, PublicEvent, State
from companion.core.placement import Cell, Pawn
from companion.core.view import view
from companion.games import GAMES
from companion.games.vampireradar.actions import CallRadar, Shoot, TakeBullet, Walk
from companion.games.vampireradar.bots.bitboard import bitboard_of, mask
from companion.games.vampireradar.bots.posterior import PosteriorBelief, restrict_weights
from companion.games.vampireradar.humans import shot_line
from companion.games.vampireradar.options import Options, Setup, V
from companion.games.vampireradar.state import Public
from companion.games.vampireradar.suggestions import VampireHints, suggest
from tests.games.vampireradar.bots.belief_oracle import GAME
from tests.games.vampireradar.bots.test_belief import submission
from tests.games.vampireradar.builders import END, play, radar, scene, shoot, walk

ALL_GAMES = {game.name: game for game in GAMES}

TURNS = 50
OPTIONS = (
    Options(), Options(pawns_each=8), Options(pawns_block_shots=True, pawns_per_turn=1),
    Options(lazy_landing=True, vampire_may_share=False, announce="turn_end"),
)  # fmt: skip

Moment = tuple[Public, Mapping[Cell, int], Suggestion]
"""What all know, the odds, and what is suggested."""


def moments(options: Options, seed: int) -> Iterator[Moment]:
    """Yield the moments of a game in which humans do what is suggested, or in half of the cases
    anything, and the vampire anything.
    """
    rng, hints, state = Random(seed), VampireHints(), GAME.initial()
    players = 2 if options.pawns_each == 8 else 3
    for event in GAME.setup(GAME.seat_names(players), Setup(options), rng):
        state = GAME.evolve(state, event)
        if isinstance(event, PublicEvent):
            hints.observe(event)
    for _ in range(TURNS):
        seat = GAME.to_move(state.public)
        if seat is None:
            return
        found = hints.suggest()
        assert (found is None) == (seat == V)
        if found is not None:
            assert found.action in GAME.legal_actions(view(state, seat))
            yield state.public, hints.odds(), found
        state, events = played(state, found if rng.random() < 0.5 else None, rng)
        for event in events:
            hints.observe(event)


def played(state: State, found: Suggestion | None, rng: Random) -> tuple[State, list[PublicEvent]]:
    """Return the state after a suggestion, or after anything, and the public events."""
    seat = GAME.to_move(state.public)
    assert seat is not None
    if found is None:
        return submission(state, seat, rng)[1:]
    events = GAME.decide(state, seat, found.action, rng).events
    public_events = [event for event in events if isinstance(event, PublicEvent)]
    return GAME.fold(events, state), public_events


def share(odds: Mapping[Cell, int], cells: set[Cell]) -> float:
    """Return the odds of these cells in percent."""
    return 100 * sum(odds[cell] for cell in cells & set(odds)) / sum(odds.values())


def near(public: Public, cell: Cell) -> set[Cell]:
    """Return the tiles within two steps."""
    once = {cell, *public.field.grid.neighbours[cell]}
    return once | {to for each in once for to in public.field.grid.neighbours[each]}


def left_by_radar(public: Public, odds: Mapping[Cell, int], radar: Cell) -> float:
    """Return how many tiles the answer of a radar leaves in the mean."""
    answers = Counter(public.field.grid.distances[radar][cell] for cell in odds)
    return sum(
        chance * answers[public.field.grid.distances[radar][cell]] for cell, chance in odds.items()
    ) / sum(odds.values())


def is_true(public: Public, odds: Mapping[Cell, int], found: Suggestion) -> bool:
    """Return whether a reason says what follows from the odds."""
    code, params, action = found.reason.code, found.reason.params, found.action
    cell = Cell(str(params.get("cell", "")))
    match code.removeprefix("suggest."):
        case "radar_now" | "radar_next":
            left = left_by_radar(public, odds, cell)
            return (
                public.field.tile[cell] == "r"
                and len(odds) == params["tiles"]
                and abs(left - int(params["left"])) < 1
            )
        case "hit_now":
            assert isinstance(action, Shoot)
            at = public.pawns[action.pawn]
            line = set(shot_line(public, action.pawn, at, action.direction))
            return at == cell and abs(share(odds, line) - int(params["percent"])) < 1.5
        case "hit_next":
            assert isinstance(action, Walk) and action.pawn is not None
            moved = shot_line(public, Pawn("none"), cell, params["direction"])  # type: ignore[arg-type]
            return abs(share(odds, set(moved)) - int(params["percent"])) < 1.5
        case "bullet_now" | "bullet_next":
            return cell in public.bullet_tokens
        case "bullet_free":
            return isinstance(action, TakeBullet)
        case "free":
            return isinstance(action, CallRadar)
        case "safer":
            other = Cell(str(params["other"]))
            return (
                abs(share(odds, near(public, cell)) - int(params["percent"])) < 1.5
                and abs(share(odds, near(public, other)) - int(params["before"])) < 1.5
                and int(params["percent"]) < int(params["before"])
            )
        case "near":
            return abs(share(odds, near(public, cell)) - int(params["percent"])) < 1.5
        case "near_radar":
            return public.field.tile[cell] != "r" and int(params["n"]) > 0
        case "stay":
            return public.actions_left > 0
        case "spent":
            return public.actions_left == 0
        case _:
            return False


@pytest.mark.parametrize("options", OPTIONS, ids=["usual", "eight", "blocked", "lazy"])
@pytest.mark.slow
def test_what_is_said_is_true(options: Options) -> None:
    """In a game with any options each suggestion is legal, and the numbers of its reason are those
    of the odds on the display.
    """
    wrong = [
        (odds, found)
        for seed in range(3)
        for public, odds, found in moments(options, seed)
        if not is_true(public, odds, found)
    ]

    assert [] == wrong


def test_a_suggestion_does_not_depend_on_how_often_it_is_asked_for() -> None:
    """A cache that was asked after each event and one that is asked once suggest the same."""
    rng, asked_often = Random(4), HintCache(ALL_GAMES)
    state, events = GAME.initial(), list[PublicEvent]()
    for event in GAME.setup(GAME.seat_names(3), Setup(), rng):
        assert isinstance(event, PublicEvent)
        state, events = GAME.evolve(state, event), [*events, event]
    for _ in range(20):
        seat = GAME.to_move(state.public)
        assert seat is not None
        _, state, new_events = submission(state, seat, rng)
        for event in new_events:
            events = [*events, event]
            found = asked_often.suggest(GAME.name, events)
            assert found == asked_often.suggest(GAME.name, events)
            assert found == HintCache(ALL_GAMES).suggest(GAME.name, events)


def believed(state: State, *cells: str) -> PosteriorBelief:
    """Return the belief of a position in which the vampire is as likely on each of these tiles."""
    posterior, public = PosteriorBelief(), state.public
    posterior.belief.public, posterior.belief.ground = public, bitboard_of(public.field)
    posterior.belief.tiles = mask([Cell(cell) for cell in cells])
    posterior.weights = restrict_weights({}, posterior.belief.tiles)
    return posterior


def on_radar(*cells: str) -> Suggestion | None:
    """Return the suggestion to a pawn that has just landed on the radar of D1."""
    state = scene(pawns={"H1a": "C1", "H2a": "A6"})
    state, _ = play(state, walk("H1a", "D1"))
    assert "r" == state.public.field.tile[Cell("D1")]
    return suggest(believed(state, *cells))


def test_a_free_radar_is_called() -> None:
    """A pawn that has landed on a radar calls it; the reason counts the possible tiles and those
    that the answer leaves in the mean: with distances 4, 4, 5 and 3 that is (2 * 2 + 1 + 1) / 4.
    """
    assert Suggestion(
        radar("H1a"), Message("suggest.radar_now", {"cell": "D1", "left": 2, "tiles": 4})
    ) == on_radar("D5", "E4", "E5", "D4")
    assert Suggestion(radar("H1a"), Message("suggest.free")) == on_radar("D5")


def test_a_sure_shot_is_fired() -> None:
    """Where the vampire's tile is known and in line, the suggestion is the shot, with 100 %."""
    state = scene(pawns={"H1a": "E3", "H2a": "A6"})
    reason = Message("suggest.hit_now", {"cell": "E3", "direction": "E", "percent": 100})

    assert Suggestion(shoot("H1a", "E"), reason) == suggest(believed(state, "F3"))


def test_a_pawn_that_blocks_takes_the_reason_to_shoot() -> None:
    """With the option that pawns block shots a line behind a pawn is not suggested."""
    options = Options(pawns_block_shots=True)
    state = scene(pawns={"H1a": "C3", "H2a": "D3"}, options=options)
    found = suggest(believed(state, "E3"))

    assert found is not None
    assert shoot("H1a", "E") != found.action


def test_the_end_of_a_turn_is_suggested_without_actions() -> None:
    """With no action left the suggestion ends the turn."""
    state = scene(pawns={"H1a": "C3", "H2a": "D3"}, points=0)

    assert Suggestion(END, Message("suggest.spent")) == suggest(believed(state, "E3", "A1"))


def test_where_no_tile_fits_nothing_is_suggested() -> None:
    """After answers that contradict each other, as they may on paper, nothing is suggested."""
    assert None is suggest(believed(scene(pawns={"H1a": "C3", "H2a": "D3"})))
