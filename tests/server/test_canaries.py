"""No secret leaves the table, and the search for secrets can find them."""

from __future__ import annotations

import pytest

from tests.server.canaries import search

pytestmark = pytest.mark.slow


def test_a_whole_game_lets_no_canary_out() -> None:
    """Over recorded sockets, the others' opened boxes, the messages of a club's broker, logs, the
    record in mid-game, files that others may read, arguments and environment: no word of a private
    page, no nonce, no secret key.
    """
    assert () == search(unboxed=False).leaks


def test_without_boxes_the_canaries_are_found() -> None:
    """The same search over open boxes finds them on the wire."""
    leaks = search(unboxed=True, turns=9).leaks

    assert {"wire: a private page", "wire before the end: a private page"} <= set(leaks)


def test_gossip_to_the_broker_is_found() -> None:
    """The same search finds a private word that was put into the broker's messages."""
    leaks = search(unboxed=False, turns=9, gossiping=True).leaks

    assert {"broker: a private page", "others and logs: a private page"} == set(leaks)
