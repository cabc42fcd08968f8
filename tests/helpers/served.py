"""Start `companion` in its own process by a fork of one that has imported it.

Imports take four fifths of a start, and a test run starts some hundred servers.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from companion.cli import main
from companion.sensors.vision.photo_client import PhotoDecoder
from companion.server.auth import codes
from companion.table import reveal
from tests.helpers.pins import QUICK_PINS

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "tests.helpers.preloaded"])
PHOTO_TIMEOUT = 60.0
"""Seconds in which a photo is read on a machine with much else to do."""
QUICK_MARGIN, QUICK_INTERVAL = 0.0, 0.3
"""The seconds of a quick dawn: nobody at a test's table reads what one batch tells."""
Process = multiprocessing.context.ForkServerProcess


def start_companion(
    words: list[str],
    log: Path,
    environment: Mapping[str, str] = MappingProxyType({}),
    *,
    has_quick_dawns: bool = True,
) -> Process:
    """Start a `companion` subcommand, with more environment variables; append its output to
    `log`.
    """
    return start_process(_run, words, dict(environment), has_quick_dawns, log=log)


def start_process(target: Callable[..., object], *arguments: object, log: Path) -> Process:
    """Start a function in its own process; append its output to `log`."""
    process = _CONTEXT.Process(target=_logged, args=(log, target, *arguments))
    process.start()
    return process


def _logged(log: Path, target: Callable[..., object], *arguments: object) -> None:
    out = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.close(out)
    threading.Thread(target=_end_with_the_run, daemon=True).start()
    target(*arguments)


def _end_with_the_run() -> None:
    """End this process when the one that started it is gone: a killed run leaves no server."""
    run = multiprocessing.parent_process()
    assert run
    run.join()
    os._exit(1)


def _run(words: list[str], environment: Mapping[str, str], has_quick_dawns: bool) -> None:
    os.environ.update(environment)
    codes.PIN_COST = QUICK_PINS
    if has_quick_dawns:
        reveal.REVEAL_MARGIN, reveal.REVEAL_INTERVAL = QUICK_MARGIN, QUICK_INTERVAL
    # Other processes of the run may have the processor for longer than a table waits for a photo.
    PhotoDecoder.__init__.__defaults__ = (PHOTO_TIMEOUT,)
    sys.argv = ["companion", *words]
    sys.exit(main())
