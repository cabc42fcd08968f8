"""Start `companion` in a process of its own by a fork of one that has imported it.

Imports take four fifths of a start, and a test run starts some hundred servers.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from companion.cli import main

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__])
Process = multiprocessing.context.ForkServerProcess


def start_companion(
    words: list[str], log: Path, environment: Mapping[str, str] = MappingProxyType({})
) -> Process:
    """Start a `companion` subcommand with these variables more; append what it prints to `log`."""
    process = _CONTEXT.Process(target=_run, args=(words, log, dict(environment)))
    process.start()
    return process


def _run(words: list[str], log: Path, environment: Mapping[str, str]) -> None:
    os.environ.update(environment)
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.close(out)
    sys.argv = ["companion", *words]
    sys.exit(main())
