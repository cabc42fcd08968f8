"""No sensor ever draws a secret out of the game."""

from __future__ import annotations

import pytest

from tests.sensors.no_false_disclosure import Noise


@pytest.mark.slow
def test_noise_without_a_press_discloses_nothing() -> None:
    """Whatever sensors report, no radar is called and no shot is fired, while honest walks are
    still played.
    """
    noise = Noise(seed=7)

    noise.run(5000)

    assert 0 == noise.disclosures
    assert noise.walks > 10
