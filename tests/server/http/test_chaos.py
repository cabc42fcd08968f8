"""A game over a bad network, over real sockets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.http import chaos


@pytest.mark.slow
def test_a_bad_network_changes_nothing(tmp_path: Path) -> None:
    """Cut, half-closed, delayed, sent again: every acknowledged request is done once, and each
    listener receives every public event once, in order, to the table's own head.
    """
    counts = chaos.play(tmp_path, turns=25, seed=1)

    assert {} == {kind: counts[kind] for kind in chaos.WRONGS if counts[kind]}
    assert 25 == counts["turns"]
    assert counts["cut"] > 0 and counts["held"] > 0
