"""Cases that repeat what another case has shown."""

from __future__ import annotations

import pytest


def soak(*values: object) -> list[object]:
    """Return values of a parameter as cases with the marker `soak`."""
    return [pytest.param(value, marks=pytest.mark.soak) for value in values]
