"""The codec: strict reading, and the one form that is hashed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.codec import canonical_json, decode_action, decode_actions, encode_action
from companion.core.game import InvalidAction
from companion.games import GAMES, find_game

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
GAME = find_game("vampireradar")


@pytest.mark.slow
@given(JSON)
def test_whatever_is_read_is_an_action_or_refused(value: object) -> None:
    """Any JSON value is either an action that encodes back to itself or `InvalidAction`."""
    try:
        action = decode_action(GAME, value)
    except InvalidAction:
        return
    assert encode_action(action) == value


@pytest.mark.parametrize(
    "value",
    [
        {"type": "walk", "to": "A1", "extra": 1},
        {"type": "fly", "to": "A1"},
        {"type": "walk"},
        {"type": "walk", "to": 3},
        {"to": "A1"},
        "walk",
    ],
)
def test_wrong_shapes_are_refused(value: object) -> None:
    """Unknown fields, unknown types, missing and mistyped fields are refused."""
    with pytest.raises(InvalidAction):
        decode_action(GAME, value)


@pytest.mark.parametrize("values", [[], {}, None, [{"type": "end"}] * 101])
def test_a_submission_is_a_list_of_actions(values: object) -> None:
    """A submission is a list of 1 to 100 actions."""
    with pytest.raises(InvalidAction, match="unreadable_actions"):
        decode_actions(GAME, values)


@pytest.mark.slow
@given(JSON)
def test_canonical_form(value: object) -> None:
    """The canonical form is ASCII, has no spaces of its own, and reads back as the same value."""
    text = canonical_json(value)

    assert text.isascii()
    assert value == json.loads(text)
    assert canonical_json(json.loads(text)) == text


def test_find_game_names_the_games() -> None:
    """An unknown game is refused with the names of the known ones."""
    with pytest.raises(ValueError, match=GAMES[0].name):
        find_game("chess")
