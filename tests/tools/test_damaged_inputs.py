"""Every input is answered, and the program goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.server.rpc import requests
from tools.acceptance import damaged_inputs

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("edge", damaged_inputs.EDGES)
def test_three_hundred_inputs_at_each_edge(tmp_path: Path, edge: str) -> None:
    """Each input is accepted or refused with a code that has a sentence, nothing raises and no
    fault is logged; some are accepted, so that the inputs are not noise alone.
    """
    counts, faults = damaged_inputs.run(tmp_path, edge, 300, seed=1)

    assert [] == faults
    assert 300 == counts["taken"] + counts["refused"]
    assert counts["taken"] and counts["refused"]


def test_an_edge_that_lets_surrogates_in_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the check of texts in phones' messages the inputs find the fault that it prevents."""
    monkeypatch.setattr(requests, "all_text_is_printable", lambda value: True)
    _, faults = damaged_inputs.run(tmp_path, "phones", 1200, seed=2)

    assert faults
