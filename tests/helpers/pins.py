"""The cost of a PIN's hash."""

from __future__ import annotations

from companion.server.auth.codes import PIN_COST

REAL_PINS = PIN_COST
QUICK_PINS = 2
"""The least that scrypt allows: for tests in which a hash's slowness is not the question."""
