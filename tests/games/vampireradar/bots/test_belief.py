"""The belief is exact: it holds all tiles where the vampire can be, and no other."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Action, PublicEvent, Seat, State
from companion.core.placement import Cell
from companion.core.view import view
from companion.games.vampireradar.actions import END, Attack, CallRadar, Heal, Place, Shoot
from companion.games.vampireradar.bots.belief import Belief
from companion.games.vampireradar.bots.bitboard import bitboard_of, cells_of, mask
from companion.games.vampireradar.events import VampireMoved
from companion.games.vampireradar.options import Options, Setup, V
from tests.games.vampireradar.bots.belief_oracle import GAME, candidates_after
from tests.games.vampireradar.builders import start

pytestmark = pytest.mark.slow

OPTIONS = st.builds(
    Options,
    turn_order=st.sampled_from(["fixed", "rotating"]),
    exhaustion=st.sampled_from(["strict", "hopeless"]),
    announce=st.sampled_from(["immediate", "turn_end"]),
    lazy_landing=st.booleans(),
    vampire_may_share=st.booleans(),
    pawns_block_shots=st.booleans(),
    pawns_per_turn=st.integers(1, 3),
    bullets_each=st.none() | st.integers(1, 6),
)
SUBMISSIONS = 60


def has_disclosures(rng: Random, legal: list[Action]) -> Action:
    """Draw an action, with a preference for disclosures and against ending a turn."""
    informative = [action for action in legal if isinstance(action, CallRadar | Attack | Heal)]
    if informative and rng.random() < 0.6:
        return rng.choice(informative)
    shots = [action for action in legal if isinstance(action, Shoot)]
    if shots and rng.random() < 0.3:
        return rng.choice(shots)
    return rng.choice([action for action in legal if action != END or rng.random() < 0.4] or legal)


def submission(
    state: State, seat: Seat, rng: Random
) -> tuple[list[Action], State, list[PublicEvent]]:
    """Play one human action or one whole night; return it, the state after it and the public
    events.
    """
    actions: list[Action] = []
    public_events: list[PublicEvent] = []
    while not actions or (seat == V and GAME.to_move(state.public) == V and actions[-1] != END):
        action = has_disclosures(rng, list(GAME.legal_actions(view(state, seat))))
        actions.append(action)
        for event in GAME.decide(state, seat, action, rng).events:
            state = GAME.evolve(state, event)
            if isinstance(event, PublicEvent):
                public_events.append(event)
        if isinstance(action, Place):
            break
    return actions, state, public_events


@given(st.integers(2, 4), st.integers(0, 2**32), OPTIONS)
@settings(max_examples=20)
def test_the_set_is_what_trying_every_night_leaves(
    players: int, seed: int, options: Options
) -> None:
    """After every submission of a random game with any options the set equals the one found by
    trying every turn that the vampire could have taken, from every tile where it could have been.
    """
    rng = Random(seed)
    belief = Belief()
    state = GAME.initial()
    for event in GAME.setup(GAME.seat_names(players), Setup(options), rng):
        assert isinstance(event, PublicEvent)
        state = GAME.evolve(state, event)
        belief.observe(event)
    candidates: set[Cell | None] = {None}
    for _ in range(SUBMISSIONS):
        seat = GAME.to_move(state.public)
        if seat is None:
            break
        before = state.public
        actions, state, public_events = submission(state, seat, rng)
        candidates = candidates_after(
            before, candidates, [] if seat == V else actions, public_events
        )
        for public_event in public_events:
            belief.observe(public_event)

        assert state.private[V].cell in candidates
        assert candidates == set(cells_of(belief.tiles))
        assert state.public == belief.public


def test_the_design_s_own_numbers() -> None:
    """On the house field C5 or E3 becomes, after a silent night, the nineteen tiles worked out by
    hand.
    """
    ground = bitboard_of(start().public.field)
    after = cells_of(ground.spread_twice(mask([Cell("C5"), Cell("E3")])))

    assert "E1 D2 E2 F2 C3 D3 E3 F3 B4 D4 F4 A5 B5 C5 D5 E5 B6 C6 D6" == " ".join(after)
    assert 13 == len(cells_of(ground.spread_twice(mask([Cell("D4")]))))


def test_a_private_event_is_not_taken() -> None:
    """A belief refuses the vampire's private events."""
    with pytest.raises(TypeError, match="public events only"):
        Belief().observe(VampireMoved(Cell("A1"), Cell("A2"), 1))  # type: ignore[arg-type]
