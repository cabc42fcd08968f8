"""Nothing secret is in what leaves the table; and what looks for it can find it."""

from __future__ import annotations

import pytest

from tests.server.canaries import search

pytestmark = pytest.mark.slow


def test_a_whole_game_lets_no_canary_out() -> None:
    """Over recorded sockets, the others' opened boxes, what a club's broker receives, logs, the
    record in mid-game, files that others may read, arguments and environment: no word of a private
    page, no nonce, no secret key.
    """
    assert () == search(unboxed=False).found


def test_without_boxes_the_canaries_are_found() -> None:
    """The same search over open boxes finds them on the wire: it is not blind."""
    leaks = search(unboxed=True, turns=9).found

    assert {"wire: a private page", "wire before the end: a private page"} <= set(leaks)


def test_gossip_to_the_broker_is_found() -> None:
    """The same search finds a private word in the broker's messages, where one was put there."""
    leaks = search(unboxed=False, turns=9, gossiping=True).found

    assert {"broker: a private page", "others and logs: a private page"} == set(leaks)
