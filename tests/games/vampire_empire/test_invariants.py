"""Random games of Vampire Empire keep every invariant; a thousand of them by `python -m
tests.games.vampire_empire.invariants`.
"""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from companion.core.game import InvalidSetup
from companion.core.view import view
from companion.games.vampire_empire.cards import BORDERS, SEATS, sample_decks, warnings
from companion.games.vampire_empire.options import Options, Setup
from tests.games.vampire_empire.invariants import GAME, OPTIONS, play
from tests.helpers.repetitions import soak


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(6), *soak(range(6, 30))])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games(options: Options, seeds: range) -> None:
    """Forty cards a side over all piles, nine characters, the castle full while the city lasts, a
    deck remade at most once, markers only in the castle; every game ends.
    """
    ends = {play(seed, options) for seed in seeds}

    assert ends <= {"humans_dead", "vampires_dead", "castle_taken", "points"}


def test_the_sample_decks_are_as_promised() -> None:
    """Our decks have forty cards each, every border and effect, and supports that cost more by day
    or by night.
    """
    supports = [card for card in sample_decks().card if card.kind == "support"]

    assert sample_decks().sample
    assert [] == list(warnings(sample_decks()))
    assert set(BORDERS) == {border for card in sample_decks().card for border in card.borders}
    assert 7 == len({type(effect) for card in supports for effect in card.effects})
    assert 4 <= sum(card.cost_day != card.cost_night for card in supports)
    assert {0, 1, 2, 3} == {cost for card in supports for cost in (card.cost_day, card.cost_night)}
    for seat in SEATS:
        plain = [
            card for card in sample_decks().card if card.deck == seat and card.kind == "combat"
        ]
        single = sorted(
            card.value for card in plain if len(card.borders) == 1 for _ in range(card.copies)
        )
        assert [1] * 9 + [2] * 9 + [3] * 3 == single
        assert [1, 1, 1] == [card.value for card in plain if len(card.borders) == 2]


def test_a_game_starts_again_from_its_record_without_its_file() -> None:
    """The deal and the cards stand in the start of a game, so that nobody needs the file again."""
    deck = msgspec.structs.replace(sample_decks(), title="Ours", sample=False)
    own = GAME.with_content({"ours.toml": deck})
    state = GAME.initial()
    for event in own.setup(SEATS, Setup(Options("ours.toml")), Random(1)):
        state = GAME.evolve(state, event)
    setup = msgspec.convert(msgspec.json.decode(msgspec.json.encode(GAME.to_setup(state))), Setup)
    restored = GAME.initial()
    for event in GAME.setup(SEATS, setup, Random(2)):
        restored = GAME.evolve(restored, event)

    assert state == restored
    assert not GAME.is_sample(state.public)
    with pytest.raises(InvalidSetup):
        GAME.setup(SEATS, Setup(Options("ours.toml")), Random(1))


def test_nobody_sees_the_other_four_before_the_end() -> None:
    """The public view has no identity, the vampire player's view the vampires, the human player's
    view two humans; none has the other's hand or deck.
    """
    state = GAME.initial()
    for event in GAME.setup(SEATS, Setup(), Random(4)):
        state = GAME.evolve(state, event)
    vampire, human = (GAME.encode_view(view(state, seat))["own"] for seat in SEATS)

    assert GAME.encode_view(view(state, None))["own"] is None
    assert (3, 2) == (len(vampire["characters"]), len(human["characters"]))
    assert GAME.encode_view(view(state, None))["identities"] is None
    assert set(vampire["characters"]).isdisjoint(human["characters"])
