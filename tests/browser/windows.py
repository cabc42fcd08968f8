"""Serve a table from the zip for Windows, under Wine: `pytest --windows-zip FILE`."""

from __future__ import annotations

import os
import subprocess
import zipfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

from tests.browser.server import TableServer

WINE = "/usr/lib/wine/wine64"
"""Debian's program that runs programs for Windows of 64 bits."""
HOME = "Spiele für Zwölf"
"""A folder as a person at a Windows machine names it."""
OUTPUT = "cp1252"
"""The encoding of what a western Windows writes into a pipe."""
RESULT_TIMEOUT = 3600.0
"""Seconds that a command under Wine may take on a busy machine."""


class Windows:
    """The unpacked zip, in a folder with spaces and umlauts, and a Windows of its own to run it."""

    def __init__(self, packed: Path, folder: Path) -> None:
        self.home = folder / HOME
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(self.home)
        self.program = self.home / "Table Companion"
        self._environment = os.environ | {
            "WINEPREFIX": str(folder / "prefix"),
            "WINEDEBUG": "-all",
            # Wine has no more than the beginning of what Python asks Windows about itself by it.
            "WINEDLLOVERRIDES": "wbemprox=",
        }
        self._environment.pop("DISPLAY", None)
        self.result("wineboot", "-i")
        self.result("reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f")

    def start(self, words: Sequence[str]) -> subprocess.Popen[bytes]:
        """Start a program of Windows; its output, with its errors, is a pipe: Python refuses a file
        there.
        """
        return subprocess.Popen(
            [WINE, *words],
            env=self._environment,
            cwd=self.program,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def result(self, *words: str) -> tuple[int, str]:
        """Run a program of Windows to its end; return its status and what it printed."""
        with self.start(words) as process:
            output, _ = process.communicate(timeout=RESULT_TIMEOUT)
        return process.returncode, output.decode(OUTPUT, "replace")

    def companion(self, *words: str) -> list[str]:
        """Return the words that run a command of the program."""
        return [str(self.program / "program/python/python.exe"), "-m", "companion", *words]

    @property
    def server(self) -> Any:
        """The class of a table that the zip serves; its parameters are those of `TableServer`."""
        return partial(WineServer, self)


class WineProcess:
    """A process under Wine, whose output is appended to a log."""

    def __init__(self, process: subprocess.Popen[bytes], log: Path) -> None:
        self._process = process
        self._log = log
        Thread(target=self._copy, daemon=True).start()

    @property
    def pid(self) -> int:
        """The number of the process here."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Return whether it runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()

    def terminate(self) -> None:
        """End it at once too: Wine passes no request of this kind on."""
        self._process.kill()

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        self._process.wait(timeout)

    def _copy(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as output, self._log.open("ab") as log:
            for line in output:
                log.write(line.decode(OUTPUT, "replace").encode())
                log.flush()


class WineServer(TableServer):
    """A table that the zip serves. Its dawns are as slow as at a table."""

    def __init__(self, windows: Windows, folder: Path, *arguments: Any, **named: Any) -> None:
        self._windows = windows
        super().__init__(folder, *arguments, **named)

    def port_path(self) -> None:
        """Return None: Windows opens no port of this system."""

    def launch(self, board: str) -> WineProcess:
        """Start the program that serves, with a board at an address."""
        words = [
            *("serve", "--data", windows_path(self.data)),
            *("--config", windows_path(self.config), "--board", board),
        ]
        return WineProcess(self._windows.start(self._windows.companion(*words)), self.log_path)


def windows_path(path: Path) -> str:
    """Return the name under which Wine has a file of this system."""
    return "Z:" + str(path).replace("/", "\\")
