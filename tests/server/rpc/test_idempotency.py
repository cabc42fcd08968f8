"""Double taps, retries and several hands at once."""

from pathlib import Path

import pytest

from tests.server.rpc import idempotency


@pytest.mark.slow
def test_every_action_once(tmp_path: Path) -> None:
    """Requests sent one to five times by eight clients at once are each applied once or refused,
    and the order of the log explains every answer.
    """
    counts = idempotency.check_answers(*idempotency.play(tmp_path, clients=8, rounds=12, seed=1))

    assert (0, 0, 0) == (counts["applied_twice"], counts["unexplained"], counts["out_of_order"])
    assert counts["requests"] > 200
    assert counts["entries"] > 20
