"""What another process is given to start with: where programs are, and nothing that was meant for
the table.
"""

from __future__ import annotations

import os

PASSED_VARIABLES = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "HOME")
"""Variables of the environment that a process gets: where its modules and its owner's files are."""


def minimal_env() -> dict[str, str]:
    """Return the environment of a process that the table starts."""
    return {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
