"""Recognise HTTP by its first bytes."""

from __future__ import annotations

import re

HTTP_START_BYTES = 64
"""Bytes of a connection that are looked at: longer than line ends and a method."""
_START = re.compile(rb"[\r\n]*(?:[A-Za-z]{0,20}\Z|[A-Za-z]{1,20} )")


def is_http(start: bytes) -> bool:
    """Return whether the first bytes of a connection can be those of an HTTP request: a method, or
    its first letters. Other programs send anything: a TLS handshake, the greeting of SSH.
    """
    return _START.match(start) is not None
