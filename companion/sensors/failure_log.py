"""The log's entries of a device whose code fails, and may fail again and again."""

from __future__ import annotations

import logging
from collections.abc import Callable

from companion.core.text import describe_error

LOG_AGAIN = 3600.0
"""Seconds until the log has the same failure once more: one that repeats must not fill a disk."""
_logger = logging.getLogger(__name__)


class FailureLog:
    """Logs each failure of one device once in `LOG_AGAIN`. For one thread."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._logged: dict[str, float] = {}

    def add(self, device: object, wrong: Exception) -> None:
        """Log an error without its text and values, unless it is the same as a moment ago."""
        now, failure = self._monotonic(), describe_error(wrong)
        self._logged = {old: at for old, at in self._logged.items() if now - at < LOG_AGAIN}
        if failure not in self._logged:
            self._logged[failure] = now
            _logger.error("%s failed: %s", device, failure)
