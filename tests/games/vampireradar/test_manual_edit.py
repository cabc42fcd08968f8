"""Vampire Radar: positions that everybody agreed on."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import IllegalAction, PublicEvent, State
from companion.core.placement import Cell, Pawn, PositionEdit
from companion.core.view import view
from companion.games.vampireradar.actions import TakeBullet
from companion.games.vampireradar.events import GameOver, PawnSet, TokenSet
from companion.games.vampireradar.options import Options
from tests.games.vampireradar.builders import GAME, H1, V, play, refused, scene, start, take, walk

BULLET, BAT, RADAR, BLANK = "C2", "A4", "D1", "A1"
"""One tile of each kind on the house field."""


def by_hand(
    state: State, pawns: dict[str, str] | None = None, tokens: dict[str, str | None] | None = None
) -> State:
    """Return the state after everybody agreed to this."""
    for event in events(state, pawns, tokens):
        state = GAME.evolve(state, event)
    return state


def events(
    state: State, pawns: dict[str, str] | None = None, tokens: dict[str, str | None] | None = None
) -> list[PublicEvent]:
    arrangement = PositionEdit(
        {Pawn(pawn): Cell(cell) for pawn, cell in (pawns or {}).items()},
        {Cell(cell): kind for cell, kind in (tokens or {}).items()},
    )
    return list(GAME.set_position(state.public, arrangement))


def refusal(
    state: State, pawns: dict[str, str] | None = None, tokens: dict[str, str | None] | None = None
) -> str:
    with pytest.raises(IllegalAction) as error:
        events(state, pawns, tokens)
    return error.value.message.code


def test_no_walk_and_no_point() -> None:
    """A pawn is set over any distance, for no action point, and no pawn counts as having acted."""
    before = scene("E5", {"H1a": "A1", "H2a": "F6"})
    after = by_hand(before, {"H1a": "D4"})

    assert [PawnSet(Pawn("H1a"), Cell("A1"), Cell("D4"))] == events(before, {"H1a": "D4"})
    assert ("D4", 2, ()) == (
        after.public.pawns["H1a"],
        after.public.actions_left,
        after.public.acted,
    )


def test_others_pawns_too() -> None:
    """Pawns of every human can be set in any seat's turn; unnamed ones stay."""
    after = by_hand(
        scene("E5", {"H1a": "A1", "H1b": "F1", "H2a": "F6"}), {"H2a": "B2", "H1b": "F2"}
    )

    assert {"H1a": "A1", "H1b": "F2", "H2a": "B2"} == after.public.pawns


@pytest.mark.parametrize("cell", [BULLET, RADAR])
def test_no_landing(cell: str) -> None:
    """A pawn that was set on a bullet or a radar has not landed there: it may not take or call."""
    after = by_hand(scene("E5", {"H1a": "A1", "H2a": "F6"}), {"H1a": cell})

    assert "not_just_landed" == refused(after, take("H1a"))
    assert () == after.public.rights


def test_right_goes_with_the_tile() -> None:
    """A pawn that landed on a bullet loses the right to it when it is set elsewhere, and when the
    token is gone.
    """
    landed, _ = play(scene("E5", {"H1a": "C1", "H2a": "F6"}, points=2), walk("H1a", BULLET))
    assert TakeBullet(Pawn("H1a")) in GAME.legal_actions(view(landed, H1))

    assert () == by_hand(landed, {"H1a": "A1"}).public.rights
    assert () == by_hand(landed, tokens={BULLET: None}).public.rights


def test_tokens() -> None:
    """A bullet or bat token goes from its tile or comes back to it; hands keep what they hold."""
    before = start()
    after = by_hand(before, tokens={BULLET: None, BAT: None})

    assert (False, False) == (BULLET in after.public.bullet_tokens, BAT in after.public.bat_tokens)
    assert before.public.bullets == after.public.bullets
    restored = by_hand(after, tokens={BULLET: "bullet", BAT: "bat"})
    assert before.public == restored.public


def test_the_last_bullet() -> None:
    """Without a bullet in a hand or on a tile the vampire has won, even if the last token was
    removed by hand.
    """
    before = scene("E5", {"H1a": "A1"}, players=2, bullets={H1: 0}, bullet_tokens=(Cell(BULLET),))

    assert [
        TokenSet(Cell(BULLET), "bullet", False),
        GameOver("vampire", "bullets_spent"),
    ] == events(before, tokens={BULLET: None})


@pytest.mark.parametrize(
    ("reason", "pawns", "tokens"),
    [
        ("no_such_pawn", {"H1b": "A2"}, {}),
        ("no_such_pawn", {"V": "A2"}, {}),
        ("no_such_cell", {"H1a": "G1"}, {}),
        ("no_such_cell", {}, {"A7": None}),
        ("token_not_here", {}, {BLANK: "bullet"}),
        ("token_not_here", {}, {BLANK: None}),
        ("token_not_here", {}, {BULLET: "bat"}),
        ("token_not_here", {}, {BAT: "garlic"}),
        ("nothing_set", {}, {}),
        ("nothing_set", {"H1a": "A1"}, {BULLET: "bullet"}),
    ],
)
def test_what_no_table_looks_like(
    reason: str, pawns: dict[str, str], tokens: dict[str, str | None]
) -> None:
    """Pawns out of the game, unknown cells and tokens, and edits that change nothing are
    refused.
    """
    assert reason == refusal(scene("E5", {"H1a": "A1", "H2a": "F6"}), pawns, tokens)


def test_after_the_end() -> None:
    """A finished game is not set otherwise."""
    over = scene("E5", {"H1a": "A1", "H2a": "F6"})
    for event in GAME.resign(over, "agreed"):
        over = GAME.evolve(over, event)

    assert "game_is_over" == refusal(over, {"H1a": "A2"})


@pytest.mark.slow
@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.sampled_from([V, H1]))
def test_the_table_looks_like_that(rng: Random, turn: str) -> None:
    """Afterwards the expected placement is the one that was set, and nothing secret has changed."""
    before = start(options=Options(exhaustion="strict"))
    cells = before.public.field.grid.cells
    pawns = {pawn: rng.choice(cells) for pawn in rng.sample(sorted(before.public.pawns), 3)}
    tokens = {cell: None for cell in rng.sample(before.public.bullet_tokens, 2)}
    arrangement = PositionEdit(pawns, tokens)
    after = before
    for event in GAME.set_position(before.public, arrangement):
        after = GAME.evolve(after, event)
    placement = GAME.placement(view(after, None))

    assert pawns == {
        pawn: cell for cell, on_cell in placement.pawns.items() for pawn in on_cell if pawn in pawns
    }
    assert set(before.public.bullet_tokens) - set(tokens) == {
        c for c, kind in placement.tokens.items() if kind == "bullet"
    }
    assert (before.private, before.hidden) == (after.private, after.hidden)
